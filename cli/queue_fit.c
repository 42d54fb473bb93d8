/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom queue fit: queueing models of a log, beside TBUOS. */
#include "queue.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_FACTORS = 20 };

const struct loom_param queue_fit_params[] = {
    {.name = "load-factor",
     .type = LOOM_PARAM_TEXT,
     .value = "1",
     .metavar = "LIST",
     .help = "fit: numbers of users to predict and simulate, as multiples of the log's"},
    {.name = "scheduler",
     .letter = 's',
     .type = LOOM_PARAM_TEXT,
     .value = "easy",
     .metavar = "POLICY",
     .help = "fit: policy of the simulation"},
    {.name = "feedback",
     .type = LOOM_PARAM_TEXT,
     .value = "fluid",
     .metavar = "BEHAVIOUR",
     .help = "fit: how its users react ('workloom help feedback')"},
    {.name = NULL},
};

struct fitted {
    struct loom_queueing_fit fit;
    struct loom_queueing_prediction predictions[MOST_FACTORS];
    size_t n;
};

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *fit_json(const struct loom_queueing_fit *fit)
{
    return json_pack("{s:I, s:I, s:o, s:{s:o, s:I, s:o, s:o}, s:{s:o, s:o, s:o, s:o, s:o}}",
                     "long_term_users", (json_int_t)fit->long_term, "temporary_users",
                     (json_int_t)fit->temporary, "service_s", loom_json_number(fit->service_s),
                     "mixed", "lambda", loom_json_number(fit->lambda), "users",
                     (json_int_t)fit->users, "think_s", loom_json_number(fit->think_s), "cycle_s",
                     loom_json_number(fit->cycle_s), "reopen", "lambda",
                     loom_json_number(fit->user_lambda), "p", loom_json_number(fit->repeat),
                     "think_s", loom_json_number(fit->user_think_s), "jobs_per_user",
                     loom_json_number(fit->jobs_per_user), "lambda_jobs",
                     loom_json_number(fit->lambda));
}

static json_t *prediction_json(const struct loom_queueing_prediction *of)
{
    const struct loom_estimate *got = &of->simulated_throughput;
    return json_pack("{s:f, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "load_factor", of->load_factor,
                     "stable", of->stable, "throughput", loom_json_number(of->throughput),
                     "utilization", loom_json_number(of->utilization), "tbuos_throughput",
                     loom_json_number(got->mean), "tbuos_throughput_half_width",
                     loom_json_number(got->half_width), "tbuos_utilization",
                     loom_json_number(of->simulated_utilization.mean), "error",
                     loom_json_number(of->throughput / got->mean - 1));
}

static int print_fit_json(const struct invocation *call, const struct fitted *of,
                          struct loom_error *err)
{
    json_t *fields = fit_json(&of->fit), *list = json_array();
    int failed = !fields || !list;
    for (size_t i = 0; i < of->n && !failed; i++)
        failed = json_array_append_new(list, prediction_json(&of->predictions[i]));
    if (failed || json_object_set(fields, "predictions", list))
        failed = 1;
    json_decref(list);
    return print_fields(call, fields, failed, err);
}

/* ---- text ------------------------------------------------------------------------------------ */

static int add_row(struct loom_table *table, const char *what, const char *value,
                   struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", what);
    return rc ? rc : loom_table_cell(table, err, "%s", value);
}

