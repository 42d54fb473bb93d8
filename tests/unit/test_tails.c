/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tails: against their definitions written out in NumPy, the quick search for a power-law tail
 * against the slow one, known laws, and samples without a tail. */
#include "samples.h"

#include <string.h>
#include <time.h>
#include <workloom/stats.h>

static const struct {
    enum sample_kind kind;
    uint64_t seed;
    size_t n;
    double fraction;
    double llcd[4], aggregated[4]; /* slope, intercept, error of the slope, r2 */
    double hill_10, hill_all;
    double alpha, xmin, ks;
    size_t n_tail;
    double disparity[3];
} oracle[] = {
#include "../oracle/tails.inc"
};

static double *oracle_sample(size_t row)
{
    double *x = sample_make(oracle[row].kind, oracle[row].seed, oracle[row].n);
    for (size_t i = 0; oracle[row].kind == SAMPLE_TIES && i < oracle[row].n; i++)
        x[i] += 1;
    return x;
}

static void assert_line(const struct loom_line *got, const double *wanted)
{
    assert_close(got->slope, wanted[0], 1e-11);
    assert_close(got->intercept, wanted[1], 1e-11);
    assert_close(got->slope_se, wanted[2], 1e-11);
    assert_close(got->r2, wanted[3], 1e-11);
}

static void draws_the_lines_of_numpy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = oracle_sample(row);
        struct loom_line line;
        assert_int_equal(loom_llcd_aggregated(&line, x, n, 7, 1, NULL), 0);
        assert_line(&line, oracle[row].aggregated);
        assert_int_equal(loom_sort(x, n, NULL), 0);
        assert_int_equal(loom_llcd_slope(&line, x, n, oracle[row].fraction, NULL), 0);
        assert_line(&line, oracle[row].llcd);
        double *hill = calloc(n, sizeof *hill);
        assert_int_equal(loom_hill(hill, x, n, n - 1, NULL), 0);
        if (isfinite(oracle[row].hill_10))
            assert_close(hill[9], oracle[row].hill_10, 1e-11);
        else
            assert_true(isinf(hill[9]));
        assert_close(hill[n - 2], oracle[row].hill_all, 1e-11);
        free(hill);
        free(x);
    }
}

static void finds_the_tails_of_numpy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = oracle_sample(row);
        assert_int_equal(loom_sort(x, n, NULL), 0);
        struct loom_tail tail;
        assert_int_equal(loom_power_tail(&tail, x, n, NULL), 0);
        assert_close(tail.alpha, oracle[row].alpha, 1e-11);
        assert_true(tail.xmin == oracle[row].xmin);
        assert_close(tail.ks, oracle[row].ks, 1e-11);
        assert_int_equal(tail.n_tail, oracle[row].n_tail);
        struct loom_disparity disparity;
        assert_int_equal(loom_mass_count(&disparity, x, n, NULL), 0);
        assert_close(disparity.joint, oracle[row].disparity[0], 1e-11);
        assert_close(disparity.n_half, oracle[row].disparity[1], 1e-11);
        assert_close(disparity.w_half, oracle[row].disparity[2], 1e-11);
        free(x);
    }
}

/* ---- the search against one that looks at everything ----------------------------------------- */

static double slow_distance(const double *tail, size_t n, double alpha)
{
    double distance = 0;
    for (size_t i = 0; i < n; i++) {
        double survival = exp((1 - alpha) * (log(tail[i]) - log(tail[0])));
        if (i + 1 == n || tail[i + 1] > tail[i])
            distance = fmax(distance, survival - (double)(n - 1 - i) / (double)n);
        if (i == 0 || tail[i] > tail[i - 1])
            distance = fmax(distance, (double)(n - i) / (double)n - survival);
    }
    return distance;
}

static struct loom_tail slow_search(const double *sorted, size_t n)
{
    struct loom_tail best = {.ks = INFINITY};
    for (size_t at = 0; at < n; at++) {
        if ((at > 0 && sorted[at] == sorted[at - 1]) || sorted[at] <= 0)
            continue;
        size_t size = n - at;
        long double logs = 0;
        for (size_t i = at; i < n; i++)
            logs += log(sorted[i]) - log(sorted[at]);
        if (!(logs > 0))
            continue;
        double alpha = 1 + (double)size / (double)logs;
        double ks = slow_distance(sorted + at, size, alpha);
        if (ks < best.ks)
            best = (struct loom_tail){alpha, sorted[at], ks, size};
    }
    return best;
}

/* The kinds of sample the search could go wrong on: pure laws, laws with a body before them,
 * samples far from any law, whole numbers, few different values. */
