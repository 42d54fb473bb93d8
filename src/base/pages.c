/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory from mmap. Large pages are asked for, because first touches are most of its cost. */
#include "base/pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
