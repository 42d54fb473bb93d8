/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile_steps.h - the inside of a profile, for profile.c: its steps and blocks. Blocks are split
 * when full and dropped when empty, and never joined: time passes over the first ones, and new ones
 * come behind.
 */
#ifndef LOOM_SIM_INDEX_PROFILE_STEPS_H
#define LOOM_SIM_INDEX_PROFILE_STEPS_H

#include "sim/index/profile.h"

_Static_assert(LOOM_BLOCK_STEPS == 32, "locate_in halves what two levels of quarters leave");

/* A step: its block, by time, and its place in it. */
struct loom_place {
    size_t rank;
    uint32_t at;
};

static inline struct loom_profile_block *block_at(const struct loom_profile *profile, size_t rank)
{
    return &profile->blocks[profile->order[rank].block];
}

static inline int64_t time_at(const struct loom_profile *profile, struct loom_place place)
{
    return block_at(profile, place.rank)->time_s[place.at];
}

static inline int32_t free_at(const struct loom_profile *profile, struct loom_place place)
{
    const struct loom_profile_block *block = block_at(profile, place.rank);
    return block->free[place.at] + block->added;
}

/* Return what a number of a block must have at least, for procs to be free in its step. */
static inline int32_t wanted_in(const struct loom_profile_block *block, int32_t procs)
{
    int64_t wanted = (int64_t)procs - block->added;
    return wanted < INT32_MAX ? (int32_t)wanted : INT32_MAX;
}

static inline bool precedes(struct loom_place a, struct loom_place b)
{
    return a.rank < b.rank || (a.rank == b.rank && a.at < b.at);
}

/* Return the last step of a block at or before a time; the first if there is none. Quarters of what
 * is left are told apart at once, since the loads of a level need not wait for each other. */
static inline struct loom_place locate_in(const struct loom_profile *profile, size_t rank,
                                          int64_t time_s)
{
    const int64_t *at_s = block_at(profile, rank)->time_s;
    uint32_t at = 0;
    for (uint32_t step = LOOM_BLOCK_STEPS / 4; step > 1; step /= 4)
        at += step * (uint32_t)((at_s[at + step] <= time_s) + (at_s[at + 2 * step] <= time_s) +
                                (at_s[at + 3 * step] <= time_s));
    at += at_s[at + 1] <= time_s;
    return (struct loom_place){rank, at};
}

/* Return the rank of the last block that begins at or before a time; 0 if there is none. */
static inline size_t rank_of(const struct loom_profile *profile, int64_t time_s)
{
    const struct loom_block_summary *from = profile->order;
    size_t n = profile->n, step;
    for (; n > 4; n -= 3 * step) {
        step = n / 4;
        from +=
            step * (size_t)((from[step].begin_s <= time_s) + (from[2 * step].begin_s <= time_s) +
                            (from[3 * step].begin_s <= time_s));
    }
    size_t rank = (size_t)(from - profile->order);
    for (size_t i = 1; i < n; i++)
        rank += from[i].begin_s <= time_s;
    return rank;
}

/* Return the last step at or before a time, which is now or later; the first if there is none. */
static inline struct loom_place locate(const struct loom_profile *profile, int64_t time_s)
{
    return locate_in(profile, rank_of(profile, time_s), time_s);
}

/* Return the step behind another, or a place without one. */
static inline struct loom_place next(const struct loom_profile *profile, struct loom_place place)
{
    bool is_last = place.at + 1 == block_at(profile, place.rank)->n;
    return is_last ? (struct loom_place){place.rank + 1, 0}
                   : (struct loom_place){place.rank, place.at + 1};
}

/* Return whether a step is at a time. */
static inline bool is_at(const struct loom_profile *profile, struct loom_place place,
                         int64_t time_s)
{
    return place.rank < profile->n && time_at(profile, place) == time_s;
}

/* Return whether a time is in a block. */
static inline bool is_in(const struct loom_profile *profile, size_t rank, int64_t time_s)
{
    return rank < profile->n && profile->order[rank].begin_s <= time_s &&
           (rank + 1 == profile->n || time_s < profile->order[rank + 1].begin_s);
}

/* Make room for n more blocks. 0, or -1 when out of memory. */
int loom_steps_reserve(struct loom_profile *profile, size_t n);
/* Set how many steps a block has. */
void loom_steps_resize(struct loom_profile_block *block, uint32_t n);
/* Make the summary of a block exact. */
void loom_steps_summarize(const struct loom_profile *profile, size_t rank);
void loom_steps_drop_block(struct loom_profile *profile, size_t rank);
/* Return the step at a time, now or later, a new one if there is none; with luck it is near one.
 * Room for a block must be reserved. */
struct loom_place loom_steps_at(struct loom_profile *profile, int64_t time_s,
                                struct loom_place near);
/* Remove n steps of a block, but not all. */
void loom_steps_remove(struct loom_profile *profile, struct loom_place place, uint32_t n);
/* Remove a step, other than the first, at which nothing changes. */
void loom_steps_remove_if_level(struct loom_profile *profile, struct loom_place place);

#endif
