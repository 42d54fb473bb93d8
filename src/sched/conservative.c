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
 * When that changes something, compression goes through the whole queue; src/sim/index/timetable.c
 * has what makes each look cheap.
 */

#include "base/heap.h"
#include "sim/index/timetable.h"
#include "sim/schedulers.h"

struct conservative {
    struct loom_timetable table; /* the running jobs, and the reservation of each waiting one */
    struct loom_heap plans;      /* the starts of those reservations */
    uint32_t unplanned;          /* jobs from this number on have none yet */
    bool freed;                  /* something was given back since the last compression began */
    bool compress;               /* a job has ended since the last pass */
    bool renew;                  /* an estimate turned out too short since then */
};

static int conservative_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                             struct loom_error *err)
{
    struct conservative *self = state;
    (void)params;
    *self = (struct conservative){.table = self->table, .plans = self->plans};
    loom_heap_clear(&self->plans);
    if (loom_timetable_reset(&self->table, (int32_t)loom_sim_procs(sim), 0))
        return loom_fail_memory(err);
    return 0;
}

static void close(void *state)
{
    struct conservative *self = state;
    loom_timetable_free(&self->table);
    loom_heap_free(&self->plans);
}

static int ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct conservative *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t due_s = what->start_s + what->estimate_s;
    (void)err;
    loom_timetable_advance(&self->table, loom_sim_now(sim));
    loom_timetable_end(&self->table, job, due_s);
    self->freed |= due_s > loom_sim_now(sim);
    self->compress = true;
    return 0;
}

static int extended(struct loom_sim *sim, void *state, uint32_t job, int64_t old_estimate_s,
                    struct loom_error *err)
{
    struct conservative *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    (void)old_estimate_s;
    loom_timetable_advance(&self->table, loom_sim_now(sim));
    if (loom_timetable_extend(&self->table, job, what->start_s + what->estimate_s))
        return loom_fail_memory(err);
    self->renew = true;
    return 0;
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* Write down where the timetable has a job now. */
static int plan(struct loom_sim *sim, struct conservative *self, uint32_t job,
                struct loom_error *err)
{
    int64_t planned_s = loom_timetable_time(&self->table, job);
    if (loom_heap_set(&self->plans, job, planned_s))
        return loom_fail_memory(err);
    loom_sim_reserve(sim, job, planned_s);
    return 0;
}

static int plan_earliest(struct loom_sim *sim, struct conservative *self, uint32_t job,
                         struct loom_error *err)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    if (loom_timetable_book(&self->table, job, what->procs, what->estimate_s))
        return loom_fail_memory(err);
    return plan(sim, self, job, err);
}

static int compress(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    struct loom_timetable *table = &self->table;
    uint32_t job = loom_timetable_first(table);
    int rc = 0;
    self->freed = false;
    for (; !rc && job != LOOM_NO_JOB; job = loom_timetable_next(table, job)) {
        if (loom_timetable_is_stuck(table, job))
            continue;
        if (loom_timetable_move_up(table, job))
            return loom_fail_memory(err);
        if (loom_timetable_time(table, job) == loom_heap_key(&self->plans, job))
            continue;
        self->freed = true;
        rc = plan(sim, self, job, err);
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
        loom_timetable_unbook(&self->table, job);
    cursor = (struct loom_cursor){0};
    while (!rc && (job = loom_queue_next(waiting, &cursor)) < self->unplanned)
        rc = plan_earliest(sim, self, job, err);
    return rc;
}

static int plan_new(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    size_t n;
    int rc = 0;
    for (loom_sim_jobs(sim, &n); self->unplanned < n && !rc; self->unplanned++)
        rc = plan_earliest(sim, self, self->unplanned, err);
    return rc;
}

/* Start what is planned for now, in order of submission. */
static void start_planned(struct loom_sim *sim, struct conservative *self)
{
    while (loom_heap_next(&self->plans) <= loom_sim_now(sim)) {
        uint32_t first = loom_heap_pop(&self->plans).item;
        loom_timetable_begin(&self->table, first);
        loom_sim_start(sim, first, LOOM_WHY_PLANNED);
    }
    loom_sim_wake(sim, loom_heap_next(&self->plans));
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct conservative *self = state;
    int rc = 0;
    loom_timetable_advance(&self->table, loom_sim_now(sim));
    if (self->renew)
        rc = make_anew(sim, self, err);
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
    .reopens = true,
    .state_size = sizeof(struct conservative),
    .open = conservative_open,
    .close = close,
    .ended = ended,
    .extended = extended,
    .pass = pass,
};
