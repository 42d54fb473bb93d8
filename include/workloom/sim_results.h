/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_results.h - results of a simulation: metrics of all jobs, by class and over time, Gantt
 * charts, and explanations of single jobs.
 *
 * Functions that take a struct loom_sim are for use after a run that did not fail. They do not
 * change the schedule. Unless stated otherwise they fail with LOOM_ENOMEM only.
 */
#ifndef WORKLOOM_SIM_RESULTS_H
#define WORKLOOM_SIM_RESULTS_H

#include <workloom/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- metrics --------------------------------------------------------------------------------- */

/* The percentiles reported, with linear interpolation (type 7 of Hyndman and Fan). */
#define LOOM_PERCENTS  \
    {                  \
        50, 90, 95, 99 \
    }
enum { LOOM_N_PERCENTS = 4 };

/* A slope of weekly counts. */
struct loom_trend {
    double per_week;
    /* Standard error, with the dependence of successive weeks (Newey and West 1987, bandwidth by
     * Andrews 1991); NAN for fewer than three weeks. */
    double error;
    /* The slope's 95 % interval by Student's t, widened by the slopes of the same run had it ended
     * in a week of its last third (5th to 95th percentile); NAN for fewer than three weeks. */
    double low, high;
};

/* Metrics of a run. NAN where there is no time to divide by. */
struct loom_sim_metrics {
    int64_t jobs;     /* simulated */
    int64_t measured; /* of these, after loom_sim_trim and loom_sim_measure */
    double wait_mean_s, wait_median_s;
    double response_mean_s;
    double slowdown_mean;         /* mean of max(1, response / max(runtime, 1 s)) */
    double bounded_slowdown_mean; /* mean of max(1, response / max(runtime, 10 s)) */
    double slowdown_ratio;        /* mean response / mean runtime (Minh 2012, 5.2.5) */
    double utilization;           /* of all processors over the makespan */
    double throughput_jobs_per_day;
    int64_t makespan_s;  /* from first submission to last end */
    double queue_mean;   /* waiting jobs, over the makespan */
    int64_t queue_max;   /* waiting jobs after a pass */
    double load_offered; /* arrival rate * mean(runtime * processors) / processors (Minh
                            2012, 5.2.5) */
    /* 1 if the number of outstanding jobs grows by more than one per week (Zakay 2017, chapter 3,
     * section 6.3), 0 if not, -1 if the run is too short to decide. */
    int saturated;
    struct loom_trend outstanding; /* jobs, per week */
    /* The interval of that trend contains one job a week, so that `saturated` may be chance. */
    bool undecided;
    double waiting_per_week; /* slope of the waiting jobs */
    /* Saturated although the number of waiting jobs does not grow: long jobs fill free processors.
     */
    bool filling;
    /* Longest run of consecutive weeks that begin with more than a day of work for all processors
     * waiting. A long backlog that is gone by the last weeks does not count as saturation. */
    int64_t backlog_weeks;
    int64_t weeks, weeks_fitted; /* weeks counted, and of these used for the slopes */
    double wait_percentile_s[LOOM_N_PERCENTS];
    double bounded_slowdown_percentile[LOOM_N_PERCENTS];
};

/* Jobs at both ends of a run to exclude from per-job measures: waits, responses, slowdowns, their
 * percentiles, and classes. Utilization, throughput, queue, load and saturation stay measures of
 * the whole run (loom_sim_rates measures a window), but for jobs that loom_sim_measure leaves out.
 * Limits are a number of jobs, a time after the first or before the last submission, or both, of
 * which the longer applies. */
struct loom_sim_trim {
    int64_t warm_up_jobs, warm_up_s;
    int64_t cool_down_jobs, cool_down_s;
};

/* Exclude jobs at both ends from measurement, until the next run; replaces any earlier selection.
 * Fails with LOOM_ERANGE if a limit is negative or no job is left. */
