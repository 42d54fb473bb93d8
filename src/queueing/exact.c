/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of models with an exact solution. */
#include "queueing/model.h"

#include <math.h>

bool loom_queueing_metric_applies(size_t index, const struct loom_queueing_model *model)
{
    switch ((enum loom_queueing_metric)index) {
    case LOOM_QUEUEING_JOBS_PER_USER:
    case LOOM_QUEUEING_USER_THROUGHPUT:
    case LOOM_QUEUEING_USER_QUOTIENT:
    case LOOM_QUEUEING_RUNTIME_LAST:
        return model->lambda > 0 && model->repeat.rule != LOOM_REPEAT_NEVER;
    case LOOM_QUEUEING_RUNTIME_CONTINUE:
        return model->lambda > 0 && model->repeat.rule != LOOM_REPEAT_NEVER &&
               !(model->repeat.rule == LOOM_REPEAT_CONSTANT && model->repeat.value == 0);
    case LOOM_QUEUEING_CLOSED_THROUGHPUT:
    case LOOM_QUEUEING_CLOSED_RESPONSE:
        return model->closed > 0;
    case LOOM_QUEUEING_OPEN_RESPONSE:
        return model->closed > 0 && model->lambda > 0;
    default:
        return true;
    }
}

/* A user with 1 / (1 - p) jobs, each of response R, thinks one time fewer: jobs over residence are
 * 1 / (R + p Z). The decision does not depend on the runtime, and leaves it as it is. */
static void set_user_metrics(double *out, const struct loom_queueing_model *model, double response)
{
    double p = model->repeat.rule == LOOM_REPEAT_CONSTANT ? model->repeat.value : 0;
    out[LOOM_QUEUEING_JOBS_PER_USER] = 1 / (1 - p);
    out[LOOM_QUEUEING_USER_THROUGHPUT] = 1 / (response + p * model->think.mean);
    out[LOOM_QUEUEING_RUNTIME_CONTINUE] = model->service;
    out[LOOM_QUEUEING_RUNTIME_LAST] = model->service;
}

void loom_queueing_set_exact(double *out, const struct loom_queueing_model *model,
                             const struct loom_mixed *solved)
{
    double response = (solved->queue_closed + solved->queue_open) / solved->throughput;
    double wait = response - model->service;
    for (size_t i = 0; i < LOOM_QUEUEING_METRICS; i++)
        out[i] = NAN;
    out[LOOM_QUEUEING_THROUGHPUT] = solved->throughput;
    out[LOOM_QUEUEING_UTILIZATION] = solved->utilization;
    out[LOOM_QUEUEING_RESPONSE] = response;
    out[LOOM_QUEUEING_WAIT] = wait;
    out[LOOM_QUEUEING_LENGTH] = solved->throughput * wait;
    set_user_metrics(out, model, solved->response_open);
    out[LOOM_QUEUEING_CLOSED_THROUGHPUT] = solved->throughput_closed;
    out[LOOM_QUEUEING_CLOSED_RESPONSE] = solved->response_closed;
    out[LOOM_QUEUEING_OPEN_RESPONSE] = solved->response_open;
    for (size_t i = 0; i < LOOM_QUEUEING_METRICS; i++)
        if (i < LOOM_QUEUEING_CLOSED_THROUGHPUT && !loom_queueing_metric_applies(i, model))
            out[i] = NAN;
}

int loom_queueing_exact(double *out, const struct loom_queueing_model *model,
                        struct loom_error *err)
{
    struct loom_mixed solved;
    int rc = loom_mixed_solve(&solved, model, err);
    if (!rc)
        loom_queueing_set_exact(out, model, &solved);
    return rc;
}
