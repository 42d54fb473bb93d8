/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generalised Pareto distribution with location 0, shape k and scale b: survival (1 + k x /
 * b)^(-1/k) for x >= 0, exponential for k = 0, bounded by -b/k for k < 0. A positive shape is a
 * heavy tail, as in MATLAB's gpfit and Minh 2012, table 3.9.
 *
 * Maximum likelihood over one variable (Grimshaw 1993): with t = k / b, the best shape is k(t) =
 * mean(log(1 + t x)), the best scale k(t) / t, and the mean log-likelihood
 *     L(t) = -log(k(t) / t) - k(t) - 1,
 * which is smooth through t = 0, where it is the exponential's. t runs from above -1/max. L may
 * have several maxima, so a grid over quantiles of the sample finds the best region and Newton's
 * method, held inside it, finds the maximum on all values.
 *
 * Equal values are no data for two parameters: they fail, as with the other distributions. The
 * likelihood is unbounded in two places that describe no data. Shapes below -1 are not
 * considered; at -1 the best scale is the maximum, a uniform distribution. And where a sample has
 * zeros, L grows again without end as t does; so with zeros 1/t is kept at or above the smallest
 * positive value, the resolution of the data.
 */
#include "stats/dist/dist.h"

#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"shape", "scale"};

static int gp_check(const double *params, size_t n, struct loom_error *err)
{
    (void)n;
    int rc = loom_check_finite("gp", "shape", params[0], err);
    return rc ? rc : loom_check_positive("gp", "scale", params[1], err);
}

/* -log survival: log(1 + k z) / k with z = x / b, which is z for k = 0. INFINITY past the end. */
static double hazard(const double *params, double x)
{
    double k = params[0], z = x / params[1];
    if (k == 0)
        return z;
    return k * z <= -1 ? INFINITY : log1p(k * z) / k;
}

static double gp_log_density(const double *params, size_t n, double x)
{
    (void)n;
    double k = params[0];
    if (x < 0 || (k < 0 && k * (x / params[1]) < -1))
        return -INFINITY;
    if (k == -1)
        return -log(params[1]);
    return -(1 + k) * hazard(params, x) - log(params[1]);
}

static double gp_cdf(const double *params, size_t n, double x)
{
    (void)n;
    return x <= 0 ? 0 : -expm1(-hazard(params, x));
}

static double gp_survival(const double *params, size_t n, double x)
{
    (void)n;
    return x <= 0 ? 1 : exp(-hazard(params, x));
}

static double at_hazard(const double *params, double h)
{
    double k = params[0];
    return k == 0 ? params[1] * h : params[1] * (expm1(k * h) / k);
}

static double gp_quantile(const double *params, size_t n, double p)
{
    (void)n;
    return at_hazard(params, -log1p(-p));
}

static double gp_sample(const double *params, size_t n, gsl_rng *rng)
{
    (void)n;
    return fmin(at_hazard(params, -log(gsl_rng_uniform_pos(rng))), DBL_MAX);
}

static double gp_mean(const double *params, size_t n)
{
    (void)n;
    return params[0] < 1 ? params[1] / (1 - params[0]) : INFINITY;
}

static double gp_variance(const double *params, size_t n)
{
    double k = params[0], m = gp_mean(params, n);
    return k < 0.5 ? m * m / (1 - 2 * k) : INFINITY;
}

/* ---- fit ------------------------------------------------------------------------------------- */

struct profile {
    double shape, slope, bend; /* k(t) and its first two derivatives */
};

static struct profile profile_at(const struct loom_points *points, double weight, double t)
{
    double logs = 0, slopes = 0, bends = 0;
    for (size_t i = 0; i < points->n; i++) {
        double x = points->x[i], w = points->w[i], r = x / (1 + t * x);
        logs += w * log1p(t * x);
        slopes += w * r;
        bends -= w * (r * r);
    }
    return (struct profile){logs / weight, slopes / weight, bends / weight};
}

static double likelihood(struct profile p, double t)
{
    return -log(p.shape / t) - p.shape - 1;
}

/* L'(t) and L''(t). */
static double likelihood_slope(struct profile p, double t)
{
    return (p.shape - t * p.slope) / (t * p.shape) - p.slope;
}

static double likelihood_bend(struct profile p, double t)
{
    double r = p.slope / p.shape;
    return r * r - 1 / (t * t) - p.bend / p.shape - p.bend;
}

/* The sample reduced to at most GRID_POINTS points of equal weight: enough to find the region. */
enum { GRID_POINTS = 400, GRID_STEPS = 96 };

static void thin(struct loom_points *out, const struct loom_points *points, double weight)
{
    double share = weight / GRID_POINTS, seen = 0;
    out->n = 0;
    for (size_t i = 0; i < points->n; i++) {
        seen += points->w[i];
        size_t wanted = (size_t)fmin(ceil(seen / share - 0.5), GRID_POINTS);
        for (; out->n < wanted; out->n++) {
            out->x[out->n] = points->x[i];
            out->w[out->n] = 1;
        }
    }
    out->x[out->n - 1] = points->x[points->n - 1]; /* bounds t */
}

/* Grid of t for index -GRID_STEPS .. GRID_STEPS: negative ones close in on -1/max, positive ones
 * grow from a small share of 1/mean to t_max, both by equal factors. */
