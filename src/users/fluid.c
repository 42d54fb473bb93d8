/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fluid user model (Zakay, chapter 4, section VII.C; chapter 5, section III.B): the sessions of
 * the log stay where they are, and batches flow through them. A batch that may come during a
 * session of its user comes after a delay from the user's own within sessions; one that may come
 * between sessions, when the next one begins. The chapters differ in two points:
 *
 *     late     a batch whose delay takes it beyond the end of the session comes all the same
 *              (chapter 4: stays), or when the next session begins (chapter 5: moves)
 *     skipped  sessions in which a user had to wait are lost until all have gone by, and then all
 *              are used again (chapter 4: end), or each comes again in the weeks that follow until
 *              it is used (chapter 5: week)
 *
 * When sessions run out before the batches do, all are used again, moved by the least number of
 * weeks that brings the first after the last: same weekdays, same times of day.
 */
#include "base/search.h"
#include "users/delays.h"

#include <stdlib.h>
#include <string.h>

enum { WEEK_S = 7 * 86400 };

struct fluid {
    const struct loom_users *users;
    const struct loom_sessions *sessions;
    struct loom_delays within;
    bool moves_late;
    bool repeats_skipped;
};

struct span {
    int64_t begin_s, end_s;
};

/* The state of a user: where they are in their sessions. Times are those of the log, without shift.
 */
struct flow {
    struct span current; /* the session that a batch last came in */
    uint32_t next;       /* the first session that was neither used nor skipped */
    int64_t moved_s;     /* added to its time in the log; a multiple of a week */
    uint32_t n_skipped;
    uint32_t skipped[]; /* sessions to come again, by their time of the week */
};

/* A session that may come next. */
struct candidate {
    struct span span;
    uint32_t position; /* index in `skipped`, or NOT_SKIPPED */
};

#define NOT_SKIPPED UINT32_MAX

static int fluid_open(void *model, const struct loom_user_history *history,
                      const struct loom_params *params, struct loom_error *err)
{
    struct fluid *self = model;
    self->users = history->users;
    self->sessions = history->sessions;
    self->moves_late = strcmp(loom_params_text(params, "late"), "moves") == 0;
    self->repeats_skipped = strcmp(loom_params_text(params, "skipped"), "week") == 0;
    return loom_delays_take(&self->within, history, LOOM_WITHIN_SESSIONS, INT64_MAX, err);
}

static void fluid_close(void *model)
{
    struct fluid *self = model;
    loom_delays_free(&self->within);
}

static size_t fluid_state_size(const void *model, uint32_t user)
{
    const struct fluid *self = model;
    const uint32_t *first = self->sessions->user_session;
    size_t slots = self->repeats_skipped ? first[user + 1] - first[user] : 0;
    return sizeof(struct flow) + slots * sizeof(uint32_t);
}

/* ---- the sessions of the log ----------------------------------------------------------------- */

static struct span session_at(const struct fluid *self, uint32_t session, int64_t moved_s)
{
    int64_t begin_s = self->users->submit_s[self->sessions->first[session]] + moved_s;
    return (struct span){begin_s, begin_s + self->sessions->length_s[session]};
}

static void fluid_join(const void *model, struct loom_sim_user *user)
{
    const struct fluid *self = model;
    struct flow *flow = user->state;
    *flow = (struct flow){
        .next = user->session + 1,
        .current = session_at(self, user->session, 0),
    };
}

/* Return the first session in [low, high) that is not over at a time. A session is over with its
 * last submission: what that submission releases belongs to the next session, as in the log. */
static uint32_t find_session(const struct fluid *self, uint32_t low, uint32_t high, int64_t time_s)
{
    LOOM_BISECT(low, high, middle, session_at(self, middle, 0).end_s <= time_s);
    return low;
}

/* ---- skipped sessions ------------------------------------------------------------------------ */

static int64_t time_of_week(int64_t time_s)
{
    int64_t rest_s = time_s % WEEK_S;
    return rest_s < 0 ? rest_s + WEEK_S : rest_s;
}

static int64_t skipped_begin(const struct fluid *self, const struct flow *flow, uint32_t position)
{
    return time_of_week(session_at(self, flow->skipped[position], 0).begin_s);
}

/* Return the first skipped session that begins at a time of the week or later; n_skipped if none.
 */
static uint32_t find_skipped(const struct fluid *self, const struct flow *flow, int64_t week_s)
{
    uint32_t low = 0, high = flow->n_skipped;
    LOOM_BISECT(low, high, middle, skipped_begin(self, flow, middle) < week_s);
    return low;
}

static void skip(const struct fluid *self, struct flow *flow, uint32_t session)
{
    int64_t week_s = time_of_week(session_at(self, session, 0).begin_s);
    uint32_t position = find_skipped(self, flow, week_s);
    memmove(flow->skipped + position + 1, flow->skipped + position,
            (flow->n_skipped++ - position) * sizeof *flow->skipped);
    flow->skipped[position] = session;
}

static void unskip(struct flow *flow, uint32_t position)
{
    memmove(flow->skipped + position, flow->skipped + position + 1,
            (--flow->n_skipped - position) * sizeof *flow->skipped);
}

/* Return the skipped session in progress at a time, or else the next to begin. There must be one.
 */
