/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every model must do, whatever its method: fit a plausible log, generate what is asked for
 * and nothing else, come back whole from its document, refuse a damaged one. Each test runs over
 * the list of models; what only one of them does is tested elsewhere.
 */
#include "base/param.h"
#include "model_list.h"
#include "modeling.h"

#include <workloom/stats.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* ---- what is generated
 * --------------------------------------------------------------------------- */

static void makes_the_jobs_that_are_asked_for(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_model *model = model_of(info);
        struct loom_trace *trace = generate(model, &plain, NULL);
        if (loom_trace_count(trace) != GENERATED_JOBS)
            fail_msg("%s made %zu jobs", info->name, loom_trace_count(trace));
        assert_sound(trace, info, info->can_fit ? LOG_PROCS : (int32_t)loom_trace_max_procs(trace));
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

static void stops_at_the_horizon(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_model *model = model_of(info);
        struct loom_generate_options options = {.seed = 1, .days = 20};
        struct loom_trace *trace = generate(model, &options, NULL);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        if (jobs->n == 0 || jobs->submit_s[jobs->n - 1] >= 20 * 86400 ||
            jobs->submit_s[jobs->n - 1] < 15 * 86400)
            fail_msg("%s: %zu jobs, the last at %lld", info->name, jobs->n,
                     jobs->n ? (long long)jobs->submit_s[jobs->n - 1] : -1);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

static void assert_reaches(const struct loom_model *model,
                           const struct loom_generate_options *options)
{
    struct loom_trace *trace = generate(model, options, NULL);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    if (fabs(load_of(trace) / options->load - 1) > 0.01)
        fail_msg("%s reached %g for %g", loom_model_info(model)->name, load_of(trace),
                 options->load);
    if (options->days > 0)
        assert_true((double)jobs->submit_s[jobs->n - 1] < options->days * 86400 &&
                    (double)jobs->submit_s[jobs->n - 1] > options->days * 86400 * 0.7);
    else
        assert_int_equal(jobs->n, options->jobs);
    loom_trace_destroy(trace);
}

static void reaches_a_load(void **state)
{
    (void)state;
    static const double loads[] = {0.3, 0.6, 0.95};
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        if (info->arrivals_only)
            continue;
        struct loom_model *model = model_of(info);
        for (size_t i = 0; i < COUNT(loads); i++) {
            struct loom_generate_options options = plain;
            options.load = loads[i];
            assert_reaches(model, &options);
        }
        struct loom_generate_options options = {.seed = 1, .days = 20, .load = 0.6};
        assert_reaches(model, &options);
        loom_model_destroy(model);
    }
}

/* Only a fitted model has one. */
static void knows_the_load_of_its_log(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_model *model = model_of(info);
        double load = loom_model_log_load(model);
        if (info->can_fit)
            assert_true(fabs(load / load_of(log_once) - 1) < 1e-12);
        else
            assert_true(isnan(load));
        loom_model_destroy(model);
    }
}

/* Sizes go with the machine, except where jobs are drawn whole: then a machine that is too small
 * for them is refused. */
