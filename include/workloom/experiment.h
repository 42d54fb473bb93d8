/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - one run as an object.
 *
 * A scenario says everything about a run: which jobs, changed how, submitted by whom, on what
 * system, under which policy, measured how, with which random numbers. loom_scenario_run() gives an
 * outcome, which owns its results: metrics by name (the metric dictionary below), classes of jobs,
 * and series over time. A sweep is an array of scenarios and an array of outcomes.
 *
 *     struct loom_scenario scenario = loom_scenario();
 *     struct loom_outcome *outcome = NULL;
 *     scenario.trace = trace;
 *     scenario.policy = "easy";
 *     scenario.load = 0.9;
 *     if (loom_scenario_run(&outcome, &scenario, NULL, &err))
 *         ...
 *     double wait_s = loom_outcome_value(outcome, "wait_mean_s");
 *     loom_outcome_destroy(outcome);
 *
 * Nothing that a scenario points at is changed. Scenarios may share a trace, a system or a model
 * and run side by side; an outcome needs none of them once it is there, unless the run is kept (see
 * LOOM_KEEP_RUN). The same scenario gives the same outcome, whatever else runs.
 *
 * Failures: LOOM_EUSAGE for a policy, behaviour or parameter that does not exist or parts of a
 * scenario that exclude each other, LOOM_ERANGE for a number out of its range, LOOM_EDATA for jobs
 * that cannot be simulated.
 */
#ifndef WORKLOOM_EXPERIMENT_H
#define WORKLOOM_EXPERIMENT_H

#include <workloom/models.h>
#include <workloom/resample.h>
#include <workloom/sim_grid.h>
#include <workloom/sim_users.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the system ------------------------------------------------------------------------------ */

/* What jobs run on: one machine, or a grid of clusters with local jobs of their own. */
struct loom_system;

/* Create a machine of `procs` processors, at least 1. The caller must destroy it. */
LOOM_API int loom_system_create(struct loom_system **out, int64_t procs, struct loom_error *err);
/* Create a grid. The platform is borrowed until the system is destroyed. Logs of local jobs are
 * read here, as `read` says (NULL: defaults); local jobs that come from models are made run by run.
 * A failure names the cluster. The caller must destroy the system. */
LOOM_API int loom_system_create_grid(struct loom_system **out, const struct loom_platform *platform,
                                     const struct loom_read_options *read, struct loom_error *err);
/* Destroy a system; NULL is allowed. */
LOOM_API void loom_system_destroy(struct loom_system *system);
/* Return the processors of the machine, or of all clusters. */
LOOM_API int64_t loom_system_procs(const struct loom_system *system);
/* Return the platform of a grid, or NULL for one machine. */
LOOM_API const struct loom_platform *loom_system_platform(const struct loom_system *system);
/* Return the log of local jobs of a cluster as it was read, or NULL if it has none. */
LOOM_API const struct loom_trace *loom_system_local(const struct loom_system *system,
                                                    size_t cluster);
/* Return how many jobs of that log a negative shift left out, as they would come before time 0. */
LOOM_API size_t loom_system_left_out(const struct loom_system *system, size_t cluster);

/* ---- the scenario ---------------------------------------------------------------------------- */

/* What an outcome keeps beside its metrics, joined by |. */
enum loom_keep {
    LOOM_KEEP_SERIES = 1, /* utilization and queue over time, outstanding jobs by week */
    LOOM_KEEP_CURVES = 2, /* quantiles of waits and slowdowns, for figures */
    /* The simulated jobs themselves, for a schedule, a Gantt chart or an explanation. What the
     * scenario points at must then outlive the outcome. */
    LOOM_KEEP_RUN = 4,
    LOOM_KEEP_STARTS = 8, /* with LOOM_KEEP_RUN: why each job started */
};

enum { LOOM_NO_CLASSES = -1 };

struct loom_scenario {
    /* Which jobs: those of a trace, of a model, or of a log's users resampled. Exactly one. */
    const struct loom_trace *trace;
    const struct loom_model *model;
    struct loom_weave_options
        generate; /* of the model; seed and replication are taken from below */
    const struct loom_resampler *resampler;

