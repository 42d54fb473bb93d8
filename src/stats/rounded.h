/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounded.h - fits and tests with values that stand for intervals. */
#ifndef LOOM_STATS_ROUNDED_H
#define LOOM_STATS_ROUNDED_H

#include <workloom/stats.h>

/* Match moments or percentiles of sorted values. Criteria are left to the caller. LOOM_EDATA for a
 * distribution that is not fitted so, or that none of its parameters match. */
int loom_fit_match(struct loom_fit *out, const char *name, const double *sorted, size_t n,
                   enum loom_fit_by by, struct loom_error *err);

/* Where each value lies in the distribution, between 0 and 1, ascending: values->n entries. */
int loom_rounded_places(double *places, const struct loom_dist *dist,
                        const struct loom_rounded *values, struct loom_error *err);

/* Whether a component of a mixture is a spike: nearly all of it lies in the interval of one value,
 * or its deviation is below 1/500 of its mean (of normals, of the whole deviation). Stores the
 * first such component, from 0, and its mean. */
bool loom_rounded_spike(size_t *which, double *place, const struct loom_dist *dist,
                        const struct loom_rounded *values);

/* Fit the distribution that item->name names, and test it as loom_rank_fits does; item->rank stays.
 * Fails as loom_rounded_fit_by does. */
int loom_fit_judge(struct loom_ranked *item, const struct loom_rounded *values, enum loom_fit_by by,
                   uint64_t seed, struct loom_error *err);

#endif
