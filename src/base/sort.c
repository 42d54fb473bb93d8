/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers in order. Those that fit 32 bits, as seconds and processors do, are packed into half
 * their room and sorted by digits of 11 bits from the least significant one on, with the other half
 * to sort into; a digit that all numbers share costs no pass, and seconds of up to seven weeks need
 * two. Others, and few, go to the C library's sort.
 */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3, BITS = 11, RADIX = 1 << BITS };

static size_t digit(uint32_t number, int d)
{
    return number >> (BITS * d) & (RADIX - 1);
}

static void count_digits(uint32_t counts[DIGITS][RADIX], const void *numbers, size_t n)
{
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = 0; i < n; i++) {
        uint32_t number = loom_packed_get(numbers, i);
        for (int d = 0; d < DIGITS; d++)
            counts[d][digit(number, d)]++;
    }
}

/* One pass, stable. The counts become the places of what comes next. */
static void distribute(void *to, const void *from, size_t n, int d, uint32_t *counts)
{
    uint32_t sum = 0;
    for (size_t value = 0; value < RADIX; value++) {
        uint32_t count = counts[value];
        counts[value] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t number = loom_packed_get(from, i);
        loom_packed_set(to, counts[digit(number, d)]++, number);
    }
}

size_t loom_sort_packed(void *numbers, size_t n)
{
    uint32_t counts[DIGITS][RADIX];
    size_t half = n * sizeof(uint32_t), from = 0;
    count_digits(counts, numbers, n);
    for (int d = 0; d < DIGITS && n > 0; d++) {
        char *here = (char *)numbers + from, *there = (char *)numbers + (half - from);
        if (counts[d][digit(loom_packed_get(here, 0), d)] == n)
            continue;
        distribute(there, here, n, d, counts[d]);
        from = half - from;
    }
    return from;
}

/* ---- whole numbers --------------------------------------------------------------------------- */

static int compare_int64(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static bool fits(const int64_t *numbers, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits |= (uint64_t)numbers[i];
    return bits <= UINT32_MAX && n <= UINT32_MAX;
}

static int64_t load(const int64_t *numbers, size_t at)
{
    int64_t number;
    memcpy(&number, numbers + at, sizeof number);
    return number;
}

static void unpack(int64_t *numbers, const char *packed, size_t at)
{
    int64_t number = loom_packed_get(packed, at);
    memcpy(numbers + at, &number, sizeof number);
}

/* What is unpacked lies over what is packed, so the end that is not needed any more comes first. */
static void sort_small(int64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        loom_packed_set(numbers, i, (uint32_t)load(numbers, i));
    size_t from = loom_sort_packed(numbers, n);
    const char *packed = (const char *)numbers + from;
    for (size_t i = 0; i < n; i++)
        unpack(numbers, packed, from > 0 ? i : n - 1 - i);
}

size_t loom_sort_int64(int64_t *numbers, size_t n)
{
    size_t different = 0;
    if (n >= LOOM_SORT_FEW && fits(numbers, n))
        sort_small(numbers, n);
    else if (n > 0)
        qsort(numbers, n, sizeof *numbers, compare_int64);
    for (size_t i = 0; i < n; i++)
        different += i == 0 || numbers[i] != numbers[i - 1];
    return different;
}
