/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim_grid.h - simulations of several clusters behind one queue, and files that describe them. */
#ifndef WORKLOOM_SIM_GRID_H
#define WORKLOOM_SIM_GRID_H

#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- grids ----------------------------------------------------------------------------------- */

/* A grid (thesis 6.3) is several clusters, each with its own scheduler and, if any, its own local
 * jobs (its background workload), and one queue of grid jobs before them. A grid job runs within
 * one cluster, whichever the grid sends it to; there it joins the local queue, and from then on the
 * local scheduler treats it as any other job. It keeps its estimate. A job wider than all clusters
 * is rejected.
 *
 * All clusters are on one clock. At each instant, in this order,
 *
 *     1. every cluster in which something happens goes through its own ends, submissions and pass
 *        (and once more, if jobs of runtime 0 were started);
 *     2. every grid job submitted now joins the grid's queue;
 *     3. the grid makes its pass: as long as there is one, the first job of its queue that needs no
 *        more than the free processors of some cluster, less those that grid jobs in its queue
 *        need, is sent to such a cluster, whose scheduler makes a pass at once.
 *
 * Grid jobs of runtime 0 that were started end in the same instant, which brings about another
 * round. The local scheduler need not start a job that fits, as it may hold processors free for
 * another: then the job waits there. A grid without local jobs and with one cluster is thus first
 * fit. */

struct loom_cluster {
    const char *name;
    int64_t procs;
    const char *scheduler;                 /* NULL is "easy" */
    const struct loom_trace *background;   /* its local jobs; NULL if it has none */
    int64_t background_shift_s;            /* added to their submit times */
    const struct loom_observer *observers; /* of what happens there */
    size_t n_observers;
};

struct loom_grid_options {
    const struct loom_cluster *clusters; /* all borrowed until the next run */
    size_t n_clusters;
    const struct loom_schedulers *schedulers; /* of the clusters; NULL: the built-in ones */
    /* Parameters of the grid's queue (loom_grid_info), "choose=first,order=sjf"; NULL: defaults. */
    const char *dispatch;
    uint64_t seed; /* of choose=random */
    enum loom_overrun overrun;
    const struct loom_estimator *estimator; /* of grid and local jobs: see its origins */
    struct loom_progress *progress;         /* NULL, or counts jobs that ended, local ones too */
    /* Of the grid's queue: submissions, sendings and passes. Its jobs start on clusters. */
    const struct loom_observer *observers;
    size_t n_observers;
};

struct loom_grid;

/* What the grid's queue is and which parameters it has. */
LOOM_API const struct loom_scheduler_info *loom_grid_info(void);
/* Check such parameters without running anything. */
LOOM_API int loom_grid_check(const char *dispatch, struct loom_error *err);

LOOM_API int loom_grid_create(struct loom_grid **out, struct loom_error *err);
LOOM_API void loom_grid_destroy(struct loom_grid *grid);
/* Simulate the jobs of a trace as grid jobs, until no job is left anywhere. */
LOOM_API int loom_grid_run(struct loom_grid *grid, const struct loom_grid_options *options,
                           const struct loom_trace *trace, struct loom_error *err);

/* After a run. The grid's jobs as those of one machine that has all processors: metrics, classes
 * and trims of it are those of the grid jobs, with their whole waits. */
LOOM_API struct loom_sim *loom_grid_jobs(const struct loom_grid *grid);
/* A cluster with all jobs that ran there, local ones and the grid's; those have LOOM_JOB_GRID in
 * their notes, and for their submit time when they were sent. */
LOOM_API const struct loom_sim *loom_grid_cluster(const struct loom_grid *grid, size_t cluster);

/* Where a job of the grid went. */
struct loom_grid_place {
    uint32_t cluster;
    uint32_t job; /* its number there */
    int64_t sent_s;
};
LOOM_API const struct loom_grid_place *loom_grid_places(const struct loom_grid *grid);

