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
 * The estimate of a job is its requested time or, where that is not known, its runtime; at least 1
 * s. Where a job would run longer than that, the overrun rule says what happens:
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
 */
#ifndef WORKLOOM_SIM_H
#define WORKLOOM_SIM_H

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
    /* The job last taken has joined the queue under this number, or (LOOM_NO_JOB) never will. */
    int (*admitted)(void *self, uint32_t job, struct loom_error *err);
    int (*started)(void *self, uint32_t job, const struct loom_sim_job *what,
                   struct loom_error *err);
    int (*ended)(void *self, uint32_t job, const struct loom_sim_job *what, struct loom_error *err);
};

/* ---- estimates ------------------------------------------------------------------------------- */

/* Something that knows better than the request how long a job will run. */
struct loom_estimator {
    void *self;
    /* An estimate for a job that is being submitted (ran_s = 0) or that has run for ran_s already,
     * its last estimate; at least ran_s + 1, or it is taken as that. request_s may be -1. */
    int64_t (*estimate)(void *self, const struct loom_sim_job *job, int64_t request_s,
                        int64_t ran_s);
    /* The job has ended; may be NULL. */
    void (*learn)(void *self, const struct loom_sim_job *job);
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

struct loom_scheduler_info {
    const char *name;
    const char *summary;
    const struct loom_param *params; /* ends with a NULL name */
};

/* The policies there are, for listings: NULL past the last. */
LOOM_API const struct loom_scheduler_info *loom_scheduler_at(size_t index);

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

/* Check a policy and its parameters without running anything. */
LOOM_API int loom_scheduler_check(const char *scheduler, struct loom_error *err);

/* Simulate until no job is left and none is due. */
LOOM_API int loom_sim_run(struct loom_sim *sim, const struct loom_sim_options *options,
                          const struct loom_job_source *source, struct loom_error *err);
/* The same with the jobs of a trace as the source, at their own submit times. */
LOOM_API int loom_sim_run_trace(struct loom_sim *sim, const struct loom_sim_options *options,
                                const struct loom_trace *trace, struct loom_error *err);

/* ---- users who react ------------------------------------------------------------------------- */

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
    double before; /* loads offered: after differs from asked by rounding, and by jobs that only */
    double after;  /* the larger machine can run */
    double factor; /* by which processors, times between submissions or runtimes grew */
    int64_t procs; /* of the machine to simulate */
};

/* Make a trace offer this load: work of the jobs / (processors * time from first to last submit),
 * before any job is killed. procs is the machine as it was, 0 for that of the trace's header. The
 * change is noted in the header. Fails with LOOM_ERANGE where no such change can be made, as on a
 * machine that would be too small for the widest job. */
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

/* ---- metrics --------------------------------------------------------------------------------- */

/* Which percentiles there are, interpolated between neighbours (type 7 of Hyndman and Fan). */
#define LOOM_PERCENTS  \
    {                  \
        50, 90, 95, 99 \
    }
enum { LOOM_N_PERCENTS = 4 };

/* Of all simulated jobs. NAN where there are no jobs or no time. */
struct loom_sim_metrics {
    int64_t jobs;
    int64_t measured; /* of them, see loom_sim_trim */
    double wait_mean_s, wait_median_s;
    double response_mean_s;
    double slowdown_mean;         /* of max(1, response / max(runtime, 1 s)) */
    double bounded_slowdown_mean; /* of max(1, response / max(runtime, 10 s)) */
    double slowdown_ratio;        /* mean response / mean runtime (thesis 5.2.5) */
    double utilization;           /* of the processors, from first submit to last end */
    double throughput_jobs_per_day;
    int64_t makespan_s;  /* first submit to last end */
    double queue_mean;   /* jobs waiting, over the makespan */
    int64_t queue_max;   /* after a pass */
    double load_offered; /* arrival rate * mean(runtime * processors) / processors (thesis 5.2.5) */
    /* Does the number of outstanding jobs grow from week to week by more than one a week (Zakay,
     * chapter 3, section 6.3)? -1 where the run is too short to say. */
    int saturated;
    double outstanding_per_week; /* that slope */
    double wait_percentile_s[LOOM_N_PERCENTS];
    double bounded_slowdown_percentile[LOOM_N_PERCENTS];
};

