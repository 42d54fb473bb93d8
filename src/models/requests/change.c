/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other requested times for the jobs of a trace: exact, scaled runtimes (the f-model of Mu'alem and
 * Feitelson 2001), or draws from the modal model (requests/request_model.h) fitted to the trace
 * itself.
 *
 * A job whose runtime is unknown keeps its request, known or not: nothing can be derived for it.
 * For modal, so does a job whose size or submit time is unknown.
 */
#include "models/requests/change.h"
#include "base/error.h"

#include "base/draw.h"
#include "models/requests/request_model.h"
#include "trace/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from runtimes --------------------------------------------------------------------------- */

void loom_requests_scale(int64_t *request_s, const int64_t *run_s, const uint32_t *rows, size_t n,
                         const struct loom_request_change *change)
{
    struct loom_stream stream;
    bool uniform = change->how == LOOM_REQUESTS_UNIFORM;
    double times = change->how == LOOM_REQUESTS_FACTOR ? change->factor : 1;
    loom_stream_init(&stream, change->seed, change->replication, "uniform estimates");
    for (size_t i = 0; i < n; i++) {
        size_t row = rows ? rows[i] : i;
        if (uniform)
            times = 1 + change->factor * loom_draw_uniform(&stream);
        if (run_s[row] >= 0)
            request_s[row] = loom_whole_seconds((double)run_s[row] * times, 1);
    }
}

static int scale(int64_t *request_s, const struct loom_trace *trace,
                 const struct loom_request_change *change, struct loom_error *err)
{
    uint32_t *rows = NULL;
    int rc = loom_trace_order(&rows, trace, err);
    if (!rc)
        loom_requests_scale(request_s, loom_trace_jobs(trace)->run_s, rows, loom_trace_count(trace),
                            change);
    free(rows);
    return rc;
}

/* ---- modal ----------------------------------------------------------------------------------- */

static int machine_procs(int32_t *out, const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_machine_size size;
    int rc = loom_trace_machine_size(&size, trace, err);
    int64_t widest = loom_trace_max_procs(trace), procs = size.procs > widest ? size.procs : widest;
    *out = procs < 1 ? 1 : procs < INT32_MAX ? (int32_t)procs : INT32_MAX;
    return rc;
}

/* Fit the model to the jobs and put what it draws for them into request_s, in their order. */
static int fit_and_draw(int64_t *request_s, const struct loom_workload *jobs, int32_t procs,
                        const struct loom_request_change *change, struct loom_pool *pool,
                        struct loom_error *err)
{
    struct loom_request_model model = {0};
    struct loom_training log = {.jobs = jobs, .procs = procs, .pool = pool};
    struct loom_generation generation = {.seed = change->seed,
                                         .replication = change->replication,
                                         .procs = procs,
                                         .log_procs = procs,
                                         .pool = pool};
    int rc = loom_request_model_fit(&model, &log, err);
    if (rc)
        return rc;
    rc = loom_requests_draft(&generation.draft, jobs, err);
    if (!rc)
        rc = loom_request_model_apply(&model, &generation, err);
    if (!rc)
        memcpy(request_s, generation.draft.request_s, jobs->n * sizeof *request_s);
    loom_draft_free(&generation.draft);
    loom_request_model_clear(&model);
    return rc;
}

/* Leave out the jobs submitted before the log's start, which come first. Returns how many. */
static size_t skip_early(struct loom_workload *jobs)
{
    size_t n = 0;
    while (n < jobs->n && jobs->submit_s[n] < 0)
        n++;
    if (n == 0)
        return 0;
    jobs->n -= n;
    jobs->submit_s += n;
    jobs->run_s += n;
    jobs->wait_s += n;
    jobs->request_s += n;
    jobs->procs += n;
    jobs->user += n;
    jobs->group += n;
    jobs->executable += n;
    jobs->queue += n;
    return n;
}

/* Put the draws, in order of submission from the job at `first` on, into the rows of the jobs that
 * have one. */
static int request_change_place(int64_t *request_s, const int64_t *drawn_s, size_t first,
                                const struct loom_trace *trace, struct loom_error *err)
{
    uint32_t *rows = NULL;
    size_t n = 0;
    int rc = loom_trace_arrivals(&rows, &n, trace, err);
    for (size_t i = first; i < n && !rc; i++)
        if (drawn_s[i - first] > 0)
            request_s[rows[i]] = drawn_s[i - first];
    free(rows);
    return rc;
}

static int draw_modal(int64_t *request_s, const struct loom_trace *trace,
                      const struct loom_request_change *change, struct loom_pool *pool,
                      struct loom_error *err)
{
    struct loom_arranged arranged = {0};
    int32_t procs;
    int rc = machine_procs(&procs, trace, err);
    if (!rc)
        rc = loom_arrange(&arranged, trace, err);
    if (rc)
        return rc;
    size_t first = skip_early(&arranged.jobs);
    int64_t *drawn_s = malloc((arranged.jobs.n + 1) * sizeof *drawn_s);
    rc = drawn_s ? fit_and_draw(drawn_s, &arranged.jobs, procs, change, pool, err)
                 : loom_fail_memory(err);
    if (!rc)
        rc = request_change_place(request_s, drawn_s, first, trace, err);
    free(drawn_s);
    loom_arranged_free(&arranged);
    return rc;
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* Write the new requests to the trace and count those that differ. */
static int store(struct loom_trace *trace, const int64_t *request_s, int64_t *changed,
                 struct loom_error *err)
{
    int rc = loom_trace_own(trace, LOOM_COLUMN_request_s, err);
    int64_t *column = trace->columns.request_s;
    for (size_t i = 0; i < loom_trace_count(trace) && !rc; i++) {
        *changed += column[i] != request_s[i];
        column[i] = request_s[i];
    }
    return rc;
}

static int request_note(struct loom_trace *trace, const struct loom_request_change *change,
                        struct loom_error *err)
{
    char text[160], how[LOOM_REQUEST_RULE_TEXT], draw[64] = "";
    loom_request_rule_text(how, sizeof how, change->how, change->factor);
    if (loom_request_rule_random(change->how))
        snprintf(draw, sizeof draw, " (seed %" PRIu64 ", replication %" PRIu64 ")", change->seed,
                 change->replication);
    snprintf(text, sizeof text, "requested times set to %s%s: %" PRId64 " of %zu jobs changed", how,
             draw, change->changed, loom_trace_count(trace));
    return loom_trace_add_directive(trace, "Note", text, err);
}

int loom_trace_change_requests(struct loom_trace *trace, struct loom_request_change *change,
                               struct loom_pool *pool, struct loom_error *err)
{
    if (!trace || !change)
        return loom_fail_null(err, trace ? "change" : "trace");
    size_t size = loom_trace_count(trace) * sizeof(int64_t);
    change->changed = 0;
    int rc = loom_estimates_check(change->how, change->factor, LOOM_REQUESTS_OF_TRACE, err);
    if (rc || change->how == LOOM_REQUESTS_REQUESTED)
        return rc;
    int64_t *request_s = malloc(size + 1);
    if (!request_s)
        return loom_fail_memory(err);
    if (size > 0)
        memcpy(request_s, loom_trace_jobs(trace)->request_s, size);
    rc = change->how == LOOM_REQUESTS_MODAL ? draw_modal(request_s, trace, change, pool, err)
                                            : scale(request_s, trace, change, err);
    if (!rc)
        rc = store(trace, request_s, &change->changed, err);
    if (!rc)
        rc = request_note(trace, change, err);
    free(request_s);
    return rc;
}