LOOM_API int loom_sim_trim(struct loom_sim *sim, const struct loom_sim_trim *trim,
                           struct loom_error *err);
/* Leave jobs out of all per-job measures, utilization and throughput (Zakay 2017, chapter 3, 6.4,
 * step 4): those that are 0 in keep, a byte for each of loom_sim_jobs. They still take processors
 * and their place in the queue; load, queue and saturation stay measures of all jobs. Fails with
 * LOOM_ERANGE if no job that the last trim keeps is left. */
LOOM_API int loom_sim_measure(struct loom_sim *sim, const uint8_t *keep, struct loom_error *err);

/* Compute the metrics of a run into *out. Fails with LOOM_EDATA, and the reasons, if no job was
 * simulated. */
LOOM_API int loom_sim_metrics(struct loom_sim_metrics *out, const struct loom_sim *sim,
                              struct loom_error *err);

/* Count the outstanding jobs (submitted, not ended) at the start of each week from the first to the
 * last submission. *out is a new array of *n_weeks counts, which the caller must free(). It is
 * empty if the submissions span more than 2^20 weeks, which a wrong submit time causes. */
LOOM_API int loom_sim_outstanding(int64_t **out, size_t *n_weeks, const struct loom_sim *sim,
                                  struct loom_error *err);

/* ---- over time ------------------------------------------------------------------------------- */

/* The half-open interval of time [from_s, to_s). */
struct loom_sim_window {
    int64_t from_s, to_s;
};

/* Return the window of the measured jobs: from the submission of the first of them to the first
 * submission after them, or to the last end if there is none. Without a trim it is the whole run.
 */
LOOM_API struct loom_sim_window loom_sim_window(const struct loom_sim *sim);

/* Bins of queue lengths: 0, 1, 2, 3-4, 5-8, ...; each after the first ends at a power of two. */
enum { LOOM_QUEUE_BINS = 34 };

/* Rates over a window, of all jobs whenever submitted; utilization and throughput without those
 * that loom_sim_measure leaves out. NAN if the window has no length. */
struct loom_sim_rates {
    struct loom_sim_window window;
    double utilization;
    double throughput_jobs_per_day; /* jobs that ended in it, both limits included */
    double queue_mean;              /* waiting jobs */
    int64_t queue_max;              /* waiting jobs, for at least a second */
    /* Queue lengths that are not exceeded during LOOM_PERCENTS percent of the time. */
    double queue_percentile[LOOM_N_PERCENTS];
    double queue_share[LOOM_QUEUE_BINS]; /* fraction of the time in each bin */
};

/* Compute the rates over a window into *out. Fails with LOOM_ERANGE if the window ends before it
 * begins. */
LOOM_API int loom_sim_rates(struct loom_sim_rates *out, const struct loom_sim *sim,
                            struct loom_sim_window window, struct loom_error *err);

/* Utilization and queue of the whole run in a few hundred steps of equal length; the last may be
 * shorter. */
struct loom_sim_series {
    int64_t from_s, step_s;
    size_t count;
    struct loom_sim_level {
        double utilization;
        double queue_mean;
        int64_t queue_max; /* for at least a second */
    } levels[];
};

/* Compute the series of a run in *out. The caller must destroy it. */
LOOM_API int loom_sim_series_create(struct loom_sim_series **out, const struct loom_sim *sim,
                                    struct loom_error *err);
/* Destroy a series; NULL is allowed. */
LOOM_API void loom_sim_series_destroy(struct loom_sim_series *series);

/* ---- metrics by class ------------------------------------------------------------------------ */

/* How jobs are classified.
 *
 *     size     processors: 1, 2, 3-4, 5-8, ..., each class up to a power of two
 *     runtime  up to 10 s, 1 min, 10 min, 1 h, 6 h, 1 day, and longer
 *     user     one class per user
 *     queue    one class per queue of the trace
 *     bag      in a bag of tasks (loom_bags with LOOM_BAG_DELTA_S) of two or more jobs, or not
 */
