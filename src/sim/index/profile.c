/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Free processors over time: a tree of the changes, whose nodes know what the changes below them
 * add up to, and the least and the most that their partial sums reach. By these a search finds the
 * next time at which the free processors reach a number, or fall below it, without looking at what
 * lies between; by the longest stretches, one at which they do so for long enough.
 */
#include "sim/index/profile.h"

#include "base/vec.h"

#include <workloom/sim.h>

/* In a profile of DEEP steps, it pays to know the longest stretches; and to find them where they
 * are not known of FEW children of a node. */
enum { DEEP = 256, FEW = 4 };

struct loom_rise {
    int32_t sum;
    int32_t least, most; /* partial sums; of no steps, INT32_MAX and INT32_MIN */
    bool stale;          /* to be worked out when next asked for; then so are all nodes above */
};

/* ---- summaries ------------------------------------------------------------------------------- */

static int make_room(void *owner, size_t nodes)
{
    struct loom_profile *profile = owner;
    while (profile->rises_capacity < nodes)
        if (loom_grow(&profile->rises, profile->rises_capacity, &profile->rises_capacity))
            return -1;
    return profile->stretches.used ? loom_stretches_grow(&profile->stretches, nodes) : 0;
}

static void include(struct loom_rise *rise, int32_t sum, int32_t least, int32_t most)
{
    if (rise->sum + least < rise->least)
        rise->least = rise->sum + least;
    if (rise->sum + most > rise->most)
        rise->most = rise->sum + most;
    rise->sum += sum;
}

static void mark_stretches(struct loom_profile *profile, uint32_t node)
{
    struct loom_stretch_state *states = profile->stretches.states;
    for (; node != LOOM_NO_NODE && !states[node].stale; node = profile->tree.nodes[node].parent)
        states[node].stale = true;
}

/* Stretches of the leaf before may go on in this one. */
static void mark_stale(struct loom_profile *profile, uint32_t node)
{
    if (profile->stretches.used) {
        mark_stretches(profile, node);
        mark_stretches(profile, profile->tree.nodes[node].prev);
    }
    for (; node != LOOM_NO_NODE && !profile->rises[node].stale;
         node = profile->tree.nodes[node].parent)
        profile->rises[node].stale = true;
}

/* What the tree says of nodes that it has made or changed. Their parents are stale by then, or have
 * just been told so. */
static void renew(void *owner, uint32_t node)
{
    struct loom_profile *profile = owner;
    profile->rises[node].stale = false;
    if (profile->stretches.used)
        profile->stretches.states[node].stale = false;
    mark_stale(profile, node);
}

/* The summary of a node. */
static const struct loom_rise *rise_of(struct loom_profile *profile, uint32_t number)
{
    if (!profile->rises[number].stale)
        return &profile->rises[number];
    const struct loom_node *node = &profile->tree.nodes[number];
    struct loom_rise rise = {.least = INT32_MAX, .most = INT32_MIN};
    for (uint32_t i = 0; i < node->n && node->level == 0; i++)
        include(&rise, node->leaf.a[i], node->leaf.a[i], node->leaf.a[i]);
    for (uint32_t i = 0; i < node->n && node->level > 0; i++) {
        const struct loom_rise *child = rise_of(profile, node->branch.child[i]);
        if (child->least <= child->most) /* a leaf about to be dropped is empty */
            include(&rise, child->sum, child->least, child->most);
    }
    profile->rises[number] = rise;
    return &profile->rises[number];
}

/* ---- booking --------------------------------------------------------------------------------- */

void loom_profile_reset(struct loom_profile *profile, int64_t procs, int64_t now_s)
{
    profile->now_s = now_s;
    profile->free = procs;
    profile->failed = false;
    profile->near = LOOM_NO_NODE;
    profile->procs = procs;
    profile->stretches.used = false;
    profile->tree.owner = profile;
    profile->tree.summarize = renew;
    profile->tree.make_room = make_room;
    loom_tree_reset(&profile->tree);
}

void loom_profile_free(struct loom_profile *profile)
{
    loom_tree_free(&profile->tree);
    free(profile->rises);
    loom_stretches_free(&profile->stretches);
    *profile = (struct loom_profile){0};
}

