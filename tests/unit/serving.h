/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serving.h - a machine without limits that lets every job wait a given time: what a
 * source of jobs does under a service that is known. */
#ifndef LOOM_TESTS_SERVING_H
#define LOOM_TESTS_SERVING_H

#include "base/heap.h"
#include "support.h"

#include <workloom/sim_users.h>

#include <stdlib.h>

/* How long a job waits. */
typedef int64_t wait_fn(void *context, const struct loom_submission *job);

/* All jobs, in the order of their submission; the caller must free them. */
static inline struct loom_sim_job *serve(const struct loom_job_source *source, wait_fn *wait,
                                         void *context, size_t most, size_t *n)
{
    struct loom_sim_job *jobs = calloc(most + 1, sizeof *jobs);
    struct loom_heap ends = {0};
    assert_int_equal(loom_heap_reserve(&ends, most + 1), 0);
    int64_t now_s = 0;
    for (*n = 0;;) {
        int64_t due_s = source->due(source->self), end_s = loom_heap_next(&ends);
        if (due_s == LOOM_NEVER && end_s == LOOM_NEVER)
            break;
        now_s = due_s < end_s ? (due_s > now_s ? due_s : now_s) : end_s;
        if (end_s <= due_s) {
            uint32_t job = loom_heap_pop(&ends).item;
            assert_int_equal(source->ended(source->self, job, &jobs[job], NULL), 0);
            continue;
        }
        struct loom_submission next;
        assert_int_equal(source->take(source->self, &next, NULL), 0);
        assert_true(*n < most);
        uint32_t job = (uint32_t)(*n)++;
        jobs[job] = (struct loom_sim_job){
            .submit_s = now_s,
            .run_s = next.run_s > 0 ? next.run_s : 0,
            .start_s = now_s + wait(context, &next),
            .procs = next.procs,
            .user = next.user,
            .row = next.row,
        };
        assert_int_equal(source->admitted(source->self, job, NULL), 0);
        loom_heap_push(&ends, (struct loom_heap_entry){loom_sim_job_end(&jobs[job]), job, job});
    }
    loom_heap_free(&ends);
    return jobs;
}

/* The waits of the log, for a context that is its jobs. */
static inline int64_t recorded_wait(void *context, const struct loom_submission *job)
{
    const struct loom_jobs *jobs = context;
    return jobs->wait_s[job->row] > 0 ? jobs->wait_s[job->row] : 0;
}

/* Under the waits of the log, adjusted users submit every job in its second. */
static inline void assert_replayed(const struct loom_trace *trace)
{
    const struct loom_feedback_options options = {.behaviour = "adjusted", .seed = 1};
    struct loom_jobs jobs = *loom_trace_jobs(trace);
    struct loom_feedback *feedback = NULL;
    const struct loom_job_source *source;
    struct loom_error err;
    size_t n;
    if (loom_feedback_create(&feedback, trace, &options, &err))
        fail_msg("%s", err.message);
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *served = serve(source, recorded_wait, &jobs, jobs.n, &n);
    assert_int_equal(n, jobs.n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(served[i].submit_s, jobs.submit_s[served[i].row]);
        assert_int_equal(served[i].user, jobs.user[served[i].row]);
    }
    free(served);
    loom_feedback_destroy(feedback);
}

#endif
