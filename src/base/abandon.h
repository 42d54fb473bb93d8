/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * abandon.h - the temporary files of this process, and the directories made for them, that
 * loom_output_abandon_all removes when a signal ends it. A file has a slot from before it exists
 * until it is renamed or removed.
 */
#ifndef LOOM_BASE_ABANDON_H
#define LOOM_BASE_ABANDON_H

struct loom_slot;

/* Have the file of this name inside dir_fd, which stays open until the slot is released, removed by
 * a signal. NULL if all slots are taken: the file is then not covered. */
struct loom_slot *loom_slot_claim(int dir_fd, const char *name);
/* The same for a directory that was made for such files; others may have put something into it, and
 * then it stays. path must live until the slot is released. */
struct loom_slot *loom_slot_claim_directory(const char *path);
/* slot may be NULL. */
void loom_slot_release(struct loom_slot *slot);

#endif
