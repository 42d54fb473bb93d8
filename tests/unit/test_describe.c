/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of samples against SciPy's, sorting against the definition, histograms by hand, and
 * samples that have no description. */
#include "samples.h"

#include <float.h>
#include <string.h>
#include <workloom/stats.h>

static const double ps[] = {0, 0.01, 0.25, 0.5, 0.637, 0.9, 0.999, 1};

static const struct {
    enum sample_kind kind;
    uint64_t seed;
    size_t n;
    double moments[9];
    double quantiles[COUNT(ps)];
    double rank_sum, pearson, spearman;
    double acf[6]; /* at lags 0, 1, 2, 5, n / 2, n - 1 */
    double entropy;
    double line[4]; /* slope, intercept, error of the slope, r2 */
} oracle[] = {
#include "../oracle/describe.inc"
};

/* The y that the oracle correlated with x. */
static double *partner(size_t row, const double *x)
{
    enum sample_kind kind = oracle[row].kind == SAMPLE_TIES ? SAMPLE_SIGNED : SAMPLE_TIES;
    double *y = sample_make(kind, oracle[row].seed + 100, oracle[row].n);
    for (size_t i = 0; i < oracle[row].n; i++)
        y[i] += x[i];
    return y;
}

static void describes_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        struct loom_moments m;
        assert_int_equal(loom_moments(&m, x, n, NULL), 0);
        const double got[] = {m.mean, m.sd,     m.cv,  m.skewness, m.kurtosis,
                              m.min,  m.median, m.max, m.sum};
        assert_int_equal(m.n, n);
        for (size_t i = 0; i < COUNT(got); i++)
            assert_close(got[i], oracle[row].moments[i], 1e-12);
        assert_int_equal(loom_sort(x, n, NULL), 0);
        for (size_t i = 0; i < COUNT(ps); i++)
            assert_close(loom_quantile(x, n, ps[i]), oracle[row].quantiles[i], 1e-13);
        free(x);
    }
}

static void correlates_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        double *y = partner(row, x);
        double *ranks = calloc(n, sizeof *ranks);
        double sum = 0;
        double pearson = 0;
        double spearman = 0;
        assert_int_equal(loom_ranks(ranks, x, n, NULL), 0);
        for (size_t i = 0; i < n; i++)
            sum += (double)(i + 1) * ranks[i];
        assert_int_equal(loom_pearson(&pearson, x, y, n, NULL), 0);
        assert_int_equal(loom_spearman(&spearman, x, y, n, NULL), 0);
        assert_close(sum, oracle[row].rank_sum, 0);
        assert_close(pearson, oracle[row].pearson, 1e-12);
        assert_close(spearman, oracle[row].spearman, 1e-12);
        free(x);
        free(y);
        free(ranks);
    }
}

static void autocorrelates_like_numpy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        const size_t lags[] = {0, 1, 2, 5, n / 2, n - 1};
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        double *acf = calloc(n, sizeof *acf);
        assert_int_equal(loom_acf(acf, x, n, n - 1, NULL), 0);
        for (size_t i = 0; i < COUNT(lags); i++)
            assert_close(acf[lags[i]], oracle[row].acf[i], 1e-12);
        double few[3];
        assert_int_equal(loom_acf(few, x, n, 2, NULL), 0);
        for (size_t k = 0; k < COUNT(few); k++)
            assert_close(few[k], acf[k], 1e-13);
        free(x);
        free(acf);
    }
}

static void takes_entropies_and_lines_like_scipy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        size_t n = oracle[row].n;
        double *x = sample_make(oracle[row].kind, oracle[row].seed, n);
        double *y = partner(row, x);
        struct loom_line line;
        assert_int_equal(loom_line_fit(&line, x, y, n, NULL), 0);
        assert_close(line.slope, oracle[row].line[0], 1e-12);
        assert_close(line.intercept, oracle[row].line[1], 1e-11);
        assert_close(line.slope_se, oracle[row].line[2], 1e-12);
        assert_close(line.r2, oracle[row].line[3], 1e-12);
        double entropy = 0;
        for (size_t i = 0; i < n; i++)
            x[i] = fabs(x[i]);
        assert_int_equal(loom_entropy(&entropy, x, n, NULL), 0);
        assert_close(entropy, oracle[row].entropy, 1e-12);
        free(x);
        free(y);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All lengths around the change from one method to the other, and values of all exponents. */
