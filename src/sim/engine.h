/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine.h - the inside of struct loom_sim, for the files of this room.
 *
 * Invariants between instants: free = procs - sum of procs of the jobs on the machine; every one of
 * the first n_jobs of the table waits (start_s < 0, in `waiting` or unlisted), runs (in `ends`) or
 * has ended. The profile, if kept, has every running job booked to the end of its estimate;
 * `running` has every job on the machine.
 */
#ifndef LOOM_SIM_ENGINE_H
#define LOOM_SIM_ENGINE_H

#include "sim/downtime.h"
#include "sim/index/ends.h"
#include "sim/index/running.h"
#include "sim/limits.h"
#include "sim/replay.h"
#include "sim/schedulers.h"

struct loom_sim {
    struct loom_sim_options options;
    const struct loom_job_source *source;
    struct loom_replay *replay; /* the same, if it is the jobs of a trace; else NULL */
    const struct loom_scheduler_ops *ops;
    void *state; /* the policy's */
    size_t state_capacity;
    const struct loom_scheduler_ops *holder; /* policy that has `state` open; NULL: none */

    struct loom_sim_job *jobs;
    size_t n_jobs, jobs_capacity;
    size_t n_admitted; /* early, those not yet submitted included: see loom_sim_admit_early */
    struct loom_job_view *views; /* by job, for the estimator; unused without one */
    size_t views_capacity;
    uint32_t n_viewed; /* views given out, held jobs included */
    uint32_t origin;   /* of the source's jobs: see struct loom_job_view */
    struct loom_sim_counts counts;
    struct loom_clock clock; /* downtimes; times of the engine are then uptime */
    int64_t *stamps;         /* by job: its submit time, where times are uptime; else unused */
    size_t stamps_capacity;
    struct loom_limits limits; /* of users */

    int64_t now_s;
    int64_t procs, free;
    int64_t widest; /* processors that one job may have: procs or, in a grid, the largest cluster */
    int64_t wake_s; /* next pass that the scheduler asked for, or LOOM_NEVER */
    size_t n_running;
    uint32_t starts;                     /* jobs started so far */
    size_t queue_max;                    /* after a pass */
    size_t measured_first, measured_end; /* numbers of the jobs to measure; end 0: all */
    struct loom_sim_job *chosen;         /* copies of the measured jobs that count; NULL: all do */
    size_t n_chosen;
    uint8_t *left_out;    /* by job: 1 if it is of no measure at all; NULL: none is */
    unsigned watched;     /* kinds of event that some observer wants */
    bool has_more_tables; /* by job, than `jobs` */
    bool only_starts;     /* a pass that can start nothing need not be made */
    bool starts_alone;    /* a job that fits and waits alone is started without a pass */
    bool starts_noted;    /* somebody wants to know of starts */
    bool ends_noted;
    bool source_reacts; /* the due time of the source may depend on the run */
    int64_t due_s;      /* when the source submits next, if it does not */

    struct loom_queue waiting;
    size_t unlisted; /* jobs that wait, but only the policy knows which */
    struct loom_profile profile;
    struct loom_ends ends;
    struct loom_running running; /* jobs on the machine, by the end of their estimate */
    uint32_t *due;               /* pyss: jobs that end in this instant, in order */
    size_t n_due, due_capacity;

    struct loom_error failure; /* of a call that cannot return one; code 0 if none */
};

/* Return the number of waiting jobs. */
static inline size_t queued(const struct loom_sim *sim)
{
    return loom_queue_count(&sim->waiting) + sim->unlisted;
}

/* ---- a run, step by step --------------------------------------------------------------------- */

/* loom_sim_run is begin, then step at next until that is LOOM_NEVER, then check_done and close. */

/* Parse the policy of the options, and open. Nothing is open after a failure. */
int loom_sim_begin(struct loom_sim *sim, const struct loom_sim_options *options,
                   const struct loom_job_source *source, struct loom_error *err);
/* Discard the previous run, and open a policy; options->scheduler is not used. */
int loom_sim_open(struct loom_sim *sim, const struct loom_sim_options *options,
                  const struct loom_scheduler_ops *ops, const struct loom_params *params,
                  const struct loom_job_source *source, struct loom_error *err);
/* Return the time of the next event: now or later. */
int64_t loom_sim_next(const struct loom_sim *sim);
/* Advance to time_s and do one round of ends, submissions and a pass. */
int loom_sim_step(struct loom_sim *sim, int64_t time_s, struct loom_error *err);
/* Advance to the submission of a job that was admitted elsewhere; it joins the queue, and the
 * scheduler makes a pass. Only an estimator needs the view; without one it may be NULL. */
