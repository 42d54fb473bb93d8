/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of policies, and how a policy with its parameters is written as a text. */
#include "base/spec.h"
#include "sim/scheduler.h"

#include <string.h>
#include <workloom/sim.h>

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

static const char *at(size_t index, const struct loom_param **params)
{
    if (index >= N_SCHEDULERS)
        return NULL;
    *params = schedulers[index]->info.params;
    return schedulers[index]->info.name;
}

/* LOOM_EUSAGE where a text names an order in place of a policy; else 0. */
static int refuse_order(const char *text, struct loom_error *err)
{
    const struct loom_order_info *order;
    size_t length = strcspn(text, ":");
    for (size_t i = 0; (order = loom_order_at(i)); i++)
        if (strlen(order->name) == length && strncmp(order->name, text, length) == 0)
            return loom_fail(err, LOOM_EUSAGE,
                             "there is no scheduler '%s'; %s is an order, as in 'fcfs:order=%s' or "
                             "'easy:order=%s'",
                             order->name, order->name, order->name, order->name);
    return 0;
}

int loom_scheduler_parse(const struct loom_scheduler_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err)
{
    static const struct loom_spec_list list = {"scheduler", "see 'workloom list schedulers'", at};
    size_t index;
    if (!text)
        return loom_fail(err, LOOM_EUSAGE, "which scheduler? see 'workloom list schedulers'");
    int rc = loom_spec_parse(&index, params, &list, text, err);
    if (rc == LOOM_EUSAGE && refuse_order(text, err))
        return LOOM_EUSAGE;
    if (rc)
        return rc;
    *ops = schedulers[index];
    if ((*ops)->check)
        rc = (*ops)->check(*params, err);
    if (rc) {
        loom_params_destroy(*params);
        *params = NULL;
    }
    return rc;
}

int loom_scheduler_promises(unsigned *out, const char *scheduler, struct loom_error *err)
{
    const struct loom_scheduler_ops *ops = NULL;
    struct loom_params *params = NULL;
    int rc = loom_scheduler_parse(&ops, &params, scheduler, err);
    if (!rc)
        *out = loom_promises(ops, params);
    loom_params_destroy(params);
    return rc;
}

int loom_scheduler_check(const char *scheduler, struct loom_error *err)
{
    unsigned promises;
    return loom_scheduler_promises(&promises, scheduler, err);
}
