/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom simulate --explain: which job is meant. */
#include "simulate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct loom_param explain_params[] = {
    {.name = "explain",
     .type = LOOM_PARAM_TEXT,
     .metavar = "[CLUSTER=]JOB",
     .help = "explain why a job waited"},
    {.name = NULL},
};

static int read_number(int64_t *out, const char *text, struct loom_error *err)
{
    char *end = NULL;
    *out = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : -1;
    if (*out >= 0 && !*end && *out <= INT64_C(1) << 53)
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "--explain wants the number of a job, not '%s'", text);
}

int check_explain(const struct invocation *call, struct loom_error *err)
{
    const char *text = loom_params_text(call->params, "explain");
    int64_t unused;
    if (!text)
        return 0;
    bool cluster = strchr(text, '=') != NULL;
    if (cluster && !loom_params_given(call->params, "platform"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain CLUSTER=JOB is for a grid: add --platform, or leave the "
                         "cluster out");
    return read_number(&unused, cluster ? strrchr(text, '=') + 1 : text, err);
}
