/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scheduler.h - the interface of a scheduling policy: what it provides, and what it may use besides
 * workloom/sim.h. docs/ADDING-A-SCHEDULER.md builds one step by step.
 *
 * A policy is a const struct loom_scheduler_ops: name, declared parameters and a few functions, of
 * which only pass() is required. It lives in a plug-in, a shared object that is loaded at runtime
 * (LOOM_SCHEDULER_PLUGIN, at the end of this file), in a program that adds it with
 * loom_schedulers_add(), or in the tree (src/sched/template.c).
 *
 * The engine owns the clock, the machine and the queue of waiting jobs. A run is
 *
 *     open()                            read parameters, choose the order of the queue
 *     for each instant in which something happens:
 *         ended(), extended()           of each job that ends or outlives its estimate
 *         submitted()                   of each job that joins the queue
 *         pass()                        start what should start now
 *     close()
 *
 * When pass() is called: once at each instant in which a job ended, outlived its estimate or joined
 * the queue, or that the policy asked for with loom_sim_wake(), after all ends and submissions of
 * that instant. Jobs of runtime 0 that it starts end in the same instant, which then has another
 * round. Under LOOM_COMPAT_PYSS a pass follows each single end and submission.
 *
 * What pass() does: it calls loom_sim_start() for each job that should start now. The job leaves
 * the queue and takes its processors at once, so the state that a policy reads is always current.
 * A job that does not wait, or does not fit the free processors, is not started, and the run fails
 * after the pass.
 *
 * What is known: submit_s, estimate_s, procs and user of every job submitted so far, and start_s of
 * the running ones. run_s is the future: a policy must not read it. Estimates are upper bounds on
 * the runtime, except under LOOM_OVERRUN_EXTEND and with an estimator: then extended() reports each
 * one that proved too short, with the new one in estimate_s.
 *
 * Ties: jobs are numbered from 0 in the order in which they joined the queue. A queue is sorted by
 * the key of its order, equal keys by job number. Jobs that end in one instant are reported in the
 * order of their starts. A policy that is a function of what it sees therefore always makes the
 * same schedule; random numbers come from a struct loom_stream with a fixed seed.
 *
 * Every job must be started at some time. A run fails if jobs wait on a machine where nothing will
 * happen any more.
 *
 * Memory: state_size bytes of zeroed state exist from open() to close(), one per simulator; what it
 * points to is freed by close(). With `reopens`, close() is not called between two runs of a policy
 * on one simulator: open() then gets the state of the last run, which may have failed, and can
 * reuse its memory. A policy has no global state: simulators run in parallel.
 *
 * Failure: functions that take a struct loom_error return 0, or a negative code through
 * loom_fail(), which ends the run. close() is called after every open(), failed or not. The
 * loom_sim_* functions below cannot fail: the engine keeps the first failure (memory, an observer,
 * a start that cannot be) and ends the run after the pass.
 */
#ifndef WORKLOOM_SCHEDULER_H
#define WORKLOOM_SCHEDULER_H

#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. It changes whenever a plug-in must be rebuilt: with the layout of a
 * struct that policies use, or the meaning of a function. */
#define LOOM_SCHEDULER_ABI 1

/* ---- what a policy provides ------------------------------------------------------------------ */

