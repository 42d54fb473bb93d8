/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/heap.h"

static int make_room(struct loom_heap *heap, uint32_t item)
{
    size_t known = heap->place_capacity;
    while (heap->place_capacity <= item)
        if (loom_grow(&heap->place, heap->place_capacity, &heap->place_capacity))
            return -1;
    if (heap->place_capacity > known)
        memset(heap->place + known, 0, (heap->place_capacity - known) * sizeof *heap->place);
    return loom_heap_reserve(heap, heap->n + 1);
}

int loom_heap_set(struct loom_heap *heap, uint32_t item, int64_t key)
{
    if (make_room(heap, item))
        return -1;
    const struct loom_heap_entry entry = {.key = key, .item = item};
    size_t at = heap->place[item] > 0 ? heap->place[item] - 1 : heap->n++;
    loom_heap_fill(heap, at, entry);
    return 0;
}

void loom_heap_clear(struct loom_heap *heap)
{
    heap->n = 0;
    if (heap->place)
        memset(heap->place, 0, heap->place_capacity * sizeof *heap->place);
}

void loom_heap_free(struct loom_heap *heap)
{
    free(heap->entries);
    free(heap->place);
    *heap = (struct loom_heap){0};
}
