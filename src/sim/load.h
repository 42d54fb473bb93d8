/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - the steps of a change of load. */
#ifndef LOOM_SIM_LOAD_H
#define LOOM_SIM_LOAD_H

#include <workloom/sim.h>

/* Change a trace as loom_load_change does, without the note in the header. */
int loom_load_vary(struct loom_load_change *out, struct loom_trace *trace, int64_t procs,
                   double load, enum loom_load_way way, struct loom_error *err);
/* Add a note on a change to the header of a trace; `load` is what was changed, "load of the grid".
 * Fails with LOOM_ENOMEM. */
int loom_load_note(struct loom_trace *trace, const char *load,
                   const struct loom_load_change *change, struct loom_error *err);

/* Return whether the load reached differs from the one asked for by more than 1 %. */
bool loom_load_missed(const struct loom_load_change *change);

#endif
