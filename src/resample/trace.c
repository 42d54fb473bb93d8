/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Build a trace from picked jobs: the columns of their logs in the new order, and the first log's
 * header without lines that no longer hold, with the original of every user in a note ("Note: user
 * 7 = 42#1").
 */
#include "base/map.h"
#include "base/names.h"
#include "base/pages.h"
#include "resample/resample.h"
#include "trace/scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

/* Context of gathering columns. */
struct gather {
    const struct loom_picks *picks;
    const struct loom_person *persons;
    const struct loom_resampler *resampler;
    const struct loom_jobs **jobs; /* of each log */
};

/* X(column, type): columns copied from the logs. */
#define CARRIED(X)          \
    X(wait_s, int64_t)      \
    X(run_s, int64_t)       \
    X(alloc_procs, int32_t) \
    X(cpu_s, double)        \
    X(used_mem_kib, double) \
    X(req_procs, int32_t)   \
    X(request_s, int64_t)   \
    X(req_mem_kib, double)  \
    X(status, int32_t)      \
    X(group, int32_t)       \
    X(executable, int32_t)  \
    X(queue, int32_t)       \
    X(partition, int32_t)

/* Gather a column of the picked jobs; a single log needs no look-up for each job. */
#define X(name, type)                                                                           \
    static int carry_##name(struct loom_trace *trace, const struct gather *gather)              \
    {                                                                                           \
        const struct loom_pick *picks = gather->picks->items;                                   \
        const type *only = gather->jobs[0]->name;                                               \
        if (gather->resampler->constant[LOOM_COLUMN_##name]) {                                  \
            loom_trace_set_column(trace, LOOM_COLUMN_##name, only);                             \
            return 0;                                                                           \
        }                                                                                       \
        type *to = loom_pages_alloc(trace->capacity * sizeof *to);                              \
        if (!to)                                                                                \
            return LOOM_ENOMEM;                                                                 \
        if (gather->resampler->n == 1)                                                          \
            for (size_t i = 0; i < gather->picks->n; i++)                                       \
                to[i] = only[picks[i].row];                                                     \
        else                                                                                    \
            for (size_t i = 0; i < gather->picks->n; i++)                                       \
                to[i] = gather->jobs[gather->persons[picks[i].person].log]->name[picks[i].row]; \
        loom_trace_take_column(trace, LOOM_COLUMN_##name, to);                                  \
        return 0;                                                                               \
    }
CARRIED(X)
#undef X

static int carry_columns(struct loom_trace *trace, const struct gather *gather,
                         struct loom_error *err)
{
#define X(name, type) carry_##name,
    static int (*const carry[])(struct loom_trace *, const struct gather *) = {CARRIED(X)};
#undef X
    for (size_t i = 0; i < sizeof carry / sizeof *carry; i++)
        if (carry[i](trace, gather))
            return loom_fail_memory(err);
    return 0;
}

static void fill_own(struct loom_trace *trace, const struct loom_picks *picks)
{
    static const int64_t unknown = -1;
    loom_trace_set_column(trace, LOOM_COLUMN_preceding, &unknown);
    loom_trace_set_column(trace, LOOM_COLUMN_think_s, &unknown);
    for (size_t i = 0; i < picks->n; i++) {
        trace->columns.number[i] = (int64_t)i + 1;
        trace->columns.submit_s[i] = picks->items[i].submit_s;
        trace->columns.user[i] = (int32_t)picks->items[i].person + 1;
    }
}

/* Renumber groups, queues and the like of each log apart from the others, and scale sizes to the
 * new machine. */
static void reconcile(struct loom_trace *trace, const struct gather *gather)
{
    int32_t *const columns[LOOM_NAME_KINDS] = {
        [LOOM_GROUP] = trace->columns.group,
        [LOOM_EXECUTABLE] = trace->columns.executable,
        [LOOM_QUEUE] = trace->columns.queue,
        [LOOM_PARTITION] = trace->columns.partition,
    };
    for (size_t i = 0; i < gather->picks->n; i++) {
        uint32_t log = gather->persons[gather->picks->items[i].person].log;
        const struct loom_resample_log *source = &gather->resampler->sources[log];
        const int32_t procs = gather->resampler->procs;
        int32_t *alloc = &trace->columns.alloc_procs[i], *req = &trace->columns.req_procs[i];
        *alloc = *alloc > 0 ? loom_scale_size(*alloc, source->procs, procs) : *alloc;
        *req = *req > 0 ? loom_scale_size(*req, source->procs, procs) : *req;
        for (int kind = 0; kind < LOOM_NAME_KINDS; kind++)
            if (columns[kind] && columns[kind][i] >= 0)
                columns[kind][i] += source->offset[kind];
    }
}

/* ---- fresh names ----------------------------------------------------------------------------- */

/* Give the groups, or the executables, of copies of users new numbers, beyond all of the log. A
 * column with a single value stays. */
static int freshen(int32_t *column, const struct gather *gather, struct loom_error *err)
{
    const struct loom_picks *picks = gather->picks;
    struct loom_map numbers = {0};
    int32_t most = 0;
    int rc = 0;
    for (size_t i = 0; i < picks->n; i++)
        most = column[i] > most ? column[i] : most;
    for (size_t i = 0; i < picks->n && !rc; i++) {
        uint32_t copy = gather->persons[picks->items[i].person].copy;
        if (copy <= 1 || column[i] < 0)
            continue;
        uint32_t fresh = loom_map_intern(&numbers, loom_map_pair(copy, (uint32_t)column[i]));
        if (fresh == LOOM_MAP_NONE)
            rc = loom_fail_memory(err);
        else if ((int64_t)most + 1 + fresh > INT32_MAX)
            rc = loom_fail_field(err, LOOM_ERANGE, "fresh_names",
                                 "fresh_names: numbers of groups or executables leave no room");
        else
            column[i] = most + 1 + (int32_t)fresh;
    }
    loom_map_free(&numbers);
    return rc;
}

static int freshen_names(struct loom_trace *trace, const struct gather *gather,
                         struct loom_error *err)
{
    const bool *constant = gather->resampler->constant;
    int rc = 0;
    if (!constant[LOOM_COLUMN_group])
        rc = freshen(trace->columns.group, gather, err);
    if (!rc && !constant[LOOM_COLUMN_executable])
        rc = freshen(trace->columns.executable, gather, err);
    return rc;
}

static int fill_columns(struct loom_trace *trace, struct gather *gather, struct loom_error *err)
{
    const struct loom_resampler *resampler = gather->resampler;
    gather->jobs = malloc((resampler->n + 1) * sizeof *gather->jobs);
    if (!gather->jobs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < resampler->n; i++)
        gather->jobs[i] = loom_trace_jobs(resampler->sources[i].log);
    int rc = carry_columns(trace, gather, err);
    free(gather->jobs);
    if (rc)
        return rc;
    fill_own(trace, gather->picks);
    if (resampler->n > 1 || resampler->procs != resampler->sources[0].procs)
        reconcile(trace, gather);
    return resampler->rule.fresh_names ? freshen_names(trace, gather, err) : 0;
}

/* ---- the header ------------------------------------------------------------------------------ */

static int copy_names(struct loom_trace *trace, const struct loom_resample_log *source,
                      struct loom_error *err)
{
    int rc = 0;
    for (int kind = LOOM_GROUP; kind < LOOM_NAME_KINDS; kind++)
        for (size_t i = 0; i < source->log->names[kind].n && !rc; i++) {
            const struct loom_named *entry = &source->log->names[kind].entries[i];
            rc = loom_trace_set_name(trace, (enum loom_name_kind)kind,
                                     entry->number + source->offset[kind], entry->name, err);
        }
    return rc;
}

/* "42#1", "ann#2", of several logs "2/42#1", of rare behaviours "rare-42#1". */
static int name_person(struct loom_trace *trace, const struct loom_resampler *resampler,
                       const struct loom_person *person, size_t number, struct loom_error *err)
{
    char text[256], log[24] = "";
    const struct loom_trace *from = resampler->sources[person->log].log;
    const char *name = loom_trace_name(from, LOOM_USER, person->original);
    if (resampler->n > 1)
        snprintf(log, sizeof log, "%" PRIu32 "/", person->log + 1);
    const char *rare = person->kind == LOOM_RARE ? "rare-" : "";
    if (name)
        snprintf(text, sizeof text, "%s%s%.180s#%" PRIu32, log, rare, name, person->copy);
    else
        snprintf(text, sizeof text, "%s%s%" PRId32 "#%" PRIu32, log, rare, person->original,
                 person->copy);
    return loom_trace_set_name(trace, LOOM_USER, (int32_t)number, text, err);
}

/* Keep the first log's nodes, unless logs are mixed or the size is another. */
static int describe_machine(struct loom_trace *trace, const struct loom_resampler *resampler,
                            struct loom_error *err)
{
    char text[64];
    if (resampler->n > 1 || resampler->procs != resampler->sources[0].procs)
        loom_trace_drop_directive(trace, "MaxNodes");
    snprintf(text, sizeof text, "mixed, the machines of %zu logs", resampler->n);
    int rc = resampler->n > 1 ? loom_trace_set_directive(trace, "Computer", text, err) : 0;
    return rc ? rc : loom_trace_set_directive_number(trace, "MaxProcs", resampler->procs, err);
}

static int write_variant_header(struct loom_trace *trace, const struct gather *gather,
                                size_t persons, struct loom_error *err)
{
    const struct loom_resampler *resampler = gather->resampler;
    int64_t jobs = (int64_t)gather->picks->n;
    int rc = loom_trace_inherit(trace, resampler->sources[0].log, err);
    if (!rc)
        rc = loom_trace_set_directive_number(trace, "MaxJobs", jobs, err);
    if (!rc)
        rc = loom_trace_set_directive_number(trace, "MaxRecords", jobs, err);
    if (!rc)
        rc = describe_machine(trace, resampler, err);
    for (size_t i = 0; i < resampler->n && !rc; i++)
        rc = copy_names(trace, &resampler->sources[i], err);
    for (size_t i = 0; i < persons && !rc; i++)
        if (gather->persons[i].jobs > 0)
            rc = name_person(trace, resampler, &gather->persons[i], i + 1, err);
    return rc ? rc : loom_trace_declare_names(trace, err);
}

int loom_picks_trace(struct loom_trace **out, const struct loom_picks *picks,
                     const struct loom_person *persons, size_t n_persons,
                     const struct loom_resampler *resampler, struct loom_error *err)
{
    struct gather gather = {picks, persons, resampler, NULL};
    struct loom_trace *trace = NULL;
    int rc = loom_trace_create(&trace, err);
    if (!rc && picks->n > 0)
        rc = loom_trace_reserve(trace, picks->n, err);
    if (!rc && picks->n > 0) {
        trace->view.n = picks->n;
        rc = fill_columns(trace, &gather, err);
    }
    if (!rc)
        rc = write_variant_header(trace, &gather, n_persons, err);
    if (rc)
        loom_trace_destroy(trace);
    else
        *out = trace;
    return rc;
}
