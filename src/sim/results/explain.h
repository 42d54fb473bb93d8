/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - what the explainers of one machine and of a grid share. */
#ifndef LOOM_SIM_RESULTS_EXPLAIN_H
#define LOOM_SIM_RESULTS_EXPLAIN_H

#include "sim/engine.h"

#include <workloom/sim_results.h>

/* An explainer of a job whose notes say that the grid sent it (LOOM_JOB_GRID), or that it is local
 * (0). It may watch several clusters, until the job joins one. */
int loom_explainer_create_for(struct loom_explainer **out, uint32_t row, unsigned home,
                              struct loom_error *err);

/* Find the jobs ahead of one that has just joined, in the queue's order: their numbers, and a flag
 * by number for all jobs up to it. The caller must free() both, also after a failure. */
int loom_explain_ahead(uint32_t **ahead, size_t *n_ahead, bool **is_ahead,
                       const struct loom_sim *sim, uint32_t job, struct loom_error *err);

#endif
