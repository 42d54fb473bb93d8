/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - functions shared by the exact solution and the simulation of a model. */
#ifndef LOOM_QUEUEING_MODEL_H
#define LOOM_QUEUEING_MODEL_H

#include <workloom/queueing.h>

/* Return the rate of jobs of open users: known for a constant probability to repeat, and a lower
 * bound for others. */
double loom_queueing_job_rate(const struct loom_queueing_model *model);

/* Store the metrics of a solution, NAN if it does not give one. */
void loom_queueing_set_exact(double *out, const struct loom_queueing_model *model,
                             const struct loom_mixed *solved);

#endif
