/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions by their quantiles. */
#include "models/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shares[LOOM_CURVE_POINTS] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

/* Of the values between two quantiles. */
static double mean_between(double low, double high)
{
    if (low == high)
        return low;
    return low > 0 ? (high - low) / log(high / low) : (low + high) / 2;
}

double loom_curve_mean(const struct loom_curve *curve)
{
    double mean = 0;
    for (size_t i = 0; i + 1 < LOOM_CURVE_POINTS; i++)
        mean += (shares[i + 1] - shares[i]) * mean_between(curve->at[i], curve->at[i + 1]);
    return mean;
}

/* Move the last point to where the mean is the wanted one, or down to the point before it. */
static void lower_to_mean(struct loom_curve *curve, double wanted)
{
    double *end = &curve->at[LOOM_CURVE_POINTS - 1], low = end[-1], high = *end;
    for (int step = 0; step < 60; step++) {
        *end = (low + high) / 2;
        if (loom_curve_mean(curve) > wanted)
            high = *end;
        else
            low = *end;
    }
}

/* Draw all points towards the least by one factor, to where the mean is the wanted one. */
static void shrink_to_mean(struct loom_curve *curve, double wanted)
{
    struct loom_curve whole = *curve;
    double low = 0, high = 1;
    for (int step = 0; step < 60; step++) {
        double part = (low + high) / 2;
        for (size_t i = 1; i < LOOM_CURVE_POINTS; i++)
            curve->at[i] = whole.at[0] + part * (whole.at[i] - whole.at[0]);
        if (loom_curve_mean(curve) > wanted)
            high = part;
        else
            low = part;
    }
}

/* What lies between the last two quantiles is a guess, and makes too high a mean where the greatest
 * value is far from all others: it is lowered until the mean is that of the sample. Where the mean
 * is too high even so, as it is where few different values leave nothing between them to
 * interpolate, all are drawn towards the least. A mean that is too low, by what interpolation
 * loses, is raised by a factor. */
void loom_curve_fit(struct loom_curve *out, const double *sorted, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += sorted[i] / (double)n;
    for (size_t i = 0; i < LOOM_CURVE_POINTS; i++)
        out->at[i] = loom_quantile(sorted, n, shares[i]);
    if (loom_curve_mean(out) > mean)
        lower_to_mean(out, mean);
    if (loom_curve_mean(out) > mean)
        shrink_to_mean(out, mean);
    double factor = mean > 0 ? mean / loom_curve_mean(out) : 1;
    for (size_t i = 0; i < LOOM_CURVE_POINTS && factor > 1; i++)
        out->at[i] *= factor;
}

double loom_curve_value(const struct loom_curve *curve, double u)
{
    size_t i = 0;
    while (i + 2 < LOOM_CURVE_POINTS && u >= shares[i + 1])
        i++;
    double low = curve->at[i], high = curve->at[i + 1];
    double part = (u - shares[i]) / (shares[i + 1] - shares[i]);
    if (low == high)
        return low;
    return low > 0 ? low * pow(high / low, part) : low + (high - low) * part;
}

void loom_codec_curve(struct loom_codec *codec, const char *key, struct loom_curve *curve)
{
    double *values = loom_codec_reading(codec) ? NULL : curve->at;
    size_t n = LOOM_CURVE_POINTS;
    loom_codec_reals(codec, key, &values, &n, n, n, 0, 1e15);
    if (!loom_codec_reading(codec))
        return;
    if (!loom_codec_failed(codec)) {
        memcpy(curve->at, values, sizeof curve->at);
        for (size_t i = 1; i < LOOM_CURVE_POINTS; i++)
            if (values[i] < values[i - 1]) {
                loom_codec_refuse(codec, key, "must not fall");
                break;
            }
    }
    free(values);
}
