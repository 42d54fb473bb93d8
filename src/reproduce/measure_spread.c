/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How results differ from replication to replication, where a text shows histograms of them. */
#include "reproduce/bench.h"
#include "reproduce/verdict.h"

#include "base/sort.h"

#include <workloom/stats_intervals.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the runs of a claim's cell, less or over the runs of another cell. */
struct runs {
    double *values;
    size_t n;
    bool random; /* do they differ, before any is left out? */
};

/* Do values differ? One run may be all that was asked for; otherwise nothing was random in it. */
static bool do_differ(const double *values, size_t n, int asked)
{
    bool differ = n == 1 && asked == 1;
    for (size_t i = 1; i < n; i++)
        differ |= values[i] != values[0];
    return differ;
}

/* Leave out runs without a value. */
static void keep_valid(struct runs *runs)
{
    size_t used = 0;
    for (size_t i = 0; i < runs->n; i++)
        if (isfinite(runs->values[i]))
            runs->values[used++] = runs->values[i];
    runs->n = used;
}

static int relate_runs(struct runs *runs, const struct loom_run_results *results,
                       const struct loom_claim *claim, const char *metric, struct loom_error *err)
{
    double *other = NULL;
    size_t n;
    int rc = loom_trial_values(&other, &n, results, claim->over ? claim->over : claim->minus,
                               metric, err);
    for (size_t i = 0; i < runs->n && !rc; i++)
        runs->values[i] = claim->over ? runs->values[i] / other[i] : runs->values[i] - other[i];
    free(other);
    return rc;
}

/* Mark the runs that are saturated in a cell; a cell that is NULL has none. */
static int mark_saturated(bool *marks, const struct loom_run_results *results, const char *cell,
                          struct loom_error *err)
{
    double *saturated = NULL;
    size_t n = 0;
    int rc = cell ? loom_trial_values(&saturated, &n, results, cell, "saturated", err) : 0;
    for (size_t i = 0; i < n && !rc; i++)
        marks[i] |= saturated[i] > 0.5;
    free(saturated);
    return rc;
}

/* Leave out replications that are saturated in any cell of the claim: a difference or ratio with
 * such a run is no better than the run itself. */
static int drop_saturated(struct runs *runs, const struct loom_run_results *results,
                          const struct loom_claim *claim, struct loom_error *err)
{
    const char *const cells[] = {claim->cell ? claim->cell : "", claim->minus, claim->over};
    bool *marks = calloc(runs->n + 1, sizeof *marks);
    int rc = marks ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < sizeof cells / sizeof *cells && !rc; i++)
        rc = mark_saturated(marks, results, cells[i], err);
    for (size_t i = 0; i < runs->n && !rc; i++)
        runs->values[i] = marks[i] ? NAN : runs->values[i];
    free(marks);
    return rc;
}

static int read_runs(struct runs *runs, struct loom_bench *bench, const struct loom_claim *claim,
                     const char *metric, struct loom_error *err)
{
    const struct loom_run_results *results = NULL;
    char word[16];
    int rc = loom_bench_trial(&results, bench, claim, err);
    if (!rc)
        rc = loom_trial_values(&runs->values, &runs->n, results, claim->cell, metric, err);
    if (!rc && (claim->over || claim->minus))
        rc = relate_runs(runs, results, claim, metric, err);
    if (!rc)
        runs->random = do_differ(runs->values, runs->n, loom_bench_replications(bench, claim));
    if (!rc && loom_with(claim, "saturated", word, sizeof word))
        rc = drop_saturated(runs, results, claim, err);
    if (!rc)
        keep_valid(runs);
    if (!rc && runs->n == 0)
        rc = loom_fail(err, LOOM_EDATA, "no run has a value");
    return rc;
}

/* ---- statistics ------------------------------------------------------------------------------ */

enum { TAILS = 40 }; /* both ends of an interval leave out 1 in 40 each: 95 % */

/* Fill in the share of the values above a bound, with Wilson's interval. */
static int measure_share(struct loom_measured *out, const double *x, size_t n, double bound,
                         struct loom_error *err)
{
    struct loom_interval interval = {0};
    size_t above = 0;
    for (size_t i = 0; i < n; i++)
        above += x[i] > bound;
    int rc = loom_share_interval(&interval, (double)above, n, 0.95, err);
    *out = (struct loom_measured){interval.estimate, true, interval.low, interval.high, n};
    return rc;
}

/* Fill in the median with its interval from the k-th least to the k-th largest value. The median of
 * all possible runs is below the k-th least if fewer than k of n runs are below it, which happens
 * with the probability of fewer than k heads of n coins. Five runs or fewer leave the ends open. */
static void measure_median(struct loom_measured *out, const double *x, size_t n)
{
    size_t k = 0;
    while (gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n) <= 1.0 / TAILS)
        k++;
    *out = (struct loom_measured){.value = (x[(n - 1) / 2] + x[n / 2]) / 2,
                                  .has_interval = true,
                                  .low = k > 0 ? x[k - 1] : -INFINITY,
                                  .high = k > 0 ? x[n - k] : INFINITY,
                                  .n = n};
}

int loom_runs_statistic(struct loom_measured *out, const double *sorted, size_t n,
                        const char *statistic, bool ratio, struct loom_error *err)
{
    int rc = 0;
    *out = (struct loom_measured){.n = n};
    if (strcmp(statistic, "spread") == 0)
        out->value = sorted[n - 1] / sorted[0];
    else if (strcmp(statistic, "max") == 0)
        out->value = sorted[n - 1];
    else if (strcmp(statistic, "median") == 0)
        measure_median(out, sorted, n);
    else if (strcmp(statistic, "above") == 0)
        rc = measure_share(out, sorted, n, ratio ? 1 : 0, err);
    else
        rc = loom_fail(err, LOOM_EUSAGE, "there is no statistic '%s'", statistic);
    /* Runs that do not differ at all are one run that counts for all replications. */
    if (sorted[0] == sorted[n - 1])
        out->has_interval = false;
    return rc;
}

/* Give an extreme of fewer runs than the text has its only end: more runs can but raise it. */
static void bound_extreme(struct loom_measured *out, const struct loom_bench *bench,
                          const struct loom_claim *claim, const struct runs *runs)
{
    bool extreme = strncmp(claim->of, "max:", 4) == 0 || strncmp(claim->of, "spread:", 7) == 0;
    bool fewer = (size_t)loom_bench_replications(bench, claim) < loom_claim_full(claim);
    if (extreme && fewer && runs->random)
        *out = loom_measured_at_least(out->value, out->n);
}

int loom_measure_spread(struct loom_measured *out, struct loom_bench *bench,
                        const struct loom_claim *claim, struct loom_error *err)
{
    struct runs runs = {0};
    char statistic[32];
    const char *colon = strchr(claim->of, ':');
    if (!colon)
        return loom_fail(err, LOOM_EUSAGE, "'%s' is not STATISTIC:METRIC", claim->of);
    snprintf(statistic, sizeof statistic, "%.*s", (int)(colon - claim->of), claim->of);
    int rc = read_runs(&runs, bench, claim, colon + 1, err);
    if (!rc) {
        loom_sort_real(runs.values, runs.n);
        rc = loom_runs_statistic(out, runs.values, runs.n, statistic, claim->over != NULL, err);
    }
    if (!rc)
        bound_extreme(out, bench, claim, &runs);
    free(runs.values);
    return rc;
}
