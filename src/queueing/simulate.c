/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of a model. With FCFS, the start and end of a job are known when it is submitted: it runs
 * on the first free server. The user's decision depends only on the response, so the next
 * submission is known too and is added to the calendar. Submissions are the only events.
 *
 * The run starts with an empty queue and all closed users thinking.
 */
#include "queueing/simulate.h"
#include "base/draw.h"
#include "queueing/calendar.h"

#include <math.h>
#include <stdlib.h>

struct run {
    const struct loom_queueing_model *model;
    struct loom_stream arrivals, services, thinking, choices;
    double scale;    /* of values of service_dist */
    double *free_at; /* of each server, a binary heap */
    double now, next_arrival;
    uint64_t arrived;
    struct loom_calendar calendar;
    struct loom_job_cells cells;
    struct loom_queueing_runtimes *runtimes;
};

/* ---- draws ----------------------------------------------------------------------------------- */

static double exponential(struct loom_stream *stream, double mean)
{
    return -mean * log(1 - loom_draw_uniform(stream));
}

static double draw_service(struct run *run)
{
    const struct loom_queueing_model *model = run->model;
    if (!model->service_dist.ops)
        return exponential(&run->services, model->service);
    return run->scale * loom_dist_sample(&model->service_dist, &run->services.gsl);
}

static void draw_arrival(struct run *run)
{
    double rate = run->model->lambda;
    run->next_arrival += rate > 0 ? exponential(&run->arrivals, 1 / rate) : INFINITY;
}

/* ---- servers --------------------------------------------------------------------------------- */

