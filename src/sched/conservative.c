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
 * freed_s. And a run of equal jobs moves up like people in a line: each takes the place of the one
 * before it, and the profile need not hear of more than where the line began and ended (struct
 * line).
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

/* A run of equal jobs, each of which takes the place that the one before it has left, as people in
 * a line move up. All that this changes in the profile is that the place where the last one stood
 * is given up for the place where the first one went. */
struct line {
    int64_t procs, length_s;     /* what they ask for */
    int64_t own_s;               /* the place of the last one */
    int64_t from_s;              /* there is no place for such a job before this */
    int64_t given_up_s, taken_s; /* the move that is still to be booked, if taken_s >= 0 */
};

static void end_line(struct loom_sim *sim, struct line *line)
{
    if (line->taken_s >= 0)
        loom_profile_move(loom_sim_profile(sim), line->given_up_s, line->taken_s, line->length_s,
                          line->procs);
    line->taken_s = -1;
}

/* A job comes to the line, or begins a new one. */
static void join_line(struct loom_sim *sim, struct line *line, const struct loom_sim_job *what,
                      int64_t planned_s)
{
    bool equal = what->procs == line->procs && what->estimate_s == line->length_s;
    if (!equal || planned_s < line->own_s) {
        end_line(sim, line);
        *line = (struct line){.procs = what->procs, .length_s = what->estimate_s, .taken_s = -1};
    }
    line->own_s = planned_s;
}

/* Can the profile be asked where the line could move to, as it is? Between the place taken and the
 * one given up it lacks the first job, so there must be no room for two. From there on to the end
 * of the place taken, the first job is where the last one was. */
static bool is_as_booked(struct loom_sim *sim, const struct line *line)
{
    return line->taken_s < 0 ||
           (line->own_s <= line->taken_s + line->length_s &&
            (line->from_s >= line->given_up_s ||
             loom_profile_at(loom_sim_profile(sim), line->given_up_s - 1) < 2 * line->procs));
}

/* The earliest place, before before_s, for the last one in line. */
static int64_t look(struct loom_sim *sim, struct line *line, int64_t before_s)
{
    if (line->from_s >= line->own_s || line->from_s >= before_s)
        return line->own_s;
    if (!is_as_booked(sim, line))
        end_line(sim, line);
    if (line->taken_s >= 0)
        line->from_s = latest(line->from_s, line->given_up_s);
    return loom_profile_earlier(loom_sim_profile(sim), line->procs, line->length_s, line->own_s,
                                line->from_s, before_s);
}

static void move_up(struct loom_sim *sim, struct line *line, int64_t new_s)
{
    if (line->taken_s < 0 || new_s != line->given_up_s) {
        end_line(sim, line);
        line->taken_s = new_s;
    }
    line->given_up_s = line->own_s;
}

/* The first job that could move: one that fits where time was given back. */
static uint32_t first_mover(struct loom_sim *sim, struct loom_cursor *cursor, int64_t before_s)
{
    const struct loom_gap gap = {.procs = loom_profile_most(loom_sim_profile(sim), before_s),
                                 .length_s = LOOM_NEVER};
    return loom_sim_next_fit(sim, cursor, &gap);
}

static int compress(struct loom_sim *sim, struct conservative *self, struct loom_error *err)
{
    const struct loom_queue *waiting = loom_sim_waiting(sim);
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    struct loom_cursor cursor = {0};
    struct line line = {.taken_s = -1};
    int64_t before_s = self->freed_s; /* grows with each job that moves */
    uint32_t job = first_mover(sim, &cursor, before_s);
    int rc = 0;
    self->freed_s = loom_sim_now(sim);
    for (; !rc && job < self->unplanned; job = loom_queue_step(waiting, &cursor)) {
        int64_t planned_s = self->plans.time_s[job];
        join_line(sim, &line, &jobs[job], planned_s);
        int64_t new_s = look(sim, &line, before_s);
        line.from_s = new_s < before_s ? new_s : before_s;
        if (new_s == planned_s)
            continue;
        move_up(sim, &line, new_s);
        rc = plan(sim, self, job, new_s, err);
        self->freed_s = latest(self->freed_s, planned_s + line.length_s);
        before_s = latest(before_s, self->freed_s);
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
    .info = {"conservative",
             "backfilling that delays no job (a reservation for each; slow past saturation)", NULL},
    .promises = LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL | LOOM_PROMISE_NO_STARVE,
    .wants_profile = true,
    .state_size = sizeof(struct conservative),
    .ended = ended,
    .extended = extended,
    .pass = pass,
    .close = close,
};
