/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distribution of runtimes. */
#include "features/measure.h"

#include <stdlib.h>
#include <workloom/stats.h>

static void put_moments(struct loom_results *results, const struct loom_moments *m)
{
    loom_put(results, "runtime.mean_s", m->mean);
    loom_put(results, "runtime.median_s", m->median);
    loom_put(results, "runtime.max_s", m->max);
    if (m->n < 2)
        loom_put_missing(results, "runtime.cv", "fewer than two jobs have a runtime");
    else if (m->mean <= 0)
        loom_put_missing(results, "runtime.cv", "all runtimes are 0");
    else
        loom_put(results, "runtime.cv", m->cv);
}

static int runtime_compute(const struct loom_workload *jobs, struct loom_results *results,
                           struct loom_error *err)
{
    double *runtimes = NULL;
    size_t n = 0;
    struct loom_moments moments = {0};
    int rc = loom_known_runtimes(&runtimes, &n, jobs, 0, err);
    if (!rc && n > 0)
        rc = loom_moments(&moments, runtimes, n, err);
    if (!rc && n > 0)
        put_moments(results, &moments);
    free(runtimes);
    loom_put_rest_missing(results, "no job has a runtime");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"runtime.mean_s", "s", "mean runtime", "Minh 2012, 2.1"},
    {"runtime.median_s", "s", "median runtime", "Minh 2012, 2.1"},
    {"runtime.cv", "", "coefficient of variation of runtimes", "Minh 2012, 2.1"},
    {"runtime.max_s", "s", "longest runtime", "Minh 2012, 2.1"},
    {0},
};

const struct loom_family_ops loom_family_runtime = {
    .name = "runtime",
    .keys = keys,
    .compute = runtime_compute,
};
