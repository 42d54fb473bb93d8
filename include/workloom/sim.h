/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim.h - discrete-event simulation of batch schedulers on a space-shared machine.
 *
 * Model. The machine has N identical processors. A job holds a fixed number of them exclusively
 * from its start to its end: no preemption, migration or resizing. Jobs come from a source (a
 * trace, or code that creates them during the run) and wait in a queue until the scheduler starts
 * them. The scheduler knows the submit time, processors, user and estimate of a job, but not its
 * runtime.
 *
 * Time is an integer number of seconds (int64_t). An instant is simulated if a job ends or is
 * submitted in it, if the estimate of a running job runs out (below), or if the
 * scheduler requested it (loom_sim_wake in scheduler.h). The order within one instant is
 *
 *     1. ends, in the order in which the jobs were started;
 *     2. submissions, in the order of the source (for a trace: by submit time, then by row);
 *     3. one scheduling pass, which starts any number of jobs.
 *
 * Jobs with runtime 0 end in the instant of their start; the three steps then repeat.
 *
 * Estimates. The estimate of a job is its requested time, its runtime if the requested time is
 * unknown, or the result of an estimator (predict.h); it is at least 1 s. The overrun rule decides
 * about a job whose runtime exceeds its requested time:
 *
 *     raise   raise the requested time to the runtime before the scheduler sees it (default)
 *     kill    end the job when the requested time is over
 *     extend  let the job run
 *
 * Each time the estimate of a running job runs out, the scheduler gets a longer one: twice as long,
 * or from the estimator. Without an estimator this happens under `extend` only; with one, under any
 * rule.
 *
 * Input. A job with unknown submit time, processors or runtime is dropped. A job wider than the
 * machine is rejected. The source and the observers are notified of both. struct loom_sim_counts
 * has the number of jobs dropped, rejected, killed or given another estimate, by reason.
 *
 * Compatibility. LOOM_COMPAT_PYSS selects the rules of the simulator pyss: at equal times
 * submissions come before ends, a pass follows each submission and each end but not an estimate
 * that runs out, and a job whose estimate has run out no longer counts as running for the
 * scheduler, even if its end comes later in that instant.
 *
 * Failure. Functions that can fail return 0 or a negative code and fill err, which may be NULL.
 *
 *     LOOM_EUSAGE  unknown policy or parameter
 *     LOOM_ERANGE  number out of range
 *     LOOM_EDATA   trace that cannot be simulated (no runtimes, unknown machine size), or a policy
 *                  that makes an invalid start or leaves jobs waiting on an idle machine
 *     LOOM_ENOMEM  out of memory
 *
 * The code of a source, observer or policy that fails is returned as it is. After a failed run the
 * results are undefined, but the simulator can be used for another run.
 *
 * State. A struct loom_sim has the clock, the queue and all other state; there are no globals.
 * Simulators can run in parallel, each used by one thread at a time. A new run discards the
 * previous one and reuses its memory. Equal input gives equal schedules.
 *
 * Related headers: sim_results.h (results of a run), sim_users.h (users who react to service),
 * sim_grid.h (several clusters), sim_validate.h (checks of schedules), scheduler.h (writing a
 * policy).
 */
#ifndef WORKLOOM_SIM_H
#define WORKLOOM_SIM_H

#include <workloom/predict.h>
#include <workloom/users.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOOM_NEVER INT64_MAX   /* later than any time */
#define LOOM_NO_JOB UINT32_MAX /* not a job number */
#define LOOM_NO_ROW UINT32_MAX /* the job is not from a trace */

struct loom_sim;

/* ---- jobs ------------------------------------------------------------------------------------ */

/* A job of a simulation. Jobs are numbered from 0 in the order in which they joined the queue. */
struct loom_sim_job {
    int64_t submit_s;
    int64_t run_s;      /* runtime, after a kill; a scheduler must not read it */
    int64_t estimate_s; /* at least 1; grows each time it runs out */
    int64_t start_s;    /* -1 while the job waits */
    int32_t procs;
    int32_t user;   /* -1: unknown */
    uint32_t row;   /* index in the trace of the source, or LOOM_NO_ROW */
    uint32_t notes; /* flags of enum loom_job_note */
};

