/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "modeling.h"

#include <workloom/stats.h>

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct loom_params *params_of(const char *name, const char *const *settings)
{
    const struct loom_model_info *info = NULL;
    struct loom_error err = {0};
    if (loom_model_find(&info, name, &err))
        fail_msg("%s", err.message);
    if (!info->params)
        return NULL;
    const struct loom_param *const lists[] = {info->params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, &err), 0);
    for (; settings && *settings; settings++) {
        char key[64];
        const char *equals = strchr(*settings, '=');
        assert_non_null(equals);
        snprintf(key, sizeof key, "%.*s", (int)(equals - *settings), *settings);
        if (loom_params_set(params, key, equals + 1, &err))
            fail_msg("%s", err.message);
    }
    return params;
}

struct loom_model *must_publish(const char *name, const char *const *settings)
{
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    struct loom_params *params = params_of(name, settings);
    if (loom_model_published(&model, name, params, &err))
        fail_msg("%s: %s", name, err.message);
    loom_params_destroy(params);
    return model;
}

struct loom_model *must_fit(const char *name, const struct loom_trace *trace,
                            const char *const *settings)
{
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    struct loom_params *params = params_of(name, settings);
    if (loom_model_fit(&model, name, trace, params, NULL, &err))
        fail_msg("%s: %s", name, err.message);
    loom_params_destroy(params);
    return model;
}

struct loom_trace *must_generate(const struct loom_model *model,
                                 const struct loom_generate_options *options)
{
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    if (loom_model_generate(&trace, model, options, NULL, &err))
        fail_msg("%s: %s", loom_model_info(model)->name, err.message);
    return trace;
}

void must_save(const struct loom_model *model, const char *path)
{
    struct loom_error err = {0};
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, path, &err);
    if (!rc)
        rc = loom_model_save(model, out, &err);
    if (!rc)
        rc = loom_output_commit(out, &err);
    loom_output_destroy(out);
    if (rc)
        fail_msg("%s: %s", loom_model_info(model)->name, err.message);
}

/* The value that a path leads to, or NULL. */
static json_t *follow(json_t *value, const char *path)
{
    while (value && *path) {
        char key[64];
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        value = isdigit((unsigned char)key[0]) ? json_array_get(value, strtoul(key, NULL, 10))
                                               : json_object_get(value, key);
        path += length + (path[length] == '.');
    }
    return value;
}

double number_in(const struct loom_model *model, const char *path)
{
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    must_save(model, scratch.file);
    json_t *document = json_load_file(scratch.file, 0, NULL);
    json_t *value = follow(json_object_get(document, "parameters"), path);
    if (!json_is_number(value) && !json_is_array(value))
        fail_msg("there is no number %s", path);
    double number =
        json_is_array(value) ? (double)json_array_size(value) : json_number_value(value);
    json_decref(document);
    assert_int_equal(scratch_close(&scratch), 0);
    return number;
}

struct loom_model *must_set(struct loom_model *model, const char *const *settings, size_t n)
{
    struct scratch scratch;
    struct loom_error err = {0};
    struct loom_model *changed = NULL;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    must_save(model, scratch.file);
    if (loom_model_load(&changed, scratch.file, settings, n, &err))
        fail_msg("%s", err.message);
    assert_int_equal(scratch_close(&scratch), 0);
    loom_model_destroy(model);
    return changed;
}

double correlation_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double *x = calloc(2 * jobs->n, sizeof *x), *y = x + jobs->n, rho = NAN;
    for (size_t i = 0; i < jobs->n; i++) {
        x[i] = (double)jobs->run_s[i];
        y[i] = (double)jobs->req_procs[i];
    }
    assert_int_equal(loom_spearman(&rho, x, y, jobs->n, NULL), 0);
    free(x);
    return rho;
}

double load_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double work = 0;
    for (size_t i = 0; i < jobs->n; i++)
        work += (double)jobs->run_s[i] * jobs->req_procs[i];
    return work / (double)(jobs->submit_s[jobs->n - 1] - jobs->submit_s[0]) /
           (double)loom_trace_max_procs(trace);
}

void assert_near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%g is not %g, give or take %g", got, wanted, tolerance);
}
