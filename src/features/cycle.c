/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cycles of arrivals, by the clock of the machine's site: the day as Lublin and Feitelson model
 * it (section 7.2), its peak, and the weekend.
 *
 * The day is a histogram of 48 half-hour slots. It starts at 5:00, where activity is least, so
 * slots before that follow at the end: slots 10 to 57 of the two days from midnight. A gamma
 * distribution is fitted to the middles of the slots, so that the share of jobs in the half hour
 * around t, in half hours, is F(t + 1/2) - F(t - 1/2) as the paper has it.
 */
#include "base/civil.h"
#include "features/measure.h"

#include <workloom/stats.h>

enum { SLOT_S = 1800, SLOTS = 48, FIRST_SLOT = 10, WEEK_S = 7 * LOOM_DAY_S };

/* What the cycles are measured from. */
struct clock {
    double slots[SLOTS];     /* submits in each half hour from midnight */
    int64_t first_s, last_s; /* submits in local time */
    double weekend_jobs;
};

/* 0 Monday .. 6 Sunday. */
static int day_of_week(int64_t day)
{
    return (loom_civil_weekday(day) + 6) % 7;
}

static void read_clock(struct clock *clock, const struct loom_workload *jobs)
{
    *clock = (struct clock){0};
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t second;
        int64_t day = loom_civil_day(loom_zone_local(jobs->zone, jobs->submit_s[i]), &second);
        clock->slots[second / SLOT_S]++;
        clock->weekend_jobs += day_of_week(day) >= 5;
    }
    clock->first_s = loom_zone_local(jobs->zone, jobs->submit_s[0]);
    clock->last_s = loom_zone_local(jobs->zone, jobs->submit_s[jobs->n - 1]);
}

static int put_gamma(struct loom_results *results, const struct clock *clock,
                     struct loom_error *err)
{
    double middles[SLOTS];
    size_t taken = 0;
    for (int i = 0; i < SLOTS; i++) {
        middles[i] = i + 0.5 + (i < FIRST_SLOT ? SLOTS : 0);
        taken += clock->slots[i] > 0;
    }
    struct loom_fit fit;
    int rc =
        taken < 2 ? LOOM_EDATA : loom_dist_fit(&fit, "gamma", middles, clock->slots, SLOTS, err);
    if (rc == LOOM_ENOMEM)
        return rc;
    if (rc || !fit.converged)
        return 0;
    loom_put(results, "cycle.daily.gamma.shape", fit.dist.params[0]);
    loom_put(results, "cycle.daily.gamma.scale", fit.dist.params[1]);
    return 0;
}

static void put_peak(struct loom_results *results, const struct clock *clock)
{
    int peak = 0;
    for (int hour = 1; hour < SLOTS / 2; hour++)
        if (clock->slots[2 * hour] + clock->slots[2 * hour + 1] >
            clock->slots[2 * peak] + clock->slots[2 * peak + 1])
            peak = hour;
    loom_put(results, "cycle.peak_hour", peak);
}

/* Seconds of Saturdays and Sundays from the week of 1970-01-05, a Monday, to a local time. */
static double weekend_before(int64_t local_s)
{
    int64_t second;
    int64_t day = loom_civil_day(local_s, &second);
    int64_t weeks = (day - day_of_week(day) - 4) / 7; /* without rest */
    int64_t into_s = (day_of_week(day) - 5) * (int64_t)LOOM_DAY_S + second;
    return (double)weeks * 2 * LOOM_DAY_S + (double)(into_s > 0 ? into_s : 0);
}

static void put_weekend(struct loom_results *results, const struct loom_workload *jobs,
                        const struct clock *clock)
{
    double all_s = (double)clock->last_s - (double)clock->first_s;
    double weekend_s = weekend_before(clock->last_s) - weekend_before(clock->first_s);
    double week_jobs = (double)jobs->n - clock->weekend_jobs;
    if (all_s < WEEK_S)
        loom_put_missing(results, "cycle.weekend_ratio", "the log is shorter than a week");
    else if (week_jobs <= 0)
        loom_put_missing(results, "cycle.weekend_ratio", "no job arrives on a working day");
    else
        loom_put(results, "cycle.weekend_ratio",
                 clock->weekend_jobs / weekend_s / (week_jobs / (all_s - weekend_s)));
}

static int cycle_compute(const struct loom_workload *jobs, struct loom_results *results,
                         struct loom_error *err)
{
    struct clock clock;
    /* 0 is what logs without a clock put there; no log starts at midnight of 1970-01-01. */
    if (jobs->n == 0 || loom_trace_machine(jobs->trace)->unix_start_s <= 0) {
        loom_put_rest_missing(results, jobs->n == 0 ? "there are no jobs"
                                                    : "the header does not say when the log starts "
                                                      "(UnixStartTime), so hours are not known");
        return 0;
    }
    read_clock(&clock, jobs);
    put_peak(results, &clock);
    put_weekend(results, jobs, &clock);
    int rc = put_gamma(results, &clock, err);
    loom_put_rest_missing(results, "the arrivals are in too few half hours of the day to fit it");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"cycle.daily.gamma.shape", "",
     "shape of the gamma distribution of arrivals over the half hours of the day, from 5:00 on",
     "Lublin 2003, 7.2"},
    {"cycle.daily.gamma.scale", "half hours",
     "scale of the gamma distribution of arrivals over the half hours of the day",
     "Lublin 2003, 7.2"},
    {"cycle.peak_hour", "h", "busiest hour of the day, in local time",
     "Lublin 2003, 7.2, figure 8"},
    {"cycle.weekend_ratio", "", "arrival rate on Saturdays and Sundays over that on the other days",
     "Minh 2012, 2.3.1"},
    {0},
};

const struct loom_family_ops loom_family_cycle = {
    .name = "cycle",
    .keys = keys,
    .compute = cycle_compute,
};
