/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of users, sessions and bags on real logs against the values that the texts print (Zakay,
 * chapter 2, section 6; Minh 2010, tables II and III, figure 2). Speaks TAP; skipped where there is
 * no log. docs/validation/features.md has all values.
 */
#include "report/cells.h"
#include "report/report.h"
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct measured {
    struct loom_trace *trace;
    struct loom_features *features;
};

static struct measured measure(struct loom_trace *trace)
{
    struct measured measured = {.trace = trace};
    if (!trace)
        skip();
    assert_int_equal(loom_features_create(&measured.features, trace, NULL, NULL, NULL), 0);
    return measured;
}

/* The jobs of a log that ran. */
static struct loom_trace *ran_jobs(const char *name)
{
    static const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct loom_trace *trace = real_log(name);
    struct loom_params *params = NULL;
    if (!trace)
        return NULL;
    uint8_t *keep = malloc(loom_trace_count(trace) + 1);
    assert_non_null(keep);
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    assert_int_equal(loom_params_set(params, "select", "ran", NULL), 0);
    assert_int_equal(loom_select(keep, trace, params, NULL), 0);
    loom_trace_keep(trace, keep);
    loom_params_destroy(params);
    free(keep);
    return trace;
}

static void forget(struct measured *measured)
{
    loom_features_destroy(measured->features);
    loom_trace_destroy(measured->trace);
}

static struct loom_cells table_of(const struct measured *measured, const char *name)
{
    struct loom_report_options options = {.only = name};
    struct loom_report *report = NULL;
    struct loom_cells cells = {0};
    struct loom_error err = {0};
    if (loom_report_create_with(&report, measured->trace, measured->features, &options, NULL,
                                &err) ||
        !report->drawings[0].table ||
        loom_cells_read(&cells, report->drawings[0].table, report->drawings[0].table_size, &err))
        fail_msg("%s: %s", name, err.message);
    loom_report_destroy(report);
    return cells;
}

/* The number in a column of the only row of a series that has these numbers behind it. */
static double find(const struct loom_cells *cells, const char *series, double second, double third,
                   size_t column)
{
    for (size_t row = 1; row < cells->rows; row++)
        if (strcmp(loom_cell(cells, row, 0), series) == 0 &&
            (isnan(second) || strtod(loom_cell(cells, row, 1), NULL) == second) &&
            (isnan(third) || strtod(loom_cell(cells, row, 2), NULL) == third))
            return strtod(loom_cell(cells, row, column), NULL);
    fail_msg("there is no row %s", series);
    return NAN;
}

static void near(double found, double printed, double within)
{
    if (!(fabs(found - printed) <= within))
        fail_msg("%g for the printed %g", found, printed);
}

enum { LONGER = 9 };

/* Shares of sessions above 1000 minutes; those with a cut are read off a logarithmic axis. */
static void long_sessions(void **state)
{
    static const struct {
        const char *log, *method;
        double cut, printed, within;
    } shares[] = {
        {"SDSC-BLUE-2000-4.2-cln", "max", NAN, 0.15, 0.005},
        {"SDSC-BLUE-2000-4.2-cln", "last_cut", 120, 0.0012, 0.0002},
        {"SDSC-BLUE-2000-4.2-cln", "last_cut", 60, 0.000126, 0.00002},
        {"SDSC-SP2-1998-4.2-cln", "max", NAN, 0.195, 0.01},
        {"SDSC-SP2-1998-4.2-cln", "max_cut", 120, 0.000398, 0.00005},
        {"SDSC-SP2-1998-4.2-cln", "max_cut", 60, 0.0002, 0.00002},
        {"SDSC-SP2-1998-4.2-cln", "max_cut", 30, 0.000126, 0.00003},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(shares); i++) {
        struct measured log = measure(ran_jobs(shares[i].log));
        struct loom_cells cells = table_of(&log, "session-rules");
        near(find(&cells, shares[i].method, 20, shares[i].cut, LONGER), shares[i].printed,
             shares[i].within);
        loom_cells_free(&cells);
        forget(&log);
    }
}

/* Think times after common batches are alike by both approaches; after others, sessions by last are
 * nearer. */
static void think_times(void **state)
{
    static const char *const logs[] = {"SDSC-BLUE-2000-4.2-cln", "SDSC-SP2-1998-4.2-cln",
                                       "KTH-SP2-1996-2.1-cln"};
    (void)state;
    for (size_t i = 0; i < COUNT(logs); i++) {
        struct measured log = measure(ran_jobs(logs[i]));
        struct loom_cells cells = table_of(&log, "think-time-distances");
        assert_true(find(&cells, "common, by last", NAN, NAN, 5) < 0.02);
        assert_true(find(&cells, "last alone", NAN, NAN, 5) < 0.05);
        assert_true(find(&cells, "max alone", NAN, NAN, 5) > 0.3);
        loom_cells_free(&cells);
        forget(&log);
    }
}

static void bags(void **state)
{
    static const struct {
        const char *class;
        double printed;
    } rows[] = {{"0 to 100 s", 8},
                {"100 to 1000 s", 150},
                {"1000 to 10000 s", 797},
                {"10000 to 100000 s", 6070},
                {"100000 to 1000000 s", 27163}};
    (void)state;
    struct measured log = measure(completed_jobs("HPC2N-2002-2.2-cln"));
    struct loom_cells cells = table_of(&log, "bag-variability");
    for (size_t i = 0; i < COUNT(rows); i++)
        near(find(&cells, rows[i].class, NAN, NAN, 2), rows[i].printed, 0.02 * rows[i].printed);
    assert_int_equal(cells.rows, 1 + COUNT(rows));
    loom_cells_free(&cells);
    /* "nearly 90 %" within 100 s */
    near(loom_features_find(log.features, "bot.like_gap_fraction")->value, 0.88, 0.04);
    forget(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_sessions),
        cmocka_unit_test(think_times),
        cmocka_unit_test(bags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
