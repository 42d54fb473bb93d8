/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.h - keep the signals that someone sends away from a thread for a while. */
#ifndef LOOM_BASE_SIGNALS_H
#define LOOM_BASE_SIGNALS_H

#include <signal.h>

/* Those that a thread brings upon itself, and the profiler's, stay as they are. Signals that come
 * meanwhile are delivered to another thread of the program, or at loom_signals_release. */
void loom_signals_hold(sigset_t *before);
void loom_signals_release(const sigset_t *before);

#endif
