/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - what libFuzzer targets share: what must hold, and the input as a file. */
#ifndef LOOM_TESTS_FUZZ_H
#define LOOM_TESTS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) must((condition), #condition, __FILE__, __LINE__)

static inline void must(bool holds, const char *what, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, what);
        abort();
    }
}

/* The input as a file that can be opened by name; the caller must close the descriptor. */
static inline int input_file(const uint8_t *data, size_t size, char *path, size_t path_size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, data + done, size - done);
        MUST(n > 0);
        done += (size_t)n;
    }
    snprintf(path, path_size, "/proc/self/fd/%d", fd);
    return fd;
}

#endif
