/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which grid the command line means: a platform, and what options change in it. Everything is
 * checked here, before any log is read.
 */
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct loom_param grid_params[] = {
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
    {.name = "background-output",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "CLUSTER=FILE",
     .help = "write the schedule of local jobs"},
    {.name = NULL},
};

/* ---- options --------------------------------------------------------------------------------- */

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
        loom_fail(err, LOOM_EUSAGE, "--%s: there is no cluster '%s'; %s '%.60s'%s%s%.200s%s",
                  option, name, nearest ? "did you mean" : "the first is",
                  nearest ? nearest : names[0], nearest ? "?" : "",
                  file ? " (a file of that name is ./" : "", file ? text : "", file ? ")" : "");
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
        return loom_fail(err, LOOM_EUSAGE, "--%s wants [CLUSTER=]VALUE, not '%s'", option, text);
    return found < n || text[strcspn(text, "=/")] != '='
               ? 0
               : fail_cluster(platform, option, text, err);
}

/* By which options something was set for a cluster. */
enum given { GIVEN_NOT, GIVEN_FOR_ALL, GIVEN_BY_NAME };

/* A platform that options change, and which of them did. The platform comes first: it is what
 * take_platform hands out. */
struct plan {
    struct loom_platform platform;
    struct loom_platform *source; /* as it was loaded */
    struct loom_platform_cluster *clusters;
    struct given_by {
        enum given jobs, load, shift;
    } * by;
    char *dispatch;
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
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s: cluster %s has been given local jobs by its name already; name it "
                         "once, with --background or --background-model",
                         source->option, plan->clusters[i].name);
    if (plan->by[i].jobs == GIVEN_FOR_ALL && !by_name)
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s: all clusters have been given local jobs already; give one "
                         "--background or --background-model for all, and CLUSTER=... for others",
                         source->option);
    plan->by[i].jobs = by_name ? GIVEN_BY_NAME : GIVEN_FOR_ALL;
    return source->set(&plan->clusters[i], value, err);
}

static int plan_option(struct plan *plan, const struct invocation *call,
                       const struct source *source, bool by_name, struct loom_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(call->params, source->option) && !rc; k++) {
        const char *text = loom_params_item(call->params, source->option, k);
        struct scope scope;
        rc = find_scope(&scope, &plan->platform, source->option, text, err);
        if (!rc && (scope.value != text) != by_name)
            continue;
        for (size_t i = scope.first; i < scope.end && !rc; i++)
            rc = plan_source(plan, i, source, scope.value, by_name, err);
    }
    return rc;
}

/* Grid jobs may come from there, or the local jobs of one cluster. */
static int check_stdin(const struct plan *plan, const struct invocation *call,
                       struct loom_error *err)
{
    const char *before = call->operands[0];
    int rc = 0;
    for (size_t i = 0; i < plan->platform.n_clusters && !rc; i++) {
        const char *log = plan->clusters[i].background;
        rc = refuse_stdin_twice(before, log, err);
        before = log && strcmp(log, "-") == 0 ? log : before;
    }
    return rc;
}

/* What is said for all clusters, then what is said of one, which holds for it instead. */
static int plan_sources(struct plan *plan, const struct invocation *call, struct loom_error *err)
{
    enum { N_SOURCES = sizeof sources / sizeof *sources };
    int rc = 0;
    for (size_t i = 0; i < 2 * N_SOURCES && !rc; i++)
        rc = plan_option(plan, call, &sources[i % N_SOURCES], i >= N_SOURCES, err);
    return rc ? rc : check_stdin(plan, call, err);
}

static bool has_jobs(const struct loom_platform_cluster *plan)
{
    return plan->background || plan->model;
}

static int fail_jobless(const struct scope *scope, const struct plan *plan, struct loom_error *err)
{
    bool one = scope->end == scope->first + 1;
    return loom_fail(err, LOOM_EUSAGE,
                     "--background-load: %s%s has no local jobs; give it some with --background or "
                     "--background-model",
                     one ? "cluster " : "the grid", one ? plan->clusters[scope->first].name : "");
}