struct loom_scheduler_ops {
    struct loom_scheduler_info info; /* name: letters, digits, '-' and '_' */
    unsigned promises;               /* with any parameters: flags of enum loom_promise */
    /* Return further promises with these parameters; NULL: none. tests/unit/test_conformance.c
     * checks all of them. */
    unsigned (*promises_by)(const struct loom_params *params);
    /* Check for parameters that exclude each other; NULL: none do. */
    int (*check)(const struct loom_params *params, struct loom_error *err);
    bool ranks;         /* it sorts the waiting jobs itself, in each pass */
    bool only_starts;   /* pass() does nothing if no waiting job fits: the engine then need not sort
                         * the queue */
    bool wants_profile; /* it uses loom_sim_profile() */
    bool keeps_jobs;    /* it lists the waiting jobs itself: they are in the engine's queue only if
                         * the run has observers */
    bool reopens;       /* open() accepts the state of an earlier run as well as a zeroed one */
    bool starts_alone;  /* pass() starts a job that fits and waits alone, and does no more: the
                         * engine then need not call it. Only for a policy without wants_profile,
                         * submitted, ended and extended. */
    size_t state_size;
    /* All but pass() may be NULL. */
    int (*open)(struct loom_sim *sim, void *state, const struct loom_params *params,
                struct loom_error *err);
    void (*close)(void *state);
    int (*submitted)(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err);
    int (*ended)(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err);
    int (*extended)(struct loom_sim *sim, void *state, uint32_t job, int64_t old_estimate_s,
                    struct loom_error *err);
    int (*pass)(struct loom_sim *sim, void *state, struct loom_error *err);
    /* Fill in the rank of a job that waits or is being started, for explanations; called during a
     * pass or right after it. `out` has time_s set, and first_job LOOM_NO_JOB. NULL: the policy
     * uses the order of the queue. */
    void (*explain_rank)(const struct loom_sim *sim, const void *state, uint32_t job,
                         struct loom_standing *out);
};

/* ---- orders of a queue ----------------------------------------------------------------------- */

/* An order of waiting jobs by key; the smallest comes first. */
struct loom_order {
    struct loom_order_info info;
    /* Return the key of job number `job`; NULL: order of submission. The key must not depend on
     * now_s unless info.changes. */
    double (*key)(const struct loom_sim_job *what, uint32_t job, int64_t now_s);
};

/* Names of all orders, in the order of loom_order_at; ends with NULL. */
LOOM_API extern const char *const loom_order_names[];
/* The order of submission. */
LOOM_API extern const struct loom_order loom_order_fcfs;

/* The parameter `order` of a policy whose queue can have any order. */
#define LOOM_ORDER_PARAM                                                                          \
    {                                                                                             \
        .name = "order", .type = LOOM_PARAM_CHOICE, .value = "fcfs", .choices = loom_order_names, \
        .metavar = "ORDER",                                                                       \
        .help = "which waiting job comes first; others than fcfs may let jobs starve "            \
                "('workloom list orders')"                                                        \
    }

/* Return the order of this name, NULL if there is none. Static. */
LOOM_API const struct loom_order *loom_order_find(const char *name);
/* Return the order that LOOM_ORDER_PARAM is set to in params. Static. */
LOOM_API const struct loom_order *loom_order_chosen(const struct loom_params *params);
/* Return the promises of a policy that protects the first job of a queue in the chosen order, for
 * promises_by. In order of submission no later job comes before it, so every job becomes first and
 * stays first; in any other order later jobs can come before it without limit. */
LOOM_API unsigned loom_order_promises(const struct loom_params *params);

/* ---- the waiting jobs ------------------------------------------------------------------------ */

/* Return the job of this number, borrowed until the next submission. */
LOOM_API const struct loom_sim_job *loom_sim_job(const struct loom_sim *sim, uint32_t job);

/* Set the order of the queue, which must outlive the run. To be called in open(); the default is
 * loom_order_fcfs. */
LOOM_API void loom_sim_set_order(struct loom_sim *sim, const struct loom_order *order);

/* A place in a queue, which stays valid when this job, or any other, is removed. A zeroed cursor is
 * before the first job. The fields are private. */
struct loom_cursor {
    bool inside;
    uint32_t job;
    int64_t key;
    uint32_t block, at; /* where the job was last seen */
};

/* Room for one more job, now: `procs` processors for length_s, of which `spare` are free for any
 * time. A job fits if procs <= gap.procs, and estimate_s <= gap.length_s or procs <= gap.spare. */
struct loom_gap {
    int64_t procs;
    int64_t length_s;
    int64_t spare;
};

/* Return whether a job fits a gap. */
static inline bool loom_gap_fits(const struct loom_gap *gap, const struct loom_sim_job *job)
{
    return job->procs <= gap->procs &&
           (job->estimate_s <= gap->length_s || job->procs <= gap->spare);
}

