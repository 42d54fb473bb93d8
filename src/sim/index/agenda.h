/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * agenda.h - jobs that have a time each, and which comes next: reservations. Equal times go by job
 * number. A zeroed struct is empty.
 */
#ifndef LOOM_SIM_INDEX_AGENDA_H
#define LOOM_SIM_INDEX_AGENDA_H

#include <workloom/sim.h>

struct loom_agenda {
    int64_t *time_s; /* by job */
    uint32_t *place; /* by job: where in the heap it stands, LOOM_NO_JOB if nowhere */
    uint32_t *heap;  /* jobs, each before its four children 4i + 1 .. 4i + 4 */
    size_t n;
    size_t time_capacity, place_capacity, heap_capacity;
    size_t known; /* jobs below this number have a place */
};

/* Give a job a time, in place of the one it has, if any. 0, or -1 when memory is out. */
int loom_agenda_set(struct loom_agenda *agenda, uint32_t job, int64_t time_s);
/* Forget all times, keep the memory. */
void loom_agenda_reset(struct loom_agenda *agenda);
void loom_agenda_free(struct loom_agenda *agenda);

/* The job that comes next, or LOOM_NO_JOB; and take it off. */
uint32_t loom_agenda_first(const struct loom_agenda *agenda);
void loom_agenda_pop(struct loom_agenda *agenda);

#endif
