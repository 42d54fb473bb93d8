/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gamma and normal variates against their distributions. */
#include "support.h"

#include "stats/gamma_sampler.h"

#include <workloom/stats.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 50000 };

static void assert_drawn_from(double *x, const char *name, const double *params, size_t n_params)
{
    struct loom_dist dist;
    struct loom_goodness goodness;
    assert_int_equal(loom_dist_init(&dist, name, params, n_params, NULL), 0);
    assert_int_equal(loom_sort(x, DRAWS, NULL), 0);
    assert_int_equal(loom_goodness(&goodness, &dist, 0, x, DRAWS, NULL), 0);
    if (!(goodness.ks_p > 0.01 && goodness.ad < 3.5))
        fail_msg("%s %g: KS p %g, Anderson-Darling %g", name, params[0], goodness.ks_p,
                 goodness.ad);
}

static void test_normals(void **state)
{
    (void)state;
    struct loom_ziggurat ziggurat;
    struct loom_stream stream;
    double *x = malloc(DRAWS * sizeof *x), beyond = 0;
    assert_non_null(x);
    loom_ziggurat_init(&ziggurat);
    loom_stream_init(&stream, 1, 0, "normals");
    for (int i = 0; i < DRAWS; i++)
        x[i] = loom_ziggurat_draw(&ziggurat, &stream);
    assert_drawn_from(x, "normal", (double[]){0, 1}, 2);
    /* The tail beyond the base layer has a way of its own. */
    for (int i = 0; i < 10 * DRAWS; i++)
        beyond += fabs(loom_ziggurat_draw(&ziggurat, &stream)) > 3.8;
    double wanted = 10 * DRAWS * erfc(3.8 / sqrt(2));
    assert_true(fabs(beyond - wanted) < 4 * sqrt(wanted));
    beyond = 0;
    for (int k = 0; k < 10; k++) {
        loom_ziggurat_draw_many(x, DRAWS, &ziggurat, &stream);
        for (int i = 0; i < DRAWS; i++)
            beyond += fabs(x[i]) > 3.8;
    }
    assert_true(fabs(beyond - wanted) < 4 * sqrt(wanted));
    assert_drawn_from(x, "normal", (double[]){0, 1}, 2);
    free(x);
}

/* All layers have the area of the base, which is what makes them equally likely. */
static void test_layers(void **state)
{
    (void)state;
    struct loom_ziggurat z;
    loom_ziggurat_init(&z);
    for (int i = 1; i < LOOM_LAYERS; i++)
        assert_true(fabs(z.widths[i] * (z.heights[i + 1] - z.heights[i]) - 0.00492867323399) <
                    1e-10);
}

static void test_gammas(void **state)
{
    (void)state;
    static const double shapes[] = {0.05, 0.5, 0.999, 1, 1.5, 4.2, 10.46, 312, 1e6};
    struct loom_ziggurat ziggurat;
    struct loom_stream stream;
    double *x = malloc(DRAWS * sizeof *x);
    assert_non_null(x);
    loom_ziggurat_init(&ziggurat);
    for (size_t k = 0; k < COUNT(shapes); k++) {
        struct loom_gamma_sampler sampler;
        loom_gamma_sampler_init(&sampler, shapes[k], 0.7);
        loom_stream_init(&stream, 1, k, "gammas");
        for (int i = 0; i < DRAWS; i++)
            x[i] = loom_gamma_sampler_draw(&sampler, &ziggurat, &stream);
        assert_drawn_from(x, "gamma", (double[]){shapes[k], 0.7}, 2);
    }
    free(x);
}

/* Whether most of a gamma is below the limit or nearly nothing, what is drawn has its cdf up to
 * there: F(x) / F(limit) is uniform. */
static void test_gammas_below_a_limit(void **state)
{
    (void)state;
    static const struct {
        double shape, scale, limit;
    } cases[] = {{10.46, 0.487, 13}, {10.46, 0.487, 3.4}, {10.46, 0.487, 1}, {0.5, 100, 0.1},
                 {1.1, 50, 1},       {312, 0.03, 8.5},    {312, 0.03, 7},    {2, 1, 1e-3},
                 {4.11, 100, 4.11},  {1000, 0.01, 9.7},   {5, 1, 2.43},      {1.5, 1, 0.3}};
    struct loom_ziggurat ziggurat;
    struct loom_stream stream;
    double *x = malloc(DRAWS * sizeof *x);
    assert_non_null(x);
    loom_ziggurat_init(&ziggurat);
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct loom_gamma_below sampler;
        double below = gsl_cdf_gamma_P(cases[k].limit, cases[k].shape, cases[k].scale);
        loom_gamma_below_init(&sampler, cases[k].shape, cases[k].scale, cases[k].limit);
        loom_stream_init(&stream, 1, k, "gammas below a limit");
        for (int i = 0; i < DRAWS; i++) {
            double drawn = loom_gamma_below_draw(&sampler, &ziggurat, &stream);
            assert_true(drawn >= 0 && drawn <= cases[k].limit);
            x[i] = gsl_cdf_gamma_P(drawn, cases[k].shape, cases[k].scale) / below;
        }
        assert_drawn_from(x, "beta", (double[]){1}, 1);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normals),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_gammas),
        cmocka_unit_test(test_gammas_below_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
