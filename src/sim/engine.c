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
        if (options->observers[i].events & event->kind)
            rc = options->observers[i].on_event(options->observers[i].self, sim, event, err);
    return rc;
}

__attribute__((noinline)) static int report(struct loom_sim *sim, enum loom_sim_event_kind kind,
                                            uint32_t job, struct loom_error *err)
{
    const struct loom_sim_event event = {.kind = kind, .job = job, .time_s = sim->now_s};
    return loom_sim_notify(sim, &event, err);
}

static int notify_job(struct loom_sim *sim, enum loom_sim_event_kind kind, uint32_t job,
                      struct loom_error *err)
{
    return sim->watched & kind ? report(sim, kind, job, err) : 0;
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
    struct loom_running_job *job = loom_running_add(&sim->running, sim->now_s);
    job->expected_s = what->start_s + what->estimate_s;
    job->left_s = leaves_when_due(sim, what) ? next_look(what) : LOOM_NEVER;
    job->procs = what->procs;
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
__attribute__((noinline)) static void notify_start(struct loom_sim *sim, uint32_t job,
                                                   enum loom_why why)
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
static inline void start(struct loom_sim *sim, uint32_t job, enum loom_why why)
{
    struct loom_sim_job *what = &sim->jobs[job];
    what->start_s = sim->now_s;
    sim->free -= what->procs;
    sim->n_running++;
    loom_ends_push(&sim->ends, (struct loom_heap_entry){next_look(what), sim->starts++, job});
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

void loom_sim_start_slot(struct loom_sim *sim, struct loom_queue_slot slot, enum loom_why why)
{
    uint32_t job = loom_queue_job(&sim->waiting, slot);
    book(sim, &sim->jobs[job]);
    loom_queue_remove_slot(&sim->waiting, slot);
    start(sim, job, why);
}

uint32_t loom_sim_start_in_order(struct loom_sim *sim)
{
    uint32_t first;
    while ((first = loom_queue_first(&sim->waiting)) != LOOM_NO_JOB &&
           sim->jobs[first].procs <= sim->free)
        loom_sim_start_slot(sim, (struct loom_queue_slot){0}, LOOM_WHY_TURN);
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

/* Make room on the machine for so many jobs, or as many as it has processors. Few would often fill
 * the list of those that run, which is then cleared of those that have ended. */
static int grow_machine(struct loom_sim *sim, size_t outstanding, struct loom_error *err)
{
    size_t most = outstanding < LOOM_ENDS_SORTED ? LOOM_ENDS_SORTED : outstanding;
    most = (size_t)sim->procs < most ? (size_t)sim->procs : most;
    if (loom_heap_reserve(&sim->ends.later, most) ||
        loom_running_reserve(&sim->running, 2 * sim->ends.later.capacity)) {
        loom_heap_free(&sim->ends.later); /* its capacity says that there is room in both */
        return loom_fail_memory(err);
    }
    return 0;
}

int loom_sim_make_room(struct loom_sim *sim, struct loom_error *err)
{
    size_t outstanding = queued(sim) + sim->n_running + 1;
    int rc = outstanding > sim->ends.later.capacity ? grow_machine(sim, outstanding, err) : 0;
    return rc ? rc : grow_tables(sim, err);
}

/* Does a job that nothing is known of yet start at once, as the next pass would do no more? Nothing
 * else may be submitted in this instant. */
static bool starts_alone(const struct loom_sim *sim, const struct loom_sim_job *what)
{
    return sim->starts_alone && queued(sim) == 0 && what->procs <= sim->free &&
           loom_sim_due(sim) > sim->now_s;
}

static int join_queue(struct loom_sim *sim, uint32_t job, struct loom_error *err)
{
    if (sim->ops->keeps_jobs && !sim->watched)
        sim->unlisted++;
    else if (loom_queue_add(&sim->waiting, sim->jobs, job, sim->now_s))
        return loom_fail_memory(err);
    int rc = notify_job(sim, LOOM_EVENT_SUBMIT, job, err);
    return rc || !sim->ops->submitted ? rc : sim->ops->submitted(sim, sim->state, job, err);
}

int loom_sim_enlist(struct loom_sim *sim, struct loom_error *err)
{
    uint32_t number = (uint32_t)sim->n_jobs++;
    int rc = sim->source->admitted ? sim->source->admitted(sim->source->self, number, err) : 0;
    if (!rc && starts_alone(sim, &sim->jobs[number]))
        start(sim, number, LOOM_WHY_TURN);
    else if (!rc)
        rc = join_queue(sim, number, err);
    return rc;
}

/* Submit the next job, which may have been admitted before. */
static int submit(struct loom_sim *sim, struct loom_error *err)
{
    size_t next = sim->n_jobs + 1;
    if (next > sim->n_admitted)
        return loom_sim_submit_one(sim, err);
    sim->due_s = next < sim->n_admitted ? sim->jobs[next].submit_s : loom_sim_ask_due(sim);
    int rc = loom_sim_has_room(sim) ? 0 : loom_sim_make_room(sim, err);
    return rc ? rc : loom_sim_enlist(sim, err);
}

/* Let the held jobs of a user join that the end of this one allows. */
static int release(struct loom_sim *sim, struct loom_sim_job ended, struct loom_error *err)
{
    struct loom_held held;
    int rc = 0;
    loom_limits_end(&sim->limits, &ended);
    while (!rc && loom_limits_next(&sim->limits, ended.user, &held)) {
        rc = loom_sim_make_room(sim, err);
        if (rc)
            return rc;
        sim->jobs[sim->n_jobs] = held.job;
        if (sim->options.estimator)
            sim->views[sim->n_jobs] = held.view;
        if (sim->clock.times)
            sim->stamps[sim->n_jobs] = held.stamp_s;
        rc = loom_sim_enlist(sim, err);
    }
    return rc;
}

/* ---- ends ------------------------------------------------------------------------------------ */

__attribute__((noinline)) static int extend(struct loom_sim *sim, struct loom_heap_entry look,
                                            struct loom_error *err)
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
    loom_ends_push(&sim->ends, look);
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

__attribute__((noinline)) static int notify_end(struct loom_sim *sim, uint32_t job,
                                                struct loom_error *err)
{
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

/* End or extend the first of the running jobs, which is due. */
static inline int end_first(struct loom_sim *sim, struct loom_error *err)
{
    struct loom_heap_entry look = loom_ends_pop(&sim->ends);
    const struct loom_sim_job *what = &sim->jobs[look.item];
    if (loom_sim_job_end(what) > sim->now_s)
        return extend(sim, look, err);
    vacate(sim, what);
    sim->n_running--;
    return sim->ends_noted ? notify_end(sim, look.item, err) : 0;
}

/* ---- one instant ----------------------------------------------------------------------------- */

static int pass(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    sim->wake_s = LOOM_NEVER;
    if (!sim->only_starts || loom_queue_has_width(&sim->waiting, sim->free)) {
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

/* Does no job wait, so that a pass would do nothing? */
static bool is_idle(const struct loom_sim *sim)
{
    return sim->only_starts && queued(sim) + sim->limits.n_held == 0 && sim->failure.code == 0 &&
           sim->wake_s == LOOM_NEVER;
}

/* A submission that is refused makes for no pass: the schedule is as if it had never been there. */
static int round_ours(struct loom_sim *sim, struct loom_error *err)
{
    /* An end, an extension, and a time that the policy asked for call for a pass whatever is
     * submitted. */
    bool called = loom_ends_next(&sim->ends) <= sim->now_s || sim->wake_s <= sim->now_s;
    size_t known = sim->n_jobs;
    int rc = 0;
    while (!rc && loom_ends_next(&sim->ends) <= sim->now_s)
        rc = end_first(sim, err);
    while (!rc && loom_sim_due(sim) <= sim->now_s)
        rc = submit(sim, err);
    if (rc || (!called && sim->n_jobs == known))
        return rc;
    return is_idle(sim) ? 0 : pass(sim, err);
}

/* Take the jobs that end now off the heap, and let those whose estimate is over as well make room
 * at once, before their end is handled. */
static int collect_due(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    sim->n_due = 0;
    while (!rc && loom_ends_next(&sim->ends) <= sim->now_s) {
        struct loom_heap_entry look = loom_ends_pop(&sim->ends);
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
    while (!rc && loom_sim_due(sim) <= sim->now_s) {
        size_t known = sim->n_jobs;
        rc = submit(sim, err);
        if (rc || sim->n_jobs == known)
            continue;
        rc = pass(sim, err);
        idle = false;
    }
    for (size_t i = 0; i < sim->n_due && !rc; i++) {
        const struct loom_sim_job *what = &sim->jobs[sim->due[i]];
        if (what->run_s != what->estimate_s)
            vacate(sim, what);
        sim->n_running--;
        if (sim->ends_noted)
            rc = notify_end(sim, sim->due[i], err);
        if (!rc)
            rc = pass(sim, err);
        idle = false;
    }
    return !rc && idle ? pass(sim, err) : rc;
}

/* ---- a run ----------------------------------------------------------------------------------- */

int64_t loom_sim_next(const struct loom_sim *sim)
{
    int64_t next_s = loom_sim_due(sim), end_s = loom_ends_next(&sim->ends);
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
        rc = loom_sim_make_room(sim, err);
    if (rc)
        return rc;
    if (sim->options.estimator)
        sim->views[sim->n_jobs] = *view;
    sim->jobs[sim->n_jobs] = *job;
    rc = loom_sim_enlist(sim, err);
    return rc ? rc : pass(sim, err);
}

int loom_sim_check_done(const struct loom_sim *sim, struct loom_error *err)
{
    if (queued(sim) == 0)
        return 0;
    return loom_fail(err, LOOM_EDATA, "the policy '%s' leaves %zu jobs waiting on an idle machine",
                     sim->ops->info.name, queued(sim));
}

/* Does no job wait, and would a submitted one that fits start at once? */
static bool is_alone(const struct loom_sim *sim)
{
    return sim->starts_alone && is_idle(sim);
}

/* While no job waits: take ends and starts of jobs that were admitted before one by one, up to a
 * submission that calls for a round. */
static int run_alone(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    while (!rc && sim->n_jobs + 1 < sim->n_admitted) {
        const struct loom_sim_job *next = &sim->jobs[sim->n_jobs];
        int64_t end_s = loom_ends_next(&sim->ends);
        if (end_s <= next->submit_s) {
            sim->now_s = end_s;
            rc = end_first(sim, err);
            continue;
        }
        if (next->procs > sim->free || next[1].submit_s == next->submit_s ||
            !loom_sim_has_room(sim))
            break;
        sim->now_s = next->submit_s;
        sim->due_s = next[1].submit_s;
        start(sim, (uint32_t)sim->n_jobs++, LOOM_WHY_TURN);
    }
    return rc;
}

int loom_sim_run(struct loom_sim *sim, const struct loom_sim_options *options,
                 const struct loom_job_source *source, struct loom_error *err)
{
    int rc = loom_sim_begin(sim, options, source, err);
    if (rc)
        return rc;
    loom_sim_admit_early(sim);
    for (int64_t next_s; !rc && (next_s = loom_sim_next(sim)) != LOOM_NEVER;) {
        rc = loom_sim_step(sim, next_s, err);
        if (!rc && is_alone(sim))
            rc = run_alone(sim, err);
    }
    if (!rc)
        rc = loom_sim_check_done(sim, err);
    loom_sim_close(sim);
    if (!rc && (sim->clock.times || sim->limits.rule))
        loom_sim_restore(sim);
    return rc;
}
