/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of an estimator, call by call, and what becomes of its estimates. */
#include "support.h"

#include <workloom/sim_grid.h>
#include <workloom/sim_users.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* An estimator that writes down its calls and answers with what it is given. */
struct recorder {
    int64_t first_s, next_s; /* estimates at submission and after it */
    char calls[1024];
    struct loom_job_view views[MOST]; /* of estimates, in order */
    size_t n_views;
    int fails_to_learn; /* the code */
};

static void note(struct recorder *r, const char *call, const struct loom_job_view *job,
                 int64_t seconds)
{
    size_t used = strlen(r->calls);
    snprintf(r->calls + used, sizeof r->calls - used, "%s %u.%u %lld; ", call, job->origin,
             job->number, (long long)seconds);
}

static int64_t estimate(void *self, const struct loom_job_view *job)
{
    struct recorder *r = self;
    assert_true(r->n_views < MOST);
    r->views[r->n_views++] = *job;
    note(r, "estimate", job, job->submit_s);
    return r->first_s;
}

static int64_t correct(void *self, const struct loom_job_view *job, int64_t ran_s)
{
    struct recorder *r = self;
    note(r, "correct", job, ran_s);
    return r->next_s;
}

static int started(void *self, const struct loom_job_view *job, int64_t start_s,
                   struct loom_error *err)
{
    (void)err;
    note(self, "start", job, start_s);
    return 0;
}

static int learn(void *self, const struct loom_job_view *job, int64_t run_s, struct loom_error *err)
{
    struct recorder *r = self;
    note(r, "learn", job, run_s);
    return r->fails_to_learn ? loom_fail(err, r->fails_to_learn, "cannot learn") : 0;
}

static struct loom_estimator estimator_of(struct recorder *r)
{
    return (struct loom_estimator){r, estimate, correct, started, learn, NULL};
}

static struct loom_job job_of(int64_t submit_s, int64_t run_s, int64_t request_s, int32_t procs)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = submit_s;
    job.run_s = run_s;
    job.request_s = request_s;
    job.req_procs = procs;
    return job;
}

/* A runs 0-10 on 3 of 4 processors; B needs all of them; C fits beside A. */
static struct loom_trace *three_jobs(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_job a = job_of(0, 10, 40, 3);
    a.user = 1;
    a.group = 2;
    a.executable = 3;
    a.queue = 4;
    a.req_mem_kib = 5.5;
    append(trace, a);
    append(trace, job_of(1, 5, -1, 4));
    append(trace, job_of(2, 5, 9, 1));
    return trace;
}

static int run(struct loom_sim **sim, const struct loom_estimator *estimator,
               enum loom_overrun overrun, const struct loom_trace *trace)
{
    const struct loom_sim_options options = {.scheduler = "easy",
                                             .procs = 4,
                                             .overrun = overrun,
                                             .estimator = estimator};
    if (!*sim)
        assert_int_equal(loom_sim_create(sim, NULL), 0);
    return loom_sim_run_trace(*sim, &options, trace, NULL);
}

static void assert_starts(const struct loom_sim *sim, int64_t a_s, int64_t b_s, int64_t c_s)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    assert_int_equal(n, 3);
    assert_int_equal(jobs[0].start_s, a_s);
    assert_int_equal(jobs[1].start_s, b_s);
    assert_int_equal(jobs[2].start_s, c_s);
}

static void assert_view(const struct loom_job_view *got, const struct loom_job_view *wanted)
{
    assert_int_equal(got->submit_s, wanted->submit_s);
    assert_int_equal(got->request_s, wanted->request_s);
    assert_true(got->req_mem_kib == wanted->req_mem_kib);
    assert_int_equal(got->procs, wanted->procs);
    assert_int_equal(got->user, wanted->user);
    assert_int_equal(got->group, wanted->group);
    assert_int_equal(got->executable, wanted->executable);
    assert_int_equal(got->queue, wanted->queue);
    assert_int_equal(got->origin, wanted->origin);
    assert_int_equal(got->number, wanted->number);
}

