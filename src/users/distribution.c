/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The distribution based user model (Zakay, chapter 4, section VII.B, after Shmueli and Feitelson):
 * everybody has a type, drawn when they come,
 *
 *     by day (0.7) from 7:30 + r to 17:30 + r, or by night from 17:30 + r to 7:30 + r, where r is
 *     between -1 and 1 hour;
 *     on weekdays (0.8) Monday to Friday, or at weekends;
 *
 * and submits within these hours only. A batch that may come outside them waits for the next time
 * they begin. Within them, the session goes on with probability
 *
 *     Pcont = 0.8 / (0.05 * R + 1),
 *
 * R being the response time in minutes of the user's job that ended last, and the batch comes after
 * a delay from the user's own within sessions. Otherwise it comes after a break: a delay between
 * sessions of below 8 hours or, where that ends outside the hours, when they next begin.
 *
 * Nights belong to the day on which they begin; the text would also allow midnight to be the
 * beginning of a working day, which would show as a peak of arrivals that it does not have.
 */
#include "base/civil.h"
#include "users/delays.h"

#include <stdlib.h>

enum { MINUTE_S = 60, HOUR_S = 3600 };

struct distribution {
    const struct loom_zone *zone;
    struct loom_delays within, breaks;
    double day_share, weekday_share;
    double most, decay; /* of Pcont: 0.8 and 0.05 a minute */
    int64_t spread_s;   /* of r */
};

/* A person's hours: shifts that begin on working days. */
struct hours {
    int64_t begin_s; /* of the day */
    int64_t length_s;
    bool weekdays;
};

static int distribution_open(void *model, const struct loom_user_history *history,
                             const struct loom_params *params, struct loom_error *err)
{
    struct distribution *self = model;
    self->zone = history->zone;
    self->day_share = loom_params_real(params, "day");
    self->weekday_share = loom_params_real(params, "weekdays");
    self->most = loom_params_real(params, "continue");
    self->decay = loom_params_real(params, "decay");
    self->spread_s = (int64_t)(loom_params_real(params, "spread") * HOUR_S);
    int64_t longest_s = (int64_t)(loom_params_real(params, "break") * HOUR_S);
    int rc = loom_delays_take(&self->within, history, LOOM_WITHIN_SESSIONS, INT64_MAX, err);
    return rc ? rc
              : loom_delays_take(&self->breaks, history, LOOM_BETWEEN_SESSIONS, longest_s, err);
}

static void distribution_close(void *model)
{
    struct distribution *self = model;
    loom_delays_free(&self->within);
    loom_delays_free(&self->breaks);
}

static size_t distribution_state_size(const void *model, uint32_t user)
{
    (void)model, (void)user;
    return sizeof(struct hours);
}

static void distribution_join(const void *model, struct loom_sim_user *user)
{
    const struct distribution *self = model;
    struct hours *hours = user->state;
    bool day = loom_stream_uniform(user->stream) < self->day_share;
    hours->weekdays = loom_stream_uniform(user->stream) < self->weekday_share;
    uint64_t span = 2 * (uint64_t)self->spread_s + 1;
    int64_t r_s = (int64_t)loom_stream_below(user->stream, span) - self->spread_s;
    hours->begin_s = (day ? 7 * HOUR_S : 17 * HOUR_S) + HOUR_S / 2 + r_s;
    hours->length_s = (day ? 10 : 14) * HOUR_S;
}

/* ---- working hours, in local time ------------------------------------------------------------ */

static bool works_on(const struct hours *hours, int64_t day)
{
    int weekday = loom_civil_weekday(day);
    bool weekend = weekday == 0 || weekday == 6;
    return weekend != hours->weekdays;
}

/* From the end of a shift on, the next shift counts. */
static int64_t next_working_time(const struct hours *hours, int64_t local_s)
{
    int64_t second;
    int64_t day = loom_civil_day(local_s, &second) - 1;
    for (;; day++) {
        int64_t begin_s = day * LOOM_DAY_S + hours->begin_s;
        if (works_on(hours, day) && local_s < begin_s + hours->length_s)
            return local_s > begin_s ? local_s : begin_s;
    }
}

/* Return the first moment from this on at which the person works. */
static int64_t at_work(const struct distribution *self, const struct hours *hours, int64_t time_s)
{
    int64_t local_s = loom_zone_local(self->zone, time_s);
    int64_t next_s = next_working_time(hours, local_s);
    if (next_s == local_s)
        return time_s;
    int64_t then_s = loom_zone_log(self->zone, next_s);
    return then_s > time_s ? then_s : time_s; /* clocks that are set back repeat an hour */
}

/* ---- batches --------------------------------------------------------------------------------- */

static bool goes_on(const struct distribution *self, const struct loom_sim_user *user,
                    const struct loom_release *release)
{
    double minutes = (double)release->response_s / MINUTE_S;
    double chance = self->most / (self->decay * minutes + 1);
    return loom_stream_uniform(user->stream) < chance && !release->leaves;
}

static int64_t distribution_arrival(const void *model, struct loom_sim_user *user,
                                    const struct loom_release *release)
{
    const struct distribution *self = model;
    const struct hours *hours = user->state;
    int64_t now_s = release->now_s, ready_s = at_work(self, hours, now_s);
    if (ready_s > now_s)
        return ready_s;
    if (goes_on(self, user, release))
        return now_s + loom_delays_draw(&self->within, user, release->reason);
    return at_work(self, hours, now_s + loom_delays_draw(&self->breaks, user, release->reason));
}

static const struct loom_param params[] = {
    LOOM_REAL_PARAM("day", 0, 1, "0.7", "SHARE", "share of users who work by day, not by night"),
    LOOM_REAL_PARAM("weekdays", 0, 1, "0.8", "SHARE",
                    "share of users who work from Monday to Friday, not at weekends"),
    LOOM_REAL_PARAM("spread", 0, 7, "1", "HOURS",
                    "by how much at most a user's hours lie before or after 7:30 to 17:30"),
    LOOM_REAL_PARAM("continue", 0, 1, "0.8", "P",
                    "probability to go on with the session after the quickest response"),
    LOOM_REAL_PARAM("decay", 0, 1000, "0.05", "X",
                    "how that falls: P / (X * minutes of response + 1)"),
    LOOM_REAL_PARAM("break", 0, 1e6, "8", "HOURS", "delays between sessions below this are breaks"),
    {.name = NULL},
};

const struct loom_behaviour_ops loom_behaviour_distribution = {
    .info = {"distribution", "working hours by types of users, breaks after slow responses",
             params},
    .model_size = sizeof(struct distribution),
    .open = distribution_open,
    .close = distribution_close,
    .state_size = distribution_state_size,
    .join = distribution_join,
    .arrival = distribution_arrival,
};
