/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory from mmap. Large pages are asked for, because first touches are most of its cost. */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

int loom_pages_grow(struct loom_pages *pages, size_t size)
{
    if (size <= pages->size)
        return 0;
    size_t page = page_size();
    if (size > SIZE_MAX - page)
        return -1;
    size = (size + page - 1) / page * page;
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
    from = (from + page - 1) / page * page;
    to = to / page * page;
    if (from < to)
        (void)madvise(pages->memory + from, to - from, MADV_DONTNEED);
}

void *loom_pages_alloc(size_t size)
{
    enum { LARGE_PAGE = 2 << 20, WORTHWHILE = 2 * LARGE_PAGE };
    if (size < WORTHWHILE || size > SIZE_MAX - LARGE_PAGE)
        return malloc(size);
    size = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
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
