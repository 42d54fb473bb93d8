/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lublin and Feitelson's distributions fitted to jobs: no parameters nearby are better by a
 * reckoning that goes through all places of the sizes the model makes, and expected runtimes are
 * SciPy's.
 */
#include "support.h"

#include "models/lublin/lublin.h"

#include <math.h>
#include <stdlib.h>

enum { JOBS = 20000, PLACES = 1 << 17, MOST_PROCS = 128 };

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Shares of the sizes of parallel jobs that the model makes, by size. */
static void shares_of(double *shares, struct loom_lublin_sizes sizes, int32_t procs)
{
    struct loom_lublin_sizer sizer;
    sizes.serial = 0;
    loom_lublin_sizer_open(&sizer, &sizes, procs, procs);
    for (int size = 0; size <= MOST_PROCS; size++)
        shares[size] = 0;
    for (int i = 0; i < PLACES; i++)
        shares[loom_lublin_size(&sizer, (i + 0.5) / PLACES)] += 1.0 / PLACES;
}

static double log_likelihood(const double *counts, struct loom_lublin_sizes sizes, int32_t procs)
{
    double shares[MOST_PROCS + 1], sum = 0;
    shares_of(shares, sizes, procs);
    for (int size = 2; size <= procs; size++)
        sum += counts[size] > 0 ? counts[size] * log(shares[size]) : 0;
    return sum;
}

static double distance(const double *counts, struct loom_lublin_sizes sizes, int32_t procs)
{
    double shares[MOST_PROCS + 1], made = 0, seen = 0, all = 0, most = 0;
    shares_of(shares, sizes, procs);
    for (int size = 2; size <= procs; size++)
        all += counts[size];
    for (int size = 2; size <= procs; size++) {
        made += shares[size];
        seen += counts[size] / all;
        most = fmax(most, fabs(made - seen));
    }
    return most;
}

/* As many jobs of each size as `made` has shares. */
static struct loom_lublin_sizes fit(double *counts, const struct loom_lublin_sizes *made,
                                    int32_t made_for, int32_t procs, int estimators)
{
    struct loom_lublin_fitting how = {.estimators = estimators, .procs = procs};
    struct loom_lublin_sizer sizer;
    struct loom_lublin_sizes found;
    int32_t *sizes = malloc(JOBS * sizeof *sizes);
    assert_non_null(sizes);
    loom_lublin_sizer_open(&sizer, made, made_for, made_for);
    for (int size = 0; size <= MOST_PROCS; size++)
        counts[size] = 0;
    for (int i = 0; i < JOBS; i++) {
        sizes[i] = loom_lublin_size(&sizer, (i + 0.5) / JOBS);
        counts[sizes[i]]++;
    }
    struct loom_lublin_jobs jobs = {.procs = sizes, .n = JOBS};
    assert_int_equal(loom_lublin_sizes_fit(&found, &jobs, &how, NULL), 0);
    assert_true(fabs(found.serial - counts[1] / JOBS) < 1e-12);
    free(sizes);
    return found;
}

/* A machine of 108 processors makes jobs of 64 of what is rounded to 128; one of 128 that has no
 * job of more than 108 does not round so far. */
static const struct {
    struct loom_lublin_sizes made;
    int32_t made_for, procs;
} machines[] = {
    {{0.25, 0.7, 0.8, 4.46, 6.75, 0.3}, 108, 108},
    {{0.25, 0.7, 0.8, 4.52, 6.75, 0.4}, 108, 128},
    {{0.25, 1, 0.8, 3.5, 6.75, 0.4}, 108, 108},
    {{0.1, 0.5, 1.2, 3.03, 7, 0.6}, 128, 128},
};

/* Places of the sizes are a hundred-thousandth apart, which gives the likelihood of twenty thousand
 * jobs to about one. */
static void likelihood_is_greatest(void **state)
{
    (void)state;
    static const double step = 0.04;
    for (size_t k = 0; k < COUNT(machines); k++) {
        double counts[MOST_PROCS + 1];
        int32_t procs = machines[k].procs;
        struct loom_lublin_sizes found =
            fit(counts, &machines[k].made, machines[k].made_for, procs, LOOM_ESTIMATORS_LIKELIHOOD);
        double best = log_likelihood(counts, found, procs);
        for (int i = 0; i < 10; i++) {
            struct loom_lublin_sizes other = found;
            double *const at[] = {&other.low, &other.medium, &other.high, &other.probability,
                                  &other.power_of_two};
            *at[i / 2] += i % 2 ? step : -step;
            double there = log_likelihood(counts, other, procs);
            if (!(there < best + 1))
                fail_msg("machine %zu: %g with parameter %d at %g, and %g as found", k, there,
                         i / 2, *at[i / 2], best);
        }
    }
}

/* What is found for the machine that made the sizes is what made them, powers of two alone too. */
static void likelihood_finds_what_made_sizes(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(machines); k++) {
        double counts[MOST_PROCS + 1];
        int32_t procs = machines[k].made_for;
        const struct loom_lublin_sizes *made = &machines[k].made;
        struct loom_lublin_sizes found =
            fit(counts, made, procs, procs, LOOM_ESTIMATORS_LIKELIHOOD);
        assert_true(log_likelihood(counts, found, procs) >
                    log_likelihood(counts, *made, procs) - 1);
        assert_true(fabs(found.low - made->low) < 0.02);
        assert_true(fabs(found.medium - made->medium) < 0.02);
        assert_true(fabs(found.high - made->high) < 0.02);
        assert_true(fabs(found.probability - made->probability) < 0.01);
        assert_true(fabs(found.power_of_two - made->power_of_two) < 0.01);
    }
}

