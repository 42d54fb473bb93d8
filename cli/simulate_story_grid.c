/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story of a grid job: in the grid's queue, and then on the cluster that it was sent to. */
#include "simulate_grid.h"
#include "simulate_story.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* What both forms need. */
struct queued {
    const struct loom_grid_explanation *found;
    const struct loom_sim_job *jobs; /* of the grid */
    const struct loom_grid_place *places;
    const struct loom_jobs *log;
    const struct grid_run *run;
    const struct story *there;
};

static struct queued begin(const struct simulation *of, const struct story *there)
{
    return (struct queued){
        .found = loom_grid_explainer_result(of->grid->explainer),
        .jobs = loom_sim_jobs(of->sim, NULL),
        .places = loom_grid_places(of->grid->grid),
        .log = loom_trace_jobs(of->trace),
        .run = of->grid,
        .there = there,
    };
}

static const char *cluster_of(const struct queued *story, size_t cluster)
{
    return story->run->sites[cluster].plan.name;
}

static int64_t number_of(const struct queued *story, uint32_t job)
{
    return story->log->number[story->jobs[job].row];
}

static const char *why_not(const struct queued *story)
{
    return story->found->refused ? story->found->refused : "never submitted";
}

static int64_t room_of(const struct loom_grid_room *room)
{
    return room->free - room->claimed;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void tell_rooms(const struct queued *story, const struct loom_grid_room *rooms,
                       struct page *to)
{
    size_t n = story->found->n_clusters;
    for (size_t i = 0; i < n && i < MOST_LINES; i++) {
        tell(to, "  %.80s: %" PRId64 " of %" PRId64 " processors free", cluster_of(story, i),
             rooms[i].free, story->run->clusters[i].procs);
        if (rooms[i].claimed > 0)
            tell(to, ", and grid jobs in its queue have a claim to %" PRId64, rooms[i].claimed);
        if (rooms[i].queued > 0)
            tell(to, "; jobs waiting: %zu", rooms[i].queued);
        tell(to, "\n");
    }
    tell_rest(to, n);
}

static void tell_job(const struct queued *story, struct page *to)
{
    const struct loom_sim_job *job = &story->jobs[story->found->job];
    const struct loom_grid_sending *sent = &story->found->sent;
    int64_t queued_s = sent->time_s - job->submit_s, there_s = job->start_s - sent->time_s;
    char span[SPAN_SIZE];
    tell(to, "job %s: %" PRId32 " processor%s, estimate %" PRId64 " s\n", story->there->name,
         job->procs, plural(job->procs), story->there->found->start.estimate_s);
    tell(to, "  submitted at %" PRId64 ", sent to %.80s ", job->submit_s,
         cluster_of(story, sent->cluster));
    if (queued_s > 0)
        tell(to, "at %" PRId64 " after %s in the grid's queue", sent->time_s,
             span_text(queued_s, span));
    else
        tell(to, "at once");
    if (there_s > 0)
        tell(to, ", started at %" PRId64 " after %s in the queue there", job->start_s,
             span_text(there_s, span));
    else
        tell(to, ", started there at once");
    tell(to, ", ended at %" PRId64 "\n", loom_sim_job_end(job));
    tell_times(story->there, story->there->trace, job, to);
}

static void tell_submission(const struct queued *story, struct page *to)
{
    const struct loom_grid_explanation *found = story->found;
    tell(to, "\nWhen it was submitted to the grid\n");
    tell_rooms(story, found->at_submit, to);
    if (found->n_ahead == 0)
        tell(to, "  no job was waiting ahead of it in the grid's queue\n");
    else
        tell(to, "  waiting ahead of it in the grid's queue: %zu job%s\n", found->n_ahead,
             plural((int64_t)found->n_ahead));
    for (size_t i = 0; i < found->n_ahead && i < MOST_LINES; i++) {
        uint32_t job = found->ahead[i];
        const struct loom_grid_place *place = &story->places[job];
        tell(to, "    job %" PRId64 ": %" PRId32 " processor%s; sent to %.80s at %" PRId64 "\n",
             number_of(story, job), story->jobs[job].procs, plural(story->jobs[job].procs),
             cluster_of(story, place->cluster), place->sent_s);
    }
    tell_rest(to, found->n_ahead);
}

static void tell_overtakers(const struct queued *story, struct page *to)
{
    const struct loom_grid_explanation *found = story->found;
    tell(to, "\nWho overtook it in the grid's queue\n");
    if (found->n_overtakers == 0)
        tell(to, "  nobody\n");
    for (size_t i = 0; i < found->n_overtakers && i < MOST_LINES; i++) {
        const struct loom_grid_sending *sending = &found->overtakers[i];
        int32_t procs = story->jobs[sending->job].procs;
        tell(to,
             "  at %" PRId64 ": job %" PRId64 " (%" PRId32 " processor%s), which fitted %.80s\n",
             sending->time_s, number_of(story, sending->job), procs, plural(procs),
             cluster_of(story, sending->cluster));
    }
    tell_rest(to, found->n_overtakers);
}

static void tell_wait(const struct queued *story, struct page *to)
{
    const struct loom_grid_explanation *found = story->found;
    char span[SPAN_SIZE];
    tell(to, "\nWhat it waited for in the grid's queue\n");
    if (found->short_s > 0)
        tell(to, "  for %s: no cluster had enough processors free\n",
             span_text(found->short_s, span));
    if (found->claimed_s > 0)
        tell(to,
             "  for %s: a cluster had enough free, but grid jobs in its queue had a "
             "claim to them\n",
             span_text(found->claimed_s, span));
    tell_released(story->there, found->released, found->n_released, found->sent.time_s, to);
    tell(to, "\n");
}

static size_t count_fitting(const struct queued *story)
{
    const struct loom_grid_explanation *found = story->found;
    size_t n = 0;
    for (size_t i = 0; i < found->n_clusters; i++)
        n += room_of(&found->at_sending[i]) >= story->jobs[found->job].procs;
    return n;
}

/* Of a job that was sent at once the rooms have been told. */
static bool is_unchanged(const struct queued *story)
{
    const struct loom_grid_explanation *found = story->found;
    for (size_t i = 0; i < found->n_clusters; i++) {
        const struct loom_grid_room *a = &found->at_submit[i], *b = &found->at_sending[i];
        if (a->free != b->free || a->claimed != b->claimed || a->queued != b->queued)
            return false;
    }
    return found->sent.time_s == story->jobs[found->job].submit_s;
}

static void tell_choice(const struct queued *story, struct page *to)
{
    const struct loom_grid_explanation *found = story->found;
    const char *name = cluster_of(story, found->sent.cluster);
    size_t fitting = count_fitting(story);
    tell(to, "\nWhy it was sent to %.80s\n", name);
    if (!is_unchanged(story))
        tell_rooms(story, found->at_sending, to);
    if (fitting == 1)
        tell(to, "  it fitted no other\n");
    else
        tell(to, "  it fitted %zu of them, and the rule chose this one: %s\n", fitting,
             found->rule);
}

void tell_grid_story(const struct simulation *of, const struct story *there, struct page *to)
{
    const struct queued story = begin(of, there);
    if (story.found->job == LOOM_NO_JOB) {
        tell(to, "job %s is not simulated: %s\n", there->name, why_not(&story));
        return;
    }
    tell_job(&story, to);
    tell_submission(&story, to);
    if (story.found->sent.time_s > story.jobs[story.found->job].submit_s) {
        tell_overtakers(&story, to);
        tell_wait(&story, to);
    }
    tell_choice(&story, to);
    tell_story(there, to);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *rooms_json(const struct queued *story, const struct loom_grid_room *rooms)
{
    json_t *array = json_array();
    for (size_t i = 0; i < story->found->n_clusters; i++)
        put_json(&array,
                 json_pack("{s:o, s:I, s:I, s:I, s:I}", "cluster", text_json(cluster_of(story, i)),
                           "procs", (json_int_t)story->run->clusters[i].procs, "free",
                           (json_int_t)rooms[i].free, "claimed", (json_int_t)rooms[i].claimed,
                           "queued", (json_int_t)rooms[i].queued));
    return array;
}

static json_t *sending_json(const struct queued *story, uint32_t job, size_t cluster,
                            int64_t time_s)
{
    return json_pack("{s:I, s:o, s:i, s:o, s:I}", "job", (json_int_t)number_of(story, job), "user",
                     user_json(story->jobs[job].user), "procs", story->jobs[job].procs, "cluster",
                     text_json(cluster_of(story, cluster)), "sent_s", (json_int_t)time_s);
}

static json_t *ahead_json(const struct queued *story)
{
    json_t *array = json_array();
    for (size_t i = 0; i < story->found->n_ahead; i++) {
        uint32_t job = story->found->ahead[i];
        put_json(&array,
                 sending_json(story, job, story->places[job].cluster, story->places[job].sent_s));
    }
    return array;
}

static json_t *overtakers_json(const struct queued *story)
{
    json_t *array = json_array();
    for (size_t i = 0; i < story->found->n_overtakers; i++) {
        const struct loom_grid_sending *sending = &story->found->overtakers[i];
        put_json(&array, sending_json(story, sending->job, sending->cluster, sending->time_s));
    }
    return array;
}

static json_t *queue_json(const struct queued *story)
{
    const struct loom_grid_explanation *found = story->found;
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:s, s:o, s:o}", "rooms_at_submit",
                     rooms_json(story, found->at_submit), "ahead", ahead_json(story),
                     "overtaken_by", overtakers_json(story), "too_few_s",
                     (json_int_t)found->short_s, "claimed_s", (json_int_t)found->claimed_s,
                     "sent_s", (json_int_t)found->sent.time_s, "cluster",
                     text_json(cluster_of(story, found->sent.cluster)), "rule", found->rule,
                     "rooms_at_sending", rooms_json(story, found->at_sending), "released_by",
                     names_json(story->there, found->released, found->n_released));
}

struct json_t *grid_story_json(const struct simulation *of, const struct story *there)
{
    const struct queued story = begin(of, there);
    if (story.found->job == LOOM_NO_JOB)
        return not_simulated_json(there->name, why_not(&story));
    const struct loom_sim_job *job = &story.jobs[story.found->job];
    return json_pack("{s:I, s:b, s:I, s:I, s:I, s:I, s:o, s:o}", "job",
                     (json_int_t)number_of(&story, story.found->job), "simulated", 1, "submit_s",
                     (json_int_t)job->submit_s, "start_s", (json_int_t)job->start_s, "end_s",
                     (json_int_t)loom_sim_job_end(job), "wait_s",
                     (json_int_t)(job->start_s - job->submit_s), "queue", queue_json(&story),
                     "there", story_json(there));
}
