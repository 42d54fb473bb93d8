/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The normal distribution. Maximum likelihood divides the squared deviations by n, not n - 1.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

static const char *const names[] = {"mu", "sigma"};

static int normal_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_finite("normal", "mu", params[0], err);
    return rc ? rc : loom_check_positive("normal", "sigma", params[1], err);
}

static double normal_log_density(const double *params, size_t n, double x)
{
    (void)n;
    double z = (x - params[0]) / params[1];
    return -0.5 * z * z - log(params[1]) - 0.5 * log(2 * M_PI);
}

static double normal_cdf(const double *params, size_t n, double x)
{
    (void)n;
    return 0.5 * erfc((params[0] - x) / params[1] * M_SQRT1_2);
}

static double normal_survival(const double *params, size_t n, double x)
{
    (void)n;
    return 0.5 * erfc((x - params[0]) / params[1] * M_SQRT1_2);
}

static double normal_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return params[0] + params[1] * gsl_cdf_ugaussian_Pinv(p);
}

static double normal_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return params[0] + gsl_ran_gaussian_ziggurat(rng, params[1]);
}

static double normal_mean(const double *params, size_t n)
{
    (void)n;
    return params[0];
}

static double normal_variance(const double *params, size_t n)
{
    (void)n;
    return params[1] * params[1];
}

static int normal_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                      struct loom_error *err)
{
    (void)components, (void)err;
    double m = loom_sample_mean(s);
    double params[] = {m, sqrt(loom_sample_squares(s, m) / s->weight)};
    loom_fit_set(out, s, 2, params);
    out->free_params = 2;
    out->log_likelihood = -s->weight * (log(params[1]) + 0.5 * log(2 * M_PI) + 0.5);
    out->converged = true;
    return 0;
}

const struct loom_dist_ops loom_normal = {
    .name = "normal",
    .summary = "the bell curve, often of the logarithm of something",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = normal_check,
    .log_density = normal_log_density,
    .cdf = normal_cdf,
    .survival = normal_survival,
    .quantile = normal_quantile,
    .sample = normal_sample,
    .mean = normal_mean,
    .variance = normal_variance,
    .support = LOOM_LINE,
    .fit = normal_fit,
};
