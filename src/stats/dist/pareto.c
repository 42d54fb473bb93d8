/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Pareto distribution: survival (xmin / x)^alpha from xmin on. Maximum likelihood takes the
 * least value for xmin and the mean of log(x / xmin) for 1 / alpha. Zeros are left out.
 */
#include "stats/dist/dist.h"

#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>

static const char *const names[] = {"alpha", "xmin"};

static int pareto_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_positive("pareto", "alpha", params[0], err);
    return rc ? rc : loom_check_positive("pareto", "xmin", params[1], err);
}

static double pareto_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (x < params[1])
        return -INFINITY;
    return log(params[0]) - params[0] * log(x / params[1]) - log(x);
}

static double pareto_cdf(const double *params, size_t n, double x)
{
    (void)n;
    return x <= params[1] ? 0 : -expm1(-params[0] * log(x / params[1]));
}

static double pareto_survival(const double *params, size_t n, double x)
{
    (void)n;
    return x <= params[1] ? 1 : pow(params[1] / x, params[0]);
}

static double pareto_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return params[1] * exp(-log1p(-p) / params[0]);
}

static double pareto_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return fmin(params[1] * pow(gsl_rng_uniform_pos(rng), -1 / params[0]), DBL_MAX);
}

static double pareto_mean(const double *params, size_t n)
{
    (void)n;
    return params[0] > 1 ? params[1] * (params[0] / (params[0] - 1)) : INFINITY;
}

static double pareto_variance(const double *params, size_t n)
{
    (void)n;
    double a = params[0], b = params[1];
    return a > 2 ? b * b * (a / ((a - 1) * (a - 1) * (a - 2))) : INFINITY;
}

/* Sum of log(x / xmin). The difference of two sums has no digits where all values are close. */
static double sum_log_ratio(const struct loom_sample *s)
{
    double logs = loom_sample_sum_log(s) - s->weight * log(s->min);
    if (logs > 1e-4 * s->weight)
        return logs;
    logs = 0;
    for (size_t i = 0; i < s->n; i++)
        logs += loom_sample_weight(s, i) * log1p((s->x[i] - s->min) / s->min);
    return logs;
}

static int pareto_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                      struct loom_error *err)
{
    (void)components, (void)err;
    double logs = sum_log_ratio(s);
    double params[] = {s->weight / logs, s->min};
    loom_fit_set(out, s, 2, params);
    out->free_params = 2;
    out->log_likelihood = s->weight * (log(params[0]) - 1 - log(s->min)) - logs;
    out->converged = true;
    return 0;
}

const struct loom_dist_ops loom_pareto = {
    .name = "pareto",
    .summary = "a power law from a least value on",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = pareto_check,
    .log_density = pareto_log_density,
    .cdf = pareto_cdf,
    .survival = pareto_survival,
    .quantile = pareto_quantile,
    .sample = pareto_sample,
    .mean = pareto_mean,
    .variance = pareto_variance,
    .support = LOOM_POSITIVE,
    .fit = pareto_fit,
};
