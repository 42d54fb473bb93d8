/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions: one scan over the jobs of each user in order of submission marks where a think time is
 * above the threshold (Zakay, chapter 2, sections 2 and 6); a second one turns the marks into runs
 * of positions.
 */
#include "base/civil.h"
#include "users/scan.h"

#include <stdlib.h>

struct loom_session_rule loom_session_rule(enum loom_session_method method)
{
    enum { MINUTE_S = 60 };
    return (struct loom_session_rule){
        .method = method,
        .threshold_s = (method == LOOM_SESSION_ARRIVAL ? 60 : 20) * MINUTE_S,
        .cut_s = 60 * MINUTE_S,
    };
}

const char *loom_session_method_name(enum loom_session_method method)
{
    static const char *const names[LOOM_SESSION_METHODS] = {"arrival", "last", "max", "last_cut",
                                                            "max_cut"};
    return names[method];
}

/* ---- where sessions start -------------------------------------------------------------------- */

bool loom_rule_takes_latest(const struct loom_session_rule *rule)
{
    return rule->method == LOOM_SESSION_MAX || rule->method == LOOM_SESSION_MAX_CUT;
}

int64_t loom_rule_ended(const struct loom_session_rule *rule, const struct loom_users *users,
                        size_t position)
{
    int64_t ended_s = users->ended_s[position];
    if (rule->method != LOOM_SESSION_LAST_CUT && rule->method != LOOM_SESSION_MAX_CUT)
        return ended_s;
    int64_t cut_s = loom_saturated_add(users->submit_s[position], rule->cut_s);
    return ended_s < cut_s ? ended_s : cut_s;
}

/* Return where the think time of the next job starts, by this job alone. */
static int64_t think_from(const struct loom_session_rule *rule, const struct loom_users *users,
                          size_t position)
{
    return rule->method == LOOM_SESSION_ARRIVAL ? users->submit_s[position]
                                                : loom_rule_ended(rule, users, position);
}

/* A session ends only after all jobs so far have ended, so it makes no difference to `max` whether
 * it looks at the jobs of the session or at all jobs of the user. */
void loom_mark_sessions(uint8_t *starts, const struct loom_users *users,
                        const struct loom_session_rule *rule)
{
    bool latest = loom_rule_takes_latest(rule);
    for (size_t user = 0; user < users->count; user++) {
        int64_t from_s = 0;
        for (size_t i = users->first[user]; i < users->first[user + 1]; i++) {
            int64_t think_s = loom_saturated_subtract(users->submit_s[i], from_s);
            bool first = i == users->first[user];
            starts[i] =
                first || think_s > rule->threshold_s ? LOOM_STARTS_SESSION : LOOM_STARTS_NOTHING;
            int64_t own_s = think_from(rule, users, i);
            from_s = first || !latest || own_s > from_s ? own_s : from_s;
        }
    }
}

/* ---- the object ------------------------------------------------------------------------------ */

/* A struct loom_sessions and its arrays, to write and free them. */
struct owner {
    struct loom_sessions sessions;
    uint32_t *first, *batch_first, *first_batch, *user_session, *of_job, *batch_of_job;
    int64_t *length_s;
};

static int sessions_allocate(struct owner *owner, const struct loom_users *users,
                             struct loom_error *err)
{
    size_t count = owner->sessions.count, batches = owner->sessions.batches;
    owner->first = malloc((count + 1) * sizeof *owner->first);
    owner->batch_first = malloc((batches + 1) * sizeof *owner->batch_first);
    owner->first_batch = malloc((count + 1) * sizeof *owner->first_batch);
    owner->user_session = malloc((users->count + 1) * sizeof *owner->user_session);
    owner->of_job = malloc((users->n_jobs + 1) * sizeof *owner->of_job);
    owner->batch_of_job = malloc((users->n_jobs + 1) * sizeof *owner->batch_of_job);
    owner->length_s = malloc((count + 1) * sizeof *owner->length_s);
    if (!owner->first || !owner->batch_first || !owner->first_batch || !owner->user_session ||
        !owner->of_job || !owner->batch_of_job || !owner->length_s)
        return loom_fail_memory(err);
    return 0;
}

