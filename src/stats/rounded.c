/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits to values that were rounded, each standing for an interval.
 *
 * The likelihood of a rounded value is the probability of its interval. It is maximised by EM: the
 * expected values inside an interval are the quantiles that the last fit has there, PARTS of them
 * with equal weights; a fit to those is the next one. Where an interval is narrow beside its value
 * (below NARROW), the value stands for it.
 *
 * For tests, k equal values are spread over their interval as the distribution itself would spread
 * them, which gives places between 0 and 1 that are uniform if the distribution is right (the
 * nonrandomised probability integral transform of Czado, Gneiting and Held 2009). A zero is then a
 * value like others, and ties do not count as steps that no continuous distribution has.
 */
#include "stats/rounded.h"
#include "base/compare.h"

#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 16, ROUNDS = 300 };
static const double NARROW = 0.02, ENOUGH = 1e-3, TINY = 1e-9;

void loom_rounded_free(struct loom_rounded *values)
{
    free(values->x);
    free(values->low);
    free(values->high);
    *values = (struct loom_rounded){0};
}

/* ---- groups of equal values ------------------------------------------------------------------ */

/* Equal values, and the interval as far as the distribution can have values in it. */
struct group {
    double x, low, high;
    double count;
};

struct groups {
    struct group *of;
    size_t n;
};

static int rounded_by_value(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->x, y->x), LOOM_COMPARE(x->low, y->low));
}

static double cut_to(enum loom_support support, double bound)
{
    return support == LOOM_LINE ? bound : fmax(bound, 0);
}

static int make_groups(struct groups *out, const struct loom_dist_ops *ops,
                       const struct loom_rounded *values, struct loom_error *err)
{
    out->of = malloc((values->n + 1) * sizeof *out->of);
    if (!out->of)
        return loom_fail_memory(err);
    for (size_t i = 0; i < values->n; i++)
        out->of[i] = (struct group){.x = values->x[i],
                                    .low = cut_to(ops->support, values->low[i]),
                                    .high = cut_to(ops->support, values->high[i]),
                                    .count = 1};
    qsort(out->of, values->n, sizeof *out->of, rounded_by_value);
    out->n = 0;
    for (size_t i = 0; i < values->n; i++)
        if (out->n > 0 && rounded_by_value(&out->of[out->n - 1], &out->of[i]) == 0)
            out->of[out->n - 1].count++;
        else
            out->of[out->n++] = out->of[i];
    return 0;
}

/* ---- likelihood ------------------------------------------------------------------------------ */

/* The probability of an interval, from the tail in which it is more exact. */
static double probability(const struct loom_dist *dist, double low, double high)
{
    double below = loom_dist_cdf(dist, low);
    return below < 0.5 ? loom_dist_cdf(dist, high) - below
                       : loom_dist_survival(dist, low) - loom_dist_survival(dist, high);
}

static double log_probability(const struct loom_dist *dist, const struct group *group)
{
    double p = probability(dist, group->low, group->high);
    if (p > TINY)
        return log(p);
    double width = group->high - group->low;
    return loom_dist_log_density(dist, group->x) + (width > 0 ? log(width) : 0);
}

static double log_likelihood(const struct loom_dist *dist, const struct groups *groups)
{
    double sum = 0;
    for (size_t i = 0; i < groups->n; i++)
        sum += groups->of[i].count * log_probability(dist, &groups->of[i]);
    return sum;
}

/* ---- EM -------------------------------------------------------------------------------------- */

/* What a fit is given: values with weights, from the groups in their order. */
struct points {
    double *x, *weights;
    size_t n;
};

static size_t parts_of(const struct group *group)
{
    return group->high - group->low > NARROW * fabs(group->x) ? PARTS : 1;
}

/* Place `part` of a group: where dist (NULL: an even density) puts it. */
static double point_in(const struct group *group, const struct loom_dist *dist, size_t part)
{
    double share = ((double)part + 0.5) / PARTS;
    double even = group->low + share * (group->high - group->low);
    if (!dist)
        return even;
    double below = loom_dist_cdf(dist, group->low);
    double inside = loom_dist_cdf(dist, group->high) - below;
    if (!(inside > TINY))
        return even;
    double x = loom_dist_quantile(dist, below + share * inside);
    return x > group->low && x < group->high ? x : even;
}

static void place_points(struct points *points, const struct groups *groups,
                         const struct loom_dist *dist)
{
    points->n = 0;
    for (size_t i = 0; i < groups->n; i++) {
        const struct group *group = &groups->of[i];
        size_t parts = parts_of(group);
        for (size_t part = 0; part < parts; part++) {
            points->x[points->n] = parts > 1 ? point_in(group, dist, part) : group->x;
            points->weights[points->n++] = group->count / (double)parts;
        }
    }
}

static void set_criteria(struct loom_fit *fit, double likelihood, double n)
{
    fit->log_likelihood = likelihood;
    fit->aic = 2 * (double)fit->free_params - 2 * likelihood;
    fit->bic = (double)fit->free_params * log(n) - 2 * likelihood;
}

