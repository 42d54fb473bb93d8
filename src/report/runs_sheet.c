/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page of runs says beside its figures: who submits, on which grid, and tables. */
#include "report/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PEOPLE, GRID, CLASSES };

/* ---- words ----------------------------------------------------------------------------------- */

static void describe_people(char *buf, size_t size, const struct loom_outcome *outcome)
{
    const struct loom_users_outcome *users = outcome->submitters;
    int used = snprintf(
        buf, size, "%s, %s%s%s",
        users->resampled ? "a resampled population" : "the users of the log",
        users->behaviour ? "reacting by " : "who do not react",
        users->behaviour ? users->behaviour : "",
        outcome->load.asked > 0
            ? "; the load of the log is changed before that, and the load offered is a result"
            : "");
    if (!isnan(users->log_load) && used > 0 && (size_t)used < size)
        snprintf(buf + used, size - (size_t)used,
                 ". The log itself has a load of %.3g and a throughput of %.4g jobs/day",
                 users->log_load, users->log_throughput_jobs_per_day);
}

enum { MOST_CLUSTERS = 8 }; /* named one by one */
#define COVERS_ENOUGH 0.9

static const char *source_of(const struct loom_cluster_outcome *cluster)
{
    return cluster->model ? cluster->model : cluster->log ? cluster->log : "";
}

static void describe_local(FILE *out, const struct loom_grid_outcome *grid)
{
    size_t with = 0, shown = 0, alike = 0;
    for (size_t i = 0; i < grid->n; i++) {
        with += *source_of(&grid->clusters[i]) != 0;
        alike += strcmp(source_of(&grid->clusters[i]), source_of(&grid->clusters[0])) == 0;
    }
    fputs(with == 0 ? " There are no local jobs." : " Local jobs: ", out);
    for (size_t i = 0; i < grid->n && shown < (alike == grid->n ? 1 : MOST_CLUSTERS); i++) {
        const struct loom_cluster_outcome *cluster = &grid->clusters[i];
        if (!*source_of(cluster))
            continue;
        fprintf(out, "%s%s from the %s %s", shown++ ? "; " : "",
                alike == grid->n ? "on each cluster" : cluster->name,
                cluster->model ? "model" : "log", source_of(cluster));
        if ((alike < grid->n || grid->n == 1) && !isnan(cluster->metrics.load))
            fprintf(out, " at a load of %.2g", cluster->metrics.load);
    }
    if (alike < grid->n && with > shown)
        fprintf(out, "; and on %zu more clusters", with - shown);
    if (with > 0)
        fputs(".", out);
}

static int describe_grid(char *buf, size_t size, const struct loom_grid_outcome *grid,
                         struct loom_error *err)
{
    FILE *text = fmemopen(buf, size - 1, "w"); /* it ends with a 0 if all fits */
    if (!text)
        return loom_fail_memory(err);
    fprintf(text, "%zu cluster%s:", grid->n, grid->n == 1 ? "" : "s");
    for (size_t i = 0; i < grid->n && i < MOST_CLUSTERS; i++)
        fprintf(text, "%s %s with %" PRId64 " processors", i ? "," : "", grid->clusters[i].name,
                grid->clusters[i].procs);
    if (grid->n > MOST_CLUSTERS)
        fprintf(text, " and %zu more", grid->n - MOST_CLUSTERS);
    fputs(".", text);
    describe_local(text, grid);
    if (grid->metrics.covers_least < COVERS_ENOUGH)
        fprintf(text, " Those of %s come in only %.2g %% of the time of grid jobs.",
                grid->clusters[grid->metrics.least_covered].name, 100 * grid->metrics.covers_least);
    fclose(text);
    buf[size - 1] = 0;
    return 0;
}

static void describe_classes(char *buf, size_t size, const struct loom_outcome *outcome, size_t n)
{
    int used = snprintf(buf, size, "Jobs by %s.", loom_class_kind_name(outcome->classes->kind));
    if (n == 1 && isnan(outcome->classes->fairness))
        snprintf(buf + used, size - (size_t)used, " No job has a known %s.",
                 loom_class_kind_name(outcome->classes->kind));
    else if (n == 1)
        snprintf(buf + used, size - (size_t)used,
                 " Fairness over these classes is %.3g (Jain's index of their mean bounded "
                 "slowdowns: 1 if all are equal).",
                 outcome->classes->fairness);
    else if (outcome->classes->kind == LOOM_CLASS_BAG)
        snprintf(buf + used, size - (size_t)used,
                 " Bags are found in the log as it is, and are the same jobs in all runs.");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void take_section(struct loom_runs_sheet *sheet, const char *id, const char *title,
                         const char *intro, struct loom_table *table)
{
    if (table)
        sheet->tables[sheet->n_tables++] = (struct loom_shown_table){id, title, intro, table};
}

/* Users of a resampled population have no names in the log. */
static const struct loom_trace *names_of(const struct loom_outcome *outcome,
                                         const struct loom_trace *trace)
{
    return outcome->submitters && outcome->submitters->resampled ? NULL : trace;
}

static int collect_tables(struct loom_runs_sheet *sheet, const struct loom_trace *trace,
                          struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = 0;
    if (sheet->n == 1 && sheet->runs[0]->grid) {
        rc = loom_clusters_table(&table, sheet->runs[0], err);
        take_section(
            sheet, "clusters", "Clusters",
            "Each cluster, its local jobs and the grid jobs that ran there, from the first to the "
            "last submission of a grid job. Waits are means; response / runtime is mean response "
            "over mean runtime.",
            table);
    }
    table = NULL;
    if (!rc && sheet->runs[0]->classes) {
        describe_classes(sheet->words[CLASSES], sizeof sheet->words[CLASSES], sheet->runs[0],
                         sheet->n);
        rc =
            loom_classes_table(&table, sheet->runs, sheet->n, names_of(sheet->runs[0], trace), err);
        take_section(sheet, "classes", "Classes of jobs", sheet->words[CLASSES], table);
    }
    table = NULL;
    if (!rc && sheet->n > 1) {
        rc = loom_counts_table(&table, sheet->runs, sheet->n, err);
        take_section(sheet, "counts", "Jobs left out or changed",
                     "Jobs that could not run, or not as the log has them, by reason.", table);
    }
    return rc;
}

int loom_runs_sheet_open(struct loom_runs_sheet *out, const struct loom_report *report,
                         const struct loom_runs_page *page, struct loom_error *err)
{
    const struct loom_outcome *first = page->outcomes[0];
    *out = (struct loom_runs_sheet){.command = page->command,
                                    .runs = page->outcomes,
                                    .n = page->n,
                                    .gantt = page->gantt,
                                    .window = page->window,
                                    .select = page->select,
                                    .caution = page->caution,
                                    .jobs = (int64_t)loom_trace_count(report->trace),
                                    .left_out = page->left_out};
    int rc = 0;
    if (first->submitters) {
        describe_people(out->words[PEOPLE], sizeof out->words[PEOPLE], first);
        out->people = out->words[PEOPLE];
    }
    if (first->grid) {
        rc = describe_grid(out->words[GRID], sizeof out->words[GRID], first->grid, err);
        out->grid = first->grid->platform;
        out->grid_words = out->words[GRID];
        out->grid_utilization = first->grid->metrics.utilization;
    }
    return rc ? rc : collect_tables(out, report->trace, err);
}

void loom_runs_sheet_close(struct loom_runs_sheet *sheet)
{
    for (size_t i = 0; i < sheet->n_tables; i++)
        loom_table_destroy(sheet->tables[i].table);
}
