/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spread of values over replications: what one more of them may bring. */
#include "stats/values.h"

#include <workloom/stats.h>
#include <workloom/stats_intervals.h>

static void set_quantiles(struct loom_variation *out, const double *sorted, size_t n)
{
    out->min = sorted[0];
    out->p5 = loom_quantile(sorted, n, 0.05);
    out->p25 = loom_quantile(sorted, n, 0.25);
    out->median = loom_quantile(sorted, n, 0.5);
    out->p75 = loom_quantile(sorted, n, 0.75);
    out->p95 = loom_quantile(sorted, n, 0.95);
    out->max = sorted[n - 1];
}

int loom_variation(struct loom_variation *out, const double *x, size_t n, struct loom_error *err)
{
    struct loom_moments moments;
    int rc = loom_moments(&moments, x, n, err);
    if (rc)
        return rc;
    double *sorted = loom_values_copy(x, n);
    rc = sorted ? loom_sort(sorted, n, err) : loom_fail_memory(err);
    if (!rc) {
        *out = (struct loom_variation){.n = n, .mean = moments.mean, .sd = moments.sd};
        set_quantiles(out, sorted, n);
    }
    free(sorted);
    return rc;
}

int loom_share_below(struct loom_interval *out, const double *a, const double *b, size_t n,
                     double level, struct loom_error *err)
{
    double hits = 0;
    int rc = loom_values_check(a, n, 1, "a share of pairs", err);
    if (!rc)
        rc = loom_values_check(b, n, 1, "a share of pairs", err);
    if (rc)
        return rc;
    for (size_t i = 0; i < n; i++)
        hits += a[i] < b[i] ? 1 : a[i] == b[i] ? 0.5 : 0;
    return loom_share_interval(out, hits, n, level, err);
}
