/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lognormal distribution: log x is normal with mu and sigma. Zeros are left out of a fit.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

static const char *const names[] = {"mu", "sigma"};

static int lognormal_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_finite("lognormal", "mu", params[0], err);
    return rc ? rc : loom_check_positive("lognormal", "sigma", params[1], err);
}

static double lognormal_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (!(x > 0))
        return -INFINITY;
    double y = log(x), z = (y - params[0]) / params[1];
    return -0.5 * z * z - y - log(params[1]) - 0.5 * log(2 * M_PI);
}

static double lognormal_cdf(const double *params, size_t n, double x)
{
    (void)n;
    return x > 0 ? 0.5 * erfc((params[0] - log(x)) / params[1] * M_SQRT1_2) : 0;
}

static double lognormal_survival(const double *params, size_t n, double x)
{
    (void)n;
    return x > 0 ? 0.5 * erfc((log(x) - params[0]) / params[1] * M_SQRT1_2) : 1;
}

static double lognormal_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return exp(params[0] + params[1] * gsl_cdf_ugaussian_Pinv(p));
}

static double lognormal_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return exp(params[0] + gsl_ran_gaussian_ziggurat(rng, params[1]));
}

static double lognormal_mean(const double *params, size_t n)
{
    (void)n;
    return exp(params[0] + 0.5 * params[1] * params[1]);
}

static double lognormal_variance(const double *params, size_t n)
{
    double m = lognormal_mean(params, n);
    return m * m * expm1(params[1] * params[1]);
}

/* Mean and deviation of log x in one pass: deviations are taken from the middle of their range,
 * which keeps the difference of squares exact enough whatever the units. */
static void log_moments(const struct loom_sample *s, double *mu, double *sigma)
{
    double middle = 0.5 * (log(s->min) + log(s->max)), sum[2] = {0}, squares[2] = {0};
    for (size_t i = 0; i < s->n; i++) {
        double d = log(s->x[i]) - middle, w = loom_sample_weight(s, i);
        sum[i % 2] += w * d;
        squares[i % 2] += w * (d * d);
    }
    double offset = (sum[0] + sum[1]) / s->weight;
    *mu = middle + offset;
    *sigma = sqrt(fmax(0, (squares[0] + squares[1]) / s->weight - offset * offset));
}

static int lognormal_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                         struct loom_error *err)
{
    (void)components, (void)err;
    double params[2];
    log_moments(s, &params[0], &params[1]);
    loom_fit_set(out, s, 2, params);
    out->free_params = 2;
    out->log_likelihood = -s->weight * (params[0] + log(params[1]) + 0.5 * log(2 * M_PI) + 0.5);
    out->converged = true;
    return 0;
}

const struct loom_dist_ops loom_lognormal = {
    .name = "lognormal",
    .summary = "products of many independent factors; runtimes within a class of jobs",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = lognormal_check,
    .log_density = lognormal_log_density,
    .cdf = lognormal_cdf,
    .survival = lognormal_survival,
    .quantile = lognormal_quantile,
    .sample = lognormal_sample,
    .mean = lognormal_mean,
    .variance = lognormal_variance,
    .support = LOOM_POSITIVE,
    .fit = lognormal_fit,
};
