/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD under which one request for memory fails.
 *
 *   LOOM_FAIL_AT=N, LOOM_FAIL_ON=1, LOOM_FAIL_REPORT=FILE   as in requests.h
 *
 * Requests are the C library's own too (strdup, getline, fopen, ...): they come through here.
 * Memory that a program maps itself counts like any other, a mapping as one block. The real
 * allocator is reached by glibc's __libc_ names, which need no lookup that would itself ask for
 * memory.
 *
 * Two libraries cannot bear it, whatever their users do. FFTW ends the program when memory is
 * refused to it: what it asks for itself always comes. Jansson 2.14 does not look whether the
 * buffer of its lexer could grow, and reads past its end: so do the sizes which that buffer asks
 * for, the powers of two from 32 on.
 */
#undef _FILE_OFFSET_BITS /* with it, mmap would stand for mmap64 */
#include "requests.h"

#include <link.h>
#include <malloc.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* ---- whose requests may fail ----------------------------------------------------------------- */

enum { MOST_SEGMENTS = 32 };

/* Where the code of these libraries is. */
static struct segment {
    uintptr_t from, to;
    bool jansson;
} segments[MOST_SEGMENTS];
static size_t n_segments;

static int note_segments(struct dl_phdr_info *info, size_t size, void *context)
{
    bool jansson = strstr(info->dlpi_name, "libjansson") != NULL;
    (void)size, (void)context;
    if (!jansson && !strstr(info->dlpi_name, "libfftw3"))
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum && n_segments < MOST_SEGMENTS; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD)
            segments[n_segments++] = (struct segment){from, from + header->p_memsz, jansson};
    }
    return 0;
}

__attribute__((constructor)) static void find_libraries(void)
{
    dl_iterate_phdr(note_segments, NULL);
}

static bool must_come(const void *caller, size_t size)
{
    uintptr_t place = (uintptr_t)caller;
    for (size_t i = 0; i < n_segments; i++)
        if (place >= segments[i].from && place < segments[i].to)
            return !segments[i].jansson || (size >= 32 && (size & (size - 1)) == 0);
    return false;
}

#define REFUSED(size) (!must_come(__builtin_return_address(0), size) && fails(ENOMEM))

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The build hides what is not marked; these are there to be found. */
#pragma GCC visibility push(default)

static void *counted(void *block)
{
    if (block != NULL && atomic_load(&armed))
        atomic_fetch_add(&live, 1);
    return block;
}

void *malloc(size_t size)
{
    return REFUSED(size) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return REFUSED(n * size) ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *block, size_t size)
{
    if (block == NULL)
        return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    return fails(ENOMEM) ? NULL : __libc_realloc(block, size);
}

void *reallocarray(void *block, size_t n, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return REFUSED(size) ? NULL : counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return REFUSED(size) ? NULL : counted(__libc_memalign(alignment, size));
}

/* Reports by its value and leaves errno alone. */
int posix_memalign(void **out, size_t alignment, size_t size)
{
    int before = errno;
    void *block = REFUSED(size) ? NULL : counted(__libc_memalign(alignment, size));
    errno = before;
    if (block == NULL)
        return ENOMEM;
    *out = block;
    return 0;
}

void free(void *block)
{
    if (block != NULL && atomic_load(&armed))
        atomic_fetch_sub(&live, 1);
    __libc_free(block);
}

/* ---- mappings -------------------------------------------------------------------------------- */

static void *mapped(long address)
{
    return (void *)address; /* -1 is MAP_FAILED */
}

void *mmap(void *where, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails(ENOMEM))
        return MAP_FAILED;
    void *memory = mapped(syscall(SYS_mmap, where, size, protection, flags, fd, offset));
    if (memory != MAP_FAILED)
        counted(memory);
    return memory;
}

void *mmap64(void *where, size_t size, int protection, int flags, int fd, off64_t offset)
{
    return mmap(where, size, protection, flags, fd, offset);
}

void *mremap(void *memory, size_t old_size, size_t size, int flags, ...)
{
    void *target = NULL;
    if (flags & MREMAP_FIXED) {
        va_list rest;
        va_start(rest, flags);
        target = va_arg(rest, void *);
        va_end(rest);
    }
    if (size > old_size && fails(ENOMEM))
        return MAP_FAILED;
    return mapped(syscall(SYS_mremap, memory, old_size, size, flags, target));
}

int munmap(void *memory, size_t size)
{
    if (atomic_load(&armed))
        atomic_fetch_sub(&live, 1);
    return (int)syscall(SYS_munmap, memory, size);
}
