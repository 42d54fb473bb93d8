/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk through the instants of a schedule. */
#include "sim/validate/walk.h"

#include <stdlib.h>

int loom_walk_open(struct loom_walk *walk, const struct loom_played *played, struct loom_error *err)
{
    *walk = (struct loom_walk){.played = played};
    loom_profile_reset(&walk->profile, played->procs, 0);
    walk->expected_s = malloc((played->n + 1) * sizeof *walk->expected_s);
    return walk->expected_s && loom_heap_reserve(&walk->overdue, played->n) == 0
               ? 0
               : loom_fail_memory(err);
}

int loom_walk_close(struct loom_walk *walk, struct loom_error *err)
{
    bool failed = walk->profile.failed;
    loom_profile_free(&walk->profile);
    loom_heap_free(&walk->overdue);
    free(walk->expected_s);
    return failed ? loom_fail_memory(err) : 0;
}

static const struct loom_ran *next_start(const struct loom_walk *walk)
{
    const struct loom_played *played = walk->played;
    return walk->started < played->n ? &played->jobs[played->by_start[walk->started]] : NULL;
}

static const struct loom_ran *next_end(const struct loom_walk *walk)
{
    const struct loom_played *played = walk->played;
    return walk->ended < played->n ? &played->jobs[played->by_end[walk->ended]] : NULL;
}

bool loom_walk_on(struct loom_walk *walk)
{
    const struct loom_played *played = walk->played;
    int64_t next_s = loom_heap_next(&walk->overdue);
    if (walk->submitted < played->n && played->jobs[walk->submitted].submit_s < next_s)
        next_s = played->jobs[walk->submitted].submit_s;
    if (next_start(walk) && next_start(walk)->start_s < next_s)
        next_s = next_start(walk)->start_s;
    if (next_end(walk) && next_end(walk)->end_s < next_s)
        next_s = next_end(walk)->end_s;
    if (next_s == LOOM_NEVER)
        return false;
    walk->now_s = next_s;
    loom_profile_advance(&walk->profile, next_s);
    return true;
}

bool loom_walk_ends(struct loom_walk *walk)
{
    const struct loom_played *played = walk->played;
    const struct loom_ran *job;
    bool any = false;
    for (; (job = next_end(walk)) && job->end_s <= walk->now_s; walk->ended++) {
        int64_t expected_s = walk->expected_s[played->by_end[walk->ended]];
        if (loom_has_length(job) && expected_s > walk->now_s)
            loom_profile_unbook(&walk->profile, walk->now_s, expected_s, job->procs);
        any |= loom_has_length(job);
    }
    return any;
}

/* Expect a job to end then, and look again if it will not. */
static void expect(struct loom_walk *walk, uint32_t job, int64_t expected_s)
{
    walk->expected_s[job] = expected_s;
    if (expected_s < walk->played->jobs[job].end_s)
        loom_heap_push(&walk->overdue, (struct loom_heap_entry){expected_s, job, job});
}

bool loom_walk_extend(struct loom_walk *walk)
{
    bool any = false;
    while (loom_heap_next(&walk->overdue) <= walk->now_s) {
        uint32_t job = loom_heap_pop(&walk->overdue).item;
        const struct loom_ran *what = &walk->played->jobs[job];
        int64_t over_s = walk->expected_s[job], length_s = over_s - what->start_s;
        loom_profile_book(&walk->profile, over_s, over_s + length_s, what->procs);
        expect(walk, job, over_s + length_s);
        any = true;
    }
    return any;
}

size_t loom_walk_submissions(struct loom_walk *walk)
{
    size_t before = walk->submitted;
    while (walk->submitted < walk->played->n &&
           walk->played->jobs[walk->submitted].submit_s <= walk->now_s)
        walk->submitted++;
    return before;
}

void loom_walk_start(struct loom_walk *walk, uint32_t job)
{
    const struct loom_ran *what = &walk->played->jobs[job];
    int64_t expected_s = what->start_s + what->estimate_s;
    if (!loom_has_length(what))
        return;
    loom_profile_book(&walk->profile, what->start_s, expected_s, what->procs);
    expect(walk, job, expected_s);
}

size_t loom_walk_first_waiting(const struct loom_walk *walk, size_t from)
{
    const struct loom_ran *jobs = walk->played->jobs;
    while (from < walk->submitted && jobs[from].start_s <= walk->now_s)
        from++;
    return from;
}
