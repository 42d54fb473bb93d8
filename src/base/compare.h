/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - what comparison functions of qsort() and bsearch() are made of. */
#ifndef LOOM_BASE_COMPARE_H
#define LOOM_BASE_COMPARE_H

#include <stddef.h>

/* Compare two numbers: -1, 0 or 1 as a is below, equal to or above b. */
#define LOOM_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Return the first of n numbers that is not 0, or 0. */
static inline int loom_first_difference(const int *differences, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (differences[i])
            return differences[i];
    return 0;
}

/* The first of several comparisons that finds a difference, or 0. All of them are made. */
#define LOOM_FIRST_DIFFERENCE(...)                    \
    loom_first_difference((const int[]){__VA_ARGS__}, \
                          sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

#endif
