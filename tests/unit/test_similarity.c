/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Similarity of jobs by their distance in sessions: worked by hand, and sums, shares and medians
 * over pairs against all pairs one by one.
 */
#include "family_run.h"

#include "features/pairs.h"

#include <math.h>

extern const struct loom_family_ops loom_family_similarity;

/* ---- pairs ----------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double ratio(double a, double b)
{
    if (a == b)
        return 1;
    return a < b ? a / b : b / a;
}

/* All similarities, ascending; the caller must free them. */
static double *brute_pairs(const struct loom_pairs *pairs, size_t *count)
{
    size_t n = pairs->first[pairs->sessions] - pairs->first[0];
    double *all = malloc((n * n + 1) * sizeof *all);
    assert_non_null(all);
    *count = 0;
    for (size_t s = 0; s + pairs->distance < pairs->sessions; s++) {
        size_t t = s + pairs->distance;
        for (size_t i = pairs->first[s]; i < pairs->first[s + 1]; i++)
            for (size_t j = pairs->first[t]; j < pairs->first[t + 1]; j++)
                if (s != t || i < j)
                    all[(*count)++] = ratio(pairs->values[i], pairs->values[j]);
    }
    qsort(all, *count, sizeof *all, compare);
    return all;
}

static void check_pairs(const struct loom_pairs *pairs)
{
    size_t count;
    double *all = brute_pairs(pairs, &count), *room = malloc(loom_pairs_room(pairs) * sizeof *room);
    assert_non_null(room);
    assert_int_equal(loom_pairs_count(pairs), count);
    double sum = 0, identical = 0;
    for (size_t i = 0; i < count; i++) {
        sum += all[i];
        identical += all[i] == 1;
    }
    if (count > 0) {
        assert_true(fabs(loom_pairs_mean(pairs) - sum / (double)count) < 1e-12);
        assert_true(loom_pairs_identical(pairs) == identical / (double)count);
        assert_true(loom_pairs_median(pairs, room) == (all[count / 2] + all[(count - 1) / 2]) / 2);
    }
    free(all);
    free(room);
}

/* Sessions {1, 2, 4} and {0, 2}. Within them: 1/2, 1/4, 1/2 and 0, so the mean is 1.25 / 4, and the
 * middle ones of 0, 1/4, 1/2, 1/2 have the mean 3/8. Between them: 0, 0, 0 and 1/2, 1, 1/2, so the
 * mean is 1/3, one of six is identical, and the middle ones are 0 and 1/2. */
static void test_pairs(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 4, 0, 2};
    static const uint32_t first[] = {0, 3, 5};
    double room[6];
    struct loom_pairs pairs = {values, first, 2, 0};
    assert_int_equal(loom_pairs_room(&pairs), 6);
    assert_int_equal(loom_pairs_count(&pairs), 4);
    assert_true(loom_pairs_mean(&pairs) == 1.25 / 4);
    assert_true(loom_pairs_identical(&pairs) == 0);
    assert_true(loom_pairs_median(&pairs, room) == 3.0 / 8);
    pairs.distance = 1;
    assert_int_equal(loom_pairs_count(&pairs), 6);
    assert_true(loom_pairs_mean(&pairs) == 2.0 / 6);
    assert_true(loom_pairs_identical(&pairs) == 1.0 / 6);
    assert_true(loom_pairs_median(&pairs, room) == 0.25);
    pairs.distance = 2;
    assert_int_equal(loom_pairs_count(&pairs), 0);
    pairs = (struct loom_pairs){values, first, 0, 0};
    assert_int_equal(loom_pairs_count(&pairs), 0);
}

/* Random sessions of up to `most` values of random kinds: few different ones, zeros, or numbers of
 * all sizes. */
static size_t random_sessions(struct loom_stream *stream, double *values, uint32_t *first,
                              size_t sessions, uint64_t most)
{
    uint64_t kind = loom_stream_below(stream, 3), below = 1 + loom_stream_below(stream, 30);
    uint32_t n = 3; /* other users' values come before */
    for (size_t s = 0; s < sessions; s++) {
        first[s] = n;
        for (uint64_t left = loom_stream_below(stream, most + 1); left > 0; left--) {
            uint64_t big = loom_stream_u64(stream) >> (1 + loom_stream_below(stream, 63));
            values[n++] = kind == 0   ? (double)loom_stream_below(stream, below)
                          : kind == 1 ? (double)(1 + loom_stream_below(stream, 100000))
                                      : (double)big;
        }
        qsort(values + first[s], n - first[s], sizeof *values, compare);
    }
    first[sessions] = n;
    return n;
}

