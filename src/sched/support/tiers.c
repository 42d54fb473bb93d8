/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of jobs in the order of submission, and the search through them. */
#include "sched/support/tiers.h"

#include "base/vec.h"

#include <workloom/sim.h>

static int widen(struct loom_tiers *tiers, unsigned tier, size_t need, const void *blank)
{
    while (tiers->capacity[tier] < need)
        if (loom_grow_bytes(&tiers->blocks[tier], tiers->capacity[tier], &tiers->capacity[tier],
                            tiers->size))
            return -1;
    for (; tiers->n[tier] < need; tiers->n[tier]++)
        memcpy(loom_tiers_at(tiers, tier, (uint32_t)tiers->n[tier]), blank, tiers->size);
    return 0;
}

/* A block that is the first of its tier may hold blocks that were there before it. */
static void raise_top(struct loom_tiers *tiers, unsigned top)
{
    for (; tiers->top < top; tiers->top++)
        memcpy(loom_tiers_at(tiers, tiers->top + 1, 0), loom_tiers_at(tiers, tiers->top, 0),
               tiers->size);
}

int loom_tiers_reach(struct loom_tiers *tiers, uint32_t job, const void *blank)
{
    unsigned tier = 0;
    if (job < tiers->jobs)
        return 0;
    for (;; tier++) {
        if (widen(tiers, tier, (size_t)loom_tier_block(tier, job) + 1, blank))
            return -1;
        if (loom_tier_block(tier, job) == 0)
            break;
    }
    raise_top(tiers, tier);
    tiers->jobs = job + 1;
    return 0;
}

void loom_tiers_reset(struct loom_tiers *tiers)
{
    memset(tiers->n, 0, sizeof tiers->n);
    tiers->jobs = 0;
    tiers->top = 0;
}

void loom_tiers_free(struct loom_tiers *tiers)
{
    for (unsigned tier = 0; tier < LOOM_TIERS; tier++)
        free(tiers->blocks[tier]);
    *tiers = (struct loom_tiers){0};
}

/* The largest tier that has a block beginning with this job, or -1. */
static int tier_beginning(const struct loom_tiers *tiers, uint64_t job)
{
    int tier = -1;
    uint64_t length = LOOM_TIER_JOBS;
    for (; tier < (int)tiers->top && job % length == 0; length *= LOOM_TIER_BLOCKS)
        tier++;
    return tier;
}

/* Go past all blocks from a job on that do not promise. The result is in a block of tier 0 that
 * does, or behind the last job. */
static uint64_t skip(const struct loom_tiers *tiers, const struct loom_tiers_query *query,
                     uint64_t job)
{
    int tier = tier_beginning(tiers, job);
    while (tier >= 0 && job < tiers->jobs) {
        if (query->may(query->self, (unsigned)tier,
                       loom_tier_block((unsigned)tier, (uint32_t)job))) {
            tier--;
            continue;
        }
        job += (uint64_t)LOOM_TIER_JOBS << (4 * (unsigned)tier);
        tier = tier_beginning(tiers, job);
    }
    return job;
}

uint32_t loom_tiers_next(const struct loom_tiers *tiers, const struct loom_tiers_query *query,
                         uint32_t from)
{
    uint64_t job = from;
    if (job % LOOM_TIER_JOBS == 0)
        job = skip(tiers, query, job);
    while (job < tiers->jobs) {
        if (query->is(query->self, (uint32_t)job))
            return (uint32_t)job;
        job++;
        if (job % LOOM_TIER_JOBS == 0)
            job = skip(tiers, query, job);
    }
    return LOOM_NO_JOB;
}