/* Leave jobs at both ends of a run out of what is measured job by job: waits, responses, slowdowns,
 * their percentiles, and classes. Utilization, throughput, queue, load and saturation are of the
 * whole run (see loom_sim_rates for the window of the measured jobs). Given in jobs, in time from
 * the first or to the last submission, or both: then the longer holds.
 */
struct loom_sim_trim {
    int64_t warm_up_jobs, warm_up_s;
    int64_t cool_down_jobs, cool_down_s;
};

/* After a run; the next run measures all jobs again. LOOM_ERANGE if no job is left. */
LOOM_API int loom_sim_trim(struct loom_sim *sim, const struct loom_sim_trim *trim,
                           struct loom_error *err);
/* Of the jobs that a trim leaves, measure those whose row of the trace is kept, such as all but the
 * jobs of rare behaviours. After a run and any trim; LOOM_ERANGE if no job is left. */
LOOM_API int loom_sim_measure(struct loom_sim *sim, const uint8_t *keep, size_t n_rows,
                              struct loom_error *err);

LOOM_API int loom_sim_metrics(struct loom_sim_metrics *out, const struct loom_sim *sim,
                              struct loom_error *err);

/* The jobs outstanding (submitted, not ended) at the beginning of each week from the first to the
 * last submission, as a new array that the caller must free(). None if these are more than 2^20
 * weeks apart, as a submit time must be wrong then. */
LOOM_API int loom_sim_outstanding(int64_t **out, size_t *n_weeks, const struct loom_sim *sim,
                                  struct loom_error *err);

/* ---- over time ------------------------------------------------------------------------------- */

/* From from_s on, up to but without to_s. */
struct loom_sim_window {
    int64_t from_s, to_s;
};

/* When the measured jobs came: from the submission of the first of them to that of the first behind
 * them or, where none is, to the last end. Without a trim this is the whole run. */
LOOM_API struct loom_sim_window loom_sim_window(const struct loom_sim *sim);

/* Part of the time with 0, 1, 2, 3-4, 5-8, ... jobs waiting: bin 0, and each next up to a power of
 * two. */
enum { LOOM_QUEUE_BINS = 34 };

/* Rates over a window, whatever jobs were submitted in it. NAN where it has no length. */
struct loom_sim_rates {
    struct loom_sim_window window;
    double utilization;
    double throughput_jobs_per_day; /* jobs that ended in it, both ends included */
    double queue_mean;              /* jobs waiting */
    int64_t queue_max;              /* for at least a second */
    /* For so many percent of the time no more jobs waited than this. */
    double queue_percentile[LOOM_N_PERCENTS];
    double queue_share[LOOM_QUEUE_BINS];
};

LOOM_API int loom_sim_rates(struct loom_sim_rates *out, const struct loom_sim *sim,
                            struct loom_sim_window window, struct loom_error *err);

/* The whole run in some hundreds of equal steps; the last may be shorter. */
struct loom_sim_series {
    int64_t from_s, step_s;
    size_t count;
    struct loom_sim_level {
        double utilization;
        double queue_mean;
        int64_t queue_max; /* for at least a second */
    } levels[];
};

LOOM_API int loom_sim_series_create(struct loom_sim_series **out, const struct loom_sim *sim,
                                    struct loom_error *err);
LOOM_API void loom_sim_series_destroy(struct loom_sim_series *series);

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
/* When people submitted in the last run: the time of the population or, for the log's own users,
 * that of the whole run. */
LOOM_API struct loom_sim_window loom_feedback_window(const struct loom_feedback *feedback,
                                                     const struct loom_sim *sim);

/* ---- metrics by class ------------------------------------------------------------------------ */

/* What jobs are told apart by.
 *
 *     size     processors: 1, 2, 3-4, 5-8, and so on, each class up to a power of two
 *     runtime  up to 10 s, 1 min, 10 min, 1 h, 6 h, 1 day, and longer
 *     user     one class a user
 *     queue    one class a queue of the trace
 *     bag      in a bag of tasks (loom_bags with LOOM_BAG_DELTA_S) of at least two jobs, or alone
 */
