/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times, applied to woven jobs.
 *
 * Asking for the same again is a maximal coupling: the value asked for before, which had share p in
 * its class and has share q in the new one, is kept with probability min(1, q / p). What is not
 * kept comes from the user's habits by the same rule, or from the shares of the class.
 *
 * Jobs are gone through in order of submission. A user's request is drawn when the bundle is over,
 * which shows in the user's next job; those still open at the end follow by first appearance.
 */
#include "base/draw.h"
#include "models/estimates_urn.h"

#include <stdlib.h>

/* ---- asking again ---------------------------------------------------------------------------- */

enum { MOST_TRIES = 64 };

/* What was asked for. */
struct request {
    struct loom_asked asked;
    double share; /* of that, for jobs like the one that it was for */
};

static struct request request_of(const struct loom_urn *urn, struct loom_asking asking,
                                 struct loom_asked asked)
{
    return (struct request){asked, loom_urn_share(urn, asking, asked)};
}

/* The values a user asks for: few, of which new ones take the places of old ones. */
enum { HABITS = 12, HABIT_TRIES = 6 };

struct habits {
    uint32_t n;
    struct request own[HABITS];
};

/* Is what was asked for before wanted again? It is kept as often as both classes allow. */
static bool suits(const struct loom_urn *urn, const struct request *before,
                  struct loom_asking asking, struct loom_stream *stream)
{
    double old = before->share, new = loom_urn_share(urn, asking, before->asked);
    return old > 0 && (new >= old || loom_draw_uniform(stream) * old < new);
}

/* One of n by the leading bits of a draw, which leaves the others for the next choice. All choices
 * of a request take less than half of the 64. */
static size_t choose(uint64_t *bits, size_t n)
{
    unsigned __int128 product = (unsigned __int128)*bits * n;
    *bits = (uint64_t)product;
    return (size_t)(product >> 64);
}

static void learn(struct habits *habits, const struct request *request, uint64_t *bits)
{
    size_t place = habits->n < HABITS ? habits->n++ : choose(bits, HABITS);
    habits->own[place] = *request;
}

/* One of the user's own values that suits, or a new one. Whether it is enough for the job is
 * settled by the new one, which leaves every class its share of requests that are not. */
static struct request ask_by_habit(const struct loom_urn *urn, struct habits *habits,
                                   struct loom_asking asking, struct loom_stream *stream)
{
    struct loom_asked wanted = loom_urn_draw(urn, asking, stream);
    uint64_t bits = loom_draw_u64(stream);
    bool enough = wanted.s >= asking.run_s;
    bool own = habits->n > 0 && loom_draw_uniform(stream) >= urn->model->novelty;
    for (int i = 0; own && i < HABIT_TRIES; i++) {
        const struct request *habit = &habits->own[choose(&bits, habits->n)];
        if ((habit->asked.s >= asking.run_s) == enough && suits(urn, habit, asking, stream)) {
            wanted = habit->asked;
            break;
        }
    }
    struct request request = request_of(urn, asking, wanted);
    learn(habits, &request, &bits);
    return request;
}

/* ---- applying -------------------------------------------------------------------------------- */

static bool can_ask(const struct loom_draft *draft, size_t job)
{
    return draft->run_s[job] >= 0 && draft->procs[job] > 0;
}

static void ask_alone(const struct loom_urn *urn, struct loom_weave *weave,
                      struct loom_stream *stream)
{
    struct loom_draft *draft = &weave->draft;
    for (size_t i = 0; i < draft->n; i++)
        if (can_ask(draft, i) && (!draft->user || draft->user[i] < 0)) {
            struct loom_asking asking = loom_urn_asking(urn, draft->procs[i], draft->run_s[i]);
            draft->estimate_s[i] = loom_urn_draw(urn, asking, stream).s;
        }
}

/* A user, with the bundle that may not be over yet and the last request of those before it. Until a
 * job has its request, the place of that holds the next job of the bundle. */
