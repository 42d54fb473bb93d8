/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Weibull distribution with shape k and scale b: survival exp(-(x/b)^k).
 *
 * Maximum likelihood: k is the root of
 *     g(k) = sum(x^k log x) / sum(x^k) - 1/k - mean(log x),
 * which grows with k, and b^k = mean(x^k). Newton's method, held inside a bracket, starts from the
 * deviation of log x (which is pi / sqrt(6) / k) and takes about five passes. Powers are taken of
 * x / max, so that nothing overflows. Zeros are left out.
 */
#include "stats/dist/dist.h"
#include "stats/log_gamma.h"

#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"shape", "scale"};

static int weibull_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_positive("weibull", "shape", params[0], err);
    return rc ? rc : loom_check_positive("weibull", "scale", params[1], err);
}

static double weibull_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (!(x > 0))
        return -INFINITY;
    double z = params[0] * (log(x) - log(params[1]));
    return log(params[0]) + z - exp(z) - log(x);
}

static double weibull_cdf(const double *params, size_t n, double x)
{
    (void)n;
    return x > 0 ? -expm1(-pow(x / params[1], params[0])) : 0;
}

static double weibull_survival(const double *params, size_t n, double x)
{
    (void)n;
    return x > 0 ? exp(-pow(x / params[1], params[0])) : 1;
}

static double weibull_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return params[1] * pow(-log1p(-p), 1 / params[0]);
}

static double weibull_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    double x = params[1] * pow(-log(gsl_rng_uniform_pos(rng)), 1 / params[0]);
    return fmax(x, DBL_MIN);
}

static double weibull_mean(const double *params, size_t n)
{
    (void)n;
    return params[1] * exp(loom_log_gamma(1 + 1 / params[0]));
}

/* Gamma(1 + 2/k) - Gamma(1 + 1/k)^2, by the ratio of the two, which has digits for large k too. */
static double weibull_variance(const double *params, size_t n)
{
    double m = weibull_mean(params, n), k = params[0];
    return m * m * expm1(loom_log_gamma(1 + 2 / k) - 2 * loom_log_gamma(1 + 1 / k));
}

struct logs {
    double *z; /* log(x / max) */
    const double *weights;
    size_t n;
    double weight, mean, sd;
};

/* g(k), its derivative, and the mean of (x / max)^k. */
struct equation {
    double g, slope, power_mean;
};

static struct equation evaluate(const struct logs *logs, double k)
{
    double s0 = 0, s1 = 0, s2 = 0;
    for (size_t i = 0; i < logs->n; i++) {
        double z = logs->z[i], power = exp(k * z);
        power *= logs->weights ? logs->weights[i] : 1;
        s0 += power;
        s1 += power * z;
        s2 += power * (z * z);
    }
    double m = s1 / s0;
    return (struct equation){m - 1 / k - logs->mean, s2 / s0 - m * m + 1 / (k * k),
                             s0 / logs->weight};
}

static void take_logs(struct logs *logs, const struct loom_sample *s)
{
    double sum = 0, squares = 0, log_max = log(s->max);
    for (size_t i = 0; i < s->n; i++) {
        double z = log(s->x[i]) - log_max, w = loom_sample_weight(s, i);
        logs->z[i] = z;
        sum += w * z;
        squares += w * (z * z);
    }
    logs->mean = sum / s->weight;
    logs->sd = sqrt(fmax(0, squares / s->weight - logs->mean * logs->mean));
}

/* Returns the shape; *at is the equation where it was last evaluated, next to the root. */
static double solve(const struct logs *logs, struct equation *at, int *steps)
{
    double low = 0, high = INFINITY, k = M_PI / sqrt(6) / logs->sd;
    for (*steps = 1; *steps < 100; ++*steps) {
        *at = evaluate(logs, k);
        if (at->g > 0)
            high = k;
        else
            low = k;
        double next = k - at->g / at->slope;
        if (!(next > low && next < high))
            next = isinf(high) ? 2 * k : 0.5 * (low + high);
        double moved = fabs(next - k);
        if (moved <= 1e-9 * k) {
            /* The power mean follows by its own derivative, which saves a pass. */
            at->power_mean *= exp((next - k) * (at->g + 1 / k + logs->mean));
            return next;
        }
        k = next;
    }
    return k;
}

static int fit_logs(struct loom_fit *out, const struct loom_sample *s, struct logs *logs,
                    struct loom_error *err)
{
    take_logs(logs, s);
    if (!(logs->sd > 0))
        return loom_fail(err, LOOM_EDATA, "the values differ too little to fit a Weibull to them");
    struct equation at;
    double k = solve(logs, &at, &out->iterations);
    double log_scale = log(s->max) + log(at.power_mean) / k;
    double params[] = {k, exp(log_scale)};
    loom_fit_set(out, s, 2, params);
    double mean_log = logs->mean + log(s->max);
    out->log_likelihood = s->weight * (log(k) + (k - 1) * mean_log - k * log_scale - 1);
    out->free_params = 2;
    out->converged = out->iterations < 100;
    return 0;
}

static int weibull_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                       struct loom_error *err)
{
    (void)components;
    struct logs logs = {NULL, s->weights, s->n, s->weight, 0, 0};
    logs.z = malloc(s->n * sizeof *logs.z);
    if (!logs.z)
        return loom_fail_memory(err);
    int rc = fit_logs(out, s, &logs, err);
    free(logs.z);
    return rc;
}

const struct loom_dist_ops loom_weibull = {
    .name = "weibull",
    .summary = "stretched exponential; interarrival times of bags of tasks",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = weibull_check,
    .log_density = weibull_log_density,
    .cdf = weibull_cdf,
    .survival = weibull_survival,
    .quantile = weibull_quantile,
    .sample = weibull_sample,
    .mean = weibull_mean,
    .variance = weibull_variance,
    .support = LOOM_POSITIVE,
    .fit = weibull_fit,
};
