/* SPDX-License-Identifier: GPL-3.0-or-later */
/* over_time.h - queue and machine over the time of a run, computed from its jobs. */
#ifndef LOOM_SIM_RESULTS_OVER_TIME_H
#define LOOM_SIM_RESULTS_OVER_TIME_H

#include "sim/engine.h"

#include <workloom/sim_results.h>

/* Number of waiting jobs from this time to the next step. */
struct loom_queue_step {
    int64_t time_s;
    int64_t waiting;
};

/* Iterator over the queue length of a run: times ascend, successive lengths differ, and the last is
 * 0. There is no step if no job waited. */
struct loom_queue_walk {
    const struct loom_sim *sim;
    int64_t *starts; /* of the jobs that waited, ascending */
    size_t n_starts, started;
    size_t job; /* the next to join */
    int64_t waiting;
};

/* Open an iterator, which must be closed, also after a failure. */
int loom_queue_walk_open(struct loom_queue_walk *walk, const struct loom_sim *sim,
                         struct loom_error *err);
void loom_queue_walk_close(struct loom_queue_walk *walk);
/* Store the next step; false after the last. */
bool loom_queue_walk_next(struct loom_queue_walk *walk, struct loom_queue_step *out);

/* Return the length of [from_s, to_s) within the window. */
int64_t loom_overlap(struct loom_sim_window window, int64_t from_s, int64_t to_s);

/* Return the window from first submit to last end; empty if there are no jobs. */
struct loom_sim_window loom_whole_run(const struct loom_sim *sim);

#endif