struct asker {
    int32_t user;
    bool asked;
    int32_t procs; /* of the last bundle, if asked */
    struct request request;
    struct habits habits;
    uint32_t first, last; /* jobs of the open bundle */
    size_t n;
};

#define NO_JOB (-1)

struct office {
    const struct loom_urn *urn;
    struct loom_weave *weave;
    struct loom_requests requests;
    struct loom_stream *stream;
    int64_t *next;        /* by job: draft.estimate_s, see above */
    struct asker *askers; /* in order of first appearance */
    size_t n, capacity;
    uint32_t *places; /* of askers, 1 and more, by a hash of the user; 0 where there is none */
    unsigned places_bits;
};

/* How a request comes from the one before it. */
enum manner { FRESH, AGAIN, CHANGED };

static struct request ask(const struct office *office, struct asker *asker,
                          struct loom_asking asking, enum manner manner)
{
    const struct request *before = &asker->request;
    if (manner == AGAIN && suits(office->urn, before, asking, office->stream))
        return request_of(office->urn, asking, before->asked);
    struct request request = ask_by_habit(office->urn, &asker->habits, asking, office->stream);
    for (int i = 0; manner == CHANGED && request.asked.s == before->asked.s && i < MOST_TRIES; i++)
        request = ask_by_habit(office->urn, &asker->habits, asking, office->stream);
    return request;
}

/* One request for the jobs from first until end, enough for the longest of them or not. */
static void ask_once(const struct office *office, struct asker *asker, int64_t first, int64_t end,
                     enum manner manner)
{
    struct loom_draft *draft = &office->weave->draft;
    int64_t longest_s = draft->run_s[first];
    for (int64_t job = first; job != end; job = office->next[job])
        if (draft->run_s[job] > longest_s)
            longest_s = draft->run_s[job];
    struct loom_asking asking = loom_urn_asking(office->urn, draft->procs[first], longest_s);
    asker->request = ask(office, asker, asking, manner);
    for (int64_t job = first, next; job != end; job = next) {
        next = office->next[job];
        draft->estimate_s[job] = can_ask(draft, (size_t)job) ? asker->request.asked.s : -1;
    }
}

/* The requests of a bundle: one for all, or several. */
static void ask_for_bundle(const struct office *office, struct asker *asker, enum manner manner)
{
    const struct loom_estimate_model *model = office->urn->model;
    struct loom_stream *stream = office->stream;
    int64_t first = asker->first;
    if (asker->n > 1 && loom_draw_uniform(stream) >= model->whole_bundles) {
        uint64_t until_change = 1 + loom_stream_below(stream, asker->n - 1);
        for (int64_t job = office->next[first]; job != NO_JOB; job = office->next[job])
            if (--until_change == 0 || loom_draw_uniform(stream) >= model->keep_in_bundle) {
                ask_once(office, asker, first, job, manner);
                manner = CHANGED;
                first = job;
            }
    }
    ask_once(office, asker, first, NO_JOB, manner);
}

static void close_bundle(const struct office *office, struct asker *asker)
{
    const struct loom_estimate_model *model = office->urn->model;
    int32_t procs = office->weave->draft.procs[asker->first];
    double keep = procs == asker->procs ? model->keep_same : model->keep_other;
    bool again = asker->asked && loom_draw_uniform(office->stream) < keep;
    ask_for_bundle(office, asker, again ? AGAIN : FRESH);
    asker->asked = true;
    asker->procs = procs;
    asker->n = 0;
}

static void take_job(struct office *office, struct asker *asker, uint32_t job)
{
    if (asker->n > 0 && !loom_requests_follow(&office->requests, asker->last, job))
        close_bundle(office, asker);
    if (asker->n++ == 0)
        asker->first = job;
    else
        office->next[asker->last] = job;
    office->next[job] = NO_JOB;
    asker->last = job;
}

