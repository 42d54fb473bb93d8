/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim.h - batch schedulers at work: a discrete-event simulation of a space-shared machine.
 *
 * The machine has N equal processors. A job takes some of them, for itself alone, from its start to
 * its end; it is not stopped, moved or resized on the way. Jobs come from a source (a trace, or
 * something that makes them during the run) and wait in a queue until a scheduler, by its policy,
 * starts them. The scheduler knows a job's submit time, processors, user and estimate, not how long
 * it will really run.
 *
 * Time is whole seconds. At each instant, in this order,
 *
 *     1. every job that ends now ends, in the order in which they were started;
 *     2. every job submitted now joins the queue, in the order in which the source submits them
 * (for a trace: by submit time, then by row);
 *     3. the scheduler makes one pass, and starts what it wants to start now.
 *
 * Jobs of runtime 0 started by the pass end in the same instant, and so bring about another round
 * of 1 to 3. A scheduler may also ask to be called at a later time of its choice. Nothing else
 * makes time go on: an instant exists because a job ends or is submitted in it, or because the
 * scheduler asked for it.
 *
 * The estimate of a job is its requested time or, where that is not known, its runtime; or what an
 * estimator says (predict.h). It is at least 1 s. Where a job would run longer than that, the
 * overrun rule says what happens:
 *
 *     raise   the estimate is raised to the runtime before the scheduler sees it (the default)
 *     kill    the job ends when its estimate is over
 *     extend  the job runs on; when its estimate is over, the scheduler is told a new one, twice as
 *             long unless an estimator says otherwise, and so on until the job ends
 *
 * Nothing is altered in silence: struct loom_sim_counts tells how many jobs were dropped, cut or
 * given another estimate, and why. A job without submit time, processors or runtime is dropped; one
 * wider than the machine is rejected, which its source and the observers are told.
 *
 * The rules of another simulator, pyss, can be had instead (LOOM_COMPAT_PYSS): at equal times
 * submissions come before ends, a pass follows every single submission and end, and a job whose
 * estimate is over counts as ended for the scheduler even where its end comes later in that
 * instant.
 *
 * What fails how: an unknown policy or parameter is LOOM_EUSAGE, a number out of its range
 * LOOM_ERANGE, a trace that cannot be simulated (no runtimes, unknown machine) LOOM_EDATA, and so
 * is a policy that leaves jobs waiting on an idle machine. After a failure the results are void,
 * but the simulator can be run again.
 *
 * A struct loom_sim owns clock, queue and all state. There are no globals: any number of them run
 * side by side, each used by one thread at a time. Running one again forgets the run before and
 * reuses its memory. The same input gives the same schedule, always.
 *
 * What a run shows when it is over is in sim_results.h. Users who react are in sim_users.h, grids
 * of several machines in sim_grid.h, checks of schedules in sim_validate.h, and the interface of a
 * policy in scheduler.h.
 */
#ifndef WORKLOOM_SIM_H
#define WORKLOOM_SIM_H

#include <workloom/predict.h>
#include <workloom/users.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOOM_NEVER INT64_MAX   /* a time that does not come */
#define LOOM_NO_JOB UINT32_MAX /* no job's number */
#define LOOM_NO_ROW UINT32_MAX /* the job stands in no trace */

struct loom_sim;

/* ---- jobs ------------------------------------------------------------------------------------ */

/* A job of a simulation. Jobs are numbered from 0 in the order in which they joined the queue. */
struct loom_sim_job {
    int64_t submit_s;
    int64_t run_s;      /* from start to end, after any cut; not for the eyes of a scheduler */
    int64_t estimate_s; /* what the scheduler believes, at least 1; grows under `extend` */
    int64_t start_s;    /* -1 while it waits */
    int32_t procs;
    int32_t user;   /* -1 if unknown */
    uint32_t row;   /* in the trace that the source took it from, or LOOM_NO_ROW */
    uint32_t notes; /* enum loom_job_note, joined by | */
};

enum loom_job_note {
    LOOM_JOB_CUT = 1,    /* killed when its estimate was over */
    LOOM_JOB_RAISED = 2, /* its estimate was raised to its runtime or to 1 s */
    LOOM_JOB_GRID =
        4, /* on a cluster of a grid: the grid sent it, its row is of the grid's trace */
};

