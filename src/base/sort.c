/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in order, by the C library's sort. */
#include "base/sort.h"

#include <stdlib.h>

static int compare_int64(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

size_t loom_sort_int64(int64_t *numbers, size_t n)
{
    size_t different = 0;
    if (n > 0)
        qsort(numbers, n, sizeof *numbers, compare_int64);
    for (size_t i = 0; i < n; i++)
        different += i == 0 || numbers[i] != numbers[i - 1];
    return different;
}
