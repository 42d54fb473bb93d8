/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multipliers: symmetric beta variates on (-1, 1), of density (1 - a^2)^(beta - 1) up to a factor.
 *
 * Above 1 the density falls from the middle to its ends. Half of it is covered with layers of one
 * area, each a rectangle that begins at 0 and ends where the curve passes its lower edge, as a
 * ziggurat (Marsaglia and Tsang 2000) has them; since the curve ends, so does the lowest layer, and
 * no tail is left over. A layer, a place in it and a side come from different bits of one draw, and
 * nearly always the place is below the curve all through the layer; else the curve decides. What is
 * drawn is exact for any layers that reach the top: their area only says how often that is.
 *
 * From 1/2 to 1 by Ulrich's method (Devroye 1986, IX.3.4): a point of the unit half-disc gives an
 * angle and a radius that are independent. Below, by GSL.
 */
#include "base/draw.h"
#include "base/search.h"
#include "models/arrivals/cascade.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>

enum { LAYERS = LOOM_MULTIPLIER_LAYERS };

/* ---- layers ---------------------------------------------------------------------------------- */

static double height_at(double a, double power)
{
    return exp(power * log1p(-a * a));
}

static double width_at(double height, double power)
{
    return height < 1 ? sqrt(-expm1(log(height) / power)) : 0;
}

/* Lay layers of an area on one another, up to the top of the curve or past it. Returns whether they
 * get there. */
static bool lay(struct loom_multiplier *multiplier, double area)
{
    double height = 0, width = 1;
    for (size_t i = 0; i < LAYERS; i++) {
        multiplier->heights[i] = height;
        multiplier->widths[i] = width;
        if (height < 1)
            height += area / width;
        width = width_at(height, multiplier->power);
    }
    multiplier->heights[LAYERS] = height;
    multiplier->widths[LAYERS] = 0;
    return height >= 1;
}

void loom_multiplier_init(struct loom_multiplier *multiplier, double beta)
{
    enum { STEPS = 16 };
    multiplier->beta = beta;
    multiplier->power = beta - 1;
    if (!(beta > 1))
        return;
    double low = exp(gsl_sf_lnbeta(0.5, beta)) / 2 / LAYERS, high = low;
    while (!lay(multiplier, high))
        high *= 1.5;
    LOOM_HALVE(STEPS, low, high, area, (low + high) / 2, !lay(multiplier, area));
    lay(multiplier, high);
    for (size_t i = 0; i < LAYERS; i++)
        multiplier->inside[i] = multiplier->widths[i + 1] / multiplier->widths[i];
}

/* ---- drawing --------------------------------------------------------------------------------- */

static double draw_by_layers(const struct loom_multiplier *multiplier, struct loom_stream *stream)
{
    for (;;) {
        uint64_t bits = loom_draw_u64(stream);
        size_t layer = bits % LAYERS;
        double u = (double)((int64_t)bits >> 10) * 0x1p-53; /* in [-1, 1) */
        double a = u * multiplier->widths[layer];
        if (fabs(u) < multiplier->inside[layer])
            return a;
        double low = multiplier->heights[layer], high = multiplier->heights[layer + 1];
        if (low + (high - low) * loom_draw_uniform(stream) < height_at(a, multiplier->power))
            return a;
    }
}

static double draw_by_disc(double beta, struct loom_stream *stream)
{
    double u, v, s;
    do {
        u = loom_draw_uniform(stream);
        v = 2 * loom_draw_uniform(stream) - 1;
        s = u * u + v * v;
    } while (s > 1 || s == 0);
    return 2 * u * v / s * sqrt(1 - pow(s, 2 / (2 * beta - 1)));
}

double loom_multiplier_draw(const struct loom_multiplier *multiplier, struct loom_stream *stream)
{
    static const double most = 1 - 0x1p-53;
    double beta = multiplier->beta;
    if (beta > 1)
        return draw_by_layers(multiplier, stream);
    double a =
        beta > 0.5 ? draw_by_disc(beta, stream) : 2 * gsl_ran_beta(&stream->gsl, beta, beta) - 1;
    return fmax(-most, fmin(a, most));
}
