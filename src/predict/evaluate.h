/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.h - replay of the jobs of a log to predictors, in order of time. */
#ifndef LOOM_PREDICT_EVALUATE_H
#define LOOM_PREDICT_EVALUATE_H

#include "predict/predictor.h"

struct loom_job_event {
    int64_t time_s;
    uint32_t job; /* index in rows */
    bool starts;  /* else it ends */
};

/* The jobs that can be predicted; read-only once open, so that threads may share it. */
struct loom_job_replay {
    const struct loom_jobs *jobs;
    uint32_t *rows; /* in the order of submission */
    size_t n;
    struct loom_job_event *events;  /* 2 n: starts and ends, in the order of time */
    struct loom_evaluation unknown; /* counts of what is unknown; the rest is not used */
};

/* Open the jobs of a trace, which is borrowed. LOOM_EDATA with fewer than two, LOOM_ENOMEM. */
int loom_job_replay_open(struct loom_job_replay *replay, const struct loom_trace *trace,
                         struct loom_error *err);
void loom_job_replay_free(struct loom_job_replay *replay);

/* Predict jobs 0 to end - 1 with a new predictor; store the predictions from job `first` on in
 * out[end - first]. LOOM_ENOMEM. */
int loom_job_replay_run(struct loom_predicted_job *out, const struct loom_job_replay *replay,
                        struct loom_predictor *predictor, size_t first, size_t end,
                        struct loom_error *err);

#endif
