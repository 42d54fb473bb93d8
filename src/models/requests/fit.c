/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fitting the modal model of requested times (request_model.h) to a log.
 *
 * Heads are the twenty most popular values, tails the two thousand after them. Size classes are
 * ranges between powers of two, joined from below until each has at least one job in twenty. The
 * shares of a class count its jobs, each at the place of its request beside the longest
 * runtime of its bundle.
 *
 * whole_bundles is the share of bundles of several jobs in which all ask for the same. The others
 * have at least one change; keep_in_bundle is the share of all their other neighbours that agree.
 * What users keep from one bundle to the next, and what they are offered, is found out by trying:
 * requests/tune.c.
 */
#include "base/compare.h"
#include "base/hash.h"
#include "base/sort.h"
#include "models/requests/bundles.h"
#include "models/size_classes.h"

#include <workloom/users.h>

#include <stdlib.h>
#include <string.h>

enum { HEADS = 20, TAILS = 2000, LEAST_JOBS = 50, LEAST_SHARE = 20 };

/* ---- the jobs -------------------------------------------------------------------------------- */

static int take_sample(struct loom_request_log *out, const struct loom_training *log,
                       struct loom_error *err)
{
    const struct loom_workload *jobs = log->jobs;
    *out =
        (struct loom_request_log){.jobs = {jobs->n, jobs->submit_s, jobs->run_s, jobs->procs,
                                           jobs->user, jobs->group, jobs->executable, jobs->queue},
                                  .request_s = jobs->request_s};
    out->known = malloc(jobs->n * sizeof *out->known);
    if (!out->known)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->request_s[i] > 0 && jobs->run_s[i] >= 0 && jobs->procs[i] > 0)
            out->known[out->n++] = (uint32_t)i;
    if (out->n < LEAST_JOBS)
        return loom_fail(err, LOOM_EDATA,
                         "modal estimates need at least %d jobs with a requested time, "
                         "a runtime and a size; the log has %zu",
                         LEAST_JOBS, out->n);
    struct loom_activity activity = {jobs->n, jobs->user, jobs->submit_s, jobs->wait_s,
                                     jobs->run_s};
    return loom_users_create(&out->users, &activity, err);
}

static void free_sample(struct loom_request_log *sample)
{
    free(sample->known);
    loom_users_destroy(sample->users);
}

/* ---- values ---------------------------------------------------------------------------------- */

struct value {
    int64_t value_s;
    size_t count;
};

static int request_fit_by_value(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return LOOM_COMPARE(x->value_s, y->value_s);
}

static int by_falling_count(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    uint64_t p = loom_hash(&x->value_s, sizeof x->value_s),
             q = loom_hash(&y->value_s, sizeof y->value_s);
    return p == q ? request_fit_by_value(x, y) : p < q ? -1 : 1;
}

/* The different requested times with their counts, most popular first. Of values that are equally
 * popular, some may have no room: which, goes by their hashes, so that those that are left lie as
 * all of them do. */
static int count_values(struct value **out, size_t *n, const struct loom_request_log *sample,
                        struct loom_error *err)
{
    int64_t *sorted = malloc(sample->n * sizeof *sorted);
    struct value *values = malloc(sample->n * sizeof *values);
    if (!sorted || !values) {
        free(sorted);
        free(values);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < sample->n; i++)
        sorted[i] = sample->request_s[sample->known[i]];
    loom_sort_int64(sorted, sample->n);
    *n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1])
            values[(*n)++] = (struct value){sorted[i], 0};
        values[*n - 1].count++;
    }
    qsort(values, *n, sizeof *values, by_falling_count);
    free(sorted);
    *out = values;
    return 0;
}

static int take_values(struct loom_request_model *model, struct value *values, size_t n,
                       struct loom_error *err)
{
    model->heads = n < HEADS ? n : HEADS;
    model->tails = n - model->heads < TAILS ? n - model->heads : TAILS;
    model->head_s = malloc(model->heads * sizeof *model->head_s);
    model->tail_s = malloc((model->tails + 1) * sizeof *model->tail_s);
    model->tail_weights = malloc((model->tails + 1) * sizeof *model->tail_weights);
    model->tail_users = malloc((model->tails + 1) * sizeof *model->tail_users);
    model->tail_turns = malloc((model->tails + 1) * sizeof *model->tail_turns);
    if (!model->head_s || !model->tail_s || !model->tail_weights || !model->tail_users ||
        !model->tail_turns)
        return loom_fail_memory(err);
    struct value *tail = values + model->heads;
    qsort(values, model->heads, sizeof *values, request_fit_by_value);
    qsort(tail, model->tails, sizeof *tail, request_fit_by_value);
    for (size_t i = 0; i < model->heads; i++)
        model->head_s[i] = values[i].value_s;
    for (size_t i = 0; i < model->tails; i++) {
        model->tail_s[i] = tail[i].value_s;
        model->tail_weights[i] = model->tail_users[i] = (double)tail[i].count;
        model->tail_turns[i] = 1;
    }
    return 0;
}

