/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run over time: its queue, rates over a window, and series in equal steps. All is computed from
 * the jobs; nothing is recorded during the run.
 */
#include "sim/results/over_time.h"
#include "base/sort.h"

#include <math.h>
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

/* ---- rates over a window --------------------------------------------------------------------- */

/* Between two steps of the queue its length stands still, so that the time spent at each length is
 * a sum over steps, and the distribution over time needs no sample. */

/* ---- the distribution of its length ---------------------------------------------------------- */

/* The time in the window at each length; in time without a step nobody waits. Returns the longest.
 */
static int64_t spend(int64_t *time_s, struct loom_queue_walk *walk, struct loom_sim_window window)
{
    struct loom_queue_step step, next;
    int64_t most = 0;
    time_s[0] = window.to_s - window.from_s;
    if (!loom_queue_walk_next(walk, &step))
        return 0;
    for (; loom_queue_walk_next(walk, &next); step = next) {
        int64_t spent_s = loom_overlap(window, step.time_s, next.time_s);
        time_s[0] -= spent_s;
        time_s[step.waiting] += spent_s;
        most = step.waiting > most ? step.waiting : most;
    }
    return most;
}

/* 0, 1, 2, 3-4, 5-8, ...: each bin up to a power of two. */
static size_t bin_of(int64_t waiting)
{
    size_t bin = 0;
    for (int64_t most = 0; most < waiting; most = most ? 2 * most : 1)
        bin++;
    return bin;
}

static void distribute(struct loom_sim_rates *out, const int64_t *time_s, int64_t most)
{
    static const double percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;
    double length_s = (double)(out->window.to_s - out->window.from_s), so_far_s = 0, area = 0;
    size_t p = 0;
    for (int64_t waiting = 0; waiting <= most; waiting++) {
        double spent_s = (double)time_s[waiting];
        so_far_s += spent_s;
        area += spent_s * (double)waiting;
        out->queue_share[bin_of(waiting)] += spent_s / length_s;
        if (spent_s > 0)
            out->queue_max = waiting;
        for (; p < LOOM_N_PERCENTS && so_far_s >= length_s * percents[p] / 100; p++)
            out->queue_percentile[p] = (double)waiting;
    }
    out->queue_mean = area / length_s;
}

static int measure_queue(struct loom_sim_rates *out, const struct loom_sim *sim,
                         struct loom_error *err)
{
    struct loom_queue_walk walk;
    int rc = loom_queue_walk_open(&walk, sim, err);
    /* Untouched memory costs nothing: there are as many lengths as were in the queue at once. */
    int64_t *time_s = rc ? NULL : calloc(walk.n_starts + 1, sizeof *time_s);
    if (!rc && !time_s)
        rc = loom_fail_memory(err);
    if (!rc)
        distribute(out, time_s, spend(time_s, &walk, out->window));
    free(time_s);
    loom_queue_walk_close(&walk);
    return rc;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void measure_machine(struct loom_sim_rates *out, const struct loom_sim *sim)
{
    double busy = 0, ended = 0, length_s = (double)(out->window.to_s - out->window.from_s);
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        int64_t end_s = loom_sim_job_end(job);
        if (sim->left_out && sim->left_out[i])
            continue;
        busy += (double)loom_overlap(out->window, job->start_s, end_s) * job->procs;
        ended += end_s >= out->window.from_s && end_s <= out->window.to_s;
    }
    out->utilization = busy / (length_s * (double)sim->procs);
    out->throughput_jobs_per_day = ended / length_s * 86400;
}

int loom_sim_rates(struct loom_sim_rates *out, const struct loom_sim *sim,
                   struct loom_sim_window window, struct loom_error *err)
{
    *out = (struct loom_sim_rates){.window = window};
    if (window.to_s < window.from_s)
        return loom_fail(err, LOOM_ERANGE, "a window of time cannot end before it begins");
    if (window.to_s > window.from_s) {
        measure_machine(out, sim);
        return measure_queue(out, sim, err);
    }
    out->utilization = out->throughput_jobs_per_day = out->queue_mean = (double)NAN;
    for (size_t p = 0; p < LOOM_N_PERCENTS; p++)
        out->queue_percentile[p] = (double)NAN;
    return 0;
}

/* ---- equal steps of time --------------------------------------------------------------------- */

/* A processor that is taken at t is busy for the rest of the step of t and for all later steps; an
 * end subtracts the same. So each start and end changes two steps, its own and the next, and
 * running sums give the busy processors, however long jobs are. Waiting jobs are counted in the
 * same way. */

enum { MOST_STEPS = 400 };

/* Round lengths of steps. */
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

/* Return the step of a time. Division of small numbers takes a third of the time. */
static size_t step_at(const struct loom_sim_series *series, int64_t time_s)
{
    uint64_t since_s = (uint64_t)(time_s - series->from_s), step_s = (uint64_t)series->step_s;
    return since_s <= UINT32_MAX && step_s <= UINT32_MAX ? (uint32_t)since_s / (uint32_t)step_s
                                                         : since_s / step_s;
}

/* Changes of a level, integrated over time: in one step, and in all later ones. */
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

/* Compute the means of all steps; the last ends with the run. */
static int add_means(struct loom_sim_series *series, const struct loom_sim *sim, int64_t end_s,
                     struct loom_error *err)
{
    /* One more step: an end at the end of the last step changes the step after it. */
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
