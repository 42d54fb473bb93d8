/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story of one job on one machine or cluster, as text and as JSON. */
#include "simulate_story.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what both forms need -------------------------------------------------------------------- */

static bool is_local(const struct story *story, const struct loom_sim_job *job)
{
    return story->cluster && !(job->notes & LOOM_JOB_GRID);
}

static int64_t number_of(const struct story *story, const struct loom_sim_job *job)
{
    const struct loom_trace *trace = is_local(story, job) ? story->local : story->trace;
    return loom_trace_jobs(trace)->number[job->row];
}

const char *name_job(const struct story *story, uint32_t job, char name[NAME_SIZE])
{
    const struct loom_sim_job *what = &story->jobs[job];
    if (is_local(story, what))
        snprintf(name, NAME_SIZE, "%.70s=%" PRId64, story->cluster, number_of(story, what));
    else
        snprintf(name, NAME_SIZE, "%" PRId64, number_of(story, what));
    return name;
}

static const char *why_not(const struct story *story)
{
    return story->found->refused ? story->found->refused : "never submitted";
}

/* ---- text ------------------------------------------------------------------------------------ */

void tell(struct page *to, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!to->rc && length > 0)
        to->rc = loom_output_write(to->out, text, (size_t)length, to->err);
}

const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

void tell_rest(struct page *to, size_t n)
{
    if (n > MOST_LINES)
        tell(to, "    ... and %zu more (--json has them all)\n", n - MOST_LINES);
}

/* ", on 2003-03-03 12:00:00", where the log tells when it began. */
static void tell_date(const struct story *story, int64_t time_s, struct page *to)
{
    struct loom_zone *zone = NULL;
    char date[32];
    if (loom_trace_machine(story->trace)->unix_start_s == -1)
        return;
    if (!to->rc)
        to->rc = loom_zone_create(&zone, story->trace, NULL, to->err);
    if (!to->rc)
        tell(to, ", on %s", loom_zone_text(zone, time_s, date, sizeof date));
    loom_zone_destroy(zone);
}

const char *span_text(int64_t span_s, char buf[SPAN_SIZE])
{
    return loom_instant_text(NULL, span_s, buf, SPAN_SIZE);
}

/* Local jobs of a grid may come before its own. */
static void tell_since_first(const struct story *story, int64_t submit_s, struct page *to)
{
    int64_t since_s = submit_s - story->first_s;
    char span[SPAN_SIZE], rescaled[80] = "";
    if (story->stretch > 0)
        snprintf(rescaled, sizeof rescaled,
                 " as --load rescaled it (times between arrivals times %.6g)", story->stretch);
    tell(to,
         "  times are seconds in the log%s; it came %s %s the first submission%s, from which "
         "--gantt counts",
         rescaled, span_text(llabs(since_s), span), since_s < 0 ? "before" : "after",
         story->cluster ? " of a grid job" : "");
}

void tell_times(const struct story *story, const struct loom_trace *log,
                const struct loom_sim_job *job, struct page *to)
{
    int64_t wait_s = loom_trace_jobs(log)->wait_s[job->row];
    char span[SPAN_SIZE];
    tell_since_first(story, job->submit_s, to);
    tell_date(story, job->submit_s, to);
    if (wait_s < 0)
        tell(to, "\n  its wait in the log is not known\n");
    else
        tell(to, "\n  in the log it waited for %s\n", span_text(wait_s, span));
}

const char *name_user(int32_t user, char name[NAME_SIZE])
{
    if (user < 0)
        snprintf(name, NAME_SIZE, "unknown user");
    else
        snprintf(name, NAME_SIZE, "user %" PRId32, user);
    return name;
}

