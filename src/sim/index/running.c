/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on the machine by the end of their estimate, sorted when asked about. */
#include "sim/index/running.h"

/* Drop the jobs from an index on that have left, and return how many are left in all. */
static size_t drop_left(struct loom_running *running, size_t from, int64_t now_s)
{
    size_t n = from;
    for (size_t at = from; at < running->n; at++) {
        bool stays = running->jobs[at].left_s > now_s;
        running->jobs[n] = running->jobs[at];
        n += stays;
    }
    return n;
}

void loom_running_drop(struct loom_running *running, int64_t now_s)
{
    size_t unsorted = running->n - running->n_sorted;
    size_t kept = drop_left(running, running->n_sorted, now_s) - running->n_sorted;
    running->n -= unsorted - kept;
    running->n = drop_left(running, 0, now_s);
    running->n_sorted = running->n - kept;
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

static void sort(struct loom_running *running, int64_t now_s)
{
    struct loom_running_job *jobs = running->jobs;
    size_t n = running->n_sorted;
    for (size_t i = n; i < running->n; i++) {
        struct loom_running_job job = jobs[i];
        if (job.left_s <= now_s)
            continue;
        size_t at = n++;
        for (; at > 0 && jobs[at - 1].expected_s <= job.expected_s; at--)
            jobs[at] = jobs[at - 1];
        jobs[at] = job;
    }
    running->n = running->n_sorted = n;
}

/* What a look at the sorted jobs finds, the earliest first. */
struct look {
    size_t at; /* behind the next job */
    int64_t time_s, freed;
    bool any_left;
};

static void look_at_next(struct look *look, const struct loom_running *running, int64_t now_s)
{
    const struct loom_running_job *job = &running->jobs[--look->at];
    bool here = job->left_s > now_s;
    look->any_left |= !here;
    look->freed += here ? job->procs : 0;
    look->time_s = here && job->expected_s > look->time_s ? job->expected_s : look->time_s;
}

int64_t loom_running_freed(struct loom_running *running, int64_t now_s, int64_t procs,
                           int64_t *time_s)
{
    if (running->n_sorted < running->n)
        sort(running, now_s);
    struct look look = {.at = running->n, .time_s = *time_s};
    while (look.at > 0 && look.freed < procs)
        look_at_next(&look, running, now_s);
    while (look.at > 0 && running->jobs[look.at - 1].expected_s <= look.time_s)
        look_at_next(&look, running, now_s);
    *time_s = look.freed < procs ? INT64_MAX : look.time_s;
    if (look.any_left)
        running->n = running->n_sorted = drop_left(running, look.at, now_s);
    return look.freed;
}
