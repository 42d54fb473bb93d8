/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of a model. With FCFS, the start and end of a job are known when it is submitted: it runs
 * on the first free server. The user's decision depends only on the response, so the next
 * submission is known too and is added to a heap. Submissions are the only events.
 *
 * The run starts with an empty queue and all closed users thinking.
 */
#include "queueing/simulate.h"
#include "base/draw.h"
#include "base/heap.h"

#include <math.h>
#include <stdlib.h>

#define NO_VISIT UINT32_MAX

/* A user with the next submission. */
struct visit {
    double time;
    double arrived; /* first submission of an open user; negative: a closed user */
    uint64_t jobs;  /* submitted before */
    uint32_t spare; /* while it is in no use: the next such visit */
};

struct run {
    const struct loom_queueing_model *model;
    struct loom_stream arrivals, services, thinking, choices;
    double scale;    /* of values of service_dist */
    double *free_at; /* of each server, a binary heap */
    double now, next_arrival;
    uint64_t arrived;
    struct loom_heap next; /* visits, by the time of the next submission */
    struct visit *visits;
    size_t n_visits, visits_capacity;
    uint32_t spare; /* a visit that is in no use, NO_VISIT if all are */
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

static void count_open(struct run *run, double *sums, const struct visit *visit,
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
static bool queueing_submit(struct run *run, const struct visit *visit, struct job *job)
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

/* ---- visits ---------------------------------------------------------------------------------- */

/* Return a visit out of use, which there is room for in the heap; NO_VISIT when out of memory. */
static uint32_t new_visit(struct run *run)
{
    uint32_t at = run->spare;
    if (at == NO_VISIT) {
        if (loom_grow(&run->visits, run->n_visits, &run->visits_capacity) ||
            loom_heap_reserve(&run->next, run->n_visits + 1))
            return NO_VISIT;
        return (uint32_t)run->n_visits++;
    }
    run->spare = run->visits[at].spare;
    return at;
}

static void drop_visit(struct run *run, uint32_t at)
{
    run->visits[at].spare = run->spare;
    run->spare = at;
}

/* The bits of times, which are not negative, order as they do. */
static void expect(struct run *run, uint32_t at, double time)
{
    struct loom_heap_entry entry = {.item = at};
    run->visits[at].time = time;
    memcpy(&entry.key, &time, sizeof time);
    loom_heap_push(&run->next, entry);
}

/* The next user to submit: one who arrives, or the first of those who come again. */
static uint32_t next_visit(struct run *run)
{
    if (run->next.n > 0 && run->next_arrival > run->visits[run->next.entries[0].item].time)
        return loom_heap_pop(&run->next).item;
    uint32_t at = new_visit(run);
    if (at == NO_VISIT)
        return at;
    run->visits[at] = (struct visit){.time = run->next_arrival, .arrived = run->next_arrival};
    draw_arrival(run);
    run->arrived++;
    return at;
}

static int queueing_step(struct run *run, struct loom_error *err)
{
    uint32_t at = next_visit(run);
    struct job job;
    if (at == NO_VISIT)
        return loom_fail_memory(err);
    if (!queueing_submit(run, &run->visits[at], &job)) {
        drop_visit(run, at);
        return 0;
    }
    double think = loom_think_mean(&run->model->think, job.response);
    run->visits[at].jobs++;
    expect(run, at, job.end + (think > 0 ? exponential(&run->thinking, think) : 0));
    return 0;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int add_closed(struct run *run, struct loom_error *err)
{
    double think = loom_think_mean(&run->model->think, 0);
    for (uint64_t i = 0; i < run->model->closed; i++) {
        uint32_t at = new_visit(run);
        if (at == NO_VISIT)
            return loom_fail_memory(err);
        run->visits[at] = (struct visit){.arrived = -1};
        expect(run, at, think > 0 ? exponential(&run->thinking, think) : 0);
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
    struct run run = {.model = model, .runtimes = &out->runtimes, .spare = NO_VISIT};
    int rc = open_run(&run, options->seed, index, err);
    while (!rc && run.cells.jobs < jobs && run.arrived < users)
        rc = queueing_step(&run, err);
    if (!rc)
        rc = loom_job_cells_batches(&out->batches, &run.cells, err);
    out->jobs = run.cells.jobs;
    loom_heap_free(&run.next);
    free(run.visits);
    loom_job_cells_free(&run.cells);
    free(run.free_at);
    return rc;
}
