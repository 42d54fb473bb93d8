/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - binary search. */
#ifndef LOOM_BASE_SEARCH_H
#define LOOM_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* Set low and high, two variables, to the first index in [low, high) at which `before` is false;
 * high if there is none. `before` is an expression of `middle`: true up to some index, and false
 * from there on. */
#define LOOM_BISECT(low, high, middle, before)                           \
    do {                                                                 \
        while ((low) < (high)) {                                         \
            const __typeof__(low) middle = (low) + ((high) - (low)) / 2; \
            if (before)                                                  \
                (low) = middle + 1;                                      \
            else                                                         \
                (high) = middle;                                         \
        }                                                                \
    } while (0)

/* Halve the interval from low to high, two real variables, `steps` times at `middle`, which is the
 * value of `at`. `before` is an expression of `middle`: true on the side of low, false on the side
 * of high. For example, this leaves sqrt(2) between low and high:
 *
 *     double low = 0, high = 2;
 *     LOOM_HALVE(50, low, high, x, (low + high) / 2, x * x < 2);
 */
#define LOOM_HALVE(steps, low, high, middle, at, before)                     \
    do {                                                                     \
        for (int loom_halving = 0; loom_halving < (steps); loom_halving++) { \
            const double middle = (at);                                      \
            if (before)                                                      \
                (low) = middle;                                              \
            else                                                             \
                (high) = middle;                                             \
        }                                                                    \
    } while (0)

/* Return how many of n numbers are below x: the index of the first that is not, or n. */
static inline size_t loom_lower_bound(const int64_t *numbers, size_t n, int64_t x)
{
    size_t low = 0;
    LOOM_BISECT(low, n, middle, numbers[middle] < x);
    return low;
}

/* Return how many of n real numbers are at most x: the index of the first above it, or n. */
static inline size_t loom_upper_bound_real(const double *numbers, size_t n, double x)
{
    size_t low = 0;
    LOOM_BISECT(low, n, middle, numbers[middle] <= x);
    return low;
}

#endif
