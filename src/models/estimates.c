/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times: its document, and its application to woven jobs. What the
 * parts mean is said in estimates.h; estimates_fit.c finds them in a log.
 *
 * Asking for the same again is a maximal coupling: the value asked for before, which had share p in
 * its class and has share q in the new one, is kept with probability min(1, q / p); else a value is
 * drawn from what is left of the new shares where they exceed the old ones. So values stay the same
 * as often as two distributions allow, and each class keeps its shares exactly.
 *
 * Where a segment has no value on the wanted side of the run time, the next head on that side is
 * taken; a job longer than anything that was ever asked for gets its run time, up to the next whole
 * hour.
 */
#include "models/estimates.h"
#include "base/civil.h"

#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>

enum { BUNDLE_GAP_S = LOOM_BAG_DELTA_S, HOUR_S = 3600 };
#define MAX_TIME_S (INT64_MAX / 2)
enum { MAX_HEADS = 1000, MAX_TAILS = 100000, MAX_SIZES = 64 };

/* ---- classes and places ---------------------------------------------------------------------- */

/* How many of the ascending values are below x. */
static size_t count_below(const int64_t *values, size_t n, int64_t x)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        bool below = values[low + half] < x;
        low += below ? half + 1 : 0;
        n = below ? n - half - 1 : half;
    }
    return low;
}

size_t loom_estimates_places(const struct loom_estimate_model *model)
{
    return 2 * model->heads + 2;
}

size_t loom_estimates_size_class(const struct loom_estimate_model *model, int32_t procs)
{
    size_t class = model->sizes - 1;
    while (class > 0 && model->size_from[class] > procs)
        class --;
    return class;
}

size_t loom_estimates_run_class(const struct loom_estimate_model *model, int64_t run_s)
{
    return count_below(model->head_s, model->heads, run_s);
}

size_t loom_estimates_place(const struct loom_estimate_model *model, int64_t run_s,
                            int64_t estimate_s)
{
    size_t own = 2 * loom_estimates_run_class(model, run_s);
    size_t head = count_below(model->head_s, model->heads, estimate_s);
    size_t place = 2 * head + (head < model->heads && model->head_s[head] == estimate_s);
    return place > own || (place == own && estimate_s >= run_s) ? place + 1 : place;
}

static bool same(const int32_t *column, uint32_t a, uint32_t b)
{
    return !column || column[a] == column[b];
}

bool loom_requests_follow(const struct loom_requests *jobs, uint32_t a, uint32_t b)
{
    int64_t latest_s = loom_saturated_add(jobs->submit_s[a], BUNDLE_GAP_S);
    return jobs->submit_s[b] <= latest_s && same(jobs->procs, a, b) && same(jobs->group, a, b) &&
           same(jobs->executable, a, b) && same(jobs->queue, a, b);
}

/* ---- the document ---------------------------------------------------------------------------- */

static bool ascending(const int64_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (values[i] <= values[i - 1])
            return false;
    return true;
}

/* Shares that add up to nothing cannot be drawn from. */
static bool has_weight(const double *shares, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += shares[i];
    return sum > 0;
}

static void describe_values(struct loom_estimate_model *model, struct loom_codec *codec)
{
    loom_codec_int64s(codec, "heads_s", &model->head_s, &model->heads, 1, MAX_HEADS, 1, MAX_TIME_S);
    loom_codec_int64s(codec, "tail_s", &model->tail_s, &model->tails, 0, MAX_TAILS, 1, MAX_TIME_S);
    size_t n = model->tails;
    loom_codec_reals(codec, "tail_weights", &model->tail_weights, &n, model->tails, model->tails, 0,
                     1e15);
    if (loom_codec_failed(codec))
        return;
    if (!ascending(model->head_s, model->heads))
        loom_codec_refuse(codec, "heads_s", "must be in ascending order");
    else if (!ascending(model->tail_s, model->tails))
        loom_codec_refuse(codec, "tail_s", "must be in ascending order");
}

