/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given_jobs.h - traces and simulations of a few given jobs. */
#ifndef LOOM_TESTS_GIVEN_JOBS_H
#define LOOM_TESTS_GIVEN_JOBS_H

#include "sim/results/saturation.h"
#include "support.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given {
    int64_t submit_s, run_s;
    int32_t procs, user, queue;
};

static inline struct loom_trace *trace_of(const struct given *jobs, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = jobs[i].submit_s;
        job.run_s = jobs[i].run_s;
        job.req_procs = jobs[i].procs;
        job.user = jobs[i].user;
        job.queue = jobs[i].queue;
        append(trace, job);
    }
    return trace;
}

/* First come, first served: starts are easy to see. */
static inline struct loom_sim *simulate(const struct loom_trace *trace, int64_t procs)
{
    struct loom_sim *sim = NULL;
    struct loom_error err = {0};
    const struct loom_sim_options options = {.scheduler = "fcfs", .procs = procs};
    if (loom_sim_create(&sim, &err) || loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s", err.message);
    return sim;
}

static inline struct loom_sim_metrics metrics_of(const struct loom_sim *sim)
{
    struct loom_sim_metrics metrics;
    assert_int_equal(loom_sim_metrics(&metrics, sim, NULL), 0);
    return metrics;
}

static inline void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* On 8 processors:
 *
 *     job  submit  run  procs   start  wait  bounded slowdown
 *     A         0   20      8       0     0   1
 *     B         0    5      3      20    20   25 / 10 = 2.5
 *     C        10  100      5      20    10   110 / 100 = 1.1
 *     D       500  600      1     500     0   1
 *     E       550    1      2     550     0   1
 */

#endif
