/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Features of jobs as a series: the rate of arrivals, cycles of the day and the week, kinds of
 * runtimes and their repetitions, tails. What cannot be worked out by hand has known parameters.
 */
#include "job_rows.h"
#include "measured.h"

#include <gsl/gsl_randist.h>
#include <workloom/stats.h>

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
    /* A Poisson process has a cv of 1; 40000 gaps give it to about 1 %. */
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
    static const struct row two[] = {{0, 100, 1, 200, 1, 1, 1}, {900, 0, 2, 100, 2, 1, 1}};
    for (size_t i = 0; i < COUNT(starts); i++) {
        struct loom_trace *trace = log_of(two, COUNT(two));
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
        "there are at most 20 different runtimes: too few to choose the number of clusters by BIC";
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

/* Adding up makes the line steeper: at least twice as steep where the heavy tail's keeps its
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

/* Runtimes of up to ten hours, half of which run into the limit or end in the hour before it: the
 * power law that fits best holds over less than a factor of 10. */
static double limited(double above)
{
    return above < 0.5 ? 36000 * pow(0.9, 2 * above) : 1 + 30000 * (1 - above);
}

static void test_no_power_tail(void **state)
{
    (void)state;
    static const char reason[] =
        "the best power law covers less than a factor of 10 or 50 jobs: there is no tail";
    struct loom_features *features = measure(spread(limited));
    assert_complete(features);
    assert_missing(features, "tail.runtime.power.alpha", reason);
    assert_missing(features, "tail.runtime.power.xmin", reason);
    loom_features_destroy(features);
}

/* Log-uniform runtimes: a law of exponent 1 from the shortest on fits best, but badly. */
static double log_uniform(double above)
{
    return pow(100000, 1 - above);
}

static void test_no_power_body(void **state)
{
    (void)state;
    struct loom_features *features = measure(spread(log_uniform));
    assert_complete(features);
    assert_false(loom_features_find(features, "tail.runtime.power.alpha")->known);
    loom_features_destroy(features);
}

/* 25 narrow kinds of runtimes are more than are looked for. */
static void test_cluster_cap(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "kinds");
    for (int64_t i = 0; i < 20000; i++) {
        double kind = exp(5 + 0.3 * (double)loom_stream_below(&stream, 25));
        int64_t run_s = llround(kind * (0.95 + 0.1 * loom_stream_uniform(&stream)));
        append_row(trace, (struct row){i, run_s, 1, -1, 1, 1, 1});
    }
    struct loom_features *features = measure(trace);
    const struct loom_feature *clusters = loom_features_find(features, "runtime.clusters");
    assert_true(clusters->known);
    assert_value(features, "runtime.clusters", 20, 0);
    assert_non_null(clusters->note);
    assert_null(loom_features_find(features, "runtime.max_s")->note);
    loom_features_destroy(features);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_acf),
        cmocka_unit_test(test_hurst),
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_the_day_starts_at_five),
        cmocka_unit_test(test_no_clock),
        cmocka_unit_test(test_locality),
        cmocka_unit_test(test_few_different_runtimes),
        cmocka_unit_test(test_heavy_tail),
        cmocka_unit_test(test_light_tail),
        cmocka_unit_test(test_no_power_tail),
        cmocka_unit_test(test_no_power_body),
        cmocka_unit_test(test_cluster_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