static void tell_job(const struct story *story, struct page *to)
{
    const struct loom_sim_job *job = &story->jobs[story->found->job];
    int64_t wait_s = job->start_s - job->submit_s;
    char span[SPAN_SIZE];
    tell(to, "job %s: %" PRId32 " processor%s, estimate %" PRId64 " s\n", story->name, job->procs,
         plural(job->procs), story->found->start.estimate_s);
    tell(to, "  submitted at %" PRId64 ", ", job->submit_s);
    if (wait_s == 0)
        tell(to, "started at once");
    else
        tell(to, "started at %" PRId64 " after a wait of %s", job->start_s,
             span_text(wait_s, span));
    tell(to, ", ended at %" PRId64 "\n", loom_sim_job_end(job));
    tell_times(story, is_local(story, job) ? story->local : story->trace, job, to);
}

static void tell_submission(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    char name[NAME_SIZE];
    if (story->sent)
        tell(to, "\nWhen it came to %s\n", story->cluster);
    else
        tell(to, "\nWhen it was submitted\n");
    tell(to, "  %" PRId64 " of %" PRId64 " processors were free; jobs running: %zu\n",
         found->free_at_submit, loom_sim_procs(story->sim), found->running_at_submit);
    if (found->n_ahead == 0)
        tell(to, "  no job was waiting %s it\n", found->ranked ? "before" : "ahead of");
    else
        tell(to, "  waiting %s: %zu job%s\n",
             found->ranked ? "and submitted before it (the policy ranks all anew in each pass)"
                           : "ahead of it",
             found->n_ahead, plural((int64_t)found->n_ahead));
    for (size_t i = 0; i < found->n_ahead && i < MOST_LINES; i++) {
        const struct loom_sim_job *job = &story->jobs[found->ahead[i]];
        tell(to, "    job %s: %" PRId32 " processor%s, estimate %" PRId64 " s",
             name_job(story, found->ahead[i], name), job->procs, plural(job->procs),
             found->ahead_estimate_s[i]);
        if (found->ranked)
            tell(to, ", %s", name_user(job->user, name));
        tell(to, "; started at %" PRId64 "\n", job->start_s);
    }
    tell_rest(to, found->n_ahead);
}

/* A policy that promises nothing to whom it gives a reservation (relaxed) may make it late: what it
 * reserves is the latest start. */
static const char *plan_word(const struct story *story)
{
    return story->found->promises & (LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL) ? "planned for"
                                                                           : "to start by";
}

static void tell_move(const struct story *story, const struct loom_explained_move *move,
                      struct page *to)
{
    char name[NAME_SIZE];
    if (move->from_s < 0) {
        tell(to, "  at %" PRId64 ": %s %" PRId64 "\n", move->time_s, plan_word(story), move->to_s);
        return;
    }
    tell(to, "  at %" PRId64 ": moved %s from %" PRId64 " to %" PRId64, move->time_s,
         move->to_s < move->from_s ? "forward" : "back", move->from_s, move->to_s);
    if (move->cause_job != LOOM_NO_JOB)
        tell(to, ", job %s having %s", name_job(story, move->cause_job, name),
             move->to_s < move->from_s ? "ended" : "outlived its estimate");
    else if (move->to_s > move->from_s)
        tell(to, ", others having come before it");
    tell(to, "\n");
}

static void tell_reservation(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    tell(to, "\nIts reservation\n");
    if (found->n_moves == 0)
        tell(to, "  it never had one\n");
    for (size_t i = 0; i < found->n_moves && i < MOST_LINES; i++)
        tell_move(story, &found->moves[i], to);
    tell_rest(to, found->n_moves);
}

/* Whose reservation a backfilled job respects. */
static void tell_reserved(const struct story *story, const struct loom_explained_start *start,
                          struct page *to)
{
    char name[NAME_SIZE];
    tell(to, "the %s of job %s at %" PRId64,
         story->found->promises & LOOM_PROMISE_ALL ? "next reservation, that" : "reservation",
         name_job(story, start->reserved_job, name), start->reserved_s);
}

static void tell_backfilled(const struct story *story, const struct loom_explained_start *start,
                            struct page *to)
{
    bool several = story->found->promises & LOOM_PROMISE_ALL;
    if (start->reserved_job == LOOM_NO_JOB) {
        tell(to, "it fitted, and no job had a reservation that it could delay");
        return;
    }
    if (start->why == LOOM_WHY_BEFORE)
        tell(to, "by its estimate it is over at %" PRId64 ", in time for ",
             start->time_s + start->estimate_s);
    else
        tell(to, "it needs only processors that are left over by %s",
             several ? "all reservations: " : "");
    tell_reserved(story, start, to);
    if (several && start->why == LOOM_WHY_BESIDE)
        tell(to, ", and those behind it");
}

