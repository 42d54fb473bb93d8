/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulations in figures and pages: what is drawn is what was measured, files redraw as they are,
 * text from outside is harmless, and nothing hangs on the number of threads. What needs gnuplot is
 * skipped where there is none.
 */
#include "support.h"

#include "report/report.h"
#include "report/runs.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A word that is nowhere but in the log. */
#define MARK "Zyxwvut"

static void need_gnuplot(void)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        skip();
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Five weeks of jobs, so that there are weeks to count. */
static struct loom_trace *busy_log(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 7, 0, "report of runs");
    assert_int_equal(loom_trace_add_directive(trace, "Computer", "<b>" MARK "'", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "32", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 3, "`" MARK "`<i>", NULL), 0);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = (int64_t)(i * 35 * 86400 / n);
        job.run_s = (int64_t)exp(loom_stream_uniform(&stream) * 10.5);
        job.req_procs = 1 << loom_stream_below(&stream, 6);
        job.user = (int32_t)loom_stream_below(&stream, 12);
        append(trace, job);
    }
    return trace;
}

enum { MOST_RUNS = 12 };

struct made {
    struct scratch scratch;
    struct loom_trace *trace;
    struct loom_sim *sim;
    struct loom_start_log *starts;
    struct loom_gantt *gantt;
    struct loom_sim_outcome *outcomes[MOST_RUNS];
    struct loom_load_change loads[MOST_RUNS];
    struct loom_shown_run runs[MOST_RUNS];
    struct loom_shown_gantt shown;
    size_t n;
    struct loom_report *report;
};

static void add_run(struct made *made, const char *policy, double load)
{
    struct loom_error err = {0};
    size_t i = made->n++;
    if (!made->sim && loom_sim_create(&made->sim, &err))
        fail_msg("%s", err.message);
    if (!made->starts && loom_start_log_create(&made->starts, &err))
        fail_msg("%s", err.message);
    const struct loom_observer observer = loom_start_log_observer(made->starts);
    const struct loom_sim_options options = {.scheduler = policy,
                                             .procs = 32,
                                             .observers = &observer,
                                             .n_observers = 1};
    if (loom_sim_run_trace(made->sim, &options, made->trace, &err) ||
        loom_sim_outcome_create(&made->outcomes[i], made->sim, &err))
        fail_msg("%s", err.message);
    made->loads[i] = (struct loom_load_change){.asked = load, .after = load, .before = 0.5};
    made->runs[i] = (struct loom_shown_run){.policy = policy,
                                            .load = load > 0 ? &made->loads[i] : NULL,
                                            .load_offered = load > 0 ? made->loads[i].after : NAN,
                                            .outcome = made->outcomes[i]};
}

static void add_gantt(struct made *made, int64_t from_s, int64_t to_s, bool why)
{
    struct loom_error err = {0};
    const struct loom_sim_window window = {from_s, to_s};
    if (loom_gantt_create(&made->gantt, made->sim, window, &err))
        fail_msg("%s", err.message);
    made->shown = (struct loom_shown_gantt){.gantt = made->gantt,
                                            .sim = made->sim,
                                            .trace = made->trace,
                                            .starts = why ? made->starts : NULL};
}

static void report_with(struct made *made, struct loom_pool *pool)
{
    struct loom_error err = {0};
    loom_report_destroy(made->report);
    made->report = NULL;
    if (loom_report_runs(&made->report, made->trace, made->runs, made->n,
                         made->gantt ? &made->shown : NULL, pool, &err))
        fail_msg("%s", err.message);
}

static void make(struct made *made, struct loom_trace *trace)
{
    *made = (struct made){.trace = trace};
    assert_int_equal(scratch_open(&made->scratch, "page.html"), 0);
}

static void unmake(struct made *made)
{
    loom_report_destroy(made->report);
    loom_gantt_destroy(made->gantt);
    loom_start_log_destroy(made->starts);
    for (size_t i = 0; i < made->n; i++)
        loom_sim_outcome_destroy(made->outcomes[i]);
    loom_sim_destroy(made->sim);
    loom_trace_destroy(made->trace);
    assert_int_equal(scratch_close(&made->scratch), 0);
}

