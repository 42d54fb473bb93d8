/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces compared with a reference: distances, sampling errors, closeness, scores and cards. */
#include "support.h"

#include "features/compare.h"

#include <workloom/features.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- traces ---------------------------------------------------------------------------------- */

enum { JOBS_A = 400, JOBS_B = 300 };

static void add(struct loom_trace *trace, int64_t submit_s, int64_t run_s, int32_t procs,
                int64_t request_s, int32_t user)
{
    struct loom_job job = loom_job_unknown();
    job.number = (int64_t)loom_trace_count(trace) + 1;
    job.submit_s = submit_s;
    job.run_s = run_s;
    job.alloc_procs = job.req_procs = procs;
    job.request_s = request_s;
    job.user = user;
    append(trace, job);
}

/* The traces of tests/oracle/compare.py: which is 1 or 2. */
static struct loom_trace *oracle_trace(int which)
{
    struct loom_trace *trace = empty_trace();
    int64_t submit_s = 0;
    for (int i = 0; i < (which == 1 ? JOBS_A : JOBS_B); i++) {
        int mixed = (i * 7919 + which * 104729) % 10007;
        int like = i % 9 < 4 - which ? i % 9 : 0;
        int kind = ((i - like) * 7919 + which * 104729) % 10007;
        submit_s += like ? 20 * which : mixed % 97 * (mixed % 13) * 10 * which;
        add(trace, submit_s, mixed % 1000 * (mixed % 7) + which, 1 << (kind % (4 + which)),
            600 * (1 + kind % (3 * which)), i / 9 % (5 + which) + 1);
    }
    return trace;
}

/* Days of jobs at random times, with exponential runtimes. */
static struct loom_trace *random_trace(uint64_t seed, int days, int per_day)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "test_compare");
    for (int day = 0; day < days; day++)
        for (int i = 0; i < per_day; i++) {
            double run_s = -1e6 * log1p(-loom_stream_uniform(&stream));
            add(trace, day * 86400 + (int64_t)loom_stream_below(&stream, 86400), (int64_t)run_s,
                1 << loom_stream_below(&stream, 5), 3600, (int32_t)loom_stream_below(&stream, 10));
        }
    return trace;
}

/* ---- what is compared ------------------------------------------------------------------------ */

struct match {
    struct loom_reference *reference;
    struct loom_comparison *comparisons[8];
    struct loom_scorecard *card;
};

static struct loom_reference *reference_of(const struct loom_trace *trace, size_t resamples,
                                           uint64_t seed, struct loom_pool *pool)
{
    struct loom_reference_options options = {.resamples = resamples, .seed = seed};
    struct loom_reference *reference = NULL;
    struct loom_error err = {0};
    if (loom_reference_create(&reference, trace, &options, pool, NULL, &err))
        fail_msg("%s", err.message);
    return reference;
}

static struct match match(const struct loom_trace *a, struct loom_trace *const *bs, size_t n)
{
    struct match m = {.reference = reference_of(a, 8, 1, NULL)};
    struct loom_error err = {0};
    for (size_t i = 0; i < n; i++)
        if (loom_comparison_create(&m.comparisons[i], m.reference, bs[i], NULL, NULL, &err))
            fail_msg("%s", err.message);
    assert_int_equal(loom_scorecard_create(&m.card, m.reference, m.comparisons, n, NULL), 0);
    return m;
}

static void end_match(struct match *m)
{
    loom_scorecard_destroy(m->card);
    for (size_t i = 0; i < COUNT(m->comparisons); i++)
        loom_comparison_destroy(m->comparisons[i]);
    loom_reference_destroy(m->reference);
}

static const struct loom_compared *line_of(const struct loom_scorecard *card, const char *key,
                                           bool distribution)
{
    const struct loom_compared *line;
    for (size_t i = 0; (line = loom_scorecard_line(card, i)); i++)
        if (line->distribution == distribution && strcmp(line->info->key, key) == 0)
            return line;
    fail_msg("there is no line %s", key);
    return NULL;
}

static void assert_near(double got, double wanted, double relative, const char *what)
{
    if (!(fabs(got - wanted) <= relative * fabs(wanted)))
        fail_msg("%s is %.17g, not %.17g", what, got, wanted);
}

/* ---- distances ------------------------------------------------------------------------------- */

