/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.h - numbers in order. */
#ifndef LOOM_BASE_SORT_H
#define LOOM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort numbers, ascending. Returns how many different ones there are. */
size_t loom_sort_int64(int64_t *numbers, size_t n);

#endif
