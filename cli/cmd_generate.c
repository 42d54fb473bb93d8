/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom generate: new jobs from a model, as many as wanted, at any load, for any machine. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct loom_param machine_params[] = {
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine; sizes scale with it",
     .hint = "it is the size of the machine"},
    LOAD_PARAM("offered load up to 1, or 'log', by the rate of arrivals (default: the model's)"),
    {.name = NULL},
};

static const struct loom_param kind_params[] = {
    {.name = "estimates",
     .type = LOOM_PARAM_TEXT,
     .value = "model",
     .metavar = "HOW",
     .help = "requested times: model, none, exact, f:FACTOR, uniform:F or modal"},
    {.name = "set",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "KEY=VALUE",
     .help = "replace a key of the model (bags.alpha=2.2)"},
    {.name = "speedups",
     .type = LOOM_PARAM_FLAG,
     .help = "note average parallelism and sigma of each job in the header (downey97)"},
    {.name = NULL},
};

static const struct loom_param draw_params[] = {
    SEED_PARAM("random seed"),
    REPLICATION_PARAM("number of the replication"),
    {.name = NULL},
};

static const struct loom_param file_params[] = {
    JOBS_OUTPUT_PARAM,
    {.name = NULL},
};

/* ---- what is asked --------------------------------------------------------------------------- */

/* Keys of requested times say nothing where the times are not the model's. */
static int refuse_idle_set(const struct loom_generate_options *options,
                           const struct invocation *call, struct loom_error *err)
{
    static const char key[] = "estimates.";
    bool used =
        options->requests == LOOM_REQUESTS_MODEL || options->requests == LOOM_REQUESTS_MODAL;
    for (size_t k = 0; k < loom_params_count(call->params, "set") && !used; k++) {
        const char *setting = loom_params_item(call->params, "set", k);
        if (strncmp(setting, key, strlen(key)) == 0)
            return loom_fail(err, LOOM_EUSAGE,
                             "--set %s changes nothing with --estimates %s; leave one of them out",
                             setting, loom_params_text(call->params, "estimates"));
    }
    return 0;
}

