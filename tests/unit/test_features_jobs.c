/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Features of jobs: arrivals, cycles, runtimes, sizes, estimates, tails, interactive queues. Every
 * key is worked out by hand on a log small enough for that, in the comments; what cannot be has
 * the place of its number beside it.
 */
#include "support.h"

/* The template is compiled here, with what it calls renamed, so that a test can look at it. */
#define loom_put template_put
#define loom_put_missing template_put_missing
#define loom_put_rest_missing template_put_rest_missing
#include "features/template.c"

#include "features/sizeclass.h"
#include "features/tally.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <workloom/stats.h>

/* ---- logs and features ----------------------------------------------------------------------- */

struct row {
    int64_t submit_s, run_s;
    int32_t procs;
    int64_t estimate_s;
    int32_t user, group, queue;
};

static void append_row(struct loom_trace *trace, struct row row)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = row.submit_s;
    job.run_s = row.run_s;
    job.req_procs = row.procs;
    job.req_time_s = row.estimate_s;
    job.user = row.user;
    job.group = row.group;
    job.queue = row.queue;
    append(trace, job);
}

static struct loom_trace *log_of(const struct row *rows, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++)
        append_row(trace, rows[i]);
    return trace;
}

static struct loom_features *features_of(const struct loom_trace *trace)
{
    struct loom_features *features = NULL;
    struct loom_error err = {0};
    if (loom_features_create(&features, trace, NULL, NULL, &err))
        fail_msg("%s", err.message);
    return features;
}

/* The features of a log that is not needed any more. */
static struct loom_features *measure(struct loom_trace *trace)
{
    struct loom_features *features = features_of(trace);
    loom_trace_destroy(trace);
    return features;
}

static double value_of(const struct loom_features *features, const char *key)
{
    const struct loom_feature *feature = loom_features_find(features, key);
    if (!feature)
        fail_msg("there is no key %s", key);
    if (!feature->known)
        fail_msg("%s is missing: %s", key, feature->reason);
    return feature->value;
}

static void assert_value(const struct loom_features *features, const char *key, double wanted,
                         double relative)
{
    double got = value_of(features, key);
    if (!(fabs(got - wanted) <= relative * fabs(wanted) + 1e-300))
        fail_msg("%s is %.17g, not %.17g", key, got, wanted);
}

static void assert_missing(const struct loom_features *features, const char *key,
                           const char *reason)
{
    const struct loom_feature *feature = loom_features_find(features, key);
    if (!feature)
        fail_msg("there is no key %s", key);
    if (feature->known)
        fail_msg("%s is %g, and should be missing", key, feature->value);
    assert_string_equal(feature->reason, reason);
}

struct wanted {
    const char *key;
    double value;
};

static void assert_values(const struct loom_features *features, const struct wanted *wanted,
                          size_t n, double relative)
{
    for (size_t i = 0; i < n; i++)
        assert_value(features, wanted[i].key, wanted[i].value, relative);
}

/* Every key has a finite value or a reason of its family's. */
static void assert_complete(const struct loom_features *features)
{
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        if (feature->known ? !isfinite(feature->value) : !feature->reason || !*feature->reason)
            fail_msg("%s has neither a value nor a reason", feature->info->key);
        if (!feature->known && strcmp(feature->reason, "it was not computed") == 0)
            fail_msg("%s was forgotten by its family", feature->info->key);
    }
}

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
    assert_missing(
        features, "arrival.hurst.mean",
        "there are too few intervals of 900 s, or too few with arrivals, to estimate it");
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
 * Pearson: deviations of sizes from 2.8 are -1.8, -0.8, 1.2, 1.2, 0.2; products with those of
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

/* ---- the rate process ------------------------------------------------------------------------ */

/* Two jobs k intervals of 900 s apart: of k + 1 counts two are 1, the others 0. With the counts'
 * mean m = 2/(k+1), times k + 1, deviations are k - 1 and -2: at lag k only the two jobs meet,
 * (k-1)^2 / (2 (k-1)^2 + 4 (k-1)). For k = 672 at lag 96, 575 pairs are of empty intervals and
 * two of a job and an empty one: 575 * 4 - 2 * 2 * 671 = -384. */
