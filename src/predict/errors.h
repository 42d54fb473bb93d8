/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errors.h - errors of predictions, summed job by job. Sums start as {0}. */
#ifndef LOOM_PREDICT_ERRORS_H
#define LOOM_PREDICT_ERRORS_H

#include <workloom/predict.h>

struct loom_error_sums {
    double error, signed_error, weighted, run, work, width, score;
    int64_t jobs, under, intervals, below, above;
};

void loom_error_sums_add(struct loom_error_sums *sums, const struct loom_prediction *said,
                         int64_t run_s, int32_t procs);
struct loom_prediction_errors loom_error_sums_means(const struct loom_error_sums *sums);

#endif
