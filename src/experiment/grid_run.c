/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario on a grid: its jobs are the grid's own. Local jobs come from the logs of the system,
 * or are made by models for as long as grid jobs are submitted (grid_local.c). A load is the load
 * of the grid, over the processors that local jobs leave (thesis 6.2).
 */
#include "experiment/grid_local.h"
#include "sim/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count_clusters(const struct loom_grid_run *run)
{
    return run->system->platform->n_clusters;
}

void loom_grid_run_destroy(struct loom_grid_run *run)
{
    if (!run)
        return;
    for (size_t i = 0; i < count_clusters(run); i++) {
        if (run->made)
            loom_trace_destroy(run->made[i]);
        if (run->starts)
            loom_start_log_destroy(run->starts[i]);
    }
    loom_grid_explainer_destroy(run->explainer);
    loom_grid_destroy(run->grid);
    free(run->made);
    free(run->starts);
    free(run->clusters);
    free(run->observers);
    free(run);
}

/* The clusters, with the policy of the scenario where the platform names none. */
static int open_run(struct loom_grid_run **out, const struct loom_scenario *scenario,
                    struct loom_error *err)
{
    const struct loom_platform *platform = scenario->system->platform;
    size_t n = platform->n_clusters;
    struct loom_grid_run *run = *out = calloc(1, sizeof *run);
    if (!run)
        return loom_fail_memory(err);
    run->system = scenario->system;
    run->explained = n;
    run->made = calloc(n + 1, sizeof(struct loom_trace *));
    run->clusters = calloc(n + 1, sizeof *run->clusters);
    run->observers = calloc(n + 1, sizeof *run->observers);
    if (!run->made || !run->clusters || !run->observers)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const struct loom_platform_cluster *plan = &platform->clusters[i];
        run->clusters[i] =
            (struct loom_cluster){.name = plan->name,
                                  .procs = plan->procs,
                                  .scheduler = plan->scheduler ? plan->scheduler : scenario->policy,
                                  .background = run->system->locals[i].log,
                                  .background_shift_s = plan->shift_s};
    }
    return loom_grid_create(&run->grid, err);
}

/* ---- the load -------------------------------------------------------------------------------- */

/* NAN where local jobs all come at one time. */
static double local_load(const struct loom_cluster *cluster)
{
    return cluster->background ? loom_load_offered(cluster->background, cluster->procs) : 0;
}

static int check_local_loads(const struct loom_grid_run *run, struct loom_error *err)
{
    for (size_t i = 0; i < count_clusters(run); i++)
        if (isnan(local_load(&run->clusters[i])))
            return loom_fail(err, LOOM_EDATA,
                             "cluster %.60s: its local jobs come all at one time and have no load, "
                             "so the load of the grid cannot be set",
                             run->clusters[i].name);
    return 0;
}

/* Processors that local jobs leave: sum of (1 - load) * processors (thesis 6.2). */
static double procs_left(const struct loom_grid_run *run)
{
    double left = 0;
    for (size_t i = 0; i < count_clusters(run); i++)
        left += (1 - local_load(&run->clusters[i])) * (double)run->clusters[i].procs;
    return left;
}

/* A grid job runs within one cluster: those wider than the largest offer no load. */
static int64_t widest(const struct loom_grid_run *run)
{
    int64_t procs = 0;
    for (size_t i = 0; i < count_clusters(run); i++)
        procs = run->clusters[i].procs > procs ? run->clusters[i].procs : procs;
    return procs;
}

/* With the times of grid jobs, those for which models make local jobs change too, and with them, a
 * little, what these leave. */
static int change_load(struct loom_run *run, const struct loom_scenario *scenario,
                       struct loom_error *err)
{
    struct loom_grid_run *grid = run->grid;
    struct loom_load_change *change = &run->jobs.load;
    double left = procs_left(grid), machine = (double)widest(grid);
    int rc = check_local_loads(grid, err);
    if (!rc && !(left > 0))
        rc = loom_fail(err, LOOM_EDATA,
                       "the local jobs leave no processors, so the load of the grid cannot be set; "
                       "lower the load of local jobs");
    if (!rc)
        rc = loom_jobs_derive(&run->jobs, err);
    if (!rc)
        rc = loom_load_vary(change, run->jobs.scaled, widest(grid), scenario->load * left / machine,
                            scenario->load_by, err);
    if (!rc)
        rc = loom_make_local_jobs(grid, run->jobs.jobs, scenario, err);
    if (rc)
        return rc;
    change->asked = scenario->load;
    change->before *= machine / left;
    change->after *= machine / procs_left(grid);
    return loom_load_note(run->jobs.scaled, "load of the grid", change, err);
}

/* ---- who watches ----------------------------------------------------------------------------- */

/* The cluster whose name and '=' the text begins with: the longest name, as names may have a '='.
 * The number of clusters if there is none. */
static size_t find_cluster(const struct loom_platform *platform, const char *text)
{
    size_t found = platform->n_clusters, longest = 0;
    for (size_t i = 0; i < platform->n_clusters; i++) {
        size_t length = strlen(platform->clusters[i].name);
        if (length > longest && strncmp(platform->clusters[i].name, text, length) == 0 &&
            text[length] == '=') {
            found = i;
            longest = length;
        }
    }
    return found;
}

static int open_explainer(struct loom_run *run, const char *text, struct loom_error *err)
{
    struct loom_grid_run *grid = run->grid;
    const struct loom_platform *platform = grid->system->platform;
    uint32_t row;
    grid->explained = find_cluster(platform, text);
    if (grid->explained == platform->n_clusters) {
        int rc = loom_find_job(&row, run->jobs.jobs, text, err);
        return rc ? rc : loom_grid_explainer_create(&grid->explainer, grid->grid, row, err);
    }
    const struct loom_cluster *cluster = &grid->clusters[grid->explained];
    if (!cluster->background)
        return loom_fail(err, LOOM_EUSAGE, "cluster %s has no local jobs", cluster->name);
    int rc = loom_find_job(&row, cluster->background, text + strlen(cluster->name) + 1, err);
    return rc ? rc : loom_explainer_create(&run->explainer, row, err);
}

