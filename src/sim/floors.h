/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * floors.h - what is known of the earliest start of a job in a profile: where a job had to go to a
 * certain time, none that is as wide and as long can go before it, until something is given back.
 * Then there may be room for jobs no wider than what is free there at most; of wider ones, all that
 * is known stays true.
 *
 * Widths and lengths are told apart in sixteen steps to each doubling. A zeroed struct with its
 * `widest` set knows nothing. Asking and telling take about forty looks each, whatever is known.
 */
#ifndef LOOM_SIM_FLOORS_H
#define LOOM_SIM_FLOORS_H

#include <stdbool.h>
#include <stdint.h>

struct loom_floor;

struct loom_floors {
    int64_t widest;           /* of all jobs to come */
    struct loom_floor *cells; /* NULL until something is told */
    uint64_t *since;          /* by width: what was told before is forgotten */
    uint64_t era;             /* goes on with everything that is forgotten */
};

void loom_floors_free(struct loom_floors *floors);

/* Is there anything to forget? */
static inline bool loom_floors_know(const struct loom_floors *floors)
{
    return floors->cells;
}
/* Something was given back: what is known of jobs of at most so many processors may be wrong. */
void loom_floors_forget(struct loom_floors *floors, int64_t procs);

/* Such a job cannot start before this; 0 if nothing is known. */
int64_t loom_floors_ask(const struct loom_floors *floors, int64_t procs, int64_t length_s);
/* Such a job had to go to start_s. Where memory is out, that is not remembered. */
void loom_floors_tell(struct loom_floors *floors, int64_t procs, int64_t length_s, int64_t start_s);

#endif