enum loom_class_kind {
    LOOM_CLASS_SIZE,
    LOOM_CLASS_RUNTIME,
    LOOM_CLASS_USER,
    LOOM_CLASS_QUEUE,
    LOOM_CLASS_BAG,
};
enum { LOOM_CLASS_KINDS = 5 };

/* Return the name of a kind: "size", "runtime", ... Static. */
LOOM_API const char *loom_class_kind_name(enum loom_class_kind kind);

/* The measured jobs of one class. from and to are the limits of the class, both included: in
 * processors or seconds; the number of a user or queue (-1: unknown); 1 in a bag, 0 not. */
struct loom_sim_class {
    int64_t from, to; /* to is INT64_MAX for the longest jobs */
    int64_t jobs;
    double wait_mean_s, wait_median_s;
    double bounded_slowdown_mean;
    double throughput_jobs_per_day; /* over the window of the measured jobs (loom_sim_window) */
};

/* All classes that have jobs, ascending. */
struct loom_sim_classes {
    enum loom_class_kind kind;
    size_t count;
    /* Jain's index of the mean bounded slowdowns x of the classes, (sum x)^2 / (n * sum x^2): 1 if
     * all are equal, 1/n if one is much larger than the others. Jobs of unknown user or queue do
     * not count. NAN if no class is left. With LOOM_CLASS_USER it is the fairness between users. */
    double fairness;
    struct loom_sim_class classes[];
};

/* Compute the classes of the measured jobs in *out. trace is the one that was simulated; it is
 * needed for queues and bags and may be NULL otherwise. The caller must destroy the result. Fails
 * with LOOM_EUSAGE if a job is not from the trace. */
LOOM_API int loom_sim_classes_create(struct loom_sim_classes **out, const struct loom_sim *sim,
                                     const struct loom_trace *trace, enum loom_class_kind kind,
                                     struct loom_error *err);
/* Destroy the classes; NULL is allowed. */
LOOM_API void loom_sim_classes_destroy(struct loom_sim_classes *classes);
/* Format the name of the class at an index into buf and return buf: "3-4", "up to 1 min", "in
 * bags", or the name of the user or queue in the trace, which may be NULL. */
LOOM_API const char *loom_sim_class_text(const struct loom_sim_classes *classes, size_t at,
                                         const struct loom_trace *trace, char *buf, size_t size);

/* ---- curves ---------------------------------------------------------------------------------- */

enum { LOOM_SIM_POINTS = 1001 };

/* Waits and bounded slowdowns of the measured jobs, each sorted ascending: all of them, or evenly
 * spaced order statistics if there are more than LOOM_SIM_POINTS. */
struct loom_sim_curves {
    size_t n;
    double wait_s[LOOM_SIM_POINTS];
    double bounded_slowdown[LOOM_SIM_POINTS];
};

/* Compute the curves of a run into *out. */
LOOM_API int loom_sim_curves(struct loom_sim_curves *out, const struct loom_sim *sim,
                             struct loom_error *err);

/* ---- Gantt charts ---------------------------------------------------------------------------- */

/* Processors first to first + procs - 1, held by a job during [from_s, to_s) of the window. */
struct loom_gantt_bar {
    uint32_t job;
    uint32_t cluster; /* of a grid, on which `job` is a job number; else 0 */
    int64_t from_s, to_s;
    int64_t first, procs;
};

enum { LOOM_GANTT_MOST = 2000 }; /* jobs in one chart */

/* A Gantt chart: processors assigned to the jobs of a window, first fit in the order of their
 * starts, contiguous where possible. (The simulation does not identify processors.) Jobs of runtime
 * 0 are left out. */
struct loom_gantt {
    struct loom_sim_window window;
    int64_t procs; /* of the machine */
    size_t jobs;
    size_t count;
    struct loom_gantt_bar bars[]; /* by start; bars of one job are adjacent */
};

