/* SPDX-License-Identifier: GPL-3.0-or-later */
/* application.h - what a job does inside, as a synthetic application. */
#ifndef LOOM_TRACE_APPLICATION_H
#define LOOM_TRACE_APPLICATION_H

#include <workloom/trace.h>

enum { LOOM_APPLICATION_KINDS = 64 }; /* of phases, at most */

/* One phase up to its barrier: what each processor computes on average, and how much longer the
 * slowest takes. */
struct loom_phase {
    double work_s, wait_s;
};

/* All phases in turn, that many times. Times add up to the job's runtime. */
struct loom_loop {
    int64_t repeat;
    size_t n;
    struct loom_phase phases[LOOM_APPLICATION_KINDS];
};

/* The same for every job of that runtime and size. */
void loom_application_loop(struct loom_loop *out, const struct loom_application *application,
                           int64_t run_s, int32_t procs);

#endif
