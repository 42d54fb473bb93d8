/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running jobs by time: what goes from the array to the heap, and back. */
#include "sim/index/ends.h"

enum { HALF = LOOM_ENDS_SORTED / 2 };

void loom_ends_spill(struct loom_ends *ends)
{
    for (size_t i = 0; i < HALF; i++)
        loom_heap_push(&ends->later, ends->first[i]);
    ends->n_first -= HALF;
    memmove(ends->first, ends->first + HALF, ends->n_first * sizeof *ends->first);
}

void loom_ends_push_later(struct loom_ends *ends, struct loom_heap_entry entry)
{
    loom_heap_push(&ends->later, entry);
}

void loom_ends_refill(struct loom_ends *ends)
{
    size_t n = ends->later.n < HALF ? ends->later.n : HALF;
    for (ends->n_first = n; n > 0; n--)
        ends->first[n - 1] = loom_heap_pop(&ends->later);
}
