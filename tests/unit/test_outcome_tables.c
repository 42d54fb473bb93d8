/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of outcomes and the sentences beside them, of three jobs whose results are worked out by
 * hand: see three_jobs().
 *
 * On 4 processors under EASY waits are 0, 9 and 0 s, responses 10, 14 and 5 s, bounded slowdowns 1,
 * 1.4 and 1. Response over runtime is 29 / 20. Jain's index of the three users is 3.4^2 / (3
 * * 3.96) = 0.973. The work is 30 + 20 + 5 = 55 in 15 s, 55 / 60 of the machine; one job waits for
 * 9 s. All are submitted within 2 s, so the load is 55 / (2 * 4) = 6.88. Percentiles are
 * interpolated: the 90th of three is at 0.9 * 2 = 1.8, between the second and the third, 0.8 * 9 s
 * = 7.2 s.
 */
#include "made_runs.h"
#include "outputs.h"
#include "scenarios.h"

/* ---- support --------------------------------------------------------------------------------- */

/* A table as it is written, with lines of any length; the caller must free it. */
static char *text_of(struct fixture *f, struct loom_table *table)
{
    struct loom_output *out = open_output(f, at(f, "table"));
    assert_int_equal(loom_table_write(table, out, &f->err), 0);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    loom_table_destroy(table);
    return load(at(f, "table"));
}

static void assert_table(struct fixture *f, struct loom_table *table, const char *wanted)
{
    assert_non_null(table);
    char *text = text_of(f, table);
    assert_string_equal(text, wanted);
    free(text);
}

static struct loom_table *runs_table(struct loom_outcome *const *outcomes, size_t n, bool wide)
{
    struct loom_table *table = NULL;
    assert_int_equal(loom_outcomes_table(&table, (const struct loom_outcome *const *)outcomes, n,
                                         wide, NULL),
                     0);
    return table;
}

/* The row whose first cell has this text; 0 if there is none. */
static size_t row_of(const struct loom_table *table, const char *label)
{
    const char *text;
    for (size_t row = 1; (text = loom_table_text(table, row, 0)); row++)
        if (strcmp(text, label) == 0)
            return row;
    return 0;
}

/* The sentences, one a line. */
static void add_sentence(void *context, const char *sentence)
{
    char *text = context;
    size_t used = strlen(text);
    snprintf(text + used, 4000 - used, "%s\n", sentence);
}

static void assert_notes(struct loom_outcome *const *outcomes, size_t n, const char *wanted)
{
    char text[4000] = "";
    loom_outcome_notes((const struct loom_outcome *const *)outcomes, n, add_sentence, text);
    assert_string_equal(text, wanted);
}

/* The three jobs on 4 processors. */
struct small {
    struct loom_trace *trace;
    struct loom_system *machine;
    struct loom_scenario scenario;
};

static void open_small(struct small *small)
{
    small->trace = three_jobs();
    assert_int_equal(loom_system_create(&small->machine, 4, NULL), 0);
    small->scenario = scenario_of(small->trace);
    small->scenario.system = small->machine;
}

static void close_small(struct small *small)
{
    loom_system_destroy(small->machine);
    loom_trace_destroy(small->trace);
}

/* ---- one run --------------------------------------------------------------------------------- */

static void test_one_run(void **state)
{
    static const char wanted[] =
        "result                                            value\n"
        "--------------------------------------  ---------------  "
        "------------------------------------------------------------------------\n"
        "jobs simulated                                        3\n"
        "mean wait                                           3 s\n"
        "median wait                                         0 s\n"
        "wait, 90th percentile                             7.2 s\n"
        "wait, 99th percentile                            8.82 s\n"
        "mean response                                    9.67 s\n"
        "mean bounded slowdown                              1.13\n"
        "median bounded slowdown                               1\n"
        "bounded slowdown, 99th percentile                  1.39\n"
        "mean response / mean runtime                       1.45\n"
        "fairness over users                               0.973\n"
        "users                                                 3\n"
        "processors                                            4\n"
        "utilization                                      91.7 %\n"
        "throughput                              17,280 jobs/day\n"
        "makespan                                           15 s\n"
        "mean queue length                                   0.6\n"
        "maximum queue length                                  1\n"
        "load offered                                       6.88\n"
        "saturated                                             -  no verdict: 1 weekly count, too "
        "few for a trend; but the load is above 1\n"
        "no estimate: the runtime taken instead                3\n";
    struct small small;
    open_small(&small);
    struct loom_outcome *outcome = must_succeed(&small.scenario, NULL);
    assert_table(*state, runs_table(&outcome, 1, false), wanted);
    assert_notes(&outcome, 1, "");
    loom_outcome_destroy(outcome);
    close_small(&small);
}