    /* Changed how, in this order; zeros leave the jobs as they are. */
    const struct loom_params *select; /* created with loom_select_params; NULL: all jobs */
    const struct loom_request_change *requests; /* other requested times; seed as below */
    const struct loom_rearrangement *rearrange; /* runtimes and sizes moved between jobs */
    double load;                                /* offered load to reach; 0: as it is */
    enum loom_load_way load_by;

    /* Submitted by whom: users who react, or a population drawn from the users of the jobs; NULL:
     * jobs come at their submit times. The seed of the options is not looked at. */
    const struct loom_feedback_options *users;

    /* On what system: NULL is the machine that the trace's header names. */
    const struct loom_system *system;

    /* Under which policy and rules. Clusters of a grid that name a policy keep it. */
    const char *policy;                       /* "easy:order=sjf" */
    const struct loom_schedulers *schedulers; /* where it is looked up; NULL: the built-in ones */
    enum loom_overrun overrun;
    enum loom_compat compat;
    const struct loom_estimator *estimator; /* NULL goes by requested times */

    /* Measured over which jobs. */
    struct loom_sim_trim trim;
    const struct loom_params *measure; /* a selection, as select; NULL: all jobs */
    int by;                            /* enum loom_class_kind, or LOOM_NO_CLASSES */
    unsigned keep;                     /* enum loom_keep */
    const char *explain;               /* a job, "4711" or "CLUSTER=4711"; keeps the run */

    /* With which random numbers. */
    uint64_t seed, replication;

    struct loom_pool *pool;         /* for models and local jobs; NULL: the calling thread */
    struct loom_progress *progress; /* NULL, or counts jobs that ended */
};

/* Return a scenario of defaults: EASY, estimates raised to runtimes, all jobs measured, seed 1. It
 * has no jobs yet. */
LOOM_API struct loom_scenario loom_scenario(void);

/* Check all that can be checked without running: the policy, the behaviour of users, what excludes
 * what. Returns 0, or LOOM_EUSAGE or LOOM_ERANGE with a sentence that names the field. */
LOOM_API int loom_scenario_check(const struct loom_scenario *scenario, struct loom_error *err);

/* ---- running --------------------------------------------------------------------------------- */

/* Memory for runs one after the other: simulator, changed jobs and users are used again by the next
 * scenario that points at the same trace, model, changes and users. So these must neither change
 * nor be destroyed as long as the runner is used. A runner is used by one thread at a time. */
struct loom_runner;

/* Create a runner. The caller must destroy it, after the outcomes that keep their run. */
LOOM_API int loom_runner_create(struct loom_runner **out, struct loom_error *err);
/* Destroy a runner; NULL is allowed. */
LOOM_API void loom_runner_destroy(struct loom_runner *runner);

struct loom_outcome;

/* Run a scenario. runner may be NULL. On success the caller must destroy *out; on failure it is
 * NULL. */
LOOM_API int loom_scenario_run(struct loom_outcome **out, const struct loom_scenario *scenario,
                               struct loom_runner *runner, struct loom_error *err);

/* Run n scenarios side by side on a pool (NULL: the calling thread), with a runner for each thread.
 * outcomes has room for n; on failure all are NULL and the message names the first scenario, in
 * their order, that failed. None may keep its run unless n is 1. */
LOOM_API int loom_sweep_run(struct loom_outcome **outcomes, const struct loom_scenario *scenarios,
                            size_t n, struct loom_pool *pool, struct loom_error *err);

/* ---- the metric dictionary ------------------------------------------------------------------- */

/* Every number that a run results in has one entry: tables, JSON, CSV, pages, figures and databases
 * read this list. */

enum loom_better { LOOM_BETTER_NEITHER, LOOM_BETTER_LOWER, LOOM_BETTER_HIGHER };

/* What must be so for a run to have a metric, and where tables show it. */
enum loom_metric_group {
    LOOM_METRICS_SERVICE, /* of every run: waits, slowdowns */
    LOOM_METRICS_MACHINE, /* of every run: utilization, queue, saturation */
    LOOM_METRICS_WINDOW,  /* of every run: rates over the window of the measured jobs */
    LOOM_METRICS_COUNTS,  /* of every run: jobs left out or changed, by reason */
    LOOM_METRICS_USERS,   /* of runs whose jobs come from users */
    LOOM_METRICS_GRID,    /* of runs on a grid */
};
enum { LOOM_METRIC_GROUPS = 6 };