/* Make the trace of the grid jobs the schedule: as loom_sim_schedule, with the cluster, counted
 * from 1, as the partition; or the trace of a cluster's local jobs. Either is a part of what ran
 * there, and its header has a note of that. */
LOOM_API int loom_grid_schedule(const struct loom_grid *grid, struct loom_trace *trace,
                                struct loom_error *err);
LOOM_API int loom_grid_schedule_local(const struct loom_grid *grid, size_t cluster,
                                      struct loom_trace *trace, struct loom_error *err);

/* Some jobs of a cluster, or of all. NAN where there are none. */
struct loom_cluster_share {
    int64_t jobs;
    double wait_mean_s, wait_median_s; /* of grid jobs: from their submission to the grid */
    double response_mean_s;
    double slowdown_mean, bounded_slowdown_mean, slowdown_ratio;
    double utilization; /* of the processors there, from the first submit to the last end of all
                         * jobs anywhere */
};

struct loom_cluster_metrics {
    struct loom_cluster_share local, grid;
    double utilization;
    /* From the first to the last submission of a grid job: by all jobs, and the local jobs that
     * come then, whose utilization is that of all local jobs in that time. NAN if grid jobs all
     * come at once. */
    double utilization_submitting;
    struct loom_cluster_share local_submitting;
    double load;       /* offered by its local jobs (thesis 5.2.5), 0 if it has none */
    double covers;     /* part of the time in which grid jobs come that is between the first and
                        * the last submission of local jobs; NAN if it has none, or if all grid
                        * jobs come at once */
    int64_t queue_max; /* jobs waiting there, local ones and the grid's */
};

struct loom_grid_metrics {
    int64_t procs;      /* of all clusters */
    int64_t makespan_s; /* from the first submit to the last end of all jobs anywhere */
    double utilization; /* by all jobs */
    /* By all jobs, from the first to the last submission of a grid job: without the time in which
     * the grid runs dry. NAN if they all come at once. */
    double utilization_submitting;
    /* The cluster whose local jobs cover least of that time, and how much; NAN if there is none. */
    size_t least_covered;
    double covers_least;
    /* The load of a grid (thesis 6.2): arrival rate of grid jobs * mean(runtime * processors), over
     * the processors that the local jobs leave, sum of (1 - load) * processors. NAN where they
     * leave none. */
    double load, procs_left;
    double wait_queue_mean_s;   /* of grid jobs, until they were sent */
    double wait_cluster_mean_s; /* and from then to their start */
    /* The local jobs of all clusters. */
    struct loom_cluster_share local;
    struct loom_cluster_share local_submitting; /* as those of a cluster */
};

LOOM_API int loom_grid_metrics(struct loom_grid_metrics *out, const struct loom_grid *grid,
                               struct loom_error *err);
LOOM_API int loom_cluster_metrics(struct loom_cluster_metrics *out, const struct loom_grid *grid,
                                  size_t cluster, struct loom_error *err);

/* ---- who ran where --------------------------------------------------------------------------- */

/* A Gantt chart of all clusters, one above the other in the order of the platform: the processors
 * of each are counted on from those of the one before. Bars stand by cluster, then by start.
 * Failures are those of loom_gantt_create. */
LOOM_API int loom_grid_gantt_create(struct loom_gantt **out, const struct loom_grid *grid,
                                    struct loom_sim_window window, struct loom_error *err);

/* ---- explaining one job ---------------------------------------------------------------------- */

/* A cluster as the grid's queue sees it. */
struct loom_grid_room {
    int64_t free;
    int64_t claimed; /* processors that grid jobs in its queue need, if these count */
    size_t queued;   /* jobs, local ones and the grid's */
};

struct loom_grid_sending {
    uint32_t job; /* of the grid */
    uint32_t cluster;
    int64_t time_s;
};

