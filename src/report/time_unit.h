/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_unit.h - one unit for all times of a column of a table. Starts as {0}; see all times,
 * choose, then add the column and its cells. */
#ifndef LOOM_REPORT_TIME_UNIT_H
#define LOOM_REPORT_TIME_UNIT_H

#include "base/table.h"

struct loom_time_unit {
    const char *name;
    double length_s;
    double sum; /* of logarithms */
    size_t n;
};

/* Note a time of the column. */
void loom_time_unit_see(struct loom_time_unit *unit, double seconds);
/* Choose the unit in which the geometric mean of the times is best read. */
void loom_time_unit_choose(struct loom_time_unit *unit);
/* Add the column, "TITLE (UNIT)". */
int loom_time_unit_column(struct loom_table *table, const char *title,
                          const struct loom_time_unit *unit, struct loom_error *err);
/* Add a cell; "-" for NAN. */
int loom_time_unit_cell(struct loom_table *table, double seconds, const struct loom_time_unit *unit,
                        struct loom_error *err);

#endif
