/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions by their quantiles: what they keep of a sample, and a curve by hand. */
#include "modeling.h"
#include "models/usergraph/curve.h"

#include <math.h>
#include <stdlib.h>

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

/* A sample of n values comes back as its quantiles, its mean, and n values that have both: the
 * curve of these is the same one. */
static void assert_curve(double *values, size_t n)
{
    struct loom_curve curve, again;
    double mean = 0, *back = malloc(n * sizeof *back);
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    loom_curve_fit(&curve, values, n);
    assert_near(curve.at[0], values[0], 0);
    assert_near(curve.at[3], values[n / 2], 0);
    assert_near(curve.at[LOOM_CURVE_POINTS - 1], values[n - 1], 0);
    assert_near(loom_curve_mean(&curve, n), mean, 1e-6 * mean);
    for (size_t i = 0; i < n; i++) {
        back[i] = loom_curve_nth(&curve, i, n);
        assert_true(i == 0 || back[i] >= back[i - 1]);
    }
    loom_curve_fit(&again, back, n);
    for (size_t i = 0; i < LOOM_CURVE_POINTS; i++)
        assert_near(again.at[i], curve.at[i], 0);
    assert_near(again.bend, curve.bend, 1e-5 * curve.bend);
    assert_near(loom_curve_mean(&again, n), mean, 1e-6 * mean);
    free(back);
}

/* 1 .. 1001, and the same with one value that is far from all others. Without a bend, half way
 * between the quantiles 501 and 751 is their geometric mean. */
static void curves_by_quantiles(void **state)
{
    (void)state;
    double values[1001];
    struct loom_curve curve;
    for (int i = 0; i < 1001; i++)
        values[i] = i + 1;
    assert_curve(values, 1001);
    loom_curve_fit(&curve, values, 1001);
    assert_near(loom_curve_nth(&curve, 900, 1001), 901, 1e-9);
    curve.bend = 1;
    assert_near(loom_curve_nth(&curve, 625, 1001), sqrt(501.0 * 751), 1e-9);
    values[1000] = 1e7;
    assert_curve(values, 1001);
    loom_curve_fit(&curve, values, 1);
    assert_near(loom_curve_nth(&curve, 0, 1), 1, 0);
    assert_near(curve.bend, 1, 0);
    loom_curve_fit(&curve, values, 0);
    assert_near(loom_curve_mean(&curve, 10), 0, 0);
}

/* Long-tailed samples of any size: up to three values are all in the curve, and more have no place
 * at exactly a tenth, a quarter and so on of the way. */
static void curves_of_any_size(void **state)
{
    (void)state;
    enum { MOST = 130 };
    double values[MOST];
    struct loom_stream stream;
    loom_stream_init(&stream, 7, 0, "curves");
    for (size_t n = 1; n <= MOST; n++) {
        for (size_t i = 0; i < n; i++)
            values[i] = exp(8 * loom_stream_uniform(&stream));
        assert_int_equal(loom_sort(values, n, NULL), 0);
        assert_curve(values, n);
    }
}

/* Some values of 400 are 1 and the others 4, or 0: what lies between two quantiles is not there to
 * be interpolated. The mean is the sample's all the same. */
static void curves_of_few_values(void **state)
{
    (void)state;
    enum { N = 400 };
    double values[N];
    struct loom_curve curve;
    for (int low = 0; low < 2; low++)
        for (int ones = 4; ones < N; ones += 4) {
            for (int i = 0; i < N; i++)
                values[i] = i < ones ? low : 4;
            loom_curve_fit(&curve, values, N);
            double mean = (low * ones + 4.0 * (N - ones)) / N;
            assert_near(loom_curve_mean(&curve, N), mean, 0.02 * mean);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_keep_samples),  cmocka_unit_test(curves_by_hand),
        cmocka_unit_test(curves_by_quantiles),  cmocka_unit_test(curves_of_any_size),
        cmocka_unit_test(curves_of_few_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
