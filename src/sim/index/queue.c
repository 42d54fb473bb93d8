/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs in an order: a tree whose nodes know what the jobs below them ask for at least (least.h). A
 * search for the next job that fits a gap goes past every node that promises none.
 */
#include "sim/index/queue.h"

#include "base/vec.h"

enum { MANY = 16 };

/* ---- summaries ------------------------------------------------------------------------------- */

static int make_room(void *owner, size_t nodes)
{
    struct loom_queue *queue = owner;
    while (queue->least_capacity < nodes)
        if (loom_grow(&queue->least, queue->least_capacity, &queue->least_capacity))
            return -1;
    return 0;
}

static void summarize(void *owner, uint32_t number)
{
    struct loom_queue *queue = owner;
    const struct loom_node *node = &queue->tree.nodes[number];
    const struct loom_more *more = &queue->tree.more[number];
    struct loom_least *least = &queue->least[number];
    loom_least_clear(least);
    for (uint32_t i = 0; i < node->n && node->level == 0; i++)
        loom_least_lower(least, loom_least_band(node->leaf.a[i]), node->leaf.a[i], more->b[i]);
    for (uint32_t i = 0; i < node->n && node->level > 0; i++)
        loom_least_join(least, &queue->least[node->branch.child[i]]);
}

static void note_added(struct loom_queue *queue, uint32_t leaf, int32_t procs, int16_t length)
{
    unsigned band = loom_least_band(procs);
    uint32_t node = leaf;
    while (node != LOOM_NO_NODE && loom_least_lower(&queue->least[node], band, procs, length))
        node = queue->tree.nodes[node].parent;
}

/* Work out one band of a leaf anew. */
static void renew_leaf(const struct loom_queue *queue, uint32_t leaf, unsigned band)
{
    const struct loom_node *node = &queue->tree.nodes[leaf];
    const struct loom_more *more = &queue->tree.more[leaf];
    struct loom_least *least = &queue->least[leaf];
    int32_t from, to, procs = LOOM_NO_WIDTH, length = LOOM_NO_LENGTH;
    loom_least_widths(band, &from, &to);
    for (uint32_t i = 0; i < node->n; i++) {
        bool counts = node->leaf.a[i] >= from && node->leaf.a[i] <= to;
        int32_t width = counts ? node->leaf.a[i] : LOOM_NO_WIDTH;
        int32_t own = counts ? more->b[i] : LOOM_NO_LENGTH;
        procs = width < procs ? width : procs;
        length = own < length ? own : length;
    }
    loom_least_clear_band(least, band);
    loom_least_lower(least, band, procs, (int16_t)length);
}

static void renew_branch(const struct loom_queue *queue, uint32_t branch, unsigned band)
{
    const struct loom_node *node = &queue->tree.nodes[branch];
    struct loom_least *least = &queue->least[branch];
    loom_least_clear_band(least, band);
    for (uint32_t i = 0; i < node->n; i++)
        loom_least_lower_by(least, band, &queue->least[node->branch.child[i]]);
}

static void note_removed(struct loom_queue *queue, uint32_t leaf, int32_t procs, int16_t length)
{
    unsigned band = loom_least_band(procs);
    for (uint32_t number = leaf; number != LOOM_NO_NODE;) {
        const struct loom_node *node = &queue->tree.nodes[number];
        const struct loom_least *least = &queue->least[number];
        int32_t old_procs = loom_least_width(least, band), old_length = least->length[band];
        if (!loom_least_rests_on(least, band, procs, length))
            return;
        if (node->level == 0)
            renew_leaf(queue, number, band);
        else
            renew_branch(queue, number, band);
        if (old_procs == loom_least_width(least, band) && old_length == least->length[band])
            return;
        number = node->parent;
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

struct loom_queue *loom_queue_create(const struct loom_order *order)
{
    struct loom_queue *queue = calloc(1, sizeof *queue);
    if (queue)
        loom_queue_reset(queue, order);
    return queue;
}

void loom_queue_destroy(struct loom_queue *queue)
{
    if (queue)
        loom_queue_free(queue);
    free(queue);
}

void loom_queue_free(struct loom_queue *queue)
{
    loom_tree_free(&queue->tree);
    free(queue->least);
    free(queue->keys);
    free(queue->ranks);
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
        .b = loom_length_of(jobs[job].estimate_s),
    };
    queue->tree.owner = queue; /* it may have been moved since */
    queue->tree.summarize = summarize;
    queue->tree.make_room = make_room;
    uint32_t leaf = loom_tree_insert(&queue->tree, &entry);
    if (leaf == LOOM_NO_NODE)
        return -1;
    if (changes(queue))
        queue->keys[job] = entry.key;
    note_added(queue, leaf, entry.a, entry.b);
    return 0;
}

/* Most often it is the first, which is the one to start. */
static struct loom_place place_of(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                  uint32_t job)
{
    if (loom_queue_first(queue) == job)
        return loom_tree_first(&queue->tree);
    int64_t key = changes(queue) ? queue->keys[job] : key_of(queue, jobs, job, 0);
    return loom_tree_find(&queue->tree, key, job);
}

void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job)
{
    struct loom_place place = place_of(queue, jobs, job);
    int32_t procs = queue->tree.nodes[place.leaf].leaf.a[place.at];
    int16_t length = queue->tree.more[place.leaf].b[place.at];
    loom_tree_remove(&queue->tree, place);
    note_removed(queue, place.leaf, procs, length);
    loom_tree_prune(&queue->tree, place.leaf);
}

