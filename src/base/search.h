/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - binary search in ascending numbers, equal ones included. */
#ifndef LOOM_BASE_SEARCH_H
#define LOOM_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* Return how many of n numbers are below x: the index of the first that is not, or n. */
static inline size_t loom_lower_bound(const int64_t *numbers, size_t n, int64_t x)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (numbers[middle] < x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* The same for real numbers. */
static inline size_t loom_lower_bound_real(const double *numbers, size_t n, double x)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (numbers[middle] < x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Return how many of n real numbers are at most x: the index of the first above it, or n. */
static inline size_t loom_upper_bound_real(const double *numbers, size_t n, double x)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (numbers[middle] <= x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

#endif
