/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranks.h - the users of an index in a B+ tree by rank. Nodes are small, as reading an entry is
 * costly. Users have the number of their leaf. Only user_index.c uses it.
 */
#ifndef LOOM_SCHED_SUPPORT_RANKS_H
#define LOOM_SCHED_SUPPORT_RANKS_H

#include "sched/support/user_index.h"

void loom_ranks_reset(struct loom_user_index *index);

/* Insert a user with all jobs; 0, or -1 if out of memory. Remove one. */
int loom_ranks_insert(struct loom_user_index *index, uint32_t user);
void loom_ranks_remove(struct loom_user_index *index, uint32_t user);
/* Return whether a user is in order with both neighbours; false if a neighbour has changed too. */
bool loom_ranks_in_order(const struct loom_user_index *index, uint32_t user);

/* Update the tree after a job was added or removed, or a user has another first job. The user need
 * not be in the tree. */
void loom_ranks_note_added(struct loom_user_index *index, uint32_t user,
                           const struct loom_sim_job *sim_job);
void loom_ranks_note_removed(struct loom_user_index *index, uint32_t user,
                             const struct loom_sim_job *sim_job);
void loom_ranks_note_first(struct loom_user_index *index, uint32_t user);

/* Return how many users come before one, and how many are in the tree. */
uint64_t loom_ranks_before(const struct loom_user_index *index, uint32_t user);
uint64_t loom_ranks_count(const struct loom_user_index *index);

/* Return the next user after one, or after none (LOOM_NO_USER), with a job that may fit;
 * LOOM_NO_USER if there is none. */
uint32_t loom_ranks_next(const struct loom_user_index *index, uint32_t user,
                         const struct loom_gap *gap);

#endif
