/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies of queueing models as JSON and CSV. */
#include "base/json.h"
#include "report/queueing.h"

#include <workloom/report.h>

#include <jansson.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *model_json(const struct loom_queueing_model *model)
{
    char repeat[40], think[80];
    return json_pack("{s:o, s:s, s:I, s:s, s:o, s:I, s:s}", "lambda",
                     loom_json_number(model->lambda), "repeat",
                     loom_repeat_text(&model->repeat, repeat, sizeof repeat), "closed_users",
                     (json_int_t)model->closed, "think",
                     loom_think_text(&model->think, think, sizeof think), "service",
                     loom_json_number(model->service), "servers", (json_int_t)model->servers,
                     "service_distribution",
                     model->service_dist.ops ? model->service_dist.ops->name : "exponential");
}

static json_t *interval_json(const struct loom_estimate *estimate)
{
    return json_pack("{s:o, s:o}", "low", loom_json_number(estimate->mean - estimate->half_width),
                     "high", loom_json_number(estimate->mean + estimate->half_width));
}

static int add_exact(json_t *to, const struct loom_queueing_study *study,
                     const struct loom_queueing_trial *trial)
{
    int failed = 0;
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS && !failed; m++)
        if (loom_trial_shows(study, trial, m))
            failed = json_object_set_new(to, loom_queueing_metric_at(m)->key,
                                         loom_json_number(trial->exact[m]));
    return failed;
}

static int add_simulated(json_t *to, const struct loom_queueing_study *study,
                         const struct loom_queueing_trial *trial)
{
    json_t *intervals = json_object();
    int failed = !intervals;
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS && !failed; m++) {
        const char *key = loom_queueing_metric_at(m)->key;
        const struct loom_estimate *estimate = &trial->result.metrics[m];
        if (loom_trial_shows(study, trial, m))
            failed = json_object_set_new(to, key, loom_json_number(estimate->mean)) ||
                     json_object_set_new(intervals, key, interval_json(estimate));
    }
    if (failed)
        json_decref(intervals);
    return failed || json_object_set_new(to, "intervals", intervals);
}

static json_t *bounds_json(const struct loom_mixed *solved)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "phase", loom_mixed_phase_name(solved->phase),
                     "users_for_full", loom_json_number(solved->users_for_full), "throughput_max",
                     loom_json_number(solved->throughput_max), "throughput_min",
                     loom_json_number(solved->throughput_min), "response_closed_min",
                     loom_json_number(solved->response_closed_min));
}

static json_t *simulation_json(const struct loom_queueing_trial *trial)
{
    const struct loom_queueing_options *options = &trial->options;
    return json_pack("{s:I, s:I, s:o, s:I, s:I, s:f, s:I}", "jobs", (json_int_t)trial->result.jobs,
                     "warm_up_jobs", (json_int_t)trial->result.warm_up, "unserved",
                     loom_json_number(trial->result.unserved), "batches",
                     (json_int_t)trial->result.batches, "replications",
                     (json_int_t)options->replications, "confidence", options->confidence, "seed",
                     (json_int_t)options->seed);
}

/* Add what was not shown first, in an object of its own. */
static int add_other(json_t *to, const struct loom_queueing_study *study,
                     const struct loom_queueing_trial *trial)
{
    bool exact = loom_trial_exact(study, trial);
    json_t *other = json_object();
    if (!other)
        return -1;
    int failed = exact ? add_simulated(other, study, trial) : add_exact(other, study, trial);
    if (failed)
        json_decref(other);
    return failed || json_object_set_new(to, exact ? "simulated" : "exact", other);
}

