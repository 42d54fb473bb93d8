/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorting of doubles by their bits: a least-significant-digit radix sort with digits of 8 bits.
 *
 * The bits of a double, read as a whole number, are in the order of the doubles once the sign is
 * mended: negative numbers have all bits flipped, the others the sign bit only. A digit that is the
 * same in all numbers costs no pass: whole seconds below 2^31 need four of the eight.
 */
#include <workloom/stats.h>

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, RADIX = 256, SMALL = 200 };

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

int loom_sort(double *x, size_t n, struct loom_error *err)
{
    if (n < SMALL) {
        if (n > 1)
            qsort(x, n, sizeof *x, compare);
        return 0;
    }
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
