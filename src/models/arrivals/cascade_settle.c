/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Correct a cascade for rounding to whole arrivals. Counts of adjacent intervals differ by more
 * than their rates, so multipliers fitted to arrivals vary more than those of the rates, most at
 * the finest scale. The size of the effect depends on all parameters.
 *
 * So trees are grown and fired, the variances of rates and of arrivals are measured, and their
 * difference is subtracted from the log's variances. Both are measured on the same trees, which
 * reduces sampling error, so a few growths are enough.
 */
#include "models/arrivals/cascade.h"

#include <stdlib.h>

enum { STEPS = 8, LEARNING = 2 };

struct settling {
    struct loom_cascade_log rates, arrivals; /* both in jobs by interval */
    double *wanted, *in_rates, *in_arrivals, *mean;
};

static int grow_and_count(struct settling *settling, const struct loom_cascade *cascade,
                          const struct loom_zeros *zeros, uint64_t step, struct loom_error *err)
{
    struct loom_generation generation = {.replication = UINT64_MAX - step, .rate = 1};
    struct loom_forest forest;
    int rc = loom_forest_create(&forest, cascade, zeros, &generation, err);
    if (rc)
        return rc;
    loom_forest_grow(&forest);
    double missing = 0;
    for (size_t i = 0; i < forest.n; i++) {
        settling->rates.counts[i] = forest.rates[i] * (double)cascade->interval_s;
        settling->arrivals.counts[i] = loom_fire_due(&missing, settling->rates.counts[i]);
    }
    loom_forest_free(&forest);
    return 0;
}

static int take_step(struct settling *settling, struct loom_cascade *cascade,
                     const struct loom_zeros *zeros, loom_variances_fn *measure, uint64_t step,
                     struct loom_error *err)
{
    int rc = grow_and_count(settling, cascade, zeros, step, err);
    if (!rc)
        rc = measure(settling->in_rates, &settling->rates, err);
    if (!rc)
        rc = measure(settling->in_arrivals, &settling->arrivals, err);
    for (size_t j = 0; j < cascade->depth && !rc; j++) {
        double added = settling->in_arrivals[j] - settling->in_rates[j];
        cascade->beta[j] = loom_cascade_beta(settling->wanted[j] - added);
        if (step >= LEARNING)
            settling->mean[j] += loom_cascade_variance(cascade->beta[j]) / (STEPS - LEARNING);
    }
    return rc;
}

int loom_cascade_settle(struct loom_cascade *cascade, const struct loom_zeros *zeros,
                        loom_variances_fn *measure, struct loom_error *err)
{
    size_t n = (size_t)cascade->roots << cascade->depth, depth = cascade->depth;
    double *scratch = calloc(2 * n + 4 * depth, sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    struct settling settling = {.wanted = scratch + 2 * n,
                                .in_rates = scratch + 2 * n + depth,
                                .in_arrivals = scratch + 2 * n + 2 * depth,
                                .mean = scratch + 2 * n + 3 * depth};
    settling.rates = settling.arrivals =
        (struct loom_cascade_log){cascade->interval_s, (size_t)cascade->roots, depth, n, scratch};
    settling.arrivals.counts = scratch + n;
    for (size_t j = 0; j < depth; j++)
        settling.wanted[j] = loom_cascade_variance(cascade->beta[j]);
    int rc = 0;
    for (uint64_t step = 0; step < STEPS && !rc; step++)
        rc = take_step(&settling, cascade, zeros, measure, step, err);
    for (size_t j = 0; j < depth && !rc; j++)
        cascade->beta[j] = loom_cascade_beta(settling.mean[j]);
    free(scratch);
    return rc;
}
