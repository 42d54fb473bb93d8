/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_heap.h - jobs by the time of their next event, as the end of a running job or of its
 * estimate: a binary heap. Equal times go by `order`, then by
 * job. A zeroed struct is empty.
 */
#ifndef LOOM_SIM_INDEX_TIME_HEAP_H
#define LOOM_SIM_INDEX_TIME_HEAP_H

#include "base/vec.h"

#include <workloom/sim.h>

struct loom_time_entry {
    int64_t time_s;
    uint32_t order; /* among entries of the same time, the lowest first */
    uint32_t job;
};

struct loom_time_heap {
    struct loom_time_entry *entries; /* each entry before its children 2i + 1 and 2i + 2 */
    size_t n, capacity;
};

/* Make room for n entries: pushes up to that number cannot fail. Return -1 when out of memory. */
static inline int loom_time_heap_reserve(struct loom_time_heap *heap, size_t n)
{
    while (n > heap->capacity)
        if (loom_grow(&heap->entries, heap->capacity, &heap->capacity))
            return -1;
    return 0;
}

static inline void loom_time_heap_free(struct loom_time_heap *heap)
{
    free(heap->entries);
    *heap = (struct loom_time_heap){0};
}

/* Return the time of the first entry, LOOM_NEVER if there is none. */
static inline int64_t loom_time_heap_next(const struct loom_time_heap *heap)
{
    return heap->n ? heap->entries[0].time_s : LOOM_NEVER;
}

static inline bool loom_time_precedes(const struct loom_time_entry *a,
                                      const struct loom_time_entry *b)
{
    if (__builtin_expect(a->time_s == b->time_s, 0))
        return a->order < b->order || (a->order == b->order && a->job < b->job);
    return a->time_s < b->time_s;
}

/* Put an entry at an index, or as far above it as its time says. */
static inline void loom_time_heap_raise(struct loom_time_heap *heap, size_t at,
                                        struct loom_time_entry entry)
{
    for (; at > 0 && loom_time_precedes(&entry, &heap->entries[(at - 1) / 2]); at = (at - 1) / 2)
        heap->entries[at] = heap->entries[(at - 1) / 2];
    heap->entries[at] = entry;
}

/* Add an entry, for which there must be room. */
static inline void loom_time_heap_push(struct loom_time_heap *heap, struct loom_time_entry entry)
{
    loom_time_heap_raise(heap, heap->n++, entry);
}

/* Remove the first entry and return it. The heap must not be empty. The gap moves down to a leaf,
 * and the last entry fills it: it belongs near the bottom. */
static inline struct loom_time_entry loom_time_heap_pop(struct loom_time_heap *heap)
{
    struct loom_time_entry first = heap->entries[0];
    size_t n = --heap->n, gap = 0, child;
    while ((child = 2 * gap + 2) < n) {
        child -= loom_time_precedes(&heap->entries[child - 1], &heap->entries[child]);
        heap->entries[gap] = heap->entries[child];
        gap = child;
    }
    if (child == n && child > 0) { /* a single child */
        heap->entries[gap] = heap->entries[child - 1];
        gap = child - 1;
    }
    loom_time_heap_raise(heap, gap, heap->entries[n]);
    return first;
}

#endif
