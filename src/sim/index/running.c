/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on the machine by the end of their estimate, sorted when asked about. */
#include "sim/index/running.h"

/* Drop the jobs from an index on that have left, and return how many are left in all. */
static size_t drop_left(struct loom_running *running, size_t from, int64_t now_s)
{
    size_t n = from;
    for (size_t at = from; at < running->n; at++)
        if (running->jobs[at].left_s > now_s)
            running->jobs[n++] = running->jobs[at];
    return n;
}

void loom_running_add(struct loom_running *running, struct loom_running_job job, int64_t now_s)
{
    if (running->n == running->capacity) {
        size_t unsorted = running->n - running->n_sorted;
        size_t kept = drop_left(running, running->n_sorted, now_s) - running->n_sorted;
        running->n -= unsorted - kept;
        running->n = drop_left(running, 0, now_s);
        running->n_sorted = running->n - kept;
    }
    running->jobs[running->n++] = job;
}

void loom_running_remove(struct loom_running *running, int64_t expected_s, int64_t procs)
{
    for (size_t at = 0; at < running->n; at++) {
        struct loom_running_job *job = &running->jobs[at];
        if (job->expected_s == expected_s && job->procs == procs && job->left_s == INT64_MAX) {
            job->left_s = INT64_MIN;
            return;
        }
    }
}

/* How many of the sorted jobs are expected to end after a time. Halves without branches. */
static size_t expected_after(const struct loom_running *running, int64_t time_s)
{
    size_t base = 0, n = running->n_sorted;
    while (n > 0) {
        size_t half = (n + 1) / 2;
        base += half & (0u - (size_t)(running->jobs[base + half - 1].expected_s > time_s));
        n -= half;
    }
    return base;
}

static void sort(struct loom_running *running, int64_t now_s)
{
    for (size_t i = running->n_sorted; i < running->n; i++) {
        struct loom_running_job job = running->jobs[i];
        if (job.left_s <= now_s)
            continue;
        size_t at = expected_after(running, job.expected_s);
        memmove(&running->jobs[at + 1], &running->jobs[at],
                (running->n_sorted++ - at) * sizeof job);
        running->jobs[at] = job;
    }
    running->n = running->n_sorted;
}

int64_t loom_running_freed(struct loom_running *running, int64_t now_s, int64_t procs,
                           int64_t *time_s)
{
    if (running->n_sorted < running->n)
        sort(running, now_s);
    int64_t freed = 0;
    size_t at = running->n, n_left = 0;
    for (; at > 0; at--) {
        const struct loom_running_job *job = &running->jobs[at - 1];
        if (job->left_s <= now_s) {
            n_left++;
            continue;
        }
        if (job->expected_s > *time_s) {
            if (freed >= procs)
                break;
            *time_s = job->expected_s;
        }
        freed += job->procs;
    }
    if (freed < procs)
        *time_s = INT64_MAX;
    if (n_left > 0)
        running->n = running->n_sorted = drop_left(running, at, now_s);
    return freed;
}
