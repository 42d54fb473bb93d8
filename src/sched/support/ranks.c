/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users by rank, in a tree. A node knows of the users below it how many they are, who is the first,
 * the earliest of their jobs, and what their jobs ask for at least.
 */
#include "sched/support/ranks.h"

#include "base/vec.h"

enum { LEAF_USERS = 8, BRANCH_NODES = 16 };

struct loom_rank_node {
    uint32_t parent;
    uint16_t n;     /* slots in use: at least 1, but in a root that is a leaf */
    uint16_t level; /* 0 for a leaf */
    uint32_t count;
    uint32_t first;
    uint32_t earliest;           /* LOOM_NO_JOB where nobody has one */
    uint32_t slot[BRANCH_NODES]; /* users, or nodes of the level below */
    struct loom_least least;
};

/* ---- what a node knows ----------------------------------------------------------------------- */

static uint32_t earliest_in(const struct loom_roster *roster, const struct loom_rank_node *node)
{
    uint32_t earliest = LOOM_NO_JOB;
    for (uint32_t i = 0; i < node->n; i++) {
        uint32_t job = node->level == 0 ? roster->users[node->slot[i]].first_job
                                        : roster->nodes[node->slot[i]].earliest;
        earliest = job < earliest ? job : earliest;
    }
    return earliest;
}

static uint32_t first_in(const struct loom_roster *roster, const struct loom_rank_node *node)
{
    return node->level == 0 ? node->slot[0] : roster->nodes[node->slot[0]].first;
}

static uint32_t count_in(const struct loom_roster *roster, const struct loom_rank_node *node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->n; i++)
        count += node->level == 0 ? 1 : roster->nodes[node->slot[i]].count;
    return count;
}

static void renew_least(const struct loom_roster *roster, struct loom_rank_node *node)
{
    struct loom_least room;
    loom_least_clear(&node->least);
    for (uint32_t i = 0; i < node->n; i++)
        loom_least_join(&node->least, node->level == 0
                                          ? loom_roster_least(roster, node->slot[i], &room)
                                          : &roster->nodes[node->slot[i]].least);
}

static void renew(const struct loom_roster *roster, struct loom_rank_node *node)
{
    node->count = count_in(roster, node);
    node->first = first_in(roster, node);
    node->earliest = earliest_in(roster, node);
    renew_least(roster, node);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

void loom_ranks_reset(struct loom_roster *roster)
{
    roster->n_nodes = 0;
    roster->spare = roster->root = LOOM_NO_NODE;
}

static int reserve(struct loom_roster *roster, size_t n)
{
    while (roster->n_nodes + n > roster->nodes_capacity)
        if (loom_grow(&roster->nodes, roster->nodes_capacity, &roster->nodes_capacity))
            return -1;
    return 0;
}

/* There must be room. Those given back are linked by parent. */
static uint32_t new_node(struct loom_roster *roster, unsigned level)
{
    uint32_t number = roster->spare;
    if (number == LOOM_NO_NODE)
        number = roster->n_nodes++;
    else
        roster->spare = roster->nodes[number].parent;
    struct loom_rank_node *node = &roster->nodes[number];
    node->parent = node->first = LOOM_NO_NODE;
    node->earliest = LOOM_NO_JOB;
    node->count = node->n = 0;
    node->level = (uint16_t)level;
    loom_least_clear(&node->least);
    return number;
}

static void drop_node(struct loom_roster *roster, uint32_t number)
{
    roster->nodes[number].parent = roster->spare;
    roster->spare = number;
}

static uint32_t index_of(const struct loom_rank_node *node, uint32_t what)
{
    uint32_t at = 0;
    while (node->slot[at] != what)
        at++;
    return at;
}

static void put(struct loom_roster *roster, uint32_t number, uint32_t at, uint32_t what)
{
    struct loom_rank_node *node = &roster->nodes[number];
    memmove(node->slot + at + 1, node->slot + at, (node->n - at) * sizeof *node->slot);
    node->slot[at] = what;
    node->n++;
    *(node->level == 0 ? &roster->users[what].leaf : &roster->nodes[what].parent) = number;
}

static void pull(struct loom_rank_node *node, uint32_t what)
{
    uint32_t at = index_of(node, what);
    node->n--;
    memmove(node->slot + at, node->slot + at + 1, (node->n - at) * sizeof *node->slot);
}

/* ---- coming ---------------------------------------------------------------------------------- */

static uint32_t most_of(const struct loom_rank_node *node)
{
    return node->level == 0 ? LEAF_USERS : BRANCH_NODES;
}

/* The other half of a full node gets a node of its own behind it. */
static void split(struct loom_roster *roster, uint32_t parent, uint32_t at)
{
    uint32_t number = roster->nodes[parent].slot[at];
    uint32_t fresh = new_node(roster, roster->nodes[number].level);
    struct loom_rank_node *left = &roster->nodes[number];
    uint32_t half = left->n / 2u, n = left->n;
    left->n = (uint16_t)half;
    for (uint32_t i = half; i < n; i++)
        put(roster, fresh, i - half, left->slot[i]);
    put(roster, parent, at + 1, fresh);
    renew(roster, left);
    renew(roster, &roster->nodes[fresh]);
}

static void raise_root(struct loom_roster *roster)
{
    uint32_t old = roster->root;
    roster->root = new_node(roster, roster->nodes[old].level + 1u);
    put(roster, roster->root, 0, old);
    renew(roster, &roster->nodes[roster->root]);
}

static bool precedes(const struct loom_roster *roster, uint32_t a, uint32_t b)
{
    return roster->before(&roster->users[a], &roster->users[b]);
}

/* How many slots of a node, or how many but the first of a branch, a user is not before. */
static uint32_t place_in(const struct loom_roster *roster, const struct loom_rank_node *node,
                         uint32_t user)
{
    uint32_t low = node->level > 0, high = node->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, what = node->slot[middle];
        if (precedes(roster, user, node->level == 0 ? what : roster->nodes[what].first))
            high = middle;
        else
            low = middle + 1;
    }
    return node->level == 0 ? low : low - 1;
}

