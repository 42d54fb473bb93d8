/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Users by rank in a tree. A node has the number of users below it, the first of them, their
 * earliest first job, and a summary of their jobs. */
#include "sched/support/ranks.h"

#include "base/vec.h"

enum { LEAF_USERS = 8, BRANCH_NODES = 16 };

struct loom_rank_node {
    uint32_t parent;
    uint16_t n;     /* slots in use; 0 only in a root that is a leaf */
    uint16_t level; /* 0 for a leaf */
    uint32_t count;
    uint32_t first;
    uint32_t earliest;           /* LOOM_NO_JOB: no user has a job */
    uint32_t slot[BRANCH_NODES]; /* users, or nodes of the level below */
    struct loom_least least;
};

/* ---- values of a node ------------------------------------------------------------------------ */

static uint32_t earliest_in(const struct loom_user_index *index, const struct loom_rank_node *node)
{
    uint32_t earliest = LOOM_NO_JOB;
    for (uint32_t i = 0; i < node->n; i++) {
        uint32_t job = node->level == 0 ? index->users[node->slot[i]].first_job
                                        : index->nodes[node->slot[i]].earliest;
        earliest = job < earliest ? job : earliest;
    }
    return earliest;
}

static uint32_t first_in(const struct loom_user_index *index, const struct loom_rank_node *node)
{
    return node->level == 0 ? node->slot[0] : index->nodes[node->slot[0]].first;
}

static uint32_t count_in(const struct loom_user_index *index, const struct loom_rank_node *node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->n; i++)
        count += node->level == 0 ? 1 : index->nodes[node->slot[i]].count;
    return count;
}

static void renew_least(const struct loom_user_index *index, struct loom_rank_node *node)
{
    struct loom_least buffer;
    loom_least_clear(&node->least);
    for (uint32_t i = 0; i < node->n; i++)
        loom_least_join(&node->least, node->level == 0
                                          ? loom_user_index_least(index, node->slot[i], &buffer)
                                          : &index->nodes[node->slot[i]].least);
}

static void renew(const struct loom_user_index *index, struct loom_rank_node *node)
{
    node->count = count_in(index, node);
    node->first = first_in(index, node);
    node->earliest = earliest_in(index, node);
    renew_least(index, node);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

void loom_ranks_reset(struct loom_user_index *index)
{
    index->n_nodes = 0;
    index->free_node = index->root = LOOM_NO_NODE;
}

static int reserve(struct loom_user_index *index, size_t n)
{
    while (index->n_nodes + n > index->nodes_capacity)
        if (loom_grow(&index->nodes, index->nodes_capacity, &index->nodes_capacity))
            return -1;
    return 0;
}

/* Take an unused node; one must be reserved. Unused nodes are linked by parent. */
static uint32_t new_node(struct loom_user_index *index, unsigned level)
{
    uint32_t number = index->free_node;
    if (number == LOOM_NO_NODE)
        number = index->n_nodes++;
    else
        index->free_node = index->nodes[number].parent;
    struct loom_rank_node *node = &index->nodes[number];
    node->parent = node->first = LOOM_NO_NODE;
    node->earliest = LOOM_NO_JOB;
    node->count = node->n = 0;
    node->level = (uint16_t)level;
    loom_least_clear(&node->least);
    return number;
}

static void drop_node(struct loom_user_index *index, uint32_t number)
{
    index->nodes[number].parent = index->free_node;
    index->free_node = number;
}

static uint32_t index_of(const struct loom_rank_node *node, uint32_t entry)
{
    uint32_t at = 0;
    while (node->slot[at] != entry)
        at++;
    return at;
}

static void insert_entry(struct loom_user_index *index, uint32_t number, uint32_t at,
                         uint32_t entry)
{
    struct loom_rank_node *node = &index->nodes[number];
    memmove(node->slot + at + 1, node->slot + at, (node->n - at) * sizeof *node->slot);
    node->slot[at] = entry;
    node->n++;
    *(node->level == 0 ? &index->users[entry].leaf : &index->nodes[entry].parent) = number;
}

static void remove_entry(struct loom_rank_node *node, uint32_t entry)
{
    uint32_t at = index_of(node, entry);
    node->n--;
    memmove(node->slot + at, node->slot + at + 1, (node->n - at) * sizeof *node->slot);
}

/* ---- inserting ------------------------------------------------------------------------------- */

static uint32_t max_slots(const struct loom_rank_node *node)
{
    return node->level == 0 ? LEAF_USERS : BRANCH_NODES;
}

/* Move the second half of a full node to a new one after it. */
static void split(struct loom_user_index *index, uint32_t parent, uint32_t at)
{
    uint32_t number = index->nodes[parent].slot[at];
    uint32_t new_half = new_node(index, index->nodes[number].level);
    struct loom_rank_node *left = &index->nodes[number];
    uint32_t half = left->n / 2u, n = left->n;
    left->n = (uint16_t)half;
    for (uint32_t i = half; i < n; i++)
        insert_entry(index, new_half, i - half, left->slot[i]);
    insert_entry(index, parent, at + 1, new_half);
    renew(index, left);
    renew(index, &index->nodes[new_half]);
}

static void raise_root(struct loom_user_index *index)
{
    uint32_t old = index->root;
    index->root = new_node(index, index->nodes[old].level + 1u);
    insert_entry(index, index->root, 0, old);
    renew(index, &index->nodes[index->root]);
}

static bool precedes(const struct loom_user_index *index, uint32_t a, uint32_t b)
{
    return index->before(&index->users[a], &index->users[b]);
}

/* Return the slot of a leaf at which a user belongs, or the slot of the child that the user belongs
 * to. */
static uint32_t slot_for(const struct loom_user_index *index, const struct loom_rank_node *node,
                         uint32_t user)
{
    uint32_t low = node->level > 0, high = node->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, entry = node->slot[middle];
        if (precedes(index, user, node->level == 0 ? entry : index->nodes[entry].first))
            high = middle;
        else
            low = middle + 1;
    }
    return node->level == 0 ? low : low - 1;
}