enum loom_class_kind {
    LOOM_CLASS_SIZE,
    LOOM_CLASS_RUNTIME,
    LOOM_CLASS_USER,
    LOOM_CLASS_QUEUE,
    LOOM_CLASS_BAG,
};
enum { LOOM_CLASS_KINDS = 5 };

/* "size", "runtime", ... */
LOOM_API const char *loom_class_kind_name(enum loom_class_kind kind);

/* The jobs of one class. Its range is what they have in common, both ends included: processors, s,
 * the number of a user or queue (-1: not known), 1 in a bag and 0 alone. */
struct loom_sim_class {
    int64_t from, to; /* to is INT64_MAX for the longest jobs */
    int64_t jobs;
    double wait_mean_s, wait_median_s;
    double bounded_slowdown_mean;
    double throughput_jobs_per_day; /* measured jobs, over their window (loom_sim_window) */
};

/* All classes that have jobs, ascending. */
struct loom_sim_classes {
    enum loom_class_kind kind;
    size_t count;
    /* Jain's index of the mean bounded slowdowns x of the classes, (sum x)^2 / (n * sum x^2): 1 if
     * all fare alike, 1/n if one alone suffers. Jobs of unknown user or queue are left out. NAN if
     * no class is left. Of users this is the fairness of the schedule. */
    double fairness;
    struct loom_sim_class classes[];
};

/* trace is the one that was simulated; only queues and bags need it, and it may be NULL for the
 * others. The caller must destroy the result. */
LOOM_API int loom_sim_classes_create(struct loom_sim_classes **out, const struct loom_sim *sim,
                                     const struct loom_trace *trace, enum loom_class_kind kind,
                                     struct loom_error *err);
LOOM_API void loom_sim_classes_destroy(struct loom_sim_classes *classes);
/* A class for people: "3-4", "up to 1 min", "ann" where the trace (NULL: none) knows the name of
 * user 3, "in bags". Returns buf. */
LOOM_API const char *loom_sim_class_text(const struct loom_sim_classes *classes, size_t at,
                                         const struct loom_trace *trace, char *buf, size_t size);

/* ---- what is kept of a run ------------------------------------------------------------------- */

enum { LOOM_OUTCOME_POINTS = 1001 };

/* All that is told and drawn of a run, for when its simulator is gone. */
struct loom_sim_outcome {
    int64_t procs;
    struct loom_sim_metrics metrics;
    struct loom_sim_rates rates; /* over the window of the measured jobs */
    struct loom_sim_counts counts;
    struct loom_sim_series *series;
    int64_t *outstanding; /* by week, see loom_sim_outstanding */
    size_t n_weeks;
    double fairness; /* over users, see struct loom_sim_classes */
    /* Of the measured jobs, ascending: of all, or in even distances if there are more. */
    size_t n_points;
    double wait_s[LOOM_OUTCOME_POINTS];
    double bounded_slowdown[LOOM_OUTCOME_POINTS];
};

LOOM_API int loom_sim_outcome_create(struct loom_sim_outcome **out, const struct loom_sim *sim,
                                     struct loom_error *err);
LOOM_API void loom_sim_outcome_destroy(struct loom_sim_outcome *outcome);

/* ---- who ran where --------------------------------------------------------------------------- */

/* Processors first to first + procs - 1, taken by a job for a part of the window. */
struct loom_gantt_bar {
    uint32_t job;
    int64_t from_s, to_s;
    int64_t first, procs;
};

enum { LOOM_GANTT_MOST = 2000 }; /* jobs that can be told apart in a drawing */

/* A Gantt chart: processors given to the jobs of a window, first fit in the order of their starts,
 * each job in one piece where it can be. Jobs that take no time are not in it. */
struct loom_gantt {
    struct loom_sim_window window;
    int64_t procs; /* of the machine */
    size_t jobs;
    size_t count;
    struct loom_gantt_bar bars[]; /* by start; those of one job are neighbours */
};

/* LOOM_EDATA if no job runs in the window, LOOM_ERANGE if more than LOOM_GANTT_MOST do. */
LOOM_API int loom_gantt_create(struct loom_gantt **out, const struct loom_sim *sim,
                               struct loom_sim_window window, struct loom_error *err);
LOOM_API void loom_gantt_destroy(struct loom_gantt *gantt);

