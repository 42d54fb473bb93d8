/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control_Correlation against what thesis 7.1 states of it, and the rearranging of traces: what
 * moves together, what stays, and that nothing is lost.
 */
#include "modeling.h"

#include <workloom/resample.h>
#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- algorithm 3 ----------------------------------------------------------------------------- */

static double spearman_of(const uint32_t *partner, const double *x, const double *y, size_t n)
{
    double *moved = calloc(n, sizeof *moved), rho = NAN;
    for (size_t i = 0; i < n; i++)
        moved[i] = y[partner[i]];
    assert_int_equal(loom_spearman(&rho, x, moved, n, NULL), 0);
    free(moved);
    return rho;
}

static void assert_permutation(const uint32_t *partner, size_t n)
{
    char *seen = calloc(n, 1);
    for (size_t i = 0; i < n; i++) {
        assert_in_range(partner[i], 0, n - 1);
        assert_int_equal(seen[partner[i]]++, 0);
    }
    free(seen);
}

/* The extremes of Spearman's correlation over all arrangements of y, by trying them (Heap). */
static void try_all(double *least, double *most, const double *x, const double *y, uint32_t *at,
                    size_t k, size_t n)
{
    if (k == 1) {
        double rho = spearman_of(at, x, y, n);
        *least = fmin(*least, rho);
        *most = fmax(*most, rho);
        return;
    }
    for (size_t i = 0; i < k; i++) {
        try_all(least, most, x, y, at, k - 1, n);
        size_t other = k % 2 ? 0 : i;
        uint32_t place = at[k - 1];
        at[k - 1] = at[other];
        at[other] = place;
    }
}

/* "d = 1 gives a maximal positive correlation, d = -1 a maximal negative one", ties included. */
static void extremes_are_extreme(void **state)
{
    (void)state;
    enum { N = 7 };
    static const double samples[][2][N] = {
        {{3, 1, 4, 1, 5, 9, 2}, {1, 1, 2, 4, 4, 8, 1}},
        {{10, 12, 15, 9, 3000, 2800, 400}, {1, 2, 3, 4, 5, 6, 7}},
        {{0, 0, 0, 5, 5, 5, 5}, {1, 2, 1, 2, 1, 2, 1}},
    };
    for (size_t s = 0; s < COUNT(samples); s++) {
        const double *x = samples[s][0], *y = samples[s][1];
        double least = 1, most = -1;
        uint32_t at[N] = {0, 1, 2, 3, 4, 5, 6}, partner[N];
        try_all(&least, &most, x, y, at, N, N);
        assert_int_equal(loom_control_correlation(partner, x, y, N, 1, 3, NULL), 0);
        assert_near(spearman_of(partner, x, y, N), most, 1e-12);
        assert_int_equal(loom_control_correlation(partner, x, y, N, -1, 3, NULL), 0);
        assert_near(spearman_of(partner, x, y, N), least, 1e-12);
    }
}

/* Runtimes with ties, and sizes that are powers of two. */
static void make_sample(double *x, double *y, size_t n)
{
    struct loom_stream stream;
    loom_stream_init(&stream, 11, 0, "correlation sample");
    for (size_t i = 0; i < n; i++) {
        x[i] = floor(exp(10 * loom_stream_uniform(&stream)));
        y[i] = (double)(1 << loom_stream_below(&stream, 7));
    }
}

/* Figure 7.2: correlation = MaxCor d, on a line. The permuted part adds an error of at most 1 /
 * sqrt(n); the degrees 0.1 apart then come in order. */
static void correlation_is_linear_in_degree(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *x = calloc(2 * N, sizeof *x), *y = x + N, before = -2, most = 0;
    uint32_t *partner = calloc(N, sizeof *partner);
    make_sample(x, y, N);
    assert_int_equal(loom_control_correlation(partner, x, y, N, 1, 1, NULL), 0);
    most = spearman_of(partner, x, y, N);
    assert_true(most > 0.95);
    for (int tenths = -10; tenths <= 10; tenths++) {
        double d = tenths / 10.0;
        assert_int_equal(loom_control_correlation(partner, x, y, N, d, 7, NULL), 0);
        assert_permutation(partner, N);
        double rho = spearman_of(partner, x, y, N);
        assert_near(rho, most * d, 4 / sqrt(N));
        assert_true(rho > before);
        before = rho;
    }
    free(partner);
    free(x);
}

