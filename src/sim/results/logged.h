/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logged.h - the schedule that a log records, as a run. */
#ifndef LOOM_SIM_RESULTS_LOGGED_H
#define LOOM_SIM_RESULTS_LOGGED_H

#include <workloom/sim_results.h>

/* Create a simulator in *out that has the jobs of a log, with its starts, as if it had run them.
 * Jobs without submit time, wait, runtime or processors are left out. For functions of
 * sim_results.h; the caller must destroy it. Fails with LOOM_ENOMEM. */
int loom_sim_of_log(struct loom_sim **out, const struct loom_trace *trace, int64_t procs,
                    struct loom_error *err);

#endif
