/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.h - sorting and selection of numbers. */
#ifndef LOOM_BASE_SORT_H
#define LOOM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Keys may alias numbers of another type. */
typedef uint64_t __attribute__((may_alias)) loom_key;

/* Sort keys, ascending. Many keys need memory for a copy, or more time if there is none. */
void loom_sort_keys(loom_key *keys, size_t n);

/* Sort numbers, ascending. Returns how many different ones there are. */
size_t loom_sort_int64(int64_t *numbers, size_t n);

/* The same for numbers that are not NaN; -0 comes before 0. */
void loom_sort_real(double *numbers, size_t n);

/* Partition n keys so that keys[k] is as if all were sorted, with nothing larger before it and
 * nothing smaller after it. Keys before `from` are in place already. Numbers of at least 0, whole
 * or real, are ordered by their bits. */
void loom_select_key(loom_key *keys, size_t from, size_t n, size_t k);

/* Sort n records of 16 bytes by the int64_t that each begins with, ascending; records with equal
 * keys keep their order. Returns 0, or -1 when memory is out. */
int loom_sort_records(void *records, size_t n);

#endif
