/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number.h - numbers as logs write them, and jobs that are rows of them.
 *
 * Strict decimal text in, shortest exact decimal text out. The grammar is [+-] digits [. digits] [e
 * [+-] digits], with at least one digit before or after the point and nothing around it: no blanks,
 * no hexadecimal, no "inf" or "nan". The locale never matters. The text need not end in NUL, and is
 * at most LOOM_NUMBER_TEXT characters long.
 */
#ifndef LOOM_TRACE_NUMBER_H
#define LOOM_TRACE_NUMBER_H

#include "trace/format.h"

enum { LOOM_NUMBER_TEXT = 1000 };

enum loom_number {
    LOOM_NUMBER_OK = 0,
    LOOM_NUMBER_ROUNDED = 1, /* read, but a fraction was rounded away */
    LOOM_NUMBER_BAD = -1,    /* not a number */
    LOOM_NUMBER_RANGE = -2,  /* a number that the type, or min and max, cannot hold */
};

/* A whole number without point or exponent. *out is left alone unless the result is OK. */
enum loom_number loom_number_int(int64_t *out, const char *text, size_t length);

/* A number for a whole-number column: a fraction is rounded to the nearest whole number, halves
 * away from zero, exactly at any size. *out is left alone if the result is negative. */
enum loom_number loom_number_whole(int64_t *out, const char *text, size_t length, int64_t min,
                                   int64_t max);

/* The nearest double; too large for one is RANGE, too small is 0. Never ROUNDED. */
enum loom_number loom_number_real(double *out, const char *text, size_t length);

/* "is not a number" or "is out of range", to follow the text in a message. */
const char *loom_number_problem(enum loom_number result);

/* Print into buf, at least LOOM_NUMBER_PRINT bytes, with a final NUL; returns the length without
 * it. A double gets the fewest digits that loom_number_real reads back as the same double; what is
 * not finite is printed as -1, unknown. */
enum { LOOM_NUMBER_PRINT = 32 };
size_t loom_number_print_int(char *buf, int64_t value);
size_t loom_number_print_real(char *buf, double value);

/* A field that says there is no value: empty, "-", NA, N/A, NaN, null, None (in the usual cases).
 */
bool loom_number_missing(const char *text, size_t length);

/* The start of a piece of input, for a message: without control characters, "..." where it is cut.
 * Returns buf. */
enum { LOOM_SHOWN = 48 };
const char *loom_shown(char buf[LOOM_SHOWN], const char *text, size_t length);

/* ---- rows ------------------------------------------------------------------------------------ */

/*
 * For formats in which a job is a line of text fields and header lines stand behind a '#'.
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
enum loom_column {
#define X(name, type, what) LOOM_COLUMN_##name,
    LOOM_COLUMNS(X)
#undef X
};

#define LOOM_UNIX_TIMES_FROM INT64_C(100000000)

struct loom_rows {
    struct loom_trace *trace;
    bool named[LOOM_NAME_KINDS]; /* the column holds names */
    bool unix_times;             /* submits are Unix times, whatever their size */
};

/* What a column holds, such as "submit time". */
const char *loom_column_what(enum loom_column column);
/* The column's kind of name, or -1. */
int loom_column_kind(enum loom_column column);
/* Read a value of a column that holds no names. */
enum loom_number loom_column_set(struct loom_job *job, enum loom_column column, const char *text,
                                 size_t length);
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