/* Logarithms below log 1.5 would make serial jobs of parallel ones, and those above the machine
 * none, even where rounding to powers of two makes jobs of 2 and of 64 processors of them. */
static void sizes_are_parallel_and_of_the_machine(void **state)
{
    (void)state;
    static const struct loom_lublin_sizes low = {0.25, 1, 0.52, 5.9, 6, 0.97};
    static const struct loom_lublin_sizes high = {0.25, 1, 0.8, 3.5, 6.75, 0.4};
    double counts[MOST_PROCS + 1];
    assert_true(fit(counts, &low, 64, 64, LOOM_ESTIMATORS_LIKELIHOOD).low >= 0.585);
    assert_true(fit(counts, &high, 108, 64, LOOM_ESTIMATORS_LIKELIHOOD).high <= 6);
}

static void assert_nearest(const struct loom_lublin_sizes *made, int32_t made_for, int32_t procs)
{
    static const double steps[] = {-0.05, -0.02, 0, 0.02, 0.05};
    double counts[MOST_PROCS + 1];
    struct loom_lublin_sizes found = fit(counts, made, made_for, procs, LOOM_ESTIMATORS_PAPER);
    double least = distance(counts, found, procs);
    for (size_t i = 0; i < COUNT(steps) * COUNT(steps); i++) {
        struct loom_lublin_sizes other = found;
        other.medium += steps[i / COUNT(steps)];
        other.probability += steps[i % COUNT(steps)];
        double there = distance(counts, other, procs);
        if (!(there > least - 5e-5))
            fail_msg("%d processors: %g at %g, %g, and %g as found, at %g, %g", procs, there,
                     other.medium, other.probability, least, found.medium, found.probability);
    }
}

/* The paper's medium and probability. Mediums are tried a twentieth apart and then more finely on
 * both sides of the best. */
static void distance_is_least(void **state)
{
    (void)state;
    static const double moves[] = {-0.035, -0.025, -0.015, 0.015, 0.025};
    for (size_t k = 0; k < COUNT(machines); k++)
        assert_nearest(&machines[k].made, machines[k].made_for, machines[k].procs);
    for (size_t i = 0; i < COUNT(moves); i++) {
        struct loom_lublin_sizes made = machines[0].made;
        made.medium += moves[i];
        assert_nearest(&made, machines[0].made_for, machines[0].procs);
    }
}

/* Jobs that are all of one size have a mean that no medium below it has: sizes are then what they
 * are without it. */
static void means_out_of_reach_are_let_go(void **state)
{
    (void)state;
    enum { N = 1000 };
    struct loom_lublin_fitting how = {.estimators = LOOM_ESTIMATORS_PAPER, .procs = 100};
    struct loom_lublin_sizes with, without;
    int32_t procs[N];
    for (int i = 0; i < N; i++)
        procs[i] = 100;
    struct loom_lublin_jobs jobs = {.procs = procs, .n = N};
    assert_int_equal(loom_lublin_sizes_fit(&without, &jobs, &how, NULL), 0);
    how.means = LOOM_MEANS_LOG;
    assert_int_equal(loom_lublin_sizes_fit(&with, &jobs, &how, NULL), 0);
    assert_true(with.medium == without.medium && with.probability == without.probability);
}

/* ---- runtimes ------------------------------------------------------------------------------- */

#include "../oracle/lublin_runtimes.inc"

static void run_times_are_scipys(void **state)
{
    (void)state;
    enum { N = COUNT(runtime_jobs) };
    int64_t run_s[N];
    int32_t procs[N];
    for (size_t i = 0; i < N; i++) {
        run_s[i] = runtime_jobs[i].run_s;
        procs[i] = runtime_jobs[i].procs;
    }
    struct loom_lublin_jobs jobs = {run_s, procs, N};
    struct loom_lublin_runtimes found;
    assert_int_equal(loom_lublin_runtimes_fit(&found, &jobs, LOOM_LUBLIN_RUNTIME,
                                              LOOM_ESTIMATORS_LIKELIHOOD, NULL),
                     0);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(found.shape[i] / likely_shapes[i] - 1) < 1e-4);
        assert_true(fabs(found.scale[i] / likely_scales[i] - 1) < 1e-4);
    }
    assert_true(fabs(found.slope - likely_slope) < 1e-6);
    assert_true(fabs(found.intercept - likely_intercept) < 1e-5);
    assert_true(fabs(found.limit - log(293441)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihood_is_greatest),
        cmocka_unit_test(likelihood_finds_what_made_sizes),
        cmocka_unit_test(sizes_are_parallel_and_of_the_machine),
        cmocka_unit_test(distance_is_least),
        cmocka_unit_test(means_out_of_reach_are_let_go),
        cmocka_unit_test(run_times_are_scipys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