enum loom_job_note {
    LOOM_JOB_CUT = 1,        /* killed at the end of its requested time */
    LOOM_JOB_RAISED = 2,     /* estimate raised to the runtime or to 1 s */
    LOOM_JOB_GRID = 4,       /* sent to a cluster by a grid; row is an index in the grid's trace */
    LOOM_JOB_URGENT = 8,     /* comes before all others, in any order of a queue */
    LOOM_JOB_SUSPENDED = 16, /* stood still during a downtime; run_s includes it */
};

/* Return the end time of a started job. */
static inline int64_t loom_sim_job_end(const struct loom_sim_job *job)
{
    return job->start_s + job->run_s;
}

/* Return the wait of a started job. */
static inline int64_t loom_sim_job_wait(const struct loom_sim_job *job)
{
    return job->start_s - job->submit_s;
}

/* Return max(1, response / max(runtime, 10 s)) of a started job. */
static inline double loom_sim_job_bounded_slowdown(const struct loom_sim_job *job)
{
    int64_t response_s = loom_sim_job_wait(job) + job->run_s;
    int64_t bound_s = job->run_s > 10 ? job->run_s : 10;
    return response_s > bound_s ? (double)response_s / (double)bound_s : 1;
}

/* ---- sources of jobs ------------------------------------------------------------------------- */

/* A job as submitted by a source. -1: unknown. */
struct loom_submission {
    int64_t submit_s;
    int64_t run_s;
    int64_t request_s;
    int32_t procs;
    int32_t user;
    uint32_t row; /* LOOM_NO_ROW if the job is not from a trace */
};

/* A source of jobs. The engine calls due() for the time of the next submission and, when the clock
 * has reached it, take() for the job. The calls about earlier jobs (admitted, started, ended) come
 * before the next due(), so a source can decide what to submit next by the service so far. A due
 * time in the past counts as now.
 *
 * All functions get `self`. due and take are required, the others may be NULL. Those that take an
 * err return 0, or a negative code through loom_fail(), which ends the run. */
struct loom_job_source {
    void *self;
    size_t expected; /* approximate number of jobs, for memory allocation; 0: unknown */
    /* Return the time of the next submission, or LOOM_NEVER. */
    int64_t (*due)(void *self);
    /* Store the next job in *out. Called only if due() did not return LOOM_NEVER. */
    int (*take)(void *self, struct loom_submission *out, struct loom_error *err);
    /* Set group, executable, queue and memory in the view of the job last taken, if known. Called
     * only if the run has an estimator. */
    void (*describe)(void *self, const struct loom_submission *job, struct loom_job_view *view);
    /* Note that the job last taken joins the queue or starts now as number `job`, or that it was
     * rejected or dropped (LOOM_NO_JOB). */
    int (*admitted)(void *self, uint32_t job, struct loom_error *err);
    /* Note that a job starts or has ended now. `what` is borrowed for the call. */
    int (*started)(void *self, uint32_t job, const struct loom_sim_job *what,
                   struct loom_error *err);
    int (*ended)(void *self, uint32_t job, const struct loom_sim_job *what, struct loom_error *err);
};

/* ---- observers ------------------------------------------------------------------------------- */

enum loom_sim_event_kind {
    LOOM_EVENT_SUBMIT = 1,  /* a job joined the queue */
    LOOM_EVENT_REJECT = 2,  /* a job was rejected or dropped; `job` is LOOM_NO_JOB */
    LOOM_EVENT_RESERVE = 4, /* the scheduler plans to start a job at planned_s */
    LOOM_EVENT_START = 8,   /* a job starts, for the reason `why` */
    LOOM_EVENT_END = 16,    /* a job ended */
    LOOM_EVENT_EXTEND = 32, /* the estimate of a running job ran out and was extended */
    LOOM_EVENT_PASS = 64,   /* a scheduling pass ended; `job` is LOOM_NO_JOB */
    LOOM_EVENT_SEND = 128,  /* a grid job is about to be sent to `cluster` */
};

/* Why the scheduler starts a job. */
enum loom_why {
    LOOM_WHY_TURN,    /* first in the order of the queue, and it fits */
    LOOM_WHY_BEFORE,  /* backfilled: ends, by its estimate, before the reservation begins */
    LOOM_WHY_BESIDE,  /* backfilled: needs only processors that the reservation leaves free */
    LOOM_WHY_PLANNED, /* the time of its own reservation has come */
    LOOM_WHY_OTHER,   /* another reason, known to the policy */
};

