/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.h - how many processors are free from now on, as a step function of time. It is kept as
 * the changes at the times at which it changes; bookings add and take such changes. A zeroed struct
 * is empty and has no processors.
 */
#ifndef LOOM_SIM_PROFILE_H
#define LOOM_SIM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loom_step {
    int64_t time_s;
    int64_t change; /* of the free processors at that time */
};

struct loom_profile {
    int64_t now_s;
    int64_t free;            /* now */
    struct loom_step *steps; /* after now, by time */
    size_t n, capacity;
    bool failed; /* memory ran out in a booking */
};

/* All processors free, from now_s on. */
void loom_profile_reset(struct loom_profile *profile, int64_t procs, int64_t now_s);
void loom_profile_free(struct loom_profile *profile);

/* Let time go on. */
void loom_profile_advance(struct loom_profile *profile, int64_t now_s);

/* Take `procs` processors during [from_s, to_s), or give them back. What lies before now does not
 * matter. */
void loom_profile_book(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs);
void loom_profile_unbook(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs);

/* Free processors at a time, now or later. */
int64_t loom_profile_at(const struct loom_profile *profile, int64_t time_s);
/* The first time, now or later, from which on `procs` processors are free for length_s. LOOM_NEVER
 * if they never are. */
int64_t loom_profile_earliest(const struct loom_profile *profile, int64_t procs, int64_t length_s);

#endif
