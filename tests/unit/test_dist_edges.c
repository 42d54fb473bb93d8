/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits of what logs really hold: zeros, ties, one value, seconds; and of what they should not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <workloom/stats.h>

#include <float.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fit ends in an error with a sentence, or in parameters, likelihood and criteria that are
 * numbers and functions that work. */
static void check_sound(const char *name, const char *what, const double *x, const double *w,
                        size_t n)
{
    struct loom_fit fit;
    struct loom_error err = {.code = 0};
    int rc = loom_dist_fit(&fit, name, x, w, n, &err);
    if (rc) {
        assert_int_equal(rc, err.code);
        assert_true(rc == LOOM_EDATA || rc == LOOM_ERANGE);
        assert_true(strlen(err.message) > 10);
        return;
    }
    bool finite = isfinite(fit.log_likelihood) && isfinite(fit.aic) && isfinite(fit.bic) &&
                  isfinite(fit.weight);
    for (size_t i = 0; i < fit.dist.n_params; i++)
        finite = finite && isfinite(fit.dist.params[i]);
    if (!finite || fit.dist.ops->check(fit.dist.params, fit.dist.n_params, &err))
        fail_msg("%s of %s is not sound: %s", name, what, err.message);
    if (!fit.converged && strlen(fit.note) == 0)
        fail_msg("%s of %s did not converge and does not say so", name, what);
    for (double p = 0.01; p < 1; p += 0.07) {
        double q = loom_dist_quantile(&fit.dist, p), c = loom_dist_cdf(&fit.dist, q);
        if (!isfinite(q) || !(c >= 0 && c <= 1))
            fail_msg("%s of %s: quantile(%g) is %g, cdf there %g", name, what, p, q, c);
    }
}

#define ROW(what, ...)                                             \
    {                                                              \
        what, (const double[]){__VA_ARGS__},                       \
            sizeof((const double[]){__VA_ARGS__}) / sizeof(double) \
    }

static const struct sample {
    const char *what;
    const double *x;
    size_t n;
} samples[] = {
    ROW("one value", 5),
    ROW("one zero", 0),
    ROW("one one", 1),
    ROW("zeros", 0, 0, 0),
    ROW("ones", 1, 1, 1, 1),
    ROW("equal values", 3600, 3600, 3600),
    ROW("two values", 1, 2),
    ROW("zero and one", 0, 1),
    ROW("zeros and one value", 0, 0, 0, 0, 7),
    ROW("near equal values", 1, 1 + 1e-15),
    ROW("close values", 1e9, 1e9 + 1, 1e9 + 2),
    ROW("two ties", 60, 60, 60, 60, 3600, 3600),
    ROW("mostly one second", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 86400),
    ROW("wide", 1e-300, 1, 1e300),
    ROW("huge", 1e307, 2e307, 3e307),
    ROW("too huge", DBL_MAX, DBL_MAX, DBL_MAX),
    ROW("tiny", 1e-308, 2e-308, 5e-324),
    ROW("minus one", 5, -1, 7),
    ROW("minus zero", -0.0, 3, 4),
    ROW("fractions", 0.1, 0.2, 0.5, 0.9),
    ROW("halves", 0.5, 0.5, 0.5),
    ROW("ends", 0, 0.5, 1),
    ROW("NaN", 1, NAN, 3),
    ROW("infinity", 1, INFINITY, 3),
    ROW("NaN at the end", 1, 2, 3, 4, 5, NAN),
};

static void test_odd_samples(void **state)
{
    (void)state;
    for (size_t i = 0; loom_dist_at(i); i++)
        for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
            check_sound(loom_dist_at(i)->name, samples[k].what, samples[k].x, NULL, samples[k].n);
}

static void test_odd_weights(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 10},
                 weights[][5] = {
                     {0, 0, 0, 0, 0},           {1, 0, 0, 0, 0},
                     {0, 1, 0, 0, 0},           {0, 1e-300, 1e300, 1, 0},
                     {1, 1, -1, 1, 1},          {1, NAN, 1, 1, 1},
                     {INFINITY, 1, 1, 1, 1},    {1e308, 1e308, 1e308, 1e308, 1e308},
                     {0.1, 0.2, 0.3, 0.4, 0.5},
                 };
    for (size_t i = 0; loom_dist_at(i); i++)
        for (size_t k = 0; k < sizeof weights / sizeof *weights; k++)
            check_sound(loom_dist_at(i)->name, "odd weights", x, weights[k], 5);
}

