/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every model must make of a log that is short, odd, or lacks what it needs: say why it cannot
 * be fitted, or be fitted so that it can be saved, loaded and generated.
 */
#include "model_list.h"

/* ---- logs that cannot be fitted -------------------------------------------------------------- */

static void assert_unfit(const struct loom_trace *trace, const struct loom_model_info *info)
{
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    int rc = try_fit(&model, info, trace, &err);
    if (rc != LOOM_EDATA || !strstr(err.message, info->name) || strlen(err.message) < 20)
        fail_msg("%s: %d '%s'", info->name, rc, err.message);
    assert_null(model);
}

static void says_why_a_log_will_not_do(void **state)
{
    (void)state;
    struct loom_job job = loom_job_unknown();
    struct loom_trace *none = empty_trace(), *one = empty_trace(), *at_once = empty_trace(),
                      *shapeless = empty_trace(), *small = plausible_log();
    assert_int_equal(loom_trace_set_directive(small, "MaxProcs", "16", NULL), 0);
    job.submit_s = job.run_s = 10;
    job.req_procs = 1;
    append(one, job);
    append(at_once, job);
    append(at_once, job);
    for (int i = 0; i < 500; i++) {
        job = loom_job_unknown();
        job.submit_s = i * 100;
        append(shapeless, job);
    }
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        if (!info->can_fit)
            continue;
        assert_unfit(none, info);
        assert_unfit(one, info);
        assert_unfit(at_once, info);
        assert_unfit(small, info);
        if (!info->arrivals_only)
            assert_unfit(shapeless, info);
    }
    loom_trace_destroy(none);
    loom_trace_destroy(one);
    loom_trace_destroy(at_once);
    loom_trace_destroy(shapeless);
    loom_trace_destroy(small);
}

/* A log of a few jobs is fitted or refused, and what is fitted generates. */
static void copes_with_short_logs(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    for (int n = 2; info->can_fit && n <= 40; n = n * 2 + 1) {
        struct loom_trace *trace = empty_trace();
        for (int i = 0; i < n; i++) {
            struct loom_job job = loom_trace_job(log_once, (size_t)i);
            append(trace, job);
        }
        struct loom_error err = {0};
        struct loom_model *model = NULL;
        int rc = try_fit(&model, info, trace, &err);
        if (rc && rc != LOOM_EDATA)
            fail_msg("%s on %d jobs: %s", info->name, n, err.message);
        if (n < 10 && (!rc || !strstr(err.message, "needs")))
            fail_msg("%s is fitted to %d jobs", info->name, n);
        if (!rc) {
            struct loom_generate_options options = {.seed = 1, .jobs = 100};
            struct loom_trace *generated = generate(model, &options, NULL);
            assert_sound(generated, info, (int32_t)loom_trace_max_procs(generated));
            assert_int_equal(loom_trace_count(generated), 100);
            loom_trace_destroy(generated);
        }
        loom_model_destroy(model);
        loom_trace_destroy(trace);
    }
}

/* ---- odd logs -------------------------------------------------------------------------------- */

static const int odd_jobs[] = {5, 20, 100, 300};

/* Nobody says who ran what, and for how long it was to run. */
static struct loom_job anonymous_job(int i)
{
    struct loom_job job = loom_trace_job(log_once, (size_t)i);
    job.user = job.group = job.executable = job.queue = -1;
    job.request_s = -1;
    return job;
}

static struct loom_job constant_job(int i)
{
    struct loom_job job = loom_trace_job(log_once, 0);
    job.number = i + 1;
    job.submit_s = 600 * (int64_t)i;
    return job;
}

static struct loom_job idle_job(int i)
{
    struct loom_job job = loom_trace_job(log_once, (size_t)i);
    job.run_s = 0;
    return job;
}

/* From half a day to fifty days between jobs. */
static struct loom_job rare_job(int i)
{
    struct loom_job job = loom_trace_job(log_once, (size_t)i);
    int64_t cycle = i / 10, place = i % 10;
    job.submit_s = cycle * 118 * 86400 + place * 43200 + place * place * 43200;
    return job;
}

