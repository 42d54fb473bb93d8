/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What simulate prints and writes, in an order in which nothing is said of a file that fails. */
#include "simulate.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"user", "why", "home", NULL};

const struct loom_param figure_params[] = {
    REPORT_PARAMS("a page", "table"),
    {.name = "gantt",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FROM:TO",
     .help = "Gantt chart of a window: offsets (12h, 3d) or dates"},
    {.name = "gantt-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = colours,
     .value = "user",
     .metavar = "WHAT",
     .help = "its colours"},
    {.name = NULL},
};

/* "the run lasts for 31 days" is what a person needs to choose another window. */
static int explain_refusal(int rc, const struct loom_outcome *outcome, const char *window,
                           struct loom_error *err)
{
    char reason[sizeof err->message], length[LOOM_HUMAN];
    if (rc == LOOM_ENOMEM || !err)
        return rc;
    snprintf(reason, sizeof reason, "%s", err->message);
    return loom_fail(err, rc, "--gantt %s: %.300s (the run lasts for %s)", window, reason,
                     loom_human_seconds(loom_outcome_value(outcome, "makespan_s"), length,
                                        sizeof length));
}

/* The chart of the window that --gantt names. */
static int open_gantt(struct loom_gantt **out, const struct simulation *of, struct loom_error *err)
{
    const char *text = loom_params_text(of->call->params, "gantt");
    const struct loom_outcome *outcome = of->outcomes[0];
    struct loom_sim_window window;
    struct loom_window_text ends;
    int64_t first_s = loom_sim_jobs(loom_outcome_sim(outcome), NULL)[0].submit_s;
    int rc = loom_window_split(&ends, text, "gantt", err);
    if (!rc)
        rc = loom_window_resolve(&window.from_s, &window.to_s, &ends, of->trace, first_s, "gantt",
                                 err);
    if (rc)
        return rc;
    rc = loom_outcome_gantt(out, outcome, window, err);
    return rc ? explain_refusal(rc, outcome, text, err) : 0;
}

/* ---- options of pages
 * --------------------------------------------------------------------------------- */

