/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanation of the wait of one job, by an observer of a run.
 *
 * From the submission of the job to its start it records the jobs ahead, each change of the job's
 * reservation, each start of a job that was not ahead, and at the end of each pass whether enough
 * processors are free for the job. A pass reacts to the events since the last pass: the last job
 * that ended since is taken as the reason if the job starts or its reservation moves.
 *
 * The policy's measure of the job (explain_rank) is queried at the end of each pass, when a job
 * starts, and when the job gets its reservation.
 *
 * If only the first job has a reservation, that is made anew in each pass and holds for the pass.
 * If all jobs can have one (LOOM_PROMISE_ALL) reservations last, and those made before the
 * submission of the job count too.
 */
#include "sim/results/explain.h"

#include "base/vec.h"

/* Lasting reservations on one machine. */
struct plans {
    const struct loom_sim *of;
    int64_t *planned_s; /* by job; -1: none */
    size_t n, capacity;
};

struct loom_explainer {
    struct loom_explanation found; /* its arrays grow below these capacities */
    size_t moves_capacity, overtakers_capacity, released_capacity;
    unsigned home; /* LOOM_JOB_GRID for a grid job, or 0 */
    const struct loom_sim
        *sim; /* the one it joined; an explainer may observe all clusters of a grid */
    bool waiting;
    bool *is_ahead; /* by number, of the jobs submitted before it */

    struct plans *plans; /* of each observed machine that makes any */
    size_t n_plans, plans_capacity;

    /* Since the last pass, or in this one. */
    uint32_t ended_job, extended_job; /* the last, or LOOM_NO_JOB */
    uint32_t reserved_job;            /* of the reservation reported last, or LOOM_NO_JOB */
    int64_t reserved_s;

    /* At the end of the last pass. */
    int64_t pass_s;
    bool enough;     /* enough processors were free for the job */
    bool overlooked; /* and it could have started without delaying the only reservation */
    uint32_t holder; /* the job with the only reservation, or LOOM_NO_JOB */
    int64_t holder_s;
};

int loom_explainer_create(struct loom_explainer **out, uint32_t row, struct loom_error *err)
{
    return loom_explainer_create_for(out, row, 0, err);
}

int loom_explainer_create_for(struct loom_explainer **out, uint32_t row, unsigned home,
                              struct loom_error *err)
{
    struct loom_explainer *self = calloc(1, sizeof *self);
    if (!self)
        return loom_fail_memory(err);
    self->found.row = row;
    self->home = home;
    self->found.job = self->reserved_job = self->found.held_for_job = LOOM_NO_JOB;
    self->found.held_for_s = -1;
    self->found.extended_job = LOOM_NO_JOB;
    self->ended_job = self->extended_job = self->holder = LOOM_NO_JOB;
    *out = self;
    return 0;
}

void loom_explainer_destroy(struct loom_explainer *self)
{
    if (!self)
        return;
    free(self->found.ahead);
    free(self->found.ahead_estimate_s);
    free(self->found.moves);
    free(self->found.overtakers);
    free(self->found.released);
    free(self->is_ahead);
    for (size_t i = 0; i < self->n_plans; i++)
        free(self->plans[i].planned_s);
    free(self->plans);
    free(self);
}

const struct loom_explanation *loom_explainer_result(const struct loom_explainer *self)
{
    return &self->found;
}

/* ---- measures of the policy ------------------------------------------------------------------ */

static struct loom_standing standing_of(const struct loom_sim *sim, uint32_t job)
{
    struct loom_standing standing = {.time_s = loom_sim_now(sim), .first_job = LOOM_NO_JOB};
    if (sim->ops->explain_rank)
        sim->ops->explain_rank(sim, sim->state, job, &standing);
    return standing;
}

static void note_first_standing(struct loom_explanation *found,
                                const struct loom_standing *standing)
{
    if (!found->at_submit.measure)
        found->at_submit = *standing;
}

/* Record the measure of the job at the end of a pass. */
static void note_standing(struct loom_explanation *found, const struct loom_sim *sim)
{
    const struct loom_standing standing = standing_of(sim, found->job), *best = &found->nearest;
    note_first_standing(found, &standing);
    if (found->n_moves == 0 &&
        (!best->measure || standing.value * best->bar_value >= best->value * standing.bar_value))
        found->nearest = standing;
}

