/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scheduling policies that simulate is asked for. */
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct loom_param policy_params[] = {
    {.name = "scheduler",
     .letter = 's',
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .value = "easy",
     .metavar = "POLICY",
     .help = "policy, as easy:order=sjf; 'all' runs every one"},
    PLUGIN_PARAM,
    {.name = NULL},
};

/* A policy with each --param behind it, at the end of the list. */
static int add_policy(struct policies *out, const char *name, const struct invocation *call,
                      struct loom_error *err)
{
    char **larger = realloc(out->texts, (out->n + 1) * sizeof *larger);
    if (larger)
        out->texts = larger;
    if (!larger || !(larger[out->n] = with_params(name, call)))
        return loom_fail_memory(err);
    out->n++;
    return 0;
}

int take_policies(struct policies *out, const struct invocation *call, struct loom_error *err)
{
    const struct loom_scheduler_info *info;
    int rc = 0;
    for (size_t i = 0; i < loom_params_count(call->params, "scheduler") && !rc; i++) {
        const char *item = loom_params_item(call->params, "scheduler", i);
        if (strcmp(item, "all") != 0)
            rc = add_policy(out, item, call, err);
        else
            for (size_t k = 0; (info = loom_scheduler_at(call->schedulers, k)) && !rc; k++)
                rc = add_policy(out, info->name, call, err);
    }
    return rc;
}

void release_policies(struct policies *policies)
{
    for (size_t i = 0; i < policies->n; i++)
        free(policies->texts[i]);
    free(policies->texts);
}

/* What the queue of a grid has is easily given to the policy of its clusters. */
static int hint_dispatch(int rc, const struct invocation *call, struct loom_error *err)
{
    const struct loom_param *param = loom_grid_info()->params;
    if (!loom_params_find(call->params, "platform"))
        return rc;
    for (; param->name; param++) {
        char unknown[80];
        snprintf(unknown, sizeof unknown, "has no parameter '%s'", param->name);
        if (loom_params_given(call->params, "platform") && strstr(err->message, unknown))
            return loom_fail(err, LOOM_EUSAGE,
                             "'%s' is a parameter of the grid's queue: give it as --dispatch "
                             "%s=VALUE",
                             param->name, param->name);
    }
    return rc;
}

static int check_one(const struct policies *policies, size_t index, const struct invocation *call,
                     struct loom_error *err)
{
    const char *policy = policies->texts[index];
    int first = (int)strcspn(policy, ",:");
    /* A list with commas is how other options have it; here commas part parameters. */
    if (policy[first] == ',')
        return loom_fail(err, LOOM_EUSAGE,
                         "--scheduler takes one policy; give it once for each, as in -s %.*s -s "
                         "%.*s",
                         first, policy, (int)strcspn(policy + first + 1, ","), policy + first + 1);
    for (size_t i = 0; i < index; i++) /* their runs would have equal names */
        if (strcmp(policies->texts[i], policy) == 0)
            return loom_fail(err, LOOM_EUSAGE, "--scheduler %s is given twice", policy);
    int rc = loom_scheduler_check(call->schedulers, policy, err);
    if (rc && rc != LOOM_ENOMEM) {
        err->code = LOOM_EUSAGE;
        rc = hint_dispatch(rc, call, err);
    }
    return rc;
}

int check_policies(const struct invocation *call, size_t *n, struct loom_error *err)
{
    struct policies policies = {0};
    int rc = take_policies(&policies, call, err);
    *n = policies.n;
    if (!rc && *n > 1 && loom_params_count(call->params, "param") > 0)
        rc = loom_fail(err, LOOM_EUSAGE,
                       "--param does not say which --scheduler it is for; write it behind a "
                       "colon: --scheduler easy:order=sjf");
    for (size_t i = 0; i < *n && !rc; i++)
        rc = check_one(&policies, i, call, err);
    release_policies(&policies);
    return rc;
}