static void remove_step(struct loom_profile *profile, struct loom_place place)
{
    loom_tree_remove(&profile->tree, place);
    mark_stale(profile, place.leaf);
    loom_tree_prune(&profile->tree, place.leaf);
}

void loom_profile_advance(struct loom_profile *profile, int64_t now_s)
{
    profile->now_s = now_s;
    while (profile->tree.n > 0) {
        struct loom_place first = loom_tree_first(&profile->tree);
        const struct loom_leaf *leaf = &profile->tree.nodes[first.leaf].leaf;
        if (leaf->key[0] > now_s)
            return;
        profile->free += leaf->a[0];
        remove_step(profile, first);
    }
}

static void insert_step(struct loom_profile *profile, struct loom_place place, int64_t time_s,
                        int32_t by)
{
    profile->near = loom_tree_insert_at(&profile->tree, place, time_s, by);
    if (profile->near == LOOM_NO_NODE)
        profile->failed = true;
    else
        mark_stale(profile, profile->near);
}

static void change(struct loom_profile *profile, int64_t time_s, int64_t by)
{
    if (time_s <= profile->now_s) {
        profile->free += by;
        return;
    }
    struct loom_place place = loom_tree_place_near(&profile->tree, profile->near, time_s);
    struct loom_node *node = place.leaf == LOOM_NO_NODE ? NULL : &profile->tree.nodes[place.leaf];
    if (!node || place.at == node->n || node->leaf.key[place.at] != time_s) {
        insert_step(profile, place, time_s, (int32_t)by);
        return;
    }
    profile->near = place.leaf;
    node->leaf.a[place.at] += (int32_t)by;
    if (node->leaf.a[place.at] == 0)
        remove_step(profile, place);
    else
        mark_stale(profile, place.leaf);
}

void loom_profile_book(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs)
{
    change(profile, from_s, -procs);
    change(profile, to_s, procs);
}