static void test_random_pairs(void **state)
{
    (void)state;
    enum { SESSIONS = 8, MOST = 60 };
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "pairs");
    for (int round = 0; round < 400; round++) {
        double values[SESSIONS * MOST + 3];
        uint32_t first[SESSIONS + 1];
        size_t sessions = 1 + loom_stream_below(&stream, SESSIONS);
        random_sessions(&stream, values, first, sessions, 1 + loom_stream_below(&stream, MOST));
        for (size_t distance = 0; distance < 4; distance++) {
            struct loom_pairs pairs = {values, first, sessions, distance};
            check_pairs(&pairs);
        }
    }
}

/* The values 1 .. n in either of two sessions: n of n^2 pairs are identical, and for large n the
 * mean and the median are as for the smaller of two uniform numbers over the larger, 1/2. All the
 * similarities together would take 80 GB. */
static void test_many_pairs(void **state)
{
    (void)state;
    enum { N = 100000 };
    double *values = malloc(2 * N * sizeof *values);
    double *room = malloc((2 * N + 1) * sizeof *room);
    assert_true(values && room);
    for (size_t i = 0; i < N; i++)
        values[i] = values[N + i] = (double)(i + 1);
    static const uint32_t first[] = {0, N, 2 * N};
    struct loom_pairs pairs = {values, first, 2, 1};
    assert_true(loom_pairs_count(&pairs) == (uint64_t)N * N);
    assert_true(loom_pairs_identical(&pairs) == 1.0 / N);
    assert_true(fabs(loom_pairs_mean(&pairs) - 0.5) < 1e-4);
    assert_true(fabs(loom_pairs_median(&pairs, room) - 0.5) < 1e-4);
    free(values);
    free(room);
}

/* ---- the family ------------------------------------------------------------------------------ */

/* Six sessions, two hours apart, of up to two jobs each. */
struct user {
    struct {
        int32_t procs;
        int64_t request_s, run_s;
    } jobs[6][2]; /* no second job: procs 0 */
};

static size_t add_user(struct row *rows, int32_t number, const struct user *user, size_t sessions)
{
    size_t n = 0;
    for (size_t s = 0; s < sessions; s++)
        for (size_t k = 0; k < 2; k++)
            if (user->jobs[s][k].procs != 0)
                rows[n++] = (struct row){(int64_t)(s * 7200 + k * 60),
                                         0,
                                         user->jobs[s][k].run_s,
                                         user->jobs[s][k].request_s,
                                         -1,
                                         user->jobs[s][k].procs,
                                         number};
    return n;
}

static int by_submit(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return (a->submit_s > b->submit_s) - (a->submit_s < b->submit_s);
}

/* User 1: each session has jobs of one size, which doubles from one to the next; equal estimates in
 * pairs of sessions (1 1, 1 1, 2 2, 2 2, 3 3, 3 3); runtimes 10 and 20, and 1000 twice in the last.
 *     procs     1 within, 1/2 to the next, 1/4 to the one after
 *     estimate  1 within, 3 of 5 to the next, 0 of 4 to the one after
 *     runtime   1/2 five times and 1 within; to the next, eight times 1/2 and 1 and four times 0.02
 * or less; to the one after, six times and four times: the median is 1/2 in all cases User 2: all
 * jobs are equal; the estimate is unknown but in one session, which has pairs within only. User 3:
 * sizes 1 3 1 3 1, and both in the last session; runtimes 6 0 6 0 6, and 6 twice. procs     1/3
 * within; to the next, four times 1/3, then 1 and 1/3: 8/3 of 6 pairs; to the one after, three
 * times 1, then 1/3 and 1: 13/3 of 5 pairs estimate  5 everywhere runtime   1 within; to the next 0
 * 0 0 0 1 1, with the median 0; to the one after 1 1 1 0 0, with the median 1 User 4 has one job a
 * session, and user 5 has five sessions: they are not looked at. */
