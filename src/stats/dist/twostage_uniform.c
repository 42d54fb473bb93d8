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
 *
 * For logarithms of sizes, which sit on few values, the likelihood says little, and Lublin and
 * Feitelson judge by the Kolmogorov-Smirnov distance; loom_twostage_uniform_match() minimises it.
 */
#include "stats/dist/dist.h"

#include <float.h>
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

/* ---- least distance -------------------------------------------------------------------------- */

/* A step of the empirical distribution: its place, and the shares below it and up to it. */
struct step {
    double x, before, after;
};

struct steps {
    const struct step *steps;
    size_t n;
    double params[4];
};

static double twostage_uniform_distance(double probability, void *context)
{
    struct steps *s = context;
    double most = 0;
    s->params[PROBABILITY] = probability;
    for (size_t i = 0; i < s->n; i++) {
        double at = twostage_uniform_cdf(s->params, 4, s->steps[i].x);
        most = fmax(most, fmax(at - s->steps[i].before, s->steps[i].after - at));
    }
    return most;
}

/* For one medium the distance is convex in the probability: a golden-section search. */
static double best_probability(struct steps *s, double medium, double *probability)
{
    const double golden = 0.5 * (sqrt(5) - 1);
    double low = 0, high = 1;
    s->params[MEDIUM] = medium;
    for (int i = 0; i < 40; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (twostage_uniform_distance(a, s) <= twostage_uniform_distance(b, s))
            high = b;
        else
            low = a;
    }
    *probability = 0.5 * (low + high);
    return twostage_uniform_distance(*probability, s);
}

/* Mediums on a grid, then on ever finer grids around the best. */
static struct best least_distance(struct steps *s)
{
    enum { GRID = 24 };
    double low = s->params[LOW], high = s->params[HIGH], edge = least_stage * (high - low);
    struct best best = {INFINITY, 0, 0};
    double first = low + edge, last = high - edge;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i <= GRID; i++) {
            double medium = first + (last - first) * i / GRID, probability;
            double value = best_probability(s, medium, &probability);
            if (value < best.value)
                best = (struct best){value, medium, probability};
        }
        double width = (last - first) / GRID;
        first = fmax(low + edge, best.medium - width);
        last = fmin(high - edge, best.medium + width);
    }
    return best;
}

/* At most MOST_STEPS steps: where there are more values, each stands for its neighbours too. */
enum { MOST_STEPS = 512 };

static size_t make_steps(struct step *steps, const struct loom_points *points, double weight)
{
    double share = weight / MOST_STEPS, seen = 0, taken = 0;
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        double before = seen;
        seen += points->w[i];
        if (points->n > MOST_STEPS && seen - taken < share && i + 1 < points->n)
            continue;
        steps[n++] = (struct step){points->x[i], before / weight, seen / weight};
        taken = seen;
    }
    return n;
}

static int match_points(struct loom_dist *out, double *ks, const struct loom_points *points,
                        double weight, double low, double high, struct loom_error *err)
{
    struct step *steps = malloc((MOST_STEPS + 2) * sizeof *steps);
    if (!steps)
        return loom_fail_memory(err);
    struct steps s = {steps, make_steps(steps, points, weight), {low, 0, high, 0}};
    struct best best = least_distance(&s);
    free(steps);
    *ks = best.value;
    double params[] = {low, best.medium, high, best.probability};
    return loom_dist_init(out, loom_twostage_uniform.name, params, 4, err);
}

int loom_twostage_uniform_match(struct loom_dist *out, double *ks, const double *x,
                                const double *weights, size_t n, double low, double high,
                                struct loom_error *err)
{
    if (!(low < high && isfinite(low) && isfinite(high)))
        return loom_fail(err, LOOM_ERANGE, "the range from %g to %g is empty", low, high);
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "there are no values to match");
    struct loom_sample s;
    struct loom_points points = {.n = 0};
    int rc = loom_sample_open(&s, x, weights, n, LOOM_LINE, err);
    if (rc)
        return rc;
    rc = loom_points_create(&points, &s, err);
    if (!rc)
        rc = match_points(out, ks, &points, s.weight, low, high, err);
    loom_points_free(&points);
    loom_sample_close(&s);
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
