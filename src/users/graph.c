/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The `follows` and `depends on` relations between the batches of each user (Zakay, chapter 4,
 * definitions 8 and 12), with think times and inter-arrival times as section VII defines them.
 *
 * Sessions of a user are in order of their beginnings b(1) < b(2) < ..., and session t depends on
 * every earlier s that ended before it: e(s) < b(t). What depended on s once does so ever after, so
 * that the list of t adds to the list of t - 1 the sessions with b(t - 1) <= e(s) < b(t). Each s
 * therefore stands in the list of one session: the first that begins after its end.
 */
#include "base/civil.h"
#include "base/search.h"

#include <workloom/users.h>

#include <stdlib.h>

/* A struct loom_batch_graph and its arrays, to write and free them. */
struct owner {
    struct loom_batch_graph graph;
    uint32_t *user_batch, *dependent, *list_first, *list;
    int64_t *begin_s, *last_s, *ended_s, *think_s, *interarrival_s;
};

static int graph_reserve(struct owner *owner, size_t batches, size_t users, struct loom_error *err)
{
    uint32_t **numbers[] = {&owner->dependent, &owner->list_first, &owner->list};
    int64_t **times[] = {&owner->begin_s, &owner->last_s, &owner->ended_s, &owner->think_s,
                         &owner->interarrival_s};
    bool enough = (owner->user_batch = malloc((users + 1) * sizeof(uint32_t))) != NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        enough = (*numbers[i] = malloc((batches + 2) * sizeof(uint32_t))) && enough;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        enough = (*times[i] = malloc((batches + 1) * sizeof(int64_t))) && enough;
    return enough ? 0 : loom_fail_memory(err);
}

static void take_times(struct owner *owner, const struct loom_users *users,
                       const struct loom_sessions *sessions)
{
    for (size_t batch = 0; batch < sessions->batches; batch++) {
        uint32_t first = sessions->batch_first[batch], end = sessions->batch_first[batch + 1];
        int64_t ended_s = users->ended_s[first];
        for (uint32_t i = first + 1; i < end; i++)
            ended_s = users->ended_s[i] > ended_s ? users->ended_s[i] : ended_s;
        owner->begin_s[batch] = users->submit_s[first];
        owner->last_s[batch] = users->submit_s[end - 1];
        owner->ended_s[batch] = ended_s;
    }
}

/* ---- one user -------------------------------------------------------------------------------- */

/* Return the first session in [low, high) that begins after a time; `high` if there is none. */
static uint32_t session_after(const struct owner *owner, const struct loom_sessions *sessions,
                              uint32_t low, uint32_t high, int64_t time_s)
{
    LOOM_BISECT(low, high, middle, owner->begin_s[sessions->first_batch[middle]] <= time_s);
    return low;
}

static int64_t session_end(const struct owner *owner, const struct loom_sessions *sessions,
                           uint32_t session)
{
    int64_t ended_s = INT64_MIN;
    for (uint32_t b = sessions->first_batch[session]; b < sessions->first_batch[session + 1]; b++)
        ended_s = owner->ended_s[b] > ended_s ? owner->ended_s[b] : ended_s;
    return ended_s;
}

static void link_session(struct owner *owner, const struct loom_sessions *sessions,
                         uint32_t session, uint32_t end)
{
    uint32_t last = sessions->first_batch[session + 1] - 1;
    for (uint32_t b = sessions->first_batch[session]; b < last; b++)
        owner->dependent[b] = b + 1;
    uint32_t next =
        session_after(owner, sessions, session + 1, end, session_end(owner, sessions, session));
    owner->dependent[last] = next < end ? sessions->first_batch[next] : LOOM_NO_BATCH;
}

/* ---- lists and think times ------------------------------------------------------------------- */

