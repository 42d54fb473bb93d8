/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mmwm.h - state of the modified wavelet model, and counts of the zeros of a rate process. */
#ifndef LOOM_MODELS_ARRIVALS_MMWM_H
#define LOOM_MODELS_ARRIVALS_MMWM_H

#include "models/arrivals/cascade.h"

struct loom_mmwm {
    struct loom_cascade cascade;
    struct loom_zeros zeros;
};

/* The variances of multipliers where both sides have arrivals, of jobs beyond one for each busy
 * interval (loom_variances_fn). */
int loom_mmwm_variances(double *variances, const struct loom_cascade_log *log,
                        struct loom_error *err);

/* Shares z_2 .. z_M (M = depth + 1) of zeros for a series of roots * 2^depth counts, at share[0] to
 * share[depth - 1]. */

/* As printed (Minh 2012, 4.4, steps 1 to 4): a run of r zeros stands for scale M - log2 r, rounded,
 * and every run counts alike. */
void loom_zeros_printed(double *share, size_t depth, const double *counts, size_t n);
/* Every run counts by its length, at the scale that it stands for as above. */
void loom_zeros_by_length(double *share, size_t depth, const double *counts, size_t n);
/* From the shares that were counted in a log to those whose zeros, once placed, are counted so. */
int loom_zeros_settle(struct loom_zeros *zeros, const struct loom_cascade *cascade,
                      struct loom_error *err);

#endif
