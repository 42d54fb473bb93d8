/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * users.h - the users of a log: their sessions and batches of jobs, and how long each was active
 * (Zakay, chapters 2 and 3).
 *
 * A log lists jobs. Sessions and batches are inferred from the times of each user's jobs, in order
 * of submission:
 *
 *     session  a stretch of continuous work, which ends with a long break
 *     batch    jobs of one session that overlap, so that none can have waited for the result of
 *              an earlier one
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
 * Jobs may run for days while their user is away, so sessions by `last` and `max` are far too long:
 * use `arrival`. With it and with max, the batches of a session are the connected components of its
 * overlapping jobs.
 *
 * Limits are inclusive: a think time of exactly the threshold does not end a session, and a job
 * submitted in the second in which the batch ends belongs to it.
 *
 * A job ends at submit + wait + run. A wait or runtime that is not known counts as 0, as most jobs
 * without one never ran; where no job has a recorded wait, only results by `arrival` mean anything,
 * and the caller must check. Jobs without a user belong to no session. Sums of times stop at the
 * ends of int64_t.
 *
 * A long-term user has more than 12 weeks from the first submission to the latest end of a job, and
 * is taken to be active before and after the log. All others are temporary users. A temporary user
 * all of whose submissions are within 4 weeks of the beginning or of the end of the log is
 * discarded, as the log probably shows a part of their activity only.
 *
 * Everything is arrays. The jobs of known users, ordered by user, submission and place in the
 * input, have positions 0 .. n - 1. Users, sessions and batches are contiguous ranges of positions:
 * number i has the positions first[i] to first[i + 1] - 1.
 *
 * The cost is one stable radix sort, a fixed number of passes over the jobs and a few allocations,
 * whatever the number of users. The structs below are read-only; sessions and pools keep no
 * reference to the users they were made from.
 */
#ifndef WORKLOOM_USERS_H
#define WORKLOOM_USERS_H

#include <workloom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- jobs by user ---------------------------------------------------------------------------- */

/* The jobs to look at, by columns, in any order. Negative users, waits and runtimes are unknown,
 * and so is a submit time of -1. */
struct loom_activity {
    size_t n;
    const int32_t *user;
    const int64_t *submit_s;
    const int64_t *wait_s;
    const int64_t *run_s;
};

/* Return all jobs of a trace as activity; borrows its columns. */
LOOM_API struct loom_activity loom_trace_activity(const struct loom_trace *trace);

struct loom_users {
    size_t n_jobs;           /* all jobs looked at */
    int64_t begin_s, end_s;  /* first and last submission of all jobs: the logging period */
    size_t n;                /* jobs of known user and submit time: the number of positions */
    const uint32_t *job;     /* by position: the job's index in the activity */
    const int64_t *submit_s; /* by position */
    const int64_t *ended_s;  /* by position: submit + wait + run */
    size_t count;            /* users */
    const int32_t *number;   /* by user: the number in the log, ascending */
    const uint32_t *first;   /* by user: the first position; count + 1 entries */
};

/* Sort jobs by user. The caller must destroy *out; the activity is not needed afterwards.
 * LOOM_ERANGE for more jobs than 32 bits count. */
LOOM_API int loom_users_create(struct loom_users **out, const struct loom_activity *activity,
                               struct loom_error *err);

/* Free users, which may be NULL. */
LOOM_API void loom_users_destroy(struct loom_users *users);

/* Return the first submission of a user, by place in struct loom_users. */
LOOM_API int64_t loom_user_begin(const struct loom_users *users, size_t user);

/* Return the last submission of a user, by place in struct loom_users. */
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

/* Return the rule of a method with the limits of the texts: 60 minutes between arrivals, else 20
 * minutes; cut at 60. */
LOOM_API struct loom_session_rule loom_session_rule(enum loom_session_method method);

/* Return "arrival", "last", "max", "last_cut" or "max_cut". Static text. */
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
    /* By session: from its first submission to its last one (arrival), to the end of the job
     * submitted last (last), or to the latest end of its jobs (max), cut where the method cuts. */
    const int64_t *length_s;
};

/* Find the sessions and batches of users. The caller must destroy *out; it keeps no reference to
 * users and rule. LOOM_ERANGE for a negative limit. */
LOOM_API int loom_sessions_create(struct loom_sessions **out, const struct loom_users *users,
                                  const struct loom_session_rule *rule, struct loom_error *err);

/* Free sessions, which may be NULL. */
LOOM_API void loom_sessions_destroy(struct loom_sessions *sessions);

/* ---- pools of users -------------------------------------------------------------------------- */

enum loom_user_kind { LOOM_LONG_TERM, LOOM_TEMPORARY, LOOM_DISCARDED, LOOM_RARE };
enum { LOOM_USER_KINDS = 4 };

struct loom_user_rule {
    int64_t long_term_s; /* a long-term user has more, from first submission to latest end */
    int64_t edge_s; /* a temporary user active only this near to an end of the log is discarded */
    int64_t rare_from; /* users with this number or a higher one are rare behaviours, see below */
};