/* Return a cursor at a waiting job. */
LOOM_API struct loom_cursor loom_sim_cursor(const struct loom_sim *sim, uint32_t job);
/* Move the cursor to the next waiting job and return its number; LOOM_NO_JOB if there is none. */
LOOM_API uint32_t loom_sim_next_waiting(const struct loom_sim *sim, struct loom_cursor *cursor);
/* Move the cursor to the next waiting job that fits the gap and return its number; LOOM_NO_JOB if
 * there is none. Reads the waiting jobs in order, and skips blocks of 128 of them in which none can
 * fit. */
LOOM_API uint32_t loom_sim_next_fit(struct loom_sim *sim, struct loom_cursor *cursor,
                                    const struct loom_gap *gap);
/* Return whether some waiting job may fit the free processors, or an observer wants reservations
 * anyway. If not, a policy can skip the search for a gap. */
LOOM_API bool loom_sim_could_backfill(struct loom_sim *sim);

/* ---- starting jobs --------------------------------------------------------------------------- */

/* Start a waiting job now. It must fit the free processors. */
LOOM_API void loom_sim_start(struct loom_sim *sim, uint32_t job, enum loom_why why);
/* Start a job that the policy has already booked in the profile from now to the end of its
 * estimate; the engine takes the booking over. */
LOOM_API void loom_sim_start_booked(struct loom_sim *sim, uint32_t job, enum loom_why why);
/* Start jobs in the queue's order until one does not fit. Return that job, LOOM_NO_JOB if none is
 * left. */
LOOM_API uint32_t loom_sim_start_in_order(struct loom_sim *sim);

/* Report to the observers that a job is planned to start at planned_s. */
LOOM_API void loom_sim_reserve(struct loom_sim *sim, uint32_t job, int64_t planned_s);
/* Request a pass at time_s, if that is later than now. The earliest request holds; each pass clears
 * those made before it. */
LOOM_API void loom_sim_wake(struct loom_sim *sim, int64_t time_s);

/* ---- free processors over time --------------------------------------------------------------- */

/* The number of free processors from now on, a step function of time. The engine books each running
 * job up to the end of its estimate; a policy may book reservations and must unbook them itself.
 * The steps are sorted, in blocks of up to 32: a booking changes whole blocks between its ends at
 * once, and a search reads steps in order and skips blocks in which the job cannot fit. */
struct loom_profile;

/* Return the profile of the machine. Without wants_profile the run fails after the pass. */
LOOM_API struct loom_profile *loom_sim_profile(struct loom_sim *sim);
/* Book `procs` processors during [from_s, to_s). The part before now is ignored. */
LOOM_API void loom_profile_book(struct loom_profile *profile, int64_t from_s, int64_t to_s,
                                int64_t procs);
/* Undo a booking of `procs` processors during [from_s, to_s). The part before now is ignored. */
LOOM_API void loom_profile_unbook(struct loom_profile *profile, int64_t from_s, int64_t to_s,
                                  int64_t procs);
/* Return the number of free processors at a time, now or later. */
LOOM_API int64_t loom_profile_at(struct loom_profile *profile, int64_t time_s);
/* Return the first time, now or later, from which on `procs` processors are free for length_s;
 * LOOM_NEVER if there is none. */
LOOM_API int64_t loom_profile_earliest(struct loom_profile *profile, int64_t procs,
                                       int64_t length_s);
/* Return the first time after now at which fewer than `procs` processors are free, and in *left how
 * many; LOOM_NEVER if there is none. `procs` must be free now. */
LOOM_API int64_t loom_profile_below(struct loom_profile *profile, int64_t procs, int64_t *left);

/* ---- backfilling as in EASY ------------------------------------------------------------------ */

/* Return the shadow time of a job: the earliest at which it could start by the estimates of the
 * running jobs. What a policy has booked in the profile does not count. */
LOOM_API int64_t loom_shadow_s(struct loom_sim *sim, uint32_t job);
/* Return the gap that is left to others now if `first` is to start at reserved_s, its shadow time
 * or later. Reports the reservation to the observers. */