static const struct user users[] = {
    {{{{1, 1, 10}, {1, 1, 20}},
      {{2, 1, 10}, {2, 1, 20}},
      {{4, 2, 10}, {4, 2, 20}},
      {{8, 2, 10}, {8, 2, 20}},
      {{16, 3, 10}, {16, 3, 20}},
      {{32, 3, 1000}, {32, 3, 1000}}}},
    {{{{7, -1, 7}, {7, -1, 7}},
      {{7, -1, 7}},
      {{7, 9, 7}, {7, 8, 7}},
      {{7, -1, 7}},
      {{7, -1, 7}},
      {{7, -1, 7}}}},
    {{{{1, 5, 6}}, {{3, 5, 0}}, {{1, 5, 6}}, {{3, 5, 0}}, {{1, 5, 6}}, {{1, 5, 6}, {3, 5, 6}}}},
    {{{{1, 1, 1}}, {{2, 1, 1}}, {{1, 1, 1}}, {{2, 1, 1}}, {{1, 1, 1}}, {{2, 1, 1}}}},
    {{{{1, 1, 1}, {9, 2, 3}}, {{2, 1, 1}}, {{1, 1, 1}}, {{2, 1, 1}}, {{1, 1, 1}}, {{0, 0, 0}}}},
};

static struct loom_results run_users(const size_t *which, size_t n_which)
{
    struct row rows[12 * COUNT(users)];
    size_t n = 0;
    for (size_t i = 0; i < n_which; i++)
        n += add_user(rows + n, (int32_t)which[i] + 1, &users[which[i]], 6);
    qsort(rows, n, sizeof *rows, by_submit);
    return run_family(&loom_family_similarity, rows, n);
}

static void test_users(void **state)
{
    (void)state;
    static const size_t all[] = {0, 1, 2, 3, 4};
    struct loom_results results = run_users(all, COUNT(all));
    static const struct {
        const char *key;
        double value;
    } wanted[] = {
        /* user 1 less with distance, user 2 equal, user 3 4/9 after 1/3, then 13/15 */
        {"similarity.procs.d0_larger", 1.0 / 3},
        {"similarity.procs.d0_equal", 1.0 / 3},
        {"similarity.procs.d1_larger", 1.0 / 3},
        {"similarity.procs.d1d2_larger", 1.0 / 3},
        {"similarity.procs.d1d2_equal", 1.0 / 3},
        {"similarity.procs.d2_larger", 1.0 / 3},
        /* users 1 and 3 only */
        {"similarity.estimate.d0_larger", 1.0 / 2},
        {"similarity.estimate.d0_equal", 1.0 / 2},
        {"similarity.estimate.d1_larger", 0},
        {"similarity.estimate.d1d2_larger", 1.0 / 2},
        {"similarity.estimate.d1d2_equal", 1.0 / 2},
        {"similarity.estimate.d2_larger", 0},
        /* user 1: 1/2 each; user 2: 1 each; user 3: 1, 0, 1 */
        {"similarity.runtime.d0_larger", 1.0 / 3},
        {"similarity.runtime.d0_equal", 2.0 / 3},
        {"similarity.runtime.d1_larger", 0},
        {"similarity.runtime.d1d2_larger", 0},
        {"similarity.runtime.d1d2_equal", 2.0 / 3},
        {"similarity.runtime.d2_larger", 1.0 / 3},
    };
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_value(&results, wanted[i].key, wanted[i].value);
}

static void test_too_little(void **state)
{
    (void)state;
    static const size_t passed_over[] = {3, 4}, little[] = {1};
    static const char few[] =
        "no user has six sessions, two jobs in one of them, and this value known for enough jobs";
    struct loom_results results = run_users(passed_over, COUNT(passed_over));
    assert_missing(&results, "similarity.procs.d0_larger", few);
    assert_missing(&results, "similarity.runtime.d2_larger", few);
    results = run_users(little, COUNT(little));
    assert_value(&results, "similarity.procs.d0_equal", 1);
    assert_missing(&results, "similarity.estimate.d0_larger", few);
    static const struct row unknown[] = {{0, -1, -1, -1, -1, -1, 1}, {1, -1, -1, 0, -1, 0, 1}};
    results = run_family(&loom_family_similarity, unknown, COUNT(unknown));
    assert_missing(&results, "similarity.procs.d0_equal", "no job has a processor count");
    assert_missing(&results, "similarity.estimate.d1d2_equal", "no job has an estimate");
    assert_missing(&results, "similarity.runtime.d1_larger", "no job has a runtime");
    static const struct row nobody = {0, 0, 1, 1, 1, 1, -1};
    results = run_family(&loom_family_similarity, &nobody, 1);
    assert_missing(&results, "similarity.runtime.d1_larger", "no job has a user ID");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),      cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_many_pairs), cmocka_unit_test(test_users),
        cmocka_unit_test(test_too_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
