/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a run, and its queue in it: the submissions and the starts of jobs that waited,
 * merged in the order of time. Both are worked out from the jobs, so that a run need not keep them.
 */
#include "sim/results/over_time.h"

#include "base/sort.h"

#include <stdlib.h>

/* ---- windows --------------------------------------------------------------------------------- */

int64_t loom_overlap(struct loom_sim_window window, int64_t from_s, int64_t to_s)
{
    int64_t first_s = from_s > window.from_s ? from_s : window.from_s;
    int64_t end_s = to_s < window.to_s ? to_s : window.to_s;
    return end_s > first_s ? end_s - first_s : 0;
}

struct loom_sim_window loom_whole_run(const struct loom_sim *sim)
{
    struct loom_sim_window whole = {0, 0};
    if (sim->n_jobs > 0)
        whole.from_s = whole.to_s = sim->jobs[0].submit_s;
    for (size_t i = 0; i < sim->n_jobs; i++) {
        int64_t end_s = loom_sim_job_end(&sim->jobs[i]);
        whole.to_s = end_s > whole.to_s ? end_s : whole.to_s;
    }
    return whole;
}

struct loom_sim_window loom_sim_window(const struct loom_sim *sim)
{
    struct loom_sim_window window = loom_whole_run(sim);
    size_t first = sim->measured_first;
    size_t end = sim->measured_end ? sim->measured_end : sim->n_jobs;
    if (first < end)
        window.from_s = sim->jobs[first].submit_s;
    if (end < sim->n_jobs)
        window.to_s = sim->jobs[end].submit_s;
    return window;
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* The next job, from this one on, that had to wait. */
static size_t next_waiter(const struct loom_sim *sim, size_t job)
{
    while (job < sim->n_jobs && sim->jobs[job].start_s <= sim->jobs[job].submit_s)
        job++;
    return job;
}

int loom_queue_walk_open(struct loom_queue_walk *walk, const struct loom_sim *sim,
                         struct loom_error *err)
{
    *walk = (struct loom_queue_walk){.sim = sim};
    walk->starts = malloc((sim->n_jobs + 1) * sizeof *walk->starts);
    if (!walk->starts)
        return loom_fail_memory(err);
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].start_s > sim->jobs[i].submit_s)
            walk->starts[walk->n_starts++] = sim->jobs[i].start_s;
    loom_sort_int64(walk->starts, walk->n_starts);
    walk->job = next_waiter(sim, 0);
    return 0;
}

void loom_queue_walk_close(struct loom_queue_walk *walk)
{
    free(walk->starts);
}

/* A step takes all that happens in a second in which something does. Jobs are numbered in the order
 * of submission, and none starts before it is submitted. */
bool loom_queue_walk_next(struct loom_queue_walk *walk, struct loom_queue_step *out)
{
    const struct loom_sim_job *jobs = walk->sim->jobs;
    size_t n = walk->sim->n_jobs;
    int64_t before = walk->waiting;
    while (walk->started < walk->n_starts) {
        int64_t now_s = walk->starts[walk->started];
        if (walk->job < n && jobs[walk->job].submit_s < now_s)
            now_s = jobs[walk->job].submit_s;
        for (; walk->job < n && jobs[walk->job].submit_s == now_s; walk->waiting++)
            walk->job = next_waiter(walk->sim, walk->job + 1);
        for (; walk->started < walk->n_starts && walk->starts[walk->started] == now_s;
             walk->waiting--)
            walk->started++;
        *out = (struct loom_queue_step){.time_s = now_s, .waiting = walk->waiting};
        if (walk->waiting != before)
            return true;
    }
    return false;
}