/* Return the rule of the texts: 12 weeks, 4 weeks, and no rare behaviours. */
LOOM_API struct loom_user_rule loom_user_rule(void);

struct loom_user_pools {
    size_t count[LOOM_USER_KINDS];            /* users of each kind */
    size_t jobs[LOOM_USER_KINDS];             /* and their jobs */
    const uint8_t *kind;                      /* by user: an enum loom_user_kind */
    const uint32_t *members[LOOM_USER_KINDS]; /* the users of each kind, ascending */
};

/* Sort users into pools. The caller must destroy *out; it keeps no reference to users and rule. */
LOOM_API int loom_user_pools_create(struct loom_user_pools **out, const struct loom_users *users,
                                    const struct loom_user_rule *rule, struct loom_error *err);

/* Free pools, which may be NULL. */
LOOM_API void loom_user_pools_destroy(struct loom_user_pools *pools);

/* A rare behaviour: what a user did from one time to another, both included (chapter 3, section
 * 6.4). */
struct loom_rare {
    int32_t user;
    int64_t from_s, to_s;
};

/* Make each of n rare behaviours a user of its own: the jobs in it get the user number `rare_from`
 * plus the behaviour's index in the list. A job in several belongs to the first. `user` is a copy
 * of the activity's column, which is changed; *rare_from becomes the number above all of the log's.
 * LOOM_EDATA if a behaviour has no job, LOOM_ERANGE if numbers run out. */
LOOM_API int loom_rare_split(int32_t *user, int64_t *rare_from,
                             const struct loom_activity *activity, const struct loom_rare *rare,
                             size_t n, struct loom_error *err);

/* ---- who depends on what --------------------------------------------------------------------- */

/* What a user waits for before going on (chapter 4, definitions 8 and 12). Batch b follows b - 1,
 * where both are the same user's. It depends on
 *
 *     1. the batch before it in the same session, or,
 *     2. where it is the first of its session, on the last batch of every earlier session of its
 *        user whose jobs had all ended before it came.
 *
 * The second rule gives every session a list as long as the log. Most of its entries are implied,
 * as the batch before depends on them already. Lists hold the others only: the batches that ended
 * after the previous session began. A user who submits batches in order, each after those in its
 * list have ended, satisfies all dependencies. Every batch is in at most one list, the one of batch
 * `dependent`. */

#define LOOM_NO_BATCH UINT32_MAX

struct loom_batch_graph {
    size_t batches;
    size_t users;
    const uint32_t *user_batch; /* by user: the first batch; one more entry than users */
    const int64_t *begin_s;     /* by batch: its first submission */
    const int64_t *last_s;      /* by batch: its last submission */
    const int64_t *ended_s;     /* by batch: when the last of its jobs ended */
    const uint32_t *dependent;  /* by batch: the batch whose list it is in, or LOOM_NO_BATCH */
    const uint32_t *list_first; /* by batch: where its list begins; batches + 1 entries */
    const uint32_t *list;       /* the batches that one depends on and the one before does not */
    /* By batch, from the end of all it depends on to its first submission; -1 if it depends on
     * none. */
    const int64_t *think_s;
    /* By batch, from the last submission of the one it follows; -1 for the first of a user. */
    const int64_t *interarrival_s;
};

/* Find what batches depend on. The caller must destroy *out; it keeps no reference to users and
 * sessions. */
LOOM_API int loom_batch_graph_create(struct loom_batch_graph **out, const struct loom_users *users,
                                     const struct loom_sessions *sessions, struct loom_error *err);

/* Free graph, which may be NULL. */
LOOM_API void loom_batch_graph_destroy(struct loom_batch_graph *graph);

/* ---- populations ----------------------------------------------------------------------------- */

/* New workloads from the users of a log (chapter 3, section 4): which users are present, from when
 * on, and which part of their logged activity they repeat.
 *
 * Weeks count from the first submission of the log, and everything is moved by whole weeks of 7 *
 * 86400 seconds, so that all jobs keep their day of the week and time of the day. Where clocks
 * change with the season, a job moved from one season to another is off by an hour.
 *
 *     long-term users   are drawn at the start, and each starts at a random point of the log,
 *                       within its activity or outside. One round takes as long as the log, on
 *                       average over rounds of whole weeks; then they start again.
 *     temporary users   at the start, each is there with a probability in proportion to the weeks
 *                       of its activity, in any week of it. In each later week, each starts from
 *                       its first job with the same probability, which makes their number
 *                       binomial. None starts twice in a week.
 *     rare behaviours   each starts in each week with the same probability, in place of a
 *                       temporary user.
 *
 * A load factor multiplies the numbers of users. Long-term users are all taken once before any is
 * taken twice, and those who are taken several times start as far apart as the log allows. Where
 * more temporary users than there are have to start in a week, all start once before any does
 * twice. */

