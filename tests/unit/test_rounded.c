/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits to whole numbers that stand for intervals, their tests, and the ranking of them. */
#include "ranked.h"
#include "samples.h"
#include "support.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers, each with its interval. */
static struct loom_rounded rounded(const double *x, size_t n)
{
    struct loom_rounded values = {.n = n,
                                  .x = malloc((n + 1) * sizeof(double)),
                                  .low = malloc((n + 1) * sizeof(double)),
                                  .high = malloc((n + 1) * sizeof(double))};
    for (size_t i = 0; i < n; i++) {
        values.x[i] = x[i];
        values.low[i] = fmax(x[i] - 0.5, 0);
        values.high[i] = x[i] + 0.5;
    }
    return values;
}

/* ---- the likelihood of intervals ------------------------------------------------------------- */

static const struct {
    const char *name;
    double params[2], log_likelihood;
} maxima[] = {
#include "../oracle/rounded.inc"
};

static struct loom_rounded counted(void)
{
    static const double value[] = {0, 1, 2, 3, 4, 5, 7, 10, 20, 40};
    static const int count[] = {120, 210, 150, 100, 70, 50, 60, 40, 20, 5};
    double x[1000];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(value); i++)
        for (int k = 0; k < count[i]; k++)
            x[n++] = value[i];
    return rounded(x, n);
}

static void fits_have_the_maxima_of_scipy(void **state)
{
    struct loom_rounded values = counted();
    (void)state;
    for (size_t i = 0; i < COUNT(maxima); i++) {
        struct loom_fit fit;
        assert_int_equal(loom_rounded_fit(&fit, maxima[i].name, &values, NULL), 0);
        assert_true(fit.converged && fit.weight == 825);
        assert_true(fabs(fit.log_likelihood - maxima[i].log_likelihood) < 0.02);
        for (size_t k = 0; k < fit.dist.n_params; k++)
            assert_close(fit.dist.params[k], maxima[i].params[k], 0.01);
    }
    loom_rounded_free(&values);
}

/* ---- matching -------------------------------------------------------------------------------- */

/* Values at the quantiles of a distribution, with no interval. */
static void assert_matched(const char *name, const double *params, size_t n_params,
                           enum loom_fit_by by, double tolerance)
{
    enum { N = 200001 };
    struct loom_dist dist;
    struct loom_fit fit;
    struct loom_error err = {0};
    double *x = malloc(N * sizeof *x);
    struct loom_rounded values = {.n = N, .x = x, .low = x, .high = x};
    assert_int_equal(loom_dist_init(&dist, name, params, n_params, NULL), 0);
    for (size_t i = 0; i < N; i++)
        x[i] = loom_dist_quantile(&dist, ((double)i + 0.5) / N);
    if (loom_rounded_fit_by(&fit, name, &values, by, &err))
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(fit.dist.n_params, n_params);
    for (size_t i = 0; i < n_params; i++)
        assert_close(fit.dist.params[i], params[i], tolerance);
    free(x);
}

static void matching_finds_the_parameters(void **state)
{
    static const struct {
        const char *name;
        double params[4];
        size_t n;
        bool moments, percentiles;
    } cases[] = {
        {"exponential", {70}, 1, true, true},
        {"gamma", {2.5, 30}, 2, true, true},
        {"gamma", {0.4, 30}, 2, true, true},
        {"weibull", {1.7, 50}, 2, true, true},
        {"weibull", {0.5, 50}, 2, true, true},
        {"gp", {-0.3, 50}, 2, true, true},
        {"gp", {0.9, 50}, 2, false, true},
        {"lognormal", {2, 0.7}, 2, true, true},
        {"normal", {9, 4}, 2, true, true},
        {"pareto", {5, 3}, 2, true, true},
        {"loguniform", {2, 900}, 2, false, true},
        {"erlang", {4, 20}, 2, true, false},
        {"hyperexponential", {0.4, 3, 0.6, 200}, 4, true, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].moments)
            assert_matched(cases[i].name, cases[i].params, cases[i].n, LOOM_FIT_MOMENTS, 0.025);
        if (cases[i].percentiles)
            assert_matched(cases[i].name, cases[i].params, cases[i].n, LOOM_FIT_PERCENTILES, 1e-3);
    }
}