static int fit_values(struct loom_request_model *model, const struct loom_request_log *sample,
                      struct loom_error *err)
{
    struct value *values = NULL;
    size_t n = 0;
    int rc = count_values(&values, &n, sample, err);
    if (rc)
        return rc;
    rc = take_values(model, values, n, err);
    free(values);
    return rc;
}

/* ---- size classes ---------------------------------------------------------------------------- */

static int fit_sizes(struct loom_request_model *model, const struct loom_request_log *sample,
                     struct loom_error *err)
{
    model->size_from = malloc(LOOM_SIZE_CLASSES * sizeof *model->size_from);
    if (!model->size_from)
        return loom_fail_memory(err);
    size_t least = (sample->n + LEAST_SHARE - 1) / LEAST_SHARE;
    model->sizes =
        loom_size_classes(model->size_from, sample->jobs.procs, sample->known, sample->n, least);
    return 0;
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* The rows of all classes that have jobs. */
static int take_rows(int64_t **rows, const double *jobs, size_t n, size_t places)
{
    for (size_t row = 0; row < n; row++, jobs += places) {
        double sum = 0;
        for (size_t i = 0; i < places; i++)
            sum += jobs[i];
        if (!(sum > 0))
            continue;
        rows[row] = malloc(places * sizeof **rows);
        if (!rows[row])
            return -1;
        for (size_t i = 0; i < places; i++)
            rows[row][i] = (int64_t)jobs[i];
    }
    return 0;
}

/* Users are offered what the log has, until trials give better. */
static int count_jobs(struct loom_request_model *model, const struct loom_bundles *bundles,
                      struct loom_error *err)
{
    size_t rows = model->sizes * (model->heads + 1), places = loom_request_model_places(model);
    double *jobs = malloc(rows * places * sizeof *jobs);
    model->jobs = calloc(rows, sizeof *model->jobs);
    model->offered = calloc(rows, sizeof *model->offered);
    bool room = jobs && model->jobs && model->offered;
    if (room) {
        loom_bundles_count(jobs, bundles, model);
        room = !take_rows(model->jobs, jobs, rows, places) &&
               !take_rows(model->offered, jobs, rows, places);
    }
    free(jobs);
    return room ? 0 : loom_fail_memory(err);
}

static int fit_shares(struct loom_request_model *model, const struct loom_bundles *bundles,
                      struct loom_error *err)
{
    int rc = count_jobs(model, bundles, err);
    return rc ? rc : loom_request_model_settle(model, err);
}

static void fit_bundles(struct loom_request_model *model, const struct loom_bundles *bundles)
{
    model->whole_bundles = bundles->several ? (double)bundles->whole / (double)bundles->several : 1;
    model->keep_in_bundle = bundles->pairs ? (double)bundles->kept / (double)bundles->pairs : 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int fit_sample(struct loom_request_model *model, const struct loom_request_log *sample,
                      struct loom_error *err)
{
    struct loom_bundles bundles = {0};
    int rc = fit_values(model, sample, err);
    if (!rc)
        rc = fit_sizes(model, sample, err);
    if (!rc)
        rc = loom_bundles_find(&bundles, sample, err);
    if (!rc)
        rc = fit_shares(model, &bundles, err);
    if (!rc)
        fit_bundles(model, &bundles);
    free(bundles.items);
    return rc;
}

int loom_request_model_fit(struct loom_request_model *out, const struct loom_training *log,
                           struct loom_error *err)
{
    struct loom_request_log sample;
    *out = (struct loom_request_model){.procs = log->procs, .novelty = 1};
    int rc = take_sample(&sample, log, err);
    if (!rc)
        rc = fit_sample(out, &sample, err);
    if (!rc)
        rc = loom_request_model_tune(out, log, &sample, err);
    free_sample(&sample);
    if (!rc)
        loom_request_known_fit(out, log->jobs);
    if (rc)
        loom_request_model_clear(out);
    return rc;
}
