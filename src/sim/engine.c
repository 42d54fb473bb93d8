/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event engine: from instant to instant, ends, then submissions, then one pass of the scheduler
 * (sim.h states the rules). round_ours() is one round of that by our rules, round_pyss() by pyss's.
 * A run is made of steps that grid.c takes too, with several machines on one clock.
 */
#include "sim/engine.h"

#include "base/progress.h"
#include "base/vec.h"

/* The clock stops here: estimates are at most 2^48, and sums must not overflow. */
static const int64_t LAST_S = INT64_C(1) << 61;

/* ---- observers ----------------------------------------------------------------------------- */

int loom_sim_notify(struct loom_sim *sim, const struct loom_sim_event *event,
                    struct loom_error *err)
{
    const struct loom_sim_options *options = &sim->options;
    int rc = 0;
    for (size_t i = 0; i < options->n_observers && !rc; i++)
        if (options->observers[i].wants & event->kind)
            rc = options->observers[i].see(options->observers[i].self, sim, event, err);
    return rc;
}

static int notify_job(struct loom_sim *sim, enum loom_sim_event_kind kind, uint32_t job,
                      struct loom_error *err)
{
    if (!(sim->watched & kind))
        return 0;
    const struct loom_sim_event event = {.kind = kind, .job = job, .time_s = sim->now_s};
    return loom_sim_notify(sim, &event, err);
}

/* Remember the first failure of a call that cannot return one. */
static void remember(struct loom_sim *sim, int rc, const struct loom_error *why)
{
    if (rc && sim->failure.code == 0) {
        sim->failure = *why;
        sim->failure.code = rc;
    }
}

/* ---- jobs on the machine, by the end of their estimate --------------------------------------- */

/* When the engine must next look at a running job. */
static int64_t next_look(const struct loom_sim_job *job)
{
    return job->start_s + (job->run_s < job->estimate_s ? job->run_s : job->estimate_s);
}

/* Is a job on the machine exactly until the engine looks at it? Not one without runtime, which is
 * there to the end of the pass, and not by the rules of pyss, which looks at all ends of an instant
 * before the first is handled. */
static bool leaves_when_due(const struct loom_sim *sim, const struct loom_sim_job *what)
{
    return what->run_s > 0 && sim->options.compat == LOOM_COMPAT_NONE;
}

static void add_running(struct loom_sim *sim, const struct loom_sim_job *what)
{
    const struct loom_running_job job = {
        .expected_s = what->start_s + what->estimate_s,
        .left_s = leaves_when_due(sim, what) ? next_look(what) : LOOM_NEVER,
        .procs = what->procs,
    };
    loom_running_add(&sim->running, job, sim->now_s);
}

static void remove_running(struct loom_sim *sim, const struct loom_sim_job *what)
{
    if (!leaves_when_due(sim, what))
        loom_running_remove(&sim->running, what->start_s + what->estimate_s, what->procs);
}

/* ---- starting -------------------------------------------------------------------------------- */

/* A job with the times of the source's clock. */
static struct loom_sim_job as_submitted(const struct loom_sim *sim, uint32_t job)
{
    return sim->clock.times ? loom_clock_job(&sim->clock, &sim->jobs[job], sim->stamps[job])
                            : sim->jobs[job];
}

/* Report a start to the observers, the source and the estimator. */
static void notify_start(struct loom_sim *sim, uint32_t job, enum loom_why why)
{
    struct loom_error err = {0};
    const struct loom_sim_event event = {.kind = LOOM_EVENT_START,
                                         .job = job,
                                         .time_s = sim->now_s,
                                         .why = why};
    int rc = sim->watched & LOOM_EVENT_START ? loom_sim_notify(sim, &event, &err) : 0;
    if (!rc && sim->source->started) {
        const struct loom_sim_job what = as_submitted(sim, job);
        rc = sim->source->started(sim->source->self, job, &what, &err);
    }
    if (!rc && sim->options.estimator)
        rc = loom_estimator_started(sim, job, &err);
    remember(sim, rc, &err);
}

/* The policy starts what it must not: the run fails after the pass. */
__attribute__((cold)) static void refuse_start(struct loom_sim *sim, uint32_t job, bool waits)
{
    struct loom_error err = {0};
    int rc = waits ? loom_fail(&err, LOOM_EDATA,
                               "the policy '%s' starts a job of %d processors where %lld are free",
                               sim->ops->info.name, (int)sim->jobs[job].procs, (long long)sim->free)
                   : loom_fail(&err, LOOM_EDATA, "the policy '%s' starts a job that does not wait",
                               sim->ops->info.name);
    remember(sim, rc, &err);
}

