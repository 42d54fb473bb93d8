/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limits.h - limits on what a user has in the queue and on the machine at once. A job that would
 * exceed its user's limit is held here; it joins the queue when earlier jobs of the user have
 * ended. Queued jobs count, so that no pass of a policy can exceed a limit.
 */
#ifndef LOOM_SIM_LIMITS_H
#define LOOM_SIM_LIMITS_H

#include "base/map.h"

#include <workloom/sim.h>

/* A job that is held back. */
struct loom_held {
    struct loom_sim_job job;
    struct loom_job_view view; /* for an estimator */
    int64_t stamp_s;           /* when it was submitted */
    uint32_t next;             /* of the same user, LOOM_NO_JOB if none */
};

struct loom_limited_user {
    int64_t jobs, procs;         /* in use */
    int64_t jobs_max, procs_max; /* limits; 0: none */
    uint32_t first, last;        /* held jobs; LOOM_NO_JOB if none */
};

/* A zeroed one has no limits. */
struct loom_limits {
    const struct loom_user_limits *rule; /* NULL: none */
    struct loom_map users;               /* user to index */
    struct loom_limited_user *list;
    size_t list_capacity;
    struct loom_held *held;
    size_t held_capacity, n_slots;
    uint32_t free_slot; /* LOOM_NO_JOB if none */
    size_t n_held;
};

/* Forget all users and jobs, and set the rule; NULL also frees all memory. Fails with LOOM_ERANGE
 * for a negative limit, or users that are not ascending. */
int loom_limits_set(struct loom_limits *limits, const struct loom_user_limits *rule,
                    struct loom_error *err);
void loom_limits_free(struct loom_limits *limits);

/* Take a submitted job: *join is true if it may join the queue now, and it then counts; otherwise a
 * copy is held. */
int loom_limits_submit(struct loom_limits *limits, const struct loom_held *what, bool *join,
                       struct loom_error *err);
/* Note that a job has ended. */
void loom_limits_end(struct loom_limits *limits, const struct loom_sim_job *job);
/* Take out the next held job of a user that may join now, which then counts; false if there is
 * none. */
bool loom_limits_next(struct loom_limits *limits, int32_t user, struct loom_held *out);

#endif
