/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minh_log.h - a made-up log for the tests of Minh's models, and models of it. */
#ifndef LOOM_TESTS_MINH_LOG_H
#define LOOM_TESTS_MINH_LOG_H

#include "modeling.h"

#include <gsl/gsl_randist.h>
#include <math.h>

/* Three kinds of runtimes far apart, of sizes that go with them: short serial jobs, middling ones
 * of 2 or 4 processors, long ones of 8 or 16. Bags, of jobs 20 s apart, are of the first two kinds;
 * every third time a single job comes instead, of the last two. */
enum { LOG_JOBS = 9000, LOG_PROCS = 64 };
static const double means[] = {3, 6, 9}, sds[] = {0.3, 0.4, 0.2};

static inline struct loom_job job_of_kind(struct loom_stream *stream, size_t kind)
{
    struct loom_job job = loom_job_unknown();
    double z = gsl_ran_gaussian_ziggurat(&stream->gsl, 1);
    job.run_s = llrint(expm1(means[kind] + sds[kind] * z));
    job.req_procs = kind == 0 ? 1 : (kind == 1 ? 2 : 8) << loom_stream_below(stream, 2);
    job.user = 1 + (int32_t)loom_stream_below(stream, 10);
    job.group = job.user % 3;
    job.status = LOOM_STATUS_COMPLETED;
    return job;
}

static inline struct loom_trace *make_log(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 2, 0, "minh log");
    int64_t clock_s = 0;
    for (int made = 0; made < LOG_JOBS;) {
        bool alone = loom_stream_below(&stream, 3) == 0;
        struct loom_job job = job_of_kind(&stream, alone + loom_stream_below(&stream, 2));
        int size = alone ? 1 : 2 + (int)loom_stream_below(&stream, 5);
        clock_s += 101 + (int64_t)loom_stream_below(&stream, 2000);
        for (int i = 0; i < size && made < LOG_JOBS; i++, made++) {
            job.number = made + 1;
            job.submit_s = clock_s + 20 * i;
            append(trace, job);
        }
        clock_s += 20 * size;
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

static const char *const poisson[] = {"arrivals=poisson", NULL};
/* Bags that are counted, of minh2012 as printed. */
static const char *const counted_bags[] = {"arrivals=poisson", "bags=counted", NULL};
static const char *const improved[] = {"arrivals=poisson", "variant=improved", NULL};
static const struct loom_generate_options many = {.seed = 4, .jobs = 60000};

static inline struct loom_model *model_with(const char *name, const char *const *params,
                                            const char *const *settings, size_t n)
{
    struct loom_trace *log = make_log();
    struct loom_model *model = must_fit(name, log, params);
    loom_trace_destroy(log);
    return must_set(model, settings, n);
}

static inline size_t kind_of(int64_t run_s)
{
    double x = log1p((double)run_s);
    return x < 4.5 ? 0 : x < 7.5 ? 1 : 2;
}

#endif