struct grid {
    double mean, max, t_max;
};

static double grid_t(const struct grid *g, int index)
{
    double part = (double)abs(index) / GRID_STEPS, least = 1e-6 / g->mean;
    if (index > 0)
        return least * pow(g->t_max / least, part);
    double edge = 1 / g->max; /* 1 + t max falls from nearly 1 to 1e-6 by equal factors */
    return -edge * -expm1(-14 * part - 1e-6);
}

/* The index with the greatest L among those with shape >= -1. */
static int best_index(const struct grid *g, const struct loom_points *points, double weight)
{
    int best = 1;
    double most = -INFINITY;
    for (int index = -GRID_STEPS; index <= GRID_STEPS; index++) {
        double t = grid_t(g, index);
        struct profile p = profile_at(points, weight, t);
        double value = likelihood(p, t);
        if (p.shape >= -1 && value > most) {
            most = value;
            best = index;
        }
    }
    return best;
}

struct bracket {
    double low, high;
};

static struct bracket around(const struct grid *g, int index, int reach)
{
    int low = index - reach, high = index + reach;
    return (struct bracket){grid_t(g, low > -GRID_STEPS ? low : -GRID_STEPS),
                            grid_t(g, high < GRID_STEPS ? high : GRID_STEPS)};
}

/* The maximum of L in the bracket, from t, by Newton's method on L'; a step that leaves the
 * bracket, or is taken where L bends upwards, is replaced by halving. */
static double climb(const struct loom_points *points, double weight, struct bracket in, double t,
                    struct profile *p, int *steps)
{
    for (*steps = 1; *steps < 100; ++*steps) {
        *p = profile_at(points, weight, t);
        double slope = likelihood_slope(*p, t), bend = likelihood_bend(*p, t);
        if (slope > 0)
            in.low = t;
        else
            in.high = t;
        double next = t - slope / bend;
        if (!(bend < 0 && next > in.low && next < in.high))
            next = 0.5 * (in.low + in.high);
        if (fabs(next - t) <= 1e-10 * fabs(t) || next == 0)
            break;
        t = next;
    }
    return t;
}

/* Fill params with the best (shape, scale) and return its mean log-likelihood. */
static double gp_search(struct loom_fit *out, double *params, const struct loom_points *points,
                        const struct loom_points *thinned, const struct loom_sample *s)
{
    double least = points->x[0] > 0 ? points->x[0] : points->x[1];
    bool zeros = points->x[0] == 0;
    struct grid g = {loom_sample_mean(s), s->max, zeros ? 1 / least : 1e6 / least};
    int best = best_index(&g, thinned, (double)thinned->n);
    struct profile p;
    double t = climb(thinned, (double)thinned->n, around(&g, best, 1), grid_t(&g, best), &p,
                     &out->iterations);
    /* The maximum over all values is near that over the quantiles, if not next to it. */
    for (int reach = 12; reach <= 2 * GRID_STEPS; reach *= 4) {
        struct bracket in = around(&g, best, reach);
        t = climb(points, s->weight, in, t, &p, &out->iterations);
        if (t - in.low > 1e-6 * fabs(t) && in.high - t > 1e-6 * fabs(t))
            break;
    }
    if (zeros && t > 0.999 / least)
        loom_fit_note(out, "many zeros: the scale is held at the data's resolution");
    params[0] = p.shape;
    params[1] = p.shape / t;
    out->converged = out->iterations < 100;
    return p.shape >= -1 ? likelihood(p, t) : -INFINITY;
}

/* points has two entries or more. */
static void fit_points(struct loom_fit *out, const struct loom_sample *s,
                       const struct loom_points *points)
{
    double x[GRID_POINTS + 1], w[GRID_POINTS + 1], params[2];
    struct loom_points thinned = {x, w, 0};
    thin(&thinned, points, s->weight);
    double most = gp_search(out, params, points, &thinned, s);
    if (-log(s->max) >= most) {
        params[0] = -1;
        params[1] = s->max;
        most = -log(s->max);
        out->converged = true;
        loom_fit_note(out, "the shape is at its limit of -1, a uniform distribution");
    }
    loom_fit_set(out, s, 2, params);
    out->log_likelihood = s->weight * most;
    out->free_params = 2;
}

static int gp_fit(struct loom_fit *out, const struct loom_sample *s, size_t components,
                  struct loom_error *err)
{
    (void)components;
    struct loom_points points = {.n = 0};
    int rc = loom_points_create(&points, s, err);
    if (!rc)
        fit_points(out, s, &points);
    loom_points_free(&points);
    return rc;
}

const struct loom_dist_ops loom_gp = {
    .name = "gp",
    .summary = "generalised Pareto: heavy (shape > 0), exponential or bounded tails",
    .min_params = 2,
    .max_params = 2,
    .param_names = names,
    .check = gp_check,
    .log_density = gp_log_density,
    .cdf = gp_cdf,
    .survival = gp_survival,
    .quantile = gp_quantile,
    .sample = gp_sample,
    .mean = gp_mean,
    .variance = gp_variance,
    .support = LOOM_FROM_ZERO,
    .fit = gp_fit,
};
