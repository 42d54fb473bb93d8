/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The adjusted user model (Zakay, chapter 4, section VII.A): users take the time they took in the
 * log. A batch that had to wait for an end comes as long after it as it did then; one that did not,
 * as long after the batch before it. Under the schedule of the log, every job arrives when it did.
 * Users are the same by day and by night, so that under any other schedule the daily and weekly
 * cycles wear off.
 *
 * A user whom poor service sends away comes back after a break such as they took between sessions.
 */
#include "users/delays.h"

struct adjusted {
    struct loom_delays breaks;
};

static int adjusted_open(void *model, const struct loom_user_history *history,
                         const struct loom_params *params, struct loom_error *err)
{
    struct adjusted *self = model;
    (void)params;
    return loom_delays_take(&self->breaks, history, LOOM_BETWEEN_SESSIONS, INT64_MAX, err);
}

static void adjusted_close(void *model)
{
    struct adjusted *self = model;
    loom_delays_free(&self->breaks);
}

static int64_t adjusted_arrival(const void *model, struct loom_sim_user *user,
                                const struct loom_release *release)
{
    const struct adjusted *self = model;
    if (release->leaves)
        return release->now_s + loom_delays_draw(&self->breaks, user, release->reason);
    return release->now_s + release->log_delay_s;
}

const struct loom_behaviour_ops loom_behaviour_adjusted = {
    .info = {"adjusted", "the think times and gaps between batches of the log", NULL},
    .model_size = sizeof(struct adjusted),
    .open = adjusted_open,
    .close = adjusted_close,
    .arrival = adjusted_arrival,
};
