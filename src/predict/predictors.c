/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor as an object, and as an estimator of a simulation. This file bounds predictions for
 * all predictors: at least 1 s, at most the requested time and 2^48 s, never NAN.
 */
#include "predict/predictors.h"

#include "predict/by_job.h"
#include "predict/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct loom_predictor {
    const struct loom_predictor_ops *ops;
    struct loom_params *params;
    void *state;
    double sum_s; /* of the runtimes of all jobs that ended */
    int64_t n_ended;
    bool simulates; /* as an estimator: no intervals */
    enum loom_correction correction;
    struct loom_by_job firsts;     /* first predictions */
    struct loom_error_sums errors; /* of them, as an estimator */
    int64_t requests_unknown;      /* jobs without requested time, as an estimator */
    struct loom_error
        failure; /* of a prediction that the estimator could not report; code 0: none */
};

/* ---- life ------------------------------------------------------------------------------------ */

static void predictor_forget(struct loom_predictor *predictor)
{
    loom_by_job_free(&predictor->firsts);
    predictor->sum_s = 0;
    predictor->n_ended = 0;
    predictor->requests_unknown = 0;
    predictor->failure.code = 0;
    predictor->errors = (struct loom_error_sums){0};
}

static int open_state(struct loom_predictor *predictor, struct loom_error *err)
{
    const struct loom_predictor_ops *ops = predictor->ops;
    void *state = calloc(1, ops->state_size ? ops->state_size : 1);
    if (!state)
        return loom_fail_memory(err);
    int rc = ops->open ? ops->open(state, predictor->params, err) : 0;
    if (rc)
        free(state);
    else
        predictor->state = state;
    return rc;
}

static void close_state(struct loom_predictor *predictor)
{
    if (predictor->state && predictor->ops->close)
        predictor->ops->close(predictor->state);
    free(predictor->state);
    predictor->state = NULL;
}

int loom_predictor_create_with(struct loom_predictor **out, const struct loom_predictor_ops *ops,
                               struct loom_params *params, struct loom_error *err)
{
    struct loom_predictor *predictor = calloc(1, sizeof *predictor);
    if (!predictor) {
        loom_params_destroy(params);
        return loom_fail_memory(err);
    }
    predictor->ops = ops;
    predictor->params = params;
    int rc = open_state(predictor, err);
    if (rc)
        loom_predictor_destroy(predictor);
    else
        *out = predictor;
    return rc;
}

int loom_predictor_create(struct loom_predictor **out, const char *text, struct loom_error *err)
{
    const struct loom_predictor_ops *ops = NULL;
    struct loom_params *params = NULL;
    *out = NULL;
    int rc = text && loom_names_parameter_file(text)
                 ? loom_parameter_file_read(&ops, &params, text, err)
                 : loom_predictor_parse(&ops, &params, text, err);
    return rc ? rc : loom_predictor_create_with(out, ops, params, err);
}

void loom_predictor_destroy(struct loom_predictor *predictor)
{
    if (!predictor)
        return;
    close_state(predictor);
    predictor_forget(predictor);
    loom_params_destroy(predictor->params);
    free(predictor);
}

int loom_predictor_reset(struct loom_predictor *predictor, struct loom_error *err)
{
    close_state(predictor);
    predictor_forget(predictor);
    return open_state(predictor, err);
}

const struct loom_predictor_info *loom_predictor_info(const struct loom_predictor *predictor)
{
    return &predictor->ops->info;
}

