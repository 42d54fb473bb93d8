/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locality.h - data for figures of the locality of jobs. */
#ifndef LOOM_FEATURES_LOCALITY_H
#define LOOM_FEATURES_LOCALITY_H

#include "trace/workload.h"

/* Of every day with jobs with a runtime, the share of them in the fullest of 16 bins of
 * runtimes (Zakay chapter 3, figure 5), ascending: a new array of *n entries that the caller must
 * free(). */
int loom_locality_days(double **out, size_t *n, const struct loom_workload *jobs,
                       struct loom_error *err);

#endif
