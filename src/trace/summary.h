/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.h - ranges of columns, for readers that find them while the jobs are at hand. */
#ifndef LOOM_TRACE_SUMMARY_H
#define LOOM_TRACE_SUMMARY_H

#include "trace/table.h"

/* The range of n values of a column, but for its names. */
struct loom_range loom_range_int64(const int64_t *values, size_t n);
struct loom_range loom_range_int32(const int32_t *values, size_t n);
struct loom_range loom_range_real(const double *values, size_t n);
#define LOOM_RANGE(values, n)            \
    _Generic(*(values), int64_t          \
             : loom_range_int64, int32_t \
             : loom_range_int32, double  \
             : loom_range_real)((values), (n))

/* The ranges of rows [from, to) of all columns. */
void loom_ranges_find(struct loom_range ranges[LOOM_COLUMN_COUNT],
                      const struct loom_columns *columns, size_t from, size_t to);
/* Widen ranges by those of more rows. */
void loom_ranges_add(struct loom_range ranges[LOOM_COLUMN_COUNT],
                     const struct loom_range more[LOOM_COLUMN_COUNT]);

#endif
