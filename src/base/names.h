/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names.h - a two-way table between small numbers and names. A zeroed struct is an empty table. The
 * text of the names is kept in an arena of the owner's.
 */
#ifndef LOOM_BASE_NAMES_H
#define LOOM_BASE_NAMES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

struct loom_named {
    int32_t number;
    uint32_t length;
    const char *name;
};

struct loom_names {
    struct loom_named *entries; /* ordered by number, no number twice */
    size_t n, capacity;
    struct loom_named *slots; /* hash table by name, open addressing; name NULL is free */
    size_t n_slots;           /* a power of two, at least 2n, or 0 */
};

/* The index in entries of a number, or n. */
size_t loom_names_position(const struct loom_names *names, int32_t number);
/* The name of a number, or NULL. */
const char *loom_names_get(const struct loom_names *names, int32_t number);
/* The number of a name, or -1; the smallest if several numbers have that name. */
int32_t loom_names_find(const struct loom_names *names, const char *name, size_t length);
/* Name a number, anew if it had a name. 0, or -1 when memory is out. */
int loom_names_set(struct loom_names *names, struct loom_arena *arena, int32_t number,
                   const char *name, size_t length);
/* The number of a name; a new name gets the number after the largest, from 1. -1 when memory or
 * numbers are out. */
int32_t loom_names_intern(struct loom_names *names, struct loom_arena *arena, const char *name,
                          size_t length);
void loom_names_free(struct loom_names *names);

#endif
