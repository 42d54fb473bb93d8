/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By what the policy weighed a job while it waited, as text and as JSON: its expansion factor and
 * the threshold, or its priority, the rank of its user, and who was the first. */
#include "simulate_story.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

/* ---- text ------------------------------------------------------------------------------------ */

/* A key of the JSON document as text. */
static const char *words(const char *key, char text[NAME_SIZE])
{
    snprintf(text, NAME_SIZE, "%s", key);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}

/* Who was the first by what the policy weighs. */
static void tell_first(const struct story *story, const struct loom_standing *at, struct page *to)
{
    char job[NAME_SIZE], user[NAME_SIZE];
    tell(to, "; the first was job %s with %.6g, its %s having rank %" PRIu64,
         name_job(story, at->first_job, job), at->bar_value,
         name_user(story->jobs[at->first_job].user, user), at->first_rank);
}

static void tell_standing(const struct story *story, const struct loom_standing *at,
                          const char *when, struct page *to)
{
    char name[NAME_SIZE];
    bool ranked = at->user_rank > 0;
    tell(to, "  at %" PRId64 ", %s: %s %.6g", at->time_s, when, words(at->measure, name),
         at->value);
    if (ranked)
        tell(to, ", its %s having rank %" PRIu64 " of %" PRIu64,
             name_user(story->jobs[story->found->job].user, name), at->user_rank, at->users);
    if (!ranked)
        tell(to, ", %s %.6g", words(at->bar, name), at->bar_value);
    else if (at->first_job == story->found->job)
        tell(to, "; it was the first");
    else
        tell_first(story, at, to);
    tell(to, "\n");
}

/* By what the policy weighs jobs, at the times that matter. */
void tell_standings(const struct story *story, struct page *to)
{
    const struct loom_explanation *found = story->found;
    const struct loom_standing *last = &found->at_submit;
    tell(to, "\nHow the policy weighed it\n");
    if (last->category)
        tell(to, "  among jobs of %s\n", last->category);
    tell_standing(story, last, story->sent ? "when it came" : "when it was submitted", to);
    if (found->n_moves == 0 && found->nearest.time_s > last->time_s)
        tell_standing(story, last = &found->nearest,
                      found->ranked ? "when it was nearest to the first"
                                    : "when it was nearest to the threshold",
                      to);
    if (found->n_moves > 0 && found->at_reservation.time_s > last->time_s)
        tell_standing(story, last = &found->at_reservation, "when it got its reservation", to);
    if (found->start.time_s > last->time_s)
        tell_standing(story, &found->start.own, "when it started", to);
}

/* By whose user's rank it went before. */
void tell_ranks(const struct story *story, const struct loom_explained_start *start,
                struct page *to)
{
    char name[NAME_SIZE];
    if (start->standing.user_rank == 0)
        return;
    tell(to, "; %s had rank %" PRIu64 ", and this job's rank %" PRIu64,
         name_user(story->jobs[start->job].user, name), start->standing.user_rank,
         start->own.user_rank);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* What the policy weighs a job by, under its own words; null where it does not. */
json_t *standing_json(const struct story *story, const struct loom_standing *at)
{
    if (!at->measure)
        return json_null();
    json_t *object = json_pack("{s:I, s:o, s:o}", "time_s", (json_int_t)at->time_s, at->measure,
                               json_real(at->value), at->bar, json_real(at->bar_value));
    json_t *more =
        at->user_rank == 0
            ? json_pack("{s:o}", "category", at->category ? json_string(at->category) : json_null())
            : json_pack("{s:I, s:I, s:o, s:o, s:I}", "user_rank", (json_int_t)at->user_rank,
                        "users", (json_int_t)at->users, "first_job",
                        name_json(story, at->first_job), "first_user",
                        user_json(story->jobs[at->first_job].user), "first_user_rank",
                        (json_int_t)at->first_rank);
    if (merge_json(object, more)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *weighed_json(const struct story *story)
{
    const struct loom_explanation *found = story->found;
    if (!found->at_submit.measure)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "at_submit", standing_json(story, &found->at_submit),
                     "nearest", standing_json(story, &found->nearest), "at_reservation",
                     standing_json(story, &found->at_reservation), "at_start",
                     standing_json(story, &found->start.own));
}