int loom_sim_join(struct loom_sim *sim, const struct loom_sim_job *job,
                  const struct loom_job_view *view, struct loom_error *err);
/* Report an event to the observers that want it. */
int loom_sim_notify(struct loom_sim *sim, const struct loom_sim_event *event,
                    struct loom_error *err);
/* Fails if jobs are left waiting. */
int loom_sim_check_done(const struct loom_sim *sim, struct loom_error *err);
/* Give the jobs of a finished run their times, where the engine's were uptime, and sort them by
 * submission, where some were held back (restore.c). */
void loom_sim_restore(struct loom_sim *sim);
/* Sort the jobs of a finished run by (submission, row). */
void loom_sim_sort(struct loom_sim *sim);
/* End a run. The state of a policy that reopens is kept for its next run. */
void loom_sim_close(struct loom_sim *sim);

/* Drop the submissions of the source that have no known time. */
int loom_sim_drop_unknown(struct loom_sim *sim, struct loom_error *err);
/* Admit the jobs of a trace in one go before the first event, which is faster than one by one
 * between events, if that makes no difference. What is left is submitted in the usual way: what has
 * no room in the table, or is beyond the end of time. */
void loom_sim_admit_early(struct loom_sim *sim);
/* Ask the source when it submits next. */
static inline int64_t loom_sim_ask_due(const struct loom_sim *sim)
{
    int64_t due_s = sim->source->due(sim->source->self);
    return sim->clock.times ? loom_clock_uptime(&sim->clock, due_s) : due_s;
}
/* Return when the next job is submitted. A source that learns nothing of the run is asked once a
 * job. */
static inline int64_t loom_sim_due(const struct loom_sim *sim)
{
    return sim->source_reacts ? loom_sim_ask_due(sim) : sim->due_s;
}
/* Take the next submission from the source: a job joins the queue, is held back, or is dropped. */
int loom_sim_submit_one(struct loom_sim *sim, struct loom_error *err);
/* Make room for one more job, in the tables and on the machine. */
int loom_sim_make_room(struct loom_sim *sim, struct loom_error *err);
static inline bool loom_sim_has_room(const struct loom_sim *sim)
{
    return queued(sim) + sim->n_running < sim->ends.later.capacity &&
           sim->n_jobs < sim->jobs_capacity && !sim->has_more_tables;
}
/* The job behind the last is submitted. There must be room. */
int loom_sim_enlist(struct loom_sim *sim, struct loom_error *err);
/* Start the waiting job of a slot, which fits. */
void loom_sim_start_slot(struct loom_sim *sim, struct loom_queue_slot slot, enum loom_why why);

/* ---- parts of it ----------------------------------------------------------------------------- */

/* Return whether a time of a job is beyond 2^48 s. Such a job is dropped, as sums of times must not
 * overflow: see also the engine's check of the clock. */
static inline bool are_too_long(int64_t submit_s, int64_t run_s, int64_t request_s)
{
    const int64_t longest_s = INT64_C(1) << 48;
    return submit_s > longest_s || run_s > longest_s || request_s > longest_s;
}

/* Return why a submission is dropped, in the words of LOOM_SIM_COUNTS; NULL if it is not. */
const char *loom_refusal(const struct loom_sim *sim, const struct loom_submission *submission);

/* Make room for the view of the next job, if there is an estimator (estimates.c). */
int loom_views_reserve(struct loom_sim *sim, struct loom_error *err);
/* Return the first estimate of the next job, as yet unchecked. */
int64_t loom_first_estimate(struct loom_sim *sim, const struct loom_submission *submission);
/* Return the next estimate of a job that has outlived its last one. */
int64_t loom_next_estimate(const struct loom_sim *sim, uint32_t job);
/* Call the estimator, if there is one. */
int loom_estimator_started(const struct loom_sim *sim, uint32_t job, struct loom_error *err);
int loom_estimator_learn(const struct loom_sim *sim, uint32_t job, struct loom_error *err);

/* Set options->procs from the trace if it is 0, and check that there are jobs to simulate
 * (source_trace.c). */
int loom_sim_settle(struct loom_sim_options *options, const struct loom_trace *trace,
                    struct loom_error *err);

/* Return the jobs that count in metrics (metrics.c). */
const struct loom_sim_job *loom_sim_measured(const struct loom_sim *sim, size_t *n);

#endif
