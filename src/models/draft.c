/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draft, columns of generated jobs, and helpers shared by the generators. */
#include "base/compare.h"
#include "base/pages.h"
#include "models/model.h"
#include "trace/scale.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

/* Columns by their offset in the draft; details exist only on request. */
static const struct column {
    size_t offset, item_size;
    unsigned detail; /* of enum loom_detail; 0: always there */
} columns[] = {
    {offsetof(struct loom_draft, submit_s), sizeof(int64_t), 0}, /* the first: jobs' times */
    {offsetof(struct loom_draft, run_s), sizeof(int64_t), 0},
    {offsetof(struct loom_draft, procs), sizeof(int32_t), 0},
    {offsetof(struct loom_draft, request_s), sizeof(int64_t), LOOM_DETAIL_REQUEST},
    {offsetof(struct loom_draft, user), sizeof(int32_t), LOOM_DETAIL_USER},
    {offsetof(struct loom_draft, group), sizeof(int32_t), LOOM_DETAIL_GROUP},
    {offsetof(struct loom_draft, executable), sizeof(int32_t), LOOM_DETAIL_EXECUTABLE},
    {offsetof(struct loom_draft, queue), sizeof(int32_t), LOOM_DETAIL_QUEUE},
    {offsetof(struct loom_draft, parallelism_millionths), sizeof(int64_t), LOOM_DETAIL_SPEEDUP},
    {offsetof(struct loom_draft, sigma_millionths), sizeof(int64_t), LOOM_DETAIL_SPEEDUP},
};

enum { COLUMNS = sizeof columns / sizeof *columns, SUBMIT = 0, LARGEST_ITEM = sizeof(int64_t) };

static char *items_of(const struct loom_draft *draft, size_t column)
{
    char *items;
    memcpy(&items, (const char *)draft + columns[column].offset, sizeof items);
    return items;
}

static void set_items(struct loom_draft *draft, size_t column, char *items)
{
    memcpy((char *)draft + columns[column].offset, &items, sizeof items);
}

/* Set values to unknown; times of submission to 0. */
static void clear_items(struct loom_draft *draft, size_t column, size_t from, size_t to)
{
    char *items = items_of(draft, column);
    size_t size = columns[column].item_size;
    if (items && to > from)
        memset(items + from * size, column == SUBMIT ? 0 : 0xff, (to - from) * size);
}

static inline void copy_item(char *to, const char *from, size_t size)
{
    if (size == sizeof(int64_t))
        memcpy(to, from, sizeof(int64_t));
    else
        memcpy(to, from, sizeof(int32_t));
}

static int draft_reserve(struct loom_draft *draft, size_t capacity)
{
    if (capacity > SIZE_MAX / 2 / LARGEST_ITEM)
        return -1;
    for (size_t c = 0; c < COLUMNS; c++) {
        char *items = items_of(draft, c);
        size_t size = capacity * columns[c].item_size;
        if (!items && columns[c].detail)
            continue;
        items = items ? realloc(items, size) : loom_pages_alloc(size);
        if (!items)
            return -1;
        set_items(draft, c, items);
    }
    draft->capacity = capacity;
    return 0;
}

int loom_draft_resize(struct loom_draft *draft, size_t n, struct loom_error *err)
{
    size_t twice = draft->capacity * 2;
    if (n > draft->capacity && draft_reserve(draft, n > twice ? n : twice))
        return loom_fail_memory(err);
    for (size_t c = 0; c < COLUMNS; c++)
        clear_items(draft, c, draft->n, n);
    draft->n = n;
    return 0;
}

int loom_generation_more(struct loom_generation *generation, struct loom_error *err)
{
    enum { FIRST = 1 << 12 };
    size_t n = generation->draft.n           ? generation->draft.n * 2
               : generation->jobs < SIZE_MAX ? generation->jobs
                                             : FIRST;
    return loom_draft_resize(&generation->draft, n < generation->jobs ? n : generation->jobs, err);
}

int loom_draft_detail(struct loom_draft *draft, unsigned details, struct loom_error *err)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        if (!(details & columns[c].detail) || items_of(draft, c))
            continue;
        char *items = loom_pages_alloc((draft->capacity + 1) * columns[c].item_size);
        if (!items)
            return loom_fail_memory(err);
        set_items(draft, c, items);
        clear_items(draft, c, 0, draft->n);
    }
    return 0;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int by_submit(const void *a, const void *b, void *context)
{
    const struct loom_draft *draft = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(draft->submit_s[i], draft->submit_s[k]),
                                 LOOM_COMPARE(i, k));
}

bool loom_draft_in_order(const struct loom_draft *draft)
{
    for (size_t i = 1; i < draft->n; i++)
        if (draft->submit_s[i] < draft->submit_s[i - 1])
            return false;
    return true;
}