/* Fill sessions and batches from marks at positions. */
static void take_runs(struct owner *owner, const struct loom_users *users, const uint8_t *starts)
{
    size_t session = 0, batch = 0;
    for (size_t job = 0; job < users->n_jobs; job++)
        owner->of_job[job] = owner->batch_of_job[job] = LOOM_NO_SESSION;
    for (size_t i = 0; i < users->n; i++) {
        if (starts[i] == LOOM_STARTS_SESSION) {
            owner->first[session] = (uint32_t)i;
            owner->first_batch[session++] = (uint32_t)batch;
        }
        if (starts[i] != LOOM_STARTS_NOTHING)
            owner->batch_first[batch++] = (uint32_t)i;
        owner->of_job[users->job[i]] = (uint32_t)(session - 1);
        owner->batch_of_job[users->job[i]] = (uint32_t)(batch - 1);
    }
    owner->first[session] = owner->batch_first[batch] = (uint32_t)users->n;
    owner->first_batch[session] = (uint32_t)batch;
}

static void take_users(struct owner *owner, const struct loom_users *users)
{
    for (size_t user = 0; user < users->count; user++)
        owner->user_session[user] = owner->of_job[users->job[users->first[user]]];
    owner->user_session[users->count] = (uint32_t)owner->sessions.count;
}

static void take_lengths(struct owner *owner, const struct loom_users *users)
{
    const struct loom_session_rule *rule = &owner->sessions.rule;
    bool latest = loom_rule_takes_latest(rule);
    for (size_t session = 0; session < owner->sessions.count; session++) {
        size_t first = owner->first[session], end = owner->first[session + 1];
        int64_t until_s = think_from(rule, users, end - 1);
        for (size_t i = first; i < end && latest; i++) {
            int64_t own_s = think_from(rule, users, i);
            until_s = own_s > until_s ? own_s : until_s;
        }
        owner->length_s[session] = loom_saturated_subtract(until_s, users->submit_s[first]);
    }
}

static int sessions_fill(struct owner *owner, const struct loom_users *users, uint8_t *starts,
                         struct loom_error *err)
{
    loom_mark_sessions(starts, users, &owner->sessions.rule);
    loom_mark_batches(starts, users, &owner->sessions.rule);
    for (size_t i = 0; i < users->n; i++) {
        owner->sessions.count += starts[i] == LOOM_STARTS_SESSION;
        owner->sessions.batches += starts[i] != LOOM_STARTS_NOTHING;
    }
    int rc = sessions_allocate(owner, users, err);
    if (rc)
        return rc;
    take_runs(owner, users, starts);
    take_users(owner, users);
    take_lengths(owner, users);
    return 0;
}

static int check_sessions_rule(const struct loom_session_rule *rule, struct loom_error *err)
{
    if (rule->threshold_s < 0 || rule->cut_s < 0)
        return loom_fail(err, LOOM_ERANGE,
                         "a session's threshold and cut are times of at least 0 seconds");
    return 0;
}

int loom_sessions_create(struct loom_sessions **out, const struct loom_users *users,
                         const struct loom_session_rule *rule, struct loom_error *err)
{
    int rc = check_sessions_rule(rule, err);
    if (rc)
        return rc;
    struct owner *owner = calloc(1, sizeof *owner);
    uint8_t *starts = malloc(users->n + 1);
    if (owner)
        owner->sessions.rule = *rule;
    rc = owner && starts ? sessions_fill(owner, users, starts, err) : loom_fail_memory(err);
    free(starts);
    if (rc) {
        loom_sessions_destroy((struct loom_sessions *)owner);
        return rc;
    }
    struct loom_sessions *sessions = &owner->sessions;
    sessions->first = owner->first;
    sessions->batch_first = owner->batch_first;
    sessions->first_batch = owner->first_batch;
    sessions->user_session = owner->user_session;
    sessions->of_job = owner->of_job;
    sessions->batch_of_job = owner->batch_of_job;
    sessions->length_s = owner->length_s;
    *out = sessions;
    return 0;
}

void loom_sessions_destroy(struct loom_sessions *sessions)
{
    struct owner *owner = (struct owner *)sessions;
    if (!owner)
        return;
    free(owner->first);
    free(owner->batch_first);
    free(owner->first_batch);
    free(owner->user_session);
    free(owner->of_job);
    free(owner->batch_of_job);
    free(owner->length_s);
    free(owner);
}
