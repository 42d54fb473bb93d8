/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The share a_k of the jobs of a kind that are not in bags (thesis 5.1.2), where kinds overlap.
 *
 * As printed, a_k counts labels. But a job with the label of a kind may be of its neighbour:
 * counted so, neighbours are more alike than they are, and the more so with every fit to what was
 * generated. Here the runtimes of single jobs, and of jobs in bags, are mixtures of the same
 * kinds with weights of their own, pjob_k and pbot_k, that make them the most likely; and with s,
 * the share of single jobs, a_k = s pjob_k / (s pjob_k + (1 - s) pbot_k).
 *
 * Where bags are cut to single jobs, these have runtimes of bags: then jobs outside of bags have
 * kinds of both, in shares that are known, and the weights are found together.
 */
#include "base/sort.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>

/* Different runtimes: how many single jobs have each, how many jobs in bags, and the density of
 * each kind there, up to a factor of its own. */
struct times {
    size_t n, n_kinds;
    double *jobs[2];
    double *density; /* n_kinds for each */
};

/* A code is twice the runtime, plus one in bags. */
static int64_t *sorted_codes(const struct loom_shapes *jobs, const uint8_t *in_bag)
{
    int64_t *codes = malloc((jobs->n + 1) * sizeof *codes);
    for (size_t i = 0; codes && i < jobs->n; i++)
        codes[i] = 2 * jobs->run_s[i] + (in_bag[i] != 0);
    if (codes)
        loom_sort_int64(codes, jobs->n);
    return codes;
}

/* Densities of the mixture's kinds over the highest of them, so that none is too small.
 */
static void put_density(double *density, const struct loom_minh_shapes *shapes, double log_run)
{
    double most = -INFINITY;
    for (size_t k = 0; k < shapes->n_kinds; k++) {
        double z = (log_run - shapes->kinds[k].mean) / shapes->kinds[k].sd;
        density[k] = -0.5 * z * z - log(shapes->kinds[k].sd);
        most = fmax(most, density[k]);
    }
    for (size_t k = 0; k < shapes->n_kinds; k++)
        density[k] = exp(density[k] - most);
}

static int times_create(struct times *out, const struct loom_minh_shapes *shapes,
                        const struct loom_shapes *jobs, const uint8_t *in_bag,
                        struct loom_error *err)
{
    int64_t *codes = sorted_codes(jobs, in_bag);
    size_t n = 0;
    for (size_t i = 0; codes && i < jobs->n; i++)
        n += i == 0 || codes[i] / 2 != codes[i - 1] / 2;
    double *room = codes ? calloc((2 + shapes->n_kinds) * n + 1, sizeof *room) : NULL;
    if (room)
        *out = (struct times){n, shapes->n_kinds, {room, room + n}, room + 2 * n};
    for (size_t i = 0, place = 0; room && i < jobs->n; i++) {
        bool another = i == 0 || codes[i] / 2 != codes[i - 1] / 2;
        place += another && i > 0;
        out->jobs[codes[i] % 2][place]++;
        if (another)
            put_density(out->density + place * shapes->n_kinds, shapes,
                        log1p((double)(codes[i] / 2)));
    }
    free(codes);
    return room ? 0 : loom_fail_memory(err);
}

/* One step of expectation and maximization. Returns the largest change. */
static double reweigh(double *weights, const struct times *times, const double *jobs, double all)
{
    double next[LOOM_MINH_KINDS] = {0}, change = 0;
    for (size_t i = 0; i < times->n; i++) {
        const double *density = times->density + i * times->n_kinds;
        double sum = 0;
        for (size_t k = 0; k < times->n_kinds && jobs[i] > 0; k++)
            sum += weights[k] * density[k];
        for (size_t k = 0; k < times->n_kinds && sum > 0; k++)
            next[k] += jobs[i] * weights[k] * density[k] / sum;
    }
    for (size_t k = 0; k < times->n_kinds; k++) {
        change = fmax(change, fabs(next[k] / all - weights[k]));
        weights[k] = next[k] / all;
    }
    return change;
}

