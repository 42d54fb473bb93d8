/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What replay prints: tables, JSON, and what should be known of the log. */
#include "replay.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *errors_json(const struct loom_replay_errors *errors)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "jobs",
                     (json_int_t)errors->jobs, "wait_mean_log_s",
                     loom_json_number(errors->wait_mean_log_s), "wait_mean_simulated_s",
                     loom_json_number(errors->wait_mean_simulated_s), "bias_s",
                     loom_json_number(errors->bias_s), "abs_error_mean_s",
                     loom_json_number(errors->abs_error_mean_s), "error_p10_s",
                     loom_json_number(errors->error_p10_s), "error_median_s",
                     loom_json_number(errors->error_median_s), "error_p90_s",
                     loom_json_number(errors->error_p90_s), "rank_correlation",
                     loom_json_number(errors->rank_correlation));
}

static json_t *class_json(const struct loom_replay_classes *classes, size_t at,
                          const struct loom_trace *trace)
{
    const struct loom_replay_class *class = &classes->classes[at];
    char text[80];
    loom_replay_class_text(classes, at, trace, text, sizeof text);
    json_t *object = json_pack("{s:o, s:I, s:o}", "class", text_json(text), "from",
                               (json_int_t) class->from, "to",
                               class->to == INT64_MAX ? json_null() : json_integer(class->to));
    if (object && merge_json(object, errors_json(&class->errors)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *by_json(const struct replay *replay)
{
    json_t *by = json_object();
    int failed = !by;
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS && !failed; kind++) {
        const struct loom_replay_classes *classes = replay->report->by[kind];
        json_t *list = json_array();
        failed = !list || json_object_set_new(by, loom_replay_kind_name(classes->kind), list);
        for (size_t i = 0; i < classes->count && !failed; i++)
            failed = json_array_append_new(list, class_json(classes, i, replay->trace));
    }
    if (!failed)
        return by;
    json_decref(by);
    return NULL;
}

static json_t *assumptions_json(unsigned assumptions)
{
    json_t *list = json_array();
    int failed = !list;
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && !failed; i++)
        if (assumptions & 1u << i)
            failed = json_array_append_new(list, json_string(loom_assumption_name(i)));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

/* A fitted value, null where there is none. */
static json_t *value_json(int64_t value)
{
    return value > 0 ? json_integer(value) : json_null();
}

static json_t *run_json(const struct loom_replay_run *run)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "scheduler",
                               text_json(run->policy), "assumptions",
                               assumptions_json(run->assumptions), "user_jobs",
                               value_json(run->user_jobs), "user_procs",
                               value_json(run->user_procs), "procs", value_json(run->procs),
                               "first_half", errors_json(&run->first), "second_half",
                               errors_json(&run->second));
    if (object && merge_json(object, errors_json(&run->all)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static int print_json(const struct replay *replay, struct loom_error *err)
{
    const struct loom_read_report *input = loom_trace_report(replay->trace);
    const struct loom_replay_report *report = replay->report;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, input->hash);
    json_t *runs = json_array();
    int failed = !runs;
    for (size_t i = 0; i < report->n_runs && !failed; i++)
        failed = json_array_append_new(runs, run_json(&report->runs[i]));
    json_t *fields = json_pack("{s:o, s:s, s:I}", "file", text_json(input->file), "hash", hash,
                               "procs", (json_int_t)report->procs);
    failed |= !fields || merge_json(fields, run_json(&report->runs[0])) != 0 ||
              json_object_set_new(fields, "by", by_json(replay)) != 0;
    failed |= json_object_set_new(fields, "runs", runs) != 0;
    return print_fields(replay->call, fields, failed, err);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int signed_share(struct loom_table *table, double share, struct loom_error *err)
{
    return isnan(share) ? loom_table_cell(table, err, "-")
                        : loom_table_cell(table, err, "%+.1f %%", 100 * share);
}

static int add_errors(struct loom_table *table, const struct loom_replay_errors *errors,
                      struct loom_error *err)
{
    int rc = count_cell(table, errors->jobs, err);
    if (!rc)
        rc = seconds_cell(table, errors->wait_mean_log_s, err);
    if (!rc)
        rc = seconds_cell(table, errors->wait_mean_simulated_s, err);
    if (!rc)
        rc = signed_share(table, loom_replay_bias(errors), err);
    if (!rc)
        rc = seconds_cell(table, errors->abs_error_mean_s, err);
    return rc ? rc : number_cell(table, errors->rank_correlation, err);
}

static int print_runs(const struct replay *replay, struct loom_error *err)
{
    static const struct table_column columns[] = {
        {"policy", LOOM_LEFT, LOOM_KEEP},     {"jobs", LOOM_RIGHT, 3},
        {"logged wait", LOOM_RIGHT, 5},       {"simulated", LOOM_RIGHT, 6},
        {"bias", LOOM_RIGHT, LOOM_KEEP},      {"mean |error|", LOOM_RIGHT, 7},
        {"rank corr.", LOOM_RIGHT, LOOM_KEEP}, {"first half", LOOM_RIGHT, 7},
        {"second half", LOOM_RIGHT, 8},
    };
    const struct loom_replay_report *report = replay->report;
    struct loom_table *table = NULL;
    int rc = new_table(&table, replay->call, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < report->n_runs && !rc; i++) {
        rc = loom_table_cell(table, err, "%s", report->runs[i].policy);
        if (!rc)
            rc = add_errors(table, &report->runs[i].all, err);
        if (!rc)
            rc = signed_share(table, loom_replay_bias(&report->runs[i].first), err);
        if (!rc)
            rc = signed_share(table, loom_replay_bias(&report->runs[i].second), err);
    }
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static int print_classes(const struct replay *replay, struct loom_error *err)
{
    static const struct table_column columns[] = {
        {"jobs", LOOM_RIGHT, 3},         {"logged wait", LOOM_RIGHT, 5},
        {"simulated", LOOM_RIGHT, 6},    {"bias", LOOM_RIGHT, LOOM_KEEP},
        {"mean |error|", LOOM_RIGHT, 7}, {"rank corr.", LOOM_RIGHT, LOOM_KEEP},
    };
    const struct loom_replay_classes *classes =
        replay->report->by[loom_params_choice(replay->call->params, "by")];
    struct loom_table *table = NULL;
    char text[80];
    int rc = new_table(&table, replay->call, err);
    if (!rc)
        rc = loom_table_column(table, loom_replay_kind_name(classes->kind), LOOM_LEFT, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < classes->count && !rc; i++) {
        rc = loom_table_cell(
            table, err, "%s",
            loom_replay_class_text(classes, i, replay->trace, text, sizeof text));
        if (!rc)
            rc = add_errors(table, &classes->classes[i].errors, err);
    }
    if (!rc)
        return print_next_table(table, err);
    loom_table_destroy(table);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int report_replay(const struct replay *replay, struct loom_error *err)
{
    if (loom_params_flag(replay->call->params, "json"))
        return print_json(replay, err);
    int rc = print_runs(replay, err);
    return rc ? rc : print_classes(replay, err);
}
