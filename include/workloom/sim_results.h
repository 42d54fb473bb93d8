/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_results.h - what a simulation shows when it is over: metrics, also by class and over time,
 * who ran where, and why a job waited. Nothing here changes a run.
 */
#ifndef WORKLOOM_SIM_RESULTS_H
#define WORKLOOM_SIM_RESULTS_H

#include <workloom/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- metrics --------------------------------------------------------------------------------- */

/* Which percentiles there are, interpolated between neighbours (type 7 of Hyndman and Fan). */
#define LOOM_PERCENTS  \
    {                  \
        50, 90, 95, 99 \
    }
enum { LOOM_N_PERCENTS = 4 };

/* Of all simulated jobs. NAN where there are no jobs or no time. */
struct loom_sim_metrics {
    int64_t jobs;
    int64_t measured; /* of them, see loom_sim_trim */
    double wait_mean_s, wait_median_s;
    double response_mean_s;
    double slowdown_mean;         /* of max(1, response / max(runtime, 1 s)) */
    double bounded_slowdown_mean; /* of max(1, response / max(runtime, 10 s)) */
    double slowdown_ratio;        /* mean response / mean runtime (thesis 5.2.5) */
    double utilization;           /* of the processors, from first submit to last end */
    double throughput_jobs_per_day;
    int64_t makespan_s;  /* first submit to last end */
    double queue_mean;   /* jobs waiting, over the makespan */
    int64_t queue_max;   /* after a pass */
    double load_offered; /* arrival rate * mean(runtime * processors) / processors (thesis 5.2.5) */
    /* Does the number of outstanding jobs grow from week to week by more than one a week (Zakay,
     * chapter 3, section 6.3)? -1 where the run is too short to say. */
    int saturated;
    double outstanding_per_week; /* that slope */
    double waiting_per_week;     /* the same of the jobs that wait */
    /* Saturated by running jobs alone, as those that wait do not grow: jobs are long and the
     * machine has room, which fills. */
    bool filling;
    /* The most weeks on end that began with more than a day's work for all processors waiting:
     * a queue may stand for months and yet be gone by the last weeks, by which saturation goes. */
    int64_t backlog_weeks;
    int64_t weeks, weeks_fitted; /* with a count of outstanding jobs; of them below the line */
    double wait_percentile_s[LOOM_N_PERCENTS];
    double bounded_slowdown_percentile[LOOM_N_PERCENTS];
};

/* Leave jobs at both ends of a run out of what is measured job by job: waits, responses, slowdowns,
 * their percentiles, and classes. Utilization, throughput, queue, load and saturation are of the
 * whole run (see loom_sim_rates for the window of the measured jobs). Given in jobs, in time from
 * the first or to the last submission, or both: then the longer holds.
 */
struct loom_sim_trim {
    int64_t warm_up_jobs, warm_up_s;
    int64_t cool_down_jobs, cool_down_s;
};

/* After a run; the next run measures all jobs again. LOOM_ERANGE if no job is left. */
LOOM_API int loom_sim_trim(struct loom_sim *sim, const struct loom_sim_trim *trim,
                           struct loom_error *err);
/* Of the jobs that a trim leaves, measure those whose row of the trace is kept, such as all but the
 * jobs of rare behaviours. After a run and any trim; LOOM_ERANGE if no job is left. */
LOOM_API int loom_sim_measure(struct loom_sim *sim, const uint8_t *keep, size_t n_rows,
                              struct loom_error *err);

LOOM_API int loom_sim_metrics(struct loom_sim_metrics *out, const struct loom_sim *sim,
                              struct loom_error *err);

/* The jobs outstanding (submitted, not ended) at the beginning of each week from the first to the
 * last submission, as a new array that the caller must free(). None if these are more than 2^20
 * weeks apart, as a submit time must be wrong then. */
LOOM_API int loom_sim_outstanding(int64_t **out, size_t *n_weeks, const struct loom_sim *sim,
                                  struct loom_error *err);

/* ---- over time ------------------------------------------------------------------------------- */

/* From from_s on, up to but without to_s. */
struct loom_sim_window {
    int64_t from_s, to_s;
};

/* When the measured jobs came: from the submission of the first of them to that of the first behind
 * them or, where none is, to the last end. Without a trim this is the whole run. */
LOOM_API struct loom_sim_window loom_sim_window(const struct loom_sim *sim);

/* Part of the time with 0, 1, 2, 3-4, 5-8, ... jobs waiting: bin 0, and each next up to a power of
 * two. */
enum { LOOM_QUEUE_BINS = 34 };

/* Rates over a window, whatever jobs were submitted in it. NAN where it has no length. */
struct loom_sim_rates {
    struct loom_sim_window window;
    double utilization;
    double throughput_jobs_per_day; /* jobs that ended in it, both ends included */
    double queue_mean;              /* jobs waiting */
    int64_t queue_max;              /* for at least a second */
    /* For so many percent of the time no more jobs waited than this. */
    double queue_percentile[LOOM_N_PERCENTS];
    double queue_share[LOOM_QUEUE_BINS];
};

