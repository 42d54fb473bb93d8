/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.h - numbers in order. */
#ifndef LOOM_BASE_SORT_H
#define LOOM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Fewer numbers than these are sorted by comparing: counters cost more. */
enum { LOOM_SORT_FEW = 400 };

/* Sort numbers, ascending. Returns how many different ones there are. */
size_t loom_sort_int64(int64_t *numbers, size_t n);

/* Sort n numbers of 32 bits, ascending, that stand one after the other in room for twice as many,
 * so that nothing is allocated. Numbers of 64 bits that are small enough can be packed into the
 * first half of their own room. The result begins at the byte that is returned, in the first half
 * or the second, and nothing need be aligned but as uint32_t is. */
size_t loom_sort_packed(void *numbers, size_t n);

static inline uint32_t loom_packed_get(const void *numbers, size_t at)
{
    uint32_t number;
    __builtin_memcpy(&number, (const char *)numbers + at * sizeof number, sizeof number);
    return number;
}

static inline void loom_packed_set(void *numbers, size_t at, uint32_t number)
{
    __builtin_memcpy((char *)numbers + at * sizeof number, &number, sizeof number);
}

#endif
