/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intervals.h - arrivals without burstiness, and without long-range dependence, for processes that
 * have both. Both reorder intervals, or change their counts.
 */
#ifndef LOOM_MODELS_ARRIVALS_INTERVALS_H
#define LOOM_MODELS_ARRIVALS_INTERVALS_H

#include "models/arrivals/week.h"
#include "models/model.h"

/* Where a process has no intervals of its own: that at which Hurst parameters are measured. */
enum { LOOM_INTERVAL_S = 900 };

/* Put the intervals of the draft in random order, each with its jobs. What they have in common with
 * those before and after is gone. The first one stays, so that intervals counted from the first job
 * are still these, and so does the last one, which is not whole. */
int loom_intervals_shuffle(struct loom_generation *generation, int64_t interval_s,
                           struct loom_error *err);

/* Take the times of a Poisson process of as many jobs instead, whose intervals are put in such an
 * order that its fullest are where the draft's fullest are: the memory of the process stays, and no
 * more than random numbers of jobs come in an interval. Jobs stay in their order. On the clock of a
 * week, or NULL, that stays as it is. */
int loom_intervals_calm(struct loom_generation *generation, int64_t interval_s,
                        const struct loom_week *week, struct loom_error *err);

/* What generate->without asks for of the two. Times are in order before and after. */
int loom_intervals_leave_out(struct loom_generation *generation, int64_t interval_s,
                             struct loom_error *err);

#endif
