/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of policies, and how a policy with its parameters is written as a text. */
#include "base/spec.h"
#include "sim/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* All policies, in the order of listings. A new one is one more line here. */
#define SCHEDULERS(X) \
    X(fcfs)           \
    X(easy)           \
    X(conservative)   \
    X(selective)      \
    X(easy_sjbf)      \
    X(relaxed)        \
    X(lookahead)      \
    X(ups)

#define X(name) extern const struct loom_scheduler_ops loom_scheduler_##name;
SCHEDULERS(X)
#undef X

static const struct loom_scheduler_ops *const schedulers[] = {
#define X(name) &loom_scheduler_##name,
    SCHEDULERS(X)
#undef X
};

enum { N_SCHEDULERS = sizeof schedulers / sizeof *schedulers };

const struct loom_scheduler_ops *loom_scheduler_ops_at(size_t index)
{
    return index < N_SCHEDULERS ? schedulers[index] : NULL;
}

const struct loom_scheduler_info *loom_scheduler_at(size_t index)
{
    return index < N_SCHEDULERS ? &schedulers[index]->info : NULL;
}

static int find(const struct loom_scheduler_ops **out, const char *name, struct loom_error *err)
{
    const char *names[N_SCHEDULERS + 1] = {0};
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        names[i] = schedulers[i]->info.name;
        if (strcmp(names[i], name) == 0) {
            *out = schedulers[i];
            return 0;
        }
    }
    return loom_fail_unknown(err, "scheduler", name, names, "see 'workloom list schedulers'");
}

int loom_scheduler_parse(const struct loom_scheduler_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err)
{
    if (!text)
        return loom_fail(err, LOOM_EUSAGE, "which scheduler? see 'workloom list schedulers'");
    char *name = strdup(text);
    if (!name)
        return loom_fail_memory(err);
    char *words = loom_spec_split(name);
    int rc = find(ops, name, err);
    if (!rc)
        rc = loom_spec_params(params, (*ops)->info.name, (*ops)->info.params, words, err);
    free(name);
    return rc;
}

int loom_scheduler_check(const char *scheduler, struct loom_error *err)
{
    const struct loom_scheduler_ops *ops;
    struct loom_params *params = NULL;
    int rc = loom_scheduler_parse(&ops, &params, scheduler, err);
    loom_params_destroy(params);
    return rc;
}
