/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom compare: how far traces are from a reference, or which models come nearest to it. */
#include "compare_output.h"
#include "definitions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};
static const struct loom_param model_params[] = {
    {.name = "models",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "models to fit to TRACE and rank: names or files, comma-separated, or 'all'"},
    {.name = "replications",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 10000,
     .value = "10",
     .metavar = "N",
     .help = "workloads per model"},
    LOAD_PARAM("offered load of these workloads, or 'log' (default: the model's)"),
    {.name = "hold-out",
     .type = LOOM_PARAM_REAL,
     .min = 0.05,
     .max = 0.95,
     .metavar = "FRACTION",
     .help = "fit to the first part of TRACE, by time, and compare with the last FRACTION of it"},
    {.name = "no-response",
     .type = LOOM_PARAM_FLAG,
     .help = "leave out the scheduling response: mean wait and slowdown under fcfs and easy"},
    {.name = NULL},
};

static const struct loom_param draw_params[] = {
    {.name = "resamples",
     .type = LOOM_PARAM_INT,
     .min = 5,
     .max = 100000,
     .value = "32",
     .metavar = "N",
     .help = "resamples for the sampling errors of the reference"},
    SEED_PARAM("random seed"),
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

static const struct loom_param report_params[] = {
    REPORT_PARAMS("a page", "tables"),
    {.name = NULL},
};

/* ---- what is asked --------------------------------------------------------------------------- */

static int check_operands(const struct invocation *call, struct loom_error *err)
{
    bool models = loom_params_given(call->params, "models");
    if (models && call->n_operands > 1)
        return loom_fail(err, LOOM_EUSAGE,
                         "--models compares one TRACE with what models make of it; leave out '%s'",
                         call->operands[1]);
    if (loom_params_given(call->params, "fit") && (models || wants_report(call)))
        return loom_fail(err, LOOM_EUSAGE,
                         "--fit combines logs to one model: leave out --models, --html and "
                         "--figures");
    if (!models && call->n_operands < 2)
        return loom_fail(err, LOOM_EUSAGE,
                         "what is '%s' to be compared with? name another trace, or models by "
                         "--models",
                         call->operands[0]);
    if (!models && loom_params_given(call->params, "replications"))
        return loom_fail(err, LOOM_EUSAGE, "--replications is for --models");
    if (!models && loom_params_given(call->params, "hold-out"))
        return loom_fail(err, LOOM_EUSAGE, "--hold-out is for --models");
    if (!models && loom_params_flag(call->params, "no-response"))
        return loom_fail(err, LOOM_EUSAGE, "--no-response is for --models");
    if (!models && loom_params_given(call->params, "load"))
        return loom_fail(err, LOOM_EUSAGE, "--load is for --models");
    double load;
    int rc = take_load(&load, call, 1, err);
    if (rc)
        return rc;
    size_t from_stdin = 0;
    for (size_t i = 0; i < call->n_operands; i++)
        from_stdin += strcmp(call->operands[i], "-") == 0;
    if (from_stdin > 1)
        return loom_fail(err, LOOM_EUSAGE, "only one trace can come from stdin");
    return check_report_outputs(call, err);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static int read_traces(struct contest *contest, struct loom_error *err)
{
    const struct invocation *call = contest->call;
    int64_t left_out = 0;
    int rc = 0;
    for (size_t i = 0; i < call->n_operands && !rc; i++) {
        rc = read_trace(&contest->traces[i], call, call->operands[i], contest->pool, err);
        if (!rc)
            rc = take_selection(contest->traces[i], call, "to compare", &left_out, err);
        if (!rc)
            rc = loom_comparable(contest->traces[i], err);
    }
    return rc;
}

/* The reference becomes what is held out. */
static int hold_out(struct contest *contest, struct loom_error *err)
{
    const struct loom_params *params = contest->call->params;
    struct loom_trace *rest = NULL;
    if (!loom_params_given(params, "hold-out"))
        return 0;
    int rc = loom_hold_out(&contest->earlier, &rest, contest->traces[0],
                           loom_params_real(params, "hold-out"), err);
    if (rc)
        return rc;
    say(contest->call,
        "models are fitted to the first %zu jobs and compared with the %zu after them",
        loom_trace_count(contest->earlier), loom_trace_count(rest));
    loom_trace_destroy(contest->traces[0]);
    contest->traces[0] = rest;
    return 0;
}

static int measure_reference(struct contest *contest, struct loom_error *err)
{
    const struct loom_params *params = contest->call->params;
    struct loom_reference_options options = {
        .resamples = (size_t)loom_params_int(params, "resamples"),
        .seed = seed_of(contest->call),
        .definitions = definitions_of(contest->call),
    };
    struct loom_progress *progress =
        loom_progress_create("measuring the reference", "steps",
                             loom_feature_families() + options.resamples,
                             loom_params_flag(params, "quiet"));
    int rc = loom_reference_create(&contest->reference, contest->traces[0], &options, contest->pool,
                                   progress, err);
    loom_progress_destroy(progress);
    if (!rc) {
        say_bootstrap(contest->call, contest->reference);
        say_definitions(contest->call, &options.definitions);
    }
    return rc;
}

static int measure_others(struct contest *contest, struct loom_error *err)
{
    size_t n = contest->n_traces - 1;
    struct loom_progress *progress =
        loom_progress_create("comparing", "families", n * loom_feature_families(),
                             loom_params_flag(contest->call->params, "quiet"));
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_comparison_create(&contest->comparisons[i], contest->reference,
                                    contest->traces[i + 1], contest->pool, progress, err);
    loom_progress_destroy(progress);
    if (!rc)
        rc =
            loom_scorecard_create(&contest->card, contest->reference, contest->comparisons, n, err);
    for (size_t i = 0; n > 1 && i < n && !rc; i++)
        rc = loom_scorecard_create(&contest->cards[i], contest->reference, &contest->comparisons[i],
                                   1, err);
    return rc;
}

/* The tables have a ± where there is more than one workload. */
static void say_spread(const struct contest *contest)
{
    const struct loom_params *params = contest->call->params;
    bool several = loom_params_given(params, "models") ? loom_params_int(params, "replications") > 1
                                                       : contest->n_traces > 2;
    if (several && !loom_params_flag(params, "json") && !wants_report(contest->call))
        say(contest->call,
            "behind ± stands half of the 95 %% confidence interval of a mean over %s",
            loom_params_given(params, "models")
                ? "replications (Student's t)"
                : "traces (Student's t), as if they were replications of one workload; if they are "
                  "not, each one's line tells more than the means");
}

/* ---- the command ----------------------------------------------------------------------------- */

static int measure_days(struct contest *contest, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 1; i < contest->n_traces && !rc; i++)
        rc = loom_daily_cycle_distance(&contest->daily_cycle[i - 1], contest->traces[0],
                                       contest->traces[i], err);
    return rc;
}

static int compare_traces(struct contest *contest, struct loom_error *err)
{
    int rc = measure_others(contest, err);
    if (!rc)
        rc = measure_days(contest, err);
    if (!rc && wants_report(contest->call))
        rc = report_traces(contest, err);
    if (!rc && loom_params_flag(contest->call->params, "json"))
        rc = print_card_json(contest, err);
    else if (!rc && !wants_report(contest->call))
        rc = print_card(contest, err);
    if (!rc)
        say_lengths(contest);
    return rc;
}

static int compare(struct contest *contest, struct loom_error *err)
{
    int rc = make_pool(&contest->pool, contest->call, err);
    if (!rc)
        rc = read_traces(contest, err);
    if (!rc && loom_params_given(contest->call->params, "fit"))
        return compare_fits(contest, err);
    if (!rc)
        rc = hold_out(contest, err);
    if (!rc)
        rc = measure_reference(contest, err);
    if (rc)
        return rc;
    rc = loom_params_given(contest->call->params, "models") ? compare_models(contest, err)
                                                            : compare_traces(contest, err);
    if (!rc)
        say_spread(contest);
    return rc;
}

static void compare_release(struct contest *contest)
{
    loom_scorecard_destroy(contest->card);
    for (size_t i = 0; contest->cards && i < contest->n_traces; i++)
        loom_scorecard_destroy(contest->cards[i]);
    for (size_t i = 0; contest->comparisons && i < contest->n_traces; i++)
        loom_comparison_destroy(contest->comparisons[i]);
    loom_reference_destroy(contest->reference);
    loom_trace_destroy(contest->earlier);
    for (size_t i = 0; contest->traces && i < contest->n_traces; i++)
        loom_trace_destroy(contest->traces[i]);
    free(contest->cards);
    free(contest->daily_cycle);
    free(contest->comparisons);
    free(contest->traces);
    loom_pool_destroy(contest->pool);
    free_candidates(&contest->candidates);
}

static int compare_run(const struct invocation *call, struct loom_error *err)
{
    struct contest contest = {.call = call, .n_traces = call->n_operands};
    int rc = check_operands(call, err);
    if (!rc)
        rc = take_candidates(&contest.candidates, call, err);
    contest.traces = calloc(call->n_operands, sizeof *contest.traces);
    contest.comparisons = calloc(call->n_operands, sizeof *contest.comparisons);
    contest.cards = calloc(call->n_operands, sizeof *contest.cards);
    contest.daily_cycle = calloc(call->n_operands, sizeof *contest.daily_cycle);
    if (!rc)
        rc = contest.traces && contest.comparisons && contest.cards && contest.daily_cycle
                 ? compare(&contest, err)
                 : loom_fail_memory(err);
    compare_release(&contest);
    return rc;
}

static const char *const about[] = {
    "Distances are in units of the sampling error: about 1 is chance, 3 is not. The score is 1 "
    "where nothing differs; overall counts what is lacking as 0. 'workloom help scores' explains "
    "both.",
    "Compare traces of about one length. --html and --figures need gnuplot.",
    NULL,
};

static const struct example examples[] = {
    {"workloom compare log.swf.gz model.swf", "How real is this workload?"},
    {"workloom compare log.swf.gz new-*.swf --html compare.html",
     "Variants of a log, with figures, for a browser."},
    {"workloom compare log.swf.gz --models all --replications 20",
     "Which model is nearest to this log?"},
    {"workloom compare log.swf.gz --models minh2012,minh2012:variant=printed,mine.json --json",
     "A model as printed and improved, and one that was fitted before, for a program."},
    {"workloom compare kth.swf.gz lanl.swf.gz sdsc.swf.gz --fit log-runtime",
     "One hyper-gamma of runtimes for three logs."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {model_params, compare_fit_params,
                                                  draw_params,  definition_params,
                                                  select_param, loom_select_params + 1,
                                                  input_params, report_params,
                                                  table_params, common_params,
                                                  NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Models", [2] = "Random numbers", [3] = "Definitions", [4] = "Which jobs",
    [6] = "Input",  [7] = "Output",         [9] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_compare = {
    .name = "compare",
    .group = GROUP_WORKLOADS,
    .summary = "compare traces, or rank models by realism",
    .operands = "TRACE [TRACE...]",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 10000,
    .run = compare_run,
};