static struct candidate next_skipped(const struct fluid *self, const struct flow *flow,
                                     int64_t time_s)
{
    int64_t week_s = time_of_week(time_s);
    uint32_t after = find_skipped(self, flow, week_s + 1);
    uint32_t before = (after > 0 ? after : flow->n_skipped) - 1;
    int64_t ago_s = time_of_week(week_s - skipped_begin(self, flow, before));
    int64_t length_s = self->sessions->length_s[flow->skipped[before]];
    if (ago_s < length_s)
        return (struct candidate){{time_s - ago_s, time_s - ago_s + length_s}, before};
    after = after < flow->n_skipped ? after : 0;
    int64_t ahead_s = time_of_week(skipped_begin(self, flow, after) - week_s);
    int64_t begin_s = time_s + (ahead_s > 0 ? ahead_s : WEEK_S);
    return (struct candidate){
        {begin_s, begin_s + self->sessions->length_s[flow->skipped[after]]},
        after,
    };
}

/* ---- what comes next ------------------------------------------------------------------------- */

/* Skip the sessions that are over at a time. */
static void pass_sessions(const struct fluid *self, struct flow *flow, uint32_t end, int64_t time_s)
{
    uint32_t next = find_session(self, flow->next, end, time_s - flow->moved_s);
    for (uint32_t session = flow->next; self->repeats_skipped && session < next; session++)
        skip(self, flow, session);
    flow->next = next;
}

/* Start over with all sessions, from the first that ends after a time. */
static void use_again(const struct fluid *self, struct flow *flow, uint32_t first, uint32_t end,
                      int64_t time_s)
{
    int64_t begin_s = session_at(self, first, 0).begin_s;
    int64_t end_s = session_at(self, end - 1, 0).end_s;
    int64_t cycle_s = ((end_s - begin_s) / WEEK_S + 1) * WEEK_S;
    int64_t behind_s = time_s - end_s - flow->moved_s;
    flow->moved_s += (behind_s > 0 ? behind_s / cycle_s + 1 : 1) * cycle_s;
    flow->next = first;
}

/* Return the session in progress at a time, or else the next to begin. */
static struct candidate next_session(const struct fluid *self, const struct loom_sim_user *user,
                                     int64_t time_s)
{
    struct flow *flow = user->state;
    uint32_t first = self->sessions->user_session[user->log_user];
    uint32_t end = self->sessions->user_session[user->log_user + 1];
    pass_sessions(self, flow, end, time_s);
    if (flow->next == end && flow->n_skipped == 0) {
        use_again(self, flow, first, end, time_s);
        flow->next = find_session(self, first, end, time_s - flow->moved_s);
    }
    struct candidate found = {.position = NOT_SKIPPED}, other;
    if (flow->next < end)
        found.span = session_at(self, flow->next, flow->moved_s);
    if (flow->n_skipped == 0 || (flow->next < end && found.span.begin_s <= time_s))
        return found;
    other = next_skipped(self, flow, time_s);
    return flow->next == end || other.span.begin_s < found.span.begin_s ? other : found;
}

/* Record that a batch comes in a session. */
static void use(struct flow *flow, const struct candidate *session)
{
    flow->current = session->span;
    if (session->position == NOT_SKIPPED)
        flow->next++;
    else
        unskip(flow, session->position);
}

/* ---- batches --------------------------------------------------------------------------------- */

static int64_t begin_next(const struct fluid *self, struct loom_sim_user *user, int64_t time_s)
{
    struct candidate session = next_session(self, user, time_s);
    if (session.span.begin_s <= time_s)
        session.span.begin_s = time_s;
    use(user->state, &session);
    return session.span.begin_s;
}

static int64_t fluid_arrival(const void *model, struct loom_sim_user *user,
                             const struct loom_release *release)
{
    const struct fluid *self = model;
    struct flow *flow = user->state;
    int64_t now_s = release->now_s - user->shift_s;
    struct candidate session = {.span = flow->current};
    bool going_on = now_s >= flow->current.begin_s && now_s < flow->current.end_s;
    if (!going_on)
        session = next_session(self, user, now_s);
    if (session.span.begin_s > now_s) {
        use(flow, &session);
        return session.span.begin_s + user->shift_s;
    }
    int64_t then_s = now_s + loom_delays_draw(&self->within, user, release->reason);
    if (release->leaves || (self->moves_late && then_s > session.span.end_s))
        return begin_next(self, user, session.span.end_s) + user->shift_s;
    if (!going_on)
        use(flow, &session);
    return then_s + user->shift_s;
}

static const char *const lates[] = {"stays", "moves", NULL};
static const char *const skips[] = {"end", "week", NULL};

static const struct loom_param params[] = {
    LOOM_CHOICE_PARAM(
        "late", lates, "stays", "WHAT",
        "a batch whose delay takes it beyond the end of its session comes then, or moves to "
        "the next session"),
    LOOM_CHOICE_PARAM(
        "skipped", skips, "end", "WHEN",
        "sessions that were skipped are used again after the last one, with all others, or "
        "each a week later"),
    {.name = NULL},
};

const struct loom_behaviour_ops loom_behaviour_fluid = {
    .info = {"fluid", "the sessions of the log, through which batches flow", params},
    .model_size = sizeof(struct fluid),
    .open = fluid_open,
    .close = fluid_close,
    .state_size = fluid_state_size,
    .join = fluid_join,
    .arrival = fluid_arrival,
};
