/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every distribution must do: its functions agree with each other, its sampler with its cdf,
 * and its fit finds the parameters of its own samples. The distribution to copy is no part of the
 * library, so it is compiled here and called as dist.c calls the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/template.c"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 4000, MOST_PARAMS = 9 };

/* Parameters as the papers have them, and some at the limits. Fits are tried on all. */
static const struct example {
    const char *name;
    size_t n;
    double params[MOST_PARAMS];
} examples[] = {
    {"exponential", 1, {1213.38}},
    {"gamma", 2, {0.31, 3874}},
    {"gamma", 2, {10.2303, 0.4871}},
    {"weibull", 2, {0.47, 475.43}},
    {"weibull", 2, {3, 1e-3}},
    {"lognormal", 2, {6, 2}},
    {"normal", 2, {-4, 0.3}},
    {"gp", 2, {1.26, 172.2}},
    {"gp", 2, {-0.4, 100}},
    {"gp", 2, {4, 1}},
    {"pareto", 2, {1.25, 30}},
    {"loguniform", 2, {1, 86400}},
    {"twostage-uniform", 4, {0.8, 4.5, 7, 0.86}},
    {"beta", 1, {0.4}},
    {"beta", 1, {8}},
    {"zipf", 1, {2.26}},
    {"zipf", 1, {3.17}},
    {"erlang", 2, {4, 100}},
    {"hyperexponential", 4, {0.7, 10, 0.3, 1000}},
    {"hyperexponential", 6, {0.5, 1, 0.3, 50, 0.2, 2500}},
    {"hypererlang", 5, {3, 0.6, 3, 0.4, 200}},
    {"hypergamma", 6, {0.685, 4.2, 0.94, 0.315, 312, 0.03}},
    {"normal-mixture", 6, {0.4, -1, 0.5, 0.6, 6, 2}},
    {"normal-mixture", 9, {0.2, 2, 0.3, 0.5, 5, 0.6, 0.3, 9, 0.2}},
    {"template", 2, {-4, 3}},
    {"template", 2, {1e6, 1e6 + 1}},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static struct loom_dist dist_of(const struct example *e)
{
    struct loom_dist dist;
    struct loom_error err;
    if (strcmp(e->name, loom_template.name) == 0) {
        dist = (struct loom_dist){.ops = &loom_template, .n_params = e->n};
        memcpy(dist.params, e->params, e->n * sizeof *e->params);
        assert_int_equal(loom_template.check(dist.params, dist.n_params, NULL), 0);
    } else if (loom_dist_init(&dist, e->name, e->params, e->n, &err)) {
        fail_msg("%s: %s", e->name, err.message);
    }
    return dist;
}

static void draw(double *x, size_t n, const struct loom_dist *dist, uint64_t seed)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, dist->ops->name);
    for (size_t i = 0; i < n; i++)
        x[i] = loom_dist_sample(dist, &stream.gsl);
}

/* The name to fit by, with the example's number of components. */
static void fit_name(char *buf, size_t size, const struct loom_dist *dist)
{
    const struct loom_mixture *m = dist->ops->mixture;
    size_t components = 0;
    if (m)
        components = (dist->n_params - m->shared) / (m->component->min_params - m->shared + 1);
    snprintf(buf, size, m ? "%s:%zu" : "%s", dist->ops->name, components);
}

static int fit_template(struct loom_fit *out, const double *x, const double *w, size_t n,
                        struct loom_error *err)
{
    *out = (struct loom_fit){.dist.ops = &loom_template, .log_likelihood = NAN};
    int rc = loom_fit_values(out, x, w, n, 1, err);
    if (!rc)
        rc = loom_template.check(out->dist.params, out->dist.n_params, err);
    double free_params = (double)out->free_params;
    out->aic = 2 * free_params - 2 * out->log_likelihood;
    out->bic = free_params * log(out->weight) - 2 * out->log_likelihood;
    return rc;
}

static struct loom_fit fit_like(const struct loom_dist *dist, const double *x, const double *w,
                                size_t n)
{
    char name[64];
    struct loom_fit fit;
    struct loom_error err;
    fit_name(name, sizeof name, dist);
    if (dist->ops == &loom_template ? fit_template(&fit, x, w, n, &err)
                                    : loom_dist_fit(&fit, name, x, w, n, &err))
        fail_msg("fit of %s: %s", name, err.message);
    return fit;
}

#define check_near(example, what, got, want, tolerance)                                            \
    do {                                                                                           \
        double got_ = (got), want_ = (want);                                                       \
        if (!(fabs(got_ - want_) <= (tolerance)))                                                  \
            fail_msg("%s(%g, ...): %s is %.12g, not %.12g", (example)->name, (example)->params[0], \
                     what, got_, want_);                                                           \
    } while (0)

