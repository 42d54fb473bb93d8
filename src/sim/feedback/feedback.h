/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * feedback.h - the inside of struct loom_feedback: the users of a log, read once, and the users of
 * one run.
 *
 * A user of the simulation (struct feedback_user) always has one next batch (definition 13); all
 * earlier ones have been submitted. The next batch either has unmet dependencies, or its arrival is
 * decided. Then its next job is in the heap `arrivals`, which so has at most one entry per user. A
 * batch is active from the decision until all its jobs have ended.
 */
#ifndef LOOM_SIM_FEEDBACK_FEEDBACK_H
#define LOOM_SIM_FEEDBACK_FEEDBACK_H

#include "base/heap.h"
#include "users/behaviour.h"

#include <workloom/sim_users.h>

struct feedback_user {
    struct loom_sim_user base; /* what the behaviour model sees */
    struct loom_stream stream;
    int32_t number;                  /* of this user in the simulation */
    bool returns;                    /* starts again after the last job */
    uint32_t first_batch, end_batch; /* [first, end) */
    uint32_t batch;                  /* the next one, or end_batch */
    bool arriving;                   /* the arrival of the next batch is decided */
    int64_t offset_s;                /* of the arriving batch: from submit times of the log */
    uint32_t position, end_position; /* of the arriving batch: next job, and past the last */
    uint32_t active_batch;           /* of the arriving batch: its index in active_batches */
    uint32_t unmet;                  /* dependencies of the next batch that have not ended */
    uint32_t n_active_batches;
    int64_t response_s; /* of the job that ended last */
    double slowdown;    /* and its bounded slowdown */
    uint8_t ended[];    /* by batch of the user; the state of the model follows */
};

struct active_batch {
    uint32_t user, batch; /* index in sim_users; batch of the graph */
    uint32_t jobs_left; /* not ended, with those not yet submitted; if unused: next unused entry */
};

struct loom_feedback {
    struct loom_feedback_options options;
    const struct loom_trace *trace;
    const struct loom_jobs *jobs;

    /* The log. */
    struct loom_zone *zone;
    struct loom_users *users;
    struct loom_sessions *sessions;
    struct loom_batch_graph *graph;
    struct loom_user_history history;
    struct loom_user_pools *pools; /* NULL without a population */
    struct loom_population_rule population_rule;
    int64_t rare_from;                    /* users from this number on are rare behaviours */
    int32_t *rare_user;                   /* of users of these numbers */
    const struct loom_behaviour_ops *ops; /* NULL without a behaviour */
    void *model;
    bool model_open;
    uint32_t *unowned; /* rows of jobs without a user, by submit time */
    size_t n_unowned;

    /* The run. */
    struct loom_job_source source;
    struct loom_population *population; /* NULL: the users of the log */
    uint64_t replication;
    struct feedback_user **sim_users;
    size_t n_sim_users, sim_users_capacity;
    struct active_batch *active_batches;
    size_t n_active_batches, active_batches_capacity;
    uint32_t free_batch;
    uint32_t *active_batch_of; /* by job, an index */
    size_t n_jobs, jobs_capacity;
    struct loom_heap arrivals; /* next jobs: time, row, user */
    size_t next_unowned;       /* index in `unowned` */
    int64_t until_s;           /* nothing is submitted from here on */
    uint32_t taken_batch;      /* of the job last taken, an index */
    int64_t taken_s;           /* its submit time */
    struct loom_feedback_counts counts;
};

/* ---- the mechanism (feedback.c) -------------------------------------------------------------- */

/* A user to add to the simulation. */
struct loom_new_user {
    uint32_t log_user; /* user of the log */
    int32_t number;    /* in the simulation */
    uint32_t position; /* of the first job to submit; all later ones of the user follow */
    int64_t shift_s;   /* added to the times of the log; a multiple of a week */
    bool returns;      /* starts again after the last job */
};
/* Add a user. Fails with LOOM_ENOMEM. */
int loom_feedback_add_user(struct loom_feedback *feedback, const struct loom_new_user *new_user,
                           struct loom_error *err);
/* Remove all users. */
void loom_feedback_clear(struct loom_feedback *feedback);
/* Return the source of the jobs that the users submit. */
struct loom_job_source loom_feedback_source(struct loom_feedback *feedback);

#endif
