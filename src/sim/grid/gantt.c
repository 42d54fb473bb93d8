/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Gantt chart of a grid: each cluster's, one above the other. */
#include "sim/results/gantt.h"
#include "sim/grid/grid.h"

/* Take over the bars of the next cluster, above the clusters before. */
static int add_cluster(struct loom_gantt **all, const struct loom_gantt *chart, size_t cluster,
                       struct loom_error *err)
{
    size_t count = (*all)->count + chart->count;
    struct loom_gantt *grown = realloc(*all, sizeof *grown + count * sizeof *grown->bars);
    if (!grown)
        return loom_fail_memory(err);
    for (size_t i = 0; i < chart->count; i++) {
        struct loom_gantt_bar bar = chart->bars[i];
        bar.cluster = (uint32_t)cluster;
        bar.first += grown->procs;
        grown->bars[grown->count++] = bar;
    }
    grown->procs += chart->procs;
    grown->jobs += chart->jobs;
    *all = grown;
    return 0;
}

static int draw_clusters(struct loom_gantt **all, const struct loom_grid *grid,
                         struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < grid->n_sites && !rc; i++) {
        struct loom_gantt *chart = NULL;
        rc = loom_gantt_draw(&chart, grid->sites[i].sim, (*all)->window, err);
        if (!rc)
            rc = add_cluster(all, chart, i, err);
        loom_gantt_destroy(chart);
    }
    return rc;
}

int loom_grid_gantt_create(struct loom_gantt **out, const struct loom_grid *grid,
                           struct loom_sim_window window, struct loom_error *err)
{
    size_t jobs = 0;
    *out = NULL;
    for (size_t i = 0; i < grid->n_sites; i++)
        jobs += loom_gantt_jobs(grid->sites[i].sim, window);
    int rc = loom_gantt_check(jobs, err);
    if (rc)
        return rc;
    struct loom_gantt *all = malloc(sizeof *all);
    if (!all)
        return loom_fail_memory(err);
    *all = (struct loom_gantt){.window = window};
    rc = draw_clusters(&all, grid, err);
    if (rc)
        loom_gantt_destroy(all);
    else
        *out = all;
    return rc;
}
