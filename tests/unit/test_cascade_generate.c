/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wavelet models of arrivals, generated: what is drawn against its law, what is grown against
 * what was asked for, firing against cases worked out by hand.
 */
#include "cascade_log.h"
#include "stats/counts.h"

#include <string.h>
#include <workloom/stats.h>

/* ---- growing --------------------------------------------------------------------------------- */

static void draws_multipliers_by_their_law(void **state)
{
    (void)state;
    static const double betas[] = {0.05, 0.3, 0.5, 0.51, 1, 1.0001, 1.4, 3.7, 40, 1e4, 1e9};
    enum { N = 20000 };
    for (size_t i = 0; i < COUNT(betas); i++) {
        struct loom_stream stream;
        loom_stream_init(&stream, 3, i, "multipliers");
        struct loom_multiplier multiplier;
        loom_multiplier_init(&multiplier, betas[i]);
        double *x = malloc(N * sizeof *x), squares = 0;
        for (size_t k = 0; k < N; k++) {
            double a = loom_multiplier_draw(&multiplier, &stream);
            assert_true(fabs(a) < 1);
            squares += a * a;
            x[k] = fmax(1e-300, fmin((1 + a) / 2, 1 - 1e-16));
        }
        struct loom_dist beta;
        assert_int_equal(loom_dist_init(&beta, "beta", &betas[i], 1, NULL), 0);
        assert_int_equal(loom_sort(x, N, NULL), 0);
        double distance = 0;
        for (size_t k = 0; k < N; k++) {
            double p = loom_dist_cdf(&beta, x[k]);
            /* where doubles are too coarse for the law, its ends hold much of it */
            if (x[k] > 1e-10 && x[k] < 1 - 1e-10)
                distance = fmax(distance, fmax(p - (double)k / N, (double)(k + 1) / N - p));
        }
        if (loom_ks_p(distance, N) < 1e-4)
            fail_msg("beta %g: distance %g", betas[i], distance);
        /* eq. 4.6, and the variance of a^2 of a beta distribution */
        double variance = 1 / (2 * betas[i] + 1), fourth = 3 * variance / (2 * betas[i] + 3);
        assert_true(fabs(squares / N - variance) <
                    4 * sqrt((fourth - variance * variance) / N) + 1e-12);
        free(x);
    }
}

static double twos[] = {5, 4, 3, 2, 1.5, 1, 0.8, 0.6};

static struct loom_cascade cascade_of(int64_t roots, size_t depth)
{
    return (struct loom_cascade){.interval_s = T_S,
                                 .roots = roots,
                                 .root_mean = 2,
                                 .root_sd = 1,
                                 .depth = depth,
                                 .beta = twos};
}

static const struct loom_generation plain = {.seed = 1,
                                             .jobs = SIZE_MAX,
                                             .horizon_s = INT64_MAX,
                                             .rate = 1};

/* Same seed, same roots: whatever happens below, a tree keeps what its root has. */
static void conserves_the_mass_of_every_tree(void **state)
{
    (void)state;
    enum { ROOTS = 5, DEPTH = 8, N = ROOTS << DEPTH };
    double flat[DEPTH], share[DEPTH] = {0, 0.01, 0.05, 0.02, 0.1, 0.1, 0.1, 0.1};
    for (size_t j = 0; j < DEPTH; j++)
        flat[j] = 1e6;
    struct loom_cascade even = cascade_of(ROOTS, DEPTH), uneven = even;
    even.beta = flat;
    struct loom_zeros zeros = {.depth = DEPTH, .share = share};
    struct loom_forest one, other, holed;
    assert_int_equal(loom_forest_create(&one, &even, NULL, &plain, NULL), 0);
    assert_int_equal(loom_forest_create(&other, &uneven, NULL, &plain, NULL), 0);
    assert_int_equal(loom_forest_create(&holed, &uneven, &zeros, &plain, NULL), 0);
    for (int growth = 0; growth < 3; growth++) {
        loom_forest_grow(&one);
        loom_forest_grow(&other);
        loom_forest_grow(&holed);
        for (size_t tree = 0; tree < ROOTS; tree++) {
            double mass = block_sum(one.rates, tree << DEPTH, 1 << DEPTH);
            assert_true(mass > 0);
            assert_close(block_sum(other.rates, tree << DEPTH, 1 << DEPTH) / mass, 1, 1e-12);
            assert_close(block_sum(holed.rates, tree << DEPTH, 1 << DEPTH) / mass, 1, 1e-12);
        }
    }
    loom_forest_free(&one);
    loom_forest_free(&other);
    loom_forest_free(&holed);
}

