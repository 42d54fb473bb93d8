/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs by the time of their next event: a heap with four adjacent children a node. */
#include "sim/index/time_heap.h"

#include "base/vec.h"

static bool precedes(const struct loom_time_entry *a, const struct loom_time_entry *b)
{
    /* Time and order as one number take no branch. */
    __int128 one = (__int128)((unsigned __int128)a->time_s << 64 | a->order);
    __int128 other = (__int128)((unsigned __int128)b->time_s << 64 | b->order);
    return one < other;
}

int loom_time_heap_reserve(struct loom_time_heap *heap, size_t n)
{
    while (n > heap->capacity)
        if (loom_grow(&heap->entries, heap->capacity, &heap->capacity))
            return -1;
    return 0;
}

void loom_time_heap_push(struct loom_time_heap *heap, struct loom_time_entry entry)
{
    size_t at = heap->n++;
    while (at > 0) {
        size_t parent = (at - 1) / 4;
        if (!precedes(&entry, &heap->entries[parent]))
            break;
        heap->entries[at] = heap->entries[parent];
        at = parent;
    }
    heap->entries[at] = entry;
}

/* Without branches: which child it is cannot be foreseen. */
static size_t first_child(const struct loom_time_heap *heap, size_t at)
{
    size_t first = 4 * at + 1, last = first + 4 < heap->n ? first + 4 : heap->n;
    size_t best = first;
    for (size_t child = first + 1; child < last; child++) {
        size_t is_before = precedes(&heap->entries[child], &heap->entries[best]);
        best += (child - best) & ((size_t)0 - is_before);
    }
    return best;
}

struct loom_time_entry loom_time_heap_pop(struct loom_time_heap *heap)
{
    struct loom_time_entry top = heap->entries[0], last = heap->entries[--heap->n];
    size_t at = 0;
    while (4 * at + 1 < heap->n) {
        size_t child = first_child(heap, at);
        if (!precedes(&heap->entries[child], &last))
            break;
        heap->entries[at] = heap->entries[child];
        at = child;
    }
    heap->entries[at] = last;
    return top;
}

void loom_time_heap_free(struct loom_time_heap *heap)
{
    free(heap->entries);
    *heap = (struct loom_time_heap){0};
}
