/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a grid, and what cannot be had with one. */
#include "simulate.h"

#include <string.h>

const struct loom_param grid_output_params[] = {
    {.name = "background-output",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "CLUSTER=FILE",
     .help = "write the schedule of local jobs"},
    {.name = NULL},
};

int find_output(size_t *cluster, const char **path, const struct loom_platform *platform,
                const char *text, struct loom_error *err)
{
    int rc = loom_platform_scope(cluster, path, platform, "background-output", text, err);
    return rc || (*path != text && strcmp(*path, "-") != 0)
               ? rc
               : loom_fail(err, LOOM_EUSAGE, "--background-output wants CLUSTER=FILE, not '%s'",
                           text);
}

/* Grid jobs come from stdin, or the local jobs of one cluster. */
static int check_stdin(const struct loom_platform *platform, const struct invocation *call,
                       struct loom_error *err)
{
    const char *before = call->operands[0];
    int rc = 0;
    for (size_t i = 0; i < platform->n_clusters && !rc; i++) {
        const char *log = platform->clusters[i].background;
        rc = refuse_stdin_twice(before, log, err);
        before = log && strcmp(log, "-") == 0 ? log : before;
    }
    return rc;
}

/* Outputs are for clusters with local jobs, and are none of the inputs. */
static int check_files(const struct loom_platform *platform, const struct invocation *call,
                       struct loom_error *err)
{
    const char *explain = loom_params_text(call->params, "explain");
    size_t cluster;
    const char *path;
    int rc = check_stdin(platform, call, err);
    for (size_t k = 0; k < loom_params_count(call->params, "background-output") && !rc; k++) {
        rc = find_output(&cluster, &path, platform,
                         loom_params_item(call->params, "background-output", k), err);
        if (!rc)
            rc = refuse_same_file(call->operands[0], path, err);
        if (!rc && platform->clusters[cluster].background)
            rc = refuse_same_file(platform->clusters[cluster].background, path, err);
    }
    if (!rc && explain && strchr(explain, '='))
        rc = loom_platform_scope(&cluster, &path, platform, "explain", explain, err);
    return rc;
}

/* Options that need a grid, and those that cannot be had with one. */
static int check_simulate_grid_options(const struct invocation *call, bool grid,
                                       struct loom_error *err)
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
    for (size_t i = 1; loom_platform_params[i].name && !grid; i++)
        if (loom_params_given(call->params, loom_platform_params[i].name))
            return loom_fail(err, LOOM_EUSAGE, "--%s is for a grid: add --platform",
                             loom_platform_params[i].name);
    if (!grid && loom_params_given(call->params, "background-output"))
        return loom_fail(err, LOOM_EUSAGE, "--background-output is for a grid: add --platform");
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
                         "--compat is for one machine, as pyss has no grids: leave it out, or "
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
    /* Of a parameter given twice the last counts. */
    const char *choose = NULL;
    for (const char *at = platform->dispatch; at && (at = strstr(at, "choose=")); at++)
        choose = at;
    return choose && strncmp(choose, "choose=random", 13) == 0;
}

int check_grid(const struct invocation *call, bool *random, struct loom_error *err)
{
    struct loom_platform *platform = NULL;
    bool grid = loom_params_given(call->params, "platform");
    int rc = check_simulate_grid_options(call, grid, err);
    if (!rc && grid)
        rc = loom_platform_create(&platform, call->params, call->schedulers, err);
    if (!rc && grid)
        rc = check_schedulers(platform, call, err);
    if (!rc && grid)
        rc = check_files(platform, call, err);
    *random |= !rc && grid && is_random(platform);
    loom_platform_destroy(platform);
    return rc;
}
