/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ends.h - running jobs by the time at which the engine must look at them next. The first some
 * hundred are a sorted array, which on most machines are all; the others are in a heap. A zeroed
 * struct is empty.
 */
#ifndef LOOM_SIM_INDEX_ENDS_H
#define LOOM_SIM_INDEX_ENDS_H

#include "base/heap.h"

enum { LOOM_ENDS_SORTED = 128 };

struct loom_ends {
    struct loom_heap_entry first[LOOM_ENDS_SORTED]; /* the earliest last; before all of `later` */
    size_t n_first;                                 /* 0 only if there are no others */
    struct loom_heap later;
};

static inline size_t loom_ends_count(const struct loom_ends *ends)
{
    return ends->n_first + ends->later.n;
}

/* Return the job at an index below the count, in no order. */
static inline uint32_t loom_ends_job(const struct loom_ends *ends, size_t at)
{
    return at < ends->n_first ? ends->first[at].item : ends->later.entries[at - ends->n_first].item;
}

static inline void loom_ends_clear(struct loom_ends *ends)
{
    ends->n_first = 0;
    loom_heap_clear(&ends->later);
}

/* Return the time of the first, INT64_MAX if there is none. */
static inline int64_t loom_ends_next(const struct loom_ends *ends)
{
    return ends->n_first > 0 ? ends->first[ends->n_first - 1].key : INT64_MAX;
}

/* Move the later half of a full array to the heap. */
void loom_ends_spill(struct loom_ends *ends);
/* Add an entry to the heap. */
void loom_ends_push_later(struct loom_ends *ends, struct loom_heap_entry entry);
/* Fill half the empty array from the heap. */
void loom_ends_refill(struct loom_ends *ends);

/* Add an entry; the heap must have room for all. */
static inline void loom_ends_push(struct loom_ends *ends, struct loom_heap_entry entry)
{
    if (ends->n_first == LOOM_ENDS_SORTED)
        loom_ends_spill(ends);
    if (ends->later.n > 0 && loom_heap_precedes(&ends->first[0], &entry)) {
        loom_ends_push_later(ends, entry);
        return;
    }
    size_t at = ends->n_first++;
    for (; at > 0 && loom_heap_precedes(&ends->first[at - 1], &entry); at--)
        ends->first[at] = ends->first[at - 1];
    ends->first[at] = entry;
}

/* Remove the first entry and return it. There must be one. */
static inline struct loom_heap_entry loom_ends_pop(struct loom_ends *ends)
{
    struct loom_heap_entry entry = ends->first[--ends->n_first];
    if (ends->n_first == 0 && ends->later.n > 0)
        loom_ends_refill(ends);
    return entry;
}

#endif
