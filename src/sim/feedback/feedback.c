/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mechanism of feedback (Zakay, chapter 4, section VI). The batches of a user are submitted in
 * their order. A batch is available when it is the user's next one and all batches that it depends
 * on have ended; it is then released to the behaviour model, which decides when it arrives.
 *
 * A job costs one heap operation and, if it is the last of its batch, one look at the batch that
 * depends on it.
 */
#include "sim/feedback/feedback.h"

#include "base/civil.h"
#include "base/vec.h"
#include "sim/replay.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_BATCH UINT32_MAX

/* ---- active batches -------------------------------------------------------------------------- */

static int add_active_batch(struct loom_feedback *feedback, struct active_batch active,
                            uint32_t *out, struct loom_error *err)
{
    uint32_t index = feedback->free_batch;
    if (index != NO_BATCH) {
        feedback->free_batch = feedback->active_batches[index].jobs_left;
    } else {
        if (loom_grow(&feedback->active_batches, feedback->n_active_batches,
                      &feedback->active_batches_capacity))
            return loom_fail_memory(err);
        index = (uint32_t)feedback->n_active_batches++;
    }
    feedback->active_batches[index] = active;
    *out = index;
    return 0;
}

static struct active_batch remove_active_batch(struct loom_feedback *feedback, uint32_t index)
{
    struct active_batch active = feedback->active_batches[index];
    feedback->active_batches[index].jobs_left = feedback->free_batch;
    feedback->free_batch = index;
    return active;
}

/* ---- arriving -------------------------------------------------------------------------------- */

/* Add the next job of the arriving batch to the arrivals: at equal times in the order of the log,
 * and jobs from the same row in the order of their users. This cannot fail: the heap has memory for
 * one entry per user, and the entry before has been taken out. */
static void push_next_job(struct loom_feedback *feedback, uint32_t index)
{
    const struct feedback_user *user = feedback->sim_users[index];
    loom_heap_push(&feedback->arrivals,
                   (struct loom_heap_entry){
                       .key = loom_saturated_add(feedback->users->submit_s[user->position],
                                                 user->offset_s),
                       .order = feedback->users->job[user->position],
                       .item = index,
                   });
}

/* Let the next batch arrive at this time, from a position in it on. Without a behaviour, all jobs
 * of a user are one batch. */
