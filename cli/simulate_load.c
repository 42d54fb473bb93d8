/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same jobs at another load, for simulate. */
#include "simulate.h"

#define LEAST_LOAD 0.001

static const char *const ways[] = {"size", "arrivals", "runtimes", NULL};

const struct loom_param load_params[] = {
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

int read_loads(struct loom_numbers *out, const struct invocation *call, struct loom_error *err)
{
    int rc = 0;
    out->n = 0;
    for (size_t i = 0; i < loom_params_count(call->params, "load") && !rc; i++)
        rc = loom_numbers_add(out, loom_params_item(call->params, "load", i), LEAST_LOAD,
                              LOOM_LOAD_MOST, "load", err);
    return rc;
}

int check_load(const struct invocation *call, struct loom_error *err)
{
    struct loom_numbers list;
    if (loom_params_given(call->params, "load-by") && !loom_params_given(call->params, "load"))
        return loom_fail(err, LOOM_EUSAGE, "--load-by needs a load: add --load");
    return read_loads(&list, call, err);
}
