/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kinetic tournament of jobs that pass a threshold of the expansion factor. */
#include "sched/support/tournament.h"

#include "base/vec.h"

#include <math.h>

struct block {
    double low, high; /* the range of x; low > high where the block must be looked into anyway */
    uint32_t first;   /* to pass, or LOOM_NO_JOB */
};

static const struct block EMPTY = {-INFINITY, INFINITY, LOOM_NO_JOB};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void loom_tournament_open(struct loom_tournament *tournament)
{
    tournament->tiers.size = sizeof(struct block);
    loom_tiers_reset(&tournament->tiers);
}

void loom_tournament_free(struct loom_tournament *tournament)
{
    loom_tiers_free(&tournament->tiers);
    free(tournament->runs);
    *tournament = (struct loom_tournament){0};
}

static void mark_stale(struct loom_tournament *tournament, uint32_t job)
{
    for (unsigned tier = 0; tier <= tournament->tiers.top; tier++) {
        struct block *block = loom_tiers_at(&tournament->tiers, tier, loom_tier_block(tier, job));
        block->low = INFINITY;
        block->high = -INFINITY;
    }
}

int loom_tournament_add(struct loom_tournament *tournament, uint32_t job)
{
    while (tournament->capacity <= job)
        if (loom_grow(&tournament->runs, tournament->capacity, &tournament->capacity))
            return -1;
    uint32_t known = tournament->tiers.jobs;
    if (loom_tiers_reach(&tournament->tiers, job, &EMPTY))
        return -1;
    for (; known < tournament->tiers.jobs; known++)
        tournament->runs[known] = false;
    tournament->runs[job] = true;
    mark_stale(tournament, job);
    return 0;
}

void loom_tournament_remove(struct loom_tournament *tournament, uint32_t job)
{
    tournament->runs[job] = false;
    /* Where another is the first, it stays that, over no smaller range. */
    const struct block *block = loom_tiers_at(&tournament->tiers, 0, loom_tier_block(0, job));
    if (block->first == job)
        mark_stale(tournament, job);
}

/* ---- the tournament -------------------------------------------------------------------------- */

struct look {
    struct loom_tournament *tournament;
    const struct loom_sim_job *jobs;
    double threshold, x;
    int64_t now_s;
};

/* How long from now until a job passes. */
static double until_s(const struct look *look, uint32_t job)
{
    const struct loom_sim_job *what = &look->jobs[job];
    return (double)(what->submit_s - look->now_s) + look->x * (double)what->estimate_s;
}

/* `first` passes no later than `other` at x; narrow the range to where that stays so. */
static void stay_ahead(const struct look *look, struct block *block, uint32_t first, uint32_t other)
{
    const struct loom_sim_job *a = &look->jobs[first], *b = &look->jobs[other];
    if (a->estimate_s == b->estimate_s)
        return;
    double equal = (double)(b->submit_s - a->submit_s) / (double)(a->estimate_s - b->estimate_s);
    if (a->estimate_s > b->estimate_s)
        block->high = smaller(block->high, equal);
    else
        block->low = larger(block->low, equal);
}

/* Let a job run against the first so far. */
static void enter(const struct look *look, struct block *block, uint32_t job)
{
    if (block->first == LOOM_NO_JOB || until_s(look, job) < until_s(look, block->first))
        block->first = job;
}

static void run_jobs(const struct look *look, uint32_t number, struct block *block)
{
    uint32_t first = number * LOOM_TIER_JOBS, n = look->tournament->tiers.jobs - first;
    const bool *runs = look->tournament->runs + first;
    n = n > LOOM_TIER_JOBS ? LOOM_TIER_JOBS : n;
    for (uint32_t i = 0; i < n; i++)
        if (runs[i])
            enter(look, block, first + i);
    for (uint32_t i = 0; i < n; i++)
        if (runs[i])
            stay_ahead(look, block, block->first, first + i);
}

static const struct block *block_at(const struct look *look, unsigned tier, uint32_t number);

static void run_blocks(const struct look *look, unsigned tier, uint32_t number, struct block *block)
{
    const struct loom_tiers *tiers = &look->tournament->tiers;
    size_t begin = (size_t)number * LOOM_TIER_BLOCKS, end = begin + LOOM_TIER_BLOCKS;
    end = end > tiers->n[tier - 1] ? tiers->n[tier - 1] : end;
    for (size_t i = begin; i < end; i++) {
        const struct block *below = block_at(look, tier - 1, (uint32_t)i);
        block->low = larger(block->low, below->low);
        block->high = smaller(block->high, below->high);
        if (below->first != LOOM_NO_JOB)
            enter(look, block, below->first);
    }
    for (size_t i = begin; i < end; i++) {
        const struct block *below = loom_tiers_at(tiers, tier - 1, (uint32_t)i);
        if (below->first != LOOM_NO_JOB)
            stay_ahead(look, block, block->first, below->first);
    }
}

/* A block, brought up to date. */
static const struct block *block_at(const struct look *look, unsigned tier, uint32_t number)
{
    struct block *block = loom_tiers_at(&look->tournament->tiers, tier, number);
    if (look->x >= block->low && look->x <= block->high)
        return block;
    *block = EMPTY;
    if (tier == 0)
        run_jobs(look, number, block);
    else
        run_blocks(look, tier, number, block);
    block->low = smaller(block->low, look->x); /* rounding may have put x outside */
    block->high = larger(block->high, look->x);
    return block;
}

/* With a margin for rounding: passed() decides. */
static bool may_have_passed(void *self, unsigned tier, uint32_t number)
{
    const struct look *look = self;
    const struct block *block = block_at(look, tier, number);
    if (block->first == LOOM_NO_JOB)
        return false;
    double margin_s = 1e-6 + 1e-9 * look->x * (double)look->jobs[block->first].estimate_s;
    return until_s(look, block->first) < margin_s;
}

static bool passed(void *self, uint32_t job)
{
    const struct look *look = self;
    const struct loom_sim_job *what = &look->jobs[job];
    double estimate_s = (double)what->estimate_s;
    double wait_s = (double)(look->now_s - what->submit_s);
    return look->tournament->runs[job] && (wait_s + estimate_s) / estimate_s > look->threshold;
}

uint32_t loom_tournament_next(struct loom_tournament *tournament, const struct loom_sim_job *jobs,
                              uint32_t from, double threshold, int64_t now_s)
{
    struct look look = {tournament, jobs, threshold, threshold - 1, now_s};
    const struct loom_tiers_query query = {&look, may_have_passed, passed};
    return loom_tiers_next(&tournament->tiers, &query, from);
}