static bool can_start(struct loom_sim *sim, uint32_t job)
{
    bool waits = job < sim->n_jobs && sim->jobs[job].start_s < 0;
    if (waits && sim->jobs[job].procs <= sim->free)
        return true;
    refuse_start(sim, job, waits);
    return false;
}

/* Put a job on the machine that has left the queue. */
static void start(struct loom_sim *sim, uint32_t job, enum loom_why why)
{
    struct loom_sim_job *what = &sim->jobs[job];
    what->start_s = sim->now_s;
    sim->free -= what->procs;
    sim->n_running++;
    loom_heap_push(&sim->ends, (struct loom_heap_entry){next_look(what), sim->starts++, job});
    add_running(sim, what);
    if (sim->starts_noted)
        notify_start(sim, job, why);
}

static void book(struct loom_sim *sim, const struct loom_sim_job *what)
{
    if (sim->ops->wants_profile)
        loom_profile_book(&sim->profile, sim->now_s, sim->now_s + what->estimate_s, what->procs);
}

static void leave_queue(struct loom_sim *sim, uint32_t job)
{
    if (sim->unlisted > 0)
        sim->unlisted--;
    else
        loom_queue_remove(&sim->waiting, sim->jobs, job);
}

void loom_sim_start_booked(struct loom_sim *sim, uint32_t job, enum loom_why why)
{
    if (!can_start(sim, job))
        return;
    leave_queue(sim, job);
    start(sim, job, why);
}

void loom_sim_start(struct loom_sim *sim, uint32_t job, enum loom_why why)
{
    if (!can_start(sim, job))
        return;
    book(sim, &sim->jobs[job]);
    leave_queue(sim, job);
    start(sim, job, why);
}

void loom_sim_start_found(struct loom_sim *sim, const struct loom_cursor *cursor, enum loom_why why)
{
    book(sim, &sim->jobs[cursor->job]);
    loom_queue_remove_found(&sim->waiting, sim->jobs, cursor);
    start(sim, cursor->job, why);
}

uint32_t loom_sim_start_in_order(struct loom_sim *sim)
{
    uint32_t first;
    while ((first = loom_queue_first(&sim->waiting)) != LOOM_NO_JOB &&
           sim->jobs[first].procs <= sim->free)
        loom_sim_start(sim, first, LOOM_WHY_TURN);
    return first;
}

__attribute__((cold)) static void refuse_profile(struct loom_sim *sim)
{
    struct loom_error err = {0};
    int rc = loom_fail(&err, LOOM_EDATA,
                       "the policy '%s' uses the profile, but does not set wants_profile",
                       sim->ops->info.name);
    loom_profile_reset(&sim->profile, sim->procs, sim->now_s);
    remember(sim, rc, &err);
}

struct loom_profile *loom_sim_profile(struct loom_sim *sim)
{
    if (!sim->ops->wants_profile)
        refuse_profile(sim);
    return &sim->profile;
}

void loom_sim_reserve(struct loom_sim *sim, uint32_t job, int64_t planned_s)
{
    if (!(sim->watched & LOOM_EVENT_RESERVE))
        return;
    struct loom_error err = {0};
    const struct loom_sim_event event = {.kind = LOOM_EVENT_RESERVE,
                                         .job = job,
                                         .time_s = sim->now_s,
                                         .planned_s = planned_s};
    remember(sim, loom_sim_notify(sim, &event, &err), &err);
}

void loom_sim_wake(struct loom_sim *sim, int64_t time_s)
{
    if (time_s > sim->now_s && time_s < sim->wake_s)
        sim->wake_s = time_s;
}

/* ---- joining the queue ----------------------------------------------------------------------- */

/* Make room for one more job in the arrays by job. */
static int grow_tables(struct loom_sim *sim, struct loom_error *err)
{
    if (sim->n_jobs >= LOOM_NO_JOB)
        return loom_fail(err, LOOM_ERANGE, "a simulation cannot have more than %u jobs",
                         LOOM_NO_JOB);
    if (loom_grow(&sim->jobs, sim->n_jobs, &sim->jobs_capacity))
        return loom_fail_memory(err);
    if (sim->clock.times)
        while (sim->stamps_capacity <= sim->n_jobs)
            if (loom_grow(&sim->stamps, sim->stamps_capacity, &sim->stamps_capacity))
                return loom_fail_memory(err);
    return sim->options.estimator ? loom_views_reserve(sim, err) : 0;
}

