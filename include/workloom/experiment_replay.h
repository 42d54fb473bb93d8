/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_replay.h - how far a simulation of a log is from what happened.
 *
 * A replay simulates the jobs of a log at their submit times and compares simulated with logged
 * waits, job by job. An error is the simulated wait minus the logged one. Only jobs that have a
 * logged wait and were simulated are compared; all jobs take part in the simulation.
 *
 * A run is a policy and a set of assumptions about the machine (enum loom_assumption). The first
 * half of the log has the jobs submitted before the median submission, the second half the others:
 * what is chosen among runs is chosen on the first half and scored on the second.
 */
#ifndef WORKLOOM_EXPERIMENT_REPLAY_H
#define WORKLOOM_EXPERIMENT_REPLAY_H

#include <workloom/experiment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---------------------------------------------------------------------------------- */

/* Errors of simulated waits. NAN where no job is compared; the rank correlation also where all
 * waits of one side are equal. */
struct loom_replay_errors {
    int64_t jobs; /* compared */
    double wait_mean_log_s, wait_mean_simulated_s;
    double bias_s;           /* mean error */
    double abs_error_mean_s; /* mean of |error| */
    double error_p10_s, error_median_s, error_p90_s;
    double rank_correlation; /* Spearman, of simulated and logged waits */
};

/* Compute the errors of n simulated waits. Pairs with a negative wait on either side are left out.
 * Fails with LOOM_ENOMEM. */
LOOM_API int loom_replay_compare(struct loom_replay_errors *out, const int64_t *logged_s,
                                 const int64_t *simulated_s, size_t n, struct loom_error *err);

/* Return bias_s over the mean logged wait; NAN if that is 0 or unknown. */
LOOM_API double loom_replay_bias(const struct loom_replay_errors *errors);

/* Return the distance of simulated waits from the logged ones: |ln(a / b)| + (1 - c) / 2, where a
 * and b are the mean waits plus 60 s, and c is the rank correlation, -1 if it is unknown. */
LOOM_API double loom_replay_distance(const struct loom_replay_errors *errors);

/* Which conclusions the replay of a log supports, judged by its errors. */
enum loom_replay_support {
    LOOM_SUPPORTS_LEVELS,      /* on levels: the mean wait is within 30 % of the log's */
    LOOM_SUPPORTS_DIFFERENCES, /* on differences only: neither of the other two */
    LOOM_SUPPORTS_NOTHING,     /* on nothing: mean waits differ by more than a factor of 5, or the
                                  rank correlation is below 0.1 or unknown */
};
/* Return which conclusions these errors support. */
LOOM_API enum loom_replay_support loom_replay_support(const struct loom_replay_errors *errors);

/* Classes of jobs: size and runtime as in enum loom_class_kind, weeks since the first submission.
 */
enum loom_replay_kind {
    LOOM_REPLAY_SIZE,
    LOOM_REPLAY_RUNTIME,
    LOOM_REPLAY_USER,
    LOOM_REPLAY_QUEUE,
    LOOM_REPLAY_WEEK,
};
enum { LOOM_REPLAY_KINDS = 5 };
/* Return the name of a kind: "size", "runtime", "user", "queue" or "week". Static. */
LOOM_API const char *loom_replay_kind_name(enum loom_replay_kind kind);

struct loom_replay_class {
    int64_t from, to; /* as in struct loom_sim_class; a week is counted from 1 */
    struct loom_replay_errors errors;
};

struct loom_replay_classes {
    enum loom_replay_kind kind;
    size_t count;
    struct loom_replay_class classes[];
};

/* Write the name of a class to buf: "3-4", "up to 1 h", a user. Returns buf. */
LOOM_API const char *loom_replay_class_text(const struct loom_replay_classes *classes, size_t at,
                                            const struct loom_trace *trace, char *buf, size_t size);

/* ---- assumptions ----------------------------------------------------------------------------- */

/* What a run assumes besides policy and requested times; flags. Those marked * have a value, which
 * is fitted: the one whose mean wait in the first half is nearest to the log's. */
enum loom_assumption {
    LOOM_ASSUME_EXACT = 1,        /* estimates are the runtimes */
    LOOM_ASSUME_DOWNTIME = 2,     /* the machine stands still where the log shows an outage */
    LOOM_ASSUME_INITIAL = 4,      /* unseen jobs hold processors when the log begins */
    LOOM_ASSUME_QUEUES = 8,       /* each queue has processors of its own */
    LOOM_ASSUME_PARTITIONS = 16,  /* each partition has processors of its own */
    LOOM_ASSUME_PEAKS = 32,       /* each user is limited to his own peak in the first half */
    LOOM_ASSUME_USER_JOBS = 64,   /* * no user has more jobs at once than this */
    LOOM_ASSUME_USER_PROCS = 128, /* * no user has more processors at once than this */
    LOOM_ASSUME_SIZE = 256,       /* * the machine has another size than it is said to have */
    LOOM_ASSUME_URGENT = 512,     /* "jumpers": jobs that jumped the queue come first */
    LOOM_ASSUME_WEEKS = 1024,     /* * each week has the processors that were in use at most */
};
enum { LOOM_ASSUMPTIONS = 11 };
/* Return the name of an assumption by index: "exact", "downtime", ...; NULL past the last. Static.
 */
