/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fluid user model (Zakay, chapter 4, section VII.C): the sessions of the log stay where they
 * are, and batches flow through them. A batch that may come during a session of its user comes
 * after a delay from the user's own within sessions; one that may come between sessions, when the
 * next one begins. Sessions through which a user had to wait have been skipped. When they run out
 * before the batches do, all of them are used again, moved by the least number of weeks that brings
 * the first after the last: same weekdays, same times of day.
 */
#include "users/delays.h"

enum { WEEK_S = 7 * 86400 };

struct fluid {
    const struct loom_users *users;
    const struct loom_sessions *sessions;
    struct loom_delays within;
};

static int open(void *model, const struct loom_crowd *crowd, const struct loom_params *params,
                struct loom_error *err)
{
    struct fluid *self = model;
    (void)params;
    self->users = crowd->users;
    self->sessions = crowd->sessions;
    return loom_delays_take(&self->within, crowd, LOOM_WITHIN_SESSIONS, INT64_MAX, err);
}

static void close(void *model)
{
    struct fluid *self = model;
    loom_delays_free(&self->within);
}

/* ---- sessions, in the time of the log -------------------------------------------------------- */

struct span {
    int64_t begin_s, end_s;
};

static struct span session_at(const struct fluid *self, uint32_t session)
{
    int64_t begin_s = self->users->submit_s[self->sessions->first[session]];
    return (struct span){begin_s, begin_s + self->sessions->length_s[session]};
}

/* The first of a user's sessions, used again and again, that is not over at a time. With the last
 * submission it is: what is released by that very submission belongs to the next session, as it did
 * in the log. */
static struct span session_from(const struct fluid *self, uint32_t user, int64_t time_s)
{
    uint32_t low = self->sessions->user_session[user];
    uint32_t last = self->sessions->user_session[user + 1] - 1, high = last;
    struct span final = session_at(self, last);
    int64_t weeks = (final.end_s - session_at(self, low).begin_s) / WEEK_S + 1;
    int64_t cycle_s = weeks * WEEK_S, shift_s = 0;
    if (time_s >= final.end_s)
        shift_s = ((time_s - final.end_s) / cycle_s + 1) * cycle_s;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (session_at(self, middle).end_s + shift_s <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    struct span found = session_at(self, low);
    return (struct span){found.begin_s + shift_s, found.end_s + shift_s};
}

/* ---- batches --------------------------------------------------------------------------------- */

static int64_t arrival(const void *model, struct loom_person *person,
                       const struct loom_release *release)
{
    const struct fluid *self = model;
    int64_t now_s = release->now_s - person->shift_s;
    struct span session = session_from(self, person->user, now_s);
    if (release->leaves && session.begin_s <= now_s)
        session = session_from(self, person->user, session.end_s);
    if (session.begin_s > now_s)
        return session.begin_s + person->shift_s;
    return release->now_s + loom_delays_draw(&self->within, person, release->reason);
}

const struct loom_behaviour_ops loom_behaviour_fluid = {
    .info = {"fluid", "the sessions of the log, through which batches flow", NULL},
    .model_size = sizeof(struct fluid),
    .open = open,
    .close = close,
    .arrival = arrival,
};
