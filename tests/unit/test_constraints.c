/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Downtime, limits of users, machines in parts and urgent jobs: schedules worked out by hand. */
#include "scenarios.h"

#include "sim/downtime.h"
#include "trace/table.h"

struct line {
    int64_t submit_s, run_s;
    int32_t procs, user, queue;
    int64_t start_s; /* expected */
};

static struct loom_trace *trace_of(const struct line *lines, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = lines[i].submit_s;
        job.run_s = job.request_s = lines[i].run_s;
        job.req_procs = lines[i].procs;
        job.user = lines[i].user;
        job.queue = lines[i].queue;
        append(trace, job);
    }
    return trace;
}

/* Run the options on a log of the jobs, which is destroyed, and compare starts by row. The caller
 * must destroy the simulator. */
static struct loom_sim *run_log(struct loom_trace *trace, const struct line *lines, size_t n,
                                struct loom_sim_options options)
{
    struct loom_sim *sim = NULL;
    struct loom_error err = {0};
    size_t n_jobs;
    if (!options.scheduler)
        options.scheduler = "easy";
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    if (loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s", err.message);
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n_jobs);
    assert_int_equal(n_jobs, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(jobs[i].row, i); /* lines stand in order of submission */
        assert_int_equal(jobs[i].submit_s, lines[i].submit_s);
        if (jobs[i].start_s != lines[i].start_s)
            fail_msg("job %zu starts at %lld, not %lld", i, (long long)jobs[i].start_s,
                     (long long)lines[i].start_s);
    }
    loom_trace_destroy(trace);
    return sim;
}

static struct loom_sim *run_lines(const struct line *lines, size_t n,
                                  struct loom_sim_options options)
{
    return run_log(trace_of(lines, n), lines, n, options);
}

/* ---- downtime -------------------------------------------------------------------------------- */

/* Four processors, down during [100, 200).
 *   0: starts at 0, runs until 50.
 *   1: starts at 20, would end at 120; stands still for 100 s, and ends at 220.
 *   2: all processors, at 60: must wait for 1, so until 220.
 *   3: one processor for 30 s, submitted at 110 while the machine is down. Job 1 has 20 s to go at
 *      200, so it would delay job 2 and starts after it, at 230.
 *   4: one processor for 20 s, at 150: fits before the reservation of 2, and starts at 200.
 *   5: at 200, the end of the downtime, when 4 has one processor and 1 has three: after 3, at 230.
 */
static void test_downtime(void **state)
{
    static const struct line lines[] = {{0, 50, 1, 1, 1, 0},     {20, 100, 3, 1, 1, 20},
                                        {60, 10, 4, 1, 1, 220},  {110, 30, 1, 1, 1, 230},
                                        {150, 20, 1, 1, 1, 200}, {200, 5, 3, 1, 1, 230}};
    const struct loom_downtime down = {100, 200};
    const struct loom_downtimes downtime = {&down, 1};
    (void)state;
    struct loom_sim *sim =
        run_lines(lines, 6, (struct loom_sim_options){.procs = 4, .downtime = &downtime});
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    assert_int_equal(jobs[0].run_s, 50);
    assert_int_equal(jobs[1].run_s, 200); /* 80 s, 100 s suspended, 20 s */
    assert_true(jobs[1].notes & LOOM_JOB_SUSPENDED);
    assert_int_equal(jobs[2].run_s, 10);
    assert_false(jobs[2].notes & LOOM_JOB_SUSPENDED);
    loom_sim_destroy(sim);
}

/* A job that ends when the machine goes down is not suspended; one that could start then starts
 * when it is up; two downtimes add up. */
static void test_downtime_edges(void **state)
{
    static const struct line lines[] = {{0, 100, 2, 1, 1, 0},
                                        {10, 100, 2, 1, 1, 150},
                                        {10, 0, 2, 1, 1, 350}};
    static const struct loom_downtime down[] = {{100, 150}, {200, 300}};
    const struct loom_downtimes downtime = {down, 2};
    (void)state;
    struct loom_sim *sim =
        run_lines(lines, 3, (struct loom_sim_options){.procs = 2, .downtime = &downtime});
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    assert_int_equal(jobs[0].run_s, 100);
    assert_int_equal(jobs[1].run_s, 200); /* 150 to 200, 300 to 350 */
    assert_int_equal(jobs[2].run_s, 0);
    loom_sim_destroy(sim);
}

