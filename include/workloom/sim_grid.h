/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_grid.h - simulation of a grid: several clusters behind one queue, and files that describe
 * them.
 *
 * A grid (thesis 6.3) has clusters, each with its own scheduler and optional local jobs (its
 * background workload), and one queue of grid jobs in front of them. A grid job runs within one
 * cluster. The grid sends it there, where it joins the local queue with its estimate; from then on
 * the local scheduler treats it like a local job. A job wider than every cluster is rejected.
 *
 * All clusters share one clock. The order within one instant is
 *
 *     1. each cluster in which something happens makes its ends, submissions and pass (repeated if
 *        jobs of runtime 0 were started);
 *     2. grid jobs submitted now join the grid's queue;
 *     3. the grid makes its pass. It repeatedly takes the first job of its queue that fits some
 *        cluster, by the cluster's free processors less those that grid jobs in its local queue
 *        need, and sends it to such a cluster, whose scheduler makes a pass at once.
 *
 * Grid jobs of runtime 0 end in the instant of their start; the three steps then repeat. The local
 * scheduler need not start a job that fits, as it may reserve processors for another; the job then
 * waits in the local queue. A grid with one cluster and no local jobs is first fit.
 *
 * Functions fail as in sim.h. Query functions are for use after a run that did not fail; unless
 * stated otherwise they fail with LOOM_ENOMEM only.
 */
#ifndef WORKLOOM_SIM_GRID_H
#define WORKLOOM_SIM_GRID_H

#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- grids ----------------------------------------------------------------------------------- */

struct loom_cluster {
    const char *name;
    int64_t procs;
    const char *scheduler;                 /* NULL: "easy" */
    const struct loom_trace *background;   /* local jobs; NULL: none */
    int64_t background_shift_s;            /* added to their submit times */
    const struct loom_observer *observers; /* of events of this cluster */
    size_t n_observers;
};

/* Options of a run. Clusters, and all they point at, are borrowed until the next run or until the
 * grid is destroyed; the rest for the run. */
struct loom_grid_options {
    const struct loom_cluster *clusters;
    size_t n_clusters;
    const struct loom_schedulers *schedulers; /* of the clusters; NULL: built-in policies */
    /* Parameters of the grid's queue (loom_grid_info), "choose=first,order=sjf"; NULL: defaults. */
    const char *dispatch;
    uint64_t seed; /* for choose=random */
    enum loom_overrun overrun;
    const struct loom_estimator *estimator; /* of grid and local jobs; see loom_job_view.origin */
    struct loom_progress *progress; /* counts jobs that ended, local ones too; may be NULL */
    /* Observers of the grid's queue: submissions, sends and passes. Starts and ends are events of
     * the clusters. */
    const struct loom_observer *observers;
    size_t n_observers;
};

struct loom_grid;

/* Return the description of the grid's queue with its parameters. Static. */
LOOM_API const struct loom_scheduler_info *loom_grid_info(void);
/* Check parameters of the grid's queue without running. Fails with LOOM_EUSAGE for an unknown
 * parameter, LOOM_ERANGE for a value out of range. */
LOOM_API int loom_grid_check(const char *dispatch, struct loom_error *err);

/* Create a simulator of grids in *out. The caller must destroy it. Fails with LOOM_ENOMEM. */
LOOM_API int loom_grid_create(struct loom_grid **out, struct loom_error *err);
/* Destroy a grid and its results; NULL is allowed. */
LOOM_API void loom_grid_destroy(struct loom_grid *grid);
/* Simulate the jobs of a trace as grid jobs, together with the local jobs, until no job is left.
 * The trace is borrowed for the call. Fails as loom_sim_run_trace does. */
LOOM_API int loom_grid_run(struct loom_grid *grid, const struct loom_grid_options *options,
                           const struct loom_trace *trace, struct loom_error *err);

/* Return the grid jobs as a simulation of one machine with all processors, for metrics, classes and
 * trims. Waits include both queues. Borrowed until the next run. */
LOOM_API struct loom_sim *loom_grid_jobs(const struct loom_grid *grid);
/* Return a cluster with all jobs that ran on it. Grid jobs have LOOM_JOB_GRID in their notes and
 * were submitted when the grid sent them. Borrowed until the next run. */
LOOM_API const struct loom_sim *loom_grid_cluster(const struct loom_grid *grid, size_t cluster);