/* The leaf that a user belongs into, with room for him: what is full on the way is split. */
static uint32_t leaf_for(struct loom_roster *roster, uint32_t user)
{
    uint32_t number = roster->root;
    while (roster->nodes[number].level > 0) {
        uint32_t at = place_in(roster, &roster->nodes[number], user);
        const struct loom_rank_node *child = &roster->nodes[roster->nodes[number].slot[at]];
        if (child->n == most_of(child)) {
            split(roster, number, at);
            at = place_in(roster, &roster->nodes[number], user);
        }
        number = roster->nodes[number].slot[at];
    }
    return number;
}

int loom_ranks_insert(struct loom_roster *roster, uint32_t user)
{
    struct loom_least room;
    const struct loom_least *least = loom_roster_least(roster, user, &room);
    if (reserve(roster, roster->root == LOOM_NO_NODE ? 1 : roster->nodes[roster->root].level + 2u))
        return -1;
    if (roster->root == LOOM_NO_NODE)
        roster->root = new_node(roster, 0);
    if (roster->nodes[roster->root].n == most_of(&roster->nodes[roster->root]))
        raise_root(roster);
    uint32_t number = leaf_for(roster, user), job = roster->users[user].first_job;
    put(roster, number, place_in(roster, &roster->nodes[number], user), user);
    while (number != LOOM_NO_NODE) {
        struct loom_rank_node *node = &roster->nodes[number];
        node->count++;
        node->first = first_in(roster, node);
        node->earliest = job < node->earliest ? job : node->earliest;
        loom_least_join(&node->least, least);
        number = node->parent;
    }
    return 0;
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* Let a node and the one behind it be one. */
static void join(struct loom_roster *roster, uint32_t left, uint32_t right)
{
    struct loom_rank_node *node = &roster->nodes[left], *other = &roster->nodes[right];
    for (uint32_t i = 0; i < other->n; i++)
        put(roster, left, node->n, other->slot[i]);
    node->count += other->count;
    node->earliest = other->earliest < node->earliest ? other->earliest : node->earliest;
    loom_least_join(&node->least, &other->least);
    pull(&roster->nodes[node->parent], right);
    drop_node(roster, right);
}

/* From a node up, join what is sparse, so that there are not many more nodes than users need. */
static void tidy(struct loom_roster *roster, uint32_t number)
{
    while (number != roster->root) {
        uint32_t above = roster->nodes[number].parent;
        const struct loom_rank_node *node = &roster->nodes[number], *parent = &roster->nodes[above];
        uint32_t at = index_of(parent, number);
        for (uint32_t left = at > 0 ? at - 1 : 0; left <= at && left + 1u < parent->n; left++) {
            uint32_t a = parent->slot[left], b = parent->slot[left + 1];
            if (4u * (roster->nodes[a].n + roster->nodes[b].n) > 3 * most_of(node))
                continue;
            join(roster, a, b);
            break;
        }
        number = above;
    }
    while (roster->nodes[roster->root].level > 0 && roster->nodes[roster->root].n == 1) {
        uint32_t old = roster->root;
        roster->root = roster->nodes[old].slot[0];
        roster->nodes[roster->root].parent = LOOM_NO_NODE;
        drop_node(roster, old);
    }
}

/* Empty nodes go; the first that stays. */
static uint32_t drop_empty(struct loom_roster *roster, uint32_t number)
{
    while (roster->nodes[number].n == 0 && number != roster->root) {
        uint32_t parent = roster->nodes[number].parent;
        pull(&roster->nodes[parent], number);
        drop_node(roster, number);
        number = parent;
    }
    return number;
}

void loom_ranks_remove(struct loom_roster *roster, uint32_t user)
{
    struct loom_least room;
    const struct loom_least *least = loom_roster_least(roster, user, &room);
    struct loom_roster_user *what = &roster->users[user];
    pull(&roster->nodes[what->leaf], user);
    uint32_t lowest = drop_empty(roster, what->leaf), number = lowest;
    what->leaf = LOOM_NO_NODE;
    for (bool rests = true; number != LOOM_NO_NODE; number = roster->nodes[number].parent) {
        struct loom_rank_node *node = &roster->nodes[number];
        node->count--;
        node->first = node->n > 0 ? first_in(roster, node) : LOOM_NO_USER;
        if (node->earliest == what->first_job)
            node->earliest = earliest_in(roster, node);
        rests = rests && loom_least_rests_on_any(&node->least, least);
        if (rests)
            renew_least(roster, node);
    }
    tidy(roster, lowest);
}

/* ---- changes --------------------------------------------------------------------------------- */

void loom_ranks_note_added(struct loom_roster *roster, uint32_t user,
                           const struct loom_sim_job *what)
{
    uint32_t number = roster->users[user].leaf;
    while (number != LOOM_NO_NODE &&
           loom_least_add(&roster->nodes[number].least, what->procs, what->estimate_s))
        number = roster->nodes[number].parent;
}

void loom_ranks_note_taken(struct loom_roster *roster, uint32_t user,
                           const struct loom_sim_job *what)
{
    uint32_t number = roster->users[user].leaf;
    for (; number != LOOM_NO_NODE; number = roster->nodes[number].parent) {
        struct loom_rank_node *node = &roster->nodes[number];
        if (!loom_least_rests_on(&node->least, what->procs, what->estimate_s))
            return;
        struct loom_least before = node->least;
        renew_least(roster, node);
        if (memcmp(&before, &node->least, sizeof before) == 0)
            return;
    }
}

void loom_ranks_note_first(struct loom_roster *roster, uint32_t user)
{
    uint32_t number = roster->users[user].leaf;
    for (; number != LOOM_NO_NODE; number = roster->nodes[number].parent) {
        struct loom_rank_node *node = &roster->nodes[number];
        uint32_t earliest = earliest_in(roster, node);
        if (earliest == node->earliest)
            return;
        node->earliest = earliest;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* The user behind another, or the one before. */
static uint32_t neighbour(const struct loom_roster *roster, uint32_t user, bool behind)
{
    uint32_t what = user, number = roster->users[user].leaf;
    for (; number != LOOM_NO_NODE; what = number, number = roster->nodes[number].parent) {
        const struct loom_rank_node *node = &roster->nodes[number];
        uint32_t at = index_of(node, what) + (behind ? 1u : -1u);
        if (at >= node->n) /* which it also is before the first */
            continue;
        while (node->level > 0) {
            node = &roster->nodes[node->slot[at]];
            at = behind ? 0 : node->n - 1u;
        }
        return node->slot[at];
    }
    return LOOM_NO_USER;
}

bool loom_ranks_in_order(const struct loom_roster *roster, uint32_t user)
{
    uint32_t before = neighbour(roster, user, false), behind = neighbour(roster, user, true);
    bool follows = before == LOOM_NO_USER ||
                   (!roster->users[before].changed && precedes(roster, before, user));
    bool leads = behind == LOOM_NO_USER ||
                 (!roster->users[behind].changed && precedes(roster, user, behind));
    return follows && leads;
}

uint64_t loom_ranks_before(const struct loom_roster *roster, uint32_t user)
{
    uint32_t what = user, number = roster->users[user].leaf;
    uint64_t before = 0;
    for (; number != LOOM_NO_NODE; what = number, number = roster->nodes[number].parent) {
        const struct loom_rank_node *node = &roster->nodes[number];
        for (uint32_t i = 0, at = index_of(node, what); i < at; i++)
            before += node->level == 0 ? 1 : roster->nodes[node->slot[i]].count;
    }
    return before;
}

uint64_t loom_ranks_count(const struct loom_roster *roster)
{
    return roster->root == LOOM_NO_NODE ? 0 : roster->nodes[roster->root].count;
}

/* The first slot from `at` on that promises a job that fits, or n. */
static uint32_t promising(const struct loom_roster *roster, const struct loom_rank_node *node,
                          uint32_t at, const struct loom_gap *gap)
{
    while (at < node->n &&
           !(node->level == 0 ? loom_roster_may_fit(roster, node->slot[at], gap)
                              : loom_least_may_fit(&roster->nodes[node->slot[at]].least, gap)))
        at++;
    return at;
}

uint32_t loom_ranks_next(const struct loom_roster *roster, uint32_t user,
                         const struct loom_gap *gap)
{
    bool begin = user == LOOM_NO_USER;
    uint32_t number = begin ? roster->root : roster->users[user].leaf;
    if (number == LOOM_NO_NODE || (begin && !loom_least_may_fit(&roster->nodes[number].least, gap)))
        return LOOM_NO_USER;
    uint32_t at = begin ? 0 : index_of(&roster->nodes[number], user) + 1;
    for (;;) {
        const struct loom_rank_node *node = &roster->nodes[number];
        at = promising(roster, node, at, gap);
        if (at < node->n && node->level == 0)
            return node->slot[at];
        if (at == node->n && number == roster->root)
            return LOOM_NO_USER;
        if (at < node->n) {
            number = node->slot[at];
            at = 0;
        } else {
            at = index_of(&roster->nodes[node->parent], number) + 1;
            number = node->parent;
        }
    }
}

/* ---- the foremost ---------------------------------------------------------------------------- */

struct search {
    const struct loom_roster *roster;
    const struct loom_roster_race *race;
    uint64_t rank; /* of the best so far */
    uint32_t job;
};

/* Below a node, the first of whose users has the rank. What would not win with the rank of its
 * first user and the earliest job of all cannot. */
static void look_below(struct search *best, uint32_t number, uint64_t rank)
{
    const struct loom_roster *roster = best->roster;
    const struct loom_rank_node *node = &roster->nodes[number];
    for (uint32_t i = 0; i < node->n; i++) {
        uint32_t what = node->slot[i];
        bool is_user = node->level == 0;
        uint32_t job = is_user ? roster->users[what].first_job : roster->nodes[what].earliest;
        bool may_win = job != LOOM_NO_JOB && (rank < best->rank || job < best->job);
        bool wins = may_win && best->race->wins(best->race->self, rank, job, best->rank, best->job);
        if (wins && is_user) {
            best->rank = rank;
            best->job = job;
        } else if (wins) {
            look_below(best, what, rank);
        }
        rank += is_user ? 1 : roster->nodes[what].count;
    }
}

/* The rank of the user with the earliest first job of all. */
static uint64_t rank_of_earliest(const struct loom_roster *roster)
{
    const struct loom_rank_node *node = &roster->nodes[roster->root];
    uint32_t earliest = node->earliest, at = 0;
    uint64_t rank = 1;
    while (node->level > 0) {
        for (at = 0; roster->nodes[node->slot[at]].earliest != earliest; at++)
            rank += roster->nodes[node->slot[at]].count;
        node = &roster->nodes[node->slot[at]];
    }
    for (at = 0; roster->users[node->slot[at]].first_job != earliest; at++)
        rank++;
    return rank;
}

/* Begin with the earliest, as it is likely to win, or to be beaten by few. */
uint32_t loom_roster_foremost(const struct loom_roster *roster, const struct loom_roster_race *race)
{
    if (roster->root == LOOM_NO_NODE || roster->nodes[roster->root].earliest == LOOM_NO_JOB)
        return LOOM_NO_JOB;
    struct search best = {roster, race, rank_of_earliest(roster),
                          roster->nodes[roster->root].earliest};
    look_below(&best, roster->root, 1);
    return best.job;
}