/* ---- keys that change ------------------------------------------------------------------------ */

struct loom_rank {
    int64_t key;
    uint32_t job;
};

static int make_ranks(struct loom_queue *queue)
{
    while (queue->ranks_capacity < loom_queue_count(queue))
        if (loom_grow(&queue->ranks, queue->ranks_capacity, &queue->ranks_capacity))
            return -1;
    return 0;
}

/* The jobs in the order they are in, with new keys. */
static void rank_anew(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    struct loom_rank *rank = queue->ranks;
    struct loom_place place = loom_tree_first(&queue->tree);
    for (; place.leaf != LOOM_NO_NODE; place = loom_tree_next(&queue->tree, place), rank++) {
        rank->job = queue->tree.more[place.leaf].tie[place.at];
        rank->key = queue->keys[rank->job] = key_of(queue, jobs, rank->job, now_s);
    }
}

static int compare_ranks(const void *left, const void *right)
{
    const struct loom_rank *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->job < b->job ? -1 : a->job > b->job;
}

/* By insertion, as little changes from one time to the next; and where that takes too long, as much
 * has changed, by another way. Whether anything had to move. */
static bool sort_ranks(struct loom_rank *ranks, size_t n)
{
    enum { FEW_MOVES = 16 };
    size_t moves = 0;
    for (size_t i = 1; i < n && moves <= FEW_MOVES * n; i++) {
        struct loom_rank rank = ranks[i];
        size_t at = i;
        for (; at > 0 && compare_ranks(&rank, &ranks[at - 1]) < 0; at--)
            ranks[at] = ranks[at - 1];
        ranks[at] = rank;
        moves += i - at;
    }
    if (moves > FEW_MOVES * n)
        qsort(ranks, n, sizeof *ranks, compare_ranks);
    return moves > 0;
}

/* Put the jobs that come next into a leaf, which has as many as before. */
static const struct loom_rank *refill(struct loom_queue *queue, const struct loom_sim_job *jobs,
                                      uint32_t leaf, const struct loom_rank *rank)
{
    struct loom_node *node = &queue->tree.nodes[leaf];
    struct loom_more *more = &queue->tree.more[leaf];
    bool other = false;
    for (uint32_t i = 0; i < node->n; i++, rank++) {
        node->leaf.key[i] = rank->key;
        if (more->tie[i] == rank->job)
            continue;
        more->tie[i] = rank->job;
        node->leaf.a[i] = jobs[rank->job].procs;
        more->b[i] = loom_length_of(jobs[rank->job].estimate_s);
        other = true;
    }
    if (other)
        summarize(queue, leaf);
    return rank;
}

/* The tree keeps its shape, and the jobs change places. */
int loom_queue_reorder(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    if (loom_queue_count(queue) < 2)
        return 0;
    if (make_ranks(queue))
        return -1;
    rank_anew(queue, jobs, now_s);
    bool moved = sort_ranks(queue->ranks, loom_queue_count(queue));
    const struct loom_rank *rank = queue->ranks;
    uint32_t leaf = loom_tree_first(&queue->tree).leaf;
    for (; leaf != LOOM_NO_NODE; leaf = queue->tree.nodes[leaf].next)
        rank = refill(queue, jobs, leaf, rank);
    queue->tree.owner = queue; /* it may have been moved since */
    loom_tree_rekey(&queue->tree, moved);
    return 0;
}

/* ---- asking ---------------------------------------------------------------------------------- */

struct loom_cursor loom_queue_at(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                 uint32_t job)
{
    struct loom_place place = place_of(queue, jobs, job);
    return loom_cursor_at(queue, place);
}