/* An option sets a thing once for all clusters, and once for each by its name. */
static int set_once(enum given *given, const char *option, const char *cluster, bool by_name,
                    struct loom_error *err)
{
    if (*given == GIVEN_BY_NAME)
        return loom_fail(err, LOOM_EUSAGE, "--%s is given twice for cluster %s; give it once",
                         option, cluster);
    if (*given == GIVEN_FOR_ALL && !by_name)
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s is given twice for all clusters, %s among them; give it once for "
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
        return loom_fail(err, LOOM_EUSAGE,
                         "--background-load wants a number above 0, up to %d, not '%s'",
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
        return loom_fail(err, LOOM_EUSAGE,
                         "--background-shift wants a whole number of seconds, up to 2^40 either "
                         "way, not '%s'",
                         scope->value);
    for (size_t i = scope->first; i < scope->end && !rc; i++)
        if (plan->clusters[i].background) {
            rc = set_once(&plan->by[i].shift, "background-shift", plan->clusters[i].name, by_name,
                          err);
            plan->clusters[i].shift_s = shift_s;
            plan->clusters[i].has_shift = used = true;
        }
    return rc || used ? rc
                      : loom_fail(err, LOOM_EUSAGE,
                                  "--background-shift: %s%s has no log of local jobs; give one "
                                  "with --background",
                                  one ? "cluster " : "the grid",
                                  one ? plan->clusters[scope->first].name : "");
}

/* As with the sources of jobs, what is said of one cluster holds for it instead of what is said for
 * all, in whichever order. */
static int plan_changes(struct plan *plan, const struct invocation *call, bool by_name,
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
        for (size_t k = 0; k < loom_params_count(call->params, option) && !rc; k++) {
            const char *text = loom_params_item(call->params, option, k);
            struct scope scope;
            rc = find_scope(&scope, &plan->platform, option, text, err);
            if (!rc && (scope.value != text) == by_name)
                rc = changes[i].plan(plan, &scope, by_name, err);
        }
    }
    return rc;
}

/* The parameters of the platform, and behind them --dispatch: the last of each counts. */
static int join_dispatch(struct plan *plan, const struct invocation *call, struct loom_error *err)
{
    size_t n = loom_params_count(call->params, "dispatch");
    const char *before = plan->source->dispatch;
    size_t size = (before ? strlen(before) : 0) + 1;
    for (size_t i = 0; i < n; i++)
        size += strlen(loom_params_item(call->params, "dispatch", i)) + 1;
    if (!before && n == 0)
        return 0;
    char *end = plan->dispatch = malloc(size);
    if (!end)
        return loom_fail_memory(err);
    plan->platform.dispatch = plan->dispatch;
    end = stpcpy(end, before ? before : "");
    for (size_t i = 0; i < n; i++) {
        if (end != plan->dispatch)
            *end++ = ',';
        end = stpcpy(end, loom_params_item(call->params, "dispatch", i));
    }
    return loom_grid_check(plan->dispatch, err);
}

static int need_local(const struct loom_platform *platform, size_t cluster, const char *option,
                      struct loom_error *err)
{
    const struct loom_platform_cluster *plan = &platform->clusters[cluster];
    return has_jobs(plan) ? 0
                          : loom_fail(err, LOOM_EUSAGE, "--%s: cluster %s has no local jobs",
                                      option, plan->name);
}

int find_output(size_t *cluster, const char **path, const struct loom_platform *platform,
                const char *text, struct loom_error *err)
{
    struct scope scope;
    int rc = find_scope(&scope, platform, "background-output", text, err);
    if (rc)
        return rc;
    if (scope.value == text || strcmp(scope.value, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE, "--background-output wants CLUSTER=FILE, not '%s'",
                         text);
    *cluster = scope.first;
    *path = scope.value;
    return need_local(platform, scope.first, "background-output", err);
}

static int check_outputs(const struct plan *plan, const struct invocation *call,
                         struct loom_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(call->params, "background-output") && !rc; k++) {
        size_t cluster;
        const char *path, *log;
        rc = find_output(&cluster, &path, &plan->platform,
                         loom_params_item(call->params, "background-output", k), err);
        if (!rc)
            rc = refuse_same_file(call->operands[0], path, err);
        log = rc ? NULL : plan->clusters[cluster].background;
        if (log)
            rc = refuse_same_file(log, path, err);
    }
    return rc;
}

/* A local job to explain needs its cluster to have local jobs. */
static int check_explained(const struct plan *plan, const char *text, struct loom_error *err)
{
    struct scope scope;
    if (!text || !strchr(text, '='))
        return 0;
    int rc = find_scope(&scope, &plan->platform, "explain", text, err);
    return rc ? rc : need_local(&plan->platform, scope.first, "explain", err);
}

void release_platform(struct loom_platform *platform)
{
    struct plan *plan = (struct plan *)platform;
    if (!plan)
        return;
    free(plan->dispatch);
    free(plan->by);
    free(plan->clusters);
    loom_platform_destroy(plan->source);
    free(plan);
}

