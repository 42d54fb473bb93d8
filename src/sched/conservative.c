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
 */
#include "sim/scheduler.h"

#include "base/vec.h"

struct conservative {
    int64_t *planned_s; /* by job: the start reserved for it, -1 before it has one */
    size_t capacity;
    bool compress; /* a job has ended since the last pass */
    bool renew;    /* an estimate turned out too short since then */
};

static int submitted(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct conservative *self = state;
    (void)sim;
    if (loom_grow(&self->planned_s, job, &self->capacity))
        return loom_fail_memory(err);
    self->planned_s[job] = -1;
    return 0;
}

static int ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct conservative *self = state;
    (void)sim, (void)job, (void)err;
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

static void cancel(struct loom_sim *sim, struct conservative *self, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t from_s = self->planned_s[job];
    if (from_s >= 0)
        loom_profile_unbook(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
    self->planned_s[job] = -1;
}

static void reserve(struct loom_sim *sim, struct conservative *self, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    struct loom_profile *profile = loom_sim_profile(sim);
    int64_t from_s = loom_profile_earliest(profile, what->procs, what->estimate_s);
    loom_profile_book(profile, from_s, from_s + what->estimate_s, what->procs);
    self->planned_s[job] = from_s;
    loom_sim_reserve(sim, job, from_s);
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct conservative *self = state;
    const struct loom_queue *waiting = loom_sim_waiting(sim);
    struct loom_cursor cursor = loom_queue_before_first();
    uint32_t job;
    (void)err;
    if (self->renew)
        while ((job = loom_queue_next(waiting, &cursor)) != LOOM_NO_JOB)
            cancel(sim, self, job);
    cursor = loom_queue_before_first();
    while ((job = loom_queue_next(waiting, &cursor)) != LOOM_NO_JOB) {
        if (self->planned_s[job] >= 0 && self->compress)
            cancel(sim, self, job);
        if (self->planned_s[job] < 0)
            reserve(sim, self, job);
    }
    self->compress = self->renew = false;
    cursor = loom_queue_before_first();
    while ((job = loom_queue_next(waiting, &cursor)) != LOOM_NO_JOB)
        if (self->planned_s[job] <= loom_sim_now(sim))
            loom_sim_start_booked(sim, job, LOOM_WHY_PLANNED);
        else
            loom_sim_wake(sim, self->planned_s[job]);
    return 0;
}

static void close(void *state)
{
    struct conservative *self = state;
    free(self->planned_s);
}

const struct loom_scheduler_ops loom_scheduler_conservative = {
    .info = {"conservative", "backfilling that delays no job (a reservation for each)", NULL},
    .promises = LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL | LOOM_PROMISE_NO_STARVE,
    .wants_profile = true,
    .state_size = sizeof(struct conservative),
    .submitted = submitted,
    .ended = ended,
    .extended = extended,
    .pass = pass,
    .close = close,
};
