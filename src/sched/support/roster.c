/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Users and their waiting jobs. */
#include "sched/support/roster.h"

#include "base/vec.h"
#include "sched/support/ranks.h"

/* Of more jobs than these a user has a summary; the jobs of others are looked through. */
enum { FEW_JOBS = 32 };

/* Jobs by user, then as submitted. */
static double user_of(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return what->user;
}

static const struct loom_order by_user = {.key = user_of};

/* ---- users by number ------------------------------------------------------------------------- */

/* The slot of a number, or the free one where it would go. */
static uint32_t *slot_of(const struct loom_roster *roster, int32_t number)
{
    size_t at = ((uint32_t)number * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    for (;; at++) {
        uint32_t *slot = &roster->slots[at & (roster->n_slots - 1)];
        if (*slot == LOOM_NO_USER || roster->users[*slot].number == number)
            return slot;
    }
}

static void fill_slots(struct loom_roster *roster)
{
    memset(roster->slots, 0xFF, roster->n_slots * sizeof *roster->slots);
    for (size_t i = 0; i < roster->n_users; i++)
        *slot_of(roster, roster->users[i].number) = (uint32_t)i;
}

/* Room for one more user. */
static int make_room(struct loom_roster *roster)
{
    if (loom_grow(&roster->users, roster->n_users, &roster->users_capacity) ||
        loom_grow(&roster->changed, roster->n_users, &roster->changed_capacity))
        return -1;
    if (roster->n_slots >= 2 * roster->users_capacity)
        return 0;
    uint32_t *slots = realloc(roster->slots, 2 * roster->users_capacity * sizeof *slots);
    if (!slots)
        return -1;
    roster->slots = slots;
    roster->n_slots = 2 * roster->users_capacity;
    fill_slots(roster);
    return 0;
}

/* LOOM_NO_USER when memory is out. */
static uint32_t find_or_add(struct loom_roster *roster, int32_t number)
{
    uint32_t *slot = roster->n_slots > 0 ? slot_of(roster, number) : NULL;
    if (slot && *slot != LOOM_NO_USER)
        return *slot;
    if (make_room(roster))
        return LOOM_NO_USER;
    roster->users[roster->n_users] = (struct loom_roster_user){
        .number = number,
        .first_job = LOOM_NO_JOB,
        .leaf = LOOM_NO_NODE,
        .summary = LOOM_NO_USER,
    };
    return *slot_of(roster, number) = (uint32_t)roster->n_users++;
}

/* ---- what they ask for ----------------------------------------------------------------------- */

static void gather(const struct loom_roster *roster, uint32_t user, struct loom_least *least)
{
    struct loom_cursor cursor = loom_queue_before_key(roster->users[user].number);
    loom_least_clear(least);
    if (roster->users[user].n_jobs > 0)
        loom_queue_summarize_alike(&roster->waiting, &cursor, least);
}

const struct loom_least *loom_roster_least(const struct loom_roster *roster, uint32_t user,
                                           struct loom_least *room)
{
    uint32_t summary = roster->users[user].summary;
    if (summary != LOOM_NO_USER)
        return &roster->summaries[summary];
    gather(roster, user, room);
    return room;
}

bool loom_roster_may_fit(const struct loom_roster *roster, uint32_t user,
                         const struct loom_gap *gap)
{
    uint32_t summary = roster->users[user].summary;
    if (summary == LOOM_NO_USER)
        return roster->users[user].n_jobs > 0;
    return loom_least_may_fit(&roster->summaries[summary], gap);
}

static int make_summary(struct loom_roster *roster, uint32_t user)
{
    if (loom_grow(&roster->summaries, roster->n_summaries, &roster->summaries_capacity))
        return -1;
    loom_roster_least(roster, user, &roster->summaries[roster->n_summaries]);
    roster->users[user].summary = (uint32_t)roster->n_summaries++;
    return 0;
}

/* ---- jobs that come and leave ---------------------------------------------------------------- */

void loom_roster_open(struct loom_roster *roster, loom_roster_order_fn *before)
{
    roster->before = before;
    roster->n_users = roster->n_changed = roster->n_summaries = 0;
    if (roster->n_slots > 0)
        fill_slots(roster);
    loom_queue_reset(&roster->waiting, &by_user);
    loom_ranks_reset(roster);
}

void loom_roster_free(struct loom_roster *roster)
{
    free(roster->users);
    free(roster->slots);
    free(roster->summaries);
    free(roster->changed);
    free(roster->nodes);
    loom_queue_free(&roster->waiting);
    *roster = (struct loom_roster){0};
}

static __int128 work_of(const struct loom_sim_job *what)
{
    return (__int128)what->estimate_s * what->procs;
}

static void note_changed(struct loom_roster *roster, uint32_t user)
{
    if (!roster->users[user].changed)
        roster->changed[roster->n_changed++] = user;
    roster->users[user].changed = true;
}

int loom_roster_add(struct loom_roster *roster, const struct loom_sim_job *jobs, uint32_t job)
{
    const struct loom_sim_job *what = &jobs[job];
    uint32_t number = find_or_add(roster, what->user);
    if (number == LOOM_NO_USER || loom_queue_add(&roster->waiting, jobs, job, what->submit_s))
        return -1;
    struct loom_roster_user *user = &roster->users[number];
    user->work += work_of(what);
    user->last_job = job;
    user->n_jobs++;
    bool is_first = user->first_job == LOOM_NO_JOB;
    if (is_first)
        user->first_job = job;
    if (user->summary != LOOM_NO_USER)
        loom_least_add(&roster->summaries[user->summary], what->procs, what->estimate_s);
    else if (user->n_jobs > FEW_JOBS && make_summary(roster, number))
        return -1;
    note_changed(roster, number);
    loom_ranks_note_added(roster, number, what);
    if (is_first)
        loom_ranks_note_first(roster, number);
    return 0;
}

static uint32_t first_of(const struct loom_roster *roster, const struct loom_roster_user *user)
{
    struct loom_cursor cursor = loom_queue_before_key(user->number);
    return user->n_jobs > 0 ? loom_queue_next(&roster->waiting, &cursor) : LOOM_NO_JOB;
}

void loom_roster_take(struct loom_roster *roster, const struct loom_sim_job *jobs, uint32_t job)
{
    const struct loom_sim_job *what = &jobs[job];
    uint32_t number = *slot_of(roster, what->user);
    struct loom_roster_user *user = &roster->users[number];
    loom_queue_remove(&roster->waiting, jobs, job);
    user->work -= work_of(what);
    user->n_jobs--;
    struct loom_least *least =
        user->summary != LOOM_NO_USER ? &roster->summaries[user->summary] : NULL;
    if (least && loom_least_rests_on(least, what->procs, what->estimate_s))
        gather(roster, number, least);
    note_changed(roster, number);
    loom_ranks_note_taken(roster, number, what);
    if (user->first_job == job) {
        user->first_job = first_of(roster, user);
        loom_ranks_note_first(roster, number);
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* First those go who are to go elsewhere: until they are gone the tree is not in order. */
int loom_roster_rank(struct loom_roster *roster)
{
    for (size_t i = 0; i < roster->n_changed; i++) {
        const struct loom_roster_user *user = &roster->users[roster->changed[i]];
        if (user->leaf != LOOM_NO_NODE &&
            (user->n_jobs == 0 || !loom_ranks_in_order(roster, roster->changed[i])))
            loom_ranks_remove(roster, roster->changed[i]);
    }
    for (size_t i = 0; i < roster->n_changed; i++) {
        struct loom_roster_user *user = &roster->users[roster->changed[i]];
        user->changed = false;
        if (user->n_jobs > 0 && user->leaf == LOOM_NO_NODE &&
            loom_ranks_insert(roster, roster->changed[i]))
            return -1;
    }
    roster->n_changed = 0;
    return 0;
}

uint64_t loom_roster_rank_of(const struct loom_roster *roster, int32_t number)
{
    return 1 + loom_ranks_before(roster, *slot_of(roster, number));
}

uint64_t loom_roster_ranked(const struct loom_roster *roster)
{
    return loom_ranks_count(roster);
}

uint32_t loom_roster_next_fit(const struct loom_roster *roster, struct loom_roster_cursor *cursor,
                              const struct loom_gap *gap)
{
    uint32_t job = LOOM_NO_JOB;
    if (gap->procs < 1)
        return LOOM_NO_JOB;
    if (cursor->user != LOOM_NO_USER)
        job = loom_queue_next_fit_alike(&roster->waiting, &cursor->job, gap);
    while (job == LOOM_NO_JOB &&
           (cursor->user = loom_ranks_next(roster, cursor->user, gap)) != LOOM_NO_USER) {
        cursor->job = loom_queue_before_key(roster->users[cursor->user].number);
        job = loom_queue_next_fit_alike(&roster->waiting, &cursor->job, gap);
    }
    return job;
}
