/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs in an order: a sorted array, cut into blocks where it is long. */
#include "sim/index/queue.h"

#include "base/vec.h"

/* ---- finding --------------------------------------------------------------------------------- */

static bool precedes(const struct loom_queue_entry *entry, int64_t key, uint32_t job)
{
    return (entry->key < key) | ((entry->key == key) & (entry->job < job));
}

/* The last block whose first job precedes (key, job); block 0 if none does. */
static size_t block_for(const struct loom_queue *queue, int64_t key, uint32_t job)
{
    size_t low = 0, high = queue->n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (precedes(&queue->blocks[middle]->entries[0], key, job))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where (key, job) is or belongs, perhaps behind the last job of a block. */
static struct loom_queue_slot place_of(const struct loom_queue *queue, int64_t key, uint32_t job)
{
    struct loom_queue_slot slot = {block_for(queue, key, job), 0};
    const struct loom_block *block = queue->blocks[slot.block];
    for (uint32_t n = block->n; n > 0;) { /* halves without branches */
        uint32_t half = (n + 1) / 2;
        bool before = precedes(&block->entries[slot.at + half - 1], key, job);
        slot.at += half & (0u - (uint32_t)before);
        n -= half;
    }
    return slot;
}

/* The first job at or behind (key, job). */
static struct loom_queue_slot find(const struct loom_queue *queue, int64_t key, uint32_t job)
{
    if (queue->n == 0)
        return (struct loom_queue_slot){queue->n_blocks, 0};
    struct loom_queue_slot slot = place_of(queue, key, job);
    return slot.at < queue->blocks[slot.block]->n ? slot
                                                  : (struct loom_queue_slot){slot.block + 1, 0};
}

static struct loom_queue_slot next_slot(const struct loom_queue *queue, struct loom_queue_slot slot)
{
    if (slot.at + 1 < queue->blocks[slot.block]->n)
        return (struct loom_queue_slot){slot.block, slot.at + 1};
    return (struct loom_queue_slot){slot.block + 1, 0};
}

/* ---- keys ------------------------------------------------------------------------------------ */

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
    if (jobs[job].notes & LOOM_JOB_URGENT)
        return INT64_MIN;
    if (!queue->order || !queue->order->key)
        return 0;
    return in_order(queue->order->key(&jobs[job], job, now_s));
}

static int64_t known_key(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                         uint32_t job)
{
    return loom_queue_changes(queue) ? queue->keys[job] : key_of(queue, jobs, job, 0);
}

