/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Callers that ask for what cannot be: values out of range, nothing where something is needed. Each
 * call must fail with the right code, a message and, where a field is at fault, its name;
 * sanitizers watch what happens on the way.
 */
#include "modeling.h"

#include <math.h>
#include <string.h>
#include <workloom/workloom.h>

static struct loom_error err;

/* A failure with this code that says something, and names this field (NULL: none). */
static void assert_refused(int rc, int code, const char *field)
{
    if (rc != code)
        fail_msg("expected code %d, got %d: %s", code, rc, err.message);
    assert_int_equal(err.code, code);
    assert_true(strlen(err.message) > 10);
    assert_null(strstr(err.message, "--"));
    assert_null(strstr(err.message, "workloom fit"));
    if (!field)
        assert_null(err.field);
    else if (!err.field || strcmp(err.field, field) != 0)
        fail_msg("expected field %s, got %s", field, err.field ? err.field : "none");
    memset(&err, 0xee, sizeof err);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void test_paths(void **state)
{
    struct loom_trace *trace = NULL, *empty = empty_trace();
    struct loom_model *model = NULL;
    struct loom_output *output = NULL;
    (void)state;
    assert_refused(loom_trace_read(&trace, NULL, NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_trace_read(&trace, "", NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_trace_write(empty, NULL, NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_trace_write(empty, "", NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_output_create(&output, NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_model_load(&model, NULL, NULL, 0, &err), LOOM_EUSAGE, NULL);
    assert_null(trace);
    assert_null(model);
    assert_null(output);
    loom_trace_destroy(empty);
}

static void test_limit(void **state)
{
    struct scratch scratch;
    struct loom_trace *trace = NULL;
    const struct loom_read_options options = {.max_bytes = 3};
    (void)state;
    assert_int_equal(scratch_open(&scratch, "log.swf"), 0);
    store_text(scratch.file, "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n");
    assert_refused(loom_trace_read(&trace, scratch.file, &options, &err), LOOM_ERANGE, "max_bytes");
    assert_null(trace);
    assert_int_equal(scratch_close(&scratch), 0);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    const struct loom_model_info *info = NULL;
    struct loom_model *model = NULL;
    struct loom_dist dist;
    const double one = 1;
    (void)state;
    assert_refused(loom_model_find(&info, NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_model_find(&info, "", &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_model_published(&model, NULL, NULL, &err), LOOM_EUSAGE, NULL);
    for (size_t i = 0; (info = loom_model_at(i)); i++)
        if (info->defaults == LOOM_DEFAULTS_NONE)
            assert_refused(loom_model_published(&model, info->name, NULL, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_dist_init(&dist, "no such", &one, 1, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_dist_init(&dist, "gamma", &one, 0, &err), LOOM_EUSAGE, NULL);
    assert_null(info);
    assert_null(model);
}

static void test_params(void **state)
{
    static const struct loom_param declared[] = {
        {.name = "most-jobs", .type = LOOM_PARAM_INT, .min = 1, .max = 9},
        {.name = NULL},
    };
    const struct loom_param *const lists[] = {declared, NULL};
    struct loom_params *params = NULL;
    (void)state;
    assert_int_equal(loom_params_create(&params, lists, &err), 0);
    assert_refused(loom_params_set(params, "most-jobs", "10", &err), LOOM_ERANGE, "most-jobs");
    assert_refused(loom_params_set(params, "most-jobs", "x", &err), LOOM_EUSAGE, "most-jobs");
    assert_refused(loom_params_set(params, "most-jobs", NULL, &err), LOOM_EUSAGE, "most-jobs");
    assert_refused(loom_params_set(params, "least-jobs", "1", &err), LOOM_EUSAGE, NULL);
    loom_params_destroy(params);
}

/* ---- models ---------------------------------------------------------------------------------- */

static void refuse_generate(const struct loom_model *model, struct loom_generate_options options,
                            const char *field)
{
    struct loom_trace *trace = NULL;
    assert_refused(loom_model_generate(&trace, model, &options, NULL, &err), LOOM_ERANGE, field);
    assert_null(trace);
}

/* Of every model that can generate at once. */
static void test_generate(void **state)
{
    const struct loom_model_info *info;
    (void)state;
    for (size_t i = 0; (info = loom_model_at(i)); i++) {
        if (!info->defaults)
            continue;
        struct loom_model *model = must_publish(info->name, NULL);
        static const int64_t procs[] = {-1, INT64_MIN, INT64_MAX, (int64_t)INT32_MAX + 1};
        for (size_t k = 0; k < COUNT(procs); k++)
            refuse_generate(model, (struct loom_generate_options){.jobs = 5, .procs = procs[k]},
                            "procs");
        static const int64_t jobs[] = {-1, INT64_MIN, INT64_MAX};
        for (size_t k = 0; k < COUNT(jobs); k++)
            refuse_generate(model, (struct loom_generate_options){.jobs = jobs[k]}, "jobs");
        static const double numbers[] = {-1, NAN, INFINITY, -INFINITY};
        for (size_t k = 0; k < COUNT(numbers); k++) {
            refuse_generate(model, (struct loom_generate_options){.days = numbers[k]}, "days");
            refuse_generate(model, (struct loom_generate_options){.jobs = 5, .load = numbers[k]},
                            "load");
            struct loom_generate_options guessed = {.jobs = 5,
                                                    .requests = LOOM_REQUESTS_UNIFORM,
                                                    .request_factor = numbers[k]};
            refuse_generate(model, guessed, "request_factor");
        }
        loom_model_destroy(model);
    }
}

/* The ends of what is allowed do work. */
static void test_generate_ends(void **state)
{
    struct loom_model *model = must_publish("lublin2003", NULL);
    static const int64_t procs[] = {0, 1, INT32_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT(procs); i++) {
        struct loom_generate_options options = {.jobs = 20, .procs = procs[i]};
        struct loom_trace *trace = must_generate(model, &options);
        assert_int_equal(loom_trace_count(trace), 20);
        loom_trace_destroy(trace);
    }
    loom_model_destroy(model);
}

/* ---- users ----------------------------------------------------------------------------------- */

static struct loom_trace *small_log(void)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 40; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = (int64_t)i * 4 * 86400;
        job.run_s = 100;
        job.wait_s = 0;
        job.req_procs = job.alloc_procs = 1;
        job.user = 1 + i % 2;
        append(trace, job);
    }
    return trace;
}

static void refuse_rule(const struct loom_trace *log, struct loom_resample_rule rule,
                        const char *field)
{
    struct loom_resampler *resampler = NULL;
    struct loom_resampled *resampled = NULL;
    int rc = loom_resampler_create(&resampler, &log, 1, &rule, &err);
    if (!rc)
        rc = loom_resample(&resampled, resampler, 1, 0, &err);
    assert_refused(rc, LOOM_ERANGE, field);
    assert_null(resampled);
    loom_resampler_destroy(resampler);
}

static void test_resampling(void **state)
{
    struct loom_trace *log = small_log();
    const struct loom_trace *const logs[] = {log};
    struct loom_resampler *resampler = NULL;
    struct loom_resample_rule rule = loom_resample_rule();
    (void)state;
    assert_int_equal(loom_trace_set_directive(log, "MaxProcs", "8", NULL), 0);
    assert_refused(loom_resampler_create(&resampler, logs, 0, &rule, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_resampler_create(&resampler, NULL, 1, &rule, &err), LOOM_EUSAGE, NULL);
    assert_null(resampler);
    static const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        rule = loom_resample_rule();
        rule.locality = numbers[i];
        refuse_rule(log, rule, "locality");
        rule = loom_resample_rule();
        rule.population.load_factor = numbers[i];
        refuse_rule(log, rule, "load_factor");
        rule = loom_resample_rule();
        rule.population.arrivals = numbers[i];
        refuse_rule(log, rule, "arrivals");
    }
    static const int64_t lengths[] = {-1, INT64_MIN};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        rule = loom_resample_rule();
        rule.procs = lengths[i];
        refuse_rule(log, rule, "procs");
        rule = loom_resample_rule();
        rule.shake_s = lengths[i];
        refuse_rule(log, rule, "shake_s");
        rule = loom_resample_rule();
        rule.population.length_s = lengths[i];
        refuse_rule(log, rule, "length_s");
    }
    loom_trace_destroy(log);
}

/* ---- nothing to work on ---------------------------------------------------------------------- */

/* Statistics of no values, and of bounds that leave none. */
static void test_no_values(void **state)
{
    const double *none = NULL, x[3] = {1, 2, 3};
    double number, many[4];
    struct loom_moments moments;
    struct loom_histogram histogram = {0};
    struct loom_clusters clusters;
    struct loom_hurst hurst;
    struct loom_line line;
    struct loom_tail tail;
    struct loom_disparity disparity;
    struct loom_fit fit;
    struct loom_ranked *ranked = NULL;
    size_t count;
    (void)state;
    assert_refused(loom_moments(&moments, none, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_pearson(&number, none, none, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_spearman(&number, none, none, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_acf(many, none, 0, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_acf(many, x, 3, 3, &err), LOOM_EDATA, NULL);
    assert_refused(loom_entropy(&number, none, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_histogram_linear(&histogram, x, 3, 2, 1, 4, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_histogram_linear(&histogram, x, 3, 0, 1, 0, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_histogram_linear(&histogram, x, 3, 0, NAN, 4, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_histogram_log(&histogram, none, 0, 4, &err), LOOM_EDATA, NULL);
    assert_refused(loom_histogram_log(&histogram, x, 3, 0, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_dist_fit(&fit, "gamma", none, NULL, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_rank_fits(&ranked, &count, &(struct loom_rounded){0}, LOOM_FIT_LIKELIHOOD,
                                  1, NULL, &err),
                   LOOM_EDATA, NULL);
    assert_refused(loom_cluster(&clusters, none, 0, NULL, &err), LOOM_EDATA, NULL);
    assert_refused(loom_hurst_aggvar(&hurst, none, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_hurst_pox(&hurst, x, 3, 1, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_llcd_slope(&line, none, 0, 0.5, &err), LOOM_EDATA, NULL);
    assert_refused(loom_llcd_aggregated(&line, x, 3, 0, 0.5, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_hill(many, x, 3, 3, &err), LOOM_ERANGE, NULL);
    assert_refused(loom_power_tail(&tail, none, 0, &err), LOOM_EDATA, NULL);
    assert_refused(loom_mass_count(&disparity, none, 0, &err), LOOM_EDATA, NULL);
    assert_true(isnan(loom_quantile(none, 0, 0.5)));
    assert_int_equal(loom_ecdf(none, 0, many, many), 0);
    assert_int_equal(loom_sort(NULL, 0, &err), 0);
}

static void test_no_traces(void **state)
{
    struct loom_trace *empty = empty_trace();
    struct loom_report *report = NULL;
    struct loom_scorecard *card = NULL;
    struct loom_reference *reference = NULL;
    struct loom_model *model = NULL;
    (void)state;
    assert_refused(loom_reference_create(&reference, empty, NULL, NULL, NULL, &err), LOOM_EDATA,
                   NULL);
    assert_refused(loom_scorecard_create(&card, NULL, NULL, 0, &err), LOOM_EUSAGE, NULL);
    assert_refused(loom_report_contrast(&report, NULL, 0, NULL, &err), LOOM_EDATA, NULL);
    assert_refused(loom_model_fit(&model, "lublin2003", empty, NULL, NULL, &err), LOOM_EDATA, NULL);
    assert_null(reference);
    assert_null(card);
    assert_null(report);
    assert_null(model);
    loom_trace_destroy(empty);
}

/* Everything that can be destroyed takes NULL. */
static void test_destroy_nothing(void **state)
{
    (void)state;
    loom_params_destroy(NULL);
    loom_pool_destroy(NULL);
    loom_output_destroy(NULL);
    loom_trace_destroy(NULL);
    loom_zone_destroy(NULL);
    loom_problems_destroy(NULL);
    loom_cleaning_destroy(NULL);
    loom_users_destroy(NULL);
    loom_sessions_destroy(NULL);
    loom_user_pools_destroy(NULL);
    loom_batch_graph_destroy(NULL);
    loom_population_destroy(NULL);
    loom_bags_destroy(NULL);
    loom_features_destroy(NULL);
    loom_reference_destroy(NULL);
    loom_comparison_destroy(NULL);
    loom_scorecard_destroy(NULL);
    loom_model_destroy(NULL);
    loom_resampler_destroy(NULL);
    loom_resampled_destroy(NULL);
    loom_report_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),      cmocka_unit_test(test_limit),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_params),
        cmocka_unit_test(test_generate),   cmocka_unit_test(test_generate_ends),
        cmocka_unit_test(test_resampling), cmocka_unit_test(test_no_values),
        cmocka_unit_test(test_no_traces),  cmocka_unit_test(test_destroy_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