static void fits_a_machine_of_another_size(void **state)
{
    (void)state;
    static const int32_t sizes[] = {1000, 256, 100, 7, 1};
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct loom_error err = {0};
        struct loom_model *model = model_of(info);
        struct loom_generate_options options = plain;
        struct loom_trace *trace = NULL;
        options.procs = sizes[i];
        int rc = loom_model_generate(&trace, model, &options, NULL, &err);
        bool whole = strcmp(info->name, "bootstrap") == 0;
        if (rc != (whole && sizes[i] < LARGEST ? LOOM_EDATA : 0))
            fail_msg("%s on %d processors: %d '%s'", info->name, sizes[i], rc, err.message);
        if (!rc)
            assert_sound(trace, info, sizes[i]);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

static void makes_requests(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        if (info->arrivals_only)
            continue;
        struct loom_model *model = model_of(info);
        struct loom_generate_options options = plain;
        options.requests = LOOM_REQUESTS_FACTOR;
        options.request_factor = 3;
        struct loom_trace *trace = generate(model, &options, NULL);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        for (size_t i = 0; i < jobs->n; i++)
            assert_int_equal(jobs->request_s[i], jobs->run_s[i] ? 3 * jobs->run_s[i] : 1);
        loom_trace_destroy(trace);
        options.requests = LOOM_REQUESTS_NONE;
        trace = generate(model, &options, NULL);
        jobs = loom_trace_jobs(trace);
        for (size_t i = 0; i < jobs->n; i++)
            assert_int_equal(jobs->request_s[i], -1);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* ---- the same again -------------------------------------------------------------------------- */

static bool same_jobs(const struct loom_trace *a, const struct loom_trace *b)
{
    if (loom_trace_count(a) != loom_trace_count(b))
        return false;
    for (size_t i = 0; i < loom_trace_count(a); i++) {
        struct loom_job one = loom_trace_job(a, i), other = loom_trace_job(b, i);
        if (one.submit_s != other.submit_s || one.run_s != other.run_s ||
            one.req_procs != other.req_procs || one.user != other.user ||
            one.request_s != other.request_s || one.executable != other.executable)
            return false;
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Requests are from the runtime to F + 1 times as much, all alike: of jobs so long that whole
 * seconds do not show, (request / runtime - 1) / F is uniform from 0 to 1. Its mean is 1/2 within
 * 4 standard errors, 1 / sqrt(12 n) each, and no distance from uniform is found at 0.001. */
static void requests_are_uniform(void **state)
{
    (void)state;
    enum { N = 20000, LONG_S = 2000 };
    static const double F = 4;
    static double part[N];
    const struct loom_model_info *info;
    assert_int_equal(loom_model_find(&info, "uniform", NULL), 0);
    struct loom_model *model = model_of(info);
    struct loom_generate_options options = {.seed = 3,
                                            .jobs = N,
                                            .requests = LOOM_REQUESTS_UNIFORM,
                                            .request_factor = F};
    struct loom_trace *trace = generate(model, &options, NULL);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sum = 0, distance = 0;
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        double run_s = (double)jobs->run_s[i], request_s = (double)jobs->request_s[i];
        assert_true(request_s >= fmax(1, run_s) && request_s <= fmax(1, (F + 1) * run_s));
        if (jobs->run_s[i] >= LONG_S)
            sum += part[n++] = (request_s / run_s - 1) / F;
    }
    assert_true(n > N / 5);
    assert_true(fabs(sum / (double)n - 0.5) < 4 / sqrt(12 * (double)n));
    qsort(part, n, sizeof *part, by_size);
    for (size_t i = 0; i < n; i++)
        distance = fmax(distance, fmax(part[i] - (double)i / (double)n,
                                       (double)(i + 1) / (double)n - part[i]));
    assert_true(loom_ks_p(distance, (double)n) > 0.001);
    struct loom_trace *again = generate(model, &options, NULL);
    assert_true(same_jobs(trace, again));
    loom_trace_destroy(again);
    loom_trace_destroy(trace);
    options.request_factor = 0;
    trace = generate(model, &options, NULL);
    jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < jobs->n; i++)
        assert_int_equal(jobs->request_s[i], jobs->run_s[i] > 1 ? jobs->run_s[i] : 1);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

static void repeats_itself(void **state)
{
    (void)state;
    struct loom_pool *pool = NULL;
    assert_int_equal(loom_pool_create(&pool, 2, NULL), 0);
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_model *model = model_of(info);
        struct loom_generate_options options = plain;
        struct loom_trace *first = generate(model, &options, NULL);
        struct loom_trace *second = generate(model, &options, pool);
        if (!same_jobs(first, second))
            fail_msg("%s: the number of threads matters", info->name);
        assert_same_jobs(second, first);
        loom_trace_destroy(second);
        options.seed = 2;
        second = generate(model, &options, NULL);
        if (same_jobs(first, second))
            fail_msg("%s: the seed does not matter", info->name);
        loom_trace_destroy(second);
        options = plain;
        options.replication = 1;
        second = generate(model, &options, NULL);
        if (same_jobs(first, second))
            fail_msg("%s: the replication does not matter", info->name);
        loom_trace_destroy(second);
        loom_trace_destroy(first);
        loom_model_destroy(model);
    }
    loom_pool_destroy(pool);
}

/* ---- documents ------------------------------------------------------------------------------- */

static void comes_back_whole_from_its_document(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_error err = {0};
        struct loom_model *model = model_of(info), *again = NULL;
        must_save(model, scratch.file);
        char *text = load(scratch.file);
        if (loom_model_load(&again, scratch.file, NULL, 0, &err))
            fail_msg("%s: %s", info->name, err.message);
        must_save(again, scratch.file);
        char *text_again = load(scratch.file);
        assert_string_equal(text_again, text);
        struct loom_trace *one = generate(model, &plain, NULL),
                          *other = generate(again, &plain, NULL);
        assert_same_jobs(other, one);
        loom_trace_destroy(one);
        loom_trace_destroy(other);
        free(text);
        free(text_again);
        loom_model_destroy(model);
        loom_model_destroy(again);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

static char *document_of(struct loom_model *model, const char *path)
{
    must_save(model, path);
    loom_model_destroy(model);
    return load(path);
}

/* Without parameters, a model is fitted or published with their defaults. */
static void no_parameters_are_the_defaults(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_error err = {0};
        struct loom_model *model = NULL;
        if (info->defaults) {
            assert_int_equal(loom_model_published(&model, info->name, NULL, &err), 0);
            assert_string_equal(loom_model_info(model)->name, info->name);
            loom_model_destroy(model);
        }
        if (!info->can_fit)
            continue;
        assert_int_equal(loom_model_fit(&model, info->name, log_once, NULL, NULL, &err), 0);
        char *text = document_of(model, scratch.file);
        char *with_defaults = document_of(model_of(info), scratch.file);
        assert_string_equal(text, with_defaults);
        free(text);
        free(with_defaults);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

/* The document with one change must be refused with a sentence that names the key. */
static void assert_refused(const json_t *document, const char *path, const char *key)
{
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    assert_int_equal(json_dump_file(document, path, 0), 0);
    int rc = loom_model_load(&model, path, NULL, 0, &err);
    if (rc != LOOM_EFORMAT || !strstr(err.message, key))
        fail_msg("damaged %s: %d, '%s'", key, rc, err.message);
    loom_model_destroy(model);
}

/* Take away, and turn into something else, every key at any depth; lists by their first item. */
static void damage_all(const json_t *document, json_t *object, const char *path)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value)
    {
        json_incref(value);
        char name[64];
        snprintf(name, sizeof name, "%s", key);
        json_object_set_new(object, name, json_null());
        assert_refused(document, path, name);
        json_object_set(object, name, value);
        if (json_is_object(value))
            damage_all(document, value, path);
        else if (json_is_array(value) && json_is_object(json_array_get(value, 0)))
            damage_all(document, json_array_get(value, 0), path);
        json_decref(value);
    }
    json_object_set_new(object, "surplus", json_true());
    assert_refused(document, path, "surplus");
    json_object_del(object, "surplus");
}

static void refuses_damaged_documents(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_model *model = model_of(info);
        must_save(model, scratch.file);
        json_t *document = json_load_file(scratch.file, 0, NULL);
        assert_non_null(document);
        damage_all(document, json_object_get(document, "parameters"), scratch.file);
        damage_all(document, json_object_get(document, "log"), scratch.file);
        json_t *estimates = json_object_get(document, "estimates");
        if (estimates)
            damage_all(document, estimates, scratch.file);
        json_object_set_new(document, "estimate", json_object());
        assert_refused(document, scratch.file, "estimate is not a key");
        json_object_del(document, "estimate");
        json_object_set_new(document, "made_by", json_null());
        assert_refused(document, scratch.file, "made_by");
        json_object_del(document, "made_by");
        json_object_del(document, "parameters");
        assert_refused(document, scratch.file, "parameters");
        json_decref(document);
        loom_model_destroy(model);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

/* A document whose jobs are larger than its machine was damaged, or edited without care. */
static void refuses_jobs_beyond_the_machine(void **state)
{
    (void)state;
    static const char *const holders[] = {"uniform",  "bootstrap", "minh2009", "minh2010",
                                          "minh2012", "jann97",    "usergraph"};
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    for (size_t i = 0; i < COUNT(holders); i++) {
        const struct loom_model_info *info = NULL;
        assert_int_equal(loom_model_find(&info, holders[i], NULL), 0);
        struct loom_model *model = model_of(info);
        must_save(model, scratch.file);
        loom_model_destroy(model);
        json_t *document = json_load_file(scratch.file, 0, NULL);
        json_object_set_new(json_object_get(document, "log"), "procs", json_integer(2));
        assert_refused(document, scratch.file, "procs");
        json_decref(document);
    }
    scratch_close(&scratch);
}

static void refuses_foreign_documents(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "the file is empty, and no model"},
        {"\n", "this is not JSON: '[' or '{' expected near end of file"},
        {"[]", "this is JSON, but not a model"},
        {"{}", "this is JSON, but not a model: it has no key workloom_model"},
        {"{\"workloom_model\": 5}",
         "workloom_model is 5, and this version of workloom reads up to 4: a later one wrote it; "
         "use that, or fit the model again"},
        {"{\"workloom_model\": 0}", "workloom_model is 0, and must be between 1 and 4"},
        {"{\"workloom_model\": 4}", "model must be the name of a model"},
        {"{\"workloom_model\": 4, \"model\": \"poison\"}",
         "there is no model 'poison'; did you mean 'poisson'?"},
        {"{\"workloom_model\": 4, \"model\": \"poisson\"}", "log is missing"},
        {"{\"workloom_model\": 4, \"model\": \"poisson\", \"log\": 1}", "log must be an object"},
        {"{\"workloom_model\": 4, \"model\": \"poisson\", \"log\": {\"fitted\": true, "
         "\"jobs\": 9223372036854775808}}",
         "log.jobs is 9.22337203685478e+18, and must be between 1 and 9223372036854775807"},
        {"{\"workloom_model\": 4, \"model\": \"poisson\", \"log\": {\"fitted\": true, "
         "\"jobs\": -9223372036854775809}}",
         "log.jobs is -9.22337203685478e+18, and must be between 1 and 9223372036854775807"},
        {"{\"workloom_model\": 4, \"model\": \"poisson\", \"log\": {\"fitted\": true, \"jobs\": "
         "9223372036854775807, \"procs\": 8, \"week_phase_s\": 0, \"interarrival_s\": -1e309}}",
         "log.interarrival_s is larger than a number can be, and must be between 1e-12 and 1e+18"},
        {"{\"workloom_model\": 4, \"model\": \"9e999 \\\" 1e999\", \"log\": 1e999}",
         "there is no model '9e999 \" 1e999'; see 'workloom list models'"},
        {"{\"workloom_model\": 1, \"model\": \"poisson\"}",
         "log is missing; an earlier version of workloom wrote this model, and its keys have "
         "changed since: fit the model again"},
    };
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_error err = {0};
        struct loom_model *model = NULL;
        store_text(scratch.file, cases[i].text);
        assert_int_equal(loom_model_load(&model, scratch.file, NULL, 0, &err), LOOM_EFORMAT);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.file, scratch.file);
        assert_null(model);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

/* ---- traits ---------------------------------------------------------------------------------- */

/* What a ranking tries beside the model as it is must be something else than that. */
static void offers_variants_that_it_knows(void **state)
{
    const struct loom_model_info *info, *found;
    (void)state;
    for (size_t i = 0; (info = loom_model_at(i)); i++)
        for (size_t k = 0; info->variants && info->variants[k]; k++) {
            char text[128], name[64];
            struct loom_error err = {0};
            struct loom_params *params = NULL, *usual = defaults_of(info);
            snprintf(text, sizeof text, "%s:%s", info->name, info->variants[k]);
            if (loom_model_parse(&found, &params, text, &err))
                fail_msg("%s: %s", text, err.message);
            assert_ptr_equal(found, info);
            snprintf(name, sizeof name, "%.*s", (int)strcspn(info->variants[k], "="),
                     info->variants[k]);
            assert_string_not_equal(loom_params_text(params, name), loom_params_text(usual, name));
            loom_params_destroy(params);
            loom_params_destroy(usual);
        }
}

static void leaves_out_the_traits_it_has(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    FOR_EACH_MODEL(info)
    {
        struct loom_model *model = model_of(info);
        struct loom_trace *whole = generate(model, &plain, NULL);
        for (size_t i = 0; i < LOOM_TRAITS; i++) {
            struct loom_error err = {0};
            struct loom_generate_options options = plain;
            struct loom_trace *trace = NULL;
            options.without = 1u << i;
            int rc = loom_model_generate(&trace, model, &options, NULL, &err);
            if (rc && (rc != LOOM_EUSAGE || !strstr(err.message, loom_trait_name(i))))
                fail_msg("%s without %s: %s", info->name, loom_trait_name(i), err.message);
            if (!rc && same_jobs(trace, whole))
                fail_msg("%s without %s is the same", info->name, loom_trait_name(i));
            if (rc && (info->traits & options.without))
                fail_msg("%s says it has %s", info->name, loom_trait_name(i));
            if (!rc)
                assert_int_equal(loom_trace_count(trace), GENERATED_JOBS);
            loom_trace_destroy(trace);
        }
        loom_trace_destroy(whole);
        loom_model_destroy(model);
    }
}

/* Published parameters with each arrival process: one that has none itself is refused. */
static void publishes_with_any_arrivals(void **state)
{
    (void)state;
    const struct loom_model_info *info, *process;
    size_t tried = 0;
    FOR_EACH_MODEL(info)
    {
        for (size_t k = 0; (process = loom_model_at(k)); k++) {
            struct loom_params *params = defaults_of(info);
            struct loom_model *model = NULL;
            struct loom_error err = {0};
            bool tries = info->defaults && process->arrivals_only && params &&
                         loom_params_find(params, "arrivals");
            if (tries) {
                tried++;
                assert_int_equal(loom_params_set(params, "arrivals", process->name, NULL), 0);
                int rc = loom_model_published(&model, info->name, params, &err);
                assert_int_equal(rc, process->defaults ? 0 : LOOM_EUSAGE);
                assert_true(process->defaults || strstr(err.message, process->name));
            }
            loom_model_destroy(model);
            loom_params_destroy(params);
        }
    }
    assert_true(tried > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_jobs_that_are_asked_for),
        cmocka_unit_test(stops_at_the_horizon),
        cmocka_unit_test(reaches_a_load),
        cmocka_unit_test(knows_the_load_of_its_log),
        cmocka_unit_test(fits_a_machine_of_another_size),
        cmocka_unit_test(makes_requests),
        cmocka_unit_test(requests_are_uniform),
        cmocka_unit_test(repeats_itself),
        cmocka_unit_test(comes_back_whole_from_its_document),
        cmocka_unit_test(no_parameters_are_the_defaults),
        cmocka_unit_test(refuses_damaged_documents),
        cmocka_unit_test(refuses_jobs_beyond_the_machine),
        cmocka_unit_test(refuses_foreign_documents),
        cmocka_unit_test(offers_variants_that_it_knows),
        cmocka_unit_test(publishes_with_any_arrivals),
        cmocka_unit_test(leaves_out_the_traits_it_has),
    };
    return cmocka_run_group_tests(tests, make_log, free_log);
}