/* Why jobs started: a log for one run, and its observer for the options of that run. */
struct loom_start_log;
LOOM_API int loom_start_log_create(struct loom_start_log **out, struct loom_error *err);
LOOM_API void loom_start_log_destroy(struct loom_start_log *log);
LOOM_API struct loom_observer loom_start_log_observer(struct loom_start_log *log);
LOOM_API enum loom_why loom_start_log_why(const struct loom_start_log *log, uint32_t job);

/* ---- explaining one job ---------------------------------------------------------------------- */

/* A change of the job's reservation. */
struct loom_explained_move {
    int64_t time_s;
    int64_t from_s, to_s; /* from -1: it had none */
    /* Of a move forward the job that ended just before, of one back the job that just outlived its
     * estimate. LOOM_NO_JOB if there is none: jobs have come before it in the policy's order, or
     * left that place. */
    uint32_t cause_job;
};

/* A start, and by which rule. */
struct loom_explained_start {
    uint32_t job;
    int64_t time_s;
    int64_t estimate_s; /* then */
    enum loom_why why;
    /* Of one backfilled: the reservation that it respects. LOOM_NO_JOB and -1 if not known. */
    uint32_t reserved_job;
    int64_t reserved_s;
};

/* What happened to a job while it waited. Jobs are told by their numbers in the simulation. */
struct loom_explanation {
    uint32_t job;        /* LOOM_NO_JOB if it did not join the queue */
    const char *refused; /* then why, as in LOOM_SIM_COUNTS; NULL if it was not even submitted */

    /* When it was submitted: the machine, and who waited before it in the queue's order. (Under a
     * policy that has an order of its own, ups, that is the order of submission.) */
    int64_t free_at_submit;
    size_t running_at_submit;
    uint32_t *ahead;
    size_t n_ahead;

    struct loom_explained_move *moves;
    size_t n_moves;
    /* Jobs that did not wait before it then but started before it, or in the same pass. */
    struct loom_explained_start *overtakers;
    size_t n_overtakers;

    int64_t short_s; /* time with too few processors free for it */
    int64_t held_s;  /* time with enough, which the policy did not let it have */

    struct loom_explained_start start;
    int64_t free_before; /* processors free until just before its start */
    uint32_t *released;  /* the jobs that ended just before: what it waited for last */
    size_t n_released;
};

struct loom_explainer;

/* To explain the job in this row of the trace: an explainer for one run, its observer for the
 * options of that run, and after it the result, which lives as long as the explainer. */
LOOM_API int loom_explainer_create(struct loom_explainer **out, uint32_t row,
                                   struct loom_error *err);
LOOM_API void loom_explainer_destroy(struct loom_explainer *explainer);
LOOM_API struct loom_observer loom_explainer_observer(struct loom_explainer *explainer);
LOOM_API const struct loom_explanation *
loom_explainer_result(const struct loom_explainer *explainer);

/* ---- grids ----------------------------------------------------------------------------------- */

/* A grid (thesis 6.3) is several clusters, each with its own scheduler and, if any, its own local
 * jobs (its background workload), and one queue of grid jobs before them. A grid job runs within
 * one cluster, whichever the grid sends it to; there it joins the local queue, and from then on the
 * local scheduler treats it as any other job. It keeps its estimate. A job wider than all clusters
 * is rejected.
 *
 * All clusters are on one clock. At each instant, in this order,
 *
 *     1. every cluster in which something happens goes through its own ends, submissions and pass
 *        (and once more, if jobs of runtime 0 were started);
 *     2. every grid job submitted now joins the grid's queue;
 *     3. the grid makes its pass: as long as there is one, the first job of its queue that needs no
 *        more than the free processors of some cluster, less those that grid jobs in its queue
 *        need, is sent to such a cluster, whose scheduler makes a pass at once.
 *
 * Grid jobs of runtime 0 that were started end in the same instant, which brings about another
 * round. The local scheduler need not start a job that fits, as it may hold processors free for
 * another: then the job waits there. A grid without local jobs and with one cluster is thus first
 * fit. */

struct loom_cluster {
    const char *name;
    int64_t procs;
    const char *scheduler;               /* NULL is "easy" */
    const struct loom_trace *background; /* its local jobs; NULL if it has none */
    int64_t background_shift_s;          /* added to their submit times */
};

