/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free processors over time: a sorted array of changes. */
#include "sim/profile.h"

#include "base/vec.h"

#include <workloom/sim.h>

void loom_profile_reset(struct loom_profile *profile, int64_t procs, int64_t now_s)
{
    profile->now_s = now_s;
    profile->free = procs;
    profile->n = 0;
    profile->failed = false;
}

void loom_profile_free(struct loom_profile *profile)
{
    free(profile->steps);
    *profile = (struct loom_profile){0};
}

void loom_profile_advance(struct loom_profile *profile, int64_t now_s)
{
    size_t past = 0;
    profile->now_s = now_s;
    while (past < profile->n && profile->steps[past].time_s <= now_s)
        profile->free += profile->steps[past++].change;
    if (past == 0)
        return;
    profile->n -= past;
    memmove(profile->steps, profile->steps + past, profile->n * sizeof *profile->steps);
}

/* The first step at time_s or later. */
static size_t find(const struct loom_profile *profile, int64_t time_s)
{
    size_t low = 0, high = profile->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (profile->steps[middle].time_s < time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void change(struct loom_profile *profile, int64_t time_s, int64_t by)
{
    if (time_s <= profile->now_s) {
        profile->free += by;
        return;
    }
    size_t at = find(profile, time_s), rest = profile->n - at;
    struct loom_step *step = profile->steps + at;
    if (rest > 0 && step->time_s == time_s) {
        step->change += by;
        if (step->change == 0) {
            memmove(step, step + 1, (rest - 1) * sizeof *step);
            profile->n--;
        }
        return;
    }
    if (loom_grow(&profile->steps, profile->n, &profile->capacity)) {
        profile->failed = true;
        return;
    }
    step = profile->steps + at;
    memmove(step + 1, step, rest * sizeof *step);
    *step = (struct loom_step){time_s, by};
    profile->n++;
}

void loom_profile_book(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs)
{
    change(profile, from_s, -procs);
    change(profile, to_s, procs);
}

void loom_profile_unbook(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs)
{
    loom_profile_book(profile, from_s, to_s, -procs);
}

int64_t loom_profile_at(const struct loom_profile *profile, int64_t time_s)
{
    int64_t free = profile->free;
    for (size_t i = 0; i < profile->n && profile->steps[i].time_s <= time_s; i++)
        free += profile->steps[i].change;
    return free;
}

int64_t loom_profile_earliest(const struct loom_profile *profile, int64_t procs, int64_t length_s)
{
    int64_t free = profile->free, start_s = free >= procs ? profile->now_s : LOOM_NEVER;
    for (size_t i = 0; i < profile->n; i++) {
        int64_t time_s = profile->steps[i].time_s;
        if (start_s != LOOM_NEVER && time_s - start_s >= length_s)
            return start_s;
        free += profile->steps[i].change;
        if (free < procs)
            start_s = LOOM_NEVER;
        else if (start_s == LOOM_NEVER)
            start_s = time_s;
    }
    return start_s;
}
