/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * backfill.h - what the policies in EASY's family share: the gap that a reservation of the first
 * job leaves to the others, and a job started in it.
 */
#ifndef LOOM_SCHED_SUPPORT_BACKFILL_H
#define LOOM_SCHED_SUPPORT_BACKFILL_H

#include "sim/scheduler.h"

/* The earliest time at which a job could start by the estimates of the running ones. */
int64_t loom_shadow_s(struct loom_sim *sim, uint32_t job);

/* What is left to others now if `first` shall be able to start at reserved_s, which is its shadow
 * time or later. Observers are told of the reservation. */
struct loom_gap loom_gap_beside(struct loom_sim *sim, uint32_t first, int64_t reserved_s);

/* Start a job that fits the gap, and leave the rest of it. */
void loom_backfill(struct loom_sim *sim, struct loom_gap *gap, uint32_t job);

/* Start the jobs behind `first`, in the queue's order, that fit the gap. */
void loom_backfill_behind(struct loom_sim *sim, struct loom_gap *gap, uint32_t first);
/* Start the jobs of another queue that fit the gap, in that queue's order. Started jobs leave it.
 */
void loom_backfill_from(struct loom_sim *sim, struct loom_gap *gap, struct loom_queue *queue);

#endif