static int open_starts(struct loom_grid_run *run, struct loom_error *err)
{
    size_t n = count_clusters(run);
    run->starts = calloc(n + 1, sizeof(struct loom_start_log *));
    int rc = run->starts ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_start_log_create(&run->starts[i], err);
    return rc;
}

static void list_observers(struct loom_run *run)
{
    struct loom_grid_run *grid = run->grid;
    for (size_t i = 0; i < count_clusters(grid); i++) {
        struct loom_observer *observers = grid->observers[i];
        size_t n = 0;
        if (grid->explainer)
            observers[n++] = loom_grid_explainer_cluster_observer(grid->explainer);
        else if (run->explainer && i == grid->explained)
            observers[n++] = loom_explainer_observer(run->explainer);
        if (grid->starts)
            observers[n++] = loom_start_log_observer(grid->starts[i]);
        grid->clusters[i].observers = observers;
        grid->clusters[i].n_observers = n;
    }
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Replication 0 has the seed itself. */
static uint64_t seed_of(const struct loom_scenario *scenario)
{
    return scenario->seed ^ scenario->replication * UINT64_C(0x9e3779b97f4a7c15);
}

static int simulate_grid(struct loom_run *run, const struct loom_scenario *scenario,
                         struct loom_error *err)
{
    struct loom_grid_run *grid = run->grid;
    struct loom_observer queue;
    list_observers(run);
    if (grid->explainer)
        queue = loom_grid_explainer_observer(grid->explainer);
    const struct loom_grid_options options = {
        .clusters = grid->clusters,
        .n_clusters = count_clusters(grid),
        .schedulers = scenario->schedulers,
        .dispatch = grid->system->platform->dispatch,
        .seed = seed_of(scenario),
        .overrun = scenario->overrun,
        .estimator = scenario->estimator,
        .progress = scenario->progress,
        .observers = &queue,
        .n_observers = grid->explainer != NULL,
    };
    return loom_grid_run(grid->grid, &options, run->jobs.jobs, err);
}

int loom_grid_run_scenario(struct loom_run *run, const struct loom_scenario *scenario,
                           struct loom_error *err)
{
    int rc = open_run(&run->grid, scenario, err);
    if (!rc)
        rc = loom_make_local_jobs(run->grid, run->jobs.jobs, scenario, err);
    if (!rc && scenario->load > 0)
        rc = change_load(run, scenario, err);
    if (!rc)
        rc = loom_measure_check(scenario, run->jobs.jobs, err);
    if (rc)
        return rc;
    loom_align_local_logs(run->grid, run->jobs.jobs);
    if (scenario->explain)
        rc = open_explainer(run, scenario->explain, err);
    if (!rc && scenario->keep & LOOM_KEEP_STARTS)
        rc = open_starts(run->grid, err);
    return rc ? rc : simulate_grid(run, scenario, err);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Where the local jobs come from. */
static int name_local(struct loom_cluster_outcome *out, const struct loom_grid_run *run,
                      size_t index, struct loom_error *err)
{
    const struct loom_platform_cluster *plan = &run->system->platform->clusters[index];
    const struct loom_local_log *local = &run->system->locals[index];
    if ((plan->model && !(out->model = strdup(plan->model))) ||
        (plan->background && !(out->log = strdup(plan->background))))
        return loom_fail_memory(err);
    out->shift_s = run->clusters[index].background_shift_s;
    out->left_out = local->left_out;
    out->hash = local->log ? loom_trace_report(local->log)->hash : 0;
    return 0;
}

static int measure_cluster(struct loom_cluster_outcome *out, const struct loom_grid_run *run,
                           size_t index, struct loom_error *err)
{
    const struct loom_cluster *cluster = &run->clusters[index];
    out->name = strdup(cluster->name);
    out->scheduler = strdup(cluster->scheduler);
    out->procs = cluster->procs;
    out->counts = *loom_sim_counts(loom_grid_cluster(run->grid, index));
    if (!out->name || !out->scheduler)
        return loom_fail_memory(err);
    int rc = name_local(out, run, index, err);
    return rc ? rc : loom_cluster_metrics(&out->metrics, run->grid, index, err);
}

int loom_grid_run_measure(struct loom_grid_outcome **out, const struct loom_grid_run *run,
                          struct loom_error *err)
{
    const struct loom_platform *platform = run->system->platform;
    size_t n = platform->n_clusters;
    struct loom_grid_outcome *grid = *out = calloc(1, sizeof *grid + n * sizeof *grid->clusters);
    if (!grid)
        return loom_fail_memory(err);
    grid->n = n;
    grid->platform = strdup(platform->name);
    grid->dispatch = strdup(platform->dispatch ? platform->dispatch : "");
    int rc = grid->platform && grid->dispatch ? loom_grid_metrics(&grid->metrics, run->grid, err)
                                              : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = measure_cluster(&grid->clusters[i], run, i, err);
    return rc;
}

void loom_grid_outcome_destroy(struct loom_grid_outcome *outcome)
{
    for (size_t i = 0; outcome && i < outcome->n; i++) {
        struct loom_cluster_outcome *cluster = &outcome->clusters[i];
        free(cluster->name);
        free(cluster->scheduler);
        free(cluster->model);
        free(cluster->log);
    }
    if (outcome) {
        free(outcome->platform);
        free(outcome->dispatch);
    }
    free(outcome);
}
