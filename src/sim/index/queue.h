/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.h - jobs in an order, and the question that backfilling asks of them: which is the next one
 * that fits into this gap? workloom/scheduler.h has the part that plug-ins may use.
 *
 * A zeroed struct is an empty queue in the order of submission. `jobs` is always the table that job
 * numbers are about (loom_sim_jobs). What a job asks for (procs, estimate_s) must not change while
 * it is in a queue.
 *
 * A queue of up to LOOM_BLOCK_JOBS is one sorted array, and a search scans it. Beyond that it is
 * several blocks (blocks.h), and a search passes over those where nothing can fit (least.h): queues
 * of 20,000 jobs behave nearly as log n.
 */
#ifndef LOOM_SIM_INDEX_QUEUE_H
#define LOOM_SIM_INDEX_QUEUE_H

#include "sim/index/blocks.h"

struct loom_rank;

struct loom_queue {
    const struct loom_order *order; /* NULL: as submitted */
    struct loom_job_blocks jobs;
    struct loom_least least; /* of all jobs; kept, as the blocks' own, while there are several */
    int64_t *keys; /* by job, of those in the queue; only for an order that changes with time */
    size_t keys_capacity;
    struct loom_rank *ranks; /* for putting such a queue in order */
    size_t ranks_capacity;
};

/* Free the memory of a queue that is part of something else. */
void loom_queue_free(struct loom_queue *queue);

/* Do keys change with time? */
bool loom_queue_changes(const struct loom_queue *queue);

/* loom_queue_reorder, if keys change with time. */
static inline int loom_queue_refresh(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                     int64_t now_s)
{
    return loom_queue_changes(queue) ? loom_queue_reorder(queue, jobs, now_s) : 0;
}

static inline size_t loom_queue_count(const struct loom_queue *queue)
{
    return queue->jobs.n;
}

/* The first job, or LOOM_NO_JOB. */
uint32_t loom_queue_first(const struct loom_queue *queue);

/* Is there a job of at most this many processors? */
bool loom_queue_has_width(const struct loom_queue *queue, int64_t procs);

static inline struct loom_cursor loom_queue_before_first(void)
{
    return (struct loom_cursor){0};
}

/* ---- jobs alike: those of one key, where an order puts jobs into groups ---------------------- */

/* Before all jobs of this key. */
struct loom_cursor loom_queue_before_key(double key);
/* loom_queue_next_fit as far as jobs have the cursor's key. */
uint32_t loom_queue_next_fit_alike(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                   struct loom_cursor *cursor, const struct loom_gap_fit *fit);
/* Lower `least` by what they ask for, as far as they are in the bands from `from` to before `to`.
 */
void loom_queue_lower_alike(const struct loom_queue *queue, const struct loom_cursor *cursor,
                            unsigned from, unsigned to, struct loom_least *least);

#endif
