/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.h - the number of free processors from now on, a step function of time. Bookings take
 * processors for an interval of time: workloom/scheduler.h has them, and the searches.
 *
 * The steps are a sorted array in blocks, each with bounds of what is free in it, so that a search
 * skips blocks. A profile of several blocks also keeps lower bounds of the earliest start of jobs
 * (start_bounds.h), from which a search begins.
 *
 * A profile begins zeroed and with loom_profile_reset.
 */
#ifndef LOOM_SIM_INDEX_PROFILE_H
#define LOOM_SIM_INDEX_PROFILE_H

#include "sim/index/start_bounds.h"

#include <workloom/scheduler.h>

enum { LOOM_BLOCK_STEPS = 32 };

struct loom_profile_block {
    int64_t time_s[LOOM_BLOCK_STEPS]; /* LOOM_NEVER behind the last */
    int32_t free[LOOM_BLOCK_STEPS];   /* from this step to the next, without `added` */
    int32_t added;                    /* to all of its steps */
    uint32_t n;                       /* steps; 0 if it is not in use */
};

struct loom_block_summary {
    int64_t begin_s;     /* time of the first step */
    int32_t least, most; /* free in its steps: nothing is below or above */
    uint32_t block;      /* its number */
    bool loose;          /* the bounds may be too low and too high */
};

struct loom_profile {
    int64_t procs;                    /* of the machine */
    struct loom_block_summary *order; /* by time; behind the last, blocks that are not in use */
    struct loom_profile_block *blocks;
    size_t n, n_blocks; /* blocks in use, and all */
    size_t order_capacity, blocks_capacity;
    struct loom_start_bounds bounds;
    bool failed; /* out of memory in a booking, which was not made */
};

/* All processors free, from now_s on. Memory is kept. */
void loom_profile_reset(struct loom_profile *profile, int64_t procs, int64_t now_s);
void loom_profile_free(struct loom_profile *profile);

/* Advance the clock. */
void loom_profile_advance(struct loom_profile *profile, int64_t now_s);

/* `procs` processors from from_s on for length_s. */
struct loom_booking {
    int64_t from_s, length_s;
    int32_t procs;
    uint32_t block, at; /* where its first step was last seen; 0 at first */
};

/* Move a booking to the earliest start that all others leave it, which is not later. Return whether
 * it has moved. */
bool loom_profile_move_up(struct loom_profile *profile, struct loom_booking *booking);

#endif
