/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of a grid and its clusters, as tables and as JSON. */
#include "simulate_counts.h"
#include "simulate_grid.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *share_json(const struct loom_cluster_share *share)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "jobs", (json_int_t)share->jobs,
                     "wait_mean_s", loom_json_number(share->wait_mean_s), "wait_median_s",
                     loom_json_number(share->wait_median_s), "response_mean_s",
                     loom_json_number(share->response_mean_s), "slowdown_mean",
                     loom_json_number(share->slowdown_mean), "bounded_slowdown_mean",
                     loom_json_number(share->bounded_slowdown_mean), "slowdown_ratio",
                     loom_json_number(share->slowdown_ratio), "utilization",
                     loom_json_number(share->utilization));
}

/* Where the local jobs came from; null if there are none. */
static json_t *background_json(const struct site *site)
{
    const struct loom_platform_cluster *plan = &site->plan;
    if (plan->model)
        return json_pack("{s:o}", "model", text_json(plan->model));
    if (!plan->background)
        return json_null();
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, loom_trace_report(site->background)->hash);
    return json_pack("{s:o, s:s, s:I, s:I}", "file", text_json(plan->background), "hash", hash,
                     "shift_s", (json_int_t)plan->shift_s, "left_out", (json_int_t)site->n_early);
}

static int append_cluster(json_t *clusters, const struct grid_run *run, size_t index,
                          struct loom_error *err)
{
    struct loom_cluster_metrics metrics;
    const struct loom_cluster *cluster = &run->clusters[index];
    int rc = loom_cluster_metrics(&metrics, run->grid, index, err);
    if (rc)
        return rc;
    json_t *object =
        json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "name",
                  text_json(cluster->name), "procs", (json_int_t)cluster->procs, "scheduler",
                  text_json(cluster->scheduler), "background", background_json(&run->sites[index]),
                  "utilization", loom_json_number(metrics.utilization), "utilization_submitting",
                  loom_json_number(metrics.utilization_submitting), "load",
                  loom_json_number(metrics.load), "covers", loom_json_number(metrics.covers),
                  "queue_max", (json_int_t)metrics.queue_max, "local", share_json(&metrics.local),
                  "local_submitting", share_json(&metrics.local_submitting), "grid",
                  share_json(&metrics.grid), "local_counts",
                  counts_json(loom_sim_counts(loom_grid_cluster(run->grid, index))));
    return json_array_append_new(clusters, object) ? loom_fail_memory(err) : 0;
}

static json_t *grid_json(const struct simulation *of)
{
    const struct grid_run *run = of->grid;
    const struct loom_grid_metrics *metrics = &of->whole;
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "dispatch",
                     text_json(run->dispatch ? run->dispatch : ""), "seed",
                     (json_int_t)loom_params_int(of->call->params, "seed"), "load",
                     loom_json_number(metrics->load), "procs_left",
                     loom_json_number(metrics->procs_left), "utilization",
                     loom_json_number(metrics->utilization), "utilization_submitting",
                     loom_json_number(metrics->utilization_submitting), "makespan_s",
                     (json_int_t)metrics->makespan_s, "wait_queue_mean_s",
                     loom_json_number(metrics->wait_queue_mean_s), "wait_cluster_mean_s",
                     loom_json_number(metrics->wait_cluster_mean_s), "local",
                     share_json(&metrics->local), "local_submitting",
                     share_json(&metrics->local_submitting));
}

int add_grid_json(json_t *document, const struct simulation *of, struct loom_error *err)
{
    const struct grid_run *run = of->grid;
    int rc = 0;
    if (json_object_set_new(document, "grid", grid_json(of)) ||
        json_object_set_new(document, "clusters", json_array()))
        return loom_fail_memory(err);
    json_t *clusters = json_object_get(document, "clusters");
    for (size_t i = 0; i < run->platform->n_clusters && !rc; i++)
        rc = append_cluster(clusters, run, i, err);
    return rc;
}

/* ---- sentences ------------------------------------------------------------------------------- */

#define COVERS_ENOUGH 0.9
enum { MOST_CLUSTERS = 8 }; /* named one by one */

