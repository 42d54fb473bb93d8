/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures that need one log or one trial: features and metrics. */
#include "reproduce/bench.h"
#include "reproduce/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int loom_feature_value(double *out, const struct loom_features *features, const char *key,
                       struct loom_error *err)
{
    const struct loom_feature *feature = loom_features_find(features, key);
    if (!feature)
        return loom_fail(err, LOOM_EUSAGE, "there is no feature '%s'", key);
    if (!feature->known)
        return loom_fail(err, LOOM_EDATA, "%s", feature->reason);
    *out = feature->value;
    return 0;
}

int loom_relate(struct loom_measured *out, const struct loom_claim *claim, double other,
                struct loom_error *err)
{
    if (claim->minus)
        out->value -= other;
    else if (claim->over && other == 0)
        return loom_fail(err, LOOM_EDATA, "%s is 0", claim->over);
    else if (claim->over)
        out->value /= other;
    return 0;
}

int loom_measure_feature(struct loom_measured *out, struct loom_bench *bench,
                         const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_features *features = NULL;
    const char *second = claim->minus ? claim->minus : claim->over;
    double other = 0;
    int rc = loom_bench_features(&features, bench, claim, err);
    if (!rc)
        rc = loom_feature_value(&out->value, features, claim->of, err);
    if (!rc && second)
        rc = loom_feature_value(&other, features, second, err);
    return rc ? rc : loom_relate(out, claim, other, err);
}

/* ---- metrics of trials ----------------------------------------------------------------------- */

/* Does a cell have all values of "key=value; key=value"? */
static bool cell_fits(const struct loom_run_results *results, size_t cell, const char *conditions)
{
    struct loom_condition condition;
    char has[256];
    while (loom_condition_next(&condition, &conditions))
        if (strcmp(loom_results_value(results, cell, condition.key, has, sizeof has),
                   condition.value) != 0)
            return false;
    return true;
}

static int find_values(const double **out, const struct loom_run_results *results,
                       const char *words, const char *metric, struct loom_error *err)
{
    for (size_t i = 0; i < loom_results_cells(results); i++)
        if (cell_fits(results, i, words)) {
            *out = loom_results_values(results, i, metric);
            return *out ? 0 : loom_fail(err, LOOM_EUSAGE, "the trial has no metric '%s'", metric);
        }
    return loom_fail(err, LOOM_EUSAGE, "no cell of the trial is '%s'", words);
}

/* Combine the values of both cells, by replication; those without a value are left out. */
static size_t combine(double *out, const double *a, const double *b, bool subtract, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        double value = b && subtract ? a[i] - b[i] : a[i];
        if (isfinite(value))
            out[used++] = value;
    }
    return used;
}

static int mean_ratio(struct loom_measured *out, const double *a, const double *b, size_t n,
                      struct loom_error *err)
{
    struct loom_interval interval = {0};
    int rc = loom_ratio_interval(&interval, a, b, n, NULL, err);
    *out = (struct loom_measured){interval.estimate, true, interval.low, interval.high, n};
    return rc;
}

int loom_measure_trial(struct loom_measured *out, struct loom_bench *bench,
                       const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_run_results *results = NULL;
    const double *a = NULL, *b = NULL;
    const char *other = claim->minus ? claim->minus : claim->over;
    int rc = loom_bench_trial(&results, bench, claim, err);
    if (!rc)
        rc = find_values(&a, results, claim->cell ? claim->cell : "", claim->of, err);
    if (!rc && other)
        rc = find_values(&b, results, other, claim->of, err);
    if (rc)
        return rc;
    size_t n = (size_t)loom_results_replications(results);
    if (claim->over)
        return mean_ratio(out, a, b, n, err);
    double *values = calloc(n + 1, sizeof *values);
    if (!values)
        return loom_fail_memory(err);
    rc = loom_measured_mean(out, values, combine(values, a, b, claim->minus, n), err);
    free(values);
    return rc;
}
