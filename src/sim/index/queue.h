/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.h - jobs in an order, and the question that backfilling asks of them: which is the next one
 * that fits into this gap? workloom/scheduler.h has the part that plug-ins may use.
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
#include "sim/index/tree.h"

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

/* Free the memory of a queue that is part of something else. */
void loom_queue_free(struct loom_queue *queue);

/* loom_queue_reorder, if keys change with time. */
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

/* Where there is a job. */
static inline struct loom_cursor loom_cursor_at(const struct loom_queue *queue,
                                                struct loom_place place)
{
    return (struct loom_cursor){
        .inside = true,
        .job = queue->tree.more[place.leaf].tie[place.at],
        .key = queue->tree.nodes[place.leaf].leaf.key[place.at],
        .leaf = place.leaf,
        .at = place.at,
    };
}

static inline struct loom_cursor loom_queue_before_first(void)
{
    return (struct loom_cursor){0};
}

/* loom_queue_next for a cursor that has come to a job since the queue last changed. */
static inline uint32_t loom_queue_step(const struct loom_queue *queue, struct loom_cursor *cursor)
{
    struct loom_place place =
        loom_tree_next(&queue->tree, (struct loom_place){cursor->leaf, cursor->at});
    if (place.leaf == LOOM_NO_NODE)
        return LOOM_NO_JOB;
    *cursor = loom_cursor_at(queue, place);
    return cursor->job;
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
