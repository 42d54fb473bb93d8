/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log-uniform distribution: log x is uniform between log low and log high. Maximum likelihood
 * takes the least and the greatest value. Zeros are left out.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_rng.h>
#include <math.h>

static const char *const names[] = {"low", "high"};

static int loguniform_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_positive("loguniform", "low", params[0], err);
    if (!rc)
        rc = loom_check_positive("loguniform", "high", params[1], err);
    if (!rc && params[0] >= params[1])
        rc = loom_fail(err, LOOM_ERANGE, "loguniform: high must be above low, not %g and %g",
                       params[1], params[0]);
    return rc;
}

static double range(const double *params)
{
    return log(params[1] / params[0]);
}

static double loguniform_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (x < params[0] || x > params[1])
        return -INFINITY;
    return -log(x) - log(range(params));
}

static double loguniform_cdf(const double *params, size_t n, double x)
{
    (void)n;
    if (x <= params[0])
        return 0;
    return x >= params[1] ? 1 : log1p((x - params[0]) / params[0]) / range(params);
}

static double loguniform_survival(const double *params, size_t n, double x)
{
    (void)n;
    if (x <= params[0])
        return 1;
    return x >= params[1] ? 0 : log(params[1] / x) / range(params);
}

static double loguniform_at(const double *params, double p)
{
    double x = params[0] * exp(p * range(params));
    return fmin(fmax(x, params[0]), params[1]);
}

static double loguniform_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return loguniform_at(params, p);
}

static double loguniform_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return loguniform_at(params, gsl_rng_uniform(rng));
}

static double loguniform_mean(const double *params, size_t n)
{
    (void)n;
    return (params[1] - params[0]) / range(params);
}

static double loguniform_variance(const double *params, size_t n)
{
    double m = loguniform_mean(params, n);
    return m * (0.5 * (params[0] + params[1]) - m);
}

static int loguniform_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                          struct loom_error *err)
{
    (void)components, (void)err;
    double params[] = {s->min, s->max};
    loom_fit_set(out, s, 2, params);
    out->free_params = 2;
    out->log_likelihood = -loom_sample_sum_log(s) - s->weight * log(range(params));
    out->converged = true;
    return 0;
}

const struct loom_dist_ops loom_loguniform = {
    .name = "loguniform",
    .summary = "the logarithm is uniform between two ends",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = loguniform_check,
    .log_density = loguniform_log_density,
    .cdf = loguniform_cdf,
    .survival = loguniform_survival,
    .quantile = loguniform_quantile,
    .sample = loguniform_sample,
    .mean = loguniform_mean,
    .variance = loguniform_variance,
    .support = LOOM_POSITIVE,
    .fit = loguniform_fit,
};
