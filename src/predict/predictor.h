/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predictor.h - a predictor of runtimes: one .c file in this room that ends in a const struct
 * loom_predictor_ops, and one line in the list in predictors.c. template.c is the one to copy.
 *
 * predict() is called once for each job, when it is submitted, started() when it starts, learn()
 * when it ends; a job may end without having been started, and jobs that have not ended yet never
 * do if the run stops early. Calls come in the order of time; what ends at the time of a submission
 * has been learned before it.
 *
 * predict() sets run_s, initially the default: the requested time or, if unknown, the mean runtime
 * of all jobs so far. low_s and high_s are initially NAN; predict() may set them, or interval(),
 * which is called after it except in simulations. Results need not be bounded: predictors.c clamps
 * them to between 1 s and the requested time.
 */
#ifndef LOOM_PREDICT_PREDICTOR_H
#define LOOM_PREDICT_PREDICTOR_H

#include "predict/genes.h"

#include <workloom/predict.h>

struct loom_predictor_ops {
    struct loom_predictor_info info;
    size_t state_size;             /* bytes of zeroed state from open to close */
    const struct loom_gene *genes; /* what training may change; NULL: it cannot be trained */
    bool knows_runtime; /* predict() is called with run_s set to the runtime: a yardstick */
    /* Any of these may be NULL but predict. A failed open leaves nothing to close. */
    int (*check)(const struct loom_params *params, struct loom_error *err);
    int (*open)(void *state, const struct loom_params *params, struct loom_error *err);
    void (*close)(void *state);
    /* Called by an evaluation for each job of a log before the first prediction: knowledge of the
     * future. */
    int (*survey)(void *state, const struct loom_job_view *job, struct loom_error *err);
    int (*predict)(struct loom_prediction *out, void *state, const struct loom_job_view *job,
                   struct loom_error *err);
    void (*interval)(struct loom_prediction *out, void *state, const struct loom_job_view *job);
    int (*started)(void *state, const struct loom_job_view *job, int64_t start_s,
                   struct loom_error *err);
    int (*learn)(void *state, const struct loom_job_view *job, int64_t run_s,
                 struct loom_error *err);
};

#endif
