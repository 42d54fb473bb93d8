/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dictionary as a whole: its keys, every key with a value or a reason, any number of threads;
 * and samples of jobs with the distributions ranked for them. */
#include "ranked.h"
#include "support.h"

#include <workloom/features.h>
#include <workloom/stats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Others rely on these names. D stands for each of five distributions, M for each session method.
 */
static const char *const fixed[] = {
    "jobs",
    "users",
    "groups",
    "queues",
    "max_procs",
    "span_s",
    "load.offered",
    "arrival.interarrival.mean_s",
    "arrival.interarrival.median_s",
    "arrival.interarrival.cv",
    "arrival.rate900.zero_fraction",
    "arrival.hurst.aggvar",
    "arrival.hurst.rs",
    "arrival.hurst.periodogram",
    "arrival.hurst.mean",
    "arrival.hurst.sd",
    "arrival.hurst.pox",
    "arrival.acf.day",
    "arrival.acf.week",
    "arrival.entropy.900",
    "arrival.entropy.1800",
    "arrival.entropy.3600",
    "arrival.entropy.86400",
    "cycle.daily.gamma.shape",
    "cycle.daily.gamma.scale",
    "runtime.mean_s",
    "runtime.median_s",
    "runtime.cv",
    "runtime.max_s",
    "procs.mean",
    "procs.median",
    "procs.serial_fraction",
    "procs.pow2_fraction",
    "corr.runtime_procs.pearson",
    "corr.runtime_procs.spearman",
    "corr.week.weeks",
    "corr.week.predicted",
    "spatial.entropy",
    "runtime.clusters",
    "parallelism.groups",
    "locality.runlength.alpha",
    "locality.runlength.mean",
    "locality.stack.runtime",
    "locality.stack.estimate",
    "locality.stack.procs",
    "locality.bins16.runtime",
    "locality.bins16.estimate",
    "locality.bins16.procs",
    "bot.count",
    "bot.job_fraction",
    "bot.size.mean",
    "bot.size.max",
    "bot.size.alpha",
    "bot.runtime.cv_mean",
    "bot.runtime.mean_s",
    "bot.duration.p99_s",
    "bot.occupation_fraction",
    "bot.wait_fraction",
    "bot.estimate_utilization",
    "bot.corr.size_runtime",
    "bot.corr.size_procs",
    "bot.corr.size_estimate",
    "bot.interarrival.mean_s",
    "bot.interarrival.cv",
    "bot.interarrival.fit.gp.shape",
    "bot.interarrival.fit.gp.scale",
    "bot.interarrival.fit.gp.ks",
    "bot.interarrival.fit.weibull.shape",
    "bot.interarrival.fit.weibull.scale",
    "bot.interarrival.fit.weibull.ks",
    "bot.interarrival.fit.lognormal.mu",
    "bot.interarrival.fit.lognormal.sigma",
    "bot.interarrival.fit.lognormal.ks",
    "bot.interarrival.fit.gamma.shape",
    "bot.interarrival.fit.gamma.scale",
    "bot.interarrival.fit.gamma.ks",
    "bot.interarrival.fit.exponential.mean",
    "bot.interarrival.fit.exponential.ks",
    "bot.hurst.mean",
    "session.arrival.count",
    "session.arrival.batches",
    "session.last.count",
    "session.last.batches",
    "session.max.count",
    "session.max.batches",
    "session.last_cut.count",
    "session.last_cut.batches",
    "session.max_cut.count",
    "session.max_cut.batches",
    "session.arrival.jobs_mean",
    "session.arrival.length_mean_s",
    "session.arrival.single_job_fraction",
    "batch.single_job_fraction",
    "user.long_term.count",
    "user.long_term.jobs",
    "user.temporary.count",
    "user.temporary.jobs",
    "user.discarded.count",
    "similarity.procs.d0_larger",
    "similarity.procs.d0_equal",
    "similarity.procs.d1_larger",
    "similarity.procs.d1d2_larger",
    "similarity.estimate.d0_larger",
    "similarity.estimate.d0_equal",
    "similarity.estimate.d1_larger",
    "similarity.estimate.d1d2_larger",
    "similarity.runtime.d0_larger",
    "similarity.runtime.d0_equal",
    "similarity.runtime.d1_larger",
    "similarity.runtime.d1d2_larger",
    "estimate.known_fraction",
    "estimate.utilization",
    "estimate.under_fraction",
    "tail.runtime.llcd_slope",
    "tail.runtime.aggregated_slope",
};