struct loom_population_rule {
    double load_factor; /* multiplies the three numbers below; above 0 */
    double long_term;   /* long-term users; negative: as many as in the log */
    double temporary;   /* temporary users at the start; negative: as in a week of the log */
    double arrivals; /* of temporary users in a week; negative: those that bring the log's jobs */
    double rare_per_week; /* of them, rare behaviours; at most as many as arrive */
    int64_t length_s;     /* of the new workload; 0: as long as the log */
    /* Long-term users start in a week of their own activity (chapter 3), not in any week of the log
     * (chapter 5). All of them are then active at the start, and fewer in the middle of a round. */
    bool start_active;
    /* Long-term users do not start again by themselves: loom_user_next_round is asked. */
    bool closed;
    /* By user of the log: relative probability of being drawn, at the same number of users in
     * total; NULL: all the same. Finite, not negative. */
    const double *weight;
};

/* Return the rule of a population of as many users as in the log, for as long. */
LOOM_API struct loom_population_rule loom_population_rule(void);

/* A round of a person: the jobs of a user of the log, from one job on, shifted by whole weeks. */
struct loom_user_round {
    uint32_t user;     /* of the log, by place in struct loom_users */
    uint32_t first;    /* the position of the first job; all later ones of the user follow */
    int64_t shift_s;   /* to be added to submissions; a multiple of a week */
    int64_t arrival_s; /* of the first job, after the shift */
    uint32_t person;   /* the new user, from 0; long-term users stay the same person */
    uint8_t kind;      /* an enum loom_user_kind */
};

struct loom_population {
    int64_t begin_s; /* first second of the new workload, as in the log */
    int64_t until_s; /* the first second after it; jobs from here on are left out */
    size_t persons;
    const uint32_t *original; /* by person: the user of the log */
    size_t n;
    const struct loom_user_round *rounds; /* by arrival, then person */
};

/* Draw a population from streams of this seed and replication. The caller must destroy *out; it
 * keeps no reference to users, pools and rule. LOOM_ERANGE for numbers out of bounds, LOOM_EDATA if
 * no user can be drawn, LOOM_EUSAGE for rare behaviours that nobody named; err->field names the
 * field of the rule. */
LOOM_API int loom_population_create(struct loom_population **out, const struct loom_users *users,
                                    const struct loom_user_pools *pools,
                                    const struct loom_population_rule *rule, uint64_t seed,
                                    uint64_t replication, struct loom_error *err);

/* Free population, which may be NULL. */
LOOM_API void loom_population_destroy(struct loom_population *population);

/* Return the next round of the same person: all jobs, the first at earliest_s or less than a week
 * after it. */
LOOM_API struct loom_user_round loom_user_next_round(const struct loom_users *users,
                                                     const struct loom_user_round *before,
                                                     int64_t earliest_s);

/* Return how long a user pauses between the end of the last job of a round and the next time that
 * a round may begin (loom_user_next_round), so that rounds take as long as the log on average
 * under its service: the length of the log less the activity, less half a week. */
LOOM_API int64_t loom_user_pause(const struct loom_users *users, size_t user);

/* Return the mean number of temporary users in a week of the log, as many as bring the jobs of the
 * discarded ones too. */
LOOM_API double loom_temporary_present(const struct loom_users *users,
                                       const struct loom_user_pools *pools);

/* Return the mean number of new temporary users in a week of the log, discarded ones included. */
LOOM_API double loom_temporary_arrivals(const struct loom_users *users,
                                        const struct loom_user_pools *pools);

/* ---- behaviour under feedback ---------------------------------------------------------------- */

/* How users decide when to submit what they would submit next (Zakay, chapter 4, section VII). */
struct loom_behaviour_info {
    const char *name;
    const char *summary;
    const struct loom_param *params; /* ends with a NULL name; NULL if there are none */
};

/* Return a behaviour model by index, static; NULL past the last. */
LOOM_API const struct loom_behaviour_info *loom_behaviour_at(size_t index);

/* Check a model and its parameters, "NAME:PARAMETER=VALUE,...", without using it. LOOM_EUSAGE or
 * LOOM_ERANGE if it is not valid. */
LOOM_API int loom_behaviour_check(const char *behaviour, struct loom_error *err);

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
    const uint32_t *row; /* rows of the jobs with a submit time by (submit, row); n_jobs entries */
    const uint32_t *first; /* by bag: the place of its first job in row; count + 1 entries */
};

/* Find the bags of tasks of a trace. The caller must destroy *out; it keeps no reference to the
 * trace. */
LOOM_API int loom_bags_create(struct loom_bags **out, const struct loom_trace *trace,
                              int64_t delta_s, struct loom_error *err);

/* Free bags, which may be NULL. */
LOOM_API void loom_bags_destroy(struct loom_bags *bags);

/* Return the number of jobs of a bag. */
static inline size_t loom_bag_size(const struct loom_bags *bags, size_t bag)
{
    return bags->first[bag + 1] - bags->first[bag];
}

#ifdef __cplusplus
}
#endif
#endif
