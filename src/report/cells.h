/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - the data of a figure or table, cell by cell: read back from the CSV of its sheet. */
#ifndef LOOM_REPORT_CELLS_H
#define LOOM_REPORT_CELLS_H

#include <workloom/base.h>

enum { LOOM_CELLS_COLUMNS = 16 };

struct loom_cells {
    char *text;         /* what the cells point into */
    const char **cells; /* row by row; row 0 has the titles of columns */
    size_t columns, rows;
    bool numeric[LOOM_CELLS_COLUMNS]; /* columns of numbers, or nothing, below their titles */
};

/* Read a table of comma-separated values as sheet.c writes them, of up to LOOM_CELLS_COLUMNS
 * columns. The caller must free *out with loom_cells_free. */
int loom_cells_read(struct loom_cells *out, const char *csv, size_t size, struct loom_error *err);
void loom_cells_free(struct loom_cells *cells);

static inline const char *loom_cell(const struct loom_cells *cells, size_t row, size_t column)
{
    return cells->cells[row * cells->columns + column];
}

/* ---- for people (cell_text.c) ---------------------------------------------------------------- */

enum { LOOM_CELL = 64 };

/* Write the heading of a column to buf, by its key: "mean wait" for wait_mean_s. Returns buf. */
const char *loom_cell_heading(const char *key, char *buf, size_t size);
/* Return how long a column stays where there is no room (base/table.h). */
int loom_cell_priority(const char *key);
/* Return the text of a cell below the headings, with its unit: buf, or the cell as it is. */
const char *loom_cell_text(const struct loom_cells *cells, size_t row, size_t column, char *buf,
                           size_t size);

#endif
