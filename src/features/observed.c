/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observed service: waits, responses, slowdowns, use and queue as the log has them.
 *
 * A job waits from its submission to its start, and runs from there for its runtime; those whose
 * wait is unknown are left out. Bounded slowdown is max(1, (wait + runtime) / max(runtime, 10 s)),
 * as in simulations. Use and queue are integrals over the window: jobs that reach across its ends
 * count for the part inside.
 */
#include "features/observed.h"

#include "base/sort.h"
#include "trace/use.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>

static const double BOUND_S = 10;

static bool in_window(const struct loom_trace_window *window, int64_t submit_s)
{
    return submit_s != -1 && submit_s >= window->from_s && submit_s <= window->to_s;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Sorts x. */
static struct loom_observed_values observed_values(double *x, size_t n)
{
    struct loom_observed_values out = {n, NAN, NAN, NAN, NAN, NAN, NAN};
    double sum = 0;
    if (n == 0)
        return out;
    loom_sort_real(x, n);
    for (size_t i = 0; i < n; i++) /* in an order that rows do not change */
        sum += x[i];
    out.mean = sum / (double)n;
    out.median = loom_quantile(x, n, 0.5);
    out.p90 = loom_quantile(x, n, 0.9);
    out.p95 = loom_quantile(x, n, 0.95);
    out.p99 = loom_quantile(x, n, 0.99);
    out.max = x[n - 1];
    return out;
}

static double bounded_slowdown(double wait_s, double run_s)
{
    return fmax(1, (wait_s + run_s) / fmax(run_s, BOUND_S));
}

/* Count jobs, work and waits of the window. Waits are whole seconds: their sum has no rounding. */
static void measure_jobs(struct loom_observed *out, const struct loom_jobs *jobs)
{
    double sum_s = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        if (!in_window(&out->window, jobs->submit_s[i]))
            continue;
        out->jobs++;
        if (jobs->run_s[i] > 0 && procs > 0)
            out->work_s += (double)jobs->run_s[i] * (double)procs;
        if (jobs->wait_s[i] >= 0) {
            sum_s += (double)jobs->wait_s[i];
            out->wait_s.n++;
        }
    }
    if (out->wait_s.n > 0)
        out->wait_s.mean = sum_s / (double)out->wait_s.n;
}

static int measure_quantiles(struct loom_observed *out, const struct loom_jobs *jobs,
                             struct loom_error *err)
{
    double *scratch = malloc((3 * jobs->n + 1) * sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    double *wait_s = scratch, *response_s = scratch + jobs->n, *slowdown = scratch + 2 * jobs->n;
    size_t waits = 0, ends = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        double wait = (double)jobs->wait_s[i], run = (double)jobs->run_s[i];
        if (!in_window(&out->window, jobs->submit_s[i]) || wait < 0)
            continue;
        wait_s[waits++] = wait;
        if (run < 0)
            continue;
        response_s[ends] = wait + run;
        slowdown[ends++] = bounded_slowdown(wait, run);
    }
    out->wait_s = observed_values(wait_s, waits);
    out->response_s = observed_values(response_s, ends);
    out->bounded_slowdown = observed_values(slowdown, ends);
    free(scratch);
    return 0;
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* When jobs that wait join the queue and leave it, each ascending. */
struct queue {
    int64_t *joins_s, *leaves_s;
    size_t n;
};

static int queue_open(struct queue *queue, const struct loom_jobs *jobs, struct loom_error *err)
{
    queue->n = 0;
    queue->joins_s = malloc((2 * jobs->n + 1) * sizeof *queue->joins_s);
    if (!queue->joins_s)
        return loom_fail_memory(err);
    queue->leaves_s = queue->joins_s + jobs->n;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t submit_s = jobs->submit_s[i], wait_s = jobs->wait_s[i];
        if (submit_s == -1 || wait_s <= 0 || wait_s > INT64_MAX / 4 || submit_s > INT64_MAX / 4 ||
            submit_s < -(INT64_MAX / 4))
            continue;
        queue->joins_s[queue->n] = submit_s;
        queue->leaves_s[queue->n++] = submit_s + wait_s;
    }
    loom_sort_int64(queue->joins_s, queue->n);
    loom_sort_int64(queue->leaves_s, queue->n);
    return 0;
}

