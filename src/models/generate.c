/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generate a trace from a model: requests the right number of jobs, sorts them, adds requested
 * times and writes the header. load.c finds the arrival rate for a load.
 */
#include "base/error.h"
#include "models/requests/change.h"
#include "models/room.h"
#include "trace/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_S = 86400, MONDAY_S = 4 * DAY_S, MOST_DAYS = 1000 * 1000 * 1000 };

/* ---- what is asked --------------------------------------------------------------------------- */

static int check_without(const struct loom_model *model, unsigned without, struct loom_error *err)
{
    unsigned lacking = without & ~loom_model_traits(model);
    for (size_t i = 0; i < LOOM_TRAITS; i++)
        if (lacking >> i & 1 && model->ops->bound[i])
            return loom_fail(err, LOOM_EUSAGE, "%s cannot do without %s alone: %s",
                             model->ops->info.name, loom_trait_name(i), model->ops->bound[i]);
        else if (lacking >> i & 1)
            return loom_fail(err, LOOM_EUSAGE, "%s has no %s that could be left out",
                             model->ops->info.name, loom_trait_name(i));
    return 0;
}

static int fail_range(const char *field, const char *allowed, double value, struct loom_error *err)
{
    return loom_fail_field(err, LOOM_ERANGE, field, "%s must be %s, not %.17g", field, allowed,
                           value);
}

/* Check and complete the number of jobs, the duration and the machine. */
static int check_amounts(const struct loom_generate_options *options, struct loom_error *err)
{
    if (options->jobs < 0 || options->jobs > UINT32_MAX)
        return fail_range("jobs", "between 0 and 4294967295", (double)options->jobs, err);
    if (!(options->days >= 0 && options->days <= MOST_DAYS))
        return fail_range("days", "between 0 and 1e9", options->days, err);
    if (options->procs < 0 || options->procs > INT32_MAX)
        return fail_range("procs", "between 0 and 2147483647", (double)options->procs, err);
    return 0;
}

static int model_check_options(const struct loom_model *model,
                               const struct loom_generate_options *options, struct loom_error *err)
{
    int rc = check_amounts(options, err);
    if (rc)
        return rc;
    if (!(options->load >= 0 && options->load <= 1))
        return loom_fail_field(err, LOOM_ERANGE, "load",
                               "load must be between 0 and 1, not %g: above 1 the queue grows "
                               "without end; to go beyond, change the load of a trace",
                               options->load);
    if (options->load > 0 && model->ops->info.arrivals_only)
        return loom_fail(err, LOOM_EUSAGE,
                         "%s makes arrivals only, which are no load; use it as the arrivals of a "
                         "model that makes runtimes",
                         model->ops->info.name);
    if ((options->notes & LOOM_NOTE_SPEEDUP) && !model->ops->info.moldable)
        return loom_fail_field(err, LOOM_EUSAGE, "notes",
                               "jobs of %s have no speedup to note; downey97 has moldable jobs",
                               model->ops->info.name);
    return check_without(model, options->without, err);
}

static struct loom_generation generation_for(const struct loom_model *model,
                                             const struct loom_generate_options *options)
{
    struct loom_generation generation = {
        .seed = options->seed,
        .replication = options->replication,
        .jobs = SIZE_MAX,
        .horizon_s = INT64_MAX,
        .procs = (int32_t)(options->procs ? options->procs : model->procs),
        .log_procs = (int32_t)model->procs,
        .rate = 1,
        .without = options->without,
        .notes = options->notes,
        .week_phase_s = model->week_phase_s,
    };
    if (options->days > 0)
        generation.horizon_s = llrint(options->days * DAY_S);
    if (options->jobs > 0 || !(options->days > 0))
        generation.jobs =
            (size_t)(options->jobs > 0 ? options->jobs : loom_model_log_facts(model).jobs);
    return generation;
}

/* ---- from draft to trace --------------------------------------------------------------------- */

