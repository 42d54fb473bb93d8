/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * week.h - operational time: a clock with a speed proportional to the arrival rate by hour of the
 * week. Uniform arrivals on it have the weekly cycle in real time, and scaling times on it keeps
 * the cycle.
 */
#ifndef LOOM_MODELS_ARRIVALS_WEEK_H
#define LOOM_MODELS_ARRIVALS_WEEK_H

#include <stddef.h>
#include <stdint.h>

enum { LOOM_WEEK_HOURS = 168, LOOM_WEEK_SLOTS = 336, LOOM_WEEK_S = 604800 };

struct loom_week {
    size_t n;    /* slots of the week, all of one length */
    double slot; /* s */
    double speed[LOOM_WEEK_SLOTS], sums[LOOM_WEEK_SLOTS + 1];
};

/* speed: of n <= LOOM_WEEK_SLOTS slots, positive, from Monday 00:00 on; their mean becomes 1. NULL:
 * it is time itself. */
void loom_week_open(struct loom_week *out, const double *speed, size_t n);

/* One by which n times since time 0 come evenly at all hours of working days and of weekends. Time
 * 0 is phase_s after a Monday 00:00. */
void loom_week_of_times(struct loom_week *out, const int64_t *times_s, size_t n, int64_t phase_s);

/* Which hour of the week it is, from 0, at a local time since a Monday 00:00. */
size_t loom_week_hour(double local_s);

/* Both are about local time since a Monday 00:00, and inverse to each other. */
double loom_week_working(const struct loom_week *week, double local_s);
double loom_week_local(const struct loom_week *week, double working_s);

#endif