/* How local jobs come for longer. */
static const char *remedy_for(const struct loom_platform_cluster *plan)
{
    return plan->model       ? "more grid jobs, so that the model makes more local ones"
           : plan->has_shift ? "a longer log, another --background-shift, or --background-model"
           : plan->load > 0  ? "a longer log, a lower --background-load, or --background-model"
                             : "a longer log, or --background-model";
}

void warn_coverage(const struct simulation *runs, size_t n)
{
    const struct simulation *least = NULL;
    char at[40] = "";
    for (size_t i = 0; i < n; i++)
        if (runs[i].platform && runs[i].whole.covers_least < COVERS_ENOUGH &&
            (!least || runs[i].whole.covers_least < least->whole.covers_least))
            least = &runs[i];
    if (!least)
        return;
    if (n > 1 && least->load.asked > 0)
        snprintf(at, sizeof at, " at a load of %g", least->load.asked);
    const struct loom_platform_cluster *plan =
        &runs->planned->sites[least->whole.least_covered].plan;
    say(least->call,
        "local jobs of %s come in %.2g %% of the time of the grid's jobs%s: the load of the grid "
        "and the processors that local jobs leave are right for that part alone; take %s",
        plan->name, 100 * least->whole.covers_least, at, remedy_for(plan));
}

static bool same_jobs(const struct loom_platform_cluster *a, const struct loom_platform_cluster *b)
{
    const char *of_a = a->model ? a->model : a->background;
    const char *of_b = b->model ? b->model : b->background;
    return a->load == b->load && !a->model == !b->model &&
           (of_a && of_b ? strcmp(of_a, of_b) == 0 : of_a == of_b);
}

static void describe_local(FILE *out, const struct grid_run *run)
{
    size_t n = run->platform->n_clusters, with = 0, shown = 0, alike = 0;
    for (size_t i = 0; i < n; i++) {
        with += has_jobs(&run->sites[i].plan);
        alike += same_jobs(&run->sites[i].plan, &run->sites[0].plan);
    }
    if (with == 0)
        fputs(" There are no local jobs.", out);
    for (size_t i = 0; i < n && with > 0 && shown < (alike == n ? 1 : MOST_CLUSTERS); i++) {
        const struct loom_platform_cluster *plan = &run->sites[i].plan;
        if (!has_jobs(plan))
            continue;
        fputs(shown++ == 0 ? " Local jobs: " : "; ", out);
        fprintf(out, "%s from the %s %s", alike == n ? "on each cluster" : plan->name,
                plan->model ? "model" : "log", plan->model ? plan->model : plan->background);
        if (plan->load > 0)
            fprintf(out, " at a load of %g", plan->load);
    }
    if (alike < n && with > shown)
        fprintf(out, "; and on %zu more clusters", with - shown);
    if (with > 0)
        fputs(".", out);
}

