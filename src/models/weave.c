/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a model to a trace. The model makes jobs; this file asks it for the right number, finds the
 * rate of arrivals that gives the load, puts the jobs in order and writes the header.
 *
 * A load is reached by the rate alone: the model is woven again, from the same random numbers, with
 * its arrivals so many times as dense, until the offered load (work over span times machine) is
 * within half a percent. Cycles stay where they are, since a model changes its rates and not its
 * clock. Where bags depend on the times between jobs, a small change of the rate changes all jobs,
 * and to go on until some rate happens to give the load would be to pick odd workloads. So where
 * there is no cycle to keep, the last few percent are reached by stretching the times.
 */
#include "models/room.h"
#include "trace/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_S = 86400, MONDAY_S = 4 * DAY_S, MOST_TRIES = 96, FEW_TRIES = 8 };
static const double LOAD_TOLERANCE = 0.005;

/* ---- what is asked --------------------------------------------------------------------------- */

static unsigned traits_of(const struct loom_model *model)
{
    return model->ops->traits ? model->ops->traits(model->state) : model->ops->info.traits;
}

static int check_without(const struct loom_model *model, unsigned without, struct loom_error *err)
{
    unsigned lacking = without & ~traits_of(model);
    for (size_t i = 0; i < LOOM_TRAITS; i++)
        if (lacking >> i & 1)
            return loom_fail(err, LOOM_EUSAGE, "%s has no %s that could be left out",
                             model->ops->info.name, loom_trait_name(i));
    return 0;
}

static int check_options(const struct loom_model *model, const struct loom_weave_options *options,
                         struct loom_error *err)
{
    if (options->load < 0 || options->load > 1)
        return loom_fail(err, LOOM_ERANGE,
                         "a load of %g cannot be: above 1 the queue grows without end, so ask for "
                         "one between 0 and 1",
                         options->load);
    if (options->load > 0 && model->ops->info.arrivals_only)
        return loom_fail(err, LOOM_EUSAGE,
                         "%s makes arrivals only, which are no load; use it as the arrivals of a "
                         "model that makes run times",
                         model->ops->info.name);
    return check_without(model, options->without, err);
}

static struct loom_weave ask(const struct loom_model *model,
                             const struct loom_weave_options *options)
{
    struct loom_weave weave = {
        .seed = options->seed,
        .replication = options->replication,
        .jobs = SIZE_MAX,
        .horizon_s = INT64_MAX,
        .procs = (int32_t)(options->procs ? options->procs : model->procs),
        .log_procs = (int32_t)model->procs,
        .rate = 1,
        .without = options->without,
        .week_phase_s = model->week_phase_s,
    };
    if (options->days > 0)
        weave.horizon_s = llrint(options->days * DAY_S);
    if (options->jobs > 0 || !(options->days > 0))
        weave.jobs = (size_t)(options->jobs > 0 ? options->jobs : model->jobs);
    return weave;
}

/* ---- from draft to trace --------------------------------------------------------------------- */

/* The trace takes a column over; without one it is -1 throughout. */
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

static void take_columns(struct loom_trace *trace, struct loom_draft *draft)
{
    take_int64s(trace, LOOM_COLUMN_submit_s, &draft->submit_s);
    take_int64s(trace, LOOM_COLUMN_wait_s, NULL);
    take_int64s(trace, LOOM_COLUMN_run_s, &draft->run_s);
    take_nothing(trace, LOOM_COLUMN_cpu_s);
    take_nothing(trace, LOOM_COLUMN_used_mem_kib);
    take_int32s(trace, LOOM_COLUMN_req_procs, &draft->procs);
    take_int64s(trace, LOOM_COLUMN_req_time_s, &draft->estimate_s);
    take_nothing(trace, LOOM_COLUMN_req_mem_kib);
    take_int32s(trace, LOOM_COLUMN_user, &draft->user);
    take_int32s(trace, LOOM_COLUMN_group, &draft->group);
    take_int32s(trace, LOOM_COLUMN_executable, &draft->executable);
    take_int32s(trace, LOOM_COLUMN_queue, &draft->queue);
    take_int32s(trace, LOOM_COLUMN_partition, NULL);
    take_int64s(trace, LOOM_COLUMN_preceding, NULL);
    take_int64s(trace, LOOM_COLUMN_think_s, NULL);
}