static const struct {
    const char *key;
    double ks, wasserstein, anderson_darling;
} oracle[] = {
#define DISTANCE(...) {__VA_ARGS__},
#include "../oracle/compare.inc"
#undef DISTANCE
};

static void test_distances_are_scipys(void **state)
{
    (void)state;
    struct loom_trace *a = oracle_trace(1), *b = oracle_trace(2);
    struct match m = match(a, &b, 1);
    for (size_t i = 0; i < COUNT(oracle); i++) {
        const struct loom_compared *line = line_of(m.card, oracle[i].key, true);
        assert_int_equal(line->known, 1);
        assert_near(line->ks, oracle[i].ks, 1e-12, oracle[i].key);
        assert_near(line->wasserstein, oracle[i].wasserstein, 1e-12, oracle[i].key);
        assert_near(line->anderson_darling, oracle[i].anderson_darling, 1e-12, oracle[i].key);
    }
    end_match(&m);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

/* Two jobs each, a few seconds apart: too short to be resampled, so that differences are seen on a
 * scale of a tenth. Mean runtimes are 200 and 400, 200 / 40 = 5 apart; of the runtimes, half are
 * below 200 in the one and none in the other, 0.5 / 0.1 = 5 apart, and the areas between are 100
 * wide on average, 200 / 40 = 5 apart. Tails are sqrt(A^2 (1/2 + 1/2)) apart, on a scale of two
 * tenths. */
static void test_short_traces_by_hand(void **state)
{
    (void)state;
    struct loom_trace *a = empty_trace(), *b = empty_trace();
    add(a, 0, 100, 4, -1, -1);
    add(a, 60, 300, 4, -1, -1);
    add(b, 0, 200, 4, -1, -1);
    add(b, 60, 600, 4, -1, -1);
    struct match m = match(a, &b, 1);
    const double half = 1 / (1 + 25.0 / 9);
    const struct loom_compared *mean = line_of(m.card, "runtime.mean_s", false);
    assert_true(mean->a == 200 && mean->b.mean == 400);
    assert_true(isnan(mean->error) && isnan(mean->b.sd) && isnan(mean->b.half));
    assert_near(mean->distance, 5, 1e-14, "distance");
    assert_near(mean->closeness, half, 1e-14, "closeness");
    const struct loom_compared *runtimes = line_of(m.card, "runtime", true);
    assert_true(runtimes->ks == 0.5 && runtimes->wasserstein == 200);
    assert_near(runtimes->distance, 5, 1e-14, "distance");
    double tails = sqrt(runtimes->anderson_darling) / 0.2 / 3;
    assert_near(runtimes->closeness, (half + half + 1 / (1 + tails * tails)) / 3, 1e-14,
                "closeness of runtimes");
    const struct loom_compared *sizes = line_of(m.card, "procs", true);
    assert_true(sizes->ks == 0 && sizes->distance == 0 && sizes->closeness == 1);
    struct loom_blocks blocks = loom_reference_blocks(m.reference);
    assert_true(blocks.unit_s == 0 && blocks.resamples == 0);
    end_match(&m);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static void test_equal_traces_score_exactly_1(void **state)
{
    (void)state;
    struct loom_trace *traces[] = {oracle_trace(1), random_trace(7, 60, 5)};
    for (size_t t = 0; t < COUNT(traces); t++) {
        struct loom_trace *again[] = {traces[t], traces[t], traces[t]};
        struct match m = match(traces[t], again, COUNT(again));
        struct loom_spread score = loom_scorecard_score(m.card);
        assert_true(score.mean == 1 && score.sd == 0 && score.half == 0);
        assert_true(loom_scorecard_coverage(m.card) == 1);
        const struct loom_compared *line;
        for (size_t i = 0; (line = loom_scorecard_line(m.card, i)); i++)
            if (line->known && !(line->distance == 0 && line->closeness == 1 && line->known == 3))
                fail_msg("%s differs from itself", line->info->key);
        end_match(&m);
        loom_trace_destroy(traces[t]);
    }
}

/* Every part is the mean over its lines, the score the mean over parts; nothing else counts. */
static void test_scores_are_means(void **state)
{
    (void)state;
    struct loom_trace *a = oracle_trace(1), *b = oracle_trace(2);
    struct match m = match(a, &b, 1);
    const struct loom_compared *line;
    const struct loom_score_part *part;
    double total = 0, parts = 0;
    for (size_t p = 0; (part = loom_scorecard_part(m.card, p)); p++) {
        double sum = 0, n = 0, least = 2;
        for (size_t i = 0; (line = loom_scorecard_line(m.card, i)); i++)
            if (line->part == (int)p && line->known) {
                assert_true(line->closeness > 0 && line->closeness <= 1);
                sum += line->closeness;
                least = fmin(least, line->closeness);
                n++;
            }
        assert_int_equal(part->items, (size_t)n);
        assert_string_equal(part->info->name, loom_part_at(p)->name);
        if (n == 0)
            continue;
        assert_near(part->score.mean, sum / n, 1e-14, part->info->name);
        assert_true(loom_scorecard_line(m.card, part->furthest)->closeness == least);
        total += sum / n;
        parts++;
    }
    assert_int_equal((int)parts, LOOM_PARTS);
    assert_near(loom_scorecard_score(m.card).mean, total / parts, 1e-14, "score");
    end_match(&m);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

static struct loom_trace *without(const struct loom_trace *a, bool users, bool estimates)
{
    struct loom_trace *b = empty_trace();
    for (size_t i = 0; i < loom_trace_count(a); i++) {
        struct loom_job job = loom_trace_job(a, i);
        job.user = users ? -1 : job.user;
        job.request_s = estimates ? -1 : job.request_s;
        append(b, job);
    }
    return b;
}

/* Without users two parts are gone and without estimates a third; the other seven are equal. */
static void test_what_is_unknown_is_left_out(void **state)
{
    (void)state;
    struct loom_trace *a = oracle_trace(1), *b = without(a, true, true);
    struct match m = match(a, &b, 1);
    assert_near(loom_scorecard_score(m.card).mean, 1, 1e-14, "score");
    assert_near(loom_scorecard_overall(m.card).mean, 0.7, 1e-14, "overall");
    assert_near(loom_scorecard_coverage(m.card), 0.7, 1e-14, "coverage");
    static const char *const lacking[] = {"bags", "users", "estimates"};
    const struct loom_score_part *part;
    for (size_t p = 0; (part = loom_scorecard_part(m.card, p)); p++)
        for (size_t k = 0; k < COUNT(lacking); k++)
            if (strcmp(part->info->name, lacking[k]) == 0)
                assert_true(part->items == 0 && part->absent > 0);
    const struct loom_compared *bags = line_of(m.card, "bot.job_fraction", false);
    assert_true(bags->known == 0 && bags->known_a);
    assert_string_equal(bags->reason, "no job has a user ID");
    assert_string_equal(line_of(m.card, "estimate.known_fraction", false)->reason,
                        "no job has an estimate");
    assert_string_equal(line_of(m.card, "user.jobs", true)->reason, "unknown in this trace");
    end_match(&m);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

/* What is lacking counts as 0, whether it is a part or one number of it: a trace that is less like
 * the reference scores more without it, but never more overall. */
static void test_lacking_is_no_gain(void **state)
{
    (void)state;
    struct loom_trace *a = oracle_trace(1), *b = oracle_trace(2);
    struct match whole = match(a, &b, 1);
    double overall = loom_scorecard_overall(whole.card).mean;
    assert_near(overall, loom_scorecard_score(whole.card).mean, 1e-14, "nothing is lacking");
    for (int what = 1; what < 4; what++) {
        struct loom_trace *less = without(b, what & 1, what & 2);
        struct match m = match(a, &less, 1);
        assert_true(loom_scorecard_overall(m.card).mean < overall);
        assert_true(loom_scorecard_coverage(m.card) < 1);
        end_match(&m);
        loom_trace_destroy(less);
    }
    end_match(&whole);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

/* A handful of equal jobs knows hardly anything for certain, which does not make it alike. */
static void test_short_is_not_alike(void **state)
{
    (void)state;
    struct loom_trace *a = oracle_trace(1), *b = empty_trace();
    struct loom_job job = loom_trace_job(a, 0);
    job.run_s = 100;
    job.req_procs = job.alloc_procs = 1;
    for (int i = 0; i < 5; i++) {
        append(b, job);
        job.submit_s += 100;
    }
    struct match m = match(a, &b, 1);
    assert_true(loom_scorecard_score(m.card).mean < 0.5);
    end_match(&m);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

/* Three runtimes of 200, 300 and 400 s: mean 300, deviation 100, and the mean is known to within
 * 4.3027 (Student's t for 2 degrees of freedom) times 100 / sqrt(3). */
static void test_spread_over_traces(void **state)
{
    (void)state;
    struct loom_trace *bs[3], *a = empty_trace();
    add(a, 0, 100, 4, -1, -1);
    add(a, 60, 300, 4, -1, -1);
    for (int i = 0; i < 3; i++) {
        bs[i] = empty_trace();
        add(bs[i], 0, 100 + 100 * i, 4, -1, -1);
        add(bs[i], 60, 300 + 100 * i, 4, -1, -1);
    }
    struct match m = match(a, bs, COUNT(bs));
    const struct loom_compared *mean = line_of(m.card, "runtime.mean_s", false);
    assert_int_equal(mean->known, 3);
    assert_near(mean->b.mean, 300, 1e-14, "mean");
    assert_near(mean->b.sd, 100, 1e-14, "deviation");
    assert_near(mean->b.half, 4.302652729749464 * 100 / sqrt(3), 1e-9, "half width");
    /* Distances 0, 100 / 30 and 200 / 40; closeness is the mean of theirs. */
    double third = 10.0 / 9, other = 5.0 / 3;
    assert_near(mean->closeness, (1 + 1 / (1 + third * third) + 1 / (1 + other * other)) / 3, 1e-14,
                "closeness");
    assert_int_equal(loom_scorecard_traces(m.card), 3);
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += loom_comparison_score(m.comparisons[i]);
    assert_near(loom_scorecard_score(m.card).mean, sum / 3, 1e-14, "score");
    end_match(&m);
    loom_trace_destroy(a);
    for (int i = 0; i < 3; i++)
        loom_trace_destroy(bs[i]);
}

/* An equal trace covers all, one without users and estimates seven of ten parts: 0.85 on average.
 * Overall scores of 1 and 0.7 have an interval of 12.706 times 0.15, wider than their scale. */
static void test_scores_of_unlike_traces(void **state)
{
    (void)state;
    struct loom_trace *a = oracle_trace(1), *bs[2] = {a, without(a, true, true)};
    struct match m = match(a, bs, COUNT(bs));
    assert_near(loom_scorecard_coverage(m.card), 0.85, 1e-14, "coverage");
    struct loom_spread overall = loom_scorecard_overall(m.card);
    assert_near(overall.mean, 0.85, 1e-14, "overall");
    assert_near(overall.half, 12.706204736174694 * 0.15, 1e-9, "half width");
    end_match(&m);
    loom_trace_destroy(bs[1]);
    loom_trace_destroy(a);
}

/* Runtimes of 320 and 500 s are as far from 400 s, on a scale of a tenth of the larger, and neither
 * is close: what is furthest off goes by closeness, and the distance of that is theirs. */
static void test_wrong_in_both_directions(void **state)
{
    (void)state;
    struct loom_trace *bs[2], *a = empty_trace();
    add(a, 0, 400, 4, -1, -1);
    add(a, 60, 400, 4, -1, -1);
    for (int i = 0; i < 2; i++) {
        bs[i] = empty_trace();
        add(bs[i], 0, i ? 500 : 320, 4, -1, -1);
        add(bs[i], 60, i ? 500 : 320, 4, -1, -1);
    }
    struct match m = match(a, bs, COUNT(bs));
    const struct loom_compared *mean = line_of(m.card, "runtime.mean_s", false);
    assert_near(mean->distance, 0, 1e-14, "a tenth of 400 to one side, of 500 to the other");
    assert_near(loom_distance_of(mean->closeness), 2, 1e-12, "distance of the closeness");
    assert_near(loom_distance_of(loom_closeness(-4.5)), 4.5, 1e-12, "there and back");
    assert_true(loom_distance_of(1) == 0);
    end_match(&m);
    loom_trace_destroy(a);
    for (int i = 0; i < 2; i++)
        loom_trace_destroy(bs[i]);
}

/* Half and twice as many jobs, and half and twice the time, are about the same length. */
static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        int jobs, gap_s;
        bool same;
    } cases[] = {{8, 60, true},   {4, 140, true},  {16, 28, true}, {3, 140, false},
                 {17, 28, false}, {8, 121, false}, {8, 120, true}, {8, 29, false}};
    struct loom_trace *a = empty_trace();
    for (int i = 0; i < 8; i++)
        add(a, 60 * i, 100, 4, -1, -1);
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct loom_trace *b = empty_trace();
        for (int i = 0; i < cases[k].jobs; i++)
            add(b, cases[k].gap_s * i, 100, 4, -1, -1);
        struct match m = match(a, &b, 1);
        assert_int_equal(loom_comparison_same_length(m.comparisons[0]), cases[k].same);
        end_match(&m);
        loom_trace_destroy(b);
    }
    loom_trace_destroy(a);
}

/* ---- sampling errors ------------------------------------------------------------------------- */

/* The error of the difference of a feature from itself in another trace. */
static double error_of(struct loom_reference *reference, const struct loom_trace *trace,
                       const char *key, bool distribution)
{
    struct loom_comparison *comparison = NULL;
    struct loom_scorecard *card = NULL;
    assert_int_equal(loom_comparison_create(&comparison, reference, trace, NULL, NULL, NULL), 0);
    assert_int_equal(loom_scorecard_create(&card, reference, &comparison, 1, NULL), 0);
    double error = line_of(card, key, distribution)->error;
    loom_scorecard_destroy(card);
    loom_comparison_destroy(comparison);
    return error;
}

/* Runtimes without any dependence: the standard error of the mean of n of them is sd / sqrt(n), and
 * of the difference of two such logs sqrt(2) times as much. With 60 resamples the bootstrap's
 * answer has a standard error of 9 %; blocks cost it a little more. Against a log half as long it
 * is sqrt(3) times as much. */
static void test_error_of_a_mean(void **state)
{
    (void)state;
    struct loom_trace *trace = random_trace(3, 367, 2), *half = random_trace(3, 184, 2);
    struct loom_reference *reference = reference_of(trace, 60, 1, NULL);
    struct loom_blocks blocks = loom_reference_blocks(reference);
    assert_int_equal(blocks.unit_s, 7 * 86400);
    assert_int_equal(blocks.units, 52);
    assert_int_equal(blocks.length, 4); /* cubic root of 52, rounded */
    assert_int_equal(blocks.resamples, 60);
    const struct loom_features *features = loom_reference_features(reference);
    double mean = loom_features_find(features, "runtime.mean_s")->value;
    double sd = mean * loom_features_find(features, "runtime.cv")->value;
    double error = error_of(reference, trace, "runtime.mean_s", false);
    assert_near(error, M_SQRT2 * sd / sqrt(734), 0.3, "error");
    assert_near(error_of(reference, half, "runtime.mean_s", false) / error, sqrt(1.5), 0.02,
                "half");
    error = error_of(reference, trace, "runtime", true);
    assert_near(error_of(reference, half, "runtime", true) / error, sqrt(1.5), 0.02, "half");
    loom_reference_destroy(reference);
    loom_trace_destroy(trace);
    loom_trace_destroy(half);
}

static void test_units_by_length(void **state)
{
    (void)state;
    static const struct {
        int64_t span_s, unit_s;
        size_t units, length;
    } cases[] = {
        {8 * 3600 - 1, 0, 0, 0},           {8 * 3600, 3600, 8, 2},
        {8 * 86400 - 1, 3600, 191, 6},     {8 * 86400, 86400, 8, 2},
        {56 * 86400 - 1, 86400, 55, 4},    {56 * 86400, 7 * 86400, 8, 2},
        {1260 * 86400, 7 * 86400, 180, 6},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *trace = empty_trace();
        for (int job = 0; job < 30; job++)
            add(trace, 1000 + cases[i].span_s * job / 29, 60 + job, 1, -1, 1);
        struct loom_reference *reference = reference_of(trace, 5, 1, NULL);
        struct loom_blocks blocks = loom_reference_blocks(reference);
        assert_int_equal(blocks.unit_s, cases[i].unit_s);
        assert_int_equal(blocks.units, cases[i].units);
        assert_int_equal(blocks.length, cases[i].length);
        loom_reference_destroy(reference);
        loom_trace_destroy(trace);
    }
}

static void test_errors_do_not_depend_on_threads(void **state)
{
    (void)state;
    struct loom_trace *trace = random_trace(5, 60, 5);
    struct loom_pool *pool = NULL;
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    struct loom_reference *one = reference_of(trace, 8, 1, NULL);
    struct loom_reference *three = reference_of(trace, 8, 1, pool);
    struct loom_reference *other = reference_of(trace, 8, 2, pool);
    static const char *const keys[] = {"runtime.mean_s", "arrival.interarrival.cv",
                                       "session.arrival.jobs_mean"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        double error = error_of(one, trace, keys[i], false);
        assert_true(error > 0);
        assert_true(error == error_of(three, trace, keys[i], false));
        assert_true(error != error_of(other, trace, keys[i], false));
    }
    loom_reference_destroy(one);
    loom_reference_destroy(three);
    loom_reference_destroy(other);
    loom_pool_destroy(pool);
    loom_trace_destroy(trace);
}

/* Another sample of the same process is close, one with other runtimes is not. */
static void test_chance_is_told_from_difference(void **state)
{
    (void)state;
    struct loom_trace *a = random_trace(11, 200, 3), *same = random_trace(12, 200, 3);
    struct loom_trace *other = empty_trace();
    for (size_t i = 0; i < loom_trace_count(same); i++) {
        struct loom_job job = loom_trace_job(same, i);
        job.run_s *= 2;
        append(other, job);
    }
    struct match near = match(a, &same, 1), far = match(a, &other, 1);
    assert_true(loom_scorecard_score(near.card).mean > 0.8);
    assert_true(fabs(line_of(near.card, "runtime.mean_s", false)->distance) < 3);
    assert_true(line_of(far.card, "runtime.mean_s", false)->distance > 10);
    assert_true(line_of(far.card, "runtime", true)->closeness < 0.2);
    assert_true(loom_scorecard_score(far.card).mean < loom_scorecard_score(near.card).mean);
    end_match(&near);
    end_match(&far);
    loom_trace_destroy(a);
    loom_trace_destroy(same);
    loom_trace_destroy(other);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void test_too_few_jobs(void **state)
{
    (void)state;
    struct loom_reference_options options = {0};
    struct loom_reference *reference = NULL;
    struct loom_comparison *comparison = NULL;
    struct loom_error err = {0};
    struct loom_trace *none = empty_trace(), *one = empty_trace(), *many = oracle_trace(1);
    add(one, 0, 60, 1, -1, 1);
    assert_int_equal(loom_reference_create(&reference, none, &options, NULL, NULL, &err),
                     LOOM_EDATA);
    assert_string_equal(err.message, "there are no jobs to compare: at least two are needed");
    assert_null(reference);
    reference = reference_of(many, 5, 1, NULL);
    assert_int_equal(loom_comparison_create(&comparison, reference, one, NULL, NULL, &err),
                     LOOM_EDATA);
    assert_string_equal(err.message, "there is only one job to compare: at least two are needed");
    assert_null(comparison);
    loom_reference_destroy(reference);
    loom_trace_destroy(none);
    loom_trace_destroy(one);
    loom_trace_destroy(many);
}

/* What scored.c names must be in the dictionary, or it would silently never count. */
static void test_parts_have_their_items(void **state)
{
    (void)state;
    static const size_t items[LOOM_PARTS] = {8, 4, 6, 6, 6, 5, 6, 12, 14, 9};
    struct loom_trace *trace = random_trace(1, 30, 5);
    struct match m = match(trace, &trace, 1);
    size_t found[LOOM_PARTS] = {0};
    const struct loom_compared *line;
    for (size_t i = 0; (line = loom_scorecard_line(m.card, i)); i++)
        if (line->part >= 0)
            found[line->part]++;
    for (size_t p = 0; p < LOOM_PARTS; p++)
        if (found[p] != items[p])
            fail_msg("%s has %zu items, not %zu", loom_part_at(p)->name, found[p], items[p]);
    assert_null(loom_part_at(LOOM_PARTS));
    assert_null(loom_distribution_at(LOOM_DISTRIBUTIONS));
    end_match(&m);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_scipys),
        cmocka_unit_test(test_short_traces_by_hand),
        cmocka_unit_test(test_equal_traces_score_exactly_1),
        cmocka_unit_test(test_scores_are_means),
        cmocka_unit_test(test_what_is_unknown_is_left_out),
        cmocka_unit_test(test_lacking_is_no_gain),
        cmocka_unit_test(test_short_is_not_alike),
        cmocka_unit_test(test_spread_over_traces),
        cmocka_unit_test(test_scores_of_unlike_traces),
        cmocka_unit_test(test_wrong_in_both_directions),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_error_of_a_mean),
        cmocka_unit_test(test_units_by_length),
        cmocka_unit_test(test_errors_do_not_depend_on_threads),
        cmocka_unit_test(test_chance_is_told_from_difference),
        cmocka_unit_test(test_too_few_jobs),
        cmocka_unit_test(test_parts_have_their_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
