/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running jobs by what comes next: a heap with four children a node, which lie together in memory.
 */
#include "sim/index/ends.h"

#include "base/vec.h"

static bool precedes(const struct loom_end *a, const struct loom_end *b)
{
    return (a->time_s < b->time_s) | ((a->time_s == b->time_s) & (a->started < b->started));
}

int loom_ends_reserve(struct loom_ends *ends, size_t n)
{
    while (n > ends->capacity)
        if (loom_grow(&ends->heap, ends->capacity, &ends->capacity))
            return -1;
    return 0;
}

void loom_ends_push(struct loom_ends *ends, struct loom_end end)
{
    size_t at = ends->n++;
    while (at > 0) {
        size_t parent = (at - 1) / 4;
        if (!precedes(&end, &ends->heap[parent]))
            break;
        ends->heap[at] = ends->heap[parent];
        at = parent;
    }
    ends->heap[at] = end;
}

/* Without branches: which child it is cannot be foreseen. */
static size_t first_child(const struct loom_ends *ends, size_t at)
{
    size_t first = 4 * at + 1, last = first + 4 < ends->n ? first + 4 : ends->n;
    size_t best = first;
    for (size_t child = first + 1; child < last; child++) {
        size_t is_before = precedes(&ends->heap[child], &ends->heap[best]);
        best += (child - best) & ((size_t)0 - is_before);
    }
    return best;
}

struct loom_end loom_ends_pop(struct loom_ends *ends)
{
    struct loom_end top = ends->heap[0], last = ends->heap[--ends->n];
    size_t at = 0;
    while (4 * at + 1 < ends->n) {
        size_t child = first_child(ends, at);
        if (!precedes(&ends->heap[child], &last))
            break;
        ends->heap[at] = ends->heap[child];
        at = child;
    }
    ends->heap[at] = last;
    return top;
}

void loom_ends_free(struct loom_ends *ends)
{
    free(ends->heap);
    *ends = (struct loom_ends){0};
}
