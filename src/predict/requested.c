/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requested time as the prediction: backfilling without predictions. */
#include "predict/predictor.h"

static int requested_predict(struct loom_prediction *out, void *state,
                             const struct loom_job_view *job, struct loom_error *err)
{
    (void)out, (void)state, (void)job, (void)err;
    return 0; /* run_s arrives as the requested time */
}

const struct loom_predictor_ops loom_predictor_requested = {
    .info = {"requested", "the requested time", NULL},
    .predict = requested_predict,
};
