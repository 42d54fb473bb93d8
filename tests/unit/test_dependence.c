/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long-range dependence of arrivals is found where it is, and not where there are only cycles. */
#include "family_run.h"

#include "features/dependence.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <workloom/stats.h>

extern const struct loom_family_ops loom_family_arrival;

enum { DAY_H = 24, WEEK_H = 168, YEAR_D = 365, SEEDS = 20, MOST_H = YEAR_D * DAY_H };

/* ---- cycles ---------------------------------------------------------------------------------- */

typedef double cycle_fn(int hour);

static bool at_weekend(int hour)
{
    return hour / DAY_H % 7 >= 5;
}

static double sine(int hour)
{
    double of_day = 0.55 + 0.45 * sin(2 * M_PI * (hour % DAY_H + 0.5 - 9) / DAY_H);
    return of_day * (at_weekend(hour) ? 0.4 : 1);
}

/* Nearly all jobs in two hours of working days. */
static double peaked(int hour)
{
    int of_day = hour % DAY_H;
    return (of_day >= 9 && of_day < 11 ? 1 : 0.02) * (at_weekend(hour) ? 0.05 : 1);
}

static double flat(int hour)
{
    (void)hour;
    return 1;
}

/* Every hour of the week is different. */
static double irregular(int hour)
{
    return pow(fabs(sin(1 + 12.9898 * (hour % WEEK_H))), 4);
}

/* Rates of so many hours that add up to jobs; noise, unless NULL, multiplies them by its
 * exponential. */
static void make_rates(double *rates, int hours, cycle_fn *cycle, const double *noise, double jobs)
{
    double sum = 0;
    for (int h = 0; h < hours; h++)
        sum += rates[h] = cycle(h) * (noise ? exp(0.5 * noise[h]) : 1);
    for (int h = 0; h < hours; h++)
        rates[h] *= jobs / sum;
}

static void draw_counts(double *counts, const double *rates, int hours, uint64_t seed)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "counts");
    for (int h = 0; h < hours; h++)
        counts[h] = gsl_ran_poisson(&stream.gsl, rates[h]);
}

/* ---- as a log -------------------------------------------------------------------------------- */

/* The verdict on jobs that come at even distances within each hour: 1 if they are dependent. */
static int found_in_log(const double *counts, int hours)
{
    struct loom_trace *trace = empty_trace();
    struct loom_zone *zone = NULL;
    struct loom_results results = {.family = &loom_family_arrival};
    struct loom_workload jobs = {.trace = trace};
    double n = 0;
    for (int h = 0; h < hours; h++)
        n += counts[h];
    int64_t *submit_s = malloc((size_t)n * sizeof *submit_s);
    assert_int_equal(loom_zone_create(&zone, trace, NULL, NULL), 0);
    for (int h = 0; h < hours; h++)
        for (int k = 0; k < (int)counts[h]; k++)
            submit_s[jobs.n++] = h * 3600L + (int64_t)(3600 * k / counts[h]);
    jobs.submit_s = submit_s;
    jobs.zone = zone;
    assert_int_equal(loom_put_dependence(&results, &jobs, NULL), 0);
    double low = results.values[key_index(&results, "arrival.dependence.low")];
    double high = results.values[key_index(&results, "arrival.dependence.high")];
    assert_true(high > low + 0.05);
    free(submit_s);
    loom_zone_destroy(zone);
    loom_trace_destroy(trace);
    return low > 0.5;
}

/* 100,000 jobs in a year, by a daily and weekly cycle; noise of H 0.8 an hour, if asked for. */
static int found_in_years(bool noisy)
{
    static double rates[MOST_H], counts[MOST_H], noise[MOST_H];
    int found = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct loom_stream stream;
        loom_stream_init(&stream, seed, 0, "noise");
        assert_int_equal(loom_fgn(noise, MOST_H, 0.8, &stream.gsl, NULL), 0);
        make_rates(rates, MOST_H, sine, noisy ? noise : NULL, 100000);
        draw_counts(counts, rates, MOST_H, seed);
        found += found_in_log(counts, MOST_H);
    }
    print_message("# %s: %d of %d called dependent\n", noisy ? "noise" : "cycles", found, SEEDS);
    return found;
}