/* Jobs that ran are complete: nearly always all of them or none. */
static void fill_status(struct loom_trace *trace, size_t n)
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

/* What follows from the rest. */
static void fill_columns(struct loom_trace *trace, size_t n)
{
    struct loom_columns *columns = &trace->columns;
    memcpy(columns->alloc_procs, columns->req_procs, n * sizeof *columns->alloc_procs);
    for (size_t i = 0; i < n; i++)
        columns->number[i] = (int64_t)i + 1;
    fill_status(trace, n);
}

/* As many jobs as were asked for: a model that lets jobs follow from others may make a few more. */
static int take_jobs(struct loom_trace *trace, struct loom_weave *weave, struct loom_error *err)
{
    struct loom_draft *draft = &weave->draft;
    int rc = loom_draft_sort(draft, err);
    size_t n = draft->n < weave->jobs ? draft->n : weave->jobs;
    while (!rc && n > 0 && draft->submit_s[n - 1] >= weave->horizon_s)
        n--;
    if (!rc && n > 0)
        rc = loom_trace_reserve(trace, n, err);
    if (!rc && n > 0) {
        loom_trace_set_count(trace, n);
        take_columns(trace, draft);
        fill_columns(trace, n);
    }
    return rc;
}

/* ---- requested times ------------------------------------------------------------------------- */

static void multiply_runs(struct loom_draft *draft, double factor)
{
    for (size_t i = 0; i < draft->n; i++)
        if (draft->run_s[i] >= 0)
            draft->estimate_s[i] = loom_whole_seconds((double)draft->run_s[i] * factor, 1);
}

static int scale_estimates(struct loom_draft *draft, double factor, struct loom_error *err)
{
    int rc = loom_draft_detail(draft, LOOM_DETAIL_ESTIMATE, err);
    if (!rc)
        multiply_runs(draft, factor);
    return rc;
}

/* The requests of the log's users, unless the model made its own. */
static int modal_estimates(const struct loom_model *model, struct loom_weave *weave,
                           struct loom_error *err)
{
    return model->has_estimates ? loom_estimates_apply(&model->estimates, weave, err) : 0;
}

static int set_estimates(const struct loom_model *model, struct loom_weave *weave,
                         const struct loom_weave_options *options, struct loom_error *err)
{
    switch (options->estimates) {
    case LOOM_ESTIMATES_NONE:
        free(weave->draft.estimate_s);
        weave->draft.estimate_s = NULL;
        return 0;
    case LOOM_ESTIMATES_EXACT:
        return scale_estimates(&weave->draft, 1, err);
    case LOOM_ESTIMATES_FACTOR:
        return scale_estimates(&weave->draft, options->estimate_factor, err);
    case LOOM_ESTIMATES_MODEL:
    case LOOM_ESTIMATES_MODAL:
        return modal_estimates(model, weave, err);
    }
    return 0;
}

static int check_estimates(const struct loom_model *model, const struct loom_weave_options *options,
                           struct loom_error *err)
{
    if (options->estimates != LOOM_ESTIMATES_MODAL || model->has_estimates ||
        model->ops->info.estimates)
        return 0;
    return loom_fail(err, LOOM_EUSAGE,
                     "%s does not know what users ask for; fit a model to a log with requested "
                     "times, or have them exact or f:FACTOR",
                     model->ops->info.name);
}

/* ---- the load -------------------------------------------------------------------------------- */

/* Work over what the machine could have done from the first submission to the last; 0 if the jobs
 * do not tell. */