static void fill(double *x, size_t n, int shape, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        double u = sample_uniform(&seed);
        double v = sample_uniform(&seed);
        switch (shape) {
        case 0:
            x[i] = pow(1 - u, -1 / 1.5);
            break;
        case 1:
            x[i] = v < 0.6 ? 5 * u : 5 * pow(1 - u, -1 / 1.2);
            break;
        case 2:
            x[i] = -log(1 - u);
            break;
        case 3:
            x[i] = floor(3 / (1 - u));
            break;
        case 4:
            x[i] = floor(5 * u) - 1;
            break;
        case 5:
            x[i] = exp(exp(2 * u));
            break;
        default:
            x[i] = 1 + u;
        }
    }
    assert_int_equal(loom_sort(x, n, NULL), 0);
}

static void finds_what_a_full_search_finds(void **state)
{
    (void)state;
    double x[400];
    size_t compared = 0;
    for (int shape = 0; shape < 7; shape++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            size_t n = 3 + (size_t)(seed * seed) % 397;
            fill(x, n, shape, 1000 * (uint64_t)shape + seed);
            struct loom_tail wanted = slow_search(x, n);
            struct loom_tail got;
            int rc = loom_power_tail(&got, x, n, NULL);
            assert_int_equal(rc, isfinite(wanted.ks) ? 0 : LOOM_EDATA);
            if (rc)
                continue;
            assert_close(got.ks, wanted.ks, 1e-12);
            assert_true(got.xmin == wanted.xmin);
            assert_int_equal(got.n_tail, wanted.n_tail);
            assert_close(got.alpha, wanted.alpha, 1e-9);
            compared++;
        }
    }
    assert_true(compared > 350);
}

/* alpha has the error (alpha - 1) / sqrt(n_tail). */
static void finds_known_laws(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double x[N];
    const double slopes[] = {0.5, 1, 1.5, 3};
    for (size_t row = 0; row < COUNT(slopes); row++) {
        uint64_t seed = row + 1;
        for (size_t i = 0; i < N; i++) {
            double body = 100 * sample_uniform(&seed);
            double u = sample_uniform(&seed);
            x[i] = i % 4 ? 100 * pow(1 - u, -1 / slopes[row]) : body;
        }
        assert_int_equal(loom_sort(x, N, NULL), 0);
        struct loom_tail tail;
        clock_t start = clock();
        assert_int_equal(loom_power_tail(&tail, x, N, NULL), 0);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 0.5); /* sanitizers are slow */
        double error = slopes[row] / sqrt((double)tail.n_tail);
        assert_true(fabs(tail.alpha - 1 - slopes[row]) < 4 * error);
        assert_true(tail.n_tail > N / 20);
        assert_true(tail.xmin > 90);
        struct loom_line line;
        assert_int_equal(loom_llcd_slope(&line, x, N, 0.2, NULL), 0);
        assert_true(fabs(line.slope + slopes[row]) < 0.15 * slopes[row]);
        double hill[2000];
        assert_int_equal(loom_hill(hill, x, N, COUNT(hill), NULL), 0);
        assert_true(fabs(hill[1999] - slopes[row]) < 4 * slopes[row] / sqrt(2000));
    }
}

/* Sums of values from a heavy tail keep its slope; an exponential's steepen. */
static void aggregation_tells_heavy_from_light(void **state)
{
    (void)state;
    enum { N = 200000 };
    static double heavy[N];
    static double light[N];
    uint64_t seed = 4;
    for (size_t i = 0; i < N; i++) {
        double u = sample_uniform(&seed);
        heavy[i] = pow(1 - u, -1 / 0.8);
        light[i] = -log(1 - u);
    }
    struct loom_line one;
    struct loom_line ten;
    assert_int_equal(loom_llcd_aggregated(&one, heavy, N, 1, 0.1, NULL), 0);
    assert_int_equal(loom_llcd_aggregated(&ten, heavy, N, 10, 0.1, NULL), 0);
    assert_true(fabs(one.slope + 0.8) < 0.05);
    assert_true(fabs(ten.slope - one.slope) < 0.1);
    assert_int_equal(loom_llcd_aggregated(&one, light, N, 1, 0.1, NULL), 0);
    assert_int_equal(loom_llcd_aggregated(&ten, light, N, 10, 0.1, NULL), 0);
    assert_true(ten.slope < 1.5 * one.slope);
}

/* By hand. 1 1 1 1 6: mass shares .1 .2 .3 .4 1. Joint: p + L reaches 1 past the fourth item at
 * .8 + .4 = 1.2, between the third (.6 + .3 = .9) and it, a third of the way: p = .6 + .2 / 3. Half
 * of the mass: a sixth into the last item, 1 - p = 1/5 - 1/30. Half of the items: 2.5 of them. */