LOOM_API int loom_sim_rates(struct loom_sim_rates *out, const struct loom_sim *sim,
                            struct loom_sim_window window, struct loom_error *err);

/* The whole run in some hundreds of equal steps; the last may be shorter. */
struct loom_sim_series {
    int64_t from_s, step_s;
    size_t count;
    struct loom_sim_level {
        double utilization;
        double queue_mean;
        int64_t queue_max; /* for at least a second */
    } levels[];
};

LOOM_API int loom_sim_series_create(struct loom_sim_series **out, const struct loom_sim *sim,
                                    struct loom_error *err);
LOOM_API void loom_sim_series_destroy(struct loom_sim_series *series);

/* ---- metrics by class ------------------------------------------------------------------------ */

/* What jobs are told apart by.
 *
 *     size     processors: 1, 2, 3-4, 5-8, and so on, each class up to a power of two
 *     runtime  up to 10 s, 1 min, 10 min, 1 h, 6 h, 1 day, and longer
 *     user     one class a user
 *     queue    one class a queue of the trace
 *     bag      in a bag of tasks (loom_bags with LOOM_BAG_DELTA_S) of at least two jobs, or alone
 */
enum loom_class_kind {
    LOOM_CLASS_SIZE,
    LOOM_CLASS_RUNTIME,
    LOOM_CLASS_USER,
    LOOM_CLASS_QUEUE,
    LOOM_CLASS_BAG,
};
enum { LOOM_CLASS_KINDS = 5 };

/* "size", "runtime", ... */
LOOM_API const char *loom_class_kind_name(enum loom_class_kind kind);

/* The jobs of one class. Its range is what they have in common, both ends included: processors, s,
 * the number of a user or queue (-1: not known), 1 in a bag and 0 alone. */
struct loom_sim_class {
    int64_t from, to; /* to is INT64_MAX for the longest jobs */
    int64_t jobs;
    double wait_mean_s, wait_median_s;
    double bounded_slowdown_mean;
    double throughput_jobs_per_day; /* measured jobs, over their window (loom_sim_window) */
};

/* All classes that have jobs, ascending. */
struct loom_sim_classes {
    enum loom_class_kind kind;
    size_t count;
    /* Jain's index of the mean bounded slowdowns x of the classes, (sum x)^2 / (n * sum x^2): 1 if
     * all fare alike, 1/n if one alone suffers. Jobs of unknown user or queue are left out. NAN if
     * no class is left. Of users this is the fairness of the schedule. */
    double fairness;
    struct loom_sim_class classes[];
};

/* trace is the one that was simulated; only queues and bags need it, and it may be NULL for the
 * others. The caller must destroy the result. */
LOOM_API int loom_sim_classes_create(struct loom_sim_classes **out, const struct loom_sim *sim,
                                     const struct loom_trace *trace, enum loom_class_kind kind,
                                     struct loom_error *err);
LOOM_API void loom_sim_classes_destroy(struct loom_sim_classes *classes);
/* A class for people: "3-4", "up to 1 min", "ann" where the trace (NULL: none) knows the name of
 * user 3, "in bags". Returns buf. */
LOOM_API const char *loom_sim_class_text(const struct loom_sim_classes *classes, size_t at,
                                         const struct loom_trace *trace, char *buf, size_t size);

/* ---- curves ---------------------------------------------------------------------------------- */

enum { LOOM_SIM_POINTS = 1001 };

/* Waits and bounded slowdowns of the measured jobs, ascending: of all of them, or evenly spaced
 * order statistics if there are more than LOOM_SIM_POINTS. */
struct loom_sim_curves {
    size_t n;
    double wait_s[LOOM_SIM_POINTS];
    double bounded_slowdown[LOOM_SIM_POINTS];
};

/* Fill *out from a run that is over. LOOM_ENOMEM if memory is out. */
LOOM_API int loom_sim_curves(struct loom_sim_curves *out, const struct loom_sim *sim,
                             struct loom_error *err);

/* ---- who ran where --------------------------------------------------------------------------- */

/* Processors first to first + procs - 1, taken by a job for a part of the window. */
struct loom_gantt_bar {
    uint32_t job;
    uint32_t cluster; /* of a grid, on which the job has that number; else 0 */
    int64_t from_s, to_s;
    int64_t first, procs;
};

enum { LOOM_GANTT_MOST = 2000 }; /* jobs that can be told apart in a drawing */

/* A Gantt chart: processors given to the jobs of a window, first fit in the order of their starts,
 * each job in one piece where it can be. Jobs that take no time are not in it. */
struct loom_gantt {
    struct loom_sim_window window;
    int64_t procs; /* of the machine */
    size_t jobs;
    size_t count;
    struct loom_gantt_bar bars[]; /* by start; those of one job are neighbours */
};