struct loom_sim_event {
    enum loom_sim_event_kind kind;
    uint32_t job;
    int64_t time_s;                         /* now */
    int64_t planned_s;                      /* with LOOM_EVENT_RESERVE */
    enum loom_why why;                      /* with LOOM_EVENT_START */
    const struct loom_submission *rejected; /* with LOOM_EVENT_REJECT */
    size_t cluster;                         /* with LOOM_EVENT_SEND */
};

/* A callback for events of a run. `events` has the flags of the events to report; other events cost
 * nothing. on_event() may call the query functions below on `sim`; it returns 0, or a negative code
 * through loom_fail(), which ends the run. The event is borrowed for the call. */
struct loom_observer {
    void *self;
    unsigned events; /* flags of enum loom_sim_event_kind */
    int (*on_event)(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
                    struct loom_error *err);
};

/* ---- policies -------------------------------------------------------------------------------- */

/* A registry of policies: the built-in ones and those added. NULL stands for the built-in policies
 * wherever a registry is expected. A registry must not change while simulations use it; until then
 * any number of threads may share it. */
struct loom_schedulers;

/* Create a registry of the built-in policies in *out. The caller must destroy it. Fails with
 * LOOM_ENOMEM. */
LOOM_API int loom_schedulers_create(struct loom_schedulers **out, struct loom_error *err);
/* Load a plug-in, the shared object at path (see scheduler.h), and add its policies. Fails with
 * LOOM_EIO if the file cannot be opened; with LOOM_EDATA if it is not a plug-in, was built for
 * another version of the interface, or has a policy that is faulty or whose name is taken. A failed
 * call adds nothing. */
LOOM_API int loom_schedulers_load(struct loom_schedulers *schedulers, const char *path,
                                  struct loom_error *err);
/* Destroy a registry and unload its plug-ins; NULL is allowed. Simulators that ran policies of
 * plug-ins must be destroyed first. */
LOOM_API void loom_schedulers_destroy(struct loom_schedulers *schedulers);

struct loom_scheduler_info {
    const char *name;
    const char *summary;
    const struct loom_param *params; /* ends with a NULL name */
};

/* Return the policy at an index, for listings; NULL past the last. Valid as long as the registry.
 */
LOOM_API const struct loom_scheduler_info *
loom_scheduler_at(const struct loom_schedulers *schedulers, size_t index);

/* Check a policy with its parameters, "easy:order=sjf", without running it. Fails with LOOM_EUSAGE
 * for an unknown policy or parameter, LOOM_ERANGE for a value out of range. */
LOOM_API int loom_scheduler_check(const struct loom_schedulers *schedulers, const char *scheduler,
                                  struct loom_error *err);

/* Properties that a policy guarantees. */
enum loom_promise {
    LOOM_PROMISE_ORDER = 1,     /* jobs start in the order of the queue */
    LOOM_PROMISE_HEAD = 2,      /* while a job is first in the queue, its reservation is not delayed
                                 * (if estimates are upper bounds) */
    LOOM_PROMISE_ALL = 4,       /* no reservation of any job is delayed */
    LOOM_PROMISE_NO_STARVE = 8, /* every job starts, however many others are submitted */
    LOOM_PROMISE_FIRST = 16,    /* the first job of the queue stays first until it starts */
};
/* Store in *out the promises of a policy with its parameters, flags of enum loom_promise. Fails as
 * loom_scheduler_check does. */
LOOM_API int loom_scheduler_promises(unsigned *out, const struct loom_schedulers *schedulers,
                                     const char *scheduler, struct loom_error *err);

/* An order of the queue. */
struct loom_order_info {
    const char *name;
    const char *summary; /* which job comes first */
    bool changes;        /* keys depend on time: the queue is sorted before each pass */
};
/* Return the order at an index, for listings; NULL past the last. Static. */
LOOM_API const struct loom_order_info *loom_order_at(size_t index);

/* ---- running --------------------------------------------------------------------------------- */