/* Occupy the first free server until a later time. */
static void occupy(double *free_at, size_t servers, double until)
{
    size_t at = 0, child;
    for (; (child = 2 * at + 1) < servers; at = child) {
        if (child + 1 < servers && free_at[child + 1] < free_at[child])
            child++;
        if (!(free_at[child] < until))
            break;
        free_at[at] = free_at[child];
    }
    free_at[at] = until;
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* A submitted job. */
struct job {
    double start, service, end, response;
};

static void count_runtime(struct run *run, uint64_t *bins, double service)
{
    double bin = service / run->runtimes->width;
    bins[bin < LOOM_QUEUEING_BINS - 1 ? (size_t)bin : LOOM_QUEUEING_BINS - 1]++;
}

static void count_open(struct run *run, double *sums, const struct loom_visit *visit,
                       const struct job *job, bool again)
{
    sums[LOOM_SUM_OPEN_JOBS]++;
    sums[LOOM_SUM_OPEN_RESPONSE] += job->response;
    if (again) {
        sums[LOOM_SUM_CONTINUED]++;
        sums[LOOM_SUM_CONTINUED_TIME] += job->service;
        count_runtime(run, run->runtimes->continued, job->service);
        return;
    }
    double jobs = (double)(visit->jobs + 1), residence = job->end - visit->arrived;
    sums[LOOM_SUM_USERS]++;
    sums[LOOM_SUM_LAST_TIME] += job->service;
    sums[LOOM_SUM_USER_JOBS] += jobs;
    sums[LOOM_SUM_RESIDENCE] += residence;
    sums[LOOM_SUM_QUOTIENT] += jobs / residence;
    count_runtime(run, run->runtimes->last, job->service);
}

/* Serve the job of a visit, count it, and return whether its user submits another. A server's idle
 * time is counted when it ends, so that one server is never busy for more than the time there is.
 */
static bool queueing_submit(struct run *run, const struct loom_visit *visit, struct job *job)
{
    const struct loom_queueing_model *model = run->model;
    double *sums = loom_job_cells_sums(&run->cells), idle_from = run->free_at[0];
    job->service = draw_service(run);
    job->start = idle_from > visit->time ? idle_from : visit->time;
    job->end = job->start + job->service;
    job->response = job->end - visit->time;
    occupy(run->free_at, model->servers, job->end);
    double passed = visit->time - run->now;
    sums[LOOM_SUM_TIME] += passed;
    sums[LOOM_SUM_BUSY] += passed - (job->start - idle_from) / model->servers;
    sums[LOOM_SUM_JOBS]++;
    sums[LOOM_SUM_WAIT] += job->start - visit->time;
    sums[LOOM_SUM_RESPONSE] += job->response;
    run->now = visit->time;
    bool again = true;
    if (visit->arrived < 0) {
        sums[LOOM_SUM_CLOSED_JOBS]++;
        sums[LOOM_SUM_CLOSED_RESPONSE] += job->response;
    } else {
        double p = loom_repeat_probability(&model->repeat, job->response);
        again = p > 0 && loom_draw_uniform(&run->choices) < p;
        count_open(run, sums, visit, job, again);
    }
    loom_job_cells_job(&run->cells);
    return again;
}

/* Return the next submission: an arrival, or the first of the calendar. */
static struct loom_visit next_visit(struct run *run)
{
    if (run->next_arrival > loom_calendar_next(&run->calendar))
        return loom_calendar_pop(&run->calendar);
    struct loom_visit visit = {.time = run->next_arrival, .arrived = run->next_arrival};
    draw_arrival(run);
    run->arrived++;
    return visit;
}

static int queueing_step(struct run *run, struct loom_error *err)
{
    struct loom_visit visit = next_visit(run);
    struct job job;
    if (!queueing_submit(run, &visit, &job))
        return 0;
    double think = loom_think_mean(&run->model->think, job.response);
    visit.jobs++;
    visit.time = job.end + (think > 0 ? exponential(&run->thinking, think) : 0);
    return loom_calendar_push(&run->calendar, visit) ? loom_fail_memory(err) : 0;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int add_closed(struct run *run, struct loom_error *err)
{
    double think = loom_think_mean(&run->model->think, 0);
    for (uint64_t i = 0; i < run->model->closed; i++) {
        struct loom_visit visit = {.time = think > 0 ? exponential(&run->thinking, think) : 0,
                                   .arrived = -1};
        if (loom_calendar_push(&run->calendar, visit))
            return loom_fail_memory(err);
    }
    return 0;
}

static int open_run(struct run *run, uint64_t seed, uint64_t replication, struct loom_error *err)
{
    const struct loom_queueing_model *model = run->model;
    loom_stream_init(&run->arrivals, seed, replication, "queue arrivals");
    loom_stream_init(&run->services, seed, replication, "queue services");
    loom_stream_init(&run->thinking, seed, replication, "queue thinking");
    loom_stream_init(&run->choices, seed, replication, "queue choices");
    run->scale =
        model->service_dist.ops ? model->service / loom_dist_mean(&model->service_dist) : 0;
    run->runtimes->width = model->service / 20;
    run->free_at = calloc(model->servers, sizeof *run->free_at);
    int rc = loom_job_cells_create(&run->cells, err);
    if (!rc && !run->free_at)
        rc = loom_fail_memory(err);
    draw_arrival(run);
    return rc ? rc : add_closed(run, err);
}

int loom_queueing_replicate(struct loom_replication *out, const struct loom_queueing_model *model,
                            const struct loom_queueing_options *options, uint64_t index,
                            struct loom_error *err)
{
    uint64_t users = options->users ? options->users : UINT64_MAX;
    uint64_t jobs = options->jobs ? options->jobs : UINT64_MAX;
    *out = (struct loom_replication){0};
    struct run run = {.model = model, .runtimes = &out->runtimes};
    int rc = open_run(&run, options->seed, index, err);
    while (!rc && run.cells.jobs < jobs && run.arrived < users)
        rc = queueing_step(&run, err);
    if (!rc)
        rc = loom_job_cells_batches(&out->batches, &run.cells, err);
    out->jobs = run.cells.jobs;
    loom_calendar_free(&run.calendar);
    loom_job_cells_free(&run.cells);
    free(run.free_at);
    return rc;
}
