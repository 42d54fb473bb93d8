/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.h - a sample of non-negative values as a few of them, its quantiles, for what has too
 * little data, or too odd a shape, for a named distribution.
 *
 * A quantile is the value of the sample whose place is nearest to that share of the way from the
 * least to the greatest: a curve of n values, asked for n values, has its points among them, and is
 * the curve of these. Between two points low and high, a part p of the way, the value is
 * low (high / low)^(p^bend), next to 0 low + (high - low) p^bend. The bend is the same throughout,
 * and is what gives the values of the curve the mean of the sample: 1 where values are even on a
 * logarithmic scale. */
#ifndef LOOM_MODELS_USERGRAPH_CURVE_H
#define LOOM_MODELS_USERGRAPH_CURVE_H

#include "models/document/codec.h"

enum { LOOM_CURVE_POINTS = 9 }; /* at 0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99 and 1 */

struct loom_curve {
    double at[LOOM_CURVE_POINTS];
    double bend;
};

/* n values, ascending; all 0 if there are none. */
void loom_curve_fit(struct loom_curve *out, const double *sorted, size_t n);
/* The ith of n values, from 0, which have the curve's quantiles. A single one is the one in the
 * middle. */
double loom_curve_nth(const struct loom_curve *curve, size_t i, size_t n);
/* Of n values. */
double loom_curve_mean(const struct loom_curve *curve, size_t n);
void loom_codec_curve(struct loom_codec *codec, const char *key, struct loom_curve *curve);

#endif
