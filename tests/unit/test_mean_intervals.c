/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals, tests, shares, batch means and warm-up against SciPy and R, and values that have none.
 */
#include "samples.h"

#include <string.h>
#include <workloom/stats.h>
#include <workloom/stats_intervals.h>

static const struct {
    enum sample_kind kind;
    uint64_t seed;
    size_t n;
    double t[4]; /* at 95 % and 80 % */
    double p;    /* of a mean of 2 */
    double fieller[2];
    double bootstrap[4], bootstrap_ratio[4]; /* percentile, then bootstrap-t */
    double batches[4];                       /* mean, low, high, correlation */
    size_t cut;
    double mser;
} oracle[] = {
#include "../oracle/mean_intervals.inc"
};

static const struct {
    size_t n;
    double p[6], adjusted[6];
} holm[] = {
#define HOLM
#include "../oracle/mean_intervals_r.inc"
#undef HOLM
};

static const struct {
    double hits;
    size_t n;
    double ends[2];
} wilson[] = {
#define WILSON
#include "../oracle/mean_intervals_r.inc"
#undef WILSON
};

static const struct {
    double difference, sd;
    size_t n;
    double power;
    size_t needed; /* for a power of 0.8 */
} power[] = {
#define POWER
#include "../oracle/mean_intervals_r.inc"
#undef POWER
};

/* The y that the oracle divided x by. */
static double *partner(size_t row, const double *x)
{
    double *y = sample_make(SAMPLE_UNIFORM, oracle[row].seed + 100, oracle[row].n);
    for (size_t i = 0; i < oracle[row].n; i++)
        y[i] = y[i] + 0.2 * x[i] + 0.5;
    return y;
}

static void assert_ends(struct loom_interval got, const double *ends, double tolerance)
{
    double width = ends[1] - ends[0];
    assert_true(fabs(got.low - ends[0]) <= tolerance * width);
    assert_true(fabs(got.high - ends[1]) <= tolerance * width);
    assert_true(got.low <= got.estimate && got.estimate <= got.high);
}

/* ---- against SciPy --------------------------------------------------------------------------- */

static void means_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        struct loom_interval_options how = {.method = LOOM_INTERVAL_T};
        struct loom_interval got;
        double p = NAN;
        assert_int_equal(loom_mean_interval(&got, x, n, &how, NULL), 0);
        assert_ends(got, oracle[row].t, 1e-8);
        how.level = 0.8;
        assert_int_equal(loom_mean_interval(&got, x, n, &how, NULL), 0);
        assert_ends(got, oracle[row].t + 2, 1e-8);
        for (size_t i = 0; i < n; i++)
            x[i] -= 2;
        assert_int_equal(loom_mean_test(&p, x, n, &how, NULL), 0);
        assert_close(p, oracle[row].p, 1e-9);
        free(x);
    }
}

static void ratios_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        double *x = sample_make(oracle[row].kind, oracle[row].seed, oracle[row].n);
        double *y = partner(row, x);
        struct loom_interval_options how = {.method = LOOM_INTERVAL_T};
        struct loom_interval got;
        assert_int_equal(loom_ratio_interval(&got, x, y, oracle[row].n, &how, NULL), 0);
        assert_ends(got, oracle[row].fieller, 1e-8);
        free(x);
        free(y);
    }
}

/* 200,000 rounds of other random numbers: the ends vary by less than 2 % of the width. */
static void bootstraps_like_numpy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        double *y = partner(row, x);
        struct loom_interval_options how = {.method = LOOM_INTERVAL_BOOTSTRAP, .rounds = 50000};
        struct loom_interval got;
        assert_int_equal(loom_mean_interval(&got, x, n, &how, NULL), 0);
        assert_ends(got, oracle[row].bootstrap, 0.02);
        assert_int_equal(loom_ratio_interval(&got, x, y, n, &how, NULL), 0);
        assert_ends(got, oracle[row].bootstrap_ratio, 0.02);
        how.method = LOOM_INTERVAL_BOOTSTRAP_T;
        assert_int_equal(loom_mean_interval(&got, x, n, &how, NULL), 0);
        assert_ends(got, oracle[row].bootstrap + 2, 0.02);
        assert_int_equal(loom_ratio_interval(&got, x, y, n, &how, NULL), 0);
        assert_ends(got, oracle[row].bootstrap_ratio + 2, 0.02);
        free(x);
        free(y);
    }
}