static void test_acf(void **state)
{
    (void)state;
    static const struct row day[] = {{0, 1, 1, -1, 1, 1, 1}, {86400, 1, 1, -1, 1, 1, 1}};
    static const struct row week[] = {{50, 1, 1, -1, 1, 1, 1}, {604850, 1, 1, -1, 1, 1, 1}};
    struct loom_features *features = measure(log_of(day, 2));
    assert_value(features, "arrival.acf.day", 9025.0 / 18430, 1e-9);
    assert_missing(features, "arrival.acf.week", "the log is not longer than a week");
    assert_value(features, "arrival.rate900.zero_fraction", 95.0 / 97, 1e-15);
    loom_features_destroy(features);
    features = measure(log_of(week, 2));
    assert_value(features, "arrival.acf.week", 450241.0 / 903166, 1e-9);
    assert_value(features, "arrival.acf.day", -384.0 / 903166, 1e-6);
    assert_value(features, "arrival.entropy.86400", log(2) / log(8), 1e-15);
    loom_features_destroy(features);
}

/* Poisson arrivals, 8 an interval on average: no long-range dependence. */
static struct loom_trace *poisson(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "arrivals of a test");
    double t = 0;
    for (size_t i = 0; i < n; i++) {
        t -= 900.0 / 8 * log(1 - loom_stream_uniform(&stream));
        append_row(trace, (struct row){(int64_t)t, 60, 1, -1, 1, 1, 1});
    }
    return trace;
}

static void test_hurst(void **state)
{
    (void)state;
    static const char *const averaged[] = {"arrival.hurst.aggvar", "arrival.hurst.rs",
                                           "arrival.hurst.periodogram"};
    static const char *const others[] = {"arrival.hurst.pox", "arrival.hurst.wavelet",
                                         "arrival.hurst.whittle"};
    struct loom_features *features = measure(poisson(40000));
    double h[3], mean = 0, squares = 0;
    for (int i = 0; i < 3; i++) {
        h[i] = value_of(features, averaged[i]);
        mean += h[i] / 3;
        assert_value(features, averaged[i], 0.5, 0.25);
        assert_value(features, others[i], 0.5, 0.25);
    }
    for (int i = 0; i < 3; i++)
        squares += (h[i] - mean) * (h[i] - mean);
    assert_value(features, "arrival.hurst.mean", mean, 1e-14);
    assert_value(features, "arrival.hurst.sd", sqrt(squares / 2), 1e-12);
    double whittle = value_of(features, "arrival.hurst.whittle");
    assert_true(value_of(features, "arrival.hurst.whittle.low") < whittle);
    assert_true(value_of(features, "arrival.hurst.whittle.high") > whittle);
    assert_true(value_of(features, "arrival.hurst.wavelet.low") <
                value_of(features, "arrival.hurst.wavelet.high"));
    /* A Poisson process has a cv of 1; 40000 gaps tell it to about 1 %. */
    assert_value(features, "arrival.interarrival.cv", 1, 0.03);
    assert_value(features, "arrival.interarrival.mean_s", 112.5, 0.03);
    loom_features_destroy(features);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* Two weeks from Monday 1970-01-05, one hour east of UTC: each day a job at 10:15, on working days
 * another at 14:45. */
static struct loom_trace *two_weeks(void)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "342000", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "TimeZone", "3600", NULL), 0);
    for (int64_t day = 0; day < 14; day++) {
        append_row(trace, (struct row){day * 86400 + 36900, 60, 1, -1, 1, 1, 1});
        if (day % 7 < 5)
            append_row(trace, (struct row){day * 86400 + 53100, 60, 1, -1, 1, 1, 1});
    }
    return trace;
}

/* 13 days from the first submit to the last, of which the first weekend has 2, the second 1 and 10
 * hours and a quarter. The gamma is the maximum likelihood fit to 14 values of 20.5 and 10 of 29.5
 * half hours (root of log k - digamma(k) = log mean - mean log, SciPy). */
static void test_cycle(void **state)
{
    (void)state;
    double weekend = 3 + 10.25 / 24, others = 13 - weekend;
    struct loom_features *features = measure(two_weeks());
    assert_value(features, "cycle.peak_hour", 10, 0);
    assert_value(features, "cycle.weekend_ratio", 4 / weekend / (20 / others), 1e-14);
    assert_value(features, "cycle.daily.gamma.shape", 30.766460183339, 1e-7);
    assert_value(features, "cycle.daily.gamma.scale", 0.78819597235083, 1e-7);
    loom_features_destroy(features);
}