/* Normal roots of mean 2 and deviation 2 are negative in 16 of 100 draws. What is drawn is
 * positive, and has the mean and the deviation all the same. */
static void keeps_the_moments_of_the_roots(void **state)
{
    (void)state;
    enum { ROOTS = 1000, GROWTHS = 50, N = ROOTS * GROWTHS };
    static const double deviations[] = {0, 0.01, 0.5, 1, 1.6};
    for (size_t k = 0; k < COUNT(deviations); k++) {
        struct loom_cascade cascade = cascade_of(ROOTS, 1);
        cascade.root_sd = deviations[k];
        struct loom_forest forest;
        assert_int_equal(loom_forest_create(&forest, &cascade, NULL, &plain, NULL), 0);
        double sum = 0, squares = 0;
        for (int i = 0; i < GROWTHS; i++) {
            loom_forest_grow(&forest);
            for (size_t tree = 0; tree < ROOTS; tree++) {
                double c = (forest.rates[2 * tree] + forest.rates[2 * tree + 1]) / sqrt(2);
                assert_true(c > 0);
                sum += c;
                squares += c * c;
            }
        }
        double mean = sum / N, sd = sqrt(fmax(0, squares / N - mean * mean));
        assert_true(fabs(mean - 2) <= 4 * deviations[k] / sqrt(N) + 1e-9);
        assert_true(fabs(sd - deviations[k]) <= 5 * deviations[k] / sqrt(N) + 1e-6);
        loom_forest_free(&forest);
    }
}

/* Zeros of scale 3 are blocks of 2^(M - 3), one under every parent at most, as many as asked for.
 */
static void places_zeros_by_scale(void **state)
{
    (void)state;
    enum { ROOTS = 8, DEPTH = 6, BLOCK = 1 << (DEPTH - 2), N = ROOTS << DEPTH };
    double share[DEPTH] = {0, 0.21};
    for (int preferring = 0; preferring < 2; preferring++) {
        struct loom_zeros zeros = {.depth = DEPTH, .share = share, .preference = preferring};
        struct loom_cascade cascade = cascade_of(ROOTS, DEPTH);
        struct loom_forest forest;
        assert_int_equal(loom_forest_create(&forest, &cascade, &zeros, &plain, NULL), 0);
        double placed = 0;
        enum { GROWTHS = 200 };
        for (int growth = 0; growth < GROWTHS; growth++) {
            loom_forest_grow(&forest);
            size_t blocks = 0;
            for (size_t i = 0; i < N; i += 2 * BLOCK) {
                size_t left = zeros_in(forest.rates + i, BLOCK);
                size_t right = zeros_in(forest.rates + i + BLOCK, BLOCK);
                assert_true((left == 0 || left == BLOCK) && (right == 0 || right == BLOCK));
                assert_false(left && right);
                blocks += left || right;
            }
            /* 0.21 of 32: 6.72, give or take what is carried over */
            assert_true(blocks >= 5 && blocks <= 8);
            placed += (double)blocks;
        }
        assert_true(fabs(placed - 0.21 * 32 * GROWTHS) <= 2);
        loom_forest_free(&forest);
    }
}

/* How many runs of zeros there are that are none of these lengths. */
static size_t odd_runs(const double *rates, size_t n, size_t one, size_t other)
{
    size_t odd = 0;
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && rates[end] == 0; end++)
            ;
        odd += end > i && end - i != one && end - i != other;
    }
    return odd;
}

/* Zeros of two scales, blocks of 4 and of 2. Where they are to lie apart, next to none touch: they
 * do if two parents in a row that lie between zeros have one each. */
static void zeros_lie_apart(void **state)
{
    (void)state;
    enum { ROOTS = 8, DEPTH = 6, N = ROOTS << DEPTH, GROWTHS = 100 };
    double share[DEPTH] = {0, 0, 0, 0.2, 0.1};
    for (int apart = 0; apart < 2; apart++) {
        struct loom_zeros zeros = {.depth = DEPTH, .share = share, .apart = apart};
        struct loom_cascade cascade = cascade_of(ROOTS, DEPTH);
        struct loom_forest forest;
        assert_int_equal(loom_forest_create(&forest, &cascade, &zeros, &plain, NULL), 0);
        size_t odd = 0;
        double zero = 0;
        for (int growth = 0; growth < GROWTHS; growth++) {
            loom_forest_grow(&forest);
            odd += odd_runs(forest.rates, N, 4, 2);
            zero += (double)zeros_in(forest.rates, N) / N / GROWTHS;
        }
        assert_close(zero, 0.3, 0.01);
        assert_true(apart ? odd < GROWTHS : odd > 5 * GROWTHS);
        loom_forest_free(&forest);
    }
}

