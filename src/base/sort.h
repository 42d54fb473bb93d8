/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.h - numbers in order. */
#ifndef LOOM_BASE_SORT_H
#define LOOM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Keys may lie where numbers of another type were. */
typedef uint64_t __attribute__((may_alias)) loom_key;

/* Sort keys, ascending. Many keys take memory for a copy, or more time where there is none. */
void loom_sort_keys(loom_key *keys, size_t n);

/* Sort numbers, ascending. Returns how many different ones there are. */
size_t loom_sort_int64(int64_t *numbers, size_t n);

/* The same for numbers that are not NaN; -0 comes before 0. */
void loom_sort_real(double *numbers, size_t n);

/* Let keys[k] be what it were if all n were sorted, with nothing larger before it and nothing
 * smaller behind it. What lies before `from` is in its place already. Numbers of at least 0, whole
 * or real, are in the order of their bits. */
void loom_select_key(loom_key *keys, size_t from, size_t n, size_t k);

/* Sort n records of 16 bytes by the int64_t that each begins with, ascending; records with equal
 * keys keep their order. Returns 0, or -1 when memory is out. */
int loom_sort_records(void *records, size_t n);

#endif
