/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs without a submit time count nowhere: a log with some of them gives what it gives without. */
#include "model_list.h"

#include "trace/workload.h"

#include <workloom/features.h>
#include <workloom/resample.h>
#include <workloom/users.h>

enum { EVERY = 11 };

/* The same log with a copy of every eleventh job, before it, whose submit time is unknown. */
static struct loom_trace *with_unsubmitted(const struct loom_trace *log)
{
    struct loom_trace *trace = NULL;
    uint8_t *none = calloc(loom_trace_count(log) + 1, 1);
    assert_non_null(none);
    assert_int_equal(loom_trace_subset(&trace, log, none, 1, NULL), 0);
    for (size_t i = 0; i < loom_trace_count(log); i++) {
        struct loom_job job = loom_trace_job(log, i);
        int64_t submit_s = job.submit_s;
        job.submit_s = -1;
        if (i % EVERY == 0)
            append(trace, job);
        job.submit_s = submit_s;
        append(trace, job);
    }
    free(none);
    return trace;
}

static struct loom_trace *odd_once; /* made by the group's setup */

static int make_logs(void **state)
{
    make_log(state);
    odd_once = with_unsubmitted(log_once);
    return 0;
}

static int free_logs(void **state)
{
    loom_trace_destroy(odd_once);
    return free_log(state);
}

static void features_leave_them_out(void **state)
{
    struct loom_features *whole = NULL, *odd = NULL;
    (void)state;
    assert_int_equal(loom_features_create(&whole, log_once, NULL, NULL, NULL), 0);
    assert_int_equal(loom_features_create(&odd, odd_once, NULL, NULL, NULL), 0);
    for (size_t i = 0; i < loom_features_count(whole); i++) {
        const struct loom_feature *a = loom_features_at(whole, i), *b = loom_features_at(odd, i);
        if (a->known != b->known || (a->known && a->value != b->value))
            fail_msg("%s: %.17g and %.17g", a->info->key, a->value, b->value);
    }
    loom_features_destroy(whole);
    loom_features_destroy(odd);
}

static void values_leave_them_out(void **state)
{
    (void)state;
    for (size_t k = 0; loom_values_names[k]; k++) {
        double *whole = NULL, *odd = NULL;
        size_t n_whole = 0, n_odd = 0;
        assert_int_equal(loom_values_of(&whole, &n_whole, log_once, loom_values_names[k], NULL), 0);
        assert_int_equal(loom_values_of(&odd, &n_odd, odd_once, loom_values_names[k], NULL), 0);
        assert_int_equal(n_odd, n_whole);
        assert_memory_equal(odd, whole, n_whole * sizeof *whole);
        free(whole);
        free(odd);
    }
}

static void users_leave_them_out(void **state)
{
    struct loom_activity activity[] = {loom_trace_activity(log_once),
                                       loom_trace_activity(odd_once)};
    struct loom_users *users[2] = {NULL};
    struct loom_bags *bags[2] = {NULL};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(loom_users_create(&users[i], &activity[i], NULL), 0);
        assert_int_equal(loom_bags_create(&bags[i], i ? odd_once : log_once, LOOM_BAG_DELTA_S,
                                          NULL),
                         0);
    }
    assert_int_equal(users[1]->n, users[0]->n);
    assert_int_equal(users[1]->begin_s, users[0]->begin_s);
    assert_int_equal(users[1]->end_s, users[0]->end_s);
    assert_memory_equal(users[1]->submit_s, users[0]->submit_s,
                        users[0]->n * sizeof *users[0]->submit_s);
    assert_int_equal(bags[1]->count, bags[0]->count);
    assert_int_equal(bags[1]->n_jobs, bags[0]->n_jobs);
    for (size_t i = 0; i < 2; i++) {
        loom_users_destroy(users[i]);
        loom_bags_destroy(bags[i]);
    }
}

static void a_log_compares_equal_to_itself_with_them(void **state)
{
    struct loom_reference_options options = {.resamples = 4, .seed = 1};
    struct loom_reference *reference = NULL;
    struct loom_comparison *comparison = NULL;
    (void)state;
    assert_int_equal(loom_reference_create(&reference, odd_once, &options, NULL, NULL, NULL), 0);
    assert_int_equal(loom_comparison_create(&comparison, reference, log_once, NULL, NULL, NULL), 0);
    assert_true(loom_comparison_score(comparison) == 1);
    assert_true(loom_comparison_same_length(comparison));
    loom_comparison_destroy(comparison);
    loom_reference_destroy(reference);
}

static void summaries_span_the_known_times(void **state)
{
    struct loom_summary whole, odd;
    (void)state;
    assert_int_equal(loom_summarize(&whole, log_once, NULL), 0);
    assert_int_equal(loom_summarize(&odd, odd_once, NULL), 0);
    assert_int_equal(odd.first_submit_s, whole.first_submit_s);
    assert_int_equal(odd.span_s, whole.span_s);
}

