/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the intervals of a pair that reports print, of its difference and its ratio, hold the
 * true values, over 2,000 trials of 30 pairs. A share has a standard error of 0.5 % at 95 %.
 * tests/oracle/pair_coverage.R measures the same with code and random numbers of its own;
 * docs/validation/experiment.md has both. This program prints its shares with --shares.
 */
#include "samples.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdio.h>
#include <string.h>
#include <workloom/stats_intervals.h>

enum { TRIALS = 2000, PAIRS = 30 };

static bool show;

struct pair {
    double a, b;
};

typedef struct pair draw_fn(struct loom_stream *stream);

/* Two standard normal values with correlation 0.9. */
static struct pair draw_correlated(struct loom_stream *stream)
{
    double common = gsl_ran_gaussian(&stream->gsl, sqrt(0.9));
    double a = common + gsl_ran_gaussian(&stream->gsl, sqrt(0.1));
    return (struct pair){a, common + gsl_ran_gaussian(&stream->gsl, sqrt(0.1))};
}

static struct pair draw_normal(struct loom_stream *stream)
{
    struct pair z = draw_correlated(stream);
    return (struct pair){12 + 3 * z.a, 10 + 3 * z.b};
}

static struct pair draw_exponential(struct loom_stream *stream)
{
    struct pair z = draw_correlated(stream);
    return (struct pair){-12 * log(gsl_cdf_ugaussian_Q(z.a)), -10 * log(gsl_cdf_ugaussian_Q(z.b))};
}

/* Means 1.2 exp(1/2) and exp(1/2). */
static struct pair draw_lognormal(struct loom_stream *stream)
{
    struct pair z = draw_correlated(stream);
    return (struct pair){1.2 * exp(z.a), exp(z.b)};
}

/* The difference is lognormal, too; only the ratio hardly varies. */
static struct pair draw_proportional(struct loom_stream *stream)
{
    double b = exp(gsl_ran_gaussian(&stream->gsl, 1));
    return (struct pair){1.2 * b * (1 + gsl_ran_gaussian(&stream->gsl, 0.01)), b};
}

/* As on workloads of their own: differences have long tails on both sides. */
static struct pair draw_unrelated(struct loom_stream *stream)
{
    double a = 1.2 * exp(gsl_ran_gaussian(&stream->gsl, 1));
    return (struct pair){a, exp(gsl_ran_gaussian(&stream->gsl, 1))};
}

struct hits {
    size_t difference, ratio, without; /* without: pairs of which no ratio is printed */
};

static bool holds(struct loom_interval interval, double truth)
{
    return interval.low <= truth && truth <= interval.high;
}

/* The true ratio is 1.2 everywhere. */
static struct hits count_hits(const char *what, draw_fn *draw, double truth,
                              struct loom_interval_options how)
{
    struct hits hits = {0};
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct loom_stream stream;
        struct loom_pair_interval got;
        double a[PAIRS], b[PAIRS];
        loom_stream_init(&stream, 1, trial, what);
        for (size_t i = 0; i < PAIRS; i++) {
            struct pair pair = draw(&stream);
            a[i] = pair.a, b[i] = pair.b;
        }
        how.seed = trial;
        assert_int_equal(loom_pair_interval(&got, a, b, PAIRS, &how, NULL), 0);
        hits.difference += holds(got.difference, truth);
        hits.without += !got.has_ratio;
        hits.ratio += got.has_ratio && holds(got.ratio, 1.2);
    }
    return hits;
}

static const struct {
    const char *name;
    draw_fn *draw;
    double truth; /* mean of the difference */
} cases[] = {
    {"normal", draw_normal, 2},
    {"exponential", draw_exponential, 2},
    {"lognormal, sigma 1", draw_lognormal, 0.32974425414002564},
    {"lognormal, nearly proportional", draw_proportional, 0.32974425414002564},
    {"lognormal, not correlated", draw_unrelated, 0.32974425414002564},
};

/* Check the shares of a method: of ratios, among the pairs that have one. */
static void assert_covered(enum loom_interval_method method, double level, const double *least)
{
    static const char *const names[] = {"default", "t", "bootstrap", "bootstrap-t"};
    struct loom_interval_options how = {.method = method, .level = level};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct hits hits = count_hits(cases[i].name, cases[i].draw, cases[i].truth, how);
        double difference = 100.0 * (double)hits.difference / TRIALS;
        double ratio = 100.0 * (double)hits.ratio / (double)(TRIALS - hits.without);
        if (show)
            printf("%-31s %-11s %5.2f %%: difference %5.1f %%, ratio %5.1f %%, %zu without\n",
                   cases[i].name, names[method], 100 * level, difference, ratio, hits.without);
        assert_true(difference >= least[i] && ratio >= least[i]);
        assert_true(hits.without < TRIALS / 25);
    }
}

static void pairs_are_covered(void **state)
{
    (void)state;
    static const double least[] = {94, 94, 92, 92, 92};
    assert_covered(LOOM_INTERVAL_AUTO, 0.95, least);
}

/* As one of six pairs, of four policies. */
static void adjusted_pairs_are_covered(void **state)
{
    (void)state;
    static const double least[] = {98, 98, 97.5, 97, 97.5};
    assert_covered(LOOM_INTERVAL_AUTO, 1 - 0.05 / 6, least);
}

/* What can be chosen, too: neither is as good everywhere. */
static void other_methods_are_covered(void **state)
{
    (void)state;
    static const double t[] = {94, 94, 92, 87, 92}, bootstrap[] = {92, 91, 87, 86, 91},
                        bootstrap_t[] = {94, 91, 87, 88, 90};
    assert_covered(LOOM_INTERVAL_T, 0.95, t);
    assert_covered(LOOM_INTERVAL_BOOTSTRAP, 0.95, bootstrap);
    assert_covered(LOOM_INTERVAL_BOOTSTRAP_T, 0.95, bootstrap_t);
}

int main(int argc, char **argv)
{
    show = argc > 1 && strcmp(argv[1], "--shares") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_covered),
        cmocka_unit_test(adjusted_pairs_are_covered),
        cmocka_unit_test(other_methods_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
