/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_list.h - a plausible log, and every model of the list fitted to it. */
#ifndef LOOM_TESTS_MODEL_LIST_H
#define LOOM_TESTS_MODEL_LIST_H

#include "support.h"

#include <workloom/models.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_JOBS = 6000, LOG_PROCS = 128, LARGEST = 65, GENERATED_JOBS = 3000, USERS = 30 };

/* ---- a plausible log ------------------------------------------------------------------------- */

/* More jobs by day than by night. */
static inline int64_t next_submit(struct loom_stream *stream, int64_t clock_s)
{
    int64_t hour = clock_s / 3600 % 24;
    double mean_s = hour >= 8 && hour < 18 ? 300 : 1500;
    return clock_s + (int64_t)(-mean_s * log1p(-loom_stream_uniform(stream)));
}

static inline struct loom_job log_job(struct loom_stream *stream, int64_t submit_s)
{
    static const int64_t limits_s[] = {900, 3600, 14400, 86400};
    struct loom_job job = loom_job_unknown();
    int size = (int)loom_stream_below(stream, 7);
    double spread = loom_stream_uniform(stream) + loom_stream_uniform(stream);
    job.submit_s = submit_s;
    job.wait_s = (int64_t)loom_stream_below(stream, 600);
    job.run_s = (int64_t)exp(1 + 0.4 * size + 3.5 * spread);
    job.alloc_procs = job.req_procs = (1 << size) + (loom_stream_below(stream, 5) == 0 && size > 1);
    size_t limit = 0;
    while (limit < COUNT(limits_s) - 1 && limits_s[limit] < job.run_s)
        limit++;
    job.request_s = limits_s[limit];
    job.status = LOOM_STATUS_COMPLETED;
    job.user =
        1 + (int32_t)(loom_stream_below(stream, USERS) * loom_stream_below(stream, USERS)) / USERS;
    job.group = job.user % 4;
    job.executable = job.user * 3 + size % 3;
    job.queue = size < 2 ? 0 : 1;
    return job;
}

/* Jobs come alone or as a few alike within a minute. */
static inline struct loom_trace *plausible_log(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "plausible log");
    int64_t clock_s = 0;
    for (int i = 0; i < LOG_JOBS;) {
        clock_s = next_submit(&stream, clock_s);
        struct loom_job job = log_job(&stream, clock_s);
        int copies =
            loom_stream_below(&stream, 3) == 0 ? 2 + (int)loom_stream_below(&stream, 6) : 1;
        for (int k = 0; k < copies && i < LOG_JOBS; k++, i++) {
            job.number = i + 1;
            job.submit_s = clock_s + 10 * k;
            append(trace, job);
        }
        clock_s += 10 * copies;
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "128", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "345600", NULL), 0);
    return trace;
}

static struct loom_trace *log_once; /* made by the group's setup */

static inline int make_log(void **state)
{
    (void)state;
    log_once = plausible_log();
    return 0;
}

static inline int free_log(void **state)
{
    (void)state;
    loom_trace_destroy(log_once);
    return 0;
}

/* ---- models of the list ---------------------------------------------------------------------- */

static inline struct loom_params *defaults_of(const struct loom_model_info *info)
{
    const struct loom_param *const lists[] = {info->params, NULL};
    struct loom_params *params = NULL;
    if (info->params)
        assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    return params;
}

static inline int try_fit(struct loom_model **out, const struct loom_model_info *info,
                          const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_params *params = defaults_of(info);
    int rc = loom_model_fit(out, info->name, trace, params, NULL, err);
    loom_params_destroy(params);
    return rc;
}

/* The model fitted to the log or, where it cannot be fitted, as published. */
static inline struct loom_model *model_of(const struct loom_model_info *info)
{
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    struct loom_params *params = defaults_of(info);
    int rc = info->can_fit ? loom_model_fit(&model, info->name, log_once, params, NULL, &err)
                           : loom_model_published(&model, info->name, params, &err);
    loom_params_destroy(params);
    if (rc)
        fail_msg("%s: %s", info->name, err.message);
    return model;
}

static inline struct loom_trace *generate(const struct loom_model *model,
                                          const struct loom_generate_options *options,
                                          struct loom_pool *pool)
{
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    if (loom_model_generate(&trace, model, options, pool, &err))
        fail_msg("%s: %s", loom_model_info(model)->name, err.message);
    return trace;
}

static const struct loom_generate_options plain = {.seed = 1, .jobs = GENERATED_JOBS};

#define FOR_EACH_MODEL(info) \
    for (size_t index_ = 0; (info = loom_model_at(index_)) != NULL; index_++)

static inline void assert_sound(const struct loom_trace *trace, const struct loom_model_info *info,
                                int32_t procs)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < jobs->n; i++) {
        bool in_order =
            i == 0 ? jobs->submit_s[0] >= 0 : jobs->submit_s[i] >= jobs->submit_s[i - 1];
        bool shaped = jobs->run_s[i] >= 0 && jobs->req_procs[i] >= 1 && jobs->req_procs[i] <= procs;
        bool shapeless = jobs->run_s[i] == -1 && jobs->req_procs[i] == -1;
        if (!in_order || jobs->number[i] != (int64_t)i + 1 ||
            !(info->arrivals_only ? shapeless : shaped))
            fail_msg("%s: job %zu: submit %lld, run %lld, procs %d", info->name, i + 1,
                     (long long)jobs->submit_s[i], (long long)jobs->run_s[i], jobs->req_procs[i]);
    }
    assert_int_equal(loom_trace_max_procs(trace), procs);
}

#endif
