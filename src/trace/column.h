/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * column.h - the columns of a job as data: by what name, type and place each can be found, read
 * from text and printed, for formats that go through them one by one.
 */
#ifndef LOOM_TRACE_COLUMN_H
#define LOOM_TRACE_COLUMN_H

#include "trace/number.h"

#include <workloom/trace.h>

enum loom_column {
#define X(name, type, what) LOOM_COLUMN_##name,
    LOOM_COLUMNS(X)
#undef X
};

enum loom_column_type { LOOM_WHOLE_64, LOOM_WHOLE_32, LOOM_REAL };

struct loom_column_info {
    const char *name; /* "submit_s" */
    const char *what; /* "submit time" */
    enum loom_column_type type;
    size_t offset; /* in struct loom_job */
};
extern const struct loom_column_info loom_column_table[LOOM_COLUMN_COUNT];

/* The column's kind of name, or -1. */
int loom_column_kind(enum loom_column column);
/* Read a value of a column that holds no names. */
enum loom_number loom_column_set(struct loom_job *job, enum loom_column column, const char *text,
                                 size_t length);
/* Print a value into buf, at least LOOM_NUMBER_PRINT bytes. Returns the length. */
size_t loom_column_print(char *buf, const struct loom_job *job, enum loom_column column);

#endif
