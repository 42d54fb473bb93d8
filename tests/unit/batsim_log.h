/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batsim_log.h - a job for Batsim documents, and a scratch file for them. */
#ifndef LOOM_TESTS_BATSIM_LOG_H
#define LOOM_TESTS_BATSIM_LOG_H

#include "support.h"

static inline int make_scratch(void **state)
{
    static struct scratch scratch;
    *state = &scratch;
    return scratch_open(&scratch, "w.json");
}

static inline struct loom_job simple_job(int64_t number, int64_t submit_s, int32_t procs,
                                         int64_t run_s)
{
    struct loom_job job = loom_job_unknown();
    job.number = number;
    job.submit_s = submit_s;
    job.req_procs = procs;
    job.run_s = run_s;
    return job;
}

#endif