static void one_run_like_numpy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        struct loom_batch_means batches;
        struct loom_warmup warmup;
        if (n >= 50) {
            assert_int_equal(loom_batch_means(&batches, x, n, 10, 0, NULL), 0);
            assert_close(batches.mean.estimate, oracle[row].batches[0], 1e-12);
            assert_ends(batches.mean, oracle[row].batches + 1, 1e-8);
            assert_close(batches.correlation, oracle[row].batches[3], 1e-9);
            assert_int_equal(batches.used, n / 10 * 10);
            assert_int_equal(loom_mser5(&warmup, x, n, NULL), 0);
            assert_int_equal(warmup.cut, oracle[row].cut);
            assert_close(warmup.mser, oracle[row].mser, 1e-10);
        }
        free(x);
    }
}

/* ---- against R ------------------------------------------------------------------------------- */

static void adjusts_like_r(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(holm); row++) {
        double got[6];
        memcpy(got, holm[row].p, sizeof got);
        assert_int_equal(loom_holm(got, got, holm[row].n, NULL), 0);
        for (size_t i = 0; i < holm[row].n; i++)
            assert_close(got[i], holm[row].adjusted[i], 1e-14);
    }
}

static void shares_like_r(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(wilson); row++) {
        struct loom_interval got;
        assert_int_equal(loom_share_interval(&got, wilson[row].hits, wilson[row].n, 0, NULL), 0);
        assert_close(got.low, wilson[row].ends[0], 1e-12);
        assert_close(got.high, wilson[row].ends[1], 1e-12);
    }
}

static void power_like_r(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(power); row++) {
        size_t needed = 0;
        double got = loom_t_power(power[row].difference, power[row].sd, power[row].n, 0.95);
        assert_close(got, power[row].power, 1e-7);
        assert_int_equal(loom_replications_needed(&needed, power[row].difference, power[row].sd, 0,
                                                  0, NULL),
                         0);
        assert_int_equal(needed, power[row].needed);
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void same_seed_same_interval(void **state)
{
    (void)state;
    double *x = sample_make(SAMPLE_HEAVY, 1, 40);
    struct loom_interval a, b, c;
    struct loom_interval_options other = {.seed = 2};
    assert_int_equal(loom_mean_interval(&a, x, 40, NULL, NULL), 0);
    assert_int_equal(loom_mean_interval(&b, x, 40, NULL, NULL), 0);
    assert_int_equal(loom_mean_interval(&c, x, 40, &other, NULL), 0);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(a.low != c.low);
    free(x);
}

/* The default is the t interval up to 9 values and for values that hardly differ, else bootstrap-t.
 */
static void chooses_a_method(void **state)
{
    (void)state;
    double *x = sample_make(SAMPLE_HEAVY, 7, 10);
    static const double flat[12] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6};
    static const double same[12] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    struct loom_interval_options t = {.method = LOOM_INTERVAL_T};
    struct loom_interval_options boot_t = {.method = LOOM_INTERVAL_BOOTSTRAP_T};
    struct loom_interval a, b;
    loom_mean_interval(&a, x, 9, NULL, NULL);
    loom_mean_interval(&b, x, 9, &t, NULL);
    assert_memory_equal(&a, &b, sizeof a);
    loom_mean_interval(&a, x, 10, NULL, NULL);
    loom_mean_interval(&b, x, 10, &boot_t, NULL);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(loom_mean_interval(&a, flat, 12, &boot_t, NULL), LOOM_EDATA);
    loom_mean_interval(&a, flat, 12, NULL, NULL);
    loom_mean_interval(&b, flat, 12, &t, NULL);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(loom_mean_interval(&a, same, 12, NULL, NULL), 0);
    assert_true(a.low == 5 && a.high == 5);
    free(x);
}

static void tests_agree_with_intervals(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        double *x = sample_make(SAMPLE_HEAVY, seed, 25);
        struct loom_interval got;
        double p = NAN;
        for (size_t i = 0; i < 25; i++)
            x[i] -= 2.5;
        assert_int_equal(loom_mean_interval(&got, x, 25, NULL, NULL), 0);
        assert_int_equal(loom_mean_test(&p, x, 25, NULL, NULL), 0);
        assert_true(p > 0 && p <= 1);
        if (p < 0.048 || p > 0.052) /* between them it depends on interpolation */
            assert_int_equal(got.low > 0 || got.high < 0, p < 0.05);
        free(x);
    }
}

