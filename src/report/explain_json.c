/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a job on one machine or cluster waited, as JSON. */
#include "base/json.h"
#include "report/explain.h"

#include <jansson.h>

/* ---- values ---------------------------------------------------------------------------------- */

json_t *loom_explain_name_json(const struct loom_explained_job *view, uint32_t job)
{
    char name[LOOM_JOB_NAME];
    if (job == LOOM_NO_JOB)
        return json_null();
    return loom_explain_is_local(view, &view->jobs[job])
               ? loom_json_text(loom_explain_name(view, job, name))
               : json_integer(loom_explain_number(view, job));
}

static json_t *time_json(int64_t time_s)
{
    return time_s < 0 ? json_null() : json_integer(time_s);
}

void loom_explain_append(json_t **array, json_t *item)
{
    if (json_array_append_new(*array, item)) {
        json_decref(*array);
        *array = NULL;
    }
}

json_t *loom_explain_user_json(int32_t user)
{
    return user < 0 ? json_null() : json_integer(user);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static json_t *ahead_json(const struct loom_explained_job *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->found->n_ahead; i++) {
        const struct loom_sim_job *job = &view->jobs[view->found->ahead[i]];
        loom_explain_append(&array,
                            json_pack("{s:o, s:o, s:i, s:I, s:I}", "job",
                                      loom_explain_name_json(view, view->found->ahead[i]), "user",
                                      loom_explain_user_json(job->user), "procs", job->procs,
                                      "estimate_s", (json_int_t)view->found->ahead_estimate_s[i],
                                      "start_s", (json_int_t)job->start_s));
    }
    return array;
}

static json_t *moves_json(const struct loom_explained_job *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->found->n_moves; i++) {
        const struct loom_explained_move *move = &view->found->moves[i];
        loom_explain_append(&array,
                            json_pack("{s:I, s:o, s:I, s:o}", "time_s", (json_int_t)move->time_s,
                                      "from_s", time_json(move->from_s), "to_s",
                                      (json_int_t)move->to_s, "cause_job",
                                      loom_explain_name_json(view, move->cause_job)));
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

static json_t *start_json(const struct loom_explained_job *view,
                          const struct loom_explained_start *start)
{
    return json_pack("{s:o, s:o, s:I, s:i, s:I, s:s, s:o, s:o}", "job",
                     loom_explain_name_json(view, start->job), "user",
                     loom_explain_user_json(view->jobs[start->job].user), "time_s",
                     (json_int_t)start->time_s, "procs", view->jobs[start->job].procs, "estimate_s",
                     (json_int_t)start->estimate_s, "why", why_word(start->why), "reserved_job",
                     loom_explain_name_json(view, start->reserved_job), "reserved_s",
                     time_json(start->reserved_s));
}

/* With what it and the explained job were weighed by then. */
static json_t *overtaker_json(const struct loom_explained_job *view,
                              const struct loom_explained_start *start)
{
    json_t *object = start_json(view, start);
    if (loom_json_merge(object,
                        json_pack("{s:o, s:o}", "weighed",
                                  loom_explain_standing_json(view, &start->standing), "own_weighed",
                                  loom_explain_standing_json(view, &start->own)))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *overtakers_json(const struct loom_explained_job *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->found->n_overtakers; i++)
        loom_explain_append(&array, overtaker_json(view, &view->found->overtakers[i]));
    return array;
}

json_t *loom_explain_names_json(const struct loom_explained_job *view, const uint32_t *jobs,
                                size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        loom_explain_append(&array, loom_explain_name_json(view, jobs[i]));
    return array;
}

json_t *loom_explain_refused_json(const struct loom_explained_job *view, const char *refused)
{
    char name[LOOM_JOB_NAME];
    bool local = view->cluster && !view->sent;
    return json_pack("{s:o, s:b, s:s}", "job",
                     local ? loom_json_text(loom_explain_own_name(view, name))
                           : json_integer(loom_explain_own_number(view)),
                     "simulated", 0, "reason", loom_explain_refusal(refused));
}

/* ---- the object ------------------------------------------------------------------------------ */

static json_t *times_json(const struct loom_explained_job *view)
{
    const struct loom_sim_job *job = &view->jobs[view->found->job];
    return json_pack("{s:o, s:o, s:b, s:I, s:I, s:I, s:I}", "job",
                     loom_explain_name_json(view, view->found->job), "user",
                     loom_explain_user_json(job->user), "simulated", 1, "submit_s",
                     (json_int_t)job->submit_s, "start_s", (json_int_t)job->start_s, "end_s",
                     (json_int_t)loom_sim_job_end(job), "wait_s",
                     (json_int_t)(job->start_s - job->submit_s));
}

static json_t *queue_json(const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "free_at_submit",
                     (json_int_t)found->free_at_submit, "running_at_submit",
                     (json_int_t)found->running_at_submit, "ahead", ahead_json(view), "weighed",
                     loom_explain_weights_json(view), "reservations", moves_json(view),
                     "overtaken_by", overtakers_json(view));
}

static json_t *wait_json(const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "too_few_s", (json_int_t)found->short_s,
                     "held_back_s", (json_int_t)found->held_s, "overlooked_s",
                     (json_int_t)found->overlooked_s, "held_for_job",
                     loom_explain_name_json(view, found->held_for_job), "held_for_s",
                     time_json(found->held_for_s));
}

static json_t *end_json(const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    return json_pack("{s:o, s:I, s:o}", "start", start_json(view, &found->start), "free_before",
                     (json_int_t)found->free_before, "released_by",
                     loom_explain_names_json(view, found->released, found->n_released));
}

json_t *loom_explain_job_json(const struct loom_explained_job *view)
{
    if (view->found->job == LOOM_NO_JOB)
        return loom_explain_refused_json(view, view->found->refused);
    json_t *object = times_json(view);
    if (loom_json_merge(object, queue_json(view)) || loom_json_merge(object, wait_json(view)) ||
        loom_json_merge(object, end_json(view))) {
        json_decref(object);
        return NULL;
    }
    return object;
}
