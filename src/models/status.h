/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * status.h - job status (completed, failed, cancelled or unknown), with the log's frequencies by
 * runtime: failed jobs are mostly shorter or longer than others. Up to twenty classes of runtime
 * have about equal numbers of jobs; frequencies are scaled to the log's overall share of each
 * status. Within a class, statuses are independent: failures of one user are not correlated.
 */
#ifndef LOOM_MODELS_STATUS_H
#define LOOM_MODELS_STATUS_H

#include "models/model.h"

struct loom_status_model {
    size_t kinds, classes; /* 0 classes: nothing is known, and all jobs that ran completed */
    int32_t *status;       /* of each kind */
    int64_t *from_s;       /* ascending, the first 0: shortest runtime of each class */
    int64_t *jobs;         /* classes x kinds: so many of the log */
};

/* Fit; empty if the log has no status, or all jobs completed. Fails with LOOM_ENOMEM only; there is
 * nothing to clear then. */
int loom_status_model_fit(struct loom_status_model *out, const struct loom_trace *trace,
                          struct loom_error *err);
loom_describe_fn loom_status_model_describe; /* state: a struct loom_status_model, zeros to read */
/* Fill status of n jobs: unknown where the runtime is. Fails with LOOM_ENOMEM. */
int loom_status_model_apply(const struct loom_status_model *model, int32_t *status,
                            const int64_t *run_s, size_t n,
                            const struct loom_generation *generation, struct loom_error *err);
void loom_status_model_clear(struct loom_status_model *model);

#endif