static void sorts(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 2, 3, 23, 24, 25, 100, 399, 400, 401, 500, 1000, 65537};
    for (size_t row = 0; row < COUNT(lengths); row++) {
        for (int kind = 0; kind <= SAMPLE_MEMORY + 1; kind++) {
            size_t n = lengths[row];
            double *x = sample_make((enum sample_kind)(kind % (SAMPLE_MEMORY + 1)), row + 1, n);
            for (size_t i = 0; kind > SAMPLE_MEMORY && i < n; i++)
                x[i] = (i % 3 ? 1 : -1) * ldexp(x[i], (int)(i % 2000) - 1000);
            double *wanted = malloc((n + 1) * sizeof *wanted);
            memcpy(wanted, x, n * sizeof *x);
            qsort(wanted, n, sizeof *wanted, compare);
            assert_int_equal(loom_sort(x, n, NULL), 0);
            assert_memory_equal(x, wanted, n * sizeof *x);
            free(x);
            free(wanted);
        }
    }
}

/* Of one, two and three digits, and up to both sides of where they are sorted as whole numbers. */
static void sorts_whole_numbers(void **state)
{
    (void)state;
    enum { N = 3001 };
    static const double largest[] = {0, 2000, 4e6, 4294967295.0, 4294967296.0};
    double x[N], wanted[N];
    for (size_t row = 0; row < COUNT(largest); row++) {
        for (size_t i = 0; i < N; i++)
            x[i] =
                i == N / 2 ? largest[row] : floor(fmod((double)(i * i) * 7919, largest[row] + 1));
        memcpy(wanted, x, sizeof x);
        qsort(wanted, N, sizeof *wanted, compare);
        assert_int_equal(loom_sort(x, N, NULL), 0);
        assert_memory_equal(x, wanted, sizeof x);
    }
}

static void keeps_the_sign_of_a_zero(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 ? 0.0 : -0.0;
    assert_int_equal(loom_sort(x, N, NULL), 0);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(!signbit(x[i]), i >= N / 2);
}

static void sorts_the_ends_of_the_range(void **state)
{
    (void)state;
    enum { N = 600 };
    const double ends[] = {INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, 0, 1};
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = ends[i % COUNT(ends)];
    assert_int_equal(loom_sort(x, N, NULL), 0);
    const double order[] = {-INFINITY, -DBL_MAX, 0, 4.9e-324, DBL_MIN, 1, DBL_MAX, INFINITY};
    for (size_t i = 0; i < N; i++)
        assert_true(x[i] == order[i / (N / COUNT(order))]);
}

static void gives_tied_values_their_average_rank(void **state)
{
    (void)state;
    const double x[] = {3, 1, 3, 2, 3, -7, 1};
    const double wanted[] = {6, 2.5, 6, 4, 6, 1, 2.5};
    double ranks[COUNT(x)];
    assert_int_equal(loom_ranks(ranks, x, COUNT(x), NULL), 0);
    assert_memory_equal(ranks, wanted, sizeof wanted);
}

static void finds_the_empirical_distribution(void **state)
{
    (void)state;
    const double sorted[] = {-1, 2, 2, 2, 5, 5, 8, 9};
    const double wanted_values[] = {-1, 2, 5, 8, 9};
    const double wanted_shares[] = {0.125, 0.5, 0.75, 0.875, 1};
    double values[COUNT(sorted)];
    double shares[COUNT(sorted)];
    assert_int_equal(loom_ecdf(sorted, COUNT(sorted), values, shares), 5);
    assert_memory_equal(values, wanted_values, sizeof wanted_values);
    assert_memory_equal(shares, wanted_shares, sizeof wanted_shares);
    assert_int_equal(loom_ecdf(sorted, 0, values, shares), 0);
}

static void assert_histogram(struct loom_histogram *got, size_t bins, const double *edges,
                             const double *counts)
{
    assert_int_equal(got->bins, bins);
    for (size_t i = 0; i <= bins; i++)
        assert_close(got->edges[i], edges[i], 1e-14);
    assert_memory_equal(got->counts, counts, bins * sizeof *counts);
    loom_histogram_free(got);
    assert_null(got->edges);
}

static void counts_into_bins(void **state)
{
    (void)state;
    struct loom_histogram got;
    const double x[] = {-0.1, 0, 0.9, 1, 1.9999, 2, 3.5, 4, 4.1, NAN, INFINITY, -INFINITY};
    const double edges[] = {0, 1, 2, 3, 4};
    const double counts[] = {2, 2, 1, 2};
    assert_int_equal(loom_histogram_linear(&got, x, COUNT(x), 0, 4, 4, NULL), 0);
    assert_histogram(&got, 4, edges, counts);
    const double y[] = {0, -5, 1, 9.99, 10, 10, 99, 1000, NAN, INFINITY};
    const double log_edges[] = {1, 10, 100, 1000, 10000};
    const double log_counts[] = {2, 3, 0, 1};
    assert_int_equal(loom_histogram_log(&got, y, COUNT(y), 1, NULL), 0);
    assert_histogram(&got, 4, log_edges, log_counts);
}

