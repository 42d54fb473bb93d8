/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lowest values of jobs by class of widths. */
#include "sched/lows.h"

#include "base/vec.h"

enum { ABSENT = UINT8_MAX };

static const int64_t NONE = INT64_MAX;

/* ---- classes of width ------------------------------------------------------------------------ */

unsigned loom_width_class(int64_t procs)
{
    unsigned width = (unsigned)procs;
    if (width < 4)
        return width;
    unsigned doublings = 31u - (unsigned)__builtin_clz(width); /* at least 2 */
    return 4 * (doublings - 1) + ((width >> (doublings - 2)) & 3);
}

int64_t loom_class_width(unsigned class)
{
    return class < 4 ? class : (int64_t)(4 + class % 4) << (class / 4 - 1);
}

/* ---- the set --------------------------------------------------------------------------------- */

void loom_lows_open(struct loom_lows *lows, int64_t widest)
{
    lows->n_classes = loom_width_class(widest) + 1;
    lows->tiers.size = lows->n_classes * sizeof(int64_t);
}

void loom_lows_free(struct loom_lows *lows)
{
    loom_tiers_free(&lows->tiers);
    free(lows->values);
    free(lows->classes);
    *lows = (struct loom_lows){0};
}

bool loom_lows_has(const struct loom_lows *lows, uint32_t job)
{
    return job < lows->tiers.jobs && lows->classes[job] != ABSENT;
}

/* Room for all jobs up to this one. */
static int reach(struct loom_lows *lows, uint32_t job)
{
    int64_t blank[LOOM_WIDTH_CLASSES];
    for (unsigned class = 0; class < lows->n_classes; class ++)
        blank[class] = NONE;
    while (lows->values_capacity <= job)
        if (loom_grow(&lows->values, lows->values_capacity, &lows->values_capacity))
            return -1;
    while (lows->classes_capacity <= job)
        if (loom_grow(&lows->classes, lows->classes_capacity, &lows->classes_capacity))
            return -1;
    uint32_t known = lows->tiers.jobs;
    if (loom_tiers_reach(&lows->tiers, job, blank))
        return -1;
    for (; known < lows->tiers.jobs; known++)
        lows->classes[known] = ABSENT;
    return 0;
}

int loom_lows_add(struct loom_lows *lows, uint32_t job, int64_t procs, int64_t value)
{
    unsigned class = loom_width_class(procs);
    if (reach(lows, job))
        return -1;
    lows->values[job] = value;
    lows->classes[job] = (uint8_t) class;
    for (unsigned tier = 0; tier <= lows->tiers.top; tier++) {
        int64_t *low = loom_tiers_at(&lows->tiers, tier, loom_tier_block(tier, job));
        if (low[class] <= value)
            break;
        low[class] = value;
    }
    return 0;
}

static int64_t lowest_of_jobs(const struct loom_lows *lows, uint32_t block, unsigned class)
{
    int64_t lowest = NONE;
    uint32_t first = block * LOOM_TIER_JOBS, past = lows->tiers.jobs;
    if (past - first > LOOM_TIER_JOBS)
        past = first + LOOM_TIER_JOBS;
    for (uint32_t job = first; job < past; job++)
        if (lows->classes[job] == class && lows->values[job] < lowest)
            lowest = lows->values[job];
    return lowest;
}

static int64_t lowest_of_blocks(const struct loom_lows *lows, unsigned tier, uint32_t block,
                                unsigned class)
{
    int64_t lowest = NONE;
    size_t first = (size_t)block * LOOM_TIER_BLOCKS, past = first + LOOM_TIER_BLOCKS;
    for (; first < past && first < lows->tiers.n[tier - 1]; first++) {
        const int64_t *low = loom_tiers_at(&lows->tiers, tier - 1, (uint32_t)first);
        lowest = low[class] < lowest ? low[class] : lowest;
    }
    return lowest;
}

void loom_lows_remove(struct loom_lows *lows, uint32_t job)
{
    unsigned class = lows->classes[job];
    int64_t value = lows->values[job];
    lows->classes[job] = ABSENT;
    for (unsigned tier = 0; tier <= lows->tiers.top; tier++) {
        uint32_t block = loom_tier_block(tier, job);
        int64_t *low = loom_tiers_at(&lows->tiers, tier, block);
        if (low[class] < value)
            return;
        low[class] = tier == 0 ? lowest_of_jobs(lows, block, class)
                               : lowest_of_blocks(lows, tier, block, class);
        if (low[class] == value)
            return;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

int64_t loom_lows_lowest(const struct loom_lows *lows)
{
    int64_t lowest = NONE;
    if (lows->tiers.jobs == 0)
        return NONE;
    const int64_t *low = loom_tiers_at(&lows->tiers, lows->tiers.top, 0);
    for (unsigned class = 0; class < lows->n_classes; class ++)
        lowest = low[class] < lowest ? low[class] : lowest;
    return lowest;
}

bool loom_lows_may(const struct loom_lows *lows, unsigned tier, uint32_t block,
                   const int64_t *limit)
{
    const int64_t *low = loom_tiers_at(&lows->tiers, tier, block);
    bool may = false;
    for (unsigned class = 0; class < lows->n_classes; class ++)
        may |= low[class] <= limit[class];
    return may;
}
