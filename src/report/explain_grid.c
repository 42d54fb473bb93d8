/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a grid job waited, as text and as JSON: in the queue of the grid, then on its cluster. */
#include "base/json.h"
#include "report/explain.h"

#include <inttypes.h>
#include <jansson.h>

static const char *cluster_of(const struct loom_grid_view *view, size_t cluster)
{
    return view->clusters[cluster].name;
}

static int64_t number_of(const struct loom_grid_view *view, uint32_t job)
{
    return view->log->number[view->jobs[job].row];
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_clusters(FILE *out, const struct loom_grid_view *view,
                           const struct loom_cluster_state *states)
{
    size_t n = view->found->n_clusters;
    for (size_t i = 0; i < n && i < LOOM_LISTED; i++) {
        fprintf(out, "  %.80s: %" PRId64 " of %" PRId64 " processors free", cluster_of(view, i),
                states[i].free, view->clusters[i].procs);
        if (states[i].claimed > 0)
            fprintf(out, ", %" PRId64 " claimed by grid jobs in its queue", states[i].claimed);
        if (states[i].queued > 0)
            fprintf(out, ", %zu job%s waiting", states[i].queued,
                    loom_explain_plural((int64_t)states[i].queued));
        fprintf(out, "\n");
    }
    loom_explain_write_rest(out, n);
}

static void write_explain_grid_job(FILE *out, const struct loom_grid_view *view)
{
    const struct loom_sim_job *job = &view->jobs[view->found->job];
    const struct loom_grid_sending *sent = &view->found->sent;
    int64_t queued_s = sent->time_s - job->submit_s, there_s = job->start_s - sent->time_s;
    char span[LOOM_SPAN];
    fprintf(out, "job %" PRId64 ": %" PRId32 " processor%s, estimate %" PRId64 " s\n",
            number_of(view, view->found->job), job->procs, loom_explain_plural(job->procs),
            view->there->found->start.estimate_s);
    fprintf(out, "  submitted at %" PRId64, job->submit_s);
    loom_explain_write_date(out, view->there, job->submit_s);
    fprintf(out, ", sent to %.80s ", cluster_of(view, sent->cluster));
    if (queued_s > 0)
        fprintf(out, "at %" PRId64 " after %s in the grid queue", sent->time_s,
                loom_explain_span(queued_s, span));
    else
        fprintf(out, "at once");
    if (there_s > 0)
        fprintf(out, ", started at %" PRId64 " after %s in the cluster queue", job->start_s,
                loom_explain_span(there_s, span));
    else
        fprintf(out, ", started there at once");
    fprintf(out, ", ended at %" PRId64 "\n", loom_sim_job_end(job));
    loom_explain_write_times(out, view->there, view->there->trace, job);
}

static void write_submission(FILE *out, const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    fprintf(out, "\nAt submission to the grid\n");
    write_clusters(out, view, found->at_submit);
    if (found->n_ahead == 0)
        fprintf(out, "  no job ahead in the grid queue\n");
    else
        fprintf(out, "  %zu job%s ahead in the grid queue:\n", found->n_ahead,
                loom_explain_plural((int64_t)found->n_ahead));
    for (size_t i = 0; i < found->n_ahead && i < LOOM_LISTED; i++) {
        uint32_t job = found->ahead[i];
        const struct loom_grid_place *place = &view->places[job];
        int32_t procs = view->jobs[job].procs;
        fprintf(out, "    job %" PRId64 ": %" PRId32 " processor%s; sent to %.80s at %" PRId64 "\n",
                number_of(view, job), procs, loom_explain_plural(procs),
                cluster_of(view, place->cluster), place->sent_s);
    }
    loom_explain_write_rest(out, found->n_ahead);
}

static void write_overtakers(FILE *out, const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    fprintf(out, "\nOvertaken in the grid queue by\n");
    if (found->n_overtakers == 0)
        fprintf(out, "  no job\n");
    for (size_t i = 0; i < found->n_overtakers && i < LOOM_LISTED; i++) {
        const struct loom_grid_sending *sending = &found->overtakers[i];
        int32_t procs = view->jobs[sending->job].procs;
        fprintf(out,
                "  at %" PRId64 ": job %" PRId64 " (%" PRId32 " processor%s), which fit %.80s\n",
                sending->time_s, number_of(view, sending->job), procs, loom_explain_plural(procs),
                cluster_of(view, sending->cluster));
    }
    loom_explain_write_rest(out, found->n_overtakers);
}

static void write_wait(FILE *out, const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    char span[LOOM_SPAN];
    fprintf(out, "\nWait in the grid queue\n");
    if (found->short_s > 0)
        fprintf(out, "  %s: too few processors free in every cluster\n",
                loom_explain_span(found->short_s, span));
    if (found->claimed_s > 0)
        fprintf(out,
                "  %s: enough processors free in a cluster, but claimed by grid jobs in its "
                "queue\n",
                loom_explain_span(found->claimed_s, span));
    loom_explain_write_released(out, view->there, found->released, found->n_released,
                                found->sent.time_s);
    fprintf(out, "\n");
}

/* Clusters with enough unclaimed processors when the job was sent. */
static size_t count_fitting(const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    int32_t procs = view->jobs[found->job].procs;
    size_t n = 0;
    for (size_t i = 0; i < found->n_clusters; i++)
        n += found->at_sending[i].free - found->at_sending[i].claimed >= procs;
    return n;
}

/* Test whether a job was sent at once, with the clusters as the text has listed them already. */
static bool is_unchanged(const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    for (size_t i = 0; i < found->n_clusters; i++) {
        const struct loom_cluster_state *a = &found->at_submit[i], *b = &found->at_sending[i];
        if (a->free != b->free || a->claimed != b->claimed || a->queued != b->queued)
            return false;
    }
    return found->sent.time_s == view->jobs[found->job].submit_s;
}

static void write_choice(FILE *out, const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    size_t fitting = count_fitting(view);
    fprintf(out, "\nWhy it was sent to %.80s\n", cluster_of(view, found->sent.cluster));
    if (!is_unchanged(view))
        write_clusters(out, view, found->at_sending);
    if (fitting == 1)
        fprintf(out, "  it fit no other cluster\n");
    else
        fprintf(out, "  it fit %zu clusters, and the rule selected this one: %s\n", fitting,
                found->rule);
}

void loom_explain_write_grid(FILE *out, const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    if (found->job == LOOM_NO_JOB) {
        fprintf(out, "job %" PRId64 " was not simulated: %s\n",
                loom_explain_own_number(view->there), loom_explain_refusal(found->refused));
        return;
    }
    write_explain_grid_job(out, view);
    write_submission(out, view);
    if (found->sent.time_s > view->jobs[found->job].submit_s) {
        write_overtakers(out, view);
        write_wait(out, view);
    }
    write_choice(out, view);
    loom_explain_write(out, view->there);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *states_json(const struct loom_grid_view *view,
                           const struct loom_cluster_state *states)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->found->n_clusters; i++)
        loom_explain_append(&array, json_pack("{s:o, s:I, s:I, s:I, s:I}", "cluster",
                                              loom_json_text(cluster_of(view, i)), "procs",
                                              (json_int_t)view->clusters[i].procs, "free",
                                              (json_int_t)states[i].free, "claimed",
                                              (json_int_t)states[i].claimed, "queued",
                                              (json_int_t)states[i].queued));
    return array;
}

