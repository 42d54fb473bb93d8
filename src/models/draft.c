/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs a model makes, by columns, and what models share in making them. */
#include "base/pages.h"
#include "models/model.h"
#include "trace/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

static int grow(void *column, size_t capacity, size_t item_size)
{
    void *items;
    memcpy(&items, column, sizeof items);
    size_t size = capacity * item_size;
    items = items ? realloc(items, size) : loom_pages_alloc(size);
    if (!items)
        return -1;
    memcpy(column, &items, sizeof items);
    return 0;
}

/* A column of details exists or is NULL. */
static int grow_detail(void *column, size_t capacity, size_t item_size)
{
    void *items;
    memcpy(&items, column, sizeof items);
    return items ? grow(column, capacity, item_size) : 0;
}

static int draft_reserve(struct loom_draft *draft, size_t capacity)
{
    if (capacity > SIZE_MAX / 2 / sizeof(int64_t) ||
        grow(&draft->submit_s, capacity, sizeof *draft->submit_s) ||
        grow(&draft->run_s, capacity, sizeof *draft->run_s) ||
        grow(&draft->procs, capacity, sizeof *draft->procs) ||
        grow_detail(&draft->request_s, capacity, sizeof *draft->request_s) ||
        grow_detail(&draft->user, capacity, sizeof *draft->user) ||
        grow_detail(&draft->group, capacity, sizeof *draft->group) ||
        grow_detail(&draft->executable, capacity, sizeof *draft->executable) ||
        grow_detail(&draft->queue, capacity, sizeof *draft->queue) ||
        grow_detail(&draft->parallelism_millionths, capacity, sizeof(int64_t)) ||
        grow_detail(&draft->sigma_millionths, capacity, sizeof(int64_t)))
        return -1;
    draft->capacity = capacity;
    return 0;
}

static void unknown64(int64_t *column, size_t from, size_t to)
{
    if (column && to > from)
        memset(column + from, 0xff, (to - from) * sizeof *column);
}

static void unknown32(int32_t *column, size_t from, size_t to)
{
    if (column && to > from)
        memset(column + from, 0xff, (to - from) * sizeof *column);
}

