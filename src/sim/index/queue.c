/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs in an order, in blocks. While there are several blocks, each has the least that its jobs ask
 * for (least.h), and so has the queue; a search for the next job that fits a gap passes over every
 * block that promises none.
 */
#include "sim/index/queue.h"

#include "base/vec.h"

enum { MANY = 16 };

/* ---- summaries ------------------------------------------------------------------------------- */

static bool is_summarized(const struct loom_queue *queue)
{
    return queue->jobs.n_blocks > 1;
}

static void summarize_block(struct loom_block *block)
{
    loom_least_clear(&block->least);
    for (uint32_t i = 0; i < block->n; i++)
        loom_least_lower(&block->least, loom_least_band(block->procs[i]), block->procs[i],
                         block->length[i]);
}

static void summarize_queue(struct loom_queue *queue)
{
    loom_least_clear(&queue->least);
    for (size_t i = 0; i < queue->jobs.n_blocks; i++)
        loom_least_join(&queue->least, &queue->jobs.blocks[i]->least);
}

/* Compute one band of a block anew. */
static void renew_block(struct loom_block *block, unsigned band)
{
    int32_t from, to, procs = LOOM_NO_WIDTH, length = LOOM_NO_LENGTH;
    loom_least_widths(band, &from, &to);
    for (uint32_t i = 0; i < block->n; i++) {
        bool counts = block->procs[i] >= from && block->procs[i] <= to;
        int32_t width = counts ? block->procs[i] : LOOM_NO_WIDTH;
        int32_t own = counts ? block->length[i] : LOOM_NO_LENGTH;
        procs = width < procs ? width : procs;
        length = own < length ? own : length;
    }
    loom_least_clear_band(&block->least, band);
    loom_least_lower(&block->least, band, procs, (int16_t)length);
}

static void renew_queue(struct loom_queue *queue, unsigned band)
{
    loom_least_clear_band(&queue->least, band);
    for (size_t i = 0; i < queue->jobs.n_blocks; i++)
        loom_least_lower_by(&queue->least, band, &queue->jobs.blocks[i]->least);
}

static void note_added(struct loom_queue *queue, struct loom_job_slot slot, bool has_split)
{
    struct loom_block **blocks = queue->jobs.blocks;
    const struct loom_block *block = blocks[slot.block];
    unsigned band = loom_least_band(block->procs[slot.at]);
    if (has_split) {
        for (size_t i = slot.block > 0 ? slot.block - 1 : 0;
             i <= slot.block + 1 && i < queue->jobs.n_blocks; i++)
            summarize_block(blocks[i]);
        summarize_queue(queue);
    } else if (loom_least_lower(&blocks[slot.block]->least, band, block->procs[slot.at],
                                block->length[slot.at])) {
        loom_least_lower_by(&queue->least, band, &block->least);
    }
}

static void note_removed(struct loom_queue *queue, struct loom_block *block, bool dropped,
                         int32_t procs, int16_t length)
{
    unsigned band = loom_least_band(procs);
    if (!dropped && loom_least_rests_on(&block->least, band, procs, length))
        renew_block(block, band);
    if (loom_least_rests_on(&queue->least, band, procs, length))
        renew_queue(queue, band);
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
    if (jobs[job].notes & LOOM_JOB_URGENT)
        return INT64_MIN;
    if (!queue->order || !queue->order->key)
        return 0;
    return in_order(queue->order->key(&jobs[job], job, now_s));
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
    loom_blocks_reset(&queue->jobs);
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
    loom_blocks_free(&queue->jobs);
    free(queue->keys);
    free(queue->ranks);
    *queue = (struct loom_queue){0};
}

int loom_queue_add(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job,
                   int64_t now_s)
{
    if (loom_queue_changes(queue) && make_keys(queue, job))
        return -1;
    const struct loom_block_entry entry = {
        .key = key_of(queue, jobs, job, now_s),
        .job = job,
        .procs = jobs[job].procs,
        .length = loom_length_of(jobs[job].estimate_s),
    };
    struct loom_job_slot slot;
    int has_split = loom_blocks_insert(&queue->jobs, &entry, &slot);
    if (has_split < 0)
        return -1;
    if (loom_queue_changes(queue))
        queue->keys[job] = entry.key;
    if (is_summarized(queue))
        note_added(queue, slot, has_split);
    return 0;
}

/* Most often it is the first, which is the one to start. */
static struct loom_job_slot slot_of(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                    uint32_t job)
{
    if (loom_queue_first(queue) == job)
        return loom_blocks_first(&queue->jobs);
    int64_t key = loom_queue_changes(queue) ? queue->keys[job] : key_of(queue, jobs, job, 0);
    return loom_blocks_find(&queue->jobs, key, job);
}

