/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rare behaviours as users of their own (Zakay, chapter 3, section 6.4): the jobs that a user
 * submitted in some period are taken from that user and given to a new one, who can then be drawn
 * as often as wanted, or never.
 */
#include <workloom/users.h>

static bool inside(const struct loom_activity *activity, size_t job, const struct loom_rare *rare)
{
    return activity->user[job] == rare->user && activity->submit_s[job] >= rare->from_s &&
           activity->submit_s[job] <= rare->to_s;
}

static int32_t highest_user(const struct loom_activity *activity)
{
    int32_t highest = 0;
    for (size_t job = 0; job < activity->n; job++)
        highest = activity->user[job] > highest ? activity->user[job] : highest;
    return highest;
}

/* Give the jobs of one behaviour that no earlier one has taken to a new user. */
static size_t take_rare(int32_t *user, int32_t number, const struct loom_activity *activity,
                        const struct loom_rare *rare)
{
    size_t taken = 0;
    for (size_t job = 0; job < activity->n; job++)
        if (inside(activity, job, rare) && user[job] == rare->user) {
            user[job] = number;
            taken++;
        }
    return taken;
}

int loom_rare_split(int32_t *user, int64_t *rare_from, const struct loom_activity *activity,
                    const struct loom_rare *rare, size_t n, struct loom_error *err)
{
    int32_t highest = highest_user(activity);
    if (n > (size_t)(INT32_MAX - highest))
        return loom_fail(err, LOOM_ERANGE,
                         "user numbers up to %d leave no room for %zu rare behaviours", highest, n);
    *rare_from = (int64_t)highest + 1;
    for (size_t job = 0; job < activity->n; job++)
        user[job] = activity->user[job];
    for (size_t i = 0; i < n; i++)
        if (take_rare(user, highest + 1 + (int32_t)i, activity, &rare[i]) == 0)
            return loom_fail(
                err, LOOM_EDATA,
                "user %d has no job in the period of rare behaviour %zu, or none that an "
                "earlier one has not taken",
                rare[i].user, i + 1);
    return 0;
}