/* ---- from the submission --------------------------------------------------------------------- */

int loom_explain_ahead(uint32_t **ahead, size_t *n_ahead, bool **is_ahead,
                       const struct loom_sim *sim, uint32_t job, struct loom_error *err)
{
    struct loom_cursor cursor = loom_queue_before_first();
    uint32_t other;
    size_t capacity = 0;
    *is_ahead = calloc((size_t)job + 1, sizeof **is_ahead);
    if (!*is_ahead)
        return loom_fail_memory(err);
    while ((other = loom_queue_next(&sim->waiting, &cursor)) != job) {
        if (loom_grow(ahead, *n_ahead, &capacity))
            return loom_fail_memory(err);
        (*ahead)[(*n_ahead)++] = other;
        (*is_ahead)[other] = true;
    }
    return 0;
}

/* Copy the estimates of the jobs ahead, which may change later in the run. */
static int note_estimates(struct loom_explanation *found, const struct loom_sim *sim,
                          struct loom_error *err)
{
    found->ahead_estimate_s = calloc(found->n_ahead + 1, sizeof *found->ahead_estimate_s);
    if (!found->ahead_estimate_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < found->n_ahead; i++)
        found->ahead_estimate_s[i] = sim->jobs[found->ahead[i]].estimate_s;
    return 0;
}

static int begin(struct loom_explainer *self, const struct loom_sim *sim, uint32_t job,
                 struct loom_error *err)
{
    struct loom_explanation *found = &self->found;
    found->job = job;
    found->free_at_submit = loom_sim_free(sim);
    found->running_at_submit = loom_sim_running(sim);
    found->free_before = loom_sim_free(sim);
    found->ranked = sim->ops->ranks;
    found->promises = sim->ops->promises;
    self->waiting = true;
    self->sim = sim;
    self->pass_s = loom_sim_now(sim);
    int rc = loom_explain_ahead(&found->ahead, &found->n_ahead, &self->is_ahead, sim, job, err);
    return rc ? rc : note_estimates(found, sim, err);
}

/* ---- while it waits -------------------------------------------------------------------------- */

/* Add the time since the last pass to the reason why the job did not start then. */
static void account(struct loom_explainer *self, const struct loom_sim *sim)
{
    struct loom_explanation *found = &self->found;
    int64_t *share_s = self->enough ? &found->held_s : &found->short_s;
    int64_t length_s = loom_sim_now(sim) - self->pass_s;
    if (length_s == 0)
        return;
    *share_s += length_s;
    found->kept = self->overlooked ? LOOM_KEPT_OVERLOOKED
                  : self->enough   ? LOOM_KEPT_HELD
                                   : LOOM_KEPT_SHORT;
    if (found->kept == LOOM_KEPT_OVERLOOKED) {
        found->overlooked_s += length_s;
    } else if (found->kept == LOOM_KEPT_HELD && self->holder != LOOM_NO_JOB) {
        found->held_for_job = self->holder;
        found->held_for_s = self->holder_s;
    }
    self->pass_s = loom_sim_now(sim);
}

/* Return the job that caused a reservation to move: an end moves it forward, an estimate that was
 * too short moves it back. */
static uint32_t cause_of(const struct loom_explainer *self, int64_t from_s, int64_t to_s)
{
    if (from_s < 0)
        return LOOM_NO_JOB;
    return to_s < from_s ? self->ended_job : self->extended_job;
}

static int note_plan(struct loom_explainer *self, const struct loom_sim *sim,
                     const struct loom_sim_event *event, struct loom_error *err)
{
    struct loom_explanation *found = &self->found;
    int64_t before_s = found->n_moves ? found->moves[found->n_moves - 1].to_s : -1;
    if (event->planned_s == before_s)
        return 0;
    if (loom_grow(&found->moves, found->n_moves, &self->moves_capacity))
        return loom_fail_memory(err);
    if (found->n_moves == 0) {
        found->at_reservation = standing_of(sim, found->job);
        note_first_standing(found, &found->at_reservation);
    }
    found->moves[found->n_moves++] = (struct loom_explained_move){
        .time_s = event->time_s,
        .from_s = before_s,
        .to_s = event->planned_s,
        .cause_job = cause_of(self, before_s, event->planned_s),
    };
    return 0;
}

