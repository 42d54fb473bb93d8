/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a schedule is worth: which jobs are measured, means and quantiles over them, and rates over
 * the makespan. */
#include "base/sort.h"
#include "sim/engine.h"
#include "sim/results/saturation.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- which jobs are measured ----------------------------------------------------------------- */

/* Left out: jobs that met a machine still empty, or one that emptied. */

/* Jobs are numbered in the order of submission, so both ends are cuts in their numbers. */
int loom_sim_trim(struct loom_sim *sim, const struct loom_sim_trim *trim, struct loom_error *err)
{
    size_t first = 0, end = sim->n_jobs;
    if (trim->warm_up_jobs < 0 || trim->warm_up_s < 0 || trim->cool_down_jobs < 0 ||
        trim->cool_down_s < 0)
        return loom_fail(err, LOOM_ERANGE, "warm-up and cool-down cannot be negative");
    while (first < end && ((int64_t)first < trim->warm_up_jobs ||
                           sim->jobs[first].submit_s - sim->jobs[0].submit_s < trim->warm_up_s))
        first++;
    while (first < end &&
           ((int64_t)(sim->n_jobs - end) < trim->cool_down_jobs ||
            sim->jobs[sim->n_jobs - 1].submit_s - sim->jobs[end - 1].submit_s < trim->cool_down_s))
        end--;
    if (first >= end && sim->n_jobs > 0)
        return loom_fail(err, LOOM_ERANGE,
                         "warm-up and cool-down leave none of the %zu jobs to measure; make them "
                         "shorter",
                         sim->n_jobs);
    free(sim->chosen);
    free(sim->left_out);
    sim->chosen = NULL;
    sim->left_out = NULL;
    sim->measured_first = first;
    sim->measured_end = end;
    return 0;
}

/* Copies of the jobs of the last trim that are not left out. */
static int choose(struct loom_sim *sim, struct loom_error *err)
{
    size_t n, chosen = 0;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    struct loom_sim_job *copies = malloc((n + 1) * sizeof *copies);
    if (!copies)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        if (!sim->left_out[sim->measured_first + i])
            copies[chosen++] = jobs[i];
    sim->chosen = copies;
    sim->n_chosen = chosen;
    if (chosen == 0 && n > 0)
        return loom_fail(err, LOOM_ERANGE, "none of the %zu jobs is left to measure", n);
    return 0;
}

int loom_sim_measure(struct loom_sim *sim, const uint8_t *keep, struct loom_error *err)
{
    free(sim->chosen);
    sim->chosen = NULL;
    free(sim->left_out);
    sim->left_out = malloc(sim->n_jobs + 1);
    if (!sim->left_out)
        return loom_fail_memory(err);
    for (size_t i = 0; i < sim->n_jobs; i++)
        sim->left_out[i] = !keep[i];
    return choose(sim, err);
}

const struct loom_sim_job *loom_sim_measured(const struct loom_sim *sim, size_t *n)
{
    if (sim->chosen) {
        *n = sim->n_chosen;
        return sim->chosen;
    }
    *n = (sim->measured_end ? sim->measured_end : sim->n_jobs) - sim->measured_first;
    return sim->jobs + sim->measured_first;
}

/* ---- sums ------------------------------------------------------------------------------------ */

enum { DAY_S = 86400 };

/* Sums over the measured jobs, and over all jobs for what is a rate in time. Whole numbers stay
 * whole in a double up to 2^53. */
struct sums {
    size_t n; /* measured */
    double wait_s, run_s, slowdown, bounded;
    double work, all_wait_s;
    double counted, counted_work; /* of jobs that are not left out */
    int64_t first_submit_s, last_submit_s, last_end_s;
};

/* Sums over the measured jobs, and values for percentiles. */
static void add_measured(struct sums *sums, double *waits, double *slowdowns,
                         const struct loom_sim_job *jobs)
{
    for (size_t i = 0; i < sums->n; i++) {
        double wait_s = (double)loom_sim_job_wait(&jobs[i]), run_s = (double)jobs[i].run_s;
        waits[i] = wait_s;
        slowdowns[i] = loom_sim_job_bounded_slowdown(&jobs[i]);
        sums->wait_s += wait_s;
        sums->run_s += run_s;
        sums->slowdown += fmax(1, (wait_s + run_s) / fmax(run_s, 1));
        sums->bounded += slowdowns[i];
    }
}

static struct sums add_up(const struct loom_sim *sim)
{
    struct sums sums = {.first_submit_s = INT64_MAX};
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        int64_t end_s = loom_sim_job_end(job);
        sums.all_wait_s += (double)loom_sim_job_wait(job);
        double work = (double)job->run_s * job->procs;
        bool counts = !sim->left_out || !sim->left_out[i];
        sums.work += work;
        sums.counted += counts;
        sums.counted_work += counts ? work : 0;
        if (job->submit_s < sums.first_submit_s)
            sums.first_submit_s = job->submit_s;
        if (job->submit_s > sums.last_submit_s)
            sums.last_submit_s = job->submit_s;
        if (end_s > sums.last_end_s)
            sums.last_end_s = end_s;
    }
    return sums;
}