static int change_plan(struct plan *plan, const struct invocation *call, struct loom_error *err)
{
    int rc = plan_sources(plan, call, err);
    if (!rc)
        rc = plan_changes(plan, call, false, err);
    if (!rc)
        rc = plan_changes(plan, call, true, err);
    if (!rc)
        rc = check_outputs(plan, call, err);
    if (!rc)
        rc = check_explained(plan, loom_params_text(call->params, "explain"), err);
    return rc ? rc : join_dispatch(plan, call, err);
}

static int open_plan(struct plan *plan, const struct invocation *call, struct loom_error *err)
{
    int rc = loom_platform_load(&plan->source, loom_params_text(call->params, "platform"),
                                call->schedulers, err);
    if (rc)
        return rc;
    size_t n = plan->source->n_clusters;
    plan->clusters = calloc(n + 1, sizeof *plan->clusters);
    plan->by = calloc(n + 1, sizeof *plan->by);
    if (!plan->clusters || !plan->by)
        return loom_fail_memory(err);
    memcpy(plan->clusters, plan->source->clusters, n * sizeof *plan->clusters);
    plan->platform = *plan->source;
    plan->platform.clusters = plan->clusters;
    return change_plan(plan, call, err);
}

int take_platform(struct loom_platform **out, const struct invocation *call, struct loom_error *err)
{
    struct plan *plan = calloc(1, sizeof *plan);
    *out = NULL;
    int rc = plan ? open_plan(plan, call, err) : loom_fail_memory(err);
    if (rc)
        release_platform(plan ? &plan->platform : NULL);
    else
        *out = &plan->platform;
    return rc;
}

/* Options that need a grid, and those that cannot be had with one. */
static int check_options(const struct invocation *call, bool grid, struct loom_error *err)
{
    static const char people[] =
        "run the users on one machine, write their jobs with -o, and give these to --platform";
    static const struct {
        const char *option, *remedy;
    } one_machine[] = {
        {"procs", "the platform says what its clusters have"},
        {"feedback", people},
        {"weeks", people},
    };
    for (size_t i = 1; grid_params[i].name && !grid; i++)
        if (loom_params_given(call->params, grid_params[i].name))
            return loom_fail(err, LOOM_EUSAGE, "--%s is for a grid: add --platform",
                             grid_params[i].name);
    for (size_t i = 0; i < sizeof one_machine / sizeof *one_machine && grid; i++)
        if (loom_params_given(call->params, one_machine[i].option))
            return loom_fail(err, LOOM_EUSAGE, "--%s is for one machine: %s", one_machine[i].option,
                             one_machine[i].remedy);
    for (size_t i = 0; grid && i < loom_params_count(call->params, "users"); i++)
        if (strcmp(loom_params_item(call->params, "users", i), "resampled") == 0)
            return loom_fail(err, LOOM_EUSAGE,
                             "a resampled population is for one machine: write one with 'workloom "
                             "resample', and give its jobs to --platform");
    if (grid && loom_params_choice(call->params, "compat") != LOOM_COMPAT_NONE)
        return loom_fail(err, LOOM_EUSAGE,
                         "--compat is for one machine, as pyss knows no grids: leave it out, or "
                         "leave out --platform");
    if (grid && loom_params_choice(call->params, "load-by") == LOOM_LOAD_SIZE)
        return loom_fail(err, LOOM_EUSAGE,
                         "--load-by size would change the clusters, which --platform fixes: take "
                         "--load-by arrivals or runtimes");
    return 0;
}

/* --scheduler is for clusters that name none. */
static int check_schedulers(const struct loom_platform *platform, const struct invocation *call,
                            struct loom_error *err)
{
    for (size_t i = 0; i < platform->n_clusters; i++)
        if (!platform->clusters[i].scheduler)
            return 0;
    return loom_params_given(call->params, "scheduler")
               ? loom_fail(err, LOOM_EUSAGE,
                           "each cluster of the platform names its own scheduler, so --scheduler "
                           "is for none: leave it out, or take schedulers out of the file")
               : 0;
}

/* Are there local jobs of models, or does the grid's queue choose at random? */
static bool is_random(const struct loom_platform *platform)
{
    for (size_t i = 0; i < platform->n_clusters; i++)
        if (platform->clusters[i].model)
            return true;
    return platform->dispatch && strstr(platform->dispatch, "choose=random");
}

int check_grid(const struct invocation *call, bool *random, struct loom_error *err)
{
    struct loom_platform *platform = NULL;
    bool grid = loom_params_given(call->params, "platform");
    int rc = check_options(call, grid, err);
    if (!rc && grid)
        rc = take_platform(&platform, call, err);
    if (!rc && grid)
        rc = check_schedulers(platform, call, err);
    *random = !rc && grid && is_random(platform);
    release_platform(platform);
    return rc;
}