int check_figures(const struct invocation *call, struct loom_error *err)
{
    if (loom_params_given(call->params, "gantt") && !wants_report(call))
        return loom_fail(err, LOOM_EUSAGE,
                         "--gantt is drawn in a page or as a figure: add --html FILE or --figures "
                         "DIR");
    if (loom_params_given(call->params, "gantt-by") && !loom_params_given(call->params, "gantt"))
        return loom_fail(err, LOOM_EUSAGE, "--gantt-by needs a window: add --gantt FROM:TO");
    if (loom_params_choice(call->params, "gantt-by") == LOOM_GANTT_BY_HOME &&
        !loom_params_given(call->params, "platform"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--gantt-by home is for a grid: add --platform, or take user or why");
    if (loom_params_given(call->params, "by") && loom_params_given(call->params, "explain") &&
        !loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain is printed in place of the table of --by: add --json, or leave "
                         "out one");
    if (loom_params_given(call->params, "by") && loom_params_given(call->params, "figures") &&
        !loom_params_given(call->params, "html") && !loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--by makes a table, for which --figures has no place: add --html FILE "
                         "or --json");
    struct loom_window_text window;
    const char *gantt = loom_params_text(call->params, "gantt");
    int rc = gantt ? loom_window_split(&window, gantt, "gantt", err) : 0;
    return rc ? rc : check_report_outputs(call, err);
}

/* ---- pages ------------------------------------------------------------------------------ */

/* "2003-03-03 to 2003-03-04", as given; NULL where neither end is a date. */
static const char *describe_window(char *buf, size_t size, const struct invocation *call)
{
    const char *text = loom_params_text(call->params, "gantt");
    struct loom_window_text ends;
    if (loom_window_split(&ends, text, "gantt", NULL) || !ends.dated)
        return NULL;
    snprintf(buf, size, "%s to %s", ends.from, ends.to);
    return buf;
}

/* On a grid, by default, where jobs come from. */
static enum loom_gantt_colours colours_of(const struct simulation *of)
{
    const struct loom_params *params = of->call->params;
    return of->platform && !loom_params_given(params, "gantt-by")
               ? LOOM_GANTT_BY_HOME
               : (enum loom_gantt_colours)loom_params_choice(params, "gantt-by");
}

int caution_of(char *buf, size_t size, const struct simulation *of, struct loom_error *err)
{
    const char **policies = calloc(of->n + 1, sizeof *policies);
    struct loom_replay_options options = {
        .trace = of->trace,
        .machine = of->machine,
        .policies = policies,
        .complete = true,
        .schedulers = of->call->schedulers,
        .overrun = (enum loom_overrun)loom_params_choice(of->call->params, "overrun"),
        .pool = of->pool,
    };
    buf[0] = '\0';
    if (!policies)
        return loom_fail_memory(err);
    for (size_t i = 0; i < of->n; i++) /* the runs of a policy follow each other */
        if (i == 0 || strcmp(loom_outcome_policy(of->outcomes[i]),
                             loom_outcome_policy(of->outcomes[i - 1])) != 0)
            policies[options.n_policies++] = loom_outcome_policy(of->outcomes[i]);
    int rc = of->platform ? 0 : replay_caution(buf, size, &options, err);
    free(policies);
    return rc;
}

static int write_simulations(const struct simulation *of, const char *caution,
                             struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    char window[80], select[200];
    struct loom_report *report = NULL;
    struct loom_gantt *gantt = NULL;
    struct loom_runs_page page = {
        .command = of->call->line,
        .outcomes = of->outcomes,
        .n = of->n,
        .select = describe_selection(select, sizeof select, of->call),
        .left_out = of->left_out,
        .caution = *caution ? caution : NULL,
    };
    enum loom_gantt_colours by = LOOM_GANTT_BY_USER;
    int rc = 0;
    if (loom_params_given(params, "gantt")) {
        rc = open_gantt(&gantt, of, err);
        page.gantt = gantt;
        page.window = describe_window(window, sizeof window, of->call);
        by = colours_of(of);
    }
    if (!rc)
        rc = loom_report_runs(&report, of->trace, page.outcomes, of->n, gantt, by, of->pool, err);
    if (!rc)
        loom_report_join(report, of->call->outputs);
    if (!rc && loom_params_given(params, "html"))
        rc = loom_report_runs_html(report, loom_params_text(params, "html"), &page, err);
    rc = end_report(report, rc, of->call, err);
    if (gantt)
        loom_gantt_destroy(gantt);
    return rc;
}

/* ---- schedules ------------------------------------------------------------------------------- */

/* Note what made a schedule, and write it. */
static int write_made(struct loom_trace *schedule, const struct loom_read_report *input,
                      const struct simulation *of, const char *path, struct loom_error *err)
{
    int rc = record_origin(schedule, input, of->call, err);
    return rc ? rc : write_trace(schedule, of->call, path, of->pool, err);
}

static int write_schedule(const struct simulation *of, const char *path, struct loom_error *err)
{
    struct loom_trace *schedule = NULL;
    const struct loom_outcome *outcome = of->outcomes[0];
    int rc = loom_outcome_schedule(&schedule, outcome, err);
    if (!rc && is_resampled(of->call))
        rc = record_draw(schedule, loom_outcome_seed(outcome), loom_outcome_replication(outcome),
                         err);
    if (!rc)
        rc = write_made(schedule, loom_trace_report(of->trace), of, path, err);
    loom_trace_destroy(schedule);
    return rc;
}

static int write_local(const struct simulation *of, size_t cluster, const char *path,
                       struct loom_error *err)
{
    const struct loom_trace *log = loom_system_local(of->system, cluster);
    struct loom_trace *schedule = NULL;
    int rc = loom_outcome_local_schedule(&schedule, of->outcomes[0], cluster, err);
    if (!rc)
        rc = write_made(schedule, log ? loom_trace_report(log) : NULL, of, path, err);
    loom_trace_destroy(schedule);
    return rc;
}

static int write_locals(const struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(params, "background-output") && !rc; k++) {
        size_t cluster;
        const char *path;
        rc = find_output(&cluster, &path, of->platform,
                         loom_params_item(params, "background-output", k), err);
        if (!rc)
            rc = write_local(of, cluster, path, err);
    }
    return rc;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

const char *source_of(const struct simulation *of)
{
    if (of->model)
        return loom_model_hash(of->model) ? loom_model_info(of->model)->name
                                          : loom_params_text(of->call->params, "model");
    return is_resampled(of->call) ? "resampled" : has_people(of->call) ? "users" : "log";
}

static int write_simulate_csv(const struct simulation *of, const char *path, struct loom_error *err)
{
    const char *file = loom_trace_report(of->trace)->file;
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = loom_outcomes_csv(out, of->outcomes, of->n, file, source_of(of), err);
    return end_output(out, rc, of->call, err);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Users of a resampled population or a model have no names in the log. */
static const struct loom_trace *names_of(const struct simulation *of)
{
    return is_resampled(of->call) || of->model ? NULL : of->trace;
}

static json_t *input_json(const struct simulation *of)
{
    const struct loom_read_report *report = loom_trace_report(of->trace);
    const struct loom_params *params = of->call->params;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *object =
        json_pack("{s:o, s:s, s:s, s:s, s:s, s:I}", "file", loom_json_text(report->file), "hash",
                  hash, "overrun", loom_params_text(params, "overrun"), "compat",
                  loom_params_text(params, "compat"), "select", loom_params_text(params, "select"),
                  "left_out", (json_int_t)of->left_out);
    int failed = object == NULL;
    if (!failed && of->platform)
        failed = json_object_set_new(object, "platform", loom_json_text(of->platform->name));
    if (!failed && of->model)
        failed = json_object_set_new(object, "model", loom_json_text(source_of(of)));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int add_runs(json_t *document, const struct simulation *of)
{
    json_t *runs = json_array();
    int failed = !runs || json_object_set_new(document, "runs", runs);
    for (size_t i = 0; i < of->n && !failed; i++)
        failed = json_array_append_new(runs, loom_outcome_json(of->outcomes[i], names_of(of)));
    return failed;
}

static int print_simulate_json(const struct simulation *of, struct loom_error *err)
{
    json_t *document = new_document(of->call);
    int failed = loom_json_merge(document, input_json(of));
    if (!failed && of->n > 1)
        failed = add_runs(document, of);
    else if (!failed)
        failed = loom_json_merge(document, loom_outcome_json(of->outcomes[0], names_of(of)));
    if (!failed && loom_params_given(of->call->params, "explain"))
        failed =
            json_object_set_new(document, "explain", loom_outcome_explain_json(of->outcomes[0]));
    if (!failed)
        return print_document(document, err);
    json_decref(document);
    return loom_fail_memory(err);
}

/* ---- text ------------------------------------------------------------------------------------ */

static int print_explanation(const struct simulation *of, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_outcome_explain(out, of->outcomes[0], err);
    return end_output(out, rc, NULL, err);
}

/* Fit a table to the terminal and print it below the others; NULL prints nothing. */
static int print_below(struct loom_table *table, struct loom_error *err)
{
    if (!table)
        return 0;
    loom_table_limit(table, terminal_width());
    return print_next_table(table, err);
}

/* Which of several policies is better, above the table. */
static int print_lead(const struct simulation *of, struct loom_error *err)
{
    char text[600];
    struct loom_output *out = NULL;
    if (!loom_outcome_lead(text, sizeof text, of->outcomes, of->n)[0])
        return 0;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_output_printf(out, err, "%s\n\n", text);
    return end_output(out, rc, NULL, err);
}

static int print_simulate_text(const struct simulation *of, struct loom_error *err)
{
    bool wide = loom_params_flag(of->call->params, "wide");
    struct loom_table *table = NULL;
    int rc = print_lead(of, err);
    if (!rc)
        rc = loom_outcomes_table(&table, of->outcomes, of->n, wide, err);
    if (!rc) {
        loom_table_limit(table, terminal_width());
        rc = print_table(table, err);
    }
    if (!rc)
        rc = of->n == 1 ? loom_clusters_table(&table, of->outcomes[0], err)
                        : loom_counts_table(&table, of->outcomes, of->n, err);
    if (!rc)
        rc = print_below(table, err);
    if (!rc)
        rc = loom_classes_table(&table, of->outcomes, of->n, names_of(of), err);
    return rc ? rc : print_below(table, err);
}

static int print_results(const struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    const char *to = loom_params_text(params, "output"), *csv = loom_params_text(params, "csv");
    bool taken = (to && strcmp(to, "-") == 0) || (csv && strcmp(csv, "-") == 0);
    if (loom_params_flag(params, "json"))
        return print_simulate_json(of, err);
    if (loom_params_given(params, "explain"))
        return print_explanation(of, err);
    return taken || wants_report(of->call) ? 0 : print_simulate_text(of, err);
}

/* ---- what should be known -------------------------------------------------------------------- */

/* Jobs that could not run at all. */
static double refused(const struct loom_outcome *outcome)
{
    static const char *const reasons[] = {"rejected_too_wide", "dropped_no_runtime",
                                          "dropped_no_procs", "dropped_no_submit",
                                          "dropped_too_long"};
    double n = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        n += loom_outcome_value(outcome, reasons[i]);
    return n;
}

/* "7", or "5 to 7" of runs whose users submit other jobs. Returns buf. */
static const char *range_text(const struct simulation *of, char *buf, size_t size)
{
    int64_t least = INT64_MAX, most = 0;
    char low[LOOM_HUMAN], high[LOOM_HUMAN];
    for (size_t i = 0; i < of->n; i++) {
        int64_t jobs = (int64_t)loom_outcome_value(of->outcomes[i], "jobs");
        least = jobs < least ? jobs : least;
        most = jobs > most ? jobs : most;
    }
    loom_human_count(least, low, sizeof low);
    loom_human_count(most, high, sizeof high);
    snprintf(buf, size, "%s%s%s %s", low, least < most ? " to " : "", least < most ? high : "",
             most == 1 ? "job" : "jobs");
    return buf;
}

static void say_runs(const struct simulation *of)
{
    const struct loom_outcome *first = of->outcomes[0];
    int64_t procs = loom_outcome_procs(first);
    char jobs[3 * LOOM_HUMAN], on[LOOM_HUMAN], out[LOOM_HUMAN], unable[LOOM_HUMAN], how[80];
    if (of->n > 1)
        snprintf(how, sizeof how, "%zu runs of ", of->n);
    say(of->call,
        "simulated %s%s (--select %s)%s%s on %s %s; left out %s by selection, %s unable to run",
        of->n > 1 ? how : "", range_text(of, jobs, sizeof jobs),
        loom_params_text(of->call->params, "select"), of->n > 1 ? "" : " under ",
        of->n > 1 ? "" : loom_outcome_policy(first), loom_human_count(procs, on, sizeof on),
        procs == 1 ? "processor" : "processors", loom_human_count(of->left_out, out, sizeof out),
        loom_human_count((int64_t)refused(first), unable, sizeof unable));
}

/* Files are written before anything is printed and appear after it: none is left behind if printing
 * fails, and nothing is said of a file that could not be written. */
int report_simulation(const struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    const char *to = loom_params_text(params, "output"), *csv = loom_params_text(params, "csv");
    bool heard = loom_params_given(params, "html") || !loom_params_flag(params, "quiet");
    char caution[CAUTION_SIZE] = "";
    int rc = heard ? caution_of(caution, sizeof caution, of, err) : 0;
    if (!rc && wants_report(of->call))
        rc = write_simulations(of, caution, err);
    if (!rc && to)
        rc = write_schedule(of, to, err);
    if (!rc && of->platform)
        rc = write_locals(of, err);
    if (!rc && csv)
        rc = write_simulate_csv(of, csv, err);
    if (!rc && loom_params_given(params, "waits"))
        rc = write_waits(of, loom_params_text(params, "waits"), err);
    if (!rc)
        rc = print_results(of, err);
    if (!rc)
        rc = keep_outputs(of->call, err);
    if (rc)
        return rc;
    loom_outcome_notes(of->outcomes, of->n, say_sentence, (void *)of->call);
    if (of->n > 1)
        say_log(of);
    if (of->model)
        say_model_load(of);
    say_runs(of);
    /* Another draw may reverse what one shows of several policies. */
    if (of->n > 1 && (has_people(of->call) || of->model) && !loom_params_given(params, "by"))
        say(of->call, "one sample: --replications N draws N and gives intervals");
    say_sentence((void *)of->call, caution);
    return 0;
}
