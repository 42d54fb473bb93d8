/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that choose the measured jobs and their classes. */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"size", "runtime", "user", "queue", "bag", NULL};

const struct loom_param class_params[] = {
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = kinds,
     .metavar = "WHAT",
     .help = "metrics by"},
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

/* "1000" is jobs, "7d" or "0.5d" days. */
static int parse_length(int64_t *jobs, int64_t *time_s, const struct invocation *call,
                        const char *option, struct loom_error *err)
{
    if (!loom_params_given(call->params, option))
        return 0;
    const char *text = loom_params_text(call->params, option);
    char *end = NULL;
    double number = strtod(text, &end);
    bool days = strcmp(end, "d") == 0;
    if (end == text || (*end && !days) || !(number >= 0 && number <= 1e9) ||
        (!days && number != floor(number)))
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s wants a number of jobs (1000) or of days (7d), not '%s'", option,
                         text);
    *(days ? time_s : jobs) = (int64_t)round(days ? number * 86400 : number);
    return 0;
}

int read_trim(struct loom_sim_trim *out, const struct invocation *call, struct loom_error *err)
{
    *out = (struct loom_sim_trim){0};
    int rc = parse_length(&out->warm_up_jobs, &out->warm_up_s, call, "warm-up", err);
    if (!rc)
        rc = parse_length(&out->cool_down_jobs, &out->cool_down_s, call, "cool-down", err);
    return rc;
}

int take_measured(struct loom_params **out, const struct invocation *call, struct loom_error *err)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    *out = NULL;
    if (!loom_params_given(call->params, "measure-users"))
        return 0;
    int rc = loom_params_create(out, lists, err);
    for (size_t i = 0; i < loom_params_count(call->params, "measure-users") && !rc; i++)
        rc =
            loom_params_set(*out, "users", loom_params_item(call->params, "measure-users", i), err);
    return rc;
}
