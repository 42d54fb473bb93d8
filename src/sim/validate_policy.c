/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What policies promise, checked on a schedule by walking through its instants: at each, jobs end,
 * jobs are submitted, then jobs start. Between submissions and starts, and again after the starts,
 * the checks look at who waits and at the processors that will be free by the estimates of those
 * who run.
 */
#include "sim/profile.h"
#include "sim/validate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void loom_check_order(struct loom_checked *check, const struct loom_played *played)
{
    const struct loom_ran *latest = NULL;
    for (size_t i = 0; i < played->n; i++) {
        const struct loom_ran *job = &played->jobs[i];
        if (latest && job->start_s < latest->start_s)
            loom_breach(check, job, job->start_s,
                        "job %" PRId64 " starts at %" PRId64 ", before job %" PRId64
                        ", which was submitted earlier and starts at %" PRId64,
                        job->number, job->start_s, latest->number, latest->start_s);
        else
            latest = job;
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Where the walk stands: the profile holds what runs now, by its estimates. */
struct walk {
    const struct loom_played *played;
    struct loom_profile profile;
    size_t submitted, started, ended; /* how many jobs have */
    int64_t now_s;
};

static const struct loom_ran *next_start(const struct walk *walk)
{
    const struct loom_played *played = walk->played;
    return walk->started < played->n ? &played->jobs[played->by_start[walk->started]] : NULL;
}

static const struct loom_ran *next_end(const struct walk *walk)
{
    const struct loom_played *played = walk->played;
    return walk->ended < played->n ? &played->jobs[played->by_end[walk->ended]] : NULL;
}

/* The next instant, or false if nothing happens any more. */
static bool go_on(struct walk *walk)
{
    const struct loom_played *played = walk->played;
    int64_t next_s = LOOM_NEVER;
    if (walk->submitted < played->n)
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

/* A job of no length has its processors for no time, and is never booked. */
static bool has_length(const struct loom_ran *job)
{
    return job->end_s > job->start_s;
}

/* End what ends now. Did anything? */
static bool take_ends(struct walk *walk)
{
    const struct loom_ran *job;
    bool any = false;
    for (; (job = next_end(walk)) && job->end_s <= walk->now_s; walk->ended++) {
        int64_t expected_s = job->start_s + job->estimate_s;
        if (has_length(job) && expected_s > walk->now_s)
            loom_profile_unbook(&walk->profile, walk->now_s, expected_s, job->procs);
        any |= has_length(job);
    }
    return any;
}

static size_t take_submissions(struct walk *walk)
{
    size_t before = walk->submitted;
    while (walk->submitted < walk->played->n &&
           walk->played->jobs[walk->submitted].submit_s <= walk->now_s)
        walk->submitted++;
    return before;
}

static void book_start(struct walk *walk, const struct loom_ran *job)
{
    if (has_length(job))
        loom_profile_book(&walk->profile, job->start_s, job->start_s + job->estimate_s, job->procs);
}

static void open_walk(struct walk *walk, const struct loom_played *played)
{
    *walk = (struct walk){.played = played};
    loom_profile_reset(&walk->profile, played->procs, 0);
}

static int close_walk(struct walk *walk, struct loom_error *err)
{
    bool failed = walk->profile.failed;
    loom_profile_free(&walk->profile);
    return failed ? loom_fail_memory(err) : 0;
}

/* ---- the first waiting job ------------------------------------------------------------------- */

/* The first by submission of those that were submitted and have not started. */
static size_t first_waiting(const struct walk *walk, size_t from)
{
    const struct loom_ran *jobs = walk->played->jobs;
    while (from < walk->submitted && jobs[from].start_s <= walk->now_s)
        from++;
    return from;
}

struct promise {
    int64_t time_s, made_s;
};

/* After the starts of an instant: the first may not fit, and is promised its shadow time. */
static void look_at_first(struct loom_checked *idle, struct promise *promise, struct walk *walk,
                          const struct loom_ran *job)
{
    int64_t shadow_s = loom_profile_earliest(&walk->profile, job->procs, 1);
    if (shadow_s <= walk->now_s)
        loom_breach(idle, job, walk->now_s,
                    "job %" PRId64 " is the first and would fit at %" PRId64
                    ", and starts at %" PRId64,
                    job->number, walk->now_s, job->start_s);
    if (shadow_s < promise->time_s)
        *promise = (struct promise){shadow_s, walk->now_s};
}

static void hold_promise(struct loom_checked *reservation, const struct promise *promise,
                         const struct loom_ran *job)
{
    if (reservation && job->start_s > promise->time_s)
        loom_breach(reservation, job, job->start_s,
                    "job %" PRId64 " starts at %" PRId64 ", and was promised %" PRId64
                    " when it was the first at %" PRId64,
                    job->number, job->start_s, promise->time_s, promise->made_s);
}

int loom_check_first(struct loom_checked *idle, struct loom_checked *reservation,
                     const struct loom_played *played, struct loom_error *err)
{
    struct walk walk;
    open_walk(&walk, played);
    struct promise promise = {LOOM_NEVER, 0};
    size_t first = 0;
    while (go_on(&walk)) {
        const struct loom_ran *job;
        take_ends(&walk);
        take_submissions(&walk);
        for (; (job = next_start(&walk)) && job->start_s <= walk.now_s; walk.started++)
            book_start(&walk, job);
        size_t now_first = first_waiting(&walk, first);
        if (now_first != first && first < played->n)
            hold_promise(reservation, &promise, &played->jobs[first]);
        if (now_first != first)
            promise = (struct promise){LOOM_NEVER, 0};
        first = now_first;
        if (first < walk.submitted)
            look_at_first(idle, &promise, &walk, &played->jobs[first]);
    }
    return close_walk(&walk, err);
}

/* ---- the plan of conservative backfilling ---------------------------------------------------- */

/* Everybody who waits has a place in the profile, at planned_s. */
enum {
    NO_PLACE = -1, /* no plan can hold it: wider than the machine, or started before submission */
    STARTED = -2,
};

static void plan_job(struct walk *walk, int64_t *planned_s, size_t i)
{
    const struct loom_ran *job = &walk->played->jobs[i];
    planned_s[i] = NO_PLACE;
    if (job->procs > walk->played->procs || job->start_s < walk->now_s)
        return;
    planned_s[i] = loom_profile_earliest(&walk->profile, job->procs, job->estimate_s);
    loom_profile_book(&walk->profile, planned_s[i], planned_s[i] + job->estimate_s, job->procs);
}

static void forget_plan(struct walk *walk, const int64_t *planned_s, size_t i)
{
    const struct loom_ran *job = &walk->played->jobs[i];
    if (planned_s[i] >= 0)
        loom_profile_unbook(&walk->profile, planned_s[i], planned_s[i] + job->estimate_s,
                            job->procs);
}

/* In order of submission, to the earliest start that the others leave: once at each end, whether it
 * came early or not, since one that moved may have left room to one before it. */
static void plan_again(struct walk *walk, int64_t *planned_s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (planned_s[i] >= walk->now_s) {
            forget_plan(walk, planned_s, i);
            plan_job(walk, planned_s, i);
        }
}

static void start_planned(struct loom_checked *check, struct walk *walk, int64_t *planned_s,
                          size_t i)
{
    const struct loom_ran *job = &walk->played->jobs[i];
    forget_plan(walk, planned_s, i);
    if (planned_s[i] >= 0 && job->start_s > planned_s[i])
        loom_breach(check, job, job->start_s,
                    "job %" PRId64 " starts at %" PRId64 ", and the plan had it start at %" PRId64,
                    job->number, job->start_s, planned_s[i]);
    planned_s[i] = STARTED;
    book_start(walk, job);
}

/* Start those of this instant whose time has come. Has a job of no length ended at once? */
static bool start_the_due(struct loom_checked *check, struct walk *walk, int64_t *planned_s,
                          size_t end)
{
    bool ended = false;
    for (size_t k = walk->started; k < end; k++) {
        size_t i = walk->played->by_start[k];
        if (planned_s[i] == STARTED || planned_s[i] > walk->now_s)
            continue;
        start_planned(check, walk, planned_s, i);
        ended |= !has_length(&walk->played->jobs[i]);
    }
    return ended;
}

/* The starts of an instant, in rounds as the jobs of no length bring them about. What is left then
 * starts earlier than planned, which is no breach. */
static void take_planned_starts(struct loom_checked *check, struct walk *walk, int64_t *planned_s,
                                size_t first)
{
    const struct loom_played *played = walk->played;
    size_t end = walk->started;
    while (end < played->n && played->jobs[played->by_start[end]].start_s <= walk->now_s)
        end++;
    while (start_the_due(check, walk, planned_s, end))
        plan_again(walk, planned_s, first, walk->submitted);
    for (; walk->started < end; walk->started++)
        if (planned_s[played->by_start[walk->started]] != STARTED)
            start_planned(check, walk, planned_s, played->by_start[walk->started]);
}

int loom_check_plan(struct loom_checked *check, const struct loom_played *played,
                    struct loom_error *err)
{
    int64_t *planned_s = malloc((played->n + 1) * sizeof *planned_s);
    if (!planned_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < played->n; i++)
        planned_s[i] = NO_PLACE;
    struct walk walk;
    open_walk(&walk, played);
    size_t first = 0;
    while (go_on(&walk)) {
        bool ended = take_ends(&walk);
        size_t before = take_submissions(&walk);
        if (ended)
            plan_again(&walk, planned_s, first, before);
        for (size_t i = before; i < walk.submitted; i++)
            plan_job(&walk, planned_s, i);
        take_planned_starts(check, &walk, planned_s, first);
        first = first_waiting(&walk, first);
    }
    free(planned_s);
    return close_walk(&walk, err);
}
