/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantt.h - the parts of a Gantt chart, for one machine and for the clusters of a grid. */
#ifndef LOOM_SIM_RESULTS_GANTT_H
#define LOOM_SIM_RESULTS_GANTT_H

#include "sim/engine.h"

#include <workloom/sim_results.h>

/* Count the jobs that run in a window; check that a chart can show so many. */
size_t loom_gantt_jobs(const struct loom_sim *sim, struct loom_sim_window window);
int loom_gantt_check(size_t jobs, struct loom_error *err);
/* As loom_gantt_create, of any number of jobs, also none. */
int loom_gantt_draw(struct loom_gantt **out, const struct loom_sim *sim,
                    struct loom_sim_window window, struct loom_error *err);

#endif
