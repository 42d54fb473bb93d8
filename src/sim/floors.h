/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * floors.h - what is known of the earliest start of a job in a profile that only fills up: where a
 * job had to go to a certain time, none that is as wide and as long can go before it, until
 * something is given back.
 *
 * Widths and lengths are told apart in sixteen steps to each doubling. A zeroed struct with its
 * `widest` set knows nothing. Asking and telling take about forty looks each, whatever is known.
 */
#ifndef LOOM_SIM_FLOORS_H
#define LOOM_SIM_FLOORS_H

#include <stdint.h>

struct loom_floor;

struct loom_floors {
    int64_t widest;           /* of all jobs to come */
    struct loom_floor *cells; /* NULL until something is told */
    uint64_t era;             /* what was told in another is forgotten */
};

void loom_floors_free(struct loom_floors *floors);

/* Something was given back: all that is known may be wrong. */
static inline void loom_floors_forget(struct loom_floors *floors)
{
    floors->era++;
}

/* Such a job cannot start before this; 0 if nothing is known. */
int64_t loom_floors_ask(const struct loom_floors *floors, int64_t procs, int64_t length_s);
/* Such a job had to go to start_s. Where memory is out, that is not remembered. */
void loom_floors_tell(struct loom_floors *floors, int64_t procs, int64_t length_s, int64_t start_s);

#endif
