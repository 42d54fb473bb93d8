/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.h - ranges of columns, for readers that find them while the jobs are at hand. */
#ifndef LOOM_TRACE_SUMMARY_H
#define LOOM_TRACE_SUMMARY_H

#include "trace/table.h"

/* The ranges of rows [from, to) of all columns. */
void loom_ranges_find(struct loom_range ranges[LOOM_COLUMN_COUNT],
                      const struct loom_columns *columns, size_t from, size_t to);
/* Widen ranges by those of more rows. */
void loom_ranges_add(struct loom_range ranges[LOOM_COLUMN_COUNT],
                     const struct loom_range more[LOOM_COLUMN_COUNT]);

#endif
