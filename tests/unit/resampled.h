/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resampled.h - logs at random, and their users resampled. */
#ifndef LOOM_TESTS_RESAMPLED_H
#define LOOM_TESTS_RESAMPLED_H

#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/models.h>
#include <workloom/resample.h>

enum { WEEK = 7 * 86400, JOBS = 2000 };

/* Some 20 users over a year, some of them for a few weeks, a few jobs without user, in order of
 * submission; `tag` differs between logs. */
static inline struct loom_trace *random_log(uint64_t seed, int32_t procs, int32_t tag)
{
    struct loom_stream stream;
    struct loom_trace *log = empty_trace();
    char text[24];
    snprintf(text, sizeof text, "%d", procs);
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", text, NULL), 0);
    assert_int_equal(loom_trace_add_directive(log, "UnixStartTime", "1000000000", NULL), 0);
    assert_int_equal(loom_trace_add_directive(log, "TimeZoneString", "UTC", NULL), 0);
    assert_int_equal(loom_trace_add_directive(log, "Note", "user 3 = carol", NULL), 0);
    assert_int_equal(loom_trace_add_directive(log, "Acknowledge", "somebody", NULL), 0);
    loom_stream_init(&stream, seed, 0, "test log");
    int64_t time_s = 5000 * tag;
    for (int i = 0; i < JOBS; i++) {
        struct loom_job job = loom_job_unknown();
        time_s += (int64_t)loom_stream_below(&stream, 2 * 52 * (uint64_t)WEEK / JOBS);
        int64_t week = time_s / WEEK;
        job.number = i + 1;
        job.submit_s = time_s;
        job.wait_s = (int64_t)loom_stream_below(&stream, 1000);
        job.req_procs = job.alloc_procs = procs >> loom_stream_below(&stream, 6);
        job.used_mem_kib = i;
        job.group = tag;
        job.executable = i % 7;
        job.queue = 1 + i % 3;
        job.status = 1;
        job.preceding = i;
        job.user = i % 50 == 0 ? -1
                   : i % 2 == 0
                       ? 1 + (int32_t)loom_stream_below(&stream, 8)
                       : 10 + (int32_t)(week / 4) * 2 + (int32_t)loom_stream_below(&stream, 2);
        job.run_s = 1000 * (int64_t)(1 + loom_stream_below(&stream, 3)) * (job.user % 2 ? 20 : 1);
        append(log, job);
    }
    return log;
}

static inline struct loom_resampler *prepare(const struct loom_trace *const *logs, size_t n,
                                             const struct loom_resample_rule *rule)
{
    struct loom_resampler *resampler = NULL;
    struct loom_error err = {0};
    if (loom_resampler_create(&resampler, logs, n, rule, &err))
        fail_msg("%s", err.message);
    return resampler;
}

static inline struct loom_resampled *make(const struct loom_resampler *resampler,
                                          uint64_t replication)
{
    struct loom_resampled *resampled = NULL;
    struct loom_error err = {0};
    if (loom_resample(&resampled, resampler, 11, replication, &err))
        fail_msg("%s", err.message);
    return resampled;
}

static inline struct loom_resampled *
resample(const struct loom_trace *log, const struct loom_resample_rule *rule, uint64_t replication)
{
    struct loom_resampler *resampler = prepare(&log, 1, rule);
    struct loom_resampled *resampled = make(resampler, replication);
    loom_resampler_destroy(resampler);
    return resampled;
}

static inline size_t row_of(const struct loom_jobs *jobs, size_t i)
{
    return (size_t)jobs->used_mem_kib[i];
}

#endif
