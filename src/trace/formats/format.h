/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * format.h - what a file format provides: one .c file that ends in a const struct loom_format_ops,
 * and one line in the list in formats.c. template.c is the one to copy.
 */
#ifndef LOOM_TRACE_FORMATS_FORMAT_H
#define LOOM_TRACE_FORMATS_FORMAT_H

#include "trace/input.h"
#include "trace/table.h"

#include <workloom/trace.h>

/* What a reader works with. */
struct loom_reader {
    struct loom_trace *trace; /* to fill */
    struct loom_input *input;
    const struct loom_read_options *options;
};

struct loom_format_ops {
    struct loom_format_info info;
    /* How sure the first bytes of a file make it that this is its format: 0 not at all, 100
     * certain. NULL for a format that must be named. */
    int (*probe)(const char *head, size_t size);
    int (*read)(struct loom_reader *reader, struct loom_error *err);
    int (*write)(const struct loom_trace *trace, struct loom_output *out,
                 const struct loom_write_options *options, struct loom_error *err);
    /* Refuse jobs that the format cannot hold, as write does. NULL where it holds any. */
    int (*holds)(const struct loom_trace *trace, struct loom_error *err);
};

extern const struct loom_format_ops *const loom_formats[]; /* NULL-terminated */

/* For a line (or record) that cannot be read: under skip_bad_lines count it, remember the first,
 * and return 0 so that the reader goes on; else fill err and return LOOM_EFORMAT. column 0: none.
 */
int loom_reader_reject(struct loom_reader *reader, struct loom_error *err, int64_t line, int column,
                       const char *format, ...) LOOM_PRINTF(5, 6);

/* Report that so many jobs had a value that is not kept; nothing for 0 jobs. */
void loom_reader_dropped(struct loom_reader *reader, const char *name, size_t length, int64_t jobs);

/* Cuts a text into lines, without their newline and carriage return. */
struct loom_lines {
    const char *next, *end;
    int64_t number; /* of the line last handed out, from 1 */
};
bool loom_lines_next(struct loom_lines *lines, const char **line, size_t *length);

#endif
