/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times, applied to woven jobs.
 *
 * Asking for the same again is a maximal coupling: the value asked for before, which had share p in
 * its class and has share q in the new one, is kept with probability min(1, q / p); else a value is
 * drawn from what is left of the new shares where they exceed the old ones. So values stay the same
 * as often as two distributions allow, and each class keeps its shares exactly.
 *
 * Where a segment has no value on the wanted side of the run time, the next head on that side is
 * taken; a job longer than anything that was ever asked for gets its run time, up to the next whole
 * hour.
 *
 * Jobs are gone through in order of submission. A user's request is drawn when the bundle is over,
 * which shows in the user's next job; those still open at the end follow by first appearance.
 *
 * Jobs are many, so whatever depends on the model alone is looked up and not searched for: which
 * tail values a segment has, and about where in a row of shares a quantile is.
 */
#include "base/draw.h"
#include "models/estimates.h"

#include <math.h>
#include <stdlib.h>

enum { HOUR_S = 3600 };

/* ---- the urn --------------------------------------------------------------------------------- */

/* Tail values by their places: from .. to - 1. */
struct range {
    size_t from, to;
};

/* The model, with what makes drawing quick. */
struct urn {
    const struct loom_estimate_model *model;
    double *shares;  /* rows of running sums from 0 to 1: places + 1 */
    uint16_t *guide; /* rows: for quantiles from k / GUIDES, the first place they can be in */
    double *tails;   /* running sums of tail weights: tails + 1 */
    struct range *segments; /* the tail values of each: heads + 1 */
};

enum { GUIDES = 256 };

static void sum_up(double *sums, const double *weights, size_t n)
{
    double sum = 0;
    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sum += weights[i];
    for (size_t i = 1; i <= n; i++)
        sums[i] /= sum;
}

/* The first place from `place` on whose sum is above u; the last if none is. */
static size_t first_above(const double *sums, size_t places, size_t place, double u)
{
    while (place + 1 < places && sums[place + 1] <= u)
        place++;
    return place;
}

static void guide_to(uint16_t *guide, const double *sums, size_t places)
{
    size_t place = 0;
    for (size_t k = 0; k < GUIDES; k++)
        guide[k] = (uint16_t)(place = first_above(sums, places, place, (double)k / GUIDES));
}

/* All values between the two heads. */
static struct range values_of(const struct loom_estimate_model *model, size_t segment)
{
    int64_t low_s = segment > 0 ? model->head_s[segment - 1] + 1 : 1;
    int64_t high_s = segment < model->heads ? model->head_s[segment] : INT64_MAX;
    return (struct range){loom_count_below(model->tail_s, model->tails, low_s),
                          loom_count_below(model->tail_s, model->tails, high_s)};
}

static void fill_urn(struct urn *urn)
{
    const struct loom_estimate_model *model = urn->model;
    size_t places = loom_estimates_places(model), rows = model->sizes * (model->heads + 1);
    for (size_t row = 0; row < rows; row++) {
        double *sums = urn->shares + row * (places + 1);
        sum_up(sums, model->shares[row], places);
        guide_to(urn->guide + row * GUIDES, sums, places);
    }
    for (size_t i = 0; i < model->tails; i++)
        urn->tails[i + 1] = urn->tails[i] + model->tail_weights[i];
    for (size_t segment = 0; segment <= model->heads; segment++)
        urn->segments[segment] = values_of(model, segment);
}

static int open_urn(struct urn *urn, const struct loom_estimate_model *model,
                    struct loom_error *err)
{
    size_t places = loom_estimates_places(model), rows = model->sizes * (model->heads + 1);
    *urn = (struct urn){.model = model};
    urn->shares = malloc(rows * (places + 1) * sizeof *urn->shares);
    urn->guide = malloc(rows * GUIDES * sizeof *urn->guide);
    urn->tails = calloc(model->tails + 1, sizeof *urn->tails);
    urn->segments = malloc((model->heads + 1) * sizeof *urn->segments);
    if (!urn->shares || !urn->guide || !urn->tails || !urn->segments)
        return loom_fail_memory(err);
    fill_urn(urn);
    return 0;
}

