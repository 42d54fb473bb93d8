/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * behaviour.h - how users react to the service they get: one .c file in this room that ends in a
 * const struct loom_behaviour_ops, and one line in the list in behaviours.c. template.c is the one
 * to copy.
 *
 * A simulation with feedback (sim/feedback/feedback.c) goes through the batches of every user in
 * their order. A batch is released as soon as all that it depends on has ended, and the model then
 * answers one question: when does it arrive? The jobs of the batch keep their distances in the log.
 * The first batch of a user arrives at its logged time, shifted by whole weeks.
 *
 * A model must answer with a time that is not before now, and draw random numbers from the user's
 * own stream only. Then a run does not depend on the order in which users act, and a user of the
 * same number has the same random numbers under every scheduler.
 */
#ifndef LOOM_USERS_BEHAVIOUR_H
#define LOOM_USERS_BEHAVIOUR_H

#include <workloom/users.h>

/* The users of a log and what they did in it, as models know them. Times are the log's. */
struct loom_user_history {
    const struct loom_users *users;
    const struct loom_sessions *sessions;
    const struct loom_batch_graph *graph;
    const struct loom_zone *zone;
};

/* A user of the simulation: a user of the log whose times are shifted by whole weeks. */
struct loom_sim_user {
    uint32_t log_user;
    int64_t shift_s;
    uint32_t session; /* of the log, in which the user begins */
    struct loom_stream *stream;
    void *state; /* of the model, of state_size() bytes */
};

/* Why a batch is released. */
enum loom_release_reason {
    LOOM_RELEASED_BY_END,  /* the last of what it depends on has ended */
    LOOM_RELEASED_IN_TURN, /* nothing was left to wait for when the batch before it had arrived */
};

struct loom_release {
    int64_t now_s;
    enum loom_release_reason reason;
    int64_t log_delay_s; /* in the log: think time if released by an end, else the gap to the batch
                          * before */
    int64_t response_s;  /* of the user's job that ended last; 0 if none has yet */
    bool leaves;         /* poor service has ended the user's session */
};

struct loom_behaviour_ops {
    struct loom_behaviour_info info;
    size_t model_size; /* bytes of zeroed state from open to close */
    int (*open)(void *model, const struct loom_user_history *history,
                const struct loom_params *params, struct loom_error *err);
    void (*close)(void *model);
    /* Return the size of the state of a user of the simulation; NULL for none. */
    size_t (*state_size)(const void *model, uint32_t log_user);
    /* Prepare the state of a user who begins, zeroed, or begins the next round with another shift.
     * May be NULL. */
    void (*join)(const void *model, struct loom_sim_user *user);
    int64_t (*arrival)(const void *model, struct loom_sim_user *user,
                       const struct loom_release *release);
};

/* Split "NAME:PARAMETER=VALUE,..." into a model and its parameters, which the caller must destroy.
 */
int loom_behaviour_parse(const struct loom_behaviour_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err);

#endif
