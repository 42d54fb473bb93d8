/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Features of jobs: arrivals, runtimes, sizes, estimates, interactive queues, and parts of them.
 * Every key is worked out by hand on a log small enough for that, in the comments; what cannot be
 * has the place of its number beside it.
 */
#include "job_rows.h"
#include "measured.h"

/* The template is compiled here, with what it calls renamed, so that a test can look at it. */
#define loom_put template_put
#define loom_put_missing template_put_missing
#define loom_put_rest_missing template_put_rest_missing
#include "features/template.c"

#include "features/sizeclass.h"
#include "features/tally.h"

/* ---- five jobs ------------------------------------------------------------------------------- */

/* Interarrival times are 900, 0, 900, 3600. */
static const struct row five[] = {
    {0, 100, 1, 200, 1, 1, 1},    {900, 0, 2, 100, 2, 1, 1},     {900, 200, 4, 100, 1, 1, 2},
    {1800, 400, 4, 400, 1, 2, 1}, {5400, 800, 3, 1000, 3, 2, 1},
};

static struct loom_trace *five_jobs(void)
{
    struct loom_trace *trace = log_of(five, COUNT(five));
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "10", NULL), 0);
    return trace;
}

/* Work is 100*1 + 0*2 + 200*4 + 400*4 + 800*3 = 4900 processor-seconds of 5400 s * 10. */
static void test_jobs(void **state)
{
    (void)state;
    static const struct wanted wanted[] = {
        {"jobs", 5},
        {"users", 3},
        {"groups", 2},
        {"queues", 2},
        {"max_procs", 10},
        {"span_s", 5400},
        {"load.offered", 4900.0 / 54000.0},
    };
    struct loom_features *features = measure(five_jobs());
    assert_values(features, wanted, COUNT(wanted), 1e-15);
    loom_features_destroy(features);
}

/* Interarrivals: mean 5400/4, deviations -450, -1350, -450, 2250, whose squares sum to 7290000, so
 * the variance is 2430000 and the cv sqrt(2430000)/1350 = 2/sqrt(3).
 * Intervals of 900 s: 1 2 1 0 0 0 1; of 1800 s: 3 1 0 1; of 3600 s: 4 1; of a day: 5. */
static void test_arrival(void **state)
{
    (void)state;
    const struct wanted wanted[] = {
        {"arrival.interarrival.mean_s", 1350},
        {"arrival.interarrival.median_s", 900},
        {"arrival.interarrival.cv", 2 / sqrt(3)},
        {"arrival.rate900.zero_fraction", 3.0 / 7},
        {"arrival.entropy.900", -(0.6 * log(0.2) + 0.4 * log(0.4)) / log(7)},
        {"arrival.entropy.1800", -(0.6 * log(0.6) + 0.4 * log(0.2)) / log(4)},
        {"arrival.entropy.3600", -(0.8 * log(0.8) + 0.2 * log(0.2)) / log(2)},
    };
    struct loom_features *features = measure(five_jobs());
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    assert_missing(features, "arrival.entropy.86400", "all jobs arrive within one interval");
    assert_missing(features, "arrival.acf.day", "the log is not longer than a day");
    assert_missing(features, "arrival.acf.week", "the log is not longer than a week");
    assert_missing(features, "arrival.hurst.mean",
                   "there are too few intervals of the rate process, or too few with arrivals, to "
                   "estimate it");
    loom_features_destroy(features);
}

/* Runtimes: deviations from 300 are -200, -300, -100, 100, 500, squares sum to 400000, so the
 * variance is 100000. */
static void test_runtime(void **state)
{
    (void)state;
    const struct wanted wanted[] = {
        {"runtime.mean_s", 300},
        {"runtime.median_s", 200},
        {"runtime.max_s", 800},
        {"runtime.cv", sqrt(100000) / 300},
    };
    struct loom_features *features = measure(five_jobs());
    assert_values(features, wanted, COUNT(wanted), 1e-15);
    loom_features_destroy(features);
}

/* Sizes 1, 2, 4, 4, 3: of the parallel ones three of four are powers of two. One job each wants 1,
 * 2 and 3 processors (label 1), two want 4 (label 2).
 * Pearson: deviations of sizes from 2.8 are -1.8, -0.8, 1.2, 1.2, 0.2; products with
 * runtimes sum to 700, squares to 6.8.
 * Spearman: ranks of runtimes are 2 1 3 4 5, of sizes 1 2 4.5 4.5 3; products of deviations sum to
 * 5.5, squares to 10 and 9.5.
 * Entropy: 100 s at 1 processor, 0 at 2, 800 at 3, 600 at 4. */
