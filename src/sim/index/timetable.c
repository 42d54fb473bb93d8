/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bookings in a chain of steps. Each holds on to the steps at which it begins and ends.
 *
 * A job can move up in two ways. Where its processors are free right before it, it can be pushed
 * up to where they begin to be: a look to the left of its first step. And it can jump to a stretch
 * of free processors that is long enough by itself. Of these there are few, but many that are too
 * short; so the table keeps, by width and length, a time before which there is none (openings.h),
 * and looks at what opens wherever processors are given back.
 */
#include "sim/index/timetable.h"

#include "base/vec.h"

#include <workloom/sim.h>

#include <stdbool.h>

int loom_timetable_reset(struct loom_timetable *table, int32_t procs, int64_t now_s)
{
    loom_openings_reset(&table->openings);
    table->first = table->last = LOOM_NO_JOB;
    table->n_slots = 0;
    table->spare = LOOM_NO_JOB;
    return loom_steps_reset(&table->steps, procs, now_s);
}

void loom_timetable_free(struct loom_timetable *table)
{
    loom_steps_free(&table->steps);
    loom_openings_free(&table->openings);
    free(table->bookings);
    free(table->slots);
    *table = (struct loom_timetable){0};
}

void loom_timetable_advance(struct loom_timetable *table, int64_t now_s)
{
    loom_steps_advance(&table->steps, now_s);
}

static int64_t time_of(const struct loom_timetable *table, uint32_t step)
{
    return table->steps.at[step].time_s;
}

static void hold(struct loom_timetable *table, uint32_t step)
{
    table->steps.at[step].holders++;
}

