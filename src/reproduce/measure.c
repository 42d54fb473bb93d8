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

bool loom_cell_fits(const struct loom_run_results *results, size_t cell, const char *conditions)
{
    struct loom_condition condition;
    char has[LOOM_FACTOR_SIZE];
    while (loom_condition_next(&condition, &conditions))
        if (!loom_condition_fits(&condition,
                                 loom_results_value(results, cell, condition.key, has, sizeof has)))
            return false;
    return true;
}

/* Copy values by replication. A cell in which nothing is random has one run, which counts for all
 * replications where several cells are put side by side. */
static void copy_values(double *out, const double *values, size_t n, bool single)
{
    for (size_t i = 0; i < n; i++)
        out[i] = single ? values[0] : values[i];
}

int loom_trial_values(double **out, size_t *n, const struct loom_run_results *results,
                      const char *words, const char *metric, struct loom_error *err)
{
    *n = (size_t)loom_results_replications(results);
    for (size_t i = 0; i < loom_results_cells(results); i++) {
        if (!loom_cell_fits(results, i, words ? words : ""))
            continue;
        const double *values = loom_results_values(results, i, metric);
        if (!values)
            return loom_fail(err, LOOM_EUSAGE, "the trial has no metric '%s'", metric);
        *out = malloc((*n + 1) * sizeof **out);
        if (!*out)
            return loom_fail_memory(err);
        copy_values(*out, values, *n, loom_results_cell(results, i)->replications == 1);
        return 0;
    }
    return loom_fail(err, LOOM_EUSAGE, "no cell of the trial is '%s'", words ? words : "");
}

/* Combine the values of both cells in place, by replication; those without a value are left out. */
static size_t combine_cells(double *a, const double *b, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        double value = b ? a[i] - b[i] : a[i];
        if (isfinite(value))
            a[used++] = value;
    }
    return used;
}

static double sum_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* Measure the ratio of two means. Where the denominator may be 0 the interval has no ends, and
 * decides nothing. */
static int mean_ratio(struct loom_measured *out, const double *a, const double *b, size_t n,
                      struct loom_error *err)
{
    struct loom_interval interval = {0};
    if (n == 1) {
        *out = (struct loom_measured){.value = a[0] / b[0], .n = 1};
        return isfinite(out->value) ? 0 : loom_fail(err, LOOM_EDATA, "no run has a value");
    }
    int rc = loom_ratio_interval(&interval, a, b, n, NULL, err);
    *out = (struct loom_measured){interval.estimate, true, interval.low, interval.high, n};
    double ratio = sum_of(a, n) / sum_of(b, n);
    if (rc != LOOM_EDATA || !isfinite(ratio))
        return rc;
    *out = (struct loom_measured){ratio, true, -INFINITY, INFINITY, n};
    return 0;
}

/* Are all values the same, as of a cell with one run? */
static bool is_constant(const double *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

int loom_measure_trial(struct loom_measured *out, struct loom_bench *bench,
                       const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_run_results *results = NULL;
    double *a = NULL, *b = NULL;
    const char *other = claim->minus ? claim->minus : claim->over;
    size_t n = 0;
    int rc = loom_bench_trial(&results, bench, claim, err);
    if (!rc)
        rc = loom_trial_values(&a, &n, results, claim->cell, claim->of, err);
    if (!rc && other)
        rc = loom_trial_values(&b, &n, results, other, claim->of, err);
    if (!rc && is_constant(a, n) && (!b || is_constant(b, n)))
        n = 1;
    if (!rc)
        rc = claim->over ? mean_ratio(out, a, b, n, err)
                         : loom_measured_mean(out, a, combine_cells(a, b, n), err);
    free(a);
    free(b);
    return rc;
}
