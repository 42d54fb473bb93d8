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
 * Three rules keep a pass short:
 *
 *     1. Only submissions and, by load, starts change the order of users. A change moves the ranks
 *        of all users behind by one, so ranks are counted in a tree, not stored.
 *     2. The priorities of all jobs grow at the same rate, so the jobs of a user keep their order,
 *        and only the first job of each user can be the first of all.
 *     3. Bounds of subtrees show that most of these cannot be the first of all; only the others are
 *        compared (user_index.h).
 *
 * Users, and jobs, whose priorities are equal go by submission. Work and priorities are compared
 * exactly, as whole numbers; alpha counts to nine decimals. Jobs without a user count as one
 * user's.
 *
 * What it guarantees: with alpha below 1 every job becomes the first at some time, and then has the
 * guarantee of EASY.
 */
#include "sched/support/user_index.h"
#include "sim/share.h"

#include <workloom/scheduler.h>

#include <string.h>

enum { FOUR_HOURS_S = 4 * 3600 };

struct ups {
    int64_t alpha; /* in billionths */
    struct loom_user_index users;
};

static int64_t billionths(const struct loom_params *params)
{
    return loom_billionths(loom_params_real(params, "alpha"));
}

/* ---- users ----------------------------------------------------------------------------------- */

static bool has_less_work(const struct loom_ranked_user *a, const struct loom_ranked_user *b)
{
    return a->work != b->work ? a->work < b->work : a->first_job < b->first_job;
}

static bool submitted_later(const struct loom_ranked_user *a, const struct loom_ranked_user *b)
{
    return a->last_job > b->last_job;
}

static int ups_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                    struct loom_error *err)
{
    struct ups *self = state;
    (void)sim, (void)err;
    bool by_load = strcmp(loom_params_text(params, "priority"), "load") == 0;
    loom_user_index_open(&self->users, by_load ? has_less_work : submitted_later);
    self->alpha = billionths(params);
    return 0;
}

static void ups_close(void *state)
{
    struct ups *self = state;
    loom_user_index_free(&self->users);
}

static int ups_submitted(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct ups *self = state;
    int rc = loom_user_index_add(&self->users, loom_sim_jobs(sim, NULL), job);
    return rc ? loom_fail_memory(err) : 0;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/*
 * Return whether a job of a user of this rank, submitted ahead_s before a job of a user of a better
 * rank, goes before it. Both sides of the comparison are the difference of priorities times 4 hours
 * and both ranks, in billionths: whole numbers, so that equal priorities compare equal. A wait
 * above 2^90 outweighs every rank.
 */
static bool wait_outweighs_rank(const struct ups *self, uint64_t rank, uint64_t better_rank,
                                int64_t ahead_s)
{
    static const __int128 wait_max = (__int128)1 << 90;
    __int128 handicap = (__int128)(rank - better_rank) * (FOUR_HOURS_S * self->alpha);
    __int128 wait = (__int128)rank * better_rank * ahead_s;
    return handicap <= (wait < wait_max ? wait : wait_max) * (LOOM_BILLION - self->alpha);
}

/* The rule by which one job goes before another, with its data. */
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
    return job < other_job &&
           wait_outweighs_rank(rule->ups, rank, other_rank,
                               rule->jobs[other_job].submit_s - rule->jobs[job].submit_s);
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Start jobs by priority. Return the first that does not fit, or LOOM_NO_JOB. */
static uint32_t start_by_priority(struct loom_sim *sim, struct ups *self)
{
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    const struct ups_rule rule = {self, jobs};
    const struct loom_user_index_rule by_priority = {wins, &rule};
    uint32_t first;
    while ((first = loom_user_index_best(&self->users, &by_priority)) != LOOM_NO_JOB &&
           jobs[first].procs <= loom_sim_free(sim)) {
        loom_user_index_remove(&self->users, jobs, first);
        loom_sim_start(sim, first, LOOM_WHY_TURN);
    }
    return first;
}

static void backfill(struct loom_sim *sim, struct ups *self, struct loom_gap *gap)
{
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    struct loom_user_index_cursor cursor = loom_user_index_before_first();
    uint32_t next;
    while ((next = loom_user_index_next_fit(&self->users, &cursor, gap)) != LOOM_NO_JOB) {
        loom_user_index_remove(&self->users, jobs, next);
        loom_backfill(sim, gap, next);
    }
}

static int ups_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct ups *self = state;
    if (loom_sim_queued(sim) == 0)
        return 0;
    if (loom_user_index_rank(&self->users))
        return loom_fail_memory(err);
    uint32_t first = start_by_priority(sim, self);
    if (first == LOOM_NO_JOB)
        return 0;
    struct loom_gap gap = loom_shadow_gap(sim, first);
    backfill(sim, self, &gap);
    return 0;
}

/* ---- explanations ---------------------------------------------------------------------------- */

static double priority_of(const struct loom_sim *sim, const struct ups *self, uint32_t job,
                          uint64_t rank)
{
    double alpha = (double)self->alpha / (double)LOOM_BILLION;
    double wait_s = (double)(loom_sim_now(sim) - loom_sim_job(sim, job)->submit_s);
    return alpha / (double)rank + (1 - alpha) * wait_s / FOUR_HOURS_S;
}

/* Return the first job of all, with `job`, which is no longer in the index if it is being started.
 */
static uint32_t first_with(const struct ups *self, const struct loom_sim_job *jobs, uint32_t job)
{
    const struct ups_rule rule = {self, jobs};
    uint32_t first =
        loom_user_index_best(&self->users, &(struct loom_user_index_rule){wins, &rule});
    if (first == LOOM_NO_JOB ||
        wins(&rule, loom_user_index_rank_of(&self->users, jobs[job].user), job,
             loom_user_index_rank_of(&self->users, jobs[first].user), first))
        return job;
    return first;
}

static void ups_explain_rank(const struct loom_sim *sim, const void *state, uint32_t job,
                             struct loom_standing *out)
{
    const struct ups *self = state;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    out->user_rank = loom_user_index_rank_of(&self->users, jobs[job].user);
    out->users = loom_user_index_count(&self->users);
    out->first_job = first_with(self, jobs, job);
    out->first_rank = loom_user_index_rank_of(&self->users, jobs[out->first_job].user);
    out->measure = "priority";
    out->value = priority_of(sim, self, job, out->user_rank);
    out->bar = "first_priority";
    out->bar_value = priority_of(sim, self, out->first_job, out->first_rank);
}

/* With alpha < 1, a job submitted more than alpha / (1 - alpha) * 4 h later never goes before this
 * one, whatever the ranks. With alpha = 1 the wait has no weight. */
static unsigned ups_promises_by(const struct loom_params *params)
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
    .promises_by = ups_promises_by,
    .ranks = true,
    .keeps_jobs = true,
    .reopens = true,
    .state_size = sizeof(struct ups),
    .open = ups_open,
    .close = ups_close,
    .submitted = ups_submitted,
    .pass = ups_pass,
    .explain_rank = ups_explain_rank,
};
