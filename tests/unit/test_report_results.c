/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of an experiment: their data against values worked by hand, and that gnuplot draws
 * all of them.
 *
 * The results are two policies at two loads, resampled, and the log itself at the higher load. With
 * r from 0 to 5, waits at load 0.7 are 100 (r + 1) under a and 200 (r + 1) under b, and at load 0.9
 * four times as long; the waits of the log are 1000 and 3000. Runs of b at load 0.9 are saturated
 * from r = 4 on.
 */
#include "report/cells.h"
#include "report/report.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/report_results.h>

enum { REPLICATIONS = 6 };

static const char *const keys[] = {"wait_mean_s", "saturated"};

static struct loom_run_results *make(bool logs, const char *b)
{
    const char *const policies[] = {"a", b};
    static const double loads[] = {0.7, 0.9};
    struct loom_results_cell cells[6];
    struct loom_run_results *results = NULL;
    size_t n = 0;
    for (size_t p = 0; p < 2; p++)
        for (size_t l = 0; l < 2; l++)
            cells[n++] = (struct loom_results_cell){.trace = "log",
                                                    .source = "resampled",
                                                    .scheduler = policies[p],
                                                    .load = loads[l],
                                                    .replications = REPLICATIONS};
    for (size_t p = 0; p < 2 && logs; p++) {
        cells[n] = cells[2 * p + 1];
        cells[n].source = "log";
        cells[n++].replications = 1;
    }
    assert_int_equal(loom_results_create(&results, cells, n, REPLICATIONS, keys, 2, NULL), 0);
    for (size_t cell = 0; cell < 4; cell++)
        for (int64_t r = 0; r < REPLICATIONS; r++) {
            double wait_s = (cell < 2 ? 100 : 200) * (cell % 2 ? 4 : 1) * (double)(r + 1);
            loom_results_set(results, cell, 0, r, wait_s);
            loom_results_set(results, cell, 1, r, cell == 3 && r >= 4);
        }
    for (size_t p = 0; p < 2 && logs; p++)
        loom_results_set(results, 4 + p, 0, 0, p == 0 ? 1000 : 3000);
    return results;
}

struct shown {
    struct loom_run_results *results;
    struct loom_analysis **analyses;
    size_t n;
    struct loom_report *report;
};

static struct shown show_named(bool logs, bool drop, const char *b)
{
    struct shown shown = {.results = make(logs, b)};
    struct loom_error err = {0};
    const struct loom_analysis_options options = {.drop_saturated = drop,
                                                  .interval.method = LOOM_INTERVAL_T};
    if (loom_analyses_create(&shown.analyses, &shown.n, shown.results, keys, 1, &options, &err) ||
        loom_report_analyses(&shown.report, shown.analyses, shown.n, NULL, &err))
        fail_msg("%s", err.message);
    return shown;
}

static struct shown show(bool logs, bool drop)
{
    return show_named(logs, drop, "b");
}

static void hide(struct shown *shown)
{
    loom_report_destroy(shown->report);
    loom_analyses_destroy(shown->analyses, shown->n);
    loom_results_destroy(shown->results);
}

static const struct loom_drawing *find(const struct shown *shown, const char *name)
{
    for (size_t i = 0; i < shown->report->n; i++)
        if (strcmp(shown->report->drawings[i].ops->name, name) == 0)
            return &shown->report->drawings[i];
    fail_msg("there is no figure %s", name);
    return NULL;
}

/* A row of a figure; texts that are NULL are not compared, nor are numbers that are NAN. */
struct row {
    const char *first, *last;
    double numbers[4];
};