/* What happened to a grid job while it waited. */
struct loom_grid_explanation {
    uint32_t row;        /* of the job in the trace of the grid */
    uint32_t job;        /* of the grid; LOOM_NO_JOB if it did not join the queue */
    const char *refused; /* then why, as in LOOM_SIM_COUNTS; NULL if it was not even submitted */

    /* In the grid's queue: the clusters when it came and just before it was sent, who waited before
     * it in the queue's order, and who else was sent meanwhile. */
    size_t n_clusters;
    struct loom_grid_room *at_submit, *at_sending;
    uint32_t *ahead;
    size_t n_ahead;
    struct loom_grid_sending *overtakers;
    size_t n_overtakers;
    int64_t short_s;   /* time with too few processors free in every cluster */
    int64_t claimed_s; /* time with enough in some, which grid jobs waiting there had a claim to */
    struct loom_grid_sending sent;
    const char *rule;   /* by which that cluster was chosen: "most room" */
    uint32_t *released; /* jobs of that cluster, by their numbers there, that ended just before */
    size_t n_released;

    /* In the queue of that cluster; jobs by their numbers there. */
    const struct loom_explanation *there;
};

struct loom_grid_explainer;

/* To explain the grid job in this row of the trace, in one run of this grid: one observer is for
 * the grid, the other for each cluster. (A local job has a loom_explainer of its cluster.) */
LOOM_API int loom_grid_explainer_create(struct loom_grid_explainer **out,
                                        const struct loom_grid *grid, uint32_t row,
                                        struct loom_error *err);
LOOM_API void loom_grid_explainer_destroy(struct loom_grid_explainer *explainer);
LOOM_API struct loom_observer loom_grid_explainer_observer(struct loom_grid_explainer *explainer);
LOOM_API struct loom_observer
loom_grid_explainer_cluster_observer(struct loom_grid_explainer *explainer);
LOOM_API const struct loom_grid_explanation *
loom_grid_explainer_result(const struct loom_grid_explainer *explainer);

/* ---- platforms ------------------------------------------------------------------------------- */

/* A grid as it is described in a file, or by the name of one that is known. The file is JSON:
 *
 *     {
 *         "workloom_platform": 1,
 *         "name": "two clusters",
 *         "grid": {"choose": "first"},
 *         "clusters": [
 *             {"name": "a", "procs": 64, "scheduler": "easy:order=sjf", "background": "a.swf.gz"},
 *             {"name": "b", "procs": 32, "model": "uniform", "load": 0.5}
 *         ]
 *     }
 *
 * Only the version and the clusters, with names and processors, must be there. "background" is a
 * log, "model" a model's name or document to make jobs of; paths are meant from where the file is.
 * "load" is the load that these jobs shall offer, "shift_s" is added to the submit times of a log;
 * without it the log begins with the grid jobs.
 * What is wrong is refused with its line. */

struct loom_platform_cluster {
    const char *name;
    int64_t procs;
    const char *scheduler;  /* NULL: not said */
    const char *background; /* a log; NULL: none */
    const char *model;      /* NULL: none */
    double load;            /* 0: as it comes */
    int64_t shift_s;
    bool has_shift; /* false: not said */
};

struct loom_platform {
    const char *name;
    const char *summary;  /* of one that is known by name; else NULL */
    const char *dispatch; /* for loom_grid_options; NULL: not said */
    const struct loom_platform_cluster *clusters;
    size_t n_clusters;
};

/* Those known by name, for listings: NULL past the last. */
LOOM_API const struct loom_platform *loom_platform_at(size_t index);

/* A name, or the path of a file: what has a '.' or '/' in it. Its clusters may have any of these
 * schedulers (NULL: the built-in ones). The caller must destroy it. */
LOOM_API int loom_platform_load(struct loom_platform **out, const char *name,
                                const struct loom_schedulers *schedulers, struct loom_error *err);
LOOM_API void loom_platform_destroy(struct loom_platform *platform);

#ifdef __cplusplus
}
#endif
#endif
