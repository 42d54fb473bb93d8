/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.h - jobs in an order, and the question that backfilling asks of them: which is the next one
 * that fits into this gap?
 *
 * A zeroed struct is an empty queue in the order of submission. `jobs` is always the table that job
 * numbers are about (loom_sim_jobs). What a job asks for (procs, estimate_s) must not change while
 * it is in a queue.
 *
 * Adding, removing, finding a place and the next fit take time that grows with the logarithm of the
 * number of jobs; queue.c says how nearly.
 */
#ifndef LOOM_SIM_INDEX_QUEUE_H
#define LOOM_SIM_INDEX_QUEUE_H

#include "sim/index/least.h"
#include "sim/index/order.h"
#include "sim/index/tree.h"

static inline bool loom_gap_fits(const struct loom_gap *gap, const struct loom_sim_job *job)
{
    return job->procs <= gap->procs &&
           (job->estimate_s <= gap->length_s || job->procs <= gap->spare);
}

struct loom_rank;

struct loom_queue {
    const struct loom_order *order; /* NULL: as submitted */
    struct loom_tree tree;
    struct loom_least *least; /* by node, of the jobs below it */
    size_t least_capacity;
    int64_t *keys; /* by job, of those in the queue; only for an order that changes with time */
    size_t keys_capacity;
    struct loom_rank *ranks; /* for putting such a queue in order */
    size_t ranks_capacity;
};

/* Forget all jobs, take this order, keep the memory. */
void loom_queue_reset(struct loom_queue *queue, const struct loom_order *order);
void loom_queue_free(struct loom_queue *queue);

/* 0, or -1 when memory is out. */
int loom_queue_add(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                   int64_t now_s);
/* The job must be in the queue. */
void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job);
/* Work out all keys anew. 0, or -1 when memory is out. */
int loom_queue_reorder(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s);
/* The same, if they change with time. */
static inline int loom_queue_refresh(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                     int64_t now_s)
{
    bool changes = queue->order && queue->order->info.changes;
    return changes ? loom_queue_reorder(queue, jobs, now_s) : 0;
}

static inline size_t loom_queue_count(const struct loom_queue *queue)
{
    return queue->tree.n;
}

/* The first job, or LOOM_NO_JOB. */
static inline uint32_t loom_queue_first(const struct loom_queue *queue)
{
    struct loom_place first = loom_tree_first(&queue->tree);
    return first.leaf == LOOM_NO_NODE ? LOOM_NO_JOB : queue->tree.more[first.leaf].tie[0];
}

/* Is there a job of at most this many processors? */
bool loom_queue_has_width(const struct loom_queue *queue, int64_t procs);

/* A place in a queue, which stays valid when the job there, or any other, is removed. A zeroed one
 * stands before all. */
struct loom_cursor {
    bool inside;
    uint32_t job;
    int64_t key;
    struct loom_place hint; /* where the job stood when last seen */
};

/* Where there is a job. */
static inline struct loom_cursor loom_cursor_at(const struct loom_queue *queue,
                                                struct loom_place place)
{
    return (struct loom_cursor){
        .inside = true,
        .job = queue->tree.more[place.leaf].tie[place.at],
        .key = queue->tree.nodes[place.leaf].leaf.key[place.at],
        .hint = place,
    };
}

static inline struct loom_cursor loom_queue_before_first(void)
{
    return (struct loom_cursor){0};
}

/* The place of a job of the queue. */
struct loom_cursor loom_queue_at(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                 uint32_t job);
/* The next job behind the cursor, or the next one that fits the gap; the cursor moves there.
 * LOOM_NO_JOB if there is none. */
uint32_t loom_queue_next(const struct loom_queue *queue, struct loom_cursor *cursor);
/* loom_queue_next for a cursor that has come to a job since the queue last changed. */
static inline uint32_t loom_queue_step(const struct loom_queue *queue, struct loom_cursor *cursor)
{
    struct loom_place place = loom_tree_next(&queue->tree, cursor->hint);
    if (place.leaf == LOOM_NO_NODE)
        return LOOM_NO_JOB;
    *cursor = loom_cursor_at(queue, place);
    return cursor->job;
}
uint32_t loom_queue_next_fit(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                             struct loom_cursor *cursor, const struct loom_gap *gap);

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
