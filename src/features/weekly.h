/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weekly.h - predict the weekly correlation of runtime and size from the weeks before. */
#ifndef LOOM_FEATURES_WEEKLY_H
#define LOOM_FEATURES_WEEKLY_H

#include "features/measure.h"

/* Put corr.week.weeks and corr.week.predicted. */
int loom_put_weekly(struct loom_results *results, const struct loom_workload *jobs,
                    struct loom_error *err);

#endif
