/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Free processors over time. The first step is at now, and the last lasts for ever; two steps in a
 * row differ in what is free.
 *
 * A job can move up in two ways. Where its processors are free right before its booking, it can be
 * pushed up to where they begin to be. And it can jump to a gap that is long enough by itself. Of
 * these there are few, but many that are too short: the bounds of earliest starts tell where not to
 * look. They are lowered wherever processors are given back.
 */
#include "sim/index/profile_steps.h"

#include <workloom/sim.h>

#include <stdlib.h>

/* Later than any start. */
static const int64_t NONE = INT64_C(1) << 62;

/* ---- searching ------------------------------------------------------------------------------- */

/* Search a block from a step on for one by which procs processors have been free for length_s.
 * *start_s is since when they are, or NONE. Most gaps are short and few steps long: without
 * branches in the loop but its end. */
static bool scan(const struct loom_profile *profile, struct loom_place from, int32_t procs,
                 int64_t length_s, int64_t *start_s)
{
    const struct loom_profile_block *block = block_at(profile, from.rank);
    int32_t wanted = wanted_in(block, procs);
    uint32_t at = from.at;
    int64_t start = *start_s;
    for (; at < block->n && block->time_s[at] - start < length_s; at++) {
        start = start < block->time_s[at] ? start : block->time_s[at];
        start = block->free[at] < wanted ? NONE : start;
    }
    *start_s = start;
    if (at < block->n)
        return true;
    if (profile->order[from.rank].loose)
        loom_steps_summarize(profile, from.rank);
    return false;
}

/* Return the first start at a step from `from` on, and before before_s, from which on procs
 * processors are free for length_s; NONE if there is none. */
static int64_t first_fit(const struct loom_profile *profile, struct loom_place from, int32_t procs,
                         int64_t length_s, int64_t before_s)
{
    int64_t start_s = NONE;
    for (; from.rank < profile->n; from = (struct loom_place){from.rank + 1, 0}) {
        const struct loom_block_summary *summary = &profile->order[from.rank];
        int64_t begin_s = from.at == 0 ? summary->begin_s : time_at(profile, from);
        if (begin_s - start_s >= length_s || (begin_s >= before_s && start_s >= before_s))
            break;
        if (summary->most < procs)
            start_s = NONE;
        else if (summary->least >= procs)
            start_s = start_s < begin_s ? start_s : begin_s;
        else if (scan(profile, from, procs, length_s, &start_s))
            break;
    }
    return start_s < before_s ? start_s : NONE;
}

/* Return the first step from `from` on with fewer than, or at least, procs free; one of rank
 * profile->n if there is none. */
static inline struct loom_place first_step(const struct loom_profile *profile,
                                           struct loom_place from, int32_t procs, bool fewer)
{
    for (; from.rank < profile->n; from = (struct loom_place){from.rank + 1, 0}) {
        const struct loom_block_summary *summary = &profile->order[from.rank];
        if (fewer ? summary->least >= procs : summary->most < procs)
            continue;
        const struct loom_profile_block *block = &profile->blocks[summary->block];
        for (int32_t wanted = wanted_in(block, procs); from.at < block->n; from.at++)
            if ((block->free[from.at] < wanted) == fewer)
                return from;
        if (summary->loose)
            loom_steps_summarize(profile, from.rank);
    }
    return from;
}

/* Return the first step of the run of steps with procs processors free that ends before a step; the
 * step itself if there is none. */
static struct loom_place begin_of_run(const struct loom_profile *profile, struct loom_place step,
                                      int32_t procs)
{
    for (;;) {
        const struct loom_profile_block *block = block_at(profile, step.rank);
        if (profile->order[step.rank].least >= procs)
            step.at = 0;
        while (step.at > 0 && block->free[step.at - 1] + block->added >= procs)
            step.at--;
        if (step.at > 0 || step.rank == 0)
            return step;
        struct loom_place last = {step.rank - 1, block_at(profile, step.rank - 1)->n - 1};
        if (free_at(profile, last) < procs)
            return step;
        step = last;
    }
}

/* Return when the run of steps with procs processors free ends that begins at a step. */
static int64_t end_of_run(const struct loom_profile *profile, struct loom_place step, int32_t procs)
{
    step = first_step(profile, step, procs, true);
    return step.rank < profile->n ? time_at(profile, step) : NONE;
}

