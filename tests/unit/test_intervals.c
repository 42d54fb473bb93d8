/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of arrivals in another order: what goes, and what is the same to the second.
 */
#include "models/arrivals/intervals.h"

#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { T_S = 900, INTERVALS = 4000, MOST_JOBS = 40000 };

/* Jobs of interval i: more in some stretches of 50 intervals than in others, and often none. Each
 * job's processors give its interval, and its user its place. */
static struct loom_generation arrivals(void)
{
    struct loom_generation generation = {.seed = 3,
                                         .jobs = SIZE_MAX,
                                         .horizon_s = INT64_MAX,
                                         .rate = 1};
    assert_int_equal(loom_draft_resize(&generation.draft, MOST_JOBS, NULL), 0);
    assert_int_equal(loom_draft_detail(&generation.draft, LOOM_DETAIL_USER, NULL), 0);
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "arrivals");
    size_t n = 0;
    for (int64_t i = 0; i <= INTERVALS; i++) {
        uint64_t jobs = loom_stream_below(&stream, 1 + 20 * (uint64_t)(i / 50 % 5 == 0));
        for (uint64_t k = 0; (k < jobs || i == 0 || i == INTERVALS) && k < 20; k++, n++) {
            generation.draft.submit_s[n] = i * T_S + (int64_t)(7 * k);
            generation.draft.procs[n] = (int32_t)i;
            generation.draft.user[n] = (int32_t)n;
        }
    }
    assert_int_equal(loom_draft_resize(&generation.draft, n, NULL), 0);
    return generation;
}

static void count(double *counts, const struct loom_draft *draft)
{
    memset(counts, 0, INTERVALS * sizeof *counts);
    for (size_t i = 0; i < draft->n; i++)
        if (draft->submit_s[i] / T_S < INTERVALS)
            counts[draft->submit_s[i] / T_S]++;
}

/* Sum of products of neighbours' deviations, over the sum of squares. */
static double memory(const double *x, size_t n)
{
    double mean = 0, squares = 0, products = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    for (size_t i = 1; i < n; i++)
        products += (x[i] - mean) * (x[i - 1] - mean);
    return products / squares;
}

static void assert_in_order(const struct loom_draft *draft)
{
    for (size_t i = 1; i < draft->n; i++)
        assert_true(draft->submit_s[i] >= draft->submit_s[i - 1]);
}

/* Each interval is somewhere else with the jobs it had, at the same seconds; the last is where it
 * was. Neighbours have nothing in common: 4 standard errors of 1 / sqrt(n). */
static void shuffled_intervals_keep_their_jobs(void **state)
{
    (void)state;
    struct loom_generation generation = arrivals();
    double before[INTERVALS], after[INTERVALS];
    count(before, &generation.draft);
    size_t n = generation.draft.n, moved = 0;
    assert_int_equal(loom_intervals_shuffle(&generation, T_S, NULL), 0);
    assert_int_equal(generation.draft.n, n);
    assert_in_order(&generation.draft);
    count(after, &generation.draft);
    for (size_t i = 1; i < n; i++) {
        int64_t interval = generation.draft.submit_s[i] / T_S;
        bool together = generation.draft.submit_s[i - 1] / T_S == interval;
        assert_int_equal(together, generation.draft.procs[i] == generation.draft.procs[i - 1]);
        if (together) {
            assert_int_equal(generation.draft.submit_s[i] - generation.draft.submit_s[i - 1], 7);
            assert_int_equal(generation.draft.user[i], generation.draft.user[i - 1] + 1);
        }
        assert_true(
            after[interval < INTERVALS ? interval : 0] ==
                before[generation.draft.procs[i] < INTERVALS ? generation.draft.procs[i] : 0] ||
            interval == INTERVALS);
        moved += interval != generation.draft.procs[i];
    }
    assert_int_equal(generation.draft.procs[n - 1], INTERVALS);
    assert_int_equal(generation.draft.submit_s[n - 1] / T_S, INTERVALS);
    assert_true(moved > n * 9 / 10);
    assert_true(memory(before, INTERVALS) > 0.3);
    assert_true(fabs(memory(after, INTERVALS)) < 4 / sqrt(INTERVALS));
    loom_draft_free(&generation.draft);
}

/* The number of jobs and their order stay. Intervals have as many jobs as in a Poisson process,
 * whose variance is the mean (standard error sqrt(2 / n)), more where there were more. */
static void calm_intervals_are_poisson(void **state)
{
    (void)state;
    struct loom_generation generation = arrivals();
    double before[INTERVALS], after[INTERVALS], squares = 0, mean = 0, products = 0, own = 0;
    count(before, &generation.draft);
    size_t n = generation.draft.n;
    assert_int_equal(loom_intervals_calm(&generation, T_S, NULL, NULL), 0);
    assert_int_equal(generation.draft.n, n);
    assert_in_order(&generation.draft);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(generation.draft.user[i], i);
    count(after, &generation.draft);
    for (size_t i = 0; i < INTERVALS; i++)
        mean += after[i] / INTERVALS;
    for (size_t i = 0; i < INTERVALS; i++) {
        squares += (after[i] - mean) * (after[i] - mean) / INTERVALS;
        products += (after[i] - mean) * (before[i] - mean);
        own += (before[i] - mean) * (before[i] - mean);
    }
    assert_true(fabs(mean - (double)n / INTERVALS) < 0.02 * mean);
    assert_true(fabs(squares / mean - 1) < 4 * sqrt(2.0 / INTERVALS));
    assert_true(own / INTERVALS > 5 * squares);
    assert_true(products / sqrt(own * squares * INTERVALS) > 0.6);
    loom_draft_free(&generation.draft);
}

