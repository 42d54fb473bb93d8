/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calendar.h - users by the time of their next submission, in continuous time. A zeroed struct is
 * empty. Equal times, which happen only between closed users at the start, come in a fixed order.
 */
#ifndef LOOM_QUEUEING_CALENDAR_H
#define LOOM_QUEUEING_CALENDAR_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* A user with the next submission. */
struct loom_visit {
    double time;
    double arrived; /* first submission of an open user; negative: a closed user */
    uint64_t jobs;  /* submitted before */
};

struct loom_calendar {
    struct loom_visit *visits; /* a binary heap */
    size_t n, capacity;
};

/* Add a visit. Returns -1 when memory is out. */
int loom_calendar_push(struct loom_calendar *calendar, struct loom_visit visit);
/* Take the earliest; there must be one. */
struct loom_visit loom_calendar_pop(struct loom_calendar *calendar);
void loom_calendar_free(struct loom_calendar *calendar);

static inline double loom_calendar_next(const struct loom_calendar *calendar)
{
    return calendar->n > 0 ? calendar->visits[0].time : INFINITY;
}

#endif
