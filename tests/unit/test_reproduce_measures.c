/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures of claims on made-up logs whose numbers are worked out here.
 *
 * The small log, on 4 processors:
 *
 *   submit  0  100  200  400  800  1600        runtimes sorted: 100 100 100 200 300 400
 *   runtime 100 200 300 400  100   100         mean 200, median 150
 *   size    1    2    2    4    4     4
 *   request 200 200 600  400  100    50        request - runtime: 100 0 300 0 0 -50
 *
 * First come, first served, jobs start at 0, 100, 200, 500, 900, 1600: waits 0 0 0 100 100 0.
 *
 * The even log has six users for 12 weeks; each submits a job of 100 s on one processor once a day,
 * and nobody ever waits.
 */
#include "reproduce/bench.h"
#include "reproduce/identity.h"
#include "reproduce/verdict.h"

#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char small_log[] = "; MaxProcs: 4\n"
                                "; UnixStartTime: 852076800\n"
                                "1 0 0 100 1 -1 -1 1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"
                                "2 100 0 200 2 -1 -1 2 200 -1 1 1 1 -1 -1 -1 -1 -1\n"
                                "3 200 0 300 2 -1 -1 2 600 -1 1 2 1 -1 -1 -1 -1 -1\n"
                                "4 400 0 400 4 -1 -1 4 400 -1 1 2 1 -1 -1 -1 -1 -1\n"
                                "5 800 0 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
                                "6 1600 0 100 4 -1 -1 4 50 -1 1 3 1 -1 -1 -1 -1 -1\n";

struct place {
    struct scratch scratch;
    struct loom_bench *bench;
};

static void write_even_log(const char *path)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("; MaxProcs: 64\n; UnixStartTime: 852076800\n", out);
    for (int day = 0, job = 1; day < 84; day++)
        for (int user = 1; user <= 6; user++, job++)
            fprintf(out, "%d %d 0 100 1 -1 -1 1 200 -1 1 %d 1 -1 -1 -1 -1 -1\n", job,
                    day * 86400 + 28800 + user * 3600, user);
    fclose(out);
}

/* Put both logs under names of the archive. */
static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    char path[160];
    assert_non_null(place);
    assert_int_equal(scratch_open(&place->scratch, "unused"), 0);
    snprintf(path, sizeof path, "%s/KTH-SP2-1996-made-up.swf", place->scratch.directory);
    store_text(path, small_log);
    snprintf(path, sizeof path, "%s/HPC2N-2002-made-up.swf", place->scratch.directory);
    write_even_log(path);
    struct loom_reproduce_options options = {.logs = place->scratch.directory,
                                             .quick = true,
                                             .seed = 1};
    assert_int_equal(loom_bench_create(&place->bench, &options, NULL), 0);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    loom_bench_destroy(place->bench);
    int rc = scratch_close(&place->scratch);
    free(place);
    return rc;
}

#define SMALL "KTH-SP2"
#define EVEN "HPC2N"

static const char *const schedule_words[] = {"scheduler=fcfs", "scheduler=easy", "load=0.2,0.4",
                                             NULL};
static const struct loom_trial schedule = {.name = "made-up",
                                           .words = (const char *const[]){"scheduler=fcfs", NULL},
                                           .quick = 1,
                                           .full = 1};
static const struct loom_trial loads = {.name = "made-up-loads",
                                        .words = schedule_words,
                                        .quick = 1,
                                        .full = 1};

/* A claim, and what its measure must give, within a millionth. */
struct known {
    struct loom_claim claim;
    double value;
};

/* With d = 1 the sorted runtimes meet the sorted sizes 1 2 2 4 4 4. Ranks 2 2 2 4 5 6 and
 * 1 2.5 2.5 5 5 5 have the covariance 13.5 and squares 15.5 and 15; against 5 5 5 2.5 2.5 1 it is
 * -15. */
#define SQUARES 15.247950681976905 /* sqrt(15.5 * 15) */

