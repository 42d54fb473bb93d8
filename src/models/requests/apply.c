/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times, applied to generated jobs.
 *
 * Users ask for what they asked for before as long as the quotas of their jobs' classes allow
 * (requests/quota.h). If not, or now and then, they take the one of their own values that has the
 * most left, or a new one.
 *
 * Jobs are gone through in order of submission. A user's request is made when the bundle is over,
 * which shows in the user's next job; those still open at the end follow by first appearance.
 */
#include "base/draw.h"
#include "base/map.h"
#include "base/vec.h"
#include "models/requests/quota.h"
#include "models/requests/sampler.h"

#include <stdlib.h>

/* Values that a user may come back to; new ones replace old ones. */
enum { VALUES = 8 };

struct own {
    struct loom_request_value value;
    uint32_t turns; /* how often the user may yet come back to it */
};

/* A user, with the bundle that may not be over yet and the last request of those before it. */
struct user {
    int32_t procs, procs_before; /* of the open bundle, and of the last one that is over */
    uint32_t first, last;        /* jobs of the open bundle */
    uint32_t n;                  /* how many these are */
    int64_t longest_s;           /* runtime in the open bundle */
    size_t values;
    struct own own[VALUES]; /* the first is the last that was asked for */
};

#define NO_JOB (-1)
#define ANY_PLACE SIZE_MAX

struct applier {
    const struct loom_request_sampler *sampler;
    const struct loom_request_model *model;
    struct loom_draft *draft;
    struct loom_requests requests;
    struct loom_stream *stream;
    struct loom_quotas quotas;
    int64_t
        *next; /* by job, the next one of its bundle; kept in draft.request_s until that is known */
    struct loom_map ids;
    struct user *users; /* in order of first appearance */
    size_t n, capacity;
};

static bool can_ask(int64_t run_s, int32_t procs)
{
    return run_s >= 0 && procs > 0;
}

/* ---- one request ----------------------------------------------------------------------------- */

/* How a request is made: as the one before it, if the quota allows; else, if it is not to be a new
 * value, one of the user's own. `other`: not as the one before even where no quota allows any. */
struct manner {
    bool again, other, novel;
};

/* One draw decides two things, by 32 bits each. */
static bool happens(uint64_t bits, double probability)
{
    return loom_half_uniform((uint32_t)bits) < probability;
}

static size_t own_place(struct loom_request_job job, const struct own *own)
{
    return loom_request_place(job, own->value);
}

/* Make value i the last that was asked for. */
static void bring_forward(struct user *user, size_t i)
{
    struct own last = user->own[0];
    user->own[0] = user->own[i];
    user->own[i] = last;
}

/* Return which of the user's own values, except the last, has the most left; 0 if none has any. */
static size_t find_own_with_most_left(const struct loom_quota *quota, const struct user *user,
                                      struct loom_request_job job)
{
    size_t best = 0;
    double most = 0;
    for (size_t i = 1; i < user->values; i++) {
        double left = loom_quota_left(quota, own_place(job, &user->own[i]));
        if (left > most) {
            best = i;
            most = left;
        }
    }
    return best;
}

/* Draw a value by the shares, other than the last one. After so many draws that the quota does not
 * allow, take the place that has the most left, of all places or of all but one. */
static struct loom_request_value draw_new(const struct applier *applier, const struct user *user,
                                          struct loom_request_job job, size_t but)
{
    enum { MOST_TRIES = 8 };
    const struct loom_request_sampler *sampler = applier->sampler;
    const struct loom_quota *quota = loom_quotas_row(&applier->quotas, job.row);
    for (int i = 0; i < MOST_TRIES; i++) {
        size_t place = loom_request_draw_place(sampler, job, applier->stream);
        if (!loom_quota_allows(quota, place))
            continue;
        struct loom_request_value value =
            loom_request_draw_value(sampler, job, place, applier->stream);
        if (value.s != user->own[0].value.s)
            return value;
        loom_request_put_back(sampler, value);
    }
    return loom_request_draw_value(sampler, job, loom_quota_most_left(quota, but), applier->stream);
}

/* Return the index of a value among the user's own, or `otherwise`. */
static size_t find_own(const struct user *user, int64_t value_s, size_t otherwise)
{
    for (size_t i = user->values; i-- > 0;)
        if (user->own[i].value.s == value_s)
            return i;
    return otherwise;
}

