/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluations of predictors as JSON and CSV. */
#include "base/json.h"
#include "base/table.h"
#include "report/figure.h"
#include "report/predictions.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---------------------------------------------------------------------------------- */

static const struct loom_error_field fields[] = {
    {"jobs", "jobs", LOOM_ERROR_COUNT, 5, false},
    {"underestimated_fraction", "underestimated", LOOM_ERROR_SHARE, LOOM_KEEP, false},
    {"mae_s", "MAE", LOOM_ERROR_TIME, LOOM_KEEP, false},
    {"wae_s", "WAE", LOOM_ERROR_TIME, 8, false},
    {"ne", "NE", LOOM_ERROR_NUMBER, 4, false},
    {"bias_s", "bias", LOOM_ERROR_TIME, LOOM_WIDE_ONLY, false},
    {"intervals", "intervals", LOOM_ERROR_COUNT, LOOM_WIDE_ONLY, true},
    {"interval_80_covered", "in interval", LOOM_ERROR_SHARE, 6, true},
    {"interval_80_below", "below", LOOM_ERROR_SHARE, 3, true},
    {"interval_80_above", "above", LOOM_ERROR_SHARE, 3, true},
    {"interval_80_width_s", "width", LOOM_ERROR_TIME, LOOM_WIDE_ONLY, true},
    {"interval_80_score_s", "score", LOOM_ERROR_TIME, LOOM_WIDE_ONLY, true},
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

const struct loom_error_field *loom_error_field_at(size_t index)
{
    return index < N_FIELDS ? &fields[index] : NULL;
}

double loom_error_value(const struct loom_prediction_errors *errors, size_t index)
{
    const double values[N_FIELDS] = {
        (double)errors->jobs,
        errors->underestimated_fraction,
        errors->mae_s,
        errors->wae_s,
        errors->ne,
        errors->bias_s,
        (double)errors->intervals,
        errors->covered_fraction,
        errors->below_fraction,
        errors->above_fraction,
        errors->width_s,
        errors->interval_score_s,
    };
    return values[index];
}

bool loom_predictions_have_intervals(const struct loom_predictions *predictions)
{
    for (size_t i = 0; i < predictions->n; i++)
        if (predictions->of[i].evaluation->errors.intervals > 0)
            return true;
    return false;
}

/* ---- classes --------------------------------------------------------------------------------- */

int loom_all_classes(struct loom_prediction_classes ***out,
                     const struct loom_predictions *predictions, enum loom_predicted_by by,
                     struct loom_error *err)
{
    struct loom_prediction_classes **all = calloc(predictions->n, sizeof *all);
    int rc = all ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < predictions->n && !rc; i++)
        rc = loom_prediction_classes_create(&all[i], predictions->of[i].evaluation,
                                            predictions->trace, by, err);
    if (rc)
        loom_all_classes_free(all, predictions->n);
    *out = rc ? NULL : all;
    return rc;
}