int loom_draft_resize(struct loom_draft *draft, size_t n, struct loom_error *err)
{
    size_t twice = draft->capacity * 2;
    if (n > draft->capacity && draft_reserve(draft, n > twice ? n : twice))
        return loom_fail_memory(err);
    if (n > draft->n)
        memset(draft->submit_s + draft->n, 0, (n - draft->n) * sizeof *draft->submit_s);
    unknown64(draft->run_s, draft->n, n);
    unknown32(draft->procs, draft->n, n);
    unknown64(draft->request_s, draft->n, n);
    unknown32(draft->user, draft->n, n);
    unknown32(draft->group, draft->n, n);
    unknown32(draft->executable, draft->n, n);
    unknown32(draft->queue, draft->n, n);
    unknown64(draft->parallelism_millionths, draft->n, n);
    unknown64(draft->sigma_millionths, draft->n, n);
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

static int add_column32(int32_t **column, const struct loom_draft *draft)
{
    if (*column)
        return 0;
    *column = loom_pages_alloc((draft->capacity + 1) * sizeof **column);
    unknown32(*column, 0, *column ? draft->n : 0);
    return *column ? 0 : -1;
}

static int add_column64(int64_t **column, const struct loom_draft *draft)
{
    if (*column)
        return 0;
    *column = loom_pages_alloc((draft->capacity + 1) * sizeof **column);
    unknown64(*column, 0, *column ? draft->n : 0);
    return *column ? 0 : -1;
}

int loom_draft_detail(struct loom_draft *draft, unsigned details, struct loom_error *err)
{
    if (((details & LOOM_DETAIL_REQUEST) && add_column64(&draft->request_s, draft)) ||
        ((details & LOOM_DETAIL_USER) && add_column32(&draft->user, draft)) ||
        ((details & LOOM_DETAIL_GROUP) && add_column32(&draft->group, draft)) ||
        ((details & LOOM_DETAIL_EXECUTABLE) && add_column32(&draft->executable, draft)) ||
        ((details & LOOM_DETAIL_QUEUE) && add_column32(&draft->queue, draft)) ||
        ((details & LOOM_DETAIL_SPEEDUP) && (add_column64(&draft->parallelism_millionths, draft) ||
                                             add_column64(&draft->sigma_millionths, draft))))
        return loom_fail_memory(err);
    return 0;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int by_submit(const void *a, const void *b, void *context)
{
    const struct loom_draft *draft = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int64_t left = draft->submit_s[i], right = draft->submit_s[k];
    return left != right ? (left > right) - (left < right) : (i > k) - (i < k);
}

bool loom_draft_in_order(const struct loom_draft *draft)
{
    enum { BLOCK = 1024 }; /* without a branch for each job */
    bool late = false;
    for (size_t from = 1; from < draft->n && !late; from += BLOCK) {
        size_t to = draft->n - from < BLOCK ? draft->n : from + BLOCK;
        for (size_t i = from; i < to; i++)
            late |= draft->submit_s[i] < draft->submit_s[i - 1];
    }
    return !late;
}

/* Room for one column is enough to put them in order one by one. */
static void sort64(int64_t *column, const uint32_t *order, size_t n, void *room)
{
    int64_t *sorted = room;
    for (size_t i = 0; column && i < n; i++)
        sorted[i] = column[order[i]];
    if (column)
        memcpy(column, sorted, n * sizeof *column);
}

static void sort32(int32_t *column, const uint32_t *order, size_t n, void *room)
{
    int32_t *sorted = room;
    for (size_t i = 0; column && i < n; i++)
        sorted[i] = column[order[i]];
    if (column)
        memcpy(column, sorted, n * sizeof *column);
}

static void sort_columns(struct loom_draft *draft, const uint32_t *order, void *room)
{
    sort64(draft->submit_s, order, draft->n, room);
    sort64(draft->run_s, order, draft->n, room);
    sort64(draft->request_s, order, draft->n, room);
    sort64(draft->parallelism_millionths, order, draft->n, room);
    sort64(draft->sigma_millionths, order, draft->n, room);
    sort32(draft->procs, order, draft->n, room);
    sort32(draft->user, order, draft->n, room);
    sort32(draft->group, order, draft->n, room);
    sort32(draft->executable, order, draft->n, room);
    sort32(draft->queue, order, draft->n, room);
}

int loom_draft_sort(struct loom_draft *draft, struct loom_error *err)
{
    if (loom_draft_in_order(draft))
        return 0;
    uint32_t *order = malloc(draft->n * sizeof *order);
    void *room = malloc(draft->n * sizeof(int64_t));
    int rc = order && room ? 0 : loom_fail_memory(err);
    if (!rc) {
        for (size_t i = 0; i < draft->n; i++)
            order[i] = (uint32_t)i;
        qsort_r(order, draft->n, sizeof *order, by_submit, draft);
        sort_columns(draft, order, room);
    }
    free(order);
    free(room);
    return rc;
}

static void swap64(int64_t *column, size_t a, size_t b)
{
    int64_t value = column ? column[a] : 0;
    if (!column)
        return;
    column[a] = column[b];
    column[b] = value;
}

static void swap32(int32_t *column, size_t a, size_t b)
{
    int32_t value = column ? column[a] : 0;
    if (!column)
        return;
    column[a] = column[b];
    column[b] = value;
}

void loom_draft_shuffle(struct loom_generation *generation, const char *purpose)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, purpose);
    for (size_t i = draft->n; i > 1; i--) {
        size_t other = (size_t)loom_stream_below(&stream, i);
        swap64(draft->run_s, i - 1, other);
        swap64(draft->request_s, i - 1, other);
        swap64(draft->parallelism_millionths, i - 1, other);
        swap64(draft->sigma_millionths, i - 1, other);
        swap32(draft->procs, i - 1, other);
        swap32(draft->user, i - 1, other);
        swap32(draft->group, i - 1, other);
        swap32(draft->executable, i - 1, other);
        swap32(draft->queue, i - 1, other);
    }
}

void loom_draft_shuffle_sizes(struct loom_generation *generation, const char *purpose)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, purpose);
    for (size_t i = draft->n; i > 1; i--)
        swap32(draft->procs, i - 1, (size_t)loom_stream_below(&stream, i));
}

void loom_draft_free(struct loom_draft *draft)
{
    free(draft->submit_s);
    free(draft->run_s);
    free(draft->procs);
    free(draft->request_s);
    free(draft->user);
    free(draft->group);
    free(draft->executable);
    free(draft->queue);
    free(draft->parallelism_millionths);
    free(draft->sigma_millionths);
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
