/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages and files of simulations: files redraw as they are, text from outside is harmless, and
 * nothing hangs on the number of threads. What needs gnuplot is skipped where there is none.
 */
#include "base/table.h"
#include "csv_table.h"
#include "made_runs.h"
#include "report/tool.h"

#include <stdio.h>
#include <unistd.h>

static char *page_of(struct made *made)
{
    struct loom_error err = {0};
    const struct loom_runs_page page = {.command = "workloom <simulate>",
                                        .outcomes = runs_of(made),
                                        .n = made->n,
                                        .gantt = made->gantt,
                                        .window = made->gantt ? "2003-03-03 to <2003-03-04>" : NULL,
                                        .caution = "Waits are <far> off."};
    if (loom_report_runs_html(made->report, made->scratch.file, &page, &err))
        fail_msg("%s", err.message);
    return load(made->scratch.file);
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
            check_csv(made.report->drawings[i].ops->name, made.report->drawings[i].table);
    char *together = page_of(&made);
    assert_string_equal(alone, together);
    assert_non_null(strstr(alone, "&lt;b&gt;" MARK "&#39;"));
    assert_null(strstr(alone, "<b>"));
    assert_non_null(strstr(alone, "workloom &lt;simulate&gt;"));
    assert_non_null(strstr(alone, "<p class=\"note\">Waits are &lt;far&gt; off.</p>"));
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
        "filling if that growth is of running jobs alone",
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

/* Waits of a table are in one unit, between the shortest and the longest. */
static void test_one_unit(void **state)
{
    static const double waits_s[] = {5000, 2 * 86400};
    static const char *const wanted[] = {
        "<th>Mean wait (h)</th><th>Median wait (h)</th>",
        "data-label=\"Mean wait (h)\">1.39</td>",
        "data-label=\"Mean wait (h)\">48</td>",
        "data-label=\"Median wait (h)\">0.500</td>",
        "data-label=\"Policy\"><strong>fcfs</strong>",
    };
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(300));
    for (size_t i = 0; i < COUNT(waits_s); i++) {
        add_run(&made, i == 0 ? "fcfs" : "easy", 0);
        made.outcomes[i]->metrics.wait_mean_s = waits_s[i];
        made.outcomes[i]->metrics.wait_median_s = 1800;
    }
    report_with(&made, NULL);
    char *page = page_of(&made);
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (!strstr(page, wanted[i]))
            fail_msg("the page lacks %s", wanted[i]);
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
        "<th>Mean wait (min) at load</th><th>0.6</th><th>0.7</th><th>0.8</th>",
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
        char *drawn = load_in(directory, figure.name, "svg");
        char *table = load_in(directory, figure.name, "csv");
        check_csv(figure.name, table);
        assert_null(strstr(table, MARK));
        free(table);
        snprintf(command, sizeof command,
                 "cd '%s' && rm %s.svg %s.csv && gnuplot -d %s.gp 2>messages && { test ! -s "
                 "messages || { "
                 "cat messages; false; }; }",
                 directory, figure.name, figure.name, figure.name);
        if (system(command) != 0)
            fail_msg("gnuplot complains of %s.gp", figure.name);
        char *redrawn = load_in(directory, figure.name, "svg");
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

/* A Gantt chart without a single job number: no bar of the window has room for one, or there are
 * too many jobs. gnuplot 5.4 crashes on an empty plot of labels. */
static void test_unnumbered_gantt(void **state)
{
    static const struct {
        size_t jobs;
        int64_t from_s, to_s;
    } cases[] = {{1500, 10 * 86400, 14 * 86400}, /* > 150 jobs */
                 {60, 0, 35 * 86400}};           /* 60 jobs, all narrow */
    (void)state;
    need_gnuplot();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct made made;
        make(&made, busy_log(cases[i].jobs));
        add_run(&made, "easy", 0);
        add_gantt(&made, cases[i].from_s, cases[i].to_s, false);
        report_with(&made, NULL);
        assert_int_equal(made.gantt->jobs > 150, i == 0);
        assert_non_null(strstr(drawing_of(&made, "gantt")->settings, "numbers = 0\n"));
        char *page = page_of(&made);
        assert_non_null(strstr(page, "<figure id=\"gantt\""));
        free(page);
        check_files(&made);
        unmake(&made);
    }
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
        "<tr><td class=\"what\" data-label=\"cluster\">&lt;VU&gt;</td><td class=\"number\" "
        "data-label=\"wait, "
        "s\">7</td></tr>\n"
        "<tr><td class=\"what\" data-label=\"cluster\">LU</td><td class=\"number\" "
        "data-label=\"wait, "
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
    const struct loom_runs_sheet page = {.command = "workloom",
                                         .runs = runs_of(&made),
                                         .n = made.n,
                                         .people = "a resampled population",
                                         .grid = "<das>",
                                         .grid_words = "2 <clusters>.",
                                         .grid_utilization = 0.42,
                                         .tables = {{"clusters", "Clusters", "All of them.",
                                                     table}},
                                         .n_tables = 1};
    assert_int_equal(loom_page_write(made.report, made.scratch.file, loom_runs_page_write, &page,
                                     &err),
                     0);
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
        "4,000 jobs of the log, selected by --users &lt;a&gt;, 12,345 left out",
        "<th>Growth, jobs/week</th><th>Saturated</th>",
        "<th>Jobs/day</th>",
        "data-label=\"Jobs\">300<",
        "data-label=\"Jobs/day\">70.80<",
        "data-label=\"Jobs/day\">100<",
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
    for (size_t i = 0; i < 2; i++) {
        made.outcomes[i]->submitters = calloc(1, sizeof *made.outcomes[i]->submitters);
        assert_non_null(made.outcomes[i]->submitters);
        made.outcomes[i]->submitters->submitting.throughput_jobs_per_day = i ? 100 : 70.8;
    }
    report_with(&made, NULL);
    const struct loom_runs_sheet page = {.command = "workloom",
                                         .runs = runs_of(&made),
                                         .n = made.n,
                                         .select = "--users <a>",
                                         .jobs = 4000,
                                         .left_out = 12345,
                                         .people = "a resampled population"};
    assert_int_equal(loom_page_write(made.report, made.scratch.file, loom_runs_page_write, &page,
                                     &err),
                     0);
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
        cmocka_unit_test(test_pages),        cmocka_unit_test(test_loads_page),
        cmocka_unit_test(test_filling_page), cmocka_unit_test(test_files),
        cmocka_unit_test(test_little),       cmocka_unit_test(test_grid_page),
        cmocka_unit_test(test_people_page),  cmocka_unit_test(test_unnumbered_gantt),
        cmocka_unit_test(test_one_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
