/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulations in figures: what is drawn is what was measured. Pages and files are tested in
 * test_run_pages.c.
 */
#include "made_runs.h"

static void test_gantt_data(void **state)
{
    static const char blocks[] = "series\tuser 1\n0\t9\t0\t3\t1\n\n\n"
                                 "series\tuser 2\n9\t12\t0\t4\t2\n\n\n"
                                 "series\tuser 3\n1\t6\t3\t1\t3\n\n\n"
                                 "series\t\n4.5\t1.5\t1\n3.5\t3.5\t3\n10.5\t2\t2\n";
    static const char by_user[] = "series,from_s,to_s,first_proc,procs,job\n"
                                  "user 1,0,9,0,3,1\nuser 2,9,12,0,4,2\nuser 3,1,6,3,1,3\n";
    static const char by_why[] = "series,from_s,to_s,first_proc,procs,job\n"
                                 "in its turn,0,9,0,3,1\nin its turn,9,12,0,4,2\n"
                                 "backfilled: ends before the reservation,1,6,3,1,3\n";
    struct made made;
    (void)state;
    make(&made, three_jobs());
    add_small_run(&made);
    add_gantt(&made, 1, 13, false);
    report_with(&made, NULL);
    assert_string_equal(drawing_of(&made, "gantt")->data, blocks);
    assert_string_equal(drawing_of(&made, "gantt")->table, by_user);
    assert_string_equal(
        drawing_of(&made, "gantt")->settings,
        "unit = 'seconds'\nunit_s = 1\nruns = 1\nlength = 12\nprocessors = 4\njobs = 3\n"
        "colours = ' 1 2 3'\nnumbers = 1\n");
    made.shown.starts = starts_of(&made);
    report_with(&made, NULL);
    assert_string_equal(drawing_of(&made, "gantt")->table, by_why);
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
    static const char by_home[] = "series,from_s,to_s,first_proc,procs,job,cluster\n"
                                  "grid jobs,2,7,2,1,3,near\ngrid jobs,7,12,0,4,2,near\n"
                                  "grid jobs,0,10,4,3,1,far b \nlocal jobs,0,6,0,2,8,near\n";
    static const char marks[] = "\n\n\nseries\t\n2\t4\tnear\n6\t8\tfar b \n\n\n"
                                "series\t\n3\t1\t8\n4.5\t2.5\t3\n9.5\t2\t2\n5\t5.5\t1\n";
    static const char *const by_user[] = {"\nuser 1,0,10,4,3,1,far b \n",
                                          "\nuser 2,7,12,0,4,2,near\n", "\nuser 3,2,7,2,1,3,near\n",
                                          "\nlocal jobs,0,6,0,2,8,near\n"};
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
    assert_string_equal(drawing_of(&made, "gantt")->table, by_home);
    const struct loom_drawing *drawing = drawing_of(&made, "gantt");
    assert_string_equal(drawing->data + drawing->data_size - strlen(marks), marks);
    made.shown.by_home = false;
    report_with(&made, NULL);
    for (size_t i = 0; i < COUNT(by_user); i++)
        assert_non_null(strstr(drawing_of(&made, "gantt")->table, by_user[i]));
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
    assert_string_equal(drawing_of(&made, "utilization-time")->table,
                        "series,time_s,utilization\neasy,0,0.75\neasy,1,0.75\neasy,2,1\n"
                        "easy,3,1\neasy,4,1\neasy,5,1\neasy,6,1\neasy,7,0.75\neasy,8,0.75\n"
                        "easy,9,0.75\neasy,10,1\neasy,11,1\neasy,12,1\neasy,13,1\neasy,14,1\n"
                        "easy,15,1\n");
    const char *queue = drawing_of(&made, "queue-time")->table;
    assert_ptr_equal(strstr(queue, "series,time_s,jobs_waiting\nmost in a step,0,"), queue);
    assert_non_null(
        strstr(queue, "\nmean of a step,0,0\nmean of a step,1,1\nmean of a step,2,1\n"));
    /* 9 s of 15 with one job waiting. */
    assert_string_equal(drawing_of(&made, "queue-lengths")->table,
                        "series,jobs_waiting_up_to,share\neasy,0,0.4\neasy,1,0.6\n");
    assert_null(drawing_of(&made, "outstanding-weekly")->data);
    assert_string_equal(drawing_of(&made, "outstanding-weekly")->reason,
                        "jobs are submitted for less than two weeks");
    unmake(&made);
}

static void test_load_data(void **state)
{
    static const struct {
        const char *figure, *key, *unit, *scale;
    } axes[] = {{"slowdown-load", "slowdown_ratio", "", "1"},
                {"bounded-slowdown-load", "bounded_slowdown_mean", "", "1"},
                {"wait-load", "wait_mean_s", " (h)", "1 / 3600."},
                {"utilization-load", "utilization", " (%)", "100"}};
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
             "series,load,slowdown_ratio,saturated\nfcfs,0.5,%.6g,0\nfcfs,0.6,%.6g,0\n"
             "easy:order=sjf,0.5,%.6g,0\neasy:order=sjf,0.6,%.6g,0\n",
             fcfs, fcfs, sjf, sjf);
    assert_string_equal(drawing_of(&made, "slowdown-load")->table, wanted);
    /* Times are in seconds there, and axes are named by the dictionary. */
    snprintf(wanted, sizeof wanted, "series,load,wait_mean_s,saturated\nfcfs,0.5,%.6g,0\n",
             made.outcomes[0]->metrics.wait_mean_s);
    assert_ptr_equal(strstr(drawing_of(&made, "wait-load")->table, wanted),
                     drawing_of(&made, "wait-load")->table);
    for (size_t i = 0; i < COUNT(axes); i++) {
        const struct loom_drawing *drawing = drawing_of(&made, axes[i].figure);
        snprintf(wanted, sizeof wanted, "metric = '%s%s'\nscale = %s\nload = 'load offered'\n",
                 loom_metric_find(axes[i].key)->label, axes[i].unit, axes[i].scale);
        assert_string_equal(drawing->settings, wanted);
    }
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
    char wanted[120];
    (void)state;
    make(&made, busy_log(300));
    add_run(&made, "easy", 0.5);
    add_run(&made, "easy", 0.6);
    call_grid(made.outcomes[0], &whole[0]);
    call_grid(made.outcomes[1], &whole[1]);
    report_with(&made, NULL);
    double ratio = made.outcomes[0]->metrics.slowdown_ratio;
    snprintf(wanted, sizeof wanted,
             "series,load,slowdown_ratio,saturated\neasy,0.5,%.6g,0\neasy,0.6,%.6g,0\n", ratio,
             ratio);
    assert_string_equal(drawing_of(&made, "slowdown-load")->table, wanted);
    assert_string_equal(drawing_of(&made, "local-slowdown-load")->table,
                        "series,load,local_submitting_slowdown_ratio,saturated\n"
                        "easy,0.5,1.5,0\neasy,0.6,2,0\n");
    assert_string_equal(drawing_of(&made, "local-slowdown-load")->settings,
                        "metric = 'mean response / mean runtime'\nscale = 1\n"
                        "load = 'load of the grid'\n");
    assert_string_equal(drawing_of(&made, "utilization-load")->table,
                        "series,load,grid_utilization_submitting,saturated\n"
                        "easy,0.5,0.25,0\neasy,0.6,0.5,0\n"
                        "all that is offered,0.5,0.6,0\nall that is offered,0.6,0.68,0\n");
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
        assert_string_equal(loom_plain_label(run.policy, buf, sizeof buf), cases[i].label);
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
        assert_string_equal(figure.reason, "there are more than seven policies");
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
