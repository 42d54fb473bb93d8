/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mechanism of feedback (Zakay, chapter 4, section VI). A user's batches are submitted in their
 * order; a batch is available when it is the next one and all that it depends on has ended, and is
 * then released to the model of behaviour, which says when it arrives. A job costs a step in a heap
 * of people and, when its batch or session is over, one look at what waited for that.
 */
#include "sim/feedback/feedback.h"

#include "base/civil.h"
#include "base/vec.h"
#include "sim/replay.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_FLIGHT UINT32_MAX

/* ---- flights --------------------------------------------------------------------------------- */

static int open_flight(struct loom_feedback *feedback, struct flight flight, uint32_t *out,
                       struct loom_error *err)
{
    uint32_t at = feedback->free_flight;
    if (at != NO_FLIGHT) {
        feedback->free_flight = feedback->flights[at].open;
    } else {
        if (loom_grow(&feedback->flights, feedback->n_flights, &feedback->flights_capacity))
            return loom_fail_memory(err);
        at = (uint32_t)feedback->n_flights++;
    }
    feedback->flights[at] = flight;
    *out = at;
    return 0;
}

static struct flight close_flight(struct loom_feedback *feedback, uint32_t at)
{
    struct flight flight = feedback->flights[at];
    feedback->flights[at].open = feedback->free_flight;
    feedback->free_flight = at;
    return flight;
}

/* ---- arriving -------------------------------------------------------------------------------- */

/* The next job of the arriving batch takes its place among the arrivals: at equal times in the
 * order of the log, and copies of one job in the order of their users. */
static void schedule_next(struct loom_feedback *feedback, uint32_t at)
{
    const struct seat *seat = feedback->seats[at];
    loom_heap_push(&feedback->arrivals,
                   (struct loom_heap_entry){
                       .key = loom_saturated_add(feedback->users->submit_s[seat->position],
                                                 seat->moved_s),
                       .order = feedback->users->job[seat->position],
                       .item = at,
                   });
}

/* The next batch, from a position in it on, will arrive at this time. Who does not react has all
 * jobs in one. */
