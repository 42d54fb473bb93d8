/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trained parameters as a JSON document, and back. */
#include "base/json.h"
#include "predict/predictors.h"

#include <jansson.h>
#include <string.h>

enum { FILE_VERSION = 1 };

static json_t *params_json(const struct loom_predictor_info *info, const struct loom_params *params)
{
    json_t *object = json_object();
    for (const struct loom_param *param = info->params; param && param->name && object; param++)
        if (loom_params_text(params, param->name) &&
            json_object_set_new(object, param->name,
                                json_string(loom_params_text(params, param->name)))) {
            json_decref(object);
            return NULL;
        }
    return object;
}

int loom_tuning_save(const struct loom_tuning *tuning, struct loom_output *out, const char *origin,
                     struct loom_error *err)
{
    json_t *document =
        json_pack("{s:s, s:i, s:s, s:o, s:o, s:I, s:I, s:o}", "workloom", "predictor", "version",
                  FILE_VERSION, "predictor", tuning->info->name, "parameters",
                  params_json(tuning->info, tuning->params), "fitness",
                  loom_json_number(tuning->fitness), "jobs", (json_int_t)tuning->jobs,
                  "generations", (json_int_t)tuning->generations, "origin",
                  loom_json_text(origin ? origin : ""));
    if (!document)
        return loom_fail_memory(err);
    int rc = loom_json_write(document, out, err);
    json_decref(document);
    return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

bool loom_names_parameter_file(const char *text)
{
    size_t n = strlen(text);
    return n > 5 && strcmp(text + n - 5, ".json") == 0;
}

/* Set one parameter from the document, where it may be text or a number. */
static int set_param(struct loom_params *params, const char *file, const char *key,
                     const json_t *value, struct loom_error *err)
{
    char number[40];
    const char *text = json_string_value(value);
    if (!text && json_is_number(value)) {
        snprintf(number, sizeof number, "%.17g", json_number_value(value));
        text = number;
    }
    if (!text)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0, "parameters.%s must be a number or a text",
                            key);
    struct loom_error why;
    int rc = loom_params_set(params, key, text, &why);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    return rc ? loom_fail_at(err, LOOM_EDATA, file, 0, 0, "parameters.%s: %s", key, why.message)
              : 0;
}

static int set_params(struct loom_params *params, const char *file, json_t *object,
                      struct loom_error *err)
{
    const char *key;
    json_t *value;
    int rc = 0;
    json_object_foreach(object, key, value)
    {
        if (!rc && !params)
            rc = loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                              "parameters.%s: the predictor has no parameters", key);
        else if (!rc)
            rc = set_param(params, file, key, value, err);
    }
    return rc;
}

static int check_document(const char *file, const json_t *document, struct loom_error *err)
{
    const char *kind = json_string_value(json_object_get(document, "workloom"));
    json_int_t version = json_integer_value(json_object_get(document, "version"));
    if (!kind || strcmp(kind, "predictor") != 0)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "this is no parameter file of a predictor: workloom must be "
                            "\"predictor\"");
    if (version != FILE_VERSION)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "version is %lld, and this program reads version %d; train again",
                            (long long)version, FILE_VERSION);
    if (!json_is_string(json_object_get(document, "predictor")) ||
        !json_is_object(json_object_get(document, "parameters")))
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "predictor must be a name, and parameters an object");
    return 0;
}

static int take_document(const struct loom_predictor_ops **ops, struct loom_params **params,
                         const char *file, json_t *document, struct loom_error *err)
{
    const char *name = json_string_value(json_object_get(document, "predictor"));
    struct loom_error why;
    int rc = check_document(file, document, err);
    if (rc)
        return rc;
    rc = loom_predictor_parse(ops, params, name, &why);
    if (rc)
        return rc == LOOM_ENOMEM
                   ? loom_fail_memory(err)
                   : loom_fail_at(err, LOOM_EDATA, file, 0, 0, "predictor: %s", why.message);
    rc = set_params(*params, file, json_object_get(document, "parameters"), err);
    if (!rc && (*ops)->check && (*ops)->check(*params, &why))
        rc = loom_fail_at(err, LOOM_EDATA, file, 0, 0, "parameters: %s", why.message);
    if (rc) {
        loom_params_destroy(*params);
        *params = NULL;
    }
    return rc;
}

int loom_parameter_file_read(const struct loom_predictor_ops **ops, struct loom_params **params,
                             const char *file, struct loom_error *err)
{
    json_error_t why;
    json_t *document = json_load_file(file, JSON_REJECT_DUPLICATES, &why);
    if (!document && json_error_code(&why) == json_error_cannot_open_file)
        return loom_fail_at(err, LOOM_EIO, file, 0, 0, "cannot be read");
    if (!document)
        return loom_fail_at(err, LOOM_EDATA, file, why.line, why.column, "%s", why.text);
    int rc = take_document(ops, params, file, document, err);
    json_decref(document);
    return rc;
}