/* By default an interval of pairs is on each side the wider one of t and bootstrap-t, its ratio
 * too, and its p value the larger one. */
static void pairs_take_the_wider(void **state)
{
    (void)state;
    static const enum loom_interval_method methods[] = {LOOM_INTERVAL_AUTO, LOOM_INTERVAL_T,
                                                        LOOM_INTERVAL_BOOTSTRAP_T};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct loom_pair_interval got[3];
        double p[3], *a = sample_make(SAMPLE_UNIFORM, seed, 25);
        double *b = sample_make(SAMPLE_UNIFORM, seed + 100, 25);
        for (size_t i = 0; i < 25; i++) {
            double common = exp(a[i]);
            a[i] = common * (1 + b[i] * b[i] * b[i]), b[i] = common * (1.5 - 0.5 * b[i]);
        }
        for (size_t m = 0; m < 3; m++) {
            struct loom_interval_options how = {.method = methods[m]};
            assert_int_equal(loom_pair_interval(&got[m], a, b, 25, &how, NULL), 0);
            assert_int_equal(loom_pair_test(&p[m], a, b, 25, &how, NULL), 0);
            assert_true(got[m].has_ratio);
        }
        assert_close(got[0].difference.low, fmin(got[1].difference.low, got[2].difference.low),
                     1e-12);
        assert_close(got[0].difference.high, fmax(got[1].difference.high, got[2].difference.high),
                     1e-12);
        assert_close(got[0].ratio.low, fmin(got[1].ratio.low, got[2].ratio.low), 1e-9);
        assert_close(got[0].ratio.high, fmax(got[1].ratio.high, got[2].ratio.high), 1e-9);
        assert_close(p[0], fmax(p[1], p[2]), 1e-9);
        free(b);
        free(a);
    }
}

/* A clear difference has a p value that survives a correction for many comparisons: 66 pairs of 12
 * cells want less than 0.05 / 66. Student's p of these is far below. */
static void clear_differences_have_small_p(void **state)
{
    (void)state;
    double x[30], p = NAN;
    for (size_t i = 0; i < 30; i++)
        x[i] = 1000 + (double)(i * 7 % 11);
    assert_int_equal(loom_mean_test(&p, x, 30, NULL, NULL), 0);
    assert_true(p >= 0 && p < 1e-12);
    for (size_t i = 0; i < 30; i++)
        x[i] -= 1004; /* about 1 on average, of a spread of 3 */
    assert_int_equal(loom_mean_test(&p, x, 30, NULL, NULL), 0);
    assert_true(p > 0.01);
}

/* Equal alternatives have the same mean in each draw, and a constant one keeps its own. */
static void shares_ties_of_the_best(void **state)
{
    (void)state;
    static const double a[] = {1, 4, 2}, b[] = {1, 4, 2}, c[] = {1e6, 1e6, 1e6};
    const double *const values[] = {a, b, c};
    struct loom_interval_options how = {.rounds = 40000};
    double got[3];
    assert_int_equal(loom_best_probabilities(got, values, 3, 3, false, &how, NULL), 0);
    assert_true(got[0] == got[1] && fabs(got[0] - 0.5) < 1e-3);
    assert_true(got[2] < 1e-3);
    assert_int_equal(loom_best_probabilities(got, values, 3, 3, true, &how, NULL), 0);
    assert_true(got[2] > 1 - 2e-3);
}

/* The one-sided p value of the paired t test, by R: pt(mean(d) / (sd(d) / sqrt(5)), 4) with d = b -
 * a = 1, 2, 3, 50, 500. All bootstrap resamples of a would be below all of b. */
static void doubts_the_best_of_few(void **state)
{
    (void)state;
    static const double a[] = {10, 20, 30, 40, 50}, b[] = {11, 22, 33, 90, 550};
    const double *const values[] = {a, b};
    struct loom_interval_options how = {.rounds = 100000};
    double got[2];
    assert_int_equal(loom_best_probabilities(got, values, 2, 5, false, &how, NULL), 0);
    assert_true(fabs(got[0] - 0.8408) < 0.005);
    assert_true(fabs(got[0] + got[1] - 1) < 1e-12);
    assert_int_equal(loom_best_probabilities(got, values, 2, 5, true, &how, NULL), 0);
    assert_true(fabs(got[1] - 0.8408) < 0.005);
}