static int arrive(struct loom_feedback *feedback, uint32_t at, uint32_t position, int64_t time_s,
                  struct loom_error *err)
{
    struct seat *seat = feedback->seats[at];
    assert(!seat->arriving && seat->missing == 0);
    seat->position = position;
    seat->end_position = feedback->ops ? feedback->sessions->batch_first[seat->batch + 1]
                                       : feedback->users->first[seat->actor.user + 1];
    seat->moved_s = loom_saturated_subtract(time_s, feedback->users->submit_s[position]);
    seat->arriving = true;
    schedule_next(feedback, at);
    const struct flight flight = {
        .seat = at,
        .batch = seat->batch,
        .open = seat->end_position - position,
    };
    seat->flights++;
    return open_flight(feedback, flight, &seat->flight, err);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* What came before the position where they begin counts as done. */
static void begin_seat(struct loom_feedback *feedback, struct seat *seat, uint32_t position,
                       int64_t shift_s)
{
    uint32_t row = feedback->users->job[position];
    seat->batch = feedback->sessions->batch_of_job[row];
    seat->missing = 0;
    memset(seat->ended, 0, seat->end_batch - seat->first_batch);
    memset(seat->ended, 1, seat->batch - seat->first_batch);
    seat->actor.shift_s = shift_s;
    seat->actor.session = feedback->sessions->of_job[row];
    if (feedback->ops && feedback->ops->join)
        feedback->ops->join(feedback->model, &seat->actor);
}

/* ---- release --------------------------------------------------------------------------------- */

static bool happens(struct seat *seat, double chance)
{
    return chance > 0 && loom_stream_uniform(&seat->stream) < chance;
}

/* The rest of a user's jobs will not come. */
static void abandon(struct loom_feedback *feedback, struct seat *seat)
{
    const uint32_t *first = feedback->sessions->batch_first;
    feedback->counts.abandoned++;
    feedback->counts.jobs_lost += first[seat->end_batch] - first[seat->batch];
    seat->batch = seat->end_batch;
    seat->returns = false;
}

static int release(struct loom_feedback *feedback, uint32_t at, enum loom_release_reason reason,
                   int64_t now_s, struct loom_error *err)
{
    struct seat *seat = feedback->seats[at];
    const struct loom_feedback_options *options = &feedback->options;
    const struct loom_batch_graph *graph = feedback->graph;
    bool by_end = reason == LOOM_RELEASED_BY_END;
    bool poor = by_end && seat->slowdown > options->poor;
    if (poor && happens(seat, options->abandon)) {
        abandon(feedback, seat);
        return 0;
    }
    const struct loom_release what = {
        .now_s = now_s,
        .reason = reason,
        .log_delay_s = (by_end ? graph->think_s : graph->interarrival_s)[seat->batch],
        .response_s = seat->response_s,
        .leaves = poor && happens(seat, options->abort),
    };
    assert(what.log_delay_s >= 0);
    feedback->counts.aborted += what.leaves;
    int64_t time_s = feedback->ops->arrival(feedback->model, &seat->actor, &what);
    return arrive(feedback, at, feedback->sessions->batch_first[seat->batch],
                  time_s > now_s ? time_s : now_s, err);
}

/* How many of the batches on its list have not ended. */
static uint32_t count_missing(const struct loom_batch_graph *graph, const struct seat *seat)
{
    uint32_t missing = 0;
    for (uint32_t i = graph->list_first[seat->batch]; i < graph->list_first[seat->batch + 1]; i++)
        missing += !seat->ended[graph->list[i] - seat->first_batch];
    return missing;
}

/* Long-term users start again after their last job, at the next time that is the same second of the
 * week as their first; with a pause, a round takes as long as the log if the service is its own. */
static int return_or_leave(struct loom_feedback *feedback, uint32_t at, int64_t now_s,
                           struct loom_error *err)
{
    struct seat *seat = feedback->seats[at];
    if (!seat->returns || seat->flights > 0 || now_s >= feedback->until_s)
        return 0;
    const struct loom_appearance before = {.user = seat->actor.user};
    int64_t pause_s = feedback->options.pauses ? loom_user_pause(feedback->users, before.user) : 0;
    struct loom_appearance again =
        loom_appearance_again(feedback->users, &before,
                              loom_saturated_add(now_s, pause_s > 0 ? pause_s : 1));
    feedback->counts.returned++;
    begin_seat(feedback, seat, again.first, again.shift_s);
    return arrive(feedback, at, again.first, again.arrival_s, err);
}

/* All jobs of a batch have been submitted: the one that follows it is the next (definition 13). */
static int go_on(struct loom_feedback *feedback, uint32_t at, int64_t now_s, struct loom_error *err)
{
    struct seat *seat = feedback->seats[at];
    assert(seat->arriving);
    seat->arriving = false;
    if (!feedback->ops)
        return 0;
    if (++seat->batch == seat->end_batch)
        return return_or_leave(feedback, at, now_s, err);
    seat->missing = count_missing(feedback->graph, seat);
    return seat->missing ? 0 : release(feedback, at, LOOM_RELEASED_IN_TURN, now_s, err);
}

/* All jobs of a batch have ended, which takes it off the one list that it is on. Only the next
 * batch can become available by that (definition 14). */
static int end_flight(struct loom_feedback *feedback, uint32_t flight, int64_t now_s,
                      struct loom_error *err)
{
    struct flight was = close_flight(feedback, flight);
    struct seat *seat = feedback->seats[was.seat];
    seat->flights--;
    seat->ended[was.batch - seat->first_batch] = 1;
    if (seat->batch == seat->end_batch)
        return return_or_leave(feedback, was.seat, now_s, err);
    if (seat->arriving || feedback->graph->dependent[was.batch] != seat->batch)
        return 0;
    assert(seat->missing > 0);
    return --seat->missing ? 0 : release(feedback, was.seat, LOOM_RELEASED_BY_END, now_s, err);
}

/* ---- the source ------------------------------------------------------------------------------ */

static int64_t next_stranger_s(const struct loom_feedback *feedback)
{
    return feedback->stranger < feedback->n_strangers
               ? feedback->jobs->submit_s[feedback->strangers[feedback->stranger]]
               : LOOM_NEVER;
}

static int64_t due(void *self)
{
    const struct loom_feedback *feedback = self;
    int64_t stranger_s = next_stranger_s(feedback), next_s = loom_heap_next(&feedback->arrivals);
    next_s = stranger_s < next_s ? stranger_s : next_s;
    return next_s < feedback->until_s ? next_s : LOOM_NEVER;
}

static struct loom_submission submission(const struct loom_feedback *feedback, uint32_t row)
{
    const struct loom_jobs *jobs = feedback->jobs;
    return (struct loom_submission){
        .submit_s = jobs->submit_s[row],
        .run_s = jobs->run_s[row],
        .request_s = jobs->request_s[row],
        .procs = loom_job_procs(jobs, row),
        .user = jobs->user[row],
        .row = row,
    };
}

static int take(void *self, struct loom_submission *out, struct loom_error *err)
{
    struct loom_feedback *feedback = self;
    (void)err;
    if (next_stranger_s(feedback) < loom_heap_next(&feedback->arrivals)) {
        *out = submission(feedback, feedback->strangers[feedback->stranger++]);
        feedback->taken = NO_FLIGHT;
        return 0;
    }
    struct loom_heap_entry next = loom_heap_pop(&feedback->arrivals);
    struct seat *seat = feedback->seats[next.item];
    *out = submission(feedback, next.order);
    out->submit_s = next.key;
    out->user = seat->number;
    feedback->taken = seat->flight;
    feedback->taken_s = next.key;
    if (++seat->position < seat->end_position)
        schedule_next(feedback, next.item);
    return 0;
}

static void describe(void *self, const struct loom_submission *job, struct loom_job_view *view)
{
    const struct loom_feedback *feedback = self;
    loom_view_describe(view, feedback->jobs, job->row);
}

/* A job that the machine refuses has ended for its user. */
static int admitted(void *self, uint32_t job, struct loom_error *err)
{
    struct loom_feedback *feedback = self;
    uint32_t taken = feedback->taken;
    if (job != LOOM_NO_JOB) {
        assert(job == feedback->n_jobs);
        if (loom_grow(&feedback->flight_of, feedback->n_jobs, &feedback->jobs_capacity))
            return loom_fail_memory(err);
        feedback->flight_of[feedback->n_jobs++] = taken;
    }
    if (taken == NO_FLIGHT)
        return 0;
    struct flight *flight = &feedback->flights[taken];
    const struct seat *seat = feedback->seats[flight->seat];
    uint32_t at = flight->seat;
    flight->open -= job == LOOM_NO_JOB;
    bool whole = seat->position == seat->end_position;
    int rc = flight->open == 0 ? end_flight(feedback, taken, feedback->taken_s, err) : 0;
    return rc || !whole ? rc : go_on(feedback, at, feedback->taken_s, err);
}

static int ended(void *self, uint32_t job, const struct loom_sim_job *what, struct loom_error *err)
{
    struct loom_feedback *feedback = self;
    uint32_t flight = feedback->flight_of[job];
    if (flight == NO_FLIGHT)
        return 0;
    struct seat *seat = feedback->seats[feedback->flights[flight].seat];
    seat->response_s = loom_sim_job_wait(what) + what->run_s;
    seat->slowdown = loom_sim_job_bounded_slowdown(what);
    if (--feedback->flights[flight].open > 0)
        return 0;
    return end_flight(feedback, flight, loom_sim_job_end(what), err);
}

struct loom_job_source loom_feedback_source(struct loom_feedback *feedback)
{
    return (struct loom_job_source){
        .self = feedback,
        .expected = feedback->jobs->n,
        .due = due,
        .take = take,
        .describe = describe,
        .admitted = admitted,
        .ended = ended,
    };
}

/* ---- people ---------------------------------------------------------------------------------- */

/* One piece of memory: the seat, a mark for each batch, what the model keeps of the person. */
static struct seat *new_seat(const struct loom_feedback *feedback,
                             const struct loom_newcomer *newcomer)
{
    uint32_t user = newcomer->user;
    const uint32_t *user_batch = feedback->graph->user_batch;
    size_t marks = user_batch[user + 1] - user_batch[user], of_model = 0;
    size_t before = (sizeof(struct seat) + marks + 15) & ~(size_t)15;
    if (feedback->ops && feedback->ops->actor_size)
        of_model = feedback->ops->actor_size(feedback->model, user);
    struct seat *seat = calloc(1, before + of_model);
    char purpose[48];
    if (!seat)
        return NULL;
    seat->number = newcomer->number;
    seat->returns = newcomer->returns;
    seat->first_batch = user_batch[user];
    seat->end_batch = user_batch[user + 1];
    seat->actor = (struct loom_actor){
        .user = user,
        .stream = &seat->stream,
        .state = (char *)seat + before,
    };
    snprintf(purpose, sizeof purpose, "feedback of user %d", newcomer->number);
    loom_stream_init(&seat->stream, feedback->options.seed, feedback->replication, purpose);
    return seat;
}

int loom_feedback_seat(struct loom_feedback *feedback, const struct loom_newcomer *newcomer,
                       struct loom_error *err)
{
    uint32_t at = (uint32_t)feedback->n_seats, position = newcomer->position;
    if (loom_grow(&feedback->seats, feedback->n_seats, &feedback->seats_capacity) ||
        loom_heap_reserve(&feedback->arrivals, feedback->n_seats + 1))
        return loom_fail_memory(err);
    struct seat *seat = new_seat(feedback, newcomer);
    if (!seat)
        return loom_fail_memory(err);
    feedback->seats[feedback->n_seats++] = seat;
    begin_seat(feedback, seat, position, newcomer->shift_s);
    return arrive(feedback, at, position,
                  loom_saturated_add(feedback->users->submit_s[position], newcomer->shift_s), err);
}

void loom_feedback_clear(struct loom_feedback *feedback)
{
    for (size_t i = 0; i < feedback->n_seats; i++)
        free(feedback->seats[i]);
    feedback->n_seats = feedback->n_flights = feedback->n_jobs = feedback->stranger = 0;
    feedback->free_flight = NO_FLIGHT;
    feedback->arrivals.n = 0;
    feedback->counts = (struct loom_feedback_counts){0};
}
