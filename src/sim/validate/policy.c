/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What policies promise, checked on a schedule by walking through its instants: at each, jobs end,
 * jobs are submitted, then jobs start. Between submissions and starts, and again after the starts,
 * the checks look at who waits and at the processors that will be free by the estimates of those
 * who run.
 */
#include "sim/index/queue.h"
#include "sim/share.h"
#include "sim/validate/walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void loom_check_order(struct loom_checked *check, const struct loom_played *played)
{
    const struct loom_ran *latest = NULL;
    char start[LOOM_WHEN], other[LOOM_WHEN];
    for (size_t i = 0; i < played->n; i++) {
        const struct loom_ran *job = &played->jobs[i];
        if (latest && job->start_s < latest->start_s)
            loom_breach(check, job, job->start_s,
                        "job %" PRId64 " starts at %s, before job %" PRId64
                        ", which was submitted earlier and starts at %s",
                        job->number, loom_when(played, job->start_s, start), latest->number,
                        loom_when(played, latest->start_s, other));
        else
            latest = job;
    }
}

/* ---- the first waiting job ------------------------------------------------------------------- */

/* Who waits, in the queue's order, and what was promised to the first of them. */
struct line {
    struct loom_walk walk;
    struct loom_sim_job *jobs; /* as the queue wants them, numbered as in the schedule */
    struct loom_queue waiting;
    const struct loom_first_rules *rules;
    uint32_t first;     /* or LOOM_NO_JOB */
    int64_t promised_s; /* its earliest shadow time so far, LOOM_NEVER if there is none */
    int64_t promised_at_s;
    int64_t excused_s; /* how late estimates that were too short have made it since then; or 0 */
    bool *idled;       /* of each job: was it seen waiting for nothing? */
};

static int open_line(struct line *line, const struct loom_played *played,
                     const struct loom_first_rules *rules, struct loom_error *err)
{
    *line = (struct line){.rules = rules, .first = LOOM_NO_JOB, .promised_s = LOOM_NEVER};
    loom_queue_reset(&line->waiting, rules->order);
    int rc = loom_walk_open(&line->walk, played, err);
    if (rc)
        return rc;
    line->jobs = calloc(played->n + 1, sizeof *line->jobs);
    line->idled = calloc(played->n + 1, sizeof *line->idled);
    if (!line->jobs || !line->idled)
        return loom_fail_memory(err);
    for (size_t i = 0; i < played->n; i++)
        line->jobs[i] = (struct loom_sim_job){.submit_s = played->jobs[i].submit_s,
                                              .estimate_s = played->jobs[i].estimate_s,
                                              .procs = played->jobs[i].procs,
                                              .start_s = -1};
    return 0;
}

static int close_line(struct line *line, struct loom_error *err)
{
    free(line->jobs);
    free(line->idled);
    loom_queue_free(&line->waiting);
    return loom_walk_close(&line->walk, err);
}

/* Those that started before they were submitted never waited. */
static int queue_submitted(struct line *line, struct loom_error *err)
{
    struct loom_walk *walk = &line->walk;
    for (size_t i = loom_walk_submissions(walk); i < walk->submitted; i++)
        if (walk->played->jobs[i].start_s >= walk->now_s &&
            loom_queue_add(&line->waiting, line->jobs, (uint32_t)i, walk->now_s))
            return loom_fail_memory(err);
    return loom_queue_refresh(&line->waiting, line->jobs, walk->now_s) ? loom_fail_memory(err) : 0;
}

static bool goes_before(const struct line *line, uint32_t a, uint32_t b)
{
    int64_t now_s = line->walk.now_s;
    const struct loom_order *order = line->rules->order;
    double left = order->key ? order->key(&line->jobs[a], a, now_s) : 0;
    double right = order->key ? order->key(&line->jobs[b], b, now_s) : 0;
    return left < right || (left == right && a < b);
}

