/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of policies, and how a policy with its parameters is written as a text. */
#include "sim/scheduler.h"

#include <stdio.h>
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

/* ---- parameters ------------------------------------------------------------------------------ */

enum { MOST_PARAMS = 32 };

static int fail_unknown(const struct loom_scheduler_info *info, const char *name,
                        struct loom_error *err)
{
    const char *names[MOST_PARAMS + 1] = {0};
    for (size_t n = 0; info->params && info->params[n].name && n < MOST_PARAMS; n++)
        names[n] = info->params[n].name;
    if (!names[0])
        return loom_fail(err, LOOM_EUSAGE, "the scheduler '%s' has no parameters", info->name);
    const char *nearest = loom_nearest(name, names);
    return loom_fail(err, LOOM_EUSAGE, "the scheduler '%s' has no parameter '%s'; %s '%s'%s",
                     info->name, name, nearest ? "did you mean" : "its first is",
                     nearest ? nearest : names[0], nearest ? "?" : "");
}

/* Messages about values speak of options of a command line ("--order wants ..."). */
static int reword(const struct loom_scheduler_info *info, int rc, struct loom_error *err)
{
    if (err) {
        char text[sizeof err->message];
        memcpy(text, err->message, sizeof text);
        snprintf(err->message, sizeof err->message, "scheduler %s: %.700s", info->name,
                 strncmp(text, "--", 2) == 0 ? text + 2 : text);
    }
    return rc;
}

/* One "PARAMETER=VALUE", or "FLAG". */
static int set_one(struct loom_params *params, const struct loom_scheduler_info *info, char *word,
                   struct loom_error *err)
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = '\0';
    const struct loom_param *param = *word ? loom_params_find(params, word) : NULL;
    if (!param)
        return fail_unknown(info, word, err);
    int rc = loom_params_set(params, param->name, value, err);
    return rc && rc != LOOM_ENOMEM ? reword(info, rc, err) : rc;
}

static int set_all(struct loom_params *params, const struct loom_scheduler_info *info, char *words,
                   struct loom_error *err)
{
    int rc = 0;
    while (words && !rc) {
        char *comma = strchr(words, ',');
        if (comma)
            *comma++ = '\0';
        rc = set_one(params, info, words, err);
        words = comma;
    }
    return rc;
}

static int take_params(struct loom_params **params, const struct loom_scheduler_info *info,
                       char *words, struct loom_error *err)
{
    static const struct loom_param none[] = {{.name = NULL}};
    const struct loom_param *const lists[] = {info->params ? info->params : none, NULL};
    struct loom_params *found = NULL;
    int rc = loom_params_create(&found, lists, err);
    if (!rc)
        rc = set_all(found, info, words, err);
    if (rc)
        loom_params_destroy(found);
    else
        *params = found;
    return rc;
}

int loom_scheduler_params(struct loom_params **params, const struct loom_scheduler_info *info,
                          const char *words, struct loom_error *err)
{
    char *copy = words ? strdup(words) : NULL;
    if (words && !copy)
        return loom_fail_memory(err);
    int rc = take_params(params, info, copy, err);
    free(copy);
    return rc;
}

int loom_scheduler_parse(const struct loom_scheduler_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err)
{
    if (!text)
        return loom_fail(err, LOOM_EUSAGE, "which scheduler? see 'workloom list schedulers'");
    char *name = strdup(text);
    if (!name)
        return loom_fail_memory(err);
    char *words = strchr(name, ':');
    if (words)
        *words++ = '\0';
    int rc = find(ops, name, err);
    if (!rc)
        rc = take_params(params, &(*ops)->info, words, err);
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
