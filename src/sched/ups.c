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
 * All priorities grow at the same pace, so jobs of one user keep their order, and only the first
 * one of each can be the first of all. Users, and jobs, whose priorities are equal go by
 * submission. Jobs without a user count as one user's. alpha counts to nine decimals.
 *
 * What it guarantees: with alpha below 1 every job becomes the first some time, and has EASY's
 * guarantee then.
 */
#include "base/vec.h"
#include "sched/backfill.h"
#include "sim/share.h"

#include <string.h>

/* What each pass looks at for every user with waiting jobs; their queues stand elsewhere. */
struct user {
    int32_t number;
    bool ranked;
    double work;        /* waiting, in processor-seconds */
    uint32_t last_job;  /* submitted */
    uint32_t first_job; /* of those that wait, or LOOM_NO_JOB */
};

struct ups {
    int64_t alpha; /* in billionths */
    bool by_load;
    bool some_idle;            /* of the ranked users, perhaps */
    int64_t since_s;           /* no job that waits was submitted before this */
    struct user *users;        /* as they came */
    struct loom_queue *queues; /* their waiting jobs */
    uint32_t *numbered;        /* users by number */
    uint32_t *ranked;          /* users with waiting jobs, by rank */
    size_t n_users, n_ranked;
    size_t users_capacity, queues_capacity, numbered_capacity, ranked_capacity;
};

/* A user of an earlier run stays known, with no jobs. */
static void clear(struct ups *self, size_t user)
{
    loom_queue_reset(&self->queues[user], NULL);
    self->users[user].ranked = false;
    self->users[user].work = 0;
    self->users[user].first_job = LOOM_NO_JOB;
}

static int64_t billionths(const struct loom_params *params)
{
    return loom_billionths(loom_params_real(params, "alpha"));
}

static int open(struct loom_sim *sim, void *state, const struct loom_params *params,
                struct loom_error *err)
{
    struct ups *self = state;
    (void)sim, (void)err;
    self->n_ranked = 0;
    self->since_s = INT64_MIN;
    for (size_t i = 0; i < self->n_users; i++)
        clear(self, i);
    self->alpha = billionths(params);
    self->by_load = strcmp(loom_params_text(params, "priority"), "load") == 0;
    return 0;
}

static void close(void *state)
{
    struct ups *self = state;
    for (size_t i = 0; i < self->n_users; i++)
        loom_queue_free(&self->queues[i]);
    free(self->users);
    free(self->queues);
    free(self->numbered);
    free(self->ranked);
}

/* ---- users ----------------------------------------------------------------------------------- */

