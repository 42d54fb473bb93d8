/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Callers of statistics, models and base that pass nothing where something is needed, counts of 0,
 * and numbers that are none: each call fails with a code and a message, or returns NaN.
 */
#include "modeling.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>
#include <workloom/workloom.h>

static struct loom_error err;

static void assert_refused(int rc, int code)
{
    if (rc != code)
        fail_msg("expected code %d, got %d: %s", code, rc, rc ? err.message : "");
    assert_int_equal(err.code, code);
    assert_true(strlen(err.message) > 10);
    memset(&err, 0xee, sizeof err);
}

static const double *const none = NULL;
static const double three[] = {1, 2, 3};

static void test_samples(void **state)
{
    double number, many[4];
    struct loom_line line;
    struct loom_dist dist;
    struct loom_goodness goodness;
    (void)state;
    assert_int_equal(loom_dist_init(&dist, "exponential", three, 1, &err), 0);
    assert_refused(loom_ranks(many, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_line_fit(&line, none, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_goodness(&goodness, &dist, 1, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_subsample_test(&number, &number, &dist, none, 0, 30, 10, 0.05, 1, &err),
                   LOOM_EDATA);
    assert_refused(loom_subsample_test(&number, &number, &dist, three, 3, 0, 10, 0.05, 1, &err),
                   LOOM_EDATA);
    assert_refused(loom_subsample_test(&number, &number, &dist, three, 3, 2, 0, 0.05, 1, &err),
                   LOOM_ERANGE);
    assert_true(isnan(loom_ks_one(&dist, none, 0)));
    assert_true(isnan(loom_ks_two(none, 0, three, 3)));
    assert_true(isnan(loom_ks_two(three, 3, none, 0)));
    assert_true(isnan(loom_wasserstein(none, 0, three, 3)));
    assert_true(isnan(loom_anderson_darling_two(three, 3, none, 0)));
}

static void test_fits(void **state)
{
    const struct loom_rounded empty = {0};
    struct loom_fit fit;
    struct loom_dist dist;
    size_t kept;
    (void)state;
    assert_refused(loom_rounded_fit(&fit, "gamma", &empty, &err), LOOM_EDATA);
    assert_refused(loom_rounded_fit_by(&fit, "gamma", &empty, LOOM_FIT_MOMENTS, &err), LOOM_EDATA);
    assert_refused(loom_dist_fit(&fit, NULL, three, NULL, 3, &err), LOOM_EUSAGE);
    assert_refused(loom_dist_init(&dist, NULL, three, 1, &err), LOOM_EUSAGE);
    assert_null(loom_dist_find(NULL));
    assert_refused(loom_hypererlang_match(&dist, NAN, 1, 1, &err), LOOM_ERANGE);
    assert_refused(loom_hypergamma_average(&dist, NULL, 0, &err), LOOM_EDATA);
    assert_refused(loom_hypergamma_search(&dist, &kept, NULL, 0, &err), LOOM_EDATA);
}

static void test_series(void **state)
{
    struct loom_hurst hurst;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double removed, out[4];
    (void)state;
    assert_refused(loom_hurst_rs(&hurst, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_hurst_periodogram(&hurst, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_hurst_wavelet(&hurst, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_hurst_whittle(&hurst, none, 0, &err), LOOM_EDATA);
    assert_refused(loom_hurst_seasonal(&hurst, &removed, none, 0, 10, 2, &err), LOOM_EDATA);
    assert_true(loom_hurst_seasonal(&hurst, &removed, three, 3, 0, 0, &err) < 0);
    static const double wrong[] = {NAN, 0, 1, -1, INFINITY};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(loom_fgn(out, 4, wrong[i], rng, &err), LOOM_ERANGE);
    gsl_rng_free(rng);
}

static void test_intervals(void **state)
{
    const struct loom_interval_options options = {.level = 0.95, .rounds = 100, .seed = 1};
    struct loom_interval interval;
    struct loom_variation variation;
    struct loom_stop_state stop;
    struct loom_batch_means means;
    struct loom_warmup warmup;
    double p, out[3];
    size_t replications;
    (void)state;
    assert_refused(loom_mean_interval(&interval, none, 0, &options, &err), LOOM_EDATA);
    assert_refused(loom_mean_test(&p, three, 1, &options, &err), LOOM_EDATA);
    assert_refused(loom_ratio_interval(&interval, none, none, 0, &options, &err), LOOM_EDATA);
    assert_true(loom_share_interval(&interval, 0, 0, 0.95, &err) < 0);
    assert_true(loom_share_interval(&interval, 5, 3, 0.95, &err) < 0);
    assert_true(loom_share_interval(&interval, -1, 3, 0.95, &err) < 0);
    assert_true(loom_share_interval(&interval, 1, 3, NAN, &err) < 0);
    assert_refused(loom_variation(&variation, none, 0, &err), LOOM_EDATA);
    assert_true(loom_share_below(&interval, none, none, 0, 0.95, &err) < 0);
    assert_true(loom_holm(out, (const double[]){NAN, 2, -1}, 3, &err) < 0);
    assert_true(loom_best_probabilities(out, NULL, 0, 0, false, &options, &err) < 0);
    static const double wrong[] = {NAN, 0, INFINITY};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(loom_replications_needed(&replications, wrong[i], 1, 0.95, 0.8, &err),
                       LOOM_ERANGE);
    assert_true(loom_stop_check(&stop, three, 3, &(struct loom_stop_rule){.relative = NAN}, &err) <
                0);
    assert_true(loom_batch_means(&means, none, 0, 10, 0.95, &err) < 0);
    assert_true(loom_batch_means(&means, three, 3, 0, 0.95, &err) < 0);
    assert_refused(loom_mser5(&warmup, none, 0, &err), LOOM_EDATA);
}

static void test_models(void **state)
{
    struct loom_model *model = must_publish("lublin2003", NULL), *other = NULL;
    struct loom_trace *trace = NULL;
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    enum loom_request_rule how;
    struct loom_resize resize;
    double factor;
    (void)state;
    assert_refused(loom_model_parse(&info, &params, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_model_parse(&info, &params, "", &err), LOOM_EUSAGE);
    assert_refused(loom_model_fit(&other, NULL, NULL, NULL, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_model_fit(&other, "lublin2003", NULL, NULL, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_model_generate(&trace, NULL, &(struct loom_generate_options){0}, NULL,
                                       &err),
                   LOOM_EUSAGE);
    assert_refused(loom_model_generate(&trace, model, NULL, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_model_set(&other, model, NULL, 1, &err), LOOM_EUSAGE);
    assert_refused(loom_model_set(&other, NULL, NULL, 0, &err), LOOM_EUSAGE);
    assert_refused(loom_model_save(NULL, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_request_rule_parse(&how, &factor, NULL, LOOM_REQUESTS_OF_TRACE, &err),
                   LOOM_EUSAGE);
    assert_refused(loom_resize_parse(&resize, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_trace_change_requests(NULL, NULL, NULL, &err), LOOM_EUSAGE);
    assert_refused(loom_trace_resize(NULL, NULL, &err), LOOM_EUSAGE);
    assert_null(loom_model_remark(model, SIZE_MAX));
    assert_null(loom_model_at(SIZE_MAX));
    assert_null(loom_trait_name(SIZE_MAX));
    assert_null(trace);
    assert_null(other);
    loom_model_destroy(model);
}

static int count_task(void *context, size_t index, unsigned worker, struct loom_error *error)
{
    (void)index, (void)worker, (void)error;
    ++*(int *)context;
    return 0;
}

static void test_base(void **state)
{
    struct loom_stream stream;
    int calls = 0;
    (void)state;
    assert_int_equal(loom_pool_for(NULL, 0, count_task, &calls, &err), 0);
    assert_int_equal(calls, 0);
    loom_stream_init(&stream, 1, 0, "misuse");
    assert_int_equal(loom_stream_below(&stream, 1), 0);
    assert_int_equal(loom_stream_below(&stream, 0), 0);
    struct loom_output *output = NULL;
    assert_refused(loom_output_create(&output, "", &err), LOOM_EUSAGE);
    assert_null(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples), cmocka_unit_test(test_fits),
        cmocka_unit_test(test_series),  cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_models),  cmocka_unit_test(test_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
