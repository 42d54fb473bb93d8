/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Erlang distribution: the sum of `order` exponential times of mean `scale`, a gamma with a
 * whole shape. The gamma's likelihood rises to its one maximum in the shape and falls after it, so
 * the best order is one of the two whole numbers around the gamma's shape. Zeros are left out.
 */
#include "stats/dist/dist.h"

#include <math.h>

static const char *const names[] = {"order", "scale"};

static int erlang_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    bool whole = params[0] >= 1 && params[0] == floor(params[0]) && isfinite(params[0]);
    if (!whole)
        return loom_fail(err, LOOM_ERANGE, "erlang: order must be 1, 2, ..., not %g", params[0]);
    return loom_check_positive("erlang", "scale", params[1], err);
}

/* At x = 0 only order 1 has a density, the exponential's. */
static double erlang_log_density(const double *params, size_t n, double x)
{
    if (params[0] == 1)
        return loom_exponential.log_density(params + 1, 1, x);
    return loom_gamma.log_density(params, n, x);
}

static double erlang_cdf(const double *params, size_t n, double x)
{
    return loom_gamma.cdf(params, n, x);
}

static double erlang_survival(const double *params, size_t n, double x)
{
    return loom_gamma.survival(params, n, x);
}

static double erlang_quantile(const double *params, size_t n, double p)
{
    return loom_gamma.quantile(params, n, p);
}

static double erlang_sample(const double *params, size_t n, gsl_rng *rng)
{
    return loom_gamma.sample(params, n, rng);
}

static double erlang_mean(const double *params, size_t n)
{
    return loom_gamma.mean(params, n);
}

static double erlang_variance(const double *params, size_t n)
{
    return loom_gamma.variance(params, n);
}

/* Mean log-likelihood of order k with its best scale, where s = log(mean) - mean(log x). */
static double likelihood(double k, double m, double s)
{
    double params[] = {k, m / k};
    return loom_gamma.log_density(params, 2, m) - (k - 1) * s;
}

static int erlang_fit(struct loom_fit *out, const struct loom_sample *sample, size_t components,
                      struct loom_error *err)
{
    (void)components;
    double m = loom_sample_mean(sample), s = loom_gamma_s(sample);
    if (!(s > 0))
        return loom_fail(err, LOOM_EDATA, "the values differ too little to fit an Erlang to them");
    double below = fmax(1, floor(loom_gamma_shape(s, &out->iterations)));
    double order = likelihood(below, m, s) >= likelihood(below + 1, m, s) ? below : below + 1;
    double params[] = {order, m / order};
    loom_fit_set(out, sample, 2, params);
    out->log_likelihood = sample->weight * likelihood(order, m, s);
    out->free_params = 2;
    out->converged = out->iterations < 50;
    return 0;
}

const struct loom_dist_ops loom_erlang = {
    .name = "erlang",
    .summary = "a fixed number of exponential stages one after the other",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = erlang_check,
    .log_density = erlang_log_density,
    .cdf = erlang_cdf,
    .survival = erlang_survival,
    .quantile = erlang_quantile,
    .sample = erlang_sample,
    .mean = erlang_mean,
    .variance = erlang_variance,
    .support = LOOM_POSITIVE,
    .fit = erlang_fit,
};
