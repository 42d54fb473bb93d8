/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replay a log to a predictor: jobs are submitted, start and end at the log's times, and the
 * predictor sees each event when it happens. At equal times, starts and ends precede submissions
 * and are in order of submission.
 */
#include "predict/evaluate.h"

#include "base/civil.h"
#include "base/compare.h"
#include "predict/errors.h"
#include "predict/predictors.h"

#include <math.h>
#include <stdlib.h>

static int events_by_time(const void *a, const void *b)
{
    const struct loom_job_event *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->time_s, y->time_s), LOOM_COMPARE(x->job, y->job),
                                 y->starts - x->starts);
}

static bool is_runtime_known(const struct loom_jobs *jobs, uint32_t row)
{
    return jobs->submit_s[row] >= 0 && jobs->run_s[row] >= 0 && loom_job_procs(jobs, row) > 0;
}

static void count_unknown(struct loom_evaluation *counts, const struct loom_jobs *jobs,
                          uint32_t row)
{
    counts->waits_unknown += jobs->wait_s[row] < 0;
    counts->requests_unknown += jobs->request_s[row] <= 0;
    counts->memory_unknown += !(jobs->req_mem_kib[row] >= 0);
    counts->users_unknown += jobs->user[row] < 0;
    counts->groups_unknown += jobs->group[row] < 0;
    counts->queues_unknown += jobs->queue[row] < 0;
    counts->executables_unknown += jobs->executable[row] < 0;
}

/* Select the jobs that can be predicted, and count unknown values. */
static int take_jobs(struct loom_job_replay *replay, const struct loom_trace *trace,
                     struct loom_error *err)
{
    const struct loom_jobs *jobs = replay->jobs = loom_trace_jobs(trace);
    int rc = loom_trace_order(&replay->rows, trace, err);
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        uint32_t row = replay->rows[i];
        if (!is_runtime_known(jobs, row)) {
            replay->unknown.left_out++;
            continue;
        }
        replay->rows[replay->n++] = row;
        count_unknown(&replay->unknown, jobs, row);
    }
    if (!rc && replay->n < 2)
        rc = loom_fail(err, LOOM_EDATA,
                       "%zu of the %zu jobs have a submit time, a runtime and processors; "
                       "prediction needs two",
                       replay->n, jobs->n);
    return rc;
}

/* List starts and ends in the order of time. */
static int list_events(struct loom_job_replay *replay, struct loom_error *err)
{
    struct loom_job_event *events = replay->events = malloc(2 * replay->n * sizeof *events);
    for (size_t i = 0; i < replay->n && events; i++) {
        uint32_t row = replay->rows[i];
        int64_t wait_s = replay->jobs->wait_s[row];
        int64_t start_s = loom_saturated_add(replay->jobs->submit_s[row], wait_s > 0 ? wait_s : 0);
        int64_t end_s = loom_saturated_add(start_s, replay->jobs->run_s[row]);
        events[2 * i] = (struct loom_job_event){start_s, (uint32_t)i, true};
        events[2 * i + 1] = (struct loom_job_event){end_s, (uint32_t)i, false};
    }
    if (!events)
        return loom_fail_memory(err);
    qsort(events, 2 * replay->n, sizeof *events, events_by_time);
    return 0;
}

int loom_job_replay_open(struct loom_job_replay *replay, const struct loom_trace *trace,
                         struct loom_error *err)
{
    *replay = (struct loom_job_replay){0};
    int rc = take_jobs(replay, trace, err);
    if (!rc)
        rc = list_events(replay, err);
    if (rc)
        loom_job_replay_free(replay);
    return rc;
}

void loom_job_replay_free(struct loom_job_replay *replay)
{
    free(replay->rows);
    free(replay->events);
    *replay = (struct loom_job_replay){0};
}

static struct loom_job_view view_of(const struct loom_job_replay *replay, uint32_t job)
{
    const struct loom_jobs *jobs = replay->jobs;
    uint32_t row = replay->rows[job];
    return (struct loom_job_view){
        .submit_s = jobs->submit_s[row],
        .request_s = jobs->request_s[row],
        .req_mem_kib = jobs->req_mem_kib[row],
        .procs = loom_job_procs(jobs, row),
        .user = jobs->user[row],
        .group = jobs->group[row],
        .executable = jobs->executable[row],
        .queue = jobs->queue[row],
        .number = job,
    };
}