static void check_rows(const struct shown *shown, const char *name, const struct row *rows,
                       size_t n, size_t from)
{
    const struct loom_drawing *drawing = find(shown, name);
    struct loom_cells cells = {0};
    if (!drawing->table)
        fail_msg("%s: %s", name, drawing->reason);
    assert_int_equal(loom_cells_read(&cells, drawing->table, drawing->table_size, NULL), 0);
    if (cells.rows != n + 1)
        fail_msg("%s has %zu rows", name, cells.rows - 1);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].first)
            assert_string_equal(loom_cell(&cells, i + 1, 0), rows[i].first);
        if (rows[i].last)
            assert_string_equal(loom_cell(&cells, i + 1, cells.columns - 1), rows[i].last);
        for (size_t k = 0; k < 4 && !isnan(rows[i].numbers[k]); k++) {
            double found = strtod(loom_cell(&cells, i + 1, from + k), NULL);
            if (!(fabs(found - rows[i].numbers[k]) <= 2e-5 * fabs(rows[i].numbers[k]) + 1e-9))
                fail_msg("%s, row %zu: %.9g for %.9g", name, i, found, rows[i].numbers[k]);
        }
    }
    loom_cells_free(&cells);
}

/* 1 to 6 have mean 3.5 and a standard deviation of sqrt(3.5), so that the half width of the mean is
 * t(0.975; 5) sqrt(3.5 / 6), with t(0.975; 5) = 2.5705818. */
#define MEAN(unit) 3.5 * (unit), (3.5 - HALF) * (unit), (3.5 + HALF) * (unit)
static const double HALF = 1.9633189;

static void test_metric_against_load(void **state)
{
    struct shown shown = show(true, false);
    const struct row waits[] = {{"a resampled", NULL, {0.7, MEAN(100)}},
                                {"a resampled", NULL, {0.9, MEAN(400)}},
                                {"b resampled", NULL, {0.7, MEAN(200)}},
                                {"b resampled", NULL, {0.9, MEAN(800)}}};
    const struct row shares[] = {{"a resampled", NULL, {0.7, 1, NAN}},
                                 {"a resampled", NULL, {0.9, 1, NAN}},
                                 {"b resampled", NULL, {0.7, 1, NAN}},
                                 {"b resampled", NULL, {0.9, 4.0 / 6, NAN}}};
    (void)state;
    check_rows(&shown, "wait-load", waits, COUNT(waits), 1);
    check_rows(&shown, "unsaturated-load", shares, COUNT(shares), 1);
    hide(&shown);
}

static void test_bars(void **state)
{
    struct shown shown = show(true, false);
    const struct row bars[] = {{"a", "resampled load 0.7", {0, MEAN(100)}},
                               {"a", "resampled load 0.9", {1, MEAN(400)}},
                               {"a", "log load 0.9", {2, 1000, 1000, 1000}},
                               {"b", "resampled load 0.7", {0, MEAN(200)}},
                               {"b", "resampled load 0.9", {1, MEAN(800)}},
                               {"b", "log load 0.9", {2, 3000, 3000, 3000}}};
    (void)state;
    check_rows(&shown, "bars", bars, COUNT(bars), 1);
    hide(&shown);
}

/* a takes half of b's wait in every replication, so that the interval has no width. Loads are no
 * effects: they have figures of their own. */
static void test_differences_and_effects(void **state)
{
    struct shown shown = show(true, false);
    const struct row pairs[] = {{"0", "load 0.7: a over b", {0.5, 0.5, 0.5, 1}},
                                {"1", "load 0.9: a over b", {0.5, 0.5, 0.5, 1}}};
    const struct row effects[] = {{"0", "scheduler b", {1, 1, 1, NAN}}};
    (void)state;
    check_rows(&shown, "differences", pairs, COUNT(pairs), 1);
    check_rows(&shown, "effects", effects, COUNT(effects), 1);
    hide(&shown);
}

