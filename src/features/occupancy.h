/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * occupancy.h - running jobs and busy processors over time, by time of day (survey 2.1: the
 * multiprogramming level by day, at night and on weekends, and utilization over the day).
 *
 * A job runs from submit + wait for its runtime. Where no job of a log has a wait, jobs are
 * taken to start when they are submitted, as in logs that have starts only; else those that do not
 * know theirs are left out. Time counts from the first start to the last end. Day is from 6 to 20
 * o'clock on Monday to Friday, in local time; the survey does not say.
 */
#ifndef LOOM_FEATURES_OCCUPANCY_H
#define LOOM_FEATURES_OCCUPANCY_H

#include "trace/workload.h"

enum loom_period { LOOM_ALWAYS, LOOM_DAYS, LOOM_NIGHTS, LOOM_WEEKENDS };
enum { LOOM_PERIODS = 4, LOOM_HOURS = 24 };

struct loom_occupancy {
    size_t jobs;       /* that ran at a known time */
    size_t most_jobs;  /* at a time */
    double most_procs; /* likewise */
    /* Seconds by period and number of running jobs: level most_jobs + 1 entries for each period.
     * Only LOOM_ALWAYS where the log does not say when it starts. */
    double *level_s;
    double total_s[LOOM_PERIODS];
    /* By weekend or not, and hour of the day: seconds, processor-seconds, job-seconds. */
    double hour_s[2][LOOM_HOURS], hour_procs_s[2][LOOM_HOURS], hour_jobs_s[2][LOOM_HOURS];
};

/* LOOM_EDATA, with the reason, where nothing is known to have run, or times span a century. The
 * caller must free *out with loom_occupancy_free. */
int loom_occupancy_create(struct loom_occupancy *out, const struct loom_workload *jobs,
                          struct loom_error *err);
void loom_occupancy_free(struct loom_occupancy *occupancy);

/* Seconds with so many jobs in a period. */
static inline double loom_level_s(const struct loom_occupancy *occupancy, enum loom_period period,
                                  size_t level)
{
    return occupancy->level_s[(size_t)period * (occupancy->most_jobs + 1) + level];
}

#endif
