/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD under which one request to the file system fails.
 *
 *   LOOM_FAIL_AT=N, LOOM_FAIL_ON=1, LOOM_FAIL_REPORT=FILE   as in requests.h
 *   LOOM_FAIL_SHORT=1  reads and writes of more than one byte do half of it instead of failing
 *
 * Requests that make or fill files (write, fsync, rename, open for writing, ...) fail with ENOSPC,
 * those that read with EIO. Standard error is left alone: the message must get through. close
 * reports a failure as network file systems do, after the descriptor is gone. Only calls that a
 * program makes itself come through here, not those inside the C library.
 */
#undef _FILE_OFFSET_BITS /* with it, the names below would stand for their 64-bit variants */
#include "requests.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* The build hides what is not marked; these are there to be found. */
#pragma GCC visibility push(default)

static bool fail_short;

__attribute__((constructor)) static void start_short(void)
{
    fail_short = getenv("LOOM_FAIL_SHORT") != NULL;
}

/* The bytes to really transfer of `size`: all, half, or -1 for a failure. */
static ssize_t transfer(size_t size, int reason)
{
    if (!fails(reason))
        return (ssize_t)size;
    return fail_short && size > 1 ? (ssize_t)(size / 2) : -1;
}

/* ---- reading and writing --------------------------------------------------------------------- */

ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t n = fd == STDERR_FILENO ? (ssize_t)size : transfer(size, ENOSPC);
    return n < 0 ? -1 : syscall(SYS_write, fd, data, n);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t n = transfer(size, ENOSPC);
    return n < 0 ? -1 : syscall(SYS_pwrite64, fd, data, n, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    return pwrite(fd, data, size, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
    return fd != STDERR_FILENO && fails(ENOSPC) ? -1 : syscall(SYS_writev, fd, parts, n);
}

ssize_t read(int fd, void *data, size_t size)
{
    ssize_t n = transfer(size, EIO);
    return n < 0 ? -1 : syscall(SYS_read, fd, data, n);
}

ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
    ssize_t n = transfer(size, EIO);
    return n < 0 ? -1 : syscall(SYS_pread64, fd, data, n, offset);
}

ssize_t pread64(int fd, void *data, size_t size, off64_t offset)
{
    return pread(fd, data, size, offset);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
    int reason = (flags & O_ACCMODE) == O_RDONLY ? EIO : ENOSPC;
    return fails(reason) ? -1 : (int)syscall(SYS_openat, directory, path, flags, mode);
}

/* The mode that follows the flags where they ask for one. */
#define MODE_AFTER(flags, mode)                \
    do {                                       \
        va_list rest;                          \
        va_start(rest, flags);                 \
        if ((flags) & (O_CREAT | __O_TMPFILE)) \
            (mode) = va_arg(rest, mode_t);     \
        va_end(rest);                          \
    } while (0)

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    MODE_AFTER(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    mode_t mode = 0;
    MODE_AFTER(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
    mode_t mode = 0;
    MODE_AFTER(flags, mode);
    return open_at(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...)
{
    mode_t mode = 0;
    MODE_AFTER(flags, mode);
    return open_at(directory, path, flags, mode);
}

/* These make names, so the real ones do the work. */
int mkostemp(char *template, int flags)
{
    int (*real)(char *, int) = (int (*)(char *, int))dlsym(RTLD_NEXT, "mkostemp");
    return fails(ENOSPC) ? -1 : real(template, flags);
}

int mkostemp64(char *template, int flags)
{
    return mkostemp(template, flags);
}

int mkstemp(char *template)
{
    return mkostemp(template, 0);
}

int mkstemp64(char *template)
{
    return mkostemp(template, 0);
}

int close(int fd)
{
    bool failing = fd != STDERR_FILENO && fails(EIO);
    int result = (int)syscall(SYS_close, fd);
    if (failing)
        errno = EIO;
    return failing ? -1 : result;
}

int fstat(int fd, struct stat *status)
{
    return fails(EIO) ? -1 : fstatat(fd, "", status, AT_EMPTY_PATH);
}

int fstat64(int fd, struct stat64 *status)
{
    return fails(EIO) ? -1 : fstatat64(fd, "", status, AT_EMPTY_PATH);
}

/* ---- the rest of making a file --------------------------------------------------------------- */

int fsync(int fd)
{
    return fails(ENOSPC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return fails(ENOSPC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t size)
{
    return fails(ENOSPC) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

int fchmod(int fd, mode_t mode)
{
    return fails(EIO) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int rename(const char *from, const char *to)
{
    return fails(ENOSPC) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    return fails(ENOSPC) ? -1 : (int)syscall(SYS_renameat, from_directory, from, to_directory, to);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
    return fails(ENOSPC) ? -1
                         : (int)syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
}
