/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules of a few jobs, worked out by hand. */
#include "support.h"

#include <workloom/sim.h>

#include <stdio.h>
#include <string.h>

struct hand_job {
    int64_t submit_s, run_s, request_s;
    int32_t procs;
};

struct hand {
    const char *what, *scheduler;
    int64_t procs;
    enum loom_overrun overrun;
    struct hand_job jobs[10];
    int64_t starts_s[10]; /* -1: not simulated */
};

static const struct hand hands[] = {
    /* 4 processors. A runs 0-10 on 3; B needs 4 and waits for it; C would fit beside A. */
    {"fcfs does not overtake",
     "fcfs",
     4,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 5, 5, 1}},
     {0, 10, 15}},
    {"easy does",
     "easy",
     4,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 5, 5, 1}},
     {0, 10, 2}},
    /* C would end at 2 + 9 = 11, after the shadow time 10, and B leaves no processor. */
    {"easy does not delay the first",
     "easy",
     4,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 5, 9, 1}},
     {0, 10, 15}},
    /* B needs 3 and leaves one processor at the shadow time: C may run for ever. */
    {"easy fills what the first leaves",
     "easy",
     4,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 3}, {1, 5, 5, 3}, {2, 50, 90, 1}, {2, 50, 90, 1}},
     {0, 10, 2, 15}},
    /* A asked for 20 and ends at 10: the end starts B before its shadow time. */
    {"an early end starts the first",
     "easy",
     4,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 20, 3}, {1, 5, 5, 4}, {2, 5, 5, 1}},
     {0, 10, 2}},
    /* A job of no length gives its processors back in the same second. */
    {"jobs of 0 s",
     "fcfs",
     4,
     LOOM_OVERRUN_RAISE,
     {{5, 0, 0, 4}, {5, 0, -1, 4}, {5, 7, 7, 4}, {5, 1, 1, 1}},
     {5, 5, 5, 12}},
    {"ends come before submissions",
     "fcfs",
     1,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 1}, {10, 1, 1, 1}},
     {0, 10}},
    {"too wide, no runtime, no processors",
     "fcfs",
     4,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 5}, {0, -1, 10, 1}, {0, 10, 10, 0}, {3, 10, 10, 4}},
     {-1, -1, -1, 3}},
    /* Submitted in this order in time, not in the file. */
    {"an unsorted log",
     "fcfs",
     1,
     LOOM_OVERRUN_RAISE,
     {{20, 5, 5, 1}, {10, 50, 50, 1}, {10, 1, 1, 1}},
     {61, 10, 60}},
    /* A is killed at 6, not 10. */
    {"kill", "fcfs", 4, LOOM_OVERRUN_KILL, {{0, 10, 6, 4}, {1, 5, 5, 4}}, {0, 6}},
    /* A's estimate 4 is over at 4 and becomes 8, which lets D in at 5; at 8 it becomes 16, which
     * lets C in, and C is still there when A ends at 10: too short an estimate delays the first. */
    {"extend",
     "easy",
     4,
     LOOM_OVERRUN_EXTEND,
     {{0, 10, 4, 3}, {1, 5, 5, 4}, {1, 5, 5, 1}, {5, 3, 3, 1}},
     {0, 13, 8, 5}},
    {"shortest first",
     "fcfs:order=sjf",
     1,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 1}, {1, 9, 9, 1}, {2, 3, 3, 1}, {3, 3, 3, 1}},
     {0, 16, 10, 13}},
    {"newest first",
     "fcfs:order=lcfs",
     1,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 1}, {1, 9, 9, 1}, {2, 3, 3, 1}, {3, 3, 3, 1}},
     {0, 16, 13, 10}},
    {"shortest first of two at once, as no job waits",
     "fcfs:order=sjf",
     1,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 1}, {20, 9, 9, 1}, {20, 3, 3, 1}, {40, 1, 1, 1}},
     {0, 23, 20, 40}},
    {"one beyond the end of time, behind others",
     "easy",
     1,
     LOOM_OVERRUN_RAISE,
     {{0, 10, 10, 1}, {20, 5, 5, 1}, {INT64_C(1) << 50, 5, 5, 1}},
     {0, 20, -1}},
};