const struct loom_params *loom_predictor_params(const struct loom_predictor *predictor)
{
    return predictor->params;
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* Return the default prediction. */
static double fallback_s(const struct loom_predictor *predictor, const struct loom_job_view *job)
{
    if (job->request_s > 0)
        return (double)job->request_s;
    return predictor->n_ended > 0 ? predictor->sum_s / (double)predictor->n_ended : 3600;
}

static double bounded(double run_s, const struct loom_job_view *job)
{
    double most_s = job->request_s > 0 ? fmin((double)job->request_s, 0x1p48) : 0x1p48;
    if (run_s > most_s)
        return most_s;
    return run_s > 1 ? run_s : 1;
}

/* Extend the interval to contain the prediction. Its lower end may be 0, like a runtime. */
static void bound_interval(struct loom_prediction *out)
{
    if (isnan(out->low_s) || isnan(out->high_s)) {
        out->low_s = out->high_s = NAN;
        return;
    }
    out->low_s = fmax(0, fmin(out->low_s, out->run_s));
    out->high_s = fmin(fmax(out->high_s, out->run_s), 0x1p48);
}

int loom_predictor_survey(struct loom_predictor *predictor, const struct loom_job_view *job,
                          struct loom_error *err)
{
    const struct loom_predictor_ops *ops = predictor->ops;
    return ops->survey ? ops->survey(predictor->state, job, err) : 0;
}

int loom_predictor_predict(struct loom_prediction *out, struct loom_predictor *predictor,
                           const struct loom_job_view *job, int64_t run_s, struct loom_error *err)
{
    double asked_s = fallback_s(predictor, job);
    *out = (struct loom_prediction){
        .run_s = predictor->ops->knows_runtime ? (double)run_s : asked_s,
        .low_s = NAN,
        .high_s = NAN,
    };
    int rc = predictor->ops->predict(out, predictor->state, job, err);
    if (!rc && predictor->ops->interval && !predictor->simulates)
        predictor->ops->interval(out, predictor->state, job);
    if (isnan(out->run_s))
        out->run_s = asked_s;
    out->run_s = bounded(out->run_s, job);
    bound_interval(out);
    return rc;
}

int loom_predictor_started(struct loom_predictor *predictor, const struct loom_job_view *job,
                           int64_t start_s, struct loom_error *err)
{
    const struct loom_predictor_ops *ops = predictor->ops;
    return ops->started ? ops->started(predictor->state, job, start_s, err) : 0;
}

int loom_predictor_learn(struct loom_predictor *predictor, const struct loom_job_view *job,
                         int64_t run_s, struct loom_error *err)
{
    predictor->sum_s += (double)run_s;
    predictor->n_ended++;
    const struct loom_predictor_ops *ops = predictor->ops;
    return ops->learn ? ops->learn(predictor->state, job, run_s, err) : 0;
}

/* ---- as an estimator ------------------------------------------------------------------------- */

const char *loom_correction_name(enum loom_correction correction)
{
    static const char *const names[LOOM_CORRECTIONS] = {"requested", "incremental", "double"};
    return names[correction];
}

/* Predict a job. A failure is stored, and reported when a job starts. */
static int64_t estimator_foresee(void *self, const struct loom_job_view *job, int64_t run_s)
{
    struct loom_predictor *predictor = self;
    struct loom_prediction prediction;
    struct loom_error *failure = &predictor->failure;
    int rc = loom_predictor_predict(&prediction, predictor, job, run_s, failure);
    int64_t whole_s = (int64_t)floor(prediction.run_s);
    if (!rc && loom_by_job_set(&predictor->firsts, job, whole_s))
        rc = loom_fail_memory(failure);
    failure->code = rc ? rc : failure->code;
    predictor->requests_unknown += job->request_s <= 0;
    return whole_s;
}

static int64_t estimator_estimate(void *self, const struct loom_job_view *job)
{
    return estimator_foresee(self, job, -1);
}

/* Return the corrected prediction of a job that has run for ran_s: the first increment of Tsafrir,
 * Etsion and Feitelson beyond ran_s. */
static int64_t increment(const struct loom_predictor *predictor, const struct loom_job_view *job,
                         int64_t ran_s)
{
    static const int64_t steps_s[] = {60,    300,   900,   1800,   3600,  7200,
                                      18000, 36000, 72000, 180000, 360000};
    int64_t first_s = loom_by_job_get(&predictor->firsts, job);
    for (size_t i = 0; i < sizeof steps_s / sizeof *steps_s; i++)
        if (first_s + steps_s[i] > ran_s)
            return first_s + steps_s[i];
    return INT64_MAX;
}

static int64_t estimator_correct(void *self, const struct loom_job_view *job, int64_t ran_s)
{
    const struct loom_predictor *predictor = self;
    bool limited = job->request_s > ran_s;
    int64_t next_s = ran_s < INT64_MAX / 2 ? 2 * ran_s : INT64_MAX;
    if (limited && predictor->correction == LOOM_CORRECTION_REQUESTED)
        next_s = job->request_s;
    if (predictor->correction == LOOM_CORRECTION_INCREMENTAL)
        next_s = increment(predictor, job, ran_s);
    return limited && next_s > job->request_s ? job->request_s : next_s;
}

static int failed(const struct loom_predictor *predictor, struct loom_error *err)
{
    if (err && predictor->failure.code)
        *err = predictor->failure;
    return predictor->failure.code;
}

static int estimator_started(void *self, const struct loom_job_view *job, int64_t start_s,
                             struct loom_error *err)
{
    int rc = failed(self, err);
    return rc ? rc : loom_predictor_started(self, job, start_s, err);
}

static int estimator_learn(void *self, const struct loom_job_view *job, int64_t run_s,
                           struct loom_error *err)
{
    struct loom_predictor *predictor = self;
    const struct loom_prediction said = {(double)loom_by_job_get(&predictor->firsts, job), NAN,
                                         NAN};
    int rc = failed(predictor, err);
    if (rc)
        return rc;
    loom_error_sums_add(&predictor->errors, &said, run_s, job->procs);
    return loom_predictor_learn(predictor, job, run_s, err);
}

struct loom_prediction_errors loom_predictor_errors(const struct loom_predictor *predictor)
{
    return loom_error_sums_means(&predictor->errors);
}

int64_t loom_predictor_requests_unknown(const struct loom_predictor *predictor)
{
    return predictor->requests_unknown;
}

struct loom_estimator loom_predictor_estimator(struct loom_predictor *predictor,
                                               enum loom_correction correction)
{
    predictor->correction = correction;
    predictor->simulates = true;
    return (struct loom_estimator){
        .self = predictor,
        .estimate = estimator_estimate,
        .correct = estimator_correct,
        .started = estimator_started,
        .learn = estimator_learn,
        .foresee = predictor->ops->knows_runtime ? estimator_foresee : NULL,
    };
}
