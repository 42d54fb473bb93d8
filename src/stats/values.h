/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - what the estimators ask of every sample before they look at it. */
#ifndef LOOM_STATS_VALUES_H
#define LOOM_STATS_VALUES_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/base.h>

/* LOOM_EDATA if there are fewer than `least` values or one is not finite. `what` names the
 * statistic in the sentence. */
int loom_values_check(const double *x, size_t n, size_t least, const char *what,
                      struct loom_error *err);

/* Whether all values are the same. n >= 1. */
bool loom_values_constant(const double *x, size_t n);

/* As loom_values_check, and the values must not all be the same. */
int loom_values_check_varying(const double *x, size_t n, size_t least, const char *what,
                              struct loom_error *err);

/* A copy the caller must free(), or NULL. n >= 1. */
double *loom_values_copy(const double *x, size_t n);

#endif
