/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backlog.h - long queues in runs that are not saturated, which reports mention. */
#ifndef LOOM_SIM_RESULTS_BACKLOG_H
#define LOOM_SIM_RESULTS_BACKLOG_H

#include <workloom/sim_results.h>

enum { LOOM_BACKLOG_LONG = 4 }; /* weeks */

/* Return whether a run is not saturated but has a backlog of LOOM_BACKLOG_LONG weeks or more. */
bool loom_sim_had_backlog(const struct loom_sim_metrics *metrics);

#endif