static void test_clock(void **state)
{
    static const struct loom_downtime down[] = {{10, 20}, {30, 35}};
    const struct loom_downtimes downtime = {down, 2};
    static const struct {
        int64_t time_s, uptime_s;
    } pairs[] = {{0, 0}, {10, 10}, {15, 10}, {20, 10}, {21, 11}, {30, 20}, {34, 20}, {40, 25}};
    struct loom_clock clock = {0};
    (void)state;
    assert_int_equal(loom_clock_set(&clock, &downtime, NULL), 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_int_equal(loom_clock_uptime(&clock, pairs[i].time_s), pairs[i].uptime_s);
    assert_int_equal(loom_clock_time(&clock, 10, false), 10);
    assert_int_equal(loom_clock_time(&clock, 10, true), 20);
    assert_int_equal(loom_clock_time(&clock, 25, true), 40);
    assert_true(loom_clock_uptime(&clock, LOOM_NEVER) == LOOM_NEVER);
    loom_clock_free(&clock);
}

static void test_downtime_refused(void **state)
{
    static const struct loom_downtime wrong[] = {{10, 20}, {20, 30}};
    const struct loom_downtimes downtime = {wrong, 2};
    struct loom_trace *trace = user_log(20);
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    scenario.downtime = &downtime;
    assert_fails(&scenario, LOOM_ERANGE, "from 20 to 30");
    scenario.explain = "1";
    assert_fails(&scenario, LOOM_EUSAGE, "explain");
    loom_trace_destroy(trace);
}

/* ---- limits of users ------------------------------------------------------------------------- */

/* Ten processors; a user has at most two jobs in the queue or running.
 *   User 1 submits four jobs of 100 s at 0: two start; the third joins when one has ended, at 100,
 *   and the fourth, which is held as well, at 100 too. User 2 is not held back. */
static void test_user_jobs(void **state)
{
    static const struct line lines[] = {{0, 100, 1, 1, 1, 0},   {0, 100, 1, 1, 1, 0},
                                        {0, 100, 1, 1, 1, 100}, {0, 50, 1, 1, 1, 100},
                                        {5, 10, 8, 2, 1, 5},    {6, 10, 1, -1, 1, 15}};
    const struct loom_user_limits limits = {.jobs = 2};
    (void)state;
    loom_sim_destroy(
        run_lines(lines, 6, (struct loom_sim_options){.procs = 10, .limits = &limits}));
}

/* Four processors for a user: the third job of 2 is held although two are free, and so is a narrow
 * one behind it, as jobs of a user join in order. A job of 6 runs alone. */
static void test_user_procs(void **state)
{
    static const struct line lines[] = {{0, 100, 2, 1, 1, 0},  {0, 60, 1, 1, 1, 0},
                                        {1, 10, 2, 1, 1, 60},  {2, 10, 1, 1, 1, 70},
                                        {3, 10, 6, 1, 1, 100}, {4, 10, 1, 1, 1, 110}};
    const struct loom_user_limits limits = {.procs = 4};
    (void)state;
    loom_sim_destroy(
        run_lines(lines, 6, (struct loom_sim_options){.procs = 10, .limits = &limits}));
}

static void test_own_limits(void **state)
{
    static const struct line lines[] = {{0, 100, 1, 1, 1, 0},
                                        {0, 100, 1, 1, 1, 100},
                                        {0, 100, 1, 2, 1, 0},
                                        {0, 100, 1, 2, 1, 0}};
    static const struct loom_user_limit own[] = {{1, 1, 0}};
    const struct loom_user_limits limits = {.own = own, .n_own = 1};
    (void)state;
    loom_sim_destroy(
        run_lines(lines, 4, (struct loom_sim_options){.procs = 10, .limits = &limits}));
}

/* At no time has a user more on the machine than the limit, under every policy. */
static void test_limits_hold(void **state)
{
    const struct loom_user_limits limits = {.jobs = 3};
    struct loom_trace *trace = user_log(400);
    const struct loom_scheduler_info *info;
    (void)state;
    for (size_t p = 0; (info = loom_scheduler_at(NULL, p)); p++) {
        struct loom_scenario scenario = scenario_of(trace);
        size_t n;
        scenario.policy = info->name;
        scenario.limits = &limits;
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        const struct loom_sim_job *jobs = loom_sim_jobs(loom_outcome_sim(outcome), &n);
        for (size_t i = 0; i < n; i++) {
            int at_once = 0;
            assert_true(i == 0 || jobs[i].submit_s >= jobs[i - 1].submit_s);
            for (size_t k = 0; k < n; k++)
                at_once += jobs[k].user == jobs[i].user && jobs[k].start_s <= jobs[i].start_s &&
                           loom_sim_job_end(&jobs[k]) > jobs[i].start_s;
            if (at_once > 3)
                fail_msg("%s: %d jobs of one user at once", info->name, at_once);
        }
        loom_outcome_destroy(outcome);
    }
    loom_trace_destroy(trace);
}

/* One job at a time for the user, so that the other three are held when the first runs. Each takes
 * 50 s longer than it requested, so that its first correction adds 60 s to its own prediction. */
static const struct line held_lines[] = {{0, 150, 1, 1, 1, 0},
                                         {1, 250, 1, 1, 1, 150},
                                         {2, 350, 1, 1, 1, 400},
                                         {3, 450, 1, 1, 1, 750}};

/* Run the held jobs with a predictor, which the caller must destroy, like the simulator. */
static struct loom_sim *run_held(struct loom_predictor **predictor, const char *text)
{
    const struct loom_user_limits limits = {.jobs = 1};
    struct loom_trace *trace = trace_of(held_lines, 4);
    assert_int_equal(loom_predictor_create(predictor, text, NULL), 0);
    const struct loom_estimator estimator =
        loom_predictor_estimator(*predictor, LOOM_CORRECTION_INCREMENTAL);
    for (size_t i = 0; i < 4; i++)
        trace->columns.request_s[i] = held_lines[i].run_s - 50;
    return run_log(trace, held_lines, 4,
                   (struct loom_sim_options){.procs = 10,
                                             .limits = &limits,
                                             .overrun = LOOM_OVERRUN_EXTEND,
                                             .estimator = &estimator});
}

static void test_held_jobs_keep_predictions(void **state)
{
    struct loom_predictor *predictor = NULL;
    (void)state;
    struct loom_sim *sim = run_held(&predictor, "requested");
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(jobs[i].estimate_s, held_lines[i].run_s - 50 + 60);
    assert_int_equal(loom_predictor_errors(predictor).jobs, 4);
    assert_true(loom_predictor_errors(predictor).mae_s == 50);
    loom_sim_destroy(sim);
    loom_predictor_destroy(predictor);
}

/* With requests that suffice, who knows the runtime is never wrong. */
static void test_held_jobs_foreseen(void **state)
{
    const struct loom_user_limits limits = {.jobs = 1};
    struct loom_trace *trace = user_log(400);
    struct loom_predictor *predictor = NULL;
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_predictor_create(&predictor, "clairvoyant", NULL), 0);
    const struct loom_estimator estimator =
        loom_predictor_estimator(predictor, LOOM_CORRECTION_INCREMENTAL);
    const struct loom_sim_options options = {.scheduler = "easy",
                                             .procs = 64,
                                             .limits = &limits,
                                             .estimator = &estimator};
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    assert_int_equal(loom_predictor_errors(predictor).jobs, 392);
    assert_true(loom_predictor_errors(predictor).mae_s == 0);
    loom_sim_destroy(sim);
    loom_predictor_destroy(predictor);
    loom_trace_destroy(trace);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Queue 1 has two processors, queue 2 four. The second job of queue 1 waits although queue 2 has
 * processors free; a job of queue 2 that is wider than queue 1 runs. */
static void test_parts(void **state)
{
    static const struct line lines[] = {{0, 100, 2, 1, 1, 0},
                                        {0, 10, 1, 1, 1, 100},
                                        {0, 10, 4, 1, 2, 0},
                                        {5, 10, 1, 1, 2, 10}};
    static const int64_t procs[] = {2, 4};
    static const uint32_t of[] = {0, 0, 1, 1};
    const struct loom_parts parts = {2, procs, of};
    (void)state;
    struct loom_sim *sim = run_lines(lines, 4, (struct loom_sim_options){.parts = &parts});
    assert_int_equal(loom_sim_procs(sim), 6);
    loom_sim_destroy(sim);
}

/* Parts do what machines of their own do. */
static void test_parts_alone(void **state)
{
    static const struct loom_share shares[] = {{1, 24}, {2, 32}};
    const struct loom_split split = {LOOM_QUEUE, shares, 2};
    struct loom_trace *trace = user_log(600);
    const struct loom_jobs *all = loom_trace_jobs(trace);
    struct loom_scenario scenario = scenario_of(trace);
    size_t n, n_own;
    (void)state;
    scenario.split = &split;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *both = must_succeed(&scenario, NULL);
    const struct loom_sim_job *jobs = loom_sim_jobs(loom_outcome_sim(both), &n);
    for (size_t s = 0; s < 2; s++) {
        uint8_t *keep = malloc(all->n);
        struct loom_trace *own = NULL;
        for (size_t row = 0; row < all->n; row++)
            keep[row] = all->queue[row] == shares[s].number;
        assert_int_equal(loom_trace_subset(&own, trace, keep, 1, NULL), 0);
        struct loom_scenario alone = scenario_of(own);
        alone.machine = (struct loom_machine_size){shares[s].procs, LOOM_SIZE_HEADER};
        alone.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&alone, NULL);
        const struct loom_sim_job *of_own = loom_sim_jobs(loom_outcome_sim(outcome), &n_own);
        size_t at = 0;
        for (size_t i = 0; i < n; i++)
            if (all->queue[jobs[i].row] == shares[s].number)
                assert_int_equal(jobs[i].start_s, of_own[at++].start_s);
        assert_int_equal(at, n_own);
        loom_outcome_destroy(outcome);
        loom_trace_destroy(own);
        free(keep);
    }
    loom_outcome_destroy(both);
    loom_trace_destroy(trace);
}