/* One of two coefficients is zero, and one below the other: it turns away from its neighbour, also
 * where that is the first of all. Of the first growth the first interval is none. */
static void zeros_turn_away_at_the_borders(void **state)
{
    (void)state;
    enum { DEPTH = 2, N = 1 << DEPTH, GROWTHS = 64 };
    double share[DEPTH] = {0.5, 0.25};
    struct loom_zeros zeros = {.depth = DEPTH, .share = share, .apart = true};
    struct loom_cascade cascade = cascade_of(1, DEPTH);
    struct loom_forest forest;
    size_t left = 0;
    assert_int_equal(loom_forest_create(&forest, &cascade, &zeros, &plain, NULL), 0);
    for (int growth = 0; growth < GROWTHS; growth++) {
        loom_forest_grow(&forest);
        const double *rates = forest.rates;
        if (growth == 0)
            continue;
        assert_int_equal(zeros_in(rates, N), 3);
        assert_true(rates[1] > 0 || rates[2] > 0);
        left += rates[2] > 0;
    }
    assert_true(left > GROWTHS / 4 && left < 3 * GROWTHS / 4);
    loom_forest_free(&forest);
}

/* Nearly every second interval is zero, and so would be the first, but a log begins with a job. */
static void begins_with_a_job(void **state)
{
    (void)state;
    enum { ROOTS = 4, DEPTH = 3, SEEDS = 50 };
    double share[DEPTH] = {0, 0, 0.45};
    struct loom_zeros zeros = {.depth = DEPTH, .share = share};
    struct loom_cascade cascade = cascade_of(ROOTS, DEPTH);
    int later = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct loom_generation generation = plain;
        struct loom_forest forest;
        generation.seed = seed;
        assert_int_equal(loom_forest_create(&forest, &cascade, &zeros, &generation, NULL), 0);
        loom_forest_grow(&forest);
        assert_true(forest.rates[0] > 0);
        loom_forest_grow(&forest);
        later += forest.rates[0] == 0;
        loom_forest_free(&forest);
    }
    assert_in_range(later, SEEDS / 5, SEEDS * 4 / 5);
}

/* One parent in ten has a zero below it, in proportion to (1 + jobs)^-preference, where they have
 * some ten jobs each: those that do have the mean of all jobs by these weights, and half of them
 * are in the first half. */
static void zeros_prefer_few_jobs(void **state)
{
    (void)state;
    enum { ROOTS = 1000, GROWTHS = 60 };
    static const double preferences[] = {0, 0.5, 1};
    double share[] = {0.05};
    struct loom_cascade cascade = cascade_of(ROOTS, 1);
    cascade.root_mean = 10 / (T_S * M_SQRT2);
    cascade.root_sd = 0.8 * cascade.root_mean;
    for (size_t k = 0; k < COUNT(preferences); k++) {
        struct loom_zeros zeros = {.depth = 1, .share = share, .preference = preferences[k]};
        struct loom_forest forest;
        assert_int_equal(loom_forest_create(&forest, &cascade, &zeros, &plain, NULL), 0);
        double picked = 0, early = 0, sum = 0, squares = 0, weights = 0, weighted = 0;
        for (int growth = 0; growth < GROWTHS; growth++) {
            loom_forest_grow(&forest);
            for (size_t i = 0; i < ROOTS; i++) {
                double jobs = block_sum(forest.rates, 2 * i, 2) * T_S;
                double weight = pow(1 + jobs, -preferences[k]);
                bool is_picked = zeros_in(forest.rates + 2 * i, 2) > 0;
                picked += is_picked;
                early += is_picked && i < ROOTS / 2;
                sum += is_picked ? jobs : 0;
                squares += is_picked ? jobs * jobs : 0;
                weights += weight;
                weighted += weight * jobs;
            }
        }
        double mean = sum / picked, sd = sqrt(squares / picked - mean * mean);
        assert_close(early / picked, 0.5, 2 / sqrt(picked));
        if (fabs(mean - weighted / weights) > 4 * sd / sqrt(picked))
            fail_msg("preference %g: %g jobs for %g", preferences[k], mean, weighted / weights);
        loom_forest_free(&forest);
    }
}

/* Of zeros of every scale together there is the share asked for, unless there is no room: each
 * parent has one zero child at most. */
