/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bootstrap intervals (Efron and Tibshirani 1993, chapters 12 and 13). A resample takes n of the n
 * values with replacement. The percentile interval is the middle share of the resampled statistics.
 * The studentized one (bootstrap-t) takes the quantiles of t* = (statistic* - statistic) / error*
 * instead of Student's, so that skewed values get an asymmetric interval.
 *
 * Values are centred first: what a resample adds up are deviations, and differences of nearly equal
 * sums do not occur. A resample of equal values, or of pairs with equal ratios, has error* = 0; its
 * t* is infinite unless its statistic is the sample's, and if infinite ones reach the quantiles
 * there is no interval. An error* within rounding is 0: one of rounding alone would make a t* that
 * is finite and means nothing.
 */
#include "stats/bootstrap.h"

#include "base/draw.h"
#include "stats/values.h"

#include <workloom/stats.h>

#include <gsl/gsl_cdf.h>

/* Statistic and error of one resample, both relative to the sample: the statistic is a deviation.
 */
struct resample {
    double deviation, error;
};

struct centred {
    const double *u, *v; /* deviations; for ratios v of the second value, and u less v */
    size_t n;
};

typedef struct resample resample_fn(const struct centred *sample, struct loom_halves *halves);

/* ---- the statistics -------------------------------------------------------------------------- */

/* Standard error of a mean, by sum and sum of squares of n values. What is left of sums of squares
 * of this size is rounding where it is below `floor`. */
static double error_above(double floor, double sum, double squares, size_t n)
{
    double count = (double)n, rest = squares - sum * sum / count;
    return rest > floor ? sqrt(rest / (count - 1) / count) : 0;
}

static const double ROUNDING = 1e-13;

static double standard_error_of(double sum, double squares, size_t n)
{
    return error_above(ROUNDING * squares, sum, squares, n);
}

static struct resample resample_mean(const struct centred *sample, struct loom_halves *halves)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < sample->n; i++) {
        double u = sample->u[loom_half_below(halves, (uint32_t)sample->n)];
        sum += u;
        squares += u * u;
    }
    return (struct resample){sum / (double)sample->n, standard_error_of(sum, squares, sample->n)};
}

/* With u = a / mean(a) - 1 and v alike, the logarithm of the ratio of means deviates by
 * log(1 + mean u*) - log(1 + mean v*), and its error by the delta method is the error of the mean
 * of u / (1 + mean u*) - v / (1 + mean v*). The sample has w = u - v in place of u: the difference
 * is w / (1 + mean u*) - v mean w* / ((1 + mean u*) (1 + mean v*)), in which large terms that
 * cancel do not occur where a and b are nearly proportional. Each w is known to the precision of 1
 * + u. */
static struct resample resample_log_ratio(const struct centred *sample, struct loom_halves *halves)
{
    static const double TWICE_PRECISION = 1e-30;
    double w_sum = 0, v_sum = 0, ww = 0, vv = 0, wv = 0;
    for (size_t i = 0; i < sample->n; i++) {
        size_t pick = loom_half_below(halves, (uint32_t)sample->n);
        double w = sample->u[pick], v = sample->v[pick];
        w_sum += w, v_sum += v;
        ww += w * w, vv += v * v, wv += w * v;
    }
    double count = (double)sample->n, b = 1 + v_sum / count, a = b + w_sum / count;
    if (!(a > 0 && b > 0))
        return (struct resample){a > 0 ? INFINITY : -INFINITY, 0};
    double by_w = 1 / a, by_v = -w_sum / count / (a * b);
    double size = ww * by_w * by_w + vv * by_v * by_v;
    double floor = ROUNDING * size + TWICE_PRECISION * (count + vv / (b * b));
    return (struct resample){log1p(w_sum / count / b),
                             error_above(floor, w_sum * by_w + v_sum * by_v,
                                         size + 2 * wv * by_w * by_v, sample->n)};
}

