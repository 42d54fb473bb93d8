/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times: its classes and its document. What the parts mean is said in
 * request_model.h; requests/fit.c finds them in a log, and requests/apply.c has jobs ask by them.
 */
#include "models/requests/request_model.h"
#include "base/search.h"

#include <stdlib.h>

#define MAX_TIME_S (INT64_MAX / 2)
enum { MAX_HEADS = 1000, MAX_TAILS = 100000, MAX_SIZES = 64 };

/* ---- classes and places ---------------------------------------------------------------------- */

size_t loom_request_model_places(const struct loom_request_model *model)
{
    return 2 * model->heads + 2;
}

size_t loom_request_model_size_class(const struct loom_request_model *model, int32_t procs)
{
    size_t class = 0;
    for (size_t i = 1; i < model->sizes; i++)
        class += model->size_from[i] <= procs;
    return class;
}

size_t loom_request_model_run_class(const struct loom_request_model *model, int64_t run_s)
{
    return loom_lower_bound(model->head_s, model->heads, run_s);
}

size_t loom_request_model_place(const struct loom_request_model *model, int64_t run_s,
                                int64_t request_s)
{
    size_t own = 2 * loom_request_model_run_class(model, run_s);
    size_t head = loom_lower_bound(model->head_s, model->heads, request_s);
    size_t place = 2 * head + (head < model->heads && model->head_s[head] == request_s);
    return place > own || (place == own && request_s >= run_s) ? place + 1 : place;
}

/* ---- the document ---------------------------------------------------------------------------- */

static bool ascending(const int64_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (values[i] <= values[i - 1])
            return false;
    return true;
}

static void describe_values(struct loom_request_model *model, struct loom_codec *codec)
{
    loom_codec_int64s(codec, "heads_s", &model->head_s, &model->heads, 1, MAX_HEADS, 1, MAX_TIME_S);
    loom_codec_int64s(codec, "tail_s", &model->tail_s, &model->tails, 0, MAX_TAILS, 1, MAX_TIME_S);
    size_t n = model->tails;
    loom_codec_reals(codec, "tail_weights", &model->tail_weights, &n, model->tails, model->tails, 0,
                     1e15);
    loom_codec_reals(codec, "tail_users", &model->tail_users, &n, model->tails, model->tails, 0,
                     1e15);
    loom_codec_reals(codec, "tail_turns", &model->tail_turns, &n, model->tails, model->tails, 1,
                     1e15);
    if (loom_codec_failed(codec))
        return;
    if (!ascending(model->head_s, model->heads))
        loom_codec_refuse(codec, "heads_s", "must be in ascending order");
    else if (!ascending(model->tail_s, model->tails))
        loom_codec_refuse(codec, "tail_s", "must be in ascending order");
}

/* Numbers of jobs by place; nothing at all stands for a class without jobs. */
static void describe_row(const struct loom_request_model *model, const char *key, int64_t **row,
                         struct loom_codec *codec)
{
    size_t places = loom_request_model_places(model), n = *row ? places : 0;
    loom_codec_int64s(codec, key, row, &n, 0, places, 0, INT64_C(1) << 53);
    if (!loom_codec_reading(codec) || loom_codec_failed(codec))
        return;
    if (n > 0 && n < places)
        loom_codec_refuse(codec, key, "has %zu values, and must have %zu or none", n, places);
    if (n == 0) {
        free(*row);
        *row = NULL;
    }
}

static void describe_size(struct loom_request_model *model, size_t size, struct loom_codec *codec)
{
    size_t runs = model->heads + 1;
    int64_t from = model->size_from[size];
    loom_codec_int(codec, "from_procs", &from, 1, INT32_MAX);
    model->size_from[size] = (int32_t)from;
    if (!loom_codec_failed(codec) && (size == 0 ? from != 1 : from <= model->size_from[size - 1]))
        loom_codec_refuse(codec, "from_procs", "must be 1 in the first class and rise from there");
    loom_codec_list(codec, "run_classes", &runs, runs, runs);
    for (size_t run = 0; run < runs && !loom_codec_failed(codec); run++) {
        loom_codec_item(codec, run);
        describe_row(model, "jobs", &model->jobs[size * runs + run], codec);
        describe_row(model, "offered", &model->offered[size * runs + run], codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
}

void loom_request_model_describe(void *state, struct loom_codec *codec)
{
    struct loom_request_model *model = state;
    bool partly = model->known > 0 && model->known < 1;
    loom_codec_int(codec, "procs", &model->procs, 1, INT32_MAX);
    if (loom_codec_holds(codec, "known", partly)) {
        loom_codec_real(codec, "known", &model->known, 1e-9, 1);
        loom_codec_real(codec, "unknown_stretch", &model->unknown_stretch, 1, 1e15);
    } else {
        model->known = model->unknown_stretch = 1;
    }
    loom_codec_real(codec, "whole_bundles", &model->whole_bundles, 0, 1);
    loom_codec_real(codec, "keep_in_bundle", &model->keep_in_bundle, 0, 1);
    loom_codec_real(codec, "keep_same_size", &model->keep_same, 0, 1);
    loom_codec_real(codec, "keep_other_size", &model->keep_other, 0, 1);
    loom_codec_real(codec, "novelty", &model->novelty, 0, 1);
    describe_values(model, codec);
    loom_codec_list(codec, "size_classes", &model->sizes, 1, MAX_SIZES);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        model->size_from = calloc(model->sizes, sizeof *model->size_from);
        model->jobs = calloc(model->sizes * (model->heads + 1), sizeof *model->jobs);
        model->offered = calloc(model->sizes * (model->heads + 1), sizeof *model->offered);
        if (!model->size_from || !model->jobs || !model->offered)
            loom_codec_refuse(codec, "size_classes", "is too long for the memory there is");
    }
    for (size_t size = 0; size < model->sizes && !loom_codec_failed(codec); size++) {
        loom_codec_item(codec, size);
        describe_size(model, size, codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        loom_request_model_settle(model, NULL))
        loom_codec_refuse(codec, "size_classes", "is too long for the memory there is");
}

void loom_request_model_clear(struct loom_request_model *model)
{
    for (size_t i = 0; i < model->sizes * (model->heads + 1); i++) {
        if (model->shares)
            free(model->shares[i]);
        if (model->offers)
            free(model->offers[i]);
        if (model->jobs)
            free(model->jobs[i]);
        if (model->offered)
            free(model->offered[i]);
    }
    free(model->shares);
    free(model->offers);
    free(model->jobs);
    free(model->offered);
    free(model->size_from);
    free(model->head_s);
    free(model->tail_s);
    free(model->tail_weights);
    free(model->tail_users);
    free(model->tail_turns);
    *model = (struct loom_request_model){0};
}
