/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.h - one large growable block of memory from mmap, whose beginning can be released while the
 * rest is in use. Untouched memory costs nothing. A zeroed struct is an empty block.
 */
#ifndef LOOM_BASE_PAGES_H
#define LOOM_BASE_PAGES_H

#include <stddef.h>

struct loom_pages {
    char *memory;
    size_t size;
};

/* Make the block at least size bytes long; it may move. 0, or -1 when memory is out. */
int loom_pages_grow(struct loom_pages *pages, size_t size);
/* Release the whole pages in [from, to) to the system. Their contents are lost. */
void loom_pages_release(const struct loom_pages *pages, size_t from, size_t to);
/* Allocate as malloc does, for free and realloc, but a large block on huge pages if the system has
 * them: page faults on small pages can cost more than the work done with them. */
void *loom_pages_alloc(size_t size);
void loom_pages_free(struct loom_pages *pages);

/* Store n copies of an item in a row. */
void loom_fill(void *to, const void *item, size_t item_size, size_t n);
/* Allocate the same as repeated mappings of a few physical pages, copied on write. item_size must
 * be a power of two below a page. NULL if the system refuses. Free with loom_pages_unrepeat(memory,
 * size), where size is n * item_size. */
void *loom_pages_repeat(const void *item, size_t item_size, size_t n);
void loom_pages_unrepeat(void *memory, size_t size);

#endif