/* Runtimes in whole seconds: zeros, many ties, a limit that many jobs hit, a long tail. */
static void test_seconds(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x);
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "seconds");
    for (size_t i = 0; i < N; i++) {
        double u = gsl_rng_uniform(&stream.gsl);
        x[i] = u < 0.1 ? 0 : floor(gsl_ran_lognormal(&stream.gsl, 5, 2.5));
        if (u > 0.9)
            x[i] = 3600;
    }
    static const char *const names[] = {"exponential",      "gamma",
                                        "weibull",          "lognormal",
                                        "normal",           "gp",
                                        "pareto",           "loguniform",
                                        "twostage-uniform", "zipf",
                                        "erlang",           "hyperexponential",
                                        "hypererlang",      "hypergamma",
                                        "normal-mixture",   "hyperexponential:3",
                                        "hypergamma:3",     "normal-mixture:7"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct loom_fit fit;
        assert_int_equal(loom_dist_fit(&fit, names[i], x, NULL, N, NULL), 0);
        check_sound(names[i], "seconds", x, NULL, N);
    }
    free(x);
}

static struct loom_fit must_fit(const char *name, const double *x, size_t n)
{
    struct loom_fit fit;
    struct loom_error err;
    if (loom_dist_fit(&fit, name, x, NULL, n, &err))
        fail_msg("%s: %s", name, err.message);
    return fit;
}

static void test_notes_tell_what_was_left_out(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 5, 0, 9}, unit[] = {0, 0.2, 0.6, 0.7};
    static const char *const positive[] = {"gamma",  "weibull",     "lognormal",
                                           "pareto", "loguniform",  "zipf",
                                           "erlang", "hypererlang", "hypergamma"};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
        struct loom_fit fit = must_fit(positive[i], x, 6);
        assert_non_null(strstr(fit.note, "2 zeros were left out"));
        assert_true(fit.weight == 4);
    }
    static const char *const whole[] = {"exponential",      "normal",           "gp",
                                        "twostage-uniform", "hyperexponential", "normal-mixture"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_true(must_fit(whole[i], x, 6).weight == 6);
    struct loom_fit fit = must_fit("beta", unit, 4);
    assert_string_equal(fit.note, "1 value of 0 or 1 was left out");
    assert_true(must_fit("exponential", x, 6).dist.params[0] == 17.0 / 6);
}

/* fitdistrplus gives up on this one. */
static void test_gamma_of_lognormal(void **state)
{
    (void)state;
    enum { N = 100000 };
    double *x = malloc(N * sizeof *x), sum = 0, logs = 0;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "lognormal");
    for (size_t i = 0; i < N; i++) {
        x[i] = gsl_ran_lognormal(&stream.gsl, 6, 2);
        sum += x[i];
        logs += log(x[i]);
    }
    struct loom_fit fit = must_fit("gamma", x, N);
    assert_true(fit.converged && fit.iterations < 10);
    double k = fit.dist.params[0], s = log(sum / N) - logs / N, h = 1e-5;
    double psi = (lgamma(k + h) - lgamma(k - h)) / (2 * h);
    assert_true(fabs(log(k) - psi - s) < 1e-7 * s);
    assert_true(fabs(k * fit.dist.params[1] - sum / N) < 1e-9 * sum / N);
    free(x);
}

