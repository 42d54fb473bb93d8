/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UPS, the User Priority Scheduler (Zakay, chapter 5, section V): EASY that favours users who are
 * likely to submit more. Users with waiting jobs are ranked at the beginning of each pass, either
 *
 *     load      the user with the least work waiting (estimate times processors) is first
 *     recency   the user who submitted last is first
 *
 * and user i of that order has the priority 1/i. A job's priority is
 *
 *     alpha * (priority of its user) + (1 - alpha) * (its wait / 4 hours)
 *
 * Jobs start by job priority as long as they fit; the first that does not gets a reservation. The
 * others are backfilled in the order of their users and, for each user, as submitted.
 *
 * Time changes none of that by itself: who comes before whom is decided by jobs waiting and jobs
 * submitted, so a user changes his place among the others only when a job of his comes or, by load,
 * leaves; and all priorities of jobs grow at the same pace, so jobs of one user keep their order,
 * and only the first one of each can be the first of all. Where a user changes his place, or has
 * his first job or no more, the ranks of all behind him move by one. So users are kept in order,
 * their ranks are counted, and priorities worked out where they are asked for: a pass looks at the
 * few users of whom no bound shows that others come before them (roster.h).
 *
 * Users, and jobs, whose priorities are equal go by submission. Work and priorities are compared
 * exactly, as whole numbers; alpha counts to nine decimals. Jobs without a user count as one
 * user's.
 *
 * What it guarantees: with alpha below 1 every job becomes the first some time, and has EASY's
 * guarantee then.
 */
#include "sched/support/roster.h"
#include "sim/share.h"

#include <workloom/scheduler.h>

#include <string.h>

enum { FOUR_HOURS_S = 4 * 3600 };

struct ups {
    int64_t alpha; /* in billionths */
    struct loom_roster roster;
};

static int64_t billionths(const struct loom_params *params)
{
    return loom_billionths(loom_params_real(params, "alpha"));
}

/* ---- users ----------------------------------------------------------------------------------- */

static bool has_less_work(const struct loom_roster_user *a, const struct loom_roster_user *b)
{
    return a->work != b->work ? a->work < b->work : a->first_job < b->first_job;
}

static bool was_here_later(const struct loom_roster_user *a, const struct loom_roster_user *b)
{
    return a->last_job > b->last_job;
}

static int ups_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                    struct loom_error *err)
{
    struct ups *self = state;
    (void)sim, (void)err;
    bool by_load = strcmp(loom_params_text(params, "priority"), "load") == 0;
    loom_roster_open(&self->roster, by_load ? has_less_work : was_here_later);
    self->alpha = billionths(params);
    return 0;
}

static void close(void *state)
{
    struct ups *self = state;
    loom_roster_free(&self->roster);
}

