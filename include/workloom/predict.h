/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predict.h - estimates of runtimes: what may be known of a job before it ends, and the functions
 * by which a simulation asks for its estimate.
 *
 * Without an estimator, a simulation takes the requested time as the estimate. With one, calls come
 * in the order of simulated time:
 *
 *     estimate   when a job is submitted
 *     started    when it starts: from here to its end it is among the running jobs
 *     correct    when its estimate runs out before it ends; only with the overrun rule `extend`
 *     learn      when it ends
 *
 * A job that is rejected or dropped is in none of these calls. One estimator serves one simulation
 * at a time, from one thread.
 */
#ifndef WORKLOOM_PREDICT_H
#define WORKLOOM_PREDICT_H

#include <workloom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A job as it is known before it ends; the same in all calls about it. -1 is unknown, but `procs`
 * and `submit_s` are always known. */
struct loom_job_view {
    int64_t submit_s;
    int64_t request_s; /* requested time */
    double req_mem_kib;
    int32_t procs;
    int32_t user, group, executable, queue;
    /* Origin and number identify a job. The origin is 0 or, for a local job of a cluster of a grid,
     * 1 + the cluster's index: users, groups, executables and queues of different origins are
     * different even if their numbers are equal. */
    uint32_t origin, number;
};

/* An estimator of runtimes. Views are borrowed for the call. Only `estimate` must be there. */
struct loom_estimator {
    void *self;
    /* Return the estimate for a job being submitted, in seconds, from 1 to 2^48; what is
     * beyond is taken as the nearer of these. */
    int64_t (*estimate)(void *self, const struct loom_job_view *job);
    /* Return the next estimate for a running job whose last one, ran_s, has run out: its whole
     * runtime, in seconds. Less than ran_s + 1 is taken as that. NULL doubles the last one. */
    int64_t (*correct)(void *self, const struct loom_job_view *job, int64_t ran_s);
    /* Note that a job starts at start_s. May be NULL. A failure ends the run. */
    int (*started)(void *self, const struct loom_job_view *job, int64_t start_s,
                   struct loom_error *err);
    /* Note that a job has ended after run_s, its runtime or the time after which it was killed. May
     * be NULL. A failure ends the run. */
    int (*learn)(void *self, const struct loom_job_view *job, int64_t run_s,
                 struct loom_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
