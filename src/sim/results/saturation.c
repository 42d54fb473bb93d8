/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saturation (Zakay, chapter 3, section 6.3): outstanding jobs at the beginning of each week, the
 * trend of their lasting part, and the interval of that trend.
 */
#include "sim/results/saturation.h"

#include "base/sort.h"
#include "sim/engine.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { DAY_S = 86400, WEEK_S = 7 * DAY_S };
enum { MOST_WEEKS = 1 << 20 }; /* 20,000 years: beyond that a submit time is wrong */

/* ---- weekly counts --------------------------------------------------------------------------- */

/* At the beginning of week w a job is outstanding if submit <= first_s + w * WEEK_S < end. */
static size_t week_from(int64_t time_s, int64_t first_s)
{
    return (size_t)((time_s - first_s + WEEK_S - 1) / WEEK_S);
}

/* Which jobs to count. */
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

/* Count for each week that begins before the last submission. After it the backlog only shrinks,
 * and with the minimum over that time every system would look stable. */
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

/* ---- the trend ------------------------------------------------------------------------------- */

/* A line fitted to values at 0 .. n - 1. The score of a week is its distance from the middle week
 * times the residual; the error of the slope is computed from the scores. */
struct line {
    size_t n;
    double slope, squares; /* sum of squared distances from the middle */
    double *scores;
};

static void fit_line(struct line *line, const int64_t *values, size_t n)
{
    double products = 0, mean = 0, middle = (double)(n - 1) / 2;
    line->n = n;
    line->squares = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)i - middle;
        products += x * (double)values[i];
        line->squares += x * x;
        mean += (double)values[i] / (double)n;
    }
    line->slope = products / line->squares;
    for (size_t i = 0; i < n; i++) {
        double x = (double)i - middle;
        line->scores[i] = x * ((double)values[i] - mean - line->slope * x);
    }
}

/* Return the sum of products of scores `lag` weeks apart. */
static double autocovariance(const struct line *line, size_t lag)
{
    double sum = 0;
    for (size_t i = lag; i < line->n; i++)
        sum += line->scores[i] * line->scores[i - lag];
    return sum;
}

/* Return the bandwidth of Andrews (1991) for Bartlett weights, with scores as an autoregressive
 * process of order 1. */
static double bandwidth(const struct line *line)
{
    double variance = autocovariance(line, 0);
    double rho = variance > 0 ? autocovariance(line, 1) / variance : 0;
    rho = fmin(0.97, fmax(-0.97, rho));
    double alpha = 4 * rho * rho / ((1 - rho) * (1 - rho) * (1 + rho) * (1 + rho));
    return 1.1447 * cbrt(alpha * (double)line->n);
}

/* Return the standard error of the slope by Newey and West (1987), with the factor n / (n - 2) for
 * two coefficients. Counts of successive weeks are dependent; an error for independent counts would
 * be several times too small. */
static double slope_error(const struct line *line)
{
    double n = (double)line->n, width = bandwidth(line) + 1, sum = autocovariance(line, 0);
    for (size_t lag = 1; lag < line->n && (double)lag < width; lag++)
        sum += 2 * (1 - (double)lag / width) * autocovariance(line, lag);
    return sqrt(fmax(0, sum) * n / (n - 2)) / line->squares;
}

/* Return the slope by the steps of the text for a run of n weeks; a fifth of the weeks is rounded
 * up. NAN for too few weeks. `lasting` and line->scores have space for n. */
static double fit_weeks(struct line *line, int64_t *lasting, const int64_t *weeks, size_t n)
{
    size_t kept = n - (n + 4) / 5;
    for (size_t w = n; w-- > 0;)
        lasting[w] = w + 1 < n && lasting[w + 1] < weeks[w] ? lasting[w + 1] : weeks[w];
    line->n = kept;
    if (kept < 2)
        return (double)NAN;
    fit_line(line, lasting, kept);
    return line->slope;
}

enum { MOST_ENDS = 100 };

/* Widen the interval by the slopes of the same run had it ended in a week of its last third, from
 * the 5th to the 95th percentile: a slope depends strongly on whether a long queue is gone at the
 * end. */
static void span_ends(struct loom_trend *trend, struct line *line, int64_t *lasting,
                      const int64_t *weeks, size_t n)
{
    double slopes[MOST_ENDS];
    size_t step = n / 3 / MOST_ENDS + 1, known = 0;
    for (size_t back = 0; back < n / 3 && known < MOST_ENDS; back += step) {
        double slope = fit_weeks(line, lasting, weeks, n - back);
        if (!isnan(slope))
            slopes[known++] = slope;
    }
    if (known == 0)
        return;
    loom_sort_real(slopes, known);
    trend->low = fmin(trend->low, slopes[known / 20]);
    trend->high = fmax(trend->high, slopes[known - 1 - known / 20]);
}

/* Compute the trend. A line through two weeks has no known error. */
static void find_trend(struct loom_trend *trend, struct line *line, int64_t *lasting,
                       const int64_t *weeks, size_t n)
{
    *trend = (struct loom_trend){NAN, NAN, NAN, NAN};
    trend->per_week = fit_weeks(line, lasting, weeks, n);
    if (line->n < 3)
        return;
    double errors = gsl_cdf_tdist_Pinv(0.975, (double)line->n - 2);
    trend->error = slope_error(line);
    trend->low = trend->per_week - errors * trend->error;
    trend->high = trend->per_week + errors * trend->error;
    span_ends(trend, line, lasting, weeks, n);
}

static int fit_trend(struct loom_trend *out, struct loom_sim_metrics *metrics,
                     const struct loom_sim *sim, enum counted which, struct loom_error *err)
{
    int64_t *weeks = NULL, *lasting = NULL;
    struct line line = {0};
    size_t n;
    int rc = count_weekly(&weeks, &n, sim, which, err);
    if (rc)
        return rc;
    lasting = malloc((n + 1) * sizeof *lasting);
    line.scores = malloc((n + 1) * sizeof *line.scores);
    metrics->weeks = (int64_t)n;
    metrics->weeks_fitted = (int64_t)(n - (n + 4) / 5);
    if (lasting && line.scores)
        find_trend(out, &line, lasting, weeks, n);
    else
        rc = loom_fail_memory(err);
    free(line.scores);
    free(lasting);
    free(weeks);
    return rc;
}

/* ---- the backlog ----------------------------------------------------------------------------- */

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

/* ---- the verdict ----------------------------------------------------------------------------- */

/* The rule is about outstanding jobs, whose number also grows while an empty machine fills, without
 * a queue. The same steps for waiting jobs show whether the queue grows too. */
int loom_sim_judge(struct loom_sim_metrics *out, const struct loom_sim *sim, struct loom_error *err)
{
    struct loom_trend waiting;
    int rc = fit_trend(&out->outstanding, out, sim, OUTSTANDING, err);
    if (!rc)
        rc = fit_trend(&waiting, out, sim, WAITING, err);
    if (!rc)
        rc = count_backlog(&out->backlog_weeks, sim, (size_t)out->weeks, err);
    if (rc)
        return rc;
    out->waiting_per_week = waiting.per_week;
    out->saturated = out->weeks_fitted < 2 ? -1 : out->outstanding.per_week > 1;
    out->filling = out->saturated > 0 && !(out->waiting_per_week > 0);
    out->undecided =
        out->saturated >= 0 && !(out->outstanding.low > 1 || out->outstanding.high < 1);
    return 0;
}