/* All jobs are expected to take 20 s, so C, which would end at 22, does not fit before B at 20. */
static void test_calls_in_order(void **state)
{
    (void)state;
    static const struct loom_job_view views[] = {{0, 40, 5.5, 3, 1, 2, 3, 4, 0, 0},
                                                 {1, -1, -1, 4, -1, -1, -1, -1, 0, 1},
                                                 {2, 9, -1, 1, -1, -1, -1, -1, 0, 2}};
    struct recorder r = {.first_s = 20};
    const struct loom_estimator estimator = estimator_of(&r);
    struct loom_trace *trace = three_jobs();
    struct loom_sim *sim = NULL;
    assert_int_equal(run(&sim, &estimator, LOOM_OVERRUN_EXTEND, trace), 0);
    assert_string_equal(r.calls, "estimate 0.0 0; start 0.0 0; estimate 0.1 1; estimate 0.2 2; "
                                 "learn 0.0 10; start 0.1 10; learn 0.1 5; start 0.2 15; "
                                 "learn 0.2 5; ");
    for (size_t i = 0; i < COUNT(views); i++)
        assert_view(&r.views[i], &views[i]);
    assert_starts(sim, 0, 10, 15);
    assert_int_equal(loom_sim_counts(sim)->estimates_missing, 0);

    /* Without an estimator requests count, and C ends before A's 40 s are over. */
    assert_int_equal(run(&sim, NULL, LOOM_OVERRUN_EXTEND, trace), 0);
    assert_starts(sim, 0, 10, 2);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* An estimate of 4 s runs out at 4, becomes 7, and then, as 7 is too short again, 8, 9 and 10. */
static void test_corrections(void **state)
{
    (void)state;
    struct recorder r = {.first_s = 4, .next_s = 7};
    const struct loom_estimator estimator = estimator_of(&r);
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    append(trace, job_of(0, 10, 40, 3));
    assert_int_equal(run(&sim, &estimator, LOOM_OVERRUN_EXTEND, trace), 0);
    assert_string_equal(r.calls, "estimate 0.0 0; start 0.0 0; correct 0.0 4; correct 0.0 7; "
                                 "correct 0.0 8; correct 0.0 9; learn 0.0 10; ");
    assert_int_equal(loom_sim_jobs(sim, NULL)[0].estimate_s, 10);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* Without `correct` an estimate doubles: 3, 6, 12. */
static void test_doubles_by_default(void **state)
{
    (void)state;
    struct recorder r = {.first_s = 3};
    const struct loom_estimator estimator = {.self = &r, .estimate = estimate};
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    append(trace, job_of(0, 10, 40, 3));
    assert_int_equal(run(&sim, &estimator, LOOM_OVERRUN_EXTEND, trace), 0);
    assert_int_equal(loom_sim_jobs(sim, NULL)[0].estimate_s, 12);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* Estimates below 1 s are 1 s, estimates that run out are corrected under any rule, and a killed
 * job has run for its requested time. */
static void test_killed_jobs(void **state)
{
    (void)state;
    struct recorder r = {.first_s = -5};
    const struct loom_estimator estimator = estimator_of(&r);
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    append(trace, job_of(0, 10, 3, 3));
    assert_int_equal(run(&sim, &estimator, LOOM_OVERRUN_KILL, trace), 0);
    assert_string_equal(r.calls, "estimate 0.0 0; start 0.0 0; correct 0.0 1; correct 0.0 2; "
                                 "learn 0.0 3; ");
    assert_int_equal(loom_sim_counts(sim)->estimates_to_1s, 1);
    assert_int_equal(loom_sim_counts(sim)->cut, 1);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

static void test_refused_jobs_are_not_seen(void **state)
{
    (void)state;
    struct recorder r = {.first_s = 20};
    const struct loom_estimator estimator = estimator_of(&r);
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    append(trace, job_of(0, 10, 40, 5));
    append(trace, job_of(0, -1, 40, 1));
    append(trace, job_of(0, 10, 40, 1));
    assert_int_equal(run(&sim, &estimator, LOOM_OVERRUN_RAISE, trace), 0);
    assert_string_equal(r.calls, "estimate 0.0 0; start 0.0 0; learn 0.0 10; ");
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

static void test_failure_ends_the_run(void **state)
{
    (void)state;
    struct recorder r = {.first_s = 20, .fails_to_learn = LOOM_EDATA};
    const struct loom_estimator estimator = estimator_of(&r);
    struct loom_trace *trace = three_jobs();
    struct loom_sim *sim = NULL;
    assert_int_equal(run(&sim, &estimator, LOOM_OVERRUN_RAISE, trace), LOOM_EDATA);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* Users who react submit jobs with all that the log knows of them. */
static void test_feedback_describes_jobs(void **state)
{
    (void)state;
    struct recorder r = {.first_s = 20};
    const struct loom_estimator estimator = estimator_of(&r);
    const struct loom_sim_options options = {.scheduler = "easy",
                                             .procs = 4,
                                             .estimator = &estimator};
    const struct loom_feedback_options reacting = {.behaviour = "fluid"};
    struct loom_trace *trace = three_jobs();
    struct loom_feedback *feedback = NULL;
    struct loom_sim *sim = NULL;
    const struct loom_job_source *source;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_feedback_create(&feedback, trace, &reacting, NULL), 0);
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    assert_int_equal(loom_sim_run(sim, &options, source, NULL), 0);
    assert_int_equal(r.n_views, 3);
    assert_int_equal(r.views[0].group, 2);
    assert_int_equal(r.views[0].executable, 3);
    assert_int_equal(r.views[0].queue, 4);
    assert_true(r.views[0].req_mem_kib == 5.5);
    loom_feedback_destroy(feedback);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* A grid job keeps its view wherever it is sent. The local job of the second cluster has the same
 * number as the grid job, and another origin. */
static void test_origins_in_a_grid(void **state)
{
    (void)state;
    struct recorder r = {.first_s = 20};
    const struct loom_estimator estimator = estimator_of(&r);
    struct loom_trace *trace = empty_trace(), *local = empty_trace();
    struct loom_job grid_job = job_of(3, 10, 40, 2), local_job = job_of(1, 5, 40, 1);
    grid_job.user = local_job.user = 7;
    append(trace, grid_job);
    append(local, local_job);
    const struct loom_cluster clusters[] = {{.name = "small", .procs = 1},
                                            {.name = "large", .procs = 4, .background = local}};
    const struct loom_grid_options options = {.clusters = clusters,
                                              .n_clusters = 2,
                                              .estimator = &estimator};
    struct loom_grid *grid = NULL;
    assert_int_equal(loom_grid_create(&grid, NULL), 0);
    assert_int_equal(loom_grid_run(grid, &options, trace, NULL), 0);
    assert_string_equal(r.calls, "estimate 2.0 1; start 2.0 1; estimate 0.0 3; start 0.0 3; "
                                 "learn 2.0 5; learn 0.0 10; ");
    assert_int_equal(r.views[0].user, 7);
    assert_int_equal(r.views[1].user, 7);
    loom_grid_destroy(grid);
    loom_trace_destroy(trace);
    loom_trace_destroy(local);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_in_order),
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_doubles_by_default),
        cmocka_unit_test(test_killed_jobs),
        cmocka_unit_test(test_refused_jobs_are_not_seen),
        cmocka_unit_test(test_failure_ends_the_run),
        cmocka_unit_test(test_feedback_describes_jobs),
        cmocka_unit_test(test_origins_in_a_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
