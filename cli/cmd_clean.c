/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom clean: drop what should not be there, and account for every job dropped. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct loom_param clean_params[] = {
    {.name = "dropped",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write the dropped jobs to FILE"},
    {.name = "dry-run", .type = LOOM_PARAM_FLAG, .help = "only report, write nothing"},
    {.name = NULL},
};

/* ---- the report ------------------------------------------------------------------------------ */

static int64_t count_dropped(const struct loom_cleaning *cleaning)
{
    int64_t dropped = 0;
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning); i++)
        dropped += loom_cleaning_reason(cleaning, i)->jobs;
    return dropped;
}

static int report_clean_json(const struct invocation *call, const struct loom_cleaning *cleaning,
                             int64_t before, int64_t left_out, struct loom_error *err)
{
    json_t *reasons = json_array();
    bool failed = false;
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning); i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        json_t *item = json_pack("{s:s, s:o, s:I}", "rule", reason->rule, "text",
                                 text_json(reason->text), "jobs", (json_int_t)reason->jobs);
        failed |= json_array_append_new(reasons, item);
    }
    int64_t dropped = count_dropped(cleaning);
    json_t *rest = json_pack("{s:I, s:I, s:I, s:I, s:o}", "jobs", (json_int_t)before, "left_out",
                             (json_int_t)left_out, "dropped", (json_int_t)dropped, "kept",
                             (json_int_t)(before - dropped), "reasons", reasons);
    return print_fields(call, rest, failed, err);
}

static int add_clean_row(struct loom_table *table, int64_t jobs, const char *rule, const char *text,
                         struct loom_error *err)
{
    int rc = count_cell(table, jobs, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", rule);
    return rc ? rc : loom_table_cell(table, err, "%s", text);
}

static int fill_clean_table(struct loom_table *table, const struct loom_cleaning *cleaning,
                            int64_t before, int64_t left_out, struct loom_error *err)
{
    int rc = loom_table_column(table, "jobs", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "rule", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "why", LOOM_LEFT, err);
    if (!rc)
        rc = add_clean_row(table, before + left_out, "", "read", err);
    if (!rc && left_out > 0)
        rc = add_clean_row(table, -left_out, "", "not selected", err);
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning) && !rc; i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        rc = add_clean_row(table, -reason->jobs, reason->rule, reason->text, err);
    }
    return rc ? rc : add_clean_row(table, before - count_dropped(cleaning), "", "kept", err);
}

static int report_clean_text(const struct invocation *call, const struct loom_cleaning *cleaning,
                             int64_t before, int64_t left_out, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = fill_clean_table(table, cleaning, before, left_out, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

/* The same on stderr, where stdout is taken by jobs. */
static void report_messages(const struct invocation *call, const struct loom_cleaning *cleaning,
                            int64_t before)
{
    char jobs[JOBS_SIZE], kept[LOOM_HUMAN];
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning); i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        say(call, "dropped %s by rule %s (%s)", jobs_text(reason->jobs, jobs, sizeof jobs),
            reason->rule, reason->text);
    }
    say(call, "kept %s of %s",
        loom_human_count(before - count_dropped(cleaning), kept, sizeof kept),
        jobs_text(before, jobs, sizeof jobs));
}

/* Flurries are bursts. A log that loses more than a fifth of its jobs to them should be looked at;
 * where they are more than half, as in none of the originals in docs/validation/trace.md, they may
 * be the normal use of the machine. */
#define MANY_IN_FLURRIES 0.2
#define MOST_IN_FLURRIES 0.5

static double share_in_flurries(const struct loom_cleaning *cleaning, int64_t before)
{
    int64_t jobs = 0;
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning); i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        jobs += strcmp(reason->rule, "flurry") == 0 ? reason->jobs : 0;
    }
    return before > 0 ? (double)jobs / (double)before : 0;
}

static void warn_flurries(const struct invocation *call, const struct loom_cleaning *cleaning,
                          int64_t before)
{
    double share = share_in_flurries(cleaning, before);
    bool dry = loom_params_flag(call->params, "dry-run");
    const char *list = dry ? "the list" : "the list (in the header of OUT)";
    char text[LOOM_HUMAN];
    if (share <= MANY_IN_FLURRIES || loom_params_given(call->params, "flurry"))
        return;
    loom_human_share(share, text, sizeof text);
    if (share > MOST_IN_FLURRIES)
        warn(
            "warning: %s of the jobs are in flurries, which may be no bursts but the normal use of "
            "this log; check %s",
            text, list);
    else
        say(call, "%s of the jobs are in flurries; check %s", text, list);
}

/* ---- the work -------------------------------------------------------------------------------- */

/* Say in the header of the dropped jobs what they are, and why they went. */
static int note_reasons(struct loom_trace *dropped, const struct loom_cleaning *cleaning,
                        struct loom_error *err)
{
    int rc =
        loom_trace_add_directive(dropped, "Note", "THESE ARE THE JOBS THAT CLEANING DROPPED", err);
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning) && !rc; i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        char *text;
        if (asprintf(&text, "      %s: %s (%" PRId64 " %s)", reason->rule, reason->text,
                     reason->jobs, reason->jobs == 1 ? "job" : "jobs") < 0)
            return loom_fail_memory(err);
        rc = loom_trace_add_directive(dropped, "", text, err);
        free(text);
    }
    return rc;
}

