/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.h - a line through points of unequal weight. */
#ifndef LOOM_STATS_LINE_H
#define LOOM_STATS_LINE_H

#include <workloom/stats.h>

/* As loom_line_fit with weights, which are the inverse variances of the y: slope_se is what these
 * variances imply, not what the scatter of the points does. */
int loom_line_fit_weighted(struct loom_line *out, const double *x, const double *y,
                           const double *weights, size_t n, struct loom_error *err);

#endif