/* All within a few hours, no two in one minute. */
static struct loom_job hasty_job(int i)
{
    struct loom_job job = loom_trace_job(log_once, (size_t)i);
    job.submit_s = 61 * (int64_t)i;
    return job;
}

static const struct {
    const char *name;
    struct loom_job (*job)(int i);
} odd_logs[] = {
    {"without users, executables and requests", anonymous_job},
    {"of one job over and over", constant_job},
    {"of jobs that run for no time", idle_job},
    {"of a job now and then", rare_job},
    {"of a few hours", hasty_job},
};

static struct loom_trace *odd_log(size_t which, int jobs)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < jobs; i++)
        append(trace, odd_logs[which].job(i));
    return trace;
}

/* A log is refused with a reason or fitted, and what is fitted can be saved, loaded and generated.
 */
static void assert_fits_or_refuses(const struct loom_trace *trace,
                                   const struct loom_model_info *info,
                                   const struct loom_params *params, const char *what)
{
    struct loom_error err = {0};
    struct loom_model *model = NULL, *again = NULL;
    size_t n = loom_trace_count(trace);
    int rc = loom_model_fit(&model, info->name, trace, params, NULL, &err);
    if (rc == LOOM_EUSAGE && strstr(err.message, "is a choice of the model's own parameters"))
        return;
    if (rc && (rc != LOOM_EDATA || !strstr(err.message, info->name) || strlen(err.message) < 20))
        fail_msg("%s, %zu jobs %s: %d '%s'", info->name, n, what, rc, err.message);
    if (rc)
        return;
    if (loom_model_set(&again, model, NULL, 0, &err))
        fail_msg("%s, %zu jobs %s: does not come back: %s", info->name, n, what, err.message);
    struct loom_generate_options options = {.seed = 2, .jobs = 100};
    struct loom_trace *generated = NULL;
    if (loom_model_generate(&generated, again, &options, NULL, &err))
        fail_msg("%s, %zu jobs %s: does not generate: %s", info->name, n, what, err.message);
    assert_sound(generated, info, (int32_t)loom_trace_max_procs(generated));
    assert_int_equal(loom_trace_count(generated), 100);
    loom_trace_destroy(generated);
    loom_model_destroy(again);
    loom_model_destroy(model);
}

/* The model as it is, and with every other word that one of its parameters can be; arrival
 * processes are tried as models of their own. */
static void try_settings(const struct loom_trace *trace, const struct loom_model_info *info,
                         const char *what)
{
    struct loom_params *params = defaults_of(info);
    assert_fits_or_refuses(trace, info, params, what);
    loom_params_destroy(params);
    for (const struct loom_param *p = info->params; p && p->name; p++)
        for (size_t k = 0;
             p->type == LOOM_PARAM_CHOICE && strcmp(p->name, "arrivals") != 0 && p->choices[k];
             k++) {
            if (strcmp(p->choices[k], p->value) == 0)
                continue;
            params = defaults_of(info);
            assert_int_equal(loom_params_set(params, p->name, p->choices[k], NULL), 0);
            assert_fits_or_refuses(trace, info, params, what);
            loom_params_destroy(params);
        }
}

static void copes_with_odd_logs(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    for (size_t log = 0; log < COUNT(odd_logs); log++)
        for (size_t k = 0; k < COUNT(odd_jobs); k++) {
            struct loom_trace *trace = odd_log(log, odd_jobs[k]);
            FOR_EACH_MODEL(info)
            if (info->can_fit)
                try_settings(trace, info, odd_logs[log].name);
            loom_trace_destroy(trace);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_why_a_log_will_not_do),
        cmocka_unit_test(copes_with_short_logs),
        cmocka_unit_test(copes_with_odd_logs),
    };
    return cmocka_run_group_tests(tests, make_log, free_log);
}