/* Compute the chart of a window in *out. The caller must destroy it. Fails with LOOM_EDATA if no
 * job runs in the window, LOOM_ERANGE if more than LOOM_GANTT_MOST do. */
LOOM_API int loom_gantt_create(struct loom_gantt **out, const struct loom_sim *sim,
                               struct loom_sim_window window, struct loom_error *err);
/* Destroy a chart; NULL is allowed. */
LOOM_API void loom_gantt_destroy(struct loom_gantt *gantt);

/* ---- explaining one job ---------------------------------------------------------------------- */

/* The rank of a job under a policy that computes one (selective, ups), at some time. Policies that
 * use the order of the queue alone have none: measure is NULL. */
struct loom_standing {
    int64_t time_s;
    const char *measure; /* "expansion_factor", "priority" */
    double value;        /* of the measure */
    const char *bar;     /* what the value is compared with: "threshold", "first_priority" */
    double bar_value;
    const char *category; /* of jobs that share the bar; NULL: all do */
    /* Under a policy that ranks users: the rank, from 1, of the job's user among the `users` that
     * have waiting jobs; the first job by the measure, and the rank of its user. Otherwise 0 and
     * LOOM_NO_JOB. */
    uint64_t user_rank, users;
    uint32_t first_job;
    uint64_t first_rank;
};

/* A change of the reservation of a job. */
struct loom_explained_move {
    int64_t time_s;
    int64_t from_s, to_s; /* planned starts before and after; from_s -1: no reservation before */
    /* If the reservation became earlier, the job that ended just before; if later, the job whose
     * estimate just ran out. LOOM_NO_JOB if there is none: the order of the waiting jobs changed.
     */
    uint32_t cause_job;
};

/* The start of a job and its reason. */
struct loom_explained_start {
    uint32_t job;
    int64_t time_s;
    int64_t estimate_s; /* at that time */
    enum loom_why why;
    /* Of a backfilled job, the reservation that it must not delay; the earliest one under
     * LOOM_PROMISE_ALL. LOOM_NO_JOB and -1 if there is none. */
    uint32_t reserved_job;
    int64_t reserved_s;
    struct loom_standing standing; /* of this job at that time */
    struct loom_standing own;      /* of the explained job at that time */
};

/* Why a job waits. */
enum loom_kept {
    LOOM_KEPT_SHORT,      /* too few processors are free */
    LOOM_KEPT_HELD,       /* enough are free, but the policy reserves them or goes by its order */
    LOOM_KEPT_OVERLOOKED, /* it would delay no reservation, but is beyond the policy's search limit
                           */
};

/* What happened to a job while it waited. Jobs are given by their numbers in the simulation. */
struct loom_explanation {
    uint32_t row;        /* of the job in its trace */
    uint32_t job;        /* LOOM_NO_JOB if it did not join the queue */
    const char *refused; /* then the reason, as in LOOM_SIM_COUNTS; NULL if it was not submitted */

    unsigned promises; /* of the policy, with any parameters: flags of enum loom_promise */
    bool ranked;       /* the policy ranks the waiting jobs in each pass (ups) */

    /* At its submission: free processors, running jobs, and the waiting jobs before it in the order
     * of the queue or, if ranked, in the order of submission. */
    int64_t free_at_submit;
    size_t running_at_submit;
    uint32_t *ahead;
    int64_t *ahead_estimate_s; /* of each of them, at that time */
    size_t n_ahead;

    /* In its first pass; at the end of the pass, before its first reservation, in which its value
     * was nearest to the bar (by ratio; the latest if several); and at its first reservation. */
    struct loom_standing at_submit, nearest, at_reservation;

    struct loom_explained_move *moves;
    size_t n_moves;
    /* Jobs that were not ahead of it at its submission but started before it or in the same pass.
     */
    struct loom_explained_start *overtakers;
    size_t n_overtakers;

