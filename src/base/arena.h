/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arena.h - memory that is freed all at once. A zeroed struct is an empty arena. Allocations never
 * move, and are aligned for any type.
 */
#ifndef LOOM_BASE_ARENA_H
#define LOOM_BASE_ARENA_H

#include <stddef.h>

struct loom_arena_block;

struct loom_arena {
    struct loom_arena_block *blocks; /* newest first; only the newest has room */
};

/* Allocate size bytes. NULL when memory is out. */
void *loom_arena_alloc(struct loom_arena *arena, size_t size);
/* Copy length bytes and add a NUL. NULL when memory is out. */
char *loom_arena_text(struct loom_arena *arena, const char *text, size_t length);
void loom_arena_free(struct loom_arena *arena);

#endif
