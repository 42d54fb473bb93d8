/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a schedule is worth: means over its jobs, rates over its makespan, and whether the system
 * kept up at all (Zakay, chapter 3, section 6.3).
 */
#include "sim/engine.h"
#include "sim/index/bits.h"
#include "sim/results/backlog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DAY_S = 86400, WEEK_S = 7 * DAY_S };
enum { MOST_WEEKS = 1 << 20 }; /* 20,000 years: beyond that a submit time is wrong */

/* Sums over the measured jobs, and over all jobs for what is a rate in time. Whole numbers stay
 * whole in a double up to 2^53. */
struct sums {
    size_t n; /* measured */
    double wait_s, run_s, slowdown, bounded;
    double work, all_wait_s;
    int64_t first_submit_s, last_submit_s, last_end_s;
};

/* Of the measured jobs, sums and what is to be ranked, as bits. */
static void add_waits(struct sums *sums, int64_t *bits, const struct loom_sim_job *jobs)
{
    for (size_t i = 0; i < sums->n; i++) {
        double wait_s = (double)loom_sim_job_wait(&jobs[i]);
        sums->wait_s += wait_s;
        bits[i] = loom_bits_of(wait_s);
    }
}

static void add_slowdowns(struct sums *sums, int64_t *bits, const struct loom_sim_job *jobs)
{
    for (size_t i = 0; i < sums->n; i++) {
        double wait_s = (double)loom_sim_job_wait(&jobs[i]), run_s = (double)jobs[i].run_s;
        double bounded = loom_sim_job_bounded_slowdown(&jobs[i]);
        sums->run_s += run_s;
        sums->slowdown += fmax(1, (wait_s + run_s) / fmax(run_s, 1));
        sums->bounded += bounded;
        bits[i] = loom_bits_of(bounded);
    }
}

static struct sums add_up(const struct loom_sim *sim)
{
    struct sums sums = {.first_submit_s = INT64_MAX};
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        int64_t end_s = loom_sim_job_end(job);
        sums.all_wait_s += (double)loom_sim_job_wait(job);
        sums.work += (double)job->run_s * job->procs;
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

static int64_t least(const int64_t *bits, size_t n)
{
    int64_t least = bits[0];
    for (size_t i = 1; i < n; i++)
        least = bits[i] < least ? bits[i] : least;
    return least;
}

/* Rearranges the bits. The percents ascend. */
static void percentiles(double out[LOOM_N_PERCENTS], int64_t *bits, size_t n)
{
    static const double percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;
    size_t from = 0;
    for (size_t p = 0; p < LOOM_N_PERCENTS; p++) {
        double place = (double)(n - 1) * percents[p] / 100;
        size_t below = (size_t)place;
        loom_select_place(bits, from, n, below);
        double low = loom_number_of(bits[below]);
        double high = below + 1 < n ? loom_number_of(least(bits + below + 1, n - below - 1)) : low;
        out[p] = low + (place - (double)below) * (high - low);
        from = below;
    }
}

/* ---- saturation ------------------------------------------------------------------------------ */

/* At the beginning of week w a job is outstanding if submit <= first_s + w * WEEK_S < end. */
static size_t week_from(int64_t time_s, int64_t first_s)
{
    return (size_t)((time_s - first_s + WEEK_S - 1) / WEEK_S);
}

/* Those that have not started are those that wait. */
enum counted { OUTSTANDING, WAITING };

static void count_jobs(int64_t *weeks, size_t n, const struct loom_sim *sim, int64_t first_s,
                       enum counted which)
{
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        size_t from = week_from(job->submit_s, first_s);
        size_t to = week_from(which == WAITING ? job->start_s : loom_sim_job_end(job), first_s);
        if (from < n)
            weeks[from]++;
        if (to < n)
            weeks[to]--;
    }
    for (size_t w = 1; w < n; w++)
        weeks[w] += weeks[w - 1];
}

/* Weeks begin while jobs are submitted. What is left then is worked off with nothing new coming in,
 * and the minimum over that time would make every system look stable. */
static int count_weekly(int64_t **out, size_t *n_weeks, const struct loom_sim *sim,
                        enum counted which, struct loom_error *err)
{
    /* Jobs are numbered in the order of submission. */
    int64_t first_s = sim->n_jobs ? sim->jobs[0].submit_s : 0;
    int64_t last_s = sim->n_jobs ? sim->jobs[sim->n_jobs - 1].submit_s : 0;
    size_t n = sim->n_jobs ? (size_t)((last_s - first_s) / WEEK_S) + 1 : 0;
    n = n > MOST_WEEKS ? 0 : n;
    *n_weeks = 0;
    *out = calloc(n + 1, sizeof **out);
    if (!*out)
        return loom_fail_memory(err);
    count_jobs(*out, n, sim, first_s, which);
    *n_weeks = n;
    return 0;
}