static int make_keys(struct loom_queue *queue, uint32_t job)
{
    while (queue->keys_capacity <= job)
        if (loom_grow(&queue->keys, queue->keys_capacity, &queue->keys_capacity))
            return -1;
    return 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_summarized(const struct loom_queue *queue)
{
    return queue->n_blocks > 1;
}

static void summarize_block(struct loom_block *block)
{
    loom_least_clear(&block->least);
    for (uint32_t i = 0; i < block->n; i++)
        loom_least_add(&block->least, block->entries[i].procs, block->entries[i].estimate_s);
    block->outdated = false;
}

static void summarize_queue(struct loom_queue *queue)
{
    loom_least_clear(&queue->least);
    for (size_t i = 0; i < queue->n_blocks; i++)
        loom_least_join(&queue->least, &queue->blocks[i]->least);
}

/* Compute the queue's entry for a width from the blocks', and no longer one for narrower jobs. */
static void tighten(struct loom_queue *queue, int64_t procs)
{
    unsigned band = loom_least_band(procs);
    int32_t shortest_s = LOOM_NO_ESTIMATE;
    for (size_t i = 0; i < queue->n_blocks; i++)
        if (queue->blocks[i]->least.shortest_s[band] < shortest_s)
            shortest_s = queue->blocks[i]->least.shortest_s[band];
    for (unsigned at = band + 1; at-- > 0 && queue->least.shortest_s[at] < shortest_s;)
        queue->least.shortest_s[at] = shortest_s;
}

/* Put an empty block at an index of the list. */
static int add_block(struct loom_queue *queue, size_t at)
{
    if (queue->n_blocks == queue->n_allocated) {
        if (loom_grow(&queue->blocks, queue->n_allocated, &queue->capacity))
            return -1;
        queue->blocks[queue->n_allocated] = malloc(sizeof **queue->blocks);
        if (!queue->blocks[queue->n_allocated])
            return -1;
        queue->n_allocated++;
    }
    struct loom_block *fresh = queue->blocks[queue->n_blocks];
    memmove(&queue->blocks[at + 1], &queue->blocks[at],
            (queue->n_blocks++ - at) * sizeof *queue->blocks);
    queue->blocks[at] = fresh;
    fresh->n = 0;
    fresh->entries = fresh->room;
    return 0;
}

static void drop_block(struct loom_queue *queue, size_t at)
{
    struct loom_block *spare = queue->blocks[at];
    memmove(&queue->blocks[at], &queue->blocks[at + 1],
            (--queue->n_blocks - at) * sizeof *queue->blocks);
    queue->blocks[queue->n_blocks] = spare;
}

/* Make room at a slot in a full block. At the end of the queue, where it grows, the full block
 * stays full. */
static int split(struct loom_queue *queue, struct loom_queue_slot *slot)
{
    bool at_end = slot->block + 1 == queue->n_blocks && slot->at == LOOM_BLOCK_JOBS;
    uint32_t left = at_end ? LOOM_BLOCK_JOBS : LOOM_BLOCK_JOBS / 2;
    if (add_block(queue, slot->block + 1))
        return -1;
    struct loom_block *block = queue->blocks[slot->block];
    struct loom_block *fresh = queue->blocks[slot->block + 1];
    fresh->n = LOOM_BLOCK_JOBS - left;
    memcpy(fresh->entries, block->entries + left, fresh->n * sizeof *fresh->entries);
    block->n = left;
    summarize_block(block);
    summarize_block(fresh);
    if (queue->n_blocks == 2)
        summarize_queue(queue);
    if (slot->at > left || at_end)
        *slot = (struct loom_queue_slot){slot->block + 1, slot->at - left};
    return 0;
}

/* ---- adding and removing --------------------------------------------------------------------- */

void loom_queue_reset(struct loom_queue *queue, const struct loom_order *order)
{
    queue->order = order;
    queue->n_blocks = queue->n = 0;
}

struct loom_queue *loom_queue_create(const struct loom_order *order)
{
    struct loom_queue *queue = calloc(1, sizeof *queue);
    if (queue)
        loom_queue_reset(queue, order);
    return queue;
}

void loom_queue_free(struct loom_queue *queue)
{
    for (size_t i = 0; i < queue->n_allocated; i++)
        free(queue->blocks[i]);
    free(queue->blocks);
    free(queue->keys);
    free(queue->sorted);
    *queue = (struct loom_queue){0};
}

void loom_queue_destroy(struct loom_queue *queue)
{
    if (queue)
        loom_queue_free(queue);
    free(queue);
}

static int insert(struct loom_queue *queue, const struct loom_queue_entry *entry)
{
    if (queue->n_blocks == 0 && add_block(queue, 0))
        return -1;
    struct loom_block *last = queue->blocks[queue->n_blocks - 1];
    struct loom_queue_slot slot = {queue->n_blocks - 1, last->n};
    if (last->n > 0 && !precedes(&last->entries[last->n - 1], entry->key, entry->job))
        slot = place_of(queue, entry->key, entry->job);
    if (queue->blocks[slot.block]->n == LOOM_BLOCK_JOBS && split(queue, &slot))
        return -1;
    struct loom_block *block = queue->blocks[slot.block];
    if (block->entries + block->n == block->room + LOOM_BLOCK_JOBS)
        block->entries = memmove(block->room, block->entries, block->n * sizeof *block->entries);
    struct loom_queue_entry *place = &block->entries[slot.at];
    if (slot.at < block->n)
        memmove(place + 1, place, (block->n - slot.at) * sizeof *place);
    *place = *entry;
    block->n++;
    queue->n++;
    if (is_summarized(queue) && loom_least_add(&block->least, entry->procs, entry->estimate_s))
        loom_least_add(&queue->least, entry->procs, entry->estimate_s);
    return 0;
}

static void count_narrowest(struct loom_queue *queue, int32_t procs)
{
    if (procs < queue->narrowest)
        queue->n_narrowest = 0;
    if (procs <= queue->narrowest) {
        queue->narrowest = procs;
        queue->n_narrowest++;
    }
}

int loom_queue_add(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                   int64_t now_s)
{
    const struct loom_queue_entry entry = {
        .key = key_of(queue, jobs, job, now_s),
        .estimate_s = jobs[job].estimate_s,
        .procs = jobs[job].procs,
        .job = job,
    };
    if (loom_queue_changes(queue)) {
        if (make_keys(queue, job))
            return -1;
        queue->keys[job] = entry.key;
    }
    if (queue->n == 0)
        queue->narrowest = INT32_MAX;
    count_narrowest(queue, entry.procs);
    return insert(queue, &entry);
}

static bool is_at(const struct loom_queue *queue, const struct loom_cursor *cursor, uint32_t job)
{
    return cursor->block < queue->n_blocks && cursor->at < queue->blocks[cursor->block]->n &&
           queue->blocks[cursor->block]->entries[cursor->at].job == job;
}

struct loom_queue_slot loom_queue_slot(const struct loom_queue *queue,
                                       const struct loom_sim_job *jobs, uint32_t job)
{
    if (loom_queue_first(queue) == job)
        return (struct loom_queue_slot){0, 0};
    return find(queue, known_key(queue, jobs, job), job);
}

void loom_queue_remove_slot(struct loom_queue *queue, struct loom_queue_slot slot)
{
    struct loom_block *block = queue->blocks[slot.block];
    struct loom_queue_entry *place = &block->entries[slot.at];
    queue->n_narrowest -= place->procs == queue->narrowest && queue->n_narrowest > 0;
    queue->n--;
    block->n--;
    if (slot.at == 0)
        block->entries++;
    else if (slot.at < block->n)
        memmove(place, place + 1, (block->n - slot.at) * sizeof *place);
    block->outdated = true;
    if (block->n == 0 && queue->n_blocks > 1)
        drop_block(queue, slot.block);
}

void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job)
{
    loom_queue_remove_slot(queue, loom_queue_slot(queue, jobs, job));
}

