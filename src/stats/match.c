/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters by matching instead of likelihood: as many moments (Lublin 3.2.1) or percentiles
 * (Lazowska, survey 3.2) of the sample as a distribution has free parameters.
 *
 * Where the texts leave the percentiles open, k parameters match those at (i - 1/2)/k: the median,
 * the quartiles, 1/6 1/2 5/6. A shape is found by a root of what does not depend on scale: the
 * coefficient of variation, or the ratio of quartiles.
 */
#include "stats/dist/dist.h"
#include "stats/rounded.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* What is known of the sample. */
struct sample {
    double mean, variance, moments[3]; /* raw, from E[X] */
    const double *sorted;
    size_t n;
};

typedef int match_fn(struct loom_dist *out, const struct sample *s, struct loom_error *err);

static int match_refuse(const struct loom_dist *dist, const char *what, struct loom_error *err)
{
    return loom_fail(err, LOOM_EDATA, "no %s has the %s of these values", dist->ops->name, what);
}

static double percentile(const struct sample *s, double p)
{
    return loom_quantile(s->sorted, s->n, p);
}

/* ---- shape and scale ------------------------------------------------------------------------- */

/* Distributions of a shape and a scale, and the shapes to search; in logarithms where positive. */
static const struct shapes {
    const char *name;
    double low, high;
    double high_moments; /* beyond it the variance is infinite */
} shapes[] = {
    {"gamma", 0.01, 1e5, 1e5},
    {"weibull", 0.02, 200, 200},
    {"gp", -0.99, 30, 0.4999},
};

struct wanted {
    struct loom_dist *dist;
    bool moments;
    double value; /* log of the squared coefficient of variation, or of the ratio of quartiles */
};

static double miss(double shape, void *context)
{
    const struct wanted *wanted = context;
    wanted->dist->params[0] = shape;
    wanted->dist->params[1] = 1;
    double mean = loom_dist_mean(wanted->dist);
    double got = wanted->moments ? loom_dist_variance(wanted->dist) / (mean * mean)
                                 : loom_dist_quantile(wanted->dist, 0.75) /
                                       loom_dist_quantile(wanted->dist, 0.25);
    return fmax(fmin(log(got), 700), -700) - wanted->value;
}

static double miss_log(double log_shape, void *context)
{
    return miss(exp(log_shape), context);
}

static int match_shape(struct loom_dist *out, const struct sample *s, bool moments,
                       struct loom_error *err)
{
    const struct shapes *range = shapes;
    while (strcmp(range->name, out->ops->name) != 0)
        range++;
    const char *what = moments ? "moments" : "quartiles";
    double q1 = percentile(s, 0.25), q3 = percentile(s, 0.75);
    if (moments ? !(s->mean > 0 && s->variance > 0) : !(q1 > 0 && q3 > q1))
        return match_refuse(out, what, err);
    struct wanted wanted = {out, moments,
                            moments ? log(s->variance / (s->mean * s->mean)) : log(q3 / q1)};
    double high = moments ? range->high_moments : range->high, shape;
    bool logs = range->low > 0;
    int steps = logs ? loom_root(&shape, miss_log, &wanted, log(range->low), log(high), 1e-9)
                     : loom_root(&shape, miss, &wanted, range->low, high, 1e-9);
    if (steps < 0)
        return match_refuse(out, what, err);
    out->params[0] = logs ? exp(shape) : shape;
    out->params[1] = 1;
    out->params[1] = moments ? s->mean / loom_dist_mean(out) : q1 / loom_dist_quantile(out, 0.25);
    return 0;
}

static int shape_moments(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    return match_shape(out, s, true, err);
}

static int shape_percentiles(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    return match_shape(out, s, false, err);
}

/* ---- the others ------------------------------------------------------------------------------ */

static int exponential_moments(struct loom_dist *out, const struct sample *s,
                               struct loom_error *err)
{
    out->params[0] = s->mean;
    return s->mean > 0 ? 0 : match_refuse(out, "mean", err);
}

