/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * running.h - the jobs on the machine by the end of their estimate, and when by these ends how many
 * processors are free. An array sorted by end, the earliest last: what is started or ends soon
 * moves little. A zeroed struct is empty.
 */
#ifndef LOOM_SIM_INDEX_RUNNING_H
#define LOOM_SIM_INDEX_RUNNING_H

#include <stddef.h>
#include <stdint.h>

struct loom_running_job {
    int64_t end_s; /* by its estimate */
    int64_t procs;
};

struct loom_running {
    struct loom_running_job *jobs;
    size_t n, capacity;
};

/* Make room for n jobs. Return -1 when out of memory. */
int loom_running_reserve(struct loom_running *running, size_t n);
void loom_running_free(struct loom_running *running);

/* Add a job, for which there must be room, or remove one. */
void loom_running_add(struct loom_running *running, int64_t end_s, int64_t procs);
void loom_running_remove(struct loom_running *running, int64_t end_s, int64_t procs);

/* Return when the jobs that end first have given back `procs` processors, at least 1; LOOM_NEVER if
 * all do not have as many. */
int64_t loom_running_frees(const struct loom_running *running, int64_t procs);
/* Return how many processors jobs give back up to a time. */
int64_t loom_running_freed(const struct loom_running *running, int64_t time_s);

#endif