/* Take the jobs that start now out of the queue. Is one of them of no length? */
static bool leave_queue(struct line *line, size_t *end)
{
    const struct loom_played *played = line->walk.played;
    bool brief = false;
    for (*end = line->walk.started; *end < played->n; ++*end) {
        uint32_t job = played->by_start[*end];
        const struct loom_ran *what = &played->jobs[job];
        if (what->start_s > line->walk.now_s)
            break;
        if (what->submit_s <= what->start_s)
            loom_queue_remove(&line->waiting, line->jobs, job);
        brief |= !loom_has_length(what);
    }
    return brief;
}

/* Book the jobs that start now: those before a job in the queue's order, or the others. Are there
 * any? */
static bool book_starts(struct line *line, size_t end, uint32_t first, bool before)
{
    const struct loom_played *played = line->walk.played;
    bool any = false;
    for (size_t i = line->walk.started; i < end; i++) {
        uint32_t job = played->by_start[i];
        if ((first == LOOM_NO_JOB || goes_before(line, job, first)) != before)
            continue;
        loom_walk_start(&line->walk, job);
        any = true;
    }
    return any;
}

static void check_turns(struct line *line, size_t end, uint32_t first)
{
    const struct loom_played *played = line->walk.played;
    char start[LOOM_WHEN], until[LOOM_WHEN];
    for (size_t i = line->walk.started; line->rules->turn && i < end; i++) {
        const struct loom_ran *job = &played->jobs[played->by_start[i]];
        if (first != LOOM_NO_JOB && goes_before(line, first, played->by_start[i]))
            loom_breach(line->rules->turn, job, job->start_s,
                        "job %" PRId64 " starts at %s, when job %" PRId64
                        " is before it and waits until %s",
                        job->number, loom_when(played, job->start_s, start),
                        played->jobs[first].number,
                        loom_when(played, played->jobs[first].start_s, until));
    }
}

/* The latest start that the promise allows. */
static int64_t latest_start(const struct line *line)
{
    if (line->promised_s == LOOM_NEVER)
        return LOOM_NEVER;
    int64_t wait_s = line->promised_s - line->jobs[line->first].submit_s;
    int64_t latest_s = line->promised_s + loom_share_s(line->rules->slack, wait_s);
    return latest_s > line->excused_s ? latest_s : line->excused_s;
}

static void forget_promise(struct line *line)
{
    line->promised_s = LOOM_NEVER;
    line->excused_s = 0;
}

/* The first job has started, or another has come before it: that ends what it was promised. */
static void change_first(struct line *line, uint32_t first)
{
    const struct loom_played *played = line->walk.played;
    const struct loom_ran *job = line->first == LOOM_NO_JOB ? NULL : &played->jobs[line->first];
    char start[LOOM_WHEN], latest[LOOM_WHEN], then[LOOM_WHEN];
    if (line->rules->reservation && job && job->start_s == line->walk.now_s &&
        job->start_s > latest_start(line))
        loom_breach(line->rules->reservation, job, job->start_s,
                    "job %" PRId64 " starts at %s, and was promised %s when it was the first at %s",
                    job->number, loom_when(played, job->start_s, start),
                    loom_when(played, latest_start(line), latest),
                    loom_when(played, line->promised_at_s, then));
    line->first = first;
    forget_promise(line);
}

/* Processors that were promised to the first job may turn out to be taken for longer. */
static void extend_estimates(struct line *line)
{
    struct loom_walk *walk = &line->walk;
    int64_t procs = line->first == LOOM_NO_JOB ? 0 : walk->played->jobs[line->first].procs;
    if (loom_heap_next(&walk->overdue) > walk->now_s)
        return;
    int64_t before_s = loom_profile_earliest(&walk->profile, procs, 1);
    loom_walk_extend(walk);
    int64_t after_s = loom_profile_earliest(&walk->profile, procs, 1);
    if (after_s > before_s)
        line->excused_s = after_s;
}

/* Once for each job, not at every instant that it is passed over. */
static void breach_idle(struct line *line)
{
    const struct loom_played *played = line->walk.played;
    const struct loom_ran *job = &played->jobs[line->first];
    char now[LOOM_WHEN], start[LOOM_WHEN];
    if (line->idled[line->first])
        return;
    line->idled[line->first] = true;
    loom_breach(line->rules->idle, job, line->walk.now_s,
                "job %" PRId64 " is the first and would fit at %s, and starts at %s", job->number,
                loom_when(played, line->walk.now_s, now), loom_when(played, job->start_s, start));
}

