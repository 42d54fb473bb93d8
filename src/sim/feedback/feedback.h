/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * feedback.h - the inside of struct loom_feedback: the users of a log, read once, and the users of
 * one run.
 *
 * A seat is a user of the simulation. At any time it has one next batch (definition 13); all
 * earlier ones have been submitted. The next batch either waits for `missing` dependencies or has
 * its arrival decided and stands in `arrivals`, which therefore has at most one entry a seat: the
 * next job of that batch. Batches that have begun to arrive and have not ended are flights.
 */
#ifndef LOOM_SIM_FEEDBACK_FEEDBACK_H
#define LOOM_SIM_FEEDBACK_FEEDBACK_H

#include "base/heap.h"
#include "users/behaviour.h"

#include <workloom/sim_users.h>

struct seat {
    struct loom_actor actor;
    struct loom_stream stream;
    int32_t number;                  /* of this user in the simulation */
    bool returns;                    /* starts again after the last job */
    uint32_t first_batch, end_batch; /* of the user, and past the last */
    uint32_t batch;                  /* the next */
    bool arriving;                   /* its arrival is decided */
    int64_t moved_s;                 /* from the log's submit times to the arriving batch's */
    uint32_t position;               /* of the next job of the arriving batch, */
    uint32_t end_position;           /* and past its last */
    uint32_t flight;                 /* of the arriving batch */
    uint32_t missing;                /* what the next batch waits for */
    uint32_t flights;                /* begun and not ended */
    int64_t response_s;              /* of the job that ended last */
    double slowdown;                 /* and its bounded slowdown */
    uint8_t ended[];                 /* by batch of the user; what the model keeps comes behind */
};

struct flight {
    uint32_t seat, batch;
    uint32_t open; /* jobs not ended, those to come included; when free: the next free flight */
};

struct loom_feedback {
    struct loom_feedback_options options;
    const struct loom_trace *trace;
    const struct loom_jobs *jobs;

    /* Made once. */
    struct loom_zone *zone;
    struct loom_users *users;
    struct loom_sessions *sessions;
    struct loom_batch_graph *graph;
    struct loom_user_history history;
    struct loom_user_pools *pools; /* NULL without a population */
    struct loom_population_rule population_rule;
    int64_t rare_from;                    /* users from this number on are rare behaviours, */
    int32_t *rare_user;                   /* of these users */
    const struct loom_behaviour_ops *ops; /* NULL if nobody reacts */
    void *model;
    bool model_open;
    uint32_t *strangers; /* rows of unknown users by submit time */
    size_t n_strangers;

    /* Of a run. */
    struct loom_job_source source;
    struct loom_population *population; /* NULL: the log's own users */
    uint64_t replication;
    struct seat **seats;
    size_t n_seats, seats_capacity;
    struct flight *flights;
    size_t n_flights, flights_capacity;
    uint32_t free_flight;
    uint32_t *flight_of; /* by job */
    size_t n_jobs, jobs_capacity;
    struct loom_heap arrivals; /* next jobs of arriving batches: time, row, seat */
    size_t stranger;           /* the next */
    int64_t until_s;           /* nothing is submitted from here on */
    uint32_t taken;            /* flight of the job last taken, */
    int64_t taken_s;           /* and when that was */
    struct loom_feedback_counts counts;
};

/* ---- the mechanism (feedback.c) -------------------------------------------------------------- */

/* A user who joins the simulation. */
struct loom_newcomer {
    uint32_t user;     /* of the log */
    int32_t number;    /* in the simulation */
    uint32_t position; /* of the first job that they submit; all later ones follow */
    int64_t shift_s;   /* to be added to the times of the log: whole weeks */
    bool returns;      /* starts again after the last job */
};
int loom_feedback_seat(struct loom_feedback *feedback, const struct loom_newcomer *newcomer,
                       struct loom_error *err);
/* Remove all users. */
void loom_feedback_clear(struct loom_feedback *feedback);
struct loom_job_source loom_feedback_source(struct loom_feedback *feedback);

#endif
