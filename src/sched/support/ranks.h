/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranks.h - the tree of a roster's users by rank: a B+ tree, small as its entries are costly to
 * look at. Users know the leaf they are in. Only roster.c uses it.
 */
#ifndef LOOM_SCHED_SUPPORT_RANKS_H
#define LOOM_SCHED_SUPPORT_RANKS_H

#include "sched/support/roster.h"

void loom_ranks_reset(struct loom_roster *roster);

/* A user who is not in the tree comes, with all his jobs: 0, or -1 when memory is out. One leaves.
 */
int loom_ranks_insert(struct loom_roster *roster, uint32_t user);
void loom_ranks_remove(struct loom_roster *roster, uint32_t user);
/* Is a user where he should be? Beside others who have changed as well, that is not known, and not
 * so. */
bool loom_ranks_in_order(const struct loom_roster *roster, uint32_t user);

/* A job of a user, who may be in the tree or not, has come, or has left; he has another first one.
 */
void loom_ranks_note_added(struct loom_roster *roster, uint32_t user,
                           const struct loom_sim_job *what);
void loom_ranks_note_taken(struct loom_roster *roster, uint32_t user,
                           const struct loom_sim_job *what);
void loom_ranks_note_first(struct loom_roster *roster, uint32_t user);

/* How many users come before one; how many are in the tree. */
uint64_t loom_ranks_before(const struct loom_roster *roster, uint32_t user);
uint64_t loom_ranks_count(const struct loom_roster *roster);

/* The next user behind one, or the first behind LOOM_NO_USER, of whose jobs one may fit; or
 * LOOM_NO_USER. */
uint32_t loom_ranks_next(const struct loom_roster *roster, uint32_t user,
                         const struct loom_gap *gap);

#endif
