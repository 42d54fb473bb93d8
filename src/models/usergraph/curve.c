/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions by their quantiles. */
#include "models/usergraph/curve.h"

#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shares[LOOM_CURVE_POINTS] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};
static const double LEAST_BEND = 1.0 / 64, MOST_BEND = 64;

/* ---- values ---------------------------------------------------------------------------------- */

/* The place, of n in order, of the value that a point of the curve is. */
static size_t rank_of(size_t point, size_t n)
{
    return (size_t)(shares[point] * (double)(n - 1) + 0.5);
}

static double value_between(const struct loom_curve *curve, size_t point, double part)
{
    double low = curve->at[point], high = curve->at[point + 1];
    if (low == high)
        return low;
    if (curve->bend != 1)
        part = pow(part, curve->bend);
    return low > 0 ? low * pow(high / low, part) : low + (high - low) * part;
}

double loom_curve_nth(const struct loom_curve *curve, size_t i, size_t n)
{
    size_t point = 0, from = 0, to;
    if (n <= 1)
        return curve->at[LOOM_CURVE_POINTS / 2 - 1];
    if (i == 0 || i == n - 1)
        return curve->at[i == 0 ? 0 : LOOM_CURVE_POINTS - 1];
    while ((to = rank_of(point + 1, n)) <= i) {
        from = to;
        point++;
    }
    return value_between(curve, point, (double)(i - from) / (double)(to - from));
}

/* A hundred thousand values stand for any more. */
double loom_curve_mean(const struct loom_curve *curve, size_t n)
{
    enum { ENOUGH = 100000 };
    size_t points = n < ENOUGH ? n : ENOUGH;
    double sum = 0;
    for (size_t i = 0; i < points; i++)
        sum += loom_curve_nth(curve, i, points);
    return points > 0 ? sum / (double)points : 0;
}

/* ---- fitting --------------------------------------------------------------------------------- */

struct bending {
    struct loom_curve *curve;
    size_t n;
    double mean;
};

static double excess_mean(double log_bend, void *context)
{
    struct bending *bending = context;
    bending->curve->bend = exp(log_bend);
    return loom_curve_mean(bending->curve, bending->n) - bending->mean;
}

/* The more a curve is bent, the lower are its values. Where no bend gives the mean, the one that
 * comes nearest is taken. */
void loom_curve_fit(struct loom_curve *out, const double *sorted, size_t n)
{
    struct bending bending = {.curve = out, .n = n};
    double log_bend = 0;
    for (size_t i = 0; i < n; i++)
        bending.mean += sorted[i] / (double)n;
    for (size_t i = 0; i < LOOM_CURVE_POINTS; i++)
        out->at[i] = n > 0 ? sorted[rank_of(i, n)] : 0;
    if (out->at[0] < out->at[LOOM_CURVE_POINTS - 1])
        loom_root(&log_bend, excess_mean, &bending, log(LEAST_BEND), log(MOST_BEND), 1e-9);
    out->bend = exp(log_bend);
}

/* ---- the document ---------------------------------------------------------------------------- */

static void check_points(const struct loom_curve *curve, struct loom_codec *codec)
{
    for (size_t i = 1; i < LOOM_CURVE_POINTS; i++)
        if (curve->at[i] < curve->at[i - 1]) {
            loom_codec_refuse(codec, "at", "must not fall");
            return;
        }
}

void loom_codec_curve(struct loom_codec *codec, const char *key, struct loom_curve *curve)
{
    double *values = loom_codec_reading(codec) ? NULL : curve->at;
    size_t n = LOOM_CURVE_POINTS;
    loom_codec_open(codec, key);
    loom_codec_reals(codec, "at", &values, &n, n, n, 0, 1e15);
    loom_codec_real(codec, "bend", &curve->bend, LEAST_BEND / 2, MOST_BEND * 2);
    if (loom_codec_reading(codec)) {
        if (!loom_codec_failed(codec)) {
            memcpy(curve->at, values, sizeof curve->at);
            check_points(curve, codec);
        }
        free(values);
    }
    loom_codec_close(codec);
}