/* What happens to a job whose runtime exceeds its requested time; see the top of this file. */
enum loom_overrun { LOOM_OVERRUN_RAISE, LOOM_OVERRUN_KILL, LOOM_OVERRUN_EXTEND };
/* Whose rules for ties apply; see the top of this file. */
enum loom_compat { LOOM_COMPAT_NONE, LOOM_COMPAT_PYSS };

/* A time [from_s, to_s) in which the whole machine stands still. No job starts; a job that runs
 * when it begins is suspended, and goes on when it is over. The scheduler does not know of it: its
 * clock stands still too, so that all its promises hold in the time in which the machine is up. */
struct loom_downtime {
    int64_t from_s, to_s;
};

struct loom_downtimes {
    const struct loom_downtime *list; /* ascending, not overlapping */
    size_t n;
};

/* What one user may have in the queue and on the machine at once; 0: no limit. */
struct loom_user_limit {
    int32_t user;
    int64_t jobs, procs;
};

/* Limits of users. A job that would exceed the limit of its user is held back and joins the queue,
 * behind those that wait, when enough of the user's jobs have ended: the scheduler does not see it
 * before. Jobs of a user join in order of submission. A job that alone exceeds the limit joins when
 * its user has no other. Jobs of unknown users are not limited. */
struct loom_user_limits {
    int64_t jobs, procs;               /* of each user who is not listed; 0: no limit */
    const struct loom_user_limit *own; /* by user, ascending */
    size_t n_own;
};

/* Parts of the machine, each with processors, a queue and a scheduler of its own, on one clock.
 * Limits of users hold in each part. */
struct loom_parts {
    size_t n;
    const int64_t *procs; /* by part */
    const uint32_t *of;   /* by row of the trace: the part that the job is for */
};

/* Options of a run. All pointers are borrowed for the run. */
struct loom_sim_options {
    /* A policy, with parameters after a colon: "easy", "easy:order=sjf". Required. */
    const char *scheduler;
    const struct loom_schedulers *schedulers; /* where to look it up; NULL: built-in policies */
    int64_t procs; /* size of the machine; 0: from the header of the trace */
    enum loom_overrun overrun;
    enum loom_compat compat;
    const struct loom_estimator *estimator; /* NULL: estimates are requested times */
    const struct loom_downtimes *downtime;  /* NULL: none */
    const struct loom_user_limits *limits;  /* NULL: none; excludes a source with admitted() */
    const struct loom_parts *parts;         /* for loom_sim_run_trace; NULL: one machine of procs */
    const uint8_t *urgent;                  /* by row: 1 for urgent jobs; NULL: none is */
    const struct loom_observer *observers;
    size_t n_observers;
    struct loom_progress *progress; /* counts jobs that ended; may be NULL */
};

/* Create a simulator in *out. The caller must destroy it. Fails with LOOM_ENOMEM. */
LOOM_API int loom_sim_create(struct loom_sim **out, struct loom_error *err);
/* Destroy a simulator and its results; NULL is allowed. */
LOOM_API void loom_sim_destroy(struct loom_sim *sim);
/* Free the memory that only a next run would use. The results of the last run stay. */
LOOM_API void loom_sim_shrink(struct loom_sim *sim);

/* Simulate the jobs of a source until none is left and none is due. options->procs must be at least
 * 1. The source is borrowed for the call. Fails as described at the top of this file. */
LOOM_API int loom_sim_run(struct loom_sim *sim, const struct loom_sim_options *options,
                          const struct loom_job_source *source, struct loom_error *err);
/* Simulate the jobs of a trace, submitted at their submit times. The trace is borrowed for the
 * call. Also fails with LOOM_EDATA if no job has a known runtime and number of processors, or if
 * options->procs is 0 and the header has no machine size. */
LOOM_API int loom_sim_run_trace(struct loom_sim *sim, const struct loom_sim_options *options,
                                const struct loom_trace *trace, struct loom_error *err);

/* ---- load ------------------------------------------------------------------------------------ */

/* What changes to reach another load: the size of the machine (Minh 2012, figure 5.3), the
 * interarrival times, or the runtimes together with the requested times. */
enum loom_load_way { LOOM_LOAD_SIZE, LOOM_LOAD_ARRIVALS, LOOM_LOAD_RUNTIMES };
enum { LOOM_LOAD_WAYS = 3 };
enum { LOOM_LOAD_MOST = 100 }; /* largest load to ask for */

