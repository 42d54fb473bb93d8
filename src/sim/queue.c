/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs in an order: a tree whose nodes know, for each class of widths, the shortest estimate below
 * them. A search for the next job that fits a gap goes past every node in which no class has one.
 *
 * Under EASY the least of widths and the least of estimates would not do: what stays in a long
 * queue is narrow and long, or short and wide, and a node full of both would always look promising.
 * With classes, the only jobs that promise in vain are those somewhat wider than the gap that are
 * in one class with it: there is a class for each width up to 16, then four to each doubling.
 */
#include "sim/queue.h"

#include "base/vec.h"

enum { CLASSES = 64, EXACT = 16, NONE = INT32_MAX, LONGEST = INT32_MAX - 1 };

struct loom_shortest {
    int32_t s[CLASSES]; /* NONE where there is no job of that class */
};

/* ---- classes of width ------------------------------------------------------------------------ */

/* 1 to 16 have their own class; above, (2^k, 2^(k+1)] is cut into four; the last is open. */
static unsigned class_of(int64_t procs)
{
    if (procs <= EXACT)
        return procs < 1 ? 0 : (unsigned)procs - 1;
    unsigned below = (unsigned)(procs - 1 > INT32_MAX ? INT32_MAX : procs - 1);
    unsigned doublings = 31u - (unsigned)__builtin_clz(below); /* at least 4 */
    unsigned class = EXACT + 4 * (doublings - 4) + ((below >> (doublings - 2)) & 3);
    return class < CLASSES ? class : CLASSES - 1;
}

/* The narrowest and the widest of a class. */
static void widths_of(unsigned class, int32_t *narrowest, int32_t *widest)
{
    if (class < EXACT) {
        *narrowest = *widest = (int32_t) class + 1;
        return;
    }
    unsigned doublings = 4 + (class - EXACT) / 4, quarter = 1u << (doublings - 2);
    unsigned first = (4 + (class - EXACT) % 4) * quarter;
    *narrowest = (int32_t)first + 1;
    *widest = class == CLASSES - 1 ? INT32_MAX : (int32_t)(first + quarter);
}

static int32_t clipped(int64_t seconds)
{
    return seconds < LONGEST ? (int32_t)seconds : LONGEST;
}

/* ---- summaries ------------------------------------------------------------------------------- */

static int make_room(void *owner, size_t nodes)
{
    struct loom_queue *queue = owner;
    while (queue->shortest_capacity < nodes)
        if (loom_grow(&queue->shortest, queue->shortest_capacity, &queue->shortest_capacity))
            return -1;
    return 0;
}

static void summarize_leaf(const struct loom_node *node, int32_t *shortest)
{
    for (uint32_t i = 0; i < node->n; i++) {
        unsigned class = class_of(node->leaf.a[i]);
        if (node->leaf.b[i] < shortest[class])
            shortest[class] = node->leaf.b[i];
    }
}

static void summarize(void *owner, uint32_t number)
{
    struct loom_queue *queue = owner;
    const struct loom_node *node = &queue->tree.nodes[number];
    int32_t *shortest = queue->shortest[number].s;
    for (unsigned class = 0; class < CLASSES; class ++)
        shortest[class] = NONE;
    if (node->level == 0) {
        summarize_leaf(node, shortest);
        return;
    }
    for (uint32_t i = 0; i < node->n; i++) {
        const int32_t *child = queue->shortest[node->branch.child[i]].s;
        for (unsigned class = 0; class < CLASSES; class ++)
            if (child[class] < shortest[class])
                shortest[class] = child[class];
    }
}

static void note_added(struct loom_queue *queue, uint32_t leaf, unsigned class, int32_t estimate_s)
{
    for (uint32_t node = leaf; node != LOOM_NO_NODE; node = queue->tree.nodes[node].parent) {
        int32_t *shortest = queue->shortest[node].s;
        if (shortest[class] <= estimate_s)
            return;
        shortest[class] = estimate_s;
    }
}

static int32_t shortest_in_leaf(const struct loom_node *node, unsigned class)
{
    int32_t narrowest, widest, shortest = NONE;
    widths_of(class, &narrowest, &widest);
    for (uint32_t i = 0; i < node->n; i++) {
        bool counts = node->leaf.a[i] >= narrowest && node->leaf.a[i] <= widest;
        int32_t candidate = counts ? node->leaf.b[i] : NONE;
        shortest = candidate < shortest ? candidate : shortest;
    }
    return shortest;
}

static int32_t shortest_of_class(const struct loom_queue *queue, uint32_t number, unsigned class)
{
    const struct loom_node *node = &queue->tree.nodes[number];
    int32_t shortest = NONE;
    if (node->level == 0)
        return shortest_in_leaf(node, class);
    for (uint32_t i = 0; i < node->n; i++) {
        int32_t candidate = queue->shortest[node->branch.child[i]].s[class];
        shortest = candidate < shortest ? candidate : shortest;
    }
    return shortest;
}