int describe_grid(char *out, size_t size, const struct simulation *of, struct loom_error *err)
{
    const struct grid_run *run = of->planned;
    FILE *text = fmemopen(out, size - 1, "w"); /* it ends with a 0 if all fits */
    if (!text)
        return loom_fail_memory(err);
    size_t n = run->platform->n_clusters;
    fprintf(text, "%zu cluster%s:", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < n && i < MOST_CLUSTERS; i++)
        fprintf(text, "%s %s with %" PRId64 " processors", i ? "," : "", run->sites[i].plan.name,
                run->sites[i].plan.procs);
    if (n > MOST_CLUSTERS)
        fprintf(text, " and %zu more", n - MOST_CLUSTERS);
    fputs(".", text);
    describe_local(text, run);
    if (of->whole.covers_least < COVERS_ENOUGH)
        fprintf(text, " Those of %s come in only %.2g %% of the time of grid jobs.",
                run->sites[of->whole.least_covered].plan.name, 100 * of->whole.covers_least);
    fclose(text);
    out[size - 1] = 0;
    return 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* What was done to local jobs, of all clusters, by reason. */
static int add_local_counts(struct loom_table *table, const struct grid_run *run,
                            struct loom_error *err)
{
    struct loom_sim_counts sum = {0};
    for (size_t i = 0; i < run->platform->n_clusters; i++) {
        const struct loom_sim_counts *counts = loom_sim_counts(loom_grid_cluster(run->grid, i));
#define X(name, what) sum.name += counts->name;
        LOOM_SIM_COUNTS(X)
#undef X
    }
    int rc = 0;
#define X(name, what)                                                                          \
    if (!rc && sum.name > 0)                                                                   \
        rc = add_result_row(table,                                                             \
                            &(struct result){NULL, "local jobs: " what, "", (double)sum.name}, \
                            err);
    LOOM_SIM_COUNTS(X)
#undef X
    return rc;
}

static int fill_grid(struct loom_table *table, const struct simulation *of, struct loom_error *err)
{
    const struct loom_grid_metrics *metrics = &of->whole;
    const struct {
        const char *label;
        double value;
        const char *unit;
    } rows[] = {
        {"load of the grid", metrics->load, ""},
        {"processors that local jobs leave", metrics->procs_left, ""},
        {"makespan of all jobs, local ones too", (double)metrics->makespan_s, "s"},
        {"utilization by all jobs in that time", metrics->utilization, ""},
        {"and while grid jobs come", metrics->utilization_submitting, ""},
        {"wait in the grid's queue, mean", metrics->wait_queue_mean_s, "s"},
        {"wait in a cluster's queue, mean", metrics->wait_cluster_mean_s, "s"},
        {"local jobs, mean response / mean runtime", metrics->local.slowdown_ratio, ""},
        {"and of those that come while grid jobs do", metrics->local_submitting.slowdown_ratio, ""},
    };
    int rc = loom_table_column(table, "grid", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "value", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "", LOOM_LEFT, err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !rc; i++) {
        rc = loom_table_cell(table, err, "%s", rows[i].label);
        if (!rc)
            rc = add_number(table, rows[i].value, err);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", rows[i].unit);
    }
    return rc ? rc : add_local_counts(table, of->grid, err);
}

static int add_share(struct loom_table *table, const struct loom_cluster_share *share,
                     struct loom_error *err)
{
    char wait[LOOM_DURATION];
    int rc = loom_table_cell(table, err, "%" PRId64, share->jobs);
    if (!rc)
        rc = loom_table_cell(table, err, "%s",
                             loom_duration_text(share->wait_mean_s, wait, sizeof wait));
    return rc ? rc : add_number(table, share->slowdown_ratio, err);
}

static int add_cluster(struct loom_table *table, const struct grid_run *run, size_t index,
                       struct loom_error *err)
{
    struct loom_cluster_metrics metrics;
    const struct loom_cluster *cluster = &run->clusters[index];
    int rc = loom_cluster_metrics(&metrics, run->grid, index, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cluster->name);
    if (!rc)
        rc = loom_table_cell(table, err, "%" PRId64, cluster->procs);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cluster->scheduler);
    if (!rc)
        rc = add_number(table, metrics.utilization_submitting, err);
    if (!rc)
        rc = add_share(table, &metrics.local_submitting, err);
    return rc ? rc : add_share(table, &metrics.grid, err);
}

static int fill_clusters(struct loom_table *table, const struct grid_run *run,
                         struct loom_error *err)
{
    static const char *const titles[] = {"cluster",
                                         "procs",
                                         "scheduler",
                                         "utilization while grid jobs come",
                                         "local jobs then",
                                         "local wait",
                                         "local response / runtime",
                                         "grid jobs",
                                         "grid wait",
                                         "grid response / runtime"};
    int rc = 0;
    for (size_t i = 0; i < sizeof titles / sizeof *titles && !rc; i++)
        rc = loom_table_column(table, titles[i], i == 0 || i == 2 ? LOOM_LEFT : LOOM_RIGHT, err);
    for (size_t i = 0; i < run->platform->n_clusters && !rc; i++)
        rc = add_cluster(table, run, i, err);
    return rc;
}

int cluster_table(struct loom_table **out, const struct simulation *of, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_clusters(table, of->grid, err);
    if (rc)
        loom_table_destroy(table);
    *out = rc ? NULL : table;
    return rc;
}

int print_grid(const struct simulation *of, struct loom_error *err)
{
    struct loom_table *grid = NULL, *clusters = NULL;
    int rc = loom_table_create(&grid, err);
    if (!rc)
        rc = fill_grid(grid, of, err);
    if (!rc)
        rc = cluster_table(&clusters, of, err);
    if (rc) {
        loom_table_destroy(grid);
        return rc;
    }
    rc = print_next_table(grid, err);
    if (!rc)
        return print_next_table(clusters, err);
    loom_table_destroy(clusters);
    return rc;
}