/* ---- users ----------------------------------------------------------------------------------- */

/* Where a user's place is, or is to be. */
static uint32_t *place_of(const struct office *office, int32_t user)
{
    size_t mask = ((size_t)1 << office->places_bits) - 1;
    size_t at = (uint32_t)user * UINT32_C(2654435769) >> (32 - office->places_bits);
    while (office->places[at] && office->askers[office->places[at] - 1].user != user)
        at = (at + 1) & mask;
    return &office->places[at];
}

/* Places for twice the users that there is room for, and never full. */
static int grow_office(struct office *office, struct loom_error *err)
{
    enum { FIRST_BITS = 10, MOST_BITS = 31 };
    unsigned bits = office->places ? office->places_bits + 1 : FIRST_BITS;
    uint32_t *places = bits <= MOST_BITS ? calloc((size_t)1 << bits, sizeof *places) : NULL;
    struct asker *askers =
        places ? realloc(office->askers, ((size_t)1 << (bits - 1)) * sizeof *askers) : NULL;
    if (!askers) {
        free(places);
        return loom_fail_memory(err);
    }
    free(office->places);
    office->places = places;
    office->places_bits = bits;
    office->askers = askers;
    office->capacity = (size_t)1 << (bits - 1);
    for (size_t i = 0; i < office->n; i++)
        *place_of(office, askers[i].user) = (uint32_t)i + 1;
    return 0;
}

static int find_asker(struct asker **out, struct office *office, int32_t user,
                      struct loom_error *err)
{
    if (office->n == office->capacity) {
        int rc = grow_office(office, err);
        if (rc)
            return rc;
    }
    uint32_t *place = place_of(office, user);
    if (!*place) {
        office->askers[office->n] = (struct asker){.user = user};
        *place = (uint32_t)++office->n;
    }
    *out = &office->askers[*place - 1];
    return 0;
}

static int take_jobs(struct office *office, struct loom_error *err)
{
    const struct loom_draft *draft = &office->weave->draft;
    struct asker *asker = NULL;
    int rc = 0;
    for (size_t job = 0; job < draft->n && !rc; job++) {
        if (draft->user[job] < 0)
            continue;
        if (!asker || asker->user != draft->user[job])
            rc = find_asker(&asker, office, draft->user[job], err);
        if (!rc)
            take_job(office, asker, (uint32_t)job);
    }
    for (size_t i = 0; i < office->n && !rc; i++)
        close_bundle(office, &office->askers[i]);
    return rc;
}

static int ask_by_user(const struct loom_urn *urn, struct loom_weave *weave,
                       struct loom_stream *stream, struct loom_error *err)
{
    struct loom_draft *draft = &weave->draft;
    struct office office = {.urn = urn,
                            .weave = weave,
                            .stream = stream,
                            .next = draft->estimate_s};
    office.requests = (struct loom_requests){.n = draft->n,
                                             .submit_s = draft->submit_s,
                                             .procs = draft->procs,
                                             .group = draft->group,
                                             .executable = draft->executable,
                                             .queue = draft->queue};
    int rc = take_jobs(&office, err);
    free(office.askers);
    free(office.places);
    return rc;
}

int loom_estimates_apply(const struct loom_estimate_model *model, struct loom_weave *weave,
                         struct loom_error *err)
{
    struct loom_urn urn;
    struct loom_stream stream;
    loom_weave_stream(&stream, weave, "estimates");
    int rc = loom_draft_sort(&weave->draft, err);
    if (!rc)
        rc = loom_draft_detail(&weave->draft, LOOM_DETAIL_ESTIMATE, err);
    if (rc)
        return rc;
    rc = loom_urn_open(&urn, model, weave, err);
    if (!rc)
        ask_alone(&urn, weave, &stream);
    if (!rc && weave->draft.user)
        rc = ask_by_user(&urn, weave, &stream, err);
    loom_urn_close(&urn);
    return rc;
}