/* Make room for one more job, there and on the machine. */
static int reserve(struct loom_sim *sim, struct loom_error *err)
{
    size_t outstanding = queued(sim) + sim->n_running + 1;
    size_t most = (size_t)sim->procs < outstanding ? (size_t)sim->procs : outstanding;
    if (most > sim->ends.capacity && loom_heap_reserve(&sim->ends, most))
        return loom_fail_memory(err);
    if (2 * most > sim->running.capacity && loom_running_reserve(&sim->running, 2 * most))
        return loom_fail_memory(err);
    bool has_room =
        sim->n_jobs < sim->jobs_capacity && !sim->clock.times && !sim->options.estimator;
    return has_room ? 0 : grow_tables(sim, err);
}

/* The job behind the last is submitted. */
static int enlist(struct loom_sim *sim, struct loom_error *err)
{
    uint32_t number = (uint32_t)sim->n_jobs++;
    if (sim->ops->keeps_jobs && !sim->watched)
        sim->unlisted++;
    else if (loom_queue_add(&sim->waiting, sim->jobs, number, sim->now_s))
        return loom_fail_memory(err);
    int rc = notify_job(sim, LOOM_EVENT_SUBMIT, number, err);
    if (!rc && sim->source->admitted)
        rc = sim->source->admitted(sim->source->self, number, err);
    if (!rc && sim->ops->submitted)
        rc = sim->ops->submitted(sim, sim->state, number, err);
    return rc;
}