static json_t *trial_json(const struct loom_queueing_study *study,
                          const struct loom_queueing_trial *trial)
{
    json_t *object = json_object();
    int failed = !object || json_object_set_new(object, "model", model_json(&trial->model));
    if (!failed)
        failed = loom_trial_exact(study, trial) ? add_exact(object, study, trial)
                                                : add_simulated(object, study, trial);
    if (!failed && trial->solve && study->exact_first)
        failed = loom_json_merge(object, bounds_json(&trial->solved));
    if (!failed && trial->solve && trial->simulate)
        failed = add_other(object, study, trial);
    if (!failed && trial->simulate)
        failed = json_object_set_new(object, "simulation", simulation_json(trial));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* A cell of a sweep says where it stands. */
static json_t *cell_json(const struct loom_queueing_study *study, size_t index)
{
    size_t curve = index / study->points, point = index % study->points;
    json_t *object = json_object();
    int failed =
        !object || json_object_set_new(object, "curve", json_string(study->labels[curve])) ||
        (study->has_axis &&
         json_object_set_new(object, "value", loom_json_number(study->axis.values[point]))) ||
        loom_json_merge(object, trial_json(study, &study->trials[index]));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

json_t *loom_queueing_json(const struct loom_queueing_study *study)
{
    size_t n = study->curves * study->points;
    if (n == 1 && !study->has_axis)
        return trial_json(study, &study->trials[0]);
    json_t *object = json_object(), *cells = json_array();
    int failed = !object ||
                 json_object_set_new(object, "axis",
                                     study->has_axis ? json_string(study->axis.name) : json_null());
    for (size_t i = 0; i < n && !failed; i++)
        failed = json_array_append_new(cells, cell_json(study, i));
    if (!failed && json_object_set(object, "cells", cells) == 0) {
        json_decref(cells);
        return object;
    }
    json_decref(cells);
    json_decref(object);
    return NULL;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Text that goes to an output piece by piece; the first failure ends it. No field needs quotes. */
struct writer {
    struct loom_output *out;
    struct loom_error *err;
    int rc;
};

static void put_text(struct writer *to, const char *before, const char *text)
{
    if (!to->rc)
        to->rc = loom_output_printf(to->out, to->err, "%s%s", before, text);
}

static void put_number(struct writer *to, double value)
{
    if (!to->rc && isfinite(value))
        to->rc = loom_output_printf(to->out, to->err, ",%.15g", value);
    else
        put_text(to, ",", "");
}

/* The parts of a row: exact values, simulated ones, and their half-widths. */
struct parts {
    bool exact, simulated, both;
};

static struct parts parts_of(const struct loom_queueing_study *study)
{
    struct parts parts = {false, false, false};
    for (size_t i = 0; i < study->curves * study->points; i++) {
        parts.exact = parts.exact || study->trials[i].solve;
        parts.simulated = parts.simulated || study->trials[i].simulate;
    }
    parts.both = parts.exact && parts.simulated;
    return parts;
}

/* Where both are there, the second has a suffix. */
static void put_header(struct writer *to, const struct loom_queueing_study *study,
                       struct parts parts)
{
    bool exact_first = study->exact_first;
    put_text(to, "", "lambda,repeat,closed_users,think,service,servers");
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS; m++) {
        const char *key = loom_queueing_metric_at(m)->key;
        if (!loom_study_shows(study, m))
            continue;
        if (parts.exact) {
            put_text(to, ",", key);
            put_text(to, "", parts.both && !exact_first ? "_exact" : "");
        }
        if (parts.simulated) {
            put_text(to, ",", key);
            put_text(to, "", parts.both && exact_first ? "_simulated" : "");
            put_text(to, ",", key);
            put_text(to, "", "_half_width");
        }
    }
    put_text(to, parts.exact && exact_first ? ",phase,users_for_full" : "", "\n");
}

static void put_trial(struct writer *to, const struct loom_queueing_study *study,
                      const struct loom_queueing_trial *trial, struct parts parts)
{
    const struct loom_queueing_model *model = &trial->model;
    char text[80];
    if (!to->rc)
        to->rc = loom_output_printf(to->out, to->err, "%.15g", model->lambda);
    put_text(to, ",", loom_repeat_text(&model->repeat, text, sizeof text));
    put_number(to, (double)model->closed);
    put_text(to, ",", loom_think_text(&model->think, text, sizeof text));
    put_number(to, model->service);
    put_number(to, model->servers);
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS; m++) {
        if (!loom_study_shows(study, m))
            continue;
        if (parts.exact)
            put_number(to, trial->solve ? trial->exact[m] : NAN);
        if (parts.simulated) {
            put_number(to, trial->simulate ? trial->result.metrics[m].mean : NAN);
            put_number(to, trial->simulate ? trial->result.metrics[m].half_width : NAN);
        }
    }
    if (parts.exact && study->exact_first) {
        put_text(to, ",", trial->solve ? loom_mixed_phase_name(trial->solved.phase) : "");
        put_number(to, trial->solve ? trial->solved.users_for_full : NAN);
    }
    put_text(to, "", "\n");
}

int loom_queueing_csv(struct loom_output *out, const struct loom_queueing_study *study,
                      struct loom_error *err)
{
    struct writer to = {.out = out, .err = err};
    struct parts parts = parts_of(study);
    put_header(&to, study, parts);
    for (size_t i = 0; i < study->curves * study->points; i++)
        put_trial(&to, study, &study->trials[i], parts);
    return to.rc;
}