/* Return the first start of all before before_s, or NONE. Uses the bounds, and raises them. */
static int64_t search(struct loom_profile *profile, int32_t procs, int64_t length_s,
                      int64_t before_s)
{
    struct loom_place from = {0, 0};
    unsigned length = loom_bound_length(length_s);
    if (profile->n > 1 && loom_start_bound(&profile->bounds, procs, length) >= before_s)
        return NONE;
    struct loom_bound_row *row =
        profile->n > 1 ? loom_start_bounds_row(&profile->bounds, procs, length) : NULL;
    if (!row)
        return first_fit(profile, from, procs, length_s, before_s);
    if (row->from_s[length] > profile->order[0].begin_s)
        from = locate(profile, row->from_s[length]);
    int64_t least_s = loom_length_of_step(length);
    /* what is learned beyond is of use to jobs of the same kind that are booked behind this one */
    int64_t far_s = before_s < NONE - 4 * least_s ? before_s + 4 * least_s : NONE;
    int64_t start_s = first_fit(profile, from, row->procs, least_s, far_s);
    loom_bound_raise(row, length, start_s < far_s ? start_s : far_s);
    if (start_s >= before_s)
        return NONE;
    if (row->procs == procs && least_s == length_s)
        return start_s;
    return first_fit(profile, locate(profile, start_s), procs, length_s, before_s);
}

/* ---- giving back ----------------------------------------------------------------------------- */

/* The steps in which processors were given back, from one to before another. */
struct release {
    struct loom_place from, to;
    int32_t by;
    int32_t least, most; /* free now in these steps */
};

/* Lower the bounds of a row to the gaps that overlap a release. */
static void lower_row(const struct loom_profile *profile, struct loom_bound_row *row,
                      const struct release *released)
{
    struct loom_place at = first_step(profile, released->from, row->procs, false);
    bool is_first = at.rank == released->from.rank && at.at == released->from.at;
    while (precedes(at, released->to)) {
        struct loom_place begin = is_first ? begin_of_run(profile, at, row->procs) : at;
        struct loom_place end = first_step(profile, at, row->procs, true);
        int64_t begin_s = time_at(profile, begin);
        int64_t end_s = end.rank < profile->n ? time_at(profile, end) : NONE;
        loom_bound_lower(row, begin_s, loom_bound_length(end_s - begin_s));
        at = first_step(profile, end, row->procs, false);
        is_first = false;
    }
}

/* Only rows wider than what was free before, and not wider than what is now, can have to be
 * lowered. All gaps that are new to any of them lie within that of the narrowest, by which for most
 * rows nothing changes. */
static void lower_bounds(struct loom_profile *profile, const struct release *released)
{
    struct loom_bound_row **used = profile->bounds.used;
    int32_t before = released->least - released->by;
    unsigned n = loom_start_bounds_upto(&profile->bounds, released->most);
    unsigned first = loom_start_bounds_upto(&profile->bounds, before);
    if (first > 0 && used[first - 1]->procs > before)
        first--;
    if (first >= n)
        return;
    struct loom_place begin = released->from;
    int32_t narrowest = used[first]->procs;
    if (free_at(profile, begin) >= narrowest)
        begin = begin_of_run(profile, begin, narrowest);
    int64_t begin_s = time_at(profile, begin);
    int64_t end_s = end_of_run(profile, released->to, narrowest);
    unsigned length = loom_bound_length(end_s - begin_s);
    for (unsigned i = first; i < n; i++)
        if (loom_bound_concerns(used[i], begin_s, length))
            lower_row(profile, used[i], released);
}

/* ---- booking --------------------------------------------------------------------------------- */

void loom_profile_reset(struct loom_profile *profile, int64_t procs, int64_t now_s)
{
    profile->procs = procs;
    profile->n = 0;
    profile->failed = loom_steps_reserve(profile, 1);
    loom_start_bounds_reset(&profile->bounds);
    if (profile->failed)
        return;
    for (size_t i = 0; i < profile->n_blocks; i++)
        loom_steps_resize(&profile->blocks[i], 0);
    profile->n = 1;
    struct loom_profile_block *first = block_at(profile, 0);
    first->n = 1;
    first->added = 0;
    first->time_s[0] = now_s;
    first->free[0] = (int32_t)procs;
    loom_steps_summarize(profile, 0);
}

void loom_profile_free(struct loom_profile *profile)
{
    free(profile->order);
    free(profile->blocks);
    loom_start_bounds_free(&profile->bounds);
    *profile = (struct loom_profile){0};
}