static void test_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fixed); i++) {
        const struct loom_feature_info *info;
        size_t k = 0;
        while ((info = loom_feature_info_at(k)) && strcmp(info->key, fixed[i]) != 0)
            k++;
        if (!info)
            fail_msg("%s is not in the dictionary", fixed[i]);
    }
    for (size_t i = 0; loom_feature_info_at(i); i++) {
        const struct loom_feature_info *info = loom_feature_info_at(i);
        assert_true(info->meaning && *info->meaning && info->unit && info->source);
        for (size_t k = 0; k < i; k++)
            if (strcmp(loom_feature_info_at(k)->key, info->key) == 0)
                fail_msg("%s is there twice", info->key);
    }
}

/* ---- any log -----------------------------------------------------------------------------------
 */

static void check_all(const struct loom_trace *trace)
{
    struct loom_features *features = NULL;
    struct loom_error err = {0};
    if (loom_features_create(&features, trace, NULL, NULL, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        if (feature->known
                ? !isfinite(feature->value)
                : !feature->reason || strcmp(feature->reason, "it was not computed") == 0)
            fail_msg("%s has neither value nor reason", feature->info->key);
    }
    assert_null(loom_features_find(features, "no.such.key"));
    loom_features_destroy(features);
}

/* A log of n jobs made by one of several unkind habits. */
static struct loom_trace *unkind(size_t n, int habit, struct loom_stream *stream)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i;
        job.submit_s = habit == 1 ? 7 : (int64_t)(loom_stream_below(stream, 1000000));
        job.run_s = habit == 2 ? 60 : habit == 3 ? -1 : (int64_t)loom_stream_below(stream, 5000);
        job.wait_s = habit == 4 ? -1 : (int64_t)loom_stream_below(stream, 500);
        job.alloc_procs = habit == 5 ? -1 : 1 + (int32_t)loom_stream_below(stream, 64);
        job.user = habit == 6 ? -1 : (int32_t)loom_stream_below(stream, 7);
        job.request_s = habit == 7 ? -1 : job.run_s * 2 + 1;
        if (habit == 8)
            job = any_job(stream);
        if (habit == 8) /* a log that spans centuries is refused, and that is another test */
            job.submit_s = (int64_t)loom_stream_below(stream, 1000000);
        append(trace, job);
    }
    return trace;
}

/* Meanings of features that a definition changes give its usual value as a default only. */
static void test_meanings_hold_under_other_definitions(void **state)
{
    static const char *const usual[] = {"900 s", "100 s", "60 minutes", "20 minutes"};
    const struct loom_definitions other = {.bag_gap_s = 60,
                                           .rate_interval_s = 3600,
                                           .session_method = LOOM_SESSION_MAX_CUT,
                                           .session_gap_s = 1800,
                                           .session_cut_s = 2700};
    const struct loom_feature_info *info;
    size_t changed = 0;
    (void)state;
    for (size_t i = 0; (info = loom_feature_info_at(i)); i++) {
        char note[256];
        if (!*loom_definitions_note(&other, info->key, note, sizeof note))
            continue;
        changed++;
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            if (strstr(info->meaning, usual[k]) && !strstr(info->meaning, "(default"))
                fail_msg("%s: %s", info->key, info->meaning);
    }
    assert_true(changed > 30);
}

static void test_unkind_logs(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "unkind");
    static const size_t sizes[] = {0, 1, 2, 3, 10, 400};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int habit = 0; habit <= 8; habit++) {
            struct loom_trace *trace = unkind(sizes[i], habit, &stream);
            check_all(trace);
            loom_trace_destroy(trace);
        }
}

static void test_empty_log_has_no_jobs(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_features *features = NULL;
    assert_int_equal(loom_features_create(&features, trace, NULL, NULL, NULL), 0);
    assert_true(loom_features_find(features, "jobs")->known);
    assert_true(loom_features_find(features, "jobs")->value == 0);
    assert_string_equal(loom_features_find(features, "runtime.mean_s")->reason,
                        "there are no jobs");
    loom_features_destroy(features);
    loom_trace_destroy(trace);
}

