/* SPDX-License-Identifier: GPL-3.0-or-later */
/* over_time.h - queue and machine over the time of a run, worked out afterwards from its jobs. */
#ifndef LOOM_SIM_RESULTS_OVER_TIME_H
#define LOOM_SIM_RESULTS_OVER_TIME_H

#include "sim/engine.h"

#include <workloom/sim_results.h>

/* From this time to the next step's so many jobs wait. */
struct loom_queue_step {
    int64_t time_s;
    int64_t waiting;
};

/* The queue of a run from step to step: times ascend, no two neighbours are alike, and the last has
 * nobody waiting. No step if no job ever waited. */
struct loom_queue_walk {
    const struct loom_sim *sim;
    int64_t *starts; /* of the jobs that waited, ascending */
    size_t n_starts, started;
    size_t job; /* the next to join */
    int64_t waiting;
};

/* To be closed; one whose opening failed may be. */
int loom_queue_walk_open(struct loom_queue_walk *walk, const struct loom_sim *sim,
                         struct loom_error *err);
void loom_queue_walk_close(struct loom_queue_walk *walk);
/* False behind the last. */
bool loom_queue_walk_next(struct loom_queue_walk *walk, struct loom_queue_step *out);

/* The part of [from_s, to_s) in the window. */
int64_t loom_overlap(struct loom_sim_window window, int64_t from_s, int64_t to_s);

/* From first submit to last end; nothing if there are no jobs. */
struct loom_sim_window loom_whole_run(const struct loom_sim *sim);

#endif
