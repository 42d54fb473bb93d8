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

static size_t count_all(const struct invocation *call)
{
    size_t n = 0;
    while (loom_scheduler_at(call->schedulers, n))
        n++;
    return n;
}

/* How many policies an item of the option stands for. */
static size_t count_item(const struct invocation *call, const char *item)
{
    return strcmp(item, "all") == 0 ? count_all(call) : 1;
}

size_t count_policies(const struct invocation *call)
{
    size_t n = 0;
    for (size_t i = 0; i < loom_params_count(call->params, "scheduler"); i++)
        n += count_item(call, loom_params_item(call->params, "scheduler", i));
    return n;
}

/* As it is given, or as 'all' stands for it. */
static const char *policy_at(const struct invocation *call, size_t index)
{
    size_t i = 0, n;
    const char *item;
    while (index >= (n = count_item(call, item = loom_params_item(call->params, "scheduler", i)))) {
        index -= n;
        i++;
    }
    return strcmp(item, "all") == 0 ? loom_scheduler_at(call->schedulers, index)->name : item;
}

char *policy_text(const struct invocation *call, size_t index)
{
    return with_params(policy_at(call, index), call);
}

/* What the queue of a grid has is easily given to the policy of its clusters. */
static int hint_dispatch(int rc, const struct invocation *call, struct loom_error *err)
{
    const struct loom_param *param = loom_grid_info()->params;
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

static int check_one(const struct invocation *call, size_t index, struct loom_error *err)
{
    char *policy = policy_text(call, index);
    int rc = policy ? loom_scheduler_check(call->schedulers, policy, err) : loom_fail_memory(err);
    free(policy);
    if (rc && rc != LOOM_ENOMEM) {
        err->code = LOOM_EUSAGE;
        rc = hint_dispatch(rc, call, err);
    }
    return rc;
}

/* A list with commas is how other options have it; here commas part parameters. */
static int refuse_list(const struct invocation *call, size_t index, struct loom_error *err)
{
    const char *policy = policy_at(call, index);
    int first = (int)strcspn(policy, ",:");
    if (policy[first] != ',')
        return 0;
    return loom_fail(err, LOOM_EUSAGE,
                     "--scheduler takes one policy; give it once for each, as in -s %.*s -s %.*s",
                     first, policy, (int)strcspn(policy + first + 1, ","), policy + first + 1);
}

/* Runs of two policies of the same name could not be told apart. */
static int refuse_twice(const struct invocation *call, size_t index, struct loom_error *err)
{
    const char *policy = policy_at(call, index);
    for (size_t i = 0; i < index; i++)
        if (strcmp(policy_at(call, i), policy) == 0)
            return loom_fail(err, LOOM_EUSAGE, "--scheduler %s is given twice", policy);
    return 0;
}

int check_policy(const struct invocation *call, struct loom_error *err)
{
    size_t n = count_policies(call);
    int rc = 0;
    if (n > 1 && loom_params_count(call->params, "param") > 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "--param does not say which --scheduler it is for; write it behind a "
                         "colon: --scheduler easy:order=sjf");
    for (size_t i = 0; i < n && !rc; i++) {
        rc = refuse_list(call, i, err);
        if (!rc)
            rc = refuse_twice(call, i, err);
        if (!rc)
            rc = check_one(call, i, err);
    }
    return rc;
}
