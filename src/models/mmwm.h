/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mmwm.h - how zeros of a log's rate process are counted by scale. */
#ifndef LOOM_MODELS_MMWM_H
#define LOOM_MODELS_MMWM_H

#include <stddef.h>

/* Shares z_2 .. z_M (M = depth + 1) of zeros for a series of roots * 2^depth counts, at share[0] to
 * share[depth - 1]. */

/* As printed (thesis 4.4, steps 1 to 4): a run of r zeros stands for scale M - log2 r, rounded, and
 * every run counts alike. */
void loom_zeros_printed(double *share, size_t depth, const double *counts, size_t n);
/* A run is the sum of powers of two that r is, and each of these counts by its length. */
void loom_zeros_exact(double *share, size_t depth, const double *counts, size_t n);

#endif
