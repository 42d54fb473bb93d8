/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usergraph.h - the people of the user graph model, for the file that has the model, the files that
 * let them come and work, and the file that finds them in a log. */
#ifndef LOOM_MODELS_USERGRAPH_USERGRAPH_H
#define LOOM_MODELS_USERGRAPH_USERGRAPH_H

#include "models/arrivals/week.h"
#include "models/model.h"
#include "models/usergraph/curve.h"

enum { LOOM_USERGRAPH_STATES = 16 };

/* Jobs that are alike: same size, executable and so on, and runtimes in the same half of a decade.
 */
struct loom_job_kind {
    int64_t procs;
    int64_t group, executable, queue; /* -1: unknown */
    int64_t jobs;
    struct loom_curve run_s;
};

/* A node of a user's graph: one frequent kind of jobs, and rare ones that are like it. */
struct loom_user_state {
    size_t n_kinds;
    struct loom_job_kind *kinds;
    double share;                       /* of the user's jobs */
    double next[LOOM_USERGRAPH_STATES]; /* probability of the state of the next job */
};

struct loom_user_model {
    double begin_s;                 /* from the start of the log to the first job */
    double stay_s;                  /* from the first job to the last */
    int64_t sessions;               /* in that time */
    struct loom_curve session_jobs; /* in a session */
    struct loom_curve gap_s;        /* between the jobs of a session */
    /* From where a session is over, the longest pause after its last job, to the next, in working
     * time. */
    struct loom_curve off_s;
    size_t n_states;
    struct loom_user_state states[LOOM_USERGRAPH_STATES];
};

/* What one period has: every user of the log once, or users drawn from the log's; with
 * their jobs in another order. */
enum loom_usergraph_population { LOOM_USERGRAPH_KEPT, LOOM_USERGRAPH_DRAWN };

struct loom_usergraph {
    int population;               /* an enum loom_usergraph_population */
    double period_s;              /* every user comes about once in it: the length of the log */
    double week[LOOM_WEEK_HOURS]; /* how fast working time passes, by hour; mean 1 */
    size_t n_users;
    struct loom_user_model *users;
};

int loom_usergraph_fit(void *state, const struct loom_training *log, struct loom_error *err);

/* In all states of a user, and in all sessions of all users. */
double loom_usergraph_jobs(const struct loom_user_model *user);
double loom_usergraph_period_jobs(const struct loom_usergraph *model);

/* ---- visits ---------------------------------------------------------------------------------- */

struct loom_planned_job {
    const struct loom_job_kind *kind;
    double run_s;
};

/* What a visit will be like, all of it drawn before it begins. */
struct loom_visit_plan {
    double *jobs, *off_s; /* by session: how many jobs, and how long the absence after it is */
    size_t sessions_room;
    double *gap_s;                    /* between jobs, session after session */
    struct loom_planned_job *planned; /* state after state, in the order in which they are run */
    size_t jobs_room;
};

/* One generation: its users, who come until the horizon, and the state of drawing them. */
struct loom_usergraph_generator {
    const struct loom_usergraph *model;
    struct loom_generation *generation;
    struct loom_week week;
    int64_t horizon_s;
    int64_t pause_s;   /* the longest within a session */
    int64_t number;    /* of users so far */
    double rounding;   /* of the rate to whole users, see copies_of() */
    double draws_left; /* see loom_usergraph_spend() */
    double *moments;   /* when users come whom no end of the log cut; see come() */
    size_t n_moments;
    double *returns;             /* a trial counts ends of absences, and makes no jobs; else NULL */
    struct loom_visit_plan plan; /* room for one */
};

int loom_usergraph_generator_open(struct loom_usergraph_generator *out,
                                  const struct loom_usergraph *model,
                                  struct loom_generation *generation, struct loom_error *err);
/* Free what it holds; may follow a failed open. */
void loom_usergraph_generator_close(struct loom_usergraph_generator *generator);
/* Make all jobs in the draft, user after user. */
int loom_usergraph_generate(struct loom_usergraph_generator *generator, struct loom_error *err);

/* What a period is like to which every user comes once, and which begins that long after a Monday
 * 00:00: adds to returns, LOOM_WEEK_HOURS values, how many absences end in each hour of the week.
 * No workload has the same random numbers. */
int loom_usergraph_trial(const struct loom_usergraph *model, int64_t week_phase_s,
                         uint64_t replication, double *returns, struct loom_error *err);

/* How many absences are to end in each hour of the week, and how far single hours are trusted, from
 * 0 to 1, where the day and the hour of all such days say something else. */
struct loom_clock_aim {
    double returns[LOOM_WEEK_HOURS], expected[LOOM_WEEK_HOURS], trust[LOOM_WEEK_HOURS];
};
/* What is not chance of the numbers of a log. */
void loom_clock_aim_at(struct loom_clock_aim *out, const double *returns);
/* Speeds at which so many more or fewer absences would end as are missing, if where one begins said
 * nothing of where it ends; that by a part, the gain, and within a factor of the aim itself, as the
 * hours of a log of a few days may say nothing of its absences. */
void loom_clock_correct(double *week, const struct loom_clock_aim *aim, const double *found,
                        double gain);

/* Shuffle sizes, to all jobs of a row at once that a user submits with one size, no later
 * than pause_s after each other: no correlation with runtimes, and bags stay. Jobs must be in
 * the order of loom_usergraph_generate(): user after user. */
int loom_usergraph_shuffle_sizes(struct loom_generation *generation, int64_t pause_s,
                                 struct loom_error *err);

/* A document may have users with far more jobs than are asked for: what is drawn has a limit. */
int loom_usergraph_spend(struct loom_usergraph_generator *generator, double draws,
                         struct loom_error *err);

/* Hand in what one user does from start_s, seconds since time 0, until the horizon. */
int loom_usergraph_visit(struct loom_usergraph_generator *generator,
                         const struct loom_user_model *user, struct loom_stream *stream,
                         int32_t number, double start_s, struct loom_error *err);
void loom_visit_plan_free(struct loom_visit_plan *plan);

#endif
