/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - a machine in parts: simulations of their own on one clock. */
#ifndef LOOM_SIM_PARTS_H
#define LOOM_SIM_PARTS_H

#include "sim/replay.h"

/* Return the processors of all parts. */
int64_t loom_parts_procs(const struct loom_parts *parts);
/* Simulate the jobs of a replay on the parts of the options; the results are for all parts
 * together, in sim. Fails as loom_sim_run does, with LOOM_ERANGE for parts without processors, and
 * with LOOM_EUSAGE for observers, which would see several machines. */
int loom_sim_run_parts(struct loom_sim *sim, const struct loom_sim_options *options,
                       const struct loom_replay *replay, struct loom_error *err);

#endif
