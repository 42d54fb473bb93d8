/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: growable arrays (vec.h), what is freed all at once (arena.h), large blocks (pages.h). */
#include "base/arena.h"
#include "base/pages.h"
#include "base/vec.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- growable arrays ------------------------------------------------------------------------- */

int loom_grow_bytes(void *pointer, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity)
        return 0;
    size_t wanted = *capacity < 8 ? 8 : *capacity * 2;
    if (wanted > SIZE_MAX / item_size)
        return -1;
    void *items; /* copied as bytes: pointers to different types may not alias */
    memcpy(&items, pointer, sizeof items);
    items = realloc(items, wanted * item_size);
    if (!items)
        return -1;
    memcpy(pointer, &items, sizeof items);
    *capacity = wanted;
    return 0;
}

/* ---- arenas: a list of blocks that double in size -------------------------------------------- */

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

/* ---- large blocks ---------------------------------------------------------------------------- */

/* Large pages are asked for, because first touches are most of the cost of memory from mmap. */
static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

int loom_pages_grow(struct loom_pages *pages, size_t size)
{
    if (size <= pages->size)
        return 0;
    size_t page = page_size();
    if (size > SIZE_MAX - page)
        return -1;
    size = round_up(size, page);
    void *memory = pages->memory ? mremap(pages->memory, pages->size, size, MREMAP_MAYMOVE)
                                 : mmap(NULL, size, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    (void)madvise(memory, size, MADV_HUGEPAGE); /* a wish */
    pages->memory = memory;
    pages->size = size;
    return 0;
}

void loom_pages_release(const struct loom_pages *pages, size_t from, size_t to)
{
    size_t page = page_size();
    from = round_up(from, page);
    to = to / page * page;
    if (from < to)
        (void)madvise(pages->memory + from, to - from, MADV_DONTNEED);
}

void *loom_pages_alloc(size_t size)
{
    enum { LARGE_PAGE = 2 << 20 };
    if (size < LARGE_PAGE || size > SIZE_MAX - LARGE_PAGE)
        return malloc(size);
    size = round_up(size, LARGE_PAGE);
    void *memory = aligned_alloc(LARGE_PAGE, size);
    if (memory)
        (void)madvise(memory, size, MADV_HUGEPAGE); /* a wish */
    return memory;
}

void loom_pages_free(struct loom_pages *pages)
{
    if (pages->memory)
        munmap(pages->memory, pages->size);
    *pages = (struct loom_pages){0};
}

/* ---- one item, many times -------------------------------------------------------------------- */

void loom_fill(void *to, const void *item, size_t item_size, size_t n)
{
    size_t size = item_size * n, done = item_size;
    if (n == 0)
        return;
    memcpy(to, item, item_size);
    for (; done < size; done += done < size - done ? done : size - done)
        memcpy((char *)to + done, to, done < size - done ? done : size - done);
}

/* A file in memory that holds `unit` bytes of the item, or -1. */
static int repeated_file(const void *item, size_t item_size, size_t unit)
{
    char block[4096];
    loom_fill(block, item, item_size, sizeof block / item_size);
    int fd = memfd_create("repeated", MFD_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < unit; at += sizeof block) {
        if (pwrite(fd, block, sizeof block, (off_t)at) == sizeof block)
            continue;
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Few maps, as a process may have only so many of them. */
void *loom_pages_repeat(const void *item, size_t item_size, size_t n)
{
    enum { MAPS = 64, SMALLEST_UNIT = 64 << 10 };
    if (n == 0 || n > SIZE_MAX / 2 / item_size)
        return NULL;
    size_t size = round_up(n * item_size, page_size());
    size_t unit = round_up(size / MAPS + 1, SMALLEST_UNIT);
    int fd = repeated_file(item, item_size, unit);
    if (fd < 0)
        return NULL;
    char *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool good = memory != MAP_FAILED;
    for (size_t at = 0; good && at < size; at += unit)
        good = mmap(memory + at, size - at < unit ? size - at : unit, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
    close(fd);
    if (good)
        return memory;
    if (memory != MAP_FAILED)
        munmap(memory, size);
    return NULL;
}

void loom_pages_unrepeat(void *memory, size_t size)
{
    munmap(memory, round_up(size, page_size()));
}