LOOM_API struct loom_gap loom_gap_beside(struct loom_sim *sim, uint32_t first, int64_t reserved_s);
/* loom_gap_beside at the shadow time of `first`, which does not fit now. */
LOOM_API struct loom_gap loom_shadow_gap(struct loom_sim *sim, uint32_t first);
/* Start a job that fits the gap, and reduce the gap by it. */
LOOM_API void loom_backfill(struct loom_sim *sim, struct loom_gap *gap, uint32_t job);
/* Start the jobs behind `first`, in the queue's order, that fit the gap. */
LOOM_API void loom_backfill_behind(struct loom_sim *sim, struct loom_gap *gap, uint32_t first);

/* ---- additional queues ----------------------------------------------------------------------- */

/* A queue of the policy's own, in another order than the engine's. `jobs` is always
 * loom_sim_jobs(sim, NULL). The policy adds a job when it is submitted and removes it when it
 * starts. */
struct loom_queue;

/* Create an empty queue in this order, which must outlive it. Return NULL when out of memory. The
 * caller must destroy it. */
LOOM_API struct loom_queue *loom_queue_create(const struct loom_order *order);
/* Destroy a queue; NULL is allowed. */
LOOM_API void loom_queue_destroy(struct loom_queue *queue);
/* Remove all jobs and set the order; keeps the memory. */
LOOM_API void loom_queue_reset(struct loom_queue *queue, const struct loom_order *order);

/* Add a job. Return 0, or -1 when out of memory. */
LOOM_API int loom_queue_add(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                            int64_t now_s);
/* Remove a job, which must be in the queue. */
LOOM_API void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                uint32_t job);
/* Compute all keys anew, for an order that changes with time. Return 0, or -1 when out of memory.
 */
LOOM_API int loom_queue_reorder(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                int64_t now_s);

/* Return a cursor at a job of the queue, as loom_sim_cursor does. */
LOOM_API struct loom_cursor loom_queue_at(const struct loom_queue *queue,
                                          const struct loom_sim_job *jobs, uint32_t job);
/* Move the cursor to the next job and return it, as loom_sim_next_waiting does. */
LOOM_API uint32_t loom_queue_next(const struct loom_queue *queue, struct loom_cursor *cursor);
/* Move the cursor to the next job that fits the gap and return it, as loom_sim_next_fit does. */
LOOM_API uint32_t loom_queue_next_fit(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                      struct loom_cursor *cursor, const struct loom_gap *gap);
/* Start the jobs of this queue that fit the gap, in its order, and remove them from it. */
LOOM_API void loom_backfill_from(struct loom_sim *sim, struct loom_gap *gap,
                                 struct loom_queue *queue);

/* ---- plug-ins -------------------------------------------------------------------------------- */

/* What a plug-in exports under the name loom_scheduler_plugin. `abi` stays the first field in every
 * version. */
struct loom_scheduler_plugin {
    unsigned abi;                                       /* LOOM_SCHEDULER_ABI */
    const struct loom_scheduler_ops *const *schedulers; /* ends with NULL */
};

/* Make a shared object a plug-in with these policies: LOOM_SCHEDULER_PLUGIN(&mine); at the end of
 * one file. It is compiled with
 *
 *     cc -shared -fPIC $(pkg-config --cflags workloom) -o mine.so mine.c
 *
 * and need not be linked with the library: it uses the copy of the program that loads it. */
#define LOOM_SCHEDULER_PLUGIN(...)                                                       \
    LOOM_API extern const struct loom_scheduler_plugin loom_scheduler_plugin;            \
    static const struct loom_scheduler_ops *const loom_scheduler_plugin_schedulers[] = { \
        __VA_ARGS__, NULL};                                                              \
    const struct loom_scheduler_plugin loom_scheduler_plugin = {LOOM_SCHEDULER_ABI,      \
                                                                loom_scheduler_plugin_schedulers}

/* Add a policy of this program to a registry (see sim.h). ops must outlive the registry. Fails with
 * LOOM_EDATA if the declaration is faulty or the name is taken. */
LOOM_API int loom_schedulers_add(struct loom_schedulers *schedulers,
                                 const struct loom_scheduler_ops *ops, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
