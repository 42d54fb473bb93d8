/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A radix sort from the most significant digit on: numbers are exchanged until each is in the part
 * of its digit (McIlroy, Bostic, McIlroy 1993, "American flag sort"), then each part is sorted by
 * the next digit. Nothing is allocated. Bits that all numbers share cost nothing.
 */
#include "base/sort.h"

#include <string.h>

enum { FEW = 32, MOST_BITS = 11 };

static void insert_each(loom_key *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        loom_key key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* How many of the lowest bits differ. */
static int different_bits(const loom_key *keys, size_t n)
{
    uint64_t different = 0;
    for (size_t i = 1; i < n; i++)
        different |= keys[i] ^ keys[0];
    return different ? 64 - __builtin_clzll(different) : 0;
}

/* A digit has as many bits as leave some sixteen keys to a part. */
void loom_sort_keys(loom_key *keys, size_t n)
{
    size_t next[1 << MOST_BITS], end[1 << MOST_BITS], sum = 0;
    if (n <= FEW) {
        insert_each(keys, n);
        return;
    }
    int different = different_bits(keys, n), bits = 60 - __builtin_clzll(n);
    bits = bits > MOST_BITS ? MOST_BITS : bits;
    bits = bits > different ? different : bits;
    int shift = different - bits;
    size_t radix = (size_t)1 << bits;
    memset(end, 0, radix * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[keys[i] >> shift & (radix - 1)]++;
    for (size_t digit = 0; digit < radix; digit++) {
        next[digit] = sum;
        sum = end[digit] += sum;
    }
    for (size_t digit = 0; digit < radix; digit++)
        while (next[digit] < end[digit]) {
            loom_key *here = &keys[next[digit]], key = *here;
            size_t to;
            while ((to = key >> shift & (radix - 1)) != digit) {
                loom_key *there = &keys[next[to]++], other = *there;
                *there = key;
                key = other;
            }
            *here = key;
            next[digit]++;
        }
    for (size_t digit = 0, from = 0; digit < radix && shift > 0; from = end[digit++])
        loom_sort_keys(keys + from, end[digit] - from);
}

/* With the sign bit flipped, whole numbers are in the order of their bits. */
size_t loom_sort_int64(int64_t *numbers, size_t n)
{
    const loom_key sign = (loom_key)1 << 63;
    loom_key *keys = (loom_key *)(void *)numbers;
    size_t different = n > 0;
    for (size_t i = 0; i < n; i++)
        keys[i] ^= sign;
    loom_sort_keys(keys, n);
    for (size_t i = 1; i < n; i++)
        different += keys[i] != keys[i - 1];
    for (size_t i = 0; i < n; i++)
        keys[i] ^= sign;
    return different;
}

/* The bits of a real number are in order once the sign is mended: negative numbers have all bits
 * flipped, the others the sign bit only. */
void loom_sort_real(double *numbers, size_t n)
{
    const loom_key sign = (loom_key)1 << 63;
    loom_key *keys = (loom_key *)(void *)numbers;
    for (size_t i = 0; i < n; i++)
        keys[i] ^= keys[i] & sign ? UINT64_MAX : sign;
    loom_sort_keys(keys, n);
    for (size_t i = 0; i < n; i++)
        keys[i] ^= keys[i] & sign ? sign : UINT64_MAX;
}

/* Hoare's selection. */
void loom_select_key(loom_key *keys, size_t from, size_t n, size_t k)
{
    size_t low = from, high = n - 1;
    while (low < high) {
        loom_key pivot = keys[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (keys[i] < pivot)
                i++;
            while (keys[j] > pivot)
                j--;
            if (i >= j)
                break;
            loom_key old = keys[i];
            keys[i++] = keys[j];
            keys[j--] = old;
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
}
