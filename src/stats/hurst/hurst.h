/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hurst.h - what the estimators of the Hurst parameter share: the checks of a series, the points
 * of the figure, and the sizes of blocks.
 */
#ifndef LOOM_STATS_HURST_HURST_H
#define LOOM_STATS_HURST_HURST_H

#include <workloom/stats.h>

/* Fewer values than this say nothing of long ranges. */
enum { LOOM_HURST_LEAST = 128 };

/* Clear *out, check the series, and make room for points. */
int loom_hurst_begin(struct loom_hurst *out, const double *x, size_t n, size_t room,
                     struct loom_error *err);

/* Add a point to the figure, by its logarithms to base 10. One that does not exist, because the
 * statistic is 0, is left out. */
void loom_hurst_point(struct loom_hurst *hurst, double scale, double statistic);

/* The line through the points, and H = offset + factor * slope with no interval. Needs at least
 * three points, else LOOM_EDATA. Frees the points on failure. */
int loom_hurst_end(struct loom_hurst *hurst, double offset, double factor, struct loom_error *err);

/* Free the points and hand rc on: how an estimator ends that fails halfway. */
int loom_hurst_give_up(struct loom_hurst *hurst, int rc);

/* Whole numbers from low to high in steps of about `factor`, each once: the sizes that round
 * low * factor^i. sizes holds `room` entries; returns how many. factor > 1, low >= 1. */
size_t loom_hurst_sizes(size_t *sizes, size_t room, double low, double high, double factor);

/* The local Whittle estimate from points at frequencies, with an interval of z standard errors. */
void loom_whittle_settle(struct loom_hurst *hurst, double se, double z);

/* Rescaled range of one block: the range of the sums of deviations from the block's mean, over the
 * standard deviation (with n). 0 where the block does not vary. */
double loom_rescaled_range(const double *x, size_t n);

#endif
