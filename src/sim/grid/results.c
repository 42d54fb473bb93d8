/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of a grid: the schedule, and separate metrics of grid jobs and local jobs.
 */
#include "sim/grid/grid.h"
#include "sim/tool.h"
#include "trace/table.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the schedule ---------------------------------------------------------------------------- */

static const char of_grid[] = "schedule of grid jobs, whose partitions are clusters",
                  of_cluster[] = "schedule of a cluster's local jobs, beside those of a grid";

static bool is_mark(const struct loom_directive *directive)
{
    return strcasecmp(directive->key, "Note") == 0 &&
           (strcmp(directive->value, of_grid) == 0 || strcmp(directive->value, of_cluster) == 0);
}

bool loom_grid_made(const struct loom_trace *trace)
{
    for (size_t i = 0; i < trace->n_directives; i++)
        if (is_mark(&trace->directives[i]))
            return true;
    return false;
}

void loom_grid_unmark(struct loom_trace *trace)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->n_directives; i++)
        if (!is_mark(&trace->directives[i]))
            trace->directives[kept++] = trace->directives[i];
    trace->n_directives = kept;
}

/* Replace the partitions of the log by the clusters. */
static int name_partitions(const struct loom_grid *grid, struct loom_trace *trace,
                           struct loom_error *err)
{
    size_t kept = 0;
    int rc = 0;
    for (size_t i = 0; i < trace->n_directives; i++)
        if (strcasecmp(trace->directives[i].key, "Partition") != 0)
            trace->directives[kept++] = trace->directives[i];
    trace->n_directives = kept;
    loom_names_free(&trace->names[LOOM_PARTITION]);
    for (size_t i = 0; i < grid->n_sites && !rc; i++)
        rc =
            loom_trace_set_name(trace, LOOM_PARTITION, (int32_t)i + 1, grid->clusters[i].name, err);
    return rc ? rc : loom_trace_declare_names(trace, err);
}

int loom_grid_schedule(const struct loom_grid *grid, struct loom_trace *trace,
                       struct loom_error *err)
{
    static const int32_t nowhere = -1;
    int rc = loom_sim_schedule(grid->front, trace, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_partition, err);
    if (rc)
        return rc;
    loom_trace_set_column(trace, LOOM_COLUMN_partition, &nowhere);
    for (size_t i = 0; i < grid->front->n_jobs; i++)
        trace->columns.partition[grid->front->jobs[i].row] = (int32_t)grid->places[i].cluster + 1;
    rc = name_partitions(grid, trace, err);
    return rc ? rc : loom_trace_add_directive(trace, "Note", of_grid, err);
}

int loom_grid_schedule_local(const struct loom_grid *grid, size_t cluster, struct loom_trace *trace,
                             struct loom_error *err)
{
    int rc = loom_sim_schedule(grid->sites[cluster].sim, trace, err);
    return rc ? rc : loom_trace_add_directive(trace, "Note", of_cluster, err);
}

/* ---- measures -------------------------------------------------------------------------------- */

struct span {
    int64_t first_s, last_s;
};

static void extend(struct span *span, const struct loom_sim *sim)
{
    for (size_t i = 0; i < sim->n_jobs; i++) {
        int64_t end_s = loom_sim_job_end(&sim->jobs[i]);
        if (sim->jobs[i].submit_s < span->first_s)
            span->first_s = sim->jobs[i].submit_s;
        if (end_s > span->last_s)
            span->last_s = end_s;
    }
}

static struct span whole_run(const struct loom_grid *grid)
{
    struct span span = {.first_s = INT64_MAX};
    extend(&span, grid->front);
    for (size_t i = 0; i < grid->n_sites; i++)
        extend(&span, grid->sites[i].sim);
    return span;
}

/* Return the time from the first to the last submission of a grid job. */
static struct span submissions(const struct loom_grid *grid)
{
    struct span span = {.first_s = INT64_MAX};
    for (size_t i = 0; i < grid->front->n_jobs; i++) {
        int64_t submit_s = grid->front->jobs[i].submit_s;
        if (submit_s < span.first_s)
            span.first_s = submit_s;
        if (submit_s > span.last_s)
            span.last_s = submit_s;
    }
    return span;
}

static double length_of(struct span span)
{
    return span.last_s > span.first_s ? (double)(span.last_s - span.first_s) : (double)NAN;
}