static void splits_mass_and_count(void **state)
{
    (void)state;
    const double x[] = {1, 1, 1, 1, 6};
    const double even[] = {4, 4, 4, 4};
    const double one_holds_all[] = {0, 0, 0, 7};
    struct loom_disparity got;
    assert_int_equal(loom_mass_count(&got, x, 5, NULL), 0);
    assert_close(got.joint, 100 * (1 - 0.6 - 0.2 / 3), 1e-13);
    assert_close(got.n_half, 0.2 - 1.0 / 30, 1e-13);
    assert_close(got.w_half, 0.25, 1e-13);
    assert_int_equal(loom_mass_count(&got, even, 4, NULL), 0);
    assert_true(got.joint == 50 && got.n_half == 0.5 && got.w_half == 0.5);
    assert_int_equal(loom_mass_count(&got, one_holds_all, 4, NULL), 0);
    assert_close(got.joint, 20, 1e-13); /* a fifth of the last quarter is left: 1 - p = L(p) */
    assert_close(got.n_half, 0.125, 1e-13);
    assert_close(got.w_half, 0, 1e-13);
    assert_int_equal(loom_mass_count(&got, x, 1, NULL), 0);
    assert_true(got.joint == 50 && got.n_half == 0.5 && got.w_half == 0.5);
}

static void refuses(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct loom_line line;
    struct loom_tail tail;
    struct loom_disparity disparity;
    double hill[8];
    const double x[] = {1, 2, 3, 4, 5};
    const double same[] = {2, 2, 2, 2, 2};
    const double bad[] = {1, 2, NAN, 4, 5};
    const double negative[] = {-3, -2, -1, 0, 1};
    const double zeros[] = {0, 0, 0, 0, 0};
    for (size_t n = 0; n < 4; n++) {
        REFUSES(LOOM_EDATA, loom_llcd_slope(&line, x, n, 1, &err));
        REFUSES(LOOM_EDATA, loom_llcd_aggregated(&line, x, n, 1, 1, &err));
    }
    REFUSES(LOOM_EDATA, loom_llcd_slope(&line, same, 5, 1, &err));
    REFUSES(LOOM_EDATA, loom_llcd_slope(&line, bad, 5, 1, &err));
    REFUSES(LOOM_EDATA, loom_llcd_slope(&line, negative, 5, 1, &err));
    REFUSES(LOOM_ERANGE, loom_llcd_slope(&line, x, 5, 0, &err));
    REFUSES(LOOM_ERANGE, loom_llcd_slope(&line, x, 5, 1.5, &err));
    REFUSES(LOOM_ERANGE, loom_llcd_slope(&line, x, 5, NAN, &err));
    REFUSES(LOOM_EDATA, loom_llcd_aggregated(&line, x, 5, 2, 1, &err));
    REFUSES(LOOM_ERANGE, loom_llcd_aggregated(&line, x, 5, 0, 1, &err));
    for (size_t n = 0; n < 2; n++) {
        REFUSES(LOOM_EDATA, loom_hill(hill, x, n, 1, &err));
        REFUSES(LOOM_EDATA, loom_power_tail(&tail, x, n, &err));
    }
    REFUSES(LOOM_ERANGE, loom_hill(hill, x, 5, 5, &err));
    REFUSES(LOOM_ERANGE, loom_hill(hill, x, 5, 0, &err));
    REFUSES(LOOM_EDATA, loom_hill(hill, negative, 5, 2, &err));
    REFUSES(LOOM_EDATA, loom_hill(hill, bad, 5, 2, &err));
    REFUSES(LOOM_EDATA, loom_power_tail(&tail, same, 5, &err));
    REFUSES(LOOM_EDATA, loom_power_tail(&tail, negative, 5, &err));
    REFUSES(LOOM_EDATA, loom_power_tail(&tail, zeros, 5, &err));
    REFUSES(LOOM_EDATA, loom_power_tail(&tail, bad, 5, &err));
    REFUSES(LOOM_EDATA, loom_mass_count(&disparity, x, 0, &err));
    REFUSES(LOOM_EDATA, loom_mass_count(&disparity, zeros, 5, &err));
    REFUSES(LOOM_EDATA, loom_mass_count(&disparity, negative, 5, &err));
    REFUSES(LOOM_EDATA, loom_mass_count(&disparity, bad, 5, &err));
    assert_int_equal(loom_hill(hill, same, 5, 4, NULL), 0);
    assert_true(isinf(hill[0]) && isinf(hill[3]));
    assert_int_equal(loom_power_tail(&tail, x, 2, NULL), 0);
    assert_true(tail.xmin == 1 && tail.n_tail == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_the_lines_of_numpy),
        cmocka_unit_test(finds_the_tails_of_numpy),
        cmocka_unit_test(finds_what_a_full_search_finds),
        cmocka_unit_test(finds_known_laws),
        cmocka_unit_test(aggregation_tells_heavy_from_light),
        cmocka_unit_test(splits_mass_and_count),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
