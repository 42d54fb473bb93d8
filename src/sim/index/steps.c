/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of free processors, linked, in blocks. A block's bounds hold always and are tight after a
 * search has been through all of it. Blocks are split where they get too large and dropped when
 * they are empty, and never joined: time goes over the first ones, and new ones come behind.
 */
#include "sim/index/steps.h"

#include "base/vec.h"

#include <workloom/sim.h>

#include <stdbool.h>

enum { BLOCK_STEPS = 48 };
#define NO_BLOCK UINT32_MAX

void loom_steps_free(struct loom_steps *steps)
{
    free(steps->at);
    free(steps->blocks);
    free(steps->order);
    *steps = (struct loom_steps){0};
}

/* ---- numbers --------------------------------------------------------------------------------- */

int loom_steps_reserve(struct loom_steps *steps)
{
    return loom_grow(&steps->at, steps->n_numbers + 1, &steps->capacity) ||
           loom_grow(&steps->blocks, steps->n_blocks + 1, &steps->blocks_capacity) ||
           loom_grow(&steps->order, steps->n_order + 1, &steps->order_capacity);
}

static uint32_t new_step(struct loom_steps *steps)
{
    uint32_t number = steps->spare;
    if (number == LOOM_STEPS_END)
        number = (uint32_t)steps->n_numbers++;
    else
        steps->spare = steps->at[number].next;
    steps->n++;
    return number;
}

static void free_step(struct loom_steps *steps, uint32_t number)
{
    steps->at[number].next = steps->spare;
    steps->spare = number;
    steps->n--;
}

static uint32_t new_block(struct loom_steps *steps)
{
    uint32_t number = steps->spare_block;
    if (number == NO_BLOCK)
        number = (uint32_t)steps->n_blocks++;
    else
        steps->spare_block = steps->blocks[number].next;
    return number;
}