/* Where a grid job ran. */
struct loom_grid_place {
    uint32_t cluster;
    uint32_t job; /* job number on that cluster */
    int64_t sent_s;
};
/* Return the places of all grid jobs, an array by job number of loom_grid_jobs. Borrowed until the
 * next run. */
LOOM_API const struct loom_grid_place *loom_grid_places(const struct loom_grid *grid);

/* Store the schedule of the grid jobs in the trace that was simulated, as loom_sim_schedule does;
 * the partition of a job is its cluster, counted from 1. A note in the header states that the
 * schedule has only part of the jobs that ran. Fails with LOOM_EUSAGE if a job is not from this
 * trace. */
LOOM_API int loom_grid_schedule(const struct loom_grid *grid, struct loom_trace *trace,
                                struct loom_error *err);
/* Store the schedule of the local jobs of a cluster in its background trace, with such a note.
 * Fails with LOOM_EUSAGE if a job is not from this trace. */
LOOM_API int loom_grid_schedule_local(const struct loom_grid *grid, size_t cluster,
                                      struct loom_trace *trace, struct loom_error *err);

/* Metrics of some of the jobs of a cluster, or of all clusters. NAN if there are none. */
struct loom_cluster_share {
    int64_t jobs;
    double wait_mean_s, wait_median_s; /* of grid jobs: from their submission to the grid */
    double response_mean_s;
    double slowdown_mean, bounded_slowdown_mean, slowdown_ratio;
    double utilization; /* by these jobs, over the makespan of the grid */
};

/* Metrics of a cluster. The submission period lasts from the first to the last submission of a grid
 * job. */
struct loom_cluster_metrics {
    struct loom_cluster_share local, grid;
    double utilization; /* by all jobs, over the makespan of the grid */
    /* Utilization by all jobs during the submission period, and the local jobs submitted in it; the
     * utilization of the latter counts all local jobs. NAN if grid jobs are submitted all at once.
     */
    double utilization_submitting;
    struct loom_cluster_share local_submitting;
    double load;       /* offered by the local jobs (thesis 5.2.5); 0 if there are none */
    double covers;     /* fraction of the submission period between first and last submission of a
                        * local job; NAN if there are no local jobs, or all grid jobs are submitted
                        * at once */
    int64_t queue_max; /* waiting jobs, local and grid */
};

/* Metrics of a grid. */
struct loom_grid_metrics {
    int64_t procs;      /* of all clusters */
    int64_t makespan_s; /* from first submission to last end of any job */
    double utilization; /* by all jobs, over the makespan */
    /* By all jobs, during the submission period: without the time in which the grid drains. NAN if
     * grid jobs are submitted all at once. */
    double utilization_submitting;
    /* The cluster with the smallest `covers`, and that value; NAN if there is none. */
    size_t least_covered;
    double covers_least;
    /* Load of the grid (thesis 6.2): arrival rate of grid jobs * mean(runtime * processors) /
     * procs_left, the processors that local jobs leave: sum of (1 - load) * processors over the
     * clusters. NAN if they leave none. */
    double load, procs_left;
    double wait_queue_mean_s;   /* of grid jobs, in the grid's queue */
    double wait_cluster_mean_s; /* of grid jobs, in the queue of their cluster */
    /* Local jobs of all clusters, as in loom_cluster_metrics. */
    struct loom_cluster_share local;
    struct loom_cluster_share local_submitting;
};

/* Compute the metrics of the grid into *out. */
LOOM_API int loom_grid_metrics(struct loom_grid_metrics *out, const struct loom_grid *grid,
                               struct loom_error *err);
/* Compute the metrics of a cluster into *out. */
LOOM_API int loom_cluster_metrics(struct loom_cluster_metrics *out, const struct loom_grid *grid,
                                  size_t cluster, struct loom_error *err);

/* ---- Gantt charts ---------------------------------------------------------------------------- */

/* Compute the chart of a window for all clusters in *out. Processors are numbered through, in the
 * order of the clusters; bars are sorted by cluster, then by start. The caller must destroy it
 * (loom_gantt_destroy). Fails as loom_gantt_create does. */
LOOM_API int loom_grid_gantt_create(struct loom_gantt **out, const struct loom_grid *grid,
                                    struct loom_sim_window window, struct loom_error *err);

/* ---- explaining one job ---------------------------------------------------------------------- */

/* State of a cluster when the grid makes its pass. */
struct loom_cluster_state {
    int64_t free;
    int64_t claimed; /* processors needed by grid jobs in the local queue, if these are counted */
    size_t queued;   /* jobs in the local queue, local and grid */
};

