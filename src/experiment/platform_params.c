/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A platform from declared parameters: its name or file, and what they change in it. A value for
 * clusters is "[CLUSTER=]VALUE": for all of them, or for one by its name, which counts more, in
 * whichever order they are given. Everything is checked here, before any log is read.
 */
#include "base/words.h"
#include "experiment/tool.h"
#include "sim/grid/platform.h"
#include "sim/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct loom_param loom_platform_params[] = {
    {.name = "platform",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAME|FILE",
     .help = "grid of clusters ('workloom help platforms')"},
    {.name = "dispatch",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "NAME=VALUE",
     .help = "set a parameter of the grid's queue"},
    {.name = "background",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "[CLUSTER=]LOG",
     .help = "local jobs from a log"},
    {.name = "background-model",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "[CLUSTER=]MODEL",
     .help = "local jobs from a model"},
    {.name = "background-load",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "[CLUSTER=]L",
     .help = "offered load of the local jobs"},
    {.name = "background-shift",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "[CLUSTER=]S",
     .help = "add S seconds to submit times of that log"},
    {.name = NULL},
};

/* The clusters that a "[CLUSTER=]VALUE" is about: one, or all. */
struct scope {
    size_t first, end;
    const char *value;
};

static int fail_cluster(const struct loom_platform *platform, const char *option, const char *text,
                        struct loom_error *err)
{
    char name[80];
    const char **names = calloc(platform->n_clusters + 1, sizeof *names);
    if (!names)
        return loom_fail_memory(err);
    for (size_t i = 0; i < platform->n_clusters; i++)
        names[i] = platform->clusters[i].name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    const char *nearest = loom_nearest(name, names);
    bool file = strcmp(option, "background") == 0 || strcmp(option, "background-model") == 0;
    int rc =
        loom_fail_field(err, LOOM_EUSAGE, option,
                        "%s: there is no cluster '%s'; %s '%.60s'%s%s%.200s%s", option, name,
                        nearest ? "did you mean" : "the first is", nearest ? nearest : names[0],
                        nearest ? "?" : "", file ? " (a file of that name is ./" : "",
                        file ? text : "", file ? ")" : "");
    free(names);
    return rc;
}

/* What the text begins with, of the clusters whose name and '=' that is the one with the longest:
 * names may have a '=' too. All of them: none. */
static size_t find_prefix(const struct loom_platform *platform, const char *text)
{
    size_t found = platform->n_clusters, longest = 0;
    for (size_t i = 0; i < platform->n_clusters; i++) {
        const char *name = platform->clusters[i].name;
        size_t length = strlen(name);
        if (length > longest && strncmp(name, text, length) == 0 && text[length] == '=') {
            found = i;
            longest = length;
        }
    }
    return found;
}

/* Without the name of a cluster, a '/' before the first '=' makes a path of the whole. */
static int find_scope(struct scope *out, const struct loom_platform *platform, const char *option,
                      const char *text, struct loom_error *err)
{
    size_t n = platform->n_clusters, found = find_prefix(platform, text);
    *out = (struct scope){0, n, text};
    if (found < n)
        *out = (struct scope){found, found + 1, text + strlen(platform->clusters[found].name) + 1};
    if (!*out->value || *text == '=')
        return loom_fail_field(err, LOOM_EUSAGE, option, "%s wants [CLUSTER=]VALUE, not '%s'",
                               option, text);
    return found < n || text[strcspn(text, "=/")] != '='
               ? 0
               : fail_cluster(platform, option, text, err);
}

/* How something was set for a cluster. */
enum given { GIVEN_NOT, GIVEN_FOR_ALL, GIVEN_BY_NAME };

/* A platform that parameters change, and which of them did. */
struct plan {
    struct loom_platform_owner *owner;
    struct loom_platform_cluster *clusters; /* of the owner */
    struct given_by {
        enum given jobs, load, shift;
    } * by;
};

typedef int plan_fn(struct loom_platform_cluster *plan, const char *value, struct loom_error *err);

static int plan_log(struct loom_platform_cluster *plan, const char *value, struct loom_error *err)
{
    (void)err;
    plan->background = value;
    plan->model = NULL;
    plan->shift_s = 0;
    plan->has_shift = false;
    return 0;
}

static int plan_model(struct loom_platform_cluster *plan, const char *value, struct loom_error *err)
{
    const struct loom_model_info *info;
    plan->model = value;
    plan->background = NULL;
    plan->shift_s = 0;
    plan->has_shift = false;
    int rc = strpbrk(value, "./") ? 0 : loom_model_find(&info, value, err);
    return rc && rc != LOOM_ENOMEM ? LOOM_EUSAGE : rc;
}

static const struct source {
    const char *option;
    plan_fn *set;
} sources[] = {{"background", plan_log}, {"background-model", plan_model}};