static struct span both(struct span a, struct span b)
{
    return (struct span){.first_s = a.first_s > b.first_s ? a.first_s : b.first_s,
                         .last_s = a.last_s < b.last_s ? a.last_s : b.last_s};
}

/* Return the fraction of a span in which local jobs of a cluster are submitted. */
static double coverage(const struct loom_sim *cluster, struct span of)
{
    struct span local = {.first_s = INT64_MAX};
    for (size_t i = 0; i < cluster->n_jobs; i++)
        if (!(cluster->jobs[i].notes & LOOM_JOB_GRID)) {
            int64_t submit_s = cluster->jobs[i].submit_s;
            local.first_s = submit_s < local.first_s ? submit_s : local.first_s;
            local.last_s = submit_s > local.last_s ? submit_s : local.last_s;
        }
    if (local.first_s == INT64_MAX)
        return (double)NAN;
    double length_s = length_of(both(local, of));
    return (isnan(length_s) ? 0 : length_s) / length_of(of);
}

/* Return the processor-seconds used by the jobs of a cluster in a span. */
static double work_within(const struct loom_sim *cluster, struct span span)
{
    double work = 0;
    for (size_t i = 0; i < cluster->n_jobs; i++) {
        const struct loom_sim_job *job = &cluster->jobs[i];
        double length_s = length_of(both((struct span){job->start_s, loom_sim_job_end(job)}, span));
        if (!isnan(length_s))
            work += length_s * job->procs;
    }
    return work;
}

static void pick_local(struct loom_sim *into, const struct loom_sim *cluster)
{
    for (size_t i = 0; i < cluster->n_jobs; i++)
        if (!(cluster->jobs[i].notes & LOOM_JOB_GRID))
            into->jobs[into->n_jobs++] = cluster->jobs[i];
}

/* Make a simulation of the local or the grid jobs of a cluster, for metrics only. The caller must
 * free its jobs. */
static int pick(struct loom_sim *out, const struct loom_grid *grid, size_t cluster, bool grids,
                struct loom_error *err)
{
    const struct loom_sim *sim = grid->sites[cluster].sim, *front = grid->front;
    *out = (struct loom_sim){.procs = sim->procs,
                             .jobs = malloc((sim->n_jobs + 1) * sizeof *out->jobs)};
    if (!out->jobs)
        return loom_fail_memory(err);
    if (!grids)
        pick_local(out, sim);
    for (size_t i = 0; i < front->n_jobs && grids; i++)
        if (grid->places[i].cluster == cluster)
            out->jobs[out->n_jobs++] = front->jobs[i];
    return 0;
}

/* Make one of the local jobs of all clusters. */
static int pick_all_local(struct loom_sim *out, const struct loom_grid *grid,
                          struct loom_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < grid->n_sites; i++)
        n += grid->sites[i].sim->n_jobs;
    *out =
        (struct loom_sim){.procs = grid->front->procs, .jobs = malloc((n + 1) * sizeof *out->jobs)};
    if (!out->jobs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < grid->n_sites; i++)
        pick_local(out, grid->sites[i].sim);
    return 0;
}

static int share(struct loom_cluster_share *out, double *load, const struct loom_sim *jobs,
                 double makespan_s, struct loom_error *err)
{
    const double none = NAN;
    struct loom_sim_metrics m;
    *out = (struct loom_cluster_share){0, none, none, none, none, none, none, 0};
    *load = 0;
    if (jobs->n_jobs == 0)
        return 0;
    int rc = loom_sim_metrics(&m, jobs, err);
    if (rc)
        return rc;
    double work = 0;
    for (size_t i = 0; i < jobs->n_jobs; i++)
        work += (double)jobs->jobs[i].run_s * jobs->jobs[i].procs;
    *out = (struct loom_cluster_share){
        .jobs = m.jobs,
        .wait_mean_s = m.wait_mean_s,
        .wait_median_s = m.wait_median_s,
        .response_mean_s = m.response_mean_s,
        .slowdown_mean = m.slowdown_mean,
        .bounded_slowdown_mean = m.bounded_slowdown_mean,
        .slowdown_ratio = m.slowdown_ratio,
        .utilization = work / (makespan_s * (double)jobs->procs),
    };
    *load = m.load_offered;
    return 0;
}

/* Compute the metrics of the local jobs submitted in a span, and delete the others from `local`.
 * The utilization of the span is that of all local jobs. */
