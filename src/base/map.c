/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers to consecutive indices. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* The finalizer of MurmurHash3: every bit of the key changes half of the result. */
static uint64_t map_mix(uint64_t key)
{
    key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

/* The slot of a key, or the free one where it belongs. */
static size_t map_slot_of(const struct loom_map *map, uint64_t key)
{
    size_t slot = (size_t)map_mix(key) & (map->n_slots - 1);
    while (map->indices[slot] != LOOM_MAP_NONE && map->keys[slot] != key)
        slot = (slot + 1) & (map->n_slots - 1);
    return slot;
}

static int grow(struct loom_map *map)
{
    struct loom_map next = {.n = map->n, .n_slots = map->n_slots ? 2 * map->n_slots : 64};
    next.keys = malloc(next.n_slots * sizeof *next.keys);
    next.indices = malloc(next.n_slots * sizeof *next.indices);
    if (!next.keys || !next.indices) {
        loom_map_free(&next);
        return -1;
    }
    memset(next.indices, 0xff, next.n_slots * sizeof *next.indices);
    for (size_t i = 0; i < map->n_slots; i++)
        if (map->indices[i] != LOOM_MAP_NONE) {
            size_t slot = map_slot_of(&next, map->keys[i]);
            next.keys[slot] = map->keys[i];
            next.indices[slot] = map->indices[i];
        }
    loom_map_free(map);
    *map = next;
    return 0;
}

uint32_t loom_map_find(const struct loom_map *map, uint64_t key)
{
    return map->n_slots ? map->indices[map_slot_of(map, key)] : LOOM_MAP_NONE;
}

uint32_t loom_map_intern(struct loom_map *map, uint64_t key)
{
    if (2 * (map->n + 1) > map->n_slots && (map->n >= LOOM_MAP_NONE || grow(map)))
        return LOOM_MAP_NONE;
    size_t slot = map_slot_of(map, key);
    if (map->indices[slot] == LOOM_MAP_NONE) {
        map->keys[slot] = key;
        map->indices[slot] = (uint32_t)map->n++;
    }
    return map->indices[slot];
}

void loom_map_free(struct loom_map *map)
{
    free(map->keys);
    free(map->indices);
    *map = (struct loom_map){0};
}