static void test_parts_refused(void **state)
{
    static const struct loom_share shares[] = {{1, 24}};
    const struct loom_split split = {LOOM_QUEUE, shares, 1};
    struct loom_trace *trace = user_log(20);
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    scenario.split = &split;
    assert_fails(&scenario, LOOM_EDATA, "queue 2 has no processors");
    scenario.load = 0.5;
    scenario.load_by = LOOM_LOAD_SIZE;
    assert_fails(&scenario, LOOM_EUSAGE, "split");
    loom_trace_destroy(trace);
}

/* ---- urgent jobs ----------------------------------------------------------------------------- */

/* One processor: the urgent job goes before those that wait longer, in any order. */
static void test_urgent(void **state)
{
    static const struct line lines[] = {{0, 100, 1, 1, 1, 0},
                                        {1, 10, 1, 1, 1, 120},
                                        {2, 20, 1, 1, 1, 100}};
    static const uint8_t urgent[] = {0, 0, 1};
    static const char *const policies[] = {"fcfs", "easy", "easy:order=sjf"};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        loom_sim_destroy(run_lines(
            lines, 3,
            (struct loom_sim_options){.scheduler = policies[i], .procs = 1, .urgent = urgent}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_downtime),
        cmocka_unit_test(test_downtime_edges),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_downtime_refused),
        cmocka_unit_test(test_user_jobs),
        cmocka_unit_test(test_user_procs),
        cmocka_unit_test(test_own_limits),
        cmocka_unit_test(test_limits_hold),
        cmocka_unit_test(test_held_jobs_keep_predictions),
        cmocka_unit_test(test_held_jobs_foreseen),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_parts_alone),
        cmocka_unit_test(test_parts_refused),
        cmocka_unit_test(test_urgent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
