/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What predict prints and writes of an evaluation. */
#include "predict.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Training has no table, page or figures. */
static int refuse_with_tuning(const struct invocation *call, struct loom_error *err)
{
    static const char *const results[] = {"by", "csv", "html", "figures", "json", "wide"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (loom_params_given(call->params, results[i]))
            return loom_fail(err, LOOM_EUSAGE,
                             "--tune excludes --%s; train first, then evaluate with --predictor "
                             "FILE",
                             results[i]);
    return 0;
}

int check_prediction_outputs(const struct invocation *call, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    const char *csv = loom_params_text(params, "csv");
    if (loom_params_given(params, "tune"))
        return refuse_with_tuning(call, err);
    if (loom_params_given(params, "by") && loom_params_given(params, "figures") &&
        !loom_params_given(params, "html") && !csv && !loom_params_flag(params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--by makes a table, for which --figures has no place: add --html FILE, "
                         "--csv FILE or --json");
    if (is_stdout(csv) &&
        (loom_params_flag(params, "json") || is_stdout(loom_params_text(params, "html"))))
        return loom_fail(err, LOOM_EUSAGE,
                         "--csv cannot go to stdout with --json or --html; name a file");
    int rc = check_report_outputs(call, err);
    if (!rc && csv)
        rc = refuse_same_file(call->operands[0], csv, err);
    if (!rc)
        rc = refuse_same_output(call, "html", "csv", err);
    return !rc && csv ? loom_output_check(csv, err) : rc;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int write_predict_csv(const struct invocation *call,
                             const struct loom_predictions *predictions, const char *path,
                             struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = loom_predictions_csv(out, predictions, err);
    return end_output(out, rc, call, err);
}

static int write_predict_report(const struct invocation *call,
                                const struct loom_predictions *predictions, struct loom_pool *pool,
                                struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_report *report = NULL;
    int rc = loom_report_predictions(&report, predictions, pool, err);
    if (rc)
        return rc;
    loom_report_join(report, call->outputs);
    if (loom_params_given(params, "html"))
        rc = loom_report_predictions_html(report, loom_params_text(params, "html"), predictions,
                                          call->line, err);
    return end_report(report, rc, call, err);
}

/* ---- the terminal ---------------------------------------------------------------------------- */

/* Jobs that ran past the requested time: even the runtime itself is cut there as a prediction. */
static int64_t count_past_request(const struct loom_predictions *predictions)
{
    const struct loom_evaluation *first = predictions->of[0].evaluation;
    const struct loom_jobs *jobs = loom_trace_jobs(predictions->trace);
    int64_t past = 0;
    for (size_t i = 0; i < first->n; i++) {
        uint32_t row = first->jobs[i].row;
        past += jobs->request_s[row] > 0 && jobs->run_s[row] > jobs->request_s[row];
    }
    return past;
}

/* Write which jobs the numbers are of, below the table. */
static int write_evaluated(struct loom_output *out, const struct loom_predictions *predictions,
                           struct loom_error *err)
{
    const struct loom_evaluation *first = predictions->of[0].evaluation;
    char all[JOBS_SIZE], before[LOOM_HUMAN], past[LOOM_HUMAN];
    int64_t n_past = count_past_request(predictions);
    int rc = 0;
    if (first->history > 0)
        rc = loom_output_printf(out, err,
                                "(of the last %s by submission; the %s before them are history)\n",
                                jobs_text((int64_t)first->n, all, sizeof all),
                                loom_human_count((int64_t)first->history, before, sizeof before));
    if (!rc && n_past > 0)
        rc = loom_output_printf(out, err, "(no prediction is past the requested time, but %s %s)\n",
                                loom_human_count(n_past, past, sizeof past),
                                n_past == 1 ? "runtime is" : "runtimes are");
    return rc;
}

/* Print the table and what is below it as one output: a reader that has enough of it and leaves
 * does not make the command fail. */
static int print_evaluation(const struct loom_table *table,
                            const struct loom_predictions *predictions, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_table_write(table, out, err);
    if (!rc)
        rc = write_evaluated(out, predictions, err);
    return end_output(out, rc, NULL, err);
}

static int print_predictions(const struct invocation *call,
                             const struct loom_predictions *predictions, struct loom_error *err)
{
    struct loom_table *table = NULL;
    if (loom_params_flag(call->params, "json")) {
        json_t *fields = loom_predictions_json(predictions);
        return print_fields(call, fields, !fields, err);
    }
    if (wants_report(call) || is_stdout(loom_params_text(call->params, "csv")))
        return 0;
    int rc = predictions->by == LOOM_NOT_CLASSIFIED
                 ? loom_predictions_table(&table, predictions, err)
                 : loom_predicted_classes_table(&table, predictions,
                                                (enum loom_predicted_by)predictions->by, err);
    if (rc)
        return rc;
    loom_table_limit(table, terminal_width());
    loom_table_wide(table, loom_params_flag(call->params, "wide"));
    rc = print_evaluation(table, predictions, err);
    loom_table_destroy(table);
    return rc;
}

/* Say which attributes no job has: "no job has requested memory, a queue or an executable". */
static void say_absent(const struct invocation *call, const struct loom_evaluation *first)
{
    const struct {
        int64_t unknown;
        const char *what;
    } attributes[] = {
        {first->memory_unknown, "requested memory"},
        {first->users_unknown, "a user"},
        {first->groups_unknown, "a group"},
        {first->queues_unknown, "a queue"},
        {first->executables_unknown, "an executable"},
    };
    const char *absent[sizeof attributes / sizeof *attributes];
    size_t n = 0, used = 0;
    char text[200] = "";
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].unknown == (int64_t)(first->history + first->n))
            absent[n++] = attributes[i].what;
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 i == 0       ? ""
                                 : i + 1 == n ? " or "
                                              : ", ",
                                 absent[i]);
    if (n > 0)
        say(call, "no job has %s; predictors go by the rest", text);
}

static void say_unknown(const struct invocation *call, const struct loom_evaluation *first)
{
    char jobs[JOBS_SIZE];
    bool none = first->requests_unknown == (int64_t)(first->history + first->n);
    if (first->left_out > 0)
        say(call, "left out %s without submit time, runtime or processors",
            jobs_text(first->left_out, jobs, sizeof jobs));
    if (first->waits_unknown > 0)
        say(call, "%s without a wait: taken to start when submitted",
            jobs_text(first->waits_unknown, jobs, sizeof jobs));
    if (none)
        say(call, "no job has a requested time; the mean runtime so far takes its place");
    else if (first->requests_unknown > 0)
        say(call, "%s without a requested time; the mean runtime so far takes its place",
            jobs_text(first->requests_unknown, jobs, sizeof jobs));
    say_absent(call, first);
}

int show_predictions(const struct invocation *call, const struct loom_predictions *predictions,
                     struct loom_pool *pool, struct loom_error *err)
{
    const char *csv = loom_params_text(call->params, "csv");
    int rc = wants_report(call) ? write_predict_report(call, predictions, pool, err) : 0;
    if (!rc && csv)
        rc = write_predict_csv(call, predictions, csv, err);
    if (!rc)
        rc = print_predictions(call, predictions, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && !loom_params_flag(call->params, "json"))
        say_unknown(call, predictions->of[0].evaluation);
    return rc;
}
