/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs by (submit, row): the columns as they are where the trace is in order, else copies in order.
 */
#include "trace/workload.h"

#include <stdlib.h>

static const int64_t *order_int64(struct loom_arranged *o, const uint32_t *rows,
                                  const int64_t *column)
{
    int64_t *copy = malloc((o->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < o->jobs.n; i++)
        copy[i] = column[rows[i]];
    o->copies[o->n_copies++] = copy;
    return copy;
}

static const int32_t *order_int32(struct loom_arranged *o, const uint32_t *rows,
                                  const int32_t *column)
{
    int32_t *copy = malloc((o->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < o->jobs.n; i++)
        copy[i] = column[rows[i]];
    o->copies[o->n_copies++] = copy;
    return copy;
}

static int take_ordered(struct loom_arranged *o, const struct loom_jobs *columns,
                        const uint32_t *rows, struct loom_error *err)
{
    struct loom_workload *jobs = &o->jobs;
    jobs->submit_s = order_int64(o, rows, columns->submit_s);
    jobs->run_s = order_int64(o, rows, columns->run_s);
    jobs->wait_s = order_int64(o, rows, columns->wait_s);
    jobs->request_s = order_int64(o, rows, columns->request_s);
    jobs->user = order_int32(o, rows, columns->user);
    jobs->group = order_int32(o, rows, columns->group);
    jobs->executable = order_int32(o, rows, columns->executable);
    jobs->queue = order_int32(o, rows, columns->queue);
    for (size_t i = 0; i < o->n_copies; i++)
        if (!o->copies[i])
            return loom_fail_memory(err);
    return 0;
}

static void take_as_they_are(struct loom_workload *jobs, const struct loom_jobs *columns)
{
    jobs->submit_s = columns->submit_s;
    jobs->run_s = columns->run_s;
    jobs->wait_s = columns->wait_s;
    jobs->request_s = columns->request_s;
    jobs->user = columns->user;
    jobs->group = columns->group;
    jobs->executable = columns->executable;
    jobs->queue = columns->queue;
}

static bool in_order(const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i] != i)
            return false;
    return true;
}

static int take_procs(struct loom_arranged *o, const struct loom_jobs *columns,
                      const uint32_t *rows, struct loom_error *err)
{
    o->procs = malloc((o->jobs.n + 1) * sizeof *o->procs);
    if (!o->procs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < o->jobs.n; i++)
        o->procs[i] = loom_job_procs(columns, rows[i]);
    o->jobs.procs = o->procs;
    return 0;
}

static int arrange(struct loom_arranged *o, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *columns = loom_trace_jobs(trace);
    uint32_t *rows = NULL;
    o->jobs.trace = trace;
    int64_t stated = loom_trace_machine(trace)->max_procs;
    o->jobs.max_procs = stated > 0 ? stated : 0;
    int rc = loom_trace_arrivals(&rows, &o->jobs.n, trace, err);
    o->jobs.unsubmitted = columns->n - o->jobs.n;
    if (!rc)
        rc = take_procs(o, columns, rows, err);
    if (!rc && in_order(rows, o->jobs.n))
        take_as_they_are(&o->jobs, columns);
    else if (!rc)
        rc = take_ordered(o, columns, rows, err);
    free(rows);
    if (!rc)
        rc = loom_zone_create(&o->zone, trace, NULL, err);
    if (rc)
        return rc;
    o->jobs.zone = o->zone;
    if (o->jobs.n > 0 && __builtin_sub_overflow(o->jobs.submit_s[o->jobs.n - 1],
                                                o->jobs.submit_s[0], &o->jobs.span_s))
        return loom_fail(err, LOOM_EDATA,
                         "the submit times are too far apart to measure; clean the log first");
    return 0;
}

void loom_arranged_free(struct loom_arranged *arranged)
{
    free(arranged->procs);
    for (size_t i = 0; i < arranged->n_copies; i++)
        free(arranged->copies[i]);
    loom_zone_destroy(arranged->zone);
    *arranged = (struct loom_arranged){0};
}

int loom_arrange(struct loom_arranged *out, const struct loom_trace *trace, struct loom_error *err)
{
    *out = (struct loom_arranged){0};
    int rc = arrange(out, trace, err);
    if (rc)
        loom_arranged_free(out);
    return rc;
}