/* LOOM_EDATA if no job runs in the window, LOOM_ERANGE if more than LOOM_GANTT_MOST do. */
LOOM_API int loom_gantt_create(struct loom_gantt **out, const struct loom_sim *sim,
                               struct loom_sim_window window, struct loom_error *err);
LOOM_API void loom_gantt_destroy(struct loom_gantt *gantt);

/* ---- explaining one job ---------------------------------------------------------------------- */

/* By what a policy weighs a job (selective, ups), at some time. Policies that go by the order of
 * the queue alone have none: measure is NULL then. */
struct loom_standing {
    int64_t time_s;
    const char *measure; /* "expansion_factor", "priority" */
    double value;        /* of it */
    const char *bar;     /* what that is held against: "threshold", "first_priority" */
    double bar_value;
    const char *category; /* of the jobs that share the bar; NULL: all do */
    /* Where users are ranked: the rank of its user, from 1, among so many with waiting jobs; the
     * job that is the first by the measure, perhaps itself, and the rank of its user. Otherwise 0,
     * and LOOM_NO_JOB. */
    uint64_t user_rank, users;
    uint32_t first_job;
    uint64_t first_rank;
};

/* A change of the job's reservation. */
struct loom_explained_move {
    int64_t time_s;
    int64_t from_s, to_s; /* from -1: it had none */
    /* Of a move forward the job that ended just before, of one back the job that just outlived its
     * estimate. LOOM_NO_JOB if there is none: jobs have come before it in the policy's order, or
     * left that place. */
    uint32_t cause_job;
};

/* A start, and by which rule. */
struct loom_explained_start {
    uint32_t job;
    int64_t time_s;
    int64_t estimate_s; /* then */
    enum loom_why why;
    /* Of one backfilled: the reservation that it respects; where there may be several
     * (LOOM_PROMISE_ALL), the next. LOOM_NO_JOB and -1 if there is none. */
    uint32_t reserved_job;
    int64_t reserved_s;
    struct loom_standing standing; /* of this job then, and of the one that is explained */
    struct loom_standing own;
};

/* What keeps a waiting job. */
enum loom_kept {
    LOOM_KEPT_SHORT,      /* too few processors are free */
    LOOM_KEPT_HELD,       /* enough are, but the policy does not let it have them */
    LOOM_KEPT_OVERLOOKED, /* it would delay no reservation, but the policy does not look so far */
};

/* What happened to a job while it waited. Jobs are told by their numbers in the simulation. */
struct loom_explanation {
    uint32_t row;        /* of the job in its trace */
    uint32_t job;        /* LOOM_NO_JOB if it did not join the queue */
    const char *refused; /* then why, as in LOOM_SIM_COUNTS; NULL if it was not even submitted */

    unsigned promises; /* of the policy, with any parameters: enum loom_promise, joined by | */
    bool ranked;       /* the policy ranks waiting jobs by itself, anew in each pass (ups) */

    /* When it was submitted: the machine, and who waited before it in the queue's order or, where
     * jobs are ranked, was submitted before it. */
    int64_t free_at_submit;
    size_t running_at_submit;
    uint32_t *ahead;
    int64_t *ahead_estimate_s; /* of each of them, then */
    size_t n_ahead;

    /* In the first pass that saw it; at the end of the pass, before it had a reservation, in which
     * its value was the nearest to the bar (by their ratio, the latest of equals); when it got its
     * first reservation. */
    struct loom_standing at_submit, nearest, at_reservation;

    struct loom_explained_move *moves;
    size_t n_moves;
    /* Jobs that did not wait before it then but started before it, or in the same pass. */
    struct loom_explained_start *overtakers;
    size_t n_overtakers;

    int64_t short_s; /* time with too few processors free for it */
    int64_t held_s;  /* time with enough, which the policy did not let it have */
    /* Of that, time in which it would have delayed no reservation: the policy did not look at it,
     * having seen as many jobs as it looks at (lookahead). */
    int64_t overlooked_s;
    /* Of the first job, for whose reservation that was at last. LOOM_NO_JOB and -1 under policies
     * that give reservations to several jobs, or none. */
    uint32_t held_for_job;
    int64_t held_for_s;
    enum loom_kept kept;   /* what kept it last */
    uint32_t extended_job; /* that outlived its estimate just before its start, or LOOM_NO_JOB */

    struct loom_explained_start start;
    int64_t free_before; /* processors free until just before its start */
    uint32_t *released;  /* the jobs that ended just before: what it waited for last */
    size_t n_released;
};

struct loom_explainer;

/* To explain the job in this row of the trace: an explainer for one run, its observer for the
 * options of that run, and after it the result, which lives as long as the explainer. */
LOOM_API int loom_explainer_create(struct loom_explainer **out, uint32_t row,
                                   struct loom_error *err);
LOOM_API void loom_explainer_destroy(struct loom_explainer *explainer);
LOOM_API struct loom_observer loom_explainer_observer(struct loom_explainer *explainer);
LOOM_API const struct loom_explanation *
loom_explainer_result(const struct loom_explainer *explainer);

#ifdef __cplusplus
}
#endif
#endif