static const struct loom_drawing *drawing_of(const struct made *made, const char *name)
{
    for (size_t i = 0; i < made->report->n; i++)
        if (strcmp(made->report->drawings[i].ops->name, name) == 0)
            return &made->report->drawings[i];
    fail_msg("there is no figure %s", name);
    return NULL;
}

static char *page_of(struct made *made)
{
    struct loom_error err = {0};
    const struct loom_runs_page page = {.command = "workloom <simulate>",
                                        .runs = made->runs,
                                        .n = made->n,
                                        .gantt = made->gantt,
                                        .window =
                                            made->gantt ? "2003-03-03 to <2003-03-04>" : NULL};
    if (loom_report_runs_html(made->report, made->scratch.file, &page, &err))
        fail_msg("%s", err.message);
    return load(made->scratch.file);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* On 4 processors under EASY: 1 (user 1) has processors 0 to 2 from 0 to 10, 3 (user 3) is
 * backfilled on processor 3 from 2 to 7, and 2 (user 2) has all from 10 to 15. */
static struct loom_trace *three_jobs(void)
{
    static const int64_t jobs[][3] = {{0, 10, 3}, {1, 5, 4}, {2, 5, 1}};
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < COUNT(jobs); i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = jobs[i][0];
        job.run_s = jobs[i][1];
        job.req_procs = (int32_t)jobs[i][2];
        job.user = (int32_t)i + 1;
        append(trace, job);
    }
    return trace;
}

/* The run is on 32 processors by add_run; here on 4. */
static void add_small_run(struct made *made)
{
    struct loom_error err = {0};
    assert_int_equal(loom_sim_create(&made->sim, &err), 0);
    assert_int_equal(loom_start_log_create(&made->starts, &err), 0);
    const struct loom_observer observer = loom_start_log_observer(made->starts);
    const struct loom_sim_options options = {.scheduler = "easy",
                                             .procs = 4,
                                             .observers = &observer,
                                             .n_observers = 1};
    if (loom_sim_run_trace(made->sim, &options, made->trace, &err) ||
        loom_sim_outcome_create(&made->outcomes[0], made->sim, &err))
        fail_msg("%s", err.message);
    made->runs[0] = (struct loom_shown_run){.policy = "easy",
                                            .load_offered = NAN,
                                            .outcome = made->outcomes[0]};
    made->n = 1;
}

static void test_gantt_data(void **state)
{
    static const char by_user[] = "x\ty\tfrom\tto\tlow\tuser 1\n4.5\t1.5\t0\t9\t0\t3\n\n\n"
                                  "x\ty\tfrom\tto\tlow\tuser 2\n10.5\t2\t9\t12\t0\t4\n\n\n"
                                  "x\ty\tfrom\tto\tlow\tuser 3\n3.5\t3.5\t1\t6\t3\t4\n\n\n"
                                  "x\ty\tjob\nNaN\tNaN\t0\n"
                                  "4.5\t1.5\t1\n3.5\t3.5\t3\n10.5\t2\t2\n";
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
                        "colours = ' 1 2 3'\n");
    made.shown.starts = made.starts;
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
                                  "x\ty\tjob\nNaN\tNaN\t0\n"
                                  "3\t1\t8\n4.5\t2.5\t3\n9.5\t2\t2\n5\t5.5\t1\n\n\n"
                                  "middle\ttop\tcluster\n2\t4\tnear\n6\t8\tfar b \n";
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
    made.runs[0].grid = &whole[0];
    made.runs[1].grid = &whole[1];
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
    made.runs[0].grid = made.runs[1].grid = &alone;
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
        const struct loom_shown_run run = {.policy = cases[i].policy};
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

/* ---- drawn ----------------------------------------------------------------------------------- */

static bool is_number(const char *field, size_t length)
{
    char *end;
    (void)strtod(field, &end);
    return length > 0 && end == field + length;
}

