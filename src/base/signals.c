/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocking of signals, and the table of temporary files and directories that a handler removes. The
 * table is the one mutable global of the library: a signal is delivered to the process, and its
 * handler gets no argument that could lead to the outputs.
 *
 * A slot belongs to the output that claimed it until that output releases it. The handler touches a
 * slot only between ARMED and SPENT, and the owner never changes it there, so the handler always
 * sees a whole name and an open directory. With more outputs than slots, the rest work as ever, but
 * are not covered.
 */
#include "base/signals.h"

#include <workloom/base.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { SLOT_COUNT = 512 }; /* each open output has a descriptor, so there are no more than 1024 */

enum slot_state {
    SLOT_FREE,
    SLOT_FILLING, /* claimed, name not written yet */
    SLOT_ARMED,
    SLOT_FIRING, /* a handler is removing the file */
    SLOT_SPENT,  /* a handler has removed it; the owner has not released the slot yet */
};

struct loom_slot {
    atomic_int state;
    pid_t process; /* a forked child must not remove its parent's files */
    int dir_fd;
    const char *directory; /* the owner's; NULL if the slot is a file's */
    char name[NAME_MAX + 1];
};

static struct loom_slot slots[SLOT_COUNT];

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may use lock-free atomics only");

static bool signals_advance(struct loom_slot *slot, int from, int to)
{
    return atomic_compare_exchange_strong(&slot->state, &from, to);
}

struct loom_slot *loom_slot_claim(int dir_fd, const char *name, const char *directory)
{
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        struct loom_slot *slot = &slots[i];
        if (!signals_advance(slot, SLOT_FREE, SLOT_FILLING))
            continue;
        slot->process = getpid();
        slot->dir_fd = dir_fd;
        slot->directory = directory;
        snprintf(slot->name, sizeof slot->name, "%s", name);
        atomic_store(&slot->state, SLOT_ARMED);
        return slot;
    }
    return NULL;
}

/* If a handler in another thread has the slot, it is one system call away from being done. */
void loom_slot_release(struct loom_slot *slot)
{
    if (!slot)
        return;
    while (!signals_advance(slot, SLOT_ARMED, SLOT_FREE) &&
           !signals_advance(slot, SLOT_SPENT, SLOT_FREE))
        sched_yield();
}

static void fire(struct loom_slot *slot, bool directories)
{
    if (!signals_advance(slot, SLOT_ARMED, SLOT_FIRING))
        return;
    bool now = slot->process == getpid() && (slot->directory != NULL) == directories;
    if (now && directories)
        rmdir(slot->directory);
    else if (now)
        unlinkat(slot->dir_fd, slot->name, 0);
    atomic_store(&slot->state, now ? SLOT_SPENT : SLOT_ARMED);
}

/* A directory can be removed once its files are. */
void loom_output_abandon_all(void)
{
    int saved = errno;
    for (size_t i = 0; i < 2 * (size_t)SLOT_COUNT; i++)
        fire(&slots[i % SLOT_COUNT], i >= SLOT_COUNT);
    errno = saved;
}

/* ---- holding back ---------------------------------------------------------------------------- */

void loom_signals_hold(sigset_t *before)
{
    static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGTRAP,
                              SIGSYS,  SIGABRT, SIGPIPE, SIGPROF};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&set, own[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

void loom_signals_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