/* Permute the columns one by one; `scratch` has the size of one column. */
static void sort_columns(struct loom_draft *draft, const uint32_t *order, char *scratch)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        char *items = items_of(draft, c);
        size_t size = columns[c].item_size;
        for (size_t i = 0; items && i < draft->n; i++)
            copy_item(scratch + i * size, items + order[i] * size, size);
        if (items)
            memcpy(items, scratch, draft->n * size);
    }
}

int loom_draft_sort(struct loom_draft *draft, struct loom_error *err)
{
    if (loom_draft_in_order(draft))
        return 0;
    uint32_t *order = malloc(draft->n * sizeof *order);
    char *scratch = malloc(draft->n * LARGEST_ITEM);
    int rc = order && scratch ? 0 : loom_fail_memory(err);
    if (!rc) {
        for (size_t i = 0; i < draft->n; i++)
            order[i] = (uint32_t)i;
        qsort_r(order, draft->n, sizeof *order, by_submit, draft);
        sort_columns(draft, order, scratch);
    }
    free(order);
    free(scratch);
    return rc;
}

static void swap_items(struct loom_draft *draft, size_t column, size_t i, size_t k)
{
    char *items = items_of(draft, column), item[LARGEST_ITEM];
    size_t size = columns[column].item_size;
    if (!items)
        return;
    copy_item(item, items + i * size, size);
    copy_item(items + i * size, items + k * size, size);
    copy_item(items + k * size, item, size);
}

void loom_draft_shuffle(struct loom_generation *generation, const char *purpose)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, purpose);
    for (size_t i = draft->n; i > 1; i--) {
        size_t other = (size_t)loom_stream_below(&stream, i);
        for (size_t c = SUBMIT + 1; c < COLUMNS; c++)
            swap_items(draft, c, i - 1, other);
    }
}

void loom_draft_shuffle_sizes(struct loom_generation *generation, const char *purpose)
{
    int32_t *procs = generation->draft.procs;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, purpose);
    for (size_t i = generation->draft.n; i > 1; i--) {
        size_t other = (size_t)loom_stream_below(&stream, i);
        int32_t size = procs[i - 1];
        procs[i - 1] = procs[other];
        procs[other] = size;
    }
}

void loom_draft_free(struct loom_draft *draft)
{
    for (size_t c = 0; c < COLUMNS; c++)
        free(items_of(draft, c));
    *draft = (struct loom_draft){0};
}

/* ---- what models share ----------------------------------------------------------------------- */

void loom_generation_stream(struct loom_stream *out, const struct loom_generation *generation,
                            const char *purpose)
{
    loom_stream_init(out, generation->seed, generation->replication, purpose);
}

int32_t loom_generation_size(const struct loom_generation *generation, int32_t procs)
{
    return loom_scale_size(procs, generation->log_procs, generation->procs);
}

int64_t loom_whole_seconds(double seconds, int64_t least)
{
    static const double most = 0x1p53;
    if (!(seconds > (double)least))
        return least;
    return llrint(seconds < most ? seconds : most);
}

/* ---- what models are fitted to --------------------------------------------------------------- */

static bool has_shape(const struct loom_workload *jobs, size_t i)
{
    return jobs->run_s[i] >= 0 && jobs->procs[i] > 0;
}

const char *loom_shapes_lacking(const struct loom_workload *jobs)
{
    bool run = false, procs = false;
    for (size_t i = 0; i < jobs->n; i++) {
        run = run || jobs->run_s[i] >= 0;
        procs = procs || jobs->procs[i] > 0;
    }
    return run && procs ? "; take a longer log"
           : procs      ? ": no job of this log has a runtime"
           : run        ? ": no job of this log has processors"
                        : ": no job of this log has a runtime or processors";
}

int loom_shapes_create(struct loom_shapes *out, const struct loom_training *log, const char *model,
                       size_t least, struct loom_error *err)
{
    const struct loom_workload *jobs = log->jobs;
    *out = (struct loom_shapes){.run_s = malloc((jobs->n + 1) * sizeof *out->run_s),
                                .procs = malloc((jobs->n + 1) * sizeof *out->procs),
                                .job = malloc((jobs->n + 1) * sizeof *out->job)};
    int rc = out->run_s && out->procs && out->job ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n && !rc; i++)
        if (has_shape(jobs, i)) {
            out->run_s[out->n] = jobs->run_s[i];
            out->procs[out->n] = jobs->procs[i];
            out->job[out->n++] = (uint32_t)i;
        }
    if (!rc && out->n < least)
        rc = loom_fail(err, LOOM_EDATA,
                       "%s needs at least %zu jobs with known runtime and processors to be fitted "
                       "to, and there are %zu%s",
                       model, least, out->n, loom_shapes_lacking(jobs));
    if (rc)
        loom_shapes_free(out);
    return rc;
}

void loom_shapes_free(struct loom_shapes *shapes)
{
    free(shapes->run_s);
    free(shapes->procs);
    free(shapes->job);
    *shapes = (struct loom_shapes){0};
}
