/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One long run: the interval of its mean by batch means, and its warm-up by MSER-5.
 *
 * Batch means: the series is cut into k successive batches; if they are much longer than the
 * correlation reaches, their means are nearly independent and normal, and Student's t applies
 * (Schmeiser 1982: 10 to 30 batches; more only make the interval invalid sooner). The von Neumann
 * ratio tests whether successive batches are correlated (Fishman 1978).
 *
 * MSER (White 1997; with means of 5, White, Cobb and Spratt 2000): cut off the d values at the
 * start that make sum over i > d of (x_i - mean_d)^2 / (n - d)^2 least, for d up to half of them.
 */
#include "stats/level.h"
#include "stats/values.h"

#include <gsl/gsl_cdf.h>
#include <workloom/stats.h>
#include <workloom/stats_intervals.h>

/* ---- batch means ----------------------------------------------------------------------------- */

static void average(double *out, const double *x, size_t batches, size_t size)
{
    for (size_t i = 0; i < batches; i++) {
        double sum = 0;
        for (size_t j = 0; j < size; j++)
            sum += x[i * size + j];
        out[i] = sum / (double)size;
    }
}

static void set_correlation(struct loom_batch_means *out, const double *means)
{
    double steps = 0, squares = 0, products = 0, mean = out->mean.estimate;
    for (size_t i = 0; i < out->batches; i++) {
        squares += (means[i] - mean) * (means[i] - mean);
        if (i == 0)
            continue;
        steps += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
        products += (means[i] - mean) * (means[i - 1] - mean);
    }
    double k = (double)out->batches;
    out->correlation = squares > 0 ? products / squares : 0;
    double c = squares > 0 ? 1 - steps / (2 * squares) : 0;
    out->independent = c / sqrt((k - 2) / (k * k - 1)) <= gsl_cdf_ugaussian_Pinv(0.95);
}

int loom_batch_means(struct loom_batch_means *out, const double *x, size_t n, size_t batches,
                     double level, struct loom_error *err)
{
    batches = batches ? batches : 20;
    int rc = loom_level_default(&level, err);
    if (rc)
        return rc;
    if (batches < 3 || batches > SIZE_MAX / 2 / sizeof(double))
        return loom_fail(err, LOOM_ERANGE, "%zu batches are out of range, 3 is the least", batches);
    rc = loom_values_check(x, n, 2 * batches, "an interval by batch means", err);
    if (rc)
        return rc;
    double *means = malloc(batches * sizeof *means);
    if (!means)
        return loom_fail_memory(err);
    *out = (struct loom_batch_means){.batches = batches, .size = n / batches};
    out->used = batches * out->size;
    average(means, x + (n - out->used), batches, out->size);
    struct loom_interval_options options = {.method = LOOM_INTERVAL_T, .level = level};
    rc = loom_mean_interval(&out->mean, means, batches, &options, err);
    if (!rc)
        set_correlation(out, means);
    free(means);
    return rc;
}

/* ---- MSER-5 ---------------------------------------------------------------------------------- */

/* Statistics of all cuts, from the end backwards: mean and squares of what is left grow by one
 * value at a time. The last few values alone have none, because the squares of one or two values
 * say nothing. */
static void mser_of_cuts(double *mser, const double *means, size_t k)
{
    enum { FEW = 5 };
    double mean = 0, squares = 0;
    for (size_t d = k; d-- > 0;) {
        double count = (double)(k - d), off = means[d] - mean;
        mean += off / count;
        squares += off * (means[d] - mean);
        mser[d] = k - d < FEW ? INFINITY : squares / (count * count);
    }
}

static size_t least_of(const double *values, size_t n)
{
    size_t least = 0;
    for (size_t i = 1; i < n; i++)
        least = values[i] < values[least] ? i : least;
    return least;
}

int loom_mser5(struct loom_warmup *out, const double *x, size_t n, struct loom_error *err)
{
    enum { SIZE = 5, LEAST = 50 };
    int rc = loom_values_check(x, n, LEAST, "a warm-up by MSER-5", err);
    if (rc)
        return rc;
    size_t k = n / SIZE;
    double *means = calloc(2 * k, sizeof *means);
    if (!means)
        return loom_fail_memory(err);
    double *mser = means + k;
    average(means, x, k, SIZE);
    mser_of_cuts(mser, means, k);
    size_t cut = least_of(mser, k / 2 + 1);
    *out = (struct loom_warmup){SIZE * cut, mser[cut], least_of(mser, k) > k / 2};
    free(means);
    return 0;
}
