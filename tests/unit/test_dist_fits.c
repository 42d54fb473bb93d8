/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits against SciPy, fitdistrplus and mclust, and the ways to parameters other than likelihood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <workloom/stats.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct expected {
    const char *dist, *sample;
    const double *x;
    size_t n, n_params;
    double params[6], log_likelihood;
};

#include "../oracle/dist_fits.inc"
#include "../oracle/dist_fits_r.inc"

/* Parameters within `tolerance` of themselves, likelihood not below the other's. */
static void check_fits(const struct expected *list, size_t count, double tolerance, double slack)
{
    for (const struct expected *e = list; e < list + count; e++) {
        struct loom_fit fit;
        struct loom_error err;
        if (loom_dist_fit(&fit, e->dist, e->x, NULL, e->n, &err))
            fail_msg("%s of %s: %s", e->dist, e->sample, err.message);
        assert_true(fit.converged);
        assert_int_equal(fit.dist.n_params, e->n_params);
        if (!(fit.log_likelihood > e->log_likelihood - slack))
            fail_msg("%s of %s: likelihood %.10g, theirs %.10g", e->dist, e->sample,
                     fit.log_likelihood, e->log_likelihood);
        for (size_t i = 0; i < e->n_params; i++)
            if (!(fabs(fit.dist.params[i] - e->params[i]) <= tolerance * fabs(e->params[i])))
                fail_msg("%s of %s: parameter %zu is %.10g, theirs %.10g", e->dist, e->sample, i,
                         fit.dist.params[i], e->params[i]);
    }
}

static void test_scipy(void **state)
{
    (void)state;
    check_fits(expected, sizeof expected / sizeof *expected, 2e-5, 1e-7);
}

/* R stops its searches earlier, by the change in likelihood. */
static void test_r(void **state)
{
    (void)state;
    check_fits(expected_r, sizeof expected_r / sizeof *expected_r, 5e-3, 1e-6);
}

/* ---- Lublin and Feitelson -------------------------------------------------------------------- */

static struct loom_dist make(const char *name, const double *params, size_t n)
{
    struct loom_dist dist;
    struct loom_error err;
    if (loom_dist_init(&dist, name, params, n, &err))
        fail_msg("%s: %s", name, err.message);
    return dist;
}

static double *draw(const struct loom_dist *dist, size_t n, uint64_t seed)
{
    struct loom_stream stream;
    double *x = malloc(n * sizeof *x);
    assert_non_null(x);
    loom_stream_init(&stream, seed, 0, "fits");
    for (size_t i = 0; i < n; i++)
        x[i] = loom_dist_sample(dist, &stream.gsl);
    return x;
}

/* The models of their table 2: a broad and a narrow gamma come back from a sample of each. */
static void test_table_2(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const double rows[][6] = {
        {0.94, 2.35, 1.50, 0.06, 1533, 0.007}, {0.70, 4.15, 0.96, 0.30, 569.7, 0.018},
        {0.61, 5.76, 0.82, 0.39, 159.5, 0.05}, {0.55, 6.00, 0.66, 0.45, 68.5, 0.13},
        {0.685, 4.2, 0.94, 0.315, 312, 0.03},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct loom_dist dist = make("hypergamma", rows[r], 6);
        double *x = draw(&dist, N, 12);
        struct loom_fit fit;
        assert_int_equal(loom_dist_fit(&fit, "hypergamma", x, NULL, N, NULL), 0);
        free(x);
        assert_true(fit.converged);
        /* Standard errors are about 0.5 % for the weight, 5 % for the narrow gamma's shape. */
        assert_true(fabs(fit.dist.params[0] - rows[r][0]) < 0.02);
        for (size_t i = 1; i < 6; i++)
            if (i != 3 && fabs(fit.dist.params[i] / rows[r][i] - 1) > 0.2)
                fail_msg("row %zu: parameter %zu is %g, not %g", r, i, fit.dist.params[i],
                         rows[r][i]);
    }
}