/* The first may not fit, and is promised its shadow time. */
static void look_at_first(struct line *line)
{
    struct loom_walk *walk = &line->walk;
    const struct loom_ran *job = &walk->played->jobs[line->first];
    int64_t shadow_s = loom_profile_earliest(&walk->profile, job->procs, 1);
    if (shadow_s <= walk->now_s)
        breach_idle(line);
    if (shadow_s < line->promised_s) {
        line->promised_s = shadow_s;
        line->promised_at_s = walk->now_s;
    }
    if (shadow_s < line->excused_s)
        line->excused_s = shadow_s;
}

/* The promise is made before others are backfilled, and must be kept after. Where a job of no
 * length has started there was more than one pass, and only what they came to is known. */
static int check_instant(struct line *line, struct loom_error *err)
{
    struct loom_walk *walk = &line->walk;
    size_t end;
    loom_walk_ends(walk);
    extend_estimates(line);
    int rc = queue_submitted(line, err);
    if (rc)
        return rc;
    bool brief = leave_queue(line, &end);
    uint32_t first = loom_queue_first(&line->waiting);
    if (first != line->first)
        change_first(line, first);
    check_turns(line, end, first);
    if (book_starts(line, end, first, true))
        forget_promise(line); /* others have come before it, and are gone already */
    if (!brief && first != LOOM_NO_JOB)
        look_at_first(line);
    book_starts(line, end, first, false);
    walk->started = end;
    if (brief && first != LOOM_NO_JOB)
        look_at_first(line);
    return 0;
}

int loom_check_first(const struct loom_first_rules *rules, const struct loom_played *played,
                     struct loom_error *err)
{
    struct line line;
    int rc = open_line(&line, played, rules, err);
    while (!rc && loom_walk_on(&line.walk))
        rc = check_instant(&line, err);
    int closed = close_line(&line, err);
    return rc ? rc : closed;
}

/* ---- the plan of conservative backfilling ---------------------------------------------------- */

/* Everybody who waits has a place in the profile. By the rules it never moves back; one that does,
 * because somebody started who should not have, is still due when it was. */
struct place {
    int64_t planned_s;
    int64_t due_s; /* the earliest so far, since estimates were last too short */
};

enum {
    NO_PLACE = -1, /* no plan can hold it: wider than the machine, or started before submission */
    STARTED = -2,
};

static void plan_job(struct loom_walk *walk, struct place *places, size_t i)
{
    const struct loom_ran *job = &walk->played->jobs[i];
    struct place *place = &places[i];
    place->planned_s = NO_PLACE;
    if (job->procs > walk->played->procs || job->start_s < walk->now_s)
        return;
    int64_t from_s = loom_profile_earliest(&walk->profile, job->procs, job->estimate_s);
    loom_profile_book(&walk->profile, from_s, from_s + job->estimate_s, job->procs);
    place->planned_s = from_s;
    place->due_s = from_s < place->due_s ? from_s : place->due_s;
}

static void forget_plan(struct loom_walk *walk, const struct place *places, size_t i)
{
    const struct loom_ran *job = &walk->played->jobs[i];
    int64_t from_s = places[i].planned_s;
    if (from_s >= 0)
        loom_profile_unbook(&walk->profile, from_s, from_s + job->estimate_s, job->procs);
}

/* Move a plan to the earliest start that the others leave, where nothing is booked twice. */
static void move_plan(struct loom_walk *walk, struct place *place, const struct loom_ran *job)
{
    struct loom_booking booking = {.from_s = place->planned_s,
                                   .length_s = job->estimate_s,
                                   .procs = job->procs};
    if (!loom_profile_move_up(&walk->profile, &booking))
        return;
    place->planned_s = booking.from_s;
    place->due_s = booking.from_s < place->due_s ? booking.from_s : place->due_s;
}

/* In order of submission, to the earliest start that the others leave: once at each end, whether it
 * came early or not, since one that moved may have left room to one before it. */
