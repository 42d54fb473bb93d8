/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.h - jobs sorted by (key, job number), and the question that backfilling asks of them: which
 * is the next one that fits this gap? workloom/scheduler.h has the part that plug-ins may use.
 *
 * A zeroed struct is an empty queue in the order of submission. `jobs` is always the table that job
 * numbers refer to (loom_sim_jobs). What a job asks for (procs, estimate_s) must not change while
 * it is in a queue.
 *
 * Up to LOOM_BLOCK_JOBS jobs are one sorted array, and a search reads it in order. Longer queues
 * are a list of such blocks, each with a summary of its jobs (least.h), and a search skips blocks
 * in which nothing can fit. A summary is lowered when a job is added. It is raised, after jobs have
 * left, when a search has followed it in vain.
 */
#ifndef LOOM_SIM_INDEX_QUEUE_H
#define LOOM_SIM_INDEX_QUEUE_H

#include "sim/index/least.h"

#include <stddef.h>

enum { LOOM_BLOCK_JOBS = 128 };

struct loom_queue_entry {
    int64_t key;
    int64_t estimate_s;
    int32_t procs;
    uint32_t job;
};

struct loom_block {
    struct loom_queue_entry *entries; /* in room, as the first job is removed without a copy */
    uint32_t n;                       /* at least 1 if there are several blocks */
    struct loom_queue_entry room[LOOM_BLOCK_JOBS];
    bool outdated; /* a job has left since it was summarized: least may promise too much */
    struct loom_least least; /* of its jobs, while there are several blocks */
};

struct loom_queue {
    const struct loom_order *order; /* NULL: order of submission */
    struct loom_block **blocks;     /* n_blocks in use, then n_allocated - n_blocks spare */
    size_t n_blocks, n_allocated, capacity;
    size_t n;                /* jobs */
    int32_t narrowest;       /* fewest processors of a job */
    size_t n_narrowest;      /* jobs known to have so few; if none, they may be more */
    struct loom_least least; /* of all jobs, and perhaps of some that left; as for a block */
    int64_t *keys;           /* by job in the queue; only for an order that changes with time */
    size_t keys_capacity;
    struct loom_queue_entry *sorted; /* scratch for sorting such a queue */
    size_t sorted_capacity;
};

/* Free the memory of a queue that is part of something else. */
void loom_queue_free(struct loom_queue *queue);

/* Return whether keys change with time. */
static inline bool loom_queue_changes(const struct loom_queue *queue)
{
    return queue->order && queue->order->info.changes;
}

/* loom_queue_reorder, if keys change with time. */
static inline int loom_queue_refresh(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                     int64_t now_s)
{
    return loom_queue_changes(queue) ? loom_queue_reorder(queue, jobs, now_s) : 0;
}

static inline size_t loom_queue_count(const struct loom_queue *queue)
{
    return queue->n;
}

/* Return the first job, LOOM_NO_JOB if the queue is empty. */
static inline uint32_t loom_queue_first(const struct loom_queue *queue)
{
    return queue->n > 0 ? queue->blocks[0]->entries[0].job : LOOM_NO_JOB;
}

/* A place in a queue, until jobs are added. */
struct loom_queue_slot {
    size_t block; /* behind the last job: n_blocks */
    uint32_t at;
};

/* Return the slot of a job. */
struct loom_queue_slot loom_queue_slot(const struct loom_queue *queue,
                                       const struct loom_sim_job *jobs, uint32_t job);
static inline uint32_t loom_queue_job(const struct loom_queue *queue, struct loom_queue_slot slot)
{
    return queue->blocks[slot.block]->entries[slot.at].job;
}
/* Move a slot to the first job from there on that fits a gap. Return false if there is none. */
bool loom_queue_find_fit(struct loom_queue *queue, struct loom_queue_slot *slot,
                         const struct loom_gap *gap);
/* Remove the job of a slot, which is then the slot of the next job, if there is one. */
void loom_queue_remove_slot(struct loom_queue *queue, struct loom_queue_slot slot);

/* Return the fewest processors of a job; the queue must not be empty. */
int32_t loom_queue_find_narrowest(struct loom_queue *queue);

/* Return whether there is a job of at most this many processors. */
static inline bool loom_queue_has_width(struct loom_queue *queue, int64_t procs)
{
    return queue->n > 0 && queue->narrowest <= procs &&
           (queue->n_narrowest > 0 || loom_queue_find_narrowest(queue) <= procs);
}

static inline struct loom_cursor loom_queue_before_first(void)
{
    return (struct loom_cursor){0};
}

/* ---- jobs of one key, where an order puts jobs into groups ----------------------------------- */

/* Return a cursor before all jobs of this key. */
struct loom_cursor loom_queue_before_key(double key);
/* loom_queue_next_fit among the jobs that have the cursor's key. */
uint32_t loom_queue_next_fit_alike(const struct loom_queue *queue, struct loom_cursor *cursor,
                                   const struct loom_gap *gap);
/* Include the jobs that have the cursor's key in a summary. */
void loom_queue_summarize_alike(const struct loom_queue *queue, const struct loom_cursor *cursor,
                                struct loom_least *least);

#endif