static void test_order_of_rows_and_threads(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 2, 0, "order");
    struct loom_trace *trace = unkind(500, 0, &stream), *sorted = empty_trace();
    uint32_t *rows = NULL;
    assert_int_equal(loom_trace_order(&rows, trace, NULL), 0);
    for (size_t i = 0; i < 500; i++)
        append(sorted, loom_trace_job(trace, rows[i]));
    struct loom_features *one = NULL, *two = NULL;
    struct loom_pool *pool = NULL;
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    assert_int_equal(loom_features_create(&one, trace, NULL, NULL, NULL), 0);
    assert_int_equal(loom_features_create(&two, sorted, pool, NULL, NULL), 0);
    for (size_t i = 0; i < loom_features_count(one); i++) {
        const struct loom_feature *a = loom_features_at(one, i), *b = loom_features_at(two, i);
        assert_int_equal(a->known, b->known);
        if (a->known && a->value != b->value)
            fail_msg("%s: %.17g and %.17g", a->info->key, a->value, b->value);
    }
    loom_features_destroy(one);
    loom_features_destroy(two);
    loom_pool_destroy(pool);
    free(rows);
    loom_trace_destroy(sorted);
    loom_trace_destroy(trace);
}

/* ---- samples and their ranking -----------------------------------------------------------------
 */

static void test_values(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    static const int64_t submits[] = {30, 10, 20, 60}, runs[] = {5, -1, 0, 7},
                         waits[] = {1, 2, -1, 0};
    for (size_t i = 0; i < 4; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = submits[i];
        job.run_s = runs[i];
        job.wait_s = waits[i];
        job.alloc_procs = (int32_t)i;
        job.request_s = i == 3 ? 100 : 0;
        append(trace, job);
    }
    static const struct {
        const char *what;
        size_t n;
        double values[4];
    } cases[] = {
        {"runtime", 3, {0, 5, 7}}, {"procs", 3, {1, 2, 3}}, {"interarrival", 3, {10, 10, 30}},
        {"work", 2, {0, 21}},      {"wait", 3, {2, 1, 0}},  {"estimate", 1, {100}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double *values = NULL;
        size_t n = 0;
        assert_int_equal(loom_values_of(&values, &n, trace, cases[i].what, NULL), 0);
        assert_int_equal(n, cases[i].n);
        for (size_t k = 0; k < n; k++)
            assert_true(values[k] == cases[i].values[k]);
        free(values);
    }
    double *values = NULL;
    size_t n;
    assert_int_equal(loom_values_of(&values, &n, trace, "colour", NULL), LOOM_EUSAGE);
    loom_trace_destroy(trace);
}

/* Values drawn from a gamma of shape 3 are fitted well by it, and badly by an exponential. */
static void test_ranking(void **state)
{
    (void)state;
    enum { N = 5000 };
    const double params[] = {3, 100};
    struct loom_dist gamma;
    struct loom_stream stream;
    static double x[N];
    assert_int_equal(loom_dist_init(&gamma, "gamma", params, 2, NULL), 0);
    loom_stream_init(&stream, 3, 0, "ranking");
    for (size_t i = 0; i < N; i++)
        x[i] = loom_dist_sample(&gamma, &stream.gsl);
    struct loom_rounded values = {.n = N, .x = x, .low = x, .high = x}; /* exact */
    struct loom_ranked *items = NULL, *again = NULL;
    struct loom_pool *pool = NULL;
    size_t n = 0, m = 0;
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL), 0);
    assert_int_equal(loom_rank_fits(&again, &m, &values, LOOM_FIT_LIKELIHOOD, 1, pool, NULL), 0);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(items[i].name, again[i].name);
        assert_true(items[i].share_passed[0] == again[i].share_passed[0]);
        if (i > 0 && items[i].fitted && items[i].fit.converged && !items[i].fit.dist.ops->discrete)
            assert_true(items[i - 1].fit.converged && items[i - 1].rank <= items[i].rank);
    }
    const struct loom_ranked *good = find_ranked(items, n, "gamma");
    const struct loom_ranked *bad = find_ranked(items, n, "exponential");
    assert_true(good->goodness.ks < 0.02 && good->share_passed[1] > 0.85);
    assert_true(bad->goodness.ks > 0.15 && bad->share_passed[0] < 0.3);
    assert_false(find_ranked(items, n, "beta")->fitted);
    assert_true(*find_ranked(items, n, "beta")->reason);
    free(items);
    free(again);
    loom_pool_destroy(pool);
    values.n = 50;
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL),
                     0); /* a small sample too */
    assert_true(find_ranked(items, n, "gamma")->fitted);
    free(items);
    values.n = 1;
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL),
                     LOOM_EDATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_meanings_hold_under_other_definitions),
        cmocka_unit_test(test_unkind_logs),
        cmocka_unit_test(test_empty_log_has_no_jobs),
        cmocka_unit_test(test_order_of_rows_and_threads),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_ranking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
