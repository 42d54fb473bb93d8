/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.h - block signals for a while, and remove unfinished files when one ends the process
 * (loom_output_abandon_all). */
#ifndef LOOM_BASE_SIGNALS_H
#define LOOM_BASE_SIGNALS_H

#include <signal.h>

/* Block signals for this thread, but for synchronous ones (SIGSEGV, SIGPIPE, ...) and SIGPROF.
 * Signals that arrive meanwhile go to another thread, or are delivered at loom_signals_release. */
void loom_signals_hold(sigset_t *before);
void loom_signals_release(const sigset_t *before);

/* A temporary file, or a directory made for such files, that a signal removes. A file has a slot
 * from before it exists until it is renamed or removed. */
struct loom_slot;

/* Register a file to be removed by a signal: `name` inside dir_fd, which must stay open until the
 * slot is released. With a directory, the signal removes that instead, if it is empty; the path
 * must live until the slot is released. NULL if all slots are taken: the file is then not covered.
 */
struct loom_slot *loom_slot_claim(int dir_fd, const char *name, const char *directory);
/* slot may be NULL. */
void loom_slot_release(struct loom_slot *slot);

#endif
