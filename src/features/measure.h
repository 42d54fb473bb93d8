/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - helpers of several families, from statistics to features. */
#ifndef LOOM_FEATURES_MEASURE_H
#define LOOM_FEATURES_MEASURE_H

#include "features/family.h"

#include <workloom/users.h>

/* Put the outcome of a statistic. One that does not exist for these jobs (rc is not 0) is a missing
 * feature with the given reason; only memory running out is passed on. */
static inline int loom_put_outcome(struct loom_results *results, const char *key, int rc,
                                   double value, const char *reason)
{
    if (rc == LOOM_ENOMEM)
        return rc;
    if (rc)
        loom_put_missing(results, key, reason);
    else
        loom_put(results, key, value);
    return 0;
}

/* Who did what when, for the room that knows users. */
static inline struct loom_activity loom_workload_activity(const struct loom_workload *jobs)
{
    return (struct loom_activity){.n = jobs->n,
                                  .user = jobs->user,
                                  .submit_s = jobs->submit_s,
                                  .wait_s = jobs->wait_s,
                                  .run_s = jobs->run_s};
}

/* The runtimes of at least `least` seconds, in order of submission: a new array of *n entries that
 * the caller must free(). Unknown runtimes are negative, so a least of 0 takes all known ones. */
int loom_known_runtimes(double **out, size_t *n, const struct loom_workload *jobs, int64_t least,
                        struct loom_error *err);

#endif
