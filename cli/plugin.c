/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of plug-ins: what a model or a scheduler declares, given as --param NAME=VALUE. */
#include "command.h"

#include <stdio.h>
#include <string.h>

const struct loom_param plugin_params[] = {
    {.name = "param",
     .letter = 'p',
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "NAME=VALUE",
     .help = "set a parameter of the model or scheduler, as 'workloom help NAME' lists them"},
    {.name = NULL},
};

static int unknown_param(const char *name, const struct loom_param *list, const char *owner,
                         struct loom_error *err)
{
    const char *names[64] = {0};
    for (size_t i = 0; list && list[i].name && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = list[i].name;
    const char *nearest = loom_nearest(name, names);
    if (nearest)
        return loom_fail(err, LOOM_EUSAGE, "%s has no parameter '%s'; did you mean '%s'?", owner,
                         name, nearest);
    return loom_fail(err, LOOM_EUSAGE, "%s has no parameter '%s'%s%s%s", owner, name,
                     list ? "; see 'workloom help " : "", list ? owner : "", list ? "'" : "");
}

static int set_param(struct loom_params *params, const char *setting, const struct loom_param *list,
                     const char *owner, struct loom_error *err)
{
    char name[64];
    const char *equals = strchr(setting, '=');
    size_t length = equals ? (size_t)(equals - setting) : strlen(setting);
    if (length == 0 || length >= sizeof name)
        return loom_fail(err, LOOM_EUSAGE, "'%s' is no parameter; give it as NAME=VALUE", setting);
    memcpy(name, setting, length);
    name[length] = '\0';
    const struct loom_param *param = params ? loom_params_find(params, name) : NULL;
    if (!param || strcmp(param->name, name) != 0)
        return unknown_param(name, list, owner, err);
    bool flag = param->type == LOOM_PARAM_FLAG;
    if (!flag && !equals)
        return loom_fail(err, LOOM_EUSAGE, "parameter '%s' needs a value, as %s=VALUE", name, name);
    if (flag && equals)
        return loom_fail(err, LOOM_EUSAGE, "parameter '%s' takes no value", name);
    struct loom_error why = {0};
    int rc = loom_params_set(params, name, flag ? NULL : equals + 1, &why);
    if (!rc || rc == LOOM_ENOMEM)
        return rc ? loom_fail_memory(err) : 0;
    return loom_fail(err, LOOM_EUSAGE, "parameter %s", why.message + strspn(why.message, "-"));
}

int take_plugin_params(struct loom_params **out, const struct loom_param *list, const char *owner,
                       const struct invocation *call, struct loom_error *err)
{
    const struct loom_param *const lists[] = {list, NULL};
    *out = NULL;
    int rc = list ? loom_params_create(out, lists, err) : 0;
    for (size_t i = 0; i < loom_params_count(call->params, "param") && !rc; i++)
        rc = set_param(*out, loom_params_item(call->params, "param", i), list, owner, err);
    if (rc) {
        loom_params_destroy(*out);
        *out = NULL;
    }
    return rc;
}

/* ---- what there is to tell of one ------------------------------------------------------------ */

static void tell_traits(char *text, size_t size, unsigned traits)
{
    size_t used = 0;
    for (size_t i = 0; i < LOOM_TRAITS; i++)
        if (traits >> i & 1)
            used +=
                (size_t)snprintf(text + used, size - used, "%s %s",
                                 used ? "," : "It can do without (--without):", loom_trait_name(i));
    if (used)
        snprintf(text + used, size - used, ".");
}

static bool find_scheduler(struct plugin *out, const char *name)
{
    const struct loom_scheduler_info *scheduler;
    for (size_t i = 0; (scheduler = loom_scheduler_at(i)); i++)
        if (strcmp(scheduler->name, name) == 0) {
            *out = (struct plugin){.name = scheduler->name,
                                   .kind = "scheduler",
                                   .summary = scheduler->summary,
                                   .params = scheduler->params};
            return true;
        }
    return false;
}

static bool takes_arrivals(const struct loom_param *params)
{
    for (; params && params->name; params++)
        if (strcmp(params->name, "arrivals") == 0)
            return true;
    return false;
}

static bool find_model(struct plugin *out, const char *name)
{
    struct loom_error ignored;
    const struct loom_model_info *model;
    if (loom_model_find(&model, name, &ignored))
        return false;
    *out = (struct plugin){.name = model->name,
                           .kind = model->arrivals_only ? "arrival process" : "workload model",
                           .summary = model->summary,
                           .source = model->source,
                           .params = model->params};
    tell_traits(out->more, sizeof out->more, model->traits);
    size_t used = strlen(out->more);
    if (takes_arrivals(model->params))
        snprintf(out->more + used, sizeof out->more - used,
                 "%sIts arrival process may do without more.", used ? " " : "");
    return true;
}

static bool find_grid(struct plugin *out, const char *name)
{
    const struct loom_scheduler_info *grid = loom_grid_info();
    *out = (struct plugin){.name = grid->name,
                           .kind = "queue of a grid",
                           .summary = grid->summary,
                           .source = "thesis 6.3",
                           .more = "Its parameters are set by --dispatch, or by a platform file.",
                           .params = grid->params};
    return strcmp(grid->name, name) == 0;
}

static bool find_behaviour(struct plugin *out, const char *name)
{
    const struct loom_behaviour_info *behaviour;
    for (size_t i = 0; (behaviour = loom_behaviour_at(i)); i++)
        if (strcmp(behaviour->name, name) == 0) {
            *out = (struct plugin){.name = behaviour->name,
                                   .kind = "behaviour of users",
                                   .summary = behaviour->summary,
                                   .params = behaviour->params};
            return true;
        }
    return false;
}

bool find_plugin(struct plugin *out, const char *name)
{
    return find_model(out, name) || find_scheduler(out, name) || find_grid(out, name) ||
           find_behaviour(out, name);
}