/* |d| is the share that is not permuted. Of N permuted elements about one comes back to its place
 * (more than 7 do less than once in 10,000 times). They are anywhere: of those that stay, half are
 * in the first half, give or take sqrt(N d (1 - d)) / 2, which is at most 8. */
static void degree_is_the_share_that_stays(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N], y[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)(i * 7919 % N);
        y[i] = (double)(i * 104729 % N);
    }
    uint32_t matched[N], partner[N];
    static const double degrees[] = {1, 0.6, 0.25, 0, -0.25, -1};
    for (size_t k = 0; k < COUNT(degrees); k++) {
        double sign = degrees[k] < 0 ? -1 : 1;
        assert_int_equal(loom_control_correlation(matched, x, y, N, sign, 5, NULL), 0);
        assert_int_equal(loom_control_correlation(partner, x, y, N, degrees[k], 5, NULL), 0);
        size_t same = 0, early = 0, kept = (size_t)lround(fabs(degrees[k]) * N);
        for (size_t i = 0; i < N; i++) {
            same += partner[i] == matched[i];
            early += i < N / 2 && partner[i] == matched[i];
        }
        assert_near((double)early, (double)same / 2, 4 * 8);
        assert_in_range(same, kept, kept + 7);
    }
}

/* With d = 0, all arrangements are equally likely: 6 of them, 6000 times. */
static void permutations_are_even(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3}, y[] = {1, 2, 3};
    double counts[27] = {0}, chi2 = 0;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        uint32_t partner[3];
        assert_int_equal(loom_control_correlation(partner, x, y, 3, 0, seed, NULL), 0);
        counts[9 * partner[0] + 3 * partner[1] + partner[2]]++;
    }
    for (size_t i = 0; i < COUNT(counts); i++)
        chi2 += counts[i] > 0 ? (counts[i] - 1000) * (counts[i] - 1000) / 1000 : 0;
    assert_true(chi2 < 20.5); /* 5 degrees of freedom: exceeded once in 1000 */
}

static void target_is_reached(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *x = calloc(2 * N, sizeof *x), *y = x + N, degree = 0;
    uint32_t *partner = calloc(2 * N, sizeof *partner), *again = partner + N;
    make_sample(x, y, N);
    static const double targets[] = {0.9, 0.4, 0.01, 0, -0.2, -0.8, 0.001, 0.002, -0.001, -0.002};
    for (size_t k = 0; k < COUNT(targets); k++) {
        assert_int_equal(loom_reach_correlation(partner, &degree, x, y, N, targets[k], 9, NULL), 0);
        assert_permutation(partner, N);
        /* One exchange changes it by up to 12 / n, and the nearer side is taken. */
        assert_near(spearman_of(partner, x, y, N), targets[k], 6.0 / N);
        if (degree == 0)
            continue; /* more exchanges than the procedure makes */
        /* What the search found is what the procedure gives for that degree. */
        assert_int_equal(loom_control_correlation(again, x, y, N, degree, 9, NULL), 0);
        assert_memory_equal(partner, again, N * sizeof *partner);
    }
    struct loom_error err;
    assert_int_equal(loom_reach_correlation(partner, &degree, x, y, N, 0.999, 9, &err),
                     LOOM_ERANGE);
    assert_non_null(strstr(err.message, "cannot be reached"));
    assert_int_equal(loom_reach_correlation(partner, &degree, x, y, N, 1.5, 9, &err), LOOM_ERANGE);
    assert_int_equal(loom_control_correlation(partner, x, y, N, NAN, 9, &err), LOOM_ERANGE);
    for (size_t i = 0; i < N; i++)
        y[i] = 4;
    assert_int_equal(loom_reach_correlation(partner, &degree, x, y, N, 0.1, 9, &err), LOOM_EDATA);
    assert_int_equal(loom_reach_correlation(partner, &degree, x, y, 1, 0.1, 9, &err), LOOM_EDATA);
    free(partner);
    free(x);
}

