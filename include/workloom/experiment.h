/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - one run as an object.
 *
 * A scenario describes a run completely: the jobs and how they are changed, the users who submit
 * them, the system, the policy, what is measured, and the seed. loom_scenario_run() returns an
 * outcome, which owns the results: metrics by name (the metric dictionary below), classes of jobs,
 * and series over time. A sweep runs an array of scenarios into an array of outcomes.
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
 * A run changes nothing that a scenario points at. Scenarios may share a trace, a system or a model
 * and run in parallel; an outcome does not use them after the run unless the run is kept
 * (LOOM_KEEP_RUN). Equal scenarios give equal outcomes, whatever else runs.
 *
 * Failure: LOOM_EUSAGE for an unknown policy, behaviour or parameter and for parts of a scenario
 * that exclude each other, LOOM_ERANGE for a number out of range, LOOM_EDATA for jobs that cannot
 * be simulated, LOOM_ENOMEM.
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

/* What jobs run on: one machine, or a grid of clusters with their own local jobs. */
struct loom_system;

/* Create a machine of `procs` processors in *out. The caller must destroy it. Fails with
 * LOOM_ERANGE if procs is not positive or exceeds INT32_MAX. */
LOOM_API int loom_system_create(struct loom_system **out, int64_t procs, struct loom_error *err);
/* Create a grid in *out. The platform is borrowed until the system is destroyed. Logs of local jobs
 * are read now, with these options (NULL: defaults); local jobs of models are generated in each
 * run. The caller must destroy the system. Fails as loom_trace_read does, and with LOOM_EDATA if a
 * log has no jobs; the message names the cluster. */
LOOM_API int loom_system_create_grid(struct loom_system **out, const struct loom_platform *platform,
                                     const struct loom_read_options *read, struct loom_error *err);
/* Declared parameters of a platform: platform, dispatch, background, background-model,
 * background-load and background-shift. */
LOOM_API extern const struct loom_param loom_platform_params[];
/* Create the platform that parameters, created with loom_platform_params, describe. A failure names
 * the parameter. The caller must destroy it (loom_platform_destroy); params must outlive it. */
LOOM_API int loom_platform_create(struct loom_platform **out, const struct loom_params *params,
                                  const struct loom_schedulers *schedulers, struct loom_error *err);

/* Destroy a system; NULL is allowed. */
LOOM_API void loom_system_destroy(struct loom_system *system);
/* Return the number of processors of the machine, or of all clusters. */
LOOM_API int64_t loom_system_procs(const struct loom_system *system);
/* Return the platform of a grid, or NULL for one machine. Borrowed. */
LOOM_API const struct loom_platform *loom_system_platform(const struct loom_system *system);
/* Return the log of local jobs of a cluster, or NULL if it has none. Valid as long as the system.
 */
LOOM_API const struct loom_trace *loom_system_local(const struct loom_system *system,
                                                    size_t cluster);
/* Return the number of jobs left out of that log because a negative shift puts them before time 0.
 */
LOOM_API size_t loom_system_left_out(const struct loom_system *system, size_t cluster);

/* Processors of one queue or partition. */
struct loom_share {
    int32_t number; /* of the queue or partition; -1: jobs that have none */
    int64_t procs;
};

/* A machine whose queues, or partitions, have processors of their own. Jobs of one that is not
 * listed make a run fail. */
struct loom_split {
    enum loom_name_kind by;          /* LOOM_QUEUE or LOOM_PARTITION */
    const struct loom_share *shares; /* by number, ascending */
    size_t n;
};

/* ---- the scenario ---------------------------------------------------------------------------- */

