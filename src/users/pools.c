/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools of users: long-term ones, temporary ones, and users of whom the log shows too little
 * (Zakay, chapter 3, section 4).
 */
#include "base/civil.h"

#include <workloom/users.h>

#include <stdlib.h>

struct loom_user_rule loom_user_rule(void)
{
    enum { WEEK_S = 7 * 86400 };
    return (struct loom_user_rule){.long_term_s = 12 * WEEK_S,
                                   .edge_s = 4 * WEEK_S,
                                   .rare_from = INT64_MAX};
}

/* The latest end of a user's jobs. */
static int64_t last_end(const struct loom_users *users, size_t user)
{
    int64_t last_s = INT64_MIN;
    for (size_t i = users->first[user]; i < users->first[user + 1]; i++)
        last_s = users->ended_s[i] > last_s ? users->ended_s[i] : last_s;
    return last_s;
}

static enum loom_user_kind user_kind(const struct loom_users *users, size_t user,
                                     const struct loom_user_rule *rule)
{
    int64_t begin_s = loom_user_begin(users, user), end_s = loom_user_end(users, user);
    if (users->number[user] >= rule->rare_from)
        return LOOM_RARE;
    if (loom_saturated_subtract(last_end(users, user), begin_s) > rule->long_term_s)
        return LOOM_LONG_TERM;
    if (loom_saturated_subtract(end_s, users->begin_s) <= rule->edge_s ||
        loom_saturated_subtract(users->end_s, begin_s) <= rule->edge_s)
        return LOOM_DISCARDED;
    return LOOM_TEMPORARY;
}

/* What a struct loom_user_pools handed out is the beginning of: its arrays. */
struct owner {
    struct loom_user_pools pools;
    uint8_t *kind;
    uint32_t *members;
};

static void pools_fill(struct owner *owner, const struct loom_users *users,
                       const struct loom_user_rule *rule)
{
    struct loom_user_pools *pools = &owner->pools;
    for (size_t user = 0; user < users->count; user++) {
        owner->kind[user] = (uint8_t)user_kind(users, user, rule);
        pools->count[owner->kind[user]]++;
        pools->jobs[owner->kind[user]] += users->first[user + 1] - users->first[user];
    }
    uint32_t *next = owner->members;
    for (unsigned kind = 0; kind < LOOM_USER_KINDS; kind++) {
        pools->members[kind] = next;
        for (size_t user = 0; user < users->count; user++)
            if (owner->kind[user] == kind)
                *next++ = (uint32_t)user;
    }
    pools->kind = owner->kind;
}

int loom_user_pools_create(struct loom_user_pools **out, const struct loom_users *users,
                           const struct loom_user_rule *rule, struct loom_error *err)
{
    struct owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    owner->kind = malloc(users->count + 1);
    owner->members = malloc((users->count + 1) * sizeof *owner->members);
    if (!owner->kind || !owner->members) {
        loom_user_pools_destroy(&owner->pools);
        return loom_fail_memory(err);
    }
    pools_fill(owner, users, rule);
    *out = &owner->pools;
    return 0;
}

void loom_user_pools_destroy(struct loom_user_pools *pools)
{
    struct owner *owner = (struct owner *)pools;
    if (!owner)
        return;
    free(owner->kind);
    free(owner->members);
    free(owner);
}