LOOM_API const char *loom_assumption_name(size_t index);
/* Return what it means, in one sentence. Static. */
LOOM_API const char *loom_assumption_meaning(size_t index);

/* ---- replays --------------------------------------------------------------------------------- */

struct loom_replay_options {
    const struct loom_trace *trace;
    struct loom_machine_size machine; /* as for a scenario */
    const char *const *policies;      /* the first is the base of the assumptions */
    size_t n_policies;
    const struct loom_schedulers *schedulers;
    enum loom_overrun overrun;
    /* Constraints of all runs, as in a scenario; NULL: none. An assumption takes their place. A
     * downtime within the logged execution of a job is not part of its runtime. */
    const struct loom_downtimes *downtime;
    const struct loom_user_limits *limits;
    const struct loom_split *split; /* excludes assumptions on the size of the whole machine */
    /* Compare only jobs submitted in the window in which the log is complete
     * (loom_trace_window_complete); all jobs are simulated. */
    bool complete;
    unsigned assumptions; /* to try with the first policy, one at a time; flags */
    bool search; /* all policies and orders, and combinations of assumptions, by the first half */
    struct loom_pool *pool;
    struct loom_progress *progress; /* counts jobs that ended; may be NULL */
};

struct loom_replay_run {
    char *policy;
    unsigned assumptions;                 /* flags */
    int64_t user_jobs, user_procs, procs; /* fitted values; 0: none */
    int64_t exceeded; /* thousandths of the time in which a week's use is exceeded; 0: not fitted */
    unsigned fitted;  /* the assumption whose value was fitted in this run; a flag, or 0 */
    bool searched;    /* a candidate of the search */
    struct loom_replay_errors all, first, second;
    double log_ratios[2]; /* ln(simulated / logged mean wait) in each half of the first half */
    double misfit;        /* of the first half; the smallest is the best (replay_run.c) */
};

struct loom_replay_report {
    struct loom_replay_run *runs;
    size_t n_runs;
    size_t chosen; /* index of the run that explains the first half best */
    struct loom_replay_classes *by[LOOM_REPLAY_KINDS]; /* of the first run */
    struct loom_sim_series *logged, *simulated;        /* of the first run */
    double utilization_logged, utilization_simulated;
    int64_t procs;
    enum loom_size_source size_source;
    int64_t middle_s;              /* median submission: the second half begins here */
    int64_t quarter_s;             /* first quartile of the submissions */
    struct loom_downtime *outages; /* nothing ran or started while jobs waited */
    size_t n_outages;
    struct loom_trace_window window; /* of the jobs that are compared; all 0: the whole log */
    int64_t outside;                 /* jobs with a wait that were submitted outside it */
    int64_t no_wait;                 /* simulated jobs without a logged wait */
    int64_t not_simulated;           /* jobs with a logged wait that could not be simulated */
    int64_t negative_waits;          /* waits below -1, which cannot be */
    int64_t peak_procs;    /* in use at once in the log; above procs where waits cannot be */
    int64_t limited_users; /* users with a limit */
    int64_t urgent_jobs;   /* jobs that jumped the queue */
    unsigned known;        /* assumptions that this log allows; flags */
    unsigned excluded;     /* of those asked for, not tried because of options.split; flags */
};

/* Replay a log. The caller must destroy *out. Fails with LOOM_EDATA if no job has a logged wait, or
 * as loom_scenario_run does. */
LOOM_API int loom_replay_run(struct loom_replay_report **out,
                             const struct loom_replay_options *options, struct loom_error *err);
/* Replay a log under each policy of the options, without assumptions, and store the errors of the
 * one that is nearest to the log (loom_replay_distance; of equals the first) and its index: the
 * error to state beside a what-if. out->jobs is 0 where no job has waited, which is no failure.
 * Fails as loom_scenario_run does. */
LOOM_API int loom_replay_measure(struct loom_replay_errors *out, size_t *policy,
                                 const struct loom_replay_options *options, struct loom_error *err);
/* Destroy a report; NULL is allowed. */
LOOM_API void loom_replay_report_destroy(struct loom_replay_report *report);

#ifdef __cplusplus
}
#endif
#endif