    int64_t short_s; /* time with too few free processors */
    int64_t held_s;  /* time with enough free processors that the policy did not give it */
    /* Part of held_s in which it would have delayed no reservation but was beyond the policy's
     * search limit (lookahead). */
    int64_t overlooked_s;
    /* The first job of the queue and the time of its reservation, for which processors were last
     * held. LOOM_NO_JOB and -1 under policies that reserve for several jobs, or for none. */
    uint32_t held_for_job;
    int64_t held_for_s;
    enum loom_kept kept;   /* why it waited last */
    uint32_t extended_job; /* whose estimate ran out just before its start, or LOOM_NO_JOB */

    struct loom_explained_start start;
    int64_t free_before; /* free processors just before its start */
    uint32_t *released;  /* jobs that ended just before its start */
    size_t n_released;
};

/* Collects the explanation of one job during one run. */
struct loom_explainer;

/* Create an explainer for the job in a row of the trace, in *out. The caller must destroy it. */
LOOM_API int loom_explainer_create(struct loom_explainer **out, uint32_t row,
                                   struct loom_error *err);
/* Destroy an explainer and its result; NULL is allowed. */
LOOM_API void loom_explainer_destroy(struct loom_explainer *explainer);
/* Return the observer to put into the options of the run. The explainer must outlive the run. */
LOOM_API struct loom_observer loom_explainer_observer(struct loom_explainer *explainer);
/* Return the explanation, after the run. Valid as long as the explainer. */
LOOM_API const struct loom_explanation *
loom_explainer_result(const struct loom_explainer *explainer);

/* ---- predicted waits ------------------------------------------------------------------------- */

/* How good predictions of waits were, over the measured jobs. Jobs that start in the pass that
 * follows their submission are only counted: their wait is known then. NAN without jobs. */
struct loom_wait_errors {
    int64_t at_once;      /* jobs that started when submitted */
    int64_t jobs;         /* jobs with a predicted wait above 0, of which all below is */
    double mae_s;         /* mean absolute error */
    double bias_s;        /* mean of predicted minus simulated wait */
    double late_fraction; /* started later than predicted */
    double near_fraction; /* waited 0.5 to 1.5 times as long as predicted */
    double ratio;         /* sum of waits over sum of predicted waits */
};

/* Predicts, when a job is submitted, the time at which it will start, during one run.
 *
 * The prediction is made after the pass that follows the submission, from what the scheduler knows
 * then: the waiting and the running jobs, and their estimates. Where every job has a reservation
 * (LOOM_PROMISE_ALL), the reservation is the prediction. Otherwise the policy itself is run ahead,
 * on a copy of machine and queue, with estimates as runtimes and no further submissions, until the
 * job starts; this takes time in proportion to the queue. The copy is without the memory of a
 * policy that remembers jobs that have ended. */
struct loom_wait_forecast;

/* Create a forecast for a run with these options in *out. The caller must destroy it. Fails with
 * LOOM_EUSAGE for an unknown policy or under LOOM_COMPAT_PYSS, LOOM_ENOMEM. */
LOOM_API int loom_wait_forecast_create(struct loom_wait_forecast **out,
                                       const struct loom_sim_options *options,
                                       struct loom_error *err);
/* Destroy a forecast; NULL is allowed. */
LOOM_API void loom_wait_forecast_destroy(struct loom_wait_forecast *forecast);
/* Return the observer to put into the options of the run. The forecast must outlive the run. */
LOOM_API struct loom_observer loom_wait_forecast_observer(struct loom_wait_forecast *forecast);
/* Return the predicted start of a job, -1 if there is none. */
LOOM_API int64_t loom_wait_forecast_start(const struct loom_wait_forecast *forecast, uint32_t job);
/* Return how good the predictions were, after the run. */
LOOM_API struct loom_wait_errors
loom_wait_forecast_errors(const struct loom_wait_forecast *forecast, const struct loom_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