static void cycles_are_not_dependence(void **state)
{
    (void)state;
    assert_in_range(found_in_years(false), 0, 1);
}

static void noise_with_memory_is_dependence(void **state)
{
    (void)state;
    assert_in_range(found_in_years(true), 18, SEEDS);
}

/* ---- other lengths and cycles ---------------------------------------------------------------- */

/* Of 1,200 logs without dependence one in 200 may be called dependent; more than 18 would be a
 * matter of 1 in 10,000. */
static void other_cycles_are_not_dependence(void **state)
{
    static cycle_fn *const cycles[] = {sine, peaked, flat, irregular};
    static const int days[] = {30, 90, YEAR_D};
    static double rates[MOST_H], counts[MOST_H];
    int found = 0;
    (void)state;
    for (size_t c = 0; c < COUNT(cycles); c++)
        for (size_t d = 0; d < COUNT(days); d++)
            for (uint64_t seed = 1; seed <= 100; seed++) {
                struct loom_hurst hurst = {0};
                double removed = -1;
                int hours = days[d] * DAY_H;
                make_rates(rates, hours, cycles[c], NULL, (seed % 2 ? 20 : 200) * days[d]);
                draw_counts(counts, rates, hours, seed);
                assert_int_equal(loom_hurst_seasonal(&hurst, &removed, counts, (size_t)hours,
                                                     WEEK_H, 96, NULL),
                                 0);
                found += hurst.h_low > 0.5;
                assert_true(removed >= 0 && removed <= 1);
                loom_hurst_free(&hurst);
            }
    print_message("# other lengths and cycles: %d called dependent\n", found);
    assert_in_range(found, 0, 18);
}

/* Sessions that last half a day on average, independent of one another. */
static void sessions_are_not_dependence(void **state)
{
    static double rates[MOST_H], starts[MOST_H], counts[MOST_H];
    int found = 0;
    (void)state;
    make_rates(rates, MOST_H, sine, NULL, 40 * YEAR_D);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct loom_stream stream;
        struct loom_hurst hurst = {0};
        double removed;
        loom_stream_init(&stream, seed, 0, "sessions");
        draw_counts(starts, rates, MOST_H, seed);
        memset(counts, 0, sizeof counts);
        for (int h = 0; h < MOST_H; h++)
            for (int k = 0; k < (int)starts[h]; k++) {
                int end = h + 1 + (int)gsl_ran_exponential(&stream.gsl, 12);
                for (int at = h; at < end && at < MOST_H; at++)
                    counts[at] += gsl_ran_poisson(&stream.gsl, 2);
            }
        assert_int_equal(loom_hurst_seasonal(&hurst, &removed, counts, MOST_H, WEEK_H, 96, NULL),
                         0);
        found += hurst.h_low > 0.5;
        loom_hurst_free(&hurst);
    }
    assert_in_range(found, 0, 3);
}

static void short_logs_give_no_verdict(void **state)
{
    double counts[4 * WEEK_H], removed;
    struct loom_hurst hurst = {0};
    (void)state;
    for (int h = 0; h < 4 * WEEK_H; h++)
        counts[h] = h % 7;
    assert_int_equal(loom_hurst_seasonal(&hurst, &removed, counts, 4 * WEEK_H - 1, WEEK_H, 96,
                                         NULL),
                     LOOM_EDATA);
    assert_int_equal(loom_hurst_seasonal(&hurst, &removed, counts, 4 * WEEK_H, 1, 96, NULL),
                     LOOM_ERANGE);
    for (int h = 0; h < 4 * WEEK_H; h++) /* nothing but the cycle */
        counts[h] = h % WEEK_H;
    assert_int_equal(loom_hurst_seasonal(&hurst, &removed, counts, 4 * WEEK_H, WEEK_H, 96, NULL),
                     LOOM_EDATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_not_dependence),
        cmocka_unit_test(noise_with_memory_is_dependence),
        cmocka_unit_test(other_cycles_are_not_dependence),
        cmocka_unit_test(sessions_are_not_dependence),
        cmocka_unit_test(short_logs_give_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