static const struct known table[] = {
    /* features */
    {{.log = SMALL, .measure = loom_measure_feature, .of = "jobs"}, 6},
    {{.log = SMALL, .measure = loom_measure_feature, .of = "jobs", .with = "job-procs=2:2"}, 2},
    {{.log = SMALL, .measure = loom_measure_feature, .of = "jobs", .with = "first=3"}, 3},
    {{.log = SMALL, .measure = loom_measure_feature, .of = "runtime.mean_s"}, 200},
    {{.log = SMALL,
      .measure = loom_measure_feature,
      .of = "runtime.mean_s",
      .minus = "runtime.median_s"},
     50},
    {{.log = SMALL,
      .measure = loom_measure_feature,
      .of = "runtime.mean_s",
      .over = "runtime.median_s"},
     4.0 / 3},
    /* rows of tables: P(runtime <= 100) = 3/6, <= 200: 4/6 */
    {{.log = SMALL,
      .measure = loom_measure_table,
      .of = "runtime-cdf:share",
      .cell = "runtime_s<=100"},
     0.5},
    {{.log = SMALL,
      .measure = loom_measure_table,
      .of = "runtime-cdf:share",
      .cell = "runtime_s=300"},
     0.833333},
    {{.log = SMALL,
      .measure = loom_measure_table,
      .of = "runtime-cdf:share",
      .cell = "runtime_s<=250",
      .minus = "runtime_s<=100"},
     0.166667},
    /* fits: the normal distribution has the mean and the deviation by n, sqrt(80000/6) */
    {{.log = SMALL, .measure = loom_measure_fit, .of = "runtime:normal:mu"}, 200},
    {{.log = SMALL, .measure = loom_measure_fit, .of = "runtime:normal:sigma"}, 115.470054},
    /* parameters: printed in Lublin, Feitelson 2003, table 5 */
    {{.measure = loom_measure_parameter,
      .of = "combined.runtimes.p.slope",
      .with = "model=lublin2003"},
     -0.0054},
    /* predictions: the requested time; errors 100 0 300 0 0 -50 */
    {{.log = SMALL,
      .measure = loom_measure_prediction,
      .of = "mae_s",
      .with = "predictor=requested"},
     75},
    {{.log = SMALL,
      .measure = loom_measure_prediction,
      .of = "underestimated_fraction",
      .with = "predictor=requested"},
     1.0 / 6},
    {{.log = SMALL,
      .measure = loom_measure_prediction,
      .of = "mae_s",
      .with = "predictor=requested train=0.5"},
     50.0 / 3},
    {{.log = SMALL,
      .measure = loom_measure_prediction,
      .of = "jobs",
      .with = "predictor=requested train=0.5"},
     3},
    /* big jobs request 400 s or more: two of six, with 300 of 450 s of error */
    {{.log = SMALL,
      .measure = loom_measure_prediction,
      .of = "big_jobs",
      .with = "predictor=requested big=400"},
     1.0 / 3},
    {{.log = SMALL,
      .measure = loom_measure_prediction,
      .of = "big_error",
      .with = "predictor=requested big=400"},
     2.0 / 3},
    /* correlation control */
    {{.log = SMALL, .measure = loom_measure_rearranged, .of = "1", .quick = 2}, 13.5 / SQUARES},
    {{.log = SMALL, .measure = loom_measure_rearranged, .of = "-1", .quick = 2}, -15 / SQUARES},
    /* trials: waits 0 0 0 100 100 0 */
    {{.log = SMALL, .measure = loom_measure_trial, .of = "wait_mean_s", .trial = &schedule},
     200.0 / 6},
    {{.log = SMALL, .measure = loom_measure_spread, .of = "max:wait_mean_s", .trial = &schedule},
     200.0 / 6},
    {{.log = SMALL, .measure = loom_measure_spread, .of = "median:wait_mean_s", .trial = &schedule},
     200.0 / 6},
    {{.log = SMALL, .measure = loom_measure_spread, .of = "spread:wait_mean_s", .trial = &schedule},
     1},
    {{.log = SMALL,
      .measure = loom_measure_trial,
      .of = "wait_mean_s",
      .trial = &loads,
      .cell = "scheduler=fcfs; load=0.4",
      .minus = "scheduler=fcfs; load=0.4"},
     0},
    {{.log = SMALL,
      .measure = loom_measure_spread,
      .of = "above:wait_mean_s",
      .trial = &schedule,
      .minus = "scheduler=fcfs"},
     0},
    /* variants of users who all do the same */
    {{.log = EVEN, .measure = loom_measure_variants, .of = "runtime.mean_s", .quick = 2}, 100},
    {{.log = EVEN,
      .measure = loom_measure_variants,
      .of = "runtime.mean_s",
      .quick = 2,
      .per_log = true},
     1},
    {{.log = EVEN, .measure = loom_measure_variant_distance, .of = "runtime", .quick = 2}, 0},
    /* users who react to waits do what they did where nobody waits */
    {{.log = EVEN,
      .measure = loom_measure_users,
      .of = "cycle",
      .with = "feedback=adjusted",
      .quick = 1},
     1},
    {{.log = EVEN,
      .measure = loom_measure_users,
      .of = "peak",
      .with = "feedback=adjusted",
      .quick = 1},
     1},
    {{.log = EVEN,
      .measure = loom_measure_users,
      .of = "activity",
      .with = "feedback=adjusted",
      .quick = 1},
     1},
    {{.log = EVEN,
      .measure = loom_measure_users,
      .of = "longest",
      .with = "feedback=adjusted",
      .quick = 1},
     1},
    /* statements about queues: with Z = 0 and one user, the server is always busy */
    {{.measure = loom_measure_queueing, .of = "batch-full"}, 1},
};