/* Lists by counting: where each begins, then its members in ascending order. */
static void make_lists(struct owner *owner, size_t batches)
{
    uint32_t *first = owner->list_first;
    for (size_t b = 0; b < batches + 2; b++)
        first[b] = 0;
    for (size_t b = 0; b < batches; b++)
        if (owner->dependent[b] != LOOM_NO_BATCH)
            first[owner->dependent[b] + 2]++;
    for (size_t b = 2; b < batches + 2; b++)
        first[b] += first[b - 1];
    for (size_t b = 0; b < batches; b++)
        if (owner->dependent[b] != LOOM_NO_BATCH)
            owner->list[first[owner->dependent[b] + 1]++] = (uint32_t)b;
}

/* The end of all that a batch depends on is the latest end in its list and, for the first of a
 * session, in the lists of those before it. */
static void take_thinks(struct owner *owner, const struct loom_sessions *sessions, uint32_t session,
                        uint32_t end)
{
    int64_t all_s = INT64_MIN; /* of whole sessions that later ones depend on */
    for (uint32_t s = session; s < end; s++)
        for (uint32_t b = sessions->first_batch[s]; b < sessions->first_batch[s + 1]; b++) {
            bool opens = b == sessions->first_batch[s];
            int64_t until_s = opens ? all_s : INT64_MIN;
            for (uint32_t i = owner->list_first[b]; i < owner->list_first[b + 1]; i++)
                until_s = owner->ended_s[owner->list[i]] > until_s ? owner->ended_s[owner->list[i]]
                                                                   : until_s;
            all_s = opens ? until_s : all_s;
            owner->think_s[b] =
                until_s == INT64_MIN ? -1 : loom_saturated_subtract(owner->begin_s[b], until_s);
            owner->interarrival_s[b] =
                b == sessions->first_batch[session]
                    ? -1
                    : loom_saturated_subtract(owner->begin_s[b], owner->last_s[b - 1]);
        }
}

static void graph_fill(struct owner *owner, const struct loom_users *users,
                       const struct loom_sessions *sessions)
{
    take_times(owner, users, sessions);
    for (size_t user = 0; user < users->count; user++) {
        uint32_t end = sessions->user_session[user + 1];
        for (uint32_t s = sessions->user_session[user]; s < end; s++)
            link_session(owner, sessions, s, end);
    }
    make_lists(owner, sessions->batches);
    for (size_t user = 0; user <= users->count; user++)
        owner->user_batch[user] = sessions->first_batch[sessions->user_session[user]];
    for (size_t user = 0; user < users->count; user++)
        take_thinks(owner, sessions, sessions->user_session[user],
                    sessions->user_session[user + 1]);
}

int loom_batch_graph_create(struct loom_batch_graph **out, const struct loom_users *users,
                            const struct loom_sessions *sessions, struct loom_error *err)
{
    struct owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    int rc = graph_reserve(owner, sessions->batches, users->count, err);
    if (rc) {
        loom_batch_graph_destroy(&owner->graph);
        return rc;
    }
    graph_fill(owner, users, sessions);
    owner->graph = (struct loom_batch_graph){
        .batches = sessions->batches,
        .users = users->count,
        .user_batch = owner->user_batch,
        .begin_s = owner->begin_s,
        .last_s = owner->last_s,
        .ended_s = owner->ended_s,
        .dependent = owner->dependent,
        .list_first = owner->list_first,
        .list = owner->list,
        .think_s = owner->think_s,
        .interarrival_s = owner->interarrival_s,
    };
    *out = &owner->graph;
    return 0;
}

void loom_batch_graph_destroy(struct loom_batch_graph *graph)
{
    struct owner *owner = (struct owner *)graph;
    if (!owner)
        return;
    free(owner->user_batch);
    free(owner->dependent);
    free(owner->list_first);
    free(owner->list);
    free(owner->begin_s);
    free(owner->last_s);
    free(owner->ended_s);
    free(owner->think_s);
    free(owner->interarrival_s);
    free(owner);
}
