/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an outcome keeps of its run: schedules, charts, explanations, and local jobs of a grid. */
#include "scenarios.h"
#include "sim/tool.h"

#include <workloom/report.h>

#include <jansson.h>
#include <stdio.h>

/* ---- kept runs ------------------------------------------------------------------------------- */

static void test_not_kept(void **state)
{
    struct loom_trace *trace = user_log(50), *schedule = (void *)state;
    struct loom_gantt *gantt = (void *)state;
    struct loom_error err;
    struct loom_scenario scenario = scenario_of(trace);
    size_t n = 99;
    scenario.keep = LOOM_KEEP_STARTS; /* of no use without the run */
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_null(loom_outcome_sim(outcome));
    assert_null(loom_outcome_trace(outcome));
    assert_null(loom_outcome_series(outcome));
    assert_null(loom_outcome_classes(outcome));
    assert_null(loom_outcome_outstanding(outcome, &n));
    assert_int_equal(n, 0);
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, &err), LOOM_EUSAGE);
    assert_null(schedule);
    schedule = (void *)state;
    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 0, &err), LOOM_EUSAGE);
    assert_null(schedule);
    assert_int_equal(loom_outcome_gantt(&gantt, outcome, (struct loom_sim_window){0, 10}, &err),
                     LOOM_EUSAGE);
    assert_null(gantt);
    assert_int_equal(loom_outcome_explain(NULL, outcome, &err), LOOM_EUSAGE);
    assert_null(loom_outcome_explain_json(outcome));
    loom_outcome_destroy(outcome);
    loom_outcome_destroy(NULL);
    loom_trace_destroy(trace);
}

static void test_kept_series(void **state)
{
    struct loom_trace *trace = user_log(200);
    struct loom_scenario scenario = scenario_of(trace);
    size_t n;
    (void)state;
    scenario.keep = LOOM_KEEP_SERIES;
    scenario.by = LOOM_CLASS_USER;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_true(loom_outcome_series(outcome)->count > 10);
    assert_non_null(loom_outcome_outstanding(outcome, &n));
    assert_int_equal(n, 5);
    assert_int_equal(loom_outcome_classes(outcome)->count, LOG_USERS);
    assert_true(loom_outcome_classes(outcome)->fairness == loom_outcome_value(outcome, "fairness"));
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

/* A schedule is a trace of its own: the outcome's stays as it was, and a second one is the same. */
static void test_schedule(void **state)
{
    struct loom_trace *trace = user_log(200), *schedule = NULL, *again = NULL;
    struct loom_scenario scenario = scenario_of(trace);
    size_t n;
    (void)state;
    scenario.load = 0.8;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    struct loom_trace *before = copy_of(loom_outcome_trace(outcome));
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
    assert_same_jobs(loom_outcome_trace(outcome), before);
    assert_same_header(loom_outcome_trace(outcome), before);

    const struct loom_sim_job *jobs = loom_sim_jobs(loom_outcome_sim(outcome), &n);
    assert_int_equal(n, 196);
    assert_int_equal(loom_trace_count(schedule), 200);
    for (size_t i = 0; i < n; i++) {
        struct loom_job wanted = loom_trace_job(before, jobs[i].row);
        wanted.wait_s = loom_sim_job_wait(&jobs[i]);
        wanted.alloc_procs = jobs[i].procs;
        assert_row(schedule, jobs[i].row, wanted);
    }
    for (size_t row = 49; row < 200; row += 50)
        assert_int_equal(loom_trace_job(schedule, row).wait_s, -1);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "32");
    assert_string_equal(loom_trace_directive(schedule, "MaxRecords"), "200");
    assert_string_equal(loom_trace_directive(before, "MaxRecords"), "7");
    assert_int_equal(loom_outcome_schedule(&again, outcome, NULL), 0);
    assert_same_jobs(again, schedule);
    loom_trace_destroy(schedule);
    loom_trace_destroy(again);
    loom_trace_destroy(before);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

/* Users submit at times of their own, not the log's. */
static void test_schedule_of_users(void **state)
{
    struct stock stock;
    struct loom_trace *schedule = NULL;
    (void)state;
    open_stock(&stock);
    for (int drawn = 0; drawn < 2; drawn++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        scenario.users = drawn ? &stock.drawn : &stock.fluid;
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_true(loom_outcome_has(outcome, LOOM_METRICS_USERS));
        assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
        size_t known = 0;
        for (size_t row = 0; row < loom_trace_count(schedule); row++)
            known += loom_trace_job(schedule, row).wait_s >= 0;
        assert_true((double)known == loom_outcome_value(outcome, "jobs"));
        loom_trace_destroy(schedule);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
}

static void test_gantt(void **state)
{
    struct stock stock;
    struct loom_gantt *gantt = NULL;
    (void)state;
    open_stock(&stock);
    for (int on_grid = 0; on_grid < 2; on_grid++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        scenario.system = on_grid ? stock.grid.system : NULL;
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        const struct loom_sim_window week = {0, 7 * 86400}, none = {5, 5};
        assert_int_equal(loom_outcome_gantt(&gantt, outcome, week, NULL), 0);
        assert_non_null(gantt);
        loom_gantt_destroy(gantt);
        assert_int_not_equal(loom_outcome_gantt(&gantt, outcome, none, NULL), 0);
        assert_null(gantt);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
}

/* On one machine, of a grid's queue, and of a cluster's own job. */
static void test_explanations(void **state)
{
    static const char *const jobs[] = {"17", "17", "log=17"};
    struct stock stock;
    (void)state;
    open_stock(&stock);
    for (size_t i = 0; i < COUNT(jobs); i++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        struct loom_output *out = NULL;
        char path[128];
        scenario.explain = jobs[i];
        scenario.system = i ? stock.grid.system : NULL;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_non_null(loom_outcome_sim(outcome)); /* the run is kept for it */
        json_t *json = loom_outcome_explain_json(outcome);
        assert_non_null(json);
        json_decref(json);
        snprintf(path, sizeof path, "%s/why", stock.grid.scratch.directory);
        assert_int_equal(loom_output_create(&out, path, NULL), 0);
        assert_int_equal(loom_outcome_explain(out, outcome, NULL), 0);
        assert_int_equal(loom_output_commit(out, NULL), 0);
        loom_output_destroy(out);
        char *text = load(path);
        assert_non_null(strstr(text, jobs[i]));
        free(text);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
}

/* ---- the local jobs of a grid ---------------------------------------------------------------- */

static void test_local_schedules(void **state)
{
    struct stock stock;
    struct loom_trace *schedule = NULL;
    struct loom_error err;
    (void)state;
    open_stock(&stock);
    struct loom_scenario scenario = scenario_of(stock.log);
    scenario.system = stock.grid.system;
    scenario.keep = LOOM_KEEP_RUN;
    const struct loom_trace *local = loom_system_local(stock.grid.system, 0);
    struct loom_trace *before = copy_of(local);
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 0, NULL), 0);
    assert_int_equal(loom_trace_count(schedule), loom_trace_count(local));
    size_t waits = 0;
    for (size_t row = 0; row < loom_trace_count(schedule); row++)
        waits += loom_trace_job(schedule, row).wait_s >= 0;
    assert_int_equal(waits, 245);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "32");
    assert_string_equal(loom_trace_directive(schedule, "MaxRecords"), "250");
    assert_true(loom_grid_made(schedule));
    loom_trace_destroy(schedule);
    assert_same_jobs(local, before);
    assert_same_header(local, before);

    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 1, NULL), 0);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "64");
    loom_trace_destroy(schedule);
    for (size_t cluster = 2; cluster < 5; cluster++) {
        schedule = (void *)&stock;
        assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, cluster, &err),
                         LOOM_EUSAGE);
        assert_null(schedule);
    }
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "112");
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(before);
    close_stock(&stock);
}

