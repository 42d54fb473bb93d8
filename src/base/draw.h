/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - inline draws from a stream, for loops that draw millions. They give the same numbers as
 * the loom_stream functions. */
#ifndef LOOM_BASE_DRAW_H
#define LOOM_BASE_DRAW_H

#include <workloom/base.h>

#include <gsl/gsl_randist.h>
#include <string.h>

static inline uint64_t loom_draw_u64(struct loom_stream *stream)
{
    bool ready = stream->used < sizeof stream->words / sizeof stream->words[0];
    return ready ? stream->words[stream->used++] : loom_stream_u64(stream);
}

/* Draw the next n. */
static inline void loom_draw_many(uint64_t *out, size_t n, struct loom_stream *stream)
{
    for (size_t i = 0, ready; i < n; i += ready) {
        out[i++] = loom_stream_u64(stream);
        ready = sizeof stream->words / sizeof stream->words[0] - stream->used;
        ready = ready < n - i ? ready : n - i;
        memcpy(out + i, stream->words + stream->used, ready * sizeof *out);
        stream->used += (unsigned)ready;
    }
}

/* Return a number in [0, 1) from the upper 53 bits. Here and below, numbers below 2^63 are
 * converted as signed ones, which takes one instruction. */
static inline double loom_bits_uniform(uint64_t bits)
{
    return (double)(int64_t)(bits >> 11) * 0x1.0p-53;
}

static inline double loom_draw_uniform(struct loom_stream *stream)
{
    return loom_bits_uniform(loom_draw_u64(stream));
}

/* 32-bit numbers, two from each draw of a stream, for loops that do little but draw. Initialise
 * with zeros and loom_stream_init(); must not be moved afterwards. */
enum { LOOM_HALVES = 32 };
struct loom_halves {
    struct loom_stream stream;
    unsigned left;
    uint32_t numbers[LOOM_HALVES];
};
void loom_halves_refill(struct loom_halves *halves);

static inline uint32_t loom_draw_half(struct loom_halves *halves)
{
    if (halves->left == 0)
        loom_halves_refill(halves);
    return halves->numbers[--halves->left];
}

/* Draw a whole number from [0, n), without bias, as loom_stream_below(). */
static inline uint32_t loom_half_below(struct loom_halves *halves, uint32_t n)
{
    uint64_t product = (uint64_t)loom_draw_half(halves) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = (0 - n) % n;
        while ((uint32_t)product < threshold)
            product = (uint64_t)loom_draw_half(halves) * n;
    }
    return (uint32_t)(product >> 32);
}

/* Return a number in [0, 1) from 32 bits. */
static inline double loom_half_uniform(uint32_t bits)
{
    return (double)(int64_t)bits * 0x1p-32;
}

/* Create an alias table (Walker, in Knuth's form) that draws 0 to n - 1 with probabilities
 * proportional to the weights, at least one of which is above 0; n >= 1. Returns NULL when memory
 * is out. The caller must destroy it. */
gsl_ran_discrete_t *loom_alias_create(size_t n, const double *weights);
/* Free table, which may be NULL. */
void loom_alias_destroy(gsl_ran_discrete_t *table);

/* Return the index that the table has for u in [0, 1). */
static inline size_t loom_alias_at(const gsl_ran_discrete_t *table, double u)
{
    size_t k = (size_t)(int64_t)(u * (double)(int64_t)table->K);
    return u < table->F[k] ? k : table->A[k];
}

/* The same as gsl_ran_discrete(). */
static inline size_t loom_draw_discrete(struct loom_stream *stream, const gsl_ran_discrete_t *table)
{
    return loom_alias_at(table, loom_draw_uniform(stream));
}

#endif
