/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a call of `workloom experiment`: a file, options, or both. */
#include "experiment.h"

#include <stdio.h>
#include <string.h>

/* Replications at most of --until, where neither a plan nor an option sets them. */
static const char UNTIL_REPLICATIONS[] = "1000";

static bool needs_replications(const struct invocation *call)
{
    if (call->n_operands > 0 || !loom_params_find(call->params, "until") ||
        !loom_params_given(call->params, "until"))
        return false;
    for (size_t i = 0; i < call->n_words; i++)
        if (strcmp(call->words[i].name, "replications") == 0)
            return false;
    return true;
}

/* Is the failure about what the plan or the command line says, and not about a file they name? */
static bool is_wrong_plan(const struct invocation *call, const struct loom_error *err)
{
    return (err->code == LOOM_EFORMAT || err->code == LOOM_ERANGE) &&
           (!*err->file || (call->n_operands > 0 && strcmp(err->file, call->operands[0]) == 0));
}

int take_plan(struct loom_plan **out, const struct invocation *call, struct loom_pool *pool,
              struct loom_error *err)
{
    int rc = loom_plan_create(out, err);
    if (!rc && call->n_operands > 0)
        rc = loom_plan_read(*out, call->operands[0], err);
    for (size_t i = 0; i < call->n_words && !rc; i++)
        rc = loom_plan_set(*out, call->words[i].name, call->words[i].value, err);
    if (!rc && needs_replications(call))
        rc = loom_plan_set(*out, "replications", UNTIL_REPLICATIONS, err);
    if (!rc)
        rc = loom_plan_load(*out, pool, err);
    if (rc && is_wrong_plan(call, err))
        rc = err->code = LOOM_EUSAGE;
    if (rc && err->skippable)
        advise(err, "; mend it, or use --skip-bad-lines");
    return rc;
}

char *experiment_database(const struct invocation *call)
{
    const char *given = loom_params_text(call->params, "db");
    char *name = NULL;
    if (given || call->n_operands == 0 || strcmp(call->operands[0], "-") == 0)
        return strdup(given ? given : "study.db");
    const char *slash = strrchr(call->operands[0], '/');
    const char *base = slash ? slash + 1 : call->operands[0], *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    return asprintf(&name, "%.*s.db", length, base) < 0 ? NULL : name;
}