static int print_fit(const struct invocation *call, const struct loom_queueing_fit *fit,
                     struct loom_error *err)
{
    const struct table_column columns[] = {{"fitted to the log", LOOM_LEFT, LOOM_KEEP},
                                           {"value", LOOM_RIGHT, LOOM_KEEP}};
    const struct {
        const char *what;
        double value;
        bool time;
    } rows[] = {
        {"S: machine's seconds per job (work over processors)", fit->service_s, true},
        {"mixed: lambda, jobs of temporary users per day", fit->lambda * 86400, false},
        {"mixed: N, long-term users", (double)fit->users, false},
        {"mixed: Z, think time with the runtime beyond S", fit->think_s, true},
        {"reopen: lambda, temporary users per day", fit->user_lambda * 86400, false},
        {"reopen: p, from jobs per user", fit->repeat, false},
        {"reopen: Z, from a job's end to the next", fit->user_think_s, true},
    };
    struct loom_table *table = NULL;
    char text[LOOM_HUMAN];
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = add_columns(table, columns, 2, err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !rc; i++)
        rc = add_row(table, rows[i].what,
                     rows[i].time ? loom_human_seconds(rows[i].value, text, sizeof text)
                                  : loom_human_number(rows[i].value, text, sizeof text),
                     err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static int add_prediction(struct loom_table *table, const struct loom_queueing_prediction *of,
                          struct loom_error *err)
{
    const struct loom_estimate *got = &of->simulated_throughput;
    int rc = loom_table_cell(table, err, "%g", of->load_factor);
    if (!rc)
        rc = of->stable ? loom_table_cell(table, err, "%.1f", of->throughput * 86400)
                        : loom_table_cell(table, err, "no steady state");
    if (!rc)
        rc = isnan(got->half_width) ? loom_table_cell(table, err, "%.1f", got->mean * 86400)
                                    : loom_table_cell(table, err, "%.1f ± %.1f", got->mean * 86400,
                                                      got->half_width * 86400);
    if (!rc)
        rc = of->stable
                 ? loom_table_cell(table, err, "%+.1f %%", 100 * (of->throughput / got->mean - 1))
                 : loom_table_cell(table, err, "-");
    if (!rc)
        rc = share_cell(table, of->utilization, err);
    return rc ? rc : share_cell(table, of->simulated_utilization.mean, err);
}

static int print_predictions(const struct invocation *call, const struct fitted *of,
                             struct loom_error *err)
{
    const struct table_column columns[] = {{"users", LOOM_RIGHT, LOOM_KEEP},
                                           {"model, jobs/day", LOOM_RIGHT, LOOM_KEEP},
                                           {"TBUOS, jobs/day", LOOM_RIGHT, LOOM_KEEP},
                                           {"error", LOOM_RIGHT, LOOM_KEEP},
                                           {"model utilization", LOOM_RIGHT, 3},
                                           {"TBUOS utilization", LOOM_RIGHT, 3}};
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < of->n && !rc; i++)
        rc = add_prediction(table, &of->predictions[i], err);
    if (!rc)
        return print_next_table(table, err);
    loom_table_destroy(table);
    return rc;
}

/* ---- the work -------------------------------------------------------------------------------- */

static int take_factors(struct fitted *out, const struct invocation *call, struct loom_error *err)
{
    struct loom_numbers numbers = {.n = 0};
    int rc = loom_numbers_add(&numbers, loom_params_text(call->params, "load-factor"), 1e-3, 1e3,
                              "load-factor", err);
    if (!rc && numbers.n > MOST_FACTORS)
        rc = loom_fail(err, LOOM_EUSAGE, "--load-factor names more than %d numbers", MOST_FACTORS);
    out->n = rc ? 0 : numbers.n;
    for (size_t i = 0; i < out->n; i++)
        out->predictions[i].load_factor = numbers.items[i];
    return rc;
}

static int fit(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
               struct loom_error *err)
{
    const struct loom_params *params = call->params;
    const struct loom_user_rule rule = loom_user_rule();
    struct loom_queueing_comparison how = {
        .scenario = loom_scenario(),
        .behaviour = loom_params_text(params, "feedback"),
        .rule = &rule,
        .replications = loom_params_given(params, "replications")
                            ? (uint64_t)loom_params_int(params, "replications")
                            : 10,
        .confidence = loom_params_real(params, "confidence"),
    };
    struct fitted of = {.n = 0};
    how.scenario.trace = trace;
    how.scenario.policy = loom_params_text(params, "scheduler");
    how.scenario.seed = seed_of(call);
    int rc = take_factors(&of, call, err);
    if (!rc)
        rc = name_trace(loom_queueing_fit(&of.fit, trace, 0, &rule, err), trace, err);
    if (!rc)
        rc = name_trace(loom_queueing_predict(of.predictions, of.n, &of.fit, &how, pool, err),
                        trace, err);
    if (!rc && loom_params_flag(params, "json"))
        return print_fit_json(call, &of, err);
    if (!rc)
        rc = print_fit(call, &of.fit, err);
    return rc ? rc : print_predictions(call, &of, err);
}

int fit_queue(const struct invocation *call, struct loom_error *err)
{
    return with_trace(call, fit, err);
}
