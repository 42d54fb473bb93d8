/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of fits and distances between samples: against SciPy, on samples drawn from the
 * distribution itself, and at the edges. */
#include "samples.h"

#include <string.h>
#include <workloom/stats.h>

static const struct {
    const char *name;
    size_t n_params;
    double params[2];
    size_t free_params;
    enum sample_kind kind;
    uint64_t seed;
    size_t n;
    double ks, ad, chi2, chi2_p;
    size_t chi2_bins;
} fits[] = {
#define FITS
#include "../oracle/goodness.inc"
};

static const struct {
    enum sample_kind kind_a;
    uint64_t seed_a;
    size_t n;
    enum sample_kind kind_b;
    uint64_t seed_b;
    size_t m;
    double ks, wasserstein, anderson_darling;
} pairs[] = {
#define PAIRS
#include "../oracle/goodness.inc"
};

static const struct {
    double lambda, p;
} limits[] = {
#define LIMITS
#include "../oracle/goodness.inc"
};

static const struct {
    double n, distance, p;
} exact[] = {
#define EXACT
#include "../oracle/goodness.inc"
};

static double *sorted_sample(enum sample_kind kind, uint64_t seed, size_t n, double shift)
{
    double *x = sample_make(kind, seed, n);
    for (size_t i = 0; i < n; i++)
        x[i] += shift;
    assert_int_equal(loom_sort(x, n, NULL), 0);
    return x;
}

static struct loom_dist make(const char *name, const double *params, size_t n)
{
    struct loom_dist dist;
    assert_int_equal(loom_dist_init(&dist, name, params, n, NULL), 0);
    return dist;
}

/* Close, or both not a number. */
static void assert_same(double got, double wanted, double tolerance)
{
    assert_int_equal(isnan(got), isnan(wanted));
    if (!isnan(wanted))
        assert_close(got, wanted, tolerance);
}

static void tests_fits_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(fits); row++) {
        struct loom_dist dist = make(fits[row].name, fits[row].params, fits[row].n_params);
        double shift = strcmp(fits[row].name, "zipf") == 0 ? 1
                       : strcmp(fits[row].name, "gp") == 0 ? -1
                                                           : 0;
        double *x = sorted_sample(fits[row].kind, fits[row].seed, fits[row].n, shift);
        struct loom_goodness got;
        assert_int_equal(loom_goodness(&got, &dist, fits[row].free_params, x, fits[row].n, NULL),
                         0);
        assert_close(got.ks, fits[row].ks, 1e-11);
        assert_close(got.ks_p, loom_ks_p(got.ks, (double)fits[row].n), 0);
        assert_same(got.ad, fits[row].ad, 1e-9);
        assert_same(got.chi2, fits[row].chi2, 1e-9);
        assert_same(got.chi2_p, fits[row].chi2_p, 1e-9);
        assert_int_equal(got.chi2_bins, fits[row].chi2_bins);
        free(x);
    }
}

static void measures_distances_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(pairs); row++) {
        size_t n = pairs[row].n;
        size_t m = pairs[row].m;
        double *a = sorted_sample(pairs[row].kind_a, pairs[row].seed_a, n, 0);
        double *b = sorted_sample(pairs[row].kind_b, pairs[row].seed_b, m, 0);
        assert_close(loom_ks_two(a, n, b, m), pairs[row].ks, 1e-13);
        assert_close(loom_ks_two(b, m, a, n), pairs[row].ks, 1e-13);
        assert_close(loom_wasserstein(a, n, b, m), pairs[row].wasserstein, 1e-12);
        assert_close(loom_wasserstein(b, m, a, n), pairs[row].wasserstein, 1e-12);
        assert_close(loom_anderson_darling_two(a, n, b, m), pairs[row].anderson_darling, 1e-11);
        assert_close(loom_anderson_darling_two(b, m, a, n), pairs[row].anderson_darling, 1e-11);
        free(a);
        free(b);
    }
}

/* In the limit of large n the p is Kolmogorov's. */
static void tends_to_the_limit(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(limits); row++)
        assert_close(loom_ks_p(limits[row].lambda / 1e9, 1e18), limits[row].p, 1e-8);
}