/* ---- quantiles of resamples ------------------------------------------------------------------ */

static double studentized(struct resample resample)
{
    if (resample.error > 0)
        return resample.deviation / resample.error;
    return resample.deviation == 0 ? 0 : copysign(INFINITY, resample.deviation);
}

/* The deviations of all rounds, or their t*, sorted; the caller must free() them. */
static int resample_all(double **out, const struct centred *sample, resample_fn *resample,
                        bool studentize, struct loom_bootstrap options, struct loom_error *err)
{
    struct loom_halves halves = {0};
    double *all = malloc(options.rounds * sizeof *all);
    if (!all)
        return loom_fail_memory(err);
    loom_stream_init(&halves.stream, options.seed, 0, "bootstrap");
    for (uint32_t round = 0; round < options.rounds; round++) {
        struct resample one = resample(sample, &halves);
        all[round] = studentize ? studentized(one) : one.deviation;
    }
    int rc = loom_sort(all, options.rounds, err);
    if (rc)
        free(all);
    else
        *out = all;
    return rc;
}

/* The ends of the middle share of sorted values. */
static void middle(double *low, double *high, const double *sorted, struct loom_bootstrap options)
{
    *low = loom_quantile(sorted, options.rounds, (1 - options.level) / 2);
    *high = loom_quantile(sorted, options.rounds, (1 + options.level) / 2);
}

/* Two-sided p value of the observed t of n values in the distribution of t*, with the sample itself
 * as one more resample. Beyond all t*, where that is 2 / (rounds + 1) however large t is, it is
 * Student's p if that is less: else many comparisons at once could never show a difference. */
static double p_of(double t, size_t n, const double *sorted, uint32_t rounds)
{
    size_t below = 0, above = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        below += sorted[i] <= t;
        above += sorted[i] >= t;
    }
    size_t least = below < above ? below : above;
    double p = fmin(1, 2 * (double)(least + 1) / ((double)rounds + 1));
    return least > 0 ? p : fmin(p, 2 * gsl_cdf_tdist_Q(fabs(t), (double)n - 1));
}

static int no_interval(struct loom_error *err)
{
    return loom_fail(err, LOOM_EDATA, "too few different values for a bootstrap-t interval");
}

/* ---- means ----------------------------------------------------------------------------------- */

/* Deviations from the mean, which the caller must free(). */
static int bootstrap_centre(double **u, struct loom_moments *moments, const double *x, size_t n,
                            struct loom_error *err)
{
    int rc = loom_moments(moments, x, n, err);
    if (rc)
        return rc;
    *u = malloc(n * sizeof **u);
    if (!*u)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        (*u)[i] = x[i] - moments->mean;
    return 0;
}

int loom_bootstrap_mean(struct loom_interval *out, const double *x, size_t n,
                        struct loom_bootstrap options, struct loom_error *err)
{
    struct loom_moments moments;
    double *u = NULL, *all = NULL;
    int rc = bootstrap_centre(&u, &moments, x, n, err);
    if (!rc)
        rc = resample_all(&all, &(struct centred){u, NULL, n}, resample_mean, false, options, err);
    if (!rc) {
        double low, high;
        middle(&low, &high, all, options);
        *out = (struct loom_interval){moments.mean, moments.mean + low, moments.mean + high};
    }
    free(all);
    free(u);
    return rc;
}

static int studentize_mean(struct loom_interval *out, double *p, const double *sorted,
                           const struct loom_moments *moments, struct loom_bootstrap options,
                           struct loom_error *err)
{
    double low, high, error = moments->sd / sqrt((double)moments->n), t = moments->mean / error;
    double freedom = (double)moments->n - 1;
    middle(&low, &high, sorted, options);
    if (!isfinite(low) || !isfinite(high))
        return no_interval(err);
    if (options.covers_t) {
        double student = gsl_cdf_tdist_Pinv((1 + options.level) / 2, freedom);
        low = fmin(low, -student);
        high = fmax(high, student);
    }
    if (out)
        *out = (struct loom_interval){moments->mean, moments->mean - high * error,
                                      moments->mean - low * error};
    if (p)
        *p = p_of(t, moments->n, sorted, options.rounds);
    if (p && options.covers_t)
        *p = fmax(*p, 2 * gsl_cdf_tdist_Q(fabs(t), freedom));
    return 0;
}

