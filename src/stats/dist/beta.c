/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symmetric beta distribution on (0, 1) with one shape a: density (x (1-x))^(a-1) / B(a, a).
 *
 * Maximum likelihood: psi(2a) - psi(a) = -mean(log(x (1-x))) / 2. With h(a) = log a - psi(a) this
 * is h(a) - h(2a) = e, where e = -mean(log(1 - (2x-1)^2)) / 2 is free of cancellation however
 * narrow the sample; the left side lies between 1/(4a) and 1/(2a). Values of exactly 0 or 1 are
 * left out.
 */
#include "stats/dist/dist.h"
#include "stats/log_gamma.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

static const char *const names[] = {"shape"};

static int beta_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    return loom_check_positive("beta", "shape", params[0], err);
}

/* log B(a, a). For large a by Stirling, where the difference of the logarithms loses its digits. */
static double log_beta(double a)
{
    if (a < 1e4)
        return 2 * loom_log_gamma(a) - loom_log_gamma(2 * a);
    return 0.5 * log(4 * M_PI / a) - 2 * a * M_LN2 + 1 / (8 * a);
}

static double beta_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (!(x > 0 && x < 1))
        return -INFINITY;
    return (params[0] - 1) * (log(x) + log1p(-x)) - log_beta(params[0]);
}

static double beta_cdf(const double *params, size_t n, double x)
{
    (void)n;
    if (x <= 0)
        return 0;
    return x >= 1 ? 1 : gsl_cdf_beta_P(x, params[0], params[0]);
}

static double beta_survival(const double *params, size_t n, double x)
{
    (void)n;
    if (x <= 0)
        return 1;
    return x >= 1 ? 0 : gsl_cdf_beta_Q(x, params[0], params[0]);
}

/* In the lower half: cdf(x) <= x^a / (a B) max(1, 2^(1-a)) bounds x from below. */
static double beta_quantile(const double *params, size_t n, double p)
{
    double a = params[0];
    if (p > 0.5)
        return 1 - beta_quantile(params, n, 1 - p);
    double bound = log(p) + log(a) + log_beta(a) - fmax(0, 1 - a) * M_LN2;
    double low = fmin(fmax(exp(bound / a) * (1 - 1e-12), DBL_MIN), 0.5);
    return loom_quantile_search(&loom_beta, params, n, p, low, 0.5);
}

static double beta_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    double x = gsl_ran_beta(rng, params[0], params[0]);
    return fmin(fmax(x, DBL_MIN), 1 - DBL_EPSILON / 2);
}

static double beta_mean(const double *params, size_t n)
{
    (void)params;
    (void)n;
    return 0.5;
}

static double beta_variance(const double *params, size_t n)
{
    (void)n;
    return 1 / (4 * (2 * params[0] + 1));
}

static double beta_excess(double a, void *context)
{
    const double *e = context;
    return loom_log_minus_psi(a) - loom_log_minus_psi(2 * a) - *e;
}

static int beta_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                    struct loom_error *err)
{
    (void)components;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double d = 2 * s->x[i] - 1;
        double product = s->x[i] * (1 - s->x[i]);
        sum -= loom_sample_weight(s, i) * (d * d < 0.5 ? log1p(-d * d) : log(4 * product));
    }
    double e = 0.5 * sum / s->weight;
    if (!(e > 0))
        return loom_fail(err, LOOM_EDATA, "all values are 1/2: no finite shape fits");
    double a;
    int steps = loom_root(&a, beta_excess, &e, 0.2 / e, 0.6 / e, 4 * DBL_EPSILON);
    loom_fit_set(out, s, 1, &a);
    out->log_likelihood = s->weight * ((a - 1) * (-2 * e - 2 * M_LN2) - log_beta(a));
    out->iterations = steps < 0 ? -steps : steps;
    out->converged = steps >= 0;
    out->free_params = 1;
    return 0;
}

const struct loom_dist_ops loom_beta = {
    .name = "beta",
    .summary = "symmetric beta on (0, 1)",
    .min_params = 1,
    .max_params = 1,
    .param_names = names,
    .check = beta_check,
    .log_density = beta_log_density,
    .cdf = beta_cdf,
    .survival = beta_survival,
    .quantile = beta_quantile,
    .sample = beta_sample,
    .mean = beta_mean,
    .variance = beta_variance,
    .fits_one_value = true,
    .support = LOOM_UNIT,
    .fit = beta_fit,
};
