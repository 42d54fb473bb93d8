/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals held back, from threads that shall never see any and from steps that belong together. */
#include "base/signals.h"

#include <stddef.h>

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