/* ---- reservations ---------------------------------------------------------------------------- */

static bool reservations_last(const struct loom_sim *sim)
{
    return sim->ops->promises & LOOM_PROMISE_ALL;
}

static struct plans *find_plans(const struct loom_explainer *self, const struct loom_sim *sim)
{
    for (size_t i = 0; i < self->n_plans; i++)
        if (self->plans[i].of == sim)
            return &self->plans[i];
    return NULL;
}

static int note_lasting(struct loom_explainer *self, const struct loom_sim *sim,
                        const struct loom_sim_event *event, struct loom_error *err)
{
    struct plans *plans = find_plans(self, sim);
    if (!plans) {
        if (loom_grow(&self->plans, self->n_plans, &self->plans_capacity))
            return loom_fail_memory(err);
        plans = &self->plans[self->n_plans++];
        *plans = (struct plans){.of = sim};
    }
    for (; plans->n <= event->job; plans->n++) {
        if (loom_grow(&plans->planned_s, plans->n, &plans->capacity))
            return loom_fail_memory(err);
        plans->planned_s[plans->n] = -1;
    }
    plans->planned_s[event->job] = event->planned_s;
    return 0;
}

/* Find the lasting reservation that begins next. */
static void find_next_plan(const struct loom_explainer *self, const struct loom_sim *sim,
                           struct loom_explained_start *out)
{
    const struct plans *plans = find_plans(self, sim);
    struct loom_cursor cursor = loom_queue_before_first();
    uint32_t job;
    while (plans && (job = loom_queue_next(&sim->waiting, &cursor)) != LOOM_NO_JOB) {
        int64_t planned_s = job < plans->n ? plans->planned_s[job] : -1;
        if (planned_s >= 0 && (out->reserved_s < 0 || planned_s < out->reserved_s)) {
            out->reserved_job = job;
            out->reserved_s = planned_s;
        }
    }
}

/* Copy the first job from the standing of the job that starts: it is the same for all. */
static void share_first(struct loom_standing *own, const struct loom_standing *starting)
{
    if (starting->first_job == LOOM_NO_JOB)
        return;
    own->first_job = starting->first_job;
    own->first_rank = starting->first_rank;
    own->bar_value = starting->bar_value;
}

static struct loom_explained_start start_of(const struct loom_explainer *self,
                                            const struct loom_sim *sim,
                                            const struct loom_sim_event *event)
{
    struct loom_explained_start start = {
        .job = event->job,
        .time_s = event->time_s,
        .estimate_s = sim->jobs[event->job].estimate_s,
        .why = event->why,
        .reserved_job = LOOM_NO_JOB,
        .reserved_s = -1,
        .standing = standing_of(sim, event->job),
        .own = standing_of(sim, self->found.job),
    };
    share_first(&start.own, &start.standing);
    if (event->why != LOOM_WHY_BEFORE && event->why != LOOM_WHY_BESIDE)
        return start;
    if (reservations_last(sim)) {
        find_next_plan(self, sim, &start);
    } else if (self->reserved_job != LOOM_NO_JOB) {
        start.reserved_job = self->reserved_job;
        start.reserved_s = self->reserved_s;
    }
    return start;
}

/* ---- starts and ends ------------------------------------------------------------------------- */

static int note_overtaker(struct loom_explainer *self, const struct loom_sim *sim,
                          const struct loom_sim_event *event, struct loom_error *err)
{
    struct loom_explanation *found = &self->found;
    if (event->job < found->job && self->is_ahead[event->job])
        return 0;
    if (loom_grow(&found->overtakers, found->n_overtakers, &self->overtakers_capacity))
        return loom_fail_memory(err);
    found->overtakers[found->n_overtakers++] = start_of(self, sim, event);
    return 0;
}

static int note_start(struct loom_explainer *self, const struct loom_sim *sim,
                      const struct loom_sim_event *event, struct loom_error *err)
{
    if (event->job != self->found.job)
        return note_overtaker(self, sim, event, err);
    account(self, sim);
    self->found.extended_job = self->extended_job;
    self->found.start = start_of(self, sim, event);
    note_first_standing(&self->found, &self->found.start.own);
    self->waiting = false;
    return 0;
}