static void describes_variation(void **state)
{
    (void)state;
    static const double x[] = {5, 1, 2, 4, 3}, y[] = {5, 2, 3, 3, 9};
    struct loom_variation got;
    struct loom_interval share;
    assert_int_equal(loom_variation(&got, x, 5, NULL), 0);
    assert_true(got.n == 5 && got.mean == 3 && got.min == 1 && got.median == 3 && got.max == 5);
    assert_close(got.sd, sqrt(2.5), 1e-14);
    assert_close(got.p5, 1.2, 1e-14);
    assert_close(got.p25, 2, 1e-14);
    assert_close(got.p75, 4, 1e-14);
    assert_close(got.p95, 4.8, 1e-14);
    assert_int_equal(loom_share_below(&share, x, y, 5, 0, NULL), 0);
    assert_close(share.estimate, 0.7, 1e-14); /* below in 3, equal in 1 */
}

/* 16 values of mean 10 and deviation 1: the half width is 2.131 / 4 = 0.533. */
static void stops_at_the_half_width(void **state)
{
    (void)state;
    double x[16];
    for (size_t i = 0; i < 16; i++)
        x[i] = 10 + (i % 2 ? 1 : -1) * sqrt(15.0 / 16);
    struct loom_stop_state got;
    struct loom_stop_rule rule = {.relative = 0.06};
    assert_int_equal(loom_stop_check(&got, x, 16, &rule, NULL), 0);
    assert_true(got.reached); /* 10 * 0.06 / 1.06 = 0.566 */
    assert_close(got.half, 0.53286, 1e-4);
    assert_int_equal(got.replications, 16);
    rule.relative = 0.055; /* 10 * 0.055 / 1.055 = 0.5213 */
    assert_int_equal(loom_stop_check(&got, x, 16, &rule, NULL), 0);
    assert_false(got.reached);
    assert_int_equal(got.replications, 17); /* 2.12 / sqrt(17) = 0.5142 */
    /* Two values, 9.3 and 10.7: t of 1 degree of freedom, 12.7, says nothing of what 26 would. */
    const double two[] = {10 - sqrt(0.5), 10 + sqrt(0.5)};
    rule = (struct loom_stop_rule){.relative = 0.0424, .least = 2};
    assert_int_equal(loom_stop_check(&got, two, 2, &rule, NULL), 0);
    assert_close(got.half, 8.9846, 1e-4);
    assert_int_equal(got.replications, 26); /* 2.0595 / sqrt(26) = 0.4039 of 0.4068 */
    rule = (struct loom_stop_rule){.relative = 0.5, .least = 20};
    assert_int_equal(loom_stop_check(&got, x, 16, &rule, NULL), 0);
    assert_false(got.reached);
    assert_int_equal(got.replications, 20);
    static const double zeros[12];
    assert_int_equal(loom_stop_check(&got, zeros, 12, &(struct loom_stop_rule){0.05, 0, 0}, NULL),
                     0);
    assert_true(got.reached);
    assert_int_equal(loom_stop_check(&got, zeros, 1, &(struct loom_stop_rule){0.05, 0, 0}, NULL),
                     0);
    assert_false(got.reached);
}

/* A start far above the rest goes, a series that still falls at its end is too short. */
static void finds_the_warm_up(void **state)
{
    (void)state;
    double *x = sample_make(SAMPLE_UNIFORM, 3, 1000);
    struct loom_warmup got;
    for (size_t i = 0; i < 100; i++)
        x[i] += 10;
    assert_int_equal(loom_mser5(&got, x, 1000, NULL), 0);
    assert_int_equal(got.cut, 100);
    assert_false(got.too_short);
    for (size_t i = 0; i < 1000; i++)
        x[i] = 1000.0 - (double)i;
    assert_int_equal(loom_mser5(&got, x, 1000, NULL), 0);
    assert_true(got.too_short);
    free(x);
}

