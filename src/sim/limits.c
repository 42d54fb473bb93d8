/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of users, and the jobs that are held back by them. */
#include "sim/limits.h"

#include "base/error.h"
#include "base/vec.h"

#include <stdlib.h>

static int check(const struct loom_user_limits *rule, struct loom_error *err)
{
    bool wrong = rule->jobs < 0 || rule->procs < 0;
    for (size_t i = 0; i < rule->n_own; i++)
        wrong |= rule->own[i].jobs < 0 || rule->own[i].procs < 0 ||
                 (i > 0 && rule->own[i].user <= rule->own[i - 1].user);
    return wrong ? loom_fail_field(err, LOOM_ERANGE, "limits",
                                   "limits of users must not be negative, and users ascend")
                 : 0;
}

int loom_limits_set(struct loom_limits *limits, const struct loom_user_limits *rule,
                    struct loom_error *err)
{
    if (!rule) {
        loom_limits_free(limits);
        return 0;
    }
    limits->rule = rule;
    limits->n_slots = limits->n_held = 0;
    limits->free_slot = LOOM_NO_JOB;
    loom_map_free(&limits->users);
    return check(rule, err);
}

void loom_limits_free(struct loom_limits *limits)
{
    loom_map_free(&limits->users);
    free(limits->list);
    free(limits->held);
    *limits = (struct loom_limits){0};
}

/* ---- users ----------------------------------------------------------------------------------- */

static struct loom_limited_user fresh_user(const struct loom_user_limits *rule, int32_t user)
{
    struct loom_limited_user out = {.jobs_max = rule->jobs,
                                    .procs_max = rule->procs,
                                    .first = LOOM_NO_JOB,
                                    .last = LOOM_NO_JOB};
    size_t low = 0, high = rule->n_own;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rule->own[middle].user < user)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < rule->n_own && rule->own[low].user == user) {
        out.jobs_max = rule->own[low].jobs;
        out.procs_max = rule->own[low].procs;
    }
    return out;
}

/* NULL when memory is out. */
static struct loom_limited_user *find_or_add(struct loom_limits *limits, int32_t user)
{
    size_t known = limits->users.n;
    if (loom_grow(&limits->list, known, &limits->list_capacity))
        return NULL;
    uint32_t at = loom_map_intern(&limits->users, (uint64_t)user);
    if (at == LOOM_MAP_NONE)
        return NULL;
    if (at == known)
        limits->list[at] = fresh_user(limits->rule, user);
    return &limits->list[at];
}

static bool may_join(const struct loom_limited_user *user, const struct loom_sim_job *job)
{
    if (user->jobs == 0)
        return true;
    return (user->jobs_max == 0 || user->jobs < user->jobs_max) &&
           (user->procs_max == 0 || user->procs + job->procs <= user->procs_max);
}

static void count(struct loom_limited_user *user, const struct loom_sim_job *job)
{
    user->jobs++;
    user->procs += job->procs;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int hold(struct loom_limits *limits, struct loom_limited_user *user,
                const struct loom_held *what, struct loom_error *err)
{
    uint32_t slot = limits->free_slot;
    if (slot != LOOM_NO_JOB) {
        limits->free_slot = limits->held[slot].next;
    } else {
        if (loom_grow(&limits->held, limits->n_slots, &limits->held_capacity))
            return loom_fail_memory(err);
        slot = (uint32_t)limits->n_slots++;
    }
    limits->held[slot] = *what;
    limits->held[slot].next = LOOM_NO_JOB;
    if (user->first == LOOM_NO_JOB)
        user->first = slot;
    else
        limits->held[user->last].next = slot;
    user->last = slot;
    limits->n_held++;
    return 0;
}

int loom_limits_submit(struct loom_limits *limits, const struct loom_held *what, bool *join,
                       struct loom_error *err)
{
    *join = true;
    if (!limits->rule || what->job.user < 0)
        return 0;
    struct loom_limited_user *user = find_or_add(limits, what->job.user);
    if (!user)
        return loom_fail_memory(err);
    *join = user->first == LOOM_NO_JOB && may_join(user, &what->job);
    if (!*join)
        return hold(limits, user, what, err);
    count(user, &what->job);
    return 0;
}

void loom_limits_end(struct loom_limits *limits, const struct loom_sim_job *job)
{
    if (!limits->rule || job->user < 0)
        return;
    struct loom_limited_user *user =
        &limits->list[loom_map_find(&limits->users, (uint64_t)job->user)];
    user->jobs--;
    user->procs -= job->procs;
}

bool loom_limits_next(struct loom_limits *limits, int32_t number, struct loom_held *out)
{
    if (!limits->rule || number < 0)
        return false;
    struct loom_limited_user *user = &limits->list[loom_map_find(&limits->users, (uint64_t)number)];
    uint32_t slot = user->first;
    if (slot == LOOM_NO_JOB || !may_join(user, &limits->held[slot].job))
        return false;
    *out = limits->held[slot];
    user->first = out->next;
    limits->held[slot].next = limits->free_slot;
    limits->free_slot = slot;
    limits->n_held--;
    count(user, &out->job);
    return true;
}
