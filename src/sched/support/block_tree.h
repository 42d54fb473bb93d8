/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block_tree.h - a tree of blocks of consecutive jobs, for searches in the order of submission. The
 * owner keeps a summary of each block, by which a search skips blocks that have no match.
 *
 * Block b of level 0 has the jobs [32 b, 32 b + 32); block b of a higher level has the blocks
 * [16 b, 16 b + 16) of the level below.
 */
#ifndef LOOM_SCHED_SUPPORT_BLOCK_TREE_H
#define LOOM_SCHED_SUPPORT_BLOCK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_TREE_LEVELS = 8, LOOM_TREE_JOBS = 32, LOOM_TREE_CHILDREN = 16 };

struct loom_block_tree {
    size_t size; /* of the summary of a block, in bytes */
    void *blocks[LOOM_TREE_LEVELS];
    size_t n[LOOM_TREE_LEVELS], capacity[LOOM_TREE_LEVELS]; /* of blocks */
    uint32_t jobs;                                          /* numbers below this are in blocks */
    unsigned root_level; /* the level with one block, which has them all */
};

/* Extend the tree to a job; new blocks are copies of `blank`. 0, or -1 if out of memory. */
int loom_block_tree_reach(struct loom_block_tree *tree, uint32_t job, const void *blank);
/* Delete all blocks. Memory is kept. */
void loom_block_tree_reset(struct loom_block_tree *tree);
void loom_block_tree_free(struct loom_block_tree *tree);

/* Return the block of a level that a job is in. */
static inline uint32_t loom_block_of(unsigned level, uint32_t job)
{
    return (uint32_t)((uint64_t)job >> (5 + 4 * level));
}

/* Return the summary of a block. */
static inline void *loom_block_tree_at(const struct loom_block_tree *tree, unsigned level,
                                       uint32_t block)
{
    return (char *)tree->blocks[level] + block * tree->size;
}

/* What to search for. may_match() must return true for every block with a matching job. */
struct loom_block_query {
    void *self;
    bool (*may_match)(void *self, unsigned level, uint32_t block);
    bool (*matches)(void *self, uint32_t job);
};

/* Return the first matching job from a number on, or LOOM_NO_JOB. */
uint32_t loom_block_tree_next(const struct loom_block_tree *tree,
                              const struct loom_block_query *query, uint32_t from);

#endif