static void plan_again(struct loom_walk *walk, struct place *places, size_t first, size_t end)
{
    int64_t left;
    bool overbooked = loom_profile_below(&walk->profile, 0, &left) != LOOM_NEVER;
    for (size_t i = first; i < end; i++) {
        if (places[i].planned_s < walk->now_s)
            continue;
        if (overbooked) {
            forget_plan(walk, places, i);
            plan_job(walk, places, i);
        } else {
            move_plan(walk, &places[i], &walk->played->jobs[i]);
        }
    }
}

/* Where an estimate was too short, all plans are given up and made anew, in order of submission. */
static void plan_anew(struct loom_walk *walk, struct place *places, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (places[i].planned_s >= walk->now_s)
            forget_plan(walk, places, i);
    for (size_t i = first; i < end; i++)
        if (places[i].planned_s >= walk->now_s) {
            places[i].due_s = LOOM_NEVER;
            plan_job(walk, places, i);
        }
}

static void start_planned(struct loom_checked *check, struct loom_walk *walk, struct place *places,
                          size_t i)
{
    const struct loom_ran *job = &walk->played->jobs[i];
    char start[LOOM_WHEN], due[LOOM_WHEN];
    forget_plan(walk, places, i);
    if (places[i].planned_s >= 0 && job->start_s > places[i].due_s)
        loom_breach(check, job, job->start_s,
                    "job %" PRId64 " starts at %s, and the plan had it start at %s", job->number,
                    loom_when(walk->played, job->start_s, start),
                    loom_when(walk->played, places[i].due_s, due));
    places[i].planned_s = STARTED;
    loom_walk_start(walk, (uint32_t)i);
}

/* Start those of this instant whose time has come. Has a job of no length ended at once? */
static bool start_the_due(struct loom_checked *check, struct loom_walk *walk, struct place *places,
                          size_t end)
{
    bool ended = false;
    for (size_t k = walk->started; k < end; k++) {
        size_t i = walk->played->by_start[k];
        if (places[i].planned_s == STARTED || places[i].planned_s > walk->now_s)
            continue;
        start_planned(check, walk, places, i);
        ended |= !loom_has_length(&walk->played->jobs[i]);
    }
    return ended;
}

/* The starts of an instant, in rounds as the jobs of no length bring them about. What is left then
 * starts earlier than planned, which is no breach. */
static void take_planned_starts(struct loom_checked *check, struct loom_walk *walk,
                                struct place *places, size_t first)
{
    const struct loom_played *played = walk->played;
    size_t end = walk->started;
    while (end < played->n && played->jobs[played->by_start[end]].start_s <= walk->now_s)
        end++;
    while (start_the_due(check, walk, places, end))
        plan_again(walk, places, first, walk->submitted);
    for (; walk->started < end; walk->started++)
        if (places[played->by_start[walk->started]].planned_s != STARTED)
            start_planned(check, walk, places, played->by_start[walk->started]);
}

int loom_check_plan(struct loom_checked *check, const struct loom_played *played,
                    struct loom_error *err)
{
    struct place *places = malloc((played->n + 1) * sizeof *places);
    if (!places)
        return loom_fail_memory(err);
    for (size_t i = 0; i < played->n; i++)
        places[i] = (struct place){NO_PLACE, LOOM_NEVER};
    struct loom_walk walk;
    size_t first = 0;
    int rc = loom_walk_open(&walk, played, err);
    while (!rc && loom_walk_on(&walk)) {
        bool ended = loom_walk_ends(&walk), extended = loom_walk_extend(&walk);
        size_t before = loom_walk_submissions(&walk);
        if (extended)
            plan_anew(&walk, places, first, before);
        else if (ended)
            plan_again(&walk, places, first, before);
        for (size_t i = before; i < walk.submitted; i++)
            plan_job(&walk, places, i);
        take_planned_starts(check, &walk, places, first);
        first = loom_walk_first_waiting(&walk, first);
    }
    free(places);
    int closed = loom_walk_close(&walk, err);
    return rc ? rc : closed;
}
