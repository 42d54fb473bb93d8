/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times: its document, and its application to woven jobs. What the
 * parts mean is said in estimates.h; estimates_fit.c finds them in a log.
 *
 * The quantile of one uniform number gives both the place and, in a segment, the value: equal
 * numbers give equal requests in a class, and a larger number never a smaller request. Where a
 * segment has no value on the wanted side of the run time, the next head on that side is taken; a
 * job longer than anything that was ever asked for gets its run time, up to the next whole hour.
 */
#include "models/estimates.h"

#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>

enum { BUNDLE_GAP_S = LOOM_BAG_DELTA_S, HOUR_S = 3600 };
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
    return jobs->submit_s[b] - jobs->submit_s[a] <= BUNDLE_GAP_S && same(jobs->procs, a, b) &&
           same(jobs->group, a, b) && same(jobs->executable, a, b) && same(jobs->queue, a, b);
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
    loom_codec_int64s(codec, "heads_s", &model->head_s, &model->heads, 1, MAX_HEADS, 1, INT64_MAX);
    loom_codec_int64s(codec, "tail_s", &model->tail_s, &model->tails, 0, MAX_TAILS, 1, INT64_MAX);
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
    loom_codec_real(codec, "keep_bundle", &model->keep_bundle, 0, 1);
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

/* A tail value in [low_s, high_s] by its popularity, at quantile u; -1 if there is none. */
static int64_t draw_tail(const struct urn *urn, int64_t low_s, int64_t high_s, double u)
{
    const struct loom_estimate_model *model = urn->model;
    size_t from = count_below(model->tail_s, model->tails, low_s);
    size_t to = count_below(model->tail_s, model->tails, high_s + 1);
    if (from >= to || urn->tails[to] <= urn->tails[from])
        return -1;
    double mark = urn->tails[from] + u * (urn->tails[to] - urn->tails[from]);
    return model->tail_s[from + first_above(urn->tails + from + 1, to - from, mark)];
}

static int64_t head_at(const struct loom_estimate_model *model, size_t index)
{
    return index < model->heads ? model->head_s[index] : -1;
}

/* What to ask for where the wanted segment has no value: the head above or, failing that, below. */
static int64_t beside_segment(const struct loom_estimate_model *model, size_t segment,
                              int64_t run_s)
{
    int64_t above = head_at(model, segment);
    if (above > 0)
        return above;
    int64_t below = model->head_s[model->heads - 1];
    return below >= run_s ? below : (run_s + HOUR_S - 1) / HOUR_S * HOUR_S;
}

static int64_t draw_segment(const struct urn *urn, size_t segment, bool own, bool enough,
                            int64_t run_s, double u)
{
    const struct loom_estimate_model *model = urn->model;
    int64_t low_s = segment > 0 ? model->head_s[segment - 1] + 1 : 1;
    int64_t high_s = segment < model->heads ? model->head_s[segment] - 1 : INT64_MAX - 1;
    if (own && enough)
        low_s = run_s > low_s ? run_s : low_s;
    else if (own)
        high_s = run_s - 1;
    int64_t value_s = draw_tail(urn, low_s, high_s, u);
    if (value_s > 0)
        return value_s;
    return own && !enough && segment > 0 ? model->head_s[segment - 1]
                                         : beside_segment(model, segment, run_s);
}

/* The requested time at quantile u of jobs like this. */
static int64_t draw(const struct urn *urn, int32_t procs, int64_t run_s, double u)
{
    const struct loom_estimate_model *model = urn->model;
    size_t places = loom_estimates_places(model);
    size_t run = loom_estimates_run_class(model, run_s);
    size_t row = loom_estimates_size_class(model, procs) * (model->heads + 1) + run;
    const double *sums = urn->shares + row * places;
    size_t place = first_above(sums, places, u);
    bool enough = place > 2 * run;
    bool own = place == 2 * run || place == 2 * run + 1;
    size_t slot = enough ? place - 1 : place;
    if (slot % 2 == 1)
        return model->head_s[slot / 2];
    double below = place > 0 ? sums[place - 1] : 0;
    double width = sums[place] - below;
    return draw_segment(urn, slot / 2, own, enough, run_s, width > 0 ? (u - below) / width : 0);
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

static void ask_alone(const struct urn *urn, struct loom_weave *weave, struct loom_stream *stream)
{
    struct loom_draft *draft = &weave->draft;
    for (size_t i = 0; i < draft->n; i++)
        if (can_ask(draft, i) && (!draft->user || draft->user[i] < 0))
            draft->estimate_s[i] = draw(urn, log_size(urn->model, weave, draft->procs[i]),
                                        draft->run_s[i], loom_stream_uniform(stream));
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

/* Where the bundle ends that starts at `first`; broken: the next job could have gone on with it. */
static size_t end_of_bundle(const struct asker *asker, size_t first, int64_t *longest_s,
                            bool *broken)
{
    const int64_t *run_s = asker->weave->draft.run_s;
    const uint32_t *jobs = asker->jobs;
    size_t next = first + 1;
    *longest_s = run_s[jobs[first]];
    *broken = false;
    for (; next < asker->n; next++) {
        if (!loom_requests_follow(&asker->requests, jobs[next - 1], jobs[next]))
            return next;
        *broken = loom_stream_uniform(asker->stream) >= asker->urn->model->keep_bundle;
        if (*broken)
            return next;
        *longest_s = run_s[jobs[next]] > *longest_s ? run_s[jobs[next]] : *longest_s;
    }
    return next;
}

static double chance_to_keep(const struct asker *asker, size_t first)
{
    const int32_t *procs = asker->weave->draft.procs;
    bool alike = procs[asker->jobs[first]] == procs[asker->jobs[first - 1]];
    return alike ? asker->urn->model->keep_same : asker->urn->model->keep_other;
}

static void ask_as_user(const struct asker *asker)
{
    struct loom_draft *draft = &asker->weave->draft;
    const uint32_t *jobs = asker->jobs;
    double u = 0;
    bool fresh = true;
    for (size_t first = 0, next; first < asker->n; first = next) {
        if (fresh || loom_stream_uniform(asker->stream) >= chance_to_keep(asker, first))
            u = loom_stream_uniform(asker->stream);
        int64_t longest_s;
        next = end_of_bundle(asker, first, &longest_s, &fresh);
        int32_t procs = log_size(asker->urn->model, asker->weave, draft->procs[jobs[first]]);
        for (size_t i = first; i < next; i++)
            if (can_ask(draft, jobs[i]))
                draft->estimate_s[jobs[i]] = draw(asker->urn, procs, longest_s, u);
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
