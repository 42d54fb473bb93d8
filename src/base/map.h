/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map.h - a map from 64-bit keys to consecutive indices: the n-th different key gets index n. Open
 * addressing, at most half full. A map starts as {0} and must be freed.
 *
 * Keys of several parts are interned one part after the other: the index of the first part and the
 * second part make the next key (loom_map_pair).
 */
#ifndef LOOM_BASE_MAP_H
#define LOOM_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

enum { LOOM_MAP_NONE = UINT32_MAX };

struct loom_map {
    uint64_t *keys;    /* by slot */
    uint32_t *indices; /* by slot; LOOM_MAP_NONE: free */
    size_t n;          /* keys */
    size_t n_slots;    /* a power of two, or 0 */
};

static inline uint64_t loom_map_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* Return the index of a key, LOOM_MAP_NONE if it is not in the map. */
uint32_t loom_map_find(const struct loom_map *map, uint64_t key);
/* Return the index of a key, which is added if it is new: the index is then n before the call.
 * LOOM_MAP_NONE when memory is out. */
uint32_t loom_map_intern(struct loom_map *map, uint64_t key);
void loom_map_free(struct loom_map *map);

#endif
