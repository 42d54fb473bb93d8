/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cascades as models: what a fit keeps of a log, and what can be left out. */
#include "cascade_log.h"
#include "stats/counts.h"

#include <string.h>
#include <workloom/stats.h>

/* ---- the models ------------------------------------------------------------------------------ */

/* A year of arrivals that remember, with gaps. */
static struct log long_log(const struct loom_param *declared)
{
    enum { N = 1 << 15 };
    double *noise = malloc(N * sizeof *noise), *counts = malloc(N * sizeof *counts);
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "long log");
    assert_int_equal(loom_fgn(noise, N, 0.8, &stream.gsl, NULL), 0);
    for (size_t i = 0; i < N; i++)
        counts[i] = floor(fmax(0, 2 * exp(noise[i]) - 1));
    counts[0] = counts[N - 1] = 1;
    struct log log = log_of(counts, N, declared);
    free(noise);
    free(counts);
    return log;
}

static struct loom_generation generate(const void *state, const struct loom_model_ops *ops,
                                       unsigned without, double rate)
{
    struct loom_generation asked = {.seed = 4,
                                    .jobs = SIZE_MAX,
                                    .horizon_s = (int64_t)T_S << 15,
                                    .rate = rate,
                                    .without = without};
    struct loom_error err = {0};
    must(ops->generate(state, &asked, &err), &err);
    return asked;
}

static double *counts_of(const struct loom_draft *draft, size_t *n)
{
    double *counts;
    assert_int_equal(loom_counts_create(&counts, n, draft->submit_s, draft->n, T_S, NULL), 0);
    return counts;
}

static double hurst_of(const struct loom_draft *draft)
{
    size_t n;
    double *counts = counts_of(draft, &n);
    struct loom_hurst hurst;
    assert_int_equal(loom_hurst_aggvar(&hurst, counts, n, NULL), 0);
    double h = hurst.h;
    loom_hurst_free(&hurst);
    free(counts);
    return h;
}

static double zero_share(const struct loom_draft *draft)
{
    size_t n;
    double *counts = counts_of(draft, &n);
    double share = (double)zeros_in(counts, n) / (double)n;
    free(counts);
    return share;
}

/* Fitted to what it generated, the improved variant has the zeros, the rate and the memory of the
 * log again. */
static void keeps_what_it_was_fitted_to(void **state)
{
    (void)state;
    struct log log = long_log(loom_model_mmwm.info.params);
    set(&log, "variant", "improved");
    struct loom_draft real = {.n = log.jobs.n, .submit_s = log.submit_s};
    struct loom_mmwm mmwm = {0};
    fit(&mmwm, &loom_model_mmwm, &log);
    struct loom_generation generated = generate(&mmwm, &loom_model_mmwm, 0, 1);
    assert_true(fabs(zero_share(&generated.draft) - zero_share(&real)) < 0.01);
    assert_true(fabs(hurst_of(&generated.draft) - hurst_of(&real)) < 0.08);
    assert_true(fabs((double)generated.draft.n / (double)real.n - 1) < 0.1);
    struct log again = log;
    again.jobs.n = generated.draft.n;
    again.jobs.submit_s = generated.draft.submit_s;
    struct loom_mmwm second = {0};
    fit(&second, &loom_model_mmwm, &again);
    double z[2] = {block_sum(mmwm.zeros.share, 0, mmwm.zeros.depth),
                   block_sum(second.zeros.share, 0, second.zeros.depth)};
    assert_true(fabs(z[1] - z[0]) < 0.01);
    loom_draft_free(&generated.draft);
    loom_model_mmwm.clear(&mmwm);
    loom_model_mmwm.clear(&second);
    log_free(&log);
}

static void forgets_without_lrd(void **state)
{
    (void)state;
    struct log log = long_log(loom_model_mmwm.info.params);
    set(&log, "variant", "improved");
    struct loom_mmwm mmwm = {0};
    fit(&mmwm, &loom_model_mmwm, &log);
    struct loom_generation with = generate(&mmwm, &loom_model_mmwm, 0, 1);
    struct loom_generation without = generate(&mmwm, &loom_model_mmwm, LOOM_LRD, 1);
    assert_true(hurst_of(&with.draft) > 0.67);
    assert_true(hurst_of(&without.draft) < 0.57);
    assert_true(fabs(zero_share(&with.draft) - zero_share(&without.draft)) < 0.01);
    loom_draft_free(&with.draft);
    loom_draft_free(&without.draft);
    loom_model_mmwm.clear(&mmwm);
    log_free(&log);
}

/* Twice the rate is twice the jobs, in the same intervals. */
static void scales_rates_and_nothing_else(void **state)
{
    (void)state;
    struct log log = long_log(loom_model_mmwm.info.params);
    set(&log, "variant", "improved");
    struct loom_mmwm mmwm = {0};
    fit(&mmwm, &loom_model_mmwm, &log);
    struct loom_generation once = generate(&mmwm, &loom_model_mmwm, 0, 1);
    struct loom_generation twice = generate(&mmwm, &loom_model_mmwm, 0, 2);
    assert_true(fabs((double)twice.draft.n / (double)once.draft.n - 2) < 0.001);
    size_t n[2];
    double *one = counts_of(&once.draft, &n[0]), *two = counts_of(&twice.draft, &n[1]);
    assert_int_equal(n[0], n[1]);
    for (size_t i = 0; i < n[0]; i++)
        assert_true(fabs(two[i] - 2 * one[i]) <= 3);
    free(one);
    free(two);
    loom_draft_free(&once.draft);
    loom_draft_free(&twice.draft);
    loom_model_mmwm.clear(&mmwm);
    log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_it_was_fitted_to),
        cmocka_unit_test(forgets_without_lrd),
        cmocka_unit_test(scales_rates_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