/* A leaf that was dropped has no entries, or has become something else. */
static bool still_there(const struct loom_queue *queue, const struct loom_cursor *cursor)
{
    if (cursor->leaf >= queue->tree.n_nodes)
        return false;
    const struct loom_node *node = &queue->tree.nodes[cursor->leaf];
    return node->level == 0 && cursor->at < node->n &&
           queue->tree.more[cursor->leaf].tie[cursor->at] == cursor->job;
}

static struct loom_place behind(const struct loom_queue *queue, const struct loom_cursor *cursor)
{
    if (!cursor->inside)
        return loom_tree_first(&queue->tree);
    if (still_there(queue, cursor))
        return loom_tree_next(&queue->tree, (struct loom_place){cursor->leaf, cursor->at});
    return loom_tree_find(&queue->tree, cursor->key, cursor->job + 1);
}

static uint32_t move_to(const struct loom_queue *queue, struct loom_cursor *cursor,
                        struct loom_place place)
{
    if (place.leaf == LOOM_NO_NODE)
        return LOOM_NO_JOB;
    *cursor = loom_cursor_at(queue, place);
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
    const struct loom_gap_fit *fit;
};

/* What the jobs of a leaf ask for. */
struct asked {
    const int32_t *procs;
    const int16_t *length;
    const uint32_t *job;
};

/* Does an entry fit as far as it tells? */
static bool seems_to_fit(const struct search *search, const struct asked *asked, uint32_t at)
{
    return (asked->procs[at] <= search->fit->procs) &
           ((asked->length[at] <= search->fit->length) | (asked->procs[at] <= search->fit->spare));
}

/* And if the table of jobs is asked where it does not: estimates may be of the gap's length in an
 * entry, and longer. */
static bool fits(const struct search *search, const struct asked *asked, uint32_t at)
{
    if (!seems_to_fit(search, asked, at))
        return false;
    return asked->length[at] < search->fit->length || asked->procs[at] <= search->fit->spare ||
           search->jobs[asked->job[at]].estimate_s <= search->fit->length_s;
}

/* Does one of many entries seem to? Without a way out, so that it is done by several at a time. */
static bool some_seem_to_fit(const struct search *search, const struct asked *asked, uint32_t at)
{
    int found = 0;
    for (uint32_t i = 0; i < MANY; i++)
        found |= seems_to_fit(search, asked, at + i);
    return found;
}

/* The first entry of a leaf from `at` on that fits, or its n. */
static uint32_t scan(const struct search *search, uint32_t number, uint32_t at)
{
    const struct loom_node *node = &search->queue->tree.nodes[number];
    const struct loom_more *more = &search->queue->tree.more[number];
    const struct asked asked = {node->leaf.a, more->b, more->tie};
    while (at < node->n) {
        if (at + MANY <= node->n && !some_seem_to_fit(search, &asked, at)) {
            at += MANY;
            continue;
        }
        uint32_t end = at + MANY < node->n ? at + MANY : node->n;
        for (; at < end; at++)
            if (fits(search, &asked, at))
                return at;
    }
    return at;
}

/* The first promising child of a node from `rank` on, or LOOM_NO_NODE. */
static uint32_t promising_child(const struct search *search, uint32_t number, uint32_t rank)
{
    const struct loom_node *node = &search->queue->tree.nodes[number];
    for (; rank < node->n; rank++)
        if (loom_least_promises(&search->queue->least[node->branch.child[rank]], search->fit))
            return node->branch.child[rank];
    return LOOM_NO_NODE;
}

/* The next promising node behind a node, on its level or above. */
static uint32_t next_node(const struct search *search, uint32_t node)
{
    const struct loom_tree *tree = &search->queue->tree;
    uint32_t found = LOOM_NO_NODE;
    while (found == LOOM_NO_NODE && node != tree->root) {
        uint32_t rank = loom_tree_rank(tree, node);
        node = tree->nodes[node].parent;
        found = promising_child(search, node, rank + 1);
    }
    return found;
}

/* The next promising leaf behind a leaf. A branch may promise what none of its children does: one
 * has a job narrow enough, another one that is short enough. Then the search goes on behind it. */
static uint32_t next_leaf(const struct search *search, uint32_t leaf)
{
    const struct loom_tree *tree = &search->queue->tree;
    uint32_t node = next_node(search, leaf);
    while (node != LOOM_NO_NODE && tree->nodes[node].level > 0) {
        uint32_t child = promising_child(search, node, 0);
        node = child != LOOM_NO_NODE ? child : next_node(search, node);
    }
    return node;
}

