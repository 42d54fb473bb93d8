/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exponential distribution by its mean m: density exp(-x / m) / m for x >= 0. The maximum
 * likelihood estimate of m is the sample's mean; zeros belong to the support and count.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_randist.h>
#include <math.h>

static const char *const names[] = {"mean"};

static int exponential_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    return loom_check_positive("exponential", "mean", params[0], err);
}

static double exponential_log_density(const double *params, size_t n, double x)
{
    (void)n;
    return x < 0 ? -INFINITY : -x / params[0] - log(params[0]);
}

static double exponential_cdf(const double *params, size_t n, double x)
{
    (void)n;
    return x <= 0 ? 0 : -expm1(-x / params[0]);
}

static double exponential_survival(const double *params, size_t n, double x)
{
    (void)n;
    return x <= 0 ? 1 : exp(-x / params[0]);
}

static double exponential_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return -params[0] * log1p(-p);
}

static double exponential_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return gsl_ran_exponential(rng, params[0]);
}

static double exponential_mean(const double *params, size_t n)
{
    (void)n;
    return params[0];
}

static double exponential_variance(const double *params, size_t n)
{
    (void)n;
    return params[0] * params[0];
}

static int exponential_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                           struct loom_error *err)
{
    (void)components;
    double m = loom_sample_mean(s);
    if (s->max == 0)
        return loom_fail(err, LOOM_EDATA, "all %zu values are zero: the mean must be positive",
                         s->n);
    loom_fit_set(out, s, 1, &m);
    out->free_params = 1;
    out->log_likelihood = -s->weight * (log(m) + 1);
    out->converged = true;
    return 0;
}

const struct loom_dist_ops loom_exponential = {
    .name = "exponential",
    .summary = "times between independent events at a constant rate",
    .min_params = 1,
    .max_params = 1,
    .param_names = names,
    .check = exponential_check,
    .log_density = exponential_log_density,
    .cdf = exponential_cdf,
    .survival = exponential_survival,
    .quantile = exponential_quantile,
    .sample = exponential_sample,
    .mean = exponential_mean,
    .variance = exponential_variance,
    .fits_one_value = true,
    .support = LOOM_FROM_ZERO,
    .fit = exponential_fit,
};
