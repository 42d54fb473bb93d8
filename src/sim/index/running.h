/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * running.h - the jobs on the machine by the end of their estimate, and when by these ends how many
 * processors are free. A zeroed struct is empty.
 *
 * Jobs are added in any order and not removed: they are sorted, and those that have ended left out,
 * when the question comes up. Where no job waits it does not, and a job costs one append.
 */
#ifndef LOOM_SIM_INDEX_RUNNING_H
#define LOOM_SIM_INDEX_RUNNING_H

#include "base/vec.h"

#include <stdbool.h>

struct loom_running_job {
    int64_t expected_s; /* the end of its estimate */
    int64_t left_s;     /* the job is not on the machine from here on; INT64_MAX: until removed */
    int64_t procs;
};

struct loom_running {
    struct loom_running_job *jobs; /* n_sorted by expected_s, the earliest last; then the others */
    size_t n, n_sorted, capacity;
};

/* Make room for n jobs. Return -1 when out of memory. */
static inline int loom_running_reserve(struct loom_running *running, size_t n)
{
    while (n > running->capacity)
        if (loom_grow(&running->jobs, running->capacity, &running->capacity))
            return -1;
    return 0;
}

static inline void loom_running_free(struct loom_running *running)
{
    free(running->jobs);
    *running = (struct loom_running){0};
}

static inline void loom_running_reset(struct loom_running *running)
{
    running->n = running->n_sorted = 0;
}

/* Drop the jobs that have left now. */
void loom_running_drop(struct loom_running *running, int64_t now_s);

/* Return a place for one more job. If there is no room, those that have left now are dropped, which
 * must make some. */
static inline struct loom_running_job *loom_running_add(struct loom_running *running, int64_t now_s)
{
    if (running->n == running->capacity)
        loom_running_drop(running, now_s);
    return &running->jobs[running->n++];
}

/* Remove a job that was added with a left_s of INT64_MAX. */
void loom_running_remove(struct loom_running *running, int64_t expected_s, int64_t procs);

/* Return how many processors will have been given back at *time_s, now or later, which is first
 * moved to the earliest time, no earlier than it is, at which they are at least `procs`; to
 * INT64_MAX if all jobs have fewer. */
int64_t loom_running_freed(struct loom_running *running, int64_t now_s, int64_t procs,
                           int64_t *time_s);

#endif