/* ---- keys that change ------------------------------------------------------------------------ */

static int compare_entries(const void *left, const void *right)
{
    const struct loom_queue_entry *a = left, *b = right;
    return precedes(a, b->key, b->job) ? -1 : precedes(b, a->key, a->job);
}

/* By insertion, as little changes from one time to the next; where much has, by another way. */
static void sort_entries(struct loom_queue_entry *entries, size_t n)
{
    enum { FEW_MOVES = 16 };
    size_t moves = 0;
    for (size_t i = 1; i < n && moves <= FEW_MOVES * n; i++) {
        struct loom_queue_entry entry = entries[i];
        size_t at = i;
        for (; at > 0 && compare_entries(&entry, &entries[at - 1]) < 0; at--)
            entries[at] = entries[at - 1];
        entries[at] = entry;
        moves += i - at;
    }
    if (moves > FEW_MOVES * n)
        qsort(entries, n, sizeof *entries, compare_entries);
}

/* Copy all entries to queue->sorted, with new keys. */
static int copy_entries(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    while (queue->sorted_capacity < queue->n)
        if (loom_grow(&queue->sorted, queue->sorted_capacity, &queue->sorted_capacity))
            return -1;
    struct loom_queue_entry *entry = queue->sorted;
    for (size_t i = 0; i < queue->n_blocks; i++)
        for (uint32_t at = 0; at < queue->blocks[i]->n; at++, entry++) {
            *entry = queue->blocks[i]->entries[at];
            entry->key = queue->keys[entry->job] = key_of(queue, jobs, entry->job, now_s);
        }
    return 0;
}

/* Blocks keep their sizes. */
int loom_queue_reorder(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    if (queue->n < 2)
        return 0;
    if (copy_entries(queue, jobs, now_s))
        return -1;
    sort_entries(queue->sorted, queue->n);
    const struct loom_queue_entry *entry = queue->sorted;
    for (size_t i = 0; i < queue->n_blocks; i++) {
        struct loom_block *block = queue->blocks[i];
        memcpy(block->entries, entry, block->n * sizeof *entry);
        entry += block->n;
        if (is_summarized(queue))
            summarize_block(block);
    }
    return 0;
}

/* ---- searching ------------------------------------------------------------------------------- */

static uint32_t move_to(const struct loom_queue *queue, struct loom_cursor *cursor,
                        struct loom_queue_slot slot)
{
    if (slot.block >= queue->n_blocks)
        return LOOM_NO_JOB;
    const struct loom_queue_entry *entry = &queue->blocks[slot.block]->entries[slot.at];
    *cursor = (struct loom_cursor){
        .inside = true,
        .job = entry->job,
        .key = entry->key,
        .block = (uint32_t)slot.block,
        .at = slot.at,
    };
    return cursor->job;
}

struct loom_cursor loom_queue_at(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                 uint32_t job)
{
    struct loom_cursor cursor;
    move_to(queue, &cursor, loom_queue_slot(queue, jobs, job));
    return cursor;
}

/* The slot behind a cursor, whose job may have been removed: then the next job is in its slot, if
 * nothing else has changed. */
static struct loom_queue_slot behind(const struct loom_queue *queue,
                                     const struct loom_cursor *cursor)
{
    if (!cursor->inside)
        return (struct loom_queue_slot){queue->n > 0 ? 0 : queue->n_blocks, 0};
    struct loom_queue_slot slot = {cursor->block, cursor->at};
    if (is_at(queue, cursor, cursor->job))
        return next_slot(queue, slot);
    if (slot.block < queue->n_blocks && slot.at > 0 && slot.at < queue->blocks[slot.block]->n) {
        const struct loom_queue_entry *entry = &queue->blocks[slot.block]->entries[slot.at];
        if (precedes(entry - 1, cursor->key, cursor->job) &&
            !precedes(entry, cursor->key, cursor->job))
            return slot;
    }
    return find(queue, cursor->key, cursor->job + 1);
}

