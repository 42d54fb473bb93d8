/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies by name, parsing of "policy:parameters", and checks of policies that are added. */
#include "sched/registry.h"

#include "base/spec.h"
#include "base/vec.h"
#include "sim/schedulers.h"

/* The built-in policies, in the order of listings. A new one is one more line here. */
#define SCHEDULERS(X) \
    X(fcfs)           \
    X(easy)           \
    X(conservative)   \
    X(selective)      \
    X(adaptive)       \
    X(easy_sjbf)      \
    X(relaxed)        \
    X(lookahead)      \
    X(ups)

#define X(name) extern const struct loom_scheduler_ops loom_scheduler_##name;
SCHEDULERS(X)
#undef X

static const struct loom_scheduler_ops *const built_in[] = {
#define X(name) &loom_scheduler_##name,
    SCHEDULERS(X)
#undef X
};

enum { N_BUILT_IN = sizeof built_in / sizeof *built_in };

/* ---- finding --------------------------------------------------------------------------------- */

/* The policy of this index and, in *plugin, the file that an added one comes from. */
static const struct loom_scheduler_ops *ops_at(const struct loom_schedulers *schedulers,
                                               size_t index, const char **plugin)
{
    if (index < N_BUILT_IN)
        return built_in[index];
    index -= N_BUILT_IN;
    if (!schedulers || index >= schedulers->n_added)
        return NULL;
    *plugin = schedulers->added[index].plugin;
    return schedulers->added[index].ops;
}

const struct loom_scheduler_info *loom_scheduler_at(const struct loom_schedulers *schedulers,
                                                    size_t index)
{
    const char *plugin;
    const struct loom_scheduler_ops *ops = ops_at(schedulers, index, &plugin);
    return ops ? &ops->info : NULL;
}

static const char *at(const void *self, size_t index, const struct loom_param **params)
{
    const struct loom_scheduler_info *info = loom_scheduler_at(self, index);
    if (info)
        *params = info->params;
    return info ? info->name : NULL;
}

