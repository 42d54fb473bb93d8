/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gamma variates by Marsaglia and Tsang (2000): with d = shape - 1/3 and c = 1 / sqrt(9 d), a
 * normal x gives d (1 + c x)^3, which is taken with the probability that makes it gamma. A shape
 * below 1 is reached from shape + 1 by a power of a uniform.
 *
 * Normal variates by the ziggurat of Marsaglia and Tsang, in Doornik's form (2005): 256 layers of
 * equal area, the layer and the place in it by different bits of one draw.
 *
 * What is above a limit is drawn again, unless that is most of it. Then the log density rises up to
 * the limit and, being concave, stays below its tangent there: the exponential whose logarithm is
 * that tangent is drawn in its place, and taken with probability (r exp(1 - r))^(shape - 1) at r
 * times the limit.
 */
#include "stats/gamma_sampler.h"

#include "base/draw.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Where the tail begins, and the area of each layer, for 256 of them. */
static const double tail = 3.6541528853610088, area = 0.00492867323399;

void loom_ziggurat_init(struct loom_ziggurat *ziggurat)
{
    double *widths = ziggurat->widths, height = exp(-0.5 * tail * tail);
    widths[0] = area / height; /* the base, with what the tail adds to its area */
    widths[1] = tail;
    widths[LOOM_LAYERS] = 0;
    for (int i = 2; i < LOOM_LAYERS; i++) {
        widths[i] = sqrt(-2 * log(area / widths[i - 1] + height));
        height = exp(-0.5 * widths[i] * widths[i]);
    }
    for (int i = 0; i <= LOOM_LAYERS; i++)
        ziggurat->heights[i] = exp(-0.5 * widths[i] * widths[i]);
    for (int i = 0; i < LOOM_LAYERS; i++)
        ziggurat->inside[i] = widths[i + 1] / widths[i];
}

static double draw_tail(struct loom_stream *stream, bool negative)
{
    double x, y;
    do {
        x = -log1p(-loom_draw_uniform(stream)) / tail;
        y = -log1p(-loom_draw_uniform(stream));
    } while (2 * y < x * x);
    return negative ? -(tail + x) : tail + x;
}

/* The variate that these bits make, unless they are to be drawn again. */
static inline bool is_normal(double *out, const struct loom_ziggurat *ziggurat, uint64_t bits,
                             struct loom_stream *stream)
{
    size_t layer = bits % LOOM_LAYERS;
    double u = (double)((int64_t)bits >> 10) * 0x1p-53; /* in [-1, 1) */
    double x = *out = u * ziggurat->widths[layer];
    if (fabs(u) < ziggurat->inside[layer])
        return true;
    if (layer == 0) {
        *out = draw_tail(stream, u < 0);
        return true;
    }
    double low = ziggurat->heights[layer], high = ziggurat->heights[layer + 1];
    return low + (high - low) * loom_draw_uniform(stream) < exp(-0.5 * x * x);
}

double loom_ziggurat_draw(const struct loom_ziggurat *ziggurat, struct loom_stream *stream)
{
    double x;
    while (!is_normal(&x, ziggurat, loom_draw_u64(stream), stream))
        continue;
    return x;
}

void loom_ziggurat_draw_many(double *out, size_t n, const struct loom_ziggurat *ziggurat,
                             struct loom_stream *stream)
{
    enum { TOGETHER = 64 };
    uint64_t bits[TOGETHER];
    for (size_t i = 0; i < n; i++) {
        if (i % TOGETHER == 0)
            loom_draw_many(bits, n - i < TOGETHER ? n - i : TOGETHER, stream);
        if (!is_normal(&out[i], ziggurat, bits[i % TOGETHER], stream))
            out[i] = loom_ziggurat_draw(ziggurat, stream);
    }
}

void loom_gamma_sampler_init(struct loom_gamma_sampler *sampler, double shape, double scale)
{
    double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
    *sampler = (struct loom_gamma_sampler){.d = d,
                                           .c = 1 / sqrt(9 * d),
                                           .scale = scale,
                                           .boost = shape < 1 ? 1 / shape : 0};
}

double loom_gamma_sampler_draw(const struct loom_gamma_sampler *sampler,
                               const struct loom_ziggurat *ziggurat, struct loom_stream *stream)
{
    double d = sampler->d, v;
    for (;;) {
        double x = loom_ziggurat_draw(ziggurat, stream);
        v = 1 + sampler->c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = 1 - loom_draw_uniform(stream); /* in (0, 1] */
        if (u < 1 - 0.0331 * (x * x) * (x * x) || log(u) < 0.5 * x * x + d * (1 - v + log(v)))
            break;
    }
    double value = sampler->scale * d * v;
    if (sampler->boost > 0)
        value *= pow(1 - loom_draw_uniform(stream), sampler->boost);
    return value;
}

void loom_gamma_below_init(struct loom_gamma_below *sampler, double shape, double scale,
                           double limit)
{
    static const double few = 0.125;
    *sampler = (struct loom_gamma_below){.limit = limit, .shape = shape};
    loom_gamma_sampler_init(&sampler->all, shape, scale);
    if (gsl_cdf_gamma_P(limit, shape, scale) < few)
        sampler->slope = fmax(0, (shape - 1) / limit - 1 / scale);
}

/* r of the exponential on 0 to 1 that rises by exp(rise). */
static double draw_rising(double rise, struct loom_stream *stream)
{
    return 1 + log1p(loom_draw_uniform(stream) * expm1(-rise)) / rise;
}

double loom_gamma_below_draw(const struct loom_gamma_below *sampler,
                             const struct loom_ziggurat *ziggurat, struct loom_stream *stream)
{
    double x, r;
    if (sampler->slope > 0) {
        do
            r = draw_rising(sampler->slope * sampler->limit, stream);
        while (log1p(-loom_draw_uniform(stream)) > (sampler->shape - 1) * (log(r) + 1 - r));
        return r * sampler->limit;
    }
    do
        x = loom_gamma_sampler_draw(&sampler->all, ziggurat, stream);
    while (x > sampler->limit);
    return x;
}
