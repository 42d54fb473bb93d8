/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorting of doubles by their bits: a least-significant-digit radix sort with digits of 8 bits.
 *
 * The bits of a double, read as a whole number, are in the order of the doubles once the sign is
 * mended: negative numbers have all bits flipped, the others the sign bit only. A digit that is the
 * same in all numbers costs no pass. Whole numbers below 2^32, as most samples of logs are, are
 * sorted as such, without memory of their own (base/sort.h); a few numbers of any kind, one by one.
 */
#include "base/sort.h"

#include <workloom/stats.h>

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, RADIX = 256, HANDFUL = 24 };

static uint64_t load(const double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits;
}

static void store(double *x, uint64_t bits)
{
    memcpy(x, &bits, sizeof bits);
}

static uint64_t key_of(uint64_t bits)
{
    return bits ^ (bits >> 63 ? UINT64_MAX : (uint64_t)1 << 63);
}

static uint64_t bits_of(uint64_t key)
{
    return key ^ (key >> 63 ? (uint64_t)1 << 63 : UINT64_MAX);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = key_of(load(a));
    uint64_t y = key_of(load(b));
    return (x > y) - (x < y);
}

/* Turn the numbers into keys, and count how often each digit has each value. */
static void count_digits(size_t counts[DIGITS][RADIX], double *x, size_t n)
{
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(load(&x[i]));
        store(&x[i], key);
        for (int d = 0; d < DIGITS; d++)
            counts[d][key >> (8 * d) & 0xff]++;
    }
}

/* One pass, stable: from -> to by digit d. */
static void distribute(double *to, const double *from, size_t n, int d, const size_t *counts)
{
    size_t next[RADIX];
    size_t sum = 0;
    for (size_t value = 0; value < RADIX; value++) {
        next[value] = sum;
        sum += counts[value];
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t key = load(&from[i]);
        store(&to[next[key >> (8 * d) & 0xff]++], key);
    }
}

static int sort_by_digits(double *x, size_t n, struct loom_error *err)
{
    double *spare = malloc(n * sizeof *spare);
    if (!spare)
        return loom_fail_memory(err);
    size_t counts[DIGITS][RADIX];
    count_digits(counts, x, n);
    double *from = x;
    double *to = spare;
    for (int d = 0; d < DIGITS; d++) {
        if (counts[d][load(&from[0]) >> (8 * d) & 0xff] == n)
            continue;
        distribute(to, from, n, d, counts[d]);
        double *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < n; i++)
        store(&x[i], bits_of(load(&from[i])));
    free(spare);
    return 0;
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* A zero with a sign is none. */
static bool are_whole(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] >= 0 && x[i] <= UINT32_MAX) || x[i] != (double)(uint32_t)x[i] ||
            load(&x[i]) >> 63)
            return false;
    return n <= UINT32_MAX;
}

static void unpack(double *x, const char *packed, size_t at)
{
    double value = loom_packed_get(packed, at);
    memcpy(x + at, &value, sizeof value);
}

/* What is unpacked lies over what is packed, so the end that is not needed any more comes first. */
static void sort_whole(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double value;
        memcpy(&value, x + i, sizeof value);
        loom_packed_set(x, i, (uint32_t)value);
    }
    size_t from = loom_sort_packed(x, n);
    const char *packed = (const char *)x + from;
    for (size_t i = 0; i < n; i++)
        unpack(x, packed, from > 0 ? i : n - 1 - i);
}

/* ---- any numbers ----------------------------------------------------------------------------- */

static void insert_each(double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        double value = x[i];
        size_t at = i;
        for (; at > 0 && compare(&x[at - 1], &value) > 0; at--)
            x[at] = x[at - 1];
        x[at] = value;
    }
}

int loom_sort(double *x, size_t n, struct loom_error *err)
{
    if (n <= HANDFUL)
        insert_each(x, n);
    else if (n < LOOM_SORT_FEW)
        qsort(x, n, sizeof *x, compare);
    else if (are_whole(x, n))
        sort_whole(x, n);
    else
        return sort_by_digits(x, n, err);
    return 0;
}