int loom_sim_outstanding(int64_t **out, size_t *n_weeks, const struct loom_sim *sim,
                         struct loom_error *err)
{
    return count_weekly(out, n_weeks, sim, OUTSTANDING, err);
}

static double slope(const int64_t *values, size_t n)
{
    double middle = (double)(n - 1) / 2, products = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)i - middle;
        products += x * (double)values[i];
        squares += x * x;
    }
    return products / squares;
}

/* The four steps of the text, up to the slope; a fifth of the weeks is rounded up. */
static int trend(double *out, struct loom_sim_metrics *metrics, const struct loom_sim *sim,
                 enum counted which, struct loom_error *err)
{
    int64_t *weeks = NULL;
    size_t n;
    int rc = count_weekly(&weeks, &n, sim, which, err);
    if (rc)
        return rc;
    for (size_t w = n; w-- > 1;)
        if (weeks[w - 1] > weeks[w])
            weeks[w - 1] = weeks[w];
    size_t kept = n - (n + 4) / 5;
    metrics->weeks = (int64_t)n;
    metrics->weeks_fitted = (int64_t)kept;
    *out = kept < 2 ? (double)NAN : slope(weeks, kept);
    free(weeks);
    return 0;
}

/* Work that waits at the beginning of each week; the same sums as of jobs. */
static void add_backlog(double *weeks, size_t n, const struct loom_sim *sim, int64_t first_s)
{
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        size_t from = week_from(job->submit_s, first_s), to = week_from(job->start_s, first_s);
        double work = (double)(loom_sim_job_end(job) - job->start_s) * (double)job->procs;
        if (from < n)
            weeks[from] += work;
        if (to < n)
            weeks[to] -= work;
    }
    for (size_t w = 1; w < n; w++)
        weeks[w] += weeks[w - 1];
}

static int count_backlog(int64_t *out, const struct loom_sim *sim, size_t n, struct loom_error *err)
{
    double *weeks = calloc(n + 1, sizeof *weeks);
    int64_t on_end = 0;
    *out = 0;
    if (!weeks)
        return loom_fail_memory(err);
    add_backlog(weeks, n, sim, sim->n_jobs ? sim->jobs[0].submit_s : 0);
    for (size_t w = 0; w < n; w++) {
        on_end = weeks[w] > (double)sim->procs * DAY_S ? on_end + 1 : 0;
        *out = on_end > *out ? on_end : *out;
    }
    free(weeks);
    return 0;
}

bool loom_sim_had_backlog(const struct loom_sim_metrics *metrics)
{
    return metrics->saturated <= 0 && metrics->backlog_weeks >= LOOM_BACKLOG_LONG;
}

/* The rule goes by all jobs outstanding, and a machine that is far from full has ever more of them
 * while it fills, though nobody waits. That the queue does not grow with them is told by the same
 * steps: it does not if it is as short again by the last counts. */
static int judge(struct loom_sim_metrics *out, const struct loom_sim *sim, struct loom_error *err)
{
    int rc = trend(&out->outstanding_per_week, out, sim, OUTSTANDING, err);
    if (!rc)
        rc = trend(&out->waiting_per_week, out, sim, WAITING, err);
    if (!rc)
        rc = count_backlog(&out->backlog_weeks, sim, (size_t)out->weeks, err);
    if (rc)
        return rc;
    out->saturated = out->weeks_fitted < 2 ? -1 : out->outstanding_per_week > 1;
    out->filling = out->saturated > 0 && !(out->waiting_per_week > 0);
    return 0;
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
    out->utilization = sums->work / (procs * makespan_s);
    out->throughput_jobs_per_day = (double)sim->n_jobs / makespan_s * DAY_S;
    out->queue_mean = sums->all_wait_s / makespan_s;
    out->load_offered = span_s > 0 ? sums->work / (procs * span_s) : (double)NAN;
}

/* Tells how many jobs were refused, by reason. */
static int fail_without_jobs(const struct loom_sim *sim, struct loom_error *err)
{
    const struct loom_sim_counts *counts = &sim->counts;
    char reasons[400] = "";
    size_t used = 0;
#define X(name, what)                                                                        \
    if (counts->name > 0 && used < sizeof reasons)                                           \
        used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s (jobs: %lld)", \
                                 used ? "; " : ": ", what, (long long)counts->name);
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
    int64_t *bits = malloc(sums.n * sizeof *bits);
    if (!bits)
        return loom_fail_memory(err);
    add_waits(&sums, bits, measured);
    percentiles(out->wait_percentile_s, bits, sums.n);
    add_slowdowns(&sums, bits, measured);
    percentiles(out->bounded_slowdown_percentile, bits, sums.n);
    free(bits);
    out->wait_median_s = out->wait_percentile_s[0];
    fill(out, sim, &sums);
    return judge(out, sim, err);
}
