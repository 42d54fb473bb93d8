/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stack depths and the fullest of 16 bins: worked by hand, and stacks against one that is searched
 * entry by entry.
 */
#include "family_run.h"

#include "features/stack.h"

extern const struct loom_family_ops loom_family_locality;

enum { DAY = 86400 };

static double depth_of(const int64_t *values, size_t n, enum loom_match match)
{
    double mean;
    assert_int_equal(loom_stack_depth(&mean, values, n, match, NULL), 0);
    return mean;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Stacks, top first, after each value, and the depth noted:
 *     4 0, new    4
 *     8 1, new    8 4
 *     4 1         4 8
 *     4 0         4 8
 *     1 2, new    1 4 8
 *     8 2         8 1 4
 *     4 2         4 8 1
 * which is 8 in 7. */
static void test_equal(void **state)
{
    (void)state;
    static const int64_t values[] = {4, 8, 4, 4, 1, 8, 4};
    assert_true(depth_of(values, COUNT(values), LOOM_MATCH_EQUAL) == 8.0 / 7);
}

/* Within 5 % of the entry, which stays what it was:
 *     100 0, new                          100
 *     105 0, is 100 + 5 %                 100
 *     106 1, is not, new                  106 100
 *      95 1, is 100 - 5 %                 100 106
 *     101 0, matches both: the top one    100 106
 *     106 1, not 100                      106 100
 *     103 0, matches both: the top one    106 100
 *      19 2, new                          19 106 100
 *      20 3, new, 5 % of 19 is below 1    20 19 106 100
 *      19 0, is 20 - 5 %                  20 19 106 100
 *       0 4, new                          0 20 19 106 100
 *       0 0                               0 20 19 106 100
 *     100 4                               100 0 20 19 106
 * which is 16 in 13. */
static void test_within(void **state)
{
    (void)state;
    static const int64_t values[] = {100, 105, 106, 95, 101, 106, 103, 19, 20, 19, 0, 0, 100};
    assert_true(depth_of(values, COUNT(values), LOOM_MATCH_WITHIN_5_PERCENT) == 16.0 / 13);
}

static void test_none_found(void **state)
{
    (void)state;
    static const int64_t values[] = {1, 2, 3};
    for (size_t n = 0; n <= COUNT(values); n++) {
        struct loom_error err = {0};
        double mean;
        assert_int_equal(loom_stack_depth(&mean, values, n, LOOM_MATCH_EQUAL, &err), LOOM_EDATA);
        assert_string_equal(err.message, "no value comes twice, so that none is found in a stack");
    }
}

static bool brute_matches(int64_t entry, int64_t value, enum loom_match match)
{
    if (match == LOOM_MATCH_EQUAL)
        return entry == value;
    __int128 off = (__int128)entry - value;
    return 20 * (off < 0 ? -off : off) <= entry;
}

static double brute_depth(const int64_t *values, size_t n, enum loom_match match)
{
    int64_t *stack = malloc(n * sizeof *stack); /* top first */
    assert_non_null(stack);
    size_t size = 0, sum = 0, found = 0;
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;
        while (at < size && !brute_matches(stack[at], values[i], match))
            at++;
        int64_t entry = at < size ? stack[at] : values[i];
        sum += at;
        found += at < size;
        size += at == size;
        memmove(stack + 1, stack, at * sizeof *stack);
        stack[0] = entry;
    }
    free(stack);
    return found > 0 ? (double)sum / (double)n : -1;
}

static void assert_same_depth(const int64_t *values, size_t n, enum loom_match match)
{
    double mean, wanted = brute_depth(values, n, match);
    int rc = loom_stack_depth(&mean, values, n, match, NULL);
    assert_int_equal(rc, wanted < 0 ? LOOM_EDATA : 0);
    assert_true(rc || mean == wanted);
}

static void test_random_stacks(void **state)
{
    (void)state;
    enum { MOST = 600 };
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "stacks");
    for (int round = 0; round < 600; round++) {
        int64_t values[MOST];
        size_t n = 1 + loom_stream_below(&stream, MOST);
        uint64_t below = UINT64_C(1) << (1 + loom_stream_below(&stream, 12));
        unsigned shift = (unsigned)loom_stream_below(&stream, 40);
        for (size_t i = 0; i < n; i++) {
            values[i] = (int64_t)loom_stream_below(&stream, below);
            if (round % 3 == 0)
                values[i] =
                    (int64_t)(loom_stream_u64(&stream) >> (1 + loom_stream_below(&stream, 63)));
            if (round % 3 == 1)
                values[i] = (values[i] << shift) + (int64_t)loom_stream_below(&stream, 20);
        }
        for (int match = LOOM_MATCH_EQUAL; match <= LOOM_MATCH_WITHIN_5_PERCENT; match++)
            assert_same_depth(values, n, (enum loom_match)match);
    }
}

/* n different values, which note 0 .. n - 1, and again in the same order: each of these notes n
 * - 1. A stack searched from its top would take 10^10 steps. */