/* Move a column to the trace; NULL fills the trace's column with -1. */
static void take_int64s(struct loom_trace *trace, enum loom_column column, int64_t **from)
{
    static const int64_t unknown = -1;
    if (!from || !*from) {
        loom_trace_set_column(trace, column, &unknown);
        return;
    }
    loom_trace_take_column(trace, column, *from);
    *from = NULL;
}

static void take_int32s(struct loom_trace *trace, enum loom_column column, int32_t **from)
{
    static const int32_t unknown = -1;
    if (!from || !*from) {
        loom_trace_set_column(trace, column, &unknown);
        return;
    }
    loom_trace_take_column(trace, column, *from);
    *from = NULL;
}

static void take_nothing(struct loom_trace *trace, enum loom_column column)
{
    static const double unknown = -1;
    loom_trace_set_column(trace, column, &unknown);
}

static void model_take_columns(struct loom_trace *trace, struct loom_draft *draft)
{
    take_int64s(trace, LOOM_COLUMN_submit_s, &draft->submit_s);
    take_int64s(trace, LOOM_COLUMN_wait_s, NULL);
    take_int64s(trace, LOOM_COLUMN_run_s, &draft->run_s);
    take_nothing(trace, LOOM_COLUMN_cpu_s);
    take_nothing(trace, LOOM_COLUMN_used_mem_kib);
    take_int32s(trace, LOOM_COLUMN_req_procs, &draft->procs);
    take_int64s(trace, LOOM_COLUMN_request_s, &draft->request_s);
    take_nothing(trace, LOOM_COLUMN_req_mem_kib);
    take_int32s(trace, LOOM_COLUMN_user, &draft->user);
    take_int32s(trace, LOOM_COLUMN_group, &draft->group);
    take_int32s(trace, LOOM_COLUMN_executable, &draft->executable);
    take_int32s(trace, LOOM_COLUMN_queue, &draft->queue);
    take_int32s(trace, LOOM_COLUMN_partition, NULL);
    take_int64s(trace, LOOM_COLUMN_preceding, NULL);
    take_int64s(trace, LOOM_COLUMN_think_s, NULL);
}

/* Set the status if the model has none: a job that ran is completed. Usually that is all jobs or
 * none. */
static void complete_all(struct loom_trace *trace, size_t n)
{
    struct loom_columns *columns = &trace->columns;
    size_t ran = 0;
    for (size_t i = 0; i < n; i++)
        ran += columns->run_s[i] >= 0;
    int32_t status = ran > 0 ? LOOM_STATUS_COMPLETED : -1;
    loom_trace_set_column(trace, LOOM_COLUMN_status, &status);
    for (size_t i = 0; i < n && ran > 0 && ran < n; i++)
        columns->status[i] = columns->run_s[i] >= 0 ? LOOM_STATUS_COMPLETED : -1;
}

static int fill_status(struct loom_trace *trace, const struct loom_model *model,
                       const struct loom_generation *generation, size_t n, struct loom_error *err)
{
    static const int32_t unknown = -1;
    if (model->status.classes == 0) {
        complete_all(trace, n);
        return 0;
    }
    loom_trace_set_column(trace, LOOM_COLUMN_status, &unknown);
    return loom_status_model_apply(&model->status, trace->columns.status, trace->columns.run_s, n,
                                   generation, err);
}

/* Set preceding job and think time (SWF fields 17 and 18): a run follows the previous run of its
 * executable and is submitted at its end, or later if times were stretched. Executables count from
 * 1. */
static int fill_preceding(struct loom_trace *trace, size_t n, struct loom_error *err)
{
    struct loom_columns *columns = &trace->columns;
    int32_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = columns->executable[i] > most ? columns->executable[i] : most;
    uint32_t *last = calloc((size_t)most + 1, sizeof *last);
    if (!last)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        int32_t executable = columns->executable[i];
        uint32_t before = executable > 0 ? last[executable] : 0;
        if (before > 0) {
            int64_t end_s = columns->submit_s[before - 1] + columns->run_s[before - 1];
            int64_t think_s = columns->submit_s[i] - end_s;
            columns->preceding[i] = before;
            columns->think_s[i] = think_s > 0 ? think_s : 0;
        }
        if (executable > 0)
            last[executable] = (uint32_t)(i + 1);
    }
    free(last);
    return 0;
}

