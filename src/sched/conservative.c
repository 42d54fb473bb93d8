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
 * Compression moves most of a long queue at each end, so it is where the time goes. Two things make
 * it bearable. A job that was at its earliest start can move only into time that was given back
 * since, by jobs that ended before their estimate and by jobs that moved; all of that lies before
 * freed_s. And a run of equal jobs moves up like people in a line: each takes the place that the
 * one before it has left. Such a place stays booked and changes hands (struct line), until a job
 * comes that is not equal.
 */
#include "sim/scheduler.h"

#include "sim/agenda.h"

struct conservative {
    struct loom_agenda plans; /* the start reserved for each waiting job */
    uint32_t unplanned;       /* jobs from this number on have none yet */
    int64_t freed_s;
    bool compress; /* a job has ended since the last pass */
    bool renew;    /* an estimate turned out too short since then */
};

static int64_t latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct conservative *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    (void)err;
    self->freed_s = latest(self->freed_s, what->start_s + what->estimate_s);
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
    if (loom_agenda_set(&self->plans, job, from_s))
        return loom_fail_memory(err);
    loom_sim_reserve(sim, job, from_s);
    return 0;
}

static void book(struct loom_sim *sim, const struct loom_sim_job *what, int64_t from_s)
{
    loom_profile_book(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
}

static void unbook(struct loom_sim *sim, const struct loom_sim_job *what, int64_t from_s)
{
    loom_profile_unbook(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
}

static int plan_earliest(struct loom_sim *sim, struct conservative *self, uint32_t job,
                         struct loom_error *err)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t from_s = loom_profile_earliest(loom_sim_profile(sim), what->procs, what->estimate_s);
    book(sim, what, from_s);
    return plan(sim, self, job, from_s, err);
}

/* ---- compression ----------------------------------------------------------------------------- */

/* A run of equal jobs. */
struct line {
    struct loom_sim_job equal; /* what they ask for */
    int64_t vacant_s; /* the place that the last one left, still booked; -1 if there is none */
    int64_t own_s;    /* the place that the last one had, or took over */
    int64_t from_s;   /* there is no place for such a job before this */
};

static void end_line(struct loom_sim *sim, struct line *line)
{
    if (line->vacant_s >= 0)
        unbook(sim, &line->equal, line->vacant_s);
    line->vacant_s = -1;
}

/* A job comes to the line, or begins a new one. */
static void join_line(struct loom_sim *sim, struct line *line, const struct loom_sim_job *what,
                      int64_t planned_s)
{
    bool equal = what->procs == line->equal.procs && what->estimate_s == line->equal.estimate_s;
    if (!equal || planned_s <= line->vacant_s)
        end_line(sim, line);
    int64_t own_s = line->vacant_s >= 0 ? line->vacant_s : planned_s;
    if (!equal || own_s < line->own_s)
        line->from_s = 0; /* what is known of it holds up to own_s only */
    line->equal = *what;
    line->own_s = own_s;
}

/* The job at planned_s moves to new_s, the vacant place or another, and leaves its own to the next.
 * Where the old and the new place overlap, there is nothing whole to leave. */
static void move_up(struct loom_sim *sim, struct line *line, int64_t planned_s, int64_t new_s)
{
    bool overlaps = new_s + line->equal.estimate_s > planned_s;
    if (new_s == line->vacant_s) {
        line->vacant_s = planned_s;
        return;
    }
    end_line(sim, line);
    if (overlaps)
        unbook(sim, &line->equal, planned_s);
    else
        line->vacant_s = planned_s;
    book(sim, &line->equal, new_s);
}

/* The next job that could move: before any has moved, only one that fits where time was given back.
 */
static uint32_t next_mover(struct loom_sim *sim, struct loom_cursor *cursor, int64_t procs)
{
    const struct loom_gap gap = {.procs = procs, .length_s = LOOM_NEVER};
    return procs < loom_sim_procs(sim) ? loom_sim_next_fit(sim, cursor, &gap)
                                       : loom_queue_next(loom_sim_waiting(sim), cursor);
}

static int compress(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    struct loom_profile *profile = loom_sim_profile(sim);
    struct loom_cursor cursor = {0};
    struct line line = {.vacant_s = -1};
    int64_t before_s = self->freed_s; /* grows with each job that moves */
    uint32_t job;
    int rc = 0;
    self->freed_s = loom_sim_now(sim);
    int64_t procs = loom_profile_most(profile, before_s);
    while (!rc && (job = next_mover(sim, &cursor, procs)) < self->unplanned) {
        const struct loom_sim_job *what = loom_sim_job(sim, job);
        int64_t planned_s = self->plans.time_s[job];
        join_line(sim, &line, what, planned_s);
        int64_t new_s = loom_profile_earlier(profile, what->procs, what->estimate_s, line.own_s,
                                             line.from_s, before_s);
        line.from_s = new_s < before_s ? new_s : before_s;
        if (new_s == planned_s)
            continue;
        move_up(sim, &line, planned_s, new_s);
        rc = plan(sim, self, job, new_s, err);
        self->freed_s = latest(self->freed_s, planned_s + what->estimate_s);
        before_s = latest(before_s, self->freed_s);
        procs = loom_sim_procs(sim);
    }
    end_line(sim, &line);
    return rc;
}

static int make_anew(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    const struct loom_queue *waiting = loom_sim_waiting(sim);
    struct loom_cursor cursor = {0};
    uint32_t job;
    int rc = 0;
    while ((job = loom_queue_next(waiting, &cursor)) < self->unplanned)
        unbook(sim, loom_sim_job(sim, job), self->plans.time_s[job]);
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
    uint32_t first;
    while ((first = loom_agenda_first(&self->plans)) != LOOM_NO_JOB) {
        if (self->plans.time_s[first] > loom_sim_now(sim)) {
            loom_sim_wake(sim, self->plans.time_s[first]);
            return;
        }
        loom_agenda_pop(&self->plans);
        loom_sim_start_booked(sim, first, LOOM_WHY_PLANNED);
    }
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
    loom_agenda_free(&self->plans);
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