static int exponential_percentiles(struct loom_dist *out, const struct sample *s,
                                   struct loom_error *err)
{
    out->params[0] = percentile(s, 0.5) / M_LN2;
    return out->params[0] > 0 ? 0 : match_refuse(out, "median", err);
}

static int normal_moments(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    out->params[0] = s->mean;
    out->params[1] = sqrt(s->variance);
    return s->variance > 0 ? 0 : match_refuse(out, "moments", err);
}

static int normal_percentiles(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    double q1 = percentile(s, 0.25), q3 = percentile(s, 0.75);
    out->params[0] = (q1 + q3) / 2;
    out->params[1] = (q3 - q1) / (2 * gsl_cdf_ugaussian_Pinv(0.75));
    return q3 > q1 ? 0 : match_refuse(out, "quartiles", err);
}

static int lognormal_moments(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    if (!(s->mean > 0 && s->variance > 0))
        return match_refuse(out, "moments", err);
    double square = log1p(s->variance / (s->mean * s->mean));
    out->params[0] = log(s->mean) - square / 2;
    out->params[1] = sqrt(square);
    return 0;
}

static int lognormal_percentiles(struct loom_dist *out, const struct sample *s,
                                 struct loom_error *err)
{
    double q1 = percentile(s, 0.25), q3 = percentile(s, 0.75);
    if (!(q1 > 0 && q3 > q1))
        return match_refuse(out, "quartiles", err);
    out->params[0] = (log(q1) + log(q3)) / 2;
    out->params[1] = (log(q3) - log(q1)) / (2 * gsl_cdf_ugaussian_Pinv(0.75));
    return 0;
}

static int pareto_moments(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    if (!(s->mean > 0 && s->variance > 0))
        return match_refuse(out, "moments", err);
    double alpha = 1 + sqrt(1 + s->mean * s->mean / s->variance);
    out->params[0] = alpha;
    out->params[1] = s->mean * (alpha - 1) / alpha;
    return 0;
}

static int pareto_percentiles(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    double q1 = percentile(s, 0.25), q3 = percentile(s, 0.75);
    if (!(q1 > 0 && q3 > q1))
        return match_refuse(out, "quartiles", err);
    out->params[0] = log(3) / log(q3 / q1);
    out->params[1] = q1 * pow(0.75, 1 / out->params[0]);
    return 0;
}

static int loguniform_percentiles(struct loom_dist *out, const struct sample *s,
                                  struct loom_error *err)
{
    double q1 = percentile(s, 0.25), q3 = percentile(s, 0.75);
    if (!(q1 > 0 && q3 > q1))
        return match_refuse(out, "quartiles", err);
    out->params[0] = q1 / sqrt(q3 / q1);
    out->params[1] = q3 * sqrt(q3 / q1);
    return 0;
}

/* The nearest whole order. */
static int erlang_moments(struct loom_dist *out, const struct sample *s, struct loom_error *err)
{
    if (!(s->mean > 0 && s->variance > 0))
        return match_refuse(out, "moments", err);
    out->params[0] = fmax(1, round(s->mean * s->mean / s->variance));
    out->params[1] = s->mean / out->params[0];
    return 0;
}

static int hypererlang_moments(struct loom_dist *out, const struct sample *s,
                               struct loom_error *err)
{
    return loom_hypererlang_match(out, s->moments[0], s->moments[1], s->moments[2], err);
}

/* A hyper-Erlang of order 1, if the moments allow that. */
static int hyperexponential_moments(struct loom_dist *out, const struct sample *s,
                                    struct loom_error *err)
{
    struct loom_dist erlang;
    int rc = hypererlang_moments(&erlang, s, err);
    if (rc)
        return rc;
    if (erlang.params[0] != 1)
        return match_refuse(out, "moments", err);
    memcpy(out->params, erlang.params + 1, 4 * sizeof(double));
    return 0;
}

/* ---- three percentiles ----------------------------------------------------------------------- */

static const double SIXTHS[] = {1.0 / 6, 0.5, 5.0 / 6};