/* 1:10 in the night belongs to the day before: 14 values of 20.5 and 10 of 50.5. */
static void test_the_day_starts_at_five(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "345600", NULL), 0);
    for (int i = 0; i < 24; i++)
        append_row(trace, (struct row){i < 10 ? 4200 : 36900, 60, 1, -1, 1, 1, 1});
    struct loom_features *features = measure(trace);
    assert_value(features, "cycle.daily.gamma.shape", 5.139070296847383, 1e-7);
    assert_value(features, "cycle.daily.gamma.scale", 6.421394939906581, 1e-7);
    assert_value(features, "cycle.peak_hour", 10, 0);
    assert_missing(features, "cycle.weekend_ratio", "the log is shorter than a week");
    loom_features_destroy(features);
}

static void test_no_clock(void **state)
{
    (void)state;
    static const char *const starts[] = {NULL, "0", "-1"};
    for (size_t i = 0; i < COUNT(starts); i++) {
        struct loom_trace *trace = five_jobs();
        if (starts[i])
            assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", starts[i], NULL), 0);
        struct loom_features *features = measure(trace);
        assert_missing(features, "cycle.peak_hour",
                       "the header does not say when the log starts (UnixStartTime), so hours are "
                       "not known");
        loom_features_destroy(features);
    }
}

/* ---- kinds of runtimes ----------------------------------------------------------------------- */

/* Runtimes around e^8 and around e^11 s, in repetitions of 4 2 3 1 1 1 2 1 1 1, that over and over:
 * the Zipf exponent of these lengths is the root of -zeta'(a)/zeta(a) = mean log length, by SciPy.
 */
static void test_locality(void **state)
{
    (void)state;
    static const int lengths[] = {4, 2, 3, 1, 1, 1, 2, 1, 1, 1};
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "runtimes of a test");
    int64_t job = 0;
    for (int round = 0; round < 20; round++)
        for (size_t k = 0; k < COUNT(lengths); k++)
            for (int i = 0; i < lengths[k]; i++, job++) {
                double log_run = (k % 2 ? 11 : 8) + gsl_ran_gaussian(&stream.gsl, 0.3);
                append_row(trace, (struct row){job * 60, llround(exp(log_run)), 1, -1, 1, 1, 1});
            }
    struct loom_features *features = measure(trace);
    assert_value(features, "runtime.clusters", 2, 0);
    assert_value(features, "locality.runlength.mean", 1.7, 1e-15);
    assert_value(features, "locality.runlength.alpha", 2.269442439955951, 1e-6);
    loom_features_destroy(features);
}

/* Jobs whose runtimes are 60, 120, ... s in turn: `different` of them. */
static struct loom_features *runtimes_in_turn(int different)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 300; i++)
        append_row(trace, (struct row){i * 60, 60 * (1 + i % different), 1, -1, 1, 1, 1});
    return measure(trace);
}

/* A mixture with a component on each runtime fits without limit: no wrong number is given. */
static void test_few_different_runtimes(void **state)
{
    (void)state;
    static const char few[] =
        "there are at most 20 different runtimes: too few to tell the number of clusters by BIC";
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 300; i++)
        append_row(trace, (struct row){i * 60, i % 2 ? 1 : 1000000, 1, -1, 1, 1, 1});
    struct loom_features *features = measure(trace);
    assert_complete(features);
    assert_missing(features, "runtime.clusters", few);
    assert_missing(features, "locality.runlength.mean", few);
    assert_missing(features, "locality.runlength.alpha", few);
    assert_value(features, "runtime.max_s", 1000000, 0);
    loom_features_destroy(features);
    features = runtimes_in_turn(20);
    assert_missing(features, "runtime.clusters", few);
    loom_features_destroy(features);
    features = runtimes_in_turn(21);
    assert_complete(features);
    assert_true(value_of(features, "runtime.clusters") >= 1);
    loom_features_destroy(features);
}

/* ---- tails ----------------------------------------------------------------------------------- */

enum { TAIL_JOBS = 20000 };

/* Jobs whose runtimes are the quantiles of a distribution, at random. */
static struct loom_trace *spread(double (*quantile)(double above))
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    int64_t runtimes[TAIL_JOBS];
    loom_stream_init(&stream, 1, 0, "tail of a test");
    for (size_t i = 0; i < TAIL_JOBS; i++) {
        size_t j = loom_stream_below(&stream, i + 1);
        runtimes[i] = runtimes[j];
        runtimes[j] = llround(quantile(((double)i + 0.5) / TAIL_JOBS));
    }
    for (size_t i = 0; i < TAIL_JOBS; i++)
        append_row(trace, (struct row){(int64_t)i, runtimes[i], 1, -1, 1, 1, 1});
    return trace;
}