/* When a started job ends, or will. */
static inline int64_t loom_sim_job_end(const struct loom_sim_job *job)
{
    return job->start_s + job->run_s;
}

static inline int64_t loom_sim_job_wait(const struct loom_sim_job *job)
{
    return job->start_s - job->submit_s;
}

/* max(1, response / max(runtime, 10 s)) of a started job. */
static inline double loom_sim_job_bounded_slowdown(const struct loom_sim_job *job)
{
    int64_t response_s = loom_sim_job_wait(job) + job->run_s;
    int64_t bound_s = job->run_s > 10 ? job->run_s : 10;
    return response_s > bound_s ? (double)response_s / (double)bound_s : 1;
}

/* ---- where jobs come from -------------------------------------------------------------------- */

/* A job as its source submits it. -1 is unknown. */
struct loom_submission {
    int64_t submit_s;
    int64_t run_s;
    int64_t request_s;
    int32_t procs;
    int32_t user;
    uint32_t row;
};

/* A source of jobs. The simulation asks when the next submission is due and, when time has come to
 * that, takes it; then asks again. What becomes of its jobs is told to a source that wants to know,
 * before it is next asked: users who react to the service they get decide then what to submit next,
 * and when. A time that has passed already is taken as now.
 *
 * Functions are given `self`. Only due and take must be there. */
struct loom_job_source {
    void *self;
    size_t expected; /* about how many jobs will come, to make room for; 0 if unknown */
    /* When the next job is submitted, as things stand; LOOM_NEVER if none is. */
    int64_t (*due)(void *self);
    /* That job. Called only when due() is not LOOM_NEVER. */
    int (*take)(void *self, struct loom_submission *out, struct loom_error *err);
    /* Fill in group, executable, queue and memory of the job last taken, if they are known. Called
     * only if there is an estimator. */
    void (*describe)(void *self, const struct loom_submission *job, struct loom_job_view *view);
    /* The job last taken has joined the queue under this number, or (LOOM_NO_JOB) never will. */
    int (*admitted)(void *self, uint32_t job, struct loom_error *err);
    int (*started)(void *self, uint32_t job, const struct loom_sim_job *what,
                   struct loom_error *err);
    int (*ended)(void *self, uint32_t job, const struct loom_sim_job *what, struct loom_error *err);
};

/* ---- observers ------------------------------------------------------------------------------- */

enum loom_sim_event_kind {
    LOOM_EVENT_SUBMIT = 1,  /* a job joined the queue */
    LOOM_EVENT_REJECT = 2,  /* a job is rejected or dropped; `job` is LOOM_NO_JOB */
    LOOM_EVENT_RESERVE = 4, /* the scheduler plans to start a job at planned_s, by estimates */
    LOOM_EVENT_START = 8,   /* a job starts, for the reason `why` */
    LOOM_EVENT_END = 16,    /* a job has ended */
    LOOM_EVENT_EXTEND = 32, /* a running job has outlived its estimate and got a new one */
    LOOM_EVENT_PASS = 64,   /* the scheduler's pass is over; `job` is LOOM_NO_JOB */
    LOOM_EVENT_SEND = 128,  /* a grid's job is about to be sent to `cluster` */
};

/* Why the scheduler starts a job. */
enum loom_why {
    LOOM_WHY_TURN,    /* it is the first in the queue's order, and fits */
    LOOM_WHY_BEFORE,  /* backfilled: by its estimate it ends before the reservation begins */
    LOOM_WHY_BESIDE,  /* backfilled: it needs only processors that the reservation leaves */
    LOOM_WHY_PLANNED, /* the time of its own reservation has come */
    LOOM_WHY_OTHER,   /* a reason of the policy's own */
};

struct loom_sim_event {
    enum loom_sim_event_kind kind;
    uint32_t job;
    int64_t time_s;    /* now */
    int64_t planned_s; /* of a reservation */
    enum loom_why why; /* of a start */
    const struct loom_submission *rejected;
    size_t cluster;
};