static int note_end(struct loom_explainer *self, const struct loom_sim_event *event,
                    struct loom_error *err)
{
    struct loom_explanation *found = &self->found;
    if (loom_grow(&found->released, found->n_released, &self->released_capacity))
        return loom_fail_memory(err);
    found->released[found->n_released++] = event->job;
    self->ended_job = event->job;
    return 0;
}

/* Return the processors free at a time, by the estimates of the running jobs. */
static int64_t free_by_estimates(const struct loom_sim *sim, int64_t time_s)
{
    int64_t free = sim->procs;
    for (size_t i = 0; i < loom_ends_count(&sim->ends); i++) {
        const struct loom_sim_job *job = &sim->jobs[loom_ends_job(&sim->ends, i)];
        if (job->start_s + job->estimate_s > time_s)
            free -= job->procs;
    }
    return free;
}

/* Return whether enough processors are free for the job and it could have started without delaying
 * the only reservation. */
static bool is_overlooked(const struct loom_explainer *self, const struct loom_sim *sim)
{
    const struct loom_sim_job *job = &sim->jobs[self->found.job];
    if (!self->enough || self->holder == LOOM_NO_JOB || self->holder == self->found.job)
        return false;
    return loom_sim_now(sim) + job->estimate_s <= self->holder_s ||
           free_by_estimates(sim, self->holder_s) - sim->jobs[self->holder].procs >= job->procs;
}

static void note_pass(struct loom_explainer *self, const struct loom_sim *sim)
{
    account(self, sim);
    note_standing(&self->found, sim);
    self->found.free_before = loom_sim_free(sim);
    self->enough = loom_sim_free(sim) >= sim->jobs[self->found.job].procs;
    self->holder = reservations_last(sim) ? LOOM_NO_JOB : self->reserved_job;
    self->holder_s = self->reserved_s;
    self->overlooked = is_overlooked(self, sim);
    self->found.n_released = 0;
    self->ended_job = self->extended_job = self->reserved_job = LOOM_NO_JOB;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int see_waiting(struct loom_explainer *self, const struct loom_sim *sim,
                       const struct loom_sim_event *event, struct loom_error *err)
{
    switch (event->kind) {
    case LOOM_EVENT_RESERVE:
        self->reserved_job = event->job;
        self->reserved_s = event->planned_s;
        return event->job == self->found.job ? note_plan(self, sim, event, err) : 0;
    case LOOM_EVENT_START:
        return note_start(self, sim, event, err);
    case LOOM_EVENT_END:
        return note_end(self, event, err);
    case LOOM_EVENT_EXTEND:
        self->extended_job = event->job;
        return 0;
    case LOOM_EVENT_PASS:
        note_pass(self, sim);
        return 0;
    default:
        return 0;
    }
}

static int see(void *self_, const struct loom_sim *sim, const struct loom_sim_event *event,
               struct loom_error *err)
{
    struct loom_explainer *self = self_;
    int rc = event->kind == LOOM_EVENT_RESERVE && reservations_last(sim)
                 ? note_lasting(self, sim, event, err)
                 : 0;
    if (rc)
        return rc;
    if (self->waiting)
        return sim == self->sim ? see_waiting(self, sim, event, err) : 0;
    if (event->kind == LOOM_EVENT_SUBMIT && sim->jobs[event->job].row == self->found.row &&
        (sim->jobs[event->job].notes & LOOM_JOB_GRID) == self->home)
        return begin(self, sim, event->job, err);
    if (event->kind == LOOM_EVENT_REJECT && event->rejected->row == self->found.row && !self->home)
        self->found.refused = loom_refusal(sim, event->rejected);
    return 0;
}

struct loom_observer loom_explainer_observer(struct loom_explainer *self)
{
    return (struct loom_observer){
        .self = self,
        .events = LOOM_EVENT_SUBMIT | LOOM_EVENT_REJECT | LOOM_EVENT_RESERVE | LOOM_EVENT_START |
                  LOOM_EVENT_END | LOOM_EVENT_EXTEND | LOOM_EVENT_PASS,
        .on_event = see,
    };
}
