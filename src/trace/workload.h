/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.h - the jobs of a trace in the order and form that most features, figures and models
 * want. */
#ifndef LOOM_TRACE_WORKLOAD_H
#define LOOM_TRACE_WORKLOAD_H

#include <workloom/trace.h>

/* The jobs of a trace that have a submit time, by (submit, row): entry i of every array is the
 * i-th job in that order.
 * Unknown values are -1, as in the trace. Arrays are borrowed; families do not change them. */
struct loom_workload {
    const struct loom_trace *trace;
    const struct loom_zone *zone;
    size_t n;
    size_t unsubmitted; /* jobs left out, as their submit time is unknown */
    int64_t max_procs;  /* of the machine; 0 if unknown */
    int64_t span_s;     /* last minus first submit */
    const int64_t *submit_s;
    const int64_t *run_s;
    const int64_t *wait_s;
    const int64_t *request_s; /* requested time */
    const int32_t *procs;     /* requested if known, else allocated */
    const int32_t *user;
    const int32_t *group;
    const int32_t *executable;
    const int32_t *queue;
};

/* A workload with what it borrows. A trace that is in order already lends its own columns. */
struct loom_arranged {
    struct loom_workload jobs;
    struct loom_zone *zone;
    int32_t *procs;
    void *copies[8];
    size_t n_copies;
};

/* The trace must outlive the result. On failure there is nothing to free. */
int loom_arrange(struct loom_arranged *out, const struct loom_trace *trace, struct loom_error *err);
void loom_arranged_free(struct loom_arranged *arranged);

#endif