/* Fill the columns derived from others. */
static void fill_columns(struct loom_trace *trace, size_t n)
{
    struct loom_columns *columns = &trace->columns;
    memcpy(columns->alloc_procs, columns->req_procs, n * sizeof *columns->alloc_procs);
    for (size_t i = 0; i < n; i++)
        columns->number[i] = (int64_t)i + 1;
}

int loom_generation_settle(struct loom_generation *generation, struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    if (draft->n > UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "more than %" PRIu32 " jobs are more than a trace can hold", UINT32_MAX);
    int rc = loom_draft_sort(draft, err);
    if (rc)
        return rc;
    draft->n = draft->n < generation->jobs ? draft->n : generation->jobs;
    while (draft->n > 0 && draft->submit_s[draft->n - 1] >= generation->horizon_s)
        draft->n--;
    return 0;
}

static int model_take_jobs(struct loom_trace *trace, const struct loom_model *model,
                           struct loom_generation *generation, struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    if (draft->n == 0)
        return 0;
    int rc = loom_trace_reserve(trace, draft->n, err);
    if (rc)
        return rc;
    size_t n = draft->n;
    trace->view.n = n;
    model_take_columns(trace, draft);
    fill_columns(trace, n);
    int filled = fill_status(trace, model, generation, n, err);
    return filled || !draft->reruns ? filled : fill_preceding(trace, n, err);
}

/* ---- requested times ------------------------------------------------------------------------- */

static int scale_requests(struct loom_generation *generation,
                          const struct loom_generate_options *options, struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_request_change change = {.how = options->requests,
                                         .factor = options->request_factor,
                                         .seed = generation->seed,
                                         .replication = generation->replication};
    int rc = loom_draft_detail(draft, LOOM_DETAIL_REQUEST, err);
    if (!rc)
        loom_requests_scale(draft->request_s, draft->run_s, NULL, draft->n, &change);
    return rc;
}

/* Draw requested times like the log's users, unless the model has its own. */
static int modal_requests(const struct loom_model *model, struct loom_generation *generation,
                          struct loom_error *err)
{
    int rc = model->has_requests ? loom_request_model_apply(&model->requests, generation, err) : 0;
    if (!rc && model->has_requests)
        loom_request_known_apply(&model->requests, generation);
    return rc;
}

static int set_requests(const struct loom_model *model, struct loom_generation *generation,
                        const struct loom_generate_options *options, struct loom_error *err)
{
    switch (options->requests) {
    case LOOM_REQUESTS_NONE:
        free(generation->draft.request_s);
        generation->draft.request_s = NULL;
        return 0;
    case LOOM_REQUESTS_EXACT:
    case LOOM_REQUESTS_FACTOR:
    case LOOM_REQUESTS_UNIFORM:
        return scale_requests(generation, options, err);
    case LOOM_REQUESTS_REQUESTED:
    case LOOM_REQUESTS_MODEL:
    case LOOM_REQUESTS_MODAL:
        return modal_requests(model, generation, err);
    }
    return 0;
}

static int check_requests(const struct loom_model *model,
                          const struct loom_generate_options *options, struct loom_error *err)
{
    enum loom_request_rule rule = options->requests;
    const struct loom_model_info *info = &model->ops->info;
    double least = rule == LOOM_REQUESTS_FACTOR ? 1 : 0;
    bool factor = rule == LOOM_REQUESTS_FACTOR || rule == LOOM_REQUESTS_UNIFORM;
    if (factor && !(options->request_factor >= least && isfinite(options->request_factor)))
        return fail_range("request_factor", least > 0 ? "at least 1" : "at least 0",
                          options->request_factor, err);
    int rc = loom_estimates_check(rule, options->request_factor, LOOM_REQUESTS_OF_MODEL, err);
    if (rc)
        return rc;
    if (info->arrivals_only && rule != LOOM_REQUESTS_MODEL && rule != LOOM_REQUESTS_NONE)
        return loom_fail(err, LOOM_EUSAGE,
                         "%s makes arrivals only, without runtimes to ask for; use it as the "
                         "arrivals of a model that makes runtimes",
                         info->name);
    if (rule != LOOM_REQUESTS_MODAL || model->has_requests || info->requests)
        return 0;
    return loom_fail(err, LOOM_EUSAGE,
                     "%s does not know what users ask for; fit a model to a log with requested "
                     "times, or have them exact, f:FACTOR or uniform:F",
                     info->name);
}

