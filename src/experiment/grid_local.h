/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_local.h - the local jobs of a grid's clusters, for one run. */
#ifndef LOOM_EXPERIMENT_GRID_LOCAL_H
#define LOOM_EXPERIMENT_GRID_LOCAL_H

#include "experiment/run.h"
#include "experiment/system.h"

/* Make the local jobs of all clusters that have a model, anew: each has a workload of its own,
 * about as long as the grid's jobs are submitted. */
int loom_make_local_jobs(struct loom_grid_run *run, const struct loom_trace *jobs,
                         const struct loom_scenario *scenario, struct loom_error *err);
/* Let each log of local jobs begin with the grid's jobs, unless the platform shifts it. */
void loom_align_local_logs(struct loom_grid_run *run, const struct loom_trace *jobs);

#endif
