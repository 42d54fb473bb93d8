/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom compare: how far traces are from a reference, or which models come nearest to it. */
#include "compare_output.h"

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
    if (!models && call->n_operands < 2)
        return loom_fail(err, LOOM_EUSAGE,
                         "what is '%s' to be compared with? name another trace, or models by "
                         "--models",
                         call->operands[0]);
    if (!models && loom_params_given(call->params, "replications"))
        return loom_fail(err, LOOM_EUSAGE, "--replications is for --models");
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

static int measure_reference(struct contest *contest, struct loom_error *err)
{
    const struct loom_params *params = contest->call->params;
    struct loom_reference_options options = {
        .resamples = (size_t)loom_params_int(params, "resamples"),
        .seed = seed_of(contest->call),
    };
    struct loom_progress *progress =
        loom_progress_create("measuring the reference", "steps", LOOM_FAMILIES + options.resamples,
                             loom_params_flag(params, "quiet"));
    int rc = loom_reference_create(&contest->reference, contest->traces[0], &options, contest->pool,
                                   progress, err);
    loom_progress_destroy(progress);
    if (!rc)
        say_bootstrap(contest->call, contest->reference);
    return rc;
}

static int measure_others(struct contest *contest, struct loom_error *err)
{
    size_t n = contest->n_traces - 1;
    struct loom_progress *progress =
        loom_progress_create("comparing", "families", n * LOOM_FAMILIES,
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

static int compare_traces(struct contest *contest, struct loom_error *err)
{
    int rc = measure_others(contest, err);
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

static void release(struct contest *contest)
{
    loom_scorecard_destroy(contest->card);
    for (size_t i = 0; contest->cards && i < contest->n_traces; i++)
        loom_scorecard_destroy(contest->cards[i]);
    for (size_t i = 0; contest->comparisons && i < contest->n_traces; i++)
        loom_comparison_destroy(contest->comparisons[i]);
    loom_reference_destroy(contest->reference);
    for (size_t i = 0; contest->traces && i < contest->n_traces; i++)
        loom_trace_destroy(contest->traces[i]);
    free(contest->cards);
    free(contest->comparisons);
    free(contest->traces);
    loom_pool_destroy(contest->pool);
    free_candidates(&contest->candidates);
}

static int run(const struct invocation *call, struct loom_error *err)
{
    struct contest contest = {.call = call, .n_traces = call->n_operands};
    int rc = check_operands(call, err);
    if (!rc)
        rc = take_candidates(&contest.candidates, call, err);
    contest.traces = calloc(call->n_operands, sizeof *contest.traces);
    contest.comparisons = calloc(call->n_operands, sizeof *contest.comparisons);
    contest.cards = calloc(call->n_operands, sizeof *contest.cards);
    if (!rc)
        rc = contest.traces && contest.comparisons && contest.cards ? compare(&contest, err)
                                                                    : loom_fail_memory(err);
    release(&contest);
    return rc;
}

static const char *const about[] = {
    "Compares every feature of the dictionary, and distributions of jobs, bags and users, between "
    "the first trace, the reference, and the others. Differences are told in units of what two "
    "logs of the reference's machine would differ by chance: a distance of 1 means nothing, of 3 "
    "that chance is no explanation. It is b - a divided by the scale, which is the sampling error "
    "of the difference and, by squares, a hundredth of the larger value. The score is 1 where "
    "nothing differs and goes to 0; its parts "
    "are the means over what belongs to each, and what a trace does not know is left out of it. "
    "Coverage is the share of what the reference knows that the trace knows as well, and overall "
    "is "
    "the score where all that is lacking counts as 0. Scores are comparable only among traces of "
    "about one length: make workloads of as many jobs as the reference has.",
    "Of several traces, each has a line with its scores; then their mean is told: behind ± stands "
    "half of the 95 % confidence interval of the mean, by Student's t, which of two or three "
    "traces may be wider than the scale of scores from 0 to 1: they are too few to tell. Such "
    "intervals are meant for replications of one workload; of unlike traces, go by each one's "
    "line. What is furthest off in a part is the line of least closeness, which is the mean over "
    "the traces: their mean may lie near to the reference though each of them is far off. With "
    "--json, b_each has the values of a feature, and the medians of a distribution, in the order "
    "of the traces.",
    "With --models, models are fitted to the one TRACE, workloads of as many jobs are made of "
    "each, and the models are ranked by their overall score, so that none gains by lacking what "
    "the log knows.",
    NULL,
};

static const struct example examples[] = {
    {"workloom compare log.swf.gz model.swf", "How real is this workload?"},
    {"workloom compare log.swf.gz new-*.swf --html compare.html",
     "Variants of a log, with figures, for a browser."},
    {"workloom compare log.swf.gz --models all --replications 20",
     "Which model is nearest to this log?"},
    {"workloom compare log.swf.gz --models minh2012,minh2012:variant=improved,mine.json --json",
     "A model as printed and improved, and one that was fitted before, for a program."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {model_params, draw_params,
                                                  select_param, loom_select_params + 1,
                                                  input_params, report_params,
                                                  table_params, common_params,
                                                  NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Models", [1] = "Random numbers", [2] = "Which jobs",
    [4] = "Input",  [5] = "Output",         [7] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_compare = {
    .name = "compare",
    .summary = "compare traces, and rank models by how real they are",
    .operands = "TRACE [TRACE...]",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 10000,
    .run = run,
};