static struct loom_trace *trace_of(const struct hand *hand)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0;
         i < 10 && hand->jobs[i].submit_s + hand->jobs[i].run_s + hand->jobs[i].procs > 0; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = hand->jobs[i].submit_s;
        job.run_s = hand->jobs[i].run_s;
        job.request_s = hand->jobs[i].request_s;
        job.req_procs = hand->jobs[i].procs;
        append(trace, job);
    }
    return trace;
}

static void test_by_hand(void **state)
{
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t h = 0; h < COUNT(hands); h++) {
        const struct hand *hand = &hands[h];
        struct loom_trace *trace = trace_of(hand);
        struct loom_error err = {0};
        const struct loom_sim_options options = {.scheduler = hand->scheduler,
                                                 .procs = hand->procs,
                                                 .overrun = hand->overrun};
        if (loom_sim_run_trace(sim, &options, trace, &err) || loom_sim_schedule(sim, trace, &err))
            fail_msg("%s: %s", hand->what, err.message);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        for (size_t i = 0; i < jobs->n; i++) {
            int64_t start_s = jobs->wait_s[i] < 0 ? -1 : jobs->submit_s[i] + jobs->wait_s[i];
            if (start_s != hand->starts_s[i])
                fail_msg("%s: job %zu starts at %d, not %d", hand->what, i, (int)start_s,
                         (int)hand->starts_s[i]);
        }
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

/* A schedule has what was simulated: the requested processors where they are known. A job that is
 * too wide keeps the log's. */
static void test_processors_of_schedule(void **state)
{
    static const int32_t requested[] = {3, -1, 9}, allocated[] = {4, 2, 4}, wanted[] = {3, 2, 4};
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = 0;
        job.run_s = 10;
        job.req_procs = requested[i];
        job.alloc_procs = allocated[i];
        append(trace, job);
    }
    const struct loom_sim_options options = {.scheduler = "easy", .procs = 5};
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    assert_int_equal(loom_sim_schedule(sim, trace, NULL), 0);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(jobs->alloc_procs[i], wanted[i]);
        assert_int_equal(jobs->req_procs[i], requested[i]);
        assert_int_equal(jobs->wait_s[i], i < 2 ? 0 : -1);
    }
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* ---- a source that reacts ---------------------------------------------------------------------
 */

/* A is there at first; its start makes B come now, and its end C. */
struct chain {
    struct loom_submission jobs[3];
    uint32_t taken, known;
};

static int64_t chain_due(void *self)
{
    const struct chain *chain = self;
    return chain->taken < chain->known ? 0 : LOOM_NEVER;
}

static int chain_take(void *self, struct loom_submission *out, struct loom_error *err)
{
    struct chain *chain = self;
    (void)err;
    *out = chain->jobs[chain->taken++];
    return 0;
}

static int chain_react(void *self, uint32_t job, const struct loom_sim_job *what,
                       struct loom_error *err)
{
    struct chain *chain = self;
    (void)what, (void)err;
    chain->known += job == 0;
    return 0;
}

/* A takes no time, so that it ends before the next pass, which has B and C to choose from. */
static void test_source_reacts_to_a_start(void **state)
{
    (void)state;
    struct chain chain = {.known = 1};
    static const struct hand_job jobs[] = {{0, 0, 1, 1}, {0, 100, 100, 2}, {0, 10, 10, 2}};
    static const int64_t starts_s[] = {0, 10, 0};
    for (size_t i = 0; i < 3; i++)
        chain.jobs[i] = (struct loom_submission){
            jobs[i].submit_s, jobs[i].run_s, jobs[i].request_s, jobs[i].procs, -1, LOOM_NO_ROW};
    const struct loom_job_source source = {.self = &chain,
                                           .due = chain_due,
                                           .take = chain_take,
                                           .started = chain_react,
                                           .ended = chain_react};
    struct loom_sim *sim;
    struct loom_error err = {0};
    size_t n;
    assert_int_equal(loom_sim_create(&sim, &err), 0);
    const struct loom_sim_options options = {.scheduler = "easy:order=sjf", .procs = 3};
    if (loom_sim_run(sim, &options, &source, &err))
        fail_msg("%s", err.message);
    const struct loom_sim_job *all = loom_sim_jobs(sim, &n);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(all[i].start_s, starts_s[i]);
    loom_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processors_of_schedule),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_source_reacts_to_a_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
