/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cascade_log.h - logs for the tests of the wavelet models, and sums over them. */
#ifndef LOOM_TESTS_CASCADE_LOG_H
#define LOOM_TESTS_CASCADE_LOG_H

#include "models/arrivals/mmwm.h"
#include "samples.h"

extern const struct loom_model_ops loom_model_mwm, loom_model_mmwm;

enum { T_S = 900 };

static inline void must(int rc, const struct loom_error *err)
{
    if (rc)
        fail_msg("%d: %s", rc, err->message);
}

static inline double block_sum(const double *x, size_t begin, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += x[begin + i];
    return sum;
}

static inline size_t zeros_in(const double *rates, size_t n)
{
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++)
        zeros += rates[i] == 0;
    return zeros;
}

struct log {
    struct loom_workload jobs;
    struct loom_params *params;
    int64_t *submit_s;
};

/* Jobs of so many a T_S, the first of them at 0. */
static inline struct log log_of(const double *counts, size_t n, const struct loom_param *declared)
{
    size_t jobs = (size_t)block_sum(counts, 0, n), job = 0;
    struct log log = {.submit_s = malloc((jobs + 1) * sizeof *log.submit_s)};
    assert_non_null(log.submit_s);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < (int)counts[i]; k++)
            log.submit_s[job++] = (int64_t)i * T_S + (i == 0 ? 0 : k % T_S);
    log.jobs = (struct loom_workload){.n = jobs, .submit_s = log.submit_s};
    log.jobs.span_s = log.submit_s[jobs - 1];
    const struct loom_param *const lists[] = {declared, NULL};
    assert_int_equal(loom_params_create(&log.params, lists, NULL), 0);
    return log;
}

static inline void log_free(struct log *log)
{
    loom_params_destroy(log->params);
    free(log->submit_s);
}

static inline void set(struct log *log, const char *name, const char *value)
{
    assert_int_equal(loom_params_set(log->params, name, value, NULL), 0);
}

static inline void fit(void *state, const struct loom_model_ops *ops, const struct log *log)
{
    struct loom_training training = {.jobs = &log->jobs, .params = log->params, .procs = 1};
    struct loom_error err = {0};
    must(ops->fit(state, &training, &err), &err);
}

#endif
