/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap.h - a priority queue: a binary heap of entries by key, then order, then item. A zeroed
 * struct is empty.
 *
 * Entries are either pushed, or set: loom_heap_set() gives an item its only entry, or changes the
 * key of the one it has. One heap must not have both.
 */
#ifndef LOOM_BASE_HEAP_H
#define LOOM_BASE_HEAP_H

#include "base/vec.h"

#include <stdbool.h>

struct loom_heap_entry {
    int64_t key;
    uint32_t order; /* of entries with equal keys, the lowest first */
    uint32_t item;
};

struct loom_heap {
    struct loom_heap_entry *entries; /* each before its children 2i + 1 and 2i + 2 */
    size_t n, capacity;
    uint32_t *place; /* by item: 1 + its index in entries, 0 if it has none; NULL before any set */
    size_t place_capacity;
};

/* Make room for n entries: pushes up to that number cannot fail. Return -1 when out of memory. */
static inline int loom_heap_reserve(struct loom_heap *heap, size_t n)
{
    while (n > heap->capacity)
        if (loom_grow(&heap->entries, heap->capacity, &heap->capacity))
            return -1;
    return 0;
}

/* Give an item an entry of this key and order 0, in place of the one it has, if any. Return -1 when
 * out of memory. */
int loom_heap_set(struct loom_heap *heap, uint32_t item, int64_t key);
/* Remove all entries; keeps the memory. */
void loom_heap_clear(struct loom_heap *heap);
void loom_heap_free(struct loom_heap *heap);

/* Return the key of the first entry, INT64_MAX if there is none. */
static inline int64_t loom_heap_next(const struct loom_heap *heap)
{
    return heap->n > 0 ? heap->entries[0].key : INT64_MAX;
}

static inline bool loom_heap_precedes(const struct loom_heap_entry *a,
                                      const struct loom_heap_entry *b)
{
    if (__builtin_expect(a->key == b->key, 0))
        return a->order < b->order || (a->order == b->order && a->item < b->item);
    return a->key < b->key;
}

static inline void loom_heap_put(struct loom_heap *heap, size_t at, struct loom_heap_entry entry)
{
    heap->entries[at] = entry;
    if (heap->place)
        heap->place[entry.item] = (uint32_t)at + 1;
}

/* Put an entry at an index, or as far above it as it belongs. */
static inline void loom_heap_raise(struct loom_heap *heap, size_t at, struct loom_heap_entry entry)
{
    for (; at > 0 && loom_heap_precedes(&entry, &heap->entries[(at - 1) / 2]); at = (at - 1) / 2)
        loom_heap_put(heap, at, heap->entries[(at - 1) / 2]);
    loom_heap_put(heap, at, entry);
}

/* Fill the gap at an index with what is below it and, where that ends, with an entry: it belongs
 * near the bottom. */
static inline void loom_heap_fill(struct loom_heap *heap, size_t gap, struct loom_heap_entry entry)
{
    size_t child;
    while ((child = 2 * gap + 2) < heap->n) {
        child -= loom_heap_precedes(&heap->entries[child - 1], &heap->entries[child]);
        loom_heap_put(heap, gap, heap->entries[child]);
        gap = child;
    }
    if (child == heap->n) { /* a single child */
        loom_heap_put(heap, gap, heap->entries[child - 1]);
        gap = child - 1;
    }
    loom_heap_raise(heap, gap, entry);
}

/* Add an entry, for which there must be room. */
static inline void loom_heap_push(struct loom_heap *heap, struct loom_heap_entry entry)
{
    loom_heap_raise(heap, heap->n++, entry);
}

/* Remove the first entry and return it. The heap must not be empty. */
static inline struct loom_heap_entry loom_heap_pop(struct loom_heap *heap)
{
    struct loom_heap_entry first = heap->entries[0];
    if (--heap->n > 0)
        loom_heap_fill(heap, 0, heap->entries[heap->n]);
    if (heap->place)
        heap->place[first.item] = 0;
    return first;
}

#endif