static int take_options(struct loom_generate_options *options, const struct invocation *call,
                        const struct loom_model *model, struct loom_error *err)
{
    const struct loom_params *given = call->params;
    *options = (struct loom_generate_options){
        .seed = seed_of(call),
        .replication = (uint64_t)loom_params_int(given, "replication"),
    };
    if (loom_params_given(given, "jobs"))
        options->jobs = loom_params_int(given, "jobs");
    if (loom_params_given(given, "days"))
        options->days = loom_params_real(given, "days");
    if (loom_params_given(given, "procs"))
        options->procs = loom_params_int(given, "procs");
    if (loom_params_flag(given, "speedups"))
        options->notes = LOOM_NOTE_SPEEDUP;
    int rc = take_load(&options->load, call, loom_model_log_load(model), err);
    if (!rc)
        rc = loom_without_take(&options->without, given, err);
    if (!rc)
        rc = loom_request_rule_parse(&options->requests, &options->request_factor,
                                     loom_params_text(given, "estimates"), LOOM_REQUESTS_OF_MODEL,
                                     err);
    return rc ? rc : refuse_idle_set(options, call, err);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* With the parameters that were given: they are of the fit. */
static int refuse_unfitted(const struct loom_model_info *info, const struct invocation *call,
                           struct loom_error *err)
{
    char *whole = with_params(call->operands[0], call);
    if (!whole)
        return loom_fail_memory(err);
    int rc = loom_fail(err, LOOM_EUSAGE,
                       "%s has no parameters of its own; fit it to a log first, by "
                       "'workloom fit %s TRACE -o MODEL.json'",
                       info->name, whole);
    free(whole);
    return rc;
}

static int from_name(struct loom_model **out, const struct invocation *call,
                     const char *const *settings, size_t n_settings, struct loom_error *err)
{
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    struct loom_model *published = NULL;
    int rc = take_model(&info, &params, call->operands[0], call, err);
    if (!rc && info->defaults == LOOM_DEFAULTS_NONE)
        rc = refuse_unfitted(info, call, err);
    if (!rc)
        rc = loom_model_published(&published, info->name, params, err);
    if (!rc)
        rc = loom_model_set(out, published, settings, n_settings, err);
    loom_model_destroy(published);
    loom_params_destroy(params);
    return rc;
}

static int get_model(struct loom_model **out, const struct invocation *call, struct loom_error *err)
{
    const char *settings[64];
    size_t n = loom_params_count(call->params, "set");
    if (n > sizeof settings / sizeof *settings)
        return loom_fail(err, LOOM_EUSAGE, "--set can be given at most 64 times");
    for (size_t i = 0; i < n; i++)
        settings[i] = loom_params_item(call->params, "set", i);
    if (!is_model_file(call->operands[0]))
        return from_name(out, call, settings, n, err);
    return load_model_file(out, call->operands[0], call, settings, n, err);
}

/* ---- the jobs -------------------------------------------------------------------------------- */

/* A load of 1 that is asked for is reached within half a percent, and is not too much. */
static const double MOST_LOAD = 1.005;

static void say_jobs(const struct invocation *call, const struct loom_model *model,
                     const struct loom_trace *trace, double load)
{
    const char *variant = loom_model_variant(model);
    const char *to = loom_params_text(call->params, "output");
    char jobs[JOBS_SIZE], text[80] = "";
    if (load > 0)
        snprintf(text, sizeof text, ", offered load %.3g%s", load,
                 load > MOST_LOAD ? ": more than the machine can do" : "");
    say(call, "wrote %s of the %s%s%s model to %s%s",
        jobs_text((int64_t)loom_trace_count(trace), jobs, sizeof jobs),
        loom_model_info(model)->name, variant ? ":variant=" : "", variant ? variant : "",
        strcmp(to, "-") == 0 ? "<stdout>" : to, text);
}

static void say_arrivals(const struct invocation *call, const struct loom_model_info *info)
{
    if (info->arrivals_only)
        say(call,
            "%s is an arrival process: these jobs have no runtimes and no processors; a model of "
            "whole jobs takes its arrivals, as in 'workloom fit minh2012:arrivals=%s LOG', and "
            "'workloom analyze --select all' measures these",
            info->name, info->name);
}

static void say_bagless(const struct invocation *call, const struct loom_model_info *info)
{
    if (info->traits & LOOM_BAGS &&
        strncmp(loom_params_text(call->params, "estimates"), "uniform:", strlen("uniform:")) == 0)
        say(call, "requested times are drawn job by job: no two of a bag ask alike, and "
                  "'workloom analyze' finds no bags among them");
}

static void say_none(const struct invocation *call, const struct loom_trace *trace)
{
    if (loom_trace_count(trace) == 0)
        say(call, "no job comes in so short a time; ask for more by --days, or for a number of "
                  "them by --jobs");
}

static void report_generate_text(const struct invocation *call, const struct loom_model *model,
                                 const struct loom_trace *trace, unsigned without)
{
    double load = offered_load(trace);
    say_jobs(call, model, trace, load);
    say_none(call, trace);
    if (!loom_params_given(call->params, "load")) {
        bool missed = say_load_missed(call, model, load, trace);
        say_load_moved(call, model, trace, without);
        say_rate(call, model, !missed);
    }
    say_arrivals(call, loom_model_info(model));
    say_bagless(call, loom_model_info(model));
}

/* What made the model's document: the command that fitted it, with the log and its hash. NULL of
 * one by name. */
static const char *document_origin(const struct loom_model *model)
{
    return loom_model_hash(model) ? loom_model_origin(model) : NULL;
}

static int report_generate_json(const struct invocation *call, const struct loom_model *model,
                                const struct loom_trace *trace, struct loom_error *err)
{
    const char *made_by = document_origin(model);
    json_t *rest =
        json_pack("{s:s, s:s?, s:o, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:o}", "model",
                  loom_model_info(model)->name, "variant", loom_model_variant(model), "made_by",
                  made_by ? text_json(made_by) : json_null(), "seed",
                  (json_int_t)loom_params_int(call->params, "seed"), "replication",
                  (json_int_t)loom_params_int(call->params, "replication"), "output",
                  text_json(loom_params_text(call->params, "output")), "jobs",
                  (json_int_t)loom_trace_count(trace), "max_procs",
                  (json_int_t)loom_trace_max_procs(trace), "load_offered",
                  loom_json_number(offered_load(trace)), "log_load_offered",
                  loom_json_number(loom_model_log_load(model)), "interarrival_s", rate_json(model));
    return print_fields(call, rest, false, err);
}

/* A format that must say how long jobs run cannot hold those of an arrival process. */
static int check_arrivals(const struct invocation *call, const struct loom_model_info *info,
                          const struct loom_trace *trace, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    if (!info->arrivals_only || !check_jobs_output(trace, call, to, err))
        return 0;
    return loom_fail(err, LOOM_EUSAGE,
                     "%s is an arrival process, whose jobs have no runtimes and no processors, and "
                     "this format cannot be without; write SWF, or take a model of whole jobs",
                     info->name);
}

/* The default seed is not on the command line, and whoever repeats the run needs it. */
static int record_seed(struct loom_trace *trace, const struct loom_generate_options *options,
                       struct loom_error *err)
{
    char text[80];
    snprintf(text, sizeof text, "seed %" PRIu64 ", replication %" PRIu64, options->seed,
             options->replication);
    return loom_trace_add_directive(trace, "Note", text, err);
}

static int record_fit(struct loom_trace *trace, const struct loom_model *model,
                      struct loom_error *err)
{
    const char *made_by = document_origin(model);
    char *text = NULL;
    if (!made_by)
        return 0;
    if (asprintf(&text, "the model was made by %s", made_by) < 0)
        return loom_fail_memory(err);
    one_line(text);
    int rc = loom_trace_add_directive(trace, "Note", text, err);
    free(text);
    return rc;
}

/* The command, and the document with its hash: a name may come to stand for another. */
static int record_command(struct loom_trace *trace, const struct loom_model *model,
                          const struct invocation *call, struct loom_error *err)
{
    const char *from = call->operands[0];
    struct loom_read_report document = {.file = strcmp(from, "-") == 0 ? "<stdin>" : from,
                                        .hash = loom_model_hash(model)};
    return record_origin(trace, document.hash ? &document : NULL, call, err);
}

/* Files are written before results are printed and appear after that: none is left behind if
 * printing fails, and nothing is printed about jobs that cannot be written. */
static int generate(const struct invocation *call, const struct loom_model *model,
                    struct loom_pool *pool, struct loom_error *err)
{
    bool json = loom_params_flag(call->params, "json");
    struct loom_generate_options options;
    struct loom_trace *trace = NULL;
    int rc = take_options(&options, call, model, err);
    if (!rc)
        rc = loom_model_generate(&trace, model, &options, pool, err);
    if (!rc)
        rc = check_arrivals(call, loom_model_info(model), trace, err);
    if (!rc)
        rc = record_seed(trace, &options, err);
    if (!rc)
        rc = record_fit(trace, model, err);
    if (!rc)
        rc = record_command(trace, model, call, err);
    if (!rc)
        rc = write_trace(trace, call, loom_params_text(call->params, "output"), pool, err);
    if (!rc && json)
        rc = report_generate_json(call, model, trace, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && !json && !loom_params_flag(call->params, "quiet"))
        report_generate_text(call, model, trace, options.without);
    loom_trace_destroy(trace);
    return rc;
}

static int generate_run(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    struct loom_pool *pool = NULL;
    struct loom_model *model = NULL;
    if (loom_params_flag(call->params, "json") && strcmp(to, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "--json and the jobs cannot both go to stdout; name a file with -o");
    int rc = refuse_same_file(call->operands[0], to, err);
    if (!rc)
        rc = check_trace_output(call, to, err);
    if (!rc)
        rc = make_pool(&pool, call, err);
    if (!rc)
        rc = get_model(&model, call, err);
    if (!rc)
        rc = generate(call, model, pool, err);
    loom_model_destroy(model);
    loom_pool_destroy(pool);
    return rc;
}

static const char *const about[] = {
    "MODEL is a file that 'workloom fit' wrote, or the name of a model with parameters of its own, "
    "published or illustrative. "
    "The same model, options and seed give the same jobs.",
    "'workloom help models' explains --without, --load and the start of time.",
    NULL,
};

static const struct example examples[] = {
    {"workloom generate m.json -o new.swf --load 0.8 --seed 7",
     "As many jobs as the log had, at an offered load of 0.8."},
    {"workloom generate m.json -o new.swf --load log", "The same at the load of that log."},
    {"workloom generate uniform --days 30 -o month.swf.gz",
     "A month of a model with illustrative parameters."},
    {"workloom generate m.json --without bot -o singles.swf",
     "The same workload without bags of tasks."},
    {"workloom generate lublin2003:variant=mix --jobs 1e6 -o million.swf.gz",
     "A million batch and interactive jobs of a published model."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {loom_amount_params,
                                                  machine_params,
                                                  loom_without_params,
                                                  kind_params,
                                                  plugin_params,
                                                  draw_params,
                                                  loom_application_params,
                                                  file_params,
                                                  output_params,
                                                  common_params,
                                                  NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Amount and load",   [2] = "Kind of jobs", [5] = "Random numbers",
    [6] = "Structure of jobs", [7] = "Output",       [9] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_generate = {
    .name = "generate",
    .group = GROUP_WORKLOADS,
    .summary = "generate jobs from a model",
    .operands = "MODEL[.json]",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = generate_run,
};
