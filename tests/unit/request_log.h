/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * request_log.h - logs of jobs that ask for runtimes, the modal model fitted to them, and what it
 * asks for in their place.
 */
#ifndef LOOM_TESTS_REQUEST_LOG_H
#define LOOM_TESTS_REQUEST_LOG_H

#include "modeling.h"
#include "models/requests/request_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A log of n jobs by columns; everything but submit times is unknown at first. */
struct log {
    struct loom_workload jobs;
    int64_t *submit_s, *run_s, *wait_s, *request_s;
    int32_t *procs, *user, *none;
};

static inline void *unknown(size_t n, size_t size)
{
    void *column = malloc((n + 1) * size);
    assert_non_null(column);
    memset(column, 0xff, n * size);
    return column;
}

static inline struct log log_create(size_t n)
{
    struct log log = {.submit_s = calloc(n + 1, 8),
                      .run_s = unknown(n, 8),
                      .wait_s = unknown(n, 8),
                      .request_s = unknown(n, 8),
                      .procs = unknown(n, 4),
                      .user = unknown(n, 4),
                      .none = unknown(n, 4)};
    log.jobs = (struct loom_workload){.n = n,
                                      .submit_s = log.submit_s,
                                      .run_s = log.run_s,
                                      .wait_s = log.wait_s,
                                      .request_s = log.request_s,
                                      .procs = log.procs,
                                      .user = log.user,
                                      .group = log.none,
                                      .executable = log.none,
                                      .queue = log.none};
    return log;
}

static inline void log_free(struct log *log)
{
    free(log->submit_s);
    free(log->run_s);
    free(log->wait_s);
    free(log->request_s);
    free(log->procs);
    free(log->user);
    free(log->none);
}

static inline struct loom_request_model fitted(const struct log *log)
{
    struct loom_training training = {.jobs = &log->jobs, .procs = 64};
    struct loom_request_model model;
    struct loom_error err = {0};
    if (loom_request_model_fit(&model, &training, &err))
        fail_msg("%s", err.message);
    return model;
}

/* Ask for the jobs of a log as the model does. */
static inline void ask(const struct loom_request_model *model, struct log *log, uint64_t seed)
{
    struct loom_generation generation = {.seed = seed, .procs = 64, .log_procs = 64};
    struct loom_error err = {0};
    size_t n = log->jobs.n;
    assert_int_equal(loom_draft_resize(&generation.draft, n, &err), 0);
    assert_int_equal(loom_draft_detail(&generation.draft, LOOM_DETAIL_USER, &err), 0);
    memcpy(generation.draft.submit_s, log->submit_s, n * 8);
    memcpy(generation.draft.run_s, log->run_s, n * 8);
    memcpy(generation.draft.procs, log->procs, n * 4);
    memcpy(generation.draft.user, log->user, n * 4);
    if (loom_request_model_apply(model, &generation, &err))
        fail_msg("%s", err.message);
    memcpy(log->request_s, generation.draft.request_s, n * 8);
    loom_draft_free(&generation.draft);
}

static const int64_t round_s[] = {60,    300,   600,   900,   1200,  1800,  3600,  7200,
                                  10800, 14400, 18000, 21600, 28800, 36000, 43200, 64800};

/* A log as people make them: users with a favourite request, a limit at 18 hours, bundles. */
static inline struct log people(size_t n, uint64_t seed)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "people");
    struct log log = log_create(n);
    int64_t now_s = 0;
    for (size_t i = 0; i < n; i++) {
        bool goes_on = i > 0 && loom_stream_uniform(&stream) < 0.3;
        now_s += goes_on ? 10 : 200;
        log.submit_s[i] = now_s;
        log.user[i] = goes_on ? log.user[i - 1] : (int32_t)loom_stream_below(&stream, 20);
        log.procs[i] = goes_on ? log.procs[i - 1] : 1 << loom_stream_below(&stream, 6);
        log.run_s[i] = (int64_t)exp(11 * loom_stream_uniform(&stream));
        uint64_t pick = loom_stream_below(&stream, COUNT(round_s) + 1);
        log.request_s[i] = pick < COUNT(round_s)
                               ? round_s[pick]
                               : 60 * (1 + (int64_t)loom_stream_below(&stream, 1000));
        if (log.request_s[i] < log.run_s[i] && loom_stream_uniform(&stream) < 0.9)
            log.request_s[i] = 64800;
    }
    return log;
}

#endif