static const double levels[] = {1e-5, 0.001, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 0.999, 0.99999};
enum { LEVELS = sizeof levels / sizeof *levels };

static void test_quantile_inverts_cdf(void **state)
{
    (void)state;
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        for (size_t k = 0; k < LEVELS; k++) {
            double p = levels[k], x = loom_dist_quantile(&dist, p);
            /* The last digit of x is worth this much. */
            double digit = 4 * DBL_EPSILON * fabs(x) * loom_dist_density(&dist, x);
            double tolerance = 1e-10 * fmin(p, 1 - p) + digit;
            if (dist.ops->discrete) {
                assert_true(loom_dist_cdf(&dist, x) >= p - 1e-15);
                assert_true(loom_dist_cdf(&dist, x - 1) < p);
            } else if (p <= 0.5) {
                check_near(e, "cdf(quantile)", loom_dist_cdf(&dist, x), p, tolerance);
            } else {
                check_near(e, "survival(quantile)", loom_dist_survival(&dist, x), 1 - p, tolerance);
            }
        }
    }
}

static void test_cdf_and_survival_add_up(void **state)
{
    (void)state;
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        double last = 0;
        for (size_t k = 0; k < LEVELS; k++) {
            double x = loom_dist_quantile(&dist, levels[k]), c = loom_dist_cdf(&dist, x);
            check_near(e, "cdf + survival", c + loom_dist_survival(&dist, x), 1, 1e-12);
            assert_true(c >= last);
            last = c;
        }
        assert_true(loom_dist_cdf(&dist, -INFINITY) == 0);
        assert_true(loom_dist_survival(&dist, -INFINITY) == 1);
        check_near(e, "cdf at infinity", loom_dist_cdf(&dist, INFINITY), 1, 1e-15);
        assert_true(loom_dist_survival(&dist, INFINITY) == 0);
        assert_true(loom_dist_density(&dist, -INFINITY) == 0);
    }
}

static double density_at(double x, void *dist)
{
    return loom_dist_density(dist, x);
}

/* Sum of the masses of low + 1 ... high. */
static double sum_mass(const struct loom_dist *dist, double low, double high)
{
    double sum = 0;
    for (double k = low + 1; k <= high; k++)
        sum += loom_dist_density(dist, k);
    return sum;
}

static void test_density_integrates_to_cdf(void **state)
{
    (void)state;
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(1000);
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        gsl_function f = {density_at, &dist};
        for (double p = 0.025; p < 0.95; p += 0.05) {
            double low = loom_dist_quantile(&dist, p), high = loom_dist_quantile(&dist, p + 0.05);
            double wanted = loom_dist_cdf(&dist, high) - loom_dist_cdf(&dist, low), mass, error;
            if (dist.ops->discrete)
                mass = sum_mass(&dist, low, high);
            else
                gsl_integration_qag(&f, low, high, 1e-10, 1e-9, 1000, GSL_INTEG_GAUSS15, space,
                                    &mass, &error);
            check_near(e, "integral of the density", mass, wanted, 1e-6);
        }
    }
    gsl_integration_workspace_free(space);
}

/* The distance of a sorted sample to a cdf; between values only, where values can be equal. */
static double ks_distance(const struct loom_dist *dist, const double *sorted, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double c = loom_dist_cdf(dist, sorted[i]);
        double before = (double)i / (double)n, after = (double)(i + 1) / (double)n;
        if (!dist->ops->discrete)
            most = fmax(most, c - before);
        if (i + 1 == n || sorted[i + 1] > sorted[i])
            most = fmax(most, fabs(after - c));
    }
    return most;
}

/* 1.95 / sqrt(n) is exceeded once in a thousand times; the seeds are fixed. */
static void test_sampler_follows_cdf(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x);
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        draw(x, N, &dist, 11);
        gsl_sort(x, 1, N);
        check_near(e, "distance of the sample", ks_distance(&dist, x, N), 0, 1.95 / sqrt(N));
    }
    free(x);
}

/* Twice the gain in log-likelihood over the true parameters is about chi-square with the number of
 * free parameters; ends of ranges count double. */
