/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ends.h - the running jobs by the time at which something happens to them: the end, or the end of
 * their estimate. Equal times go by the order in which the jobs were started. A zeroed struct is
 * empty.
 */
#ifndef LOOM_SIM_INDEX_ENDS_H
#define LOOM_SIM_INDEX_ENDS_H

#include <workloom/sim.h>

struct loom_end {
    int64_t time_s;
    uint32_t started; /* how many were started before this job */
    uint32_t job;
};

struct loom_ends {
    struct loom_end *heap; /* each entry before its four children 4i + 1 .. 4i + 4 */
    size_t n, capacity;
};

/* Make room, so that the next push cannot fail. 0, or -1 when memory is out. */
int loom_ends_reserve(struct loom_ends *ends, size_t n);
void loom_ends_push(struct loom_ends *ends, struct loom_end end);
struct loom_end loom_ends_pop(struct loom_ends *ends);
void loom_ends_free(struct loom_ends *ends);

static inline int64_t loom_ends_next(const struct loom_ends *ends)
{
    return ends->n ? ends->heap[0].time_s : LOOM_NEVER;
}

#endif