void loom_profile_advance(struct loom_profile *profile, int64_t now_s)
{
    while (profile->n > 1 && profile->order[1].begin_s <= now_s)
        loom_steps_drop_block(profile, 0);
    if (profile->n == 0)
        return;
    struct loom_profile_block *block = block_at(profile, 0);
    uint32_t past = 0;
    while (past + 1 < block->n && block->time_s[past + 1] <= now_s)
        past++;
    if (past > 0)
        loom_steps_remove(profile, (struct loom_place){0, 0}, past);
    block->time_s[0] = profile->order[0].begin_s = now_s;
}

static void include(int32_t least, int32_t most, int32_t *all_least, int32_t *all_most)
{
    *all_least = least < *all_least ? least : *all_least;
    *all_most = most > *all_most ? most : *all_most;
}

/* Change part of a block, whose numbers become those that are free: unlike what is added to all of
 * them, they would go on growing. */
static void add_to_part(struct loom_profile *profile, size_t rank, uint32_t from, uint32_t to,
                        struct release *change)
{
    struct loom_block_summary *summary = &profile->order[rank];
    struct loom_profile_block *block = block_at(profile, rank);
    int32_t by = change->by, least = INT32_MAX, most = INT32_MIN;
    if (block->added != 0) {
        for (uint32_t i = 0; i < block->n; i++)
            block->free[i] += block->added;
        block->added = 0;
    }
    for (uint32_t i = from; i < to; i++) {
        int32_t free = block->free[i] += by;
        include(free, free, &least, &most);
    }
    include(least, most, &summary->least, &summary->most);
    include(least, most, &change->least, &change->most);
    summary->loose = true;
}

static void add_to_block(struct loom_profile *profile, size_t rank, struct release *change)
{
    struct loom_block_summary *summary = &profile->order[rank];
    block_at(profile, rank)->added += change->by;
    summary->least += change->by;
    summary->most += change->by;
    include(summary->least, summary->most, &change->least, &change->most);
}

static void add(struct loom_profile *profile, struct release *change)
{
    struct loom_place from = change->from, to = change->to;
    for (size_t rank = from.rank; rank <= to.rank; rank++) {
        uint32_t n = block_at(profile, rank)->n;
        uint32_t first = rank == from.rank ? from.at : 0, end = rank == to.rank ? to.at : n;
        if (end - first == n)
            add_to_block(profile, rank, change);
        else if (first < end)
            add_to_part(profile, rank, first, end, change);
    }
}

/* Change what is free in [from_s, to_s), if that is not empty; it begins now or later. Its steps
 * may be at two places. Room for two blocks must be reserved. */
static void change(struct loom_profile *profile, int64_t from_s, int64_t to_s, int32_t by,
                   struct loom_place likely_from, struct loom_place likely_to)
{
    if (from_s >= to_s)
        return;
    struct release release = {.by = by, .least = INT32_MAX, .most = INT32_MIN};
    release.to = loom_steps_at(profile, to_s, likely_to);
    size_t n = profile->n;
    bool is_likely = is_at(profile, likely_from, from_s);
    release.from = loom_steps_at(profile, from_s, is_likely ? likely_from : release.to);
    if (profile->n != n)
        release.to = locate(profile, to_s);
    else if (time_at(profile, release.to) != to_s)
        release.to.at++;
    add(profile, &release);
    if (by > 0 && profile->n > 1)
        lower_bounds(profile, &release);
    else if (by > 0)
        loom_start_bounds_reset(&profile->bounds);
    loom_steps_remove_if_level(profile, release.to);
    loom_steps_remove_if_level(profile, release.from);
}

/* Change what is free in the part of [from_s, to_s) that is not past. */
static void change_rest(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t by)
{
    const struct loom_place first = {0, 0};
    if (profile->n == 0)
        return;
    if (loom_steps_reserve(profile, 2)) {
        profile->failed = true;
        return;
    }
    int64_t now_s = profile->order[0].begin_s;
    change(profile, from_s > now_s ? from_s : now_s, to_s, (int32_t)by, first, first);
}

void loom_profile_book(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs)
{
    change_rest(profile, from_s, to_s, -procs);
}

void loom_profile_unbook(struct loom_profile *profile, int64_t from_s, int64_t to_s, int64_t procs)
{
    change_rest(profile, from_s, to_s, procs);
}