static bool is_named(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* LOOM_EUSAGE where a text names an order, and no policy; else 0. */
static int refuse_order(const struct loom_schedulers *schedulers, const char *text,
                        struct loom_error *err)
{
    const struct loom_order_info *order;
    const struct loom_scheduler_info *policy;
    size_t length = strcspn(text, ":");
    for (size_t i = 0; (policy = loom_scheduler_at(schedulers, i)); i++)
        if (is_named(policy->name, text, length))
            return 0;
    for (size_t i = 0; (order = loom_order_at(i)); i++)
        if (is_named(order->name, text, length))
            return loom_fail(err, LOOM_EUSAGE,
                             "there is no scheduler '%s'; %s is an order, as in 'fcfs:order=%s' or "
                             "'easy:order=%s'",
                             order->name, order->name, order->name, order->name);
    return 0;
}

int loom_scheduler_parse(const struct loom_scheduler_ops **ops, struct loom_params **params,
                         const struct loom_schedulers *schedulers, const char *text,
                         struct loom_error *err)
{
    const struct loom_spec_list list = {"scheduler", "see 'workloom list schedulers'", at,
                                        schedulers};
    const char *plugin;
    size_t index;
    if (!text)
        return loom_fail(err, LOOM_EUSAGE, "no scheduler is given; see 'workloom list schedulers'");
    int rc = loom_spec_parse(&index, params, &list, text, err);
    if (rc == LOOM_EUSAGE && refuse_order(schedulers, text, err))
        return LOOM_EUSAGE;
    if (rc)
        return rc;
    *ops = ops_at(schedulers, index, &plugin);
    if ((*ops)->check)
        rc = (*ops)->check(*params, err);
    if (rc) {
        loom_params_destroy(*params);
        *params = NULL;
    }
    return rc;
}

int loom_scheduler_promises(unsigned *out, const struct loom_schedulers *schedulers,
                            const char *scheduler, struct loom_error *err)
{
    const struct loom_scheduler_ops *ops = NULL;
    struct loom_params *params = NULL;
    int rc = loom_scheduler_parse(&ops, &params, schedulers, scheduler, err);
    if (!rc)
        *out = ops->promises | (ops->promises_by ? ops->promises_by(params) : 0);
    loom_params_destroy(params);
    return rc;
}

int loom_scheduler_check(const struct loom_schedulers *schedulers, const char *scheduler,
                         struct loom_error *err)
{
    const struct loom_scheduler_ops *ops = NULL;
    struct loom_params *params = NULL;
    int rc = loom_scheduler_parse(&ops, &params, schedulers, scheduler, err);
    loom_params_destroy(params);
    return rc;
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* Names stand before ':' and '=' in a text, and in file names of figures. */
static bool is_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_";
    return text && *text && text[0] != '-' && strspn(text, allowed) == strlen(text);
}

static int check_name(const struct loom_schedulers *schedulers, const char *name,
                      struct loom_error *err)
{
    if (!is_name(name))
        return loom_fail(
            err, LOOM_EDATA,
            "the name of a scheduler must be letters, digits, '-' and '_', not '%.40s'",
            name ? name : "");
    if (strcmp(name, "all") == 0)
        return loom_fail(err, LOOM_EDATA, "'all' stands for every scheduler: choose another name");
    const char *plugin = NULL;
    const struct loom_scheduler_ops *ops;
    for (size_t i = 0; (ops = ops_at(schedulers, i, &plugin)); i++)
        if (strcmp(ops->info.name, name) == 0)
            return loom_fail(err, LOOM_EDATA, "there is already a scheduler '%s'%s%s; rename one",
                             name,
                             i < N_BUILT_IN ? ", built in"
                             : plugin       ? " in "
                                            : "",
                             plugin ? plugin : "");
    return 0;
}

/* Whatever a user could set is declared so that it can be checked and explained. */
static int check_param(const char *scheduler, const struct loom_param *param,
                       struct loom_error *err)
{
    const char *fault = NULL;
    if (!is_name(param->name))
        fault = "the name must be letters, digits, '-' and '_'";
    else if (!param->help)
        fault = "it has no help";
    else if (param->type == LOOM_PARAM_CHOICE && !(param->choices && param->choices[0]))
        fault = "it has no choices";
    else if (param->min > param->max)
        fault = "min is above max";
    return fault ? loom_fail(err, LOOM_EDATA, "%s: parameter '%.40s': %s", scheduler, param->name,
                             fault)
                 : 0;
}

static int check_defaults(const struct loom_scheduler_info *info, struct loom_error *err)
{
    struct loom_error why = {0};
    struct loom_params *params = NULL;
    int rc = loom_spec_params(&params, info->name, info->params, NULL, &why);
    loom_params_destroy(params);
    if (!rc || rc == LOOM_ENOMEM)
        return rc ? loom_fail_memory(err) : 0;
    return loom_fail(err, LOOM_EDATA, "%s: default of a parameter: %.500s", info->name,
                     why.message + strspn(why.message, "-"));
}

static int check_params(const struct loom_scheduler_info *info, struct loom_error *err)
{
    int rc = 0;
    for (const struct loom_param *param = info->params; param && param->name && !rc; param++) {
        rc = check_param(info->name, param, err);
        for (const struct loom_param *other = info->params; other != param && !rc; other++)
            if (strcmp(other->name, param->name) == 0)
                rc = loom_fail(err, LOOM_EDATA, "%s: parameter '%s' is declared twice", info->name,
                               param->name);
    }
    return rc ? rc : check_defaults(info, err);
}

static int check_ops(const struct loom_schedulers *schedulers, const struct loom_scheduler_ops *ops,
                     struct loom_error *err)
{
    int rc = check_name(schedulers, ops->info.name, err);
    if (!rc && !ops->info.summary)
        rc = loom_fail(err, LOOM_EDATA, "%s: it has no summary", ops->info.name);
    if (!rc && !ops->pass)
        rc = loom_fail(err, LOOM_EDATA, "%s: it has no pass()", ops->info.name);
    return rc ? rc : check_params(&ops->info, err);
}

int loom_registry_add(struct loom_schedulers *schedulers, const struct loom_scheduler_ops *ops,
                      const char *plugin, struct loom_error *err)
{
    int rc = check_ops(schedulers, ops, err);
    if (rc)
        return rc;
    if (loom_grow(&schedulers->added, schedulers->n_added, &schedulers->added_capacity))
        return loom_fail_memory(err);
    schedulers->added[schedulers->n_added++] = (struct loom_added_scheduler){ops, plugin};
    return 0;
}

int loom_schedulers_add(struct loom_schedulers *schedulers, const struct loom_scheduler_ops *ops,
                        struct loom_error *err)
{
    return loom_registry_add(schedulers, ops, NULL, err);
}

/* ---- the registry ---------------------------------------------------------------------------- */

int loom_schedulers_create(struct loom_schedulers **out, struct loom_error *err)
{
    struct loom_schedulers *schedulers = calloc(1, sizeof *schedulers);
    if (!schedulers)
        return loom_fail_memory(err);
    *out = schedulers;
    return 0;
}

void loom_schedulers_destroy(struct loom_schedulers *schedulers)
{
    if (!schedulers)
        return;
    loom_plugins_close(schedulers);
    free(schedulers->added);
    free(schedulers);
}
