/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zeros of the improved wavelet model: where they touch, runs are longer than those placed, and the
 * shares of the scales are settled so that runs come out as in the log. */
#include "support.h"

#include "models/arrivals/mmwm.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 8, ROOTS = 128 };

static double beta[DEPTH] = {5, 4, 3, 2, 1.5, 1, 0.8, 0.6};
static const struct loom_cascade cascade = {
    .interval_s = 1, .roots = ROOTS, .depth = DEPTH, .root_mean = 2, .root_sd = 0.5, .beta = beta};

/* Half of what the shares of run lengths differ from the wanted ones, of many workloads. */
static double apart_by_length(struct loom_zeros *zeros, const double *wanted)
{
    enum { GROWTHS = 40 };
    struct loom_generation generation = {.seed = 1,
                                         .jobs = SIZE_MAX,
                                         .horizon_s = INT64_MAX,
                                         .rate = 1};
    struct loom_forest forest;
    double seen[DEPTH], mean[DEPTH] = {0}, sum = 0;
    assert_int_equal(loom_forest_create(&forest, &cascade, zeros, &generation, NULL), 0);
    for (int i = 0; i < GROWTHS; i++) {
        loom_forest_grow(&forest);
        loom_zeros_by_length(seen, DEPTH, forest.rates, forest.n);
        for (int k = 0; k < DEPTH; k++)
            mean[k] += seen[k] / GROWTHS;
    }
    loom_forest_free(&forest);
    for (int k = 0; k < DEPTH; k++)
        sum += fabs(mean[k] - wanted[k]) / 2;
    return sum;
}

static void runs_of_zeros_are_as_long(void **state)
{
    (void)state;
    static const double wanted[DEPTH] = {0.02, 0.03, 0.05, 0.08, 0.1, 0.1, 0.1, 0.1};
    double share[DEPTH], all = 0, settled = 0;
    struct loom_zeros zeros = {
        .depth = DEPTH, .share = share, .base = 1, .preference = 0.5, .apart = true, .spread = 1};
    memcpy(share, wanted, sizeof share);
    double before = apart_by_length(&zeros, wanted);
    assert_int_equal(loom_zeros_settle(&zeros, &cascade, NULL), 0);
    double after = apart_by_length(&zeros, wanted);
    for (int k = 0; k < DEPTH; k++) {
        assert_true(share[k] >= 0);
        all += wanted[k];
        settled += share[k];
    }
    assert_true(fabs(settled - all) < 1e-9);
    assert_true(after < before / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_zeros_are_as_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
