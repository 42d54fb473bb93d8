/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mmwm.h - the modified wavelet model's state, and how zeros of a rate process are counted. */
#ifndef LOOM_MODELS_MMWM_H
#define LOOM_MODELS_MMWM_H

#include "models/cascade.h"

struct loom_mmwm {
    struct loom_cascade cascade;
    struct loom_zeros zeros;
};

/* Shares z_2 .. z_M (M = depth + 1) of zeros for a series of roots * 2^depth counts, at share[0] to
 * share[depth - 1]. */

/* As printed (thesis 4.4, steps 1 to 4): a run of r zeros stands for scale M - log2 r, rounded, and
 * every run counts alike. */
void loom_zeros_printed(double *share, size_t depth, const double *counts, size_t n);
/* A run is the sum of powers of two that r is, and each of these counts by its length. */
void loom_zeros_exact(double *share, size_t depth, const double *counts, size_t n);

#endif
