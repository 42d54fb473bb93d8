/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates over a window of a run: how busy the machine was, how many jobs it got done, and how many
 * waited for how much of the time.
 *
 * Between two steps of the queue its length stands still, so that the time spent at each length is
 * a sum over steps, and the distribution over time needs no sample.
 */
#include "base/sort.h"
#include "sim/over_time.h"

#include <math.h>
#include <stdlib.h>

/* ---- windows --------------------------------------------------------------------------------- */

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

/* When the jobs that waited started, ascending. */
static int list_starts(int64_t **out, size_t *n, const struct loom_sim *sim, struct loom_error *err)
{
    int64_t *starts = malloc((sim->n_jobs + 1) * sizeof *starts);
    *n = 0;
    if (!starts)
        return loom_fail_memory(err);
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].start_s > sim->jobs[i].submit_s)
            starts[(*n)++] = sim->jobs[i].start_s;
    loom_sort_int64(starts, *n);
    *out = starts;
    return 0;
}

static size_t next_waiter(const struct loom_sim *sim, size_t job)
{
    while (job < sim->n_jobs && sim->jobs[job].start_s <= sim->jobs[job].submit_s)
        job++;
    return job;
}

/* Jobs are numbered in the order of submission, so both lists are in order and are merged. */
static size_t merge(struct loom_step *steps, const struct loom_sim *sim, const int64_t *starts,
                    size_t n_starts)
{
    size_t n = 0, job = next_waiter(sim, 0), started = 0;
    int64_t waiting = 0;
    while (started < n_starts) {
        bool submitted = job < sim->n_jobs && sim->jobs[job].submit_s <= starts[started];
        int64_t now_s = submitted ? sim->jobs[job].submit_s : starts[started];
        for (; job < sim->n_jobs && sim->jobs[job].submit_s == now_s; waiting++)
            job = next_waiter(sim, job + 1);
        for (; started < n_starts && starts[started] == now_s; waiting--)
            started++;
        if (n == 0 || steps[n - 1].waiting != waiting)
            steps[n++] = (struct loom_step){now_s, waiting};
    }
    return n;
}

int loom_waiting_steps(struct loom_step **out, size_t *n, const struct loom_sim *sim,
                       struct loom_error *err)
{
    int64_t *starts = NULL;
    size_t n_starts = 0;
    *out = NULL;
    *n = 0;
    int rc = list_starts(&starts, &n_starts, sim, err);
    if (!rc) {
        *out = malloc((2 * n_starts + 1) * sizeof **out);
        rc = *out ? 0 : loom_fail_memory(err);
    }
    if (!rc)
        *n = merge(*out, sim, starts, n_starts);
    free(starts);
    return rc;
}

/* ---- the distribution of its length ---------------------------------------------------------- */

static int64_t longest(const struct loom_step *steps, size_t n)
{
    int64_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = steps[i].waiting > most ? steps[i].waiting : most;
    return most;
}

/* The time in the window at each length; what no step tells of had nobody waiting. */
static void spend(int64_t *time_s, const struct loom_step *steps, size_t n,
                  struct loom_sim_window window)
{
    time_s[0] = window.to_s - window.from_s;
    for (size_t i = 0; i + 1 < n; i++) {
        int64_t spent_s = loom_overlap(window, steps[i].time_s, steps[i + 1].time_s);
        time_s[0] -= spent_s;
        time_s[steps[i].waiting] += spent_s;
    }
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
    struct loom_step *steps = NULL;
    size_t n = 0;
    int rc = loom_waiting_steps(&steps, &n, sim, err);
    int64_t most = rc ? 0 : longest(steps, n);
    int64_t *time_s = rc ? NULL : calloc((size_t)most + 1, sizeof *time_s);
    if (!rc && !time_s)
        rc = loom_fail_memory(err);
    if (!rc) {
        spend(time_s, steps, n, out->window);
        distribute(out, time_s, most);
    }
    free(time_s);
    free(steps);
    return rc;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void measure_machine(struct loom_sim_rates *out, const struct loom_sim *sim)
{
    double busy = 0, ended = 0, length_s = (double)(out->window.to_s - out->window.from_s);
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        int64_t end_s = loom_sim_job_end(job);
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
