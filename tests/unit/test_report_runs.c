/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulations in figures: what is drawn is what was measured. Pages and files are tested in
 * test_run_pages.c.
 */
#include "made_runs.h"

static void test_gantt_data(void **state)
{
    static const char by_user[] = "x\ty\tfrom\tto\tlow\tuser 1\n4.5\t1.5\t0\t9\t0\t3\n\n\n"
                                  "x\ty\tfrom\tto\tlow\tuser 2\n10.5\t2\t9\t12\t0\t4\n\n\n"
                                  "x\ty\tfrom\tto\tlow\tuser 3\n3.5\t3.5\t1\t6\t3\t4\n\n\n"
                                  "x\ty\tjob\n4.5\t1.5\t1\n3.5\t3.5\t3\n10.5\t2\t2\n";
    static const char by_why[] = "x\ty\tfrom\tto\tlow\tin its turn\n"
                                 "4.5\t1.5\t0\t9\t0\t3\n10.5\t2\t9\t12\t0\t4\n\n\n"
                                 "x\ty\tfrom\tto\tlow\tbackfilled: ends before the reservation\n"
                                 "3.5\t3.5\t1\t6\t3\t4\n";
    struct made made;
    (void)state;
    make(&made, three_jobs());
    add_small_run(&made);
    add_gantt(&made, 1, 13, false);
    report_with(&made, NULL);
    char *data = drawing_of(&made, "gantt")->data;
    assert_string_equal(data, by_user);
    assert_string_equal(drawing_of(&made, "gantt")->settings,
                        "unit = 'seconds'\nruns = 1\nlength = 12\nprocessors = 4\njobs = 3\n"
                        "colours = ' 1 2 3'\nnumbers = 1\n");
    made.shown.starts = starts_of(&made);
    report_with(&made, NULL);
    data = drawing_of(&made, "gantt")->data;
    assert_non_null(strstr(data, by_why));
    assert_null(strstr(data, "user"));
    unmake(&made);
}

static struct loom_trace *one_local_job(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_job job = loom_job_unknown();
    job.number = 8;
    job.submit_s = 0;
    job.run_s = 6;
    job.req_procs = 2;
    job.user = 1;
    append(trace, job);
    return trace;
}

/* The three jobs on a grid of two clusters of 4. Local job 8 has processors 0 and 1 of the first
 * until 6, so job 1 goes to the second, job 3 to the first at 2, and job 2 there too, at 7. */
static void test_grid_gantt_data(void **state)
{
    static const char by_home[] = "x\ty\tfrom\tto\tlow\tgrid jobs\n"
                                  "4.5\t2.5\t2\t7\t2\t3\n9.5\t2\t7\t12\t0\t4\n"
                                  "5\t5.5\t0\t10\t4\t7\n\n\n"
                                  "x\ty\tfrom\tto\tlow\tlocal jobs\n3\t1\t0\t6\t0\t2\n\n\n"
                                  "middle\ttop\tcluster\n2\t4\tnear\n6\t8\tfar b \n\n\n"
                                  "x\ty\tjob\n"
                                  "3\t1\t8\n4.5\t2.5\t3\n9.5\t2\t2\n5\t5.5\t1\n";
    static const char *const by_user[] = {"low\tuser 1\n5\t5.5", "low\tuser 2\n9.5\t2",
                                          "low\tuser 3\n4.5\t2.5", "low\tlocal jobs\n3\t1"};
    struct made made;
    struct loom_grid *grid = NULL;
    struct loom_trace *local = one_local_job();
    const struct loom_cluster clusters[] = {{.name = "near", .procs = 4, .background = local},
                                            {.name = "far\tb<", .procs = 4}};
    const struct loom_grid_options options = {.clusters = clusters, .n_clusters = 2};
    (void)state;
    make(&made, three_jobs());
    add_small_run(&made);
    assert_int_equal(loom_grid_create(&grid, NULL), 0);
    assert_int_equal(loom_grid_run(grid, &options, made.trace, NULL), 0);
    assert_int_equal(loom_grid_gantt_create(&made.gantt, grid, (struct loom_sim_window){0, 12},
                                            NULL),
                     0);
    made.shown = (struct loom_shown_gantt){.gantt = made.gantt,
                                           .trace = made.trace,
                                           .grid = grid,
                                           .clusters = clusters,
                                           .by_home = true};
    report_with(&made, NULL);
    assert_string_equal(drawing_of(&made, "gantt")->data, by_home);
    made.shown.by_home = false;
    report_with(&made, NULL);
    for (size_t i = 0; i < COUNT(by_user); i++)
        assert_non_null(strstr(drawing_of(&made, "gantt")->data, by_user[i]));
    unmake(&made);
    loom_grid_destroy(grid);
    loom_trace_destroy(local);
}

/* Utilization 3/4, 1 and so on, in steps of a second; job 2 waits from 1 to 10. */
static void test_series_data(void **state)
{
    struct made made;
    (void)state;
    make(&made, three_jobs());
    add_small_run(&made);
    report_with(&made, NULL);
    assert_string_equal(drawing_of(&made, "utilization-time")->data,
                        "time (seconds)\teasy\n0\t75\n1\t75\n2\t100\n3\t100\n4\t100\n"
                        "5\t100\n6\t100\n7\t75\n8\t75\n9\t75\n10\t100\n11\t100\n12\t100\n13\t100\n"
                        "14\t100\n15\t100\n");
    assert_non_null(strstr(drawing_of(&made, "queue-time")->data,
                           "time (seconds)\tmean of a step\n0\t0\n1\t1\n2\t1\n"));
    /* 9 s of 15 with one job waiting. */
    assert_string_equal(drawing_of(&made, "queue-lengths")->data, "bin\teasy\n0\t40\n1\t60\n");
    assert_null(drawing_of(&made, "outstanding-weekly")->data);
    assert_string_equal(drawing_of(&made, "outstanding-weekly")->reason,
                        "jobs are submitted for less than two weeks");
    unmake(&made);
}

