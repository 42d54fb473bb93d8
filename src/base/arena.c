/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bump allocator over a list of blocks that double in size. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct loom_arena_block {
    struct loom_arena_block *older;
    size_t size, used;
    alignas(max_align_t) unsigned char memory[];
};

static struct loom_arena_block *add_block(struct loom_arena *arena, size_t needed)
{
    size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < needed)
        size = needed;
    if (size > SIZE_MAX - sizeof(struct loom_arena_block))
        return NULL;
    struct loom_arena_block *block = malloc(sizeof *block + size);
    if (!block)
        return NULL;
    *block = (struct loom_arena_block){.older = arena->blocks, .size = size};
    arena->blocks = block;
    return block;
}

void *loom_arena_alloc(struct loom_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align)
        return NULL;
    size = (size + align - 1) / align * align;
    struct loom_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < size)
        block = add_block(arena, size);
    if (!block)
        return NULL;
    void *memory = block->memory + block->used;
    block->used += size;
    return memory;
}

char *loom_arena_text(struct loom_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX)
        return NULL;
    char *copy = loom_arena_alloc(arena, length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void loom_arena_free(struct loom_arena *arena)
{
    while (arena->blocks) {
        struct loom_arena_block *older = arena->blocks->older;
        free(arena->blocks);
        arena->blocks = older;
    }
}