/* What an outcome keeps besides its metrics; flags. */
enum loom_keep {
    LOOM_KEEP_SERIES = 1, /* utilization and queue over time, outstanding jobs by week */
    LOOM_KEEP_CURVES = 2, /* distributions of waits and slowdowns, for figures */
    /* The simulated jobs, for a schedule, a Gantt chart or an explanation. What the scenario points
     * at must then outlive the outcome. */
    LOOM_KEEP_RUN = 4,
    LOOM_KEEP_STARTS = 8,  /* with LOOM_KEEP_RUN: why each job started */
    LOOM_KEEP_WITHIN = 16, /* batch means and warm-up of the waits (LOOM_METRICS_WITHIN) */
};

enum { LOOM_NO_CLASSES = -1 };

struct loom_scenario {
    /* Source of the jobs: a trace, a model, or a resampled log. Exactly one is set. */
    const struct loom_trace *trace;
    const struct loom_model *model;
    struct loom_generate_options generate; /* for the model; seed and replication are those below */
    const struct loom_resampler *resampler;

    /* Changes to the jobs, in this order; zero: none. */
    const struct loom_params *select; /* created with loom_select_params; NULL: all jobs */
    const struct loom_request_change *requests; /* other requested times; seed as below */
    const struct loom_rearrangement *rearrange; /* runtimes and sizes moved between jobs */
    double load;                                /* offered load to reach; 0: unchanged */
    enum loom_load_way load_by;

    /* Users who react to service, or a population drawn from the users of the jobs; NULL: jobs are
     * submitted at their submit times. The seed in it is ignored. */
    const struct loom_feedback_options *users;

    const struct loom_system *system; /* NULL: the machine below */
    /* The machine, as loom_trace_machine_size finds it for the whole log that the jobs are from; 0
     * processors: as in the header of the trace. Outcomes note a size that is not the header's. */
    struct loom_machine_size machine;

    /* Constraints of the machine, on one machine only; NULL: none (see sim.h). */
    const struct loom_downtimes *downtime;
    const struct loom_user_limits *limits; /* excludes users above */
    const struct loom_split *split; /* in place of the machine's size; excludes users above */
    const uint8_t *urgent;          /* by row of the trace */

    /* Policy and rules. Clusters of a platform that name a policy keep it. */
    const char *policy;                       /* "easy:order=sjf" */
    const struct loom_schedulers *schedulers; /* where to look it up; NULL: built-in policies */
    enum loom_overrun overrun;
    enum loom_compat compat;
    /* Estimates: of a predictor ("recent2", see predict.h) that starts without knowledge in each
     * run, or of an estimator of the caller's. Both NULL: requested times. */
    const char *predictor;
    enum loom_correction correction; /* of the predictor */
    const struct loom_estimator *estimator;
    bool predict_waits; /* predict the start of each job when it is submitted; not on a grid */

    /* Jobs to measure, and results to keep. */
    struct loom_sim_trim trim;
    const struct loom_params *measure; /* a selection, as select; NULL: all jobs */
    int by;                            /* enum loom_class_kind, or LOOM_NO_CLASSES */
    unsigned keep;                     /* flags of enum loom_keep */
    const char *explain;               /* a job, "4711" or "CLUSTER=4711"; keeps the run */

    uint64_t seed, replication; /* of all random numbers */

    struct loom_pool *pool;         /* for models and local jobs; NULL: the calling thread */
    struct loom_progress *progress; /* counts jobs that ended; may be NULL */
};

/* Return a scenario with defaults: EASY, LOOM_OVERRUN_RAISE, all jobs measured, seed 1. The caller
 * must set the source of the jobs. */
LOOM_API struct loom_scenario loom_scenario(void);

/* Check a scenario without running it: policy, behaviour of users, numbers, fields that exclude
 * each other. Fails with LOOM_EUSAGE or LOOM_ERANGE; the message names the field. */
LOOM_API int loom_scenario_check(const struct loom_scenario *scenario, struct loom_error *err);

/* ---- running --------------------------------------------------------------------------------- */

/* Memory for consecutive runs: the simulator, changed jobs and users are reused by the next
 * scenario that points at the same trace, model, changes and users, which must neither change nor
 * be destroyed as long as the runner is used. Used by one thread at a time. */