static void test_fit_recovers_own_samples(void **state)
{
    (void)state;
    static double x[SAMPLE];
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        draw(x, SAMPLE, &dist, 5);
        struct loom_fit fit = fit_like(&dist, x, NULL, SAMPLE);
        if (!fit.converged)
            fail_msg("%s(%g, ...): %s", e->name, e->params[0], fit.note);
        double truth = loom_dist_log_likelihood(&dist, x, NULL, SAMPLE);
        double gain = 2 * (fit.log_likelihood - truth);
        double most = gsl_cdf_chisq_Pinv(0.9999, 2 * (double)fit.free_params);
        if (!(gain >= -1e-6 && gain <= most))
            fail_msg("%s(%g, ...): gain %g is not in 0 .. %g", e->name, e->params[0], gain, most);
        for (size_t k = 1; k + 1 < LEVELS; k++) {
            double at = loom_dist_quantile(&dist, levels[k]), truth_p = loom_dist_cdf(&dist, at);
            double se = sqrt(truth_p * (1 - truth_p) / SAMPLE);
            check_near(e, "fitted cdf", loom_dist_cdf(&fit.dist, at), truth_p, 4 * se);
        }
    }
}

static void test_likelihood_is_the_sum(void **state)
{
    (void)state;
    static double x[SAMPLE];
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        draw(x, SAMPLE, &dist, 6);
        struct loom_fit fit = fit_like(&dist, x, NULL, SAMPLE);
        double sum = loom_dist_log_likelihood(&fit.dist, x, NULL, SAMPLE);
        double free_params = (double)fit.free_params;
        check_near(e, "log-likelihood", fit.log_likelihood, sum, 1e-9 * (fabs(sum) + SAMPLE));
        check_near(e, "AIC", fit.aic, 2 * free_params - 2 * fit.log_likelihood, 1e-6);
        check_near(e, "BIC", fit.bic, free_params * log(SAMPLE) - 2 * fit.log_likelihood, 1e-6);
        assert_true(fit.weight == SAMPLE);
        assert_string_equal(fit.note, "");
    }
}

/* No neighbour that passes the distribution's own check has a greater likelihood. */
static void test_fit_is_a_maximum(void **state)
{
    (void)state;
    static double x[SAMPLE];
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        draw(x, SAMPLE, &dist, 7);
        struct loom_fit fit = fit_like(&dist, x, NULL, SAMPLE);
        for (size_t i = 0; i < 4 * fit.dist.n_params; i++) {
            struct loom_dist near = fit.dist;
            double size = i & 1 ? 1e-2 : 5e-4, step = i & 2 ? size : -size;
            near.params[i / 4] += step * fabs(near.params[i / 4]);
            if (near.ops->check(near.params, near.n_params, NULL))
                continue;
            double there = loom_dist_log_likelihood(&near, x, NULL, SAMPLE);
            if (there > fit.log_likelihood + 1e-5)
                fail_msg("%s(%g, ...): parameter %zu moved by %g gains %g", e->name, e->params[0],
                         i / 4, step, there - fit.log_likelihood);
        }
    }
}

static void check_same_fit(const struct example *e, const struct loom_fit *a,
                           const struct loom_fit *b, double factor, double tolerance)
{
    for (size_t k = 1; k + 1 < LEVELS; k++) {
        double q = loom_dist_quantile(&a->dist, levels[k]);
        double scale = fmax(fabs(q), fabs(loom_dist_quantile(&a->dist, 0.5)));
        check_near(e, "quantile", loom_dist_quantile(&b->dist, levels[k]) / factor, q,
                   tolerance * scale);
    }
}

/* Weights 0 to 3 against a sample with each value that many times. */
static void test_weights_are_replication(void **state)
{
    (void)state;
    static double x[SAMPLE / 2], w[SAMPLE / 2], copies[3 * SAMPLE / 2];
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        size_t n = 0;
        draw(x, SAMPLE / 2, &dist, 8);
        for (size_t i = 0; i < SAMPLE / 2; i++) {
            w[i] = (double)(i * 7 % 4);
            for (size_t k = 0; k < i * 7 % 4; k++)
                copies[n++] = x[i];
        }
        struct loom_fit weighted = fit_like(&dist, x, w, SAMPLE / 2);
        struct loom_fit plain = fit_like(&dist, copies, NULL, n);
        check_near(e, "weighted log-likelihood", weighted.log_likelihood, plain.log_likelihood,
                   1e-9 * (fabs(plain.log_likelihood) + SAMPLE));
        assert_true(weighted.weight == plain.weight);
        check_same_fit(e, &plain, &weighted, 1, 1e-6);
    }
}

