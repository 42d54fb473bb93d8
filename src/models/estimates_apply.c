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
 * Jobs are many, so whatever depends on the model alone is looked up and not searched for: which
 * tail values a segment has, and about where in a row of shares a quantile is.
 */
#include "models/estimates.h"

#include <workloom/users.h>

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

enum { GUIDES = 64 };

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
    size_t row, run; /* of the model: shares, and class of run time */
    int64_t run_s;
};

/* What is asked for, and where in the model that is. */
struct value {
    int64_t s;
    size_t slot; /* 2 * segment, or 2 * head + 1 */
    size_t tail; /* if it is one; else NOT_TAIL */
};

#define NOT_TAIL SIZE_MAX

static struct value head_value(const struct loom_estimate_model *model, size_t head)
{
    return (struct value){model->head_s[head], 2 * head + 1, NOT_TAIL};
}

/* A value of its own accord. */
static struct value other_value(const struct loom_estimate_model *model, int64_t value_s)
{
    size_t head = loom_count_below(model->head_s, model->heads, value_s);
    if (head < model->heads && model->head_s[head] == value_s)
        return head_value(model, head);
    size_t tail = loom_count_below(model->tail_s, model->tails, value_s);
    bool there = tail < model->tails && model->tail_s[tail] == value_s;
    return (struct value){value_s, 2 * head, there ? tail : NOT_TAIL};
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
    return (struct value){model->tail_s[tail], slot, tail};
}

/* The probability that draw() gives this value, those it falls back on aside. */
static double share_of(const struct urn *urn, struct shape shape, struct value value)
{
    const double *sums = urn->shares + shape.row * (loom_estimates_places(urn->model) + 1);
    size_t own = 2 * shape.run;
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
    if (old > 0 && loom_stream_uniform(stream) * old < new)
        return before->value;
    struct value value = draw(urn, shape, loom_stream_uniform(stream));
    for (int i = 0; old > 0 && i < MOST_TRIES; i++) {
        new = share_of(urn, shape, value);
        if (loom_stream_uniform(stream) * new >= share_of(urn, before->shape, value))
            break;
        value = draw(urn, shape, loom_stream_uniform(stream));
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
    return (struct shape){size * (model->heads + 1) + run, run, run_s};
}

static void ask_alone(const struct urn *urn, struct loom_weave *weave, struct loom_stream *stream)
{
    struct loom_draft *draft = &weave->draft;
    for (size_t i = 0; i < draft->n; i++)
        if (can_ask(draft, i) && (!draft->user || draft->user[i] < 0)) {
            struct shape shape = shape_of(urn, weave, draft->procs[i], draft->run_s[i]);
            draft->estimate_s[i] = draw(urn, shape, loom_stream_uniform(stream)).s;
        }
}

/* The jobs of one user, in order of submission. */
struct asker {
    const struct urn *urn;
    struct loom_weave *weave;
    struct loom_requests requests;
    struct loom_stream *stream;
    const uint32_t *jobs;
    size_t n;
};

/* Where the bundle ends that starts at `first`. */
static size_t end_of_bundle(const struct asker *asker, size_t first)
{
    size_t next = first + 1;
    while (next < asker->n &&
           loom_requests_follow(&asker->requests, asker->jobs[next - 1], asker->jobs[next]))
        next++;
    return next;
}

static double chance_to_keep(const struct asker *asker, size_t first)
{
    const int32_t *procs = asker->weave->draft.procs;
    bool alike = procs[asker->jobs[first]] == procs[asker->jobs[first - 1]];
    return alike ? asker->urn->model->keep_same : asker->urn->model->keep_other;
}

/* How a request comes from the one before it. */
enum manner { FRESH, AGAIN, CHANGED };

static struct value ask(const struct asker *asker, const struct request *before, struct shape shape,
                        enum manner manner)
{
    if (manner == AGAIN)
        return ask_again(asker->urn, before, shape, asker->stream);
    struct value value = draw(asker->urn, shape, loom_stream_uniform(asker->stream));
    for (int i = 0; manner == CHANGED && value.s == before->value.s && i < MOST_TRIES; i++)
        value = draw(asker->urn, shape, loom_stream_uniform(asker->stream));
    return value;
}

/* One request for the jobs first .. next - 1, enough for the longest of them or not. */
static void ask_once(const struct asker *asker, struct request *request, size_t first, size_t next,
                     enum manner manner)
{
    struct loom_draft *draft = &asker->weave->draft;
    int64_t longest_s = draft->run_s[asker->jobs[first]];
    for (size_t i = first + 1; i < next; i++)
        if (draft->run_s[asker->jobs[i]] > longest_s)
            longest_s = draft->run_s[asker->jobs[i]];
    struct shape shape =
        shape_of(asker->urn, asker->weave, draft->procs[asker->jobs[first]], longest_s);
    *request = (struct request){shape, ask(asker, request, shape, manner)};
    for (size_t i = first; i < next; i++)
        if (can_ask(draft, asker->jobs[i]))
            draft->estimate_s[asker->jobs[i]] = request->value.s;
}

/* The requests of a bundle: one for all, or several. */
static void ask_for_bundle(const struct asker *asker, struct request *request, size_t first,
                           size_t next, enum manner manner)
{
    const struct loom_estimate_model *model = asker->urn->model;
    struct loom_stream *stream = asker->stream;
    if (next - first > 1 && loom_stream_uniform(stream) >= model->whole_bundles) {
        size_t change = first + 1 + (size_t)loom_stream_below(stream, next - first - 1);
        for (size_t i = first + 1; i < next; i++)
            if (i == change || loom_stream_uniform(stream) >= model->keep_in_bundle) {
                ask_once(asker, request, first, i, manner);
                manner = CHANGED;
                first = i;
            }
    }
    ask_once(asker, request, first, next, manner);
}

static void ask_as_user(const struct asker *asker)
{
    struct request request = {0};
    for (size_t first = 0, next; first < asker->n; first = next) {
        next = end_of_bundle(asker, first);
        bool again = first > 0 && loom_stream_uniform(asker->stream) < chance_to_keep(asker, first);
        ask_for_bundle(asker, &request, first, next, again);
    }
}

static int ask_by_user(const struct urn *urn, struct loom_weave *weave, struct loom_stream *stream,
                       struct loom_error *err)
{
    struct loom_draft *draft = &weave->draft;
    /* Only the order of jobs is wanted, for which waits and run times do not matter. */
    struct loom_activity activity = {draft->n, draft->user, draft->submit_s, draft->run_s,
                                     draft->run_s};
    struct loom_users *users;
    int rc = loom_users_create(&users, &activity, err);
    if (rc)
        return rc;
    struct asker asker = {.urn = urn, .weave = weave, .stream = stream};
    asker.requests = (struct loom_requests){.n = draft->n,
                                            .submit_s = draft->submit_s,
                                            .procs = draft->procs,
                                            .group = draft->group,
                                            .executable = draft->executable,
                                            .queue = draft->queue};
    for (size_t i = 0; i < users->count; i++) {
        asker.jobs = users->job + users->first[i];
        asker.n = users->first[i + 1] - users->first[i];
        ask_as_user(&asker);
    }
    loom_users_destroy(users);
    return 0;
}

int loom_estimates_apply(const struct loom_estimate_model *model, struct loom_weave *weave,
                         struct loom_error *err)
{
    struct urn urn;
    struct loom_stream stream;
    loom_weave_stream(&stream, weave, "estimates");
    int rc = loom_draft_detail(&weave->draft, LOOM_DETAIL_ESTIMATE, err);
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
