/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h - the inside of struct loom_trace, for the files of this room.
 *
 * Invariants: all columns hold `capacity` entries, of which `view.n` are jobs; view always points
 * at the columns. A repeated column was all one value when it was made, and takes next to no memory
 * until it is written to; nobody but table.c need know. A shared column belongs to another trace
 * (loom_trace_derive) and is read-only until loom_trace_own copies it. Strings of the header and of
 * names live in the arena until the trace is destroyed.
 */
#ifndef LOOM_TRACE_TABLE_H
#define LOOM_TRACE_TABLE_H

#include "base/arena.h"
#include "base/names.h"
#include "trace/column.h"

#include <workloom/trace.h>

struct loom_columns {
#define X(name, type, what) type *name;
    LOOM_COLUMNS(X)
#undef X
};

struct loom_trace {
    struct loom_jobs view; /* its n is how many rows of the columns are jobs */
    struct loom_columns columns;
    size_t capacity;
    bool repeated[LOOM_COLUMN_COUNT]; /* from loom_pages_repeat */
    bool shared[LOOM_COLUMN_COUNT];   /* memory of the trace this one is derived from */
    bool small_pages;                 /* columns of these rather than of large ones */
    struct loom_directive *directives;
    size_t n_directives, directives_capacity;
    struct loom_machine machine;
    struct loom_names names[LOOM_NAME_KINDS];
    struct loom_arena arena;
    struct loom_read_report report;
};

/* Room for at least `capacity` jobs. Memory that is never written to costs nothing. */
int loom_trace_reserve(struct loom_trace *trace, size_t capacity, struct loom_error *err);
/* Give back what was reserved and not used. */
void loom_trace_trim(struct loom_trace *trace);
/* Return whether the rows are in the order of submit times. */
bool loom_trace_in_order(const struct loom_trace *trace);
/* Let every row of a column have one value, which is of the column's type. What the column held
 * does not count. */
void loom_trace_set_column(struct loom_trace *trace, enum loom_column column, const void *value);

/* Let this be the memory of a column from now on: from malloc, with values for all rows and room
 * for `capacity` of them. */
void loom_trace_take_column(struct loom_trace *trace, enum loom_column column, void *memory);

/* Create a trace of the same jobs, header and names, which shares all columns with `from`: it takes
 * memory only for those that loom_trace_own is asked for. `from` must outlive it and keep its rows.
 * The caller must destroy it. */
int loom_trace_derive(struct loom_trace **out, const struct loom_trace *from,
                      struct loom_error *err);
/* Make a column writable: copy it if it is shared. Call it before writing to the columns of a trace
 * that may be derived. LOOM_ENOMEM leaves the column as it was. */
int loom_trace_own(struct loom_trace *trace, enum loom_column column, struct loom_error *err);

/* Take one header line (the text after ';') as read. */
int loom_trace_add_line(struct loom_trace *trace, const char *text, size_t length,
                        struct loom_error *err);
/* Take the header lines of a log along to another workload of its jobs: all but what would be
 * untrue of that, the names of users and how many jobs there are from when to when. */
int loom_trace_inherit(struct loom_trace *trace, const struct loom_trace *log,
                       struct loom_error *err);
/* Take out the header lines of a key, if any. */
void loom_trace_drop_directive(struct loom_trace *trace, const char *key);
/* loom_trace_set_directive, for a value that is a number. */
int loom_trace_set_directive_number(struct loom_trace *trace, const char *key, int64_t number,
                                    struct loom_error *err);

#endif