static void let_go(struct loom_timetable *table, uint32_t step)
{
    if (--table->steps.at[step].holders == 0)
        loom_steps_drop(&table->steps, step);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* The first step from `from` on, and before before_s, from which on `procs` processors are free for
 * length_s; LOOM_STEPS_END if there is none. */
static uint32_t first_fit(struct loom_timetable *table, uint32_t from, int32_t procs,
                          int64_t length_s, int64_t before_s)
{
    struct loom_steps *steps = &table->steps;
    for (;;) {
        uint32_t begin = loom_steps_enough(steps, from, procs, before_s);
        int64_t begin_s = time_of(table, begin);
        if (begin_s >= before_s)
            return LOOM_STEPS_END;
        int64_t end_s = length_s < LOOM_NEVER - begin_s ? begin_s + length_s : LOOM_NEVER;
        from = loom_steps_too_few(steps, begin, procs, end_s);
        if (time_of(table, from) >= end_s)
            return begin;
    }
}

/* The first fit of all for a booking before before_s, by what is known, and adding to it. */
static uint32_t next_opening(struct loom_timetable *table, const struct loom_booking *booking,
                             int64_t before_s)
{
    struct loom_opening wanted = booking->opening;
    uint32_t from = table->steps.first;
    if (table->steps.n < LOOM_TIMETABLE_DEEP)
        return first_fit(table, from, booking->procs, booking->length_s, before_s);
    int64_t from_s = loom_opening_from(&table->openings, wanted);
    if (from_s >= before_s)
        return LOOM_STEPS_END;
    if (from_s > time_of(table, from))
        from = loom_steps_locate(&table->steps, from_s);
    int32_t procs = loom_opening_row(&table->openings, wanted)->procs;
    int64_t length_s = loom_length_of_step(wanted.length);
    /* what is learned beyond is of use to jobs of the same kind that are booked behind this one */
    int64_t far_s = before_s < LOOM_NEVER - 4 * length_s ? before_s + 4 * length_s : LOOM_NEVER;
    from = first_fit(table, from, procs, length_s, far_s);
    loom_opening_raise(&table->openings, wanted,
                       from == LOOM_STEPS_END ? far_s : time_of(table, from));
    if (time_of(table, from) >= before_s)
        return LOOM_STEPS_END;
    if (procs == booking->procs && length_s == booking->length_s)
        return from;
    return first_fit(table, from, booking->procs, booking->length_s, before_s);
}

/* ---- what opens ------------------------------------------------------------------------------ */

/* What was given back: `by` processors, from one step to before another. */
struct release {
    uint32_t from, to;
    int32_t by;
    int32_t least, most; /* free now in these steps */
};

/* Tell a row what has opened for it, which is every stretch that was not there before. */
static void open_row(struct loom_timetable *table, struct loom_opening_row *row,
                     const struct release *released)
{
    struct loom_steps *steps = &table->steps;
    int32_t procs = row->procs;
    for (uint32_t at = released->from; at != released->to;) {
        if (steps->at[at].free < procs) {
            at = steps->at[at].next;
            continue;
        }
        uint32_t begin = at == released->from ? loom_steps_run_before(steps, at, procs) : at;
        bool opened = false;
        for (; at != released->to && steps->at[at].free >= procs; at = steps->at[at].next)
            opened |= steps->at[at].free - released->by < procs;
        uint32_t end = at == released->to ? loom_steps_run_after(steps, at, procs) : at;
        if (opened)
            loom_openings_lower(row, time_of(table, begin),
                                loom_length_step(time_of(table, end) - time_of(table, begin)));
    }
}

/* The rows for which something can have opened are wider than what was free before, and not wider
 * than what is now. All that opens for any of them lies within the stretch of the narrowest, by
 * which nearly all can be seen to know of such openings already, or to want longer ones. */
static void open_all(struct loom_timetable *table, const struct release *released)
{
    const struct loom_steps *steps = &table->steps;
    struct loom_opening_row **used = table->openings.used;
    unsigned n = loom_openings_upto(&table->openings, released->most);
    unsigned first = loom_openings_upto(&table->openings, released->least - released->by);
    if (first > 0 && used[first - 1]->procs > released->least - released->by)
        first--;
    if (first >= n)
        return;
    int32_t narrowest = used[first]->procs;
    uint32_t begin = released->from, end = released->to;
    if (steps->at[begin].free >= narrowest)
        begin = loom_steps_run_before(steps, begin, narrowest);
    if (steps->at[steps->at[end].prev].free >= narrowest)
        end = loom_steps_run_after(steps, end, narrowest);
    unsigned length = loom_length_step(time_of(table, end) - time_of(table, begin));
    for (unsigned i = first; i < n; i++)
        if (loom_openings_concern(used[i], time_of(table, begin), length))
            open_row(table, used[i], released);
}

static struct release make_release(const struct loom_steps *steps, uint32_t from, uint32_t to,
                                   int32_t by)
{
    struct release released = {from, to, by, INT32_MAX, INT32_MIN};
    for (uint32_t at = from; at != to; at = steps->at[at].next) {
        released.least = steps->at[at].free < released.least ? steps->at[at].free : released.least;
        released.most = steps->at[at].free > released.most ? steps->at[at].free : released.most;
    }
    return released;
}

static void give_back(struct loom_timetable *table, uint32_t from, uint32_t to, int32_t procs)
{
    loom_steps_add(&table->steps, from, to, procs);
    if (from == to)
        return;
    if (table->steps.n < LOOM_TIMETABLE_DEEP) {
        loom_openings_forget(&table->openings);
        return;
    }
    struct release released = make_release(&table->steps, from, to, procs);
    open_all(table, &released);
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Room for one more slot, and for the job to have it. */
static int make_room(struct loom_timetable *table, uint32_t job)
{
    while (table->slots_capacity <= job)
        if (loom_grow(&table->slots, table->slots_capacity, &table->slots_capacity))
            return -1;
    return loom_grow(&table->bookings, table->n_slots, &table->bookings_capacity);
}

static struct loom_booking *take_slot(struct loom_timetable *table, uint32_t job)
{
    uint32_t slot = table->spare;
    if (slot == LOOM_NO_JOB)
        slot = table->n_slots++;
    else
        table->spare = table->bookings[slot].next;
    table->slots[job] = slot;
    return &table->bookings[slot];
}

static void free_slot(struct loom_timetable *table, uint32_t job)
{
    uint32_t slot = table->slots[job];
    table->bookings[slot].next = table->spare;
    table->spare = slot;
}

/* ---- bookings -------------------------------------------------------------------------------- */

/* Enter the list of those that have not begun, at its end, and leave it. */
static void enlist(struct loom_timetable *table, uint32_t job)
{
    struct loom_booking *booking = loom_booking_of(table, job);
    booking->prev = table->last;
    booking->next = LOOM_NO_JOB;
    *(table->last == LOOM_NO_JOB ? &table->first : &loom_booking_of(table, table->last)->next) =
        job;
    table->last = job;
}

static void leave(struct loom_timetable *table, uint32_t job)
{
    const struct loom_booking *gone = loom_booking_of(table, job);
    *(gone->prev == LOOM_NO_JOB ? &table->first : &loom_booking_of(table, gone->prev)->next) =
        gone->next;
    *(gone->next == LOOM_NO_JOB ? &table->last : &loom_booking_of(table, gone->next)->prev) =
        gone->prev;
    loom_openings_leave(&table->openings, gone->opening);
}

int loom_timetable_book(struct loom_timetable *table, uint32_t job, int32_t procs, int64_t length_s)
{
    struct loom_opening opening;
    if (loom_steps_reserve(&table->steps) || make_room(table, job) ||
        loom_openings_join(&table->openings, procs, length_s, &opening))
        return -1;
    struct loom_booking *booking = take_slot(table, job);
    *booking = (struct loom_booking){.procs = procs, .length_s = length_s, .opening = opening};
    uint32_t begin = next_opening(table, booking, LOOM_NEVER);
    uint32_t end = loom_steps_onward(&table->steps, begin, time_of(table, begin) + length_s);
    loom_steps_add(&table->steps, begin, end, -procs);
    hold(table, booking->begin = begin);
    hold(table, booking->end = end);
    enlist(table, job);
    return 0;
}

/* Take a booking from its place to an earlier one. */
static void move(struct loom_timetable *table, struct loom_booking *booking, uint32_t begin)
{
    struct loom_steps *steps = &table->steps;
    struct loom_booking old = *booking;
    int64_t end_s = time_of(table, begin) + old.length_s;
    hold(table, begin);
    booking->begin = begin;
    if (end_s > time_of(table, old.begin)) {
        booking->end = loom_steps_back(steps, old.end, end_s);
        hold(table, booking->end);
        loom_steps_add(steps, begin, old.begin, -old.procs);
        give_back(table, booking->end, old.end, old.procs);
    } else {
        booking->end = loom_steps_onward(steps, begin, end_s);
        hold(table, booking->end);
        loom_steps_add(steps, begin, booking->end, -old.procs);
        give_back(table, old.begin, old.end, old.procs);
    }
    let_go(table, old.begin);
    let_go(table, old.end);
}

int loom_timetable_move_up(struct loom_timetable *table, uint32_t job)
{
    struct loom_booking *booking = loom_booking_of(table, job);
    uint32_t pushed = loom_steps_run_before(&table->steps, booking->begin, booking->procs);
    uint32_t opening = next_opening(table, booking, time_of(table, pushed));
    uint32_t begin = opening == LOOM_STEPS_END ? pushed : opening;
    if (begin == booking->begin)
        return 0;
    if (loom_steps_reserve(&table->steps))
        return -1;
    move(table, booking, begin);
    return 0;
}

void loom_timetable_unbook(struct loom_timetable *table, uint32_t job)
{
    const struct loom_booking *booking = loom_booking_of(table, job);
    leave(table, job);
    loom_openings_forget(&table->openings);
    loom_steps_add(&table->steps, booking->begin, booking->end, booking->procs);
    let_go(table, booking->begin);
    let_go(table, booking->end);
    free_slot(table, job);
}

void loom_timetable_begin(struct loom_timetable *table, uint32_t job)
{
    leave(table, job);
    let_go(table, loom_booking_of(table, job)->begin);
}

/* By then time may have gone over the step at which it was to end. */
void loom_timetable_end(struct loom_timetable *table, uint32_t job, int64_t due_s)
{
    const struct loom_booking *booking = loom_booking_of(table, job);
    if (due_s > time_of(table, table->steps.first)) {
        give_back(table, table->steps.first, booking->end, booking->procs);
        let_go(table, booking->end);
    }
    free_slot(table, job);
}

int loom_timetable_extend(struct loom_timetable *table, uint32_t job, int64_t due_s)
{
    struct loom_booking *booking = loom_booking_of(table, job);
    if (loom_steps_reserve(&table->steps))
        return -1;
    booking->end = loom_steps_onward(&table->steps, table->steps.first, due_s);
    loom_steps_add(&table->steps, table->steps.first, booking->end, -booking->procs);
    hold(table, booking->end);
    return 0;
}