/* A wide table has every metric that the run has, in the order of the dictionary; of jobs left out,
 * the reasons that there are. */
static void test_wide(void **state)
{
    struct stock stock;
    const struct loom_metric *metric;
    open_stock(&stock);
    for (int kind = 0; kind < 3; kind++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        scenario.users = kind == 1 ? &stock.fluid : NULL;
        scenario.system = kind == 2 ? stock.grid.system : NULL;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        struct loom_table *wide = runs_table(&outcome, 1, true);
        struct loom_table *brief = runs_table(&outcome, 1, false);
        size_t row = 1;
        for (size_t i = 0; (metric = loom_metric_at(i)); i++) {
            double value = loom_outcome_metric(outcome, metric);
            if (!loom_outcome_has(outcome, metric->group) ||
                (metric->group == LOOM_METRICS_COUNTS && !(value > 0)))
                continue;
            assert_string_equal(loom_table_text(wide, row++, 0), metric->label);
        }
        assert_null(loom_table_text(wide, row, 0));
        for (row = 1; loom_table_text(brief, row, 0); row++) {
            size_t same = row_of(wide, loom_table_text(brief, row, 0));
            assert_int_not_equal(same, 0);
            assert_string_equal(loom_table_text(wide, same, 1), loom_table_text(brief, row, 1));
        }
        assert_int_equal(row_of(brief, "jobs measured"), 0); /* all of them */
        assert_int_equal(row_of(brief, "mean slowdown"), 0);
        loom_table_destroy(brief);
        loom_table_destroy(wide);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
    (void)state;
}

/* The second and third job alone: window and number of measured jobs are shown. */
static void test_trimmed_run(void **state)
{
    struct small small;
    open_small(&small);
    small.scenario.trim.warm_up_jobs = 1;
    struct loom_outcome *outcome = must_succeed(&small.scenario, NULL);
    struct loom_table *table = runs_table(&outcome, 1, false);
    assert_string_equal(loom_table_text(table, row_of(table, "jobs simulated"), 1), "3");
    assert_string_equal(loom_table_text(table, row_of(table, "jobs measured"), 1), "2");
    assert_string_equal(loom_table_text(table, row_of(table, "mean wait"), 1), "4.5 s");
    assert_string_equal(loom_table_text(table, row_of(table, "users"), 1), "2");
    assert_string_equal(loom_table_text(table, row_of(table, "measured window, begin"), 1), "1 s");
    assert_string_equal(loom_table_text(table, row_of(table, "measured window, end"), 1), "15 s");
    loom_table_destroy(table);
    loom_outcome_destroy(outcome);
    close_small(&small);
    (void)state;
}

/* ---- several runs ---------------------------------------------------------------------------- */

/* First come, first served: job 3 waits for job 2, which ends at 15. */
static void test_two_runs(void **state)
{
    static const char wanted[] =
        "scheduler  load  mean wait  median wait  bounded slowdown  response / runtime  "
        "utilization  mean queue  fairness  growth, jobs/week  saturated\n"
        "---------  ----  ---------  -----------  ----------------  ------------------  "
        "-----------  ----------  --------  -----------------  ---------\n"
        "easy       6.88        3 s          0 s              1.13                1.45       91.7 "
        "%         0.6     0.973                  -          -\n"
        "fcfs       6.88     7.33 s          9 s               1.4                 2.1       68.8 "
        "%         1.1     0.948                  -          -\n"
        "(2 more columns with --wide)\n";
    static const char wide[] =
        "scheduler  load  processors  jobs  mean wait  median wait  bounded slowdown  response / "
        "runtime  utilization  mean queue  fairness  growth, jobs/week  saturated\n"
        "---------  ----  ----------  ----  ---------  -----------  ----------------  "
        "------------------  -----------  ----------  --------  -----------------  ---------\n"
        "easy       6.88           4     3        3 s          0 s              1.13               "
        " 1.45       91.7 %         0.6     0.973                  -          -\n"
        "fcfs       6.88           4     3     7.33 s          9 s               1.4               "
        "  2.1       68.8 %         1.1     0.948                  -          -\n";
    struct small small;
    struct loom_outcome *outcomes[2];
    open_small(&small);
    outcomes[0] = must_succeed(&small.scenario, NULL);
    small.scenario.policy = "fcfs";
    outcomes[1] = must_succeed(&small.scenario, NULL);
    assert_table(*state, runs_table(outcomes, 2, false), wanted);
    assert_table(*state, runs_table(outcomes, 2, true), wide);
    assert_notes(outcomes, 2, "2 runs have no verdict on saturation: too few weeks for a trend\n");
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    close_small(&small);
}

/* By whole processors a load of 6 cannot be had: 27.5 / 6 = 4.58, and 5 processors have 5.5. A run
 * whose load was not changed asked for none. */
static void test_missed_load(void **state)
{
    static const char wanted[] =
        "scheduler  load asked  load  mean wait  median wait  bounded slowdown  response / runtime "
        " utilization  mean queue  fairness  growth, jobs/week  saturated\n"
        "---------  ----------  ----  ---------  -----------  ----------------  ------------------ "
        " -----------  ----------  --------  -----------------  ---------\n"
        "easy             6.88  6.88        3 s          0 s              1.13                1.45 "
        "      91.7 %         0.6     0.973                  -          -\n"
        "easy                6   5.5        3 s          0 s              1.13                1.45 "
        "      73.3 %         0.6     0.973                  -          -\n"
        "easy                -  6.88        3 s          0 s              1.13                1.45 "
        "      91.7 %         0.6     0.973                  -          -\n"
        "(2 more columns with --wide)\n";
    struct small small;
    struct loom_outcome *outcomes[3];
    open_small(&small);
    outcomes[2] = must_succeed(&small.scenario, NULL);
    small.scenario.load_by = LOOM_LOAD_SIZE;
    small.scenario.load = 6.875;
    outcomes[0] = must_succeed(&small.scenario, NULL);
    small.scenario.load = 6;
    outcomes[1] = must_succeed(&small.scenario, NULL);
    assert_table(
        *state, runs_table(outcomes, 1, false),
        "result                                            value\n"
        "--------------------------------------  ---------------  "
        "------------------------------------------------------------------------\n"
        "jobs simulated                                        3\n"
        "mean wait                                           3 s\n"
        "median wait                                         0 s\n"
        "wait, 90th percentile                             7.2 s\n"
        "wait, 99th percentile                            8.82 s\n"
        "mean response                                    9.67 s\n"
        "mean bounded slowdown                              1.13\n"
        "median bounded slowdown                               1\n"
        "bounded slowdown, 99th percentile                  1.39\n"
        "mean response / mean runtime                       1.45\n"
        "fairness over users                               0.973\n"
        "users                                                 3\n"
        "processors                                            4\n"
        "utilization                                      91.7 %\n"
        "throughput                              17,280 jobs/day\n"
        "makespan                                           15 s\n"
        "mean queue length                                   0.6\n"
        "maximum queue length                                  1\n"
        "load offered                                       6.88  6.88 before the change of load\n"
        "saturated                                             -  no verdict: 1 weekly count, too "
        "few for a trend; but the load is above 1\n"
        "no estimate: the runtime taken instead                3\n");
    assert_table(*state, runs_table(outcomes, 3, false), wanted);
    assert_notes(outcomes, 1, "load 6.88 -> 6.88 (processors x 1)\n");
    assert_notes(outcomes + 1, 1, "load 6.88 -> 5.5 (processors x 1.25)\n");
    for (size_t i = 0; i < 3; i++)
        loom_outcome_destroy(outcomes[i]);
    close_small(&small);
}

/* A run whose verdict is open is named once, with its backlog; one that is not saturated apart. */
static void test_open_verdicts(void **state)
{
    struct small small;
    struct loom_outcome *outcomes[2];
    open_small(&small);
    for (size_t i = 0; i < 2; i++) {
        small.scenario.policy = i ? "fcfs" : "easy";
        outcomes[i] = must_succeed(&small.scenario, NULL);
        outcomes[i]->metrics.saturated = 0;
        outcomes[i]->metrics.backlog_weeks = 9;
    }
    outcomes[0]->metrics.undecided = true;
    assert_notes(outcomes, 2,
                 "saturation of 1 of 2 runs is undecided (1 of them had 4 or more weeks in a row "
                 "that began with over a day's work waiting): easy\n"
                 "1 of 2 runs is not saturated at the end, but had 4 or more weeks in a row that "
                 "began with over a day's work waiting: fcfs\n");
    outcomes[0]->metrics.backlog_weeks = outcomes[1]->metrics.backlog_weeks = 0;
    assert_notes(outcomes, 2,
                 "saturation of 1 of 2 runs is undecided (the interval of the growth of "
                 "outstanding jobs contains one a week): easy\n");
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    close_small(&small);
    (void)state;
}

/* Runs that differ in what they have: rows follow the columns of the first. */
static void test_unlike_runs(void **state)
{
    struct stock stock;
    struct loom_outcome *outcomes[2], *turned[2];
    open_stock(&stock);
    struct loom_scenario scenario = scenario_of(stock.log);
    scenario.by = LOOM_CLASS_USER;
    outcomes[0] = must_succeed(&scenario, NULL);
    scenario.by = LOOM_NO_CLASSES;
    scenario.policy = "fcfs";
    scenario.users = &stock.fluid;
    outcomes[1] = must_succeed(&scenario, NULL);
    turned[0] = outcomes[1];
    turned[1] = outcomes[0];
    for (int turn = 0; turn < 2; turn++) {
        struct loom_table *table = runs_table(turn ? turned : outcomes, 2, true);
        struct loom_table *classes = NULL;
        char text[4000] = "";
        size_t last = loom_table_width(table) - 1;
        assert_string_equal(loom_table_text(table, 0, last), "saturated");
        for (size_t row = 1; row < 3; row++) {
            const char *policy = loom_table_text(table, row, 0);
            const char *verdict = loom_table_text(table, row, last);
            assert_string_equal(policy, (row == 1) == (turn == 0) ? "easy" : "fcfs");
            assert_true(strcmp(verdict, "yes") == 0 || strcmp(verdict, "no") == 0);
        }
        assert_null(loom_table_text(table, 3, 0));
        loom_table_destroy(table);
        const struct loom_outcome *const *runs =
            (const struct loom_outcome *const *)(turn ? turned : outcomes);
        assert_int_equal(loom_classes_table(&classes, runs, 2, NULL, NULL), 0);
        assert_int_equal(classes != NULL, turn == 0);
        loom_table_destroy(classes);
        loom_outcome_notes(runs, 2, add_sentence, text);
        assert_int_equal(strstr(text, "fairness over classes") != NULL, turn == 0);
    }
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    close_stock(&stock);
    (void)state;
}

/* ---- classes, counts and clusters ------------------------------------------------------------ */

static struct loom_table *classes_table(struct loom_outcome *const *outcomes, size_t n,
                                        const struct loom_trace *names)
{
    struct loom_table *table = NULL;
    assert_int_equal(loom_classes_table(&table, (const struct loom_outcome *const *)outcomes, n,
                                        names, NULL),
                     0);
    return table;
}

static void test_classes(void **state)
{
    struct small small;
    struct loom_outcome *outcomes[2];
    open_small(&small);
    assert_int_equal(loom_trace_set_name(small.trace, LOOM_USER, 2, "ann", NULL), 0);
    small.scenario.by = LOOM_CLASS_USER;
    outcomes[0] = must_succeed(&small.scenario, NULL);
    small.scenario.policy = "fcfs";
    outcomes[1] = must_succeed(&small.scenario, NULL);
    assert_table(*state, classes_table(outcomes, 1, small.trace),
                 "user  jobs  mean wait (s)  median wait (s)  mean bounded slowdown  jobs/day\n"
                 "----  ----  -------------  ---------------  ---------------------  --------\n"
                 "1        1              0                0                      1     5,760\n"
                 "ann      1              9                9                    1.4     5,760\n"
                 "3        1              0                0                      1     5,760\n");
    assert_table(*state, classes_table(outcomes, 2, NULL),
                 "scheduler  load  user  jobs  mean wait (s)  median wait (s)  mean bounded "
                 "slowdown  jobs/day\n"
                 "---------  ----  ----  ----  -------------  ---------------  "
                 "---------------------  --------\n"
                 "easy       6.88  1        1              0                0                      "
                 "1     5,760\n"
                 "easy       6.88  2        1              9                9                    "
                 "1.4     5,760\n"
                 "easy       6.88  3        1              0                0                      "
                 "1     5,760\n"
                 "fcfs       6.88  1        1              0                0                      "
                 "1     4,320\n"
                 "fcfs       6.88  2        1              9                9                    "
                 "1.4     4,320\n"
                 "fcfs       6.88  3        1             13               13                    "
                 "1.8     4,320\n");
    assert_notes(outcomes, 1,
                 "fairness over classes by user: 0.973 (Jain's index: 1 if all are equal)\n");
    assert_notes(
        outcomes, 2,
        "fairness over classes by user: easy 0.973, fcfs 0.948 (Jain's index: 1 if all are equal)\n"
        "2 runs have no verdict on saturation: too few weeks for a trend\n");
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    small.scenario.by = LOOM_CLASS_QUEUE; /* nothing is known of queues */
    outcomes[0] = must_succeed(&small.scenario, NULL);
    assert_notes(outcomes, 1, "no fairness over classes: no job has a known queue\n");
    loom_outcome_destroy(outcomes[0]);
    close_small(&small);
}

/* The words of a page have no number where there is none. */
static void test_classes_on_a_page(void **state)
{
    struct small small;
    struct loom_runs_sheet sheet;
    const int kinds[] = {LOOM_CLASS_QUEUE, LOOM_CLASS_USER};
    const char *const wanted[] = {"Jobs by queue. No job has a known queue.",
                                  "Jobs by user. Fairness over these classes is 0.973 (Jain's "
                                  "index of their mean bounded slowdowns: 1 if all are equal)."};
    open_small(&small);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        small.scenario.by = kinds[i];
        struct loom_outcome *outcome = must_succeed(&small.scenario, NULL);
        const struct loom_report report = {.trace = small.trace};
        const struct loom_runs_page page = {.outcomes =
                                                (const struct loom_outcome *const[]){outcome},
                                            .n = 1};
        assert_int_equal(loom_runs_sheet_open(&sheet, &report, &page, NULL), 0);
        assert_int_equal(sheet.n_tables, 1);
        assert_string_equal(sheet.tables[0].intro, wanted[i]);
        loom_runs_sheet_close(&sheet);
        loom_outcome_destroy(outcome);
    }
    close_small(&small);
    (void)state;
}

