/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A distribution to copy: the uniform distribution between low and high. It is whole, and is no
 * part of the library; the unit tests compile it and ask of it what they ask of all others.
 *
 * To add a distribution:
 *   1. copy this file to dist_NAME.c, put NAME wherever "template" stands, and write its functions;
 *   2. name the file in src/meson.build, declare loom_NAME in dist.h, and add it to the list in
 *      dist.c;
 *   3. add parameters that are typical, and some at the limits, to the examples of
 *      tests/unit/test_dist.c and parameters that must be refused to test_dist_edges.c; and add a
 *      line on the fit to docs/methods/stats.md.
 *
 * Parameters are an array of n numbers in the order of `names`. All functions but check and fit may
 * rely on parameters that passed check; x may be anything that is no NaN, infinities too. A
 * distribution with a fixed number of parameters does not need n.
 *
 * This paragraph is for the fit. Maximum likelihood of the uniform distribution takes the least and
 * the greatest value: the density 1 / (high - low) is greatest where the range is smallest, and the
 * range must hold all values. Weights only decide which values count at all.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_rng.h>
#include <math.h>

/* ---- parameters ------------------------------------------------------------------------------ */

static const char *const names[] = {"low", "high"};

/* Refuse what is no distribution: everything that the functions below would choke on. Comparisons
 * are written such that a NaN fails them. */
static int template_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_finite("template", "low", params[0], err);
    if (!rc)
        rc = loom_check_finite("template", "high", params[1], err);
    if (!rc && !(params[1] > params[0]))
        rc = loom_fail(err, LOOM_ERANGE, "template: high must be above low, not %g and %g",
                       params[1], params[0]);
    return rc ? rc : loom_check_finite("template", "high - low", params[1] - params[0], err);
}

/* ---- functions ------------------------------------------------------------------------------- */

static double range(const double *params)
{
    return params[1] - params[0];
}

/* The logarithm, since likelihoods are sums of it; -INFINITY where there is no density. */
static double template_log_density(const double *params, size_t n, double x)
{
    (void)n;
    return x < params[0] || x > params[1] ? -INFINITY : -log(range(params));
}

/* The share of values up to x. */
static double template_cdf(const double *params, size_t n, double x)
{
    (void)n;
    if (x <= params[0])
        return 0;
    return x >= params[1] ? 1 : (x - params[0]) / range(params);
}

/* The share of values above x. Not 1 - cdf, which has no digits left in the upper tail. */
static double template_survival(const double *params, size_t n, double x)
{
    (void)n;
    if (x <= params[0])
        return 1;
    return x >= params[1] ? 0 : (params[1] - x) / range(params);
}

/* The inverse of cdf, for 0 < p < 1. Where there is no formula, loom_quantile_search finds it. */
static double template_quantile(const double *params, size_t n, double p)
{
    (void)n;
    double x = p < 0.5 ? params[0] + p * range(params) : params[1] - (1 - p) * range(params);
    return fmin(fmax(x, params[0]), params[1]);
}

/* One value. All chance comes from rng, so that the same seed gives the same values. */
static double template_sample(const double *params, size_t n, gsl_rng *rng)
{
    return template_quantile(params, n, gsl_rng_uniform_pos(rng));
}

/* INFINITY where there is none. */
static double template_mean(const double *params, size_t n)
{
    (void)n;
    return params[0] + 0.5 * range(params);
}

static double template_variance(const double *params, size_t n)
{
    (void)n;
    return range(params) * (range(params) / 12);
}

/* ---- fit ------------------------------------------------------------------------------------- */

/* The sample has values of the support below, not all equal, without values of weight 0, and what
 * fits need is added up already. A fit by iterations sets out->iterations and, if it does not
 * arrive, leaves out->converged false. `components` is for mixtures. The caller checks the
 * parameters and adds AIC and BIC; it adds up the log-likelihood too, unless the fit knows it. */
static int template_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                        struct loom_error *err)
{
    (void)components, (void)err;
    double params[] = {s->min, s->max};
    loom_fit_set(out, s, 2, params);
    out->free_params = 2;
    out->log_likelihood = -s->weight * log(range(params));
    out->converged = true;
    return 0;
}

const struct loom_dist_ops loom_template = {
    .name = "template",
    .summary = "every value between two ends is as likely as any other",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = template_check,
    .log_density = template_log_density,
    .cdf = template_cdf,
    .survival = template_survival,
    .quantile = template_quantile,
    .sample = template_sample,
    .mean = template_mean,
    .variance = template_variance,
    .support = LOOM_LINE,
    .fit = template_fit,
};