static void test_size(void **state)
{
    (void)state;
    const double p = 1.0 / 15, q = 8.0 / 15, r = 6.0 / 15;
    const struct wanted wanted[] = {
        {"procs.mean", 2.8},
        {"procs.median", 3},
        {"procs.serial_fraction", 0.2},
        {"procs.pow2_fraction", 0.75},
        {"parallelism.groups", 2},
        {"corr.runtime_procs.pearson", 700 / sqrt(400000 * 6.8)},
        {"corr.runtime_procs.spearman", 5.5 / sqrt(95)},
        {"spatial.entropy", -(p * log(p) + q * log(q) + r * log(r)) / log(4)},
    };
    struct loom_features *features = measure(five_jobs());
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    loom_features_destroy(features);
}

/* Runtime over estimate: 0.5, 0, 2, 1, 0.8. The third job's estimate is too low; the fourth ran up
 * to it. */
static void test_estimate(void **state)
{
    (void)state;
    static const struct wanted wanted[] = {
        {"estimate.known_fraction", 1},     {"estimate.utilization", 0.86},
        {"estimate.under_fraction", 0.2},   {"estimate.at_limit_fraction", 0.4},
        {"estimate.popular20_fraction", 1},
    };
    struct loom_features *features = measure(five_jobs());
    assert_values(features, wanted, COUNT(wanted), 1e-15);
    loom_features_destroy(features);
}

/* 30 jobs with different estimates, 10 more with the first one's, 20 without: the 20 most popular
 * are that one with 11 jobs and 19 others with one each, 30 of 40. */
static void test_popular_estimates(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 60; i++)
        append_row(trace, (struct row){i, 10, 1, i < 30 ? 600 + i : i < 40 ? 600 : -1, 1, 1, 1});
    struct loom_features *features = measure(trace);
    assert_value(features, "estimate.known_fraction", 40.0 / 60, 1e-15);
    assert_value(features, "estimate.popular20_fraction", 30.0 / 40, 1e-15);
    assert_value(features, "estimate.under_fraction", 0, 0);
    loom_features_destroy(features);
}

/* What a row does not know is left out of what needs it, and of nothing else. */
static void test_unknown_values_are_left_out(void **state)
{
    (void)state;
    struct loom_trace *trace = five_jobs();
    append_row(trace, (struct row){5400, -1, 8, 50, -1, -1, -1});
    append_row(trace, (struct row){5400, 70, -1, 0, -1, -1, -1});
    append_row(trace, (struct row){5400, -1, -1, -1, -1, -1, -1});
    struct loom_features *features = measure(trace);
    const double p = 1.0 / 15, q = 8.0 / 15, r = 6.0 / 15;
    const struct wanted wanted[] = {
        {"jobs", 8},
        {"users", 3},
        {"groups", 2},
        {"queues", 2},
        {"load.offered", 4900.0 / 54000.0},
        {"runtime.mean_s", 1570.0 / 6},
        {"runtime.median_s", 150},
        {"procs.mean", 22.0 / 6},
        {"procs.median", 3.5},
        {"procs.serial_fraction", 1.0 / 6},
        {"procs.pow2_fraction", 4.0 / 5},
        {"corr.runtime_procs.spearman", 5.5 / sqrt(95)},
        {"spatial.entropy", -(p * log(p) + q * log(q) + r * log(r)) / log(8)},
        {"estimate.known_fraction", 6.0 / 8},
        {"estimate.utilization", 0.86},
    };
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    loom_features_destroy(features);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static struct loom_trace *with_queues(const char *name)
{
    static const struct row rows[] = {
        {0, 10, 1, -1, 1, 1, 0},  {1, 30, 3, -1, 1, 1, 0},  {2, 100, 8, -1, 1, 1, 1},
        {3, 200, 2, -1, 1, 1, 1}, {4, 300, 2, -1, 1, 1, 2}, {5, 9999, 64, -1, 1, 1, -1},
    };
    struct loom_trace *trace = log_of(rows, COUNT(rows));
    if (name)
        assert_int_equal(loom_trace_set_name(trace, LOOM_QUEUE, 0, name, NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_QUEUE, 1, "batch", NULL), 0);
    return trace;
}

/* Two of the five jobs with a queue are interactive. */
static void test_interactive(void **state)
{
    (void)state;
    static const struct wanted wanted[] = {
        {"interactive.job_fraction", 0.4}, {"interactive.runtime.mean_s", 20},
        {"interactive.procs.mean", 2},     {"noninteractive.runtime.mean_s", 200},
        {"noninteractive.procs.mean", 4},
    };
    static const char *const names[] = {"interactive",
                                        "Interactive_small",
                                        "short-INTERACTIVE",
                                        "noon interactive",
                                        "non_x-interactive",
                                        "noninteractive_or_interactive",
                                        NULL};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_features *features = measure(with_queues(names[i]));
        assert_values(features, wanted, COUNT(wanted), 1e-15);
        loom_features_destroy(features);
    }
}

static void test_no_interactive(void **state)
{
    (void)state;
    static const char *const names[] = {"express",         "noninteractive",      "Non-Interactive",
                                        "NON_INTERACTIVE", "big-noninteractive2", "interactiv"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_features *features = measure(with_queues(names[i]));
        assert_missing(features, "interactive.job_fraction", "no queue is known to be interactive");
        loom_features_destroy(features);
    }
}

