/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gamma distribution with shape k and scale b: density x^(k-1) exp(-x/b) / (Gamma(k) b^k).
 *
 * Maximum likelihood: b is mean / k, and k solves log k - psi(k) = s with s = log(mean) - mean(log
 * x), a single equation in two sums over the sample, so a fit is two passes over the values
 * whatever they are. s > 0 unless all values are equal. Where it is so small that the difference of
 * the logarithms has no digits left, it is summed up again term by term. Zeros are left out.
 */
#include "stats/dist/dist.h"
#include "stats/log_gamma.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

static const char *const names[] = {"shape", "scale"};

static int gamma_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_positive("gamma", "shape", params[0], err);
    return rc ? rc : loom_check_positive("gamma", "scale", params[1], err);
}

/* d - log(1 + d), by its series where the difference would lose its digits. */
static double log_excess(double d)
{
    if (fabs(d) > 0.01)
        return d - log1p(d);
    return d * d *
           (1.0 / 2 -
            d * (1.0 / 3 - d * (1.0 / 4 - d * (1.0 / 5 - d * (1.0 / 6 - d * (1.0 / 7 - d / 8))))));
}

/* Stirling's error: lgamma(k) - (k - 1/2) log k + k - log(2 pi) / 2, for k >= 16. */
static double stirling_error(double k)
{
    double q = 1 / (k * k);
    return (1.0 / 12 - q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q / 1188)))) / k;
}

/* With y = x / b, log density = k log y - y - lgamma(k) - log x. For large k its terms nearly
 * cancel, so they are combined first: k log y - y - lgamma(k) is -k (d - log(1 + d)) less
 * Stirling's part, with d = y / k - 1. */
static double gamma_log_density(const double *params, size_t n, double x)
{
    (void)n;
    double k = params[0], y = x / params[1];
    if (!(x > 0) || isinf(x))
        return -INFINITY;
    if (k < 16)
        return k * (log(x) - log(params[1])) - y - loom_log_gamma(k) - log(x);
    double d = (y - k) / k;
    return -k * log_excess(d) + 0.5 * log(k / (2 * M_PI)) - stirling_error(k) - log(x);
}

/* Temme's uniform expansion for shapes from 1e5 on, where GSL's tails have five digits: the upper
 * tail is erfc(eta sqrt(k/2)) / 2 + exp(-k eta^2 / 2) / sqrt(2 pi k) (c0 + c1 / k + ...), with
 * eta^2 / 2 = d - log(1 + d) and d = y / k - 1 (DLMF 8.12). The lower tail has the opposite signs.
 * Where eta is too large for the series, the tail is 0 or 1. */
static double large_shape_tail(double k, double y, bool upper)
{
    double d = (y - k) / k, half = log_excess(d), eta = copysign(sqrt(2 * half), d);
    if (fabs(eta) > 0.2)
        return (eta > 0) == upper ? 0 : 1;
    double c0 = -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta * (1.0 / 864 + eta / 2835)));
    double c1 = -1.0 / 540 + eta * (-1.0 / 288 + eta / 378);
    double rest = exp(-k * half) / sqrt(2 * M_PI * k) * (c0 + c1 / k), at = eta * sqrt(k / 2);
    return upper ? 0.5 * erfc(at) + rest : 0.5 * erfc(-at) - rest;
}

enum { LARGE_SHAPE = 100000 };

static double gamma_cdf(const double *params, size_t n, double x)
{
    (void)n;
    if (!(x > 0) || isinf(x))
        return x > 0 ? 1 : 0;
    if (params[0] >= LARGE_SHAPE)
        return large_shape_tail(params[0], x / params[1], false);
    return gsl_cdf_gamma_P(x, params[0], params[1]);
}

static double gamma_survival(const double *params, size_t n, double x)
{
    (void)n;
    if (!(x > 0) || isinf(x))
        return x > 0 ? 0 : 1;
    if (params[0] >= LARGE_SHAPE)
        return large_shape_tail(params[0], x / params[1], true);
    return gsl_cdf_gamma_Q(x, params[0], params[1]);
}

