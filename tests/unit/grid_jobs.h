/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_jobs.h - a grid that runs, and random jobs for it and its clusters. */
#ifndef LOOM_TESTS_GRID_JOBS_H
#define LOOM_TESTS_GRID_JOBS_H

#include "support.h"

#include <workloom/sim_grid.h>

#include <math.h>

static inline struct loom_grid *new_grid(void)
{
    struct loom_grid *grid = NULL;
    assert_int_equal(loom_grid_create(&grid, NULL), 0);
    return grid;
}

static inline void must_run(struct loom_grid *grid, const struct loom_grid_options *options,
                            const struct loom_trace *trace)
{
    struct loom_error err = {0};
    if (loom_grid_run(grid, options, trace, &err))
        fail_msg("%s", err.message);
}

static inline void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* Some of no length, of at most so many processors, of four users. */
static inline struct loom_trace *random_jobs(struct loom_stream *stream, size_t n, int32_t widest)
{
    struct loom_trace *trace = empty_trace();
    int64_t clock_s = 0;
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        clock_s += (int64_t)loom_stream_below(stream, 5);
        job.number = (int64_t)i + 1;
        job.submit_s = clock_s;
        job.request_s = 1 + (int64_t)loom_stream_below(stream, 30);
        job.run_s = (int64_t)loom_stream_below(stream, (uint64_t)job.request_s + 1);
        job.req_procs = 1 + (int32_t)loom_stream_below(stream, (uint64_t)widest);
        job.user = (int32_t)loom_stream_below(stream, 4);
        append(trace, job);
    }
    return trace;
}

#endif
