/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From numbers of jobs to shares of requested times (request_model.h). Few jobs say little, so the
 * shares of a size class lean on the shares of all sizes (by 20 jobs' worth), and these on how
 * popular the values that are enough are in the whole log (by one job's worth). Documents hold the
 * numbers, which are short, and what follows from them is made again.
 */
#include "models/requests/request_model.h"

#include <stdlib.h>
#include <string.h>

/* How many jobs the more general distribution counts for. */
static const double LEAN_ON_ALL_SIZES = 20, LEAN_ON_ALL_RUNS = 1;

/* out = (counts + lean * general) / (their sum): general adds up to 1. */
static void blend(double *out, const double *counts, const double *general, double lean, size_t n)
{
    double sum = lean;
    for (size_t i = 0; i < n; i++)
        sum += counts[i];
    for (size_t i = 0; i < n; i++)
        out[i] = (counts[i] + lean * general[i]) / sum;
}

/* How many jobs asked for each head and segment, whatever side of their runtime that was. */
static void count_slots(double *out, const struct loom_request_model *model, int64_t *const *jobs)
{
    size_t runs = model->heads + 1, places = loom_request_model_places(model);
    memset(out, 0, places * sizeof *out);
    for (size_t row = 0; row < model->sizes * runs; row++)
        for (size_t place = 0; jobs[row] && place < places; place++)
            out[place > 2 * (row % runs) ? place - 1 : place] += (double)jobs[row][place];
}

/* How popular values are that are enough for every job of a class of runtime: the heads and
 * segments above it. Where there are none, jobs ask for enough in their own segment. */
static void popular_enough(double *out, const struct loom_request_model *model, const double *slots,
                           size_t run)
{
    size_t places = loom_request_model_places(model);
    double sum = 0;
    memset(out, 0, places * sizeof *out);
    for (size_t slot = 2 * run + 1; slot + 1 < places; slot++)
        sum += out[slot + 1] = slots[slot];
    for (size_t i = 0; i < places && sum > 0; i++)
        out[i] /= sum;
    if (sum <= 0)
        out[2 * run + 1] = 1;
}

/* Rows of numbers of jobs, where there are none zeros. */
static int make_rows(double ***out, const struct loom_request_model *model, int64_t *const *jobs)
{
    size_t rows = model->sizes * (model->heads + 1), places = loom_request_model_places(model);
    double **made = *out ? *out : calloc(rows, sizeof *made);
    *out = made;
    for (size_t row = 0; made && row < rows; row++) {
        made[row] = made[row] ? made[row] : malloc(places * sizeof **made);
        if (!made[row])
            return -1;
        for (size_t i = 0; i < places; i++)
            made[row][i] = jobs[row] ? (double)jobs[row][i] : 0;
    }
    return made ? 0 : -1;
}

static void settle_run(double **shares, const struct loom_request_model *model, const double *slots,
                       double *general, double *all_sizes, size_t run)
{
    size_t places = loom_request_model_places(model), runs = model->heads + 1;
    memset(all_sizes, 0, places * sizeof *all_sizes);
    for (size_t size = 0; size < model->sizes; size++)
        for (size_t i = 0; i < places; i++)
            all_sizes[i] += shares[size * runs + run][i];
    popular_enough(general, model, slots, run);
    blend(all_sizes, all_sizes, general, LEAN_ON_ALL_RUNS, places);
    for (size_t size = 0; size < model->sizes; size++) {
        double *row = shares[size * runs + run];
        blend(row, row, all_sizes, LEAN_ON_ALL_SIZES, places);
    }
}

static int shares_settle(double ***out, const struct loom_request_model *model,
                         int64_t *const *jobs)
{
    size_t places = loom_request_model_places(model);
    double *scratch = calloc(3 * places, sizeof *scratch);
    int rc = scratch ? make_rows(out, model, jobs) : -1;
    if (!rc)
        count_slots(scratch, model, jobs);
    for (size_t run = 0; run <= model->heads && !rc; run++)
        settle_run(*out, model, scratch, scratch + places, scratch + 2 * places, run);
    free(scratch);
    return rc;
}

int loom_request_model_settle(struct loom_request_model *model, struct loom_error *err)
{
    int rc = shares_settle(&model->shares, model, model->jobs);
    if (!rc)
        rc = shares_settle(&model->offers, model, model->offered);
    return rc ? loom_fail_memory(err) : 0;
}
