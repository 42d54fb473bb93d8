/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One unit for all times of a column. */
#include "report/time_unit.h"

#include "base/human.h"

#include <math.h>
#include <stdio.h>

void loom_time_unit_see(struct loom_time_unit *unit, double seconds)
{
    if (seconds > 0) {
        unit->sum += log(seconds);
        unit->n++;
    }
}

void loom_time_unit_choose(struct loom_time_unit *unit)
{
    double typical_s = unit->n ? exp(unit->sum / (double)unit->n) : 0, length;
    unit->name = loom_duration_unit(typical_s, &length);
    unit->length_s = typical_s > 0 ? typical_s / length : 1;
}

int loom_time_unit_column(struct loom_table *table, const char *title,
                          const struct loom_time_unit *unit, struct loom_error *err)
{
    char text[80];
    snprintf(text, sizeof text, "%s (%s)", title, unit->name);
    return loom_table_column(table, text, LOOM_RIGHT, err);
}

int loom_time_unit_cell(struct loom_table *table, double seconds, const struct loom_time_unit *unit,
                        struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s",
                           loom_human_number(seconds / unit->length_s, text, sizeof text));
}