/* Section 6.3: the gammas are fixed, the share of the first follows the sample. */
static void test_weights_alone(void **state)
{
    (void)state;
    enum { N = 10000 };
    const double combined[] = {0.685, 4.2, 0.94, 0.315, 312, 0.03};
    for (double share = 0; share <= 1; share += 0.25) {
        struct loom_dist dist = make("hypergamma", combined, 6);
        dist.params[0] = share;
        dist.params[3] = 1 - share;
        double *x = draw(&dist, N, 13);
        dist = make("hypergamma", combined, 6);
        assert_int_equal(loom_mixture_weights(&dist, x, NULL, N, NULL), 0);
        assert_true(fabs(dist.params[0] - share) < 4 * 0.006);
        assert_true(fabs(dist.params[0] + dist.params[3] - 1) < 1e-9);
        assert_true(dist.params[1] == 4.2 && dist.params[5] == 0.03);
        /* The likelihood is concave in the share: no neighbour is better. */
        double there = loom_dist_log_likelihood(&dist, x, NULL, N);
        for (double step = -0.01; step < 0.02; step += 0.02) {
            struct loom_dist near = dist;
            near.params[0] = fmin(fmax(dist.params[0] + step, 0), 1);
            near.params[3] = 1 - near.params[0];
            assert_true(loom_dist_log_likelihood(&near, x, NULL, N) <= there + 1e-6);
        }
        free(x);
    }
    struct loom_dist gamma = make("gamma", combined + 1, 2);
    struct loom_error err;
    const double zeros[] = {0, 0};
    assert_int_equal(loom_mixture_weights(&gamma, zeros, NULL, 2, &err), LOOM_EUSAGE);
    struct loom_dist dist = make("hypergamma", combined, 6);
    assert_int_equal(loom_mixture_weights(&dist, zeros, NULL, 2, &err), LOOM_EDATA);
    assert_string_equal(err.message, "no component of hypergamma can give any of the values");
}

/* ---- Jann et al. ----------------------------------------------------------------------------- */

/* The third moment of a hyper-Erlang: sum of w n (n+1) (n+2) s^3. */
static double third_moment(const struct loom_dist *dist)
{
    double n = dist->params[0], sum = 0;
    for (size_t i = 1; i < dist->n_params; i += 2)
        sum += dist->params[i] * pow(dist->params[i + 1], 3);
    return n * (n + 1) * (n + 2) * sum;
}

static void test_three_moments(void **state)
{
    (void)state;
    static const struct {
        double m1, m2, m3, order;
    } cases[] = {
        /* an exponential's moments times a little: order 1 */
        {1, 2.2, 8.0, 1},
        {1000, 2.5e6, 12e9, 1},
        /* cv^2 = 0.3: order n > 1 / 0.3, so 4 or more */
        {1, 1.3, 2.05, 4},
        /* gamma of shape 0.31: m2 = 1.31 k b^2, m3 = 2.31 * ... */
        {1200.94, 6.0948e6, 5.454e10, 1},
        /* hours, far from 1 */
        {3.6e6, 1.5e14, 1e23, 1},
        {1e-6, 1.5e-12, 4e-18, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_dist dist;
        struct loom_error err;
        if (loom_hypererlang_match(&dist, cases[i].m1, cases[i].m2, cases[i].m3, &err))
            fail_msg("case %zu: %s", i, err.message);
        double m = loom_dist_mean(&dist), v = loom_dist_variance(&dist);
        assert_true(fabs(m / cases[i].m1 - 1) < 1e-10);
        assert_true(fabs((v + m * m) / cases[i].m2 - 1) < 1e-10);
        assert_true(fabs(third_moment(&dist) / cases[i].m3 - 1) < 1e-9);
        if (dist.params[0] != cases[i].order)
            fail_msg("case %zu: order %g", i, dist.params[0]);
    }
    struct loom_dist dist;
    assert_int_equal(loom_hypererlang_match(&dist, 1, 1, 1, NULL), LOOM_ERANGE);
    assert_int_equal(loom_hypererlang_match(&dist, -1, 2, 6, NULL), LOOM_ERANGE);
    assert_int_equal(loom_hypererlang_match(&dist, 1, 2, NAN, NULL), LOOM_ERANGE);
    assert_int_equal(loom_hypererlang_match(&dist, 1, 1 + 1e-9, 1 + 3e-9, NULL), LOOM_EDATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scipy),         cmocka_unit_test(test_r),
        cmocka_unit_test(test_table_2),       cmocka_unit_test(test_weights_alone),
        cmocka_unit_test(test_three_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
