/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * behaviour.h - how users react to the service they get: one .c file in this room that ends in a
 * const struct loom_behaviour_ops, and one line in the list in behaviours.c. template.c is the one
 * to copy.
 *
 * A simulation with feedback (sim/feedback/feedback.c) goes through the batches of every user in
 * their order and lets none arrive before all that it depends on has ended. As soon as a batch may
 * come, it is released, and the model answers one question: when does it arrive? Its jobs then come
 * as far apart as they did in the log. A user's first batch arrives when the log, moved by whole
 * weeks, says.
 *
 * A model must answer with a time that is not before now, and draw from the person's own stream
 * only: then a run is the same whatever the order in which people act, and users of the same number
 * draw the same random numbers under every scheduler.
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

/* One person in a simulation: a user of the log whose times are moved by whole weeks. */
struct loom_actor {
    uint32_t user;
    int64_t shift_s;
    uint32_t session; /* of the log, in which they begin */
    struct loom_stream *stream;
    void *state; /* the model's, of actor_size() bytes */
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
    /* Bytes that a person of this user needs; NULL for none. */
    size_t (*actor_size)(const void *model, uint32_t user);
    /* A person begins, or begins anew with another shift; the state is zeroed. May be NULL. */
    void (*join)(const void *model, struct loom_actor *actor);
    int64_t (*arrival)(const void *model, struct loom_actor *actor,
                       const struct loom_release *release);
};

/* Split "NAME:PARAMETER=VALUE,..." into a model and its parameters, which the caller must destroy.
 */
int loom_behaviour_parse(const struct loom_behaviour_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err);

#endif
