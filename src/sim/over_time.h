/* SPDX-License-Identifier: GPL-3.0-or-later */
/* over_time.h - queue and machine over the time of a run, worked out afterwards from its jobs. */
#ifndef LOOM_SIM_OVER_TIME_H
#define LOOM_SIM_OVER_TIME_H

#include "sim/engine.h"

#include <workloom/sim_results.h>

/* From this time to that of the next step so many jobs wait. */
struct loom_step {
    int64_t time_s;
    int64_t waiting;
};

/* The queue of a run, as a new array that the caller must free: times ascend, no two neighbours are
 * alike, and the last has nobody waiting. No step if no job ever waited. */
int loom_waiting_steps(struct loom_step **out, size_t *n, const struct loom_sim *sim,
                       struct loom_error *err);

/* The part of [from_s, to_s) in the window. */
static inline int64_t loom_overlap(struct loom_sim_window window, int64_t from_s, int64_t to_s)
{
    int64_t first_s = from_s > window.from_s ? from_s : window.from_s;
    int64_t end_s = to_s < window.to_s ? to_s : window.to_s;
    return end_s > first_s ? end_s - first_s : 0;
}

/* From first submit to last end; nothing if there are no jobs. */
struct loom_sim_window loom_whole_run(const struct loom_sim *sim);

#endif
