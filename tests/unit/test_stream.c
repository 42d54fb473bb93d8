/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random streams: known answers, independence of keys, and GSL drawing from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/draw.h"

#include <workloom/base.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* Philox4x64-10 answers as published with Random123 (kat_vectors). */
static void test_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint64_t key[2], counter[4], answer[4];
    } cases[] = {
        {{0, 0},
         {0, 0, 0, 0},
         {0x16554d9eca36314cu, 0xdb20fe9d672d0fdcu, 0xd7e772cee186176bu, 0x7e68b68aec7ba23bu}},
        {{0x452821e638d01377u, 0xbe5466cf34e90c6cu},
         {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u},
         {0xa528f45403e61d95u, 0x38c72dbd566e9788u, 0xa5a1610e72fd18b5u, 0x57bd43b5e52b7fe6u}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_stream stream;
        loom_stream_init(&stream, 0, 0, "");
        for (int k = 0; k < 4; k++)
            stream.counter[k] = cases[i].counter[k];
        stream.key[0] = cases[i].key[0];
        stream.key[1] = cases[i].key[1];
        for (int k = 0; k < 4; k++)
            assert_true(loom_stream_u64(&stream) == cases[i].answer[k]);
    }
}

static void test_same_key_same_numbers(void **state)
{
    (void)state;
    struct loom_stream a, b;
    loom_stream_init(&a, 7, 3, "arrivals");
    loom_stream_init(&b, 7, 3, "arrivals");
    for (int i = 0; i < 100; i++)
        assert_true(loom_stream_u64(&a) == loom_stream_u64(&b));
}

static void test_other_key_other_numbers(void **state)
{
    (void)state;
    struct loom_stream streams[4];
    loom_stream_init(&streams[0], 7, 3, "arrivals");
    loom_stream_init(&streams[1], 8, 3, "arrivals");
    loom_stream_init(&streams[2], 7, 4, "arrivals");
    loom_stream_init(&streams[3], 7, 3, "runtimes");
    for (int i = 0; i < 100; i++) {
        uint64_t drawn[4];
        for (int k = 0; k < 4; k++)
            drawn[k] = loom_stream_u64(&streams[k]);
        for (int k = 1; k < 4; k++)
            assert_true(drawn[k] != drawn[0]);
    }
}

static void test_uniform_and_below(void **state)
{
    (void)state;
    enum { N = 70000 };
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "test");
    double sum = 0;
    long hits[7] = {0};
    for (int i = 0; i < N; i++) {
        double u = loom_stream_uniform(&stream);
        assert_true(u >= 0 && u < 1);
        sum += u;
        uint64_t k = loom_stream_below(&stream, 7);
        assert_true(k < 7);
        hits[k]++;
    }
    assert_true(fabs(sum / N - 0.5) < 4 * sqrt(1.0 / 12 / N));
    double chi2 = 0;
    for (int k = 0; k < 7; k++)
        chi2 += pow((double)hits[k] - N / 7.0, 2) / (N / 7.0);
    assert_true(gsl_cdf_chisq_Q(chi2, 6) > 1e-4);
    assert_int_equal(loom_stream_below(&stream, 1), 0);
    for (int i = 0; i < 100; i++)
        assert_true(loom_stream_below(&stream, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* GSL's gamma sampler on our stream passes a Kolmogorov-Smirnov test against GSL's own cdf. */
static void test_gsl_draws_from_it(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double x[N];
    struct loom_stream stream;
    loom_stream_init(&stream, 42, 0, "gamma");
    for (int i = 0; i < N; i++)
        x[i] = gsl_ran_gamma(&stream.gsl, 2.5, 3.0);
    qsort(x, N, sizeof *x, compare);
    double distance = 0;
    for (int i = 0; i < N; i++) {
        double p = gsl_cdf_gamma_P(x[i], 2.5, 3.0);
        distance = fmax(distance, fmax(p - (double)i / N, (double)(i + 1) / N - p));
    }
    assert_true(distance < 1.95 / sqrt(N)); /* p = 0.001 */
}

/* Drawing without calls gives the numbers that calls give. */
static void test_inline_draws_are_the_same(void **state)
{
    (void)state;
    static const double weights[] = {3, 0, 1, 0.25, 7, 1, 1};
    gsl_ran_discrete_t *die = gsl_ran_discrete_preproc(sizeof weights / sizeof *weights, weights);
    struct loom_stream called, inlined;
    assert_non_null(die);
    loom_stream_init(&called, 3, 1, "draws");
    loom_stream_init(&inlined, 3, 1, "draws");
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(loom_draw_u64(&inlined), loom_stream_u64(&called));
        assert_true(loom_draw_uniform(&inlined) == loom_stream_uniform(&called));
        assert_int_equal(loom_draw_discrete(&inlined, die), gsl_ran_discrete(&called.gsl, die));
    }
    gsl_ran_discrete_free(die);
}

/* Weights of all kinds: equal ones, some of 0, powers of two, anything. */
static double weight(struct loom_stream *stream, int kind)
{
    double u = loom_stream_uniform(stream);
    return kind == 0 ? 1 : kind == 1 ? (u < 0.5 ? 0 : u) : kind == 2 ? exp2(floor(9 * u)) : u;
}

static void test_dice_are_those_of_gsl(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "dice");
    for (int round = 0; round < 400; round++) {
        double weights[64];
        size_t n = 1 + (size_t)loom_stream_below(&stream, 64);
        for (size_t i = 0; i < n; i++)
            weights[i] = weight(&stream, round % 4);
        weights[n - 1] = 1;
        gsl_ran_discrete_t *ours = loom_alias_create(n, weights);
        gsl_ran_discrete_t *theirs = gsl_ran_discrete_preproc(n, weights);
        assert_non_null(ours);
        for (size_t k = 0; k < n; k++) {
            assert_true(ours->F[k] == theirs->F[k]);
            assert_true(ours->A[k] == theirs->A[k]);
        }
        loom_alias_destroy(ours);
        gsl_ran_discrete_free(theirs);
    }
}