static int submitted(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct ups *self = state;
    int rc = loom_roster_add(&self->roster, loom_sim_jobs(sim, NULL), job);
    return rc ? loom_fail_memory(err) : 0;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/*
 * Does a job of a user of this rank, submitted ahead_s before one of a user of a better rank, go
 * before that? Their priorities times 4 hours and both ranks, less what they have in common, are
 * whole numbers of billionths; so equals are equal, and the earlier job is the first, at whatever
 * time the log begins. Past 2^90 a wait outweighs every rank.
 */
static bool makes_up(const struct ups *self, uint64_t rank, uint64_t better_rank, int64_t ahead_s)
{
    static const __int128 plenty = (__int128)1 << 90;
    __int128 handicap = (__int128)(rank - better_rank) * (FOUR_HOURS_S * self->alpha);
    __int128 wait = (__int128)rank * better_rank * ahead_s;
    return handicap <= (wait < plenty ? wait : plenty) * (LOOM_BILLION - self->alpha);
}

/* What decides between jobs. */
struct ups_rule {
    const struct ups *ups;
    const struct loom_sim_job *jobs;
};

static bool wins(const void *self, uint64_t rank, uint32_t job, uint64_t other_rank,
                 uint32_t other_job)
{
    const struct ups_rule *rule = self;
    if (rank < other_rank)
        return !wins(self, other_rank, other_job, rank, job);
    return job < other_job && makes_up(rule->ups, rank, other_rank,
                                       rule->jobs[other_job].submit_s - rule->jobs[job].submit_s);
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Start jobs by priority; the first that does not fit, or LOOM_NO_JOB. */
static uint32_t start_by_priority(struct loom_sim *sim, struct ups *self)
{
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    const struct ups_rule rule = {self, jobs};
    const struct loom_roster_rule by_priority = {wins, &rule};
    uint32_t first;
    while ((first = loom_roster_foremost(&self->roster, &by_priority)) != LOOM_NO_JOB &&
           jobs[first].procs <= loom_sim_free(sim)) {
        loom_roster_take(&self->roster, jobs, first);
        loom_sim_start(sim, first, LOOM_WHY_TURN);
    }
    return first;
}

static void backfill(struct loom_sim *sim, struct ups *self, struct loom_gap *gap)
{
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    struct loom_roster_cursor cursor = loom_roster_before_first();
    uint32_t next;
    while ((next = loom_roster_next_fit(&self->roster, &cursor, gap)) != LOOM_NO_JOB) {
        loom_roster_take(&self->roster, jobs, next);
        loom_backfill(sim, gap, next);
    }
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct ups *self = state;
    if (loom_sim_queued(sim) == 0)
        return 0;
    if (loom_roster_rank(&self->roster))
        return loom_fail_memory(err);
    uint32_t first = start_by_priority(sim, self);
    if (first == LOOM_NO_JOB)
        return 0;
    struct loom_gap gap = loom_shadow_gap(sim, first);
    backfill(sim, self, &gap);
    return 0;
}

/* ---- for those who explain ------------------------------------------------------------------- */

static double priority_of(const struct loom_sim *sim, const struct ups *self, uint32_t job,
                          uint64_t rank)
{
    double alpha = (double)self->alpha / (double)LOOM_BILLION;
    double wait_s = (double)(loom_sim_now(sim) - loom_sim_job(sim, job)->submit_s);
    return alpha / (double)rank + (1 - alpha) * wait_s / FOUR_HOURS_S;
}

/* A job that is being started is no longer in the roster. */
static uint32_t first_with(const struct ups *self, const struct loom_sim_job *jobs, uint32_t job)
{
    const struct ups_rule rule = {self, jobs};
    uint32_t first = loom_roster_foremost(&self->roster, &(struct loom_roster_rule){wins, &rule});
    if (first == LOOM_NO_JOB || wins(&rule, loom_roster_rank_of(&self->roster, jobs[job].user), job,
                                     loom_roster_rank_of(&self->roster, jobs[first].user), first))
        return job;
    return first;
}

static void explain_rank(const struct loom_sim *sim, const void *state, uint32_t job,
                         struct loom_standing *out)
{
    const struct ups *self = state;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    out->user_rank = loom_roster_rank_of(&self->roster, jobs[job].user);
    out->users = loom_roster_ranked(&self->roster);
    out->first_job = first_with(self, jobs, job);
    out->first_rank = loom_roster_rank_of(&self->roster, jobs[out->first_job].user);
    out->measure = "priority";
    out->value = priority_of(sim, self, job, out->user_rank);
    out->bar = "first_priority";
    out->bar_value = priority_of(sim, self, out->first_job, out->first_rank);
}

/* A wait that counts outweighs at some time what any user has; one that does not never will. */
static unsigned promises_by(const struct loom_params *params)
{
    return billionths(params) < LOOM_BILLION ? LOOM_PROMISE_NO_STARVE : 0;
}

static const char *const priorities[] = {"load", "recency", NULL};

static const struct loom_param params[] = {
    {.name = "alpha",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1,
     .value = "0.5",
     .metavar = "WEIGHT",
     .help = "weight of the user's priority against that of the job's wait; with 1, where waits "
             "do not count, jobs may starve"},
    {.name = "priority",
     .type = LOOM_PARAM_CHOICE,
     .choices = priorities,
     .value = "load",
     .metavar = "BY",
     .help =
         "which user comes first: the one with the least work waiting, or the latest to submit"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_ups = {
    .info = {"ups", "EASY that favours users who may submit more (User Priority Scheduler)",
             params},
    .promises = LOOM_PROMISE_HEAD,
    .promises_by = promises_by,
    .ranks = true,
    .keeps_jobs = true,
    .reopens = true,
    .state_size = sizeof(struct ups),
    .open = ups_open,
    .close = close,
    .submitted = submitted,
    .pass = pass,
    .explain_rank = explain_rank,
};