/* Coordinates are the log odds of the first weight and the logarithms of both means. */
static void take_coordinates(struct loom_dist *dist, const double *at)
{
    dist->params[0] = 1 / (1 + exp(-at[0]));
    dist->params[1] = exp(at[1]);
    dist->params[2] = 1 - dist->params[0];
    dist->params[3] = exp(at[2]);
}

struct target {
    struct loom_dist *dist;
    double values[3];
};

static double squares_off(const double *at, void *context)
{
    struct target *target = context;
    double sum = 0;
    take_coordinates(target->dist, at);
    for (int i = 0; i < 3; i++) {
        double off = loom_dist_cdf(target->dist, target->values[i]) - SIXTHS[i];
        sum += off * off;
    }
    return sum;
}

static int hyperexponential_percentiles(struct loom_dist *out, const struct sample *s,
                                        struct loom_error *err)
{
    struct target target = {.dist = out};
    for (int i = 0; i < 3; i++)
        target.values[i] = percentile(s, SIXTHS[i]);
    if (!(target.values[0] > 0 && target.values[2] > target.values[1]))
        return match_refuse(out, "percentiles", err);
    double at[3] = {0, log(target.values[0]) + 1, log(target.values[2])};
    int rc = loom_minimum_near(at, 3, squares_off, &target, 0.5, err);
    if (rc)
        return rc;
    double off = squares_off(at, &target);
    bool inside = fabs(at[0]) < 30 && fabs(at[1]) < 300 && fabs(at[2]) < 300;
    return off < 1e-10 && inside ? 0 : match_refuse(out, "percentiles", err);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t n_params, free_params;
    match_fn *moments, *percentiles;
} matches[] = {
    {"exponential", 1, 1, exponential_moments, exponential_percentiles},
    {"gamma", 2, 2, shape_moments, shape_percentiles},
    {"weibull", 2, 2, shape_moments, shape_percentiles},
    {"gp", 2, 2, shape_moments, shape_percentiles},
    {"lognormal", 2, 2, lognormal_moments, lognormal_percentiles},
    {"normal", 2, 2, normal_moments, normal_percentiles},
    {"pareto", 2, 2, pareto_moments, pareto_percentiles},
    {"loguniform", 2, 2, NULL, loguniform_percentiles},
    {"erlang", 2, 2, erlang_moments, NULL},
    {"hyperexponential", 4, 3, hyperexponential_moments, hyperexponential_percentiles},
    {"hypererlang", 5, 3, hypererlang_moments, NULL},
};

static void take_moments(struct sample *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double x = s->sorted[i], n = (double)s->n;
        s->mean += x / n;
        s->moments[0] += x / n;
        s->moments[1] += x * x / n;
        s->moments[2] += x * x * x / n;
    }
    for (size_t i = 0; i < s->n; i++)
        s->variance += (s->sorted[i] - s->mean) * (s->sorted[i] - s->mean) / (double)s->n;
}

int loom_fit_match(struct loom_fit *out, const char *name, const double *sorted, size_t n,
                   enum loom_fit_by by, struct loom_error *err)
{
    const char *what = by == LOOM_FIT_MOMENTS ? "moments" : "percentiles";
    size_t k = 0, count = sizeof matches / sizeof *matches;
    while (k < count && strcmp(matches[k].name, name) != 0)
        k++;
    match_fn *match = k == count               ? NULL
                      : by == LOOM_FIT_MOMENTS ? matches[k].moments
                                               : matches[k].percentiles;
    if (!match)
        return loom_fail(err, LOOM_EDATA, "%s is not fitted by %s", name, what);
    struct sample s = {.sorted = sorted, .n = n};
    take_moments(&s);
    *out = (struct loom_fit){.dist = {.ops = loom_dist_find(name), .n_params = matches[k].n_params},
                             .weight = (double)n,
                             .free_params = matches[k].free_params,
                             .converged = true};
    int rc = match(&out->dist, &s, err);
    if (!rc && out->dist.ops->check(out->dist.params, out->dist.n_params, NULL))
        rc = match_refuse(&out->dist, what, err);
    return rc;
}
