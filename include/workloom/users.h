/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * users.h - the people behind a log: what each of them submitted, session by session and batch by
 * batch, and which of them were there for how long (Zakay, chapters 2 and 3).
 *
 * A log knows jobs. What it does not say is when a person sat down to work and when they left, and
 * which jobs were sent off together. Both are inferred from the times of one user's jobs in order
 * of submission:
 *
 *     session  a stretch of continuous work, which ends with a long break
 *     batch    jobs of one session that overlap, so that no later one can have waited for the
 * result of an earlier one
 *
 * The interval from what came before to the submission of a job is its think time. A job starts a
 * new session if its think time is above a threshold. Within a session, it starts a new batch if
 * its think time is above zero. The methods differ in where a think time starts:
 *
 *     arrival   at the submission of the job before; in this method alone, batches go by `max`
 *     last      at the end of the job before
 *     max       at the latest end of all jobs before
 *     last_cut  as last, but a job counts as ended at the latest `cut` after its submission
 *     max_cut   as max, with the same cut
 *
 * Jobs run for days and people do not sit and wait for them, which makes sessions by `last` and
 * `max` far too long; `arrival` is the method to use. With it and with max, the batches of a
 * session are the connected components of its overlapping jobs.
 *
 * Limits are inclusive: a think time of exactly the threshold does not end a session, and a job
 * submitted in the second in which the batch ends belongs to it.
 *
 * A job ends at submit + wait + run. A wait or run time that is not known counts as 0, as most jobs
 * without one never ran; where no job knows its wait, only what goes by arrivals alone means
 * anything, and it is up to the caller to look. Jobs without a user belong to no session. Sums of
 * times stop at the ends of int64_t.
 *
 * Users come in two kinds. Those whose first and last submission are more than 12 weeks apart are
 * long-term users: they were there before and after the log. The others are temporary users, and
 * come and go. A temporary user seen only within 4 weeks of the beginning or of the end of the log
 * is discarded, as the log probably shows a part of their activity only.
 *
 * Everything is arrays. The jobs of known users, ordered by user, submission and place in the
 * input, have positions 0 .. n - 1. Users, sessions and batches are runs of positions that follow
 * each other without gaps, so that each is described by where it begins: number i holds the
 * positions first[i]
 * .. first[i + 1] - 1. What follows a batch is the next one, as long as it is the same user's.
 *
 * Finding all this takes one stable sort by digits, a fixed number of passes over the jobs and a
 * handful of allocations, whatever the number of users. The structs below are to be read, not
 * changed; sessions and pools keep no reference to the users they were made from.
 */
#ifndef WORKLOOM_USERS_H
#define WORKLOOM_USERS_H

#include <workloom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- jobs by user ---------------------------------------------------------------------------- */

/* The jobs to look at, by columns, in any order. Negative users, waits and run times are unknown.
 */
struct loom_activity {
    size_t n;
    const int32_t *user;
    const int64_t *submit_s;
    const int64_t *wait_s;
    const int64_t *run_s;
};

/* All jobs of a trace; borrows its columns. */
LOOM_API struct loom_activity loom_trace_activity(const struct loom_trace *trace);

struct loom_users {
    size_t n_jobs;           /* all jobs looked at */
    int64_t begin_s, end_s;  /* first and last submission of all jobs: the logging period */
    size_t n;                /* jobs of known users, which is the number of positions */
    const uint32_t *job;     /* by position: the job's index in the activity */
    const int64_t *submit_s; /* by position */
    const int64_t *ended_s;  /* by position: submit + wait + run */
    size_t count;            /* users */
    const int32_t *number;   /* by user: the number in the log, ascending */
    const uint32_t *first;   /* by user: the first position; count + 1 entries */
};

/* The activity is not needed afterwards. */
LOOM_API int loom_users_create(struct loom_users **out, const struct loom_activity *activity,
                               struct loom_error *err);
LOOM_API void loom_users_destroy(struct loom_users *users);

/* When a user was first and last seen to submit. */
LOOM_API int64_t loom_user_begin(const struct loom_users *users, size_t user);
LOOM_API int64_t loom_user_end(const struct loom_users *users, size_t user);

/* ---- sessions and batches -------------------------------------------------------------------- */

enum loom_session_method {
    LOOM_SESSION_ARRIVAL,
    LOOM_SESSION_LAST,
    LOOM_SESSION_MAX,
    LOOM_SESSION_LAST_CUT,
    LOOM_SESSION_MAX_CUT,
};
enum { LOOM_SESSION_METHODS = 5 };

