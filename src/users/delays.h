/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delays.h - how long each user of a log took before a batch, to draw from. */
#ifndef LOOM_USERS_DELAYS_H
#define LOOM_USERS_DELAYS_H

#include "users/behaviour.h"

/* Delays before batches that do not begin a session, or before those that do. */
enum loom_delay_scope { LOOM_WITHIN_SESSIONS, LOOM_BETWEEN_SESSIONS };

/* By user, think times and gaps apart. A zeroed struct is empty. */
struct loom_delays {
    struct loom_delay_list {
        int64_t *values_s;
        uint32_t *first; /* by user; one more entry than users */
        size_t users;
    } lists[2]; /* by enum loom_release_reason */
};

/* Collect the delays of a scope that are below limit_s. The caller must free them. */
int loom_delays_take(struct loom_delays *out, const struct loom_user_history *history,
                     enum loom_delay_scope scope, int64_t limit_s, struct loom_error *err);
void loom_delays_free(struct loom_delays *delays);

/* Draw one of the user's delays, or of all users' if the user has none; 0 if nobody has. */
int64_t loom_delays_draw(const struct loom_delays *delays, const struct loom_sim_user *user,
                         enum loom_release_reason reason);

#endif
