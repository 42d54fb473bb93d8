/* SPDX-License-Identifier: GPL-3.0-or-later */
/* similarity.h - values of jobs by session, for comparison of pairs (pairs.h). */
#ifndef LOOM_FEATURES_SIMILARITY_H
#define LOOM_FEATURES_SIMILARITY_H

#include "features/pairs.h"
#include "trace/workload.h"

#include <workloom/users.h>

enum loom_similar { LOOM_SIMILAR_PROCS, LOOM_SIMILAR_ESTIMATE, LOOM_SIMILAR_RUNTIME };
enum { LOOM_SIMILAR = 3 };

/* Of one attribute, session by session, ascending in each; unknown values are left out. */
struct loom_session_values {
    double *x;
    uint32_t *first; /* sessions + 1 */
    double *scratch; /* for a median over all pairs of a user */
};

int loom_session_values_create(struct loom_session_values *out, const struct loom_users *users,
                               const struct loom_sessions *sessions, struct loom_error *err);
void loom_session_values_free(struct loom_session_values *values);

/* Take the values of one attribute. */
int loom_session_values_take(struct loom_session_values *values, const struct loom_workload *jobs,
                             enum loom_similar attribute, const struct loom_users *users,
                             const struct loom_sessions *sessions, struct loom_error *err);

/* Is a user one of those whose similarity is measured: six sessions, and two jobs in one? */
bool loom_is_compared(const struct loom_sessions *sessions, size_t user);

/* The pairs of a user at a distance in sessions. */
struct loom_pairs loom_user_pairs(const struct loom_session_values *values,
                                  const struct loom_sessions *sessions, size_t user,
                                  size_t distance);

#endif
