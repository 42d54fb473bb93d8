/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom fit: the parameters of a model, from a log. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

static const struct loom_param file_params[] = {
    {.name = "output",
     .letter = 'o',
     .type = LOOM_PARAM_TEXT,
     .value = "-",
     .metavar = "FILE",
     .help = "write the model (JSON) to FILE"},
    {.name = NULL},
};

static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "ran",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

static int save(const struct loom_model *model, const struct invocation *call,
                struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, loom_params_text(call->params, "output"), err);
    if (!rc)
        rc = loom_model_save(model, out, err);
    return end_output(out, rc, call, err);
}

/* ---- what the log does not say --------------------------------------------------------------- */

/* Sentences on what a log lacks, and what was made of that. */
struct guesses {
    size_t n;
    char text[3][300];
};

static void guess_users(struct guesses *guesses, const struct loom_model *model,
                        const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t nameless = 0;
    for (size_t i = 0; i < jobs->n; i++)
        nameless += jobs->user[i] < 0;
    if (loom_model_info(model)->by_user && nameless > 0)
        snprintf(guesses->text[guesses->n++], sizeof *guesses->text,
                 "%" PRId64 " of the jobs name no user, and %s does without them and their load; "
                 "minh2009 and lublin2003 ask for no users",
                 nameless, loom_model_info(model)->name);
}

static void guess_machine(struct guesses *guesses, const struct loom_model *model,
                          const struct loom_trace *trace)
{
    struct loom_machine_size size;
    if (loom_model_info(model)->arrivals_only || loom_trace_machine(trace)->max_procs > 0 ||
        loom_trace_machine_size(&size, trace, NULL))
        return;
    bool raised = size.procs < loom_model_procs(model); /* for a job far wider than all else */
    snprintf(guesses->text[guesses->n++], sizeof *guesses->text,
             "the header does not give the machine's size (MaxProcs), which is taken as %" PRId64
             " processors, %s; --max-procs N sets it",
             loom_model_procs(model),
             loom_size_source_text(raised ? LOOM_SIZE_WIDEST : size.source));
}

/* What memory is out for is left unsaid. */
static void guess_clock(struct guesses *guesses, const struct loom_trace *trace)
{
    struct loom_zone *zone = NULL;
    struct loom_error ignored;
    const char *note = NULL;
    if (loom_zone_create(&zone, trace, &note, &ignored) == 0 && note)
        snprintf(guesses->text[guesses->n++], sizeof *guesses->text,
                 "%s, by which days and weeks of the model go; %s", note,
                 loom_trace_machine(trace)->unix_start_s == -1
                     ? "a line '; UnixStartTime: SECONDS' at the top of the log sets it"
                     : "a line '; TimeZoneString: Europe/Stockholm' at the top of the log sets it");
    loom_zone_destroy(zone);
}

static struct guesses find_guesses(const struct loom_model *model, const struct loom_trace *trace)
{
    struct guesses guesses = {0};
    guess_users(&guesses, model, trace);
    guess_machine(&guesses, model, trace);
    guess_clock(&guesses, trace);
    return guesses;
}

