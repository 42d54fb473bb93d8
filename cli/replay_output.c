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
    json_t *object =
        json_pack("{s:o, s:I, s:o}", "class", text_json(text), "from", (json_int_t) class->from,
                  "to", class->to == INT64_MAX ? json_null() : json_integer(class->to));
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
    json_t *object = errors_json(&run->all);
    json_t *rest =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "scheduler",
                  text_json(run->policy), "assumptions", assumptions_json(run->assumptions),
                  "user_jobs", value_json(run->user_jobs), "user_procs",
                  value_json(run->user_procs), "procs", value_json(run->procs),
                  "exceeded_thousandths", value_json(run->exceeded), "badness",
                  loom_json_number(run->misfit), "first_half", errors_json(&run->first),
                  "second_half", errors_json(&run->second));
    if (object && merge_json(object, rest) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* The submissions that are compared; null: all. */
static json_t *window_json(const struct loom_replay_report *report)
{
    const struct loom_trace_window *window = &report->window;
    return window->jobs == 0
               ? json_null()
               : json_pack("{s:I, s:I, s:I}", "from_s", (json_int_t)window->from_s, "to_s",
                           (json_int_t)window->to_s, "jobs_outside", (json_int_t)report->outside);
}

static int print_replay_json(const struct replay *replay, struct loom_error *err)
{
    const struct loom_read_report *input = loom_trace_report(replay->trace);
    const struct loom_replay_report *report = replay->report;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, input->hash);
    json_t *runs = json_array();
    int failed = !runs;
    for (size_t i = 0; i < report->n_runs && !failed; i++)
        failed = json_array_append_new(runs, run_json(&report->runs[i]));
    json_t *fields =
        json_pack("{s:o, s:s, s:I, s:I, s:I, s:o}", "file", text_json(input->file), "hash", hash,
                  "processors", (json_int_t)report->procs, "chosen", (json_int_t)report->chosen,
                  "middle_s", (json_int_t)report->middle_s, "window", window_json(report));
    failed |= !fields || merge_json(fields, run_json(&report->runs[0])) != 0 ||
              json_object_set_new(fields, "by", by_json(replay)) != 0;
    failed |= json_object_set_new(fields, "runs", runs) != 0;
    return print_fields(replay->call, fields, failed, err);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_sentence(void *context, const char *sentence)
{
    (void)loom_output_printf(context, NULL, "%s\n", sentence);
}

static int print_conclusions(const struct replay *replay, struct loom_error *err)
{
    struct loom_output *out = NULL;
    const char *resampled = loom_replay_resampled(replay->trace);
    int rc = loom_output_create(&out, "-", err);
    if (!rc && *resampled)
        rc = loom_output_printf(out, err, "%s\n", resampled);
    if (!rc) {
        loom_replay_conclusions(replay->report, print_sentence, out);
        rc = loom_output_printf(out, err, "\n");
    }
    return end_output(out, rc, NULL, err);
}

static int print_legend(const struct replay *replay, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_replay_legend(&table, replay->report, err);
    return rc ? rc : print_next_table(table, err);
}

static int print_classes(const struct replay *replay, struct loom_error *err)
{
    size_t kind = (size_t)loom_params_choice(replay->call->params, "by");
    struct loom_table *table = NULL;
    struct loom_output *out = NULL;
    int rc = loom_replay_classes_table(&table, replay->report->by[kind], replay->trace, err);
    if (rc)
        return rc;
    loom_table_wide(table, loom_params_flag(replay->call->params, "wide"));
    rc = print_next_table(table, err);
    if (!rc)
        rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_output_printf(out, err,
                                "(of the first run; 10 %%, 90 %%: percentiles of simulated minus "
                                "logged wait)\n");
    return end_output(out, rc, NULL, err);
}

static int print_replay_text(const struct replay *replay, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = print_conclusions(replay, err);
    if (!rc)
        rc = loom_replay_runs_table(&table, replay->report, err);
    if (!rc) {
        loom_table_wide(table, loom_params_flag(replay->call->params, "wide"));
        rc = print_table(table, err);
    }
    if (!rc)
        rc = print_legend(replay, err);
    return rc ? rc : print_classes(replay, err);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int csv_errors(struct loom_output *out, const struct loom_replay_errors *errors,
                      struct loom_error *err)
{
    const double values[] = {errors->wait_mean_log_s, errors->wait_mean_simulated_s,
                             errors->bias_s,          errors->abs_error_mean_s,
                             errors->error_p10_s,     errors->error_median_s,
                             errors->error_p90_s,     errors->rank_correlation};
    int rc = loom_output_printf(out, err, "%" PRId64, errors->jobs);
    for (size_t i = 0; i < sizeof values / sizeof *values && !rc; i++)
        rc = isnan(values[i]) ? loom_output_printf(out, err, ",")
                              : loom_output_printf(out, err, ",%.17g", values[i]);
    return rc ? rc : loom_output_printf(out, err, "\n");
}

/* One row for each run and part of the log, then one for each class of the first run. */
static int csv_rows(struct loom_output *out, const struct replay *replay, struct loom_error *err)
{
    static const char *const parts[] = {"all", "first half", "second half"};
    const struct loom_replay_report *report = replay->report;
    char text[200];
    int rc = loom_output_printf(out, err,
                                "scheduler,assumptions,by,class,jobs,wait_mean_log_s,"
                                "wait_mean_simulated_s,bias_s,abs_error_mean_s,error_p10_s,"
                                "error_median_s,error_p90_s,rank_correlation\n");
    for (size_t i = 0; i < 3 * report->n_runs && !rc; i++) {
        const struct loom_replay_run *run = &report->runs[i / 3];
        rc = loom_output_printf(out, err, "\"%s\",\"%s\",half,%s,", run->policy,
                                loom_replay_assumed(run, text, sizeof text), parts[i % 3]);
        if (!rc)
            rc = csv_errors(out,
                            i % 3 == 0   ? &run->all
                            : i % 3 == 1 ? &run->first
                                         : &run->second,
                            err);
    }
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++)
        for (size_t i = 0; i < report->by[kind]->count && !rc; i++) {
            loom_replay_class_text(report->by[kind], i, replay->trace, text, sizeof text);
            for (char *c = text; *c; c++)
                if (*c == '"')
                    *c = '\'';
            rc = loom_output_printf(out, err, "\"%s\",,%s,\"%s\",", report->runs[0].policy,
                                    loom_replay_kind_name((enum loom_replay_kind)kind), text);
            if (!rc)
                rc = csv_errors(out, &report->by[kind]->classes[i].errors, err);
        }
    return rc;
}

static int write_replay_csv(const struct replay *replay, const char *path, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = csv_rows(out, replay, err);
    return end_output(out, rc, replay->call, err);
}

static int write_replay_report(const struct replay *replay, struct loom_error *err)
{
    const struct loom_params *params = replay->call->params;
    struct loom_report *report = NULL;
    int rc = loom_report_replay(&report, replay->trace, replay->report, replay->pool, err);
    if (rc)
        return rc;
    loom_report_join(report, replay->call->outputs);
    if (loom_params_given(params, "html"))
        rc = loom_report_replay_html(report, loom_params_text(params, "html"), replay->report,
                                     replay->call->line, err);
    return end_report(report, rc, replay->call, err);
}

/* ---- all of it ------------------------------------------------------------------------------- */

int report_replay(const struct replay *replay, struct loom_error *err)
{
    const struct loom_params *params = replay->call->params;
    const char *csv = loom_params_text(params, "csv");
    bool taken = csv && strcmp(csv, "-") == 0;
    int rc = csv ? write_replay_csv(replay, csv, err) : 0;
    if (!rc && wants_report(replay->call))
        rc = write_replay_report(replay, err);
    if (!rc && loom_params_flag(params, "json"))
        rc = print_replay_json(replay, err);
    else if (!rc && !taken && !wants_report(replay->call))
        rc = print_replay_text(replay, err);
    if (!rc)
        rc = keep_outputs(replay->call, err);
    if (!rc)
        loom_replay_notes(replay->report, say_sentence, (void *)replay->call);
    return rc;
}