static void test_many_draws_are_the_same(void **state)
{
    (void)state;
    struct loom_stream one, many;
    uint64_t words[50];
    loom_stream_init(&one, 3, 1, "draws");
    loom_stream_init(&many, 3, 1, "draws");
    for (size_t n = 0; n <= 50; n++) {
        loom_draw_many(words, n, &many);
        for (size_t i = 0; i < n; i++)
            assert_true(words[i] == loom_stream_u64(&one));
    }
    assert_true(loom_stream_u64(&many) == loom_stream_u64(&one));
}

/* Whatever the weights and bits, an index of weight 0 is never drawn, and the parts of a table add
 * up to the weights. */
static void test_alias_by_32_bits(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "alias");
    for (int round = 0; round < 400; round++) {
        double weights[64], shares[64] = {0}, sum = 0;
        size_t n = 1 + (size_t)loom_stream_below(&stream, 64);
        for (size_t i = 0; i < n; i++)
            sum += weights[i] = i + 1 < n ? weight(&stream, round % 4) : 1;
        gsl_ran_discrete_t *table = loom_alias_create(n, weights);
        assert_non_null(table);
        for (size_t k = 0; k < n; k++) {
            double own = fmin(table->F[k] * (double)n - (double)k, 1);
            shares[k] += own / (double)n;
            shares[table->A[k]] += (1 - own) / (double)n;
        }
        for (size_t k = 0; k < n; k++) {
            uint32_t edge = (uint32_t)((((uint64_t)k << 32) + n - 1) / n);
            assert_true(fabs(shares[k] - weights[k] / sum) < 1e-12);
            assert_true(weights[loom_alias_at(table, loom_half_uniform(edge))] > 0);
        }
        for (int i = 0; i < 100; i++) {
            uint32_t bits = (uint32_t)loom_stream_u64(&stream);
            assert_true(weights[loom_alias_at(table, loom_half_uniform(bits))] > 0);
        }
        assert_true(weights[loom_alias_at(table, loom_half_uniform(UINT32_MAX))] > 0);
        loom_alias_destroy(table);
    }
}

static void test_gsl_set_restarts(void **state)
{
    (void)state;
    struct loom_stream stream, other;
    loom_stream_init(&stream, 5, 2, "x");
    loom_stream_init(&other, 6, 2, "x");
    gsl_rng_get(&stream.gsl);
    gsl_rng_set(&stream.gsl, 6);
    for (int i = 0; i < 10; i++)
        assert_true(gsl_rng_get(&stream.gsl) == loom_stream_u64(&other));
    assert_string_equal(gsl_rng_name(&stream.gsl), "philox4x64-10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_same_key_same_numbers),
        cmocka_unit_test(test_other_key_other_numbers),
        cmocka_unit_test(test_uniform_and_below),
        cmocka_unit_test(test_gsl_draws_from_it),
        cmocka_unit_test(test_inline_draws_are_the_same),
        cmocka_unit_test(test_dice_are_those_of_gsl),
        cmocka_unit_test(test_many_draws_are_the_same),
        cmocka_unit_test(test_alias_by_32_bits),
        cmocka_unit_test(test_gsl_set_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
