/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim_validate.h - checks of schedules, whoever made them, and the comparison of two. */
#ifndef WORKLOOM_SIM_VALIDATE_H
#define WORKLOOM_SIM_VALIDATE_H

#include <workloom/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A schedule is a trace whose waits and runtimes say when each job ran, whoever made it. Jobs with
 * an unknown wait, runtime or size did not run. A job's estimate is its requested time, at least
 * 1 s, or its runtime where that is not known; it has its processors from start to end, the end
 * excluded. */

/* One place where a schedule breaks a rule. */
struct loom_breach {
    uint32_t row; /* the job that does */
    int64_t time_s;
    char text[320]; /* one sentence */
};

enum { LOOM_BREACHES_KEPT = 10 };

/* One rule, and how the schedule stands against it. */
struct loom_checked {
    const char *rule; /* stable word: "capacity" */
    const char *what; /* what it says */
    int64_t breaches; /* in all, at most one of each job */
    struct loom_breach first[LOOM_BREACHES_KEPT];
};

enum { LOOM_CHECKS = 8 };

struct loom_validation {
    int64_t jobs;    /* that ran */
    int64_t unrun;   /* that did not */
    int64_t overran; /* of those that ran, longer than they requested */
    size_t n;        /* rules checked */
    struct loom_checked checks[LOOM_CHECKS];
};

struct loom_validate_options {
    int64_t procs;                            /* of the machine */
    const char *policy;                       /* "easy:order=sjf"; NULL checks what holds for any */
    const struct loom_schedulers *schedulers; /* that it is one of; NULL: the built-in ones */
    /* What the scheduler did with jobs that ran longer than requested. */
    enum loom_overrun overrun;
    enum loom_compat compat; /* LOOM_COMPAT_PYSS: a policy is checked by "exact" alone */
    bool exact;              /* check that too */
    /* The sentences give times for people: with their dates, where the schedule tells when it
     * began. Otherwise they are bare seconds, as in the schedule. */
    bool dates;
};

/* Always checked: "start" (no job starts before it is submitted) and "capacity" (no more processors
 * are busy than there are); with LOOM_OVERRUN_KILL "overrun" (no job runs longer than requested).
 * With a policy also what it promises:
 *
 *     fcfs                                 "order" and "idle"
 *     easy, easy-sjbf, lookahead, relaxed  "idle" and "reservation"
 *     conservative                         "plan"
 *     selective, ups, or when asked for    "exact"
 *
 * by the order and the slack that it is given ("easy:order=sjf", "relaxed:slack=1").
 *
 * order: no job starts before one that the order prefers. idle: the first waiting job starts as
 * soon as it fits. reservation: no job starts later than was promised to it while it was the first,
 * and the slack, unless others came before it or an estimate was too short
 * (LOOM_OVERRUN_EXTEND). plan: no job starts later than the documented plan has it, given all that
 * really happened. exact: the jobs are simulated under the policy, and each starts when it does
 * there. All inputs of a policy are in the schedule, so this holds for every schedule that
 * loom_sim_run_trace makes by the same rules. Of two schedules that part, the first decision that
 * was another is the first breach; what comes later may follow from it. */
LOOM_API int loom_validate(struct loom_validation *out, const struct loom_trace *schedule,
                           const struct loom_validate_options *options, struct loom_error *err);

/* Two schedules of the same jobs, which are paired by their numbers. */
struct loom_schedule_difference {
    int64_t same;           /* jobs with the same start */
    int64_t unrun;          /* jobs that ran in neither */
    int64_t different;      /* other jobs that are in both */
    int64_t only_a, only_b; /* jobs whose number the other schedule does not have */
    int64_t unlike;         /* jobs in both that are submitted at other times or of other sizes */
    int64_t largest_s;      /* largest difference of starts */
    double mean_s;          /* mean of the absolute differences, of jobs that ran in both */
    size_t n_first;         /* the first that differ, by number */
    struct {
        int64_t number, start_a_s, start_b_s; /* -1: did not run */
    } first[LOOM_BREACHES_KEPT];
};

/* Fails with LOOM_EDATA where a job number occurs twice. */
LOOM_API int loom_schedules_compare(struct loom_schedule_difference *out,
                                    const struct loom_trace *a, const struct loom_trace *b,
                                    struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
