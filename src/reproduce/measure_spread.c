/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How results differ from replication to replication, where a text shows histograms of them. */
#include "reproduce/bench.h"

#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the runs of a claim's cell, less or over the runs of another cell. */
struct runs {
    double *values;
    size_t n;
};

/* Leave out runs without a value, and saturated ones where these are given. */
static void keep_valid(struct runs *runs, const double *saturated)
{
    size_t used = 0;
    for (size_t i = 0; i < runs->n; i++)
        if (isfinite(runs->values[i]) && !(saturated && saturated[i] > 0.5))
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

static int read_runs(struct runs *runs, struct loom_bench *bench, const struct loom_claim *claim,
                     const char *metric, struct loom_error *err)
{
    const struct loom_run_results *results = NULL;
    double *saturated = NULL;
    char word[16];
    size_t n;
    int rc = loom_bench_trial(&results, bench, claim, err);
    if (!rc)
        rc = loom_trial_values(&runs->values, &runs->n, results, claim->cell, metric, err);
    if (!rc && (claim->over || claim->minus))
        rc = relate_runs(runs, results, claim, metric, err);
    if (!rc && loom_with(claim, "saturated", word, sizeof word))
        rc = loom_trial_values(&saturated, &n, results, claim->cell, "saturated", err);
    if (!rc)
        keep_valid(runs, saturated);
    free(saturated);
    if (!rc && runs->n == 0)
        rc = loom_fail(err, LOOM_EDATA, "no run has a value");
    return rc;
}

static double share_above(const struct runs *runs, double bound)
{
    size_t above = 0;
    for (size_t i = 0; i < runs->n; i++)
        above += runs->values[i] > bound;
    return (double)above / (double)runs->n;
}

/* `sorted` has its values in ascending order. */
static int compute_statistic(double *out, const struct runs *sorted, const char *statistic,
                             bool ratio, struct loom_error *err)
{
    const double *x = sorted->values;
    size_t n = sorted->n;
    if (strcmp(statistic, "spread") == 0)
        *out = x[n - 1] / x[0];
    else if (strcmp(statistic, "max") == 0)
        *out = x[n - 1];
    else if (strcmp(statistic, "median") == 0)
        *out = (x[(n - 1) / 2] + x[n / 2]) / 2;
    else if (strcmp(statistic, "above") == 0)
        *out = share_above(sorted, ratio ? 1 : 0);
    else
        return loom_fail(err, LOOM_EUSAGE, "there is no statistic '%s'", statistic);
    return 0;
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
        out->n = runs.n;
        rc = compute_statistic(&out->value, &runs, statistic, claim->over != NULL, err);
    }
    free(runs.values);
    return rc;
}
