/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usergraph.h - the people of the user graph model, for the file that has the model and the file
 * that finds them in a log. */
#ifndef LOOM_MODELS_USERGRAPH_H
#define LOOM_MODELS_USERGRAPH_H

#include "models/curve.h"
#include "models/model.h"
#include "models/week.h"

enum { LOOM_USERGRAPH_STATES = 16 };

/* A node of a user's graph: the jobs that the user runs in it. */
struct loom_user_state {
    int64_t group, executable, queue; /* -1: unknown */
    size_t n_sizes;
    int32_t *procs; /* the different sizes of its jobs, ascending */
    int64_t *jobs;  /* how many have each */
    struct loom_curve run_s;
    double share;                       /* of the user's jobs */
    double next[LOOM_USERGRAPH_STATES]; /* probability of the state of the next job */
};

struct loom_user_model {
    double stay_s;                  /* from the first job to the last */
    int64_t sessions;               /* in that time */
    struct loom_curve session_jobs; /* in a session */
    struct loom_curve gap_s;        /* between the jobs of a session */
    struct loom_curve off_s;        /* from a session to the next, in working time */
    size_t n_states;
    struct loom_user_state states[LOOM_USERGRAPH_STATES];
};

struct loom_usergraph {
    double period_s;              /* every user comes once in it: the length of the log */
    double week[LOOM_WEEK_HOURS]; /* how fast working time passes, by hour; mean 1 */
    size_t n_users;
    struct loom_user_model *users;
};

int loom_usergraph_fit(void *state, const struct loom_training *log, struct loom_error *err);

#endif