struct loom_grid_sending {
    uint32_t job; /* number of the grid job */
    uint32_t cluster;
    int64_t time_s;
};

/* What happened to a grid job while it waited. */
struct loom_grid_explanation {
    uint32_t row;        /* of the job in the trace of the grid */
    uint32_t job;        /* number of the grid job; LOOM_NO_JOB if it did not join the queue */
    const char *refused; /* then the reason, as in LOOM_SIM_COUNTS; NULL if it was not submitted */

    /* In the grid's queue: the clusters at its submission and just before it was sent, the jobs
     * ahead of it in the order of the queue, and other jobs sent before it. */
    size_t n_clusters;
    struct loom_cluster_state *at_submit, *at_sending;
    uint32_t *ahead;
    size_t n_ahead;
    struct loom_grid_sending *overtakers;
    size_t n_overtakers;
    int64_t short_s;   /* time with too few free processors in every cluster */
    int64_t claimed_s; /* time with enough in some, but claimed by grid jobs waiting there */
    struct loom_grid_sending sent;
    const char *rule;   /* how the cluster was chosen: "most room" */
    uint32_t *released; /* jobs that ended on that cluster just before, by their numbers there */
    size_t n_released;

    /* In the queue of that cluster; jobs by their numbers on that cluster. */
    const struct loom_explanation *there;
};

/* Collects the explanation of one grid job during one run. For a local job of a cluster use a
 * loom_explainer as an observer of that cluster. */
struct loom_grid_explainer;

/* Create an explainer for the grid job in a row of the trace, in *out, for one run of this grid,
 * which is borrowed until the run ends. The caller must destroy the explainer. */
LOOM_API int loom_grid_explainer_create(struct loom_grid_explainer **out,
                                        const struct loom_grid *grid, uint32_t row,
                                        struct loom_error *err);
/* Destroy an explainer and its result; NULL is allowed. */
LOOM_API void loom_grid_explainer_destroy(struct loom_grid_explainer *explainer);
/* Return the observer of the grid's queue. The explainer must outlive the run. */
LOOM_API struct loom_observer loom_grid_explainer_observer(struct loom_grid_explainer *explainer);
/* Return the observer to add to every cluster. The explainer must outlive the run. */
LOOM_API struct loom_observer
loom_grid_explainer_cluster_observer(struct loom_grid_explainer *explainer);
/* Return the explanation, after the run. Valid as long as the explainer. */
LOOM_API const struct loom_grid_explanation *
loom_grid_explainer_result(const struct loom_grid_explainer *explainer);

/* ---- platforms ------------------------------------------------------------------------------- */

/* A platform is the description of a grid, from a file or built in. The file is JSON:
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
 * Required are the version and the clusters with name and procs. "background" is a log of local
 * jobs, "model" the name or document of a model that generates them; paths are relative to the
 * file. "load" is the load that these jobs are changed to. "shift_s" is added to the submit times
 * of a log; without it, the log is shifted so that it begins with the grid jobs. Errors have the
 * line of the file. */

struct loom_platform_cluster {
    const char *name;
    int64_t procs;
    const char *scheduler;  /* NULL: not given */
    const char *background; /* path of a log; NULL: none */
    const char *model;      /* NULL: none */
    double load;            /* 0: unchanged */
    int64_t shift_s;
    bool has_shift; /* shift_s was given */
};

struct loom_platform {
    const char *name;
    const char *summary;  /* of a built-in platform; else NULL */
    const char *dispatch; /* for loom_grid_options; NULL: not given */
    const struct loom_platform_cluster *clusters;
    size_t n_clusters;
};

/* Return the built-in platform at an index, for listings; NULL past the last. Static. */
LOOM_API const struct loom_platform *loom_platform_at(size_t index);

/* Load a platform into *out: a built-in one by name, or a file if the name contains '.' or '/'. The
 * schedulers of clusters are looked up in `schedulers` (NULL: built-in policies). The caller must
 * destroy it. Fails with LOOM_EUSAGE for an unknown name, LOOM_EIO if the file cannot be read,
 * LOOM_EFORMAT for errors in it. */
LOOM_API int loom_platform_load(struct loom_platform **out, const char *name,
                                const struct loom_schedulers *schedulers, struct loom_error *err);
/* Destroy a platform that was loaded or created; NULL is allowed. */
LOOM_API void loom_platform_destroy(struct loom_platform *platform);

#ifdef __cplusplus
}
#endif
#endif