static void describe_size(struct loom_estimate_model *model, size_t size, struct loom_codec *codec)
{
    size_t runs = model->heads + 1;
    int64_t from = model->size_from[size];
    loom_codec_int(codec, "from_procs", &from, 1, INT32_MAX);
    model->size_from[size] = (int32_t)from;
    if (!loom_codec_failed(codec) && (size == 0 ? from != 1 : from <= model->size_from[size - 1]))
        loom_codec_refuse(codec, "from_procs", "must be 1 in the first class and rise from there");
    loom_codec_list(codec, "run_classes", &runs, runs, runs);
    for (size_t run = 0; run < runs && !loom_codec_failed(codec); run++) {
        double **row = &model->shares[size * runs + run];
        size_t places = loom_estimates_places(model);
        loom_codec_item(codec, run);
        loom_codec_reals(codec, "shares", row, &places, places, places, 0, 1);
        if (!loom_codec_failed(codec) && !has_weight(*row, places))
            loom_codec_refuse(codec, "shares", "must not all be 0");
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
}

void loom_estimates_describe(void *state, struct loom_codec *codec)
{
    struct loom_estimate_model *model = state;
    loom_codec_int(codec, "procs", &model->procs, 1, INT32_MAX);
    loom_codec_real(codec, "whole_bundles", &model->whole_bundles, 0, 1);
    loom_codec_real(codec, "keep_in_bundle", &model->keep_in_bundle, 0, 1);
    loom_codec_real(codec, "keep_same_size", &model->keep_same, 0, 1);
    loom_codec_real(codec, "keep_other_size", &model->keep_other, 0, 1);
    describe_values(model, codec);
    loom_codec_list(codec, "size_classes", &model->sizes, 1, MAX_SIZES);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        model->size_from = calloc(model->sizes, sizeof *model->size_from);
        model->shares = calloc(model->sizes * (model->heads + 1), sizeof *model->shares);
        if (!model->size_from || !model->shares)
            loom_codec_refuse(codec, "size_classes", "is too long for the memory there is");
    }
    for (size_t size = 0; size < model->sizes && !loom_codec_failed(codec); size++) {
        loom_codec_item(codec, size);
        describe_size(model, size, codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
}

void loom_estimates_clear(struct loom_estimate_model *model)
{
    for (size_t i = 0; model->shares && i < model->sizes * (model->heads + 1); i++)
        free(model->shares[i]);
    free(model->shares);
    free(model->size_from);
    free(model->head_s);
    free(model->tail_s);
    free(model->tail_weights);
    *model = (struct loom_estimate_model){0};
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* The model, with what makes drawing quick: running sums of shares and of tail weights. */
struct urn {
    const struct loom_estimate_model *model;
    double *shares; /* all rows, summed up and scaled to end at 1 */
    double *tails;  /* tails + 1 */
};

static void sum_up(double *out, const double *weights, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = sum += weights[i];
    for (size_t i = 0; i < n; i++)
        out[i] /= sum;
}

static int open_urn(struct urn *urn, const struct loom_estimate_model *model,
                    struct loom_error *err)
{
    size_t places = loom_estimates_places(model), rows = model->sizes * (model->heads + 1);
    *urn = (struct urn){.model = model};
    urn->shares = malloc(rows * places * sizeof *urn->shares);
    urn->tails = calloc(model->tails + 1, sizeof *urn->tails);
    if (!urn->shares || !urn->tails)
        return loom_fail_memory(err);
    for (size_t row = 0; row < rows; row++)
        sum_up(urn->shares + row * places, model->shares[row], places);
    for (size_t i = 0; i < model->tails; i++)
        urn->tails[i + 1] = urn->tails[i] + model->tail_weights[i];
    return 0;
}

static void close_urn(struct urn *urn)
{
    free(urn->shares);
    free(urn->tails);
}

/* The first of n ascending sums that is above u; the last if none is. */
static size_t first_above(const double *sums, size_t n, double u)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Tail values by their places: from .. to - 1. */
struct range {
    size_t from, to;
};

/* The values of a segment; of the one the run time lies in, only those on the right side of it. */
static struct range range_of(const struct loom_estimate_model *model, size_t segment, bool own,
                             bool enough, int64_t run_s)
{
    int64_t low_s = segment > 0 ? model->head_s[segment - 1] + 1 : 1;
    int64_t high_s = segment < model->heads ? model->head_s[segment] : INT64_MAX;
    if (own && enough && run_s > low_s)
        low_s = run_s;
    if (own && !enough)
        high_s = run_s;
    return (struct range){count_below(model->tail_s, model->tails, low_s),
                          count_below(model->tail_s, model->tails, high_s)};
}

static double weight_of(const struct urn *urn, struct range range)
{
    return range.to > range.from ? urn->tails[range.to] - urn->tails[range.from] : 0;
}

/* The tail value at quantile u of a range, by popularity; -1 if there is none. */
static int64_t draw_tail(const struct urn *urn, struct range range, double u)
{
    double weight = weight_of(urn, range);
    if (!(weight > 0))
        return -1;
    size_t place = first_above(urn->tails + range.from + 1, range.to - range.from,
                               urn->tails[range.from] + u * weight);
    return urn->model->tail_s[range.from + place];
}

/* The share of a value among those of its range; 0 if it is none of them. */
static double tail_share(const struct urn *urn, struct range range, int64_t value_s)
{
    size_t place = count_below(urn->model->tail_s, urn->model->tails, value_s);
    bool there = place >= range.from && place < range.to && urn->model->tail_s[place] == value_s;
    return there ? urn->model->tail_weights[place] / weight_of(urn, range) : 0;
}

/* What to ask for where the wanted range of a segment is empty. */
static int64_t beside(const struct loom_estimate_model *model, size_t segment, bool enough,
                      int64_t run_s)
{
    if (!enough && segment > 0)
        return model->head_s[segment - 1];
    if (segment < model->heads)
        return model->head_s[segment];
    return (run_s + HOUR_S - 1) / HOUR_S * HOUR_S;
}

/* A job, as far as its request depends on it. */
struct shape {
    int32_t procs;
    int64_t run_s;
};

static const double *sums_of(const struct urn *urn, struct shape shape)
{
    const struct loom_estimate_model *model = urn->model;
    size_t row = loom_estimates_size_class(model, shape.procs) * (model->heads + 1) +
                 loom_estimates_run_class(model, shape.run_s);
    return urn->shares + row * loom_estimates_places(model);
}

/* The request at quantile u of jobs like this. */
static int64_t draw(const struct urn *urn, struct shape shape, double u)
{
    const double *sums = sums_of(urn, shape);
    size_t run = loom_estimates_run_class(urn->model, shape.run_s);
    size_t place = first_above(sums, loom_estimates_places(urn->model), u);
    bool enough = place > 2 * run;
    size_t slot = enough ? place - 1 : place;
    if (slot % 2 == 1)
        return urn->model->head_s[slot / 2];
    double below = place > 0 ? sums[place - 1] : 0, width = sums[place] - below;
    struct range range = range_of(urn->model, slot / 2, slot == 2 * run, enough, shape.run_s);
    int64_t value_s = draw_tail(urn, range, width > 0 ? (u - below) / width : 0);
    return value_s > 0 ? value_s : beside(urn->model, slot / 2, enough, shape.run_s);
}

/* The probability that draw() gives this value, those it falls back on aside. */
static double share_of(const struct urn *urn, struct shape shape, int64_t value_s)
{
    const struct loom_estimate_model *model = urn->model;
    const double *sums = sums_of(urn, shape);
    size_t run = loom_estimates_run_class(model, shape.run_s);
    size_t place = loom_estimates_place(model, shape.run_s, value_s);
    bool enough = place > 2 * run;
    size_t slot = enough ? place - 1 : place;
    double share = sums[place] - (place > 0 ? sums[place - 1] : 0);
    return slot % 2 == 1
               ? share
               : share * tail_share(urn,
                                    range_of(model, slot / 2, slot == 2 * run, enough, shape.run_s),
                                    value_s);
}

/* ---- asking again ---------------------------------------------------------------------------- */

enum { MOST_TRIES = 64 };

/* What was asked for, and for what. */
struct request {
    struct shape shape;
    int64_t estimate_s;
};

static int64_t ask_again(const struct urn *urn, const struct request *before, struct shape shape,
                         struct loom_stream *stream)
{
    double old = share_of(urn, before->shape, before->estimate_s);
    double new = share_of(urn, shape, before->estimate_s);
    if (old > 0 && loom_stream_uniform(stream) * old < new)
        return before->estimate_s;
    int64_t value_s = draw(urn, shape, loom_stream_uniform(stream));
    for (int i = 0; old > 0 && i < MOST_TRIES; i++) {
        new = share_of(urn, shape, value_s);
        if (loom_stream_uniform(stream) * new >= share_of(urn, before->shape, value_s))
            break;
        value_s = draw(urn, shape, loom_stream_uniform(stream));
    }
    return value_s;
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

static struct shape shape_of(const struct urn *urn, const struct loom_weave *weave, size_t job)
{
    return (struct shape){log_size(urn->model, weave, weave->draft.procs[job]),
                          weave->draft.run_s[job]};
}

static void ask_alone(const struct urn *urn, struct loom_weave *weave, struct loom_stream *stream)
{
    struct loom_draft *draft = &weave->draft;
    for (size_t i = 0; i < draft->n; i++)
        if (can_ask(draft, i) && (!draft->user || draft->user[i] < 0))
            draft->estimate_s[i] = draw(urn, shape_of(urn, weave, i), loom_stream_uniform(stream));
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

static int64_t ask(const struct asker *asker, const struct request *before, struct shape shape,
                   enum manner manner)
{
    if (manner == AGAIN)
        return ask_again(asker->urn, before, shape, asker->stream);
    int64_t value_s = draw(asker->urn, shape, loom_stream_uniform(asker->stream));
    for (int i = 0; manner == CHANGED && value_s == before->estimate_s && i < MOST_TRIES; i++)
        value_s = draw(asker->urn, shape, loom_stream_uniform(asker->stream));
    return value_s;
}

/* One request for the jobs first .. next - 1, enough for the longest of them or not. */
static void ask_once(const struct asker *asker, struct request *request, size_t first, size_t next,
                     enum manner manner)
{
    struct loom_draft *draft = &asker->weave->draft;
    struct shape shape = shape_of(asker->urn, asker->weave, asker->jobs[first]);
    for (size_t i = first + 1; i < next; i++)
        if (draft->run_s[asker->jobs[i]] > shape.run_s)
            shape.run_s = draft->run_s[asker->jobs[i]];
    *request = (struct request){shape, ask(asker, request, shape, manner)};
    for (size_t i = first; i < next; i++)
        if (can_ask(draft, asker->jobs[i]))
            draft->estimate_s[asker->jobs[i]] = request->estimate_s;
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
