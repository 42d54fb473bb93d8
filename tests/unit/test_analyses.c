/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and figures of a log against what tests/oracle/analyses.py makes of their definitions. */
#include "report/cells.h"
#include "report/report.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 12 };

struct analysed_job {
    int64_t submit_s, wait_s, run_s;
    int32_t procs;
    int64_t request_s;
    int32_t user, executable;
};

/* Cells that are NULL are not given, "*" are not compared. */
struct analysed_row {
    const char *table;
    const char *cells[CELLS];
};

#include "../oracle/analyses.inc"

/* ---- the log --------------------------------------------------------------------------------- */

struct made {
    struct loom_trace *trace;
    struct loom_features *features;
};

static struct loom_trace *make_trace(void)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "1000000000", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "TimeZoneString", "Etc/UTC", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    for (size_t i = 0; i < COUNT(analysed_jobs); i++) {
        const struct analysed_job *from = &analysed_jobs[i];
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = from->submit_s;
        job.wait_s = from->wait_s;
        job.run_s = from->run_s;
        job.req_procs = from->procs;
        job.request_s = from->request_s;
        job.user = from->user;
        job.executable = from->executable;
        append(trace, job);
    }
    return trace;
}

static int make(void **state)
{
    static struct made made;
    made.trace = make_trace();
    if (loom_features_create(&made.features, made.trace, NULL, NULL, NULL))
        return -1;
    *state = &made;
    return 0;
}

static int unmake(void **state)
{
    struct made *made = *state;
    loom_features_destroy(made->features);
    loom_trace_destroy(made->trace);
    return 0;
}

