/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The share a_k of the jobs of a kind that are not in bags (Minh 2012, 5.1.2), where kinds overlap.
 *
 * As printed, a_k counts labels. But a job labelled with one kind may belong to its neighbour, so
 * counting labels makes neighbours more alike than they are, and more so with every fit to a
 * generated workload. Here the runtimes of single jobs and of jobs in bags are two mixtures of the
 * same kinds, with maximum-likelihood weights pjob_k and pbot_k; with s, the share of single jobs,
 * a_k = s pjob_k / (s pjob_k + (1 - s) pbot_k).
 *
 * A bag cut to a single job leaves that job a runtime of bags: then jobs outside of bags are a
 * mixture of both, in known shares, and both sets of weights are fitted together.
 */
#include "base/sort.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>

enum { SINGLE, BAGGED };

/* Different runtimes: the number of single jobs and of jobs in bags with each, and the density of
 * each kind there, up to a common factor. */
struct times {
    size_t n, n_kinds;
    double *jobs[2]; /* SINGLE, BAGGED; parts of `storage` */
    double *density; /* n_kinds for each runtime; part of `storage` */
    double *storage; /* owned */
};

/* Return 2 * runtime + (1 if in a bag) of each job, sorted; the caller frees it. */
static int64_t *sorted_codes(const struct loom_shapes *jobs, const uint8_t *in_bag)
{
    int64_t *codes = malloc((jobs->n + 1) * sizeof *codes);
    for (size_t i = 0; codes && i < jobs->n; i++)
        codes[i] = 2 * jobs->run_s[i] + (in_bag[i] != 0);
    if (codes)
        loom_sort_int64(codes, jobs->n);
    return codes;
}

/* Set the densities of the kinds, relative to the highest, so that none underflows. */
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
    double *storage = codes ? calloc((2 + shapes->n_kinds) * n + 1, sizeof *storage) : NULL;
    if (storage)
        *out = (struct times){n, shapes->n_kinds, {storage, storage + n}, storage + 2 * n, storage};
    for (size_t i = 0, k = 0; storage && i < jobs->n; i++) {
        bool another = i == 0 || codes[i] / 2 != codes[i - 1] / 2;
        k += another && i > 0;
        out->jobs[codes[i] % 2 ? BAGGED : SINGLE][k]++;
        if (another)
            put_density(out->density + k * shapes->n_kinds, shapes, log1p((double)(codes[i] / 2)));
    }
    free(codes);
    return storage ? 0 : loom_fail_memory(err);
}

/* One step of expectation and maximization. Return the largest change. */
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

/* Fit the weights, starting from the mixture's; return the number of jobs fitted. */
static double minh_places_weigh(double *weights, const struct loom_minh_shapes *shapes,
                                const struct times *times, int in_bag)
{
    enum { STEPS = 1000 };
    double all = 0, change = 1;
    for (size_t i = 0; i < times->n; i++)
        all += times->jobs[in_bag][i];
    for (size_t k = 0; k < shapes->n_kinds; k++)
        weights[k] = shapes->kinds[k].weight;
    for (int step = 0; step < STEPS && change > 1e-6 && all > 0; step++)
        change = reweigh(weights, times, times->jobs[in_bag], all);
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

/* Replace the weights by `next`, normalized. Return the largest change. */
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

/* One such step for both sets of weights: a share `cut` of the jobs outside of bags is from bags.
 */
static double reweigh_both(struct weights *weights, const struct times *times, double cut)
{
    struct weights next = {{0}, {0}};
    for (size_t i = 0; i < times->n; i++) {
        const double *density = times->density + i * times->n_kinds;
        double single = (1 - cut) * chance(weights->single, density, times->n_kinds);
        double bagged = chance(weights->bagged, density, times->n_kinds);
        double outside =
            single + cut * bagged > 0 ? times->jobs[SINGLE][i] / (single + cut * bagged) : 0;
        double inside = bagged > 0 ? times->jobs[BAGGED][i] / bagged : 0;
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
    free(times.storage);
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
    double singles = minh_places_weigh(single, shapes, &times, SINGLE),
           rest = minh_places_weigh(bagged, shapes, &times, BAGGED);
    for (size_t k = 0; k < shapes->n_kinds; k++) {
        double own = singles * single[k], all = own + rest * bagged[k];
        if (all > 0)
            shapes->kinds[k].single = fmin(1, own / all);
    }
    free(times.storage);
    return 0;
}
