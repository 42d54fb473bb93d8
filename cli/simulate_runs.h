/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_runs.h - several simulations of one log: each policy at each load. */
#ifndef WORKLOOM_CLI_SIMULATE_RUNS_H
#define WORKLOOM_CLI_SIMULATE_RUNS_H

#include "simulate.h"

/* Are there several policies or loads? */
bool has_several(const struct invocation *call);
/* Whether the other options go with that. */
int check_several(const struct invocation *call, struct loom_error *err);
/* Run them and tell of them. `of` has the selected jobs. */
int simulate_several(struct simulation *of, struct loom_error *err);

#endif
