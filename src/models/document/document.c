/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model as a JSON document: which model, what it was fitted to, and its parameters as it
 * describes them itself.
 *
 * The document is versioned: whoever changes the keys of a model or of requested times raises the
 * version. Keys that are new may be missing, and then have the meaning of the earlier version (4:
 * "status", "estimates.known", "night" of Poisson arrivals). A document of an earlier version is
 * taken where its keys are still what they are now,
 * and refused with that reason where they are not.
 */
#include "models/document/document.h"
#include "base/error.h"
#include "base/json.h"
#include "models/room.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { DOCUMENT_VERSION = 4 };

/* ---- the head -------------------------------------------------------------------------------- */

static void describe_head(void *state, struct loom_codec *codec)
{
    enum { WEEK_S = 7 * 86400 };
    struct loom_model *model = state;
    loom_codec_flag(codec, "fitted", &model->fitted);
    loom_codec_int(codec, "jobs", &model->jobs, 1, INT64_MAX);
    loom_codec_int(codec, "procs", &model->procs, 1, INT32_MAX);
    loom_codec_int(codec, "week_phase_s", &model->week_phase_s, 0, WEEK_S - 1);
    if (model->fitted)
        loom_codec_real(codec, "interarrival_s", &model->interarrival_s, 1e-12, 1e18);
    if (model->fitted && loom_codec_holds(codec, "load", model->load > 0))
        loom_codec_real(codec, "load", &model->load, 1e-12, 1e18);
}

/* ---- save ------------------------------------------------------------------------------------ */

/* The keys of a model's document. "estimates" and "status" are there where the model has them. */
static json_t *pack_document(const struct loom_model *model, json_t *log, json_t *parameters,
                             json_t *estimates, json_t *status)
{
    return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o*, s:o*}", "workloom_model", DOCUMENT_VERSION,
                     "model", model->ops->info.name, "made_by",
                     model->origin ? model->origin : loom_version(), "log", log, "parameters",
                     parameters, "estimates", estimates, "status", status);
}

static json_t *to_document(const struct loom_model *model, struct loom_error *err)
{
    json_t *log = loom_codec_save(describe_head, model, err);
    json_t *parameters = log ? loom_codec_save(model->ops->describe, model->state, err) : NULL;
    bool whole = parameters != NULL;
    json_t *estimates = NULL, *status = NULL;
    if (whole && model->has_requests) {
        estimates = loom_codec_save(loom_request_model_describe, &model->requests, err);
        whole = estimates != NULL;
    }
    if (whole && model->status.classes > 0) {
        status = loom_codec_save(loom_status_model_describe, &model->status, err);
        whole = status != NULL;
    }
    if (!whole) {
        json_decref(log);
        json_decref(parameters);
        json_decref(estimates);
        return NULL;
    }
    json_t *document = pack_document(model, log, parameters, estimates, status);
    if (!document)
        loom_fail_memory(err);
    return document;
}

int loom_model_save(const struct loom_model *model, struct loom_output *out, struct loom_error *err)
{
    if (!model || !out)
        return loom_fail_null(err, model ? "output" : "model");
    struct loom_error reason = {.code = LOOM_ENOMEM};
    json_t *document = to_document(model, &reason);
    if (!document) {
        if (err)
            *err = reason;
        return reason.code;
    }
    int rc = loom_json_write(document, out, err);
    json_decref(document);
    return rc;
}

/* ---- load ------------------------------------------------------------------------------------ */

static int document_refuse(struct loom_error *err, const char *path, const char *what)
{
    return loom_fail_at(err, LOOM_EFORMAT, path, 0, 0, "%s", what);
}

static int check_head(const json_t *document, const char *path, struct loom_error *err)
{
    const json_t *version = json_object_get(document, "workloom_model");
    if (!json_is_integer(version))
        return document_refuse(err, path,
                               "this is JSON, but not a model: it has no key workloom_model");
    if (json_integer_value(version) < 1)
        return loom_fail_at(err, LOOM_EFORMAT, path, 0, 0,
                            "workloom_model is %lld, and must be between 1 and %d",
                            (long long)json_integer_value(version), DOCUMENT_VERSION);
    if (json_integer_value(version) > DOCUMENT_VERSION)
        return loom_fail_at(err, LOOM_EFORMAT, path, 0, 0,
                            "workloom_model is %lld, and this version of workloom reads up to %d: "
                            "a later one wrote it; use that, or fit the model again",
                            (long long)json_integer_value(version), DOCUMENT_VERSION);
    if (!json_is_string(json_object_get(document, "model")))
        return document_refuse(err, path, "model must be the name of a model");
    return 0;
}

/* A key that is misspelt would be missing without a word. */
static int check_keys(const json_t *document, const char *path, struct loom_error *err)
{
    static const char *const known[] = {"workloom_model", "model",     "made_by", "log",
                                        "parameters",     "estimates", "status"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)document, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || strcmp(key, known[i]) == 0;
        if (!found)
            return loom_fail_at(err, LOOM_EFORMAT, path, 0, 0, "%s is not a key of a model", key);
    }
    return 0;
}

