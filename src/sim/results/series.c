/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in equal steps of time. A processor taken at t is busy for the rest of t's step and for all
 * of each later one; one given back takes the same away again. So each start and end is noted in
 * its own step and the next, and sums over steps give what is busy, however long jobs are. The same
 * holds of jobs that wait.
 */
#include "sim/results/over_time.h"

#include <stdlib.h>

enum { MOST_STEPS = 400 };

/* Steps that people think in. */
static const int64_t lengths_s[] = {1, 10, 60, 600, 3600, 6 * 3600, 86400, 7 * 86400, 28 * 86400};

static int64_t choose_step(int64_t length_s)
{
    size_t i = 0, last = sizeof lengths_s / sizeof *lengths_s - 1;
    while (i < last && length_s > MOST_STEPS * lengths_s[i])
        i++;
    int64_t step_s = lengths_s[i];
    while (length_s / step_s >= MOST_STEPS)
        step_s *= 2;
    return step_s;
}

/* The step that a time is in. Dividing small numbers takes a third of the time. */
static size_t step_at(const struct loom_sim_series *series, int64_t time_s)
{
    uint64_t since_s = (uint64_t)(time_s - series->from_s), step_s = (uint64_t)series->step_s;
    return since_s <= UINT32_MAX && step_s <= UINT32_MAX ? (uint32_t)since_s / (uint32_t)step_s
                                                         : since_s / step_s;
}

/* Something that goes up and down, as time spent times height: in one step, and from it on. */
struct slope {
    double here, on;
};

static void change(struct slope *slopes, const struct loom_sim_series *series, int64_t time_s,
                   double by)
{
    size_t step = step_at(series, time_s);
    int64_t next_s = series->from_s + ((int64_t)step + 1) * series->step_s;
    slopes[step].here += by * (double)(next_s - time_s);
    slopes[step + 1].on += by * (double)series->step_s;
}

/* Means of each step; the last is as long as the run lasts in it. */
static int add_means(struct loom_sim_series *series, const struct loom_sim *sim, int64_t end_s,
                     struct loom_error *err)
{
    /* The last end may stand at the very end, and what it changes in the step behind. */
    struct slope *busy = calloc(2 * (series->count + 2), sizeof *busy);
    struct slope *waiting = busy + series->count + 2;
    double busy_on = 0, waiting_on = 0;
    if (!busy)
        return loom_fail_memory(err);
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        change(busy, series, job->start_s, job->procs);
        change(busy, series, loom_sim_job_end(job), -job->procs);
        if (job->start_s == job->submit_s)
            continue;
        change(waiting, series, job->submit_s, 1);
        change(waiting, series, job->start_s, -1);
    }
    for (size_t i = 0; i < series->count; i++) {
        int64_t left_s = end_s - series->from_s - (int64_t)i * series->step_s;
        double length_s = (double)(left_s < series->step_s ? left_s : series->step_s);
        busy_on += busy[i].on;
        waiting_on += waiting[i].on;
        series->levels[i].utilization = (busy_on + busy[i].here) / (length_s * (double)sim->procs);
        series->levels[i].queue_mean = (waiting_on + waiting[i].here) / length_s;
    }
    free(busy);
    return 0;
}

static int add_longest(struct loom_sim_series *series, const struct loom_sim *sim,
                       struct loom_error *err)
{
    struct loom_queue_walk walk;
    struct loom_queue_step step, next;
    int rc = loom_queue_walk_open(&walk, sim, err);
    bool some = !rc && loom_queue_walk_next(&walk, &step);
    for (; some && loom_queue_walk_next(&walk, &next); step = next) {
        size_t at = step_at(series, step.time_s), last = step_at(series, next.time_s - 1);
        for (; at <= last; at++)
            if (series->levels[at].queue_max < step.waiting)
                series->levels[at].queue_max = step.waiting;
    }
    loom_queue_walk_close(&walk);
    return rc;
}

int loom_sim_series_create(struct loom_sim_series **out, const struct loom_sim *sim,
                           struct loom_error *err)
{
    struct loom_sim_window whole = loom_whole_run(sim);
    int64_t length_s = whole.to_s - whole.from_s, step_s = choose_step(length_s);
    size_t count = (size_t)((length_s + step_s - 1) / step_s);
    struct loom_sim_series *series = calloc(1, sizeof *series + count * sizeof *series->levels);
    *out = NULL;
    if (!series)
        return loom_fail_memory(err);
    *series = (struct loom_sim_series){.from_s = whole.from_s, .step_s = step_s, .count = count};
    int rc = add_means(series, sim, whole.to_s, err);
    if (!rc)
        rc = add_longest(series, sim, err);
    if (rc)
        loom_sim_series_destroy(series);
    else
        *out = series;
    return rc;
}

void loom_sim_series_destroy(struct loom_sim_series *series)
{
    free(series);
}