static void matching_refuses_what_it_cannot(void **state)
{
    static double zeros[] = {0, 0, 0, 0, 7};
    struct loom_rounded values = {.n = 5, .x = zeros, .low = zeros, .high = zeros};
    struct loom_fit fit;
    (void)state;
    assert_int_equal(loom_rounded_fit_by(&fit, "weibull", &values, LOOM_FIT_PERCENTILES, NULL),
                     LOOM_EDATA);
    assert_int_equal(loom_rounded_fit_by(&fit, "hypergamma", &values, LOOM_FIT_MOMENTS, NULL),
                     LOOM_EDATA);
}

/* ---- ranking --------------------------------------------------------------------------------- */

static struct loom_rounded drawn(const char *name, const double *params, size_t n_params, size_t n)
{
    struct loom_dist dist;
    struct loom_stream stream;
    double *x = malloc(n * sizeof *x);
    assert_int_equal(loom_dist_init(&dist, name, params, n_params, NULL), 0);
    loom_stream_init(&stream, 4, 0, "ranking");
    for (size_t i = 0; i < n; i++)
        x[i] = round(loom_dist_sample(&dist, &stream.gsl));
    struct loom_rounded values = rounded(x, n);
    free(x);
    return values;
}

/* A tenth of the values are 0, which lognormals do not have; in intervals they are no obstacle. */
static void zeros_do_not_decide(void **state)
{
    const double params[] = {1, 1.4};
    struct loom_rounded values = drawn("lognormal", params, 2, 5000);
    struct loom_ranked *items = NULL;
    size_t n = 0, zeros = 0;
    (void)state;
    for (size_t i = 0; i < values.n; i++)
        zeros += values.x[i] == 0;
    assert_true(zeros > 400);
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL), 0);
    const struct loom_ranked *good = find_ranked(items, n, "lognormal");
    assert_true(good->rank <= 3);
    assert_true(good->fit.weight == 5000);
    assert_close(good->fit.dist.params[0], 1, 0.06);
    assert_close(good->fit.dist.params[1], 1.4, 0.04);
    assert_true(good->goodness.ad < 2.5); /* 5 % of right laws are above */
    assert_true(good->goodness.ks_p > 0.05);
    assert_true(good->share_passed[0] > 0.85 && good->share_passed[1] > 0.85);
    assert_true(find_ranked(items, n, "exponential")->share_passed[0] < 0.1);
    free(items);
    loom_rounded_free(&values);
}

static void discrete_laws_are_ranked_apart(void **state)
{
    const double params[] = {1, 1.4};
    struct loom_rounded values = drawn("lognormal", params, 2, 2000);
    struct loom_ranked *items = NULL;
    size_t n = 0;
    bool seen = false;
    (void)state;
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL), 0);
    for (size_t i = 0; i < n && items[i].fitted; i++) {
        bool discrete = items[i].fit.dist.ops->discrete;
        assert_true(discrete || !seen);
        seen = seen || discrete;
    }
    assert_true(seen);
    assert_true(find_ranked(items, n, "zipf")->rank == 1); /* the only one of its kind */
    free(items);
    loom_rounded_free(&values);
}

/* Half of the values are one number: a component sits on it. */
static void spikes_are_named(void **state)
{
    enum { N = 2000 };
    const double params[] = {2, 300};
    struct loom_rounded values = drawn("gamma", params, 2, N);
    struct loom_ranked *items = NULL;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < N / 2; i++) {
        values.x[i] = 3600;
        values.low[i] = 3599.5;
        values.high[i] = 3600.5;
    }
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL), 0);
    assert_non_null(strstr(find_ranked(items, n, "hypergamma")->spike, "is a spike at 3600"));
    assert_string_equal(find_ranked(items, n, "gamma")->spike, "");
    free(items);
    loom_rounded_free(&values);
    values = drawn("gamma", params, 2, N);
    assert_int_equal(loom_rank_fits(&items, &n, &values, LOOM_FIT_LIKELIHOOD, 1, NULL, NULL), 0);
    assert_string_equal(find_ranked(items, n, "hypergamma")->spike, "");
    free(items);
    loom_rounded_free(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_have_the_maxima_of_scipy),
        cmocka_unit_test(matching_finds_the_parameters),
        cmocka_unit_test(matching_refuses_what_it_cannot),
        cmocka_unit_test(zeros_do_not_decide),
        cmocka_unit_test(discrete_laws_are_ranked_apart),
        cmocka_unit_test(spikes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
