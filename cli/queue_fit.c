/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom queue fit: queueing models of a log, beside TBUOS. */
#include "queue.h"

#include <jansson.h>
#include <string.h>

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

/* ---- results --------------------------------------------------------------------------------- */

static int write_queue_fit_report(const struct invocation *call,
                                  const struct loom_queueing_fitted_log *of,
                                  const struct loom_trace *trace, struct loom_pool *pool,
                                  struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_report *report = NULL;
    int rc = loom_report_queueing_fit(&report, of, pool, err);
    if (rc)
        return rc;
    loom_report_join(report, call->outputs);
    if (loom_params_given(params, "html"))
        rc = loom_report_queueing_fit_html(report, loom_params_text(params, "html"), of, trace,
                                           call->line, err);
    return end_report(report, rc, call, err);
}

static int write_queue_fit_csv(const struct invocation *call,
                               const struct loom_queueing_fitted_log *of, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, loom_params_text(call->params, "csv"), err);
    if (!rc)
        rc = loom_queueing_fit_csv(out, of, err);
    return end_output(out, rc, call, err);
}

static int print_tables(const struct invocation *call, const struct loom_queueing_fitted_log *of,
                        struct loom_error *err)
{
    struct loom_table *fitted = NULL, *predictions = NULL;
    int rc = loom_queueing_fit_table(&fitted, of->fit, err);
    if (rc)
        return rc;
    rc = print_table(fitted, err);
    if (!rc)
        rc = loom_queueing_predictions_table(&predictions, of, err);
    if (rc)
        return rc;
    loom_table_wide(predictions, loom_params_flag(call->params, "wide"));
    return print_next_table(predictions, err);
}

/* Is a re-open model more than a tenth below TBUOS? */
static bool is_low(const struct loom_queueing_fitted_log *of)
{
    for (size_t i = 0; i < of->n; i++)
        for (size_t model = 1; model < LOOM_QUEUEING_FITTED; model++)
            if (of->predictions[i].models[model].verdict == LOOM_PREDICTED &&
                of->predictions[i].models[model].throughput <
                    0.9 * of->predictions[i].simulated_throughput.mean)
                return true;
    return false;
}

static int report_fit(const struct invocation *call, const struct loom_queueing_fitted_log *of,
                      const struct loom_trace *trace, struct loom_pool *pool,
                      struct loom_error *err)
{
    const char *csv = loom_params_text(call->params, "csv");
    int rc = wants_report(call) ? write_queue_fit_report(call, of, trace, pool, err) : 0;
    if (!rc && csv)
        rc = write_queue_fit_csv(call, of, err);
    if (!rc && loom_params_flag(call->params, "json")) {
        json_t *fields = loom_queueing_fit_json(of);
        rc = print_fields(call, fields, !fields, err);
    } else if (!rc && !wants_report(call) && !(csv && strcmp(csv, "-") == 0)) {
        rc = print_tables(call, of, err);
    }
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && is_low(of))
        say(call, "re-open models are low where TBUOS's users, who are always active, submit more "
                  "than the log's, and where waits in one FCFS queue make users leave");
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

static int queue_fit_work(const struct invocation *call, struct loom_trace *trace,
                          struct loom_pool *pool, struct loom_error *err)
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
    const struct loom_queueing_fitted_log shown = {&of.fit, of.predictions, of.n};
    return rc ? rc : report_fit(call, &shown, trace, pool, err);
}

int fit_queue(const struct invocation *call, struct loom_error *err)
{
    int rc = check_queue_outputs(call, err);
    return rc ? rc : with_trace(call, queue_fit_work, err);
}