/* Why a start was allowed, as the rest of a sentence about the job that starts. */
static void tell_why(const struct story *story, const struct loom_explained_start *start,
                     struct page *to)
{
    switch (start->why) {
    case LOOM_WHY_TURN:
        tell(to, "it was the first in the policy's order, and fitted");
        return;
    case LOOM_WHY_BEFORE:
    case LOOM_WHY_BESIDE:
        tell_backfilled(story, start, to);
        return;
    case LOOM_WHY_PLANNED:
        tell(to, "the time of its own reservation had come, which delays none made before it");
        return;
    case LOOM_WHY_OTHER:
        break;
    }
    tell(to, "a reason of the policy's own");
}

static void tell_overtakers(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    tell(to, "\nWho overtook it\n");
    if (found->n_overtakers == 0)
        tell(to, "  nobody\n");
    for (size_t i = 0; i < found->n_overtakers && i < MOST_LINES; i++) {
        const struct loom_explained_start *start = &found->overtakers[i];
        int32_t procs = story->jobs[start->job].procs;
        char name[NAME_SIZE];
        tell(to, "  at %" PRId64 ": job %s (%" PRId32 " processor%s, estimate %" PRId64 " s): ",
             start->time_s, name_job(story, start->job, name), procs, plural(procs),
             start->estimate_s);
        tell_why(story, start, to);
        tell_ranks(story, start, to);
        tell(to, "\n");
    }
    tell_rest(to, found->n_overtakers);
}

void tell_released(const struct story *story, const uint32_t *released, size_t n, int64_t time_s,
                   struct page *to)
{
    int64_t procs = 0;
    char name[NAME_SIZE];
    if (n == 0) {
        tell(to, "  no job ended just then");
        return;
    }
    tell(to, "  at %" PRId64 " ended", time_s);
    for (size_t i = 0; i < n; i++) {
        procs += story->jobs[released[i]].procs;
        if (i < MOST_LINES)
            tell(to, "%s job %s", i ? "," : "", name_job(story, released[i], name));
    }
    tell(to, "%s: %" PRId64 " processor%s", n > MOST_LINES ? ", ..." : "", procs, plural(procs));
}

/* Why processors that were free were not for this job. */
static void tell_held(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    char name[NAME_SIZE], span[SPAN_SIZE];
    tell(to, "  for %s: enough were free, but ",
         span_text(found->held_s - found->overlooked_s, span));
    if (found->held_for_job != LOOM_NO_JOB)
        tell(
            to,
            "its start could have made the first job late: at last job %s, with its reservation at "
            "%" PRId64 "\n",
            name_job(story, found->held_for_job, name), found->held_for_s);
    else if (found->promises & LOOM_PROMISE_ALL)
        tell(to, "not for as long as its estimate, because of the reservations of others\n");
    else if (found->promises & LOOM_PROMISE_ORDER)
        tell(to, "the first in the queue's order did not fit, and nobody may overtake it\n");
    else
        tell(to, "the policy kept it back for others\n");
}

/* What let a job be backfilled that the only reservation had kept until then: it is another's now,
 * or at another time. */
static void tell_release(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    const struct loom_explained_start *start = &found->start;
    char first[NAME_SIZE], before[NAME_SIZE];
    if (start->reserved_job == LOOM_NO_JOB || found->held_for_job == LOOM_NO_JOB)
        return;
    if (start->reserved_job != found->held_for_job) {
        tell(to, "; job %s had become the first, in place of job %s",
             name_job(story, start->reserved_job, first),
             name_job(story, found->held_for_job, before));
        return;
    }
    if (start->reserved_s == found->held_for_s)
        return;
    tell(to, "; the reservation of job %s had moved %s to %" PRId64,
         name_job(story, start->reserved_job, first),
         start->reserved_s < found->held_for_s ? "forward" : "back", start->reserved_s);
    if (start->reserved_s < found->held_for_s)
        return;
    if (found->extended_job != LOOM_NO_JOB)
        tell(to, ", job %s having outlived its estimate",
             name_job(story, found->extended_job, before));
    else
        tell(to, ", others having come before it");
}