/* Make a new value the last one, in place of another of the user's own if it is not one of them
 * already. A tail value that is not used up is put back: what is left of it is as much as a new one
 * has. */
static void take_up(const struct applier *applier, struct user *user,
                    struct loom_request_value value, size_t instead)
{
    size_t i = find_own(user, value.s, instead);
    struct own *own = &user->own[i];
    user->values += i == user->values;
    if (own->turns > 0)
        loom_request_put_back(applier->sampler, own->value);
    *own =
        (struct own){value, loom_request_draw_turns(applier->sampler, value.tail, applier->stream)};
    bring_forward(user, i);
}

/* Come back to one of the user's own values; if it is used up, take another of the same place, but
 * not the last. */
static void come_back(const struct applier *applier, struct user *user, struct loom_request_job job,
                      size_t i)
{
    struct own *own = &user->own[i];
    if (own->turns > 0) {
        own->turns--;
        bring_forward(user, i);
        return;
    }
    struct loom_request_value value =
        loom_request_draw_value(applier->sampler, job, own_place(job, own), applier->stream);
    if (value.s != user->own[0].value.s) {
        take_up(applier, user, value, i);
    } else {
        loom_request_put_back(applier->sampler, value);
        bring_forward(user, i);
    }
}

/* Have the user ask for a value, which is the first of the user's own then. Returns its place. */
static size_t user_ask(const struct applier *applier, struct user *user,
                       struct loom_request_job job, struct manner manner)
{
    const struct loom_quota *quota = loom_quotas_row(&applier->quotas, job.row);
    size_t last = own_place(job, &user->own[0]);
    if (manner.again && loom_quota_allows(quota, last))
        return last;
    size_t own = manner.novel ? 0 : find_own_with_most_left(quota, user, job);
    if (own > 0) {
        come_back(applier, user, job, own);
    } else {
        struct loom_request_value value =
            draw_new(applier, user, job, manner.other ? last : ANY_PLACE);
        bool room = user->values < VALUES;
        take_up(applier, user, value,
                room ? user->values : loom_stream_below(applier->stream, VALUES));
    }
    return own_place(job, &user->own[0]);
}

/* ---- bundles --------------------------------------------------------------------------------- */

/* Make one request for the jobs of a bundle from first until end, the longest of which is given. A
 * request that is not enough for it counts for the jobs that exceed it, as in fitting. */
static void ask_once(const struct applier *applier, struct user *user, int64_t first, int64_t end,
                     int64_t longest_s, struct manner manner)
{
    struct loom_draft *draft = applier->draft;
    struct loom_request_job longest = loom_request_job(applier->sampler, user->procs, longest_s);
    size_t place = user_ask(applier, user, longest, manner), counted = 0;
    bool enough = loom_request_enough(longest, place);
    int64_t asked_s = user->own[0].value.s;
    for (int64_t job = first, next; job != end; job = next) {
        next = applier->next[job];
        counted += enough || draft->run_s[job] > asked_s;
        draft->request_s[job] = can_ask(draft->run_s[job], draft->procs[job]) ? asked_s : -1;
    }
    loom_quota_charge(loom_quotas_row(&applier->quotas, longest.row), place, (double)counted);
}

/* Make several requests for one bundle, each other than the one before. */
static void ask_for_parts(const struct applier *applier, struct user *user, struct manner manner)
{
    const int64_t *run_s = applier->draft->run_s;
    uint64_t until_change = 1 + loom_stream_below(applier->stream, user->n - 1);
    int64_t first = user->first, longest_s = run_s[first];
    for (int64_t job = applier->next[first]; job != NO_JOB; job = applier->next[job]) {
        uint64_t bits = loom_draw_u64(applier->stream);
        if (--until_change == 0 || !happens(bits >> 32, applier->model->keep_in_bundle)) {
            ask_once(applier, user, first, job, longest_s, manner);
            manner =
                (struct manner){.other = true, .novel = happens(bits, applier->model->novelty)};
            first = job;
            longest_s = run_s[job];
        }
        longest_s = run_s[job] > longest_s ? run_s[job] : longest_s;
    }
    ask_once(applier, user, first, NO_JOB, longest_s, manner);
}

