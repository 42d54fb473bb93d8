/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Zipf distribution, a power law on the whole numbers: p(k) = k^-alpha / zeta(alpha), k = 1, 2,
 * ..., alpha > 1 (Minh 2012, eq. 3.1).
 *
 * Maximum likelihood: the mean of log k equals its expectation -zeta'(alpha) / zeta(alpha), which
 * falls from infinity to 0 as alpha grows, so there is one root unless all values are 1. Zeros are
 * left out.
 */
#include "stats/dist/dist.h"

#include <float.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_zeta.h>
#include <math.h>

static const char *const names[] = {"alpha"};

static int zipf_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    if (params[0] > 1 && isfinite(params[0]))
        return 0;
    return loom_fail(err, LOOM_ERANGE, "zipf: alpha must be above 1, not %g", params[0]);
}

static double zipf_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (x < 1 || x != floor(x) || isinf(x))
        return -INFINITY;
    return -params[0] * log(x) - log(gsl_sf_zeta(params[0]));
}

static double zipf_survival(const double *params, size_t n, double x)
{
    (void)n;
    if (x < 1)
        return 1;
    return isinf(x) ? 0 : gsl_sf_hzeta(params[0], floor(x) + 1) / gsl_sf_zeta(params[0]);
}

static double zipf_cdf(const double *params, size_t n, double x)
{
    return 1 - zipf_survival(params, n, x);
}

/* The least k with survival(k) <= 1 - p: doubling, then halving. */
static double zipf_quantile(const double *params, size_t n, double p)
{
    double low = 0, high = 1;
    while (zipf_survival(params, n, high) > 1 - p) {
        if (high > DBL_MAX / 2)
            return DBL_MAX;
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        double middle = floor(0.5 * (low + high));
        if (middle <= low || middle >= high)
            break;
        if (zipf_survival(params, n, middle) > 1 - p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Devroye's rejection from the floor of a Pareto variate (Non-Uniform Random Variate Generation,
 * chapter X.6), which is `least` or more if its uniform number is at most least^-power. Where 2 has
 * a probability of less than 1e-300, all is 1; where alpha is near 1, much is past the greatest
 * number there is. */
double loom_zipf_sample_from(double alpha, double least, gsl_rng *rng)
{
    double power = alpha - 1, b = exp2(power), most = pow(least, -power);
    if (power > 1000)
        return least;
    for (;;) {
        double u = most * gsl_rng_uniform_pos(rng), v = gsl_rng_uniform(rng);
        double x = floor(pow(u, -1 / power));
        if (!isfinite(x))
            return DBL_MAX;
        double t_minus_1 = expm1(power * log1p(1 / x));
        if (v * x * t_minus_1 / (b - 1) <= (t_minus_1 + 1) / b)
            return fmax(x, least);
    }
}

static double zipf_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return loom_zipf_sample_from(params[0], 1, rng);
}

static double zipf_mean(const double *params, size_t n)
{
    (void)n;
    double a = params[0];
    return a > 2 ? gsl_sf_zeta(a - 1) / gsl_sf_zeta(a) : INFINITY;
}

static double zipf_variance(const double *params, size_t n)
{
    double a = params[0], m = zipf_mean(params, n);
    return a > 3 ? gsl_sf_zeta(a - 2) / gsl_sf_zeta(a) - m * m : INFINITY;
}

/* Sum over k >= 1 of log(k) k^-s, that is -zeta'(s): its first terms, and for the rest the formula
 * of Euler and Maclaurin, with f(x) = log(x) x^-s at N and the derivatives of f of order 1 and 3.
 */
static double sum_log_powers(double s)
{
    enum { N = 64 };
    double sum = 0, l = log(N), f = pow(N, -s);
    for (int k = 2; k < N; k++)
        sum += log(k) * pow(k, -s);
    double integral = f * N * (l / (s - 1) + 1 / ((s - 1) * (s - 1)));
    double first = f / N * (1 - s * l);
    double third = f / (N * (double)N * N) * (3 * s * s + 6 * s + 2 - s * (s + 1) * (s + 2) * l);
    return sum + integral + f * l / 2 - first / 12 + third / 720;
}

static double zipf_excess(double log_power, void *context)
{
    double alpha = 1 + exp(log_power), wanted = *(const double *)context;
    return sum_log_powers(alpha) / gsl_sf_zeta(alpha) - wanted;
}

static int zipf_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                    struct loom_error *err)
{
    (void)components;
    double mean_log = loom_sample_sum_log(s) / s->weight, log_power = 0;
    if (s->max == 1)
        return loom_fail(err, LOOM_EDATA, "all %zu values are 1: no finite exponent fits", s->n);
    int steps = loom_root(&log_power, zipf_excess, &mean_log, log(1e-9), log(60), 1e-15);
    double alpha = 1 + exp(log_power);
    loom_fit_set(out, s, 1, &alpha);
    out->free_params = 1;
    out->log_likelihood = -s->weight * (alpha * mean_log + log(gsl_sf_zeta(alpha)));
    out->iterations = steps < 0 ? -steps : steps;
    out->converged = steps >= 0;
    return 0;
}

const struct loom_dist_ops loom_zipf = {
    .name = "zipf",
    .summary = "a power law on the whole numbers; sizes of bags, lengths of runs",
    .discrete = true,
    .min_params = 1,
    .max_params = 1,
    .param_names = names,
    .check = zipf_check,
    .log_density = zipf_log_density,
    .cdf = zipf_cdf,
    .survival = zipf_survival,
    .quantile = zipf_quantile,
    .sample = zipf_sample,
    .mean = zipf_mean,
    .variance = zipf_variance,
    .fits_one_value = true,
    .support = LOOM_COUNTS,
    .fit = zipf_fit,
};