/* Return the leaf that a user belongs to; full nodes on the path are split. */
static uint32_t leaf_for(struct loom_user_index *index, uint32_t user)
{
    uint32_t number = index->root;
    while (index->nodes[number].level > 0) {
        uint32_t at = slot_for(index, &index->nodes[number], user);
        const struct loom_rank_node *child = &index->nodes[index->nodes[number].slot[at]];
        if (child->n == max_slots(child)) {
            split(index, number, at);
            at = slot_for(index, &index->nodes[number], user);
        }
        number = index->nodes[number].slot[at];
    }
    return number;
}

int loom_ranks_insert(struct loom_user_index *index, uint32_t user)
{
    struct loom_least buffer;
    const struct loom_least *least = loom_user_index_least(index, user, &buffer);
    if (reserve(index, index->root == LOOM_NO_NODE ? 1 : index->nodes[index->root].level + 2u))
        return -1;
    if (index->root == LOOM_NO_NODE)
        index->root = new_node(index, 0);
    if (index->nodes[index->root].n == max_slots(&index->nodes[index->root]))
        raise_root(index);
    uint32_t number = leaf_for(index, user), job = index->users[user].first_job;
    insert_entry(index, number, slot_for(index, &index->nodes[number], user), user);
    while (number != LOOM_NO_NODE) {
        struct loom_rank_node *node = &index->nodes[number];
        node->count++;
        node->first = first_in(index, node);
        node->earliest = job < node->earliest ? job : node->earliest;
        loom_least_join(&node->least, least);
        number = node->parent;
    }
    return 0;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* Move all entries of a node to the one before it. */
static void join(struct loom_user_index *index, uint32_t left, uint32_t right)
{
    struct loom_rank_node *node = &index->nodes[left], *other = &index->nodes[right];
    for (uint32_t i = 0; i < other->n; i++)
        insert_entry(index, left, node->n, other->slot[i]);
    node->count += other->count;
    node->earliest = other->earliest < node->earliest ? other->earliest : node->earliest;
    loom_least_join(&node->least, &other->least);
    remove_entry(&index->nodes[node->parent], right);
    drop_node(index, right);
}

/* Join sparse nodes on the path from a node to the root, to bound their number. */
static void join_sparse(struct loom_user_index *index, uint32_t number)
{
    while (number != index->root) {
        uint32_t above = index->nodes[number].parent;
        const struct loom_rank_node *node = &index->nodes[number], *parent = &index->nodes[above];
        uint32_t at = index_of(parent, number);
        for (uint32_t left = at > 0 ? at - 1 : 0; left <= at && left + 1u < parent->n; left++) {
            uint32_t a = parent->slot[left], b = parent->slot[left + 1];
            if (4u * (index->nodes[a].n + index->nodes[b].n) > 3 * max_slots(node))
                continue;
            join(index, a, b);
            break;
        }
        number = above;
    }
    while (index->nodes[index->root].level > 0 && index->nodes[index->root].n == 1) {
        uint32_t old = index->root;
        index->root = index->nodes[old].slot[0];
        index->nodes[index->root].parent = LOOM_NO_NODE;
        drop_node(index, old);
    }
}

/* Delete empty nodes from a node up. Return the first that is not empty. */
static uint32_t drop_empty(struct loom_user_index *index, uint32_t number)
{
    while (index->nodes[number].n == 0 && number != index->root) {
        uint32_t parent = index->nodes[number].parent;
        remove_entry(&index->nodes[parent], number);
        drop_node(index, number);
        number = parent;
    }
    return number;
}

void loom_ranks_remove(struct loom_user_index *index, uint32_t user)
{
    struct loom_least buffer;
    const struct loom_least *least = loom_user_index_least(index, user, &buffer);
    struct loom_ranked_user *removed = &index->users[user];
    remove_entry(&index->nodes[removed->leaf], user);
    uint32_t lowest = drop_empty(index, removed->leaf), number = lowest;
    removed->leaf = LOOM_NO_NODE;
    for (bool rests = true; number != LOOM_NO_NODE; number = index->nodes[number].parent) {
        struct loom_rank_node *node = &index->nodes[number];
        node->count--;
        node->first = node->n > 0 ? first_in(index, node) : LOOM_NO_USER;
        if (node->earliest == removed->first_job)
            node->earliest = earliest_in(index, node);
        rests = rests && loom_least_rests_on_any(&node->least, least);
        if (rests)
            renew_least(index, node);
    }
    join_sparse(index, lowest);
}

/* ---- changes --------------------------------------------------------------------------------- */

void loom_ranks_note_added(struct loom_user_index *index, uint32_t user,
                           const struct loom_sim_job *sim_job)
{
    uint32_t number = index->users[user].leaf;
    while (number != LOOM_NO_NODE &&
           loom_least_add(&index->nodes[number].least, sim_job->procs, sim_job->estimate_s))
        number = index->nodes[number].parent;
}

void loom_ranks_note_removed(struct loom_user_index *index, uint32_t user,
                             const struct loom_sim_job *sim_job)
{
    uint32_t number = index->users[user].leaf;
    for (; number != LOOM_NO_NODE; number = index->nodes[number].parent) {
        struct loom_rank_node *node = &index->nodes[number];
        if (!loom_least_rests_on(&node->least, sim_job->procs, sim_job->estimate_s))
            return;
        struct loom_least before = node->least;
        renew_least(index, node);
        if (memcmp(&before, &node->least, sizeof before) == 0)
            return;
    }
}

void loom_ranks_note_first(struct loom_user_index *index, uint32_t user)
{
    uint32_t number = index->users[user].leaf;
    for (; number != LOOM_NO_NODE; number = index->nodes[number].parent) {
        struct loom_rank_node *node = &index->nodes[number];
        uint32_t earliest = earliest_in(index, node);
        if (earliest == node->earliest)
            return;
        node->earliest = earliest;
    }
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Return the user after another, or the one before; LOOM_NO_USER if there is none. */
static uint32_t neighbour(const struct loom_user_index *index, uint32_t user, bool behind)
{
    uint32_t entry = user, number = index->users[user].leaf;
    for (; number != LOOM_NO_NODE; entry = number, number = index->nodes[number].parent) {
        const struct loom_rank_node *node = &index->nodes[number];
        uint32_t at = index_of(node, entry) + (behind ? 1u : -1u);
        if (at >= node->n) /* which it also is before the first */
            continue;
        while (node->level > 0) {
            node = &index->nodes[node->slot[at]];
            at = behind ? 0 : node->n - 1u;
        }
        return node->slot[at];
    }
    return LOOM_NO_USER;
}

bool loom_ranks_in_order(const struct loom_user_index *index, uint32_t user)
{
    uint32_t before = neighbour(index, user, false), behind = neighbour(index, user, true);
    bool follows =
        before == LOOM_NO_USER || (!index->users[before].changed && precedes(index, before, user));
    bool leads =
        behind == LOOM_NO_USER || (!index->users[behind].changed && precedes(index, user, behind));
    return follows && leads;
}

uint64_t loom_ranks_before(const struct loom_user_index *index, uint32_t user)
{
    uint32_t entry = user, number = index->users[user].leaf;
    uint64_t before = 0;
    for (; number != LOOM_NO_NODE; entry = number, number = index->nodes[number].parent) {
        const struct loom_rank_node *node = &index->nodes[number];
        for (uint32_t i = 0, at = index_of(node, entry); i < at; i++)
            before += node->level == 0 ? 1 : index->nodes[node->slot[i]].count;
    }
    return before;
}

uint64_t loom_ranks_count(const struct loom_user_index *index)
{
    return index->root == LOOM_NO_NODE ? 0 : index->nodes[index->root].count;
}

/* Return the first slot from `at` on with a job that may fit, or n. */
static uint32_t first_that_may_fit(const struct loom_user_index *index,
                                   const struct loom_rank_node *node, uint32_t at,
                                   const struct loom_gap *gap)
{
    while (at < node->n &&
           !(node->level == 0 ? loom_user_index_may_fit(index, node->slot[at], gap)
                              : loom_least_may_fit(&index->nodes[node->slot[at]].least, gap)))
        at++;
    return at;
}

uint32_t loom_ranks_next(const struct loom_user_index *index, uint32_t user,
                         const struct loom_gap *gap)
{
    bool begin = user == LOOM_NO_USER;
    uint32_t number = begin ? index->root : index->users[user].leaf;
    if (number == LOOM_NO_NODE || (begin && !loom_least_may_fit(&index->nodes[number].least, gap)))
        return LOOM_NO_USER;
    uint32_t at = begin ? 0 : index_of(&index->nodes[number], user) + 1;
    for (;;) {
        const struct loom_rank_node *node = &index->nodes[number];
        at = first_that_may_fit(index, node, at, gap);
        if (at < node->n && node->level == 0)
            return node->slot[at];
        if (at == node->n && number == index->root)
            return LOOM_NO_USER;
        if (at < node->n) {
            number = node->slot[at];
            at = 0;
        } else {
            at = index_of(&index->nodes[node->parent], number) + 1;
            number = node->parent;
        }
    }
}

/* ---- the best job ---------------------------------------------------------------------------- */

struct search {
    const struct loom_user_index *index;
    const struct loom_user_index_rule *rule;
    uint64_t rank; /* of the best so far */
    uint32_t job;
};

/* Search below a node whose first user has the rank. A child is skipped if its earliest job would
 * not win at the rank of its first user: then none of its jobs wins. */
static void search_below(struct search *best, uint32_t number, uint64_t rank)
{
    const struct loom_user_index *index = best->index;
    const struct loom_rank_node *node = &index->nodes[number];
    for (uint32_t i = 0; i < node->n; i++) {
        uint32_t entry = node->slot[i];
        bool is_user = node->level == 0;
        uint32_t job = is_user ? index->users[entry].first_job : index->nodes[entry].earliest;
        bool may_win = job != LOOM_NO_JOB && (rank < best->rank || job < best->job);
        bool wins = may_win && best->rule->wins(best->rule->self, rank, job, best->rank, best->job);
        if (wins && is_user) {
            best->rank = rank;
            best->job = job;
        } else if (wins) {
            search_below(best, entry, rank);
        }
        rank += is_user ? 1 : index->nodes[entry].count;
    }
}

/* Return the rank of the user with the earliest first job of all. */
static uint64_t rank_of_earliest(const struct loom_user_index *index)
{
    const struct loom_rank_node *node = &index->nodes[index->root];
    uint32_t earliest = node->earliest, at = 0;
    uint64_t rank = 1;
    while (node->level > 0) {
        for (at = 0; index->nodes[node->slot[at]].earliest != earliest; at++)
            rank += index->nodes[node->slot[at]].count;
        node = &index->nodes[node->slot[at]];
    }
    for (at = 0; index->users[node->slot[at]].first_job != earliest; at++)
        rank++;
    return rank;
}

/* Start with the earliest job, as few others, if any, win against it. */
uint32_t loom_user_index_best(const struct loom_user_index *index,
                              const struct loom_user_index_rule *rule)
{
    if (index->root == LOOM_NO_NODE || index->nodes[index->root].earliest == LOOM_NO_JOB)
        return LOOM_NO_JOB;
    struct search best = {index, rule, rank_of_earliest(index), index->nodes[index->root].earliest};
    search_below(&best, index->root, 1);
    return best.job;
}
