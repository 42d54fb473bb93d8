/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates over a window of a run: how busy the machine was, how many jobs it got done, and how many
 * waited for how much of the time.
 *
 * Between two steps of the queue its length stands still, so that the time spent at each length is
 * a sum over steps, and the distribution over time needs no sample.
 */
#include "sim/results/over_time.h"

#include <math.h>
#include <stdlib.h>

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