/* ---- percentiles ----------------------------------------------------------------------------- */

/* Compute percentiles of values that are not negative, rearranging them. The percents ascend. */
static void percentiles(double out[LOOM_N_PERCENTS], double *values, size_t n)
{
    static const double percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;
    size_t from = 0;
    for (size_t p = 0; p < LOOM_N_PERCENTS; p++) {
        double position = (double)(n - 1) * percents[p] / 100;
        size_t below = (size_t)position;
        loom_select_key((loom_key *)(void *)values, from, n, below);
        double low = values[below], high = below + 1 < n ? values[below + 1] : low;
        for (size_t i = below + 1; i < n; i++)
            high = values[i] < high ? values[i] : high;
        out[p] = low + (position - (double)below) * (high - low);
        from = below;
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Waiting jobs over time add up to the waits (Little), so the mean queue needs no events. */
static void fill(struct loom_sim_metrics *out, const struct loom_sim *sim, const struct sums *sums)
{
    double n = (double)sums->n, procs = (double)sim->procs;
    double span_s = (double)(sums->last_submit_s - sums->first_submit_s);
    out->makespan_s = sums->last_end_s - sums->first_submit_s;
    double makespan_s = out->makespan_s > 0 ? (double)out->makespan_s : (double)NAN;
    out->measured = (int64_t)sums->n;
    out->wait_mean_s = sums->wait_s / n;
    out->response_mean_s = (sums->wait_s + sums->run_s) / n;
    out->slowdown_mean = sums->slowdown / n;
    out->bounded_slowdown_mean = sums->bounded / n;
    out->slowdown_ratio =
        sums->run_s > 0 ? (sums->wait_s + sums->run_s) / sums->run_s : (double)NAN;
    out->utilization = sums->counted_work / (procs * makespan_s);
    out->throughput_jobs_per_day = sums->counted / makespan_s * DAY_S;
    out->queue_mean = sums->all_wait_s / makespan_s;
    out->load_offered = span_s > 0 ? sums->work / (procs * span_s) : (double)NAN;
}

/* Fail with the numbers of jobs that were refused, by reason. */
static int fail_without_jobs(const struct loom_sim *sim, struct loom_error *err)
{
    const struct loom_sim_counts *counts = &sim->counts;
    char reasons[400] = "";
    size_t used = 0;
#define X(name, text)                                                                        \
    if (counts->name > 0 && used < sizeof reasons)                                           \
        used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s (jobs: %lld)", \
                                 used ? "; " : ": ", text, (long long)counts->name);
    LOOM_SIM_COUNTS(X)
#undef X
    bool wide = counts->rejected_too_wide > 0;
    return loom_fail_field(err, LOOM_EDATA, wide ? "procs" : NULL,
                           "no job was simulated, so there is nothing to measure%s%s", reasons,
                           wide ? "; raise procs" : "");
}

int loom_sim_metrics(struct loom_sim_metrics *out, const struct loom_sim *sim,
                     struct loom_error *err)
{
    *out = (struct loom_sim_metrics){.jobs = (int64_t)sim->n_jobs,
                                     .queue_max = (int64_t)sim->queue_max};
    if (sim->n_jobs == 0)
        return fail_without_jobs(sim, err);
    struct sums sums = add_up(sim);
    const struct loom_sim_job *measured = loom_sim_measured(sim, &sums.n);
    double *waits = malloc(2 * sums.n * sizeof *waits), *slowdowns = waits + sums.n;
    if (!waits)
        return loom_fail_memory(err);
    add_measured(&sums, waits, slowdowns, measured);
    percentiles(out->wait_percentile_s, waits, sums.n);
    percentiles(out->bounded_slowdown_percentile, slowdowns, sums.n);
    free(waits);
    out->wait_median_s = out->wait_percentile_s[0];
    fill(out, sim, &sums);
    return loom_sim_judge(out, sim, err);
}

/* ---- curves: as many quantiles as a figure can show ------------------------------------------ */

/* Order statistics in even distances, the least and the largest among them. Sorts the values. */
static void add_curve(double *points, size_t n_points, double *values, size_t n)
{
    loom_sort_real(values, n);
    for (size_t i = 0; i < n_points; i++)
        points[i] = values[n_points < 2 ? 0 : i * (n - 1) / (n_points - 1)];
}

int loom_sim_curves(struct loom_sim_curves *out, const struct loom_sim *sim, struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    double *values = malloc((n + 1) * sizeof *values);
    if (!values)
        return loom_fail_memory(err);
    out->n = n < LOOM_SIM_POINTS ? n : LOOM_SIM_POINTS;
    for (size_t i = 0; i < n; i++)
        values[i] = (double)loom_sim_job_wait(&jobs[i]);
    add_curve(out->wait_s, out->n, values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = loom_sim_job_bounded_slowdown(&jobs[i]);
    add_curve(out->bounded_slowdown, out->n, values, n);
    free(values);
    return 0;
}
