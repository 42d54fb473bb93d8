/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The delays of a log's users, each kind in one array by user. */
#include "users/delays.h"

#include <stdlib.h>

static void take_user(struct loom_delay_list *out, const struct loom_user_history *history,
                      size_t user, const int64_t *delays_s, enum loom_delay_scope scope,
                      int64_t limit_s)
{
    const struct loom_sessions *sessions = history->sessions;
    uint32_t n = out->first[user];
    for (uint32_t s = sessions->user_session[user]; s < sessions->user_session[user + 1]; s++) {
        uint32_t first = sessions->first_batch[s], end = sessions->first_batch[s + 1];
        uint32_t from = scope == LOOM_WITHIN_SESSIONS ? first + 1 : first;
        uint32_t to = scope == LOOM_WITHIN_SESSIONS ? end : first + 1;
        for (uint32_t b = from; b < to; b++)
            if (delays_s[b] >= 0 && delays_s[b] < limit_s)
                out->values_s[n++] = delays_s[b];
    }
    out->first[user + 1] = n;
}

static int take_delay(struct loom_delay_list *out, const struct loom_user_history *history,
                      const int64_t *delays_s, enum loom_delay_scope scope, int64_t limit_s,
                      struct loom_error *err)
{
    size_t users = history->users->count;
    out->users = users;
    out->values_s = malloc((history->sessions->batches + 1) * sizeof *out->values_s);
    out->first = calloc(users + 1, sizeof *out->first);
    if (!out->values_s || !out->first)
        return loom_fail_memory(err);
    for (size_t user = 0; user < users; user++)
        take_user(out, history, user, delays_s, scope, limit_s);
    return 0;
}

int loom_delays_take(struct loom_delays *out, const struct loom_user_history *history,
                     enum loom_delay_scope scope, int64_t limit_s, struct loom_error *err)
{
    const int64_t *const kinds[] = {
        [LOOM_RELEASED_BY_END] = history->graph->think_s,
        [LOOM_RELEASED_IN_TURN] = history->graph->interarrival_s,
    };
    int rc = 0;
    for (size_t i = 0; i < 2 && !rc; i++)
        rc = take_delay(&out->lists[i], history, kinds[i], scope, limit_s, err);
    return rc;
}

void loom_delays_free(struct loom_delays *delays)
{
    for (size_t i = 0; i < 2; i++) {
        free(delays->lists[i].values_s);
        free(delays->lists[i].first);
    }
    *delays = (struct loom_delays){0};
}

int64_t loom_delays_draw(const struct loom_delays *delays, const struct loom_sim_user *user,
                         enum loom_release_reason reason)
{
    const struct loom_delay_list *list = &delays->lists[reason];
    uint32_t from = list->first[user->log_user], to = list->first[user->log_user + 1];
    if (from == to) {
        from = 0;
        to = list->first[list->users];
    }
    return from < to ? list->values_s[from + loom_stream_below(user->stream, to - from)] : 0;
}