/* Every value is counted once, whatever the rounding of the edges. */
static void counts_every_value_once(void **state)
{
    (void)state;
    double *x = sample_make(SAMPLE_HEAVY, 5, 5000);
    for (double per_decade = 0.5; per_decade < 40; per_decade += 0.7) {
        struct loom_histogram got;
        double sum = 0;
        assert_int_equal(loom_histogram_log(&got, x, 5000, per_decade, NULL), 0);
        for (size_t i = 0; i < got.bins; i++) {
            double seen = 0;
            bool last = i + 1 == got.bins;
            for (size_t j = 0; j < 5000; j++)
                seen += x[j] >= got.edges[i] &&
                        (x[j] < got.edges[i + 1] || (last && x[j] == got.edges[i + 1]));
            assert_true(seen == got.counts[i]);
            sum += seen;
        }
        assert_true(sum == 5000);
        loom_histogram_free(&got);
    }
    free(x);
}

static void holds_on_huge_and_tiny_values(void **state)
{
    (void)state;
    const double huge[] = {1e300, 2e300, 3e300, 5e300};
    const double tiny[] = {1e-300, 2e-300, 3e-300, 5e-300};
    const double plain[] = {1, 2, 3, 5};
    struct loom_moments a;
    struct loom_moments b;
    struct loom_moments c;
    assert_int_equal(loom_moments(&a, huge, 4, NULL), 0);
    assert_int_equal(loom_moments(&b, tiny, 4, NULL), 0);
    assert_int_equal(loom_moments(&c, plain, 4, NULL), 0);
    assert_close(a.cv, c.cv, 1e-14);
    assert_close(b.cv, c.cv, 1e-14);
    assert_close(a.kurtosis, c.kurtosis, 1e-13);
    assert_close(b.skewness, c.skewness, 1e-13);
    double r = 0;
    assert_int_equal(loom_pearson(&r, huge, tiny, 4, NULL), 0);
    assert_close(r, 1, 1e-14);
    const double extremes[] = {-DBL_MAX, DBL_MAX, 0};
    assert_int_equal(loom_pearson(&r, extremes, plain, 3, NULL), 0);
    assert_true(isfinite(r));
    assert_int_equal(loom_moments(&a, extremes, 3, NULL), LOOM_ERANGE);
    double acf[2];
    assert_int_equal(loom_acf(acf, huge, 4, 1, NULL), 0);
    assert_true(isfinite(acf[1]));
}

/* Equal values whose mean, rounded, is another value: nothing varies all the same. */
static void knows_equal_values(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N];
    double out[N];
    for (size_t i = 0; i < N; i++)
        x[i] = 0.1;
    struct loom_moments m;
    assert_int_equal(loom_moments(&m, x, N, NULL), 0);
    assert_true(m.mean == 0.1 && m.sd == 0 && m.cv == 0 && m.skewness == 0 && m.kurtosis == 0);
    assert_int_equal(loom_pearson(out, x, x, N, NULL), LOOM_EDATA);
    assert_int_equal(loom_spearman(out, x, x, N, NULL), LOOM_EDATA);
    assert_int_equal(loom_acf(out, x, N, 5, NULL), LOOM_EDATA);
    struct loom_line line;
    assert_int_equal(loom_line_fit(&line, x, x, N, NULL), LOOM_EDATA);
    assert_int_equal(loom_entropy(out, x, N, NULL), 0);
    assert_close(out[0], 1, 1e-14);
}

static void fits_lines_at_the_edge(void **state)
{
    (void)state;
    const double x[] = {1, 3, 5};
    const double y[] = {2, 6, 10};
    const double flat[] = {4, 4, 4};
    struct loom_line line;
    assert_int_equal(loom_line_fit(&line, x, y, 2, NULL), 0);
    assert_true(line.slope == 2 && line.intercept == 0 && line.slope_se == 0 && line.r2 == 1);
    assert_int_equal(loom_line_fit(&line, x, flat, 3, NULL), 0);
    assert_true(line.slope == 0 && line.intercept == 4 && line.slope_se == 0 && line.r2 == 1);
}