static json_t *remarks_json(const struct loom_model *model)
{
    json_t *array = json_array();
    bool failed = !array;
    for (size_t i = 0; !failed && loom_model_remark(model, i); i++)
        failed = json_array_append_new(array, json_string(loom_model_remark(model, i)));
    if (!failed)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *guesses_json(const struct guesses *guesses)
{
    json_t *array = json_array();
    bool failed = !array;
    for (size_t i = 0; i < guesses->n; i++)
        failed = failed || json_array_append_new(array, json_string(guesses->text[i]));
    if (!failed)
        return array;
    json_decref(array);
    return NULL;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report_fit_text(const struct invocation *call, const struct loom_model *model,
                            const struct loom_trace *trace)
{
    const char *to = loom_params_text(call->params, "output");
    int64_t jobs = loom_model_log_jobs(model), all = (int64_t)loom_trace_count(trace);
    char *name = with_params(call->operands[0], call), part[LOOM_HUMAN + 16] = "";
    char count[LOOM_HUMAN], of[JOBS_SIZE];
    if (jobs != all)
        snprintf(part, sizeof part, "%s of the ", loom_human_count(jobs, count, sizeof count));
    if (strcmp(to, "-") != 0)
        say(call, "fitted %s to %s%s of %s, written to %s",
            name ? name : loom_model_info(model)->name, part, jobs_text(all, of, sizeof of),
            loom_trace_report(trace)->file, to);
    free(name);
    struct guesses guesses = find_guesses(model, trace);
    for (size_t i = 0; i < guesses.n; i++)
        say(call, "%s", guesses.text[i]);
    for (size_t i = 0; loom_model_remark(model, i); i++)
        say(call, "%s", loom_model_remark(model, i));
    say_short(call, loom_model_log_jobs(model), trace);
    say_rate(call, model, true);
    say_means(call, model);
    say_bags(call, model);
}

static int report_fit_json(const struct invocation *call, const struct loom_model *model,
                           const struct loom_trace *trace, int64_t left_out, struct loom_error *err)
{
    const struct loom_read_report *input = loom_trace_report(trace);
    struct guesses guesses = find_guesses(model, trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, input->hash);
    json_t *rest =
        json_pack("{s:s, s:s?, s:o, s:o, s:s, s:s, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "model",
                  loom_model_info(model)->name, "variant", loom_model_variant(model), "remarks",
                  remarks_json(model), "file", text_json(input->file), "hash", hash, "select",
                  loom_params_text(call->params, "select"), "jobs",
                  (json_int_t)loom_model_log_jobs(model), "left_out", (json_int_t)left_out,
                  "output", text_json(loom_params_text(call->params, "output")), "interarrival_s",
                  rate_json(model), "means_kept", means_json(model), "bags_kept", bags_json(model),
                  "guesses", guesses_json(&guesses));
    return print_fields(call, rest, false, err);
}

/* A file name may hold bytes that JSON cannot: they are shown as '?'. */
static int set_origin(struct loom_model *model, const struct loom_trace *trace,
                      const struct invocation *call, struct loom_error *err)
{
    char *text = origin_text(loom_trace_report(trace), call);
    if (!text)
        return loom_fail_memory(err);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at >= 128)
            *at = '?';
    int rc = loom_model_set_origin(model, text, err);
    free(text);
    return rc;
}

/* Files are written before results are printed and appear after that: none is left behind if
 * printing fails, and nothing is printed about a model that cannot be written. */
static int fit(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
               struct loom_error *err)
{
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    struct loom_model *model = NULL;
    bool json = loom_params_flag(call->params, "json");
    int64_t left_out = 0;
    int rc = take_model(&info, &params, call->operands[0], call, err);
    if (!rc)
        rc = take_selection(trace, call, "to fit to", &left_out, err);
    if (!rc)
        rc = name_trace(loom_model_fit(&model, info->name, trace, params, pool, err), trace, err);
    if (!rc)
        rc = set_origin(model, trace, call, err);
    if (!rc)
        rc = save(model, call, err);
    if (!rc && json)
        rc = report_fit_json(call, model, trace, left_out, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && !json)
        report_fit_text(call, model, trace);
    loom_model_destroy(model);
    loom_params_destroy(params);
    return rc;
}

static int refuse_swapped(const struct invocation *call, struct loom_error *err)
{
    const char *first = call->operands[0], *second = call->operands[1];
    if (names_model(first) || !names_model(second))
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "the model stands before the trace: workloom fit %s %s",
                     second, first);
}

static int fit_run(const struct invocation *call, struct loom_error *err)
{
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    const char *to = loom_params_text(call->params, "output");
    if (loom_params_flag(call->params, "json") && strcmp(to, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "--json and the model cannot both go to stdout; name a file with -o");
    int rc = refuse_swapped(call, err);
    if (!rc)
        rc = take_model(&info, &params, call->operands[0], call, err);
    loom_params_destroy(params);
    if (!rc)
        rc = refuse_same_file(call->operands[1], to, err);
    if (!rc)
        rc = loom_output_check(to, err);
    return rc ? rc : with_trace(call, fit, err);
}

static const char *const about[] = {
    "'workloom list models' lists models, 'workloom help MODEL' the parameters of a fit, given by "
    "--param or after the name: minh2012:variant=printed.",
    NULL,
};

static const struct example examples[] = {
    {"workloom fit minh2012 log.swf.gz -o m.json --select completed",
     "Fit a model to the jobs that completed."},
    {"workloom fit minh2012:variant=printed,delta=60 log.swf.gz -o m.json",
     "The same model as printed, with bags of jobs at most a minute apart."},
    {"workloom fit uniform log.swf -p arrivals=poisson",
     "Print a model with Poisson arrivals to stdout."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    plugin_params, select_param, loom_select_params + 1, input_params, file_params,
    common_params, NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Model", [1] = "Which jobs", [3] = "Input", [4] = "Output", [5] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_fit = {
    .name = "fit",
    .group = GROUP_WORKLOADS,
    .summary = "fit a workload model to a log",
    .operands = "MODEL TRACE",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 2,
    .max_operands = 2,
    .trace_operand = 1,
    .run = fit_run,
};