static void close_urn(struct urn *urn)
{
    free(urn->shares);
    free(urn->guide);
    free(urn->tails);
    free(urn->segments);
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* A job, as far as its request depends on it. */
struct shape {
    uint32_t row, run; /* of the model: shares, and class of run time */
    int64_t run_s;
};

/* What is asked for, and where in the model that is. */
struct value {
    int64_t s;
    uint32_t slot; /* 2 * segment, or 2 * head + 1 */
    uint32_t tail; /* if it is one; else NOT_TAIL */
};

#define NOT_TAIL UINT32_MAX

static struct value head_value(const struct loom_estimate_model *model, size_t head)
{
    return (struct value){model->head_s[head], 2 * (uint32_t)head + 1, NOT_TAIL};
}

/* A value of its own accord. */
static struct value other_value(const struct loom_estimate_model *model, int64_t value_s)
{
    size_t head = loom_count_below(model->head_s, model->heads, value_s);
    if (head < model->heads && model->head_s[head] == value_s)
        return head_value(model, head);
    size_t tail = loom_count_below(model->tail_s, model->tails, value_s);
    bool there = tail < model->tails && model->tail_s[tail] == value_s;
    return (struct value){value_s, 2 * (uint32_t)head, there ? (uint32_t)tail : NOT_TAIL};
}

/* The values of a segment; of the one the run time lies in, only those on the right side of it. */
static struct range range_of(const struct urn *urn, size_t segment, bool enough, struct shape shape)
{
    struct range range = urn->segments[segment];
    if (segment != shape.run || range.from == range.to)
        return range;
    size_t own = range.from + loom_count_below(urn->model->tail_s + range.from,
                                               range.to - range.from, shape.run_s);
    return enough ? (struct range){own, range.to} : (struct range){range.from, own};
}

static double weight_of(const struct urn *urn, struct range range)
{
    return urn->tails[range.to] - urn->tails[range.from];
}

/* The tail value at quantile u of a range with weight, by popularity. */
static size_t draw_tail(const struct urn *urn, struct range range, double u)
{
    double wanted = urn->tails[range.from] + u * weight_of(urn, range);
    size_t low = range.from, high = range.to - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (urn->tails[middle + 1] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* What to ask for where the wanted range of a segment is empty. */
static struct value beside(const struct loom_estimate_model *model, size_t segment, bool enough,
                           int64_t run_s)
{
    if (!enough && segment > 0)
        return head_value(model, segment - 1);
    if (segment < model->heads)
        return head_value(model, segment);
    return other_value(model, (run_s + HOUR_S - 1) / HOUR_S * HOUR_S);
}

/* The request at quantile u of jobs like this. */
static struct value draw(const struct urn *urn, struct shape shape, double u)
{
    const struct loom_estimate_model *model = urn->model;
    size_t places = loom_estimates_places(model);
    const double *sums = urn->shares + shape.row * (places + 1);
    size_t guess = urn->guide[shape.row * GUIDES + (size_t)(u * GUIDES)];
    size_t place = first_above(sums, places, guess, u);
    bool enough = place > 2 * shape.run;
    size_t slot = place - enough;
    if (slot % 2 == 1)
        return head_value(model, slot / 2);
    struct range range = range_of(urn, slot / 2, enough, shape);
    if (!(weight_of(urn, range) > 0))
        return beside(model, slot / 2, enough, shape.run_s);
    double width = sums[place + 1] - sums[place];
    size_t tail = draw_tail(urn, range, width > 0 ? (u - sums[place]) / width : 0);
    return (struct value){model->tail_s[tail], (uint32_t)slot, (uint32_t)tail};
}

/* The probability that draw() gives this value, those it falls back on aside. */
static inline double share_of(const struct urn *urn, struct shape shape, struct value value)
{
    const double *sums = urn->shares + shape.row * (loom_estimates_places(urn->model) + 1);
    uint32_t own = 2 * shape.run;
    bool enough = value.slot > own || (value.slot == own && value.s >= shape.run_s);
    size_t place = value.slot + enough;
    double share = sums[place + 1] - sums[place];
    if (value.slot % 2 == 1)
        return share;
    struct range range = range_of(urn, value.slot / 2, enough, shape);
    bool there = value.tail >= range.from && value.tail < range.to;
    return there ? share * (urn->model->tail_weights[value.tail] / weight_of(urn, range)) : 0;
}

/* ---- asking again ---------------------------------------------------------------------------- */

enum { MOST_TRIES = 64 };

/* What was asked for, and for what. */
struct request {
    struct shape shape;
    struct value value;
};

static struct value ask_again(const struct urn *urn, const struct request *before,
                              struct shape shape, struct loom_stream *stream)
{
    double old = share_of(urn, before->shape, before->value);
    double new = share_of(urn, shape, before->value);
    if (old > 0 && loom_draw_uniform(stream) * old < new)
        return before->value;
    struct value value = draw(urn, shape, loom_draw_uniform(stream));
    for (int i = 0; old > 0 && i < MOST_TRIES; i++) {
        new = share_of(urn, shape, value);
        if (loom_draw_uniform(stream) * new >= share_of(urn, before->shape, value))
            break;
        value = draw(urn, shape, loom_draw_uniform(stream));
    }
    return value;
}

/* ---- applying -------------------------------------------------------------------------------- */

/* Sizes are compared by their share of the machine. */
static int32_t log_size(const struct loom_estimate_model *model, const struct loom_weave *weave,
                        int32_t procs)
{
    if (procs <= 1 || model->procs == weave->procs)
        return procs;
    double size = round((double)procs * (double)model->procs / (double)weave->procs);
    return size < 2 ? 2 : (int32_t)fmin(size, INT32_MAX);
}

static bool can_ask(const struct loom_draft *draft, size_t job)
{
    return draft->run_s[job] >= 0 && draft->procs[job] > 0;
}

static struct shape shape_of(const struct urn *urn, const struct loom_weave *weave, int32_t procs,
                             int64_t run_s)
{
    const struct loom_estimate_model *model = urn->model;
    size_t size = loom_estimates_size_class(model, log_size(model, weave, procs));
    size_t run = loom_estimates_run_class(model, run_s);
    return (struct shape){(uint32_t)(size * (model->heads + 1) + run), (uint32_t)run, run_s};
}

static void ask_alone(const struct urn *urn, struct loom_weave *weave, struct loom_stream *stream)
{
    struct loom_draft *draft = &weave->draft;
    for (size_t i = 0; i < draft->n; i++)
        if (can_ask(draft, i) && (!draft->user || draft->user[i] < 0)) {
            struct shape shape = shape_of(urn, weave, draft->procs[i], draft->run_s[i]);
            draft->estimate_s[i] = draw(urn, shape, loom_draw_uniform(stream)).s;
        }
}

/* A user, with the bundle that may not be over yet and the last request of those before it. Until a
 * job has its request, the place of that holds the next job of the bundle. */
struct asker {
    int32_t user;
    bool asked;
    int32_t procs; /* of the last bundle, if asked */
    struct request request;
    uint32_t first, last; /* jobs of the open bundle */
    size_t n;
};

#define NO_JOB (-1)

struct office {
    const struct urn *urn;
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

static struct value ask(const struct office *office, const struct request *before,
                        struct shape shape, enum manner manner)
{
    if (manner == AGAIN)
        return ask_again(office->urn, before, shape, office->stream);
    struct value value = draw(office->urn, shape, loom_draw_uniform(office->stream));
    for (int i = 0; manner == CHANGED && value.s == before->value.s && i < MOST_TRIES; i++)
        value = draw(office->urn, shape, loom_draw_uniform(office->stream));
    return value;
}

/* One request for the jobs from first until end, enough for the longest of them or not. */
static void ask_once(const struct office *office, struct request *request, int64_t first,
                     int64_t end, enum manner manner)
{
    struct loom_draft *draft = &office->weave->draft;
    int64_t longest_s = draft->run_s[first];
    for (int64_t job = first; job != end; job = office->next[job])
        if (draft->run_s[job] > longest_s)
            longest_s = draft->run_s[job];
    struct shape shape = shape_of(office->urn, office->weave, draft->procs[first], longest_s);
    *request = (struct request){shape, ask(office, request, shape, manner)};
    for (int64_t job = first, next; job != end; job = next) {
        next = office->next[job];
        draft->estimate_s[job] = can_ask(draft, (size_t)job) ? request->value.s : -1;
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
                ask_once(office, &asker->request, first, job, manner);
                manner = CHANGED;
                first = job;
            }
    }
    ask_once(office, &asker->request, first, NO_JOB, manner);
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

static int ask_by_user(const struct urn *urn, struct loom_weave *weave, struct loom_stream *stream,
                       struct loom_error *err)
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
    struct urn urn;
    struct loom_stream stream;
    loom_weave_stream(&stream, weave, "estimates");
    int rc = loom_draft_sort(&weave->draft, err);
    if (!rc)
        rc = loom_draft_detail(&weave->draft, LOOM_DETAIL_ESTIMATE, err);
    if (rc)
        return rc;
    rc = open_urn(&urn, model, err);
    if (!rc)
        ask_alone(&urn, weave, &stream);
    if (!rc && weave->draft.user)
        rc = ask_by_user(&urn, weave, &stream, err);
    close_urn(&urn);
    return rc;
}
