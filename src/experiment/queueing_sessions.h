/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queueing_sessions.h - the re-open model of a log's sessions. */
#ifndef LOOM_EXPERIMENT_QUEUEING_SESSIONS_H
#define LOOM_EXPERIMENT_QUEUEING_SESSIONS_H

#include <workloom/experiment_queueing.h>

/* Fit the re-open model to the sessions of all users. */
int loom_queueing_fit_all_sessions(struct loom_queueing_sessions *out,
                                   const struct loom_trace *trace, const struct loom_users *users,
                                   int64_t procs, struct loom_error *err);

/* A user's jobs in order of submission: the time in which at least one of them waits. */
struct loom_waiting {
    int64_t counted_s; /* until when waits are counted; INT64_MIN at first */
};

/* Return how much a job adds to that time. */
static inline double loom_waiting_add(struct loom_waiting *waiting, int64_t submit_s,
                                      int64_t wait_s)
{
    int64_t start_s = submit_s + (wait_s > 0 ? wait_s : 0);
    int64_t from_s = submit_s > waiting->counted_s ? submit_s : waiting->counted_s;
    waiting->counted_s = start_s > waiting->counted_s ? start_s : waiting->counted_s;
    return start_s > from_s ? (double)(start_s - from_s) : 0;
}

#endif
