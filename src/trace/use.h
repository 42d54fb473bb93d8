/* SPDX-License-Identifier: GPL-3.0-or-later */
/* use.h - processors in use over time, as waits and runtimes of a log give it. */
#ifndef LOOM_TRACE_USE_H
#define LOOM_TRACE_USE_H

#include <workloom/trace.h>

/* From at_s on, until the next step, so many processors are in use. */
struct loom_use_step {
    int64_t at_s, procs;
};

struct loom_use {
    struct loom_use_step *steps; /* by time, each later than the one before; the last is at 0 */
    size_t n;
};

/* Return whether a job's start and end are known: submission, wait and runtime. Times beyond MOST_S
 * are wrong, and their sums could overflow. */
static inline bool loom_job_placed(const struct loom_jobs *jobs, size_t row)
{
    static const int64_t MOST_S = INT64_MAX / 4;
    int64_t submit_s = jobs->submit_s[row], wait_s = jobs->wait_s[row], run_s = jobs->run_s[row];
    return submit_s != -1 && submit_s >= -MOST_S && submit_s <= MOST_S && wait_s >= 0 &&
           wait_s <= MOST_S && run_s >= 0 && run_s <= MOST_S;
}

/* Return the processors that a job used: what it was given or, where that is unknown, what it asked
 * for. */
static inline int64_t loom_job_used(const struct loom_jobs *jobs, size_t row)
{
    return jobs->alloc_procs[row] > 0 ? jobs->alloc_procs[row] : jobs->req_procs[row];
}

/* List the steps of all jobs of at most `widest` processors whose times are known and which run for
 * a second or more. The caller must free() steps. */
int loom_use_create(struct loom_use *out, const struct loom_jobs *jobs, int64_t widest,
                    struct loom_error *err);

#endif
