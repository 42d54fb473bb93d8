/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wavelet models of arrivals, fitted: the transform against sums over blocks, parameters
 * against what NumPy finds and against cascades worked out by hand.
 */
#include "cascade_log.h"

#include <string.h>

enum { MOST = 10 };

static const struct {
    enum sample_kind kind;
    uint64_t seed;
    size_t n, least, roots, depth;
    double mean, sd, beta[MOST], share[MOST];
    double improved_mean, improved_sd, improved_beta[MOST], improved_share[MOST];
} oracle[] = {
#include "../oracle/cascade.inc"
};

/* ---- the transform --------------------------------------------------------------------------- */

static void cuts_to_whole_trees(void **state)
{
    (void)state;
    static const struct {
        size_t n, least, roots, depth;
    } cases[] = {
        {52, 2, 3, 4}, /* thesis 4.4 */
        {52, 3, 3, 4},  {52, 4, 6, 3}, {64, 1, 1, 6},        {64, 64, 64, 0},
        {127, 2, 3, 5}, {3, 16, 3, 0}, {121380, 16, 29, 12},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t depth;
        assert_int_equal(loom_haar_shape(&depth, cases[i].n, cases[i].least), cases[i].roots);
        assert_int_equal(depth, cases[i].depth);
    }
}

static void transforms_as_sums_over_blocks(void **state)
{
    (void)state;
    enum { ROOTS = 3, DEPTH = 5, N = ROOTS << DEPTH };
    double *x = sample_make(SAMPLE_SIGNED, 7, N);
    struct loom_haar haar;
    assert_int_equal(loom_haar_create(&haar, x, ROOTS, DEPTH, NULL), 0);
    for (size_t j = 1; j <= DEPTH; j++)
        for (size_t k = 0; k < loom_haar_count(&haar, j); k++) {
            size_t half = (size_t)1 << (DEPTH - j), at = loom_haar_first(&haar, j) + k;
            double left = block_sum(x, 2 * k * half, half);
            double right = block_sum(x, (2 * k + 1) * half, half);
            double norm = sqrt(2 * (double)half);
            assert_close(haar.c[at], (left + right) / norm, 1e-11);
            assert_close(haar.d[at], (left - right) / norm, 1e-11);
            double below[2];
            loom_haar_split(below, haar.c[at], haar.d[at]);
            size_t child = loom_haar_first(&haar, j + 1) + 2 * k;
            assert_close(below[0], haar.c[child], 1e-11);
            assert_close(below[1], haar.c[child + 1], 1e-11);
        }
    loom_haar_free(&haar);
    free(x);
}

/* ---- fitting --------------------------------------------------------------------------------- */

/* As tests/oracle/cascade.py makes them. The last interval must not be empty, or there would be no
 * showing that it is there. */
static double *oracle_counts(size_t row)
{
    double *x = sample_make(oracle[row].kind, oracle[row].seed, oracle[row].n);
    for (size_t i = 0; i < oracle[row].n; i++)
        x[i] = oracle[row].kind == SAMPLE_MEMORY ? floor(fmax(0, 4 * (x[i] - 4.8)))
                                                 : fmax(0, x[i] - 3);
    x[0] = 1;
    x[oracle[row].n - 1] = fmax(1, x[oracle[row].n - 1]);
    return x;
}

static void assert_all_close(const double *got, const double *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_close(got[i], wanted[i], 1e-10);
}

/* What the improved variant's shares and multipliers start from. */
static void assert_measured(double *counts, size_t row)
{
    double measured[MOST];
    struct loom_cascade_log cut = {.interval_s = T_S,
                                   .roots = oracle[row].roots,
                                   .depth = oracle[row].depth,
                                   .n = oracle[row].roots << oracle[row].depth,
                                   .counts = counts};
    assert_int_equal(loom_mmwm_variances(measured, &cut, NULL), 0);
    for (size_t j = 0; j < cut.depth; j++)
        measured[j] = loom_cascade_beta(measured[j]);
    assert_all_close(measured, oracle[row].improved_beta, cut.depth);
    loom_zeros_by_length(measured, cut.depth, cut.counts, cut.n);
    assert_all_close(measured, oracle[row].improved_share, cut.depth);
}

static void finds_the_parameters_of_numpy(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(oracle); row++) {
        double *counts = oracle_counts(row);
        struct log log = log_of(counts, oracle[row].n, loom_model_mmwm.info.params);
        char least[24];
        snprintf(least, sizeof least, "%zu", oracle[row].least);
        set(&log, "roots", least);
        for (int improved = 0; improved < 2; improved++) {
            struct loom_mmwm mmwm = {0};
            set(&log, "variant", improved ? "improved" : "printed");
            fit(&mmwm, &loom_model_mmwm, &log);
            size_t depth = oracle[row].depth;
            assert_int_equal(mmwm.cascade.roots, oracle[row].roots);
            assert_int_equal(mmwm.cascade.depth, depth);
            assert_int_equal(mmwm.zeros.depth, depth);
            assert_close(mmwm.cascade.root_mean,
                         improved ? oracle[row].improved_mean : oracle[row].mean, 1e-10);
            assert_close(mmwm.cascade.root_sd, improved ? oracle[row].improved_sd : oracle[row].sd,
                         1e-10);
            if (improved) {
                assert_measured(counts, row);
            } else {
                assert_all_close(mmwm.cascade.beta, oracle[row].beta, depth);
                assert_all_close(mmwm.zeros.share, oracle[row].share, depth);
            }
            loom_model_mmwm.clear(&mmwm);
        }
        log_free(&log);
        free(counts);
    }
}

