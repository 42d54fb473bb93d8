/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dependence.h - long-range dependence of arrivals beyond their cycles. */
#ifndef LOOM_FEATURES_DEPENDENCE_H
#define LOOM_FEATURES_DEPENDENCE_H

#include "features/measure.h"

/* Put the keys arrival.dependence.*; jobs has at least one. */
int loom_put_dependence(struct loom_results *results, const struct loom_workload *jobs,
                        struct loom_error *err);

#endif