/* The data of one figure or table. The caller must free it. */
static struct loom_cells data_of(void **state, const char *name, struct loom_report_options options)
{
    const struct made *made = *state;
    struct loom_error err = {0};
    struct loom_report *report = NULL;
    struct loom_cells cells = {0};
    options.only = name;
    if (loom_report_create_with(&report, made->trace, made->features, &options, NULL, &err))
        fail_msg("%s", err.message);
    assert_int_equal(report->n, 1);
    if (!report->drawings[0].table)
        fail_msg("%s: %s", name, report->drawings[0].reason);
    assert_int_equal(loom_cells_read(&cells, report->drawings[0].table,
                                     report->drawings[0].table_size, &err),
                     0);
    loom_report_destroy(report);
    return cells;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void check_number(const char *table, size_t row, double found, double expected)
{
    if (!(fabs(found - expected) <= 2e-5 * fabs(expected) + 1e-9))
        fail_msg("%s, row %zu: %.10g for %.10g", table, row, found, expected);
}

static void check_cell(const char *table, size_t row, const char *found, const char *expected)
{
    char *end;
    double number = strtod(expected, &end);
    if (strcmp(expected, "*") == 0)
        return;
    if (end == expected || *end) {
        if (strcmp(found, expected) != 0)
            fail_msg("%s, row %zu: '%s' for '%s'", table, row, found, expected);
    } else {
        check_number(table, row, strtod(found, NULL), number);
    }
}

/* Each row of the table must be the next of the oracle's, as far as the oracle has cells. */
static void same_rows(void **state, const char *table)
{
    struct loom_cells cells = data_of(state, table, (struct loom_report_options){.seed = 1});
    size_t row = 1;
    for (size_t i = 0; i < COUNT(analysed_rows); i++) {
        if (strcmp(analysed_rows[i].table, table) != 0)
            continue;
        if (row >= cells.rows)
            fail_msg("%s has only %zu rows", table, cells.rows - 1);
        for (size_t c = 0; c < cells.columns && analysed_rows[i].cells[c]; c++)
            check_cell(table, row, loom_cell(&cells, row, c), analysed_rows[i].cells[c]);
        row++;
    }
    assert_int_equal(row, cells.rows);
    loom_cells_free(&cells);
}

/* The oracle's row of a series at the largest x that is at most the given one; NULL if none is. */
static const struct analysed_row *row_at(const char *table, const char *series, double x)
{
    const struct analysed_row *found = NULL;
    for (size_t i = 0; i < COUNT(analysed_rows); i++)
        if (strcmp(analysed_rows[i].table, table) == 0 &&
            strcmp(analysed_rows[i].cells[0], series) == 0 &&
            strtod(analysed_rows[i].cells[1], NULL) <= x * (1 + 1e-6))
            found = &analysed_rows[i];
    return found;
}

/* Each point of a thinned curve must be on the oracle's steps; most of the oracle's must be there.
 * Series that the oracle does not have are passed over. */
static void on_steps(void **state, const char *table, size_t least)
{
    struct loom_cells cells = data_of(state, table, (struct loom_report_options){.seed = 1});
    size_t checked = 0;
    for (size_t row = 1; row < cells.rows; row++) {
        const char *series = loom_cell(&cells, row, 0);
        if (!row_at(table, series, INFINITY))
            continue;
        double x = strtod(loom_cell(&cells, row, 1), NULL);
        if (row + 1 < cells.rows && strcmp(loom_cell(&cells, row + 1, 0), series) == 0 &&
            strcmp(loom_cell(&cells, row, 1), loom_cell(&cells, row + 1, 1)) == 0)
            continue; /* the foot of a step */
        const struct analysed_row *step = row_at(table, series, x);
        check_number(table, row, strtod(loom_cell(&cells, row, 2), NULL),
                     step ? strtod(step->cells[2], NULL) : 0);
        checked++;
    }
    if (checked < least)
        fail_msg("%s has %zu points", table, checked);
    loom_cells_free(&cells);
}

static void tables_are_as_defined(void **state)
{
    static const char *const tables[] = {
        "session-rules",
        "session-histogram-arrival",
        "session-histogram-max",
        "think-time-distances",
        "user-interarrival-zoom",
        "similarity-distance",
        "bag-variability",
        "bag-runtimes-acf",
        "interarrival-acf",
        "rate-intervals",
        "sensitivity",
        "window-growth",
        "jobs-weekly-users",
        "multiprogramming",
        "utilization-hour",
        "hour-profile",
        "applications",
    };
    for (size_t i = 0; i < COUNT(tables); i++)
        same_rows(state, tables[i]);
}

static void curves_are_as_defined(void **state)
{
    on_steps(state, "session-sizes", 20);
    on_steps(state, "like-jobs", 100);
    on_steps(state, "bag-interarrival", 50);
    on_steps(state, "running-mean", 100);
    on_steps(state, "popularity", 15);
}

static void bag_arrivals_depend_as_defined(void **state)
{
    struct loom_cells cells =
        data_of(state, "bag-arrivals-acf", (struct loom_report_options){.seed = 1});
    size_t checked = 0;
    for (size_t row = 1; row < cells.rows; row++) {
        double days = strtod(loom_cell(&cells, row, 1), NULL);
        const struct analysed_row *at = row_at("bag-arrivals-acf", loom_cell(&cells, row, 0), days);
        if (!at || fabs(strtod(at->cells[1], NULL) - days) > 1e-6)
            continue;
        check_cell("bag-arrivals-acf", row, loom_cell(&cells, row, 2), at->cells[2]);
        checked++;
    }
    assert_true(checked >= 20);
    loom_cells_free(&cells);
}

/* The mean of the runtimes above an age, less the age. */
static void residual_life_is_as_defined(void **state)
{
    struct loom_cells cells =
        data_of(state, "residual-life", (struct loom_report_options){.seed = 1});
    size_t checked = 0;
    for (size_t row = 1; row < cells.rows && strcmp(loom_cell(&cells, row, 0), "this log") == 0;
         row++) {
        double age = strtod(loom_cell(&cells, row, 1), NULL);
        const struct analysed_row *at = NULL;
        for (size_t i = 0; i < COUNT(analysed_rows); i++)
            if (strcmp(analysed_rows[i].table, "residual") == 0 &&
                strtod(analysed_rows[i].cells[0], NULL) <= age)
                at = &analysed_rows[i];
        assert_non_null(at);
        double expected = strtod(at->cells[1], NULL) - age;
        /* The age has seven digits. */
        if (!(fabs(strtod(loom_cell(&cells, row, 2), NULL) - expected) <= 1e-4 * expected + 0.1))
            fail_msg("age %g: %s for %g", age, loom_cell(&cells, row, 2), expected);
        check_cell("residual-life", row, loom_cell(&cells, row, 3), at->cells[2]);
        checked++;
    }
    assert_true(checked >= 100);
    loom_cells_free(&cells);
}

static void features_are_as_defined(void **state)
{
    const struct made *made = *state;
    size_t checked = 0;
    for (size_t i = 0; i < COUNT(analysed_rows); i++) {
        if (strcmp(analysed_rows[i].table, "feature") != 0)
            continue;
        const struct loom_feature *feature =
            loom_features_find(made->features, analysed_rows[i].cells[0]);
        assert_non_null(feature);
        if (!feature->known)
            fail_msg("%s: %s", feature->info->key, feature->reason);
        check_number(feature->info->key, i, feature->value,
                     strtod(analysed_rows[i].cells[1], NULL));
        checked++;
    }
    assert_int_equal(checked, 16);
}

/* ---- randomised ------------------------------------------------------------------------------ */

/* Mixed at random, any two jobs of a user are equally likely to share a session, so the mean over
 * many rounds is the mean similarity of all pairs. */
static void mixed_jobs_are_as_similar_as_all_pairs(void **state)
{
    struct loom_report_options options = {.seed = 5, .rounds = 400};
    struct loom_cells cells = data_of(state, "similarity-random", options);
    size_t row = 1, checked = 0;
    for (size_t i = 0; i < COUNT(analysed_rows); i++) {
        if (strcmp(analysed_rows[i].table, "similarity-chance") != 0)
            continue;
        char series[64];
        double n = 0, sum = 0, squares = 0, expected = strtod(analysed_rows[i].cells[1], NULL);
        snprintf(series, sizeof series, "%s, 400 rounds", analysed_rows[i].cells[0]);
        for (; row < cells.rows && strcmp(loom_cell(&cells, row, 0), series) == 0; row++) {
            double x = strtod(loom_cell(&cells, row, 1), NULL);
            double count = strtod(loom_cell(&cells, row, 2), NULL);
            n += count;
            sum += count * x;
            squares += count * x * x;
        }
        double mean = sum / n, sd = sqrt(squares / n - mean * mean);
        assert_int_equal((int)n, 400);
        if (fabs(mean - expected) > 5 * sd / sqrt(n))
            fail_msg("%s: %g for %g, sd %g", series, mean, expected, sd);
        const struct analysed_row *own =
            row_at("similarity-distance", analysed_rows[i].cells[0], 0);
        check_cell(series, row, loom_cell(&cells, row, 1), own->cells[2]);
        row++;
        checked++;
    }
    assert_int_equal(checked, 3);
    loom_cells_free(&cells);
}

/* Rounds and orders are drawn from the seed. */
static void seeds_decide(void **state)
{
    struct loom_report_options one = {.seed = 1, .rounds = 20}, two = {.seed = 2, .rounds = 20};
    struct loom_cells a = data_of(state, "similarity-random", one);
    struct loom_cells b = data_of(state, "similarity-random", one);
    struct loom_cells c = data_of(state, "similarity-random", two);
    bool differ = false;
    assert_int_equal(a.rows, b.rows);
    for (size_t i = 0; i < a.rows * a.columns; i++) {
        assert_string_equal(a.cells[i], b.cells[i]);
        differ |= i >= c.rows * c.columns || strcmp(a.cells[i], c.cells[i]) != 0;
    }
    assert_true(differ);
    loom_cells_free(&a);
    loom_cells_free(&b);
    loom_cells_free(&c);
}

/* ---- little to show -------------------------------------------------------------------------- */

/* Every figure and table of a log without jobs, or with one, has a reason or data. */
static void little_logs_have_reasons(void **state)
{
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        struct loom_trace *trace = empty_trace();
        struct loom_features *features = NULL;
        struct loom_report *report = NULL;
        struct loom_figure figure;
        for (size_t i = 0; i < n; i++) {
            struct loom_job job = loom_job_unknown();
            job.submit_s = (int64_t)i;
            append(trace, job);
        }
        assert_int_equal(loom_features_create(&features, trace, NULL, NULL, NULL), 0);
        assert_int_equal(loom_report_create(&report, trace, features, NULL, NULL), 0);
        for (size_t i = 0; loom_report_figure(report, i, &figure); i++)
            if (figure.reason)
                assert_true(strlen(figure.reason) > 10);
        loom_report_destroy(report);
        loom_features_destroy(features);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_as_defined),
        cmocka_unit_test(curves_are_as_defined),
        cmocka_unit_test(bag_arrivals_depend_as_defined),
        cmocka_unit_test(residual_life_is_as_defined),
        cmocka_unit_test(features_are_as_defined),
        cmocka_unit_test(mixed_jobs_are_as_similar_as_all_pairs),
        cmocka_unit_test(seeds_decide),
        cmocka_unit_test(little_logs_have_reasons),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