/* Add up a column of the rows of a series whose value in another column lies in a range. */
static double sum_rows(const struct shown *shown, const char *name, const char *series, double low,
                       double high)
{
    const struct loom_drawing *drawing = find(shown, name);
    struct loom_cells cells = {0};
    double sum = 0;
    size_t from = series ? 1 : 0;
    assert_int_equal(loom_cells_read(&cells, drawing->table, drawing->table_size, NULL), 0);
    for (size_t i = 1; i < cells.rows; i++)
        if ((!series || strcmp(loom_cell(&cells, i, 0), series) == 0) &&
            strtod(loom_cell(&cells, i, from), NULL) >= low &&
            strtod(loom_cell(&cells, i, from + 1), NULL) <= high)
            sum += strtod(loom_cell(&cells, i, from + 2), NULL);
    loom_cells_free(&cells);
    return sum;
}

/* Histograms at the higher load have every replication once; the log's values are marks behind the
 * histograms: rows of value and place. */
static void test_variants(void **state)
{
    struct shown shown = show(true, false);
    const struct loom_drawing *drawing = find(&shown, "variants");
    (void)state;
    assert_true(sum_rows(&shown, "variants", "a resampled 0.9", 0, 1e9) == REPLICATIONS);
    assert_true(sum_rows(&shown, "variants", "b resampled 0.9", 0, 1e9) == REPLICATIONS);
    assert_true(sum_rows(&shown, "variants", "a resampled 0.9", 2500, 1e9) == 0);
    assert_true(sum_rows(&shown, "variants", "b resampled 0.9", 2500, 1e9) > 0);
    assert_non_null(strstr(drawing->data, "\n1000\t0\n"));
    assert_non_null(strstr(drawing->data, "\n3000\t1\n"));
    assert_true(sum_rows(&shown, "pair-differences", NULL, -1e9, 0) == REPLICATIONS);
    hide(&shown);
    shown = show(false, false); /* without the log, there is nothing to mark */
    assert_null(strstr(find(&shown, "variants")->data, "\n1000\t0\n"));
    hide(&shown);
}

/* Where saturated replications are left out, all figures leave them out. */
static void test_left_out(void **state)
{
    struct shown shown = show(false, true);
    const double half = 3.1824463 * sqrt(5.0 / 12); /* 1 to 4: t(0.975; 3) */
    const struct row waits[] = {{"a", NULL, {0.7, MEAN(100)}},
                                {"a", NULL, {0.9, 1000, 400 * (2.5 - half), 400 * (2.5 + half)}},
                                {"b", NULL, {0.7, MEAN(200)}},
                                {"b", NULL, {0.9, 2000, 800 * (2.5 - half), 800 * (2.5 + half)}}};
    (void)state;
    check_rows(&shown, "wait-load", waits, COUNT(waits), 1);
    assert_true(sum_rows(&shown, "variants", "a 0.9", 0, 1e9) == 4);
    assert_true(sum_rows(&shown, "pair-differences", NULL, -1e9, 0) == 4);
    hide(&shown);
}

/* Return the x of the left axis in an SVG picture: of the leftmost line that goes straight up. */
static double left_axis(const char *image)
{
    double least = INFINITY;
    for (const char *at = image; (at = strstr(at, "<path")); at++) {
        double x, y, x2, y2;
        const char *d = strstr(at, "d='M");
        if (d && sscanf(d, "d='M%lf,%lf L%lf,%lf", &x, &y, &x2, &y2) == 4 && x == x2 && x < least)
            least = x;
    }
    return least;
}

/* gnuplot takes every script, and long names leave room for what is drawn. */
static void test_drawn(void **state)
{
    static const char *const names[] = {"differences", "bars",     "effects",
                                        "wait-load",   "variants", "pair-differences"};
    struct shown shown = show_named(true, false, "easy:order=sjf,reservations=7,depth=400");
    struct loom_error err = {0};
    (void)state;
    if (loom_report_draw(shown.report, loom_image_format_find("svg"), &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct loom_drawing *drawing = find(&shown, names[i]);
        double left = drawing->image ? left_axis(drawing->image) : 0;
        if (!drawing->image || !(left > 0 && left < 440))
            fail_msg("%s: %s, axis at %g", names[i], drawing->failure, left);
    }
    hide(&shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_against_load),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_differences_and_effects),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
