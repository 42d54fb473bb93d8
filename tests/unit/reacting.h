/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reacting.h - small logs of users who react, and what they do under a service that is known. */
#ifndef LOOM_TESTS_REACTING_H
#define LOOM_TESTS_REACTING_H

#include "serving.h"

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

static inline void add(struct loom_trace *trace, int32_t user, int64_t submit_s, int64_t wait_s,
                       int64_t run_s, int32_t procs)
{
    struct loom_job job = loom_job_unknown();
    job.number = (int64_t)loom_trace_count(trace) + 1;
    job.user = user;
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = run_s;
    job.req_procs = procs;
    append(trace, job);
}

/* Two users for 20 weeks, one day a week each, and one for a day. */
static inline struct loom_trace *weekly_log(void)
{
    struct loom_trace *trace = empty_trace();
    for (int week = 0; week < 20; week++) {
        add(trace, 1, week * WEEK + 9 * HOUR, 0, 600, 1);
        add(trace, 1, week * WEEK + 10 * HOUR, 0, 600, 1);
        add(trace, 2, week * WEEK + 2 * DAY, 0, 2 * HOUR, 2);
        if (week == 10)
            add(trace, 3, week * WEEK + 3 * DAY, 0, 600, 1);
    }
    return trace;
}

static inline struct loom_feedback *open_feedback(const struct loom_trace *trace,
                                                  const struct loom_feedback_options *options)
{
    struct loom_feedback *feedback = NULL;
    struct loom_error err;
    if (loom_feedback_create(&feedback, trace, options, &err))
        fail_msg("%s", err.message);
    return feedback;
}

/* Seconds of all sizes, often few. */
static inline int64_t some_time(struct loom_stream *stream, int64_t most_s)
{
    static const int64_t scales[] = {2, 60, HOUR, 6 * HOUR, 3 * DAY};
    int64_t scale_s = scales[loom_stream_below(stream, COUNT(scales))];
    return (int64_t)loom_stream_below(stream, (uint64_t)(scale_s < most_s ? scale_s : most_s));
}

/* All jobs of a replication in which each waits as given; the caller must free them. */
static inline struct loom_sim_job *serve_users(struct loom_feedback *feedback, uint64_t replication,
                                               wait_fn *wait, void *context, size_t most, size_t *n)
{
    const struct loom_job_source *source;
    assert_int_equal(loom_feedback_begin(&source, feedback, replication, NULL), 0);
    return serve(source, wait, context, most, n);
}

static inline int64_t no_wait(void *context, const struct loom_submission *job)
{
    (void)context, (void)job;
    return 0;
}

static inline int64_t random_wait(void *context, const struct loom_submission *job)
{
    (void)job;
    return some_time(context, DAY);
}

/* As long as the context says. */
static inline int64_t same_wait(void *context, const struct loom_submission *job)
{
    (void)job;
    return *(const int64_t *)context;
}

#endif
