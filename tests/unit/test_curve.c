/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions by their quantiles: what they keep of a sample, and a curve by hand. */
#include "support.h"

#include "models/curve.h"

#include <math.h>

/* Ends, quantiles and the mean of a sample stay, of as many values as it has. */
static void curves_keep_samples(void **state)
{
    (void)state;
    enum { MOST = 401 };
    static const size_t sizes[] = {2, 3, 10, 401};
    static const double powers[] = {0.5, 1, 3};
    double x[MOST];
    for (size_t k = 0; k < COUNT(sizes) * COUNT(powers); k++) {
        size_t n = sizes[k % COUNT(sizes)];
        double mean = 0, made = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = 10 + 1000 * pow((double)i / (double)(n - 1), powers[k / COUNT(sizes)]);
            mean += x[i] / (double)n;
        }
        struct loom_curve curve;
        loom_curve_fit(&curve, x, n);
        assert_true(fabs(loom_curve_nth(&curve, 0, n) - x[0]) < 1e-9);
        assert_true(fabs(loom_curve_nth(&curve, n - 1, n) - x[n - 1]) < 1e-9);
        assert_true(n < 401 || fabs(loom_curve_nth(&curve, 100, n) - x[100]) < 1e-9);
        assert_true(n < 401 || fabs(loom_curve_nth(&curve, 200, n) - x[200]) < 1e-9);
        assert_true(n < 401 || fabs(loom_curve_nth(&curve, 380, n) - x[380]) < 1e-9);
        for (size_t i = 0; i < n; i++)
            made += loom_curve_nth(&curve, i, n) / (double)n;
        assert_true(n < 3 || fabs(made / mean - 1) < 1e-6);
        assert_true(fabs(loom_curve_mean(&curve, n) / made - 1) < 1e-12);
    }
}

/* Between two quantiles values rise by one ratio, and from 0 by one difference. Bent twofold, the
 * middle between them has what a quarter had. */
static void curves_by_hand(void **state)
{
    (void)state;
    enum { N = 1601 };
    struct loom_curve curve = {.at = {0, 8, 8, 128, 128, 128, 128, 128, 128}, .bend = 1};
    assert_true(fabs(loom_curve_nth(&curve, 80, N) - 4) < 1e-12);
    assert_true(fabs(loom_curve_nth(&curve, 320, N) - 8) < 1e-12);
    assert_true(fabs(loom_curve_nth(&curve, 600, N) - 32) < 1e-12);
    assert_true(fabs(loom_curve_nth(&curve, 500, N) - 16) < 1e-12);
    assert_true(loom_curve_nth(&curve, 1600, N) == 128 && loom_curve_nth(&curve, 0, N) == 0);
    curve.bend = 2;
    assert_true(fabs(loom_curve_nth(&curve, 600, N) - 16) < 1e-12);
    assert_true(fabs(loom_curve_nth(&curve, 80, N) - 2) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_keep_samples),
        cmocka_unit_test(curves_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
