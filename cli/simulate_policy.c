/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scheduling policy that simulate is asked for. */
#include "simulate.h"

#include <stdlib.h>
#include <string.h>

const struct loom_param policy_params[] = {
    {.name = "scheduler",
     .letter = 's',
     .type = LOOM_PARAM_TEXT,
     .value = "easy",
     .metavar = "POLICY",
     .help = "the policy ('workloom list schedulers') and, behind a colon, its parameters: "
             "easy:order=sjf"},
    {.name = NULL},
};

char *policy_text(const struct invocation *call)
{
    const char *policy = loom_params_text(call->params, "scheduler");
    size_t n = loom_params_count(call->params, "param"), size = strlen(policy) + 1;
    for (size_t i = 0; i < n; i++)
        size += strlen(loom_params_item(call->params, "param", i)) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    char separator = strchr(policy, ':') ? ',' : ':';
    char *end = stpcpy(text, policy);
    for (size_t i = 0; i < n; i++, separator = ',') {
        *end++ = separator;
        end = stpcpy(end, loom_params_item(call->params, "param", i));
    }
    return text;
}

int check_policy(const struct invocation *call, struct loom_error *err)
{
    char *policy = policy_text(call);
    int rc = policy ? loom_scheduler_check(policy, err) : loom_fail_memory(err);
    free(policy);
    if (rc && rc != LOOM_ENOMEM)
        err->code = LOOM_EUSAGE;
    return rc;
}