void loom_profile_unbook(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs)
{
    loom_profile_book(profile, from_s, to_s, -procs);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* A place in the profile: a step, and what is free before it. */
struct spot {
    struct loom_place place;
    int64_t free;
};

/* The first step after a time, which is now or later. */
static struct spot spot_after(struct loom_profile *profile, int64_t time_s)
{
    const struct loom_tree *tree = &profile->tree;
    if (time_s <= profile->now_s || tree->n == 0)
        return (struct spot){loom_tree_first(tree), profile->free};
    int64_t free = profile->free;
    uint32_t number = tree->root, at = 0;
    while (tree->nodes[number].level > 0) {
        const struct loom_branch *branch = &tree->nodes[number].branch;
        for (at = 0; at + 1u < tree->nodes[number].n && branch->key[at + 1] <= time_s; at++)
            free += rise_of(profile, branch->child[at])->sum;
        number = branch->child[at];
    }
    const struct loom_node *node = &tree->nodes[number];
    for (at = 0; at < node->n && node->leaf.key[at] <= time_s; at++)
        free += node->leaf.a[at];
    return (struct spot){{at < node->n ? number : node->next, at < node->n ? at : 0}, free};
}

int64_t loom_profile_at(struct loom_profile *profile, int64_t time_s)
{
    return spot_after(profile, time_s).free;
}

/* ---- stretches ------------------------------------------------------------------------------- */

/* How many children of a branch, with so many processors free before it, are not known. */
static unsigned count_unknown(struct loom_profile *profile, const struct loom_node *node,
                              int32_t free)
{
    unsigned unknown = 0;
    for (uint32_t i = 0; i < node->n; i++) {
        unknown += !loom_stretches_known(&profile->stretches, node->branch.child[i], free);
        free += rise_of(profile, node->branch.child[i])->sum;
    }
    return unknown;
}

static const int16_t *stretches_of(struct loom_profile *profile, uint32_t number, int32_t free);

/* Those of a branch, from its children; false if too many of these are not known, so that it is
 * better to go on to those that are wide enough. */
static bool gather_stretches(struct loom_profile *profile, uint32_t number, int32_t free)
{
    const struct loom_node *node = &profile->tree.nodes[number];
    if (count_unknown(profile, node, free) > FEW)
        return false;
    loom_stretches_clear(&profile->stretches, number);
    for (uint32_t i = 0; i < node->n; i++) {
        const int16_t *child = stretches_of(profile, node->branch.child[i], free);
        if (!child)
            return false;
        loom_stretches_join(&profile->stretches, number, child);
        free += rise_of(profile, node->branch.child[i])->sum;
    }
    return true;
}

/* The longest stretches that begin below a node, before which so many processors are free. NULL if
 * they are not known. */
static const int16_t *stretches_of(struct loom_profile *profile, uint32_t number, int32_t free)
{
    struct loom_stretches *stretches = &profile->stretches;
    if (!loom_stretches_known(stretches, number, free)) {
        if (profile->tree.nodes[number].level == 0)
            loom_stretches_find(stretches, &profile->tree, number, free);
        else if (!gather_stretches(profile, number, free))
            return NULL;
        stretches->states[number] = (struct loom_stretch_state){.free = free};
    }
    return loom_stretches_at(stretches, number);
}

/* Where procs processors are free, may they be for length_s below a node? */
static bool may_last(struct loom_profile *profile, uint32_t node, int64_t free, int64_t procs,
                     int64_t length_s)
{
    const int16_t *longest = stretches_of(profile, node, (int32_t)free);
    unsigned width = loom_stretch_width(&profile->stretches, procs);
    return !longest || longest[width] >= (int)loom_length_step(length_s);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* What is looked for: the first step before until_s after which fewer than procs processors are
 * free, or at least as many; in these for long enough, perhaps, if a length is given. */
struct query {
    int64_t procs;
    bool fewer;
    int64_t until_s;
    int64_t length_s; /* 0: any */
};

static bool meets(const struct query *query, int64_t free)
{
    return (free < query->procs) == query->fewer;
}

/* Is there such a step below a node, if `free` processors are free before it? */
static bool has(struct loom_profile *profile, uint32_t node, int64_t free,
                const struct query *query)
{
    const struct loom_rise *rise = rise_of(profile, node);
    return meets(query, free + (query->fewer ? rise->least : rise->most)) &&
           (query->length_s == 0 || may_last(profile, node, free, query->procs, query->length_s));
}

/* Look through a leaf from a spot on. Moves the spot to behind what was found, or to where it gave
 * up. */
static inline bool scan(const struct loom_profile *profile, struct spot *spot,
                        const struct query *query)
{
    const struct loom_node *node = &profile->tree.nodes[spot->place.leaf];
    uint32_t at = spot->place.at, n = node->n;
    int64_t free = spot->free;
    bool found = false;
    for (; !found && at < n && node->leaf.key[at] < query->until_s; at++) {
        free += node->leaf.a[at];
        found = meets(query, free);
    }
    spot->place.at = at;
    spot->free = free;
    return found;
}

/* The next node behind one, on any level, that has what is looked for. */
static uint32_t skip(struct loom_profile *profile, uint32_t node, struct spot *spot,
                     const struct query *query)
{
    const struct loom_tree *tree = &profile->tree;
    while (node != tree->root) {
        uint32_t rank = loom_tree_rank(tree, node);
        node = tree->nodes[node].parent;
        const struct loom_branch *branch = &tree->nodes[node].branch;
        for (rank++; rank < tree->nodes[node].n; rank++) {
            if (branch->key[rank] >= query->until_s)
                return LOOM_NO_NODE;
            if (has(profile, branch->child[rank], spot->free, query))
                return branch->child[rank];
            spot->free += rise_of(profile, branch->child[rank])->sum;
        }
    }
    return LOOM_NO_NODE;
}

/* The first child of a branch that has it, or LOOM_NO_NODE: what one child has of the width and
 * another of the length is nothing. */
static uint32_t first_child(struct loom_profile *profile, uint32_t number, struct spot *spot,
                            const struct query *query)
{
    const struct loom_node *node = &profile->tree.nodes[number];
    for (uint32_t rank = 0; rank < node->n; rank++) {
        if (has(profile, node->branch.child[rank], spot->free, query))
            return node->branch.child[rank];
        spot->free += rise_of(profile, node->branch.child[rank])->sum;
    }
    return LOOM_NO_NODE;
}

/* Move a spot on to the leaf, behind its own, with the next step that is looked for. False if there
 * is none. */
static bool next_leaf(struct loom_profile *profile, struct spot *spot, const struct query *query)
{
    uint32_t node = skip(profile, spot->place.leaf, spot, query);
    while (node != LOOM_NO_NODE && profile->tree.nodes[node].level > 0) {
        uint32_t child = first_child(profile, node, spot, query);
        node = child != LOOM_NO_NODE ? child : skip(profile, node, spot, query);
    }
    spot->place = (struct loom_place){node, 0};
    return node != LOOM_NO_NODE;
}

/* Move a spot to behind the first step, there or later, that is looked for. False if there is none.
 */
static inline bool seek(struct loom_profile *profile, struct spot *spot, const struct query *query)
{
    if (spot->place.leaf == LOOM_NO_NODE)
        return false;
    if (scan(profile, spot, query))
        return true;
    if (spot->place.at < profile->tree.nodes[spot->place.leaf].n)
        return false; /* it gave up at until_s */
    return next_leaf(profile, spot, query) && scan(profile, spot, query);
}

/* When the step was that a spot stands behind. */
static int64_t time_behind(const struct loom_profile *profile, const struct spot *spot)
{
    return profile->tree.nodes[spot->place.leaf].leaf.key[spot->place.at - 1];
}

/* A start later than any: no stretch of free processors has begun. */
static const int64_t CLOSED = INT64_C(1) << 62;

/* Look through a leaf from a spot on for a step by which procs processors have been free for
 * length_s. *start_s is since when they are, or CLOSED. Most stretches are short and few steps
 * long, so that nothing in the loop could be foreseen but its end. */
static bool scan_window(const struct loom_profile *profile, struct spot *spot, int64_t procs,
                        int64_t length_s, int64_t *start_s)
{
    const struct loom_node *node = &profile->tree.nodes[spot->place.leaf];
    uint32_t at = spot->place.at, n = node->n;
    int64_t free = spot->free, start = *start_s;
    for (; at < n && node->leaf.key[at] - start < length_s; at++) {
        int64_t time_s = node->leaf.key[at];
        free += node->leaf.a[at];
        start = start < time_s ? start : time_s;
        start = free < procs ? CLOSED : start;
    }
    spot->place.at = at;
    spot->free = free;
    *start_s = start;
    return at < n;
}

/* The first start from *start_s on from which on procs processors are free for length_s. */
static bool first_window(struct loom_profile *profile, int64_t procs, int64_t length_s,
                         int64_t *start_s)
{
    struct spot spot = spot_after(profile, *start_s);
    bool deep = profile->stretches.used && length_s > 1;
    const struct query open = {procs, false, LOOM_NEVER, deep ? length_s : 0};
    *start_s = spot.free < procs ? CLOSED : *start_s;
    while (spot.place.leaf != LOOM_NO_NODE &&
           !scan_window(profile, &spot, procs, length_s, start_s)) {
        const struct query end = {procs, true, *start_s + length_s, 0};
        if (!next_leaf(profile, &spot, *start_s == CLOSED ? &open : &end))
            break;
    }
    return *start_s != CLOSED;
}

int64_t loom_profile_earliest(struct loom_profile *profile, int64_t procs, int64_t length_s)
{
    int64_t start_s = profile->now_s;
    /* Where memory is out for that, it goes without. */
    if (profile->tree.n >= DEEP && !profile->stretches.used)
        loom_stretches_open(&profile->stretches, profile->procs, profile->rises_capacity);
    return first_window(profile, procs, length_s, &start_s) ? start_s : LOOM_NEVER;
}

int64_t loom_profile_below(struct loom_profile *profile, int64_t procs, int64_t *left)
{
    struct spot spot = {loom_tree_first(&profile->tree), profile->free};
    const struct query fall = {procs, true, LOOM_NEVER, 0};
    if (!seek(profile, &spot, &fall))
        return LOOM_NEVER;
    *left = spot.free;
    return time_behind(profile, &spot);
}