static int improve(struct loom_fit *out, const char *name, const struct groups *groups,
                   struct points *points, size_t n, struct loom_error *err)
{
    double best = -INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        struct loom_fit fit = {0};
        place_points(points, groups, round > 0 ? &out->dist : NULL);
        int rc = loom_dist_fit(&fit, name, points->x, points->weights, points->n, err);
        if (rc)
            return round > 0 && rc != LOOM_ENOMEM ? 0 : rc;
        double likelihood = log_likelihood(&fit.dist, groups);
        double gain = likelihood - best;
        if (round == 0 || gain > 0) {
            *out = fit;
            set_criteria(out, likelihood, (double)n);
            best = likelihood;
        }
        if (!(gain > ENOUGH))
            return 0;
    }
    out->converged = false;
    return 0;
}

int loom_rounded_fit(struct loom_fit *out, const char *name, const struct loom_rounded *values,
                     struct loom_error *err)
{
    const struct loom_dist_ops *ops = loom_dist_named(name);
    if (!ops || ops->discrete || ops->support == LOOM_UNIT)
        return loom_dist_fit(out, name, values->x, NULL, values->n, err);
    struct groups groups = {0};
    struct points points = {0};
    int rc = make_groups(&groups, ops, values, err);
    size_t room = groups.n * PARTS + 1;
    points.x = malloc(room * sizeof *points.x);
    points.weights = malloc(room * sizeof *points.weights);
    if (!rc && (!points.x || !points.weights))
        rc = loom_fail_memory(err);
    if (!rc)
        rc = improve(out, name, &groups, &points, values->n, err);
    free(groups.of);
    free(points.x);
    free(points.weights);
    return rc;
}

static int rounded_match(struct loom_fit *out, const char *name, const struct loom_rounded *values,
                         double *sorted, enum loom_fit_by by, struct loom_error *err)
{
    struct groups groups = {0};
    if (values->n > 0)
        memcpy(sorted, values->x, values->n * sizeof *sorted);
    int rc = loom_sort(sorted, values->n, err);
    if (!rc)
        rc = loom_fit_match(out, name, sorted, values->n, by, err);
    if (!rc)
        rc = make_groups(&groups, out->dist.ops, values, err);
    if (!rc)
        set_criteria(out, log_likelihood(&out->dist, &groups), (double)values->n);
    free(groups.of);
    return rc;
}

int loom_rounded_fit_by(struct loom_fit *out, const char *name, const struct loom_rounded *values,
                        enum loom_fit_by by, struct loom_error *err)
{
    if (by == LOOM_FIT_LIKELIHOOD)
        return loom_rounded_fit(out, name, values, err);
    double *sorted = malloc((values->n + 1) * sizeof *sorted);
    int rc = sorted ? rounded_match(out, name, values, sorted, by, err) : loom_fail_memory(err);
    free(sorted);
    return rc;
}

/* ---- tests ----------------------------------------------------------------------------------- */

int loom_rounded_places(double *places, const struct loom_dist *dist,
                        const struct loom_rounded *values, struct loom_error *err)
{
    struct groups groups = {0};
    int rc = make_groups(&groups, dist->ops, values, err);
    size_t n = 0;
    for (size_t i = 0; i < groups.n && !rc; i++) {
        const struct group *group = &groups.of[i];
        double below = loom_dist_cdf(dist, group->low), upto = loom_dist_cdf(dist, group->high);
        for (double k = 0; k < group->count; k++)
            places[n++] = below + (k + 0.5) / group->count * (upto - below);
    }
    free(groups.of);
    return rc ? rc : loom_sort(places, n, err);
}

/* ---- spikes ---------------------------------------------------------------------------------- */

static const double SPIKE_MASS = 0.95, SPIKE_CV = 0.002;

/* Whether nearly all of a component lies in the interval of one value. */
static bool in_one_interval(const struct loom_dist *component, const struct loom_rounded *values)
{
    double middle = loom_dist_quantile(component, 0.5);
    for (size_t i = 0; i < values->n; i++)
        if (values->low[i] <= middle && middle < values->high[i])
            return probability(component, values->low[i], values->high[i]) > SPIKE_MASS;
    return false;
}

bool loom_rounded_spike(size_t *which, double *place, const struct loom_dist *dist,
                        const struct loom_rounded *values)
{
    const struct loom_mixture *mixture = dist->ops->mixture;
    if (!mixture)
        return false;
    size_t shared = mixture->shared, own = mixture->component->min_params - shared;
    for (size_t at = shared, i = 0; at < dist->n_params; at += own + 1, i++) {
        struct loom_dist component = {.ops = mixture->component, .n_params = shared + own};
        memcpy(component.params, dist->params, shared * sizeof(double));
        memcpy(component.params + shared, dist->params + at + 1, own * sizeof(double));
        double sd = sqrt(loom_dist_variance(&component)), mean = loom_dist_mean(&component);
        double scale = dist->ops->support == LOOM_LINE ? sqrt(loom_dist_variance(dist)) : mean;
        if (dist->params[at] > 0 &&
            (sd < SPIKE_CV * scale || in_one_interval(&component, values))) {
            *which = i;
            *place = mean;
            return true;
        }
    }
    return false;
}
