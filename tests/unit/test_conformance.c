/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every policy must keep, and what some promise: each registered policy runs on random
 * workloads, with the three overrun rules and by the rules of both simulators, under the eyes of an
 * observer.
 *
 * All: no processor is used twice, nothing starts before it is submitted or twice, everything ends,
 * the same input gives the same schedule, and the order of rows does not matter where submit times
 * differ. With a promise: jobs start in order; reservations (of the first job, of all) never move
 * back, and hold; nothing starves.
 */
#include "sim/scheduler.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, MOST_JOBS = 300 };

/* ---- the witness ----------------------------------------------------------------------------- */

struct witness {
    const char *where;
    unsigned promises;
    bool within_instants; /* an end may be told after the start that it makes room for */
    int64_t planned_s[MOST_JOBS + 1]; /* by job, INT64_MAX before there is a plan */
    int64_t used;
    uint32_t started, ended;
    int64_t last_s;
};

static void see_reserve(struct witness *w, const struct loom_sim_event *event)
{
    int64_t *planned_s = &w->planned_s[event->job];
    if (event->planned_s < event->time_s)
        fail_msg("%s: job %u is planned for the past", w->where, event->job);
    if ((w->promises & (LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL)) && event->planned_s > *planned_s)
        fail_msg("%s: the reservation of job %u moves back", w->where, event->job);
    *planned_s = event->planned_s;
}

static void see_start(struct witness *w, const struct loom_sim *sim,
                      const struct loom_sim_event *event, const struct loom_sim_job *job)
{
    w->used += job->procs;
    if (w->used > loom_sim_procs(sim) && !w->within_instants)
        fail_msg("%s: job %u starts on processors in use", w->where, event->job);
    if (event->time_s < job->submit_s || job->start_s != event->time_s)
        fail_msg("%s: job %u starts at the wrong time", w->where, event->job);
    if ((w->promises & LOOM_PROMISE_ORDER) && event->job != w->started)
        fail_msg("%s: job %u starts out of order", w->where, event->job);
    bool keeps = w->promises & (LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL);
    if (keeps && event->time_s > w->planned_s[event->job])
        fail_msg("%s: job %u starts after its reservation", w->where, event->job);
    w->started++;
}

static int see(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
               struct loom_error *err)
{
    struct witness *w = self;
    (void)err;
    const struct loom_sim_job *job =
        event->job == LOOM_NO_JOB ? NULL : &loom_sim_jobs(sim, NULL)[event->job];
    assert_true(event->time_s >= w->last_s && event->time_s == loom_sim_now(sim));
    if (event->time_s > w->last_s && w->used > loom_sim_procs(sim))
        fail_msg("%s: more processors are in use than there are", w->where);
    w->last_s = event->time_s;
    if (event->kind == LOOM_EVENT_SUBMIT)
        w->planned_s[event->job] = INT64_MAX;
    if (event->kind == LOOM_EVENT_RESERVE)
        see_reserve(w, event);
    if (event->kind == LOOM_EVENT_START)
        see_start(w, sim, event, job);
    if (event->kind == LOOM_EVENT_END) {
        w->used -= job->procs;
        w->ended++;
        assert_int_equal(loom_sim_job_end(job), event->time_s);
    }
    return 0;
}

/* ---- workloads ------------------------------------------------------------------------------- */

static int64_t below(struct loom_stream *stream, int64_t n)
{
    return (int64_t)loom_stream_below(stream, (uint64_t)n);
}

static struct loom_trace *random_trace(struct loom_stream *stream, int64_t procs, bool distinct)
{
    struct loom_trace *trace = empty_trace();
    int64_t n = 1 + below(stream, MOST_JOBS), submit_s = 0;
    for (int64_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        submit_s += distinct + (below(stream, 3) ? 0 : below(stream, 300));
        job.number = i;
        job.submit_s = submit_s;
        job.run_s = below(stream, 2) ? below(stream, 30) : below(stream, 4000);
        job.req_time_s = below(stream, 3) ? job.run_s * (1 + below(stream, 5)) : job.run_s / 2;
        job.req_procs = (int32_t)(1 + below(stream, below(stream, 3) ? (procs + 3) / 4 : procs));
        job.user = (int32_t)(1 + below(stream, 5));
        append(trace, job);
    }
    return trace;
}

static void run(struct loom_sim *sim, const char *where, const struct loom_sim_options *options,
                const struct loom_trace *trace)
{
    struct loom_error err = {0};
    if (loom_sim_run_trace(sim, options, trace, &err))
        fail_msg("%s: %s", where, err.message);
}

/* The starts of the last run by row, which the caller must free. */
static int64_t *starts_of(const struct loom_sim *sim)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    int64_t *starts_s = calloc(n ? n : 1, sizeof *starts_s);
    assert_non_null(starts_s);
    for (size_t i = 0; i < n; i++)
        starts_s[jobs[i].row] = jobs[i].start_s;
    return starts_s;
}

/* ---- what all keep --------------------------------------------------------------------------- */

static void watch(struct loom_sim *sim, const struct loom_scheduler_ops *ops, struct witness *w,
                  struct loom_sim_options options, const struct loom_trace *trace)
{
    char where[96];
    snprintf(where, sizeof where, "%s, overrun %d, compat %d", ops->info.name, options.overrun,
             options.compat);
    bool trusted = options.overrun != LOOM_OVERRUN_EXTEND;
    *w = (struct witness){
        .where = where,
        .within_instants = options.compat == LOOM_COMPAT_PYSS,
        .promises = trusted ? ops->promises : ops->promises & LOOM_PROMISE_ORDER,
    };
    const struct loom_observer observer = {.self = w, .wants = 127, .see = see};
    options.scheduler = ops->info.name;
    options.observers = &observer;
    options.n_observers = 1;
    run(sim, where, &options, trace);
    size_t n;
    loom_sim_jobs(sim, &n);
    assert_int_equal(n, loom_trace_count(trace));
    assert_int_equal(w->started, n);
    assert_int_equal(w->ended, n);
    assert_int_equal(w->used, 0);
    assert_int_equal(loom_sim_free(sim), loom_sim_procs(sim));
}