static void sees_correlated_batches(void **state)
{
    (void)state;
    double *x = sample_make(SAMPLE_UNIFORM, 3, 4000);
    struct loom_batch_means got;
    assert_int_equal(loom_batch_means(&got, x, 4000, 0, 0, NULL), 0);
    assert_true(got.independent && got.batches == 20 && got.size == 200);
    for (size_t i = 0; i < 4000; i++)
        x[i] += (double)i / 1000;
    assert_int_equal(loom_batch_means(&got, x, 4000, 0, 0, NULL), 0);
    assert_false(got.independent);
    assert_true(got.correlation > 0.5);
    free(x);
}

/* Batches by which von Neumann's test is in doubt at 2.5 %: z is 1.51, then 1.76, of 1.645. */
static void draws_the_line_at_5_percent(void **state)
{
    static const double free[] = {0, 1, 2, 3, 1, 0, 1, 2, 3, 2},
                        bound[] = {0, 1, 0, 0, 1, 1, 2, 2, 1, 2};
    double x[20];
    struct loom_batch_means got;
    (void)state;
    for (size_t i = 0; i < 20; i++)
        x[i] = free[i / 2];
    assert_int_equal(loom_batch_means(&got, x, 20, 10, 0, NULL), 0);
    assert_true(got.independent);
    for (size_t i = 0; i < 20; i++)
        x[i] = bound[i / 2];
    assert_int_equal(loom_batch_means(&got, x, 20, 10, 0, NULL), 0);
    assert_false(got.independent);
}

/* Of a resample of {1, 3} a quarter is {3, 3}, beyond the sample; p also counts the sample itself:
 * 2 (25 + 1) / 101 on average of 100 resamples. */
static void p_counts_the_sample_itself(void **state)
{
    static const double x[] = {1, 3};
    enum { SEEDS = 20000 };
    double sum = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct loom_interval_options how = {LOOM_INTERVAL_BOOTSTRAP_T, 0.1, 100, seed};
        double p = NAN;
        assert_int_equal(loom_mean_test(&p, x, 2, &how, NULL), 0);
        sum += p;
    }
    assert_true(fabs(sum / SEEDS - 52.0 / 101) < 0.0025); /* 4 standard errors */
}

/* Where 10 of 12 values are 0 their mean may be 0, and so may the ratio: exactly. */
static void ratios_may_reach_0(void **state)
{
    static const double a[12] = {0, 0, 30, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    double b[12];
    struct loom_pair_interval got;
    (void)state;
    for (size_t i = 0; i < 12; i++)
        b[i] = 3 + 0.1 * (double)(i % 5);
    assert_int_equal(loom_pair_interval(&got, a, b, 12, NULL, NULL), 0);
    assert_true(got.has_ratio && got.ratio.high > 1);
    assert_true(got.ratio.low == 0);
}

/* Percentiles between two resamples need not agree on which mean is larger: no ratio then. */
static void ratios_agree_with_differences(void **state)
{
    size_t without = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        const struct loom_interval_options how = {LOOM_INTERVAL_BOOTSTRAP, 0.9, 100, seed};
        double *a = sample_make(SAMPLE_HEAVY, seed, 8), *b = sample_make(SAMPLE_HEAVY, -seed, 8);
        struct loom_pair_interval got;
        assert_int_equal(loom_pair_interval(&got, a, b, 8, &how, NULL), 0);
        bool same = got.difference.low <= 0 && got.difference.high >= 0;
        if (got.has_ratio)
            assert_int_equal(got.ratio.low <= 1 && got.ratio.high >= 1, same);
        without += !got.has_ratio && got.ratio.high < 100;
        free(a);
        free(b);
    }
    assert_in_range(without, 1, 30);
}