/* A cluster has its local jobs from one source. */
static int plan_source(struct plan *plan, size_t i, const struct source *source, const char *value,
                       bool by_name, struct loom_error *err)
{
    if (plan->by[i].jobs == GIVEN_BY_NAME)
        return loom_fail_field(
            err, LOOM_EUSAGE, source->option,
            "%s: cluster %s has been given local jobs by its name already; name it once",
            source->option, plan->clusters[i].name);
    if (plan->by[i].jobs == GIVEN_FOR_ALL && !by_name)
        return loom_fail_field(
            err, LOOM_EUSAGE, source->option,
            "%s: all clusters have been given local jobs already; give a log or model "
            "for all once, and CLUSTER=... for others",
            source->option);
    plan->by[i].jobs = by_name ? GIVEN_BY_NAME : GIVEN_FOR_ALL;
    return source->set(&plan->clusters[i], value, err);
}

static int plan_option(struct plan *plan, const struct loom_params *params,
                       const struct source *source, bool by_name, struct loom_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(params, source->option) && !rc; k++) {
        const char *text = loom_params_item(params, source->option, k);
        struct scope scope;
        rc = find_scope(&scope, &plan->owner->platform, source->option, text, err);
        if (!rc && (scope.value != text) != by_name)
            continue;
        for (size_t i = scope.first; i < scope.end && !rc; i++)
            rc = plan_source(plan, i, source, scope.value, by_name, err);
    }
    return rc;
}

/* What is said for all clusters, then what is said of one, which holds for it instead. */
static int plan_sources(struct plan *plan, const struct loom_params *params, struct loom_error *err)
{
    enum { N_SOURCES = sizeof sources / sizeof *sources };
    int rc = 0;
    for (size_t i = 0; i < 2 * N_SOURCES && !rc; i++)
        rc = plan_option(plan, params, &sources[i % N_SOURCES], i >= N_SOURCES, err);
    return rc;
}

static bool has_jobs(const struct loom_platform_cluster *plan)
{
    return plan->background || plan->model;
}

static int fail_jobless(const struct scope *scope, const struct plan *plan, struct loom_error *err)
{
    bool one = scope->end == scope->first + 1;
    return loom_fail_field(err, LOOM_EUSAGE, "background-load",
                           "background-load: %s%s has no local jobs; give it a log or a model",
                           one ? "cluster " : "the grid",
                           one ? plan->clusters[scope->first].name : "");
}

/* A parameter sets a thing once for all clusters, and once for each by its name. */
static int set_once(enum given *given, const char *option, const char *cluster, bool by_name,
                    struct loom_error *err)
{
    if (*given == GIVEN_BY_NAME)
        return loom_fail_field(err, LOOM_EUSAGE, option,
                               "%s is given twice for cluster %s; give it once", option, cluster);
    if (*given == GIVEN_FOR_ALL && !by_name)
        return loom_fail_field(
            err, LOOM_EUSAGE, option,
            "%s is given twice for all clusters, %s among them; give it once for "
            "all, and as CLUSTER=... for others",
            option, cluster);
    *given = by_name ? GIVEN_BY_NAME : GIVEN_FOR_ALL;
    return 0;
}

/* A load for all clusters is for those that have local jobs. */
static int plan_load(struct plan *plan, const struct scope *scope, bool by_name,
                     struct loom_error *err)
{
    char *end;
    bool used = false;
    int rc = 0;
    double load = strtod(scope->value, &end);
    if (end == scope->value || *end || !(load > 0 && load <= LOOM_LOAD_MOST))
        return loom_fail_field(err, LOOM_EUSAGE, "background-load",
                               "background-load wants a number above 0, up to %d, not '%s'",
                               LOOM_LOAD_MOST, scope->value);
    for (size_t i = scope->first; i < scope->end && !rc; i++)
        if (has_jobs(&plan->clusters[i])) {
            rc = set_once(&plan->by[i].load, "background-load", plan->clusters[i].name, by_name,
                          err);
            plan->clusters[i].load = load;
            used = true;
        }
    return rc || used ? rc : fail_jobless(scope, plan, err);
}

/* A shift for all clusters is for those that have a log. */
static int plan_shift(struct plan *plan, const struct scope *scope, bool by_name,
                      struct loom_error *err)
{
    char *end;
    bool used = false, one = scope->end == scope->first + 1;
    int rc = 0;
    long long shift_s = strtoll(scope->value, &end, 10);
    if (end == scope->value || *end || llabs(shift_s) > LOOM_SHIFT_MOST)
        return loom_fail_field(
            err, LOOM_EUSAGE, "background-shift",
            "background-shift wants a whole number of seconds, up to 2^40 either "
            "way, not '%s'",
            scope->value);
    for (size_t i = scope->first; i < scope->end && !rc; i++)
        if (plan->clusters[i].background) {
            rc = set_once(&plan->by[i].shift, "background-shift", plan->clusters[i].name, by_name,
                          err);
            plan->clusters[i].shift_s = shift_s;
            plan->clusters[i].has_shift = used = true;
        }
    return rc || used
               ? rc
               : loom_fail_field(err, LOOM_EUSAGE, "background-shift",
                                 "background-shift: %s%s has no log of local jobs; give it one",
                                 one ? "cluster " : "the grid",
                                 one ? plan->clusters[scope->first].name : "");
}