struct loom_grid_options {
    const struct loom_cluster *clusters; /* all borrowed until the next run */
    size_t n_clusters;
    /* Parameters of the grid's queue (loom_grid_info), "choose=first,order=sjf"; NULL: defaults. */
    const char *dispatch;
    uint64_t seed; /* of choose=random */
    enum loom_overrun overrun;
    const struct loom_estimator *estimator; /* of grid and local jobs; NULL goes by requests */
    struct loom_progress *progress;         /* NULL, or counts jobs that ended, local ones too */
};

struct loom_grid;

/* What the grid's queue is and which parameters it has. */
LOOM_API const struct loom_scheduler_info *loom_grid_info(void);
/* Check such parameters without running anything. */
LOOM_API int loom_grid_check(const char *dispatch, struct loom_error *err);

LOOM_API int loom_grid_create(struct loom_grid **out, struct loom_error *err);
LOOM_API void loom_grid_destroy(struct loom_grid *grid);
/* Simulate the jobs of a trace as grid jobs, until no job is left anywhere. */
LOOM_API int loom_grid_run(struct loom_grid *grid, const struct loom_grid_options *options,
                           const struct loom_trace *trace, struct loom_error *err);

/* After a run. The grid's jobs as those of one machine that has all processors: metrics, classes
 * and trims of it are those of the grid jobs, with their whole waits. */
LOOM_API struct loom_sim *loom_grid_jobs(const struct loom_grid *grid);
/* A cluster with all jobs that ran there, local ones and the grid's; those have LOOM_JOB_GRID in
 * their notes, and for their submit time when they were sent. */
LOOM_API const struct loom_sim *loom_grid_cluster(const struct loom_grid *grid, size_t cluster);

/* Where a job of the grid went. */
struct loom_grid_place {
    uint32_t cluster;
    uint32_t job; /* its number there */
    int64_t sent_s;
};
LOOM_API const struct loom_grid_place *loom_grid_places(const struct loom_grid *grid);

/* Make the trace of the grid jobs the schedule: as loom_sim_schedule, with the cluster, counted
 * from 1, as the partition. For the schedule of local jobs give a cluster to loom_sim_schedule. */
LOOM_API int loom_grid_schedule(const struct loom_grid *grid, struct loom_trace *trace,
                                struct loom_error *err);

/* Some jobs of a cluster. NAN where there are none. */
struct loom_cluster_share {
    int64_t jobs;
    double wait_mean_s, wait_median_s; /* of grid jobs: from their submission to the grid */
    double response_mean_s;
    double slowdown_mean, bounded_slowdown_mean, slowdown_ratio;
    double utilization; /* of the cluster's processors, from the first submit to the last end of all
                         * jobs anywhere */
};

struct loom_cluster_metrics {
    struct loom_cluster_share local, grid;
    double utilization;
    double load;       /* offered by its local jobs (thesis 5.2.5), 0 if it has none */
    int64_t queue_max; /* jobs waiting there, local ones and the grid's */
};

struct loom_grid_metrics {
    int64_t procs;      /* of all clusters */
    int64_t makespan_s; /* from the first submit to the last end of all jobs anywhere */
    double utilization; /* by all jobs */
    /* The load of a grid (thesis 6.2): arrival rate of grid jobs * mean(runtime * processors), over
     * the processors that the local jobs leave, sum of (1 - load) * processors. NAN where they
     * leave none. */
    double load, procs_left;
    double wait_queue_mean_s;   /* of grid jobs, until they were sent */
    double wait_cluster_mean_s; /* and from then to their start */
};

LOOM_API int loom_grid_metrics(struct loom_grid_metrics *out, const struct loom_grid *grid,
                               struct loom_error *err);
LOOM_API int loom_cluster_metrics(struct loom_cluster_metrics *out, const struct loom_grid *grid,
                                  size_t cluster, struct loom_error *err);

/* ---- platforms ------------------------------------------------------------------------------- */