/* On a clock that stands nearly still for half of the week, next to no job comes then. */
static void calm_keeps_to_the_clock(void **state)
{
    (void)state;
    double speed[LOOM_WEEK_SLOTS];
    for (int i = 0; i < LOOM_WEEK_SLOTS; i++)
        speed[i] = i < LOOM_WEEK_SLOTS / 2 ? 1 : 1e-3;
    struct loom_week week;
    loom_week_open(&week, speed, LOOM_WEEK_SLOTS);
    struct loom_generation generation = arrivals();
    generation.week_phase_s = 100000;
    assert_int_equal(loom_intervals_calm(&generation, T_S, &week, NULL), 0);
    size_t slow = 0;
    for (size_t i = 0; i < generation.draft.n; i++)
        slow += (generation.draft.submit_s[i] + 100000) % LOOM_WEEK_S >= LOOM_WEEK_S / 2;
    assert_in_order(&generation.draft);
    assert_true(generation.draft.submit_s[0] >= 0);
    assert_true(slow < generation.draft.n / 200);
    loom_draft_free(&generation.draft);
}

/* Three intervals after the first, with a job in each and one at the end: of 3000 workloads, each
 * order of the three comes 500 times. */
static void orders_are_even(void **state)
{
    (void)state;
    double counts[64] = {0}, chi2 = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct loom_generation generation = {.seed = seed};
        size_t order = 0;
        assert_int_equal(loom_draft_resize(&generation.draft, 5, NULL), 0);
        for (int i = 0; i < 5; i++) {
            generation.draft.submit_s[i] = i * T_S;
            generation.draft.procs[i] = i;
        }
        assert_int_equal(loom_intervals_shuffle(&generation, T_S, NULL), 0);
        assert_true(generation.draft.procs[0] == 0 && generation.draft.procs[4] == 4);
        for (int i = 1; i < 4; i++)
            order = 4 * order + (size_t)generation.draft.procs[i];
        counts[order]++;
        loom_draft_free(&generation.draft);
    }
    for (size_t i = 0; i < COUNT(counts); i++)
        chi2 += counts[i] > 0 ? (counts[i] - 500) * (counts[i] - 500) / 500 : 0;
    assert_true(chi2 < 20.5); /* 5 degrees of freedom: exceeded once in 1000 */
}

/* Pairs of jobs an hour apart, a day after each other: there are 48 intervals a job, which is not
 * yet too many, so that hardly a pair stays together. */
static void sparse_jobs_are_told_apart(void **state)
{
    (void)state;
    enum { PAIRS = 100 };
    struct loom_generation generation = {.seed = 1};
    size_t together = 0;
    assert_int_equal(loom_draft_resize(&generation.draft, 2 * PAIRS, NULL), 0);
    for (int i = 0; i < 2 * PAIRS; i++)
        generation.draft.submit_s[i] = i / 2 * 86400 + i % 2 * 3600;
    assert_int_equal(loom_intervals_shuffle(&generation, T_S, NULL), 0);
    for (size_t i = 1; i < 2 * PAIRS; i++)
        together += generation.draft.submit_s[i] - generation.draft.submit_s[i - 1] == 3600;
    assert_true(together < PAIRS / 10);
    loom_draft_free(&generation.draft);
}

/* No job, one job, all at once, and so far apart that there are more intervals than memory. */
static void few_jobs(void **state)
{
    (void)state;
    static const int64_t times_s[][3] = {{0, 0, 0}, {0, 0, 0}, {5, 5, 5}, {0, 1, INT64_C(1) << 45}};
    static const size_t counts[] = {0, 1, 3, 3};
    for (size_t k = 0; k < COUNT(counts); k++)
        for (unsigned without = 0; without < 4; without++) {
            struct loom_generation generation = {.seed = 1, .without = without};
            assert_int_equal(loom_draft_resize(&generation.draft, counts[k], NULL), 0);
            for (size_t i = 0; i < counts[k]; i++)
                generation.draft.submit_s[i] = times_s[k][i];
            assert_int_equal(loom_intervals_leave_out(&generation, T_S, NULL), 0);
            assert_int_equal(generation.draft.n, counts[k]);
            assert_in_order(&generation.draft);
            for (size_t i = 0; i < counts[k]; i++)
                assert_in_range(generation.draft.submit_s[i], 0, times_s[k][2]);
            loom_draft_free(&generation.draft);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffled_intervals_keep_their_jobs),
        cmocka_unit_test(calm_intervals_are_poisson),
        cmocka_unit_test(calm_keeps_to_the_clock),
        cmocka_unit_test(orders_are_even),
        cmocka_unit_test(sparse_jobs_are_told_apart),
        cmocka_unit_test(few_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