/* Bounds: cdf(x) <= (x/b)^k / Gamma(k+1) from below; from above doubling from the mean. */
static double gamma_quantile(const double *params, size_t n, double p)
{
    double k = params[0], b = params[1];
    double low = exp((log(p) + loom_log_gamma(k + 1)) / k) * b;
    if (k > 1) {
        double deviations = sqrt(2 * -log(fmin(p, 0.5))) + 1;
        low = fmax(low, b * (k - deviations * sqrt(k)));
    }
    if (low < DBL_MIN)
        low = DBL_MIN;
    if (gamma_cdf(params, n, low) >= p)
        return low;
    double step = b * sqrt(k), high = fmax(low, k * b) + step;
    while (gamma_survival(params, n, high) > 1 - p)
        high += step *= 2;
    return loom_quantile_search(&loom_gamma, params, n, p, low, high);
}

static double gamma_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return fmax(gsl_ran_gamma(rng, params[0], params[1]), DBL_MIN);
}

static double gamma_mean(const double *params, size_t n)
{
    (void)n;
    return params[0] * params[1];
}

static double gamma_variance(const double *params, size_t n)
{
    (void)n;
    return params[0] * params[1] * params[1];
}

double loom_log_minus_psi(double k)
{
    if (k < 16)
        return log(k) - gsl_sf_psi(k);
    double q = 1 / (k * k);
    double tail = 1.0 / 12 - q * (1.0 / 120 - q * (1.0 / 252 - q * (1.0 / 240 - q / 132)));
    return 0.5 / k + q * tail;
}

/* The derivative of the above: 1/k - psi'(k), always negative. */
static double slope(double k)
{
    if (k < 16)
        return 1 / k - gsl_sf_psi_1(k);
    double q = 1 / (k * k);
    double tail = 1.0 / 6 - q * (1.0 / 30 - q * (1.0 / 42 - q * (1.0 / 30 - q * 5 / 66)));
    return -q * (0.5 + tail / k);
}

/* Newton's method on 1/k (Minka 2002), in which the equation is nearly straight: from this start
 * it gains its last digit in about four steps for any s. */
double loom_gamma_shape(double s, int *steps)
{
    double k = (3 - s + sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
    *steps = 0;
    while (++*steps < 50) {
        double change = (loom_log_minus_psi(k) - s) / (k * slope(k));
        double next = k / (1 + change);
        if (!(next > 0) || !isfinite(next))
            next = k / 2;
        double moved = fabs(next - k);
        k = next;
        if (moved <= 1e-9 * k) /* quadratic: the next step would not show */
            break;
    }
    return k;
}

double loom_gamma_s(const struct loom_sample *sample)
{
    double m = loom_sample_mean(sample);
    double s = log(m) - loom_sample_sum_log(sample) / sample->weight;
    if (s > 1e-4)
        return s;
    double sum = 0;
    for (size_t i = 0; i < sample->n; i++) {
        double d = (sample->x[i] - m) / m;
        sum += loom_sample_weight(sample, i) * log_excess(d);
    }
    return sum / sample->weight;
}

static int gamma_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                     struct loom_error *err)
{
    (void)components;
    double m = loom_sample_mean(s), diff = loom_gamma_s(s);
    if (!(diff > 0))
        return loom_fail(err, LOOM_EDATA, "the values differ too little to fit a gamma to them");
    double k = loom_gamma_shape(diff, &out->iterations);
    double params[] = {k, m / k};
    loom_fit_set(out, s, 2, params);
    /* At the estimate, mean(log x) = log m - s: the mean log density is that at x = m, less s. */
    out->log_likelihood = s->weight * (gamma_log_density(params, 2, m) - (k - 1) * diff);
    out->free_params = 2;
    out->converged = out->iterations < 50;
    return 0;
}

const struct loom_dist_ops loom_gamma = {
    .name = "gamma",
    .summary = "sums of exponential times; any coefficient of variation",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = gamma_check,
    .log_density = gamma_log_density,
    .cdf = gamma_cdf,
    .survival = gamma_survival,
    .quantile = gamma_quantile,
    .sample = gamma_sample,
    .mean = gamma_mean,
    .variance = gamma_variance,
    .support = LOOM_POSITIVE,
    .fit = gamma_fit,
};
