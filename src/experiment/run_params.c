/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of changes to jobs and of what is measured: for the command and for plans. */
#include "base/error.h"
#include "base/words.h"
#include "experiment/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const shuffles[] = {"none", "joint", "runtime", "procs", "separate", NULL};

const char *const loom_overrun_rules[] = {"raise", "kill", "extend", NULL};
const char *const loom_compat_rules[] = {"none", "pyss", NULL};
const char *const loom_load_ways[] = {"size", "arrivals", "runtimes", NULL};

const struct loom_param loom_rearrange_params[] = {
    {.name = "shuffle",
     .type = LOOM_PARAM_CHOICE,
     .choices = shuffles,
     .value = "none",
     .metavar = "WHAT",
     .help = "permute runtimes and sizes at random"},
    {.name = "correlation",
     .type = LOOM_PARAM_REAL,
     .min = -1,
     .max = 1,
     .metavar = "RHO",
     .help = "exchange sizes until the Spearman correlation of runtime and size is RHO"},
    {.name = "correlation-degree",
     .type = LOOM_PARAM_REAL,
     .min = -1,
     .max = 1,
     .metavar = "D",
     .help = "same, by the share of jobs in rank order (negative: reverse order)"},
    {.name = NULL},
};

const struct loom_param loom_trim_params[] = {
    {.name = "warm-up",
     .type = LOOM_PARAM_TEXT,
     .metavar = "LENGTH",
     .help = "leave out the first jobs (1000) or days (7d)"},
    {.name = "cool-down",
     .type = LOOM_PARAM_TEXT,
     .metavar = "LENGTH",
     .help = "same for the last jobs"},
    {.name = "measure-users",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "metrics of these users, as for --users"},
    {.name = NULL},
};

/* In the order of enum loom_class_kind. */
static const char *const class_kinds[] = {"size", "runtime", "user", "queue", "bag", NULL};

const struct loom_param loom_class_params[] = {
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = class_kinds,
     .metavar = "WHAT",
     .help = "metrics by"},
    {.name = NULL},
};

static const char *const corrections[] = {"requested", "incremental", "double", NULL};

const struct loom_param loom_prediction_params[] = {
    {.name = "predictor",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAME",
     .help = "schedule by predicted runtimes, as recent2"},
    {.name = "correction",
     .type = LOOM_PARAM_CHOICE,
     .choices = corrections, /* in the order of enum loom_correction */
     .value = "requested",
     .metavar = "RULE",
     .help = "what becomes of a prediction that runs out"},
    {.name = "predict-waits",
     .type = LOOM_PARAM_FLAG,
     .help = "predict the start of each job when it is submitted"},
    {.name = NULL},
};

const struct loom_param loom_amount_params[] = {
    {.name = "jobs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 4e9,
     .metavar = "N",
     .help = "number of jobs (default: the fitted log's, or 10000)"},
    {.name = "days",
     .type = LOOM_PARAM_REAL,
     .min = 1e-3,
     .max = 1e6,
     .metavar = "D",
     .help = "length in days; with --jobs, whichever ends first"},
    {.name = NULL},
};

const struct loom_param loom_without_params[] = {
    {.name = "without",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "TRAITS",
     .help = "leave out traits: burstiness, lrd, bot, locality, correlation, cycle"},
    {.name = NULL},
};

int loom_rearrangement_take(struct loom_rearrangement *out, bool *asked,
                            const struct loom_params *params, struct loom_error *err)
{
    bool by_value = loom_params_given(params, "correlation");
    bool by_degree = loom_params_given(params, "correlation-degree");
    *out = (struct loom_rearrangement){.shuffle =
                                           (enum loom_shuffle)loom_params_choice(params, "shuffle"),
                                       .correlate = by_value || by_degree,
                                       .by_degree = by_degree};
    *asked = out->correlate || out->shuffle != LOOM_SHUFFLE_NONE;
    if (by_value && by_degree)
        return loom_fail_field(err, LOOM_EUSAGE, "correlation correlation-degree",
                               "correlation and correlation-degree ask for the same thing in two "
                               "ways; give one of them");
    if (out->correlate)
        out->value = loom_params_real(params, by_degree ? "correlation-degree" : "correlation");
    return 0;
}

/* "1000" is jobs, "7d" or "0.5d" days. */
static int parse_length(int64_t *jobs, int64_t *time_s, const struct loom_params *params,
                        const char *name, struct loom_error *err)
{
    if (!loom_params_given(params, name))
        return 0;
    const char *text = loom_params_text(params, name);
    char *end = NULL;
    double number = strtod(text, &end);
    bool days = strcmp(end, "d") == 0;
    if (end == text || (*end && !days) || !(number >= 0 && number <= 1e9) ||
        (!days && number != floor(number)))
        return loom_fail_field(err, LOOM_EUSAGE, name,
                               "%s wants a number of jobs (1000) or of days (7d), not '%s'", name,
                               text);
    *(days ? time_s : jobs) = (int64_t)round(days ? number * 86400 : number);
    return 0;
}

int loom_trim_take(struct loom_sim_trim *out, const struct loom_params *params,
                   struct loom_error *err)
{
    *out = (struct loom_sim_trim){0};
    int rc = parse_length(&out->warm_up_jobs, &out->warm_up_s, params, "warm-up", err);
    if (!rc)
        rc = parse_length(&out->cool_down_jobs, &out->cool_down_s, params, "cool-down", err);
    return rc;
}

int loom_measured_take(struct loom_params **out, const struct loom_params *params,
                       struct loom_error *err)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    *out = NULL;
    if (!loom_params_given(params, "measure-users"))
        return 0;
    int rc = loom_params_create(out, lists, err);
    for (size_t i = 0; i < loom_params_count(params, "measure-users") && !rc; i++)
        rc = loom_params_set(*out, "users", loom_params_item(params, "measure-users", i), err);
    return rc;
}

static int find_trait(unsigned *out, const char *word, struct loom_error *err)
{
    const char *names[LOOM_TRAITS + 1] = {0};
    for (size_t i = 0; i < LOOM_TRAITS; i++) {
        names[i] = loom_trait_name(i);
        if (strcmp(names[i], word) == 0) {
            *out |= 1u << i;
            return 0;
        }
    }
    int rc = loom_fail_unknown(err, "trait", word, names,
                               "without takes burstiness, lrd, bot, locality, correlation, cycle");
    return loom_blame(rc, "without", err);
}

/* Cut blanks off both ends. */
static char *trimmed(char *word)
{
    word += strspn(word, " ");
    for (size_t length = strlen(word); length > 0 && word[length - 1] == ' '; length--)
        word[length - 1] = '\0';
    return word;
}

int loom_without_take(unsigned *out, const struct loom_params *params, struct loom_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(params, "without") && !rc; k++) {
        char *list = strdup(loom_params_item(params, "without", k)), *rest = list, *word;
        if (!list)
            return loom_fail_memory(err);
        while (!rc && (word = strsep(&rest, ",")))
            rc = find_trait(out, trimmed(word), err);
        free(list);
    }
    return rc;
}
