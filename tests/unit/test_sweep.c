/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: on any number of threads the outcomes are the scenarios' one by one, and the
 * error is of the first scenario that fails.
 */
#include "scenarios.h"

#include <stdio.h>

static const unsigned threads[] = {1, 2, 4};

static struct loom_pool *pool_of(unsigned n)
{
    struct loom_pool *pool = NULL;
    assert_int_equal(loom_pool_create(&pool, n, NULL), 0);
    return pool;
}

static void must_sweep(struct loom_outcome **outcomes, const struct loom_scenario *scenarios,
                       size_t n, struct loom_pool *pool)
{
    struct loom_error err = {0};
    if (loom_sweep_run(outcomes, scenarios, n, pool, &err))
        fail_msg("%s", err.message);
}

static void assert_same_classes(const struct loom_outcome *got, const struct loom_outcome *wanted)
{
    const struct loom_sim_classes *a = loom_outcome_classes(got), *b = loom_outcome_classes(wanted);
    assert_int_equal(a == NULL, b == NULL);
    if (!a)
        return;
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->classes, b->classes, a->count * sizeof *a->classes);
}

static void assert_same_series(const struct loom_outcome *got, const struct loom_outcome *wanted)
{
    const struct loom_sim_series *a = loom_outcome_series(got), *b = loom_outcome_series(wanted);
    size_t n, n_wanted;
    const int64_t *weeks = loom_outcome_outstanding(got, &n);
    const int64_t *weeks_wanted = loom_outcome_outstanding(wanted, &n_wanted);
    assert_int_equal(a == NULL, b == NULL);
    assert_int_equal(n, n_wanted);
    if (!a)
        return;
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->levels, b->levels, a->count * sizeof *a->levels);
    assert_memory_equal(weeks, weeks_wanted, n * sizeof *weeks);
}

/* One by one without a runner, then as sweeps. */
static void assert_sweeps_agree(const struct loom_scenario *scenarios, size_t n)
{
    struct loom_outcome **wanted = calloc(n, sizeof(struct loom_outcome *));
    struct loom_outcome **got = calloc(n, sizeof(struct loom_outcome *));
    assert_true(wanted && got);
    for (size_t i = 0; i < n; i++)
        wanted[i] = must_succeed(&scenarios[i], NULL);
    for (size_t t = 0; t <= COUNT(threads); t++) {
        struct loom_pool *pool = t < COUNT(threads) ? pool_of(threads[t]) : NULL;
        must_sweep(got, scenarios, n, pool);
        for (size_t i = 0; i < n; i++) {
            assert_same_outcome(got[i], wanted[i]);
            assert_same_classes(got[i], wanted[i]);
            assert_same_series(got[i], wanted[i]);
            loom_outcome_destroy(got[i]);
        }
        loom_pool_destroy(pool);
    }
    for (size_t i = 0; i < n; i++)
        loom_outcome_destroy(wanted[i]);
    free(wanted);
    free(got);
}

enum { POLICIES = 3, LOADS = 4, RUNS = POLICIES * LOADS };
static const char *const policies[POLICIES] = {"fcfs", "easy", "conservative"};
static const double loads[LOADS] = {0, 0.4, 0.6, 0.8};

/* All policies at all loads, in the order of `simulate`: loads of one policy stand together. */
static void policies_at_loads(struct loom_scenario *scenarios, struct loom_scenario like)
{
    for (size_t i = 0; i < RUNS; i++) {
        scenarios[i] = like;
        scenarios[i].policy = policies[i / LOADS];
        scenarios[i].load = loads[i % LOADS];
    }
}

static void test_policies_at_loads(void **state)
{
    struct loom_trace *trace = user_log(300);
    struct loom_scenario scenarios[RUNS], like = scenario_of(trace);
    (void)state;
    like.by = LOOM_CLASS_SIZE;
    like.keep = LOOM_KEEP_SERIES | LOOM_KEEP_CURVES;
    policies_at_loads(scenarios, like);
    assert_sweeps_agree(scenarios, RUNS);
    loom_trace_destroy(trace);
}

