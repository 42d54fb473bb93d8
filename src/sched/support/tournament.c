/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kinetic tournament of jobs that pass a threshold of the expansion factor. */
#include "sched/support/tournament.h"

#include "base/vec.h"

#include <math.h>

struct block {
    double low, high; /* the range of x; low > high: not computed */
    uint32_t first;   /* to pass the threshold, or LOOM_NO_JOB */
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
    tournament->tree.size = sizeof(struct block);
    loom_block_tree_reset(&tournament->tree);
}

void loom_tournament_free(struct loom_tournament *tournament)
{
    loom_block_tree_free(&tournament->tree);
    free(tournament->waiting);
    *tournament = (struct loom_tournament){0};
}

static void mark_stale(struct loom_tournament *tournament, uint32_t job)
{
    for (unsigned level = 0; level <= tournament->tree.root_level; level++) {
        struct block *block =
            loom_block_tree_at(&tournament->tree, level, loom_block_of(level, job));
        block->low = INFINITY;
        block->high = -INFINITY;
    }
}

int loom_tournament_add(struct loom_tournament *tournament, uint32_t job)
{
    while (tournament->capacity <= job)
        if (loom_grow(&tournament->waiting, tournament->capacity, &tournament->capacity))
            return -1;
    uint32_t known = tournament->tree.jobs;
    if (loom_block_tree_reach(&tournament->tree, job, &EMPTY))
        return -1;
    for (; known < tournament->tree.jobs; known++)
        tournament->waiting[known] = false;
    tournament->waiting[job] = true;
    mark_stale(tournament, job);
    return 0;
}

void loom_tournament_remove(struct loom_tournament *tournament, uint32_t job)
{
    tournament->waiting[job] = false;
    /* If another job is the first, it stays so in all of the range. */
    const struct block *block = loom_block_tree_at(&tournament->tree, 0, loom_block_of(0, job));
    if (block->first == job)
        mark_stale(tournament, job);
}

/* ---- the tournament -------------------------------------------------------------------------- */

struct search {
    struct loom_tournament *tournament;
    const struct loom_sim_job *jobs;
    double threshold, x;
    int64_t now_s;
};

/* Return how long from now until a job passes the threshold. */
static double until_s(const struct search *search, uint32_t job)
{
    const struct loom_sim_job *sim_job = &search->jobs[job];
    return (double)(sim_job->submit_s - search->now_s) + search->x * (double)sim_job->estimate_s;
}

/* `first` passes no later than `other` at x; narrow the range to where that stays so. */
static void narrow_range(const struct search *search, struct block *block, uint32_t first,
                         uint32_t other)
{
    const struct loom_sim_job *a = &search->jobs[first], *b = &search->jobs[other];
    if (a->estimate_s == b->estimate_s)
        return;
    double equal = (double)(b->submit_s - a->submit_s) / (double)(a->estimate_s - b->estimate_s);
    if (a->estimate_s > b->estimate_s)
        block->high = smaller(block->high, equal);
    else
        block->low = larger(block->low, equal);
}

/* Make a job the first of a block if it passes earlier. */
static void keep_earlier(const struct search *search, struct block *block, uint32_t job)
{
    if (block->first == LOOM_NO_JOB || until_s(search, job) < until_s(search, block->first))
        block->first = job;
}

static void compute_leaf(const struct search *search, uint32_t number, struct block *block)
{
    uint32_t first = number * LOOM_TREE_JOBS, n = search->tournament->tree.jobs - first;
    const bool *waiting = search->tournament->waiting + first;
    n = n > LOOM_TREE_JOBS ? LOOM_TREE_JOBS : n;
    for (uint32_t i = 0; i < n; i++)
        if (waiting[i])
            keep_earlier(search, block, first + i);
    for (uint32_t i = 0; i < n; i++)
        if (waiting[i])
            narrow_range(search, block, block->first, first + i);
}

static const struct block *block_at(const struct search *search, unsigned level, uint32_t number);

static void compute_inner(const struct search *search, unsigned level, uint32_t number,
                          struct block *block)
{
    const struct loom_block_tree *tree = &search->tournament->tree;
    size_t begin = (size_t)number * LOOM_TREE_CHILDREN, end = begin + LOOM_TREE_CHILDREN;
    end = end > tree->n[level - 1] ? tree->n[level - 1] : end;
    for (size_t i = begin; i < end; i++) {
        const struct block *below = block_at(search, level - 1, (uint32_t)i);
        block->low = larger(block->low, below->low);
        block->high = smaller(block->high, below->high);
        if (below->first != LOOM_NO_JOB)
            keep_earlier(search, block, below->first);
    }
    for (size_t i = begin; i < end; i++) {
        const struct block *below = loom_block_tree_at(tree, level - 1, (uint32_t)i);
        if (below->first != LOOM_NO_JOB)
            narrow_range(search, block, block->first, below->first);
    }
}

/* Return a block, computed again if x is outside its range. */
static const struct block *block_at(const struct search *search, unsigned level, uint32_t number)
{
    struct block *block = loom_block_tree_at(&search->tournament->tree, level, number);
    if (search->x >= block->low && search->x <= block->high)
        return block;
    *block = EMPTY;
    if (level == 0)
        compute_leaf(search, number, block);
    else
        compute_inner(search, level, number, block);
    block->low = smaller(block->low, search->x); /* rounding may have put x outside */
    block->high = larger(block->high, search->x);
    return block;
}

/* With a margin for rounding: passed() decides. */
static bool may_have_passed(void *self, unsigned level, uint32_t number)
{
    const struct search *search = self;
    const struct block *block = block_at(search, level, number);
    if (block->first == LOOM_NO_JOB)
        return false;
    double margin_s = 1e-6 + 1e-9 * search->x * (double)search->jobs[block->first].estimate_s;
    return until_s(search, block->first) < margin_s;
}

static bool passed(void *self, uint32_t job)
{
    const struct search *search = self;
    const struct loom_sim_job *sim_job = &search->jobs[job];
    double estimate_s = (double)sim_job->estimate_s;
    double wait_s = (double)(search->now_s - sim_job->submit_s);
    return search->tournament->waiting[job] &&
           (wait_s + estimate_s) / estimate_s > search->threshold;
}

uint32_t loom_tournament_next(struct loom_tournament *tournament, const struct loom_sim_job *jobs,
                              uint32_t from, double threshold, int64_t now_s)
{
    struct search search = {tournament, jobs, threshold, threshold - 1, now_s};
    const struct loom_block_query query = {&search, may_have_passed, passed};
    return loom_block_tree_next(&tournament->tree, &query, from);
}
