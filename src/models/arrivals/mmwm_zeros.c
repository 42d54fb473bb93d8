/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zeros of a rate process by scale: the shares in a log, and the shares to insert so that a
 * generated process has them.
 *
 * The two differ, because zeros of a scale are inserted independently of others and may be
 * adjacent: two runs merge into a longer one. There is no closed form for this. So trees are grown,
 * their runs of zeros are counted as in the log, and the shares are corrected by the difference,
 * until both counts agree on average (indirect inference, by stochastic approximation with
 * averaging: Polyak and Juditsky 1992).
 */
#include "models/arrivals/mmwm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting zeros -------------------------------------------------------------------------- */

/* The length of the run of zeros at or after *from, which moves behind it; 0 if there is none. */
static size_t next_run(size_t *from, const double *counts, size_t n)
{
    size_t begin = *from;
    while (begin < n && counts[begin] > 0)
        begin++;
    *from = begin;
    while (*from < n && !(counts[*from] > 0))
        ++*from;
    return *from - begin;
}

/* A run of 2^level intervals is one zero at scale M - level. Longer ones than scale 2 can make are
 * several of scale 2. */
static size_t mmwm_zeros_index_of(size_t depth, size_t level)
{
    return level < depth ? depth - 1 - level : 0;
}

void loom_zeros_printed(double *share, size_t depth, const double *counts, size_t n)
{
    memset(share, 0, depth * sizeof *share);
    size_t zeros = 0, runs = 0, from = 0, length;
    while ((length = next_run(&from, counts, n))) {
        share[mmwm_zeros_index_of(depth, (size_t)lround(log2((double)length)))]++;
        zeros += length;
        runs++;
    }
    for (size_t i = 0; i < depth && runs; i++)
        share[i] *= (double)zeros / (double)n / (double)runs;
}

void loom_zeros_by_length(double *share, size_t depth, const double *counts, size_t n)
{
    memset(share, 0, depth * sizeof *share);
    size_t from = 0, length;
    while ((length = next_run(&from, counts, n)))
        share[mmwm_zeros_index_of(depth, (size_t)lround(log2((double)length)))] +=
            (double)length / (double)n;
}

/* ---- placing zeros --------------------------------------------------------------------------- */

/* The sum stays what it is: so many intervals are zero, wherever. */
static void keep_sum(double *share, size_t depth, double sum)
{
    double now = 0;
    for (size_t i = 0; i < depth; i++) {
        share[i] = fmax(share[i], 0);
        now += share[i];
    }
    for (size_t i = 0; i < depth && now > 0; i++)
        share[i] *= sum / now;
}

/* Half of what is missing is added at a time; what the shares are on average, once they have come
 * near, is the result. */
static void mmwm_zeros_settle(struct loom_zeros *zeros, struct loom_forest *forest, double *wanted,
                              double *seen, double *mean)
{
    enum { STEPS = 40, LEARNING = 10 };
    static const double GAIN = 0.5;
    size_t depth = zeros->depth;
    double sum = 0;
    for (size_t i = 0; i < depth; i++)
        sum += wanted[i] = zeros->share[i];
    for (int step = 0; step < STEPS; step++) {
        loom_forest_grow(forest);
        loom_zeros_by_length(seen, depth, forest->rates, forest->n);
        for (size_t i = 0; i < depth; i++)
            zeros->share[i] += GAIN * (wanted[i] - seen[i]);
        keep_sum(zeros->share, depth, sum);
        for (size_t i = 0; i < depth && step >= LEARNING; i++)
            mean[i] += zeros->share[i] / (STEPS - LEARNING);
    }
    memcpy(zeros->share, mean, depth * sizeof *mean);
}

int loom_zeros_settle(struct loom_zeros *zeros, const struct loom_cascade *cascade,
                      struct loom_error *err)
{
    struct loom_generation generation = {.replication = UINT64_MAX, .rate = 1};
    size_t depth = zeros->depth;
    double *work = calloc(3 * depth, sizeof *work);
    if (!work)
        return loom_fail_memory(err);
    struct loom_forest forest;
    int rc = loom_forest_create(&forest, cascade, zeros, &generation, err);
    if (!rc) {
        mmwm_zeros_settle(zeros, &forest, work, work + depth, work + 2 * depth);
        loom_forest_free(&forest);
    }
    free(work);
    return rc;
}