/* For few values it is within a few thousandths of the exact one where a test would decide. */
static void is_near_the_exact_probability(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(exact); row++) {
        double p = loom_ks_p(exact[row].distance, exact[row].n);
        assert_close(p, exact[row].p, exact[row].p > 0.2 ? 0.02 : 0.005);
    }
}

static void keeps_probabilities_in_range(void **state)
{
    (void)state;
    for (double n = 1; n < 1e7; n *= 7) {
        double last = 1;
        for (double distance = 0; distance <= 1; distance += 0.001) {
            double p = loom_ks_p(distance, n);
            assert_true(p >= 0 && p <= 1 && p <= last + 1e-12);
            last = p;
        }
    }
    assert_true(loom_ks_p(0, 10) == 1);
    assert_true(isnan(loom_ks_p(0.5, 0)));
}

/* Samples of a distribution pass its test as often as the significance says: p is uniform. */
static void believes_true_distributions(void **state)
{
    (void)state;
    enum { ROUNDS = 400, N = 500 };
    struct loom_dist dist = make("weibull", (const double[]){0.6, 100}, 2);
    double x[N];
    int ks = 0;
    int chi2 = 0;
    double ad = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct loom_stream stream;
        loom_stream_init(&stream, 1, round, "goodness");
        for (size_t i = 0; i < N; i++)
            x[i] = loom_dist_sample(&dist, &stream.gsl);
        assert_int_equal(loom_sort(x, N, NULL), 0);
        struct loom_goodness got;
        assert_int_equal(loom_goodness(&got, &dist, 0, x, N, NULL), 0);
        ks += got.ks_p < 0.1;
        chi2 += got.chi2_p < 0.1;
        ad += got.ad / ROUNDS;
    }
    /* 40 expected with an error of 6; A^2 has mean 1 and deviation 0.76. */
    assert_in_range(ks, 18, 62);
    assert_in_range(chi2, 18, 62);
    assert_true(fabs(ad - 1) < 4 * 0.76 / sqrt(ROUNDS));
}

/* A value the distribution holds for impossible: a number all the same, and a bad one. */
static void bears_impossible_values(void **state)
{
    (void)state;
    double x[200];
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = (double)i - 5;
    struct loom_dist dist = make("exponential", (const double[]){60}, 1);
    struct loom_goodness got;
    assert_int_equal(loom_goodness(&got, &dist, 1, x, COUNT(x), NULL), 0);
    assert_true(isfinite(got.ad) && got.ad > 10);
    assert_true(isfinite(got.chi2) && got.chi2_p >= 0 && got.ks > 0);
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = 7;
    assert_int_equal(loom_goodness(&got, &dist, 1, x, COUNT(x), NULL), 0);
    assert_true(isfinite(got.ad) && isfinite(got.chi2) && got.chi2_p < 1e-9);
}

/* 95 % of subsamples of the right distribution pass at 5 %, none of a wrong one; subsamples of 500
 * of a nearly right one pass though the whole sample does not. */
static void tests_subsamples(void **state)
{
    (void)state;
    enum { N = 60000 };
    double *x = malloc(N * sizeof *x);
    struct loom_stream stream;
    loom_stream_init(&stream, 2, 0, "goodness");
    struct loom_dist right = make("gamma", (const double[]){2, 3}, 2);
    struct loom_dist near = make("gamma", (const double[]){2, 3.06}, 2);
    struct loom_dist wrong = make("exponential", (const double[]){6}, 1);
    for (size_t i = 0; i < N; i++)
        x[i] = loom_dist_sample(&right, &stream.gsl);
    double share = 0;
    double ks = 0;
    assert_int_equal(loom_subsample_test(&share, &ks, &right, x, N, 800, 400, 0.05, 1, NULL), 0);
    assert_true(fabs(share - 0.95) < 4 * sqrt(0.95 * 0.05 / 400));
    assert_true(fabs(ks - 0.8687 / sqrt(800)) < 0.002); /* the mean of Kolmogorov's distribution */
    double again = 0;
    assert_int_equal(loom_subsample_test(&again, &ks, &right, x, N, 800, 400, 0.05, 1, NULL), 0);
    assert_true(again == share);
    assert_int_equal(loom_subsample_test(&share, &ks, &wrong, x, N, 800, 100, 0.05, 1, NULL), 0);
    assert_true(share == 0 && ks > 0.1);
    assert_int_equal(loom_subsample_test(&share, &ks, &near, x, N, 500, 200, 0.05, 1, NULL), 0);
    assert_true(share > 0.85);
    assert_int_equal(loom_sort(x, N, NULL), 0);
    struct loom_goodness whole;
    assert_int_equal(loom_goodness(&whole, &near, 0, x, N, NULL), 0);
    assert_true(whole.ks_p < 0.001);
    free(x);
}

