/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs in an order: a sorted array. */
#include "sim/queue.h"

#include "base/vec.h"

static bool precedes(struct loom_queued a, struct loom_queued b)
{
    return a.key < b.key || (a.key == b.key && a.job < b.job);
}

static double key_of(const struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                     int64_t now_s)
{
    return queue->order && queue->order->key ? queue->order->key(&jobs[job], job, now_s) : 0;
}

/* The first place that does not stand before `item`. */
static size_t find(const struct loom_queue *queue, struct loom_queued item)
{
    size_t low = 0, high = queue->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (precedes(queue->items[middle], item))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void loom_queue_reset(struct loom_queue *queue, const struct loom_order *order)
{
    queue->order = order;
    queue->n = 0;
}

void loom_queue_free(struct loom_queue *queue)
{
    free(queue->items);
    *queue = (struct loom_queue){0};
}

int loom_queue_add(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                   int64_t now_s)
{
    if (loom_grow(&queue->items, queue->n, &queue->capacity))
        return -1;
    struct loom_queued item = {key_of(queue, jobs, job, now_s), job};
    size_t at = find(queue, item);
    memmove(queue->items + at + 1, queue->items + at, (queue->n++ - at) * sizeof item);
    queue->items[at] = item;
    return 0;
}

static size_t place_of(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                       uint32_t job)
{
    if (!queue->order || !queue->order->info.changes)
        return find(queue, (struct loom_queued){key_of(queue, jobs, job, 0), job});
    size_t at = 0;
    while (queue->items[at].job != job)
        at++;
    return at;
}

void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job)
{
    size_t at = place_of(queue, jobs, job);
    memmove(queue->items + at, queue->items + at + 1, (--queue->n - at) * sizeof *queue->items);
}

static int compare(const void *left, const void *right)
{
    const struct loom_queued *a = left, *b = right;
    return precedes(*b, *a) - precedes(*a, *b);
}

void loom_queue_refresh(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    if (!queue->order || !queue->order->info.changes || queue->n == 0)
        return;
    for (size_t i = 0; i < queue->n; i++)
        queue->items[i].key = key_of(queue, jobs, queue->items[i].job, now_s);
    qsort(queue->items, queue->n, sizeof *queue->items, compare);
}

uint32_t loom_queue_first(const struct loom_queue *queue)
{
    return queue->n ? queue->items[0].job : LOOM_NO_JOB;
}

struct loom_cursor loom_queue_at(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                 uint32_t job)
{
    size_t at = place_of(queue, jobs, job);
    return (struct loom_cursor){queue->items[at].key, job};
}

struct loom_cursor loom_queue_before_first(void)
{
    return (struct loom_cursor){-1e308, 0};
}

uint32_t loom_queue_next_fit(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                             struct loom_cursor *cursor, const struct loom_gap *gap)
{
    struct loom_queued from = {cursor->key, cursor->job + 1};
    for (size_t at = find(queue, from); at < queue->n; at++)
        if (!gap || loom_gap_fits(gap, &jobs[queue->items[at].job])) {
            *cursor = (struct loom_cursor){queue->items[at].key, queue->items[at].job};
            return cursor->job;
        }
    return LOOM_NO_JOB;
}

uint32_t loom_queue_next(const struct loom_queue *queue, struct loom_cursor *cursor)
{
    return loom_queue_next_fit(queue, NULL, cursor, NULL);
}
