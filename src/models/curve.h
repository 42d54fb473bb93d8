/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.h - a distribution of non-negative values as a few of its quantiles, for what has too
 * little data, or too odd a shape, for a named one. Between quantiles the logarithm is
 * interpolated, next to 0 the value itself. */
#ifndef LOOM_MODELS_CURVE_H
#define LOOM_MODELS_CURVE_H

#include "models/codec.h"

enum { LOOM_CURVE_POINTS = 9 }; /* at 0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99 and 1 */

struct loom_curve {
    double at[LOOM_CURVE_POINTS];
};

/* n >= 1 values, ascending. */
void loom_curve_fit(struct loom_curve *out, const double *sorted, size_t n);
/* The value at share u in [0, 1). */
double loom_curve_value(const struct loom_curve *curve, double u);
double loom_curve_mean(const struct loom_curve *curve);
void loom_codec_curve(struct loom_codec *codec, const char *key, struct loom_curve *curve);

#endif