/* Hours, seconds or microseconds: the same distribution. Those with fixed ends are excepted. */
static void test_fit_scales(void **state)
{
    (void)state;
    static double x[SAMPLE], scaled[SAMPLE];
    static const double factors[] = {3600, 1e-6};
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        if (dist.ops->discrete || strcmp(e->name, "beta") == 0)
            continue;
        draw(x, SAMPLE, &dist, 9);
        struct loom_fit fit = fit_like(&dist, x, NULL, SAMPLE);
        for (size_t k = 0; k < 2; k++) {
            for (size_t i = 0; i < SAMPLE; i++)
                scaled[i] = factors[k] * x[i];
            struct loom_fit other = fit_like(&dist, scaled, NULL, SAMPLE);
            check_same_fit(e, &fit, &other, factors[k], 1e-5);
            check_near(e, "scaled log-likelihood", other.log_likelihood,
                       fit.log_likelihood - SAMPLE * log(factors[k]), 1e-4);
        }
    }
}

/* The order of the values must not matter either. */
static void test_fit_ignores_order(void **state)
{
    (void)state;
    static double x[SAMPLE], turned[SAMPLE];
    for (const struct example *e = examples; e < examples + EXAMPLES; e++) {
        struct loom_dist dist = dist_of(e);
        draw(x, SAMPLE, &dist, 10);
        for (size_t i = 0; i < SAMPLE; i++)
            turned[i] = x[SAMPLE - 1 - i];
        struct loom_fit a = fit_like(&dist, x, NULL, SAMPLE);
        struct loom_fit b = fit_like(&dist, turned, NULL, SAMPLE);
        check_same_fit(e, &a, &b, 1, 1e-8);
    }
}

static void test_list_is_whole(void **state)
{
    (void)state;
    char taken[LOOM_DIST_PARAMS][32];
    for (size_t i = 0; loom_dist_at(i); i++) {
        const struct loom_dist_ops *ops = loom_dist_at(i);
        assert_ptr_equal(loom_dist_find(ops->name), ops);
        assert_true(strlen(ops->summary) > 0);
        assert_true(ops->min_params >= 1 && ops->max_params <= LOOM_DIST_PARAMS);
        for (size_t k = 0; k < ops->min_params; k++) {
            loom_dist_param_name(ops, k, taken[k], sizeof taken[k]);
            for (size_t j = 0; j < k; j++)
                assert_string_not_equal(taken[j], taken[k]);
        }
        size_t found = 0;
        for (const struct example *e = examples; e < examples + EXAMPLES; e++)
            found += strcmp(e->name, ops->name) == 0;
        if (found == 0)
            fail_msg("%s has no example here", ops->name);
    }
    assert_null(loom_dist_find("no such"));
}

/* What the suite does not ask of the distribution to copy: by hand, and bad data. */
static void test_template(void **state)
{
    (void)state;
    const double x[] = {3, -1, 7, 100}, w[] = {1, 2, 1, 0}, same[] = {5, 5, 5}, bad[] = {1, NAN, 2},
                 far[] = {-DBL_MAX, DBL_MAX}, wrong[] = {2, 2};
    struct loom_fit fitted;
    assert_null(loom_dist_find(loom_template.name));
    assert_int_equal(fit_template(&fitted, x, w, 4, NULL), 0);
    assert_true(fitted.dist.params[0] == -1 && fitted.dist.params[1] == 7);
    assert_true(fitted.weight == 4 && fabs(fitted.log_likelihood + 4 * log(8)) < 1e-14);
    assert_true(loom_dist_mean(&fitted.dist) == 3);
    assert_true(fabs(loom_dist_variance(&fitted.dist) - 64.0 / 12) < 1e-14);
    char buf[32];
    assert_string_equal(loom_dist_param_name(&loom_template, 0, buf, sizeof buf), "low");
    assert_string_equal(loom_dist_param_name(&loom_template, 1, buf, sizeof buf), "high");
    assert_int_equal(fit_template(&fitted, same, NULL, 3, NULL), LOOM_EDATA);
    assert_int_equal(fit_template(&fitted, bad, NULL, 3, NULL), LOOM_ERANGE);
    assert_int_equal(fit_template(&fitted, far, NULL, 2, NULL), LOOM_ERANGE);
    assert_int_equal(loom_template.check(wrong, 2, NULL), LOOM_ERANGE);
    assert_int_equal(loom_template.check((const double[]){0, NAN}, 2, NULL), LOOM_ERANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile_inverts_cdf),
        cmocka_unit_test(test_cdf_and_survival_add_up),
        cmocka_unit_test(test_density_integrates_to_cdf),
        cmocka_unit_test(test_sampler_follows_cdf),
        cmocka_unit_test(test_fit_recovers_own_samples),
        cmocka_unit_test(test_likelihood_is_the_sum),
        cmocka_unit_test(test_fit_is_a_maximum),
        cmocka_unit_test(test_weights_are_replication),
        cmocka_unit_test(test_fit_scales),
        cmocka_unit_test(test_fit_ignores_order),
        cmocka_unit_test(test_list_is_whole),
        cmocka_unit_test(test_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
