/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often 95 % intervals hold the true value, over 2,000 trials. The share has a standard error
 * of 0.5 %. docs/validation/experiment.md has the measured shares, which this program prints with
 * --shares.
 */
#include "base/draw.h"
#include "samples.h"

#include <gsl/gsl_randist.h>
#include <stdio.h>
#include <string.h>
#include <workloom/stats_intervals.h>

enum { TRIALS = 2000, VALUES = 30, WAITS = 100000 };

static bool show;

typedef double draw_fn(struct loom_stream *stream);

static double draw_normal(struct loom_stream *stream)
{
    return 10 + gsl_ran_gaussian(&stream->gsl, 3);
}

static double draw_exponential(struct loom_stream *stream)
{
    return gsl_ran_exponential(&stream->gsl, 10);
}

static double draw_lognormal(struct loom_stream *stream)
{
    return gsl_ran_lognormal(&stream->gsl, 0, 1);
}

static double covered(const char *what, const char *method, size_t hits)
{
    double share = 100 * (double)hits / TRIALS;
    if (show)
        printf("%-34s %-12s %5.1f %%\n", what, method, share);
    return share;
}

static const char *const names[] = {"default", "t", "bootstrap", "bootstrap-t"};

static double mean_coverage(const char *what, draw_fn *draw, double truth,
                            enum loom_interval_method method)
{
    struct loom_interval_options how = {.method = method};
    size_t hits = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct loom_stream stream;
        struct loom_interval got;
        double x[VALUES];
        loom_stream_init(&stream, 1, trial, what);
        for (size_t i = 0; i < VALUES; i++)
            x[i] = draw(&stream);
        how.seed = trial;
        assert_int_equal(loom_mean_interval(&got, x, VALUES, &how, NULL), 0);
        hits += got.low <= truth && truth <= got.high;
    }
    return covered(what, names[method], hits);
}

static void means_are_covered(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        draw_fn *draw;
        double truth;
        double least[4], most; /* by method */
    } cases[] = {
        {"normal", draw_normal, 10, {94, 94, 92, 94}, 96},
        {"exponential", draw_exponential, 10, {91, 91, 90, 91}, 97},
        {"lognormal, sigma 1", draw_lognormal, 1.6487212707001282, {91, 88, 86, 91}, 97},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        for (enum loom_interval_method m = LOOM_INTERVAL_AUTO; m <= LOOM_INTERVAL_BOOTSTRAP_T;
             m++) {
            double share = mean_coverage(cases[i].name, cases[i].draw, cases[i].truth, m);
            assert_true(share >= cases[i].least[m] && share <= cases[i].most);
        }
}

/* Pairs of lognormal values that share most of what varies, as policies on one workload do. The
 * true ratio is exp(0.2). */
static double ratio_coverage(const char *what, double sigma, enum loom_interval_method method)
{
    struct loom_interval_options how = {.method = method};
    size_t hits = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct loom_stream stream;
        struct loom_interval got;
        double a[VALUES], b[VALUES];
        loom_stream_init(&stream, 1, trial, what);
        for (size_t i = 0; i < VALUES; i++) {
            double common = gsl_ran_gaussian(&stream.gsl, sigma);
            a[i] = exp(0.2 + common + gsl_ran_gaussian(&stream.gsl, 0.3 * sigma));
            b[i] = exp(common + gsl_ran_gaussian(&stream.gsl, 0.3 * sigma));
        }
        how.seed = trial;
        int rc = loom_ratio_interval(&got, a, b, VALUES, &how, NULL);
        assert_true(rc == 0 || rc == LOOM_EDATA); /* without end: it holds every value */
        hits += rc || (got.low <= exp(0.2) && exp(0.2) <= got.high);
    }
    return covered(what, names[method], hits);
}

static void ratios_are_covered(void **state)
{
    (void)state;
    for (enum loom_interval_method m = LOOM_INTERVAL_AUTO; m <= LOOM_INTERVAL_BOOTSTRAP_T; m++) {
        static const double least[] = {92, 88, 86, 92};
        double half = ratio_coverage("ratio, pairs of sigma 0.5", 0.5, m);
        double one = ratio_coverage("ratio, pairs of sigma 1", 1, m);
        assert_true(half >= least[m] && half <= 98);
        assert_true(one >= least[m] - 2 && one <= 98);
    }
}

/* Waits of an M/M/1 queue of load 0.8 and mean service 1, started in equilibrium: Lindley's
 * recursion. The mean is 0.8 / (1 - 0.8) = 4. */
static void fill_waits(double *waits, struct loom_stream *stream)
{
    double wait = loom_draw_uniform(stream) < 0.8 ? -log1p(-loom_draw_uniform(stream)) / 0.2 : 0;
    for (size_t i = 0; i < WAITS; i++) {
        waits[i] = wait;
        wait -= log1p(-loom_draw_uniform(stream)) + -log1p(-loom_draw_uniform(stream)) / 0.8;
        wait = fmax(0, wait);
    }
}

static void batch_means_cover(void **state)
{
    (void)state;
    double *waits = malloc(WAITS * sizeof *waits);
    size_t hits = 0;
    assert_non_null(waits);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct loom_stream stream;
        struct loom_batch_means got;
        loom_stream_init(&stream, 1, trial, "waits");
        fill_waits(waits, &stream);
        assert_int_equal(loom_batch_means(&got, waits, WAITS, 0, 0, NULL), 0);
        hits += got.mean.low <= 4 && 4 <= got.mean.high;
    }
    assert_true(covered("M/M/1 waits, load 0.8", "batch means", hits) >= 92);
    free(waits);
}

/* A share of pairs: Wilson's interval of 30 trials. */
static void shares_are_covered(void **state)
{
    (void)state;
    static const double truths[] = {0.5, 0.8, 0.95};
    for (size_t k = 0; k < COUNT(truths); k++) {
        size_t hits = 0;
        for (size_t trial = 0; trial < TRIALS; trial++) {
            struct loom_stream stream;
            struct loom_interval got;
            loom_stream_init(&stream, 1, trial, "share");
            double wins = gsl_ran_binomial(&stream.gsl, truths[k], VALUES);
            assert_int_equal(loom_share_interval(&got, wins, VALUES, 0, NULL), 0);
            hits += got.low <= truths[k] && truths[k] <= got.high;
        }
        double share = covered("share of pairs", "Wilson", hits);
        assert_true(share >= 92 && share <= 98.5);
    }
}

/* Normal replications, mean 10 and deviation 3, added in blocks of 10 until the half width is 5 %:
 * the sample is that much smaller when it stops early, so the coverage is a little below 95 %. */
static void stop_rule_covers(void **state)
{
    (void)state;
    size_t hits = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct loom_stream stream;
        struct loom_stop_rule rule = {.relative = 0.05};
        struct loom_stop_state got = {0};
        double x[2000];
        size_t n = 0;
        loom_stream_init(&stream, 1, trial, "sequential");
        while (!got.reached) {
            for (size_t i = 0; i < 10; i++)
                x[n++] = draw_normal(&stream);
            assert_int_equal(loom_stop_check(&got, x, n, &rule, NULL), 0);
        }
        hits += fabs(got.mean - 10) <= got.half;
    }
    assert_true(covered("normal, stopped at 5 %", "t", hits) >= 92);
}

int main(int argc, char **argv)
{
    show = argc > 1 && strcmp(argv[1], "--shares") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_covered), cmocka_unit_test(ratios_are_covered),
        cmocka_unit_test(batch_means_cover), cmocka_unit_test(shares_are_covered),
        cmocka_unit_test(stop_rule_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