struct loom_runner;

/* Create a runner in *out. The caller must destroy it, after the outcomes that keep their run.
 * Fails with LOOM_ENOMEM. */
LOOM_API int loom_runner_create(struct loom_runner **out, struct loom_error *err);
/* Destroy a runner; NULL is allowed. */
LOOM_API void loom_runner_destroy(struct loom_runner *runner);

struct loom_outcome;

/* Run a scenario; runner may be NULL. On success the caller must destroy *out; on failure it is
 * NULL. Fails as described at the top of this file. */
LOOM_API int loom_scenario_run(struct loom_outcome **out, const struct loom_scenario *scenario,
                               struct loom_runner *runner, struct loom_error *err);

/* Run n scenarios in parallel on a pool (NULL: in the calling thread), with a runner per thread.
 * outcomes has room for n pointers; on success the caller must destroy each. On failure all are
 * NULL and the message is of the first scenario, by index, that failed. Fails with LOOM_EUSAGE if n
 * > 1 and a scenario keeps its run, or two have the same estimator. */
LOOM_API int loom_sweep_run(struct loom_outcome **outcomes, const struct loom_scenario *scenarios,
                            size_t n, struct loom_pool *pool, struct loom_error *err);

/* ---- the metric dictionary ------------------------------------------------------------------- */

/* Every number in the results of a run has one entry. Tables, JSON, CSV, pages, figures and
 * databases use this list. */

enum loom_better { LOOM_BETTER_NEITHER, LOOM_BETTER_LOWER, LOOM_BETTER_HIGHER };

/* Which runs have a metric, and where tables show it. */
enum loom_metric_group {
    LOOM_METRICS_SERVICE,    /* of every run: waits, slowdowns */
    LOOM_METRICS_MACHINE,    /* of every run: utilization, queue, saturation */
    LOOM_METRICS_WINDOW,     /* of every run: rates over the window of the measured jobs */
    LOOM_METRICS_COUNTS,     /* of every run: jobs left out or changed, by reason */
    LOOM_METRICS_USERS,      /* of runs whose jobs come from users */
    LOOM_METRICS_GRID,       /* of runs on a grid */
    LOOM_METRICS_PREDICTION, /* of runs with a predictor */
    LOOM_METRICS_WITHIN,     /* of runs with LOOM_KEEP_WITHIN: how far one run can be trusted */
    LOOM_METRICS_WAITS,      /* of runs with predict_waits */
};
enum { LOOM_METRIC_GROUPS = 9 };

struct loom_metric {
    const char *key;   /* "wait_mean_s": a column of CSV files and databases */
    const char *label; /* "mean wait" */
    const char *unit;  /* what is counted ("jobs", "users", ...), "jobs/day", "jobs/week", "s",
                        * "share" (of 1), "yes/no", or "" */
    enum loom_better better;
    enum loom_metric_group group;
    const char *path;    /* in the JSON document of a run: keys separated by '.' */
    const char *meaning; /* one sentence */
};

/* Return the entry at an index, NULL past the last. Static. */
LOOM_API const struct loom_metric *loom_metric_at(size_t index);
/* Return the entry of a key, NULL if there is none. Static. */
LOOM_API const struct loom_metric *loom_metric_find(const char *key);
/* Return the least value that a metric can have, -INFINITY if there is no such bound. */
LOOM_API double loom_metric_least(const struct loom_metric *metric);
/* Return the largest value that a metric can have, INFINITY if there is no such bound. */
LOOM_API double loom_metric_most(const struct loom_metric *metric);
/* Return the name of a group: "service", ... Static. */
LOOM_API const char *loom_metric_group_name(enum loom_metric_group group);

/* ---- the outcome ----------------------------------------------------------------------------- */

/* Destroy an outcome and all it owns; NULL is allowed. */
LOOM_API void loom_outcome_destroy(struct loom_outcome *outcome);

