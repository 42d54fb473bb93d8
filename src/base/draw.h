/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - the numbers of a stream without a call for each, for loops that draw millions. They are
 * the same numbers. */
#ifndef LOOM_BASE_DRAW_H
#define LOOM_BASE_DRAW_H

#include <workloom/base.h>

#include <gsl/gsl_randist.h>

static inline uint64_t loom_draw_u64(struct loom_stream *stream)
{
    bool ready = stream->used < sizeof stream->words / sizeof stream->words[0];
    return ready ? stream->words[stream->used++] : loom_stream_u64(stream);
}

/* In [0, 1), of the upper 53 bits. */
static inline double loom_bits_uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1.0p-53;
}

static inline double loom_draw_uniform(struct loom_stream *stream)
{
    return loom_bits_uniform(loom_draw_u64(stream));
}

/* A die whose sides fall by their weights, of which one at least is above 0; n is at least 1. NULL
 * when memory is out. */
gsl_ran_discrete_t *loom_die_create(size_t n, const double *weights);
void loom_die_destroy(gsl_ran_discrete_t *die);

/* As gsl_ran_discrete: Walker's alias method, in Knuth's form. */
static inline size_t loom_draw_discrete(struct loom_stream *stream, const gsl_ran_discrete_t *die)
{
    double u = loom_draw_uniform(stream);
    size_t k = (size_t)(u * (double)die->K), other = die->A[k];
    return u < die->F[k] ? k : other;
}

#endif