void loom_queue_remove(struct loom_queue *queue, const struct loom_sim_job *jobs, uint32_t job)
{
    struct loom_job_slot slot = slot_of(queue, jobs, job);
    struct loom_block *block = queue->jobs.blocks[slot.block];
    int32_t procs = block->procs[slot.at];
    int16_t length = block->length[slot.at];
    bool dropped = loom_blocks_remove(&queue->jobs, slot);
    if (is_summarized(queue))
        note_removed(queue, block, dropped, procs, length);
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
    for (size_t i = 0; i < queue->jobs.n_blocks; i++) {
        const struct loom_block *block = queue->jobs.blocks[i];
        for (uint32_t at = 0; at < block->n; at++, rank++) {
            rank->job = block->job[at];
            rank->key = queue->keys[rank->job] = key_of(queue, jobs, rank->job, now_s);
        }
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
 * has changed, by another way. */
static void sort_ranks(struct loom_rank *ranks, size_t n)
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
}

/* Put the jobs that come next into a block, which has as many as before. */
static const struct loom_rank *refill(struct loom_block *block, const struct loom_sim_job *jobs,
                                      const struct loom_rank *rank, bool summary)
{
    bool other = false;
    for (uint32_t i = 0; i < block->n; i++, rank++) {
        block->key[i] = rank->key;
        if (block->job[i] == rank->job)
            continue;
        block->job[i] = rank->job;
        block->procs[i] = jobs[rank->job].procs;
        block->length[i] = loom_length_of(jobs[rank->job].estimate_s);
        other = true;
    }
    if (other && summary)
        summarize_block(block);
    return rank;
}

/* Blocks keep their size, and the jobs change places. */
int loom_queue_reorder(struct loom_queue *queue, const struct loom_sim_job *jobs, int64_t now_s)
{
    if (loom_queue_count(queue) < 2)
        return 0;
    if (make_ranks(queue))
        return -1;
    rank_anew(queue, jobs, now_s);
    sort_ranks(queue->ranks, loom_queue_count(queue));
    const struct loom_rank *rank = queue->ranks;
    for (size_t i = 0; i < queue->jobs.n_blocks; i++)
        rank = refill(queue->jobs.blocks[i], jobs, rank, is_summarized(queue));
    return 0;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static uint32_t move_to(const struct loom_queue *queue, struct loom_cursor *cursor,
                        struct loom_job_slot slot)
{
    if (loom_blocks_end(&queue->jobs, slot))
        return LOOM_NO_JOB;
    const struct loom_block *block = queue->jobs.blocks[slot.block];
    *cursor = (struct loom_cursor){
        .inside = true,
        .job = block->job[slot.at],
        .key = block->key[slot.at],
        .leaf = slot.block,
        .at = slot.at,
    };
    return cursor->job;
}

struct loom_cursor loom_queue_at(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                 uint32_t job)
{
    struct loom_cursor cursor;
    move_to(queue, &cursor, slot_of(queue, jobs, job));
    return cursor;
}

static bool still_there(const struct loom_queue *queue, const struct loom_cursor *cursor)
{
    if (cursor->leaf >= queue->jobs.n_blocks)
        return false;
    const struct loom_block *block = queue->jobs.blocks[cursor->leaf];
    return cursor->at < block->n && block->job[cursor->at] == cursor->job;
}

static struct loom_job_slot behind(const struct loom_queue *queue, const struct loom_cursor *cursor)
{
    if (!cursor->inside)
        return loom_blocks_first(&queue->jobs);
    if (still_there(queue, cursor))
        return loom_blocks_next(&queue->jobs, (struct loom_job_slot){cursor->leaf, cursor->at});
    return loom_blocks_find(&queue->jobs, cursor->key, cursor->job + 1);
}

uint32_t loom_queue_next(const struct loom_queue *queue, struct loom_cursor *cursor)
{
    return move_to(queue, cursor, behind(queue, cursor));
}

/* ---- the next that fits ---------------------------------------------------------------------- */

/* Does job `at` of a block fit, as far as its length tells? */
static bool seems_to_fit(const struct loom_gap_fit *fit, const struct loom_block *block,
                         uint32_t at)
{
    return (block->procs[at] <= fit->procs) &
           ((block->length[at] <= fit->length) | (block->procs[at] <= fit->spare));
}

/* The estimate decides where the length is the gap's: such a job may be longer. */
static bool fits(const struct loom_gap_fit *fit, const struct loom_block *block, uint32_t at,
                 const struct loom_sim_job *jobs)
{
    if (!seems_to_fit(fit, block, at))
        return false;
    return block->length[at] < fit->length || block->procs[at] <= fit->spare ||
           jobs[block->job[at]].estimate_s <= fit->length_s;
}

/* Does one of many? Without a way out, so that several are compared at a time. */
static bool some_seem_to_fit(const struct loom_gap_fit *fit, const struct loom_block *block,
                             uint32_t at)
{
    int found = 0;
    for (uint32_t i = 0; i < MANY; i++)
        found |= seems_to_fit(fit, block, at + i);
    return found;
}

/* The first job of a block from `at` on that fits, or its n. */
static uint32_t scan(const struct loom_gap_fit *fit, const struct loom_block *block, uint32_t at,
                     const struct loom_sim_job *jobs)
{
    while (at < block->n) {
        if (at + MANY <= block->n && !some_seem_to_fit(fit, block, at)) {
            at += MANY;
            continue;
        }
        uint32_t end = at + MANY < block->n ? at + MANY : block->n;
        for (; at < end; at++)
            if (fits(fit, block, at, jobs))
                return at;
    }
    return at;
}

/* The first slot from a slot on that fits. */
static struct loom_job_slot first_fit(const struct loom_queue *queue,
                                      const struct loom_gap_fit *fit, struct loom_job_slot slot,
                                      const struct loom_sim_job *jobs)
{
    for (; !loom_blocks_end(&queue->jobs, slot); slot.block++, slot.at = 0) {
        const struct loom_block *block = queue->jobs.blocks[slot.block];
        if (is_summarized(queue) && !loom_least_promises(&block->least, fit))
            continue;
        slot.at = scan(fit, block, slot.at, jobs);
        if (slot.at < block->n)
            break;
    }
    return slot;
}

uint32_t loom_queue_next_fit(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                             struct loom_cursor *cursor, const struct loom_gap *gap)
{
    struct loom_gap_fit fit;
    if (gap->procs < 1 || queue->jobs.n == 0)
        return LOOM_NO_JOB;
    loom_gap_fit_set(&fit, gap);
    if (is_summarized(queue)) {
        loom_gap_fit_bands(&fit);
        if (!loom_least_promises(&queue->least, &fit))
            return LOOM_NO_JOB;
    }
    return move_to(queue, cursor, first_fit(queue, &fit, behind(queue, cursor), jobs));
}

bool loom_queue_changes(const struct loom_queue *queue)
{
    return queue->order && queue->order->info.changes;
}

uint32_t loom_queue_first(const struct loom_queue *queue)
{
    return queue->jobs.n > 0 ? queue->jobs.blocks[0]->job[0] : LOOM_NO_JOB;
}

bool loom_queue_has_width(const struct loom_queue *queue, int64_t procs)
{
    if (procs < 1 || queue->jobs.n == 0)
        return false;
    int32_t narrowest = LOOM_NO_WIDTH;
    if (is_summarized(queue)) {
        for (unsigned band = 0; narrowest > procs && band <= loom_least_band(procs); band++)
            narrowest = loom_least_width(&queue->least, band);
        return narrowest <= procs;
    }
    const struct loom_block *block = queue->jobs.blocks[0];
    for (uint32_t i = 0; i < block->n; i++)
        narrowest = block->procs[i] < narrowest ? block->procs[i] : narrowest;
    return narrowest <= procs;
}

/* ---- jobs alike ------------------------------------------------------------------------------ */

struct loom_cursor loom_queue_before_key(double key)
{
    return (struct loom_cursor){
        .inside = true,
        .job = UINT32_MAX, /* which 0 follows */
        .key = in_order(key),
        .leaf = UINT32_MAX,
    };
}

uint32_t loom_queue_next_fit_alike(const struct loom_queue *queue, const struct loom_sim_job *jobs,
                                   struct loom_cursor *cursor, const struct loom_gap_fit *fit)
{
    struct loom_job_slot slot = behind(queue, cursor);
    for (; !loom_blocks_end(&queue->jobs, slot); slot.block++, slot.at = 0) {
        const struct loom_block *block = queue->jobs.blocks[slot.block];
        if (block->key[slot.at] != cursor->key)
            break;
        slot.at = scan(fit, block, slot.at, jobs);
        if (slot.at < block->n)
            return block->key[slot.at] == cursor->key ? move_to(queue, cursor, slot) : LOOM_NO_JOB;
    }
    return LOOM_NO_JOB;
}

void loom_queue_lower_alike(const struct loom_queue *queue, const struct loom_cursor *cursor,
                            unsigned from, unsigned to, struct loom_least *least)
{
    struct loom_job_slot slot = loom_blocks_find(&queue->jobs, cursor->key, 0);
    for (; !loom_blocks_end(&queue->jobs, slot); slot = loom_blocks_next(&queue->jobs, slot)) {
        const struct loom_block *block = queue->jobs.blocks[slot.block];
        if (block->key[slot.at] != cursor->key)
            break;
        unsigned band = loom_least_band(block->procs[slot.at]);
        if (band >= from && band < to)
            loom_least_lower(least, band, block->procs[slot.at], block->length[slot.at]);
    }
}
