/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict_jobs.h - jobs shown to a predictor, one after the other. */
#ifndef LOOM_TESTS_PREDICT_JOBS_H
#define LOOM_TESTS_PREDICT_JOBS_H

#include "support.h"

#include <workloom/predict.h>

#include <math.h>

static inline struct loom_predictor *predictor_of(const char *text)
{
    struct loom_predictor *predictor = NULL;
    assert_int_equal(loom_predictor_create(&predictor, text, NULL), 0);
    return predictor;
}

static inline struct loom_job_view view_of(uint32_t number, int32_t user, int64_t request_s,
                                           int32_t procs)
{
    return (struct loom_job_view){.submit_s = number,
                                  .request_s = request_s,
                                  .req_mem_kib = -1,
                                  .procs = procs,
                                  .user = user,
                                  .group = -1,
                                  .executable = -1,
                                  .queue = -1,
                                  .number = number};
}

static inline double predicted(struct loom_predictor *predictor, const struct loom_job_view *job)
{
    struct loom_prediction prediction;
    assert_int_equal(loom_predictor_predict(&prediction, predictor, job, -1, NULL), 0);
    return prediction.run_s;
}

static inline void ended(struct loom_predictor *predictor, const struct loom_job_view *job,
                         int64_t run_s)
{
    assert_int_equal(loom_predictor_started(predictor, job, job->submit_s, NULL), 0);
    assert_int_equal(loom_predictor_learn(predictor, job, run_s, NULL), 0);
}

static inline bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

#endif