static void test_gp_with_zeros_and_heavy_tails(void **state)
{
    (void)state;
    enum { N = 5000 };
    double x[N];
    struct loom_stream stream;
    loom_stream_init(&stream, 4, 0, "gp");
    for (double shape = -0.8; shape < 10; shape += 0.6) {
        double params[] = {shape, 172.2};
        struct loom_dist dist;
        assert_int_equal(loom_dist_init(&dist, "gp", params, 2, NULL), 0);
        for (size_t i = 0; i < N; i++)
            x[i] = loom_dist_sample(&dist, &stream.gsl);
        struct loom_fit fit = must_fit("gp", x, N);
        double se = fmax(1 + shape, 0.3) / sqrt(N);
        if (fabs(fit.dist.params[0] - shape) > 4 * se)
            fail_msg("shape %g was fitted as %g", shape, fit.dist.params[0]);
        /* Whole seconds: a share of zeros, for which the likelihood has no maximum of its own. */
        for (size_t i = 0; i < N; i++)
            x[i] = floor(x[i]);
        fit = must_fit("gp", x, N);
        if (shape > 0 && fabs(fit.dist.params[0] - shape) > 0.15 * (1 + shape))
            fail_msg("shape %g in seconds was fitted as %g", shape, fit.dist.params[0]);
    }
    for (size_t i = 0; i < N; i++)
        x[i] = i < N / 2 ? 0 : (double)(i % 50);
    struct loom_fit fit = must_fit("gp", x, N);
    assert_non_null(strstr(fit.note, "resolution"));
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i + 1) / N;
    fit = must_fit("gp", x, N);
    assert_true(fit.dist.params[0] == -1 && fit.dist.params[1] == 1);
    assert_non_null(strstr(fit.note, "uniform"));
}

/* No neighbour of a distribution's only parameter has a greater likelihood. */
static void check_only_maximum(const struct loom_fit *fit, const double *x, size_t n)
{
    for (double factor = 0.5; factor < 2; factor += 0.03) {
        struct loom_dist near = fit->dist;
        near.params[0] *= factor;
        if (near.ops->check(near.params, 1, NULL) == 0)
            assert_true(loom_dist_log_likelihood(&near, x, NULL, n) <= fit->log_likelihood + 1e-9);
    }
}

/* Equal values do not determine a second parameter, so distributions with two or more refuse them.
 * With one parameter there still is a best value of it, however far the distribution is from the
 * data; and it is for the distance (KS) to say so, which must not come out as a good one. */
static void test_constant_data(void **state)
{
    (void)state;
    enum { N = 50 };
    static const double constants[] = {0, 0.25, 1, 60, 3600};
    double x[N];
    for (size_t i = 0; loom_dist_at(i); i++) {
        const struct loom_dist_ops *ops = loom_dist_at(i);
        size_t fitted = 0;
        for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
            for (size_t j = 0; j < N; j++)
                x[j] = constants[k];
            struct loom_fit fit;
            struct loom_goodness goodness = {0};
            int rc = loom_dist_fit(&fit, ops->name, x, NULL, N, NULL);
            if (rc && rc != LOOM_EDATA && !(rc == LOOM_ERANGE && ops->min_params == 1))
                fail_msg("%s of %g fails with %d", ops->name, constants[k], rc);
            if (rc)
                continue;
            fitted++;
            if (fit.free_params != 1)
                fail_msg("%s was fitted to equal values of %g", ops->name, constants[k]);
            check_only_maximum(&fit, x, N);
            assert_int_equal(loom_goodness(&goodness, &fit.dist, 1, x, N, NULL), 0);
            assert_true(goodness.ks > 0.6 && goodness.ks_p < 1e-6);
        }
        if ((fitted > 0) != (ops->min_params == 1 && ops->max_params == 1))
            fail_msg("%s was fitted %zu times", ops->name, fitted);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } wrong[] = {
        {"gama", "there is no distribution 'gama'; did you mean 'gamma'?"},
        {"xyzzy", "there is no distribution 'xyzzy'; see 'workloom list distributions'"},
        {"", "there is no distribution ''; see 'workloom list distributions'"},
        {"gamma:2", "gamma is no mixture and takes no number of components"},
        {"hyperexponential:", "'' is no number of components for hyperexponential, use 1 to 32"},
        {"hyperexponential:0", "'0' is no number of components for hyperexponential, use 1 to 32"},
        {"hypergamma:22", "'22' is no number of components for hypergamma, use 1 to 21"},
        {"hypererlang:-1", "'-1' is no number of components for hypererlang, use 1 to 31"},
        {"normal-mixture:2x", "'2x' is no number of components for normal-mixture, use 1 to 21"},
        {"normal-mixture:99999999999999999999999",
         "'99999999999999999999999' is no number of components for normal-mixture, use 1 to 21"},
    };
    const double x[] = {1, 2, 3};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct loom_fit fit;
        struct loom_error err;
        assert_int_equal(loom_dist_fit(&fit, wrong[i].name, x, NULL, 3, &err), LOOM_EUSAGE);
        assert_string_equal(err.message, wrong[i].message);
    }
    struct loom_fit fit;
    struct loom_error err;
    assert_int_equal(loom_dist_fit(&fit, "gamma", x, NULL, 0, &err), LOOM_EDATA);
    assert_string_equal(err.message, "there are no values to fit gamma to");
    assert_int_equal(loom_dist_fit(&fit, "hyperexponential:4", x, NULL, 3, &err), LOOM_EDATA);
    assert_string_equal(err.message, "3 different values are too few for 4 components");
    assert_int_equal(loom_dist_fit(&fit, "gamma", (const double[]){4, 4}, NULL, 2, &err),
                     LOOM_EDATA);
    assert_string_equal(err.message, "all 2 values are 4: a fit needs two different ones");
    assert_int_equal(loom_dist_fit(&fit, "zipf", (const double[]){1.5}, NULL, 1, &err),
                     LOOM_ERANGE);
    assert_string_equal(err.message, "value 1.5 is no whole number");
}

