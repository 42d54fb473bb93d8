/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.h - for formats in which a job is a line of text fields and header lines stand behind a '#'.
 *
 * Identifiers (user, group, executable, queue, partition) are numbers as long as every value of the
 * column is one. With the first value that is not, the whole column becomes names: the numbers
 * before and after it are names like any other. -1 stays unknown.
 *
 * Submit times past 10^8 s (more than three years, or 1973) are taken as Unix times, unless the
 * header has a UnixStartTime and they do not lie after it. They become relative to UnixStartTime,
 * or where that is not given to the smallest, which then becomes UnixStartTime. "UnixStartTime: -1"
 * says that submits are relative to an unknown start.
 */
#ifndef LOOM_TRACE_FORMATS_ROWS_H
#define LOOM_TRACE_FORMATS_ROWS_H

#include "trace/column.h"

#define LOOM_UNIX_TIMES_FROM INT64_C(100000000)

struct loom_rows {
    struct loom_trace *trace;
    bool named[LOOM_NAME_KINDS]; /* the column holds names */
    bool unix_times;             /* submits are Unix times, whatever their size */
};

/* Read an identifier. Only for a job that will be appended next: it may turn the column to names.
 */
int loom_rows_identify(struct loom_rows *rows, struct loom_job *job, enum loom_name_kind kind,
                       const char *text, size_t length, struct loom_error *err);
/* After the last row: make Unix times relative. */
int loom_rows_finish(struct loom_rows *rows, struct loom_error *err);

/* Write the header lines, each behind a '#'. */
int loom_rows_write_header(const struct loom_trace *trace, struct loom_output *out,
                           struct loom_error *err);
/* Write each job's first n columns, with `separator` between them and `tail` behind. */
int loom_rows_write(const struct loom_trace *trace, struct loom_output *out, int n, char separator,
                    const char *tail, struct loom_error *err);

#endif