/* P(X > x) = (1000 / x)^1.5 */
static double pareto(double above)
{
    return 1000 * pow(above, -1 / 1.5);
}

static double exponential(double above)
{
    return -10000 * log(above);
}

/* The largest share p of the jobs has p^(1/3) of the runtime: half of it in 1/8; the shorter half
 * of the jobs has 1 - 2^(-1/3); and p = 1 - p^(1/3) at p = 0.3177. The sample ends where the
 * distribution does not, which takes a few percent off. */
static void test_heavy_tail(void **state)
{
    (void)state;
    struct loom_features *features = measure(spread(pareto));
    assert_value(features, "tail.runtime.llcd_slope", -1.5, 0.03);
    assert_value(features, "tail.runtime.hill", 1.5, 0.03);
    assert_value(features, "tail.runtime.power.alpha", 2.5, 0.03);
    assert_true(value_of(features, "tail.runtime.power.xmin") >= 1000);
    assert_true(value_of(features, "tail.runtime.aggregated_slope") > -1.5 * 1.5);
    assert_value(features, "tail.runtime.n_half", 0.125, 0.15);
    assert_value(features, "tail.runtime.w_half", 0.2063, 0.1);
    assert_value(features, "tail.runtime.joint_ratio", 31.77, 0.05);
    loom_features_destroy(features);
}

/* Adding up makes the line steeper: at least twice as steep where that of the heavy tail keeps its
 * slope, roughly (sums of ten still remember where their terms began). The shorter half of the jobs
 * has (1 - log 2) / 2 of the runtime, by integrating -log(u) over 1/2 < u < 1. */
static void test_light_tail(void **state)
{
    (void)state;
    struct loom_features *features = measure(spread(exponential));
    assert_true(value_of(features, "tail.runtime.aggregated_slope") <
                2 * value_of(features, "tail.runtime.llcd_slope"));
    assert_value(features, "tail.runtime.w_half", (1 - log(2)) / 2, 0.001);
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

/* A queue that the header names tells, though no job is in it. */
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
    struct loom_features *features = measure(log_of(five, 1));
    assert_complete(features);
    assert_value(features, "jobs", 1, 0);
    assert_value(features, "span_s", 0, 0);
    assert_value(features, "runtime.mean_s", 100, 0);
    assert_missing(features, "load.offered", "all jobs arrive in the same second");
    assert_missing(features, "arrival.interarrival.mean_s", "there are fewer than two jobs");
    assert_missing(features, "runtime.cv", "fewer than two jobs know their runtime");
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
    assert_value(features, "parallelism.groups", 1, 0);
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
    assert_missing(features, "users", "no job knows its user");
    assert_missing(features, "groups", "no job knows its group");
    assert_missing(features, "queues", "no job knows its queue");
    assert_missing(
        features, "max_procs",
        "the header does not give the machine's size (MaxProcs); state it with --max-procs");
    assert_missing(features, "load.offered", "no job knows both its runtime and processors");
    assert_missing(features, "runtime.mean_s", "no job knows its runtime");
    assert_missing(features, "procs.mean", "no job knows its processors");
    assert_missing(features, "corr.runtime_procs.pearson", "no job knows its processors");
    assert_value(features, "estimate.known_fraction", 0, 0);
    assert_missing(features, "estimate.utilization", "no job has an estimate");
    assert_missing(features, "interactive.job_fraction", "no job knows its queue");
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
    assert_string_equal(results.reason, "no job knows its wait");
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
        cmocka_unit_test(test_acf),
        cmocka_unit_test(test_hurst),
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_the_day_starts_at_five),
        cmocka_unit_test(test_no_clock),
        cmocka_unit_test(test_locality),
        cmocka_unit_test(test_few_different_runtimes),
        cmocka_unit_test(test_heavy_tail),
        cmocka_unit_test(test_light_tail),
        cmocka_unit_test(test_interactive),
        cmocka_unit_test(test_no_interactive),
        cmocka_unit_test(test_empty_interactive_queue),
        cmocka_unit_test(test_no_jobs),
        cmocka_unit_test(test_one_job),
        cmocka_unit_test(test_equal_jobs),
        cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_extreme_times),
        cmocka_unit_test(test_tally),
        cmocka_unit_test(test_size_classes),
        cmocka_unit_test(test_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