/* Let the held jobs of a user join that the end of this one allows. */
static int release(struct loom_sim *sim, struct loom_sim_job ended, struct loom_error *err)
{
    struct loom_held held;
    int rc = 0;
    loom_limits_end(&sim->limits, &ended);
    while (!rc && loom_limits_next(&sim->limits, ended.user, &held)) {
        rc = reserve(sim, err);
        if (rc)
            return rc;
        sim->jobs[sim->n_jobs] = held.job;
        if (sim->options.estimator)
            sim->views[sim->n_jobs] = held.view;
        if (sim->clock.times)
            sim->stamps[sim->n_jobs] = held.stamp_s;
        rc = enlist(sim, err);
    }
    return rc;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static int extend(struct loom_sim *sim, struct loom_heap_entry look, struct loom_error *err)
{
    struct loom_sim_job *what = &sim->jobs[look.item];
    int64_t old_s = what->estimate_s;
    remove_running(sim, what);
    what->estimate_s = loom_next_estimate(sim, look.item);
    add_running(sim, what);
    if (sim->ops->wants_profile)
        loom_profile_book(&sim->profile, what->start_s + old_s, what->start_s + what->estimate_s,
                          what->procs);
    look.key = next_look(what);
    loom_heap_push(&sim->ends, look);
    int rc = notify_job(sim, LOOM_EVENT_EXTEND, look.item, err);
    if (!rc && sim->ops->extended)
        rc = sim->ops->extended(sim, sim->state, look.item, old_s, err);
    return rc;
}

/* Give back the processors of a job, and what is left of its estimate. */
static void vacate(struct loom_sim *sim, const struct loom_sim_job *what)
{
    sim->free += what->procs;
    remove_running(sim, what);
    if (sim->ops->wants_profile)
        loom_profile_unbook(&sim->profile, sim->now_s, what->start_s + what->estimate_s,
                            what->procs);
}

static int end(struct loom_sim *sim, uint32_t job, struct loom_error *err)
{
    sim->n_running--;
    if (!sim->ends_noted)
        return 0;
    int rc = sim->options.estimator ? loom_estimator_learn(sim, job, err) : 0;
    loom_progress_add(sim->options.progress, 1);
    if (!rc)
        rc = notify_job(sim, LOOM_EVENT_END, job, err);
    if (!rc && sim->ops->ended)
        rc = sim->ops->ended(sim, sim->state, job, err);
    if (!rc && sim->source->ended) {
        const struct loom_sim_job what = as_submitted(sim, job);
        rc = sim->source->ended(sim->source->self, job, &what, err);
    }
    return rc || !sim->limits.rule ? rc : release(sim, sim->jobs[job], err);
}

static int end_all_due(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    while (!rc && loom_heap_next(&sim->ends) <= sim->now_s) {
        struct loom_heap_entry look = loom_heap_pop(&sim->ends);
        const struct loom_sim_job *what = &sim->jobs[look.item];
        if (loom_sim_job_end(what) > sim->now_s) {
            rc = extend(sim, look, err);
            continue;
        }
        vacate(sim, what);
        rc = end(sim, look.item, err);
    }
    return rc;
}

/* ---- submissions ----------------------------------------------------------------------------- */

int64_t loom_sim_ask_due(const struct loom_sim *sim)
{
    int64_t due_s = sim->source->due(sim->source->self);
    return sim->clock.times ? loom_clock_uptime(&sim->clock, due_s) : due_s;
}

/* When the next job is submitted. A source that learns nothing of the run is asked once a job. */
static int64_t due(const struct loom_sim *sim)
{
    return sim->source_reacts ? loom_sim_ask_due(sim) : sim->due_s;
}

static int refuse(struct loom_sim *sim, const struct loom_submission *submission,
                  struct loom_error *err)
{
    const struct loom_sim_event event = {.kind = LOOM_EVENT_REJECT,
                                         .job = LOOM_NO_JOB,
                                         .time_s = sim->now_s,
                                         .rejected = submission};
    int rc = sim->watched & LOOM_EVENT_REJECT ? loom_sim_notify(sim, &event, err) : 0;
    if (!rc && sim->source->admitted)
        rc = sim->source->admitted(sim->source->self, LOOM_NO_JOB, err);
    return rc;
}

/* A job was admitted behind the last: it joins the queue, unless its user is at a limit. */
static int join_or_hold(struct loom_sim *sim, int64_t stamp_s, struct loom_error *err)
{
    bool join = true;
    if (sim->clock.times)
        sim->stamps[sim->n_jobs] = stamp_s;
    if (sim->limits.rule) {
        struct loom_held held = {.job = sim->jobs[sim->n_jobs], .stamp_s = stamp_s};
        if (sim->options.estimator)
            held.view = sim->views[sim->n_jobs];
        int rc = loom_limits_submit(&sim->limits, &held, &join, err);
        if (rc)
            return rc;
    }
    return join ? enlist(sim, err) : 0;
}

static int submit_one(struct loom_sim *sim, struct loom_error *err)
{
    struct loom_submission submission;
    int64_t stamp_s = sim->clock.times ? sim->source->due(sim->source->self) : 0;
    int rc = sim->source->take(sim->source->self, &submission, err);
    sim->due_s = loom_sim_ask_due(sim);
    if (!rc)
        rc = reserve(sim, err);
    if (rc)
        return rc;
    return loom_admit(sim, &submission, &sim->jobs[sim->n_jobs]) ? join_or_hold(sim, stamp_s, err)
                                                                 : refuse(sim, &submission, err);
}

/* Submissions without a known time are dropped, and take none. */
int loom_sim_drop_unknown(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    while (!rc && due(sim) < 0)
        rc = submit_one(sim, err);
    return rc;
}

/* ---- one instant ----------------------------------------------------------------------------- */

/* Would a pass start nothing, and nobody watch it? */
static bool is_in_vain(struct loom_sim *sim)
{
    return sim->ops->only_starts && !sim->watched &&
           !loom_queue_has_width(&sim->waiting, sim->free);
}

static int pass(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    sim->wake_s = LOOM_NEVER;
    if (!is_in_vain(sim)) {
        if (loom_queue_refresh(&sim->waiting, sim->jobs, sim->now_s))
            return loom_fail_memory(err);
        rc = sim->ops->pass(sim, sim->state, err);
    }
    if (queued(sim) + sim->limits.n_held > sim->queue_max)
        sim->queue_max = queued(sim) + sim->limits.n_held;
    if (!rc && sim->ops->wants_profile && sim->profile.failed)
        rc = loom_fail_memory(err);
    if (!rc && sim->failure.code) {
        if (err)
            *err = sim->failure;
        rc = sim->failure.code;
    }
    return rc ? rc : notify_job(sim, LOOM_EVENT_PASS, LOOM_NO_JOB, err);
}

/* A submission that is refused makes for no pass: the schedule is as if it had never been there. */
static int round_ours(struct loom_sim *sim, struct loom_error *err)
{
    /* An end, an extension, and a time that the policy asked for call for a pass whatever is
     * submitted. */
    bool called = loom_heap_next(&sim->ends) <= sim->now_s || sim->wake_s <= sim->now_s;
    size_t known = sim->n_jobs;
    int rc = end_all_due(sim, err);
    while (!rc && due(sim) <= sim->now_s)
        rc = submit_one(sim, err);
    return rc || (!called && sim->n_jobs == known) ? rc : pass(sim, err);
}

/* Take the jobs that end now off the heap, and let those whose estimate is over as well make room
 * at once, before their end is handled. */
static int collect_due(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    sim->n_due = 0;
    while (!rc && loom_heap_next(&sim->ends) <= sim->now_s) {
        struct loom_heap_entry look = loom_heap_pop(&sim->ends);
        const struct loom_sim_job *what = &sim->jobs[look.item];
        if (loom_sim_job_end(what) > sim->now_s) {
            rc = extend(sim, look, err);
            continue;
        }
        if (loom_grow(&sim->due, sim->n_due, &sim->due_capacity))
            return loom_fail_memory(err);
        sim->due[sim->n_due++] = look.item;
        if (what->run_s == what->estimate_s)
            vacate(sim, what);
    }
    return rc;
}

/* An estimate that runs out makes for no pass: pyss corrects it, and goes on to the next event. */
static int round_pyss(struct loom_sim *sim, struct loom_error *err)
{
    bool idle = sim->wake_s <= sim->now_s;
    int rc = collect_due(sim, err);
    while (!rc && due(sim) <= sim->now_s) {
        size_t known = sim->n_jobs;
        rc = submit_one(sim, err);
        if (rc || sim->n_jobs == known)
            continue;
        rc = pass(sim, err);
        idle = false;
    }
    for (size_t i = 0; i < sim->n_due && !rc; i++) {
        const struct loom_sim_job *what = &sim->jobs[sim->due[i]];
        if (what->run_s != what->estimate_s)
            vacate(sim, what);
        rc = end(sim, sim->due[i], err);
        if (!rc)
            rc = pass(sim, err);
        idle = false;
    }
    return !rc && idle ? pass(sim, err) : rc;
}

/* ---- a run ----------------------------------------------------------------------------------- */

int64_t loom_sim_next(const struct loom_sim *sim)
{
    int64_t next_s = due(sim), end_s = loom_heap_next(&sim->ends);
    if (end_s < next_s)
        next_s = end_s;
    if (sim->wake_s < next_s)
        next_s = sim->wake_s;
    return next_s < sim->now_s ? sim->now_s : next_s;
}

static int advance(struct loom_sim *sim, int64_t time_s, struct loom_error *err)
{
    if (time_s > LAST_S)
        return loom_fail(err, LOOM_ERANGE, "the simulation runs beyond the end of time, 2^61 s");
    sim->now_s = time_s;
    if (sim->ops->wants_profile)
        loom_profile_advance(&sim->profile, time_s);
    return 0;
}

int loom_sim_step(struct loom_sim *sim, int64_t time_s, struct loom_error *err)
{
    int rc = advance(sim, time_s, err);
    if (rc)
        return rc;
    return sim->options.compat == LOOM_COMPAT_PYSS ? round_pyss(sim, err) : round_ours(sim, err);
}

int loom_sim_join(struct loom_sim *sim, const struct loom_sim_job *job,
                  const struct loom_job_view *view, struct loom_error *err)
{
    int rc = advance(sim, job->submit_s, err);
    if (!rc)
        rc = reserve(sim, err);
    if (rc)
        return rc;
    if (sim->options.estimator)
        sim->views[sim->n_jobs] = *view;
    sim->jobs[sim->n_jobs] = *job;
    rc = enlist(sim, err);
    return rc ? rc : pass(sim, err);
}

int loom_sim_check_done(const struct loom_sim *sim, struct loom_error *err)
{
    if (queued(sim) == 0)
        return 0;
    return loom_fail(err, LOOM_EDATA, "the policy '%s' leaves %zu jobs waiting on an idle machine",
                     sim->ops->info.name, queued(sim));
}

int loom_sim_run(struct loom_sim *sim, const struct loom_sim_options *options,
                 const struct loom_job_source *source, struct loom_error *err)
{
    int rc = loom_sim_begin(sim, options, source, err);
    if (rc)
        return rc;
    for (int64_t next_s; !rc && (next_s = loom_sim_next(sim)) != LOOM_NEVER;)
        rc = loom_sim_step(sim, next_s, err);
    if (!rc)
        rc = loom_sim_check_done(sim, err);
    loom_sim_close(sim);
    if (!rc && (sim->clock.times || sim->limits.rule))
        loom_sim_restore(sim);
    return rc;
}
