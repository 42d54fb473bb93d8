/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests.h - for a library that is preloaded to let requests fail: which of them fails, and how
 * many there were.
 *
 *   LOOM_FAIL_AT=N         the Nth request, from 1; 0 or unset fails none
 *   LOOM_FAIL_ON=1         and every one after it
 *   LOOM_FAIL_REPORT=FILE  at exit, write "REQUESTS FAILED LIVE" there: requests made, requests
 *                          that were failed, blocks that were never freed
 *
 * Counting starts after the libraries are loaded. Programs that are started in turn are spared.
 */
#ifndef LOOM_TESTS_REQUESTS_H
#define LOOM_TESTS_REQUESTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_bool armed;
static atomic_long requests, failures, live;
static long fail_at;
static bool fail_on;

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("LOOM_FAIL_AT");
    fail_at = at != NULL ? strtol(at, NULL, 10) : 0;
    fail_on = getenv("LOOM_FAIL_ON") != NULL;
    unsetenv("LD_PRELOAD");
    atomic_store(&armed, true);
}

__attribute__((destructor)) static void finish(void)
{
    const char *path = getenv("LOOM_FAIL_REPORT");
    atomic_store(&armed, false);
    int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        dprintf(fd, "%ld %ld %ld\n", atomic_load(&requests), atomic_load(&failures),
                atomic_load(&live));
        close(fd);
    }
}

/* Whether the request being made is one that fails; errno is then set to reason. */
static bool fails(int reason)
{
    if (!atomic_load(&armed))
        return false;
    long number = atomic_fetch_add(&requests, 1) + 1;
    if (fail_at <= 0 || !(number == fail_at || (fail_on && number > fail_at)))
        return false;
    atomic_fetch_add(&failures, 1);
    errno = reason;
    return true;
}

#endif
