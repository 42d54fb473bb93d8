/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_validate.h - checks of schedules from any source, and the comparison of two schedules.
 *
 * A schedule is a trace whose waits and runtimes define when each job ran. Jobs with unknown wait,
 * runtime or size did not run. The estimate of a job is its requested time, at least 1 s, or its
 * runtime if the requested time is unknown. A job holds its processors during [start, end).
 */
#ifndef WORKLOOM_SIM_VALIDATE_H
#define WORKLOOM_SIM_VALIDATE_H

#include <workloom/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A violation of a rule. */
struct loom_breach {
    uint32_t row; /* of the job at fault */
    int64_t time_s;
    char text[320]; /* one sentence */
};

enum { LOOM_BREACHES_KEPT = 10 };

/* A rule and its violations. */
struct loom_checked {
    const char *rule; /* stable key: "capacity" */
    const char *what; /* what the rule requires */
    int64_t breaches; /* total, at most one per job */
    struct loom_breach first[LOOM_BREACHES_KEPT];
};

enum { LOOM_CHECKS = 8 };

struct loom_validation {
    int64_t jobs;    /* that ran */
    int64_t unrun;   /* that did not run */
    int64_t overran; /* that ran longer than requested */
    size_t n;        /* rules checked */
    struct loom_checked checks[LOOM_CHECKS];
};

struct loom_validate_options {
    int64_t procs;                            /* size of the machine, at least 1 */
    const char *policy;                       /* "easy:order=sjf"; NULL: check the general rules */
    const struct loom_schedulers *schedulers; /* where to look it up; NULL: built-in policies */
    enum loom_overrun overrun; /* of the scheduler, for jobs that ran longer than requested */
    enum loom_compat compat;   /* LOOM_COMPAT_PYSS: a policy is checked by "exact" only */
    bool exact;                /* also check "exact"; requires a policy */
    /* Sentences have dates and human units if the schedule has a start date; otherwise seconds as
     * in the schedule. */
    bool dates;
};

/* Check a schedule against rules and store the result in *out; a violation is not a failure. The
 * rules "start" (no job starts before it is submitted) and "capacity" (no more processors are in
 * use than there are) are always checked, "overrun" (no job runs longer than requested) with
 * LOOM_OVERRUN_KILL. With a policy, also
 *
 *     fcfs                                 "order" and "idle"
 *     easy, easy-sjbf, lookahead, relaxed  "idle" and "reservation"
 *     conservative                         "plan"
 *     selective, ups, or options->exact    "exact"
 *
 * with the order and slack of its parameters ("easy:order=sjf", "relaxed:slack=1"):
 *
 *     order        no job starts before one that precedes it in the order
 *     idle         the first waiting job starts as soon as it fits
 *     reservation  no job starts later than its reservation, made while it was first, plus the
 *                  slack, unless other jobs came before it or an estimate was too short
 *                  (LOOM_OVERRUN_EXTEND)
 *     plan         no job starts later than in the documented plan for the actual events
 *     exact        each job starts when it starts in a simulation under the policy; this holds for
 *                  every schedule of loom_sim_run_trace with the same rules. The first breach is
 *                  the first decision that differs; later ones may follow from it.
 *
 * Fails with LOOM_EUSAGE or LOOM_ERANGE for an invalid policy, LOOM_EUSAGE if exact has no policy,
 * LOOM_EDATA if no job ran or procs is not positive. */
LOOM_API int loom_validate(struct loom_validation *out, const struct loom_trace *schedule,
                           const struct loom_validate_options *options, struct loom_error *err);

/* Differences between two schedules of the same jobs, matched by job number. */
struct loom_schedule_difference {
    int64_t same;           /* jobs with the same start */
    int64_t unrun;          /* jobs that ran in neither */
    int64_t different;      /* other jobs in both */
    int64_t only_a, only_b; /* jobs in one schedule only */
    int64_t unlike;         /* jobs in both with different submit times or sizes */
    int64_t largest_s;      /* largest absolute difference of starts */
    double mean_s;          /* mean absolute difference of starts, of jobs that ran in both */
    size_t n_first;         /* the first jobs that differ, by number */
    struct {
        int64_t number, start_a_s, start_b_s; /* starts; -1: did not run */
    } first[LOOM_BREACHES_KEPT];
};

/* Compare two schedules and store the differences in *out. Fails with LOOM_EDATA if a job number
 * occurs twice in a schedule. */
LOOM_API int loom_schedules_compare(struct loom_schedule_difference *out,
                                    const struct loom_trace *a, const struct loom_trace *b,
                                    struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
