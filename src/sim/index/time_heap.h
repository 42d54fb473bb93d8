/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_heap.h - jobs by the time of their next event, as a running job's end or the end of its
 * estimate. Equal times go by `order`. A zeroed struct is empty.
 */
#ifndef LOOM_SIM_INDEX_TIME_HEAP_H
#define LOOM_SIM_INDEX_TIME_HEAP_H

#include <workloom/sim.h>

struct loom_time_entry {
    int64_t time_s;
    uint32_t order; /* among entries of the same time, the lowest first */
    uint32_t job;
};

struct loom_time_heap {
    struct loom_time_entry *entries; /* each entry before its four children 4i + 1 .. 4i + 4 */
    size_t n, capacity;
};

/* Make room for n entries: pushes up to that number cannot fail. Returns -1 when memory is out. */
int loom_time_heap_reserve(struct loom_time_heap *heap, size_t n);
void loom_time_heap_push(struct loom_time_heap *heap, struct loom_time_entry entry);
struct loom_time_entry loom_time_heap_pop(struct loom_time_heap *heap);
void loom_time_heap_free(struct loom_time_heap *heap);

static inline int64_t loom_time_heap_next(const struct loom_time_heap *heap)
{
    return heap->n ? heap->entries[0].time_s : LOOM_NEVER;
}

#endif