/* Each refuses with LOOM_EDATA or LOOM_ERANGE and a sentence. */
static void refuses(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct loom_moments m;
    struct loom_line line;
    struct loom_histogram h;
    const double x[] = {1, 2, 3};
    const double bad[] = {1, NAN, 2};
    const double infinite[] = {1, 2, INFINITY};
    const double zeros[] = {0, 0, 0};
    const double negative[] = {3, -1, 2};
    double out[4];
    REFUSES(LOOM_EDATA, loom_moments(&m, x, 0, &err));
    REFUSES(LOOM_EDATA, loom_moments(&m, bad, 3, &err));
    REFUSES(LOOM_EDATA, loom_moments(&m, infinite, 3, &err));
    REFUSES(LOOM_EDATA, loom_ranks(out, x, 0, &err));
    REFUSES(LOOM_EDATA, loom_ranks(out, bad, 3, &err));
    for (size_t n = 0; n < 2; n++) {
        REFUSES(LOOM_EDATA, loom_pearson(out, x, x, n, &err));
        REFUSES(LOOM_EDATA, loom_spearman(out, x, x, n, &err));
        REFUSES(LOOM_EDATA, loom_acf(out, x, n, 0, &err));
        REFUSES(LOOM_EDATA, loom_entropy(out, x, n, &err));
        REFUSES(LOOM_EDATA, loom_line_fit(&line, x, x, n, &err));
    }
    REFUSES(LOOM_EDATA, loom_pearson(out, x, bad, 3, &err));
    REFUSES(LOOM_EDATA, loom_spearman(out, infinite, x, 3, &err));
    REFUSES(LOOM_EDATA, loom_acf(out, x, 3, 3, &err));
    REFUSES(LOOM_EDATA, loom_acf(out, bad, 3, 1, &err));
    REFUSES(LOOM_EDATA, loom_entropy(out, zeros, 3, &err));
    REFUSES(LOOM_EDATA, loom_entropy(out, negative, 3, &err));
    REFUSES(LOOM_EDATA, loom_line_fit(&line, x, infinite, 3, &err));
    REFUSES(LOOM_ERANGE, loom_histogram_linear(&h, x, 3, 1, 1, 5, &err));
    REFUSES(LOOM_ERANGE, loom_histogram_linear(&h, x, 3, 0, NAN, 5, &err));
    REFUSES(LOOM_ERANGE, loom_histogram_linear(&h, x, 3, 0, 1, 0, &err));
    REFUSES(LOOM_ERANGE, loom_histogram_linear(&h, x, 3, 0, 1, SIZE_MAX, &err));
    REFUSES(LOOM_ERANGE, loom_histogram_log(&h, x, 3, 0, &err));
    REFUSES(LOOM_ERANGE, loom_histogram_log(&h, x, 3, NAN, &err));
    REFUSES(LOOM_EDATA, loom_histogram_log(&h, zeros, 3, 5, &err));
    REFUSES(LOOM_EDATA, loom_histogram_log(&h, x, 0, 5, &err));
    assert_true(isnan(loom_quantile(x, 0, 0.5)));
    assert_true(loom_quantile(x, 1, 0.3) == 1);
}

/* One value has a description, two have a correlation. */
static void serves_the_smallest(void **state)
{
    (void)state;
    const double x[] = {4, 9};
    const double y[] = {2, 1};
    struct loom_moments m;
    double out[2];
    assert_int_equal(loom_moments(&m, x, 1, NULL), 0);
    assert_true(m.mean == 4 && m.median == 4 && m.min == 4 && m.max == 4 && m.sum == 4);
    assert_true(m.sd == 0 && m.cv == 0 && m.skewness == 0 && m.kurtosis == 0);
    assert_int_equal(loom_spearman(out, x, y, 2, NULL), 0);
    assert_close(out[0], -1, 1e-15);
    assert_int_equal(loom_acf(out, x, 2, 1, NULL), 0);
    assert_close(out[0], 1, 1e-15);
    assert_close(out[1], -0.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_like_scipy),
        cmocka_unit_test(correlates_like_scipy),
        cmocka_unit_test(autocorrelates_like_numpy),
        cmocka_unit_test(takes_entropies_and_lines_like_scipy),
        cmocka_unit_test(sorts),
        cmocka_unit_test(sorts_whole_numbers),
        cmocka_unit_test(keeps_the_sign_of_a_zero),
        cmocka_unit_test(sorts_the_ends_of_the_range),
        cmocka_unit_test(gives_tied_values_their_average_rank),
        cmocka_unit_test(finds_the_empirical_distribution),
        cmocka_unit_test(counts_into_bins),
        cmocka_unit_test(counts_every_value_once),
        cmocka_unit_test(holds_on_huge_and_tiny_values),
        cmocka_unit_test(knows_equal_values),
        cmocka_unit_test(fits_lines_at_the_edge),
        cmocka_unit_test(refuses),
        cmocka_unit_test(serves_the_smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
