/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing models fitted to a log as JSON and CSV. */
#include "base/json.h"

#include <workloom/report.h>

#include <jansson.h>
#include <math.h>
#include <string.h>

static const char *verdict_name(enum loom_queueing_verdict verdict)
{
    static const char *const names[] = {
        [LOOM_PREDICTED] = "predicted", [LOOM_UNSTABLE] = "unstable", [LOOM_UNFITTED] = "unfitted"};
    return names[verdict];
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *rule_json(const struct loom_queueing_rule_fit *fit)
{
    return json_pack("{s:o, s:o}", "value", loom_json_number(fit->repeat.value), "misfit",
                     loom_json_number(fit->misfit));
}

static json_t *bin_json(const struct loom_queueing_bin *bin)
{
    return json_pack("{s:o, s:I, s:o, s:o, s:o}", "response_s", loom_json_number(bin->response_s),
                     "batches", (json_int_t)bin->batches, "share", loom_json_number(bin->share),
                     "low", loom_json_number(bin->low), "high", loom_json_number(bin->high));
}

static json_t *sessions_json(const struct loom_queueing_sessions *of)
{
    json_t *object =
        json_pack("{s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "sessions", (json_int_t)of->sessions,
                  "batches", (json_int_t)of->batches, "jobs", (json_int_t)of->jobs, "lambda",
                  loom_json_number(of->lambda), "service_s", loom_json_number(of->service_s),
                  "think_s", loom_json_number(of->think_s), "shmueli_per_minute",
                  loom_json_number(of->shmueli_per_minute));
    json_t *rules = json_object(), *bins = json_array();
    int failed = !object || !rules || !bins;
    for (size_t i = 0; i < LOOM_QUEUEING_RULE_FITS && !failed; i++)
        failed =
            json_object_set_new(rules, loom_queueing_fitted_name(i + 1), rule_json(&of->rules[i]));
    for (size_t i = 0; i < of->n_bins && !failed; i++)
        failed = json_array_append_new(bins, bin_json(&of->bins[i]));
    failed =
        failed || json_object_set(object, "rules", rules) || json_object_set(object, "bins", bins);
    json_decref(rules);
    json_decref(bins);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *fit_json(const struct loom_queueing_fit *fit)
{
    return json_pack("{s:I, s:I, s:o, s:{s:o, s:I, s:o, s:o}, s:{s:o, s:o, s:o, s:o, s:o}, s:o}",
                     "long_term_users", (json_int_t)fit->long_term, "temporary_users",
                     (json_int_t)fit->temporary, "service_s", loom_json_number(fit->service_s),
                     "mixed", "lambda", loom_json_number(fit->lambda), "users",
                     (json_int_t)fit->users, "think_s", loom_json_number(fit->think_s), "cycle_s",
                     loom_json_number(fit->cycle_s), "reopen", "lambda",
                     loom_json_number(fit->user_lambda), "p", loom_json_number(fit->repeat),
                     "think_s", loom_json_number(fit->user_think_s), "jobs_per_user",
                     loom_json_number(fit->jobs_per_user), "lambda_jobs",
                     loom_json_number(fit->lambda), "sessions", sessions_json(&fit->sessions));
}

static json_t *predicted_json(const struct loom_queueing_prediction *of, size_t model)
{
    const struct loom_queueing_predicted *by = &of->models[model];
    return json_pack("{s:s, s:o, s:o, s:o}", "verdict", verdict_name(by->verdict), "throughput",
                     loom_json_number(by->throughput), "utilization",
                     loom_json_number(by->utilization), "error",
                     loom_json_number(by->throughput / of->simulated_throughput.mean - 1));
}

static json_t *prediction_json(const struct loom_queueing_prediction *of)
{
    const struct loom_estimate *got = &of->simulated_throughput;
    json_t *models = json_object();
    int failed = !models;
    for (size_t m = 0; m < LOOM_QUEUEING_FITTED && !failed; m++)
        failed = json_object_set_new(models, loom_queueing_fitted_name(m), predicted_json(of, m));
    if (failed) {
        json_decref(models);
        return NULL;
    }
    return json_pack("{s:f, s:o, s:o, s:o, s:o}", "load_factor", of->load_factor,
                     "tbuos_throughput", loom_json_number(got->mean), "tbuos_throughput_half_width",
                     loom_json_number(got->half_width), "tbuos_utilization",
                     loom_json_number(of->simulated_utilization.mean), "models", models);
}

json_t *loom_queueing_fit_json(const struct loom_queueing_fitted_log *of)
{
    json_t *object = fit_json(of->fit), *list = json_array();
    int failed = !object || !list;
    for (size_t i = 0; i < of->n && !failed; i++)
        failed = json_array_append_new(list, prediction_json(&of->predictions[i]));
    failed = failed || json_object_set(object, "predictions", list);
    json_decref(list);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

enum { FIELD = 40 };

/* A number as a field of its own, empty where it is not finite. */
static const char *field(double value, char *buf)
{
    *buf = '\0';
    if (isfinite(value))
        snprintf(buf, FIELD, "%.15g", value);
    return buf;
}

static int put_row(struct loom_output *out, const struct loom_queueing_fit *fit,
                   const struct loom_queueing_prediction *of, size_t model, struct loom_error *err)
{
    const struct loom_queueing_predicted *by = &of->models[model];
    const struct loom_queueing_model with =
        model == 0 ? loom_queueing_fit_mixed(fit, of->load_factor)
                   : loom_queueing_fit_sessions(fit, model - 1, of->load_factor);
    char repeat[FIELD] = "", half_width[FIELD], texts[4][FIELD];
    if (by->verdict != LOOM_UNFITTED)
        loom_repeat_text(&with.repeat, repeat, sizeof repeat);
    return loom_output_printf(out, err,
                              "%.15g,%s,%.15g,%s,%llu,%.15g,%.15g,%s,%s,%s,%.15g,%s,%.15g,%s\n",
                              of->load_factor, loom_queueing_fitted_name(model), with.lambda,
                              repeat, (unsigned long long)with.closed, with.think.mean,
                              with.service, verdict_name(by->verdict),
                              field(by->throughput, texts[0]), field(by->utilization, texts[1]),
                              of->simulated_throughput.mean,
                              field(of->simulated_throughput.half_width, half_width),
                              of->simulated_utilization.mean,
                              field(by->throughput / of->simulated_throughput.mean - 1, texts[2]));
}

int loom_queueing_fit_csv(struct loom_output *out, const struct loom_queueing_fitted_log *of,
                          struct loom_error *err)
{
    int rc = loom_output_printf(out, err,
                                "load_factor,model,lambda,repeat,closed_users,think_s,service_s,"
                                "verdict,throughput,utilization,tbuos_throughput,"
                                "tbuos_throughput_half_width,tbuos_utilization,error\n");
    for (size_t i = 0; i < of->n && !rc; i++)
        for (size_t m = 0; m < LOOM_QUEUEING_FITTED && !rc; m++)
            rc = put_row(out, of->fit, &of->predictions[i], m, err);
    return rc;
}
