/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells in groups: those that differ in the factor to compare and in nothing else. */
#include "experiment/analysis.h"

#include <stdlib.h>
#include <string.h>

const char *loom_compare_default(const struct loom_run_results *results)
{
    const char *factor;
    if (loom_results_varies(results, "scheduler"))
        return "scheduler";
    for (size_t i = 4; (factor = loom_results_factor(results, i)); i++) /* settings */
        if (loom_results_varies(results, factor))
            return factor;
    for (size_t i = 0; i < 2; i++)
        if (loom_results_varies(results, loom_results_factor(results, i)))
            return loom_results_factor(results, i);
    return "scheduler";
}

static bool alike(const struct loom_analysis *analysis, size_t one, size_t other)
{
    const char *factor;
    for (size_t i = 0; (factor = loom_results_factor(analysis->results, i)); i++)
        if (strcmp(factor, analysis->compare) != 0 &&
            loom_results_differ(analysis->results, one, other, factor))
            return false;
    return true;
}

/* Does a cell differ from all of a group in the factor alone? */
static bool fits(const struct loom_analysis *analysis, const struct loom_group *group, size_t cell)
{
    for (size_t i = 0; i < group->n; i++)
        if (group->cells[i].cell == cell || !alike(analysis, group->cells[i].cell, cell))
            return false;
    return true;
}

static int add_cell(struct loom_group *group, size_t cell, struct loom_error *err)
{
    struct loom_cell_result *cells = realloc(group->cells, (group->n + 1) * sizeof *cells);
    if (!cells)
        return loom_fail_memory(err);
    group->cells = cells;
    group->cells[group->n++] = (struct loom_cell_result){.cell = cell};
    return 0;
}

/* A cell without the factor, such as one without predictor, is in all groups that it fits: one for
 * each correction of the others. */
static int share_cell(struct loom_analysis *analysis, size_t cell, struct loom_error *err)
{
    char value[512];
    int rc = 0;
    if (loom_results_value(analysis->results, cell, analysis->compare, value, sizeof value)[0])
        return 0;
    for (size_t g = 0; g < analysis->n && !rc; g++)
        if (fits(analysis, &analysis->groups[g], cell))
            rc = add_cell(&analysis->groups[g], cell, err);
    return rc;
}

int loom_groups_create(struct loom_analysis *analysis, struct loom_error *err)
{
    size_t n = loom_results_cells(analysis->results);
    int rc = 0;
    analysis->groups = calloc(n + 1, sizeof *analysis->groups);
    if (!analysis->groups)
        return loom_fail_memory(err);
    for (size_t cell = 0; cell < n && !rc; cell++) {
        size_t g = 0;
        while (g < analysis->n && !fits(analysis, &analysis->groups[g], cell))
            g++;
        rc = add_cell(&analysis->groups[g], cell, err);
        if (!rc && g == analysis->n)
            analysis->n++;
    }
    for (size_t cell = 0; cell < n && !rc; cell++)
        rc = share_cell(analysis, cell, err);
    return rc;
}