/* Whoever opens a file of data finds a table: a line of names, and below it as many numbers. */
static void check_table(const char *name, const char *data)
{
    const char *at[2] = {data, strchr(data, '\n') + 1};
    bool more = true;
    while (more) {
        size_t length[2] = {strcspn(at[0], "\t\n"), strcspn(at[1], "\t\n")};
        if (is_number(at[0], length[0]) || !is_number(at[1], length[1]) ||
            at[0][length[0]] != at[1][length[1]])
            fail_msg("%s.tsv does not begin with its header: %.60s", name, data);
        more = at[0][length[0]] == '\t';
        at[0] += length[0] + 1;
        at[1] += length[1] + 1;
    }
    assert_null(strstr(data, "unit\t"));
}

static void test_pages(void **state)
{
    struct made made;
    struct loom_pool *pool = NULL;
    (void)state;
    need_gnuplot();
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    make(&made, busy_log(1500));
    add_run(&made, "easy", 0);
    add_gantt(&made, 10 * 86400, 11 * 86400, true);
    report_with(&made, NULL);
    char *alone = page_of(&made);
    report_with(&made, pool);
    for (size_t i = 0; i < made.report->n; i++)
        if (made.report->drawings[i].data)
            check_table(made.report->drawings[i].ops->name, made.report->drawings[i].data);
    char *together = page_of(&made);
    assert_string_equal(alone, together);
    assert_non_null(strstr(alone, "&lt;b&gt;" MARK "&#39;"));
    assert_null(strstr(alone, "<b>"));
    assert_non_null(strstr(alone, "workloom &lt;simulate&gt;"));
    static const char *const ids[] = {"wait-cdf",   "slowdown-cdf",       "utilization-time",
                                      "queue-time", "outstanding-weekly", "queue-lengths",
                                      "gantt"};
    for (size_t i = 0; i < COUNT(ids); i++) {
        char figure[64];
        snprintf(figure, sizeof figure, "<figure id=\"%s\"", ids[i]);
        if (!strstr(alone, figure))
            fail_msg("the page has no figure %s", ids[i]);
    }
    free(alone);
    free(together);
    unmake(&made);
    loom_pool_destroy(pool);
}

/* A machine that fills is not called saturated, at one load or at several. */
static void test_filling_page(void **state)
{
    static const char *const words[] = {
        ("Under <strong>easy</strong> the machine is saturated at load 0.7. At 1 of these 2 loads "
         "the machine fills."),
        "** The machine fills: outstanding jobs grow by more than one a week",
        "data-label=\"Saturated\">filling</td>",
        "filling where that growth is of running jobs alone",
    };
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(300));
    for (int k = 0; k < 2; k++) {
        add_run(&made, "easy", 0.6 + 0.1 * k);
        made.outcomes[k]->metrics.saturated = 1;
        made.outcomes[k]->metrics.filling = k == 0;
    }
    report_with(&made, NULL);
    char *page = page_of(&made);
    for (size_t i = 0; i < COUNT(words); i++)
        if (!strstr(page, words[i]))
            fail_msg("the page does not say: %s", words[i]);
    free(page);
    unmake(&made);
    make(&made, busy_log(300));
    add_run(&made, "easy", 0);
    made.outcomes[0]->metrics.saturated = 1;
    made.outcomes[0]->metrics.filling = true;
    report_with(&made, NULL);
    page = page_of(&made);
    assert_non_null(strstr(page, "rests on running jobs alone while there is room for more"));
    assert_null(strstr(page, "the machine is saturated, since"));
    free(page);
    unmake(&made);
}

/* fcfs is made to saturate at the second and third load, easy at the last, sjf at the first and
 * last, smallest never. */