void loom_all_classes_free(struct loom_prediction_classes **classes, size_t n)
{
    for (size_t i = 0; classes && i < n; i++)
        loom_prediction_classes_destroy(classes[i]);
    free(classes);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *params_json(const struct loom_predictor *predictor)
{
    json_t *object = json_object();
    const struct loom_param *param = loom_predictor_info(predictor)->params;
    int failed = !object;
    for (; param && param->name && !failed; param++) {
        const char *text = loom_params_text(loom_predictor_params(predictor), param->name);
        failed = json_object_set_new(object, param->name, text ? json_string(text) : json_null());
    }
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int add_errors(json_t *object, const struct loom_prediction_errors *errors)
{
    int failed = 0;
    for (size_t i = 0; i < N_FIELDS && !failed; i++)
        failed = json_object_set_new(object, fields[i].key,
                                     loom_json_number(loom_error_value(errors, i)));
    return failed;
}

static json_t *class_json(const struct loom_predictions *predictions,
                          const struct loom_prediction_classes *classes, size_t index)
{
    const struct loom_prediction_class *class = loom_prediction_classes_at(classes, index);
    char text[120];
    loom_prediction_class_text(classes, index, predictions->trace, text, sizeof text);
    json_t *object =
        json_pack("{s:o, s:I, s:o}", "class", loom_json_text(text), "from",
                  (json_int_t) class->from, "to",
                  class->to == INT64_MAX ? json_null() : json_integer((json_int_t) class->to));
    if (object && add_errors(object, &class->errors) == 0 &&
        json_object_set_new(object, "error_share", loom_json_number(class->error_share)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *classes_json(const struct loom_predictions *predictions, size_t index)
{
    struct loom_prediction_classes *classes = NULL;
    enum loom_predicted_by by = (enum loom_predicted_by)predictions->by;
    if (loom_prediction_classes_create(&classes, predictions->of[index].evaluation,
                                       predictions->trace, by, NULL))
        return NULL;
    json_t *list = json_array();
    int failed = !list;
    for (size_t i = 0; loom_prediction_classes_at(classes, i) && !failed; i++)
        failed = json_array_append_new(list, class_json(predictions, classes, i));
    loom_prediction_classes_destroy(classes);
    if (!failed)
        return json_pack("{s:s, s:o}", "by", loom_predicted_by_name(by), "list", list);
    json_decref(list);
    return NULL;
}

static json_t *predictor_json(const struct loom_predictions *predictions, size_t index)
{
    const struct loom_evaluated *of = &predictions->of[index];
    json_t *object =
        json_pack("{s:s, s:o, s:o}", "name", loom_predictor_info(of->predictor)->name, "text",
                  loom_json_text(of->text), "params", params_json(of->predictor));
    int failed = !object || add_errors(object, &of->evaluation->errors);
    if (!failed && predictions->by != LOOM_NOT_CLASSIFIED)
        failed = json_object_set_new(object, "classes", classes_json(predictions, index));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* What is known of the jobs, which is the same for all predictors. */
static json_t *jobs_json(const struct loom_predictions *predictions)
{
    const struct loom_read_report *input = loom_trace_report(predictions->trace);
    const struct loom_evaluation *first = predictions->of[0].evaluation;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, input ? input->hash : 0);
    return json_pack("{s:o, s:s, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "file",
                     loom_json_text(input && input->file ? input->file : ""), "hash", hash,
                     "select",
                     predictions->select ? loom_json_text(predictions->select) : json_null(),
                     "train", predictions->train, "history", (json_int_t)first->history, "left_out",
                     (json_int_t)first->left_out, "waits_unknown", (json_int_t)first->waits_unknown,
                     "requests_unknown", (json_int_t)first->requests_unknown, "memory_unknown",
                     (json_int_t)first->memory_unknown, "users_unknown",
                     (json_int_t)first->users_unknown, "groups_unknown",
                     (json_int_t)first->groups_unknown, "queues_unknown",
                     (json_int_t)first->queues_unknown, "executables_unknown",
                     (json_int_t)first->executables_unknown);
}

struct json_t *loom_predictions_json(const struct loom_predictions *predictions)
{
    json_t *object = jobs_json(predictions), *list = json_array();
    int failed = !object || !list;
    for (size_t i = 0; i < predictions->n && !failed; i++)
        failed = json_array_append_new(list, predictor_json(predictions, i));
    if (!failed && json_object_set(object, "predictors", list) == 0) {
        json_decref(list);
        return object;
    }
    json_decref(list);
    json_decref(object);
    return NULL;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void put_word(struct loom_csv *to, const char *text)
{
    loom_csv_put(to, text, strlen(text));
}

static void put_header(struct loom_csv *to, bool classes)
{
    put_word(to, "trace,predictor");
    if (classes)
        put_word(to, ",by,class,from,to");
    for (size_t i = 0; i < N_FIELDS; i++) {
        put_word(to, ",");
        put_word(to, fields[i].key);
    }
    put_word(to, classes ? ",error_share\n" : "\n");
}

static void put_errors(struct loom_csv *to, const struct loom_prediction_errors *errors)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        put_word(to, ",");
        loom_csv_number(to, loom_error_value(errors, i));
    }
}

static void put_first(struct loom_csv *to, const struct loom_predictions *predictions, size_t index)
{
    const struct loom_read_report *input = loom_trace_report(predictions->trace);
    loom_csv_text(to, input && input->file ? input->file : "");
    put_word(to, ",");
    loom_csv_text(to, predictions->of[index].text);
}

static void put_class(struct loom_csv *to, const struct loom_predictions *predictions,
                      const struct loom_prediction_classes *classes, size_t index)
{
    const struct loom_prediction_class *class = loom_prediction_classes_at(classes, index);
    char text[120];
    put_word(to, ",");
    put_word(to, loom_predicted_by_name(loom_prediction_classes_by(classes)));
    put_word(to, ",");
    loom_csv_text(to, loom_prediction_class_text(classes, index, predictions->trace, text,
                                                 sizeof text));
    put_word(to, ",");
    loom_csv_number(to, (double)class->from);
    put_word(to, ",");
    loom_csv_number(to, class->to == INT64_MAX ? NAN : (double)class->to);
    put_errors(to, &class->errors);
    put_word(to, ",");
    loom_csv_number(to, class->error_share);
}

static int put_classes(struct loom_csv *to, const struct loom_predictions *predictions,
                       struct loom_error *err)
{
    struct loom_prediction_classes **all = NULL;
    int rc = loom_all_classes(&all, predictions, (enum loom_predicted_by)predictions->by, err);
    if (rc)
        return rc;
    for (size_t c = 0; loom_prediction_classes_at(all[0], c); c++)
        for (size_t i = 0; i < predictions->n; i++) {
            put_first(to, predictions, i);
            put_class(to, predictions, all[i], c);
            put_word(to, "\n");
        }
    loom_all_classes_free(all, predictions->n);
    return 0;
}

int loom_predictions_csv(struct loom_output *out, const struct loom_predictions *predictions,
                         struct loom_error *err)
{
    struct loom_csv to = {.out = out, .err = err};
    bool classes = predictions->by != LOOM_NOT_CLASSIFIED;
    put_header(&to, classes);
    int rc = classes ? put_classes(&to, predictions, err) : 0;
    for (size_t i = 0; i < predictions->n && !classes; i++) {
        put_first(&to, predictions, i);
        put_errors(&to, &predictions->of[i].evaluation->errors);
        put_word(&to, "\n");
    }
    return rc ? rc : to.rc;
}
