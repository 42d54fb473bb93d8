/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observed service of the jobs, over the window in which the log is complete. These are results of
 * a machine and its scheduler, not of the workload, so they are not scored.
 */
#include "features/family.h"
#include "features/observed.h"

static const char no_waits[] = "no job has a recorded wait";

static void put_use(struct loom_results *results, const struct loom_observed *observed)
{
    if (observed->machine.procs <= 0) {
        loom_put_missing(results, "service.utilization", "the size of the machine is not known");
        return;
    }
    loom_put(results, "service.utilization", observed->utilization);
    if (observed->machine.source == LOOM_SIZE_PEAK)
        loom_put_note(results, "service.utilization", LOOM_SIZE_OF_PEAK);
}

static int service_compute(const struct loom_workload *jobs, struct loom_results *results,
                           struct loom_error *err)
{
    struct loom_observed observed;
    int rc = loom_observed_measure(&observed, jobs->trace, err);
    if (rc)
        return rc;
    loom_put(results, "window.from_s", (double)observed.window.from_s);
    loom_put(results, "window.to_s", (double)observed.window.to_s);
    if (!observed.window.by_ends)
        loom_put_note(results, "window.from_s", "by submissions alone");
    if (observed.wait_s.n == 0) {
        loom_put_rest_missing(results, no_waits);
        return 0;
    }
    loom_put(results, "service.wait.mean_s", observed.wait_s.mean);
    loom_put(results, "service.wait.median_s", observed.wait_s.median);
    loom_put(results, "service.wait.p90_s", observed.wait_s.p90);
    loom_put(results, "service.wait.p99_s", observed.wait_s.p99);
    if (observed.response_s.n > 0) {
        loom_put(results, "service.response.mean_s", observed.response_s.mean);
        loom_put(results, "service.slowdown.bounded_mean", observed.bounded_slowdown.mean);
    }
    if (observed.window.from_s < observed.window.to_s) {
        put_use(results, &observed);
        loom_put(results, "service.queue.mean", observed.queue_mean);
        loom_put(results, "service.queue.max", (double)observed.queue_max);
    }
    loom_put_rest_missing(results, observed.response_s.n == 0
                                       ? "no job with a recorded wait has a runtime"
                                       : "all jobs arrive in the same second");
    return 0;
}

static const struct loom_feature_info keys[] = {
    {"window.from_s", "s", "begin of the window in which the log is complete", "this program"},
    {"window.to_s", "s", "end of the window in which the log is complete", "this program"},
    {"service.wait.mean_s", "s", "mean wait in the log, of jobs submitted in the window",
     "this program"},
    {"service.wait.median_s", "s", "median of these waits", "this program"},
    {"service.wait.p90_s", "s", "90th percentile of these waits", "this program"},
    {"service.wait.p99_s", "s", "99th percentile of these waits", "this program"},
    {"service.response.mean_s", "s", "mean of wait plus runtime of these jobs", "this program"},
    {"service.slowdown.bounded_mean", "",
     "mean bounded slowdown of these jobs: response over runtime, which counts as 10 s at least",
     "this program"},
    {"service.utilization", "", "share of the machine in use over the window", "this program"},
    {"service.queue.mean", "jobs", "jobs waiting, averaged over the window", "this program"},
    {"service.queue.max", "jobs", "most jobs waiting at once in the window", "this program"},
    {0},
};

const struct loom_family_ops loom_family_service = {
    .name = "service",
    .keys = keys,
    .unscored = true,
    .compute = service_compute,
};