/* What changed at last, where a job does not simply start as the first. */
static void tell_change(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    bool ended = found->n_released > 0;
    if (found->start.why == LOOM_WHY_TURN) {
        if (!ended)
            tell(to, ": it had become the first in the policy's order");
    } else if (found->start.why == LOOM_WHY_PLANNED) {
        if (!ended)
            tell(to, ": the time of its reservation had come");
    } else if (found->kept == LOOM_KEPT_OVERLOOKED) {
        if (!ended)
            tell(to, ": fewer jobs that could be backfilled stood before it");
    } else if (found->kept == LOOM_KEPT_HELD && found->promises & LOOM_PROMISE_ALL) {
        if (!ended)
            tell(to, ": the reservations of others had changed");
    } else if (found->kept == LOOM_KEPT_HELD) {
        tell_release(story, to);
    }
}

static void tell_wait(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    char span[SPAN_SIZE];
    tell(to, "\nWhat it waited for\n");
    if (found->short_s > 0)
        tell(to, "  for %s: too few processors were free\n", span_text(found->short_s, span));
    if (found->held_s > found->overlooked_s)
        tell_held(story, to);
    if (found->overlooked_s > 0)
        tell(to,
             "  for %s: enough were free, and it would have made no reservation late, "
             "but the policy had looked at as many jobs before it as its depth allows\n",
             span_text(found->overlooked_s, span));
    tell_released(story, found->released, found->n_released, found->start.time_s, to);
    if (found->n_released > 0)
        tell(to, ", beside %" PRId64 " that %s free", found->free_before,
             found->free_before == 1 ? "was" : "were");
    tell_change(story, to);
    tell(to, "\n");
}

