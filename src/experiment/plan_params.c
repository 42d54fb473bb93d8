/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a plan: parameters that other commands have too, and a few of its own. */
#include "experiment/plan.h"

#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

const struct loom_param loom_plan_whole_params[] = {
    {.name = "name", .type = LOOM_PARAM_TEXT, .metavar = "TEXT", .help = "title of the experiment"},
    {.name = "replications",
     .letter = 'n',
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1e7,
     .value = "10",
     .metavar = "N",
     .help = "runs of each cell"},
    {.name = "seed",
     .type = LOOM_PARAM_INT,
     .min = 0,
     .max = 0x1p53,
     .value = "1",
     .metavar = "N",
     .help = "random seed"},
    {.name = "metrics",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "KEYS",
     .help = "columns of the results (default: all; 'workloom list metrics')"},
    {.name = NULL},
};

const struct loom_param loom_plan_source_params[] = {
    {.name = "trace",
     .letter = 't',
     .type = LOOM_PARAM_TEXT,
     .metavar = "LOG",
     .help = "jobs of a log"},
    {.name = "model",
     .letter = 'm',
     .type = LOOM_PARAM_TEXT,
     .metavar = "MODEL[.json]",
     .help = "jobs of a model: a file, a name, or with --trace a name to fit"},
    {.name = "set",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "KEY=VALUE",
     .help = "replace a key of the model (bags.alpha=2.2)"},
    {.name = "resample",
     .type = LOOM_PARAM_FLAG,
     .help = "another variant of the log in each replication"},
    {.name = "mix",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LOG",
     .help = "resample the users of this log too, on one machine"},
    {.name = "source-procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "make jobs of models or resampled users for N processors"},
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "ran",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

const struct loom_param loom_plan_read_params[] = {
    {.name = "map",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "what the columns of a CSV file mean"},
    {.name = "from",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FORMAT",
     .help = "format of the log, if it is not clear"},
    {.name = "columns",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAMES",
     .help = "column names for sacct or CSV without a header line"},
    {.name = "max-procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of each log's machine, in place of its header's"},
    {.name = "skip-bad-lines", .type = LOOM_PARAM_FLAG, .help = "skip lines that cannot be read"},
    {.name = NULL},
};

const struct loom_param loom_plan_estimate_params[] = {
    {.name = "estimates",
     .type = LOOM_PARAM_TEXT,
     .metavar = "HOW",
     .help = "requested times: requested, exact, f:FACTOR, uniform:FACTOR or modal"},
    {.name = NULL},
};

const struct loom_param loom_plan_policy_params[] = {
    {.name = "scheduler",
     .letter = 's',
     .type = LOOM_PARAM_TEXT,
     .value = "easy",
     .metavar = "POLICY",
     .help = "policy, as easy:order=sjf; 'all' is every one"},
    {.name = "plugin",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "FILE.so",
     .help = "load scheduling policies from a shared object (workloom/scheduler.h)"},
    {.name = "overrun",
     .type = LOOM_PARAM_CHOICE,
     .choices = loom_overrun_rules,
     .value = "raise",
     .metavar = "RULE",
     .help = "job past its estimate"},
    {.name = "compat",
     .type = LOOM_PARAM_CHOICE,
     .choices = loom_compat_rules,
     .value = "none",
     .metavar = "SIMULATOR",
     .help = "order of events"},
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine (default: the log's)",
     .hint = "it is the size of the machine, and job-procs MIN:MAX selects jobs"},
    {.name = NULL},
};

const struct loom_param loom_plan_load_params[] = {
    {.name = "load",
     .type = LOOM_PARAM_TEXT,
     .metavar = "L",
     .help = "offered load; a list (0.5,0.9) or range (0.5:0.95:0.05) is several"},
    {.name = "load-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = loom_load_ways,
     .value = "arrivals",
     .metavar = "WHAT",
     .help = "what changes for the load"},
    {.name = NULL},
};

const struct loom_param *const loom_plan_params[] = {
    loom_plan_whole_params,
    loom_plan_source_params,
    loom_plan_read_params,
    loom_select_params + 2,
    loom_amount_params,
    loom_without_params,
    loom_resample_length_params,
    loom_resample_user_params,
    loom_rare_params,
    loom_resample_change_params,
    loom_preset_params,
    loom_feedback_params,
    loom_plan_estimate_params,
    loom_rearrange_params,
    loom_platform_params,
    loom_plan_policy_params,
    loom_prediction_params,
    loom_constraint_params,
    loom_plan_load_params,
    loom_trim_params,
    loom_class_params,
    NULL,
};

/* Keys whose values belong together in a cell. */
static bool is_listed(const char *name)
{
    static const char *const listed[] = {"mix",
                                         "set",
                                         "users",
                                         "queues",
                                         "rare",
                                         "favour",
                                         "dispatch",
                                         "background",
                                         "background-model",
                                         "background-load",
                                         "background-shift",
                                         "measure-users",
                                         "downtime"};
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (strcmp(listed[i], name) == 0)
            return true;
    return false;
}

const char *loom_plan_need(const char *name)
{
    static const struct {
        const char *need;
        const char *keys[20];
    } needs[] = {
        {"resample",
         {"weeks", "load-factor", "long-term", "temporary", "arrivals", "start", "clock", "favour",
          "as-is", "shake", "shake-by", "locality", "rare", "rare-per-week", "long-term-weeks",
          "edge-weeks", "fresh-names", "pause", "mix"}},
        {"feedback", {"session-gap", "poor", "abort", "abandon"}},
        {"trace", {"from", "map", "columns", "max-procs", "skip-bad-lines"}},
        {"model", {"jobs", "days", "without", "set"}},
        {"load", {"load-by"}},
        {"predictor", {"correction"}},
        {"platform",
         {"dispatch", "background", "background-model", "background-load", "background-shift"}},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        for (const char *const *key = needs[i].keys; *key; key++)
            if (strcmp(*key, name) == 0)
                return needs[i].need;
    return NULL;
}

const struct loom_param *loom_plan_key(size_t index, enum loom_key_kind *kind)
{
    for (const struct loom_param *const *list = loom_plan_params; *list; list++)
        for (const struct loom_param *param = *list; param->name; param++)
            if (index-- == 0) {
                bool whole = *list == loom_plan_whole_params || strcmp(param->name, "plugin") == 0;
                *kind = whole                    ? LOOM_KEY_PLAN
                        : is_listed(param->name) ? LOOM_KEY_LISTED
                                                 : LOOM_KEY_CROSSED;
                return param;
            }
    return NULL;
}

size_t loom_plan_keys(void)
{
    size_t n = 0;
    for (const struct loom_param *const *list = loom_plan_params; *list; list++)
        for (const struct loom_param *param = *list; param->name; param++)
            n++;
    return n;
}