struct loom_metric {
    const char *key;   /* "wait_mean_s": a column of CSV files and databases */
    const char *label; /* "mean wait" */
    const char *unit;  /* what is counted ("jobs", "users", ...), "jobs/day", "jobs/week", "s",
                        * "share" (of 1), "yes/no", or "" */
    enum loom_better better;
    enum loom_metric_group group;
    const char *path;    /* in the JSON document of a run: keys joined by '.' */
    const char *meaning; /* one sentence */
};

/* Return the entry of an index, or NULL past the last. */
LOOM_API const struct loom_metric *loom_metric_at(size_t index);
/* Return the entry of a key, or NULL if there is none. */
LOOM_API const struct loom_metric *loom_metric_find(const char *key);
/* Return the name of a group, "service". */
LOOM_API const char *loom_metric_group_name(enum loom_metric_group group);

/* ---- the outcome ----------------------------------------------------------------------------- */

/* Destroy an outcome; NULL is allowed. */
LOOM_API void loom_outcome_destroy(struct loom_outcome *outcome);

/* Return a metric; NAN where the run has none. */
LOOM_API double loom_outcome_metric(const struct loom_outcome *outcome,
                                    const struct loom_metric *metric);
/* Return a metric by key; NAN for an unknown key, too. */
LOOM_API double loom_outcome_value(const struct loom_outcome *outcome, const char *key);
/* Tell whether the run has the metrics of a group. */
LOOM_API bool loom_outcome_has(const struct loom_outcome *outcome, enum loom_metric_group group);

/* Return the policy with its parameters; borrowed, as is all that the functions below return. */
LOOM_API const char *loom_outcome_policy(const struct loom_outcome *outcome);
/* Return the processors of the system. */
LOOM_API int64_t loom_outcome_procs(const struct loom_outcome *outcome);
/* Return how the load was changed, or NULL if it was not. */
LOOM_API const struct loom_load_change *loom_outcome_load(const struct loom_outcome *outcome);
/* Return the load that the run is shown at: the one it was changed to, else the offered one. */
LOOM_API double loom_outcome_load_offered(const struct loom_outcome *outcome);
/* Return how requested times were changed, or NULL if they were not. */
LOOM_API const struct loom_request_change *
loom_outcome_requests(const struct loom_outcome *outcome);
/* Return the random numbers of the run. */
LOOM_API uint64_t loom_outcome_seed(const struct loom_outcome *outcome);
LOOM_API uint64_t loom_outcome_replication(const struct loom_outcome *outcome);

/* Return the classes that the scenario asked for, or NULL. */
LOOM_API const struct loom_sim_classes *loom_outcome_classes(const struct loom_outcome *outcome);
/* Return utilization and queue over time, or NULL without LOOM_KEEP_SERIES. */
LOOM_API const struct loom_sim_series *loom_outcome_series(const struct loom_outcome *outcome);
/* Return the outstanding jobs by week and set *n; NULL and 0 without LOOM_KEEP_SERIES. */
LOOM_API const int64_t *loom_outcome_outstanding(const struct loom_outcome *outcome, size_t *n);

/* The following need LOOM_KEEP_RUN. */

/* Return the simulated jobs; of a grid, its own jobs. */
LOOM_API const struct loom_sim *loom_outcome_sim(const struct loom_outcome *outcome);
/* Return the jobs as they were simulated, after all changes. */
LOOM_API const struct loom_trace *loom_outcome_trace(const struct loom_outcome *outcome);
/* Create the schedule as a trace: simulated waits, -1 for a job that was not simulated. It shares
 * columns with the jobs of the outcome: read it or write it to a file, but do not change its jobs.
 * The caller must destroy it, before the outcome. */
LOOM_API int loom_outcome_schedule(struct loom_trace **out, const struct loom_outcome *outcome,
                                   struct loom_error *err);
/* The same for the local jobs of a cluster. */
LOOM_API int loom_outcome_local_schedule(struct loom_trace **out,
                                         const struct loom_outcome *outcome, size_t cluster,
                                         struct loom_error *err);
/* Create a Gantt chart of a window; failures as for loom_gantt_create. The caller must destroy it.
 */
LOOM_API int loom_outcome_gantt(struct loom_gantt **out, const struct loom_outcome *outcome,
                                struct loom_sim_window window, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
