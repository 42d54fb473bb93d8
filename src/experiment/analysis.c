/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What results show of one metric: for each cell the mean with its Monte Carlo error and the spread
 * over replications, for each pair of a group the difference over the replications that both have,
 * and the probability that each is best.
 *
 * A saturated run is one of the metric "saturated". Where saturated runs are left out, the whole
 * replication is left out for all cells of the group, so that pairs stay pairs.
 */
#include "experiment/analysis.h"

#include "base/error.h"
#include "base/words.h"
#include "experiment/tool.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
    struct loom_analysis *analysis;
    struct loom_group *group;
    struct loom_interval_options how;
    size_t replications;
    bool *dropped;   /* by replication */
    double *a, *b;   /* values of replications */
    double *columns; /* of all cells, for the best */
};

/* ---- which replications count ---------------------------------------------------------------- */

static const double *cell_values(const struct work *work, size_t place)
{
    return loom_results_values(work->analysis->results, work->group->cells[place].cell,
                               work->analysis->metric->key);
}

/* Return whether a run has a verdict: a metric of 0 or 1. */
static bool is_true_at(const struct work *work, size_t place, const char *verdict,
                       size_t replication)
{
    const double *verdicts =
        loom_results_values(work->analysis->results, work->group->cells[place].cell, verdict);
    return verdicts && verdicts[replication] > 0;
}

static void count_runs(struct work *work)
{
    struct loom_group *group = work->group;
    for (size_t r = 0; r < work->replications; r++) {
        bool any = false, saturated = false, decided = false;
        for (size_t i = 0; i < group->n; i++) {
            if (isnan(cell_values(work, i)[r]))
                continue;
            any = true;
            group->cells[i].runs++;
            if (!is_true_at(work, i, "saturated", r))
                continue;
            group->cells[i].saturated++;
            saturated = true;
            decided = decided || !is_true_at(work, i, "saturation_undecided", r);
        }
        group->replications += any;
        group->saturated += saturated;
        group->undecided += saturated && !decided;
        work->dropped[r] = saturated && work->analysis->drop_saturated;
        group->left_out += work->dropped[r];
    }
}

bool loom_group_uses(const struct loom_analysis *analysis, const struct loom_group *group,
                     size_t replication)
{
    const struct loom_run_results *results = analysis->results;
    for (size_t i = 0; i < group->n && analysis->drop_saturated; i++) {
        size_t cell = group->cells[i].cell;
        const double *verdicts = loom_results_values(results, cell, "saturated");
        const double *values = loom_results_values(results, cell, analysis->metric->key);
        if (verdicts && verdicts[replication] > 0 && !isnan(values[replication]))
            return false;
    }
    return true;
}