void tell_story(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    if (found->job == LOOM_NO_JOB) {
        tell(to, "job %s is not simulated: %s\n", story->name, why_not(story));
        return;
    }
    bool waited = found->start.time_s > story->jobs[found->job].submit_s;
    if (!story->sent)
        tell_job(story, to);
    tell_submission(story, to);
    if (found->at_submit.measure)
        tell_standings(story, to);
    if (waited) {
        tell_reservation(story, to);
        tell_overtakers(story, to);
        tell_wait(story, to);
    }
    tell(to, "\nWhy it could start\n  ");
    tell_why(story, &found->start, to);
    tell(to, "\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

json_t *name_json(const struct story *story, uint32_t job)
{
    char name[NAME_SIZE];
    if (job == LOOM_NO_JOB)
        return json_null();
    return is_local(story, &story->jobs[job]) ? text_json(name_job(story, job, name))
                                              : json_integer(number_of(story, &story->jobs[job]));
}

static json_t *time_json(int64_t time_s)
{
    return time_s < 0 ? json_null() : json_integer(time_s);
}

/* An array that misses an item for want of memory is none. */
void put_json(json_t **array, json_t *item)
{
    if (json_array_append_new(*array, item)) {
        json_decref(*array);
        *array = NULL;
    }
}

json_t *user_json(int32_t user)
{
    return user < 0 ? json_null() : json_integer(user);
}

static json_t *ahead_json(const struct story *story)
{
    json_t *array = json_array();
    for (size_t i = 0; i < story->found->n_ahead; i++) {
        const struct loom_sim_job *job = &story->jobs[story->found->ahead[i]];
        put_json(&array, json_pack("{s:o, s:o, s:i, s:I, s:I}", "job",
                                   name_json(story, story->found->ahead[i]), "user",
                                   user_json(job->user), "procs", job->procs, "estimate_s",
                                   (json_int_t)story->found->ahead_estimate_s[i], "start_s",
                                   (json_int_t)job->start_s));
    }
    return array;
}

static json_t *moves_json(const struct story *story)
{
    json_t *array = json_array();
    for (size_t i = 0; i < story->found->n_moves; i++) {
        const struct loom_explained_move *move = &story->found->moves[i];
        put_json(&array,
                 json_pack("{s:I, s:o, s:I, s:o}", "time_s", (json_int_t)move->time_s, "from_s",
                           time_json(move->from_s), "to_s", (json_int_t)move->to_s, "cause_job",
                           name_json(story, move->cause_job)));
    }
    return array;
}

static const char *why_word(enum loom_why why)
{
    switch (why) {
    case LOOM_WHY_TURN:
        return "turn";
    case LOOM_WHY_BEFORE:
        return "before";
    case LOOM_WHY_BESIDE:
        return "beside";
    case LOOM_WHY_PLANNED:
        return "planned";
    case LOOM_WHY_OTHER:
        break;
    }
    return "other";
}

static json_t *start_json(const struct story *story, const struct loom_explained_start *start)
{
    return json_pack("{s:o, s:o, s:I, s:i, s:I, s:s, s:o, s:o}", "job",
                     name_json(story, start->job), "user", user_json(story->jobs[start->job].user),
                     "time_s", (json_int_t)start->time_s, "procs", story->jobs[start->job].procs,
                     "estimate_s", (json_int_t)start->estimate_s, "why", why_word(start->why),
                     "reserved_job", name_json(story, start->reserved_job), "reserved_s",
                     time_json(start->reserved_s));
}

/* What it and the job that is explained were weighed by then. */
static json_t *overtaker_json(const struct story *story, const struct loom_explained_start *start)
{
    json_t *object = start_json(story, start);
    if (object && merge_json(object, json_pack("{s:o, s:o}", "weighed",
                                               standing_json(story, &start->standing),
                                               "own_weighed", standing_json(story, &start->own)))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *overtakers_json(const struct story *story)
{
    json_t *array = json_array();
    for (size_t i = 0; i < story->found->n_overtakers; i++)
        put_json(&array, overtaker_json(story, &story->found->overtakers[i]));
    return array;
}

json_t *names_json(const struct story *story, const uint32_t *jobs, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        put_json(&array, name_json(story, jobs[i]));
    return array;
}

json_t *not_simulated_json(const char *name, const char *reason)
{
    char *end;
    long long number = strtoll(name, &end, 10);
    return json_pack("{s:o, s:b, s:s}", "job", *end ? text_json(name) : json_integer(number),
                     "simulated", 0, "reason", reason);
}

json_t *story_json(const struct story *story)
{
    const struct loom_explanation *found = story->found;
    if (found->job == LOOM_NO_JOB)
        return not_simulated_json(story->name, why_not(story));
    const struct loom_sim_job *job = &story->jobs[found->job];
    return json_pack("{s:o, s:o, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:I, "
                     "s:I, s:o, s:o, s:o, "
                     "s:I, s:o}",
                     "job", name_json(story, found->job), "user", user_json(job->user), "simulated",
                     1, "submit_s", (json_int_t)job->submit_s, "start_s", (json_int_t)job->start_s,
                     "end_s", (json_int_t)loom_sim_job_end(job), "wait_s",
                     (json_int_t)(job->start_s - job->submit_s), "free_at_submit",
                     (json_int_t)found->free_at_submit, "running_at_submit",
                     (json_int_t)found->running_at_submit, "ahead", ahead_json(story), "weighed",
                     weighed_json(story), "reservations", moves_json(story), "overtaken_by",
                     overtakers_json(story), "too_few_s", (json_int_t)found->short_s, "held_back_s",
                     (json_int_t)found->held_s, "overlooked_s", (json_int_t)found->overlooked_s,
                     "held_for_job", name_json(story, found->held_for_job), "held_for_s",
                     time_json(found->held_for_s), "start", start_json(story, &found->start),
                     "free_before", (json_int_t)found->free_before, "released_by",
                     names_json(story, found->released, found->n_released));
}
