/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_grid.h - simulate's options and results for a grid of clusters. */
#ifndef WORKLOOM_CLI_SIMULATE_GRID_H
#define WORKLOOM_CLI_SIMULATE_GRID_H

#include "simulate.h"

extern const struct loom_param grid_params[]; /* platform, dispatch, background, ... */

/* Whether the options of a grid fit each other, and their names exist: before the log is read. */
int check_grid(const struct invocation *call, struct loom_error *err);

/* ---- inside (simulate_grid_plan.c) ----------------------------------------------------------- */

/* By which options something was told of a cluster. */
enum told { TOLD_NOT, TOLD_FOR_ALL, TOLD_BY_NAME };

/* A cluster as the platform and the options have it. */
struct site {
    struct loom_platform_cluster plan;
    struct loom_trace *background;         /* NULL: none */
    bool borrowed;                         /* the background, from another run */
    enum told told, load_told, shift_told; /* where its jobs come from, and what changes them */
    size_t n_early;                        /* jobs of the log that its shift leaves out */
    struct loom_observer observers[2];
};

struct grid_run {
    struct loom_platform *platform;
    char *dispatch;
    struct site *sites; /* as many as the platform has */
    struct loom_cluster *clusters;
    struct loom_grid *grid;
    struct loom_grid_explainer *explainer; /* of a grid job; NULL without --explain */
    size_t explained; /* cluster whose local job is to be explained; else the number of clusters */
    struct loom_start_log **starts; /* by cluster; NULL unless the chart shows why jobs started */
    bool shared;                    /* platform and dispatch are another run's */
};

/* All that the command line says about the grid, without reading any jobs. A plan must be released
 * even if that failed. */
int plan_grid(struct grid_run *run, const struct invocation *call, struct loom_error *err);
void release_plan(struct grid_run *run);
/* Whether it has local jobs. */
bool has_jobs(const struct loom_platform_cluster *plan);
/* Of "[CLUSTER=]JOB" the cluster, which must have local jobs, or the number of clusters. */
int find_explained(size_t *cluster, const char **job, const struct grid_run *run, const char *text,
                   struct loom_error *err);
/* "CLUSTER=FILE" of a cluster that has local jobs. */
int find_output(size_t *cluster, const char **path, const struct grid_run *run, const char *text,
                struct loom_error *err);

/* ---- the run (simulate_grid.c) --------------------------------------------------------------- */

/* The clusters as planned, with the logs of their local jobs: of->grid. */
int open_grid(struct simulation *of, struct loom_error *err);
/* The same for one run among several, with the logs that `from` has read and keeps. */
int share_grid(struct simulation *of, const struct grid_run *from, struct loom_error *err);
/* Grid jobs at this load (0: their own), and the local jobs that models make beside them. From then
 * on of->sim is the part of the grid for its own jobs. */
int load_grid(struct simulation *of, double load, struct loom_error *err);
/* Watch why jobs start, on each cluster. */
int open_starts(struct simulation *of, struct loom_error *err);
/* What --load did, for people. */
void say_grid_load(const struct simulation *of);
/* Once, for people, where local jobs of one or several runs are not there for most of the time in
 * which grid jobs come; nothing without a grid. */
void warn_coverage(const struct simulation *runs, size_t n);
/* The clusters of a planned grid and their local jobs, as sentences. */
int describe_grid(char *out, size_t size, const struct simulation *of, struct loom_error *err);
void close_grid(struct simulation *of);
/* All jobs that the run will have, local ones too. */
uint64_t count_grid_jobs(const struct simulation *of);
int run_grid(const struct simulation *of, struct loom_error *err);
/* Make the trace the schedule. */
int schedule_grid(const struct simulation *of, struct loom_error *err);
/* The files of --background-output; nothing without a grid. */
int write_local_schedules(const struct simulation *of, struct loom_error *err);

/* What there is to tell of a grid beside its jobs (simulate_grid_output.c): tables, each after an
 * empty line, or the keys "grid" and "clusters". */
/* The one of clusters, for a page; the caller must destroy it. */
int cluster_table(struct loom_table **out, const struct simulation *of, struct loom_error *err);
int print_grid(const struct simulation *of, struct loom_error *err);
int add_grid_json(struct json_t *document, const struct simulation *of, struct loom_error *err);

#endif