/* Jobs drawn at random do not depend on the thread either. */
static void test_drawn_jobs(void **state)
{
    struct loom_trace *trace = user_log(300);
    struct loom_scenario scenarios[RUNS], like = scenario_of(trace);
    const struct loom_request_change requests = {.how = LOOM_REQUESTS_UNIFORM, .factor = 2};
    struct loom_user_rule pools = loom_user_rule();
    struct loom_population_rule population = loom_population_rule();
    const struct loom_feedback_options users = {.behaviour = "fluid",
                                                .population = &population,
                                                .pools = &pools};
    (void)state;
    pools.long_term_s = pools.edge_s = 0;
    like.requests = &requests;
    like.users = &users;
    policies_at_loads(scenarios, like);
    for (size_t i = 0; i < RUNS; i++)
        scenarios[i].replication = i % 2;
    assert_sweeps_agree(scenarios, RUNS);
    loom_trace_destroy(trace);
}

static void test_grids(void **state)
{
    struct loom_trace *trace = user_log(150);
    struct loom_scenario scenarios[RUNS], like = scenario_of(trace);
    struct test_grid grid;
    (void)state;
    open_grid(&grid, trace);
    like.system = grid.system;
    policies_at_loads(scenarios, like);
    for (size_t i = 1; i < RUNS; i += 3)
        scenarios[i].system = NULL; /* grids and machines in turn */
    assert_sweeps_agree(scenarios, RUNS);
    close_grid(&grid);
    loom_trace_destroy(trace);
}

