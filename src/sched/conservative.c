/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conservative backfilling (Mu'alem and Feitelson 2001): every job gets a reservation when it is
 * submitted, at the earliest time that the running jobs and the reservations before it leave, and
 * so may overtake others only where that delays none of them. When a job has ended, every waiting
 * job, in order of submission, moves to the earliest start that all others leave it (compression).
 *
 * What it guarantees: no reservation ever moves back, as long as no estimate is too short. Where
 * estimates are extended (--overrun extend), all reservations are made anew, in order of
 * submission.
 *
 * A job that was at its earliest start can move only into time that was given back since: by jobs
 * that ended before their estimate, and by jobs that moved. What has been given back lies before
 * freed_s, so only jobs that would fit somewhere before it need to be looked at.
 */
#include "sim/scheduler.h"

#include "base/vec.h"
#include "sim/ends.h"

struct conservative {
    int64_t *planned_s; /* by job: the start reserved for it */
    size_t capacity;
    uint32_t unplanned;     /* jobs from this number on have none yet */
    struct loom_ends plans; /* the reservations by time; and some that no longer hold */
    int64_t freed_s;
    bool compress; /* a job has ended since the last pass */
    bool renew;    /* an estimate turned out too short since then */
};

static int ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct conservative *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t booked_to_s = what->start_s + what->estimate_s;
    (void)err;
    if (booked_to_s > self->freed_s)
        self->freed_s = booked_to_s;
    self->compress = true;
    return 0;
}

static int extended(struct loom_sim *sim, void *state, uint32_t job, int64_t old_estimate_s,
                    struct loom_error *err)
{
    struct conservative *self = state;
    (void)sim, (void)job, (void)old_estimate_s, (void)err;
    self->renew = true;
    return 0;
}

/* ---- reservations ---------------------------------------------------------------------------- */

static int plan(struct loom_sim *sim, struct conservative *self, uint32_t job, int64_t from_s,
                struct loom_error *err)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    if (loom_ends_reserve(&self->plans, self->plans.n + 1))
        return loom_fail_memory(err);
    loom_ends_push(&self->plans, (struct loom_end){from_s, job, job});
    loom_profile_book(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
    self->planned_s[job] = from_s;
    loom_sim_reserve(sim, job, from_s);
    return 0;
}

static void cancel(struct loom_sim *sim, struct conservative *self, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t from_s = self->planned_s[job];
    loom_profile_unbook(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
}

static int plan_earliest(struct loom_sim *sim, struct conservative *self, uint32_t job,
                         struct loom_error *err)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t from_s = loom_profile_earliest(loom_sim_profile(sim), what->procs, what->estimate_s);
    return plan(sim, self, job, from_s, err);
}

/* ---- the parts of a pass --------------------------------------------------------------------- */

static int compress(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    struct loom_profile *profile = loom_sim_profile(sim);
    struct loom_cursor cursor = {0};
    struct loom_gap gap = {.length_s = LOOM_NEVER};
    int64_t before_s = self->freed_s; /* grows with each job that moves */
    uint32_t job;
    int rc = 0;
    self->freed_s = loom_sim_now(sim);
    gap.procs = loom_profile_most(profile, before_s);
    while (!rc && (job = loom_sim_next_fit(sim, &cursor, &gap)) < self->unplanned) {
        const struct loom_sim_job *what = loom_sim_job(sim, job);
        int64_t old_s = self->planned_s[job], old_end_s = old_s + what->estimate_s;
        int64_t new_s =
            loom_profile_earlier(profile, what->procs, what->estimate_s, old_s, before_s);
        if (new_s == old_s)
            continue;
        cancel(sim, self, job);
        rc = plan(sim, self, job, new_s, err);
        if (old_end_s > self->freed_s)
            self->freed_s = old_end_s;
        if (old_end_s > before_s)
            before_s = old_end_s;
        gap.procs = loom_profile_most(profile, before_s);
    }
    return rc;
}

static int make_anew(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    const struct loom_queue *waiting = loom_sim_waiting(sim);
    struct loom_cursor cursor = {0};
    uint32_t job;
    int rc = 0;
    while ((job = loom_queue_next(waiting, &cursor)) < self->unplanned)
        cancel(sim, self, job);
    cursor = (struct loom_cursor){0};
    while (!rc && (job = loom_queue_next(waiting, &cursor)) < self->unplanned)
        rc = plan_earliest(sim, self, job, err);
    return rc;
}

static int plan_new(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    size_t n;
    int rc = 0;
    for (loom_sim_jobs(sim, &n); self->unplanned < n && !rc; self->unplanned++) {
        if (loom_grow(&self->planned_s, self->unplanned, &self->capacity))
            return loom_fail_memory(err);
        rc = plan_earliest(sim, self, self->unplanned, err);
    }
    return rc;
}

/* The reservation that comes first, and does hold. */
static const struct loom_end *next_plan(const struct loom_sim *sim, struct conservative *self)
{
    while (self->plans.n > 0) {
        const struct loom_end *first = &self->plans.heap[0];
        if (loom_sim_job(sim, first->job)->start_s < 0 &&
            self->planned_s[first->job] == first->time_s)
            return first;
        loom_ends_pop(&self->plans);
    }
    return NULL;
}

/* Start what is planned for now, in order of submission. */
static void start_planned(struct loom_sim *sim, struct conservative *self)
{
    const struct loom_end *first;
    while ((first = next_plan(sim, self)) && first->time_s <= loom_sim_now(sim))
        loom_sim_start_booked(sim, first->job, LOOM_WHY_PLANNED);
    if (first)
        loom_sim_wake(sim, first->time_s);
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct conservative *self = state;
    int rc = 0;
    if (self->renew)
        rc = make_anew(sim, self, err);
    else if (self->compress)
        rc = compress(sim, self, err);
    self->compress = self->renew = false;
    if (!rc)
        rc = plan_new(sim, self, err);
    if (!rc)
        start_planned(sim, self);
    return rc;
}

static void close(void *state)
{
    struct conservative *self = state;
    free(self->planned_s);
    loom_ends_free(&self->plans);
}

const struct loom_scheduler_ops loom_scheduler_conservative = {
    .info = {"conservative", "backfilling that delays no job (a reservation for each)", NULL},
    .promises = LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL | LOOM_PROMISE_NO_STARVE,
    .wants_profile = true,
    .state_size = sizeof(struct conservative),
    .ended = ended,
    .extended = extended,
    .pass = pass,
    .close = close,
};