static void makes_the_share_of_zeros(void **state)
{
    (void)state;
    enum { ROOTS = 16, DEPTH = 8, N = ROOTS << DEPTH, GROWTHS = 20 };
    static const struct {
        double share[DEPTH], wanted, least;
    } cases[] = {
        {{0.02, 0.03, 0.05, 0.08, 0.1, 0.12, 0.15, 0.14}, 0.69, 0.689},
        {{0.3, 0.3, 0.1}, 0.7, 0.699},
        {{0.3, 0.3, 0.25}, 0.85, 0.849},        /* scale 3 passes on what it cannot place */
        {{0, 0, 0, 0, 0, 0, 0, 0.9}, 0.5, 0.5}, /* the last one cannot */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double share[DEPTH];
        memcpy(share, cases[i].share, sizeof share);
        struct loom_zeros zeros = {.depth = DEPTH, .share = share, .preference = 0.5, .base = 1};
        struct loom_cascade cascade = cascade_of(ROOTS, DEPTH);
        struct loom_forest forest;
        assert_int_equal(loom_forest_create(&forest, &cascade, &zeros, &plain, NULL), 0);
        double zero = 0;
        for (int growth = 0; growth < GROWTHS; growth++) {
            loom_forest_grow(&forest);
            zero += (double)zeros_in(forest.rates, N) / N / GROWTHS;
            for (size_t k = 0; k < N; k++)
                assert_true(forest.rates[k] == 0 || forest.rates[k] >= 1.0 / T_S);
        }
        if (!(zero >= cases[i].least && zero <= cases[i].wanted + 0.002))
            fail_msg("case %zu: %g of zeros", i, zero);
        loom_forest_free(&forest);
    }
}

/* The parameters of a cascade are found in its rates. The standard error of the mean of GROWTHS
 * independent fits comes from their spread. */
static void finds_its_own_parameters_again(void **state)
{
    (void)state;
    enum { ROOTS = 64, DEPTH = 6, GROWTHS = 32 };
    struct loom_cascade cascade = cascade_of(ROOTS, DEPTH);
    cascade.root_sd = 0.3;
    struct loom_forest forest;
    assert_int_equal(loom_forest_create(&forest, &cascade, NULL, &plain, NULL), 0);
    double sum[DEPTH + 2] = {0}, squares[DEPTH + 2] = {0};
    for (int growth = 0; growth < GROWTHS; growth++) {
        loom_forest_grow(&forest);
        for (size_t i = 0; i < forest.n; i++)
            forest.rates[i] *= T_S;
        struct loom_cascade_log log = {.interval_s = T_S,
                                       .roots = ROOTS,
                                       .depth = DEPTH,
                                       .n = forest.n,
                                       .counts = forest.rates};
        struct loom_cascade again;
        assert_int_equal(loom_cascade_fit(&again, &log, NULL), 0);
        for (size_t j = 0; j < DEPTH + 2; j++) {
            /* variances of multipliers, which are what is estimated without bias */
            double x = j < DEPTH ? 1 / (2 * again.beta[j] + 1)
                                 : (j == DEPTH ? again.root_mean : again.root_sd);
            sum[j] += x;
            squares[j] += x * x;
        }
        loom_cascade_clear(&again);
    }
    for (size_t j = 0; j < DEPTH + 2; j++) {
        double mean = sum[j] / GROWTHS;
        double se = sqrt((squares[j] / GROWTHS - mean * mean) / (GROWTHS - 1));
        double wanted = j < DEPTH ? 1 / (2 * twos[j] + 1) : j == DEPTH ? 2 : 0.3;
        if (fabs(mean - wanted) > 3.5 * se)
            fail_msg("parameter %zu: %g for %g, standard error %g", j, mean, wanted, se);
    }
    loom_forest_free(&forest);
}

/* ---- settling -------------------------------------------------------------------------------- */

/* Variances of 0.3 at every scale of rates, and 0.05 more of arrivals, which are whole numbers. */
static int measure_by_hand(double *variances, const struct loom_cascade_log *log,
                           struct loom_error *err)
{
    (void)err;
    double off = 0;
    for (size_t i = 0; i < log->n; i++)
        off += fabs(log->counts[i] - round(log->counts[i]));
    for (size_t j = 0; j < log->depth; j++)
        variances[j] = off > 0 ? 0.3 : 0.35;
    return 0;
}

