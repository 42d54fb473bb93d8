/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scheduler.h - what a scheduling policy provides and what it may use: one .c file in src/sched
 * that ends in a const struct loom_scheduler_ops, and one line in the list in
 * src/sched/schedulers.c. template.c there is the one to copy.
 *
 * The engine keeps the clock, the machine and the queue. It calls a policy's pass() at each instant
 * in which a job ended, outlived its estimate or joined the queue, or which the policy asked for,
 * after all ends and submissions of that instant, and the policy
 * starts what it wants with loom_sim_start(). A started job is out of the queue and on the machine
 * at once, so that a pass always sees things as they are.
 *
 * A policy must not look at run_s of a job, and must start every job at some time.
 *
 * Memory: state_size bytes of zeroed state are there from open to close. A policy that `reopens` is
 * not closed between its runs on one simulator: open then finds its state as the last run left it,
 * be it one that failed, and uses its memory again. Failures of memory inside the calls below are
 * remembered by the engine and end the run after the pass, so that a policy need not look after
 * them.
 */
#ifndef LOOM_SIM_SCHEDULER_H
#define LOOM_SIM_SCHEDULER_H

#include "sim/index/order.h"
#include "sim/index/profile.h"
#include "sim/index/queue.h"

#include <workloom/sim_results.h>

struct loom_scheduler_ops {
    struct loom_scheduler_info info;
    unsigned promises; /* enum loom_promise, joined by |: what it vows with any parameters */
    /* And what with these; NULL: no more. The conformance suite holds it to all of that. */
    unsigned (*promises_by)(const struct loom_params *params);
    /* Refuse parameters that do not go together; NULL: all do. */
    int (*check)(const struct loom_params *params, struct loom_error *err);
    bool ranks;         /* it orders the waiting jobs by itself, anew in each pass */
    bool only_starts;   /* where no waiting job fits, its pass does nothing: no need to put them in
                         * order then */
    bool wants_profile; /* the engine shall keep loom_sim_profile() */
    bool keeps_jobs;    /* the policy lists waiting jobs itself: loom_sim_waiting() has them only
                         * where someone watches */
    bool reopens;       /* open takes the state of an earlier run as well as a zeroed one */
    size_t state_size;
    /* Before a run: read the parameters, choose the queue's order (loom_sim_set_order). */
    int (*open)(struct loom_sim *sim, void *state, const struct loom_params *params,
                struct loom_error *err);
    void (*close)(void *state);
    /* A job has joined the queue; has ended; has outlived its estimate and got a new one. */
    int (*submitted)(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err);
    int (*ended)(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err);
    int (*extended)(struct loom_sim *sim, void *state, uint32_t job, int64_t old_estimate_s,
                    struct loom_error *err);
    int (*pass)(struct loom_sim *sim, void *state, struct loom_error *err);
    /* For those who explain a job: by what it weighs one that waits, or is being started, in a pass
     * or right after it; `out` comes zeroed, without a first job, and with the time. NULL: by the
     * order of the queue alone. */
    void (*weigh)(const struct loom_sim *sim, const void *state, uint32_t job,
                  struct loom_standing *out);
};

/* ---- what a policy may use, besides the functions of workloom/sim.h -------------------------- */

const struct loom_sim_job *loom_sim_job(const struct loom_sim *sim, uint32_t job);

/* The waiting jobs, in the order set by open (default: as submitted). */
void loom_sim_set_order(struct loom_sim *sim, const struct loom_order *order);
struct loom_queue *loom_sim_waiting(struct loom_sim *sim);
/* loom_queue_at and loom_queue_next_fit on them. */
struct loom_cursor loom_sim_cursor(const struct loom_sim *sim, uint32_t job);
/* May some waiting job fit the free processors, or does an observer want to know of reservations
 * anyway? Where not, a policy can spare itself the search for a gap. */
bool loom_sim_could_backfill(const struct loom_sim *sim);
uint32_t loom_sim_next_fit(const struct loom_sim *sim, struct loom_cursor *cursor,
                           const struct loom_gap *gap);

/* Which processors are free when, by the estimates of the running jobs. A policy may book
 * reservations in it; the engine books what runs. Only with wants_profile. */
struct loom_profile *loom_sim_profile(struct loom_sim *sim);

/* Start a waiting job now. It must fit. */
void loom_sim_start(struct loom_sim *sim, uint32_t job, enum loom_why why);
/* The same for a job that the policy has booked in the profile from now on: the booking stays. */
void loom_sim_start_booked(struct loom_sim *sim, uint32_t job, enum loom_why why);
/* Start jobs in the queue's order as long as the next one fits. Returns the first that does not, or
 * LOOM_NO_JOB if none is left. */
uint32_t loom_sim_start_in_order(struct loom_sim *sim);

/* Tell the observers that a job is planned to start at planned_s. */
void loom_sim_reserve(struct loom_sim *sim, uint32_t job, int64_t planned_s);
/* Make a pass at time_s too, if that is later than now. A pass forgets the calls before it. */
void loom_sim_wake(struct loom_sim *sim, int64_t time_s);

/* ---- the list (src/sched/schedulers.c) ------------------------------------------------------- */

/* Split "NAME:PARAMETER=VALUE,..." into a policy and its parameters, which the caller must destroy.
 */
int loom_scheduler_parse(const struct loom_scheduler_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err);

const struct loom_scheduler_ops *loom_scheduler_ops_at(size_t index);

/* What a policy vows: enum loom_promise, joined by |. */
static inline unsigned loom_promises(const struct loom_scheduler_ops *ops,
                                     const struct loom_params *params)
{
    return ops->promises | (ops->promises_by ? ops->promises_by(params) : 0);
}

#endif
