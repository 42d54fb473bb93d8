/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiers.h - blocks of jobs with consecutive numbers, blocks of such blocks, and so on, for searches
 * in the order of submission: an owner keeps, for each block, what lets a search see that there is
 * nothing to find in it.
 *
 * Block b of tier 0 holds the jobs from 32 b on, block b of a higher tier the blocks from 16 b on
 * of the tier below.
 */
#ifndef LOOM_SCHED_SUPPORT_TIERS_H
#define LOOM_SCHED_SUPPORT_TIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_TIERS = 8, LOOM_TIER_JOBS = 32, LOOM_TIER_BLOCKS = 16 };

struct loom_tiers {
    size_t size; /* of what is kept for a block, in bytes */
    void *blocks[LOOM_TIERS];
    size_t n[LOOM_TIERS], capacity[LOOM_TIERS]; /* blocks there are, and there is room for */
    uint32_t jobs;                              /* numbers below this have their blocks */
    unsigned top;                               /* the tier of which one block holds them all */
};

/* Make blocks for all jobs up to this one; new ones are copies of `blank`. 0, or -1 when memory is
 * out. */
int loom_tiers_reach(struct loom_tiers *tiers, uint32_t job, const void *blank);
/* No jobs, and no blocks. Memory is kept. */
void loom_tiers_reset(struct loom_tiers *tiers);
void loom_tiers_free(struct loom_tiers *tiers);

/* The block that a job is in. */
static inline uint32_t loom_tier_block(unsigned tier, uint32_t job)
{
    return (uint32_t)((uint64_t)job >> (5 + 4 * tier));
}

static inline void *loom_tiers_at(const struct loom_tiers *tiers, unsigned tier, uint32_t block)
{
    return (char *)tiers->blocks[tier] + block * tiers->size;
}

/* What to look for. `may` is asked of blocks and must say yes where there is such a job. */
struct loom_tiers_query {
    void *self;
    bool (*may)(void *self, unsigned tier, uint32_t block);
    bool (*is)(void *self, uint32_t job);
};

/* The first such job from a number on, or LOOM_NO_JOB. */
uint32_t loom_tiers_next(const struct loom_tiers *tiers, const struct loom_tiers_query *query,
                         uint32_t from);

#endif