static void test_load_data(void **state)
{
    struct made made;
    char wanted[200];
    (void)state;
    make(&made, busy_log(300));
    add_run(&made, "fcfs", 0.5);
    add_run(&made, "fcfs", 0.6);
    add_run(&made, "easy:order=sjf", 0.5);
    add_run(&made, "easy:order=sjf", 0.6);
    report_with(&made, NULL);
    double fcfs = made.outcomes[0]->metrics.slowdown_ratio;
    double sjf = made.outcomes[2]->metrics.slowdown_ratio;
    snprintf(wanted, sizeof wanted,
             "load\tfcfs\tsaturated\n0.5\t%.6g\t0\n0.6\t%.6g\t0\n\n\n"
             "load\teasy:order=sjf\tsaturated\n0.5\t%.6g\t0\n0.6\t%.6g\t0\n",
             fcfs, fcfs, sjf, sjf);
    assert_string_equal(drawing_of(&made, "slowdown-load")->data, wanted);
    unmake(&made);
}

/* Let the run be one on a grid, with these results. */
static void call_grid(struct loom_outcome *outcome, const struct loom_grid_metrics *metrics)
{
    if (!outcome->grid)
        outcome->grid = calloc(1, sizeof *outcome->grid);
    assert_non_null(outcome->grid);
    outcome->grid->metrics = *metrics;
}

/* Of a grid, local jobs have a figure of their own, if there are any. */
static void test_grid_load_data(void **state)
{
    const struct loom_grid_metrics whole[] = {
        {.procs = 10,
         .utilization_submitting = 0.25,
         .load = 0.5,
         .procs_left = 8,
         .local = {.jobs = 4, .slowdown_ratio = 7},
         .local_submitting = {.jobs = 3, .slowdown_ratio = 1.5}},
        {.procs = 10,
         .utilization_submitting = 0.5,
         .load = 0.6,
         .procs_left = 8,
         .local = {.jobs = 4, .slowdown_ratio = 7},
         .local_submitting = {.jobs = 3, .slowdown_ratio = 2}},
    };
    const struct loom_grid_metrics alone = {.local = {.jobs = 0, .slowdown_ratio = NAN}};
    struct made made;
    char wanted[80];
    (void)state;
    make(&made, busy_log(300));
    add_run(&made, "easy", 0.5);
    add_run(&made, "easy", 0.6);
    call_grid(made.outcomes[0], &whole[0]);
    call_grid(made.outcomes[1], &whole[1]);
    report_with(&made, NULL);
    double ratio = made.outcomes[0]->metrics.slowdown_ratio;
    snprintf(wanted, sizeof wanted, "load\teasy\tsaturated\n0.5\t%.6g\t0\n0.6\t%.6g\t0\n", ratio,
             ratio);
    assert_string_equal(drawing_of(&made, "slowdown-load")->data, wanted);
    assert_string_equal(drawing_of(&made, "local-slowdown-load")->data,
                        "load\teasy\tsaturated\n0.5\t1.5\t0\n0.6\t2\t0\n");
    assert_string_equal(drawing_of(&made, "utilization-load")->data,
                        "load\teasy\tsaturated\n0.5\t25\t0\n0.6\t50\t0\n\n\n"
                        "load\tall that is offered\tsaturated\n0.5\t60\t0\n0.6\t68\t0\n");
    call_grid(made.outcomes[0], &alone);
    call_grid(made.outcomes[1], &alone);
    report_with(&made, NULL);
    assert_string_equal(drawing_of(&made, "local-slowdown-load")->reason,
                        "the clusters have no local jobs");
    unmake(&made);
}

/* Nothing of a label may be markup or end a string. */
static void test_labels(void **state)
{
    static const struct {
        const char *policy, *label;
    } cases[] = {
        {"easy:order=sjf,depth=2.5", "easy:order=sjf,depth=2.5"},
        {"a_b^{c}'\"\t$`\\@", "a b  c        "},
    };
    char buf[80];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char policy[40];
        snprintf(policy, sizeof policy, "%s", cases[i].policy);
        const struct loom_outcome run = {.policy = policy};
        assert_string_equal(loom_runs_label(&run, buf, sizeof buf), cases[i].label);
    }
}

static void test_left_out(void **state)
{
    static const char *const policies[] = {"fcfs",      "easy",    "conservative", "easy-sjbf",
                                           "selective", "relaxed", "lookahead",    "ups"};
    struct made made;
    struct loom_figure figure;
    (void)state;
    make(&made, busy_log(200));
    for (size_t i = 0; i < COUNT(policies); i++)
        add_run(&made, policies[i], 0);
    report_with(&made, NULL);
    for (size_t i = 0; loom_report_figure(made.report, i, &figure); i++)
        assert_string_equal(figure.reason,
                            "more than seven policies cannot be told apart in one figure");
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gantt_data),     cmocka_unit_test(test_grid_gantt_data),
        cmocka_unit_test(test_grid_load_data), cmocka_unit_test(test_series_data),
        cmocka_unit_test(test_load_data),      cmocka_unit_test(test_labels),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
