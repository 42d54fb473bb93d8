/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the policy weighed a job by while it waited, as text and as JSON: its expansion factor and
 * the threshold (selective), or its priority, the rank of its user, and the first job (ups). */
#include "base/json.h"
#include "report/explain.h"

#include <inttypes.h>
#include <jansson.h>

/* ---- text ------------------------------------------------------------------------------------ */

/* Format a key of the JSON object with blanks. Returns text. */
static const char *words(const char *key, char text[LOOM_JOB_NAME])
{
    snprintf(text, LOOM_JOB_NAME, "%s", key);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}

/* The rank of the job's user, and the job that is first by the same measure. */
static void write_rank(FILE *out, const struct loom_explained_job *view,
                       const struct loom_standing *at)
{
    char user[LOOM_JOB_NAME], job[LOOM_JOB_NAME], measure[LOOM_JOB_NAME];
    fprintf(out, ", %s ranked %" PRIu64 " of %" PRIu64,
            loom_explain_user(view->jobs[view->found->job].user, user), at->user_rank, at->users);
    if (at->first_job == view->found->job)
        fprintf(out, "; this job was first");
    else
        fprintf(out, "; first: job %s with %s %.6g, %s ranked %" PRIu64,
                loom_explain_name(view, at->first_job, job), words(at->measure, measure),
                at->bar_value, loom_explain_user(view->jobs[at->first_job].user, user),
                at->first_rank);
}

static void write_standing(FILE *out, const struct loom_explained_job *view,
                           const struct loom_standing *at, const char *when)
{
    char text[LOOM_JOB_NAME];
    fprintf(out, "  at %" PRId64 " (%s): %s %.6g", at->time_s, when, words(at->measure, text),
            at->value);
    if (at->user_rank > 0)
        write_rank(out, view, at);
    else
        fprintf(out, ", %s %.6g", words(at->bar, text), at->bar_value);
    fprintf(out, "\n");
}

void loom_explain_write_weights(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    const struct loom_standing *last = &found->at_submit;
    fprintf(out, "\nCriteria of the policy\n");
    if (last->category)
        fprintf(out, "  category: %s\n", last->category);
    write_standing(out, view, last, view->sent ? "arrival" : "submission");
    if (found->n_moves == 0 && found->nearest.time_s > last->time_s)
        write_standing(out, view, last = &found->nearest,
                       found->ranked ? "nearest to the first job" : "nearest to the threshold");
    if (found->n_moves > 0 && found->at_reservation.time_s > last->time_s)
        write_standing(out, view, last = &found->at_reservation, "reservation");
    if (found->start.time_s > last->time_s)
        write_standing(out, view, &found->start.own, "start");
}

void loom_explain_write_ranks(FILE *out, const struct loom_explained_job *view,
                              const struct loom_explained_start *start)
{
    char user[LOOM_JOB_NAME];
    if (start->standing.user_rank == 0)
        return;
    fprintf(out, "; %s ranked %" PRIu64 ", this job's user ranked %" PRIu64,
            loom_explain_user(view->jobs[start->job].user, user), start->standing.user_rank,
            start->own.user_rank);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

json_t *loom_explain_standing_json(const struct loom_explained_job *view,
                                   const struct loom_standing *at)
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
                        loom_explain_name_json(view, at->first_job), "first_user",
                        loom_explain_user_json(view->jobs[at->first_job].user), "first_user_rank",
                        (json_int_t)at->first_rank);
    if (loom_json_merge(object, more)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *loom_explain_weights_json(const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    if (!found->at_submit.measure)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "at_submit",
                     loom_explain_standing_json(view, &found->at_submit), "nearest",
                     loom_explain_standing_json(view, &found->nearest), "at_reservation",
                     loom_explain_standing_json(view, &found->at_reservation), "at_start",
                     loom_explain_standing_json(view, &found->start.own));
}