/* A queue that the header names counts, though no job is in it. */
static void test_empty_interactive_queue(void **state)
{
    (void)state;
    static const char *const names[] = {"interactive", "Interactive_small", "noninteractive"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_trace *trace = with_queues("express");
        assert_int_equal(loom_trace_set_name(trace, LOOM_QUEUE, 7, names[i], NULL), 0);
        struct loom_features *features = measure(trace);
        if (i < 2) {
            assert_value(features, "interactive.job_fraction", 0, 0);
            assert_missing(features, "interactive.runtime.mean_s", "no interactive job knows it");
        } else {
            assert_missing(features, "interactive.job_fraction",
                           "no queue is known to be interactive");
        }
        loom_features_destroy(features);
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void test_tally(void **state)
{
    (void)state;
    struct loom_tally tally = {0};
    for (int i = 0; i < 100000; i++)
        assert_int_equal(loom_tally_add(&tally, (int64_t)(i % 1000) << 40, 0.5, NULL), 0);
    assert_int_equal(loom_tally_add(&tally, INT64_MIN, 3, NULL), 0);
    assert_int_equal(tally.n, 1001);
    for (size_t i = 0; i < 1000; i++) {
        assert_true(tally.entries[i].value == (int64_t)i << 40);
        assert_int_equal(tally.entries[i].count, 100);
        assert_true(tally.entries[i].weight == 50);
    }
    assert_true(tally.entries[1000].value == INT64_MIN && tally.entries[1000].weight == 3);
    loom_tally_free(&tally);
}

static void test_size_classes(void **state)
{
    (void)state;
    static const int64_t run_s[] = {5, 40, 3, 7, -1, 9, 8, 6};
    static const int32_t procs[] = {1, 3, 1, 4, 2, 5, INT32_MAX, -1};
    struct loom_workload jobs = {.n = COUNT(run_s), .run_s = run_s, .procs = procs};
    struct loom_size_classes classes;
    assert_int_equal(loom_size_classes_create(&classes, &jobs, NULL), 0);
    assert_int_equal(classes.n, 6);
    static const struct {
        int32_t low, high;
        size_t n;
        double first, last;
    } wanted[] = {{1, 1, 2, 3, 5}, {2, 2, 0, 0, 0}, {3, 4, 2, 7, 40}, {5, 8, 1, 9, 9}};
    for (size_t k = 0; k < COUNT(wanted); k++) {
        const struct loom_size_class *class = &classes.classes[k];
        assert_int_equal(class->low, wanted[k].low);
        assert_int_equal(class->high, wanted[k].high);
        assert_int_equal(class->n, wanted[k].n);
        assert_true(!class->n || (class->runtimes[0] == wanted[k].first &&
                                  class->runtimes[class->n - 1] == wanted[k].last));
    }
    assert_int_equal(classes.classes[31].n, 1);
    assert_int_equal(classes.classes[31].high, INT32_MAX);
    loom_size_classes_free(&classes);
}

/* ---- the template ---------------------------------------------------------------------------- */

struct loom_results {
    const char *keys[4];
    double values[4];
    size_t n;
    const char *reason;
};

void loom_put(struct loom_results *results, const char *key, double value)
{
    results->keys[results->n] = key;
    results->values[results->n++] = value;
}

void loom_put_missing(struct loom_results *results, const char *key, const char *reason)
{
    (void)key;
    results->reason = reason;
}

void loom_put_rest_missing(struct loom_results *results, const char *reason)
{
    results->reason = reason;
}

/* Waits 0, 30, unknown, 0. */
static void test_template(void **state)
{
    (void)state;
    static const int64_t wait_s[] = {0, 30, -1, 0};
    struct loom_workload jobs = {.n = COUNT(wait_s), .wait_s = wait_s};
    struct loom_results results = {.n = 0};
    assert_string_equal(loom_family_template.name, "template");
    assert_int_equal(loom_family_template.compute(&jobs, &results, NULL), 0);
    assert_int_equal(results.n, 2);
    for (size_t i = 0; i < results.n; i++)
        assert_string_equal(results.keys[i], loom_family_template.keys[i].key);
    assert_null(loom_family_template.keys[results.n].key);
    assert_true(results.values[0] == 10);
    assert_true(results.values[1] == 2.0 / 3);
    results = (struct loom_results){.n = 0};
    jobs.n = 0;
    assert_int_equal(loom_family_template.compute(&jobs, &results, NULL), 0);
    assert_int_equal(results.n, 0);
    assert_string_equal(results.reason, "no job has a wait");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_arrival),
        cmocka_unit_test(test_runtime),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_popular_estimates),
        cmocka_unit_test(test_unknown_values_are_left_out),
        cmocka_unit_test(test_interactive),
        cmocka_unit_test(test_no_interactive),
        cmocka_unit_test(test_empty_interactive_queue),
        cmocka_unit_test(test_tally),
        cmocka_unit_test(test_size_classes),
        cmocka_unit_test(test_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
