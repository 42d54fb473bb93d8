/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vec.h - growable arrays. An array is three fields of its owner: a pointer, a count and a
 * capacity. loom_grow makes room for one more entry (at least), doubling, and leaves everything as
 * it was when memory is out:
 *
 *     if (loom_grow(&list->items, list->n, &list->capacity))
 *         return loom_fail_memory(err);
 *     list->items[list->n++] = item;
 */
#ifndef LOOM_BASE_VEC_H
#define LOOM_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Make room for item count of an array. Returns 0, or -1 when memory is out. pointer is the address
 * of the owner's pointer. */
int loom_grow_bytes(void *pointer, size_t count, size_t *capacity, size_t item_size);

#define loom_grow(items, count, capacity) \
    loom_grow_bytes((items), (count), (capacity), sizeof **(items))

#endif
