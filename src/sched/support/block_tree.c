/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of blocks of consecutive jobs, and the search in it. */
#include "sched/support/block_tree.h"

#include "base/vec.h"

#include <workloom/sim.h>

/* Extend a level to `need` blocks, the new ones copies of `blank`. */
static int extend_level(struct loom_block_tree *tree, unsigned level, size_t need,
                        const void *blank)
{
    while (tree->capacity[level] < need)
        if (loom_grow_bytes(&tree->blocks[level], tree->capacity[level], &tree->capacity[level],
                            tree->size))
            return -1;
    for (; tree->n[level] < need; tree->n[level]++)
        memcpy(loom_block_tree_at(tree, level, (uint32_t)tree->n[level]), blank, tree->size);
    return 0;
}

/* Add levels on top. The first block of a new level covers the former root, and starts as its copy.
 */
static void raise_root(struct loom_block_tree *tree, unsigned root_level)
{
    for (; tree->root_level < root_level; tree->root_level++)
        memcpy(loom_block_tree_at(tree, tree->root_level + 1, 0),
               loom_block_tree_at(tree, tree->root_level, 0), tree->size);
}

int loom_block_tree_reach(struct loom_block_tree *tree, uint32_t job, const void *blank)
{
    unsigned level = 0;
    if (job < tree->jobs)
        return 0;
    for (;; level++) {
        if (extend_level(tree, level, (size_t)loom_block_of(level, job) + 1, blank))
            return -1;
        if (loom_block_of(level, job) == 0)
            break;
    }
    raise_root(tree, level);
    tree->jobs = job + 1;
    return 0;
}

void loom_block_tree_reset(struct loom_block_tree *tree)
{
    memset(tree->n, 0, sizeof tree->n);
    tree->jobs = 0;
    tree->root_level = 0;
}

void loom_block_tree_free(struct loom_block_tree *tree)
{
    for (unsigned level = 0; level < LOOM_TREE_LEVELS; level++)
        free(tree->blocks[level]);
    *tree = (struct loom_block_tree){0};
}

/* Return the highest level with a block that begins at this job, or -1. */
static int highest_level_at(const struct loom_block_tree *tree, uint64_t job)
{
    int level = -1;
    uint64_t length = LOOM_TREE_JOBS;
    for (; level < (int)tree->root_level && job % length == 0; length *= LOOM_TREE_CHILDREN)
        level++;
    return level;
}

/* Skip the blocks from a job on that cannot have a match. Return a job in a block of level 0 that
 * can, or one past the last. */
static uint64_t skip_blocks(const struct loom_block_tree *tree,
                            const struct loom_block_query *query, uint64_t job)
{
    int level = highest_level_at(tree, job);
    while (level >= 0 && job < tree->jobs) {
        if (query->may_match(query->self, (unsigned)level,
                             loom_block_of((unsigned)level, (uint32_t)job))) {
            level--;
            continue;
        }
        job += (uint64_t)LOOM_TREE_JOBS << (4 * (unsigned)level);
        level = highest_level_at(tree, job);
    }
    return job;
}

uint32_t loom_block_tree_next(const struct loom_block_tree *tree,
                              const struct loom_block_query *query, uint32_t from)
{
    uint64_t job = from;
    if (job % LOOM_TREE_JOBS == 0)
        job = skip_blocks(tree, query, job);
    while (job < tree->jobs) {
        if (query->matches(query->self, (uint32_t)job))
            return (uint32_t)job;
        job++;
        if (job % LOOM_TREE_JOBS == 0)
            job = skip_blocks(tree, query, job);
    }
    return LOOM_NO_JOB;
}
