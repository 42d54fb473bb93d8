/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.h - how many processors are free from now on, as a chain of steps that keep their numbers:
 * who holds the number of a step can change what is free there, or look to both sides of it,
 * without a search. (profile.h finds and changes what lies anywhere in logarithmic time, but must
 * search for it.)
 *
 * The chain is cut into blocks, which know bounds of what is free in them, so that searches go past
 * most of it. The first step stands for now. Behind the last is LOOM_STEPS_END, at LOOM_NEVER.
 *
 * A zeroed struct begins with loom_steps_reset.
 */
#ifndef LOOM_SIM_INDEX_STEPS_H
#define LOOM_SIM_INDEX_STEPS_H

#include <stddef.h>
#include <stdint.h>

enum { LOOM_STEPS_END = 0 };

struct loom_step {
    int64_t time_s;
    int32_t free;        /* from here to the next step */
    uint32_t prev, next; /* of the first step, prev is LOOM_STEPS_END */
    uint32_t block;
    uint32_t holders; /* whom it must not vanish from; its owner's business */
};

struct loom_step_block {
    uint32_t first, n;
    uint32_t prev, next;
    int32_t least, most; /* nothing in it is below or above */
};

struct loom_steps {
    struct loom_step *at; /* by number */
    size_t n_numbers, capacity;
    uint32_t spare; /* the first number given back, linked by next */
    uint32_t first;
    size_t n;
    struct loom_step_block *blocks;
    size_t n_blocks, blocks_capacity;
    uint32_t spare_block;
    uint32_t *order; /* the blocks in order of time */
    size_t n_order, order_capacity;
};

/* All processors free, from now_s on. 0, or -1 when memory is out. */
int loom_steps_reset(struct loom_steps *steps, int32_t procs, int64_t now_s);
void loom_steps_free(struct loom_steps *steps);

/* Room for two more steps. 0, or -1 when memory is out. */
int loom_steps_reserve(struct loom_steps *steps);

/* Let time go on: the first step is then at now_s. */
void loom_steps_advance(struct loom_steps *steps, int64_t now_s);

/* The step at a time, a new one if there is none, for which room must have been reserved. The
 * search begins at a step that is not behind it, or at one that is not before it. */
uint32_t loom_steps_onward(struct loom_steps *steps, uint32_t from, int64_t time_s);
uint32_t loom_steps_back(struct loom_steps *steps, uint32_t from, int64_t time_s);
/* Drop a step, other than the first, at which nothing changes. */
void loom_steps_drop(struct loom_steps *steps, uint32_t step);

/* Change what is free from one step to before another. */
void loom_steps_add(struct loom_steps *steps, uint32_t from, uint32_t to, int32_t by);

/* The last step at or before a time, which is now or later. */
uint32_t loom_steps_locate(const struct loom_steps *steps, int64_t time_s);

/* The first step from `from` on with at least, or fewer than, so many processors free; no search
 * goes on from a step at until_s or later. That is LOOM_STEPS_END, or a step at until_s or later
 * that need not be what is looked for. */
uint32_t loom_steps_enough(struct loom_steps *steps, uint32_t from, int32_t procs, int64_t until_s);
uint32_t loom_steps_too_few(struct loom_steps *steps, uint32_t from, int32_t procs,
                            int64_t until_s);

/* The first step of the run of steps with so many processors free that ends at a step, and the
 * first behind the run that begins there; in either case the step itself if there is none. */
uint32_t loom_steps_far_before(const struct loom_steps *steps, uint32_t step, int32_t procs);
uint32_t loom_steps_far_after(const struct loom_steps *steps, uint32_t step, int32_t procs);

static inline uint32_t loom_steps_run_before(const struct loom_steps *steps, uint32_t step,
                                             int32_t procs)
{
    /* what is before the first has less than nothing free */
    if (steps->at[steps->at[step].prev].free < procs)
        return step;
    return loom_steps_far_before(steps, step, procs);
}

static inline uint32_t loom_steps_run_after(const struct loom_steps *steps, uint32_t step,
                                            int32_t procs)
{
    if (steps->at[step].free < procs)
        return step;
    return loom_steps_far_after(steps, step, procs);
}

#endif
