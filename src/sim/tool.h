/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what sim has for the command beyond the public interface. */
#ifndef LOOM_SIM_TOOL_H
#define LOOM_SIM_TOOL_H

#include <workloom/sim_grid.h>

#define LOOM_SHIFT_MOST (INT64_C(1) << 40) /* largest shift_s of a cluster, either sign */

/* Return whether a trace has the note of loom_grid_schedule or loom_grid_schedule_local: it has
 * only part of the jobs that ran, so it cannot be checked against a policy. */
bool loom_grid_made(const struct loom_trace *trace);

#endif
