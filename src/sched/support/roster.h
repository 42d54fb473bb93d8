/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roster.h - users and their waiting jobs, ranked, and two questions about them: which user's first
 * job goes before those of all others, and which is the next job that fits a gap, by rank of users
 * and then as submitted.
 *
 * Ranks are those that loom_roster_rank gave last. Jobs that come and leave afterwards, and users
 * who have none left, change no rank until it is called again.
 *
 * All jobs stand in one queue, by user and then as submitted, so that a user of one job takes no
 * more memory than that job. All users stand in one tree by rank (ranks.h), whose nodes know how
 * many users are below them, the earliest of their first jobs, and what all their jobs ask for at
 * least. What comes, leaves or changes its rank is told to the nodes above it. Each question and
 * each change takes time that grows with the logarithm of users and jobs, as far as nodes do not
 * promise in vain.
 *
 * A zeroed struct begins with loom_roster_open.
 */
#ifndef LOOM_SCHED_SUPPORT_ROSTER_H
#define LOOM_SCHED_SUPPORT_ROSTER_H

#include "sim/index/queue.h"

#define LOOM_NO_USER UINT32_MAX
#define LOOM_NO_NODE UINT32_MAX

struct loom_roster_user {
    __int128 work; /* waiting, in processor-seconds */
    int32_t number;
    uint32_t n_jobs;    /* waiting */
    uint32_t first_job; /* of these, or LOOM_NO_JOB */
    uint32_t last_job;  /* submitted */
    uint32_t leaf;      /* of the tree of ranks, or LOOM_NO_NODE */
    uint32_t summary;   /* a place in the summaries, or LOOM_NO_USER */
    bool changed;       /* since users were ranked */
};

/* Does user a come before user b? No two may be equal while they have jobs waiting, and nothing but
 * jobs of theirs that come or leave may change the answer. */
typedef bool loom_roster_order_fn(const struct loom_roster_user *a,
                                  const struct loom_roster_user *b);

struct loom_rank_node;

struct loom_roster {
    loom_roster_order_fn *before;
    struct loom_roster_user *users; /* as they came */
    size_t n_users, users_capacity;
    uint32_t *slots; /* users by number: a hash table, LOOM_NO_USER where free */
    size_t n_slots;  /* a power of two, at least twice the users; or 0 */
    struct loom_queue waiting;
    struct loom_least *summaries; /* of users who have had many jobs waiting */
    size_t n_summaries, summaries_capacity;
    uint32_t *changed; /* users */
    size_t n_changed, changed_capacity;
    struct loom_rank_node *nodes;
    size_t nodes_capacity;
    uint32_t n_nodes, spare, root; /* LOOM_NO_NODE while there is none */
};

/* Forget all jobs and users, keep the memory. */
void loom_roster_open(struct loom_roster *roster, loom_roster_order_fn *before);
void loom_roster_free(struct loom_roster *roster);

/* A job is submitted, the latest of all: 0, or -1 when memory is out. It leaves. `jobs` is the
 * table that job numbers are about. */
int loom_roster_add(struct loom_roster *roster, const struct loom_sim_job *jobs, uint32_t job);
void loom_roster_take(struct loom_roster *roster, const struct loom_sim_job *jobs, uint32_t job);

/* Rank the users with waiting jobs. 0, or -1 when memory is out. */
int loom_roster_rank(struct loom_roster *roster);

/* The rank, from 1, of the user of this number, who had waiting jobs when users were ranked last;
 * and how many had. */
uint64_t loom_roster_rank_of(const struct loom_roster *roster, int32_t number);
uint64_t loom_roster_ranked(const struct loom_roster *roster);

/* Would `job`, of the user of this rank, from 1, go before another? It must not if it did not from
 * a worse rank or submitted later. */
struct loom_roster_rule {
    bool (*wins)(const void *self, uint64_t rank, uint32_t job, uint64_t other_rank,
                 uint32_t other_job);
    const void *self;
};

/* The first job of a user that goes before all others, or LOOM_NO_JOB. */
uint32_t loom_roster_foremost(const struct loom_roster *roster,
                              const struct loom_roster_rule *rule);

/* A place among all waiting jobs by rank of their users and then as submitted. */
struct loom_roster_cursor {
    uint32_t user;
    struct loom_cursor job;
};

static inline struct loom_roster_cursor loom_roster_before_first(void)
{
    return (struct loom_roster_cursor){.user = LOOM_NO_USER};
}

/* The next job behind the cursor that fits; the cursor moves there. LOOM_NO_JOB if there is none.
 */
uint32_t loom_roster_next_fit(const struct loom_roster *roster, struct loom_roster_cursor *cursor,
                              const struct loom_gap *gap);

/* ---- for ranks.c ----------------------------------------------------------------------------- */

/* Return the summary of a user's jobs, perhaps computed into `room`. */
const struct loom_least *loom_roster_least(const struct loom_roster *roster, uint32_t user,
                                           struct loom_least *room);
/* Return whether one of them may fit. */
bool loom_roster_may_fit(const struct loom_roster *roster, uint32_t user,
                         const struct loom_gap *gap);

#endif