/* Being watched changes nothing, and neither does a run before. */
static void check_same(struct loom_sim *sim, struct loom_sim *used, const char *name,
                       struct loom_sim_options options, const struct loom_trace *trace)
{
    int64_t *watched_s = starts_of(sim);
    options.scheduler = name;
    run(used, name, &options, trace);
    int64_t *alone_s = starts_of(used);
    assert_memory_equal(watched_s, alone_s, loom_trace_count(trace) * sizeof *alone_s);
    free(watched_s);
    free(alone_s);
}

static void test_all_keep(void **state)
{
    static struct witness witness;
    struct loom_sim *sim = NULL, *used = NULL;
    const struct loom_scheduler_ops *ops;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_create(&used, NULL), 0);
    for (size_t p = 0; (ops = loom_scheduler_ops_at(p)); p++)
        for (uint64_t round = 0; round < ROUNDS; round++) {
            struct loom_stream stream;
            loom_stream_init(&stream, 1, round, "conformance");
            struct loom_sim_options options = {
                .procs = (int64_t)1 << below(&stream, 8),
                .overrun = (enum loom_overrun)(round % 3),
                .compat = (enum loom_compat)(round / 3 % 2),
            };
            struct loom_trace *trace = random_trace(&stream, options.procs, false);
            watch(sim, ops, &witness, options, trace);
            check_same(sim, used, ops->info.name, options, trace);
            loom_trace_destroy(trace);
        }
    loom_sim_destroy(sim);
    loom_sim_destroy(used);
}

/* ---- rows in another order ------------------------------------------------------------------- */

/* The rows of a trace, last first, with other job numbers. */
static struct loom_trace *reversed(const struct loom_trace *trace)
{
    struct loom_trace *other = empty_trace();
    for (size_t row = loom_trace_count(trace); row-- > 0;) {
        struct loom_job job = loom_trace_job(trace, row);
        job.number = (int64_t)(row * 7919 % 10007);
        append(other, job);
    }
    return other;
}

static void check_permuted(struct loom_sim *sim, const char *scheduler, uint64_t round)
{
    struct loom_stream stream;
    loom_stream_init(&stream, 1, round, "permuted");
    const struct loom_sim_options options = {.scheduler = scheduler, .procs = 32};
    struct loom_trace *trace = random_trace(&stream, 32, true), *other = reversed(trace);
    size_t n = loom_trace_count(trace);
    run(sim, scheduler, &options, trace);
    int64_t *starts_s = starts_of(sim);
    run(sim, scheduler, &options, other);
    int64_t *others_s = starts_of(sim);
    for (size_t row = 0; row < n; row++)
        if (starts_s[row] != others_s[n - 1 - row])
            fail_msg("%s: row %zu starts at another time when rows are turned round", scheduler,
                     row);
    free(starts_s);
    free(others_s);
    loom_trace_destroy(trace);
    loom_trace_destroy(other);
}

/* Every policy, EASY and FCFS by every order, and the policies with another parameter. */
static void test_permuted(void **state)
{
    static const char *const others[] = {
        "selective:categories=runtime",
        "selective:threshold=2",
        "ups:priority=recency",
        "ups:alpha=1",
        "relaxed:slack=2",
        "lookahead:depth=5",
        "easy-sjbf:order=largest",
    };
    struct loom_sim *sim = NULL;
    const struct loom_scheduler_info *info;
    const struct loom_order_info *order;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (uint64_t round = 0; round < 10; round++) {
        for (size_t p = 0; (info = loom_scheduler_at(p)); p++)
            check_permuted(sim, info->name, round);
        for (size_t i = 0; i < COUNT(others); i++)
            check_permuted(sim, others[i], round);
        for (size_t i = 0; (order = loom_order_at(i)); i++) {
            char name[64];
            snprintf(name, sizeof name, "%s:order=%s", round % 2 ? "easy" : "fcfs", order->name);
            check_permuted(sim, name, round);
        }
    }
    loom_sim_destroy(sim);
}

/* ---- starvation ------------------------------------------------------------------------------ */

/* A job as wide as the machine, among serial jobs that never leave it empty for a week. */
static struct loom_trace *crowd(void)
{
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 0; i < 7 * 24 * 30; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i;
        job.submit_s = i * 120;
        job.run_s = job.req_time_s = 900; /* 7.5 of 8 processors busy */
        job.req_procs = i == 30 ? 8 : 1;
        job.user = i == 30 ? 1 : (int32_t)(2 + i % 3);
        append(trace, job);
    }
    return trace;
}

static void test_no_starvation(void **state)
{
    struct loom_sim *sim = NULL;
    struct loom_trace *trace = crowd();
    const struct loom_scheduler_ops *ops;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t p = 0; (ops = loom_scheduler_ops_at(p)); p++) {
        if (!(ops->promises & LOOM_PROMISE_NO_STARVE))
            continue;
        const struct loom_sim_options options = {.scheduler = ops->info.name, .procs = 8};
        run(sim, ops->info.name, &options, trace);
        int64_t wait_s = loom_sim_jobs(sim, NULL)[30].start_s - 30 * 120;
        if (wait_s > 2 * 86400)
            fail_msg("%s: the wide job waits for %d s", ops->info.name, (int)wait_s);
    }
    loom_trace_destroy(trace);
    loom_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keep),
        cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_no_starvation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