/* A walk through all elements ends below a target near 0 as often as not, and then goes on. */
static void any_walk_comes_by(void **state)
{
    (void)state;
    enum { N = 2000 };
    double *x = calloc(2 * N, sizeof *x), *y = x + N, degree = 0;
    uint32_t *partner = calloc(N, sizeof *partner);
    make_sample(x, y, N);
    for (uint64_t seed = 0; seed < 20; seed++) {
        double target = seed % 2 ? 0.003 : -0.003;
        assert_int_equal(loom_reach_correlation(partner, &degree, x, y, N, target, seed, NULL), 0);
        assert_permutation(partner, N);
        assert_near(spearman_of(partner, x, y, N), target, 6.0 / N);
    }
    free(partner);
    free(x);
}

/* Values that all differ can be correlated wholly, whatever the sum of products is rounded to. */
static void whole_correlations_are_reached(void **state)
{
    (void)state;
    enum { MOST = 200 };
    double x[MOST], y[MOST], degree = 0;
    uint32_t partner[MOST];
    for (size_t n = 2; n <= MOST; n++) {
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)(i * 7919 % 10007);
            y[i] = (double)(i * 104729 % 10009);
        }
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_int_equal(loom_reach_correlation(partner, &degree, x, y, n, sign, 3, NULL), 0);
            assert_near(spearman_of(partner, x, y, n), sign, 1e-12);
        }
    }
}

/* ---- traces ---------------------------------------------------------------------------------- */

enum { JOBS = 400 };

/* Each value shows where it came from: CPU time goes with runtime, allocated with requested. Every
 * tenth job does not know its runtime. */
static struct loom_trace *labelled_log(void)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < JOBS; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = (JOBS - i) * 60;
        job.wait_s = i;
        job.run_s = i % 10 == 9 ? -1 : 1000 + i * 37 % JOBS;
        job.cpu_s = (double)job.run_s / 2;
        job.request_s = 2 * job.run_s;
        job.status = job.run_s % 2 ? LOOM_STATUS_COMPLETED : LOOM_STATUS_FAILED;
        job.req_procs = 1 + i * 53 % JOBS;
        job.alloc_procs = 2 * job.req_procs;
        job.user = i % 7;
        append(trace, job);
    }
    return trace;
}

/* Sums are the same for the same values in any order, if every value is mixed well first. */
struct totals {
    uint64_t runs, sizes, pairs;
};

static uint64_t mixed(uint64_t value)
{
    value *= 0x9E3779B97F4A7C15u;
    return value ^ value >> 29;
}

static struct totals totals_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct totals totals = {0};
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->run_s[i] < 0)
            continue;
        uint64_t run = mixed((uint64_t)jobs->run_s[i]), size = mixed((uint64_t)jobs->req_procs[i]);
        totals.runs += run;
        totals.sizes += size;
        totals.pairs += mixed(run ^ size << 1);
    }
    return totals;
}

static void assert_belongs_together(const struct loom_trace *trace)
{
    struct loom_trace *fresh = labelled_log();
    for (size_t i = 0; i < JOBS; i++) {
        struct loom_job job = loom_trace_job(trace, i), old = loom_trace_job(fresh, i);
        if (old.run_s < 0) {
            assert_row(trace, i, old); /* it took no part */
            continue;
        }
        assert_true(job.cpu_s == (double)job.run_s / 2);
        assert_int_equal(job.request_s, 2 * job.run_s);
        assert_int_equal(job.status, job.run_s % 2);
        assert_int_equal(job.alloc_procs, 2 * job.req_procs);
        assert_int_equal(job.wait_s, -1);
        assert_int_equal(job.number, old.number);
        assert_int_equal(job.submit_s, old.submit_s);
        assert_int_equal(job.user, old.user);
    }
    loom_trace_destroy(fresh);
}

static size_t same_columns(const struct loom_trace *a, const struct loom_trace *b, bool runs)
{
    const struct loom_jobs *left = loom_trace_jobs(a), *right = loom_trace_jobs(b);
    size_t same = 0;
    for (size_t i = 0; i < JOBS; i++)
        same +=
            runs ? left->run_s[i] == right->run_s[i] : left->req_procs[i] == right->req_procs[i];
    return same;
}

