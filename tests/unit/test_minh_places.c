/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of single jobs in a kind, where kinds overlap. */
#include "support.h"

#include "models/minh/minh.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { JOBS = 4000 };

/* Runtimes at even places of the mixture of two kinds, of which the first has the weight. */
static void put_runs(int64_t *run_s, const struct loom_minh_kind *kinds, double weight)
{
    for (int i = 0; i < JOBS; i++) {
        bool first = i < weight * JOBS;
        double place =
            first ? (i + 0.5) / (weight * JOBS) : (i + 0.5 - weight * JOBS) / ((1 - weight) * JOBS);
        const struct loom_minh_kind *kind = &kinds[first ? 0 : 1];
        run_s[i] = llrint(expm1(kind->mean + gsl_cdf_gaussian_Pinv(place, kind->sd)));
    }
}

/* Seven in ten of the single jobs are of the first kind, and two in ten of those in bags: the share
 * of single jobs is 7/9 in one kind and 3/11 in the other, however much they overlap. */
static void overlapping_kinds_are_told_apart(void **state)
{
    (void)state;
    static const double apart[] = {4, 1.5, 1};
    for (size_t k = 0; k < COUNT(apart); k++) {
        struct loom_minh_kind kinds[] = {{0.45, 6, 0.7, 1}, {0.55, 6 + apart[k], 0.7, 1}};
        struct loom_minh_shapes shapes = {.n_kinds = 2, .kinds = kinds};
        int64_t *run_s = malloc(2 * JOBS * sizeof *run_s);
        uint8_t *in_bag = malloc(2 * JOBS);
        assert_true(run_s && in_bag);
        put_runs(run_s, kinds, 0.7);
        put_runs(run_s + JOBS, kinds, 0.2);
        for (int i = 0; i < 2 * JOBS; i++)
            in_bag[i] = i >= JOBS;
        struct loom_shapes jobs = {.n = 2 * JOBS, .run_s = run_s};
        assert_int_equal(loom_minh_fit_places(&shapes, &jobs, in_bag, NULL), 0);
        assert_true(fabs(kinds[0].single - 7.0 / 9) < 0.005);
        assert_true(fabs(kinds[1].single - 3.0 / 11) < 0.005);
        free(run_s);
        free(in_bag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_kinds_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
