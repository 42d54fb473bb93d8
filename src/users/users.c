/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs by user: positions ordered by (user, submit, place in the input), by two stable sorts. A log
 * in order of submission is sorted by user alone.
 */
#include "base/civil.h"
#include "base/sort.h"

#include <workloom/users.h>

#include <stdlib.h>
#include <string.h>

struct loom_activity loom_trace_activity(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    return (struct loom_activity){
        .n = jobs->n,
        .user = jobs->user,
        .submit_s = jobs->submit_s,
        .wait_s = jobs->wait_s,
        .run_s = jobs->run_s,
    };
}

/* ---- the order ------------------------------------------------------------------------------- */

struct keyed {
    int64_t key;
    uint32_t job;
};

/* List the jobs of known user and submit time in order. Returns 0, or -1 when memory is out. */
static int sort_jobs(uint32_t *jobs, size_t *n, const struct loom_activity *activity)
{
    struct keyed *keyed = malloc((activity->n + 1) * sizeof *keyed);
    if (!keyed)
        return -1;
    *n = 0;
    for (size_t i = 0; i < activity->n; i++)
        if (activity->user[i] >= 0 && activity->submit_s[i] != -1)
            keyed[(*n)++] = (struct keyed){activity->submit_s[i], (uint32_t)i};
    int rc = loom_sort_records(keyed, *n);
    for (size_t i = 0; i < *n; i++)
        keyed[i].key = activity->user[keyed[i].job];
    if (!rc)
        rc = loom_sort_records(keyed, *n);
    for (size_t i = 0; i < *n; i++)
        jobs[i] = keyed[i].job;
    free(keyed);
    return rc;
}

/* ---- the object ------------------------------------------------------------------------------ */

/* A struct loom_users and its arrays, to write and free them. */
struct owner {
    struct loom_users users;
    uint32_t *job, *first;
    int64_t *submit_s, *ended_s;
    int32_t *number;
};

static int64_t known_or_zero(int64_t time_s)
{
    return time_s > 0 ? time_s : 0;
}

static int take_user_jobs(struct owner *owner, const struct loom_activity *activity,
                          struct loom_error *err)
{
    size_t n = owner->users.n;
    owner->submit_s = malloc((n + 1) * sizeof *owner->submit_s);
    owner->ended_s = malloc((n + 1) * sizeof *owner->ended_s);
    if (!owner->submit_s || !owner->ended_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint32_t job = owner->job[i];
        int64_t started_s =
            loom_saturated_add(activity->submit_s[job], known_or_zero(activity->wait_s[job]));
        owner->submit_s[i] = activity->submit_s[job];
        owner->ended_s[i] = loom_saturated_add(started_s, known_or_zero(activity->run_s[job]));
    }
    return 0;
}

static size_t count_active_users(const struct owner *owner, const struct loom_activity *activity)
{
    size_t count = 0;
    for (size_t i = 0; i < owner->users.n; i++)
        count += i == 0 || activity->user[owner->job[i]] != activity->user[owner->job[i - 1]];
    return count;
}

static int take_users(struct owner *owner, const struct loom_activity *activity,
                      struct loom_error *err)
{
    size_t n = owner->users.n, count = count_active_users(owner, activity);
    owner->first = malloc((count + 1) * sizeof *owner->first);
    owner->number = malloc((count + 1) * sizeof *owner->number);
    if (!owner->first || !owner->number)
        return loom_fail_memory(err);
    size_t user = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t number = activity->user[owner->job[i]];
        if (i > 0 && number == owner->number[user - 1])
            continue;
        owner->number[user] = number;
        owner->first[user++] = (uint32_t)i;
    }
    owner->first[count] = (uint32_t)n;
    owner->users.count = count;
    return 0;
}

static void take_period(struct loom_users *users, const struct loom_activity *activity)
{
    bool any = false;
    users->n_jobs = activity->n;
    for (size_t i = 0; i < activity->n; i++) {
        int64_t submit_s = activity->submit_s[i];
        if (submit_s == -1)
            continue;
        users->begin_s = !any || submit_s < users->begin_s ? submit_s : users->begin_s;
        users->end_s = !any || submit_s > users->end_s ? submit_s : users->end_s;
        any = true;
    }
}

static int users_fill(struct owner *owner, const struct loom_activity *activity,
                      struct loom_error *err)
{
    owner->job = malloc((activity->n + 1) * sizeof *owner->job);
    int rc = owner->job && sort_jobs(owner->job, &owner->users.n, activity) == 0
                 ? 0
                 : loom_fail_memory(err);
    if (!rc)
        rc = take_user_jobs(owner, activity, err);
    if (!rc)
        rc = take_users(owner, activity, err);
    return rc;
}

int loom_users_create(struct loom_users **out, const struct loom_activity *activity,
                      struct loom_error *err)
{
    if (activity->n >= UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "too many jobs to find users; take less than 4294967295 at a time");
    struct owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    int rc = users_fill(owner, activity, err);
    if (rc) {
        loom_users_destroy(&owner->users);
        return rc;
    }
    struct loom_users *users = &owner->users;
    take_period(users, activity);
    users->job = owner->job;
    users->submit_s = owner->submit_s;
    users->ended_s = owner->ended_s;
    users->number = owner->number;
    users->first = owner->first;
    *out = users;
    return 0;
}

void loom_users_destroy(struct loom_users *users)
{
    struct owner *owner = (struct owner *)users;
    if (!owner)
        return;
    free(owner->job);
    free(owner->first);
    free(owner->submit_s);
    free(owner->ended_s);
    free(owner->number);
    free(owner);
}

int64_t loom_user_begin(const struct loom_users *users, size_t user)
{
    return users->submit_s[users->first[user]];
}

int64_t loom_user_end(const struct loom_users *users, size_t user)
{
    return users->submit_s[users->first[user + 1] - 1];
}