static int write_dropped(const struct invocation *call, const struct loom_trace *trace,
                         const struct loom_cleaning *cleaning, struct loom_pool *pool,
                         struct loom_error *err)
{
    size_t n = loom_trace_count(trace);
    const uint32_t *marks = loom_cleaning_marks(cleaning);
    uint8_t *keep = malloc(n ? n : 1);
    if (!keep)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        keep[i] = marks[i] == 0;
    struct loom_trace *dropped = NULL;
    int rc = loom_trace_subset(&dropped, trace, keep, 0, err);
    free(keep);
    if (!rc)
        rc = note_reasons(dropped, cleaning, err);
    if (!rc)
        rc = update_records(dropped, err);
    if (!rc)
        rc = record_origin(dropped, loom_trace_report(trace), call, err);
    if (!rc)
        rc = write_trace(dropped, call, loom_params_text(call->params, "dropped"), pool, err);
    loom_trace_destroy(dropped);
    return rc;
}

/* The dropped jobs are written first, as the rest is what the trace becomes. */
static int write_results(const struct invocation *call, struct loom_trace *trace,
                         const struct loom_cleaning *cleaning, struct loom_pool *pool,
                         struct loom_error *err)
{
    int rc = 0;
    if (loom_params_flag(call->params, "dry-run"))
        return 0;
    if (loom_params_given(call->params, "dropped"))
        rc = write_dropped(call, trace, cleaning, pool, err);
    if (rc)
        return rc;
    rc = loom_cleaning_apply(cleaning, trace, err);
    if (!rc)
        rc = record_origin(trace, loom_trace_report(trace), call, err);
    if (!rc)
        rc = write_trace(trace, call, call->operands[1], pool, err);
    return rc;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Do jobs go to stdout? */
static bool jobs_to_stdout(const struct invocation *call)
{
    if (loom_params_flag(call->params, "dry-run"))
        return false;
    return is_stdout(loom_params_text(call->params, "dropped")) ||
           (call->n_operands > 1 && is_stdout(call->operands[1]));
}

/* Files are written before results are printed and appear after that: none is left behind if
 * printing fails, and nothing is printed about jobs that cannot be written. */
static int clean(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                 struct loom_error *err)
{
    struct loom_cleaning *cleaning = NULL;
    int64_t left_out = 0;
    int rc = apply_selection(trace, call, &left_out, err);
    int64_t before = (int64_t)loom_trace_count(trace);
    if (!rc)
        rc = loom_cleaning_create(&cleaning, trace, call->params, err);
    if (!rc)
        rc = write_results(call, trace, cleaning, pool, err);
    if (!rc && loom_params_flag(call->params, "json"))
        rc = report_clean_json(call, cleaning, before, left_out, err);
    else if (!rc && !jobs_to_stdout(call) && !loom_params_flag(call->params, "quiet"))
        rc = report_clean_text(call, cleaning, before, left_out, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && jobs_to_stdout(call))
        report_messages(call, cleaning, before);
    if (!rc)
        warn_flurries(call, cleaning, before);
    loom_cleaning_destroy(cleaning);
    return rc;
}

static int check_call(const struct invocation *call, struct loom_error *err)
{
    const char *dropped = loom_params_text(call->params, "dropped");
    if (loom_params_flag(call->params, "dry-run"))
        return 0;
    if (call->n_operands < 2)
        return loom_fail(err, LOOM_EUSAGE, "'clean' needs OUT, or --dry-run");
    if (dropped && (strcmp(dropped, call->operands[1]) == 0 ||
                    (strcmp(dropped, call->operands[0]) == 0 && !is_stdout(dropped))))
        return loom_fail(err, LOOM_EUSAGE, "--dropped needs a file of its own, not '%s' again",
                         dropped);
    if (jobs_to_stdout(call) && loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--json and the jobs cannot both go to stdout; name a "
                         "file to write");
    return 0;
}

static int check_outputs(const struct invocation *call, struct loom_error *err)
{
    const char *to = call->n_operands > 1 ? call->operands[1] : NULL;
    const char *dropped = loom_params_text(call->params, "dropped");
    int rc = 0;
    if (loom_params_flag(call->params, "dry-run"))
        return 0;
    if (to)
        rc = refuse_same_file(call->operands[0], to, err);
    if (!rc && to)
        rc = check_trace_output(call, to, err);
    if (!rc && dropped)
        rc = check_trace_output(call, dropped, err);
    return rc;
}

static int clean_run(const struct invocation *call, struct loom_error *err)
{
    int rc = check_call(call, err);
    if (!rc)
        rc = check_outputs(call, err);
    return rc ? rc : with_trace(call, clean, err);
}

static const char *const about[] = {
    "Rules marked 'on' in 'workloom list rules' apply by default, the others when asked for. The "
    "report and the header of OUT give every reason with its number of jobs.",
    NULL,
};

static const struct example examples[] = {
    {"workloom clean log.swf --dry-run --flurries auto", "See what would go, and why."},
    {"workloom clean log.swf clean.swf --dropped dropped.swf", "Clean, and keep what was dropped."},
    {"workloom clean log.swf clean.swf --flurry 374:1998-10-01:1998-10-20",
     "Drop a flurry that is known."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {loom_clean_params, loom_select_params,
                                                  input_params,      clean_params,
                                                  output_params,     table_params,
                                                  common_params,     NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Rules", [1] = "Which jobs", [2] = "Input", [3] = "Output", [6] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_clean = {
    .name = "clean",
    .group = GROUP_LOGS,
    .summary = "drop impossible, unrun, automated or dominating jobs",
    .operands = "IN [OUT]",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 2,
    .run = clean_run,
};
