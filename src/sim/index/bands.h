/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bands.h - widths and lengths of jobs in bands, which keep tables and summaries small. */
#ifndef LOOM_SIM_INDEX_BANDS_H
#define LOOM_SIM_INDEX_BANDS_H

#include <stdint.h>

enum {
    LOOM_EXACT_DOUBLINGS = 6,
    LOOM_EXACT_WIDTHS = 1 << LOOM_EXACT_DOUBLINGS,
    LOOM_WIDTH_BANDS = LOOM_EXACT_WIDTHS + 4 * 25,
    LOOM_LENGTH_STEP_BITS = 4,
};

/* 1 to 64 processors have their own band; above, (2^k, 2^(k+1)] is cut into four. */
static inline unsigned loom_width_band(int64_t procs)
{
    if (procs <= LOOM_EXACT_WIDTHS)
        return procs < 1 ? 0 : (unsigned)procs - 1;
    unsigned below = (unsigned)(procs - 1 > INT32_MAX ? INT32_MAX : procs - 1);
    unsigned doublings = 31u - (unsigned)__builtin_clz(below); /* at least 6 */
    return LOOM_EXACT_WIDTHS + 4 * (doublings - LOOM_EXACT_DOUBLINGS) +
           ((below >> (doublings - 2)) & 3);
}

/* The last step of length not above a length; there are sixteen to each doubling. */
static inline unsigned loom_length_step(int64_t length_s)
{
    if (length_s < 1 << LOOM_LENGTH_STEP_BITS)
        return (unsigned)length_s;
    unsigned doublings =
        63u - (unsigned)__builtin_clzll((unsigned long long)length_s) - LOOM_LENGTH_STEP_BITS;
    return (doublings << LOOM_LENGTH_STEP_BITS) + (unsigned)(length_s >> doublings);
}

/* The length of a step. */
static inline int64_t loom_length_of_step(unsigned step)
{
    if (step < 2u << LOOM_LENGTH_STEP_BITS)
        return step;
    unsigned doublings = (step >> LOOM_LENGTH_STEP_BITS) - 1;
    return (int64_t)(step - (doublings << LOOM_LENGTH_STEP_BITS)) << doublings;
}

#endif