/* Someone who watches. `wants` tells the kinds of event, joined by |; others cost nothing. The
 * functions below that ask a simulation for its state may be used. A failure ends the run. */
struct loom_observer {
    void *self;
    unsigned wants;
    int (*see)(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
               struct loom_error *err);
};

/* ---- policies -------------------------------------------------------------------------------- */

/* Policies by name: the built-in ones and those added to them. Wherever a registry is asked for,
 * NULL stands for the built-in ones alone. It must not change while simulations use it; then any
 * number of threads may share it. */
struct loom_schedulers;

/* Create a registry of the built-in policies. The caller must destroy it. */
LOOM_API int loom_schedulers_create(struct loom_schedulers **out, struct loom_error *err);
/* Add the policies of a plug-in, a shared object as workloom/scheduler.h describes it. LOOM_EIO if
 * the file cannot be opened; LOOM_EDATA if it is no plug-in, is built for another version of the
 * interface, or declares a policy that is faulty or whose name is taken: nothing is added then. */
LOOM_API int loom_schedulers_load(struct loom_schedulers *schedulers, const char *path,
                                  struct loom_error *err);
/* Unload the plug-ins. Destroy all simulators that ran their policies before. */
LOOM_API void loom_schedulers_destroy(struct loom_schedulers *schedulers);

struct loom_scheduler_info {
    const char *name;
    const char *summary;
    const struct loom_param *params; /* ends with a NULL name */
};

/* The policies there are, for listings: NULL past the last. */
LOOM_API const struct loom_scheduler_info *
loom_scheduler_at(const struct loom_schedulers *schedulers, size_t index);

/* What a policy vows, with the parameters that it is given. */
enum loom_promise {
    LOOM_PROMISE_ORDER = 1,     /* jobs start in the queue's order */
    LOOM_PROMISE_HEAD = 2,      /* as long as a job is the first, its reservation never moves back
                                 * (estimates being upper bounds) */
    LOOM_PROMISE_ALL = 4,       /* nor does that of any job that has one, first or not */
    LOOM_PROMISE_NO_STARVE = 8, /* every job starts, however many others keep coming */
    LOOM_PROMISE_FIRST = 16,    /* who is the first stays that until it starts */
};
/* For "easy:order=sjf": enum loom_promise, joined by |. */
LOOM_API int loom_scheduler_promises(unsigned *out, const struct loom_schedulers *schedulers,
                                     const char *scheduler, struct loom_error *err);

/* The orders a queue can have, for listings: name and what comes first. NULL past the last. */
struct loom_order_info {
    const char *name;
    const char *summary;
    bool changes; /* with time: the queue is put in order anew before each pass */
};
LOOM_API const struct loom_order_info *loom_order_at(size_t index);

/* ---- running --------------------------------------------------------------------------------- */

enum loom_overrun { LOOM_OVERRUN_RAISE, LOOM_OVERRUN_KILL, LOOM_OVERRUN_EXTEND };
enum loom_compat { LOOM_COMPAT_NONE, LOOM_COMPAT_PYSS };

struct loom_sim_options {
    /* A policy and its parameters: "easy", "easy:order=sjf", "NAME:PARAMETER=VALUE,...". */
    const char *scheduler;
    const struct loom_schedulers *schedulers; /* that it is one of; NULL: the built-in ones */
    int64_t procs; /* of the machine; 0 takes what the trace's header says */
    enum loom_overrun overrun;
    enum loom_compat compat;
    const struct loom_estimator *estimator; /* NULL goes by requests */
    const struct loom_observer *observers;
    size_t n_observers;
    struct loom_progress *progress; /* NULL, or counts jobs that ended */
};

LOOM_API int loom_sim_create(struct loom_sim **out, struct loom_error *err);
LOOM_API void loom_sim_destroy(struct loom_sim *sim);
/* A simulator keeps the memory of a run for the next one. Give back what only that would use; the
 * jobs, and all that can be asked of them, stay. */
LOOM_API void loom_sim_shrink(struct loom_sim *sim);

/* Check a policy and its parameters without running anything. */
LOOM_API int loom_scheduler_check(const struct loom_schedulers *schedulers, const char *scheduler,
                                  struct loom_error *err);