/* A shift that puts the first of two weeks' jobs before time 0. */
static void test_left_out(void **state)
{
    struct loom_trace *trace = user_log(100), *schedule = NULL;
    struct test_grid grid;
    struct loom_system *system = NULL;
    struct loom_error err = {0};
    (void)state;
    open_grid(&grid, trace);
    grid.clusters[0].has_shift = true;
    grid.clusters[0].load = 0;
    grid.clusters[0].shift_s = -7 * 86400;
    assert_int_equal(loom_system_create_grid(&system, &grid.platform, NULL, NULL), 0);
    assert_int_equal(loom_system_left_out(system, 0), 20);
    assert_int_equal(loom_trace_count(loom_system_local(system, 0)), 80);
    assert_int_equal(loom_system_procs(system), 112);
    struct loom_scenario scenario = scenario_of(trace);
    scenario.system = system;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 0, NULL), 0);
    assert_int_equal(loom_trace_count(schedule), 80);
    assert_string_equal(loom_trace_directive(schedule, "MaxRecords"), "80");
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    loom_system_destroy(system);

    grid.clusters[0].shift_s = -100 * 86400;
    assert_int_equal(loom_system_create_grid(&system, &grid.platform, NULL, &err), LOOM_EDATA);
    assert_null(system);
    assert_non_null(strstr(err.message, "local jobs of cluster log"));
    grid.clusters[0].background = "/nowhere/at-all.swf";
    assert_int_equal(loom_system_create_grid(&system, &grid.platform, NULL, &err), LOOM_EIO);
    assert_null(system);
    assert_non_null(strstr(err.message, "local jobs of cluster log"));
    close_grid(&grid);
    loom_trace_destroy(trace);
}

/* The load of a grid is over the processors that local jobs leave. */
static void test_grid_load(void **state)
{
    struct stock stock;
    (void)state;
    open_stock(&stock);
    struct loom_scenario scenario = scenario_of(stock.log);
    scenario.system = stock.grid.system;
    scenario.load = 0.5;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    const struct loom_load_change *load = loom_outcome_load(outcome);
    assert_true(load->asked == 0.5);
    assert_true(fabs(load->after - 0.5) < 0.05);
    assert_true(fabs(loom_outcome_value(outcome, "grid_load") / load->after - 1) < 1e-9);
    loom_outcome_destroy(outcome);
    stock.grid.clusters[1].model = "mmwm"; /* nothing was published */
    assert_fails(&scenario, LOOM_EUSAGE, "cluster model: ");
    close_stock(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_kept),        cmocka_unit_test(test_kept_series),
        cmocka_unit_test(test_schedule),        cmocka_unit_test(test_schedule_of_users),
        cmocka_unit_test(test_gantt),           cmocka_unit_test(test_explanations),
        cmocka_unit_test(test_local_schedules), cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_grid_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