static void measures_give_what_is_worked_out(void **state)
{
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(table); i++) {
        const struct loom_claim *claim = &table[i].claim;
        struct loom_measured measured = {0};
        struct loom_error err = {0};
        int rc = claim->measure(&measured, place->bench, claim, &err);
        if (rc || fabs(measured.value - table[i].value) > 1e-6 * fmax(1, fabs(table[i].value)))
            fail_msg("%s (%s, %s): %.9g, not %.9g (%s)", claim->of, claim->with ? claim->with : "",
                     claim->cell ? claim->cell : "", measured.value, table[i].value, err.message);
    }
}

/* Statistics of runs and their intervals, worked out: Wilson's of 4 of 10; the median from the
 * second least to the second largest of 10, as fewer than 2 heads of 10 coins have 0.011 and fewer
 * than 3 have 0.055; no end for 5 runs, as no heads of 5 have 0.031. */
static void statistics_of_runs_have_intervals(void **state)
{
    static const double ten[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.1, 1.2, 1.3, 1.4};
    static const double six[] = {1, 2, 3, 4, 5, 6}, equal[] = {2, 2, 2};
    static const struct {
        const double *x;
        size_t n;
        const char *statistic;
        double value;
        bool has_interval;
        double low, high;
    } rows[] = {
        {ten, 10, "above", 0.4, true, 0.168180, 0.687326},
        {ten, 10, "median", 0.55, true, 0.2, 1.3},
        {six, 6, "median", 3.5, true, 1, 6},
        {six, 5, "median", 3, true, -INFINITY, INFINITY},
        {six, 6, "above", 5.0 / 6, true, 0.436499, 0.969947},
        {six, 6, "max", 6, false, 0, 0},
        {six, 6, "spread", 6, false, 0, 0},
        {equal, 3, "median", 2, false, 0, 0},
        {equal, 3, "above", 1, false, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct loom_measured out = {0};
        assert_int_equal(loom_runs_statistic(&out, rows[i].x, rows[i].n, rows[i].statistic, true,
                                             NULL),
                         0);
        bool right = fabs(out.value - rows[i].value) < 1e-6 && out.n == rows[i].n &&
                     out.has_interval == rows[i].has_interval;
        if (right && out.has_interval && isfinite(rows[i].low))
            right = fabs(out.low - rows[i].low) < 1e-5 && fabs(out.high - rows[i].high) < 1e-5;
        else if (right && out.has_interval)
            right = out.low == rows[i].low && out.high == rows[i].high;
        if (!right)
            fail_msg("row %zu: %g (%g to %g)", i, out.value, out.low, out.high);
    }
}

/* A replication that is saturated in the cell to divide by, or to subtract, is left out as well. */
static void saturated_runs_are_dropped_for_all_cells(void **state)
{
    static const char *const words[] = {"scheduler=fcfs", "load=0.1,1.5", "load-by=runtimes", NULL};
    static const struct loom_trial trial = {.name = "made-up-saturated",
                                            .words = words,
                                            .quick = 1,
                                            .full = 1};
    const struct place *place = *state;
    struct loom_claim claim = {.log = EVEN,
                               .measure = loom_measure_spread,
                               .of = "max:utilization",
                               .trial = &trial,
                               .cell = "load=0.1",
                               .with = "saturated=drop"};
    struct loom_measured out = {0};
    assert_int_equal(claim.measure(&out, place->bench, &claim, NULL), 0);
    claim.over = "load=1.5";
    assert_int_equal(claim.measure(&out, place->bench, &claim, NULL), LOOM_EDATA);
    claim.over = NULL;
    claim.minus = "load=1.5";
    assert_int_equal(claim.measure(&out, place->bench, &claim, NULL), LOOM_EDATA);
    claim.with = NULL;
    assert_int_equal(claim.measure(&out, place->bench, &claim, NULL), 0);
}

/* An extreme of fewer runs than the text has gets no upper end, unless the runs do not differ. */
static void few_runs_have_the_least_of_an_extreme(void **state)
{
    static const char *const drawn[] = {"scheduler=fcfs", "resample", NULL}, *const same[] = {
                                                                                 "scheduler=fcfs",
                                                                                 NULL};
    static const struct {
        struct loom_trial trial;
        const char *of;
        bool at_least;
    } rows[] = {
        {{.name = "few", .words = drawn, .quick = 3, .full = 9}, "max:utilization", true},
        {{.name = "few", .words = drawn, .quick = 3, .full = 9}, "spread:utilization", true},
        {{.name = "few", .words = drawn, .quick = 3, .full = 9}, "median:utilization", false},
        {{.name = "one", .words = drawn, .quick = 1, .full = 9}, "max:utilization", true},
        {{.name = "all", .words = drawn, .quick = 3, .full = 3}, "max:utilization", false},
        {{.name = "same", .words = same, .quick = 3, .full = 9}, "max:utilization", false},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct loom_claim claim = {.log = EVEN,
                                         .measure = loom_measure_spread,
                                         .of = rows[i].of,
                                         .trial = &rows[i].trial};
        struct loom_measured out = {0};
        assert_int_equal(claim.measure(&out, place->bench, &claim, NULL), 0);
        if ((out.has_interval && loom_is_at_least(out.value, out.low, out.high)) !=
            rows[i].at_least)
            fail_msg("row %zu: %g (%g to %g)", i, out.value, out.low, out.high);
    }
}

/* A measure without a number would share what is stored with others. */
static void a_measure_without_a_number_has_no_identity(void **state)
{
    const struct place *place = *state;
    const struct loom_claim claim = {.of = "jobs"};
    uint64_t hash = 0;
    assert_int_equal(loom_claim_identity(&hash, place->bench, "a/table-1", &claim, NULL, 1, NULL),
                     LOOM_EUSAGE);
}

static uint64_t identity_of(const struct place *place, const char *const *words,
                            const char *const *local)
{
    const struct loom_trial trial = {.name = "a", .words = words, .local = local, .quick = 1};
    const struct loom_claim claim = {.measure = loom_measure_trial, .of = "jobs", .trial = &trial};
    uint64_t hash = 0;
    assert_int_equal(loom_claim_identity(&hash, place->bench, "a/table-1", &claim, NULL, 1, NULL),
                     0);
    return hash;
}

/* All words of a trial count for the identity of a claim, however long, and local models too. */
static void all_of_a_trial_identifies_a_claim(void **state)
{
    const struct place *place = *state;
    static char text[5000];
    memset(text, 'x', sizeof text - 1);
    const char *const a[] = {text, "load=1", NULL}, *const b[] = {text, "load=2", NULL};
    const char *const joined[] = {text, "load=1", "local", NULL};
    const char *const local[] = {"local", NULL}, *const other[] = {"other", NULL};
    uint64_t first = identity_of(place, a, NULL);
    assert_true(first == identity_of(place, a, NULL));
    assert_false(first == identity_of(place, b, NULL));
    assert_false(first == identity_of(place, a, local));
    assert_false(identity_of(place, a, local) == identity_of(place, a, other));
    assert_false(identity_of(place, joined, NULL) == identity_of(place, a, local));
}

/* The same jobs twice are equally far from the log: the difference is 0 in every replication. */
static void a_model_is_not_nearer_than_itself(void **state)
{
    static const struct loom_claim claims[] = {
        {.log = EVEN,
         .measure = loom_measure_distance,
         .of = "runtime",
         .with = "model=uniform",
         .minus = "uniform",
         .quick = 3},
        {.log = EVEN,
         .measure = loom_measure_day,
         .of = "chi2",
         .with = "model=uniform",
         .minus = "uniform",
         .quick = 3},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(claims); i++) {
        struct loom_measured measured = {0};
        struct loom_error err = {0};
        if (claims[i].measure(&measured, place->bench, &claims[i], &err))
            fail_msg("%s: %s", claims[i].of, err.message);
        assert_true(measured.value == 0 && measured.low == 0 && measured.high == 0);
        assert_int_equal(measured.n, 3);
    }
}

/* A generated workload has the 504 jobs of the log it is fitted to, in every replication. */
static void a_model_generates_the_number_of_jobs(void **state)
{
    static const struct loom_claim claim = {.log = EVEN,
                                            .measure = loom_measure_model,
                                            .of = "jobs",
                                            .with = "model=uniform",
                                            .quick = 3};
    const struct place *place = *state;
    struct loom_measured measured = {0};
    assert_int_equal(claim.measure(&measured, place->bench, &claim, NULL), 0);
    assert_true(measured.value == 504 && measured.low == 504 && measured.high == 504);
}

/* Pareto samples with shape 1 have no mean: it falls at most samples, and rises by jumps. */
static void running_means_fall_and_jump(void **state)
{
    static const struct loom_claim falls = {.measure = loom_measure_running_mean,
                                            .of = "falls",
                                            .with = "shape=1",
                                            .quick = 4},
                                   jumps = {.measure = loom_measure_running_mean,
                                            .of = "jumps",
                                            .with = "shape=1",
                                            .quick = 4};
    const struct place *place = *state;
    struct loom_measured measured = {0};
    assert_int_equal(falls.measure(&measured, place->bench, &falls, NULL), 0);
    assert_true(measured.value > 0.8 && measured.value < 1);
    assert_int_equal(jumps.measure(&measured, place->bench, &jumps, NULL), 0);
    assert_true(measured.value > 3);
}

static void what_a_measure_does_not_know_is_refused(void **state)
{
    static const struct loom_claim claims[] = {
        {.log = SMALL, .measure = loom_measure_feature, .of = "no.such"},
        {.log = SMALL, .measure = loom_measure_table, .of = "runtime-cdf"},
        {.log = SMALL, .measure = loom_measure_fit, .of = "runtime"},
        {.log = SMALL, .measure = loom_measure_fit, .of = "runtime:normal:shape"},
        {.log = SMALL,
         .measure = loom_measure_prediction,
         .of = "no_such",
         .with = "predictor=requested"},
        {.log = SMALL, .measure = loom_measure_spread, .of = "wait_mean_s", .trial = &schedule},
        {.log = SMALL,
         .measure = loom_measure_trial,
         .of = "wait_mean_s",
         .trial = &schedule,
         .cell = "load=7"},
        {.log = EVEN, .measure = loom_measure_variant_distance, .of = "no.such", .quick = 1},
        {.log = EVEN, .measure = loom_measure_users, .of = "no such", .quick = 1},
        {.log = EVEN,
         .measure = loom_measure_distance,
         .of = "runtime",
         .with = "model=uniform",
         .minus = "uniform without nothing",
         .quick = 1},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(claims); i++) {
        struct loom_measured measured = {0};
        if (claims[i].measure(&measured, place->bench, &claims[i], NULL) != LOOM_EUSAGE)
            fail_msg("'%s' is not refused", claims[i].of);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(measures_give_what_is_worked_out, set_up, tear_down),
        cmocka_unit_test(statistics_of_runs_have_intervals),
        cmocka_unit_test_setup_teardown(saturated_runs_are_dropped_for_all_cells, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(few_runs_have_the_least_of_an_extreme, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_measure_without_a_number_has_no_identity, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(all_of_a_trial_identifies_a_claim, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_model_is_not_nearer_than_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_model_generates_the_number_of_jobs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(running_means_fall_and_jump, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_measure_does_not_know_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