static void test_loads_page(void **state)
{
    static const char *const policies[] = {"fcfs", "easy", "easy:order=sjf", "easy:order=smallest"};
    static const int saturated[][3] = {{0, 1, 1}, {0, 0, 1}, {1, 0, 1}, {0, 0, 0}};
    static const char *const words[] = {
        "The same jobs at 3 loads under 4 policies",
        "Under <strong>fcfs</strong> the machine is saturated from load 0.7 on.",
        "Under <strong>easy</strong> the machine is saturated at load 0.8.",
        "is saturated at 2 of these 3 loads, first at 0.6.",
        ("Under <strong>easy:order=smallest</strong> the machine is not saturated at any of these "
         "loads."),
        "<th>Mean wait at load</th><th>0.6</th><th>0.7</th><th>0.8</th>",
        "hollow: saturated",
    };
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(300));
    for (size_t i = 0; i < COUNT(policies); i++)
        for (size_t k = 0; k < 3; k++) {
            add_run(&made, policies[i], 0.6 + 0.1 * (double)k);
            made.outcomes[made.n - 1]->metrics.saturated = saturated[i][k];
        }
    report_with(&made, NULL);
    char *page = page_of(&made);
    for (size_t i = 0; i < COUNT(words); i++)
        if (!strstr(page, words[i]))
            fail_msg("the page does not say: %s", words[i]);
    free(page);
    unmake(&made);
}

static char *file_of(const char *directory, const char *name, const char *suffix)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.%s", directory, name, suffix);
    return load(path);
}

static void check_files(struct made *made)
{
    struct loom_error err = {0};
    struct loom_figure figure;
    const char *directory = made->scratch.directory;
    if (loom_report_figures(made->report, directory, "svg", &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; loom_report_figure(made->report, i, &figure); i++) {
        char command[512];
        if (figure.reason)
            continue;
        char *drawn = file_of(directory, figure.name, "svg");
        snprintf(command, sizeof command,
                 "cd '%s' && rm %s.svg && gnuplot -d %s.gp 2>messages && { test ! -s messages || { "
                 "cat messages; false; }; }",
                 directory, figure.name, figure.name);
        if (system(command) != 0)
            fail_msg("gnuplot complains of %s.gp", figure.name);
        char *redrawn = file_of(directory, figure.name, "svg");
        loom_svg_tidy(redrawn);
        if (strlen(drawn) < 1000 || strcmp(redrawn, drawn) != 0)
            fail_msg("%s.gp draws something else", figure.name);
        free(drawn);
        free(redrawn);
    }
}

static void test_files(void **state)
{
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(1500));
    add_run(&made, "easy", 0);
    add_gantt(&made, 10 * 86400, 11 * 86400, false);
    report_with(&made, NULL);
    check_files(&made);
    add_run(&made, "fcfs", 0);
    report_with(&made, NULL);
    check_files(&made);
    unmake(&made);
    make(&made, busy_log(400));
    add_run(&made, "easy", 0.4);
    add_run(&made, "easy", 0.8);
    report_with(&made, NULL);
    check_files(&made);
    unmake(&made);
}

/* A machine with nothing to do, a single job, and jobs that take no time. */
static void test_little(void **state)
{
    static const int64_t runtimes_s[][2] = {{5, 5}, {0, 0}, {1000000, 1}};
    (void)state;
    need_gnuplot();
    for (size_t i = 0; i < COUNT(runtimes_s); i++) {
        struct made made;
        make(&made, empty_trace());
        for (size_t k = 0; k < 2; k++) {
            struct loom_job job = loom_job_unknown();
            job.submit_s = 100;
            job.run_s = runtimes_s[i][k];
            job.req_procs = 1;
            append(made.trace, job);
        }
        add_run(&made, "easy", 0);
        report_with(&made, NULL);
        check_files(&made);
        char *page = page_of(&made);
        assert_null(strstr(page, "nan"));
        free(page);
        unmake(&made);
    }
}