static void test_parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t n;
        double params[6];
    } wrong[] = {
        {"exponential", 1, {0}},
        {"exponential", 1, {NAN}},
        {"gamma", 2, {-1, 1}},
        {"gamma", 2, {1, INFINITY}},
        {"weibull", 2, {0, 1}},
        {"lognormal", 2, {NAN, 1}},
        {"normal", 2, {0, 0}},
        {"gp", 2, {INFINITY, 1}},
        {"pareto", 2, {1, 0}},
        {"loguniform", 2, {2, 2}},
        {"twostage-uniform", 4, {0, 2, 1, 0.5}},
        {"twostage-uniform", 4, {0, 1, 2, 1.5}},
        {"beta", 1, {0}},
        {"zipf", 1, {1}},
        {"erlang", 2, {1.5, 1}},
        {"hyperexponential", 4, {0.5, 1, 0.6, 2}},
        {"hyperexponential", 3, {0.5, 1, 0.5}},
        {"hypererlang", 5, {0, 0.5, 1, 0.5, 1}},
        {"hypergamma", 6, {0.5, 1, 1, 0.5, 1, -1}},
        {"normal-mixture", 6, {1.5, 1, 1, -0.5, 1, 1}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct loom_dist dist;
        struct loom_error err;
        int rc = loom_dist_init(&dist, wrong[i].name, wrong[i].params, wrong[i].n, &err);
        assert_int_equal(rc, LOOM_ERANGE);
        const struct loom_dist_ops *ops = loom_dist_find(wrong[i].name);
        const char *part = ops->mixture ? ops->mixture->component->name : ops->name;
        assert_true(strstr(err.message, ops->name) || strstr(err.message, part));
    }
    struct loom_dist dist;
    assert_int_equal(loom_dist_init(&dist, "gamma", wrong[0].params, 3, NULL), LOOM_EUSAGE);
    assert_int_equal(loom_dist_init(&dist, "gama", wrong[0].params, 2, NULL), LOOM_EUSAGE);
}

static void test_quantile_ends_are_finite(void **state)
{
    (void)state;
    const double x[] = {0.2, 0.4, 0.7, 0.9}, counts[] = {1, 2, 2, 9};
    for (size_t i = 0; loom_dist_at(i); i++) {
        const struct loom_dist_ops *ops = loom_dist_at(i);
        struct loom_fit fit = must_fit(ops->name, ops->discrete ? counts : x, 4);
        double low = loom_dist_quantile(&fit.dist, 0), high = loom_dist_quantile(&fit.dist, 1);
        assert_true(isfinite(low) && isfinite(high) && low <= high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_samples),
        cmocka_unit_test(test_odd_weights),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_notes_tell_what_was_left_out),
        cmocka_unit_test(test_gamma_of_lognormal),
        cmocka_unit_test(test_gp_with_zeros_and_heavy_tails),
        cmocka_unit_test(test_constant_data),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_parameters_are_checked),
        cmocka_unit_test(test_quantile_ends_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