static void traces_are_rearranged(void **state)
{
    (void)state;
    static const struct {
        struct loom_rearrangement how;
        bool runs_stay, sizes_stay, pairs_stay;
    } cases[] = {
        {{.shuffle = LOOM_SHUFFLE_JOINT, .seed = 3}, false, false, true},
        {{.shuffle = LOOM_SHUFFLE_RUNTIME, .seed = 3}, false, true, false},
        {{.shuffle = LOOM_SHUFFLE_PROCS, .seed = 3}, true, false, false},
        {{.shuffle = LOOM_SHUFFLE_SEPARATE, .seed = 3}, false, false, false},
        {{.correlate = true, .value = 0.4, .seed = 3}, true, false, false},
        {{.correlate = true, .by_degree = true, .value = -1, .seed = 3}, true, false, false},
        {{.shuffle = LOOM_SHUFFLE_RUNTIME, .correlate = true, .value = -0.5, .seed = 3},
         false,
         false,
         false},
        {{.shuffle = LOOM_SHUFFLE_SEPARATE, .correlate = true, .value = 0.3, .seed = 3},
         false,
         false,
         false},
    };
    struct loom_trace *fresh = labelled_log();
    struct totals wanted = totals_of(fresh);
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct loom_trace *trace = labelled_log();
        struct loom_rearrangement how = cases[k].how;
        assert_int_equal(loom_trace_rearrange(trace, &how, NULL), 0);
        assert_int_equal(how.jobs, JOBS - JOBS / 10);
        assert_belongs_together(trace);
        struct totals totals = totals_of(trace);
        assert_true(totals.runs == wanted.runs && totals.sizes == wanted.sizes);
        assert_int_equal(totals.pairs == wanted.pairs, cases[k].pairs_stay);
        assert_int_equal(same_columns(trace, fresh, true) == JOBS, cases[k].runs_stay);
        assert_int_equal(same_columns(trace, fresh, false) == JOBS, cases[k].sizes_stay);
        if (cases[k].pairs_stay)
            assert_near(how.after, how.before, 1e-12);
        if (how.correlate && !how.by_degree)
            assert_near(how.after, how.value, 0.01);
        if (how.by_degree)
            assert_near(how.after, -1, 1e-12); /* all values differ */
        loom_trace_destroy(trace);
    }
    loom_trace_destroy(fresh);
}

static void seeds_tell_apart(void **state)
{
    (void)state;
    struct loom_trace *traces[3];
    static const uint64_t seeds[] = {1, 1, 2};
    for (size_t k = 0; k < COUNT(traces); k++) {
        struct loom_rearrangement how = {.shuffle = LOOM_SHUFFLE_JOINT, .seed = seeds[k]};
        traces[k] = labelled_log();
        assert_int_equal(loom_trace_rearrange(traces[k], &how, NULL), 0);
    }
    assert_same_jobs(traces[0], traces[1]);
    assert_true(same_columns(traces[0], traces[2], true) < JOBS / 4);
    for (size_t k = 0; k < COUNT(traces); k++)
        loom_trace_destroy(traces[k]);
}

static void nothing_to_do(void **state)
{
    (void)state;
    struct loom_trace *trace = labelled_log(), *fresh = labelled_log(), *empty = empty_trace();
    struct loom_rearrangement how = {.seed = 1};
    assert_int_equal(loom_trace_rearrange(trace, &how, NULL), 0);
    assert_same_jobs(trace, fresh);
    how.shuffle = LOOM_SHUFFLE_JOINT;
    assert_int_equal(loom_trace_rearrange(empty, &how, NULL), 0);
    assert_true(isnan(how.before) && isnan(how.after));
    how.correlate = true;
    assert_int_equal(loom_trace_rearrange(empty, &how, NULL), LOOM_EDATA);
    loom_trace_destroy(trace);
    loom_trace_destroy(fresh);
    loom_trace_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes_are_extreme),
        cmocka_unit_test(correlation_is_linear_in_degree),
        cmocka_unit_test(degree_is_the_share_that_stays),
        cmocka_unit_test(permutations_are_even),
        cmocka_unit_test(target_is_reached),
        cmocka_unit_test(any_walk_comes_by),
        cmocka_unit_test(whole_correlations_are_reached),
        cmocka_unit_test(traces_are_rearranged),
        cmocka_unit_test(seeds_tell_apart),
        cmocka_unit_test(nothing_to_do),
    };
    return cmocka_run_group_tests_name("correlation", tests, NULL, NULL);
}
