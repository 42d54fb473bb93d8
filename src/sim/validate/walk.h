/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate/walk.h - a walk through the instants of a schedule. At each, in this order, jobs end,
 * jobs outlive their estimates, jobs are submitted and jobs start; the profile gives what is free
 * by the estimates.
 */
#ifndef LOOM_SIM_VALIDATE_WALK_H
#define LOOM_SIM_VALIDATE_WALK_H

#include "base/heap.h"
#include "sim/index/profile.h"
#include "sim/validate/validate.h"

struct loom_walk {
    const struct loom_played *played;
    struct loom_profile profile;      /* what runs now, by its estimates */
    struct loom_heap overdue;         /* when the estimates of running jobs are over too soon */
    int64_t *expected_s;              /* by job: when it ends by its estimate */
    size_t submitted, started, ended; /* how many jobs have */
    int64_t now_s;
};

int loom_walk_open(struct loom_walk *walk, const struct loom_played *played,
                   struct loom_error *err);
/* Fails if memory ran out on the way. */
int loom_walk_close(struct loom_walk *walk, struct loom_error *err);

/* Advance to the next instant; false if there is none. */
bool loom_walk_on(struct loom_walk *walk);
/* End the jobs that end now. Returns whether one of them has a length. */
bool loom_walk_ends(struct loom_walk *walk);
/* Extend the estimates that jobs outlive now. Returns whether there are any. */
bool loom_walk_extend(struct loom_walk *walk);
/* Submit the jobs of this instant. Returns how many were submitted before. */
size_t loom_walk_submissions(struct loom_walk *walk);
void loom_walk_start(struct loom_walk *walk, uint32_t job);
/* Return the first waiting job by submission, from this one on. */
size_t loom_walk_first_waiting(const struct loom_walk *walk, size_t from);

/* A job of no length has its processors for no time, and is never booked. */
static inline bool loom_has_length(const struct loom_ran *job)
{
    return job->end_s > job->start_s;
}

#endif