static int share_within(struct loom_cluster_share *out, struct loom_sim *local, struct span span,
                        struct loom_error *err)
{
    double work = work_within(local, span), unused;
    size_t kept = 0;
    for (size_t i = 0; i < local->n_jobs; i++) {
        int64_t submit_s = local->jobs[i].submit_s;
        if (submit_s >= span.first_s && submit_s <= span.last_s)
            local->jobs[kept++] = local->jobs[i];
    }
    local->n_jobs = kept;
    int rc = share(out, &unused, local, length_of(span), err);
    out->utilization = work / (length_of(span) * (double)local->procs);
    return rc;
}

/* Compute the metrics of local and grid jobs of a cluster, and the load of its local jobs. */
static int measure(struct loom_cluster_metrics *out, const struct loom_grid *grid, size_t cluster,
                   double makespan_s, struct loom_error *err)
{
    int rc = 0;
    double load[2];
    struct loom_cluster_share shares[2], then;
    struct span coming = submissions(grid);
    const struct loom_sim *sim = grid->sites[cluster].sim;
    for (int grids = 0; grids < 2 && !rc; grids++) {
        struct loom_sim some;
        rc = pick(&some, grid, cluster, grids, err);
        if (!rc)
            rc = share(&shares[grids], &load[grids], &some, makespan_s, err);
        if (!rc && !grids)
            rc = share_within(&then, &some, coming, err);
        free(some.jobs);
    }
    if (!rc)
        *out = (struct loom_cluster_metrics){
            .local = shares[0],
            .grid = shares[1],
            .utilization = shares[0].utilization + shares[1].utilization,
            .utilization_submitting =
                work_within(sim, coming) / (length_of(coming) * (double)sim->procs),
            .local_submitting = then,
            .load = load[0],
            .covers = coverage(sim, coming),
            .queue_max = (int64_t)sim->queue_max,
        };
    return rc;
}

int loom_cluster_metrics(struct loom_cluster_metrics *out, const struct loom_grid *grid,
                         size_t cluster, struct loom_error *err)
{
    return measure(out, grid, cluster, length_of(whole_run(grid)), err);
}

static void split_waits(struct loom_grid_metrics *out, const struct loom_grid *grid)
{
    const struct loom_sim *front = grid->front;
    double queue_s = 0, cluster_s = 0, n = (double)front->n_jobs;
    for (size_t i = 0; i < front->n_jobs; i++) {
        queue_s += (double)(grid->places[i].sent_s - front->jobs[i].submit_s);
        cluster_s += (double)(front->jobs[i].start_s - grid->places[i].sent_s);
    }
    out->wait_queue_mean_s = queue_s / n;
    out->wait_cluster_mean_s = cluster_s / n;
}

static int measure_local(struct loom_grid_metrics *out, const struct loom_grid *grid,
                         double makespan_s, struct loom_error *err)
{
    struct loom_sim all;
    double unused;
    int rc = pick_all_local(&all, grid, err);
    if (!rc)
        rc = share(&out->local, &unused, &all, makespan_s, err);
    if (!rc)
        rc = share_within(&out->local_submitting, &all, submissions(grid), err);
    free(all.jobs);
    return rc;
}

int loom_grid_metrics(struct loom_grid_metrics *out, const struct loom_grid *grid,
                      struct loom_error *err)
{
    struct span span = whole_run(grid);
    struct loom_sim_metrics jobs;
    int rc = loom_sim_metrics(&jobs, grid->front, err);
    if (rc)
        return rc;
    *out = (struct loom_grid_metrics){.procs = grid->front->procs,
                                      .makespan_s = span.last_s - span.first_s,
                                      .covers_least = (double)NAN};
    rc = measure_local(out, grid, length_of(span), err);
    if (rc)
        return rc;
    for (size_t i = 0; i < grid->n_sites; i++) {
        struct loom_cluster_metrics cluster;
        double procs = (double)grid->sites[i].sim->procs;
        rc = measure(&cluster, grid, i, length_of(span), err);
        if (rc)
            return rc;
        out->utilization += cluster.utilization * procs / (double)out->procs;
        out->utilization_submitting += cluster.utilization_submitting * procs / (double)out->procs;
        out->procs_left += (1 - cluster.load) * procs;
        if (isnan(out->covers_least) || cluster.covers < out->covers_least) {
            out->covers_least = cluster.covers;
            out->least_covered = i;
        }
    }
    out->load = out->procs_left > 0 ? jobs.load_offered * (double)out->procs / out->procs_left
                                    : (double)NAN;
    split_waits(out, grid);
    return 0;
}
