/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a place in order holds, without sorting. */
#include "sim/index/bits.h"

static void exchange(int64_t *a, int64_t *b)
{
    int64_t old = *a;
    *a = *b;
    *b = old;
}

/* Hoare's selection. */
void loom_select_place(int64_t *bits, size_t from, size_t n, size_t k)
{
    size_t low = from, high = n - 1;
    while (low < high) {
        int64_t pivot = bits[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (bits[i] < pivot)
                i++;
            while (bits[j] > pivot)
                j--;
            if (i >= j)
                break;
            exchange(&bits[i++], &bits[j--]);
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
}
