/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions against SciPy: moments, quantiles, densities, both tails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <workloom/stats.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 9 };

static const struct values {
    const char *name;
    size_t n;
    double params[9];
    double mean, variance;
    struct row {
        double p, quantile;
        double x, log_density, cdf, survival;
    } rows[ROWS];
} table[] = {
#include "../oracle/dist_values.inc"
};
enum { CASES = sizeof table / sizeof *table };

static int wrong;

/* SciPy's own functions are good to about 1e-12 here, a little less in the far tails, and to five
 * digits in gammas with large shapes, for which see test_large_shapes. */
static void expect(const struct values *v, const char *what, double at, double got, double want,
                   double tolerance)
{
    if (strcmp(v->name, "gamma") == 0 && v->params[0] >= 1e5)
        tolerance = 1e-5;
    if (got == want || fabs(got - want) <= tolerance * fabs(want))
        return;
    wrong++;
    print_error("%s(%g, %g, ...) %s at %.10g: %.17g, SciPy has %.17g\n", v->name, v->params[0],
                v->params[1], what, at, got, want);
}

static struct loom_dist dist_of(const struct values *v)
{
    struct loom_dist dist;
    struct loom_error err;
    if (loom_dist_init(&dist, v->name, v->params, v->n, &err))
        fail_msg("%s: %s", v->name, err.message);
    return dist;
}

static void test_moments(void **state)
{
    (void)state;
    wrong = 0;
    for (size_t i = 0; i < CASES; i++) {
        struct loom_dist dist = dist_of(&table[i]);
        expect(&table[i], "mean", 0, loom_dist_mean(&dist), table[i].mean, 1e-11);
        expect(&table[i], "variance", 0, loom_dist_variance(&dist), table[i].variance, 1e-9);
    }
    assert_int_equal(wrong, 0);
}

static void test_functions(void **state)
{
    (void)state;
    wrong = 0;
    for (size_t i = 0; i < CASES; i++) {
        struct loom_dist dist = dist_of(&table[i]);
        for (size_t k = 0; k < ROWS; k++) {
            const struct row *row = &table[i].rows[k];
            double log_density = loom_dist_log_density(&dist, row->x);
            expect(&table[i], "density", row->x, exp(log_density), exp(row->log_density), 1e-8);
            expect(&table[i], "cdf", row->x, loom_dist_cdf(&dist, row->x), row->cdf, 1e-9);
            expect(&table[i], "survival", row->x, loom_dist_survival(&dist, row->x), row->survival,
                   1e-9);
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_quantiles(void **state)
{
    (void)state;
    wrong = 0;
    for (size_t i = 0; i < CASES; i++) {
        struct loom_dist dist = dist_of(&table[i]);
        for (size_t k = 0; k < ROWS; k++) {
            const struct row *row = &table[i].rows[k];
            double sd = sqrt(fmin(table[i].variance, 1e300));
            double got = loom_dist_quantile(&dist, row->p);
            /* Near zero of a distribution around zero the digits of the deviation count. */
            if (fabs(got - row->quantile) > 1e-12 * sd || dist.ops->discrete)
                expect(&table[i], "quantile", row->p, got, row->quantile, 1e-9);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Tails of large shapes, by Gauss-Legendre integration of the density over 200 points. */
static void test_large_shapes(void **state)
{
    (void)state;
    struct loom_dist dist;
    double params[] = {1e6, 1e-5};
    assert_int_equal(loom_dist_init(&dist, "gamma", params, 2, NULL), 0);
    assert_true(fabs(loom_dist_cdf(&dist, 9.9525) - 9.814431062963e-07) < 1e-18);
    assert_true(fabs(loom_dist_survival(&dist, 9.9525) - (1 - 9.814431062963e-07)) < 1e-15);
    assert_true(fabs(loom_dist_quantile(&dist, 9.814431062963e-07) - 9.9525) < 1e-12);
}

/* Every distribution is in the table. */
static void test_all_covered(void **state)
{
    (void)state;
    for (size_t i = 0; loom_dist_at(i); i++) {
        bool found = false;
        for (size_t k = 0; k < CASES; k++)
            found |= strcmp(table[k].name, loom_dist_at(i)->name) == 0;
        if (!found)
            fail_msg("%s has no oracle values", loom_dist_at(i)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),     cmocka_unit_test(test_functions),
        cmocka_unit_test(test_quantiles),   cmocka_unit_test(test_large_shapes),
        cmocka_unit_test(test_all_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
