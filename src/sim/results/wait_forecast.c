/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicted starts of jobs: by reservations, or by running the policy ahead. */
#include "base/vec.h"
#include "sim/engine.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdlib.h>

/* A job of the copy, and its number in the original. */
struct ahead_job {
    struct loom_submission submission;
    int64_t submit_s; /* as it was */
    uint32_t number;
};

struct loom_wait_forecast {
    const struct loom_scheduler_ops *ops;
    struct loom_params *params;
    bool reserves;    /* every waiting job has a reservation */
    int64_t *start_s; /* predicted, by number; -1: none */
    size_t n, capacity;
    size_t first_new; /* jobs from this number on were submitted since the last pass */

    struct loom_sim *copy;
    struct ahead_job *ahead; /* the jobs of the copy: running ones, then waiting ones */
    size_t n_ahead, ahead_capacity;
    size_t next; /* to submit */
};

/* The clock of the copy is one second ahead, so that there is a second before any time. */
enum { AHEAD_S = 1 };

int loom_wait_forecast_create(struct loom_wait_forecast **out,
                              const struct loom_sim_options *options, struct loom_error *err)
{
    unsigned promises;
    if (options->compat != LOOM_COMPAT_NONE)
        return loom_fail_field(err, LOOM_EUSAGE, "predict_waits compat",
                               "predict_waits excludes compat: waits are predicted by our rules");
    struct loom_wait_forecast *self = calloc(1, sizeof *self);
    if (!self)
        return loom_fail_memory(err);
    int rc = loom_scheduler_promises(&promises, options->schedulers, options->scheduler, err);
    if (!rc)
        rc = loom_scheduler_parse(&self->ops, &self->params, options->schedulers,
                                  options->scheduler, err);
    if (!rc)
        rc = loom_sim_create(&self->copy, err);
    if (rc) {
        loom_wait_forecast_destroy(self);
        return rc;
    }
    self->reserves = promises & LOOM_PROMISE_ALL;
    *out = self;
    return 0;
}

void loom_wait_forecast_destroy(struct loom_wait_forecast *forecast)
{
    if (!forecast)
        return;
    loom_sim_destroy(forecast->copy);
    loom_params_destroy(forecast->params);
    free(forecast->start_s);
    free(forecast->ahead);
    free(forecast);
}

int64_t loom_wait_forecast_start(const struct loom_wait_forecast *forecast, uint32_t job)
{
    return job < forecast->n ? forecast->start_s[job] : -1;
}

/* ---- the jobs of the copy -------------------------------------------------------------------- */

static int64_t due(void *self)
{
    const struct loom_wait_forecast *forecast = self;
    return forecast->next < forecast->n_ahead ? forecast->ahead[forecast->next].submission.submit_s
                                              : LOOM_NEVER;
}

static int take(void *self, struct loom_submission *out, struct loom_error *err)
{
    struct loom_wait_forecast *forecast = self;
    (void)err;
    *out = forecast->ahead[forecast->next++].submission;
    return 0;
}

/* Give a job the submit time it had, which orders of the queue may depend on. */
static int admitted(void *self, uint32_t job, struct loom_error *err)
{
    const struct loom_wait_forecast *forecast = self;
    (void)err;
    if (job != LOOM_NO_JOB)
        forecast->copy->jobs[job].submit_s = forecast->ahead[job].submit_s;
    return 0;
}

/* Add a job that joins the copy at join_s and is known to take length_s from then on. */
static int add(struct loom_wait_forecast *self, const struct loom_sim *sim, uint32_t job,
               int64_t join_s, int64_t length_s, struct loom_error *err)
{
    const struct loom_sim_job *sim_job = &sim->jobs[job];
    if (loom_grow(&self->ahead, self->n_ahead, &self->ahead_capacity))
        return loom_fail_memory(err);
    self->ahead[self->n_ahead++] = (struct ahead_job){
        .submission = {.submit_s = join_s,
                       .run_s = length_s,
                       .request_s = length_s,
                       .procs = sim_job->procs,
                       .user = sim_job->user,
                       .row = LOOM_NO_ROW},
        .submit_s = sim_job->submit_s + AHEAD_S,
        .number = job,
    };
    return 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const struct ahead_job *)a)->number, y = ((const struct ahead_job *)b)->number;
    return (x > y) - (x < y);
}

/* List running jobs, which join one second early and so start before the waiting ones, and waiting
 * jobs, both in the order of submission. */
