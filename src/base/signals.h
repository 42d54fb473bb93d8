/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.h - hold signals back for a while, and have unfinished files removed when one ends the
 * process (loom_output_abandon_all). */
#ifndef LOOM_BASE_SIGNALS_H
#define LOOM_BASE_SIGNALS_H

#include <signal.h>

/* Those that a thread brings upon itself, and the profiler's, stay as they are. Signals that come
 * meanwhile are delivered to another thread of the program, or at loom_signals_release. */
void loom_signals_hold(sigset_t *before);
void loom_signals_release(const sigset_t *before);

/* A temporary file, or a directory made for such files, that a signal removes. A file has a slot
 * from before it exists until it is renamed or removed. */
struct loom_slot;

/* Have the file of this name inside dir_fd, which stays open until the slot is released, removed by
 * a signal. With a directory, it is that which is removed, unless others have put something into
 * it; the path must live until the slot is released. NULL if all slots are taken: the file is then
 * not covered. */
struct loom_slot *loom_slot_claim(int dir_fd, const char *name, const char *directory);
/* slot may be NULL. */
void loom_slot_release(struct loom_slot *slot);

#endif
