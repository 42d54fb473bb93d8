/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted jobs in blocks of columns. */
#include "sim/index/blocks.h"

#include "base/vec.h"

void loom_blocks_reset(struct loom_job_blocks *blocks)
{
    blocks->n_blocks = blocks->n = 0;
}

void loom_blocks_free(struct loom_job_blocks *blocks)
{
    for (size_t i = 0; i < blocks->made; i++)
        free(blocks->blocks[i]);
    free(blocks->blocks);
    *blocks = (struct loom_job_blocks){0};
}

/* ---- searching ------------------------------------------------------------------------------- */

static bool precedes(const struct loom_block *block, uint32_t at, int64_t key, uint32_t job)
{
    return (block->key[at] < key) | ((block->key[at] == key) & (block->job[at] < job));
}

/* The last block whose first job precedes (key, job); the first block if none does. */
static uint32_t block_for(const struct loom_job_blocks *blocks, int64_t key, uint32_t job)
{
    size_t low = 0, high = blocks->n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (precedes(blocks->blocks[middle], 0, key, job))
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* How many jobs of a block precede (key, job). Halves without branches. */
static uint32_t rank_in(const struct loom_block *block, int64_t key, uint32_t job)
{
    uint32_t base = 0, n = block->n;
    while (n > 0) {
        uint32_t half = (n + 1) / 2;
        base += half & (0u - (uint32_t)precedes(block, base + half - 1, key, job));
        n -= half;
    }
    return base;
}

/* Where (key, job) is or belongs, perhaps behind the last job of a block. */
static struct loom_job_slot seat(const struct loom_job_blocks *blocks, int64_t key, uint32_t job)
{
    uint32_t number = block_for(blocks, key, job);
    return (struct loom_job_slot){number, rank_in(blocks->blocks[number], key, job)};
}

bool loom_blocks_end(const struct loom_job_blocks *blocks, struct loom_job_slot slot)
{
    return slot.block >= blocks->n_blocks;
}

struct loom_job_slot loom_blocks_first(const struct loom_job_blocks *blocks)
{
    return (struct loom_job_slot){blocks->n > 0 ? 0 : (uint32_t)blocks->n_blocks, 0};
}

struct loom_job_slot loom_blocks_next(const struct loom_job_blocks *blocks,
                                      struct loom_job_slot slot)
{
    if (++slot.at < blocks->blocks[slot.block]->n)
        return slot;
    return (struct loom_job_slot){slot.block + 1, 0};
}

struct loom_job_slot loom_blocks_find(const struct loom_job_blocks *blocks, int64_t key,
                                      uint32_t job)
{
    if (blocks->n == 0)
        return loom_blocks_first(blocks);
    struct loom_job_slot slot = seat(blocks, key, job);
    bool inside = slot.at < blocks->blocks[slot.block]->n;
    return inside ? slot : (struct loom_job_slot){slot.block + 1, 0};
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Put an empty block at a slot of the list. */
static int add_block(struct loom_job_blocks *blocks, size_t at)
{
    if (blocks->n_blocks == blocks->made) {
        if (loom_grow(&blocks->blocks, blocks->made, &blocks->capacity))
            return -1;
        blocks->blocks[blocks->made] = malloc(sizeof **blocks->blocks);
        if (!blocks->blocks[blocks->made])
            return -1;
        blocks->made++;
    }
    struct loom_block *fresh = blocks->blocks[blocks->n_blocks];
    memmove(&blocks->blocks[at + 1], &blocks->blocks[at],
            (blocks->n_blocks++ - at) * sizeof *blocks->blocks);
    blocks->blocks[at] = fresh;
    fresh->n = 0;
    return 0;
}

static void drop_block(struct loom_job_blocks *blocks, size_t at)
{
    struct loom_block *spare = blocks->blocks[at];
    memmove(&blocks->blocks[at], &blocks->blocks[at + 1],
            (--blocks->n_blocks - at) * sizeof *blocks->blocks);
    blocks->blocks[blocks->n_blocks] = spare;
}

/* Copy n jobs from one slot to another, perhaps of the same block. */
static void move(struct loom_block *to, uint32_t to_at, const struct loom_block *from,
                 uint32_t from_at, uint32_t n)
{
    memmove(to->job + to_at, from->job + from_at, n * sizeof *to->job);
    memmove(to->procs + to_at, from->procs + from_at, n * sizeof *to->procs);
    memmove(to->length + to_at, from->length + from_at, n * sizeof *to->length);
    memmove(to->key + to_at, from->key + from_at, n * sizeof *to->key);
}

/* Make room at a slot in a full block. At the end of the list, where a queue grows, the full block
 * stays full. */
static int split(struct loom_job_blocks *blocks, struct loom_job_slot *slot)
{
    bool at_end = slot->block + 1 == blocks->n_blocks && slot->at == LOOM_BLOCK_JOBS;
    uint32_t left = at_end ? LOOM_BLOCK_JOBS : LOOM_BLOCK_JOBS / 2;
    if (add_block(blocks, slot->block + 1))
        return -1;
    struct loom_block *block = blocks->blocks[slot->block];
    struct loom_block *fresh = blocks->blocks[slot->block + 1];
    fresh->n = LOOM_BLOCK_JOBS - left;
    move(fresh, 0, block, left, fresh->n);
    block->n = left;
    if (slot->at >= left && (at_end || slot->at > left))
        *slot = (struct loom_job_slot){slot->block + 1, slot->at - left};
    return 1;
}

int loom_blocks_insert(struct loom_job_blocks *blocks, const struct loom_block_entry *entry,
                       struct loom_job_slot *slot)
{
    if (blocks->n_blocks == 0 && add_block(blocks, 0))
        return -1;
    struct loom_block *block = blocks->blocks[blocks->n_blocks - 1];
    if (block->n == 0 || precedes(block, block->n - 1, entry->key, entry->job))
        *slot = (struct loom_job_slot){(uint32_t)blocks->n_blocks - 1, block->n};
    else
        *slot = seat(blocks, entry->key, entry->job);
    block = blocks->blocks[slot->block];
    int has_split = block->n == LOOM_BLOCK_JOBS ? split(blocks, slot) : 0;
    if (has_split < 0)
        return -1;
    block = blocks->blocks[slot->block];
    uint32_t at = slot->at;
    if (at < block->n)
        move(block, at + 1, block, at, block->n - at);
    block->job[at] = entry->job;
    block->procs[at] = entry->procs;
    block->length[at] = entry->length;
    block->key[at] = entry->key;
    block->n++;
    blocks->n++;
    return has_split;
}

bool loom_blocks_remove(struct loom_job_blocks *blocks, struct loom_job_slot slot)
{
    struct loom_block *block = blocks->blocks[slot.block];
    block->n--;
    blocks->n--;
    if (slot.at < block->n)
        move(block, slot.at, block, slot.at + 1, block->n - slot.at);
    if (block->n > 0 || blocks->n_blocks == 1)
        return false;
    drop_block(blocks, slot.block);
    return true;
}