static struct loom_table *counts_table(struct loom_outcome *const *outcomes, size_t n)
{
    struct loom_table *table = (void *)outcomes;
    assert_int_equal(loom_counts_table(&table, (const struct loom_outcome *const *)outcomes, n,
                                       NULL),
                     0);
    return table;
}

/* One more job of unknown runtime, one of 5 processors: that one runs on a machine of 5. */
static void test_counts(void **state)
{
    struct small small;
    struct loom_outcome *outcomes[2];
    struct loom_job job = loom_job_unknown();
    const struct loom_request_change exact = {.how = LOOM_REQUESTS_EXACT};
    open_small(&small);
    small.scenario.requests = &exact;
    outcomes[0] = must_succeed(&small.scenario, NULL);
    assert_null(counts_table(outcomes, 1));
    loom_outcome_destroy(outcomes[0]);
    job.number = 4;
    job.submit_s = 3;
    job.req_procs = 1;
    append(small.trace, job);
    job.number = 5;
    job.run_s = 1;
    job.req_procs = 5;
    append(small.trace, job);
    outcomes[0] = must_succeed(&small.scenario, NULL);
    small.scenario.policy = "fcfs";
    outcomes[1] = must_succeed(&small.scenario, NULL);
    assert_table(*state, counts_table(outcomes, 2),
                 "jobs left out or changed, in each run  jobs\n"
                 "-------------------------------------  ----\n"
                 "wider than the machine, rejected          1\n"
                 "no known runtime, dropped                 1\n");
    loom_outcome_destroy(outcomes[1]);
    loom_system_destroy(small.machine);
    assert_int_equal(loom_system_create(&small.machine, 5, NULL), 0);
    small.scenario.system = small.machine;
    outcomes[1] = must_succeed(&small.scenario, NULL);
    assert_table(*state, counts_table(outcomes, 2),
                 "scheduler  load  jobs left out or changed          jobs\n"
                 "---------  ----  --------------------------------  ----\n"
                 "easy       6.88  wider than the machine, rejected     1\n"
                 "easy       6.88  no known runtime, dropped            1\n"
                 "fcfs          4  no known runtime, dropped            1\n");
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    close_small(&small);
}

