/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An analysis as one table for people: a row a cell, groups one after the other, in each the best
 * first. "best beats it by" is the difference that the sentence of a group names: relative to the
 * row's own mean for metrics whose lower values are better.
 */
#include "report/analyses.h"
#include "report/outcomes.h"

#include <math.h>
#include <string.h>

const struct loom_cell_result *loom_analysis_cell(const struct loom_analysis *analysis, size_t cell)
{
    for (size_t g = 0; g < analysis->n; g++)
        for (size_t i = 0; i < analysis->groups[g].n; i++)
            if (analysis->groups[g].cells[i].cell == cell)
                return &analysis->groups[g].cells[i];
    return NULL;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *interval_text(const struct loom_metric *metric, struct loom_interval interval,
                                 char *buf, size_t size)
{
    char low[LOOM_HUMAN], high[LOOM_HUMAN];
    snprintf(buf, size, "%s to %s", loom_metric_text(metric, interval.low, low, sizeof low),
             loom_metric_text(metric, interval.high, high, sizeof high));
    return buf;
}

/* By how much the best of the group beats a cell, or by how much they differ. */
static const char *margin_text(const struct loom_analysis *analysis, const struct loom_group *group,
                               size_t place, char *buf, size_t size)
{
    const struct loom_pair_result *difference = loom_group_difference(group, 0, place);
    char by[LOOM_HUMAN], low[LOOM_HUMAN], high[LOOM_HUMAN];
    if (place == 0 || !difference) {
        bool ordered = analysis->metric->better != LOOM_BETTER_NEITHER;
        snprintf(buf, size, "%s",
                 place > 0 || group->n < 2 || group->cells[0].n == 0 ? "-"
                 : ordered                                           ? "best"
                                                                     : "first");
        return buf;
    }
    bool relative;
    struct loom_interval margin = loom_margin(analysis, difference, &relative);
    if (relative)
        snprintf(buf, size, "%s %% (%s to %s)",
                 loom_human_percent(100 * margin.estimate, by, sizeof by),
                 loom_human_percent(100 * margin.low, low, sizeof low),
                 loom_human_percent(100 * margin.high, high, sizeof high));
    else
        snprintf(buf, size, "%s (%s to %s)",
                 loom_metric_text(analysis->metric, margin.estimate, by, sizeof by),
                 loom_metric_text(analysis->metric, margin.low, low, sizeof low),
                 loom_metric_text(analysis->metric, margin.high, high, sizeof high));
    return buf;
}

static const char *shown_text(const struct loom_group *group, size_t place)
{
    const struct loom_pair_result *difference = loom_group_difference(group, 0, place);
    return !difference ? "" : difference->shown ? "yes" : "no";
}

static const char *share_text(double share, char *buf, size_t size)
{
    if (isnan(share))
        snprintf(buf, size, "-");
    else
        loom_human_share(share, buf, size);
    return buf;
}

/* A probability that draws have found, which are too few for 0 and 1. */
static const char *chance_text(double chance, char *buf, size_t size)
{
    if (chance > 0.999 || chance < 0.001)
        snprintf(buf, size, "%s", chance < 0.5 ? "<0.1 %" : ">99.9 %");
    else
        share_text(chance, buf, size);
    return buf;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Factors that vary, but for the compared one, which comes last; load first. */
static bool leads(const struct loom_analysis *analysis, const char *factor)
{
    return strcmp(factor, analysis->compare) != 0 && loom_results_varies(analysis->results, factor);
}

static int add_factors(struct loom_table *table, const struct loom_analysis *analysis,
                       struct loom_error *err)
{
    const char *factor;
    int rc = 0;
    for (size_t i = 0; (factor = loom_results_factor(analysis->results, i)) && !rc; i++)
        if (leads(analysis, factor))
            rc = loom_table_column(table, factor, LOOM_LEFT, err);
    return rc ? rc : loom_table_column(table, analysis->compare, LOOM_LEFT, err);
}

static int add_column(struct loom_table *table, const char *title, int priority,
                      struct loom_error *err)
{
    int rc = loom_table_column(table, title, LOOM_RIGHT, err);
    if (!rc)
        loom_table_priority(table, priority);
    return rc;
}

static int add_columns(struct loom_table *table, const struct loom_analysis *analysis,
                       struct loom_error *err)
{
    char interval[32];
    snprintf(interval, sizeof interval, "%g %% interval", 100 * analysis->level);
    bool ordered = analysis->metric->better != LOOM_BETTER_NEITHER;
    const struct {
        const char *title;
        int priority;
    } columns[] = {{analysis->metric->label, LOOM_KEEP},
                   {interval, LOOM_KEEP},
                   {ordered ? "best beats it by" : "first differs by", LOOM_KEEP},
                   {"shown", LOOM_KEEP},
                   {"P(best)", 5},
                   {"best wins in", 4},
                   {"runs: 5 to 95 %", 3},
                   {"runs", 6},
                   {"saturated", 2}};
    int rc = add_factors(table, analysis, err);
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !rc; i++)
        rc = add_column(table, columns[i].title, columns[i].priority, err);
    return rc;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int add_labels(struct loom_table *table, const struct loom_analysis *analysis, size_t cell,
                      struct loom_error *err)
{
    const char *factor;
    char value[512];
    int rc = 0;
    for (size_t i = 0; (factor = loom_results_factor(analysis->results, i)) && !rc; i++)
        if (leads(analysis, factor))
            rc = loom_table_cell(table, err, "%s",
                                 loom_results_value(analysis->results, cell, factor, value,
                                                    sizeof value));
    loom_results_value(analysis->results, cell, analysis->compare, value, sizeof value);
    return rc ? rc : loom_table_cell(table, err, "%s", value[0] ? value : "-");
}

static int add_counts(struct loom_table *table, const struct loom_cell_result *cell,
                      struct loom_error *err)
{
    char share[LOOM_HUMAN];
    int rc = cell->n < cell->runs ? loom_table_cell(table, err, "%zu of %zu", cell->n, cell->runs)
                                  : loom_table_cell(table, err, "%zu", cell->n);
    if (!rc && cell->runs > 0 && cell->saturated > 0)
        return loom_table_cell(table, err, "%s",
                               loom_human_share((double)cell->saturated / (double)cell->runs, share,
                                                sizeof share));
    return rc ? rc : loom_table_cell(table, err, "%s", cell->runs > 0 ? "none" : "-");
}

static int add_analysis_table_row(struct loom_table *table, const struct loom_analysis *analysis,
                                  const struct loom_group *group, size_t place,
                                  struct loom_error *err)
{
    const struct loom_cell_result *cell = &group->cells[place];
    const struct loom_metric *metric = analysis->metric;
    const struct loom_pair_result *difference = loom_group_difference(group, 0, place);
    struct loom_interval spread = {0, cell->spread.p5, cell->spread.p95};
    char text[160];
    int rc = add_labels(table, analysis, cell->cell, err);
    if (!rc)
        rc = loom_metric_cell(table, metric, cell->n > 0 ? cell->spread.mean : NAN, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s",
                             cell->has_interval
                                 ? interval_text(metric, cell->mean, text, sizeof text)
                             : cell->n == 1 ? "one sample"
                                            : "-");
    if (!rc)
        rc = loom_table_cell(table, err, "%s",
                             margin_text(analysis, group, place, text, sizeof text));
    if (!rc)
        rc = loom_table_cell(table, err, "%s", shown_text(group, place));
    if (!rc)
        rc = loom_table_cell(table, err, "%s", chance_text(cell->best, text, sizeof text));
    if (!rc)
        rc = loom_table_cell(table, err, "%s",
                             difference ? share_text(difference->share.estimate, text, sizeof text)
                                        : "");
    if (!rc)
        rc = loom_table_cell(table, err, "%s",
                             cell->n > 1 ? interval_text(metric, spread, text, sizeof text) : "-");
    return rc ? rc : add_counts(table, cell, err);
}

int loom_analysis_table(struct loom_table **out, const struct loom_analysis *analysis,
                        struct loom_error *err)
{
    int rc = loom_table_create(out, err);
    if (!rc)
        rc = add_columns(*out, analysis, err);
    for (size_t g = 0; g < analysis->n && !rc; g++)
        for (size_t i = 0; i < analysis->groups[g].n && !rc; i++)
            rc = add_analysis_table_row(*out, analysis, &analysis->groups[g], i, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}
