/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a profile in blocks: inserting, removing and splitting. */
#include "sim/index/profile_steps.h"

#include "base/vec.h"

#include <workloom/sim.h>

void loom_steps_resize(struct loom_profile_block *block, uint32_t n)
{
    for (uint32_t i = n; i < block->n; i++)
        block->time_s[i] = LOOM_NEVER;
    block->n = n;
}

int loom_steps_reserve(struct loom_profile *profile, size_t n)
{
    for (; profile->n_blocks < profile->n + n; profile->n_blocks++) {
        if (loom_grow(&profile->order, profile->n_blocks, &profile->order_capacity) ||
            loom_grow(&profile->blocks, profile->n_blocks, &profile->blocks_capacity))
            return -1;
        profile->order[profile->n_blocks].block = (uint32_t)profile->n_blocks;
        profile->blocks[profile->n_blocks].n = LOOM_BLOCK_STEPS;
        loom_steps_resize(&profile->blocks[profile->n_blocks], 0);
    }
    return 0;
}

void loom_steps_summarize(const struct loom_profile *profile, size_t rank)
{
    struct loom_block_summary *summary = &profile->order[rank];
    const struct loom_profile_block *block = block_at(profile, rank);
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (uint32_t i = 0; i < block->n; i++) {
        least = block->free[i] < least ? block->free[i] : least;
        most = block->free[i] > most ? block->free[i] : most;
    }
    summary->begin_s = block->time_s[0];
    summary->least = least + block->added;
    summary->most = most + block->added;
    summary->loose = false;
}

/* Move the steps of a block from `first` on to a new one behind it. Room must be reserved. */
static void split(struct loom_profile *profile, size_t rank, uint32_t first)
{
    struct loom_block_summary *behind = &profile->order[rank + 1];
    uint32_t number = profile->order[profile->n].block;
    memmove(behind + 1, behind, (profile->n - rank - 1) * sizeof *behind);
    behind->block = number;
    profile->n++;
    struct loom_profile_block *left = block_at(profile, rank), *right = &profile->blocks[number];
    right->n = left->n - first;
    right->added = left->added;
    memcpy(right->time_s, left->time_s + first, right->n * sizeof *right->time_s);
    memcpy(right->free, left->free + first, right->n * sizeof *right->free);
    loom_steps_resize(left, first);
    loom_steps_summarize(profile, rank);
    loom_steps_summarize(profile, rank + 1);
}

void loom_steps_drop_block(struct loom_profile *profile, size_t rank)
{
    struct loom_block_summary *summary = &profile->order[rank];
    uint32_t number = summary->block;
    memmove(summary, summary + 1, (--profile->n - rank) * sizeof *summary);
    profile->order[profile->n].block = number;
    loom_steps_resize(&profile->blocks[number], 0);
}

void loom_steps_remove(struct loom_profile *profile, struct loom_place place, uint32_t n)
{
    struct loom_profile_block *block = block_at(profile, place.rank);
    uint32_t at = place.at, rest = block->n - at - n;
    memmove(block->time_s + at, block->time_s + at + n, rest * sizeof *block->time_s);
    memmove(block->free + at, block->free + at + n, rest * sizeof *block->free);
    loom_steps_resize(block, block->n - n);
    profile->order[place.rank].begin_s = block->time_s[0];
    profile->order[place.rank].loose = true;
}

/* Insert a step behind another. Room for a block must be reserved. */
static struct loom_place insert_behind(struct loom_profile *profile, struct loom_place before,
                                       int64_t time_s)
{
    struct loom_place place = {before.rank, before.at + 1};
    if (block_at(profile, place.rank)->n == LOOM_BLOCK_STEPS) {
        bool is_last = place.at == LOOM_BLOCK_STEPS && place.rank + 1 == profile->n;
        uint32_t first = is_last ? LOOM_BLOCK_STEPS - 1 : LOOM_BLOCK_STEPS / 2;
        split(profile, place.rank, first);
        if (place.at > first)
            place = (struct loom_place){place.rank + 1, place.at - first};
    }
    struct loom_profile_block *block = block_at(profile, place.rank);
    uint32_t at = place.at, rest = block->n++ - at;
    memmove(block->time_s + at + 1, block->time_s + at, rest * sizeof *block->time_s);
    memmove(block->free + at + 1, block->free + at, rest * sizeof *block->free);
    block->time_s[at] = time_s;
    block->free[at] = block->free[at - 1];
    return place;
}

struct loom_place loom_steps_at(struct loom_profile *profile, int64_t time_s,
                                struct loom_place near)
{
    if (is_at(profile, near, time_s))
        return near;
    struct loom_place place = is_in(profile, near.rank, time_s)
                                  ? locate_in(profile, near.rank, time_s)
                                  : locate(profile, time_s);
    return time_at(profile, place) == time_s ? place : insert_behind(profile, place, time_s);
}

void loom_steps_remove_if_level(struct loom_profile *profile, struct loom_place place)
{
    struct loom_place before = {place.rank, place.at - 1};
    if (place.at == 0 && place.rank == 0)
        return;
    if (place.at == 0)
        before = (struct loom_place){place.rank - 1, block_at(profile, place.rank - 1)->n - 1};
    if (free_at(profile, before) != free_at(profile, place))
        return;
    if (block_at(profile, place.rank)->n == 1)
        loom_steps_drop_block(profile, place.rank);
    else
        loom_steps_remove(profile, place, 1);
}