/* What firing adds is taken off, and nothing else. */
static void settles_by_what_firing_adds(void **state)
{
    (void)state;
    enum { DEPTH = 5 };
    double beta[DEPTH] = {1.5, 1.2, 1, 0.9, 0.8};
    struct loom_cascade cascade = cascade_of(16, DEPTH);
    cascade.beta = beta;
    assert_int_equal(loom_cascade_settle(&cascade, NULL, measure_by_hand, NULL), 0);
    static const double was[DEPTH] = {1.5, 1.2, 1, 0.9, 0.8};
    for (size_t j = 0; j < DEPTH; j++)
        assert_close(1 / (2 * beta[j] + 1), 1 / (2 * was[j] + 1) - 0.05, 1e-12);
}

/* ---- firing ---------------------------------------------------------------------------------- */

static struct loom_generation fire_all(const double *rates, size_t n, double spread,
                                       struct loom_generation generation)
{
    struct loom_fire fire;
    struct loom_error err = {0};
    bool done = false;
    loom_fire_start(&fire, 10, spread, &generation);
    must(loom_fire_rates(&fire, rates, n, &generation, &done, &err), &err);
    must(loom_draft_resize(&generation.draft, fire.fired, &err), &err);
    return generation;
}

static void fires_when_the_sum_is_whole(void **state)
{
    (void)state;
    /* Sums over intervals of 10 s: 1, 0, 3, 0.5, 0.25, 0.5. The first job begins the first
     * interval, the second one the next that has a rate, and so on: the sum is then 0, 1, 2, 3,
     * 4, 5. */
    static const double rates[] = {0.1, 0, 0.3, 0.05, 0.025, 0.05};
    static const int64_t wanted_s[] = {0, 20, 23, 26, 30, 55};
    struct loom_generation generation = fire_all(rates, COUNT(rates), 1, plain);
    assert_int_equal(generation.draft.n, COUNT(wanted_s));
    assert_memory_equal(generation.draft.submit_s, wanted_s, sizeof wanted_s);
    loom_draft_free(&generation.draft);
    struct loom_generation few = plain;
    few.jobs = 3;
    few = fire_all(rates, COUNT(rates), 1, few);
    assert_int_equal(few.draft.n, 3);
    assert_memory_equal(few.draft.submit_s, wanted_s, 3 * sizeof *wanted_s);
    loom_draft_free(&few.draft);
    struct loom_generation early = plain;
    early.horizon_s = 30;
    early = fire_all(rates, COUNT(rates), 1, early);
    assert_int_equal(early.draft.n, 4);
    loom_draft_free(&early.draft);
}

/* No job is lost or won: after every interval there are as many as the sum, rounded up. */
static void fires_the_sum_of_the_rates(void **state)
{
    (void)state;
    enum { N = 5000 };
    static const double spreads[] = {1, 0.4, 0};
    for (size_t round = 0; round < COUNT(spreads); round++) {
        double *rates = sample_make(SAMPLE_HEAVY, 9, N), sum = 0;
        for (size_t i = 0; i < N; i++)
            rates[i] = i % 7 == 6 ? 0 : rates[i] / 40;
        struct loom_generation generation = fire_all(rates, N, spreads[round], plain);
        size_t job = 0;
        for (size_t i = 0; i < N; i++) {
            size_t first = job;
            while (job < generation.draft.n &&
                   generation.draft.submit_s[job] < (int64_t)(i + 1) * 10)
                job++;
            assert_true(rates[i] > 0 || job == first);
            for (size_t k = first; k < job; k++)
                assert_true((double)(generation.draft.submit_s[k] -
                                     generation.draft.submit_s[first]) <= 10 * spreads[round] + 1);
            sum += rates[i] * 10;
            assert_true(fabs((double)job - sum - 0.5) <= 0.5 + 1e-9 * sum);
        }
        assert_int_equal(job, generation.draft.n);
        loom_draft_free(&generation.draft);
        free(rates);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_multipliers_by_their_law),
        cmocka_unit_test(conserves_the_mass_of_every_tree),
        cmocka_unit_test(keeps_the_moments_of_the_roots),
        cmocka_unit_test(places_zeros_by_scale),
        cmocka_unit_test(zeros_lie_apart),
        cmocka_unit_test(zeros_turn_away_at_the_borders),
        cmocka_unit_test(begins_with_a_job),
        cmocka_unit_test(zeros_prefer_few_jobs),
        cmocka_unit_test(makes_the_share_of_zeros),
        cmocka_unit_test(finds_its_own_parameters_again),
        cmocka_unit_test(settles_by_what_firing_adds),
        cmocka_unit_test(fires_when_the_sum_is_whole),
        cmocka_unit_test(fires_the_sum_of_the_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