/* A page of a grid names it, and shows a table cell by cell; names come from anywhere. */
static void test_grid_page(void **state)
{
    static const char *const wanted[] = {
        " on the grid &lt;das&gt;</h1>",
        "easy · a resampled population</p>",
        "<h2>Summary</h2>\n<p class=\"intro\">2 &lt;clusters&gt;.</p>",
        " kept 42\xC2\xA0% of the grid busy.",
        "<li><a href=\"#clusters\">Clusters</a></li>",
        "<h2>Clusters</h2>\n<p class=\"intro\">All of them.</p>",
        "<tr><th class=\"words\">cluster</th><th>wait, s</th></tr>",
        "<tr><td class=\"what\">&lt;VU&gt;</td><td class=\"number\" data-label=\"wait, "
        "s\">7</td></tr>\n"
        "<tr><td class=\"what\">LU</td><td class=\"number\" data-label=\"wait, "
        "s\"></td></tr>\n</tbody>",
    };
    struct loom_table *table = NULL;
    struct loom_error err = {0};
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, three_jobs());
    add_small_run(&made);
    report_with(&made, NULL);
    assert_int_equal(loom_table_create(&table, &err), 0);
    assert_int_equal(loom_table_column(table, "cluster", LOOM_LEFT, &err), 0);
    assert_int_equal(loom_table_column(table, "wait, s", LOOM_RIGHT, &err), 0);
    assert_int_equal(loom_table_cell(table, &err, "<VU>"), 0);
    assert_int_equal(loom_table_cell(table, &err, "7"), 0);
    assert_int_equal(loom_table_cell(table, &err, "LU"), 0);
    const struct loom_shown_table shown = {"clusters", "Clusters", "All of them.", table};
    const struct loom_runs_page page = {.command = "workloom",
                                        .runs = made.runs,
                                        .n = made.n,
                                        .people = "a resampled population",
                                        .grid = "<das>",
                                        .grid_words = "2 <clusters>.",
                                        .grid_utilization = 0.42,
                                        .tables = &shown,
                                        .n_tables = 1};
    assert_int_equal(loom_report_runs_html(made.report, made.scratch.file, &page, &err), 0);
    char *text = load(made.scratch.file);
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (!strstr(text, wanted[i]))
            fail_msg("the page lacks %s", wanted[i]);
    assert_null(strstr(text, "machine was"));
    free(text);
    loom_table_destroy(table);
    unmake(&made);
}

/* Runs of people have a column for what these get done; the jobs of the log and how they were
 * selected stand on top, and what saturation goes by beside the verdict. */
static void test_people_page(void **state)
{
    static const char *const wanted[] = {
        ("4000 jobs of the log, selected by --users &lt;a&gt;, 12\xE2\x80\xAF"
         "345 left out"),
        "<th>Jobs a day</th><th>Growth, jobs a week</th><th>Saturated</th>",
        "data-label=\"Jobs\">300<",
        "data-label=\"Jobs a day\">70.80<",
        "data-label=\"Jobs a day\">100<",
        "more than one a week by the trend",
        "ended in the time of submissions",
    };
    struct loom_error err = {0};
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(300));
    add_run(&made, "fcfs", 0);
    add_run(&made, "easy", 0);
    made.runs[0].jobs_per_day = 70.8;
    made.runs[1].jobs_per_day = 100;
    report_with(&made, NULL);
    const struct loom_runs_page page = {.command = "workloom",
                                        .runs = made.runs,
                                        .n = made.n,
                                        .select = "--users <a>",
                                        .jobs = 4000,
                                        .left_out = 12345,
                                        .people = "a resampled population"};
    assert_int_equal(loom_report_runs_html(made.report, made.scratch.file, &page, &err), 0);
    char *text = load(made.scratch.file);
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (!strstr(text, wanted[i]))
            fail_msg("the page lacks %s", wanted[i]);
    free(text);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gantt_data),     cmocka_unit_test(test_grid_gantt_data),
        cmocka_unit_test(test_grid_load_data), cmocka_unit_test(test_series_data),
        cmocka_unit_test(test_load_data),      cmocka_unit_test(test_labels),
        cmocka_unit_test(test_left_out),       cmocka_unit_test(test_pages),
        cmocka_unit_test(test_loads_page),     cmocka_unit_test(test_filling_page),
        cmocka_unit_test(test_files),          cmocka_unit_test(test_little),
        cmocka_unit_test(test_grid_page),      cmocka_unit_test(test_people_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
