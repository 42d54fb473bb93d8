/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two-stage uniform distribution (Lublin and Feitelson, section 3.1): with `probability`
 * uniform on [low, medium], else on (medium, high]. They use it for the logarithm of job sizes.
 *
 * The likelihood has no maximum without a further condition: a stage as narrow as the distance of
 * the two least values is ever more likely the narrower it is. So each stage is at least a
 * twentieth of the range wide. Within that, the maximum is exact: low and high are the ends of the
 * sample; between two successive values the likelihood is convex in medium, so that the best medium
 * is one of the values, just below one (which puts its ties into the upper stage), or a limit.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"low", "medium", "high", "probability"};
enum { LOW, MEDIUM, HIGH, PROBABILITY };

static const double least_stage = 0.05; /* of the range */

static int twostage_uniform_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    for (size_t i = 0; i < 4; i++) {
        int rc = loom_check_finite("twostage-uniform", names[i], params[i], err);
        if (rc)
            return rc;
    }
    if (!(params[LOW] < params[MEDIUM] && params[MEDIUM] < params[HIGH]))
        return loom_fail(err, LOOM_ERANGE,
                         "twostage-uniform: low, medium, high must rise, not %g, %g, %g",
                         params[LOW], params[MEDIUM], params[HIGH]);
    if (!(params[PROBABILITY] >= 0 && params[PROBABILITY] <= 1))
        return loom_fail(err, LOOM_ERANGE,
                         "twostage-uniform: probability must be between 0 and 1, not %g",
                         params[PROBABILITY]);
    return 0;
}

static double twostage_uniform_log_density(const double *params, size_t n, double x)
{
    (void)n;
    if (x < params[LOW] || x > params[HIGH])
        return -INFINITY;
    if (x <= params[MEDIUM])
        return log(params[PROBABILITY] / (params[MEDIUM] - params[LOW]));
    return log((1 - params[PROBABILITY]) / (params[HIGH] - params[MEDIUM]));
}

static double twostage_uniform_cdf(const double *params, size_t n, double x)
{
    (void)n;
    double p = params[PROBABILITY];
    if (x <= params[LOW])
        return 0;
    if (x >= params[HIGH])
        return 1;
    if (x <= params[MEDIUM])
        return p * ((x - params[LOW]) / (params[MEDIUM] - params[LOW]));
    return p + (1 - p) * ((x - params[MEDIUM]) / (params[HIGH] - params[MEDIUM]));
}

static double twostage_uniform_survival(const double *params, size_t n, double x)
{
    if (x <= params[MEDIUM])
        return 1 - twostage_uniform_cdf(params, n, x);
    double left = (params[HIGH] - x) / (params[HIGH] - params[MEDIUM]);
    return (1 - params[PROBABILITY]) * fmax(left, 0);
}

static double twostage_uniform_quantile(const double *params, size_t n, double p)
{
    (void)n;
    double first = params[PROBABILITY];
    if (p <= first)
        return params[LOW] + (params[MEDIUM] - params[LOW]) * (p / first);
    return params[HIGH] - (params[HIGH] - params[MEDIUM]) * ((1 - p) / (1 - first));
}

static double twostage_uniform_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    bool lower = gsl_rng_uniform(rng) < params[PROBABILITY];
    double u = gsl_rng_uniform(rng);
    if (lower)
        return params[LOW] + (params[MEDIUM] - params[LOW]) * u;
    return params[HIGH] - (params[HIGH] - params[MEDIUM]) * u;
}

static double twostage_uniform_mean(const double *params, size_t n)
{
    (void)n;
    double p = params[PROBABILITY];
    return 0.5 * (p * (params[LOW] + params[MEDIUM]) + (1 - p) * (params[MEDIUM] + params[HIGH]));
}

static double twostage_uniform_variance(const double *params, size_t n)
{
    (void)n;
    double p = params[PROBABILITY];
    double lower = params[MEDIUM] - params[LOW], upper = params[HIGH] - params[MEDIUM];
    double between = 0.5 * (lower + upper);
    return (p * lower * lower + (1 - p) * upper * upper) / 12 + p * (1 - p) * between * between;
}

/* ---- maximum likelihood ---------------------------------------------------------------------- */

static double part_likelihood(double weight, double share, double width)
{
    return weight > 0 ? weight * log(share / width) : 0;
}

struct best {
    double value, medium, probability;
};

/* Weigh a medium that has `below` of the weight in the lower stage. */
static void consider(struct best *best, const struct loom_sample *s, double medium, double below)
{
    double share = below / s->weight;
    double value = part_likelihood(below, share, medium - s->min) +
                   part_likelihood(s->weight - below, 1 - share, s->max - medium);
    if (value > best->value)
        *best = (struct best){value, medium, share};
}

static struct best best_medium(const struct loom_sample *s, const struct loom_points *points)
{
    double edge = least_stage * (s->max - s->min), first = s->min + edge, last = s->max - edge;
    struct best best = {-INFINITY, 0.5 * (first + last), 0.5};
    double below = 0, below_first = 0, below_last = 0;
    for (size_t i = 0; i < points->n; i++) {
        double x = points->x[i], w = points->w[i];
        if (x > first && x <= last) {
            consider(&best, s, nextafter(x, -INFINITY), below);
            consider(&best, s, x, below + w);
        }
        below += w;
        below_first = x <= first ? below : below_first;
        below_last = x <= last ? below : below_last;
    }
    consider(&best, s, first, below_first);
    consider(&best, s, last, below_last);
    return best;
}

static int twostage_uniform_fit(struct loom_fit *out, const struct loom_sample *s,
                                size_t components, struct loom_error *err)
{
    (void)components;
    struct loom_points points = {.n = 0};
    int rc = loom_points_create(&points, s, err);
    if (!rc) {
        struct best best = best_medium(s, &points);
        double params[] = {s->min, best.medium, s->max, best.probability};
        loom_fit_set(out, s, 4, params);
        out->log_likelihood = best.value;
        out->free_params = 4;
        out->converged = true;
    }
    loom_points_free(&points);
    return rc;
}

const struct loom_dist_ops loom_twostage_uniform = {
    .name = "twostage-uniform",
    .summary = "uniform with two densities; logarithms of job sizes",
    .min_params = 4,
    .max_params = 4,
    .param_names = names,
    .check = twostage_uniform_check,
    .log_density = twostage_uniform_log_density,
    .cdf = twostage_uniform_cdf,
    .survival = twostage_uniform_survival,
    .quantile = twostage_uniform_quantile,
    .sample = twostage_uniform_sample,
    .mean = twostage_uniform_mean,
    .variance = twostage_uniform_variance,
    .support = LOOM_LINE,
    .fit = twostage_uniform_fit,
};
