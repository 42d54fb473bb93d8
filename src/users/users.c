/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs by user: positions ordered by (user, submit, place in the input), by a stable sort on digits
 * that skips what is in order already. A log in order of submission is sorted by user alone.
 */
#include "base/civil.h"

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

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Job indices being sorted, and room for as many. */
struct order {
    uint32_t *jobs, *spare;
    size_t n;
};

typedef uint64_t key_fn(const struct loom_activity *activity, uint32_t job);

static uint64_t user_key(const struct loom_activity *activity, uint32_t job)
{
    return (uint64_t)activity->user[job];
}

/* Map times to unsigned keys: negative ones sort first. */
static uint64_t submit_key(const struct loom_activity *activity, uint32_t job)
{
    return (uint64_t)activity->submit_s[job] ^ (UINT64_C(1) << 63);
}

static void sort_by_digit(struct order *order, const struct loom_activity *activity, key_fn *key,
                          unsigned shift)
{
    size_t starts[DIGITS] = {0};
    for (size_t i = 0; i < order->n; i++)
        starts[key(activity, order->jobs[i]) >> shift & (DIGITS - 1)]++;
    size_t before = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = starts[digit];
        starts[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < order->n; i++)
        order->spare[starts[key(activity, order->jobs[i]) >> shift & (DIGITS - 1)]++] =
            order->jobs[i];
    uint32_t *sorted = order->spare;
    order->spare = order->jobs;
    order->jobs = sorted;
}

/* Sort by digits, stable, from the last digit that differs to the first. */
static void sort_by(struct order *order, const struct loom_activity *activity, key_fn *key)
{
    uint64_t differs = 0, previous = 0;
    bool sorted = true;
    for (size_t i = 0; i < order->n; i++) {
        uint64_t this = key(activity, order->jobs[i]);
        differs |= i > 0 ? this ^ previous : 0;
        sorted = sorted && previous <= this;
        previous = this;
    }
    for (unsigned shift = 0; !sorted && shift < 64; shift += DIGIT_BITS)
        if (differs >> shift & (DIGITS - 1))
            sort_by_digit(order, activity, key, shift);
}

static void sort_jobs(struct order *order, const struct loom_activity *activity)
{
    order->n = 0;
    for (size_t i = 0; i < activity->n; i++)
        if (activity->user[i] >= 0 && activity->submit_s[i] != -1)
            order->jobs[order->n++] = (uint32_t)i;
    sort_by(order, activity, submit_key);
    sort_by(order, activity, user_key);
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
    struct order order = {
        .jobs = malloc((activity->n + 1) * sizeof *order.jobs),
        .spare = malloc((activity->n + 1) * sizeof *order.spare),
    };
    int rc = order.jobs && order.spare ? 0 : loom_fail_memory(err);
    if (!rc)
        sort_jobs(&order, activity);
    free(order.spare);
    owner->job = order.jobs;
    owner->users.n = order.n;
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