/* ---- the header ------------------------------------------------------------------------------ */

static int add_generate_number(struct loom_trace *trace, const char *key, int64_t number,
                               struct loom_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    return loom_trace_add_directive(trace, key, text, err);
}

static int model_write_header(struct loom_trace *trace, const struct loom_model *model,
                              const struct loom_generation *generation, struct loom_error *err)
{
    char computer[96];
    const char *variant = loom_model_variant(model);
    snprintf(computer, sizeof computer, "synthetic, by the %s%s%s model", model->ops->info.name,
             variant ? ":variant=" : "", variant ? variant : "");
    int64_t jobs = (int64_t)loom_trace_count(trace);
    int rc = loom_trace_add_directive(trace, "Version", "2.2", err);
    if (!rc)
        rc = loom_trace_add_directive(trace, "Computer", computer, err);
    if (!rc)
        rc = add_generate_number(trace, "MaxJobs", jobs, err);
    if (!rc)
        rc = add_generate_number(trace, "MaxRecords", jobs, err);
    if (!rc)
        rc = add_generate_number(trace, "UnixStartTime", MONDAY_S + generation->week_phase_s, err);
    if (!rc)
        rc = loom_trace_add_directive(trace, "TimeZoneString", "UTC", err);
    if (!rc)
        rc = add_generate_number(trace, "MaxProcs", generation->procs, err);
    return rc;
}

/* Note the speedup of each job; jobs count from 1 in the order of the draft. */
static int note_speedups(struct loom_trace *trace, const struct loom_draft *draft,
                         struct loom_error *err)
{
    char text[96];
    int rc = 0;
    for (size_t i = 0; i < draft->n && draft->parallelism_millionths && !rc; i++) {
        snprintf(text, sizeof text, "job %zu parallelism %.6f sigma %.6f", i + 1,
                 (double)draft->parallelism_millionths[i] * 1e-6,
                 (double)draft->sigma_millionths[i] * 1e-6);
        rc = loom_trace_add_directive(trace, "Note", text, err);
    }
    return rc;
}

static int model_make_jobs(const struct loom_model *model, struct loom_generation *generation,
                           double load, struct loom_error *err)
{
    if (load > 0)
        return loom_generate_at_load(generation, model, load, err);
    int rc = model->ops->generate(model->state, generation, err);
    return rc ? rc : loom_generation_settle(generation, err);
}

int loom_model_generate(struct loom_trace **out, const struct loom_model *model,
                        const struct loom_generate_options *options, struct loom_pool *pool,
                        struct loom_error *err)
{
    if (!model || !options)
        return loom_fail_null(err, model ? "options" : "model");
    int rc = model_check_options(model, options, err);
    if (!rc)
        rc = check_requests(model, options, err);
    if (rc)
        return rc;
    struct loom_generation generation = generation_for(model, options);
    struct loom_trace *trace = NULL;
    generation.pool = pool;
    rc = model_make_jobs(model, &generation, options->load, err);
    if (!rc)
        rc = set_requests(model, &generation, options, err);
    if (!rc)
        rc = loom_trace_create(&trace, err);
    if (!rc)
        rc = model_take_jobs(trace, model, &generation, err);
    if (!rc)
        rc = model_write_header(trace, model, &generation, err);
    if (!rc)
        rc = note_speedups(trace, &generation.draft, err);
    loom_draft_free(&generation.draft);
    if (rc) {
        loom_trace_destroy(trace);
        return rc;
    }
    *out = trace;
    return 0;
}