/* The place, among users by number, of the first whose number is not below. */
static size_t place_of(const struct ups *self, int32_t number)
{
    size_t low = 0, high = self->n_users;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->users[self->numbered[middle]].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct user *find_user(const struct ups *self, int32_t number)
{
    size_t at = place_of(self, number);
    struct user *user = at < self->n_users ? &self->users[self->numbered[at]] : NULL;
    return user && user->number == number ? user : NULL;
}

static int add_user(struct ups *self, int32_t number, struct loom_error *err)
{
    if (loom_grow(&self->users, self->n_users, &self->users_capacity) ||
        loom_grow(&self->queues, self->n_users, &self->queues_capacity) ||
        loom_grow(&self->numbered, self->n_users, &self->numbered_capacity) ||
        loom_grow(&self->ranked, self->n_users, &self->ranked_capacity))
        return loom_fail_memory(err);
    size_t at = place_of(self, number);
    memmove(self->numbered + at + 1, self->numbered + at,
            (self->n_users - at) * sizeof *self->numbered);
    self->numbered[at] = (uint32_t)self->n_users;
    self->queues[self->n_users] = (struct loom_queue){0};
    self->users[self->n_users++] = (struct user){.number = number, .first_job = LOOM_NO_JOB};
    return 0;
}

static struct loom_queue *queue_of(const struct ups *self, const struct user *user)
{
    return &self->queues[user - self->users];
}

static double work_of(const struct loom_sim_job *job)
{
    return (double)job->estimate_s * job->procs;
}

static int submitted(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct ups *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int rc = find_user(self, what->user) ? 0 : add_user(self, what->user, err);
    if (rc)
        return rc;
    struct user *user = find_user(self, what->user);
    if (!user->ranked)
        self->ranked[self->n_ranked++] = (uint32_t)(user - self->users);
    user->ranked = true;
    user->work += work_of(what);
    user->last_job = job;
    if (user->first_job == LOOM_NO_JOB)
        user->first_job = job;
    if (loom_queue_add(queue_of(self, user), loom_sim_jobs(sim, NULL), job, loom_sim_now(sim)))
        return loom_fail_memory(err);
    return 0;
}

/* A job leaves the queue of its user. */
static void take_out(struct loom_sim *sim, struct ups *self, struct user *user, uint32_t job)
{
    struct loom_queue *waiting = queue_of(self, user);
    loom_queue_remove(waiting, loom_sim_jobs(sim, NULL), job);
    if (user->first_job == job)
        user->first_job = loom_queue_first(waiting);
    self->some_idle |= user->first_job == LOOM_NO_JOB;
    user->work -= work_of(loom_sim_job(sim, job));
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static bool goes_before(const struct ups *self, const struct user *a, const struct user *b)
{
    if (!self->by_load)
        return a->last_job > b->last_job;
    if (a->work != b->work)
        return a->work < b->work;
    return a->first_job < b->first_job;
}

static void drop_the_idle(struct ups *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->n_ranked; i++) {
        struct user *user = &self->users[self->ranked[i]];
        user->ranked = user->first_job != LOOM_NO_JOB;
        if (user->ranked)
            self->ranked[kept++] = self->ranked[i];
    }
    self->n_ranked = kept;
}

/* By insertion: the ranking changes little from pass to pass. */
static void rank_users(struct ups *self)
{
    if (self->some_idle)
        drop_the_idle(self);
    self->some_idle = false;
    for (size_t i = 1; i < self->n_ranked; i++) {
        uint32_t user = self->ranked[i];
        size_t at = i;
        for (; at > 0 && goes_before(self, &self->users[user], &self->users[self->ranked[at - 1]]);
             at--)
            self->ranked[at] = self->ranked[at - 1];
        self->ranked[at] = user;
    }
}

/* ---- the pass -------------------------------------------------------------------------------- */

/*
 * Does a job of a user of this rank, submitted ahead_s before one of a user of a better rank, go
 * before that? Their priorities times 4 hours and both ranks, less what they have in common, are
 * whole numbers of billionths; so equals are equal, and the earlier job is the first, at whatever
 * time the log begins. Past 2^90 a wait outweighs every rank.
 */
static bool makes_up(const struct ups *self, uint64_t rank, uint64_t better_rank, int64_t ahead_s)
{
    static const int64_t four_hours_s = 4 * 3600;
    static const __int128 plenty = (__int128)1 << 90;
    __int128 handicap = (__int128)(rank - better_rank) * (four_hours_s * self->alpha);
    __int128 wait = (__int128)rank * better_rank * ahead_s;
    return handicap <= (wait < plenty ? wait : plenty) * (LOOM_BILLION - self->alpha);
}

/* The last rank at which even the earliest of all jobs could go before one of a better rank: any
 * where what that gains by its wait outweighs every rank. */
static size_t reach(const struct ups *self, uint64_t better_rank, int64_t submit_s)
{
    double ahead_s = (double)submit_s - (double)self->since_s, rank = (double)better_rank;
    double handicap = 4.0 * 3600 * (double)self->alpha;
    double gain = rank * ahead_s * (double)(LOOM_BILLION - self->alpha);
    double last = handicap > gain ? rank * handicap / (handicap - gain) + 1 : INFINITY;
    return last < (double)self->n_ranked ? (size_t)last : self->n_ranked;
}

/* The user who has the job of highest priority, or NULL. Going down the ranks, only an earlier job
 * can have a higher priority than the best so far, and at last none can. */
static struct user *foremost(struct loom_sim *sim, struct ups *self)
{
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    struct user *best = NULL;
    uint32_t best_job = LOOM_NO_JOB, earliest = LOOM_NO_JOB;
    size_t best_rank = 0, last = self->n_ranked;
    for (size_t i = 0; i < last; i++) {
        struct user *user = &self->users[self->ranked[i]];
        uint32_t first = user->first_job;
        earliest = first < earliest ? first : earliest;
        if (first >= best_job ||
            (best &&
             !makes_up(self, i + 1, best_rank, jobs[best_job].submit_s - jobs[first].submit_s)))
            continue;
        best = user;
        best_job = first;
        best_rank = i + 1;
        last = reach(self, best_rank, jobs[first].submit_s);
    }
    if (last == self->n_ranked && earliest != LOOM_NO_JOB)
        self->since_s = jobs[earliest].submit_s;
    return best;
}

/* Start jobs by priority; the first that does not fit, or LOOM_NO_JOB. */
static uint32_t start_by_priority(struct loom_sim *sim, struct ups *self)
{
    struct user *user;
    while ((user = foremost(sim, self)) != NULL) {
        uint32_t first = user->first_job;
        if (loom_sim_job(sim, first)->procs > loom_sim_free(sim))
            return first;
        take_out(sim, self, user, first);
        loom_sim_start(sim, first, LOOM_WHY_TURN);
    }
    return LOOM_NO_JOB;
}

/* Whether a job was started. */
static bool backfill_user(struct loom_sim *sim, struct ups *self, struct user *user,
                          struct loom_gap *gap)
{
    const struct loom_queue *waiting = queue_of(self, user);
    struct loom_cursor cursor = loom_queue_before_first();
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    uint32_t next;
    bool started = false;
    while ((next = loom_queue_next_fit(waiting, jobs, &cursor, gap)) != LOOM_NO_JOB) {
        take_out(sim, self, user, next);
        loom_backfill(sim, gap, next);
        started = true;
    }
    return started;
}

static void backfill_all(struct loom_sim *sim, struct ups *self, struct loom_gap *gap)
{
    struct loom_queue_fit fit;
    loom_queue_fit_set(&fit, gap);
    for (size_t rank = 0; rank < self->n_ranked && gap->procs > 0; rank++) {
        struct user *user = &self->users[self->ranked[rank]];
        if (loom_queue_promises(queue_of(self, user), &fit) && backfill_user(sim, self, user, gap))
            loom_queue_fit_set(&fit, gap);
    }
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct ups *self = state;
    (void)err;
    if (loom_sim_queued(sim) == 0)
        return 0;
    rank_users(self);
    uint32_t first = start_by_priority(sim, self);
    if (first == LOOM_NO_JOB)
        return 0;
    struct loom_gap gap = loom_gap_beside(sim, first, loom_shadow_s(sim, first));
    backfill_all(sim, self, &gap);
    return 0;
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
    .wants_profile = true,
    .keeps_jobs = true,
    .reopens = true,
    .state_size = sizeof(struct ups),
    .open = open,
    .close = close,
    .submitted = submitted,
    .pass = pass,
};
