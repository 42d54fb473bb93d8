/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * user_index.h - users and their waiting jobs, ranked. It answers two questions: which user's first
 * job goes before those of all others, and which is the next job that fits a gap, in the order of
 * ranks and then of submission.
 *
 * Ranks are those of the last loom_user_index_rank. Jobs added or removed afterwards change no rank
 * until the next call, even if a user has none left.
 *
 * All jobs are in one queue, by user and then by submission, so that a user with one job takes no
 * more memory than that job. All users with jobs are in one tree by rank (ranks.h), whose nodes
 * have the number of users below, the earliest of their first jobs, and a summary of all their jobs
 * (sim/index/least.h). A change updates the nodes above the user. Changes and questions take
 * O(log users + log jobs), plus the subtrees searched in vain: summaries are bounds.
 *
 * Zero the struct before the first loom_user_index_open.
 */
#ifndef LOOM_SCHED_SUPPORT_USER_INDEX_H
#define LOOM_SCHED_SUPPORT_USER_INDEX_H

#include "sim/index/queue.h"

#define LOOM_NO_USER UINT32_MAX
#define LOOM_NO_NODE UINT32_MAX

struct loom_ranked_user {
    __int128 work; /* waiting, in processor-seconds */
    int32_t number;
    uint32_t n_jobs;    /* waiting */
    uint32_t first_job; /* of these, or LOOM_NO_JOB */
    uint32_t last_job;  /* submitted */
    uint32_t leaf;      /* of the tree of ranks, or LOOM_NO_NODE */
    uint32_t summary;   /* index in summaries, or LOOM_NO_USER */
    bool changed;       /* since users were ranked */
};

/* Return whether user a comes before user b. A strict order of users with waiting jobs; it may
 * depend only on their jobs. */
typedef bool loom_user_order_fn(const struct loom_ranked_user *a, const struct loom_ranked_user *b);

struct loom_rank_node;

struct loom_user_index {
    loom_user_order_fn *before;
    struct loom_ranked_user *users; /* in order of their first submission */
    size_t n_users, users_capacity;
    uint32_t *slots; /* hash table of users by number; LOOM_NO_USER: unused */
    size_t n_slots;  /* a power of two, at least twice the users; or 0 */
    struct loom_queue waiting;
    struct loom_least *summaries; /* of users who have had many jobs */
    size_t n_summaries, summaries_capacity;
    uint32_t *changed; /* users */
    size_t n_changed, changed_capacity;
    struct loom_rank_node *nodes;
    size_t nodes_capacity;
    uint32_t n_nodes, free_node, root; /* LOOM_NO_NODE: none */
};

/* Delete all jobs and users. Memory is kept. */
void loom_user_index_open(struct loom_user_index *index, loom_user_order_fn *before);
void loom_user_index_free(struct loom_user_index *index);

/* Add a job, the latest submitted. 0, or -1 if out of memory. `jobs` is the table of all jobs. */
int loom_user_index_add(struct loom_user_index *index, const struct loom_sim_job *jobs,
                        uint32_t job);
/* Remove a job. */
void loom_user_index_remove(struct loom_user_index *index, const struct loom_sim_job *jobs,
                            uint32_t job);

/* Rank the users with waiting jobs. 0, or -1 if out of memory. */
int loom_user_index_rank(struct loom_user_index *index);

/* Return the rank, from 1, of the user of a number, who had waiting jobs at the last ranking; and
 * how many users had. */
uint64_t loom_user_index_rank_of(const struct loom_user_index *index, int32_t number);
uint64_t loom_user_index_count(const struct loom_user_index *index);

/* wins() returns whether `job`, of a user of this rank, goes before another job. If a job does not
 * win, a later one of a user of no better rank must not win either. */
struct loom_user_index_rule {
    bool (*wins)(const void *self, uint64_t rank, uint32_t job, uint64_t other_rank,
                 uint32_t other_job);
    const void *self;
};

/* Return the first job of a user that wins against those of all others, or LOOM_NO_JOB. */
uint32_t loom_user_index_best(const struct loom_user_index *index,
                              const struct loom_user_index_rule *rule);

/* A position in the waiting jobs, ordered by rank of the user and then by submission. */
struct loom_user_index_cursor {
    uint32_t user;
    struct loom_cursor job;
};

static inline struct loom_user_index_cursor loom_user_index_before_first(void)
{
    return (struct loom_user_index_cursor){.user = LOOM_NO_USER};
}

/* Advance the cursor to the next job that fits, and return it; LOOM_NO_JOB if there is none. */
uint32_t loom_user_index_next_fit(const struct loom_user_index *index,
                                  struct loom_user_index_cursor *cursor,
                                  const struct loom_gap *gap);

/* ---- for ranks.c ----------------------------------------------------------------------------- */

/* Return the summary of a user's jobs, perhaps computed into *buffer. */
const struct loom_least *loom_user_index_least(const struct loom_user_index *index, uint32_t user,
                                               struct loom_least *buffer);
/* Return whether one of them may fit. */
bool loom_user_index_may_fit(const struct loom_user_index *index, uint32_t user,
                             const struct loom_gap *gap);

#endif