/* A sweep of one is the scenario, and may keep its run; one of none is nothing. */
static void test_one_and_none(void **state)
{
    struct loom_trace *trace = user_log(50);
    struct loom_scenario scenario = scenario_of(trace);
    struct loom_outcome *outcome = NULL, *untouched = (void *)state;
    scenario.keep = LOOM_KEEP_RUN;
    must_sweep(&outcome, &scenario, 1, NULL);
    assert_non_null(loom_outcome_sim(outcome));
    loom_outcome_destroy(outcome);
    must_sweep(&untouched, &scenario, 0, NULL);
    assert_ptr_equal(untouched, state);
    loom_trace_destroy(trace);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void assert_sweep_fails(const struct loom_scenario *scenarios, size_t n, int code,
                               const char *message)
{
    for (size_t t = 0; t < COUNT(threads); t++) {
        struct loom_pool *pool = pool_of(threads[t]);
        struct loom_outcome *outcomes[RUNS];
        struct loom_error err = {0};
        char text[sizeof err.message];
        for (size_t i = 0; i < n; i++)
            outcomes[i] = (void *)pool;
        assert_int_equal(loom_sweep_run(outcomes, scenarios, n, pool, &err), code);
        assert_int_equal(err.code, code);
        assert_string_equal(loom_error_text(&err, text, sizeof text), message);
        for (size_t i = 0; i < n; i++)
            assert_null(outcomes[i]);
        assert_int_equal(loom_sweep_run(outcomes, scenarios, n, pool, NULL), code);
        loom_pool_destroy(pool);
    }
}

static void test_first_failure(void **state)
{
    struct loom_trace *trace = user_log(300);
    struct loom_scenario scenarios[RUNS];
    (void)state;
    policies_at_loads(scenarios, scenario_of(trace));
    scenarios[5].load = 0.5;
    scenarios[5].trim.warm_up_s = -1;
    scenarios[7].by = 77;
    scenarios[11].policy = "fifo";
    assert_sweep_fails(scenarios, RUNS, LOOM_ERANGE,
                       "easy at a load of 0.5: warm-up and cool-down cannot be negative");
    scenarios[4].by = 78; /* at no load */
    assert_sweep_fails(scenarios, RUNS, LOOM_ERANGE,
                       "easy: by must be LOOM_NO_CLASSES or a kind of class, not 78");
    scenarios[0].policy = NULL;
    assert_sweep_fails(scenarios, RUNS, LOOM_EUSAGE,
                       "no policy: no scheduler is given; see 'workloom list schedulers'");
    loom_trace_destroy(trace);
}

/* Which file it is about, and which field, stay. */
static void test_place_of_a_failure(void **state)
{
    struct scratch scratch;
    struct loom_outcome *outcomes[2];
    struct loom_error err = {0};
    (void)state;
    assert_int_equal(scratch_open(&scratch, "log.swf"), 0);
    store_text(scratch.file, "1 0 0 5 2 -1 -1 2 5 -1 1 1 1 -1 -1 -1 -1 -1\n"
                             "2 9 0 5 2 -1 -1 2 5 -1 1 1 1 -1 -1 -1 -1 -1\n");
    struct loom_trace *trace = must_read(scratch.file, NULL);
    struct loom_scenario scenarios[] = {scenario_of(trace), scenario_of(trace)};
    scenarios[0].load = 0.5;
    assert_int_equal(loom_sweep_run(outcomes, scenarios, 2, NULL, &err), LOOM_EDATA);
    assert_string_equal(err.field, "procs");
    assert_int_equal(strncmp(err.message, "easy at a load of 0.5: ", 23), 0);
    scenarios[0].load = 0;
    scenarios[0].trim.warm_up_jobs = 2;
    assert_int_equal(loom_sweep_run(outcomes, scenarios, 2, NULL, &err), LOOM_ERANGE);
    assert_string_equal(err.file, scratch.file);
    assert_int_equal(strncmp(err.message, "easy: warm-up and cool-down leave none of the 2", 47),
                     0);
    loom_trace_destroy(trace);
    assert_int_equal(scratch_close(&scratch), 0);
}

static int64_t an_hour(void *self, const struct loom_job_view *job)
{
    (void)self;
    (void)job;
    return 3600;
}

/* What one run learns must not reach another. */
static void test_estimators_are_not_shared(void **state)
{
    const struct loom_estimator one = {.estimate = an_hour}, other = {.estimate = an_hour};
    struct loom_trace *trace = user_log(50);
    struct loom_scenario scenarios[] = {scenario_of(trace), scenario_of(trace)};
    struct loom_outcome *outcomes[2];
    (void)state;
    scenarios[0].estimator = scenarios[1].estimator = &one;
    assert_sweep_fails(scenarios, 2, LOOM_EUSAGE,
                       "scenarios 0 and 1 have one estimator; give each its own");
    scenarios[1].estimator = &other;
    assert_int_equal(loom_sweep_run(outcomes, scenarios, 2, NULL, NULL), 0);
    assert_true(loom_outcome_value(outcomes[0], "wait_mean_s") ==
                loom_outcome_value(outcomes[1], "wait_mean_s"));
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    loom_trace_destroy(trace);
}

static void test_runs_are_not_kept(void **state)
{
    struct loom_trace *trace = user_log(50);
    struct loom_scenario scenarios[] = {scenario_of(trace), scenario_of(trace)};
    (void)state;
    scenarios[1].keep = LOOM_KEEP_RUN;
    assert_sweep_fails(scenarios, 2, LOOM_EUSAGE, "only a single scenario can keep its run");
    scenarios[1].keep = 0;
    scenarios[1].explain = "3";
    assert_sweep_fails(scenarios, 2, LOOM_EUSAGE, "only a single scenario can keep its run");
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies_at_loads),
        cmocka_unit_test(test_drawn_jobs),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_one_and_none),
        cmocka_unit_test(test_first_failure),
        cmocka_unit_test(test_place_of_a_failure),
        cmocka_unit_test(test_runs_are_not_kept),
        cmocka_unit_test(test_estimators_are_not_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