static void test_deep_stack(void **state)
{
    (void)state;
    enum { N = 100000 };
    int64_t *values = malloc(2 * N * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < 2 * N; i++)
        values[i] = (int64_t)(i % N);
    assert_true(depth_of(values, 2 * N, LOOM_MATCH_EQUAL) == 0.75 * (N - 1));
    free(values);
}

/* ---- the family ------------------------------------------------------------------------------ */

/* Runtimes 1 .. 4 on the first day, 5 5 6 .. 14 on the second, 15 and 16 on the third, 15 on the
 * fifth. Edge k of 1 .. 15 is the value at place ceil(18 k / 16) of
 *     1 2 3 4 5 5 6 7 8 9 10 11 12 13 14 15 15 16
 * so the edges are 2 3 4 5 5 6 7 8 10 11 12 13 14 15 15. On the first day, 1 and 2 share a bin: 2
 * of
 * 4. On the second, the two 5 do, and 9 and 10: 2 of 11. Then 1 of 2, and 1 of 1; the fourth day
 * has no jobs and does not count. All jobs were allocated 8 processors, whatever they asked for. */
static void test_bins(void **state)
{
    (void)state;
    struct row rows[18];
    static const int64_t runs[] = {1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 15};
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t day = i < 4 ? 0 : i < 15 ? 1 : i < 17 ? 2 : 4;
        rows[i] = (struct row){day * DAY + (int64_t)i, 0, runs[i], -1, 8, (int32_t)i + 1, 1};
    }
    struct loom_results results = run_family(&loom_family_locality, rows, COUNT(rows));
    assert_value(&results, "locality.bins16.runtime", (2.0 / 4 + 2.0 / 11 + 1.0 / 2 + 1) / 4);
    assert_value(&results, "locality.bins16.procs", 1);
    assert_value(&results, "locality.stack.procs", 0);
    assert_missing(&results, "locality.bins16.estimate", "no job has an estimate");
    assert_missing(&results, "locality.stack.estimate", "no job has an estimate");
}

/* The day changes at the log's own midnight: the second job is an hour later, and the next day. */
static void test_stack_features(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {84600, 0, 100, 600, 4, 4, 1}, {88200, 0, -1, 0, -1, 8, 1},   {88300, 0, 105, -1, 4, 8, 1},
        {88400, 0, 5, 900, -1, -1, 1}, {88500, 0, 100, 600, 8, 1, 1},
    };
    struct loom_results results = run_family(&loom_family_locality, rows, COUNT(rows));
    /* 100, 105, 5, 100 note 0 0 1 1; 600, 900, 600 note 0 1 1; 4, 8, 4, 8 note 0 1 1 1. */
    assert_value(&results, "locality.stack.runtime", 0.5);
    assert_value(&results, "locality.stack.estimate", 2.0 / 3);
    assert_value(&results, "locality.stack.procs", 3.0 / 4);
    /* Runtimes 5, 100, 100, 105: edges 5 (4 times), 100 (8 times), 105. The second day has one of
     * each kind. Of processors it has 8, 4 and 8. */
    assert_value(&results, "locality.bins16.runtime", (1 + 1.0 / 3) / 2);
    assert_value(&results, "locality.bins16.estimate", (1 + 1.0 / 2) / 2);
    assert_value(&results, "locality.bins16.procs", (1 + 2.0 / 3) / 2);
}

static void test_nothing_known(void **state)
{
    (void)state;
    static const struct row rows[] = {{0, -1, -1, -1, -1, -1, -1}, {1, -1, -1, -1, 0, -1, -1}};
    struct loom_results results = run_family(&loom_family_locality, rows, COUNT(rows));
    assert_missing(&results, "locality.stack.runtime", "no job has a runtime");
    assert_missing(&results, "locality.bins16.runtime", "no job has a runtime");
    assert_missing(&results, "locality.stack.procs", "no job has a processor count");
    assert_missing(&results, "locality.bins16.procs", "no job has a processor count");
}

static void test_one_job(void **state)
{
    (void)state;
    static const struct row row = {INT64_MAX, 0, INT64_MAX, INT64_MAX, INT32_MAX, -1, 1};
    struct loom_results results = run_family(&loom_family_locality, &row, 1);
    assert_missing(&results, "locality.stack.runtime", "no value comes twice");
    assert_missing(&results, "locality.stack.estimate", "no value comes twice");
    assert_missing(&results, "locality.stack.procs", "no value comes twice");
    assert_value(&results, "locality.bins16.runtime", 1);
    assert_value(&results, "locality.bins16.estimate", 1);
    assert_value(&results, "locality.bins16.procs", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),          cmocka_unit_test(test_within),
        cmocka_unit_test(test_none_found),     cmocka_unit_test(test_random_stacks),
        cmocka_unit_test(test_deep_stack),     cmocka_unit_test(test_bins),
        cmocka_unit_test(test_stack_features), cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_one_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