static int arrive(struct loom_feedback *feedback, uint32_t index, uint32_t position, int64_t time_s,
                  struct loom_error *err)
{
    struct feedback_user *user = feedback->sim_users[index];
    assert(!user->arriving && user->unmet == 0);
    user->position = position;
    user->end_position = feedback->ops ? feedback->sessions->batch_first[user->batch + 1]
                                       : feedback->users->first[user->base.log_user + 1];
    user->offset_s = loom_saturated_subtract(time_s, feedback->users->submit_s[position]);
    user->arriving = true;
    push_next_job(feedback, index);
    const struct active_batch active = {
        .user = index,
        .batch = user->batch,
        .jobs_left = user->end_position - position,
    };
    user->n_active_batches++;
    return add_active_batch(feedback, active, &user->active_batch, err);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* Let a user begin at a position of the log; all batches before count as ended. */
static void begin_at(struct loom_feedback *feedback, struct feedback_user *user, uint32_t position,
                     int64_t shift_s)
{
    uint32_t row = feedback->users->job[position];
    user->batch = feedback->sessions->batch_of_job[row];
    user->unmet = 0;
    memset(user->ended, 0, user->end_batch - user->first_batch);
    memset(user->ended, 1, user->batch - user->first_batch);
    user->base.shift_s = shift_s;
    user->base.session = feedback->sessions->of_job[row];
    if (feedback->ops && feedback->ops->join)
        feedback->ops->join(feedback->model, &user->base);
}

/* ---- release --------------------------------------------------------------------------------- */

static bool happens(struct feedback_user *user, double chance)
{
    return chance > 0 && loom_stream_uniform(&user->stream) < chance;
}

/* Drop the remaining jobs of a user. */
static void abandon(struct loom_feedback *feedback, struct feedback_user *user)
{
    const uint32_t *first = feedback->sessions->batch_first;
    feedback->counts.abandoned++;
    feedback->counts.jobs_lost += first[user->end_batch] - first[user->batch];
    user->batch = user->end_batch;
    user->returns = false;
}

/* Ask the model when the next batch, which is available, arrives, or drop the user's jobs. */
static int release_next(struct loom_feedback *feedback, uint32_t index,
                        enum loom_release_reason reason, int64_t now_s, struct loom_error *err)
{
    struct feedback_user *user = feedback->sim_users[index];
    const struct loom_feedback_options *options = &feedback->options;
    const struct loom_batch_graph *graph = feedback->graph;
    bool by_end = reason == LOOM_RELEASED_BY_END;
    bool poor = by_end && user->slowdown > options->poor;
    if (poor && happens(user, options->abandon)) {
        abandon(feedback, user);
        return 0;
    }
    const struct loom_release release = {
        .now_s = now_s,
        .reason = reason,
        .log_delay_s = (by_end ? graph->think_s : graph->interarrival_s)[user->batch],
        .response_s = user->response_s,
        .leaves = poor && happens(user, options->abort),
    };
    assert(release.log_delay_s >= 0);
    feedback->counts.aborted += release.leaves;
    int64_t time_s = feedback->ops->arrival(feedback->model, &user->base, &release);
    return arrive(feedback, index, feedback->sessions->batch_first[user->batch],
                  time_s > now_s ? time_s : now_s, err);
}

/* Count the batches that the next batch depends on and that have not ended. */
static uint32_t count_unmet(const struct loom_batch_graph *graph, const struct feedback_user *user)
{
    uint32_t unmet = 0;
    for (uint32_t i = graph->list_first[user->batch]; i < graph->list_first[user->batch + 1]; i++)
        unmet += !user->ended[graph->list[i] - user->first_batch];
    return unmet;
}

/* Start the next round of a long-term user after the last job, at the next time that is the same
 * second of the week as the first job. With pauses, a round takes as long as the log if the service
 * is as in the log. */
static int return_or_leave(struct loom_feedback *feedback, uint32_t index, int64_t now_s,
                           struct loom_error *err)
{
    struct feedback_user *user = feedback->sim_users[index];
    if (!user->returns || user->n_active_batches > 0 || now_s >= feedback->until_s)
        return 0;
    const struct loom_user_round before = {.user = user->base.log_user};
    int64_t pause_s = feedback->options.pauses ? loom_user_pause(feedback->users, before.user) : 0;
    struct loom_user_round again =
        loom_user_next_round(feedback->users, &before,
                             loom_saturated_add(now_s, pause_s > 0 ? pause_s : 1));
    feedback->counts.returned++;
    begin_at(feedback, user, again.first, again.shift_s);
    return arrive(feedback, index, again.first, again.arrival_s, err);
}

/* Go on to the following batch, as all jobs of this one have been submitted (definition 13). */
static int batch_submitted(struct loom_feedback *feedback, uint32_t index, int64_t now_s,
                           struct loom_error *err)
{
    struct feedback_user *user = feedback->sim_users[index];
    assert(user->arriving);
    user->arriving = false;
    if (!feedback->ops)
        return 0;
    if (++user->batch == user->end_batch)
        return return_or_leave(feedback, index, now_s, err);
    user->unmet = count_unmet(feedback->graph, user);
    return user->unmet ? 0 : release_next(feedback, index, LOOM_RELEASED_IN_TURN, now_s, err);
}

/* Note the end of a batch. It is on the list of at most one other batch, its dependent, which
 * becomes available if it is the next one and depends on no other (definition 14). */
static int batch_ended(struct loom_feedback *feedback, uint32_t index, int64_t now_s,
                       struct loom_error *err)
{
    struct active_batch ended = remove_active_batch(feedback, index);
    struct feedback_user *user = feedback->sim_users[ended.user];
    user->n_active_batches--;
    user->ended[ended.batch - user->first_batch] = 1;
    if (user->batch == user->end_batch)
        return return_or_leave(feedback, ended.user, now_s, err);
    if (user->arriving || feedback->graph->dependent[ended.batch] != user->batch)
        return 0;
    assert(user->unmet > 0);
    return --user->unmet ? 0 : release_next(feedback, ended.user, LOOM_RELEASED_BY_END, now_s, err);
}

/* ---- the source ------------------------------------------------------------------------------ */

static int64_t next_unowned_s(const struct loom_feedback *feedback)
{
    return feedback->next_unowned < feedback->n_unowned
               ? feedback->jobs->submit_s[feedback->unowned[feedback->next_unowned]]
               : LOOM_NEVER;
}

static int64_t due(void *self)
{
    const struct loom_feedback *feedback = self;
    int64_t unowned_s = next_unowned_s(feedback), next_s = loom_heap_next(&feedback->arrivals);
    next_s = unowned_s < next_s ? unowned_s : next_s;
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
    if (next_unowned_s(feedback) < loom_heap_next(&feedback->arrivals)) {
        *out = submission(feedback, feedback->unowned[feedback->next_unowned++]);
        feedback->taken_batch = NO_BATCH;
        return 0;
    }
    struct loom_heap_entry next = loom_heap_pop(&feedback->arrivals);
    struct feedback_user *user = feedback->sim_users[next.item];
    *out = submission(feedback, next.order);
    out->submit_s = next.key;
    out->user = user->number;
    feedback->taken_batch = user->active_batch;
    feedback->taken_s = next.key;
    if (++user->position < user->end_position)
        push_next_job(feedback, next.item);
    return 0;
}

static void describe(void *self, const struct loom_submission *job, struct loom_job_view *view)
{
    const struct loom_feedback *feedback = self;
    loom_view_describe(view, feedback->jobs, job->row);
}

/* Note that the job last taken has joined the queue or was rejected. A rejected job counts as
 * ended.
 *
 * The order of the two calls matters. batch_ended comes first, so that batch_submitted, which
 * checks what the following batch depends on, counts this batch as ended. batch_submitted comes
 * last, as it may start another batch of the user, which changes `position` and can move
 * active_batches. */
static int admitted(void *self, uint32_t job, struct loom_error *err)
{
    struct loom_feedback *feedback = self;
    uint32_t batch = feedback->taken_batch;
    int rc = 0;
    if (job != LOOM_NO_JOB) {
        assert(job == feedback->n_jobs);
        if (loom_grow(&feedback->active_batch_of, feedback->n_jobs, &feedback->jobs_capacity))
            return loom_fail_memory(err);
        feedback->active_batch_of[feedback->n_jobs++] = batch;
    }
    if (batch == NO_BATCH)
        return 0;
    uint32_t index = feedback->active_batches[batch].user;
    const struct feedback_user *user = feedback->sim_users[index];
    bool all_submitted = user->position == user->end_position;
    if (job == LOOM_NO_JOB && --feedback->active_batches[batch].jobs_left == 0)
        rc = batch_ended(feedback, batch, feedback->taken_s, err);
    if (!rc && all_submitted)
        rc = batch_submitted(feedback, index, feedback->taken_s, err);
    return rc;
}

static int ended(void *self, uint32_t job, const struct loom_sim_job *sim_job,
                 struct loom_error *err)
{
    struct loom_feedback *feedback = self;
    uint32_t batch = feedback->active_batch_of[job];
    if (batch == NO_BATCH)
        return 0;
    struct feedback_user *user = feedback->sim_users[feedback->active_batches[batch].user];
    user->response_s = loom_sim_job_wait(sim_job) + sim_job->run_s;
    user->slowdown = loom_sim_job_bounded_slowdown(sim_job);
    if (--feedback->active_batches[batch].jobs_left > 0)
        return 0;
    return batch_ended(feedback, batch, loom_sim_job_end(sim_job), err);
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

/* ---- users of the simulation ----------------------------------------------------------------- */

/* Allocate a user in one block: the struct, a mark for each batch, the state of the model. NULL if
 * out of memory. */
static struct feedback_user *create_user(const struct loom_feedback *feedback,
                                         const struct loom_new_user *new_user)
{
    uint32_t log_user = new_user->log_user;
    const uint32_t *user_batch = feedback->graph->user_batch;
    size_t marks = user_batch[log_user + 1] - user_batch[log_user], state_size = 0;
    size_t state_offset = (sizeof(struct feedback_user) + marks + 15) & ~(size_t)15;
    if (feedback->ops && feedback->ops->state_size)
        state_size = feedback->ops->state_size(feedback->model, log_user);
    struct feedback_user *user = calloc(1, state_offset + state_size);
    char purpose[48];
    if (!user)
        return NULL;
    user->number = new_user->number;
    user->returns = new_user->returns;
    user->first_batch = user_batch[log_user];
    user->end_batch = user_batch[log_user + 1];
    user->base = (struct loom_sim_user){
        .log_user = log_user,
        .stream = &user->stream,
        .state = (char *)user + state_offset,
    };
    snprintf(purpose, sizeof purpose, "feedback of user %d", new_user->number);
    loom_stream_init(&user->stream, feedback->options.seed, feedback->replication, purpose);
    return user;
}

int loom_feedback_add_user(struct loom_feedback *feedback, const struct loom_new_user *new_user,
                           struct loom_error *err)
{
    uint32_t index = (uint32_t)feedback->n_sim_users, position = new_user->position;
    if (loom_grow(&feedback->sim_users, feedback->n_sim_users, &feedback->sim_users_capacity) ||
        loom_heap_reserve(&feedback->arrivals, feedback->n_sim_users + 1))
        return loom_fail_memory(err);
    struct feedback_user *user = create_user(feedback, new_user);
    if (!user)
        return loom_fail_memory(err);
    feedback->sim_users[feedback->n_sim_users++] = user;
    begin_at(feedback, user, position, new_user->shift_s);
    return arrive(feedback, index, position,
                  loom_saturated_add(feedback->users->submit_s[position], new_user->shift_s), err);
}

void loom_feedback_clear(struct loom_feedback *feedback)
{
    for (size_t i = 0; i < feedback->n_sim_users; i++)
        free(feedback->sim_users[i]);
    feedback->n_sim_users = feedback->n_active_batches = feedback->n_jobs = feedback->next_unowned =
        0;
    feedback->free_batch = NO_BATCH;
    feedback->arrivals.n = 0;
    feedback->counts = (struct loom_feedback_counts){0};
}
