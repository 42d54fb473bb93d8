/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster/level.c - a sorted sample as bins: each different value one, or fewer and wider ones.
 *
 * Coarse bins are bounded both in the number of values they hold and in width. Where values are
 * dense the first bound makes bins narrow, so that a narrow component finds many of them; the
 * second keeps the bins of thin tails from blurring what lies there. A value that occurs more often
 * than the bound has a bin of its own, so that a component that would shrink onto it does so at
 * every level.
 */
#include "stats/cluster/cluster.h"

#include <math.h>
#include <stdlib.h>

void loom_level_free(struct loom_level *level)
{
    free(level->x);
    free(level->weight);
    free(level->spread);
    *level = (struct loom_level){0};
}

static int level_alloc(struct loom_level *level, size_t n, bool spread, struct loom_error *err)
{
    level->x = malloc(n * sizeof *level->x);
    level->weight = malloc(n * sizeof *level->weight);
    level->spread = spread ? malloc(n * sizeof *level->spread) : NULL;
    if (!level->x || !level->weight || (spread && !level->spread))
        return loom_fail_memory(err);
    return 0;
}

static size_t count_different(const double *sorted, size_t n)
{
    size_t different = 1;
    for (size_t i = 1; i < n; i++)
        different += sorted[i] != sorted[i - 1];
    return different;
}

static double total_variance(const struct loom_level *level)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < level->n; i++)
        mean += level->x[i] * (level->weight[i] / level->total);
    for (size_t i = 0; i < level->n; i++) {
        double off = level->x[i] - mean;
        variance += off * off * (level->weight[i] / level->total);
    }
    return variance;
}

/* Each different value a bin. */
int loom_level_exact(struct loom_level *level, const double *sorted, size_t n, double log_unit,
                     struct loom_error *err)
{
    int code = level_alloc(level, count_different(sorted, n), false, err);
    if (code)
        return code;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            level->x[level->n] = sorted[i];
            level->weight[level->n++] = 0;
        }
        level->weight[level->n - 1] += 1;
    }
    level->total = (double)n;
    level->log_unit = log_unit;
    level->variance = total_variance(level);
    return 0;
}

/* The end of the bin that starts at value `from`: it holds at most `count` values, unless a single
 * one has more, and is at most `width` wide. */
static size_t bin_end(const struct loom_level *exact, size_t from, double count, double width)
{
    size_t to = from + 1;
    double held = exact->weight[from];
    while (to < exact->n && held + exact->weight[to] <= count &&
           exact->x[to] - exact->x[from] <= width)
        held += exact->weight[to++];
    return to;
}

static void add_bin(struct loom_level *level, const struct loom_level *exact, size_t from,
                    size_t to)
{
    double weight = 0, shift = 0, spread = 0;
    for (size_t i = from; i < to; i++) {
        weight += exact->weight[i];
        shift += exact->weight[i] * (exact->x[i] - exact->x[from]);
    }
    double mean = exact->x[from] + shift / weight;
    for (size_t i = from; i < to; i++)
        spread += exact->weight[i] * (exact->x[i] - mean) * (exact->x[i] - mean);
    level->x[level->n] = mean;
    level->weight[level->n] = weight;
    level->spread[level->n] = spread / weight;
    level->spread_max = fmax(level->spread_max, spread / weight);
    level->n++;
}

/* Bins that are even both in what they hold and in width: about `bins` and at most three times as
 * many, since two neighbours together hold or span more than one share. */
int loom_level_coarse(struct loom_level *level, const struct loom_level *exact, size_t bins,
                      struct loom_error *err)
{
    int code = level_alloc(level, 3 * bins + 2, true, err);
    if (code)
        return code;
    double count = exact->total / (double)bins;
    double width = (exact->x[exact->n - 1] - exact->x[0]) / (double)bins;
    for (size_t from = 0, to; from < exact->n; from = to) {
        to = bin_end(exact, from, count, width);
        add_bin(level, exact, from, to);
    }
    level->width = width;
    level->total = exact->total;
    level->log_unit = exact->log_unit;
    level->variance = exact->variance;
    return 0;
}