/* As with the sources of jobs, what is said of one cluster holds for it instead of what is said for
 * all, in whichever order. */
static int plan_changes(struct plan *plan, const struct loom_params *params, bool by_name,
                        struct loom_error *err)
{
    static const struct {
        const char *option;
        int (*plan)(struct plan *plan, const struct scope *scope, bool by_name,
                    struct loom_error *err);
    } changes[] = {{"background-load", plan_load}, {"background-shift", plan_shift}};
    int rc = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *option = changes[i].option;
        for (size_t k = 0; k < loom_params_count(params, option) && !rc; k++) {
            const char *text = loom_params_item(params, option, k);
            struct scope scope;
            rc = find_scope(&scope, &plan->owner->platform, option, text, err);
            if (!rc && (scope.value != text) == by_name)
                rc = changes[i].plan(plan, &scope, by_name, err);
        }
    }
    return rc;
}

/* The parameters of the platform, and behind them "dispatch": the last of each counts. */
static int join_dispatch(struct plan *plan, const struct loom_params *params,
                         struct loom_error *err)
{
    size_t n = loom_params_count(params, "dispatch");
    const char *before = plan->owner->platform.dispatch;
    size_t size = (before ? strlen(before) : 0) + 1;
    for (size_t i = 0; i < n; i++)
        size += strlen(loom_params_item(params, "dispatch", i)) + 1;
    if (!before && n == 0)
        return 0;
    char *dispatch = loom_arena_alloc(&plan->owner->arena, size);
    if (!dispatch)
        return loom_fail_memory(err);
    plan->owner->platform.dispatch = dispatch;
    char *end = stpcpy(dispatch, before ? before : "");
    for (size_t i = 0; i < n; i++) {
        if (end != dispatch)
            *end++ = ',';
        end = stpcpy(end, loom_params_item(params, "dispatch", i));
    }
    return loom_grid_check(dispatch, err);
}

static int change_plan(struct plan *plan, const struct loom_params *params, struct loom_error *err)
{
    int rc = plan_sources(plan, params, err);
    if (!rc)
        rc = plan_changes(plan, params, false, err);
    if (!rc)
        rc = plan_changes(plan, params, true, err);
    return rc ? rc : join_dispatch(plan, params, err);
}

/* Give the owner clusters of its own, where it has those of a built-in platform. */
static int own_clusters(struct loom_platform_owner *owner, struct loom_error *err)
{
    size_t size = owner->platform.n_clusters * sizeof *owner->clusters;
    if (owner->clusters)
        return 0;
    owner->clusters = malloc(size);
    if (!owner->clusters)
        return loom_fail_memory(err);
    memcpy(owner->clusters, owner->platform.clusters, size);
    owner->platform.clusters = owner->clusters;
    return 0;
}

int loom_platform_create(struct loom_platform **out, const struct loom_params *params,
                         const struct loom_schedulers *schedulers, struct loom_error *err)
{
    struct loom_platform *platform = NULL;
    *out = NULL;
    int rc = loom_platform_load(&platform, loom_params_text(params, "platform"), schedulers, err);
    if (rc)
        return rc;
    struct plan plan = {.owner = (struct loom_platform_owner *)platform};
    plan.by = calloc(platform->n_clusters + 1, sizeof *plan.by);
    rc = plan.by ? own_clusters(plan.owner, err) : loom_fail_memory(err);
    plan.clusters = plan.owner->clusters;
    if (!rc)
        rc = change_plan(&plan, params, err);
    free(plan.by);
    if (rc)
        loom_platform_destroy(platform);
    else
        *out = platform;
    return rc;
}

int loom_platform_scope(size_t *cluster, const char **value, const struct loom_platform *platform,
                        const char *param, const char *text, struct loom_error *err)
{
    struct scope scope;
    int rc = find_scope(&scope, platform, param, text, err);
    if (rc)
        return rc;
    *cluster = scope.value == text ? platform->n_clusters : scope.first;
    *value = scope.value;
    return scope.value == text || has_jobs(&platform->clusters[scope.first])
               ? 0
               : loom_fail_field(err, LOOM_EUSAGE, param, "%s: cluster %s has no local jobs", param,
                                 platform->clusters[scope.first].name);
}