/* The values of one cell, or of two at the replications that both have. Returns their number. */
static size_t gather_values(struct work *work, size_t place, size_t other)
{
    const double *a = cell_values(work, place), *b = cell_values(work, other);
    size_t n = 0;
    for (size_t r = 0; r < work->replications; r++)
        if (!work->dropped[r] && !isnan(a[r]) && !isnan(b[r])) {
            work->a[n] = a[r];
            work->b[n++] = b[r];
        }
    return n;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int describe_cell(struct work *work, size_t place, struct loom_error *err)
{
    struct loom_cell_result *cell = &work->group->cells[place];
    cell->n = gather_values(work, place, place);
    cell->best = NAN;
    if (cell->n == 0)
        return 0;
    int rc = loom_variation(&cell->spread, work->a, cell->n, err);
    if (rc || cell->n < 2)
        return rc;
    cell->has_interval = true;
    rc = loom_mean_interval(&cell->mean, work->a, cell->n, &work->how, err);
    cell->mean.low = fmax(cell->mean.low, loom_metric_least(work->analysis->metric));
    cell->mean.high = fmin(cell->mean.high, loom_metric_most(work->analysis->metric));
    return rc;
}

/* Whether a mean comes before another; cells without values come last. */
static bool before(const struct loom_analysis *analysis, const struct loom_cell_result *one,
                   const struct loom_cell_result *other)
{
    if (one->n == 0 || other->n == 0)
        return one->n > 0 && other->n == 0;
    if (analysis->metric->better == LOOM_BETTER_LOWER)
        return one->common_mean < other->common_mean;
    if (analysis->metric->better == LOOM_BETTER_HIGHER)
        return one->common_mean > other->common_mean;
    return false;
}

static void sort_cells(const struct loom_analysis *analysis, struct loom_group *group)
{
    for (size_t i = 1; i < group->n; i++) {
        struct loom_cell_result cell = group->cells[i];
        size_t j = i;
        for (; j > 0 && before(analysis, &cell, &group->cells[j - 1]); j--)
            group->cells[j] = group->cells[j - 1];
        group->cells[j] = cell;
    }
}

/* ---- all cells of a group -------------------------------------------------------------------- */

/* The replications that all cells with values have, as columns. Returns their number. */
static size_t gather_all(struct work *work, const double **columns)
{
    const struct loom_group *group = work->group;
    size_t n = 0;
    for (size_t i = 0; i < group->n; i++)
        columns[i] = work->columns + i * work->replications;
    for (size_t r = 0; r < work->replications; r++) {
        bool all = !work->dropped[r];
        for (size_t i = 0; i < group->n && all; i++)
            all = group->cells[i].n == 0 || !isnan(cell_values(work, i)[r]);
        for (size_t i = 0; i < group->n && all; i++)
            work->columns[i * work->replications + n] = cell_values(work, i)[r];
        n += all;
    }
    return n;
}

static void set_common_means(struct work *work, const double **columns)
{
    size_t n = gather_all(work, columns);
    for (size_t i = 0; i < work->group->n; i++) {
        struct loom_cell_result *cell = &work->group->cells[i];
        struct loom_moments common;
        bool has = cell->n > 0 && n > 0 && !loom_moments(&common, columns[i], n, NULL);
        cell->common_mean = has ? common.mean : cell->spread.mean;
        work->group->with_values += cell->n > 0;
    }
}

static int find_best(struct work *work, const double **columns, struct loom_error *err)
{
    struct loom_group *group = work->group;
    enum loom_better better = work->analysis->metric->better;
    size_t k = group->with_values, n = gather_all(work, columns);
    if (k < 2 || n < 2 || better == LOOM_BETTER_NEITHER)
        return 0;
    double *best = calloc(k, sizeof *best);
    int rc = best ? loom_best_probabilities(best, columns, k, n, better == LOOM_BETTER_HIGHER,
                                            &work->how, err)
                  : loom_fail_memory(err);
    for (size_t i = 0; i < k && !rc; i++)
        group->cells[i].best = best[i];
    free(best);
    return rc;
}

/* Sort the cells of a group and find the probability that each is the best. */
static int rank_cells(struct work *work, struct loom_error *err)
{
    const double **columns = calloc(work->group->n, sizeof *columns);
    if (!columns)
        return loom_fail_memory(err);
    set_common_means(work, columns);
    sort_cells(work->analysis, work->group);
    int rc = find_best(work, columns, err);
    free(columns);
    return rc;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* The number of replications is only of use where the difference is not shown, at the level of its
 * interval. */
static void set_needed(struct loom_pair_result *out, const double *differences)
{
    struct loom_variation spread;
    if (loom_variation(&spread, differences, out->n, NULL) || !(spread.sd > 0) ||
        loom_replications_needed(&out->needed, spread.mean, spread.sd, out->level, 0, NULL))
        out->needed = 0;
}

static int compare_pair(struct loom_pair_result *out, struct work *work, struct loom_error *err)
{
    bool higher = work->analysis->metric->better == LOOM_BETTER_HIGHER;
    out->n = gather_values(work, out->a, out->b);
    out->p = out->p_adjusted = 1;
    if (out->n < 2)
        return 0;
    int rc = loom_share_below(&out->share, higher ? work->b : work->a, higher ? work->a : work->b,
                              out->n, work->how.level, err);
    if (!rc)
        rc = loom_pair_test(&out->p, work->a, work->b, out->n, &work->how, err);
    return rc;
}

/* Cells are paired if they got the same workloads. */
static bool are_paired(const struct work *work)
{
    return strcmp(work->analysis->compare, "trace") != 0 &&
           strcmp(work->analysis->compare, "source") != 0;
}

static int adjust(struct loom_group *group, struct loom_error *err)
{
    double *p = calloc(group->n_differences + 1, sizeof *p);
    if (!p)
        return loom_fail_memory(err);
    for (size_t i = 0; i < group->n_differences; i++)
        p[i] = group->differences[i].p;
    int rc = loom_holm(p, p, group->n_differences, err);
    for (size_t i = 0; i < group->n_differences && !rc; i++)
        group->differences[i].p_adjusted = p[i];
    free(p);
    return rc;
}

/* Set the intervals of a pair as one of so many, and whether they show a difference. */
static int judge_pair(struct loom_pair_result *out, struct work *work, size_t pairs,
                      struct loom_error *err)
{
    struct loom_interval_options how = work->how;
    struct loom_pair_interval interval;
    how.level = out->level = 1 - (1 - work->analysis->level) / (double)pairs;
    if (gather_values(work, out->a, out->b) < 2)
        return 0;
    int rc = loom_pair_interval(&interval, work->a, work->b, out->n, &how, err);
    if (rc)
        return rc;
    out->difference = interval.difference;
    out->ratio = interval.ratio;
    out->has_ratio = interval.has_ratio;
    out->shown = interval.difference.low > 0 || interval.difference.high < 0;
    for (size_t i = 0; i < out->n; i++)
        work->a[i] -= work->b[i];
    set_needed(out, work->a);
    return 0;
}

/* Holm's method on intervals: each is widened for the number of pairs, and those that show a
 * difference no longer count as the others are judged again, until no more show one. */
static int judge_pairs(struct work *work, struct loom_error *err)
{
    struct loom_group *group = work->group;
    size_t left = group->n_differences, before;
    int rc = 0;
    do {
        before = left;
        for (size_t i = 0; i < group->n_differences && !rc; i++)
            if (!group->differences[i].shown) {
                rc = judge_pair(&group->differences[i], work, before, err);
                left -= group->differences[i].shown;
            }
    } while (!rc && left > 0 && left < before);
    return rc;
}

static int compare_pairs(struct work *work, struct loom_error *err)
{
    struct loom_group *group = work->group;
    int rc = 0;
    group->differences = calloc(group->n * group->n / 2 + 1, sizeof *group->differences);
    if (!group->differences)
        return loom_fail_memory(err);
    for (size_t a = 0; a < group->with_values && are_paired(work); a++)
        for (size_t b = a + 1; b < group->with_values && !rc; b++) {
            struct loom_pair_result difference = {.a = a, .b = b};
            rc = compare_pair(&difference, work, err);
            if (difference.n > 1)
                group->differences[group->n_differences++] = difference;
        }
    if (!rc)
        rc = adjust(group, err);
    return rc ? rc : judge_pairs(work, err);
}

const struct loom_pair_result *loom_group_difference(const struct loom_group *group, size_t a,
                                                     size_t b)
{
    for (size_t i = 0; i < group->n_differences; i++)
        if (group->differences[i].a == a && group->differences[i].b == b)
            return &group->differences[i];
    return NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int analyse_group(struct work *work, struct loom_error *err)
{
    struct loom_group *group = work->group;
    int rc = 0;
    work->columns = malloc((group->n * work->replications + 1) * sizeof *work->columns);
    if (!work->columns)
        return loom_fail_memory(err);
    count_runs(work);
    for (size_t i = 0; i < group->n && !rc; i++)
        rc = describe_cell(work, i, err);
    if (!rc)
        rc = rank_cells(work, err);
    if (!rc)
        rc = compare_pairs(work, err);
    free(work->columns);
    return rc;
}

static int analyse(struct loom_analysis *analysis, const struct loom_analysis_options *options,
                   struct loom_error *err)
{
    size_t n = (size_t)loom_results_replications(analysis->results);
    struct work work = {.analysis = analysis,
                        .how = options->interval,
                        .replications = n,
                        .dropped = calloc(n + 1, sizeof(bool)),
                        .a = calloc(n + 1, sizeof(double)),
                        .b = calloc(n + 1, sizeof(double))};
    int rc = work.dropped && work.a && work.b ? 0 : loom_fail_memory(err);
    for (size_t g = 0; g < analysis->n && !rc; g++) {
        work.group = &analysis->groups[g];
        rc = analyse_group(&work, err);
    }
    free(work.b);
    free(work.a);
    free(work.dropped);
    return rc;
}

static int fail_factor(const struct loom_run_results *results, const char *name,
                       struct loom_error *err)
{
    enum { MOST = 128 };
    const char *names[MOST + 1] = {0};
    for (size_t i = 0; i < MOST && loom_results_factor(results, i); i++)
        names[i] = loom_results_factor(results, i);
    return loom_blame(loom_fail_unknown(err, "factor", name, names,
                                        "factors are scheduler, load and the keys of the plan"),
                      "compare", err);
}

static int set_up(struct loom_analysis *analysis, const struct loom_analysis_options *options,
                  struct loom_error *err)
{
    const struct loom_run_results *results = analysis->results;
    analysis->metric = loom_metric_find(options->metric);
    if (!analysis->metric)
        return loom_metric_check(options->metric, "metric", err);
    if (!loom_results_have(results, options->metric))
        return loom_fail(err, LOOM_EDATA, "no run has the metric '%s'", options->metric);
    const char *factor = NULL;
    analysis->compare = loom_compare_default(results);
    for (size_t i = 0; options->compare && (factor = loom_results_factor(results, i)); i++)
        if (strcmp(factor, options->compare) == 0)
            break;
    if (options->compare && !factor)
        return fail_factor(results, options->compare, err);
    analysis->compare = factor ? factor : analysis->compare;
    analysis->level = options->interval.level > 0 ? options->interval.level : 0.95;
    analysis->drop_saturated = options->drop_saturated;
    return loom_groups_create(analysis, err);
}

int loom_analysis_create(struct loom_analysis **out, const struct loom_run_results *results,
                         const struct loom_analysis_options *options, struct loom_error *err)
{
    struct loom_analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return loom_fail_memory(err);
    analysis->results = results;
    int rc = set_up(analysis, options, err);
    if (!rc)
        rc = analyse(analysis, options, err);
    if (rc)
        loom_analysis_destroy(analysis);
    else
        *out = analysis;
    return rc;
}

void loom_analysis_destroy(struct loom_analysis *analysis)
{
    if (!analysis)
        return;
    for (size_t g = 0; g < analysis->n; g++) {
        free(analysis->groups[g].cells);
        free(analysis->groups[g].differences);
    }
    free(analysis->groups);
    free(analysis);
}