static int happen(struct loom_predictor *predictor, const struct loom_job_replay *replay,
                  const struct loom_job_event *event, struct loom_error *err)
{
    struct loom_job_view job = view_of(replay, event->job);
    if (event->starts)
        return loom_predictor_started(predictor, &job, event->time_s, err);
    return loom_predictor_learn(predictor, &job, replay->jobs->run_s[replay->rows[event->job]],
                                err);
}

/* Call survey() for all jobs, before the first prediction. */
static int survey(struct loom_predictor *predictor, const struct loom_job_replay *replay,
                  size_t end, struct loom_error *err)
{
    int rc = loom_predictor_reset(predictor, err);
    for (uint32_t i = 0; i < end && !rc; i++) {
        struct loom_job_view job = view_of(replay, i);
        rc = loom_predictor_survey(predictor, &job, err);
    }
    return rc;
}

/* A job that ends when it is submitted has been submitted before. */
int loom_job_replay_run(struct loom_predicted_job *out, const struct loom_job_replay *replay,
                        struct loom_predictor *predictor, size_t first, size_t end,
                        struct loom_error *err)
{
    const struct loom_job_event *next = replay->events, *last = next + 2 * replay->n;
    int rc = survey(predictor, replay, end, err);
    for (uint32_t i = 0; i < end && !rc; i++) {
        struct loom_job_view job = view_of(replay, i);
        struct loom_prediction prediction;
        for (; next < last && next->time_s <= job.submit_s && next->job < i && !rc; next++)
            rc = happen(predictor, replay, next, err);
        if (!rc)
            rc = loom_predictor_predict(&prediction, predictor, &job,
                                        replay->jobs->run_s[replay->rows[i]], err);
        if (!rc && i >= first)
            out[i - first] = (struct loom_predicted_job){replay->rows[i], prediction};
    }
    return rc;
}

static int evaluate(struct loom_evaluation *out, const struct loom_job_replay *replay,
                    struct loom_predictor *predictor, struct loom_error *err)
{
    out->n = replay->n - out->history;
    out->jobs = malloc(out->n * sizeof *out->jobs);
    if (!out->jobs)
        return loom_fail_memory(err);
    return loom_job_replay_run(out->jobs, replay, predictor, out->history, replay->n, err);
}

int loom_evaluate(struct loom_evaluation *out, struct loom_predictor *predictor,
                  const struct loom_trace *trace, double train, struct loom_error *err)
{
    struct loom_job_replay replay;
    *out = (struct loom_evaluation){0};
    if (!(train >= 0 && train < 1))
        return loom_fail_field(err, LOOM_ERANGE, "train", "train must be 0 to below 1, not %g",
                               train);
    int rc = loom_job_replay_open(&replay, trace, err);
    if (rc)
        return rc;
    *out = replay.unknown;
    out->history = (size_t)floor(train * (double)replay.n);
    rc = evaluate(out, &replay, predictor, err);
    if (rc)
        loom_evaluation_free(out);
    else
        out->errors = loom_evaluation_errors(out, trace, 0, out->n, NULL, NULL);
    loom_job_replay_free(&replay);
    return rc;
}

void loom_evaluation_free(struct loom_evaluation *evaluation)
{
    free(evaluation->jobs);
    *evaluation = (struct loom_evaluation){0};
}

/* ---- errors ---------------------------------------------------------------------------------- */

struct loom_prediction_errors
loom_evaluation_errors(const struct loom_evaluation *evaluation, const struct loom_trace *trace,
                       size_t first, size_t end, bool (*wanted)(const void *context, size_t index),
                       const void *context)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_error_sums sums = {0};
    for (size_t i = first; i < end; i++) {
        const struct loom_predicted_job *job = &evaluation->jobs[i];
        if (!wanted || wanted(context, i))
            loom_error_sums_add(&sums, &job->prediction, jobs->run_s[job->row],
                                loom_job_procs(jobs, job->row));
    }
    return loom_error_sums_means(&sums);
}
