/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which grid the command line means: a platform, and what options change in it. Everything is
 * checked here, before any log is read.
 */
#include "simulate_grid.h"

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
static int plan_source(struct site *site, const struct source *source, const char *value,
                       bool by_name, struct loom_error *err)
{
    if (site->told == TOLD_BY_NAME)
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s: cluster %s has been given local jobs by its name already; name it "
                         "once, with --background or --background-model",
                         source->option, site->plan.name);
    if (site->told == TOLD_FOR_ALL && !by_name)
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s: all clusters have been given local jobs already; give one "
                         "--background or --background-model for all, and CLUSTER=... for others",
                         source->option);
    site->told = by_name ? TOLD_BY_NAME : TOLD_FOR_ALL;
    return source->set(&site->plan, value, err);
}

static int plan_option(struct grid_run *run, const struct invocation *call,
                       const struct source *source, bool by_name, struct loom_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(call->params, source->option) && !rc; k++) {
        const char *text = loom_params_item(call->params, source->option, k);
        struct scope scope;
        rc = find_scope(&scope, run->platform, source->option, text, err);
        if (!rc && (scope.value != text) != by_name)
            continue;
        for (size_t i = scope.first; i < scope.end && !rc; i++)
            rc = plan_source(&run->sites[i], source, scope.value, by_name, err);
    }
    return rc;
}

/* Grid jobs may come from there, or the local jobs of one cluster. */
static int check_stdin(const struct grid_run *run, const struct invocation *call,
                       struct loom_error *err)
{
    const char *before = call->operands[0];
    int rc = 0;
    for (size_t i = 0; i < run->platform->n_clusters && !rc; i++) {
        const char *log = run->sites[i].plan.background;
        rc = refuse_stdin_twice(before, log, err);
        before = log && strcmp(log, "-") == 0 ? log : before;
    }
    return rc;
}

/* What is said for all clusters, then what is said of one, which holds for it instead. */
static int plan_sources(struct grid_run *run, const struct invocation *call, struct loom_error *err)
{
    enum { N_SOURCES = sizeof sources / sizeof *sources };
    int rc = 0;
    for (size_t i = 0; i < 2 * N_SOURCES && !rc; i++)
        rc = plan_option(run, call, &sources[i % N_SOURCES], i >= N_SOURCES, err);
    return rc ? rc : check_stdin(run, call, err);
}

bool has_jobs(const struct loom_platform_cluster *plan)
{
    return plan->background || plan->model;
}

static int fail_jobless(const struct scope *scope, const struct grid_run *run,
                        struct loom_error *err)
{
    bool one = scope->end == scope->first + 1;
    return loom_fail(err, LOOM_EUSAGE,
                     "--background-load: %s%s has no local jobs; give it some with --background or "
                     "--background-model",
                     one ? "cluster " : "the grid", one ? run->sites[scope->first].plan.name : "");
}

/* An option says a thing for all clusters once, and once of each by its name. */
static int tell_once(enum told *told, const char *option, const char *cluster, bool by_name,
                     struct loom_error *err)
{
    if (*told == TOLD_BY_NAME)
        return loom_fail(err, LOOM_EUSAGE, "--%s is given twice for cluster %s; give it once",
                         option, cluster);
    if (*told == TOLD_FOR_ALL && !by_name)
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s is given twice for all clusters, %s among them; give it once for "
                         "all, and as CLUSTER=... for others",
                         option, cluster);
    *told = by_name ? TOLD_BY_NAME : TOLD_FOR_ALL;
    return 0;
}

/* A load for all clusters is for those that have local jobs. */
static int plan_load(struct grid_run *run, const struct scope *scope, bool by_name,
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
        if (has_jobs(&run->sites[i].plan)) {
            struct site *site = &run->sites[i];
            rc = tell_once(&site->load_told, "background-load", site->plan.name, by_name, err);
            site->plan.load = load;
            used = true;
        }
    return rc || used ? rc : fail_jobless(scope, run, err);
}

/* A shift for all clusters is for those that have a log. */
static int plan_shift(struct grid_run *run, const struct scope *scope, bool by_name,
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
        if (run->sites[i].plan.background) {
            struct site *site = &run->sites[i];
            rc = tell_once(&site->shift_told, "background-shift", site->plan.name, by_name, err);
            site->plan.shift_s = shift_s;
            site->plan.has_shift = used = true;
        }
    return rc || used ? rc
                      : loom_fail(err, LOOM_EUSAGE,
                                  "--background-shift: %s%s has no log of local jobs; give one "
                                  "with --background",
                                  one ? "cluster " : "the grid",
                                  one ? run->sites[scope->first].plan.name : "");
}

/* As with the sources of jobs, what is said of one cluster holds for it instead of what is said for
 * all, in whichever order. */
static int plan_changes(struct grid_run *run, const struct invocation *call, bool by_name,
                        struct loom_error *err)
{
    static const struct {
        const char *option;
        int (*plan)(struct grid_run *run, const struct scope *scope, bool by_name,
                    struct loom_error *err);
    } changes[] = {{"background-load", plan_load}, {"background-shift", plan_shift}};
    int rc = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *option = changes[i].option;
        for (size_t k = 0; k < loom_params_count(call->params, option) && !rc; k++) {
            const char *text = loom_params_item(call->params, option, k);
            struct scope scope;
            rc = find_scope(&scope, run->platform, option, text, err);
            if (!rc && (scope.value != text) == by_name)
                rc = changes[i].plan(run, &scope, by_name, err);
        }
    }
    return rc;
}

