/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events as a rate process, and its long-range dependence. */
#include "features/rate.h"

#include "stats/counts.h"

#include <stdlib.h>
#include <workloom/stats.h>

int loom_rate_create(double **out, size_t *n, const int64_t *times_s, size_t events,
                     int64_t interval_s, struct loom_error *err)
{
    return loom_counts_create(out, n, times_s, events, interval_s, err);
}

int loom_rate_hurst(double *out, const double *rate, size_t n, struct loom_error *err)
{
    static int (*const estimators[])(struct loom_hurst *, const double *, size_t,
                                     struct loom_error *) = {
        loom_hurst_aggvar,
        loom_hurst_rs,
        loom_hurst_periodogram,
    };
    enum { ESTIMATORS = sizeof estimators / sizeof *estimators };
    double sum = 0;
    for (size_t i = 0; i < ESTIMATORS; i++) {
        struct loom_hurst hurst = {0};
        int rc = estimators[i](&hurst, rate, n, err);
        if (rc)
            return rc;
        sum += hurst.h;
        loom_hurst_free(&hurst);
    }
    *out = sum / ESTIMATORS;
    return 0;
}

int loom_rate_pox(struct loom_hurst *out, const double *rate, size_t n, struct loom_error *err)
{
    enum { INTERVALS = 3600 / LOOM_RATE_S };
    size_t hours = (n + INTERVALS - 1) / INTERVALS;
    double *hourly = calloc(hours ? hours : 1, sizeof *hourly);
    if (!hourly)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        hourly[i / INTERVALS] += rate[i];
    int rc = loom_hurst_pox(out, hourly, hours, 1.2, err);
    free(hourly);
    return rc;
}