static void note_removed(struct loom_queue *queue, uint32_t leaf, unsigned class,
                         int32_t estimate_s)
{
    for (uint32_t node = leaf; node != LOOM_NO_NODE; node = queue->tree.nodes[node].parent) {
        int32_t *shortest = queue->shortest[node].s;
        if (shortest[class] < estimate_s)
            return;
        shortest[class] = shortest_of_class(queue, node, class);
        if (shortest[class] == estimate_s)
            return;
    }
}

/* ---- adding and removing --------------------------------------------------------------------- */

/* A whole number that orders as the real one does. */
static int64_t in_order(double key)
{
    int64_t bits;
    key += 0.0; /* -0 and 0 are equal */
    memcpy(&bits, &key, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static int64_t key_of(const struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                      int64_t now_s)
{
    if (!queue->order || !queue->order->key)
        return 0;
    return in_order(queue->order->key(&jobs[job], job, now_s));
}

static bool changes(const struct loom_queue *queue)
{
    return queue->order && queue->order->info.changes;
}

static int make_keys(struct loom_queue *queue, uint32_t job)
{
    while (queue->keys_capacity <= job)
        if (loom_grow(&queue->keys, queue->keys_capacity, &queue->keys_capacity))
            return -1;
    return 0;
}

void loom_queue_reset(struct loom_queue *queue, const struct loom_order *order)
{
    queue->order = order;
    loom_tree_reset(&queue->tree);
}

void loom_queue_free(struct loom_queue *queue)
{
    loom_tree_free(&queue->tree);
    free(queue->shortest);
    free(queue->keys);
    *queue = (struct loom_queue){0};
}

int loom_queue_add(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                   int64_t now_s)
{
    if (changes(queue) && make_keys(queue, job))
        return -1;
    const struct loom_entry entry = {
        .key = key_of(queue, jobs, job, now_s),
        .tie = job,
        .a = jobs[job].procs,
        .b = clipped(jobs[job].estimate_s),
    };
    queue->tree.owner = queue; /* it may have been moved since */
    queue->tree.summarize = summarize;
    queue->tree.make_room = make_room;
    uint32_t leaf = loom_tree_insert(&queue->tree, &entry);
    if (leaf == LOOM_NO_NODE)
        return -1;
    if (changes(queue))
        queue->keys[job] = entry.key;
    note_added(queue, leaf, class_of(entry.a), entry.b);
    return 0;
}

static struct loom_place place_of(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                  uint32_t job)
{
    int64_t key = changes(queue) ? queue->keys[job] : key_of(queue, jobs, job, 0);
    return loom_tree_find(&queue->tree, key, job);
}

void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job)
{
    struct loom_place place = place_of(queue, jobs, job);
    const struct loom_leaf *leaf = &queue->tree.nodes[place.leaf].leaf;
    unsigned class = class_of(leaf->a[place.at]);
    int32_t estimate_s = leaf->b[place.at];
    loom_tree_remove(&queue->tree, place);
    note_removed(queue, place.leaf, class, estimate_s);
    loom_tree_prune(&queue->tree, place.leaf);
}

int loom_queue_refresh(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    size_t n = loom_queue_count(queue), at = 0;
    if (!changes(queue) || n < 2)
        return 0;
    uint32_t *all = malloc(n * sizeof *all);
    if (!all)
        return -1;
    struct loom_cursor cursor = {0};
    while (at < n)
        all[at++] = loom_queue_next(queue, &cursor);
    loom_queue_reset(queue, queue->order);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_queue_add(queue, jobs, all[i], now_s);
    free(all);
    return rc;
}

/* ---- asking ---------------------------------------------------------------------------------- */

uint32_t loom_queue_first(const struct loom_queue *queue)
{
    struct loom_place first = loom_tree_first(&queue->tree);
    return first.leaf == LOOM_NO_NODE ? LOOM_NO_JOB : queue->tree.nodes[first.leaf].leaf.tie[0];
}

struct loom_cursor loom_queue_at(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                 uint32_t job)
{
    struct loom_place place = place_of(queue, jobs, job);
    return (struct loom_cursor){true, job, queue->tree.nodes[place.leaf].leaf.key[place.at], place};
}

/* A leaf that was dropped has no entries, or has become something else. */
static bool still_there(const struct loom_queue *queue, const struct loom_cursor *cursor)
{
    if (cursor->hint.leaf >= queue->tree.n_nodes)
        return false;
    const struct loom_node *node = &queue->tree.nodes[cursor->hint.leaf];
    return node->level == 0 && cursor->hint.at < node->n &&
           node->leaf.tie[cursor->hint.at] == cursor->job;
}

static struct loom_place behind(const struct loom_queue *queue, const struct loom_cursor *cursor)
{
    if (!cursor->inside)
        return loom_tree_first(&queue->tree);
    if (still_there(queue, cursor))
        return loom_tree_next(&queue->tree, cursor->hint);
    return loom_tree_find(&queue->tree, cursor->key, cursor->job + 1);
}

static uint32_t move_to(const struct loom_queue *queue, struct loom_cursor *cursor,
                        struct loom_place place)
{
    if (place.leaf == LOOM_NO_NODE)
        return LOOM_NO_JOB;
    const struct loom_leaf *leaf = &queue->tree.nodes[place.leaf].leaf;
    *cursor = (struct loom_cursor){true, leaf->tie[place.at], leaf->key[place.at], place};
    return cursor->job;
}

uint32_t loom_queue_next(const struct loom_queue *queue, struct loom_cursor *cursor)
{
    return move_to(queue, cursor, behind(queue, cursor));
}

/* ---- the next that fits ---------------------------------------------------------------------- */

/* A gap in the terms of the tree. */
struct search {
    const struct loom_queue *queue;
    const struct loom_sim_job *jobs;
    const struct loom_gap *gap;
    int32_t length_s;
    unsigned classes, spare_classes; /* the widths that fit at all, and for ever, are below these */
};

/* May there be a job that fits below this node? */
static bool promises(const struct search *search, uint32_t node)
{
    const int32_t *shortest = search->queue->shortest[node].s;
    for (unsigned class = 0; class < search->spare_classes; class ++)
        if (shortest[class] != NONE)
            return true;
    for (unsigned class = search->spare_classes; class < search->classes; class ++)
        if (shortest[class] <= search->length_s)
            return true;
    return false;
}

/* The first entry of a leaf from `at` on that fits, or its n. */
static uint32_t scan(const struct search *search, uint32_t number, uint32_t at)
{
    const struct loom_node *node = &search->queue->tree.nodes[number];
    const struct loom_leaf *leaf = &node->leaf;
    while (at < node->n && !(leaf->a[at] <= search->gap->procs &&
                             loom_gap_fits(search->gap, &search->jobs[leaf->tie[at]])))
        at++;
    return at;
}

/* The first promising child of a node from `rank` on, or LOOM_NO_NODE. */
static uint32_t promising_child(const struct search *search, uint32_t number, uint32_t rank)
{
    const struct loom_node *node = &search->queue->tree.nodes[number];
    for (; rank < node->n; rank++)
        if (promises(search, node->branch.child[rank]))
            return node->branch.child[rank];
    return LOOM_NO_NODE;
}

/* The next promising leaf behind a leaf. A promising branch always has a promising child. */
static uint32_t next_leaf(const struct search *search, uint32_t leaf)
{
    const struct loom_tree *tree = &search->queue->tree;
    uint32_t node = leaf, found = LOOM_NO_NODE;
    while (found == LOOM_NO_NODE && node != tree->root) {
        uint32_t rank = loom_tree_rank(tree, node);
        node = tree->nodes[node].parent;
        found = promising_child(search, node, rank + 1);
    }
    while (found != LOOM_NO_NODE && tree->nodes[found].level > 0)
        found = promising_child(search, found, 0);
    return found;
}

bool loom_queue_has_width(const struct loom_queue *queue, int64_t procs)
{
    if (procs < 1 || queue->tree.n == 0)
        return false;
    const int32_t *shortest = queue->shortest[queue->tree.root].s;
    for (unsigned class = 0; class <= class_of(procs); class ++)
        if (shortest[class] != NONE)
            return true;
    return false;
}

uint32_t loom_queue_next_fit(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                             struct loom_cursor *cursor, const struct loom_gap *gap)
{
    if (gap->procs < 1 || queue->tree.n == 0)
        return LOOM_NO_JOB;
    int64_t spare = gap->spare < gap->procs ? gap->spare : gap->procs;
    const struct search search = {
        .queue = queue,
        .jobs = jobs,
        .gap = gap,
        .length_s = clipped(gap->length_s),
        .classes = class_of(gap->procs) + 1,
        .spare_classes = spare < 1 ? 0 : class_of(spare) + 1,
    };
    if (!promises(&search, queue->tree.root))
        return LOOM_NO_JOB;
    struct loom_place place = behind(queue, cursor);
    while (place.leaf != LOOM_NO_NODE) {
        place.at = scan(&search, place.leaf, place.at);
        if (place.at < queue->tree.nodes[place.leaf].n)
            break;
        place = (struct loom_place){next_leaf(&search, place.leaf), 0};
    }
    return move_to(queue, cursor, place);
}
