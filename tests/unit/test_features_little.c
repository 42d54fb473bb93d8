/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of logs that have little: no jobs, one, equal ones, nothing known, times at the ends. */
#include "job_rows.h"
#include "measured.h"

/* ---- logs that have little ------------------------------------------------------------------- */

static void test_no_jobs(void **state)
{
    (void)state;
    struct loom_features *features = measure(empty_trace());
    assert_complete(features);
    assert_missing(features, "runtime.mean_s", "there are no jobs");
    loom_features_destroy(features);
}

static void test_one_job(void **state)
{
    (void)state;
    static const struct row only = {0, 100, 1, 200, 1, 1, 1};
    struct loom_features *features = measure(log_of(&only, 1));
    assert_complete(features);
    assert_value(features, "jobs", 1, 0);
    assert_value(features, "span_s", 0, 0);
    assert_value(features, "runtime.mean_s", 100, 0);
    assert_missing(features, "load.offered", "all jobs arrive in the same second");
    assert_missing(features, "arrival.interarrival.mean_s", "there are fewer than two jobs");
    assert_missing(features, "runtime.cv", "fewer than two jobs have a runtime");
    assert_missing(features, "runtime.clusters",
                   "all runtimes are equal: there is nothing to cluster");
    assert_missing(features, "procs.pow2_fraction", "there are no parallel jobs");
    assert_missing(features, "spatial.entropy", "there are no parallel jobs");
    assert_missing(features, "corr.runtime_procs.pearson", "all runtimes or all sizes are equal");
    loom_features_destroy(features);
}

static void test_equal_jobs(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 1000; i++)
        append_row(trace, (struct row){i * 900, 50, 4, 50, 1, 1, 1});
    struct loom_features *features = measure(trace);
    assert_complete(features);
    assert_value(features, "arrival.interarrival.cv", 0, 0);
    assert_value(features, "arrival.rate900.zero_fraction", 0, 0);
    assert_value(features, "arrival.entropy.900", 1, 1e-12);
    assert_missing(features, "arrival.acf.day", "the arrival rate never changes");
    assert_value(features, "runtime.cv", 0, 0);
    assert_missing(features, "runtime.clusters",
                   "all runtimes are equal: there is nothing to cluster");
    assert_missing(features, "corr.runtime_procs.spearman", "all runtimes or all sizes are equal");
    assert_missing(features, "tail.runtime.hill",
                   "too few jobs of different runtimes are in the tail");
    assert_value(features, "parallelism.groups", 11, 0); /* 1 + log2 of 1,000, rounded */
    assert_value(features, "spatial.entropy", 0, 0);
    assert_value(features, "procs.pow2_fraction", 1, 0);
    assert_value(features, "estimate.at_limit_fraction", 1, 0);
    assert_value(features, "estimate.under_fraction", 0, 0);
    loom_features_destroy(features);
}

/* Jobs that know nothing but when they came. */
static void test_nothing_known(void **state)
{
    (void)state;
    static const struct row rows[] = {{0, -1, -1, -1, -1, -1, -1}, {9, -1, -1, -1, -1, -1, -1}};
    struct loom_features *features = measure(log_of(rows, 2));
    assert_complete(features);
    assert_missing(features, "users", "no job has a user ID");
    assert_missing(features, "groups", "no job has a group ID");
    assert_missing(features, "queues", "no job has a queue");
    assert_missing(features, "max_procs",
                   "the header does not give the machine's size; set MaxProcs");
    assert_missing(features, "load.offered", "no job knows both its runtime and processors");
    assert_missing(features, "runtime.mean_s", "no job has a runtime");
    assert_missing(features, "procs.mean", "no job has a processor count");
    assert_missing(features, "corr.runtime_procs.pearson", "no job has a processor count");
    assert_value(features, "estimate.known_fraction", 0, 0);
    assert_missing(features, "estimate.utilization", "no job has an estimate");
    assert_missing(features, "interactive.job_fraction", "no job has a queue");
    assert_missing(features, "tail.runtime.hill", "no job is known to have run for a second");
    assert_missing(features, "arrival.interarrival.cv", "there are fewer than three jobs");
    loom_features_destroy(features);
}

/* Times at the ends of what a column holds. */
static void test_extreme_times(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, 1, 1, 1, 1, 1, 1},
        {INT64_MAX / 4, INT64_MAX, INT32_MAX, INT64_MAX, INT32_MAX, 0, INT32_MAX},
        {INT64_MAX / 2, INT64_MAX, INT32_MAX, 1, 0, INT32_MAX, 0},
    };
    struct loom_trace *trace = log_of(rows, 3);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "9000000000000", NULL), 0);
    struct loom_features *features = measure(trace);
    assert_complete(features);
    assert_missing(features, "arrival.hurst.mean",
                   "the submit times span centuries; clean the log first");
    loom_features_destroy(features);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_jobs),       cmocka_unit_test(test_one_job),
        cmocka_unit_test(test_equal_jobs),    cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_extreme_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