static double offered_load(const struct loom_trace *trace, int32_t procs)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double work = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] > 0 && jobs->req_procs[i] > 0)
            work += (double)jobs->run_s[i] * jobs->req_procs[i];
    double span = jobs->n ? (double)(jobs->submit_s[jobs->n - 1] - jobs->submit_s[0]) : 0;
    return span > 0 ? work / (span * procs) : 0;
}

/* All times so many times as long. */
static void stretch_times(struct loom_weave *weave, double stretch)
{
    for (size_t i = 0; i < weave->draft.n; i++)
        weave->draft.submit_s[i] = (int64_t)((double)weave->draft.submit_s[i] * stretch);
}

static int weave_once(struct loom_trace **out, const struct loom_model *model,
                      const struct loom_weave *request, double stretch,
                      const struct loom_weave_options *options, struct loom_error *err)
{
    struct loom_weave weave = *request;
    struct loom_trace *trace = NULL;
    if (weave.horizon_s < INT64_MAX)
        weave.horizon_s = (int64_t)ceil((double)weave.horizon_s / stretch);
    int rc = model->ops->weave(model->state, &weave, err);
    weave.horizon_s = request->horizon_s;
    if (!rc && stretch != 1)
        stretch_times(&weave, stretch);
    if (!rc && weave.draft.n > UINT32_MAX)
        rc = loom_fail(err, LOOM_ERANGE,
                       "more than %" PRIu32 " jobs are more than a trace can hold", UINT32_MAX);
    if (!rc)
        rc = set_estimates(model, &weave, options, err);
    if (!rc)
        rc = loom_trace_create(&trace, err);
    if (!rc)
        rc = take_jobs(trace, &weave, err);
    loom_draft_free(&weave.draft);
    if (rc) {
        loom_trace_destroy(trace);
        return rc;
    }
    *out = trace;
    return 0;
}

static int unreachable(const struct loom_weave *weave, double load, double reached,
                       struct loom_error *err)
{
    return loom_fail(err, LOOM_EDATA,
                     "a load of %g was not reached: arrivals %g times as dense give %g; ask for "
                     "more jobs, another load or another machine",
                     load, weave->rate, reached);
}

/* The load is about proportional to the rate, and not smooth in it: each try corrects the last one
 * in proportion, and two that enclose the answer are halved. Where bags depend on the times between
 * jobs, the load jumps about with the rate, and halving only closes in on a jump: then rates around
 * the best one are tried, by steps of the golden section. */
struct search {
    double low, high;
    double best, miss; /* the rate that came nearest to the load, and by how much it missed */
    int steps;         /* around the best */
};

static double next_rate(struct search *search, double rate, double load, double reached)
{
    static const double close = 1.005, reach = 0.02, golden = 0.6180339887498949;
    double miss = fabs(reached / load - 1);
    if (miss < search->miss) {
        search->miss = miss;
        search->best = rate;
    }
    if (search->high < search->low * close)
        return search->best * (1 + reach * (2 * fmod(++search->steps * golden, 1) - 1));
    if (reached < load)
        search->low = rate;
    else
        search->high = rate;
    double next = rate * load / reached;
    bool inside = next > search->low && next < search->high;
    return inside ? next : (search->low + search->high) / 2;
}

/* What a load is looked for with. */
struct aim {
    const struct loom_model *model;
    const struct loom_weave_options *options;
    struct loom_weave weave;
    double stretch;
    double reached;
};

/* One try: *out stays NULL if it missed the load. */
static int try_load(struct loom_trace **out, struct aim *aim, struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    int rc = weave_once(&trace, aim->model, &aim->weave, aim->stretch, aim->options, err);
    if (rc)
        return rc;
    aim->reached = offered_load(trace, aim->weave.procs);
    if (fabs(aim->reached / aim->options->load - 1) <= LOAD_TOLERANCE)
        *out = trace;
    else
        loom_trace_destroy(trace);
    return 0;
}

