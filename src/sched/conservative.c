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
 * Compression goes through the whole queue if an end gave processors back; src/sim/index/profile.c
 * makes the check of each job cheap.
 */

#include "base/heap.h"
#include "base/vec.h"
#include "sim/schedulers.h"

/* The reservation of a waiting job; it is booked in the profile. */
struct reservation {
    struct loom_booking booking;
    uint32_t job;
};

struct conservative {
    struct reservation *reserved; /* by submission; some of the jobs have started */
    size_t n, capacity;
    size_t n_started;       /* of these */
    struct loom_heap plans; /* the starts of the reservations */
    uint32_t unplanned;     /* jobs from this number on have none yet */
    bool freed;             /* processors were given back since the last compression began */
    bool compress;          /* a job has ended since the last pass */
    bool renew;             /* an estimate turned out too short since then */
};

static int conservative_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                             struct loom_error *err)
{
    struct conservative *self = state, old = *self;
    (void)sim, (void)params, (void)err;
    *self = (struct conservative){.reserved = old.reserved,
                                  .capacity = old.capacity,
                                  .plans = old.plans};
    loom_heap_clear(&self->plans);
    return 0;
}

static void conservative_close(void *state)
{
    struct conservative *self = state;
    free(self->reserved);
    loom_heap_free(&self->plans);
}

static int conservative_ended(struct loom_sim *sim, void *state, uint32_t job,
                              struct loom_error *err)
{
    struct conservative *self = state;
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    (void)err;
    self->freed |= sim_job->start_s + sim_job->estimate_s > loom_sim_now(sim);
    self->compress = true;
    return 0;
}

static int conservative_extended(struct loom_sim *sim, void *state, uint32_t job,
                                 int64_t old_estimate_s, struct loom_error *err)
{
    (void)sim, (void)job, (void)old_estimate_s, (void)err;
    ((struct conservative *)state)->renew = true;
    return 0;
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* Note when a job is booked to start. */
static int plan(struct loom_sim *sim, struct conservative *self,
                const struct reservation *reservation, struct loom_error *err)
{
    int64_t start_s = reservation->booking.from_s;
    if (loom_heap_set(&self->plans, reservation->job, start_s))
        return loom_fail_memory(err);
    loom_sim_reserve(sim, reservation->job, start_s);
    return 0;
}

static int plan_earliest(struct loom_sim *sim, struct conservative *self,
                         struct reservation *reservation, struct loom_error *err)
{
    struct loom_profile *profile = loom_sim_profile(sim);
    struct loom_booking *booking = &reservation->booking;
    booking->from_s = loom_profile_earliest(profile, booking->procs, booking->length_s);
    if (booking->from_s == LOOM_NEVER)
        return loom_fail_memory(err);
    loom_profile_book(profile, booking->from_s, booking->from_s + booking->length_s,
                      booking->procs);
    return plan(sim, self, reservation, err);
}

/* Forget the reservations of jobs that have started. */
static void drop_started(struct loom_sim *sim, struct conservative *self)
{
    size_t n = 0;
    if (self->n_started == 0)
        return;
    for (size_t i = 0; i < self->n; i++)
        if (loom_sim_job(sim, self->reserved[i].job)->start_s < 0)
            self->reserved[n++] = self->reserved[i];
    self->n = n;
    self->n_started = 0;
}

static int compress(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    struct loom_profile *profile = loom_sim_profile(sim);
    int rc = 0;
    self->freed = false;
    for (size_t i = 0; i < self->n && !rc; i++)
        if (loom_profile_move_up(profile, &self->reserved[i].booking)) {
            self->freed = true;
            rc = plan(sim, self, &self->reserved[i], err);
        }
    return rc;
}

static int renew_reservations(struct loom_sim *sim, struct conservative *self,
                              struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < self->n; i++) {
        const struct loom_booking *booking = &self->reserved[i].booking;
        loom_profile_unbook(loom_sim_profile(sim), booking->from_s,
                            booking->from_s + booking->length_s, booking->procs);
    }
    for (size_t i = 0; i < self->n && !rc; i++)
        rc = plan_earliest(sim, self, &self->reserved[i], err);
    return rc;
}

static int plan_new(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    size_t n;
    int rc = 0;
    for (loom_sim_jobs(sim, &n); self->unplanned < n && !rc; self->unplanned++) {
        const struct loom_sim_job *sim_job = loom_sim_job(sim, self->unplanned);
        if (self->n_started > self->n / 2)
            drop_started(sim, self);
        if (loom_grow(&self->reserved, self->n, &self->capacity))
            return loom_fail_memory(err);
        struct reservation *reservation = &self->reserved[self->n++];
        *reservation =
            (struct reservation){{.length_s = sim_job->estimate_s, .procs = sim_job->procs},
                                 self->unplanned};
        rc = plan_earliest(sim, self, reservation, err);
    }
    return rc;
}

/* Start what is planned for now, in order of submission. */
static void start_planned(struct loom_sim *sim, struct conservative *self)
{
    while (loom_heap_next(&self->plans) <= loom_sim_now(sim)) {
        uint32_t first = loom_heap_pop(&self->plans).item;
        loom_sim_start_booked(sim, first, LOOM_WHY_PLANNED);
        self->n_started++;
    }
    loom_sim_wake(sim, loom_heap_next(&self->plans));
}

static int conservative_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct conservative *self = state;
    int rc = 0;
    if (self->renew || (self->compress && self->freed))
        drop_started(sim, self);
    if (self->renew)
        rc = renew_reservations(sim, self, err);
    else if (self->compress && self->freed)
        rc = compress(sim, self, err);
    self->compress = self->renew = false;
    if (!rc)
        rc = plan_new(sim, self, err);
    if (!rc)
        start_planned(sim, self);
    return rc;
}

const struct loom_scheduler_ops loom_scheduler_conservative = {
    .info = {"conservative",
             "backfilling that delays no job (a reservation for each; slow where very many wait)",
             NULL},
    .promises = LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL | LOOM_PROMISE_NO_STARVE,
    .wants_profile = true,
    .reopens = true,
    .state_size = sizeof(struct conservative),
    .open = conservative_open,
    .close = conservative_close,
    .ended = conservative_ended,
    .extended = conservative_extended,
    .pass = conservative_pass,
};