static int list_jobs(struct loom_wait_forecast *self, const struct loom_sim *sim,
                     struct loom_error *err)
{
    int64_t now_s = sim->now_s + AHEAD_S;
    struct loom_cursor cursor = {0};
    uint32_t job;
    int rc = 0;
    self->n_ahead = self->next = 0;
    for (size_t i = 0; i < loom_ends_count(&sim->ends) && !rc; i++) {
        const struct loom_sim_job *sim_job = &sim->jobs[job = loom_ends_job(&sim->ends, i)];
        int64_t left_s = sim_job->start_s + sim_job->estimate_s - sim->now_s;
        rc = add(self, sim, job, now_s - 1, (left_s > 0 ? left_s : 0) + 1, err);
    }
    size_t running = self->n_ahead;
    while (!rc && (job = loom_queue_next(&sim->waiting, &cursor)) != LOOM_NO_JOB)
        rc = add(self, sim, job, now_s, sim->jobs[job].estimate_s, err);
    if (!rc) {
        qsort(self->ahead, running, sizeof *self->ahead, by_number);
        qsort(self->ahead + running, self->n_ahead - running, sizeof *self->ahead, by_number);
    }
    return rc;
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* Run the copy until the jobs from `asked` on have started, and take their starts. */
static int run_copy(struct loom_wait_forecast *self, size_t asked, struct loom_error *err)
{
    struct loom_sim *copy = self->copy;
    int64_t next_s;
    int rc = 0;
    for (size_t at = asked; !rc && at < self->n_ahead;) {
        bool started = at < copy->n_jobs && copy->jobs[at].start_s >= 0;
        if (started) {
            self->start_s[self->ahead[at].number] = copy->jobs[at].start_s - AHEAD_S;
            at++;
        } else if ((next_s = loom_sim_next(copy)) == LOOM_NEVER) {
            break; /* the policy leaves it waiting, which the run itself will report */
        } else {
            rc = loom_sim_step(copy, next_s, err);
        }
    }
    return rc;
}

static int look_ahead(struct loom_wait_forecast *self, const struct loom_sim *sim,
                      struct loom_error *err)
{
    const struct loom_job_source source = {
        .self = self,
        .due = due,
        .take = take,
        .admitted = admitted,
    };
    const struct loom_sim_options options = {
        .scheduler = sim->options.scheduler,
        .schedulers = sim->options.schedulers,
        .procs = sim->procs,
    };
    int rc = list_jobs(self, sim, err);
    size_t asked = self->n_ahead;
    while (asked > 0 && self->ahead[asked - 1].number >= self->first_new &&
           sim->jobs[self->ahead[asked - 1].number].start_s < 0)
        asked--;
    if (!rc)
        rc = loom_sim_open(self->copy, &options, self->ops, self->params, &source, err);
    if (rc)
        return rc;
    rc = run_copy(self, asked, err);
    loom_sim_close(self->copy);
    return rc;
}

/* A pass is over: jobs submitted since the last one have started, have a reservation or wait. */
static int conclude(struct loom_wait_forecast *self, const struct loom_sim *sim,
                    struct loom_error *err)
{
    bool open = false;
    for (size_t i = self->first_new; i < self->n; i++) {
        if (sim->jobs[i].start_s >= 0)
            self->start_s[i] = sim->jobs[i].start_s;
        else
            open = open || self->start_s[i] < 0;
    }
    int rc = open ? look_ahead(self, sim, err) : 0;
    self->first_new = self->n;
    return rc;
}

static int see(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
               struct loom_error *err)
{
    struct loom_wait_forecast *forecast = self;
    switch ((int)event->kind) {
    case LOOM_EVENT_SUBMIT:
        if (event->job == 0)
            forecast->n = forecast->first_new = 0; /* of a run before */
        if (loom_grow(&forecast->start_s, forecast->n, &forecast->capacity))
            return loom_fail_memory(err);
        forecast->start_s[forecast->n++] = -1;
        return 0;
    case LOOM_EVENT_RESERVE:
        if (event->job >= forecast->first_new)
            forecast->start_s[event->job] = event->planned_s;
        return 0;
    default:
        return forecast->first_new < forecast->n ? conclude(forecast, sim, err) : 0;
    }
}

struct loom_observer loom_wait_forecast_observer(struct loom_wait_forecast *forecast)
{
    unsigned wants = LOOM_EVENT_SUBMIT | LOOM_EVENT_PASS;
    if (forecast->reserves)
        wants |= LOOM_EVENT_RESERVE;
    return (struct loom_observer){.self = forecast, .events = wants, .on_event = see};
}

/* ---- errors ---------------------------------------------------------------------------------- */

struct loom_wait_errors loom_wait_forecast_errors(const struct loom_wait_forecast *forecast,
                                                  const struct loom_sim *sim)
{
    size_t end = sim->measured_end ? sim->measured_end : sim->n_jobs;
    struct loom_wait_errors out = {0};
    double error = 0, signed_error = 0, predicted = 0, waited = 0;
    int64_t late = 0, within = 0;
    for (size_t i = sim->measured_first; i < end; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        int64_t start_s = loom_wait_forecast_start(forecast, (uint32_t)i);
        if (start_s < 0 || (sim->left_out && sim->left_out[i]))
            continue;
        double said = (double)(start_s - job->submit_s), wait = (double)loom_sim_job_wait(job);
        out.at_once += start_s == job->submit_s;
        if (start_s == job->submit_s)
            continue;
        out.jobs++;
        error += fabs(said - wait);
        signed_error += said - wait;
        predicted += said;
        waited += wait;
        late += job->start_s > start_s;
        within += wait >= 0.5 * said && wait <= 1.5 * said;
    }
    double n = out.jobs > 0 ? (double)out.jobs : NAN;
    out.mae_s = error / n;
    out.bias_s = signed_error / n;
    out.late_fraction = (double)late / n;
    out.near_fraction = (double)within / n;
    out.ratio = waited / (out.jobs > 0 ? predicted : NAN);
    return out;
}