static void close_bundle(const struct applier *applier, struct user *user)
{
    const struct loom_request_model *model = applier->model;
    bool same = user->procs == user->procs_before;
    uint64_t bits = loom_draw_u64(applier->stream);
    bool again =
        user->values > 0 && happens(bits >> 32, same ? model->keep_same : model->keep_other);
    struct manner manner = {.again = again, .novel = happens(bits, model->novelty)};
    if (user->n > 1 && loom_draw_uniform(applier->stream) >= model->whole_bundles)
        ask_for_parts(applier, user, manner);
    else
        ask_once(applier, user, user->first, NO_JOB, user->longest_s, manner);
    user->procs_before = user->procs;
    user->n = 0;
}

static void take_job(const struct applier *applier, struct user *user, uint32_t job)
{
    const struct loom_draft *draft = applier->draft;
    if (user->n > 0 && !loom_requests_follow(&applier->requests, user->last, job))
        close_bundle(applier, user);
    bool begins = user->n++ == 0;
    if (begins) {
        user->first = job;
        user->procs = draft->procs[job];
    } else {
        applier->next[user->last] = job;
    }
    if (begins || draft->run_s[job] > user->longest_s)
        user->longest_s = draft->run_s[job];
    applier->next[job] = NO_JOB;
    user->last = job;
}

/* ---- all jobs -------------------------------------------------------------------------------- */

/* A job without a user has a request of its own. */
static void ask_alone(const struct applier *applier, size_t job)
{
    struct loom_draft *draft = applier->draft;
    if (!can_ask(draft->run_s[job], draft->procs[job]))
        return;
    struct loom_request_job request =
        loom_request_job(applier->sampler, draft->procs[job], draft->run_s[job]);
    size_t place = loom_request_draw_place(applier->sampler, request, applier->stream);
    draft->request_s[job] =
        loom_request_draw_value(applier->sampler, request, place, applier->stream).s;
}

/* Find a user, or add one that is new. NULL when memory is out. */
static struct user *find_user(struct applier *applier, int32_t id)
{
    uint32_t i = loom_map_intern(&applier->ids, (uint32_t)id);
    if (i == LOOM_MAP_NONE || loom_grow(&applier->users, i, &applier->capacity))
        return NULL;
    if (i == applier->n)
        applier->users[applier->n++] = (struct user){0};
    return &applier->users[i];
}

static int ask_for_all(struct applier *applier, struct loom_error *err)
{
    const struct loom_draft *draft = applier->draft;
    for (size_t job = 0; job < draft->n; job++) {
        if (!draft->user || draft->user[job] < 0) {
            ask_alone(applier, job);
            continue;
        }
        struct user *user = find_user(applier, draft->user[job]);
        if (!user)
            return loom_fail_memory(err);
        take_job(applier, user, (uint32_t)job);
    }
    for (size_t i = 0; i < applier->n; i++)
        close_bundle(applier, &applier->users[i]);
    return 0;
}

static int apply(const struct loom_request_sampler *sampler, struct loom_generation *generation,
                 struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, "estimates");
    struct applier applier = {.sampler = sampler,
                              .model = sampler->model,
                              .draft = draft,
                              .stream = &stream,
                              .quotas = loom_quotas_create(sampler->model, &stream),
                              .next = draft->request_s};
    applier.requests = (struct loom_requests){.n = draft->n,
                                              .submit_s = draft->submit_s,
                                              .procs = draft->procs,
                                              .group = draft->group,
                                              .executable = draft->executable,
                                              .queue = draft->queue};
    int rc = applier.quotas.rows ? ask_for_all(&applier, err) : loom_fail_memory(err);
    free(applier.quotas.rows);
    free(applier.users);
    loom_map_free(&applier.ids);
    return rc;
}

int loom_request_model_apply(const struct loom_request_model *model,
                             struct loom_generation *generation, struct loom_error *err)
{
    struct loom_request_sampler sampler;
    int rc = loom_draft_sort(&generation->draft, err);
    if (!rc)
        rc = loom_draft_detail(&generation->draft, LOOM_DETAIL_REQUEST, err);
    if (rc)
        return rc;
    rc = loom_request_sampler_init(&sampler, model, generation, err);
    if (!rc)
        rc = apply(&sampler, generation, err);
    loom_request_sampler_free(&sampler);
    return rc;
}