/* By the rate, which is left at what came nearest. */
static int find_rate(struct loom_trace **out, struct aim *aim, int tries, struct loom_error *err)
{
    struct search search = {.high = INFINITY, .miss = INFINITY, .best = 1};
    for (int i = 0; i < tries; i++) {
        int rc = try_load(out, aim, err);
        if (rc || *out || !(aim->reached > 0))
            return rc;
        aim->weave.rate = next_rate(&search, aim->weave.rate, aim->options->load, aim->reached);
    }
    aim->weave.rate = search.best;
    return 0;
}

/* By stretching times. The jobs stay, but for the last ones before a horizon. */
static int find_stretch(struct loom_trace **out, struct aim *aim, struct loom_error *err)
{
    for (int i = 0; i < FEW_TRIES; i++) {
        int rc = try_load(out, aim, err);
        if (rc || *out || !(aim->reached > 0))
            return rc;
        aim->stretch *= aim->reached / aim->options->load;
    }
    return 0;
}

static int weave_at_load(struct loom_trace **out, const struct loom_model *model,
                         const struct loom_weave *weave, const struct loom_weave_options *options,
                         struct loom_error *err)
{
    struct aim aim = {.model = model, .options = options, .weave = *weave, .stretch = 1};
    bool cycle = traits_of(model) & LOOM_CYCLE;
    int rc = find_rate(out, &aim, cycle ? MOST_TRIES : FEW_TRIES, err);
    if (!rc && !*out && !cycle && aim.reached > 0)
        rc = find_stretch(out, &aim, err);
    if (!rc && !*out && !cycle && aim.reached > 0) { /* one long job before or after the horizon */
        aim.stretch = 1;
        rc = find_rate(out, &aim, MOST_TRIES, err);
    }
    if (!rc && !*out)
        rc = unreachable(&aim.weave, options->load, aim.reached, err);
    return rc;
}

/* ---- the header ------------------------------------------------------------------------------ */

static int add_number(struct loom_trace *trace, const char *key, int64_t number,
                      struct loom_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    return loom_trace_add_directive(trace, key, text, err);
}

static int write_header(struct loom_trace *trace, const struct loom_model *model,
                        const struct loom_weave *weave, struct loom_error *err)
{
    char computer[96];
    snprintf(computer, sizeof computer, "synthetic, by the %s model", model->ops->info.name);
    int64_t jobs = (int64_t)loom_trace_count(trace);
    int rc = loom_trace_add_directive(trace, "Version", "2.2", err);
    if (!rc)
        rc = loom_trace_add_directive(trace, "Computer", computer, err);
    if (!rc)
        rc = add_number(trace, "MaxJobs", jobs, err);
    if (!rc)
        rc = add_number(trace, "MaxRecords", jobs, err);
    if (!rc)
        rc = add_number(trace, "UnixStartTime", MONDAY_S + weave->week_phase_s, err);
    if (!rc)
        rc = loom_trace_add_directive(trace, "TimeZoneString", "UTC", err);
    if (!rc)
        rc = add_number(trace, "MaxProcs", weave->procs, err);
    return rc;
}

int loom_model_weave(struct loom_trace **out, const struct loom_model *model,
                     const struct loom_weave_options *options, struct loom_pool *pool,
                     struct loom_error *err)
{
    int rc = check_options(model, options, err);
    if (!rc)
        rc = check_estimates(model, options, err);
    if (rc)
        return rc;
    struct loom_weave weave = ask(model, options);
    weave.pool = pool;
    struct loom_trace *trace = NULL;
    rc = options->load > 0 ? weave_at_load(&trace, model, &weave, options, err)
                           : weave_once(&trace, model, &weave, 1, options, err);
    if (!rc)
        rc = write_header(trace, model, &weave, err);
    if (rc) {
        loom_trace_destroy(trace);
        return rc;
    }
    *out = trace;
    return 0;
}
