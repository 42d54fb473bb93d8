/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_rows.h - small logs as tables of what most features look at. */
#ifndef LOOM_TESTS_JOB_ROWS_H
#define LOOM_TESTS_JOB_ROWS_H

#include "support.h"

struct row {
    int64_t submit_s, run_s;
    int32_t procs;
    int64_t request_s;
    int32_t user, group, queue;
};

static inline void append_row(struct loom_trace *trace, struct row row)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = row.submit_s;
    job.run_s = row.run_s;
    job.req_procs = row.procs;
    job.request_s = row.request_s;
    job.user = row.user;
    job.group = row.group;
    job.queue = row.queue;
    append(trace, job);
}

static inline struct loom_trace *log_of(const struct row *rows, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++)
        append_row(trace, rows[i]);
    return trace;
}

#endif