/* Return the value of a metric, NAN if the run does not have it. */
LOOM_API double loom_outcome_metric(const struct loom_outcome *outcome,
                                    const struct loom_metric *metric);
/* Return the value of a metric by key, NAN if the run does not have it or the key is unknown. */
LOOM_API double loom_outcome_value(const struct loom_outcome *outcome, const char *key);
/* Return whether the run has the metrics of a group. */
LOOM_API bool loom_outcome_has(const struct loom_outcome *outcome, enum loom_metric_group group);

/* Return the policy with its parameters. This pointer and those below are valid as long as the
 * outcome, unless stated otherwise. */
LOOM_API const char *loom_outcome_policy(const struct loom_outcome *outcome);
/* Return the number of processors of the system. */
LOOM_API int64_t loom_outcome_procs(const struct loom_outcome *outcome);
/* Return the change of load, or NULL if there was none. */
LOOM_API const struct loom_load_change *loom_outcome_load(const struct loom_outcome *outcome);
/* Return the load to report: the one it was changed to, else the offered load. */
LOOM_API double loom_outcome_load_offered(const struct loom_outcome *outcome);
/* Return the change of requested times, or NULL if there was none. */
LOOM_API const struct loom_request_change *
loom_outcome_requests(const struct loom_outcome *outcome);
/* Return the predictor with its parameters, or NULL if there was none. */
LOOM_API const char *loom_outcome_predictor(const struct loom_outcome *outcome);
/* Return the seed of the run. */
LOOM_API uint64_t loom_outcome_seed(const struct loom_outcome *outcome);
/* Return the replication of the run. */
LOOM_API uint64_t loom_outcome_replication(const struct loom_outcome *outcome);

/* Return the classes of jobs requested with scenario.by, or NULL. */
LOOM_API const struct loom_sim_classes *loom_outcome_classes(const struct loom_outcome *outcome);
/* Return utilization and queue over time, or NULL without LOOM_KEEP_SERIES. */
LOOM_API const struct loom_sim_series *loom_outcome_series(const struct loom_outcome *outcome);
/* Return the outstanding jobs by week and set *n; NULL and 0 without LOOM_KEEP_SERIES. */
LOOM_API const int64_t *loom_outcome_outstanding(const struct loom_outcome *outcome, size_t *n);

/* The following need LOOM_KEEP_RUN. Without it they return NULL or fail with LOOM_EUSAGE. */

/* Return the simulation; of a grid, loom_grid_jobs. */
LOOM_API const struct loom_sim *loom_outcome_sim(const struct loom_outcome *outcome);
/* Return the simulated jobs, after all changes. */
LOOM_API const struct loom_trace *loom_outcome_trace(const struct loom_outcome *outcome);
/* Return the predicted start of a job of that simulation, -1 without predict_waits. */
LOOM_API int64_t loom_outcome_predicted_start(const struct loom_outcome *outcome, uint32_t job);
/* Create the schedule as a trace in *out: simulated waits, -1 for jobs that were not simulated. It
 * shares columns with the jobs of the outcome: read it or write it to a file, but do not change its
 * jobs. The caller must destroy it before the outcome. */
LOOM_API int loom_outcome_schedule(struct loom_trace **out, const struct loom_outcome *outcome,
                                   struct loom_error *err);
/* Create the schedule of the local jobs of a cluster in *out. The caller must destroy it before the
 * outcome. Fails with LOOM_EUSAGE if the cluster has none. */
LOOM_API int loom_outcome_local_schedule(struct loom_trace **out,
                                         const struct loom_outcome *outcome, size_t cluster,
                                         struct loom_error *err);
/* Create the Gantt chart of a window in *out. The caller must destroy it. Fails as
 * loom_gantt_create does. */
LOOM_API int loom_outcome_gantt(struct loom_gantt **out, const struct loom_outcome *outcome,
                                struct loom_sim_window window, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