/* What a model generates depends on all of its parameters. */
static void models_are_fitted_to_the_others(void **state)
{
    static const char *const names[] = {"poisson", "lublin2003", "usergraph", "bootstrap"};
    (void)state;
    for (size_t k = 0; k < COUNT(names); k++) {
        struct loom_generate_options options = {.seed = 3, .jobs = 300};
        struct loom_trace *made[2] = {NULL};
        for (size_t i = 0; i < 2; i++) {
            struct loom_error err = {0};
            struct loom_model *model = NULL;
            const struct loom_model_info *info = NULL;
            if (loom_model_find(&info, names[k], &err) ||
                try_fit(&model, info, i ? odd_once : log_once, &err) ||
                loom_model_generate(&made[i], model, &options, NULL, &err))
                fail_msg("%s: %s", names[k], err.message);
            loom_model_destroy(model);
        }
        assert_same_jobs(made[1], made[0]);
        loom_trace_destroy(made[0]);
        loom_trace_destroy(made[1]);
    }
}

/* Ten times as long, so that it has long-term users. */
static struct loom_trace *stretched(const struct loom_trace *log)
{
    struct loom_trace *trace = with_unsubmitted(log);
    for (size_t i = 0; i < loom_trace_count(trace); i++) {
        struct loom_job job = loom_trace_job(trace, i);
        job.submit_s *= job.submit_s == -1 ? 1 : 10;
        loom_trace_replace(trace, i, &job);
    }
    return trace;
}

static struct loom_trace *submitted_only(const struct loom_trace *log)
{
    struct loom_trace *trace = NULL;
    uint8_t *keep = calloc(loom_trace_count(log) + 1, 1);
    for (size_t i = 0; i < loom_trace_count(log); i++)
        keep[i] = loom_trace_jobs(log)->submit_s[i] != -1;
    assert_int_equal(loom_trace_subset(&trace, log, keep, 1, NULL), 0);
    free(keep);
    return trace;
}

static void variants_are_made_of_the_others(void **state)
{
    struct loom_resampled *made[2] = {NULL};
    struct loom_trace *odd = stretched(log_once), *whole = submitted_only(odd);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct loom_trace *logs[] = {i ? odd : whole};
        struct loom_resample_rule rule = loom_resample_rule();
        struct loom_resampler *resampler = NULL;
        assert_int_equal(loom_resampler_create(&resampler, logs, 1, &rule, NULL), 0);
        assert_int_equal(loom_resample(&made[i], resampler, 1, 0, NULL), 0);
        loom_resampler_destroy(resampler);
    }
    assert_same_jobs(made[1]->trace, made[0]->trace);
    loom_resampled_destroy(made[0]);
    loom_resampled_destroy(made[1]);
    loom_trace_destroy(whole);
    loom_trace_destroy(odd);
}

/* A condition on what a job does not know is not met. */
static void conditions_on_time_are_not_met(void **state)
{
    static const struct {
        const char *name, *value;
    } tries[] = {{"to-time", "100000"}, {"from-time", "-5"}, {"first", "100"}};
    size_t n = loom_trace_count(odd_once);
    uint8_t *keep = malloc(n);
    (void)state;
    for (size_t k = 0; k < COUNT(tries); k++) {
        const struct loom_param *const lists[] = {loom_select_params, NULL};
        struct loom_params *params = NULL;
        size_t kept = 0;
        assert_int_equal(loom_params_create(&params, lists, NULL), 0);
        assert_int_equal(loom_params_set(params, tries[k].name, tries[k].value, NULL), 0);
        assert_int_equal(loom_select(keep, odd_once, params, NULL), 0);
        for (size_t i = 0; i < n; i++) {
            kept += keep[i];
            assert_false(keep[i] && loom_trace_jobs(odd_once)->submit_s[i] < 0);
        }
        assert_true(kept > 0);
        loom_params_destroy(params);
    }
    free(keep);
}

static void arranging_counts_them(void **state)
{
    struct loom_arranged arranged;
    (void)state;
    assert_int_equal(loom_arrange(&arranged, odd_once, NULL), 0);
    assert_int_equal(arranged.jobs.n, LOG_JOBS);
    assert_int_equal(arranged.jobs.unsubmitted, (LOG_JOBS + EVERY - 1) / EVERY);
    loom_arranged_free(&arranged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_leave_them_out),
        cmocka_unit_test(values_leave_them_out),
        cmocka_unit_test(users_leave_them_out),
        cmocka_unit_test(a_log_compares_equal_to_itself_with_them),
        cmocka_unit_test(summaries_span_the_known_times),
        cmocka_unit_test(models_are_fitted_to_the_others),
        cmocka_unit_test(variants_are_made_of_the_others),
        cmocka_unit_test(conditions_on_time_are_not_met),
        cmocka_unit_test(arranging_counts_them),
    };
    return cmocka_run_group_tests(tests, make_logs, free_logs);
}