/* Look for the first step of a booking near where it was. If it is in that block, return the block,
 * in which it is behind the first step. */
static const struct loom_profile_block *find_near(const struct loom_profile *profile,
                                                  struct loom_booking *booking)
{
    const struct loom_profile_block *block = &profile->blocks[booking->block];
    uint32_t at = booking->at;
    if (at == 0 || block->time_s[at] != booking->from_s) {
        if (block->time_s[0] >= booking->from_s ||
            block->time_s[LOOM_BLOCK_STEPS - 1] < booking->from_s)
            return NULL;
        while (block->time_s[at] < booking->from_s)
            at++;
        while (block->time_s[at - 1] >= booking->from_s)
            at--;
        booking->at = at;
    }
    return at < block->n ? block : NULL;
}

/* Return the first step from which on the processors of a booking are free until it begins; if
 * there is none, the step before that. */
static struct loom_place free_since(const struct loom_profile *profile,
                                    struct loom_booking *booking, struct loom_place before)
{
    booking->block = profile->order[before.rank].block;
    booking->at = before.at + 1 < LOOM_BLOCK_STEPS ? before.at + 1 : before.at;
    return free_at(profile, before) < booking->procs
               ? before
               : begin_of_run(profile, before, booking->procs);
}

/* Move a booking to an earlier start. */
static void move(struct loom_profile *profile, struct loom_booking *booking, int64_t start_s,
                 struct loom_place likely_start, struct loom_place likely_from)
{
    int64_t from_s = booking->from_s, to_s = from_s + booking->length_s;
    int64_t end_s = start_s + booking->length_s;
    const struct loom_place first = {0, 0};
    if (loom_steps_reserve(profile, 4)) {
        profile->failed = true;
        return;
    }
    if (end_s > from_s) {
        change(profile, start_s, from_s, -booking->procs, likely_start, likely_from);
        change(profile, end_s, to_s, booking->procs, first, first);
    } else {
        change(profile, start_s, end_s, -booking->procs, likely_start, first);
        change(profile, from_s, to_s, booking->procs, first, first);
    }
    booking->from_s = start_s;
}

/* loom_profile_move_up, for a booking whose first step is in this block, or anywhere if NULL. */
__attribute__((noinline)) static bool search_and_move(struct loom_profile *profile,
                                                      struct loom_booking *booking,
                                                      const struct loom_profile_block *block)
{
    int64_t from_s = booking->from_s, start_s = from_s;
    struct loom_place before =
        block ? (struct loom_place){rank_of(profile, block->time_s[0]), booking->at - 1}
              : locate(profile, from_s - 1);
    struct loom_place start = free_since(profile, booking, before);
    if (free_at(profile, start) >= booking->procs)
        start_s = time_at(profile, start);
    int64_t jump_s = search(profile, booking->procs, booking->length_s, start_s);
    start_s = jump_s < start_s ? jump_s : start_s;
    if (start_s == from_s)
        return false;
    move(profile, booking, start_s, start, next(profile, before));
    return true;
}

bool loom_profile_move_up(struct loom_profile *profile, struct loom_booking *booking)
{
    if (profile->n == 0 || booking->from_s <= profile->order[0].begin_s)
        return false;
    const struct loom_profile_block *block = find_near(profile, booking);
    if (block && block->free[booking->at - 1] + block->added < booking->procs && profile->n > 1 &&
        loom_start_bound(&profile->bounds, booking->procs, loom_bound_length(booking->length_s)) >=
            booking->from_s)
        return false;
    return search_and_move(profile, booking, block);
}

/* ---- asking ---------------------------------------------------------------------------------- */

int64_t loom_profile_at(struct loom_profile *profile, int64_t time_s)
{
    return profile->n > 0 ? free_at(profile, locate(profile, time_s)) : profile->procs;
}

int64_t loom_profile_earliest(struct loom_profile *profile, int64_t procs, int64_t length_s)
{
    int64_t start_s = search(profile, (int32_t)procs, length_s, NONE);
    return start_s < NONE ? start_s : LOOM_NEVER;
}

int64_t loom_profile_below(struct loom_profile *profile, int64_t procs, int64_t *left)
{
    struct loom_place step = first_step(profile, (struct loom_place){0, 0}, (int32_t)procs, true);
    if (step.rank == profile->n)
        return LOOM_NEVER;
    *left = free_at(profile, step);
    return time_at(profile, step);
}