static void refuses_what_has_no_interval(void **state)
{
    (void)state;
    static const double x[] = {1, 2, NAN}, small[] = {-1, 1.5}, y[] = {1, 2};
    struct loom_interval got;
    struct loom_interval_options level = {.level = 1.5}, rounds = {.rounds = 5};
    double p[] = {0.1, 1.5};
    size_t needed;
    assert_int_equal(loom_mean_interval(&got, x, 1, NULL, NULL), LOOM_EDATA);
    assert_int_equal(loom_mean_interval(&got, x, 3, NULL, NULL), LOOM_EDATA);
    assert_int_equal(loom_mean_interval(&got, x, 2, &level, NULL), LOOM_ERANGE);
    assert_int_equal(loom_mean_interval(&got, x, 2, &rounds, NULL), LOOM_ERANGE);
    assert_int_equal(loom_ratio_interval(&got, y, small, 2, NULL, NULL), LOOM_EDATA);
    assert_int_equal(loom_share_interval(&got, 3, 2, 0, NULL), LOOM_ERANGE);
    assert_int_equal(loom_share_interval(&got, 0, 0, 0, NULL), LOOM_EDATA);
    assert_int_equal(loom_holm(p, p, 2, NULL), LOOM_ERANGE);
    assert_int_equal(loom_replications_needed(&needed, 0, 1, 0, 0, NULL), LOOM_ERANGE);
    assert_int_equal(loom_replications_needed(&needed, 1e-9, 1, 0, 0, NULL), LOOM_ERANGE);
    struct loom_batch_means batches;
    assert_int_equal(loom_batch_means(&batches, y, 2, 0, 0, NULL), LOOM_EDATA);
    struct loom_stop_state stop;
    assert_int_equal(loom_stop_check(&stop, y, 2, &(struct loom_stop_rule){2, 0, 0}, NULL),
                     LOOM_ERANGE);
}

/* Pairs that differ in few replications, or not at all: the interval is near the ratio, whatever
 * rounding leaves of the errors of resamples. */
static void test_nearly_equal_pairs(void **state)
{
    static const struct {
        int n, differ;
        double factor, slack; /* of the pairs that differ; most distance of an end */
    } cases[] = {
        {10, 3, 0.99, 0.01},       {50, 3, 0.99, 0.002},  {50, 4, 0.99, 0.002},
        {50, 5, 1.01, 0.002},      {50, 3, 0.9999, 1e-4}, {50, 4, 1 - 1e-7, 1e-7},
        {50, 5, 1 - 1e-11, 1e-10}, {20, 0, 1, 1e-12},
    };
    const struct loom_interval_options how = {.method = LOOM_INTERVAL_BOOTSTRAP_T};
    double a[50], b[50];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct loom_interval interval;
        struct loom_error err = {0};
        for (int i = 0; i < cases[k].n; i++) {
            b[i] = 1 + 0.3 * (i % 5);
            a[i] = 3 * b[i] * (i < cases[k].differ ? cases[k].factor : 1);
        }
        assert_int_equal(loom_ratio_interval(&interval, a, b, (size_t)cases[k].n, NULL, &err), 0);
        double slack = 3 * cases[k].slack;
        if (!(interval.low > interval.estimate - slack && interval.low <= interval.estimate &&
              interval.high < interval.estimate + slack && interval.high >= interval.estimate))
            fail_msg("case %zu: %.17g, %.17g to %.17g", k, interval.estimate, interval.low,
                     interval.high);
        if (cases[k].differ == 0)
            assert_int_equal(loom_ratio_interval(&interval, a, b, (size_t)cases[k].n, &how, &err),
                             LOOM_EDATA);
    }
    for (int i = 0; i < 20; i++)
        a[i] = 2, b[i] = 5;
    struct loom_interval constant;
    assert_int_equal(loom_ratio_interval(&constant, a, b, 20, NULL, NULL), 0);
    assert_true(constant.low == 0.4 && constant.high == 0.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_like_scipy),
        cmocka_unit_test(test_nearly_equal_pairs),
        cmocka_unit_test(ratios_like_scipy),
        cmocka_unit_test(bootstraps_like_numpy),
        cmocka_unit_test(one_run_like_numpy),
        cmocka_unit_test(adjusts_like_r),
        cmocka_unit_test(shares_like_r),
        cmocka_unit_test(power_like_r),
        cmocka_unit_test(same_seed_same_interval),
        cmocka_unit_test(chooses_a_method),
        cmocka_unit_test(tests_agree_with_intervals),
        cmocka_unit_test(pairs_take_the_wider),
        cmocka_unit_test(clear_differences_have_small_p),
        cmocka_unit_test(shares_ties_of_the_best),
        cmocka_unit_test(doubts_the_best_of_few),
        cmocka_unit_test(describes_variation),
        cmocka_unit_test(stops_at_the_half_width),
        cmocka_unit_test(finds_the_warm_up),
        cmocka_unit_test(sees_correlated_batches),
        cmocka_unit_test(draws_the_line_at_5_percent),
        cmocka_unit_test(p_counts_the_sample_itself),
        cmocka_unit_test(ratios_may_reach_0),
        cmocka_unit_test(ratios_agree_with_differences),
        cmocka_unit_test(refuses_what_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
