/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distance between the daily cycles of two traces (Lublin and Feitelson, section 7.3):
 *
 *     P = sum over 48 half-hour slots of (m - d)^2 / (m + d),
 *
 * m and d being the jobs submitted in a slot. In the paper the model has as many jobs as the data;
 * here m is scaled to the number of jobs of the data.
 */
#include "base/civil.h"

#include <workloom/features.h>

#include <math.h>

enum { SLOT_S = 1800, SLOTS = 48 };

/* Count submissions by half hour of the local day. *jobs is 0 for a trace without a clock. */
static int count_slots(double *slots, double *jobs, const struct loom_trace *trace,
                       struct loom_error *err)
{
    const struct loom_jobs *of = loom_trace_jobs(trace);
    struct loom_zone *zone = NULL;
    *jobs = 0;
    if (loom_trace_machine(trace)->unix_start_s <= 0)
        return 0;
    int rc = loom_zone_create(&zone, trace, NULL, err);
    for (size_t i = 0; i < of->n && !rc; i++) {
        int64_t second;
        if (of->submit_s[i] < 0)
            continue;
        loom_civil_day(loom_zone_local(zone, of->submit_s[i]), &second);
        slots[second / SLOT_S]++;
        ++*jobs;
    }
    loom_zone_destroy(zone);
    return rc;
}

int loom_daily_cycle_distance(double *out, const struct loom_trace *data,
                              const struct loom_trace *model, struct loom_error *err)
{
    double d[SLOTS] = {0}, m[SLOTS] = {0}, jobs, made, sum = 0;
    int rc = count_slots(d, &jobs, data, err);
    if (!rc)
        rc = count_slots(m, &made, model, err);
    if (rc)
        return rc;
    for (int i = 0; i < SLOTS && jobs > 0 && made > 0; i++) {
        double scaled = m[i] * jobs / made;
        if (scaled + d[i] > 0)
            sum += (scaled - d[i]) * (scaled - d[i]) / (scaled + d[i]);
    }
    *out = jobs > 0 && made > 0 ? sum : (double)NAN;
    return 0;
}
