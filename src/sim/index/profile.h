/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.h - how many processors are free from now on, as a step function of time. Bookings take
 * processors for a stretch of time: workloom/scheduler.h has them, and the searches.
 *
 * A profile begins zeroed and with loom_profile_reset. It must not be moved from then on. Bookings
 * take time that grows with the logarithm of the number of steps, and so do searches: a deep
 * profile knows how long the longest stretches of free processors are in its parts (stretches.h).
 */
#ifndef LOOM_SIM_INDEX_PROFILE_H
#define LOOM_SIM_INDEX_PROFILE_H

#include "sim/index/stretches.h"
#include "sim/index/tree.h"

#include <workloom/scheduler.h>

struct loom_rise; /* of a node of the tree: what the steps below it add up to */

struct loom_profile {
    int64_t now_s;
    int64_t free;            /* now */
    struct loom_tree tree;   /* the changes after now, by time */
    struct loom_rise *rises; /* by node */
    size_t rises_capacity;
    int64_t procs;                   /* of the machine */
    struct loom_stretches stretches; /* of a deep profile */
    uint32_t near;                   /* the leaf changed last, or LOOM_NO_NODE */
    bool failed;                     /* memory ran out in a booking */
};

/* All processors free, from now_s on. Memory is kept. */
void loom_profile_reset(struct loom_profile *profile, int64_t procs, int64_t now_s);
void loom_profile_free(struct loom_profile *profile);

/* Let time go on. */
void loom_profile_advance(struct loom_profile *profile, int64_t now_s);

#endif
