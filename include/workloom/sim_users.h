/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim_users.h - simulations whose jobs come from users who react to the service they get. */
#ifndef WORKLOOM_SIM_USERS_H
#define WORKLOOM_SIM_USERS_H

#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Jobs that come from people: the log's users, or a population resampled from them, who react to
 * the service they get (Zakay, chapters 4 and 5). Each user's jobs are cut into batches, which
 * arrive in the order of the log, none before all that it depends on has ended; when, a model of
 * behaviour says. Jobs keep what they are, and those of a batch the times between them.
 *
 * Of the log's own users, each comes with the first job when the log says, and jobs of unknown
 * users come when it says. In a population, temporary users come, do what they did, and leave;
 * long-term users start again when the last of their jobs has ended, in the same second of the week
 * as before, so that throughput is a result of the simulation. Nothing is submitted after the
 * population's time.
 *
 * Without a behaviour nobody reacts: a population then is a resampled log.
 *
 * Beyond the text, users may mind poor service: when a batch could follow a job whose bounded
 * slowdown was above `poor`, its user ends the session with probability `abort`, and leaves for
 * good with probability `abandon`. */
struct loom_feedback;

struct loom_feedback_options {
    const char *behaviour; /* "fluid", "NAME:PARAMETER=VALUE,...", or NULL */
    const struct loom_population_rule *population; /* NULL: the log's own users */
    const struct loom_user_rule *pools;            /* NULL: loom_user_rule() */
    const struct loom_session_rule *sessions;      /* NULL: by arrivals, up to 60 minutes apart */
    const struct loom_rare *rare; /* behaviours that are users of their own in a population */
    size_t n_rare;
    bool pauses; /* long-term users who start again pause before as they do in an open population */
    double poor, abort, abandon;
    uint64_t seed;
};

/* What became of the users in the last run. */
struct loom_feedback_counts {
    int64_t users;     /* who came */
    int64_t returned;  /* times that long-term users started again after their last job */
    int64_t aborted;   /* sessions ended by poor service */
    int64_t abandoned; /* users who left for good */
    int64_t jobs_lost; /* that these would have submitted */
};

/* The trace must outlive the result, which the caller must destroy. LOOM_EDATA where no job has a
 * known user, or nobody can be resampled. */
LOOM_API int loom_feedback_create(struct loom_feedback **out, const struct loom_trace *trace,
                                  const struct loom_feedback_options *options,
                                  struct loom_error *err);
LOOM_API void loom_feedback_destroy(struct loom_feedback *feedback);

/* Begin a run, with random numbers of its own for each replication, and hand out the source of its
 * jobs: good for one loom_sim_run, until the next begins. */
LOOM_API int loom_feedback_begin(const struct loom_job_source **out, struct loom_feedback *feedback,
                                 uint64_t replication, struct loom_error *err);
/* Begin and simulate. procs 0 takes the machine of the trace's header. */
LOOM_API int loom_sim_run_feedback(struct loom_sim *sim, const struct loom_sim_options *options,
                                   struct loom_feedback *feedback, uint64_t replication,
                                   struct loom_error *err);

LOOM_API const struct loom_feedback_counts *
loom_feedback_counts(const struct loom_feedback *feedback);
/* The schedule of the last run as a new trace, which the caller must destroy: the jobs that ran, in
 * the order of submission, at their new times and waits. Jobs of the log's own users keep their
 * numbers; those of a population are numbered anew, as are its users, of whom the header says who
 * they were. */
LOOM_API int loom_feedback_schedule(struct loom_trace **out, const struct loom_feedback *feedback,
                                    const struct loom_sim *sim, struct loom_error *err);

/* When people submitted in the last run: the time of the population or, for the log's own users,
 * that of the whole run. */
LOOM_API struct loom_sim_window loom_feedback_window(const struct loom_feedback *feedback,
                                                     const struct loom_sim *sim);

/* ---- what users did -------------------------------------------------------------------------- */

/* What the users of a schedule did, from their jobs alone: their sessions are found anew, with an
 * hour between submissions. Jobs of unknown users do not count. NAN where there is nobody. */
struct loom_user_metrics {
    int64_t users;
    int64_t sessions;
    /* Of users: weeks in which they submitted something, from first to last submission, and jobs a
     * day from first submission to last end (at least a day). */
    double active_weeks_mean, active_weeks_median;
    double activity_mean_s, activity_median_s;
    double jobs_per_day_mean, jobs_per_day_median;
    double session_mean_s, session_median_s; /* of sessions, from first to last submission */
};

LOOM_API int loom_user_metrics(struct loom_user_metrics *out, const struct loom_sim *sim,
                               struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
