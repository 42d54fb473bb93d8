/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.h - waiting jobs on their way to a threshold of the expansion factor. With a threshold of
 * 1 + x, a job passes it when its wait exceeds x times its estimate, at submit + x * estimate. The
 * question is which jobs have passed, while x changes from time to time, mostly by little.
 *
 * Each block of jobs knows which of its jobs passes first, and the range of x for which none of the
 * blocks below it has another first one. Only where x has left that range must a block be looked
 * into again (a kinetic tournament).
 */
#ifndef LOOM_SCHED_SUPPORT_RACE_H
#define LOOM_SCHED_SUPPORT_RACE_H

#include "sched/support/tiers.h"

#include <workloom/sim.h>

struct loom_race {
    struct loom_tiers tiers;
    bool *runs; /* by job */
    size_t capacity;
};

/* No jobs. Memory of an earlier use is kept. */
void loom_race_open(struct loom_race *race);
void loom_race_free(struct loom_race *race);

/* 0, or -1 when memory is out. */
int loom_race_add(struct loom_race *race, uint32_t job);
void loom_race_remove(struct loom_race *race, uint32_t job);

/* The first job, from a number on, whose expansion factor (wait + estimate) / estimate exceeds the
 * threshold, which is at least 1. LOOM_NO_JOB if there is none. */
uint32_t loom_race_next(struct loom_race *race, const struct loom_sim_job *jobs, uint32_t from,
                        double threshold, int64_t now_s);

#endif