int loom_steps_reset(struct loom_steps *steps, int32_t procs, int64_t now_s)
{
    steps->n_numbers = steps->n = steps->n_blocks = steps->n_order = 0;
    steps->spare = LOOM_STEPS_END;
    steps->spare_block = NO_BLOCK;
    if (loom_steps_reserve(steps))
        return -1;
    steps->n_numbers = 1;
    steps->first = new_step(steps);
    uint32_t block = new_block(steps);
    steps->at[LOOM_STEPS_END] = (struct loom_step){.time_s = LOOM_NEVER,
                                                   .free = -1,
                                                   .prev = steps->first,
                                                   .block = NO_BLOCK};
    steps->at[steps->first] = (struct loom_step){
        .time_s = now_s, .free = procs, .next = LOOM_STEPS_END, .block = block, .holders = 1};
    steps->blocks[block] = (struct loom_step_block){
        .first = steps->first, .n = 1, .prev = NO_BLOCK, .next = NO_BLOCK, procs, procs};
    steps->order[steps->n_order++] = block;
    return 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int64_t begin_of(const struct loom_steps *steps, size_t rank)
{
    return steps->at[steps->blocks[steps->order[rank]].first].time_s;
}

/* The last block that begins at or before a time; the first if there is none. */
static size_t rank_at(const struct loom_steps *steps, int64_t time_s)
{
    size_t low = 0, high = steps->n_order;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (begin_of(steps, middle) <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void split(struct loom_steps *steps, uint32_t number)
{
    size_t rank = rank_at(steps, steps->at[steps->blocks[number].first].time_s);
    uint32_t fresh = new_block(steps), at = steps->blocks[number].first;
    struct loom_step_block *left = &steps->blocks[number], *right = &steps->blocks[fresh];
    *right = *left;
    left->n /= 2;
    right->n -= left->n;
    for (uint32_t i = 0; i < left->n; i++)
        at = steps->at[at].next;
    right->first = at;
    for (uint32_t i = 0; i < right->n; i++, at = steps->at[at].next)
        steps->at[at].block = fresh;
    right->prev = number;
    left->next = fresh;
    if (right->next != NO_BLOCK)
        steps->blocks[right->next].prev = fresh;
    size_t behind = steps->n_order++ - rank - 1;
    memmove(steps->order + rank + 2, steps->order + rank + 1, behind * sizeof *steps->order);
    steps->order[rank + 1] = fresh;
}

/* A block whose only step, at time_s, is about to go. */
static void drop_block(struct loom_steps *steps, uint32_t number, int64_t time_s)
{
    struct loom_step_block *block = &steps->blocks[number];
    size_t rank = rank_at(steps, time_s), behind = --steps->n_order - rank;
    memmove(steps->order + rank, steps->order + rank + 1, behind * sizeof *steps->order);
    if (block->prev != NO_BLOCK)
        steps->blocks[block->prev].next = block->next;
    if (block->next != NO_BLOCK)
        steps->blocks[block->next].prev = block->prev;
    block->next = steps->spare_block;
    steps->spare_block = number;
}

/* ---- changing -------------------------------------------------------------------------------- */

/* A step behind another, in its block, with what is free there. */
static uint32_t insert_behind(struct loom_steps *steps, uint32_t before, int64_t time_s)
{
    uint32_t number = new_step(steps);
    struct loom_step *left = &steps->at[before];
    steps->at[number] = (struct loom_step){.time_s = time_s,
                                           .free = left->free,
                                           .prev = before,
                                           .next = left->next,
                                           .block = left->block};
    steps->at[left->next].prev = number;
    left->next = number;
    if (++steps->blocks[left->block].n > BLOCK_STEPS)
        split(steps, left->block);
    return number;
}

uint32_t loom_steps_onward(struct loom_steps *steps, uint32_t from, int64_t time_s)
{
    uint32_t next;
    while (steps->at[next = steps->at[from].next].time_s <= time_s)
        from = next;
    return steps->at[from].time_s == time_s ? from : insert_behind(steps, from, time_s);
}

uint32_t loom_steps_back(struct loom_steps *steps, uint32_t from, int64_t time_s)
{
    while (steps->at[from].time_s > time_s)
        from = steps->at[from].prev;
    return steps->at[from].time_s == time_s ? from : insert_behind(steps, from, time_s);
}

void loom_steps_drop(struct loom_steps *steps, uint32_t number)
{
    struct loom_step *step = &steps->at[number];
    struct loom_step_block *block = &steps->blocks[step->block];
    if (block->n == 1)
        drop_block(steps, step->block, step->time_s);
    else if (block->first == number)
        block->first = step->next;
    block->n--;
    if (step->prev != LOOM_STEPS_END)
        steps->at[step->prev].next = step->next;
    steps->at[step->next].prev = step->prev;
    free_step(steps, number);
}

void loom_steps_advance(struct loom_steps *steps, int64_t now_s)
{
    uint32_t next;
    while (steps->at[next = steps->at[steps->first].next].time_s <= now_s) {
        loom_steps_drop(steps, steps->first);
        steps->first = next;
        steps->at[next].prev = LOOM_STEPS_END;
        steps->at[next].holders++; /* time itself */
    }
    steps->at[steps->first].time_s = now_s;
}

void loom_steps_add(struct loom_steps *steps, uint32_t from, uint32_t to, int32_t by)
{
    while (from != to) {
        struct loom_step *step = &steps->at[from];
        struct loom_step_block *block = &steps->blocks[step->block];
        step->free += by;
        block->least = step->free < block->least ? step->free : block->least;
        block->most = step->free > block->most ? step->free : block->most;
        from = step->next;
    }
}

/* ---- searching ------------------------------------------------------------------------------- */

uint32_t loom_steps_locate(const struct loom_steps *steps, int64_t time_s)
{
    uint32_t at = steps->blocks[steps->order[rank_at(steps, time_s)]].first, next;
    while (steps->at[next = steps->at[at].next].time_s <= time_s)
        at = next;
    return at;
}

/* Does a step end the search for enough processors, or for too few? */
static inline bool ends(const struct loom_step *step, int32_t procs, bool few, int64_t until_s)
{
    return (step->free < procs) == few || step->time_s >= until_s;
}

/* Go through a block. Makes its bounds tight where nothing is found. */
static inline uint32_t scan(struct loom_steps *steps, uint32_t number, int32_t procs, bool few,
                            int64_t until_s)
{
    struct loom_step_block *block = &steps->blocks[number];
    int32_t least = INT32_MAX, most = INT32_MIN;
    uint32_t at = block->first;
    for (uint32_t i = 0; i < block->n; i++) {
        const struct loom_step *step = &steps->at[at];
        if (ends(step, procs, few, until_s))
            return at;
        least = step->free < least ? step->free : least;
        most = step->free > most ? step->free : most;
        at = step->next;
    }
    block->least = least;
    block->most = most;
    return at;
}

static inline uint32_t search(struct loom_steps *steps, uint32_t at, int32_t procs, bool few,
                              int64_t until_s)
{
    uint32_t block = steps->at[at].block;
    while (at != LOOM_STEPS_END && steps->at[at].block == block) {
        if (ends(&steps->at[at], procs, few, until_s))
            return at;
        at = steps->at[at].next;
    }
    while (at != LOOM_STEPS_END && steps->at[at].time_s < until_s) {
        const struct loom_step_block *bounds = &steps->blocks[block = steps->at[at].block];
        if (few ? bounds->least < procs : bounds->most >= procs)
            at = scan(steps, block, procs, few, until_s);
        else
            at = bounds->next == NO_BLOCK ? LOOM_STEPS_END : steps->blocks[bounds->next].first;
        if (at != LOOM_STEPS_END && steps->at[at].block == block)
            return at;
    }
    return at;
}

uint32_t loom_steps_enough(struct loom_steps *steps, uint32_t from, int32_t procs, int64_t until_s)
{
    return search(steps, from, procs, false, until_s);
}

uint32_t loom_steps_too_few(struct loom_steps *steps, uint32_t from, int32_t procs, int64_t until_s)
{
    return search(steps, from, procs, true, until_s);
}

/* Where the chain comes to the edge of a block, it may go past all of the next one. */
uint32_t loom_steps_far_before(const struct loom_steps *steps, uint32_t step, int32_t procs)
{
    uint32_t prev;
    while (steps->at[prev = steps->at[step].prev].free >= procs) {
        const struct loom_step_block *block = &steps->blocks[steps->at[prev].block];
        bool past = steps->at[step].block != steps->at[prev].block && block->least >= procs;
        step = past ? block->first : prev;
    }
    return step;
}

uint32_t loom_steps_far_after(const struct loom_steps *steps, uint32_t step, int32_t procs)
{
    while (steps->at[step].free >= procs) {
        const struct loom_step_block *block = &steps->blocks[steps->at[step].block];
        bool past = block->first == step && block->least >= procs;
        step = !past                     ? steps->at[step].next
               : block->next == NO_BLOCK ? (uint32_t)LOOM_STEPS_END
                                         : steps->blocks[block->next].first;
    }
    return step;
}