/* Two clusters of 4. A local job has 2 processors of the first from 0 to 6, so job 1 goes to the
 * second, job 3 to the first at 2, and job 2 there too, at 7: waits 0, 6 and 0 s. The last grid job
 * is submitted at 2: until then the first cluster has 2 of 4 processors in use, the second 3. */
static void test_clusters(void **state)
{
    struct fixture *f = *state;
    struct small small;
    struct loom_table *table = (void *)f;
    open_small(&small);
    store_text(at(f, "local.swf"), "8 0 -1 6 2 -1 -1 2 6 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                                   "9 1 -1 -1 2 -1 -1 2 6 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", at(f, "local.swf"));
    const struct loom_platform_cluster clusters[] = {
        {.name = "near", .procs = 4, .background = path},
        {.name = "far", .procs = 4, .scheduler = "fcfs"}};
    const struct loom_platform platform = {.name = "two", .clusters = clusters, .n_clusters = 2};
    struct loom_system *system = NULL;
    struct loom_outcome *outcome = must_succeed(&small.scenario, NULL);
    assert_int_equal(loom_clusters_table(&table, outcome, NULL), 0);
    assert_null(table);
    loom_outcome_destroy(outcome);
    assert_int_equal(loom_system_create_grid(&system, &platform, NULL, NULL), 0);
    small.scenario.system = system;
    outcome = must_succeed(&small.scenario, NULL);
    assert_int_equal(loom_clusters_table(&table, outcome, NULL), 0);
    assert_table(
        f, table,
        "cluster  processors  scheduler  utilization  local jobs  local: mean wait (s) "
        " local: response / runtime  grid jobs  grid: mean wait (s)  grid: response / runtime\n"
        "-------  ----------  ---------  -----------  ----------  -------------------- "
        " -------------------------  ---------  -------------------  ------------------------\n"
        "near              4  easy              50 %           1                     0 "
        "                         1          2                    3                       1.6\n"
        "far               4  fcfs              75 %           0                     - "
        "                         -          1                    0                         1\n");
    assert_notes(&outcome, 1,
                 "1 local job: no known runtime, dropped\n"
                 "local jobs of near come in 0 % of the time of the grid's jobs: the load of the "
                 "grid and the processors left are right for that part only; take a longer log, "
                 "another shift or lower load, or a model\n");
    loom_outcome_destroy(outcome);
    loom_system_destroy(system);
    close_small(&small);
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void test_notes_of_changes(void **state)
{
    struct small small;
    const struct loom_request_change requests = {.how = LOOM_REQUESTS_FACTOR, .factor = 2};
    const struct loom_feedback_options users = {.behaviour = "fluid"};
    struct loom_outcome *outcomes[2];
    struct loom_job job = loom_job_unknown();
    open_small(&small);
    job.number = 4;
    job.submit_s = 3;
    job.run_s = job.req_procs = 1;
    append(small.trace, job); /* of no user */
    small.scenario.requests = &requests;
    small.scenario.users = &users;
    small.scenario.load = 7;
    small.scenario.load_by = LOOM_LOAD_RUNTIMES;
    outcomes[0] = must_succeed(&small.scenario, NULL);
    small.scenario.policy = "fcfs";
    outcomes[1] = must_succeed(&small.scenario, NULL);
    assert_notes(outcomes, 1,
                 "requested times set to f:2: 4 jobs changed\n"
                 "load 4.67 -> 7.25 (runtimes x 1.5)\n"
                 "the load asked for is the load of the log, changed before users react; the load "
                 "that they offer is a result\n"
                 "1 job without a user ID comes at the log's submit times\n"
                 "3 jobs have an unknown wait, taken as 0: users seem to depend on more jobs, and "
                 "to think for longer, than they did\n");
    assert_notes(outcomes, 2,
                 "requested times set to f:2: 4 jobs changed\n"
                 "the load asked for is the load of the log, changed before users react; the load "
                 "that they offer is a result\n"
                 "1 job without a user ID comes at the log's submit times\n"
                 "3 jobs have an unknown wait, taken as 0: users seem to depend on more jobs, and "
                 "to think for longer, than they did\n"
                 "2 runs have no verdict on saturation: too few weeks for a trend\n");
    assert_notes(outcomes, 0, "");
    loom_outcome_destroy(outcomes[0]);
    loom_outcome_destroy(outcomes[1]);
    close_small(&small);
    (void)state;
}

/* Verdicts are counted over the runs. */
static void test_notes_of_verdicts(void **state)
{
    struct small small;
    struct loom_outcome *outcomes[4];
    open_small(&small);
    for (size_t i = 0; i < COUNT(outcomes); i++)
        outcomes[i] = must_succeed(&small.scenario, NULL);
    outcomes[0]->metrics.saturated = 1;
    outcomes[1]->metrics.saturated = 1;
    outcomes[1]->metrics.filling = true;
    outcomes[2]->metrics.saturated = 0;
    outcomes[2]->metrics.backlog_weeks = 4;
    assert_notes(outcomes, 4,
                 "1 of 4 runs is saturated (outstanding jobs grow by more than one a week): easy\n"
                 "1 of 4 runs is filling: outstanding jobs grow by running jobs alone\n"
                 "1 of 4 runs is not saturated at the end, but had 4 or more weeks in a row that "
                 "began with over a day's work waiting: easy\n"
                 "1 run has no verdict on saturation: too few weeks for a trend\n");
    for (size_t i = 0; i < COUNT(outcomes); i++)
        loom_outcome_destroy(outcomes[i]);
    close_small(&small);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTPUT_TEST(test_one_run),           OUTPUT_TEST(test_wide),
        OUTPUT_TEST(test_trimmed_run),       OUTPUT_TEST(test_two_runs),
        OUTPUT_TEST(test_missed_load),       OUTPUT_TEST(test_open_verdicts),
        OUTPUT_TEST(test_unlike_runs),       OUTPUT_TEST(test_classes),
        OUTPUT_TEST(test_classes_on_a_page), OUTPUT_TEST(test_counts),
        OUTPUT_TEST(test_clusters),          OUTPUT_TEST(test_notes_of_changes),
        OUTPUT_TEST(test_notes_of_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