bool loom_queue_has_width(const struct loom_queue *queue, int64_t procs)
{
    if (procs < 1 || queue->tree.n == 0)
        return false;
    const struct loom_least *least = &queue->least[queue->tree.root];
    for (unsigned band = 0; band <= loom_least_band(procs); band++)
        if (loom_least_width(least, band) <= procs)
            return true;
    return false;
}

/* The first place that fits from a place on. */
static struct loom_place first_fit(const struct search *search, struct loom_place place)
{
    while (place.leaf != LOOM_NO_NODE) {
        place.at = scan(search, place.leaf, place.at);
        if (place.at < search->queue->tree.nodes[place.leaf].n)
            break;
        place = (struct loom_place){next_leaf(search, place.leaf), 0};
    }
    return place;
}

uint32_t loom_queue_next_fit(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                             struct loom_cursor *cursor, const struct loom_gap *gap)
{
    if (gap->procs < 1 || queue->tree.n == 0)
        return LOOM_NO_JOB;
    struct loom_gap_fit fit;
    loom_gap_fit_set(&fit, gap);
    if (!loom_least_promises(&queue->least[queue->tree.root], &fit))
        return LOOM_NO_JOB;
    const struct search search = {queue, jobs, &fit};
    return move_to(queue, cursor, first_fit(&search, behind(queue, cursor)));
}

/* ---- jobs alike ------------------------------------------------------------------------------ */

struct loom_cursor loom_queue_before_key(double key)
{
    return (struct loom_cursor){
        .inside = true,
        .job = UINT32_MAX, /* which 0 follows */
        .key = in_order(key),
        .leaf = LOOM_NO_NODE,
    };
}

uint32_t loom_queue_next_fit_alike(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                   struct loom_cursor *cursor, const struct loom_gap_fit *fit)
{
    const struct search search = {queue, jobs, fit};
    const struct loom_node *nodes = queue->tree.nodes;
    struct loom_place place = behind(queue, cursor);
    while (place.leaf != LOOM_NO_NODE && nodes[place.leaf].leaf.key[place.at] == cursor->key) {
        const struct loom_node *node = &nodes[place.leaf];
        place.at = scan(&search, place.leaf, place.at);
        if (place.at < node->n)
            return node->leaf.key[place.at] == cursor->key ? move_to(queue, cursor, place)
                                                           : LOOM_NO_JOB;
        bool over = node->leaf.key[node->n - 1] != cursor->key;
        place = (struct loom_place){over ? LOOM_NO_NODE : next_leaf(&search, place.leaf), 0};
    }
    return LOOM_NO_JOB;
}

/* What to gather: bands of jobs of one key. */
struct gathering {
    const struct loom_queue *queue;
    struct loom_least *least;
    int64_t key;
    unsigned from, to;
};

static void gather_leaf(const struct gathering *of, uint32_t number)
{
    const struct loom_node *node = &of->queue->tree.nodes[number];
    const struct loom_more *more = &of->queue->tree.more[number];
    uint32_t at = 0;
    while (at < node->n && node->leaf.key[at] < of->key)
        at++;
    for (; at < node->n && node->leaf.key[at] == of->key; at++) {
        unsigned band = loom_least_band(node->leaf.a[at]);
        if (band >= of->from && band < of->to)
            loom_least_lower(of->least, band, node->leaf.a[at], more->b[at]);
    }
}

/* Below a node all of whose keys are from `low` to `high`. */
static void gather(const struct gathering *of, uint32_t number, int64_t low, int64_t high)
{
    const struct loom_node *node = &of->queue->tree.nodes[number];
    if (low == of->key && high == of->key) {
        for (unsigned band = of->from; band < of->to; band++)
            loom_least_lower_by(of->least, band, &of->queue->least[number]);
        return;
    }
    if (node->level == 0) {
        gather_leaf(of, number);
        return;
    }
    for (uint32_t i = 0; i < node->n; i++) {
        int64_t first = i == 0 ? low : node->branch.key[i];
        int64_t last = i + 1 == node->n ? high : node->branch.key[i + 1];
        if (first <= of->key && of->key <= last)
            gather(of, node->branch.child[i], first, last);
    }
}

void loom_queue_lower_alike(const struct loom_queue *queue, const struct loom_cursor *cursor,
                            unsigned from, unsigned to, struct loom_least *least)
{
    const struct gathering of = {queue, least, cursor->key, from, to};
    if (queue->tree.n > 0)
        gather(&of, queue->tree.root, INT64_MIN, INT64_MAX);
}