/* What the platform says, and behind it --dispatch: of a parameter given twice the last counts. */
static int join_dispatch(struct grid_run *run, const struct invocation *call,
                         struct loom_error *err)
{
    size_t n = loom_params_count(call->params, "dispatch");
    const char *platform = run->platform->dispatch;
    size_t size = (platform ? strlen(platform) : 0) + 1;
    for (size_t i = 0; i < n; i++)
        size += strlen(loom_params_item(call->params, "dispatch", i)) + 1;
    if (!platform && n == 0)
        return 0;
    char *end = run->dispatch = malloc(size);
    if (!end)
        return loom_fail_memory(err);
    end = stpcpy(end, platform ? platform : "");
    for (size_t i = 0; i < n; i++) {
        if (end != run->dispatch)
            *end++ = ',';
        end = stpcpy(end, loom_params_item(call->params, "dispatch", i));
    }
    return loom_grid_check(run->dispatch, err);
}

static int need_local(const struct grid_run *run, size_t cluster, const char *option,
                      struct loom_error *err)
{
    const struct loom_platform_cluster *plan = &run->sites[cluster].plan;
    return has_jobs(plan) ? 0
                          : loom_fail(err, LOOM_EUSAGE, "--%s: cluster %s has no local jobs",
                                      option, plan->name);
}

int find_output(size_t *cluster, const char **path, const struct grid_run *run, const char *text,
                struct loom_error *err)
{
    struct scope scope;
    int rc = find_scope(&scope, run->platform, "background-output", text, err);
    if (rc)
        return rc;
    if (scope.value == text || strcmp(scope.value, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE, "--background-output wants CLUSTER=FILE, not '%s'",
                         text);
    *cluster = scope.first;
    *path = scope.value;
    return need_local(run, scope.first, "background-output", err);
}

int find_explained(size_t *cluster, const char **job, const struct grid_run *run, const char *text,
                   struct loom_error *err)
{
    struct scope scope;
    *cluster = run->platform->n_clusters;
    *job = text;
    if (!strchr(text, '='))
        return 0;
    int rc = find_scope(&scope, run->platform, "explain", text, err);
    if (!rc)
        rc = need_local(run, scope.first, "explain", err);
    *cluster = scope.first;
    *job = scope.value;
    return rc;
}

static int check_outputs(const struct grid_run *run, const struct invocation *call,
                         struct loom_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < loom_params_count(call->params, "background-output") && !rc; k++) {
        size_t cluster;
        const char *path, *log;
        rc = find_output(&cluster, &path, run,
                         loom_params_item(call->params, "background-output", k), err);
        if (!rc)
            rc = refuse_same_file(call->operands[0], path, err);
        log = rc ? NULL : run->sites[cluster].plan.background;
        if (log)
            rc = refuse_same_file(log, path, err);
    }
    return rc;
}

void release_plan(struct grid_run *run)
{
    for (size_t i = 0; run->sites && i < run->platform->n_clusters; i++)
        if (!run->sites[i].borrowed)
            loom_trace_destroy(run->sites[i].background);
    free(run->sites);
    free(run->clusters);
    for (size_t i = 0; run->starts && i < run->platform->n_clusters; i++)
        loom_start_log_destroy(run->starts[i]);
    free(run->starts);
    loom_grid_explainer_destroy(run->explainer);
    loom_grid_destroy(run->grid);
    if (run->shared)
        return;
    free(run->dispatch);
    loom_platform_destroy(run->platform);
}

int plan_grid(struct grid_run *run, const struct invocation *call, struct loom_error *err)
{
    int rc = loom_platform_load(&run->platform, loom_params_text(call->params, "platform"), err);
    if (rc)
        return rc;
    size_t n = run->platform->n_clusters;
    run->sites = calloc(n, sizeof *run->sites);
    run->clusters = calloc(n, sizeof *run->clusters);
    if (!run->sites || !run->clusters)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        run->sites[i].plan = run->platform->clusters[i];
    rc = plan_sources(run, call, err);
    if (!rc)
        rc = plan_changes(run, call, false, err);
    if (!rc)
        rc = plan_changes(run, call, true, err);
    if (!rc)
        rc = check_outputs(run, call, err);
    const char *explain = loom_params_text(call->params, "explain");
    if (!rc && explain)
        rc = find_explained(&run->explained, &explain, run, explain, err);
    return rc ? rc : join_dispatch(run, call, err);
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
static int check_schedulers(const struct grid_run *run, const struct invocation *call,
                            struct loom_error *err)
{
    for (size_t i = 0; i < run->platform->n_clusters; i++)
        if (!run->platform->clusters[i].scheduler)
            return 0;
    return loom_params_given(call->params, "scheduler")
               ? loom_fail(err, LOOM_EUSAGE,
                           "each cluster of the platform names its own scheduler, so --scheduler "
                           "is for none: leave it out, or take schedulers out of the file")
               : 0;
}

int check_grid(const struct invocation *call, struct loom_error *err)
{
    struct grid_run run = {0};
    bool grid = loom_params_given(call->params, "platform");
    int rc = check_options(call, grid, err);
    if (!rc && grid)
        rc = plan_grid(&run, call, err);
    if (!rc && grid)
        rc = check_schedulers(&run, call, err);
    release_plan(&run);
    return rc;
}
