/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * downtime.h - downtimes of the machine. With downtimes the engine runs in uptime, the time in
 * which the machine is up; submissions come at the uptime of their time, and when the run is over
 * the jobs get their times back. So no policy need know of downtimes.
 *
 * A downtime [from, to) is one instant of uptime. What ends in it ended at `from`; what starts in
 * it starts at `to`.
 */
#ifndef LOOM_SIM_DOWNTIME_H
#define LOOM_SIM_DOWNTIME_H

#include <workloom/sim.h>

/* Downtimes, and how long the machine was down before each; lost_s has n + 1 entries. A zeroed one
 * has none. */
struct loom_clock {
    const struct loom_downtimes *times; /* NULL: none */
    int64_t *lost_s;
};

/* Set the downtimes, which may be NULL; the memory of an earlier call is used again. Fails with
 * LOOM_ERANGE where they are not ascending. */
int loom_clock_set(struct loom_clock *clock, const struct loom_downtimes *times,
                   struct loom_error *err);
void loom_clock_free(struct loom_clock *clock);

/* Return how long the machine has been up at a time; LOOM_NEVER and negative times stay. */
int64_t loom_clock_uptime(const struct loom_clock *clock, int64_t time_s);
/* Return the time of an instant of uptime: at the end of a downtime that is in it (after), or at
 * its beginning. */
int64_t loom_clock_time(const struct loom_clock *clock, int64_t uptime_s, bool after);
/* Return a started job of uptime, submitted at submit_s, with its times. run_s includes the time in
 * which the job stood still. */
struct loom_sim_job loom_clock_job(const struct loom_clock *clock, const struct loom_sim_job *job,
                                   int64_t submit_s);

#endif