/* A subsample of everything is the sample: its distance is the whole's. */
static void draws_without_replacement(void **state)
{
    (void)state;
    double *x = sorted_sample(SAMPLE_HEAVY, 3, 300, 0);
    struct loom_dist dist = make("lognormal", (const double[]){1, 1}, 2);
    struct loom_goodness whole;
    double share = 0;
    double ks = 0;
    assert_int_equal(loom_goodness(&whole, &dist, 0, x, 300, NULL), 0);
    assert_int_equal(loom_subsample_test(&share, &ks, &dist, x, 300, 300, 3, 0.05, 9, NULL), 0);
    assert_close(ks, whole.ks, 1e-14);
    assert_true(share == (whole.ks_p >= 0.05));
    free(x);
}

static void refuses(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct loom_goodness got;
    struct loom_dist dist = make("exponential", (const double[]){1}, 1);
    const double x[] = {1, 2, 3};
    const double bad[] = {1, NAN, 3};
    double share = 0;
    double ks = 0;
    REFUSES(LOOM_EDATA, loom_goodness(&got, &dist, 0, x, 0, &err));
    REFUSES(LOOM_EDATA, loom_goodness(&got, &dist, 0, bad, 3, &err));
    REFUSES(LOOM_EDATA, loom_subsample_test(&share, &ks, &dist, x, 0, 0, 5, 0.05, 1, &err));
    REFUSES(LOOM_EDATA, loom_subsample_test(&share, &ks, &dist, x, 3, 4, 5, 0.05, 1, &err));
    REFUSES(LOOM_EDATA, loom_subsample_test(&share, &ks, &dist, x, 3, 0, 5, 0.05, 1, &err));
    REFUSES(LOOM_EDATA, loom_subsample_test(&share, &ks, &dist, bad, 3, 2, 5, 0.05, 1, &err));
    REFUSES(LOOM_ERANGE, loom_subsample_test(&share, &ks, &dist, x, 3, 2, 0, 0.05, 1, &err));
    REFUSES(LOOM_ERANGE, loom_subsample_test(&share, &ks, &dist, x, 3, 2, 5, 0, 1, &err));
    REFUSES(LOOM_ERANGE, loom_subsample_test(&share, &ks, &dist, x, 3, 2, 5, NAN, 1, &err));
    for (size_t n = 1; n <= 3; n++) {
        assert_int_equal(loom_goodness(&got, &dist, 1, x, n, NULL), 0);
        assert_true(isfinite(got.ks) && isfinite(got.ks_p) && isfinite(got.ad));
        assert_true(got.chi2_bins == 0 && isnan(got.chi2) && isnan(got.chi2_p));
    }
    assert_true(isnan(loom_ks_two(x, 0, x, 3)) && isnan(loom_ks_two(x, 3, x, 0)));
    assert_true(isnan(loom_wasserstein(x, 0, x, 3)));
    assert_true(isnan(loom_anderson_darling_two(x, 3, x, 0)));
    const double same[] = {4, 4, 4};
    assert_true(loom_ks_two(same, 3, same, 2) == 0);
    assert_true(loom_wasserstein(same, 3, same, 2) == 0);
    assert_true(loom_anderson_darling_two(same, 3, same, 2) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_fits_like_scipy),
        cmocka_unit_test(measures_distances_like_scipy),
        cmocka_unit_test(tends_to_the_limit),
        cmocka_unit_test(is_near_the_exact_probability),
        cmocka_unit_test(keeps_probabilities_in_range),
        cmocka_unit_test(believes_true_distributions),
        cmocka_unit_test(bears_impossible_values),
        cmocka_unit_test(tests_subsamples),
        cmocka_unit_test(draws_without_replacement),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