uint32_t loom_queue_next(const struct loom_queue *queue, struct loom_cursor *cursor)
{
    return move_to(queue, cursor, behind(queue, cursor));
}

/* The first entry of a block from `at` on that fits, or its n. */
static uint32_t first_fit(const struct loom_block *block, uint32_t at, const struct loom_gap *gap)
{
    for (; at < block->n; at++) {
        const struct loom_queue_entry *entry = &block->entries[at];
        if ((entry->procs <= gap->procs) &
            ((entry->estimate_s <= gap->length_s) | (entry->procs <= gap->spare)))
            break;
    }
    return at;
}

/* Where no job fits: see what a search need not look for any more. */
static void learn(struct loom_queue *queue, const struct loom_gap *gap)
{
    tighten(queue, gap->procs);
    tighten(queue, gap->spare < gap->procs ? gap->spare : gap->procs);
}

bool loom_queue_find_fit(struct loom_queue *queue, struct loom_queue_slot *slot,
                         const struct loom_gap *gap)
{
    bool summarized = is_summarized(queue);
    if (gap->procs < queue->narrowest || (summarized && !loom_least_may_fit(&queue->least, gap)))
        return false;
    for (; slot->block < queue->n_blocks; slot->block++, slot->at = 0) {
        struct loom_block *block = queue->blocks[slot->block];
        if (summarized && !loom_least_may_fit(&block->least, gap))
            continue;
        slot->at = first_fit(block, slot->at, gap);
        if (slot->at < block->n)
            return true;
        if (summarized && block->outdated)
            summarize_block(block);
    }
    if (summarized)
        learn(queue, gap);
    return false;
}

uint32_t loom_queue_next_fit(struct loom_queue *queue, const struct loom_sim_job *jobs,
                             struct loom_cursor *cursor, const struct loom_gap *gap)
{
    (void)jobs;
    struct loom_queue_slot slot = behind(queue, cursor);
    return loom_queue_find_fit(queue, &slot, gap) ? move_to(queue, cursor, slot) : LOOM_NO_JOB;
}

/* Return whether a block may have a job of fewer processors. */
static bool may_be_narrower(const struct loom_queue *queue, const struct loom_block *block,
                            int32_t procs)
{
    return !is_summarized(queue) ||
           block->least.shortest_s[loom_least_band(procs - 1)] != LOOM_NO_ESTIMATE;
}

/* They are no fewer than they were: the search ends with the first block that has such a job. */
int32_t loom_queue_find_narrowest(struct loom_queue *queue)
{
    int32_t narrowest = INT32_MAX;
    size_t n = 0;
    for (size_t i = 0; i < queue->n_blocks && narrowest > queue->narrowest; i++) {
        const struct loom_block *block = queue->blocks[i];
        if (!may_be_narrower(queue, block, narrowest))
            continue;
        for (uint32_t at = 0; at < block->n; at++) { /* without branches */
            int32_t procs = block->entries[at].procs;
            n = (procs <= narrowest) + (procs < narrowest ? 0 : n);
            narrowest = procs < narrowest ? procs : narrowest;
        }
    }
    queue->n_narrowest = n;
    return queue->narrowest = narrowest;
}

/* ---- jobs of one key ------------------------------------------------------------------------- */

struct loom_cursor loom_queue_before_key(double key)
{
    return (struct loom_cursor){
        .inside = true,
        .job = UINT32_MAX, /* which 0 follows */
        .key = in_order(key),
        .block = UINT32_MAX,
    };
}

uint32_t loom_queue_next_fit_alike(const struct loom_queue *queue, struct loom_cursor *cursor,
                                   const struct loom_gap *gap)
{
    struct loom_queue_slot slot = behind(queue, cursor);
    for (; slot.block < queue->n_blocks; slot.block++, slot.at = 0) {
        const struct loom_block *block = queue->blocks[slot.block];
        if (block->entries[slot.at].key != cursor->key)
            break;
        slot.at = first_fit(block, slot.at, gap);
        if (slot.at < block->n)
            return block->entries[slot.at].key == cursor->key ? move_to(queue, cursor, slot)
                                                              : LOOM_NO_JOB;
    }
    return LOOM_NO_JOB;
}

void loom_queue_summarize_alike(const struct loom_queue *queue, const struct loom_cursor *cursor,
                                struct loom_least *least)
{
    struct loom_queue_slot slot = find(queue, cursor->key, 0);
    for (; slot.block < queue->n_blocks; slot = next_slot(queue, slot)) {
        const struct loom_queue_entry *entry = &queue->blocks[slot.block]->entries[slot.at];
        if (entry->key != cursor->key)
            break;
        loom_least_add(least, entry->procs, entry->estimate_s);
    }
}