/* Return the name of a way: "size", "arrivals" or "runtimes". Static. */
LOOM_API const char *loom_load_way_name(enum loom_load_way way);

/* Return the load that the jobs of a trace offer to a machine of `procs` processors: work /
 * (processors * time from first to last submission). Jobs that cannot be simulated on it do not
 * count. NAN if all jobs are submitted at once. */
LOOM_API double loom_load_offered(const struct loom_trace *trace, int64_t procs);

/* A change of load. */
struct loom_load_change {
    enum loom_load_way way;
    double asked;
    double before, after; /* offered loads; after differs from asked by rounding */
    double factor;        /* of processors, interarrival times or runtimes */
    int64_t procs;        /* size of the machine to simulate */
    int64_t left_out;     /* jobs that fit the machine before but not that one */
};

/* Change a trace so that it offers this load, as loom_load_offered computes it, and describe the
 * change in *out and in a note of the header. procs is the size of the machine before, 0 for the
 * one in the header. LOOM_LOAD_SIZE leaves the jobs as they are and sets out->procs to the smallest
 * machine that fits every job that the old one fits and has this load; as a larger machine fits
 * wider jobs, it is searched for. If no such machine has the load, out->procs is the largest that
 * has it without the jobs wider than it, which are counted in out->left_out. Fails with LOOM_ERANGE
 * if the load is not in (0, LOOM_LOAD_MOST] or cannot be reached, LOOM_EDATA if the machine size is
 * unknown or the jobs have no load. */
LOOM_API int loom_load_change(struct loom_load_change *out, struct loom_trace *trace, int64_t procs,
                              double load, enum loom_load_way way, struct loom_error *err);

/* ---- state, during and after a run ----------------------------------------------------------- */

/* Return the simulated time. */
LOOM_API int64_t loom_sim_now(const struct loom_sim *sim);
/* Return the number of processors of the machine. */
LOOM_API int64_t loom_sim_procs(const struct loom_sim *sim);
/* Return the number of free processors. */
LOOM_API int64_t loom_sim_free(const struct loom_sim *sim);
/* Return the number of waiting jobs. */
LOOM_API size_t loom_sim_queued(const struct loom_sim *sim);
/* Return the number of running jobs. */
LOOM_API size_t loom_sim_running(const struct loom_sim *sim);

/* Return the array of all jobs submitted so far, by number, and store its length in *n, which may
 * be NULL. Borrowed until the next submission. */
LOOM_API const struct loom_sim_job *loom_sim_jobs(const struct loom_sim *sim, size_t *n);

/* Jobs changed or refused, by reason: X(name, description). Jobs rejected or dropped are not among
 * the simulated jobs. */
#define LOOM_SIM_COUNTS(X)                                          \
    X(rejected_too_wide, "wider than the machine, rejected")        \
    X(dropped_no_runtime, "no known runtime, dropped")              \
    X(dropped_no_procs, "no known processors, dropped")             \
    X(dropped_no_submit, "no known submit time, dropped")           \
    X(dropped_too_long, "a time beyond 2^48 s, dropped")            \
    X(estimates_missing, "no estimate: the runtime taken instead")  \
    X(estimates_raised, "estimate below the runtime, raised to it") \
    X(estimates_to_1s, "estimate of 0 s, raised to 1 s")            \
    X(cut, "exceeded the requested time, killed")                   \
    X(extended, "outlived the estimate, ran on")

struct loom_sim_counts {
#define X(name, what) int64_t name;
    LOOM_SIM_COUNTS(X)
#undef X
};
/* Return the counts of the current or last run. Borrowed from the simulator. */
LOOM_API const struct loom_sim_counts *loom_sim_counts(const struct loom_sim *sim);

/* Store the schedule of the last run in the trace that was simulated: simulated waits, runtimes
 * after any kill, the processors that jobs had as allocated ones, and wait -1 for jobs that were
 * not simulated, which keep their processors. Fails with LOOM_EUSAGE if a job is
 * not from this trace. */
LOOM_API int loom_sim_schedule(const struct loom_sim *sim, struct loom_trace *trace,
                               struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
