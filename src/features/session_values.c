/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of jobs session by session, for features and figures of similarity. */
#include "features/similarity.h"

#include <stdlib.h>
#include <workloom/stats.h>

enum { LEAST_SESSIONS = 6 };

int loom_session_values_create(struct loom_session_values *out, const struct loom_users *users,
                               const struct loom_sessions *sessions, struct loom_error *err)
{
    *out = (struct loom_session_values){
        .x = malloc((users->n + 1) * sizeof *out->x),
        .first = malloc((sessions->count + 1) * sizeof *out->first),
        .scratch = malloc((users->n + 1) * sizeof *out->scratch),
    };
    if (out->x && out->first && out->scratch)
        return 0;
    loom_session_values_free(out);
    return loom_fail_memory(err);
}

void loom_session_values_free(struct loom_session_values *values)
{
    free(values->x);
    free(values->first);
    free(values->scratch);
    *values = (struct loom_session_values){0};
}

/* The value of a job, negative if unknown. */
static double session_value(const struct loom_workload *jobs, enum loom_similar attribute,
                            uint32_t job)
{
    if (attribute == LOOM_SIMILAR_RUNTIME)
        return (double)jobs->run_s[job];
    int64_t value = attribute == LOOM_SIMILAR_PROCS ? jobs->procs[job] : jobs->request_s[job];
    return value > 0 ? (double)value : -1;
}

int loom_session_values_take(struct loom_session_values *values, const struct loom_workload *jobs,
                             enum loom_similar attribute, const struct loom_users *users,
                             const struct loom_sessions *sessions, struct loom_error *err)
{
    uint32_t n = 0;
    int rc = 0;
    for (size_t session = 0; session < sessions->count && !rc; session++) {
        values->first[session] = n;
        for (size_t i = sessions->first[session]; i < sessions->first[session + 1]; i++) {
            double value = session_value(jobs, attribute, users->job[i]);
            if (value >= 0)
                values->x[n++] = value;
        }
        rc = loom_sort(values->x + values->first[session], n - values->first[session], err);
    }
    values->first[sessions->count] = n;
    return rc;
}

bool loom_is_compared(const struct loom_sessions *sessions, size_t user)
{
    size_t from = sessions->user_session[user], to = sessions->user_session[user + 1];
    if (to - from < LEAST_SESSIONS)
        return false;
    return sessions->first[to] - sessions->first[from] > to - from;
}

struct loom_pairs loom_user_pairs(const struct loom_session_values *values,
                                  const struct loom_sessions *sessions, size_t user,
                                  size_t distance)
{
    size_t from = sessions->user_session[user], to = sessions->user_session[user + 1];
    return (struct loom_pairs){values->x, values->first + from, to - from, distance};
}
