/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_users.h - simulations in which users react to the service they get (Zakay 2017, chapters 4
 * and 5).
 *
 * Jobs come from the users of a log, or from a population resampled from them. The jobs of each
 * user are split into batches. Batches are submitted in the order of the log, each after all
 * batches that it depends on have ended, at a time chosen by a behaviour model. Jobs keep their
 * attributes, and the jobs of a batch keep the times between them.
 *
 * A user of the log submits the first job at its submit time in the log; jobs without a known user
 * are submitted at their own submit times. In a population, temporary users submit their jobs once.
 * Long-term users start again after their last job has ended, at the same second of the week as
 * before, so that throughput is a result of the simulation. Nothing is submitted after the end of
 * the population.
 *
 * Without a behaviour model users do not react; a population is then a resampled log.
 *
 * Beyond the text, users may react to poor service: before a batch that follows a job with bounded
 * slowdown above `poor`, the user ends the session with probability `abort`, and leaves for good
 * with probability `abandon`.
 */
#ifndef WORKLOOM_SIM_USERS_H
#define WORKLOOM_SIM_USERS_H

#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A source of jobs of such users, for any number of runs. */
struct loom_feedback;

struct loom_feedback_options {
    const char *behaviour; /* "fluid", "NAME:PARAMETER=VALUE,...", or NULL */
    const struct loom_population_rule *population; /* NULL: the users of the log */
    const struct loom_user_rule *pools;            /* NULL: loom_user_rule() */
    const struct loom_session_rule *sessions;      /* NULL: by arrivals, up to 60 minutes apart */
    const struct loom_rare *rare; /* rare behaviours, as separate users of a population */
    size_t n_rare;
    bool pauses; /* long-term users pause, as in an open population, before they start again */
    double poor, abort, abandon; /* see above */
    uint64_t seed;
};

/* What users did in the last run. */
struct loom_feedback_counts {
    int64_t users;     /* in the log or the population */
    int64_t returned;  /* restarts of long-term users */
    int64_t aborted;   /* sessions ended by poor service */
    int64_t abandoned; /* users who left for good */
    int64_t jobs_lost; /* jobs that these did not submit */
};

/* Create a source of jobs from the users of a trace, in *out. The trace must outlive it; the
 * options are borrowed for the call. The caller must destroy it. Fails with LOOM_EDATA if no job
 * has a known user or nobody can be resampled, LOOM_EUSAGE for an unknown behaviour or parameter,
 * LOOM_ERANGE for a value out of range. */
LOOM_API int loom_feedback_create(struct loom_feedback **out, const struct loom_trace *trace,
                                  const struct loom_feedback_options *options,
                                  struct loom_error *err);
/* Destroy a source; NULL is allowed. */
LOOM_API void loom_feedback_destroy(struct loom_feedback *feedback);

/* Begin a run with the random numbers of a replication and store the source of its jobs in *out,
 * for one loom_sim_run. Borrowed until the next loom_feedback_begin. Fails with LOOM_EDATA or
 * LOOM_ERANGE if no population can be drawn. */
LOOM_API int loom_feedback_begin(const struct loom_job_source **out, struct loom_feedback *feedback,
                                 uint64_t replication, struct loom_error *err);
/* Begin a run and simulate it. With options->procs 0 the machine size is taken from the header of
 * the trace. Fails as loom_feedback_begin and loom_sim_run_trace do. */
LOOM_API int loom_sim_run_feedback(struct loom_sim *sim, const struct loom_sim_options *options,
                                   struct loom_feedback *feedback, uint64_t replication,
                                   struct loom_error *err);

/* Return the counts of the last run. Borrowed from feedback. */
LOOM_API const struct loom_feedback_counts *
loom_feedback_counts(const struct loom_feedback *feedback);
/* Create the schedule of the last run as a new trace in *out: the simulated jobs in the order of
 * submission, with simulated submit times and waits. Users of the log keep their job numbers; the
 * jobs and users of a population are renumbered, and the header names the user of the log behind
 * each. The caller must destroy it. Fails with LOOM_ENOMEM. */
LOOM_API int loom_feedback_schedule(struct loom_trace **out, const struct loom_feedback *feedback,
                                    const struct loom_sim *sim, struct loom_error *err);

/* Return the window in which users submitted in the last run: the time of the population, or
 * loom_sim_window for the users of a log. */
LOOM_API struct loom_sim_window loom_feedback_window(const struct loom_feedback *feedback,
                                                     const struct loom_sim *sim);

/* Return whether a user number of the last run stands for a rare behaviour of the population. */
LOOM_API bool loom_feedback_is_rare(const struct loom_feedback *feedback, int32_t user);

/* ---- metrics of users ------------------------------------------------------------------------ */

/* Activity of users, computed from the simulated jobs alone; sessions are detected again, with up
 * to an hour between submissions. Jobs of unknown users do not count. NAN if there are no users. */
struct loom_user_metrics {
    int64_t users;
    int64_t sessions;
    double active_weeks_mean, active_weeks_median; /* weeks of a user with a submission */
    double activity_mean_s, activity_median_s;     /* from first to last submission of a user */
    /* Of a user, from first submission to last end, at least a day. */
    double jobs_per_day_mean, jobs_per_day_median;
    double session_mean_s, session_median_s; /* from first to last submission of a session */
};

/* Compute the metrics of the users of a run into *out, with sessions by rule (NULL: by arrivals, up
 * to 60 minutes apart). Fails with LOOM_ENOMEM, or LOOM_ERANGE for a rule that cannot be. */
LOOM_API int loom_user_metrics(struct loom_user_metrics *out, const struct loom_sim *sim,
                               const struct loom_session_rule *rule, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