/* Simulate until no job is left and none is due. */
LOOM_API int loom_sim_run(struct loom_sim *sim, const struct loom_sim_options *options,
                          const struct loom_job_source *source, struct loom_error *err);
/* The same with the jobs of a trace as the source, at their own submit times. */
LOOM_API int loom_sim_run_trace(struct loom_sim *sim, const struct loom_sim_options *options,
                                const struct loom_trace *trace, struct loom_error *err);

/* ---- another load ---------------------------------------------------------------------------- */

/* What gives way when a trace is to offer another load: the size of the machine (thesis figure
 * 5.3), the times between submissions, or the runtimes with the requested times. */
enum loom_load_way { LOOM_LOAD_SIZE, LOOM_LOAD_ARRIVALS, LOOM_LOAD_RUNTIMES };
enum { LOOM_LOAD_WAYS = 3 };
enum { LOOM_LOAD_MOST = 100 }; /* far above 1, where the queue grows without end */

/* "size", "arrivals", "runtimes" */
LOOM_API const char *loom_load_way_name(enum loom_load_way way);

/* The load that the jobs of a trace offer to a machine, without those that it could not run: their
 * work / (processors * time from first to last submit). NAN where they come all at once. */
LOOM_API double loom_load_offered(const struct loom_trace *trace, int64_t procs);

struct loom_load_change {
    enum loom_load_way way;
    double asked;
    double before, after; /* loads offered: after differs from asked by rounding */
    double factor;        /* by which processors, times between submissions or runtimes grew */
    int64_t procs;        /* of the machine to simulate */
};

/* Make a trace offer this load: work of the jobs / (processors * time from first to last submit),
 * before any job is killed. procs is the machine as it was, 0 for that of the trace's header. The
 * change is noted in the header. Where the size of the machine gives way, it is the smallest that
 * runs all jobs that the machine ran before and has that load over the jobs that fit it: a larger
 * one takes wider jobs. Fails with LOOM_ERANGE where no such change can be made, as on a machine
 * that would be too small for the widest job. */
LOOM_API int loom_load_change(struct loom_load_change *out, struct loom_trace *trace, int64_t procs,
                              double load, enum loom_load_way way, struct loom_error *err);
/* ---- the state, during and after a run ------------------------------------------------------- */

LOOM_API int64_t loom_sim_now(const struct loom_sim *sim);
LOOM_API int64_t loom_sim_procs(const struct loom_sim *sim);
LOOM_API int64_t loom_sim_free(const struct loom_sim *sim); /* processors no job has */
LOOM_API size_t loom_sim_queued(const struct loom_sim *sim);
LOOM_API size_t loom_sim_running(const struct loom_sim *sim);

/* All jobs so far; borrowed until the next submission. n may be NULL. */
LOOM_API const struct loom_sim_job *loom_sim_jobs(const struct loom_sim *sim, size_t *n);

/* What became of the jobs that the source gave: X(name, what it is). The rejected and
 * dropped ones are not among the jobs simulated. */
#define LOOM_SIM_COUNTS(X)                                          \
    X(rejected_too_wide, "wider than the machine, rejected")        \
    X(dropped_no_runtime, "no known runtime, dropped")              \
    X(dropped_no_procs, "no known processors, dropped")             \
    X(dropped_no_submit, "no known submit time, dropped")           \
    X(dropped_too_long, "a time beyond 2^48 s, dropped")            \
    X(estimates_missing, "no estimate: the runtime taken instead")  \
    X(estimates_raised, "estimate below the runtime, raised to it") \
    X(estimates_to_1s, "estimate of 0 s, raised to 1 s")            \
    X(cut, "ran into the estimate, killed")                         \
    X(extended, "outlived the estimate, ran on")

struct loom_sim_counts {
#define X(name, what) int64_t name;
    LOOM_SIM_COUNTS(X)
#undef X
};
LOOM_API const struct loom_sim_counts *loom_sim_counts(const struct loom_sim *sim);

/* Make the trace that was simulated the schedule: the simulated waits, the runtimes after any cut,
 * -1 for the wait of a job that was not simulated. */
LOOM_API int loom_sim_schedule(const struct loom_sim *sim, struct loom_trace *trace,
                               struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
