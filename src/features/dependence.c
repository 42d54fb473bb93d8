/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long-range dependence of arrivals beyond their daily and weekly cycles: jobs by hours of local
 * time, over whole weeks; see stats/hurst/seasonal.c. */
#include "features/dependence.h"

#include "stats/counts.h"

#include <stdlib.h>
#include <workloom/stats.h>

enum { HOUR_S = 3600, WEEK_H = 168, SHORTEST_H = 96 };

static int64_t hour_of(const struct loom_workload *jobs, size_t job)
{
    int64_t local_s = loom_zone_local(jobs->zone, jobs->submit_s[job]);
    return local_s / HOUR_S - (local_s % HOUR_S < 0);
}

/* Jobs of the hours that the log covers as a whole: neither its first nor its last. */
static int count_hours(double **out, size_t *n, const struct loom_workload *jobs,
                       struct loom_error *err)
{
    int64_t first = hour_of(jobs, 0) + 1, end = hour_of(jobs, jobs->n - 1);
    *n = end > first ? (size_t)(end - first) : 0;
    if (*n > LOOM_COUNTS_MOST)
        return loom_fail(err, LOOM_EDATA, "the submit times span centuries");
    *out = calloc(*n + 1, sizeof **out);
    if (!*out)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t hour = hour_of(jobs, i);
        if (hour >= first && hour < end)
            (*out)[hour - first]++;
    }
    return 0;
}

int loom_put_dependence(struct loom_results *results, const struct loom_workload *jobs,
                        struct loom_error *err)
{
    double *counts = NULL, removed = 0;
    size_t n = 0;
    struct loom_hurst hurst = {0};
    int rc = count_hours(&counts, &n, jobs, err);
    if (!rc)
        rc = loom_hurst_seasonal(&hurst, &removed, counts, n, WEEK_H, SHORTEST_H, err);
    free(counts);
    const struct {
        const char *key;
        double value;
    } values[] = {
        {"arrival.dependence.h", hurst.h},
        {"arrival.dependence.low", hurst.h_low},
        {"arrival.dependence.high", hurst.h_high},
        {"arrival.dependence.cycles_removed", removed},
    };
    loom_hurst_free(&hurst);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (loom_put_outcome(results, values[i].key, rc, values[i].value,
                             "it takes four whole weeks with arrivals that vary"))
            return rc;
    return 0;
}
