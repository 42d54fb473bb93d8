/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Users and their waiting jobs. */
#include "sched/support/user_index.h"

#include "base/vec.h"
#include "sched/support/ranks.h"

/* Users with more jobs than these get a summary; the jobs of others are searched one by one. */
enum { FEW_JOBS = 32 };

/* Order jobs by user, then by submission. */
static double user_of(const struct loom_sim_job *sim_job, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return sim_job->user;
}

static const struct loom_order by_user = {.key = user_of};

/* ---- users by number ------------------------------------------------------------------------- */

/* Return the slot of a number, or the unused one where it belongs. */
static uint32_t *slot_of(const struct loom_user_index *index, int32_t number)
{
    size_t at = ((uint32_t)number * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    for (;; at++) {
        uint32_t *slot = &index->slots[at & (index->n_slots - 1)];
        if (*slot == LOOM_NO_USER || index->users[*slot].number == number)
            return slot;
    }
}

static void fill_slots(struct loom_user_index *index)
{
    memset(index->slots, 0xFF, index->n_slots * sizeof *index->slots);
    for (size_t i = 0; i < index->n_users; i++)
        *slot_of(index, index->users[i].number) = (uint32_t)i;
}

/* Make space for one more user. */
static int reserve_user(struct loom_user_index *index)
{
    if (loom_grow(&index->users, index->n_users, &index->users_capacity) ||
        loom_grow(&index->changed, index->n_users, &index->changed_capacity))
        return -1;
    if (index->n_slots >= 2 * index->users_capacity)
        return 0;
    uint32_t *slots = realloc(index->slots, 2 * index->users_capacity * sizeof *slots);
    if (!slots)
        return -1;
    index->slots = slots;
    index->n_slots = 2 * index->users_capacity;
    fill_slots(index);
    return 0;
}

/* Return the user of a number, added if new; LOOM_NO_USER if out of memory. */
static uint32_t find_or_add(struct loom_user_index *index, int32_t number)
{
    uint32_t *slot = index->n_slots > 0 ? slot_of(index, number) : NULL;
    if (slot && *slot != LOOM_NO_USER)
        return *slot;
    if (reserve_user(index))
        return LOOM_NO_USER;
    index->users[index->n_users] = (struct loom_ranked_user){
        .number = number,
        .first_job = LOOM_NO_JOB,
        .leaf = LOOM_NO_NODE,
        .summary = LOOM_NO_USER,
    };
    return *slot_of(index, number) = (uint32_t)index->n_users++;
}

/* ---- summaries ------------------------------------------------------------------------------- */

/* Summarize the jobs of a user. */
static void summarize(const struct loom_user_index *index, uint32_t user, struct loom_least *least)
{
    struct loom_cursor cursor = loom_queue_before_key(index->users[user].number);
    loom_least_clear(least);
    if (index->users[user].n_jobs > 0)
        loom_queue_summarize_alike(&index->waiting, &cursor, least);
}

const struct loom_least *loom_user_index_least(const struct loom_user_index *index, uint32_t user,
                                               struct loom_least *buffer)
{
    uint32_t summary = index->users[user].summary;
    if (summary != LOOM_NO_USER)
        return &index->summaries[summary];
    summarize(index, user, buffer);
    return buffer;
}

bool loom_user_index_may_fit(const struct loom_user_index *index, uint32_t user,
                             const struct loom_gap *gap)
{
    uint32_t summary = index->users[user].summary;
    if (summary == LOOM_NO_USER)
        return index->users[user].n_jobs > 0;
    return loom_least_may_fit(&index->summaries[summary], gap);
}

static int make_summary(struct loom_user_index *index, uint32_t user)
{
    if (loom_grow(&index->summaries, index->n_summaries, &index->summaries_capacity))
        return -1;
    loom_user_index_least(index, user, &index->summaries[index->n_summaries]);
    index->users[user].summary = (uint32_t)index->n_summaries++;
    return 0;
}

/* ---- adding and removing jobs ---------------------------------------------------------------- */

void loom_user_index_open(struct loom_user_index *index, loom_user_order_fn *before)
{
    index->before = before;
    index->n_users = index->n_changed = index->n_summaries = 0;
    if (index->n_slots > 0)
        fill_slots(index);
    loom_queue_reset(&index->waiting, &by_user);
    loom_ranks_reset(index);
}

void loom_user_index_free(struct loom_user_index *index)
{
    free(index->users);
    free(index->slots);
    free(index->summaries);
    free(index->changed);
    free(index->nodes);
    loom_queue_free(&index->waiting);
    *index = (struct loom_user_index){0};
}

static __int128 work_of(const struct loom_sim_job *sim_job)
{
    return (__int128)sim_job->estimate_s * sim_job->procs;
}

static void note_changed(struct loom_user_index *index, uint32_t user)
{
    if (!index->users[user].changed)
        index->changed[index->n_changed++] = user;
    index->users[user].changed = true;
}

int loom_user_index_add(struct loom_user_index *index, const struct loom_sim_job *jobs,
                        uint32_t job)
{
    const struct loom_sim_job *sim_job = &jobs[job];
    uint32_t number = find_or_add(index, sim_job->user);
    if (number == LOOM_NO_USER || loom_queue_add(&index->waiting, jobs, job, sim_job->submit_s))
        return -1;
    struct loom_ranked_user *user = &index->users[number];
    user->work += work_of(sim_job);
    user->last_job = job;
    user->n_jobs++;
    bool is_first = user->first_job == LOOM_NO_JOB;
    if (is_first)
        user->first_job = job;
    if (user->summary != LOOM_NO_USER)
        loom_least_add(&index->summaries[user->summary], sim_job->procs, sim_job->estimate_s);
    else if (user->n_jobs > FEW_JOBS && make_summary(index, number))
        return -1;
    note_changed(index, number);
    loom_ranks_note_added(index, number, sim_job);
    if (is_first)
        loom_ranks_note_first(index, number);
    return 0;
}

static uint32_t first_of(const struct loom_user_index *index, const struct loom_ranked_user *user)
{
    struct loom_cursor cursor = loom_queue_before_key(user->number);
    return user->n_jobs > 0 ? loom_queue_next(&index->waiting, &cursor) : LOOM_NO_JOB;
}

void loom_user_index_remove(struct loom_user_index *index, const struct loom_sim_job *jobs,
                            uint32_t job)
{
    const struct loom_sim_job *sim_job = &jobs[job];
    uint32_t number = *slot_of(index, sim_job->user);
    struct loom_ranked_user *user = &index->users[number];
    loom_queue_remove(&index->waiting, jobs, job);
    user->work -= work_of(sim_job);
    user->n_jobs--;
    struct loom_least *least =
        user->summary != LOOM_NO_USER ? &index->summaries[user->summary] : NULL;
    if (least && loom_least_rests_on(least, sim_job->procs, sim_job->estimate_s))
        summarize(index, number, least);
    note_changed(index, number);
    loom_ranks_note_removed(index, number, sim_job);
    if (user->first_job == job) {
        user->first_job = first_of(index, user);
        loom_ranks_note_first(index, number);
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Remove all users whose rank has changed before inserting any: until then the tree is not in
 * order. */
int loom_user_index_rank(struct loom_user_index *index)
{
    for (size_t i = 0; i < index->n_changed; i++) {
        const struct loom_ranked_user *user = &index->users[index->changed[i]];
        if (user->leaf != LOOM_NO_NODE &&
            (user->n_jobs == 0 || !loom_ranks_in_order(index, index->changed[i])))
            loom_ranks_remove(index, index->changed[i]);
    }
    for (size_t i = 0; i < index->n_changed; i++) {
        struct loom_ranked_user *user = &index->users[index->changed[i]];
        user->changed = false;
        if (user->n_jobs > 0 && user->leaf == LOOM_NO_NODE &&
            loom_ranks_insert(index, index->changed[i]))
            return -1;
    }
    index->n_changed = 0;
    return 0;
}

uint64_t loom_user_index_rank_of(const struct loom_user_index *index, int32_t number)
{
    return 1 + loom_ranks_before(index, *slot_of(index, number));
}

uint64_t loom_user_index_count(const struct loom_user_index *index)
{
    return loom_ranks_count(index);
}

uint32_t loom_user_index_next_fit(const struct loom_user_index *index,
                                  struct loom_user_index_cursor *cursor, const struct loom_gap *gap)
{
    uint32_t job = LOOM_NO_JOB;
    if (gap->procs < 1)
        return LOOM_NO_JOB;
    if (cursor->user != LOOM_NO_USER)
        job = loom_queue_next_fit_alike(&index->waiting, &cursor->job, gap);
    while (job == LOOM_NO_JOB &&
           (cursor->user = loom_ranks_next(index, cursor->user, gap)) != LOOM_NO_USER) {
        cursor->job = loom_queue_before_key(index->users[cursor->user].number);
        job = loom_queue_next_fit_alike(&index->waiting, &cursor->job, gap);
    }
    return job;
}
