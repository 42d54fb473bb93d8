/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timetable.h - bookings of processors: from when to when each job has how many. A job is booked at
 * the earliest time that the others leave it, and can be asked later to move up, if others have
 * given something back by then.
 *
 * To look whether a job can move up takes a few steps, mostly, however many are booked.
 *
 * A zeroed struct begins with loom_timetable_reset. Functions return 0, or -1 when memory is out.
 */
#ifndef LOOM_SIM_INDEX_TIMETABLE_H
#define LOOM_SIM_INDEX_TIMETABLE_H

#include "sim/index/openings.h"
#include "sim/index/steps.h"

#include <stdbool.h>

/* In a table of fewer steps, searching is faster than remembering. */
enum { LOOM_TIMETABLE_DEEP = 64 };

struct loom_booking {
    uint32_t begin, end; /* steps that it holds until it begins, and ends */
    int32_t procs;
    struct loom_opening opening; /* what it needs, until it begins */
    int64_t length_s;
    uint32_t prev, next; /* in the list of jobs that have not begun; LOOM_NO_JOB at its ends */
};

struct loom_timetable {
    struct loom_steps steps;
    struct loom_openings openings;
    struct loom_booking *bookings; /* by slot */
    uint32_t *slots;               /* by job, from its booking until its end */
    size_t bookings_capacity, slots_capacity;
    uint32_t n_slots, spare; /* used so far, and the first of those given back, linked by next */
    uint32_t first, last;    /* of the jobs that have not begun, as booked */
};

/* That of a job that is booked, and has not ended. */
static inline struct loom_booking *loom_booking_of(const struct loom_timetable *table, uint32_t job)
{
    return &table->bookings[table->slots[job]];
}

/* No bookings. Memory is kept. */
int loom_timetable_reset(struct loom_timetable *table, int32_t procs, int64_t now_s);
void loom_timetable_free(struct loom_timetable *table);

/* Let time go on, to no later than the next job is booked to begin. */
void loom_timetable_advance(struct loom_timetable *table, int64_t now_s);

/* Book a job at the earliest time that the others leave. */
int loom_timetable_book(struct loom_timetable *table, uint32_t job, int32_t procs,
                        int64_t length_s);
/* Move a booked job to the earliest time that the others leave, which is no later than where it is.
 */
int loom_timetable_move_up(struct loom_timetable *table, uint32_t job);
/* Give up the booking of a job that has not begun. */
void loom_timetable_unbook(struct loom_timetable *table, uint32_t job);

/* A job begins, now, as booked. */
void loom_timetable_begin(struct loom_timetable *table, uint32_t job);
/* A job is over, now, which was booked up to due_s. */
void loom_timetable_end(struct loom_timetable *table, uint32_t job, int64_t due_s);
/* A job that was booked up to now goes on to due_s, whether or not others have booked that time. */
int loom_timetable_extend(struct loom_timetable *table, uint32_t job, int64_t due_s);

/* The jobs that have not begun, in the order in which they were booked, and LOOM_NO_JOB behind
 * them. */
static inline uint32_t loom_timetable_first(const struct loom_timetable *table)
{
    return table->first;
}

static inline uint32_t loom_timetable_next(const struct loom_timetable *table, uint32_t job)
{
    return loom_booking_of(table, job)->next;
}

/* Can it be seen at a glance that a job cannot move up? */
static inline bool loom_timetable_is_stuck(const struct loom_timetable *table, uint32_t job)
{
    const struct loom_booking *booking = loom_booking_of(table, job);
    const struct loom_step *begin = &table->steps.at[booking->begin];
    return table->steps.n >= LOOM_TIMETABLE_DEEP &&
           table->steps.at[begin->prev].free < booking->procs &&
           loom_opening_from(&table->openings, booking->opening) >= begin->time_s;
}

/* When a job that has not begun is booked for. */
static inline int64_t loom_timetable_time(const struct loom_timetable *table, uint32_t job)
{
    return table->steps.at[loom_booking_of(table, job)->begin].time_s;
}

#endif
