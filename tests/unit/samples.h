/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.h - samples that tests/oracle/samples.py makes to the last bit as well, so that what
 * SciPy says of them can be kept as tables. Uniform numbers by splitmix64, and only operations that
 * every machine rounds alike.
 */
#ifndef LOOM_TESTS_SAMPLES_H
#define LOOM_TESTS_SAMPLES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "support.h"

/* Assert that a call fails with this code and a message in `err`. */
#define REFUSES(code, call)              \
    do {                                 \
        err.message[0] = '\0';           \
        assert_int_equal((call), code);  \
        assert_true(err.message[0] > 0); \
    } while (0)

enum sample_kind {
    SAMPLE_UNIFORM, /* in [0, 1) */
    SAMPLE_HEAVY,   /* Pareto with tail index 1 */
    SAMPLE_TIES,    /* 0 .. 9, small ones more often */
    SAMPLE_SIGNED,  /* far from 0, of both signs */
    SAMPLE_MEMORY,  /* each value remembers 9/10 of the one before */
};

static inline double sample_uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static inline double sample_next(enum sample_kind kind, double before, uint64_t *state)
{
    double u = sample_uniform(state);
    switch (kind) {
    case SAMPLE_UNIFORM:
        return u;
    case SAMPLE_HEAVY:
        return 1 / (1 - u);
    case SAMPLE_TIES:
        return floor(10 * u * u);
    case SAMPLE_SIGNED:
        return (u - 0.25) * 4096;
    case SAMPLE_MEMORY:
        return before * 0.9 + u;
    }
    return 0;
}

/* The caller must free the sample. */
static inline double *sample_make(enum sample_kind kind, uint64_t seed, size_t n)
{
    double *x = malloc((n + 1) * sizeof *x);
    assert_non_null(x);
    double before = 0;
    for (size_t i = 0; i < n; i++)
        before = x[i] = sample_next(kind, before, &seed);
    return x;
}

/* Equal but for a share `tolerance` of the larger one, or absolutely where both are below 1. */
#define assert_close(got, wanted, tolerance) \
    sample_assert_close((got), (wanted), (tolerance), #got, __FILE__, __LINE__)

static inline void sample_assert_close(double got, double wanted, double tolerance,
                                       const char *what, const char *file, int line)
{
    double scale = fmax(1, fmax(fabs(got), fabs(wanted)));
    if (got == wanted || fabs(got - wanted) <= tolerance * scale)
        return;
    print_error("%s is %.17g instead of %.17g\n", what, got, wanted);
    _fail(file, line);
}

#endif