struct loom_session_rule {
    enum loom_session_method method;
    int64_t threshold_s; /* the longest think time within a session, at least 0 */
    int64_t cut_s;       /* for the methods with a cut, at least 0 */
};

/* The rule with the limits of the texts: 60 minutes between arrivals, else 20 minutes; cut at 60.
 */
LOOM_API struct loom_session_rule loom_session_rule(enum loom_session_method method);
/* "arrival", "last", "max", "last_cut", "max_cut" */
LOOM_API const char *loom_session_method_name(enum loom_session_method method);

/* The session or batch of a job whose user is not known. */
#define LOOM_NO_SESSION UINT32_MAX

struct loom_sessions {
    struct loom_session_rule rule;
    size_t count;                 /* sessions */
    size_t batches;               /* of all sessions */
    const uint32_t *first;        /* by session: the first position; count + 1 entries */
    const uint32_t *batch_first;  /* by batch: the first position; batches + 1 entries */
    const uint32_t *first_batch;  /* by session: the first batch; count + 1 entries */
    const uint32_t *user_session; /* by user: the first session; one more entry than users */
    const uint32_t *of_job;       /* by job of the activity: its session */
    const uint32_t *batch_of_job; /* by job of the activity: its batch */
    /* By session: from its first submission to its last one (arrival), or to the latest end of its
     * jobs, cut where the method cuts. */
    const int64_t *length_s;
};

LOOM_API int loom_sessions_create(struct loom_sessions **out, const struct loom_users *users,
                                  const struct loom_session_rule *rule, struct loom_error *err);
LOOM_API void loom_sessions_destroy(struct loom_sessions *sessions);

/* ---- pools of users -------------------------------------------------------------------------- */

enum loom_user_kind { LOOM_LONG_TERM, LOOM_TEMPORARY, LOOM_DISCARDED };
enum { LOOM_USER_KINDS = 3 };

struct loom_user_rule {
    int64_t long_term_s; /* a long-term user is active for more than this */
    int64_t edge_s; /* a temporary user active only this near to an end of the log is discarded */
};

/* 12 weeks and 4 weeks. */
LOOM_API struct loom_user_rule loom_user_rule(void);

struct loom_user_pools {
    size_t count[LOOM_USER_KINDS];            /* users of each kind */
    size_t jobs[LOOM_USER_KINDS];             /* and their jobs */
    const uint8_t *kind;                      /* by user: an enum loom_user_kind */
    const uint32_t *members[LOOM_USER_KINDS]; /* the users of each kind, ascending */
};

LOOM_API int loom_user_pools_create(struct loom_user_pools **out, const struct loom_users *users,
                                    const struct loom_user_rule *rule, struct loom_error *err);
LOOM_API void loom_user_pools_destroy(struct loom_user_pools *pools);

/* ---- bags of tasks --------------------------------------------------------------------------- */

/* Similar jobs that one user submits in quick succession (thesis 2.3.3). Take the jobs of all users
 * together, in order of submission. A bag is a longest run of neighbours in that order, each
 * submitted at most delta_s after the one before it, that agree in user, group, queue, executable,
 * requested time and processors. A job of somebody else in between ends a bag. Every job is in one
 * bag, alone if need be; bags of at least two jobs are the ones that the thesis calls real.
 *
 * What jobs do not know, such as their executables, makes no difference between them: unknown
 * values are equal. Only a job of unknown user is a bag by itself, since nothing says that two of
 * them are the same person's. */

enum { LOOM_BAG_DELTA_S = 100 }; /* thesis 3.4 */

/* In order of arrival: bag b holds the rows row[first[b]] .. row[first[b + 1] - 1] of the trace. */
struct loom_bags {
    size_t count;
    size_t n_jobs;
    const uint32_t *row;   /* the rows of the trace by (submit, row); n_jobs entries */
    const uint32_t *first; /* by bag: the place of its first job in row; count + 1 entries */
};

/* Keeps no reference to the trace. */
LOOM_API int loom_bags_create(struct loom_bags **out, const struct loom_trace *trace,
                              int64_t delta_s, struct loom_error *err);
LOOM_API void loom_bags_destroy(struct loom_bags *bags);

static inline size_t loom_bag_size(const struct loom_bags *bags, size_t bag)
{
    return bags->first[bag + 1] - bags->first[bag];
}

#ifdef __cplusplus
}
#endif
#endif
