/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tournament.h - waiting jobs by when they exceed a threshold of the expansion factor. With a
 * threshold of 1 + x, a job exceeds it when its wait exceeds x times its estimate, at
 * submit + x * estimate. The question is which jobs have, while x changes, mostly by little.
 *
 * A kinetic tournament: each block of jobs has the job that is first to exceed it, and the range of
 * x for which none of the blocks below has another first one. Only where x has left that range is a
 * block computed again.
 */
#ifndef LOOM_SCHED_SUPPORT_TOURNAMENT_H
#define LOOM_SCHED_SUPPORT_TOURNAMENT_H

#include "sched/support/block_tree.h"

#include <workloom/sim.h>

struct loom_tournament {
    struct loom_block_tree tree;
    bool *waiting; /* by job */
    size_t capacity;
};

/* Delete all jobs. Memory is kept. */
void loom_tournament_open(struct loom_tournament *tournament);
void loom_tournament_free(struct loom_tournament *tournament);

/* Add a waiting job, or remove it. 0, or -1 if out of memory. */
int loom_tournament_add(struct loom_tournament *tournament, uint32_t job);
void loom_tournament_remove(struct loom_tournament *tournament, uint32_t job);

/* Return the first job, from a number on, whose expansion factor (wait + estimate) / estimate
 * exceeds the threshold, which is at least 1. LOOM_NO_JOB if there is none. */
uint32_t loom_tournament_next(struct loom_tournament *tournament, const struct loom_sim_job *jobs,
                              uint32_t from, double threshold, int64_t now_s);

#endif
