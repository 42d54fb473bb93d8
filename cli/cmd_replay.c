/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom replay: simulate a log as it was, and compare with what happened. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};
static const char *const kinds[] = {"size", "runtime", "user", "queue", "week", NULL};

static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "ran",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

static const char *const all_policies[] = {"all", NULL};

static const struct loom_param replay_params[] = {
    {.name = "policies",
     .type = LOOM_PARAM_CHOICE,
     .choices = all_policies,
     .metavar = "all",
     .help = "search all policies, orders and assumptions, by the first half"},
    {.name = "assume",
     .type = LOOM_PARAM_TEXT,
     .value = "all",
     .metavar = "LIST",
     .help = "assumptions to try: all, none, or names (downtime,exact)"},
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine (default: the log's)",
     .hint = "it is the size of the machine, and --job-procs MIN:MAX selects jobs"},
    OVERRUN_PARAM("job past its requested time"),
    {.name = NULL},
};

static const struct loom_param result_params[] = {
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = kinds,
     .value = "size",
     .metavar = "WHAT",
     .help = "classes of jobs in the second table"},
    REPORT_PARAMS("a page", "tables"),
    {.name = "csv",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write a row for each run, half and class of jobs"},
    {.name = NULL},
};

static int find_assumption(unsigned *out, const char *name, struct loom_error *err)
{
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS; i++)
        if (strcmp(loom_assumption_name(i), name) == 0) {
            *out |= 1u << i;
            return 0;
        }
    return loom_fail(err, LOOM_EUSAGE,
                     "--assume takes all, none, or names of exact, downtime, initial, queues, "
                     "partitions, peaks, user-jobs, user-procs, size, jumpers, weeks; not '%.40s'",
                     name);
}

/* The assumptions that --assume names. */
static int take_assumptions(unsigned *out, const struct invocation *call, struct loom_error *err)
{
    const char *text = loom_params_text(call->params, "assume");
    *out = strcmp(text, "all") == 0 ? ~0u : 0;
    if (*out || strcmp(text, "none") == 0)
        return 0;
    char *list = strdup(text), *rest = list, *item;
    int rc = list ? 0 : loom_fail_memory(err);
    while (!rc && (item = next_item(&rest)))
        rc = find_assumption(out, item, err);
    free(list);
    return rc;
}

static struct loom_machine_size machine_of(const struct invocation *call,
                                           struct loom_machine_size found)
{
    if (loom_params_given(call->params, "procs"))
        found =
            (struct loom_machine_size){loom_params_int(call->params, "procs"), LOOM_SIZE_HEADER};
    return found;
}

/* Does the call say when jobs were submitted? Then all of them are compared. */
static bool has_own_window(const struct loom_params *params)
{
    return loom_params_given(params, "window") || loom_params_given(params, "from-time") ||
           loom_params_given(params, "to-time");
}

static int replay_with(struct replay *replay, const struct policies *policies,
                       struct loom_machine_size machine, struct loom_error *err)
{
    const struct loom_params *params = replay->call->params;
    struct loom_replay_report *report = NULL;
    struct loom_constraints constraints;
    struct loom_scenario given = {0};
    unsigned assumptions = 0;
    int rc = loom_constraints_take(&constraints, params, replay->trace, err);
    loom_constraints_apply(&given, &constraints);
    if (!rc)
        rc = take_assumptions(&assumptions, replay->call, err);
    const struct loom_replay_options options = {
        .trace = replay->trace,
        .machine = machine_of(replay->call, machine),
        .policies = (const char *const *)policies->texts,
        .n_policies = policies->n,
        .schedulers = replay->call->schedulers,
        .overrun = (enum loom_overrun)loom_params_choice(params, "overrun"),
        .assumptions = assumptions,
        .complete = !has_own_window(params),
        .search = loom_params_given(params, "policies"),
        .downtime = given.downtime,
        .limits = given.limits,
        .split = given.split,
        .pool = replay->pool,
    };
    if (!rc)
        rc = name_trace(loom_replay_run(&report, &options, err), replay->trace, err);
    replay->report = report;
    if (!rc)
        rc = report_replay(replay, err);
    loom_replay_report_destroy(report);
    loom_constraints_release(&constraints);
    return rc;
}

static int replay_work(const struct invocation *call, struct loom_trace *trace,
                       struct loom_pool *pool, struct loom_error *err)
{
    struct replay replay = {.call = call, .pool = pool, .trace = trace};
    struct loom_machine_size machine;
    struct policies policies = {0};
    int rc = loom_trace_machine_size(&machine, trace, err);
    if (!rc)
        rc = take_selection(trace, call, "to replay", &replay.left_out, err);
    if (!rc)
        rc = take_policies(&policies, call, err);
    if (!rc)
        rc = replay_with(&replay, &policies, machine, err);
    release_policies(&policies);
    return rc;
}

/* Wrong policies are refused before the log is read. */
static int replay_run_command(const struct invocation *call, struct loom_error *err)
{
    size_t n;
    unsigned assumptions;
    const char *csv = loom_params_text(call->params, "csv");
    int rc = check_policies(call, &n, err);
    if (!rc)
        rc = take_assumptions(&assumptions, call, err);
    if (!rc)
        rc = check_report_outputs(call, err);
    if (!rc)
        rc = refuse_same_output(call, "html", "csv", err);
    if (!rc && csv && strcmp(csv, "-") == 0 && loom_params_flag(call->params, "json"))
        rc = loom_fail(err, LOOM_EUSAGE,
                       "--json and --csv cannot both go to stdout; name a file with --csv");
    if (!rc && csv)
        rc = refuse_same_file(call->operands[0], csv, err);
    return rc ? rc : with_trace(call, replay_work, err);
}

static const char *const about[] = {
    "The jobs of the log are simulated at their submit times, and the simulated waits compared "
    "with the logged ones, job by job. Bias is the mean of simulated minus logged waits, shown in "
    "percent of the logged mean.",
    "Assumptions are tried one at a time under the first policy: exact estimates, downtime, jobs "
    "running when the log begins, processors of each queue or partition, limits of users, a "
    "machine of another size or one that changes by week, jobs that jumped the queue. Values are "
    "fitted to the first half of the log; "
    "the run that explains it best (*) is scored on the second half.",
    NULL,
};

static const struct example examples[] = {
    {"workloom replay log.swf.gz", "How far is EASY from what happened?"},
    {"workloom replay log.swf.gz -s easy -s fcfs --html replay.html", "Two policies, as a page."},
    {"workloom replay log.swf.gz --policies all", "What explains the log best?"},
    {"workloom replay log.swf.gz --downtime log --by user", "With its outages, by user."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    select_param,  loom_select_params + 2, input_params,  policy_params, plugin_params,
    replay_params, loom_constraint_params, result_params, table_params,  common_params,
    NULL};

static const char *const headings[] = {
    [0] = "Which jobs",  [2] = "Input",  [3] = "Policy and machine",
    [6] = "Constraints", [7] = "Output", [9] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_replay = {
    .name = "replay",
    .group = GROUP_SIMULATION,
    .summary = "compare a simulation of a log with what happened",
    .operands = "TRACE",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = replay_run_command,
};