static json_t *sending_json(const struct loom_grid_view *view, uint32_t job, size_t cluster,
                            int64_t time_s)
{
    return json_pack("{s:I, s:o, s:i, s:o, s:I}", "job", (json_int_t)number_of(view, job), "user",
                     loom_explain_user_json(view->jobs[job].user), "procs", view->jobs[job].procs,
                     "cluster", loom_json_text(cluster_of(view, cluster)), "sent_s",
                     (json_int_t)time_s);
}

static json_t *ahead_json(const struct loom_grid_view *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->found->n_ahead; i++) {
        uint32_t job = view->found->ahead[i];
        loom_explain_append(&array, sending_json(view, job, view->places[job].cluster,
                                                 view->places[job].sent_s));
    }
    return array;
}

static json_t *overtakers_json(const struct loom_grid_view *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->found->n_overtakers; i++) {
        const struct loom_grid_sending *sending = &view->found->overtakers[i];
        loom_explain_append(&array,
                            sending_json(view, sending->job, sending->cluster, sending->time_s));
    }
    return array;
}

static json_t *queue_json(const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:s, s:o, s:o}", "rooms_at_submit",
                     states_json(view, found->at_submit), "ahead", ahead_json(view), "overtaken_by",
                     overtakers_json(view), "too_few_s", (json_int_t)found->short_s, "claimed_s",
                     (json_int_t)found->claimed_s, "sent_s", (json_int_t)found->sent.time_s,
                     "cluster", loom_json_text(cluster_of(view, found->sent.cluster)), "rule",
                     found->rule, "rooms_at_sending", states_json(view, found->at_sending),
                     "released_by",
                     loom_explain_names_json(view->there, found->released, found->n_released));
}

json_t *loom_explain_grid_json(const struct loom_grid_view *view)
{
    const struct loom_grid_explanation *found = view->found;
    if (found->job == LOOM_NO_JOB)
        return loom_explain_refused_json(view->there, found->refused);
    const struct loom_sim_job *job = &view->jobs[found->job];
    return json_pack("{s:I, s:b, s:I, s:I, s:I, s:I, s:o, s:o}", "job",
                     (json_int_t)number_of(view, found->job), "simulated", 1, "submit_s",
                     (json_int_t)job->submit_s, "start_s", (json_int_t)job->start_s, "end_s",
                     (json_int_t)loom_sim_job_end(job), "wait_s",
                     (json_int_t)(job->start_s - job->submit_s), "queue", queue_json(view), "there",
                     loom_explain_job_json(view->there));
}
