/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - tables for people: built cell by cell, written to a terminal or read to show elsewhere.
 */
#ifndef LOOM_BASE_TABLE_H
#define LOOM_BASE_TABLE_H

#include <workloom/base.h>

enum loom_align { LOOM_LEFT, LOOM_RIGHT };
/* Priorities of columns; numbers from 2 on lie between. */
enum { LOOM_KEEP = 0, LOOM_WIDE_ONLY = 1 };

struct loom_table;

/* Create an empty table, which the caller must destroy. */
int loom_table_create(struct loom_table **out, struct loom_error *err);

/* Free table, which may be NULL. */
void loom_table_destroy(struct loom_table *table);

/* Add a column; all come before the first cell (LOOM_EUSAGE). */
int loom_table_column(struct loom_table *table, const char *title, enum loom_align align,
                      struct loom_error *err);

/* Add one cell; rows fill from left to right. Control characters are shown as '?'. */
int loom_table_cell(struct loom_table *table, struct loom_error *err, const char *format, ...)
    LOOM_PRINTF(3, 4);

/* Set the priority of the column added last: where the table is wider than its limit, columns of
 * the lowest priority are left out first, of equal ones the rightmost. LOOM_KEEP, the default, is
 * never left out; LOOM_WIDE_ONLY is shown in wide tables only. */
void loom_table_priority(struct loom_table *table, int priority);

/* Limit lines to so many characters: columns are left out by priority, and a last column of text is
 * broken at blanks, going on below its start, or below the row where that leaves little room. 0,
 * the default, is any length. */
void loom_table_limit(struct loom_table *table, size_t width);

/* Show all columns, whatever the limit; a long last column is still broken. */
void loom_table_wide(struct loom_table *table, bool wide);

/* Return how many columns are left out. */
size_t loom_table_hidden(const struct loom_table *table);

/* Write the table with its titles, aligned and, where columns are left out, a line that says how
 * many. */
int loom_table_write(const struct loom_table *table, struct loom_output *out,
                     struct loom_error *err);

/* Return the number of columns. */
size_t loom_table_width(const struct loom_table *table);

/* Return how a column is aligned. */
enum loom_align loom_table_align(const struct loom_table *table, size_t column);

/* Return the text of a cell, borrowed from the table. Row 0 has the titles. NULL where there is no
 * such cell. */
const char *loom_table_text(const struct loom_table *table, size_t row, size_t column);

#endif