static void queue_close(struct queue *queue)
{
    free(queue->joins_s);
}

/* A walk over the queue: between now_s and next_s, `waiting` jobs wait. */
struct walk {
    const struct queue *queue;
    size_t joined, left;
    int64_t now_s, next_s, waiting;
};

/* Step to the next moment at which the queue changes. False behind the last. */
static bool walk_next(struct walk *walk)
{
    const struct queue *queue = walk->queue;
    if (walk->left == queue->n)
        return false;
    bool joins =
        walk->joined < queue->n && queue->joins_s[walk->joined] < queue->leaves_s[walk->left];
    walk->now_s = joins ? queue->joins_s[walk->joined] : queue->leaves_s[walk->left];
    while (walk->joined < queue->n && queue->joins_s[walk->joined] == walk->now_s)
        walk->joined++;
    while (walk->left < queue->n && queue->leaves_s[walk->left] == walk->now_s)
        walk->left++;
    walk->waiting = (int64_t)(walk->joined - walk->left);
    walk->next_s = walk->now_s;
    if (walk->left < queue->n) {
        bool sooner =
            walk->joined < queue->n && queue->joins_s[walk->joined] < queue->leaves_s[walk->left];
        walk->next_s = sooner ? queue->joins_s[walk->joined] : queue->leaves_s[walk->left];
    }
    return true;
}

static double overlap_s(int64_t from_s, int64_t to_s, int64_t low_s, int64_t high_s)
{
    from_s = from_s > low_s ? from_s : low_s;
    to_s = to_s < high_s ? to_s : high_s;
    return to_s > from_s ? (double)to_s - (double)from_s : 0;
}

/* ---- the whole window ------------------------------------------------------------------------ */

static int measure_queue(struct loom_observed *out, const struct loom_jobs *jobs,
                         struct loom_error *err)
{
    int64_t from_s = out->window.from_s, to_s = out->window.to_s;
    struct queue queue;
    int rc = queue_open(&queue, jobs, err);
    if (rc)
        return rc;
    struct walk walk = {.queue = &queue};
    double sum = 0;
    out->queue_max = 0;
    while (walk_next(&walk)) {
        double part_s = overlap_s(walk.now_s, walk.next_s, from_s, to_s);
        sum += part_s * (double)walk.waiting;
        if (part_s > 0 && walk.waiting > out->queue_max)
            out->queue_max = walk.waiting;
    }
    queue_close(&queue);
    out->queue_mean = sum / ((double)to_s - (double)from_s);
    return 0;
}

static void measure_use(struct loom_observed *out, const struct loom_jobs *jobs)
{
    double use_s = 0, length_s = (double)out->window.to_s - (double)out->window.from_s;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        if (!loom_job_placed(jobs, i) || procs <= 0)
            continue;
        int64_t start_s = jobs->submit_s[i] + jobs->wait_s[i];
        use_s += (double)procs *
                 overlap_s(start_s, start_s + jobs->run_s[i], out->window.from_s, out->window.to_s);
    }
    if (out->machine.procs > 0)
        out->utilization = use_s / (length_s * (double)out->machine.procs);
}

int loom_observed_summary(struct loom_observed *out, const struct loom_trace *trace,
                          struct loom_error *err)
{
    static const struct loom_observed_values none = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    *out = (struct loom_observed){.wait_s = none,
                                  .response_s = none,
                                  .bounded_slowdown = none,
                                  .utilization = NAN,
                                  .queue_mean = NAN};
    int rc = loom_trace_window_complete(&out->window, trace, err);
    if (!rc)
        rc = loom_trace_machine_size(&out->machine, trace, err);
    if (rc)
        return rc;
    measure_jobs(out, jobs);
    if (out->wait_s.n > 0 && out->window.from_s < out->window.to_s)
        measure_use(out, jobs);
    return 0;
}

