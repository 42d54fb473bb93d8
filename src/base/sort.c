/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Radix sorts. Many numbers are copied to and fro between two arrays, in order of one digit after
 * the other from the least significant on. Few numbers, and many where memory is out, are sorted in
 * place from the most significant digit on: numbers are exchanged until each is in the part of its
 * digit (McIlroy, Bostic, McIlroy 1993, "American flag sort"), then each part is sorted by the next
 * digit. Digits that all numbers share cost nothing.
 */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 32, MANY = 4096, MOST_BITS = 11, DIGITS = 1 << MOST_BITS };

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

/* Copy keys in order of the digit at `shift`; equal digits keep their order. */
static void copy_by_digit(loom_key *to, const loom_key *from, size_t n, int shift)
{
    size_t starts[DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < n; i++)
        starts[from[i] >> shift & (DIGITS - 1)]++;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = starts[digit];
        starts[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sort by all digits in which keys differ. Returns false where there is no memory for a copy. */
static bool sort_by_digits(loom_key *keys, size_t n, uint64_t different)
{
    loom_key *room = malloc(n * sizeof *room), *from = keys, *to = room;
    if (!room)
        return false;
    for (int shift = 0; shift < 64; shift += MOST_BITS) {
        if ((different >> shift & (DIGITS - 1)) == 0)
            continue;
        copy_by_digit(to, from, n, shift);
        loom_key *sorted = to;
        to = from;
        from = sorted;
    }
    if (from == room)
        memcpy(keys, room, n * sizeof *keys);
    free(room);
    return true;
}

void loom_sort_keys(loom_key *keys, size_t n)
{
    uint64_t different = 0;
    bool sorted = true;
    for (size_t i = 1; i < n; i++) {
        different |= keys[i] ^ keys[0];
        sorted &= keys[i - 1] <= keys[i];
    }
    if (!sorted && (n < MANY || !sort_by_digits(keys, n, different)))
        sort_in_place(keys, n);
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

/* ---- records --------------------------------------------------------------------------------- */

struct records {
    char *items;
    size_t n, size, offset;
};

static int64_t record_key(const struct records *records, size_t i)
{
    int64_t key;
    memcpy(&key, records->items + i * records->size + records->offset, sizeof key);
    return key;
}

/* Copy the records to `to`, in order of one digit of what their keys have above the least. */
static void sort_by_digit(char *to, const struct records *records, int64_t least, unsigned shift)
{
    size_t starts[DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < records->n; i++)
        starts[((uint64_t)record_key(records, i) - (uint64_t)least) >> shift & (DIGITS - 1)]++;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = starts[digit];
        starts[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < records->n; i++) {
        uint64_t above = (uint64_t)record_key(records, i) - (uint64_t)least;
        memcpy(to + starts[above >> shift & (DIGITS - 1)]++ * records->size,
               records->items + i * records->size, records->size);
    }
}

/* From the last digit to the first. */
int loom_sort_records(void *items, size_t n, size_t size, size_t offset)
{
    struct records records = {items, n, size, offset};
    int64_t least = INT64_MAX, most = INT64_MIN, last = INT64_MIN;
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        int64_t key = record_key(&records, i);
        sorted = sorted && last <= key;
        last = key;
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    if (sorted)
        return 0;
    char *room = malloc(n * size), *to = room;
    if (!room)
        return -1;
    uint64_t range = (uint64_t)most - (uint64_t)least;
    for (unsigned shift = 0; shift < 64 && range >> shift; shift += MOST_BITS) {
        sort_by_digit(to, &records, least, shift);
        char *sorted_items = to;
        to = records.items;
        records.items = sorted_items;
    }
    if (records.items == room)
        memcpy(items, room, n * size);
    free(room);
    return 0;
}
