/* SPDX-License-Identifier: GPL-3.0-or-later */
/* saturation.h - whether a run kept up with its jobs, and long queues in runs that did. */
#ifndef LOOM_SIM_RESULTS_SATURATION_H
#define LOOM_SIM_RESULTS_SATURATION_H

#include <workloom/sim_results.h>

enum { LOOM_BACKLOG_LONG = 4 }; /* weeks */

/* Fill in the verdict on saturation and the slopes behind it. */
int loom_sim_judge(struct loom_sim_metrics *out, const struct loom_sim *sim,
                   struct loom_error *err);

/* Return whether a run is not saturated but has a backlog of LOOM_BACKLOG_LONG weeks or more. */
bool loom_sim_had_backlog(const struct loom_sim_metrics *metrics);

/* Return a growth to show, in jobs a week: rounding errors are 0. */
static inline double loom_growth_shown(double growth)
{
    return growth < 1e-9 && growth > -1e-9 ? 0 : growth;
}

#endif