int loom_observed_measure(struct loom_observed *out, const struct loom_trace *trace,
                          struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int rc = loom_observed_summary(out, trace, err);
    if (!rc)
        rc = measure_quantiles(out, jobs, err);
    if (rc || out->wait_s.n == 0 || out->window.from_s >= out->window.to_s)
        return rc;
    return measure_queue(out, jobs, err);
}

/* ---- over time ------------------------------------------------------------------------------- */

enum { MOST_STEPS = 400 };

static int64_t choose_step(int64_t length_s)
{
    static const int64_t steps_s[] = {60,    300,   900,   3600,   10800,
                                      21600, 43200, 86400, 259200, 604800};
    size_t i = 0;
    while (i + 1 < sizeof steps_s / sizeof *steps_s && length_s / steps_s[i] >= MOST_STEPS)
        i++;
    int64_t weeks = length_s / MOST_STEPS / 604800 + 1;
    return length_s / steps_s[i] >= MOST_STEPS ? weeks * 604800 : steps_s[i];
}

/* Return the length of a step inside the window. */
static double step_length(const struct loom_observed_series *series, size_t at)
{
    int64_t from_s = series->from_s + (int64_t)at * series->step_s;
    return overlap_s(from_s, from_s + series->step_s, series->from_s, series->to_s);
}

/* Add `level` over [from_s, to_s) to the steps that it touches: to the use, or to the queue. */
static void series_spread(struct loom_observed_series *series, int64_t from_s, int64_t to_s,
                          int64_t level, bool is_queue)
{
    from_s = from_s > series->from_s ? from_s : series->from_s;
    to_s = to_s < series->to_s ? to_s : series->to_s;
    for (int64_t at_s = from_s; at_s < to_s;) {
        int64_t index = (at_s - series->from_s) / series->step_s;
        int64_t end_s = series->from_s + (index + 1) * series->step_s;
        struct loom_observed_step *step = &series->steps[index];
        end_s = end_s < to_s ? end_s : to_s;
        *(is_queue ? &step->queue_mean : &step->procs) += (double)level * (double)(end_s - at_s);
        if (is_queue && level > step->queue_max)
            step->queue_max = level;
        at_s = end_s;
    }
}

static int fill_series(struct loom_observed_series *series, const struct loom_jobs *jobs,
                       struct loom_error *err)
{
    struct queue queue;
    int rc = queue_open(&queue, jobs, err);
    if (rc)
        return rc;
    struct walk walk = {.queue = &queue};
    while (walk_next(&walk))
        series_spread(series, walk.now_s, walk.next_s, walk.waiting, true);
    queue_close(&queue);
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        if (!loom_job_placed(jobs, i) || procs <= 0)
            continue;
        int64_t start_s = jobs->submit_s[i] + jobs->wait_s[i];
        series_spread(series, start_s, start_s + jobs->run_s[i], procs, false);
    }
    for (size_t i = 0; i < series->count; i++) {
        series->steps[i].procs /= step_length(series, i);
        series->steps[i].queue_mean /= step_length(series, i);
    }
    return 0;
}

int loom_observed_series(struct loom_observed_series **out, const struct loom_trace *trace,
                         const struct loom_trace_window *window, struct loom_error *err)
{
    int64_t length_s = window->to_s - window->from_s, step_s = choose_step(length_s);
    size_t count = (size_t)((length_s + step_s - 1) / step_s);
    struct loom_observed_series *series = calloc(1, sizeof *series + count * sizeof *series->steps);
    if (!series)
        return loom_fail_memory(err);
    series->from_s = window->from_s;
    series->to_s = window->to_s;
    series->step_s = step_s;
    series->count = count;
    int rc = fill_series(series, loom_trace_jobs(trace), err);
    if (rc)
        free(series);
    else
        *out = series;
    return rc;
}