/* A grid as it is described in a file, or by the name of one that is known. The file is JSON:
 *
 *     {
 *         "workloom_platform": 1,
 *         "name": "two clusters",
 *         "grid": {"choose": "first"},
 *         "clusters": [
 *             {"name": "a", "procs": 64, "scheduler": "easy:order=sjf", "background": "a.swf.gz"},
 *             {"name": "b", "procs": 32, "model": "uniform", "load": 0.5}
 *         ]
 *     }
 *
 * Only the version and the clusters, with names and processors, must be there. "background" is a
 * log, "model" a model's name or document to make jobs of; paths are meant from where the file is.
 * "load" is the load that these jobs shall offer, "shift_s" is added to the submit times of a log.
 * What is wrong is refused with its line. */

struct loom_platform_cluster {
    const char *name;
    int64_t procs;
    const char *scheduler;  /* NULL: not said */
    const char *background; /* a log; NULL: none */
    const char *model;      /* NULL: none */
    double load;            /* 0: as it comes */
    int64_t shift_s;
};

struct loom_platform {
    const char *name;
    const char *summary;  /* of one that is known by name; else NULL */
    const char *dispatch; /* for loom_grid_options; NULL: not said */
    const struct loom_platform_cluster *clusters;
    size_t n_clusters;
};

/* Those known by name, for listings: NULL past the last. */
LOOM_API const struct loom_platform *loom_platform_at(size_t index);

/* A name, or the path of a file: what has a '.' or '/' in it. The caller must destroy it. */
LOOM_API int loom_platform_load(struct loom_platform **out, const char *name,
                                struct loom_error *err);
LOOM_API void loom_platform_destroy(struct loom_platform *platform);

/* ---- checking schedules ---------------------------------------------------------------------- */

/* A schedule is a trace whose waits and runtimes say when each job ran, whoever made it. Jobs with
 * an unknown wait, runtime or size did not run. A job's estimate is its requested time, at least
 * its runtime, at least 1 s; it has its processors from start to end, the end excluded. */

/* One place where a schedule breaks a rule. */
struct loom_breach {
    uint32_t row; /* the job that does */
    int64_t time_s;
    char text[160]; /* one sentence */
};

enum { LOOM_BREACHES_KEPT = 10 };

/* One rule, and how the schedule stands against it. */
struct loom_checked {
    const char *rule; /* stable word: "capacity" */
    const char *what; /* what it says */
    int64_t breaches; /* in all */
    struct loom_breach first[LOOM_BREACHES_KEPT];
};

enum { LOOM_CHECKS = 6 };

struct loom_validation {
    int64_t jobs;  /* that ran */
    int64_t unrun; /* that did not */
    size_t n;      /* rules checked */
    struct loom_checked checks[LOOM_CHECKS];
};

/* Always checked: "start" (no job starts before it is submitted) and "capacity" (no more processors
 * are busy than there are). With a policy also what it promises:
 *
 *     fcfs                                 "order" and "idle"
 *     easy, easy-sjbf, lookahead, relaxed  "idle" and "reservation"
 *     conservative                         "plan"
 *
 * by the order and the slack that it is given ("easy:order=sjf", "relaxed:slack=1"). The others
 * promise nothing that a schedule shows: LOOM_EUSAGE.
 *
 * order: no job starts before one that the order prefers. idle: the first waiting job starts as
 * soon as it fits. reservation: no job starts later than was promised to it while it was the first,
 * and the slack, unless others came before it. plan: no job starts later than the documented plan
 * has it, given all that really happened. */
LOOM_API int loom_validate(struct loom_validation *out, const struct loom_trace *schedule,
                           int64_t procs, const char *policy, struct loom_error *err);

/* Two schedules of the same jobs, which are paired by their numbers. */
struct loom_schedule_difference {
    int64_t same;           /* jobs with the same start, or unrun in both */
    int64_t different;      /* other jobs that are in both */
    int64_t only_a, only_b; /* jobs whose number the other schedule does not have */
    int64_t largest_s;      /* largest difference of starts */
    double mean_s;          /* mean of the absolute differences, of jobs that ran in both */
    size_t n_first;         /* the first that differ, by number */
    struct {
        int64_t number, start_a_s, start_b_s; /* -1: did not run */
    } first[LOOM_BREACHES_KEPT];
};

/* Fails with LOOM_EDATA where a job number occurs twice. */
LOOM_API int loom_schedules_compare(struct loom_schedule_difference *out,
                                    const struct loom_trace *a, const struct loom_trace *b,
                                    struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
