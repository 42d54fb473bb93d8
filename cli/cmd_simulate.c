/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom simulate: the jobs of a log under a scheduler, what it is worth, and the schedule. */
#include "simulate.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

/* The selection options, but --procs means the machine. */
static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "ran",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

static const struct loom_param machine_params[] = {
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine (default: the log's)",
     .hint = "it is the size of the machine, and --job-procs MIN:MAX selects jobs"},
    ESTIMATES_PARAM,
    OVERRUN_PARAM("job past its requested time"),
    COMPAT_PARAM("order of events"),
    {.name = NULL},
};

static const struct loom_param schedule_params[] = {
    {.name = "output",
     .letter = 'o',
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write the schedule: the log with the simulated waits"},
    {.name = "csv",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write one row a run, one column a metric"},
    {.name = "waits",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write predicted and simulated waits (CSV)"},
    {.name = NULL},
};

#define LEAST_LOAD 0.001

static const char *const ways[] = {"size", "arrivals", "runtimes", NULL};

static const struct loom_param load_params[] = {
    {.name = "load",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "L",
     .help = "offered load; a list (0.5,0.9) or range (0.5:0.95:0.05) makes several runs"},
    {.name = "load-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = ways,
     .value = "arrivals",
     .metavar = "WHAT",
     .help = "what changes for --load"},
    {.name = NULL},
};

static const struct loom_param explain_params[] = {
    {.name = "explain",
     .type = LOOM_PARAM_TEXT,
     .metavar = "[CLUSTER=]JOB",
     .help = "explain why a job waited"},
    {.name = NULL},
};

/* ---- the scenarios --------------------------------------------------------------------------- */

enum { MOST_RUNS = 10000 };

/* What the scenarios of a call share and point at. */
struct request {
    struct simulation of;
    struct loom_outcome **outcomes;
    struct loom_numbers loads;
    struct loom_users_request users;
    struct loom_resampler *resampler; /* of a workload that is brought to a load; else NULL */
    struct loom_model *model;         /* that makes the jobs; else NULL */
    struct loom_generate_options generate;
    struct loom_request_change requests;
    struct loom_platform *platform;
    struct loom_system *system;
    struct loom_params *measure;
    bool constrained;
    struct loom_constraints constraints; /* void unless constrained */
    struct policies policies;
    struct loom_scenario *scenarios;
    struct loom_progress *progress;
};

static bool any_given(const struct invocation *call, const struct loom_param *options)
{
    for (; options->name; options++)
        if (loom_params_given(call->params, options->name))
            return true;
    return false;
}

/* Read the loads that --load names, ascending; none if it was not given. */
static int read_loads(struct loom_numbers *out, const struct invocation *call,
                      struct loom_error *err)
{
    int rc = 0;
    out->n = 0;
    for (size_t i = 0; i < loom_params_count(call->params, "load") && !rc; i++)
        rc = loom_numbers_add(out, loom_params_item(call->params, "load", i), LEAST_LOAD,
                              LOOM_LOAD_MOST, "load", err);
    return rc;
}

static void release_request(struct request *request)
{
    for (size_t i = 0; request->outcomes && i < request->of.n; i++)
        loom_outcome_destroy(request->outcomes[i]);
    free(request->outcomes);
    free(request->scenarios);
    release_policies(&request->policies);
    loom_params_destroy(request->measure);
    if (request->constrained)
        loom_constraints_release(&request->constraints);
    loom_resampler_destroy(request->resampler);
    loom_model_destroy(request->model);
    if (has_people(request->of.call))
        loom_users_request_release(&request->users);
    loom_system_destroy(request->system);
    loom_platform_destroy(request->platform);
    loom_progress_destroy(request->progress);
}

static int take_system(struct request *request, struct loom_error *err)
{
    const struct invocation *call = request->of.call;
    if (loom_params_given(call->params, "procs"))
        return loom_system_create(&request->system, loom_params_int(call->params, "procs"), err);
    if (!loom_params_given(call->params, "platform"))
        return 0;
    const struct loom_read_options read = {
        .max_bytes = (uint64_t)loom_params_int(call->params, "max-bytes"),
        .skip_bad_lines = loom_params_flag(call->params, "skip-bad-lines"),
        .pool = request->of.pool,
    };
    int rc = loom_platform_create(&request->platform, call->params, call->schedulers, err);
    return rc ? rc : loom_system_create_grid(&request->system, request->platform, &read, err);
}

static unsigned what_to_keep(const struct invocation *call)
{
    unsigned keep = 0;
    if (wants_report(call))
        keep |= LOOM_KEEP_SERIES | LOOM_KEEP_CURVES | LOOM_KEEP_WITHIN;
    if (loom_params_flag(call->params, "json"))
        keep |= LOOM_KEEP_SERIES | LOOM_KEEP_WITHIN;
    if (loom_params_flag(call->params, "wide") || loom_params_given(call->params, "csv") ||
        loom_params_given(call->params, "replications"))
        keep |= LOOM_KEEP_WITHIN;
    if (loom_params_given(call->params, "output") || loom_params_given(call->params, "gantt") ||
        loom_params_given(call->params, "background-output") ||
        loom_params_given(call->params, "waits"))
        keep |= LOOM_KEEP_RUN;
    if (loom_params_given(call->params, "gantt") &&
        loom_params_choice(call->params, "gantt-by") == LOOM_GANTT_BY_WHY)
        keep |= LOOM_KEEP_STARTS;
    return keep;
}

static bool is_trimmed(const struct loom_params *params)
{
    return loom_params_given(params, "warm-up") || loom_params_given(params, "cool-down");
}

/* All but policy and load, which differ from run to run. */
static int common_scenario(struct loom_scenario *out, struct request *request,
                           struct loom_error *err)
{
    const struct loom_params *params = request->of.call->params;
    *out = loom_scenario();
    out->trace = request->of.trace;
    if (loom_params_given(params, "estimates") && !request->model)
        out->requests = &request->requests;
    out->load_by = (enum loom_load_way)loom_params_choice(params, "load-by");
    if (request->resampler) {
        out->trace = NULL;
        out->resampler = request->resampler;
    } else if (request->model) {
        out->trace = NULL;
        out->model = request->model;
        out->generate = request->generate;
    } else if (has_people(request->of.call)) {
        out->users = &request->users.options;
    }
    out->system = request->system;
    out->machine = request->of.machine;
    out->schedulers = request->of.call->schedulers;
    out->overrun = (enum loom_overrun)loom_params_choice(params, "overrun");
    out->compat = (enum loom_compat)loom_params_choice(params, "compat");
    out->predictor = loom_params_text(params, "predictor");
    out->correction = (enum loom_correction)loom_params_choice(params, "correction");
    out->predict_waits = loom_params_flag(params, "predict-waits");
    out->measure = request->measure;
    out->by =
        loom_params_given(params, "by") ? (int)loom_params_choice(params, "by") : LOOM_NO_CLASSES;
    out->keep = what_to_keep(request->of.call);
    out->explain = loom_params_text(params, "explain");
    if (request->constrained)
        loom_constraints_apply(out, &request->constraints);
    out->seed = seed_of(request->of.call);
    out->replication = (uint64_t)loom_params_int(params, "replication");
    out->pool = request->of.pool;
    out->progress = request->progress;
    return is_trimmed(params) ? loom_trim_take(&out->trim, params, err) : 0;
}

/* List each policy at each load, by policy, in `each` replications. */
static int list_scenarios(struct request *request, size_t each, struct loom_error *err)
{
    struct loom_scenario common;
    size_t n = request->of.n, n_loads = n / each / request->policies.n;
    request->scenarios = calloc(n, sizeof *request->scenarios);
    request->outcomes = calloc(n, sizeof *request->outcomes);
    if (!request->scenarios || !request->outcomes)
        return loom_fail_memory(err);
    request->of.outcomes = (const struct loom_outcome *const *)request->outcomes;
    int rc = common_scenario(&common, request, err);
    for (size_t i = 0; i < n && !rc; i++) {
        request->scenarios[i] = common;
        request->scenarios[i].policy = request->policies.texts[i / each / n_loads];
        request->scenarios[i].replication += i % each;
        if (request->loads.n > 0)
            request->scenarios[i].load = request->loads.items[i / each % n_loads];
    }
    return rc;
}

static int take_model_of(struct request *request, struct loom_error *err)
{
    int rc = get_jobs_model(&request->model, &request->of, err);
    request->of.model = request->model;
    return rc ? rc : take_generation(&request->generate, &request->of, err);
}

static int prepare(struct request *request, struct loom_error *err)
{
    const struct invocation *call = request->of.call;
    int rc = read_loads(&request->loads, call, err);
    if (!rc && request->loads.n > 0)
        warn_load(request->loads.items[request->loads.n - 1]);
    if (!rc && loom_params_given(call->params, "estimates") &&
        !loom_params_given(call->params, "model"))
        rc = take_request_change(&request->requests, call, err);
    if (!rc)
        rc = take_policies(&request->policies, call, err);
    if (!rc)
        rc = take_system(request, err);
    request->constrained = !rc && any_given(call, loom_constraint_params);
    if (request->constrained)
        rc = loom_constraints_take(&request->constraints, call->params, request->of.trace, err);
    if (!rc && has_people(call))
        rc = loom_users_request_take(&request->users, call->params, is_resampled(call),
                                     request->of.trace, err);
    if (!rc && request->loads.n > 0 && is_resampled(call) &&
        !loom_params_given(call->params, "feedback"))
        rc = draw_workloads(&request->resampler, call, &request->users, request->of.trace, err);
    if (!rc && loom_params_given(call->params, "model"))
        rc = take_model_of(request, err);
    if (!rc && loom_params_given(call->params, "measure-users"))
        rc = loom_measured_take(&request->measure, call->params, err);
    request->of.platform = request->platform;
    request->of.system = request->system;
    return rc;
}

static int simulate_all(struct request *request, struct loom_error *err)
{
    struct simulation *of = &request->of;
    size_t each = (size_t)loom_params_int(of->call->params, "replications");
    of->n = request->policies.n * (request->loads.n ? request->loads.n : 1) * each;
    /* How many local jobs a grid has is seen run by run. */
    uint64_t jobs = request->platform ? 0 : of->n * loom_trace_count(of->trace);
    request->progress = loom_progress_create("simulating", "jobs", jobs,
                                             loom_params_flag(of->call->params, "quiet"));
    int rc = list_scenarios(request, each, err);
    if (!rc)
        rc = name_trace(loom_sweep_run(request->outcomes, request->scenarios, of->n, of->pool, err),
                        of->trace, err);
    loom_progress_destroy(request->progress);
    request->progress = NULL;
    return rc;
}

static int simulate(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                    struct loom_error *err)
{
    struct request request = {.of = {.call = call, .pool = pool, .trace = trace}};
    const char *to = loom_params_text(call->params, "output");
    int rc = loom_trace_machine_size(&request.of.machine, trace, err);
    if (!rc)
        rc = warn_incomplete(trace, call, err);
    if (!rc)
        rc = select_simulated(trace, call, &request.of.left_out, err);
    if (!rc)
        rc = need_jobs(trace, call, request.of.left_out, "to simulate", err);
    /* Without users who react, the schedule has all jobs of the log, also those that could not run:
     * its format must be able to hold them. */
    if (!rc && to && !has_people(call))
        rc = check_jobs_output(trace, call, to, err);
    if (!rc)
        rc = prepare(&request, err);
    if (!rc)
        rc = simulate_all(&request, err);
    if (!rc)
        rc = loom_params_given(call->params, "replications") ? report_replications(&request.of, err)
                                                             : report_simulation(&request.of, err);
    release_request(&request);
    return rc;
}

/* ---- before the log is read ------------------------------------------------------------------ */

/* Check that --explain names a job. */
static int check_explain(const struct invocation *call, const char *text, struct loom_error *err)
{
    bool cluster = strchr(text, '=') != NULL;
    const char *number = cluster ? strrchr(text, '=') + 1 : text;
    char *end = NULL;
    int64_t job = isdigit((unsigned char)*number) ? strtoll(number, &end, 10) : -1;
    if (cluster && !loom_params_given(call->params, "platform"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain CLUSTER=JOB is for a grid: add --platform, or leave the "
                         "cluster out");
    if (job < 0 || *end || job > INT64_C(1) << 53)
        return loom_fail(err, LOOM_EUSAGE, "--explain wants the number of a job, not '%s'", number);
    return 0;
}

/* Check options that are for one of n runs, or for replications alone. */
static int check_runs(const struct invocation *call, size_t n, struct loom_error *err)
{
    static const char *const for_one[] = {"output", "explain", "gantt", "background-output",
                                          "waits",  NULL};
    bool replicated = loom_params_given(call->params, "replications");
    if (n > MOST_RUNS)
        return loom_fail(err, LOOM_EUSAGE,
                         "%zu runs are too many for one call: use 'workloom experiment run'", n);
    if (n > 1 || replicated) {
        int rc = refuse_options(call, for_one,
                                "is for one run: give one --scheduler and one --load", err);
        if (rc)
            return rc;
    }
    if (replicated && loom_params_given(call->params, "by"))
        return loom_fail(err, LOOM_EUSAGE, "--by is for one replication: leave out --replications");
    for (const struct loom_param *param = analysis_params; param->name; param++)
        if (!replicated && loom_params_given(call->params, param->name))
            return loom_fail(err, LOOM_EUSAGE,
                             "--%s is for several replications: add --replications N", param->name);
    return 0;
}

/* What goes to stdout is one thing. */
static int check_stdout(const struct invocation *call, struct loom_error *err)
{
    static const char *const files[] = {"output", "csv"};
    bool explain = loom_params_given(call->params, "explain");
    bool json = loom_params_flag(call->params, "json");
    size_t to_stdout = 0;
    for (size_t i = 0; i < 2; i++) {
        const char *to = loom_params_text(call->params, files[i]);
        bool dash = to && strcmp(to, "-") == 0;
        to_stdout += dash;
        if (dash && (explain || json || to_stdout > 1))
            return loom_fail(err, LOOM_EUSAGE,
                             "%s and %s cannot both go to stdout; name a file with %s",
                             json      ? "--json"
                             : explain ? "--explain"
                                       : "the schedule",
                             i == 0 ? "the schedule" : "--csv", i == 0 ? "-o" : "--csv");
    }
    return 0;
}

static int check_files(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    int rc = check_stdout(call, err);
    if (!rc && loom_params_given(call->params, "waits"))
        rc = check_waits(call, err);
    if (!rc)
        rc = check_figures(call, err);
    if (!rc)
        rc = refuse_same_output(call, "output", "csv", err);
    if (!rc && loom_params_given(call->params, "csv"))
        rc = refuse_same_file(call->operands[0], loom_params_text(call->params, "csv"), err);
    if (!rc && to)
        rc = refuse_same_file(call->operands[0], to, err);
    if (!rc && to)
        rc = check_trace_output(call, to, err);
    return rc;
}

static int check_estimates(struct loom_request_change *out, const struct invocation *call,
                           struct loom_error *err)
{
    return loom_params_given(call->params, "model")
               ? loom_request_rule_parse(&out->how, &out->factor,
                                         loom_params_text(call->params, "estimates"),
                                         LOOM_REQUESTS_OF_MODEL, err)
               : take_request_change(out, call, err);
}

static int check_simulate_options(const struct invocation *call, struct loom_error *err)
{
    struct loom_sim_trim trim;
    struct loom_request_change requests = {.how = LOOM_REQUESTS_REQUESTED};
    struct loom_numbers loads;
    static const char *const of_random[] = {"seed", "replication", "replications", NULL};
    const char *explained = loom_params_text(call->params, "explain");
    size_t n_policies, replications = (size_t)loom_params_int(call->params, "replications");
    bool random = loom_params_given(call->params, "model");
    if (loom_params_given(call->params, "load-by") && !loom_params_given(call->params, "load"))
        return loom_fail(err, LOOM_EUSAGE, "--load-by needs a load: add --load");
    int rc = read_loads(&loads, call, err);
    if (!rc && loom_params_given(call->params, "estimates")) {
        rc = check_estimates(&requests, call, err);
        random |= !rc && loom_request_rule_random(requests.how);
    }
    if (!rc)
        rc = check_policies(call, &n_policies, err);
    if (!rc)
        rc = check_people(call, err);
    if (!rc && is_trimmed(call->params))
        rc = loom_trim_take(&trim, call->params, err);
    if (!rc && explained)
        rc = check_explain(call, explained, err);
    if (!rc && (any_given(call, loom_platform_params) || any_given(call, grid_output_params)))
        rc = check_grid(call, &random, err);
    /* Five seeds of a run in which nothing is random would give five equal results. */
    if (!rc && !random && !has_people(call))
        rc = refuse_options(call, of_random,
                            "has no effect: nothing in this run is random (--model, --feedback, "
                            "--users resampled, --estimates uniform:F, --background-model and "
                            "--dispatch choose=random are)",
                            err);
    if (!rc)
        rc = check_runs(call, n_policies * (loads.n ? loads.n : 1) * replications, err);
    return rc ? rc : check_files(call, err);
}

static int simulate_run(const struct invocation *call, struct loom_error *err)
{
    enum { LARGE = 128 << 10 };
    int rc = loom_params_given(call->params, "model") ? check_model(call, err) : 0;
    if (!rc && loom_params_given(call->params, "preset"))
        rc = loom_users_preset_apply(call->params, is_resampled(call), err);
    if (!rc)
        rc = check_simulate_options(call, err);
    map_large_blocks(LARGE); /* queues grow while a simulation runs */
    return rc ? rc : with_trace(call, simulate, err);
}

static const char *const about[] = {
    "'workloom help PAGE' has more: simulation (rules, load, metrics), feedback (users who react), "
    "platforms (grids), schedulers, json (keys).",
    NULL,
};

static const struct example examples[] = {
    {"workloom simulate log.swf.gz -s fcfs -s easy", "Compare two policies on the log's machine."},
    {"workloom simulate log.swf.gz -s conservative -o schedule.swf", "Keep the schedule."},
    {"workloom simulate log.swf.gz --load 0.5:0.95:0.05 --html load.html",
     "Slowdown against load, as a page to read."},
    {"workloom simulate log.swf.gz --explain 4711", "Why did job 4711 wait?"},
    {"workloom simulate log.swf.gz --users resampled --preset zakay-ch5 -s ups",
     "A new population that reacts to service."},
    {"workloom simulate log.swf.gz --users resampled -s easy -s conservative --replications 20",
     "Two policies on 20 variants of the log, with intervals."},
    {"workloom simulate log.swf.gz --platform das3 --background-model uniform",
     "Jobs of a grid of five clusters with local jobs."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    policy_params,          plugin_params,    machine_params,       loom_prediction_params,
    loom_constraint_params, load_params,      select_param,         loom_select_params + 3,
    model_params,           people_params,    loom_preset_params,   loom_feedback_params,
    loom_population_params, loom_rare_params, loom_platform_params, grid_output_params,
    loom_class_params,      loom_trim_params, explain_params,       replication_params,
    analysis_params,        figure_params,    schedule_params,      output_params,
    table_params,           common_params,    input_params,         NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Policy and machine",
    [4] = "Constraints",
    [5] = "Load",
    [6] = "Which jobs",
    [9] = "Users and random numbers",
    [10] = "+Users who react and resampled users",
    [14] = "+Grid",
    [16] = "Results",
    [19] = "Replications",
    [20] = "+Analysis of replications",
    [21] = "Pages and figures",
    [22] = "Output",
    [26] = "+Input",
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_simulate = {
    .name = "simulate",
    .group = GROUP_SIMULATION,
    .summary = "simulate a log under a batch scheduler",
    .operands = "TRACE",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = simulate_run,
};