int loom_bootstrap_t_mean(struct loom_interval *out, double *p, const double *x, size_t n,
                          struct loom_bootstrap options, struct loom_error *err)
{
    struct loom_moments moments;
    double *u = NULL, *all = NULL;
    int rc = bootstrap_centre(&u, &moments, x, n, err);
    if (!rc && !(moments.sd > 0))
        rc = no_interval(err);
    if (!rc)
        rc = resample_all(&all, &(struct centred){u, NULL, n}, resample_mean, true, options, err);
    if (!rc)
        rc = studentize_mean(out, p, all, &moments, options, err);
    free(all);
    free(u);
    return rc;
}

/* ---- ratios ---------------------------------------------------------------------------------- */

/* Relative deviations from a positive mean. */
static int centre_relative(double **u, double *mean, const double *x, size_t n,
                           struct loom_error *err)
{
    struct loom_moments moments;
    int rc = bootstrap_centre(u, &moments, x, n, err);
    if (rc)
        return rc;
    *mean = moments.mean;
    if (!(*mean > 0))
        return loom_fail(err, LOOM_EDATA, "a ratio needs positive means, one is %g", *mean);
    for (size_t i = 0; i < n; i++)
        (*u)[i] /= *mean;
    return 0;
}

/* Error of the logarithm of the ratio in the sample itself. */
static double log_ratio_error(const struct centred *sample)
{
    double squares = 0;
    for (size_t i = 0; i < sample->n; i++)
        squares += sample->u[i] * sample->u[i];
    return standard_error_of(0, squares, sample->n);
}

static int finish_ratio(struct loom_interval *out, double ratio, const struct centred *sample,
                        bool studentize, const double *sorted, struct loom_bootstrap options,
                        struct loom_error *err)
{
    double low, high, error = log_ratio_error(sample);
    middle(&low, &high, sorted, options);
    if (!isfinite(low) || !isfinite(high) || (studentize && !(error > 0)))
        return no_interval(err);
    if (studentize)
        *out = (struct loom_interval){ratio, ratio * exp(-high * error), ratio * exp(-low * error)};
    else
        *out = (struct loom_interval){ratio, ratio * exp(low), ratio * exp(high)};
    return 0;
}

static int bootstrap_ratio(struct loom_interval *out, const double *a, const double *b, size_t n,
                           bool studentize, struct loom_bootstrap options, struct loom_error *err)
{
    double *u = NULL, *v = NULL, *all = NULL, mean_a = 0, mean_b = 0;
    int rc = centre_relative(&u, &mean_a, a, n, err);
    if (!rc)
        rc = centre_relative(&v, &mean_b, b, n, err);
    for (size_t i = 0; i < n && !rc; i++)
        u[i] -= v[i];
    struct centred sample = {u, v, n};
    if (!rc)
        rc = resample_all(&all, &sample, resample_log_ratio, studentize, options, err);
    if (!rc)
        rc = finish_ratio(out, mean_a / mean_b, &sample, studentize, all, options, err);
    free(all);
    free(v);
    free(u);
    return rc;
}

int loom_bootstrap_ratio(struct loom_interval *out, const double *a, const double *b, size_t n,
                         struct loom_bootstrap options, struct loom_error *err)
{
    return bootstrap_ratio(out, a, b, n, false, options, err);
}

int loom_bootstrap_t_ratio(struct loom_interval *out, const double *a, const double *b, size_t n,
                           struct loom_bootstrap options, struct loom_error *err)
{
    return bootstrap_ratio(out, a, b, n, true, options, err);
}