static int load_requests(struct loom_model *model, const json_t *estimates, struct loom_error *err)
{
    if (!estimates)
        return 0;
    model->has_requests = true;
    return loom_codec_load(loom_request_model_describe, &model->requests, estimates, "estimates",
                           model->procs, err);
}

static int load_status(struct loom_model *model, const json_t *status, struct loom_error *err)
{
    return status ? loom_codec_load(loom_status_model_describe, &model->status, status, "status",
                                    model->procs, err)
                  : 0;
}

static int load_origin(struct loom_model *model, const json_t *origin, struct loom_error *err)
{
    if (!origin)
        return 0;
    if (!json_is_string(origin))
        return loom_fail(err, LOOM_EFORMAT, "made_by must be text");
    return loom_model_set_origin(model, json_string_value(origin), err);
}

/* What is wrong with a document of an earlier version is most likely that. */
static void blame_version(const json_t *document, struct loom_error *err)
{
    const json_t *version = json_object_get(document, "workloom_model");
    if (!err || json_integer_value(version) >= DOCUMENT_VERSION || err->code == LOOM_ENOMEM)
        return;
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used,
             "; an earlier version of workloom wrote this model, and its keys have changed since: "
             "fit the model again");
}

/* The parts of the document, into a model that has its name. */
static int load_parts(struct loom_model *model, const json_t *document, const char *path,
                      struct loom_error *err)
{
    int rc = loom_codec_load(describe_head, model, json_object_get(document, "log"), "log",
                             INT32_MAX, err);
    if (!rc)
        rc = loom_codec_load(model->ops->describe, model->state,
                             json_object_get(document, "parameters"), "parameters", model->procs,
                             err);
    if (!rc)
        rc = check_keys(document, path, err);
    if (!rc)
        rc = load_requests(model, json_object_get(document, "estimates"), err);
    if (!rc)
        rc = load_status(model, json_object_get(document, "status"), err);
    if (!rc)
        rc = load_origin(model, json_object_get(document, "made_by"), err);
    if (rc)
        blame_version(document, err);
    return rc;
}

static int from_document(struct loom_model **out, const json_t *document, const char *path,
                         struct loom_error *err)
{
    struct loom_model *model = NULL;
    int rc = check_head(document, path, err);
    if (!rc)
        rc = loom_model_create(&model, json_string_value(json_object_get(document, "model")), err);
    if (!rc)
        rc = load_parts(model, document, path, err);
    if (!rc) {
        *out = model;
        return 0;
    }
    loom_model_destroy(model);
    if (err && !err->file[0]) {
        strncpy(err->file, path, sizeof err->file - 1);
        err->code = rc == LOOM_EUSAGE ? LOOM_EFORMAT : rc;
    }
    return rc == LOOM_EUSAGE ? LOOM_EFORMAT : rc;
}

/* ---- changed documents ----------------------------------------------------------------------- */

static int from_changed(struct loom_model **out, json_t *document, const char *path,
                        const char *const *settings, size_t n, struct loom_error *err)
{
    struct loom_error ignored;
    struct loom_error *why = err ? err : &ignored;
    int rc = loom_document_set(document, settings, n, why);
    if (rc)
        return rc;
    rc = from_document(out, document, path, why);
    return rc && rc != LOOM_ENOMEM && n > 0 ? loom_document_blame(rc, document, settings, n, why)
                                            : rc;
}

int loom_model_load(struct loom_model **out, const char *path, const char *const *settings,
                    size_t n_settings, struct loom_error *err)
{
    char name[sizeof err->file];
    json_t *document = NULL;
    uint64_t hash = 0;
    if (n_settings > 0 && !settings)
        return loom_fail_null(err, "settings");
    int rc = loom_document_read(&document, &hash, path, name, sizeof name, err);
    if (!rc)
        rc = from_changed(out, document, name, settings, n_settings, err);
    if (!rc)
        (*out)->hash = hash;
    json_decref(document);
    return rc;
}

int loom_model_set(struct loom_model **out, const struct loom_model *model,
                   const char *const *settings, size_t n_settings, struct loom_error *err)
{
    if (!model || (n_settings > 0 && !settings))
        return loom_fail_null(err, model ? "settings" : "model");
    json_t *document = to_document(model, err);
    if (!document)
        return err ? err->code : LOOM_ENOMEM;
    int rc = from_changed(out, document, "", settings, n_settings, err);
    json_decref(document);
    return rc;
}

int loom_document_number(double *out, const struct loom_model *model, const char *path,
                         struct loom_error *err)
{
    char key[64];
    json_t *document = to_document(model, err);
    if (!document)
        return err ? err->code : LOOM_ENOMEM;
    const json_t *value = json_object_get(document, "parameters");
    for (const char *at = path; *at; at += strspn(at, ".")) {
        size_t length = strcspn(at, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        value = json_object_get(value, key);
        at += length;
    }
    bool is_number = json_is_number(value);
    *out = json_number_value(value);
    json_decref(document);
    return is_number ? 0 : loom_fail(err, LOOM_EUSAGE, "the model has no number '%s'", path);
}