/* Where all multipliers of a scale are a or -a, eq. 4.7 and 4.8 give (1 / a^2 - 1) / 2 for each. */
static void finds_multipliers_made_by_hand(void **state)
{
    (void)state;
    static const double a[] = {0.5, 0.25, 0.75};
    enum { ROOTS = 4, DEPTH = COUNT(a) };
    double x[ROOTS << DEPTH] = {640, 640, 640, 640};
    for (size_t j = 0; j < DEPTH; j++)
        for (size_t k = (size_t)ROOTS << j; k-- > 0;) {
            double sign = k % 3 == 0 ? -1 : 1, c = x[k];
            x[2 * k] = c / 2 * (1 + sign * a[j]);
            x[2 * k + 1] = c / 2 * (1 - sign * a[j]);
        }
    struct loom_cascade_log log = {
        .interval_s = T_S, .roots = ROOTS, .depth = DEPTH, .n = COUNT(x), .counts = x};
    struct loom_cascade cascade;
    assert_int_equal(loom_cascade_fit(&cascade, &log, NULL), 0);
    for (size_t j = 0; j < DEPTH; j++)
        assert_close(cascade.beta[j], (1 / (a[j] * a[j]) - 1) / 2, 1e-12);
    assert_close(cascade.root_mean, 640 / sqrt(8) / T_S, 1e-12);
    assert_close(cascade.root_sd, 0, 1e-12);
    loom_cascade_clear(&cascade);
}

/* Constant rates have multipliers of 0, and a burst in one interval multipliers of 1. */
static void keeps_parameters_within_limits(void **state)
{
    (void)state;
    double even[8] = {5, 5, 5, 5, 5, 5, 5, 5}, burst[8] = {8};
    for (int i = 0; i < 2; i++) {
        struct loom_cascade_log log = {
            .interval_s = T_S, .roots = 2, .depth = 2, .n = 8, .counts = i ? burst : even};
        struct loom_cascade cascade;
        assert_int_equal(loom_cascade_fit(&cascade, &log, NULL), 0);
        for (size_t j = 0; j < 2; j++)
            assert_true(cascade.beta[j] == (i ? 0.01 : 1e6));
        loom_cascade_clear(&cascade);
    }
    assert_true(loom_cascade_beta(0) == 1e6);
    assert_true(loom_cascade_beta(1) == 0.01);
    assert_close(loom_cascade_beta(1.0 / 3), 1, 1e-14);
}

static void refuses_a_log_too_short(void **state)
{
    (void)state;
    double counts[15];
    for (size_t i = 0; i < COUNT(counts); i++)
        counts[i] = 1;
    const struct loom_model_ops *const both[] = {&loom_model_mwm, &loom_model_mmwm};
    for (size_t i = 0; i < COUNT(both); i++) {
        struct log log = log_of(counts, COUNT(counts), both[i]->info.params);
        struct loom_training training = {.jobs = &log.jobs, .params = log.params, .procs = 1};
        struct loom_error err = {0};
        struct loom_mmwm room = {0};
        assert_int_equal(both[i]->fit(&room, &training, &err), LOOM_EDATA);
        assert_non_null(strstr(err.message, "at least 16 intervals of 900 s, this one has 15"));
        both[i]->clear(&room);
        log_free(&log);
    }
}

/* ---- counting zeros -------------------------------------------------------------------------- */

static void counts_the_zeros_of_the_thesis(void **state)
{
    (void)state;
    /* thesis 4.4, step 2: runs of 4, 3 and 1 */
    static const double data[] = {1, 2, 0, 0, 0, 0, 9, 0, 0, 0, 2, 3, 0};
    enum { DEPTH = 4 };
    double share[DEPTH];
    loom_zeros_printed(share, DEPTH, data, COUNT(data));
    /* scales M - 2, M - 2 (log2 3 = 1.58) and M */
    static const double printed[] = {0, 2.0 / 3 * 8 / 13, 0, 1.0 / 3 * 8 / 13};
    assert_all_close(share, printed, DEPTH);
    loom_zeros_by_length(share, DEPTH, data, COUNT(data));
    static const double by_length[] = {0, 7.0 / 13, 0, 1.0 / 13};
    assert_all_close(share, by_length, DEPTH);
}

static void counts_runs_longer_than_a_tree(void **state)
{
    (void)state;
    double data[64] = {1};
    double share[3];
    loom_zeros_printed(share, 3, data, COUNT(data));
    assert_all_close(share, (const double[]){63.0 / 64, 0, 0}, 3);
    loom_zeros_by_length(share, 3, data, COUNT(data));
    assert_all_close(share, (const double[]){63.0 / 64, 0, 0}, 3);
    for (size_t i = 0; i < COUNT(data); i++)
        data[i] = 1;
    loom_zeros_printed(share, 3, data, COUNT(data));
    assert_all_close(share, (const double[]){0, 0, 0}, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_to_whole_trees),
        cmocka_unit_test(transforms_as_sums_over_blocks),
        cmocka_unit_test(finds_the_parameters_of_numpy),
        cmocka_unit_test(finds_multipliers_made_by_hand),
        cmocka_unit_test(keeps_parameters_within_limits),
        cmocka_unit_test(refuses_a_log_too_short),
        cmocka_unit_test(counts_the_zeros_of_the_thesis),
        cmocka_unit_test(counts_runs_longer_than_a_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