/* Weights, starting from the mixture's; returns how many jobs they are of. */
static double minh_places_weigh(double *weights, const struct loom_minh_shapes *shapes,
                                const struct times *times, int place)
{
    enum { STEPS = 1000 };
    double all = 0, change = 1;
    for (size_t i = 0; i < times->n; i++)
        all += times->jobs[place][i];
    for (size_t k = 0; k < shapes->n_kinds; k++)
        weights[k] = shapes->kinds[k].weight;
    for (int step = 0; step < STEPS && change > 1e-6 && all > 0; step++)
        change = reweigh(weights, times, times->jobs[place], all);
    return all;
}

/* ---- bags that were cut ---------------------------------------------------------------------- */

/* pjob_k and pbot_k. */
struct weights {
    double single[LOOM_MINH_KINDS], bagged[LOOM_MINH_KINDS];
};

static double chance(const double *weights, const double *density, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += weights[k] * density[k];
    return sum;
}

/* Make them add up to 1. Returns the largest change. */
static double replace(double *weights, const double *next, size_t n)
{
    double sum = 0, change = 0;
    for (size_t k = 0; k < n; k++)
        sum += next[k];
    for (size_t k = 0; k < n && sum > 0; k++) {
        change = fmax(change, fabs(next[k] / sum - weights[k]));
        weights[k] = next[k] / sum;
    }
    return change;
}

/* One step as above, for both places: a share `cut` of the jobs outside of bags is of bags. */
static double reweigh_both(struct weights *weights, const struct times *times, double cut)
{
    struct weights next = {{0}, {0}};
    for (size_t i = 0; i < times->n; i++) {
        const double *density = times->density + i * times->n_kinds;
        double single = (1 - cut) * chance(weights->single, density, times->n_kinds);
        double bagged = chance(weights->bagged, density, times->n_kinds);
        double outside =
            single + cut * bagged > 0 ? times->jobs[0][i] / (single + cut * bagged) : 0;
        double inside = bagged > 0 ? times->jobs[1][i] / bagged : 0;
        for (size_t k = 0; k < times->n_kinds; k++) {
            next.single[k] += outside * (1 - cut) * weights->single[k] * density[k];
            next.bagged[k] += (outside * cut + inside) * weights->bagged[k] * density[k];
        }
    }
    double change = replace(weights->single, next.single, times->n_kinds);
    return fmax(change, replace(weights->bagged, next.bagged, times->n_kinds));
}

int loom_minh_fit_cut_places(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                             const uint8_t *in_bag, double drawn, double cut,
                             struct loom_error *err)
{
    enum { STEPS = 1000 };
    struct times times = {0};
    struct weights weights;
    int rc = times_create(&times, shapes, jobs, in_bag, err);
    if (rc)
        return rc;
    for (size_t k = 0; k < shapes->n_kinds; k++)
        weights.single[k] = weights.bagged[k] = shapes->kinds[k].weight;
    double change = 1;
    for (int step = 0; step < STEPS && change > 1e-6; step++)
        change = reweigh_both(&weights, &times, cut);
    for (size_t k = 0; k < shapes->n_kinds; k++) {
        struct loom_minh_kind *kind = &shapes->kinds[k];
        double own = drawn * weights.single[k];
        kind->weight = own + (1 - drawn) * weights.bagged[k];
        kind->single = kind->weight > 0 ? own / kind->weight : 1;
    }
    free(times.jobs[0]);
    return 0;
}

/* ---- or not ---------------------------------------------------------------------------------- */

int loom_minh_fit_places(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                         const uint8_t *in_bag, struct loom_error *err)
{
    struct times times = {0};
    int rc = times_create(&times, shapes, jobs, in_bag, err);
    if (rc)
        return rc;
    double single[LOOM_MINH_KINDS], bagged[LOOM_MINH_KINDS];
    double singles = minh_places_weigh(single, shapes, &times, 0),
           rest = minh_places_weigh(bagged, shapes, &times, 1);
    for (size_t k = 0; k < shapes->n_kinds; k++) {
        double own = singles * single[k], all = own + rest * bagged[k];
        if (all > 0)
            shapes->kinds[k].single = fmin(1, own / all);
    }
    free(times.jobs[0]);
    return 0;
}
