/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Radix sorts. Many numbers are copied to and fro between two arrays, in order of one digit after
 * the other from the least significant on. Few numbers, and many where memory is out, are sorted in
 * place from the most significant digit on: numbers are exchanged until each is in the part of its
 * digit (McIlroy, Bostic, McIlroy 1993, "American flag sort"), then each part is sorted by the next
 * digit. Bits that all numbers share cost nothing.
 */
#include "base/sort.h"

#include "base/pages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { FEW = 32, MANY = 4096, MOST_BITS = 11, DIGITS = 1 << MOST_BITS };

static const loom_key SIGN = (loom_key)1 << 63;

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
static void sort_in_place(loom_key *keys, size_t n)
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
        sort_in_place(keys + from, end[digit] - from);
}

/* ---- copying to and fro ---------------------------------------------------------------------- */

/* Return the key of an item, its first eight bytes, with some bits flipped. */
static inline uint64_t key_of(const char *item, uint64_t flip)
{
    uint64_t key;
    memcpy(&key, item, sizeof key);
    return key ^ flip;
}

/* Copy items in order of the digit at `shift` of what their keys have above the least; equal digits
 * keep their order. */
INLINE void copy_by_digit(char *to, const char *from, size_t n, size_t size, uint64_t flip,
                          uint64_t least, int shift, int bits)
{
    size_t starts[DIGITS] = {0}, before = 0, mask = ((size_t)1 << bits) - 1;
    for (size_t i = 0; i < n; i++)
        starts[(key_of(from + i * size, flip) - least) >> shift & mask]++;
    for (size_t digit = 0; digit <= mask; digit++) {
        size_t here = starts[digit];
        starts[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++) {
        const char *item = from + i * size;
        memcpy(to + starts[(key_of(item, flip) - least) >> shift & mask]++ * size, item, size);
    }
}

/* Sort items by their keys, with `flip` flipped, by as few digits as hold the bits in which keys
 * differ. Returns -1 where there is no memory for a copy. */
INLINE int sort_by_digits(void *items, size_t n, size_t size, uint64_t flip)
{
    uint64_t last = 0, least = UINT64_MAX, most = 0, different = 0;
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of((char *)items + i * size, flip);
        different |= key ^ key_of(items, flip);
        sorted &= last <= key;
        last = key;
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    if (sorted)
        return 0;
    int low = __builtin_ctzll(different), range = 64 - low - __builtin_clzll(most - least);
    int digits = (range + MOST_BITS - 1) / MOST_BITS, bits = (range + digits - 1) / digits;
    char *room = loom_pages_alloc(n * size), *from = items, *to = room;
    if (!room)
        return -1;
    for (int digit = 0; digit < digits; digit++) {
        copy_by_digit(to, from, n, size, flip, least, low + digit * bits, bits);
        char *sorted_items = to;
        to = from;
        from = sorted_items;
    }
    if (from == room)
        memcpy(items, room, n * size);
    free(room);
    return 0;
}

int loom_sort_records(void *records, size_t n)
{
    return sort_by_digits(records, n, 2 * sizeof(loom_key), SIGN);
}

/* Sort few keys, or many where memory is out. */
static void sort_few(loom_key *keys, size_t n)
{
    size_t i = 1;
    while (i < n && keys[i - 1] <= keys[i])
        i++;
    if (i < n)
        sort_in_place(keys, n);
}

void loom_sort_keys(loom_key *keys, size_t n)
{
    if (n < MANY || sort_by_digits(keys, n, sizeof *keys, 0))
        sort_few(keys, n);
}

/* With the sign bit flipped, whole numbers are in the order of their bits. */
size_t loom_sort_int64(int64_t *numbers, size_t n)
{
    loom_key *keys = (loom_key *)(void *)numbers;
    size_t different = n > 0;
    if (n < MANY || sort_by_digits(numbers, n, sizeof *numbers, SIGN)) {
        for (size_t i = 0; i < n; i++)
            keys[i] ^= SIGN;
        sort_few(keys, n);
        for (size_t i = 0; i < n; i++)
            keys[i] ^= SIGN;
    }
    for (size_t i = 1; i < n; i++)
        different += numbers[i] != numbers[i - 1];
    return different;
}

/* Real numbers are ordered by their bits after flipping all bits of negative numbers, and the sign
 * bit of the others. */
void loom_sort_real(double *numbers, size_t n)
{
    loom_key *keys = (loom_key *)(void *)numbers;
    for (size_t i = 0; i < n; i++)
        keys[i] ^= keys[i] & SIGN ? UINT64_MAX : SIGN;
    loom_sort_keys(keys, n);
    for (size_t i = 0; i < n; i++)
        keys[i] ^= keys[i] & SIGN ? SIGN : UINT64_MAX;
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
