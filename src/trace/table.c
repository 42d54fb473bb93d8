/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The job table: its columns, rows and sorted view. */
#include "trace/table.h"

#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(LOOM_JOB_BYTES == 0
#define X(name, type, what) +sizeof(type)
                   LOOM_COLUMNS(X)
#undef X
                   ,
               "LOOM_JOB_BYTES is the sum of the columns");

int loom_trace_create(struct loom_trace **out, struct loom_error *err)
{
    struct loom_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return loom_fail_memory(err);
    trace->machine = (struct loom_machine){
        .max_procs = -1,
        .max_nodes = -1,
        .unix_start_s = -1,
        .time_zone_s = INT64_MIN,
        .max_jobs = -1,
        .max_records = -1,
    };
    trace->report.file = trace->report.format = "";
    *out = trace;
    return 0;
}

/* Where a column's pointer is, and the size of its values. */
struct place {
    void *pointer;
    size_t item_size;
};

static struct place table_place_of(struct loom_trace *trace, int column)
{
    const struct place places[LOOM_COLUMN_COUNT] = {
#define X(name, type, what) {&trace->columns.name, sizeof(type)},
        LOOM_COLUMNS(X)
#undef X
    };
    return places[column];
}

static void *memory_at(struct place place)
{
    void *memory;
    memcpy(&memory, place.pointer, sizeof memory);
    return memory;
}

static void free_column(struct loom_trace *trace, int column)
{
    struct place place = table_place_of(trace, column);
    if (trace->shared[column])
        trace->shared[column] = false;
    else if (trace->repeated[column])
        loom_pages_unrepeat(memory_at(place), trace->capacity * place.item_size);
    else
        free(memory_at(place));
    trace->repeated[column] = false;
}

void loom_trace_destroy(struct loom_trace *trace)
{
    if (!trace)
        return;
    for (int column = 0; column < LOOM_COLUMN_COUNT; column++)
        free_column(trace, column);
    free(trace->directives);
    for (int kind = 0; kind < LOOM_NAME_KINDS; kind++)
        if (trace->names[kind].entries)
            loom_names_free(&trace->names[kind]);
    loom_arena_free(&trace->arena);
    free(trace);
}

const struct loom_jobs *loom_trace_jobs(const struct loom_trace *trace)
{
    return &trace->view;
}

size_t loom_trace_count(const struct loom_trace *trace)
{
    return trace->view.n;
}

const struct loom_read_report *loom_trace_report(const struct loom_trace *trace)
{
    return &trace->report;
}

/* ---- room for rows --------------------------------------------------------------------------- */

static void point_view_at_columns(struct loom_trace *trace)
{
#define X(name, type, what) trace->view.name = trace->columns.name;
    LOOM_COLUMNS(X)
#undef X
}

static void *allocate(const struct loom_trace *trace, size_t size)
{
    return trace->small_pages ? malloc(size) : loom_pages_alloc(size);
}

/* Memory of its own for a repeated or shared column. */
static void *copy_column(const struct loom_trace *trace, struct place place, size_t capacity)
{
    void *memory = allocate(trace, capacity * place.item_size);
    size_t kept = trace->capacity < capacity ? trace->capacity : capacity;
    if (memory && kept > 0) /* a trace without jobs has no columns to copy */
        memcpy(memory, memory_at(place), kept * place.item_size);
    return memory;
}

/* Resize one column. The old one stays valid when memory is out. */
static int resize(struct loom_trace *trace, int column, size_t capacity)
{
    struct place place = table_place_of(trace, column);
    void *memory = memory_at(place);
    if (trace->repeated[column] || trace->shared[column]) {
        memory = copy_column(trace, place, capacity);
        if (memory)
            free_column(trace, column);
    } else {
        memory = memory ? realloc(memory, capacity * place.item_size)
                        : allocate(trace, capacity * place.item_size);
    }
    if (!memory)
        return -1;
    memcpy(place.pointer, &memory, sizeof memory);
    return 0;
}

int loom_trace_reserve(struct loom_trace *trace, size_t capacity, struct loom_error *err)
{
    if (capacity <= trace->capacity)
        return 0;
    if (capacity >= UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE, "a trace cannot hold more than %u jobs", UINT32_MAX - 1);
    int failed = 0;
    for (int column = 0; column < LOOM_COLUMN_COUNT; column++)
        failed |= resize(trace, column, capacity);
    point_view_at_columns(trace);
    if (failed)
        return loom_fail_memory(err);
    trace->capacity = capacity;
    return 0;
}

void loom_trace_trim(struct loom_trace *trace)
{
    size_t n = trace->view.n ? trace->view.n : 1;
    if (n >= trace->capacity)
        return;
    for (int column = 0; column < LOOM_COLUMN_COUNT; column++)
        (void)resize(trace, column, n); /* one that cannot be shrunk is larger than needed */
    point_view_at_columns(trace);
    trace->capacity = n;
}

void loom_trace_set_column(struct loom_trace *trace, enum loom_column column, const void *value)
{
    enum { WORTHWHILE = 1 << 20 };
    struct place place = table_place_of(trace, (int)column);
    void *memory = NULL;
    if (trace->capacity >= WORTHWHILE / place.item_size)
        memory = loom_pages_repeat(value, place.item_size, trace->capacity);
    if (!memory) {
        loom_fill(memory_at(place), value, place.item_size, trace->view.n);
        return;
    }
    free_column(trace, (int)column);
    memcpy(place.pointer, &memory, sizeof memory);
    trace->repeated[column] = true;
    point_view_at_columns(trace);
}

void loom_trace_take_column(struct loom_trace *trace, enum loom_column column, void *memory)
{
    free_column(trace, (int)column);
    memcpy(table_place_of(trace, (int)column).pointer, &memory, sizeof memory);
    point_view_at_columns(trace);
}

int loom_trace_own(struct loom_trace *trace, enum loom_column column, struct loom_error *err)
{
    if (!trace->shared[column])
        return 0;
    if (resize(trace, (int)column, trace->capacity))
        return loom_fail_memory(err);
    point_view_at_columns(trace);
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct loom_job loom_job_unknown(void)
{
    return (struct loom_job){
#define X(name, type, what) .name = -1,
        LOOM_COLUMNS(X)
#undef X
    };
}

struct loom_job loom_trace_job(const struct loom_trace *trace, size_t row)
{
    return (struct loom_job){
#define X(name, type, what) .name = trace->columns.name[row],
        LOOM_COLUMNS(X)
#undef X
    };
}

int loom_trace_append(struct loom_trace *trace, const struct loom_job *job, struct loom_error *err)
{
    size_t row = trace->view.n;
    if (row == trace->capacity) {
        int rc = loom_trace_reserve(trace, row < 64 ? 64 : row + row / 2, err);
        if (rc)
            return rc;
    }
#define X(name, type, what) trace->columns.name[row] = job->name;
    LOOM_COLUMNS(X)
#undef X
    trace->view.n++;
    return 0;
}

void loom_trace_replace(struct loom_trace *trace, size_t row, const struct loom_job *job)
{
#define X(name, type, what) trace->columns.name[row] = job->name;
    LOOM_COLUMNS(X)
#undef X
}

int32_t loom_job_procs(const struct loom_jobs *jobs, size_t row)
{
    return jobs->req_procs[row] > 0 ? jobs->req_procs[row] : jobs->alloc_procs[row];
}

/* ---- the sorted view ------------------------------------------------------------------------- */

bool loom_trace_in_order(const struct loom_trace *trace)
{
    const int64_t *submit_s = trace->view.submit_s;
    for (size_t i = 1; i < trace->view.n; i++)
        if (submit_s[i - 1] > submit_s[i])
            return false;
    return true;
}

/* Bottom-up merge sort: stable, so that equal submits stay in file order. Logs are nearly sorted,
 * and runs that are in order already cost one comparison. */
static void merge_sort(uint32_t *rows, uint32_t *scratch, size_t n, const int64_t *submit_s)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low + width < n; low += 2 * width) {
            size_t middle = low + width;
            size_t high = n - middle < width ? n : middle + width;
            if (submit_s[rows[middle - 1]] <= submit_s[rows[middle]])
                continue;
            memcpy(scratch, rows + low, width * sizeof *rows);
            size_t left = 0, right = middle, at = low;
            while (left < width && right < high)
                rows[at++] = submit_s[rows[right]] < submit_s[scratch[left]] ? rows[right++]
                                                                             : scratch[left++];
            memcpy(rows + at, scratch + left, (width - left) * sizeof *rows);
        }
    }
}

int loom_trace_order(uint32_t **out, const struct loom_trace *trace, struct loom_error *err)
{
    size_t n = trace->view.n;
    uint32_t *rows = malloc((n ? n : 1) * sizeof *rows);
    if (!rows)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        rows[i] = (uint32_t)i;
    if (!loom_trace_in_order(trace)) {
        uint32_t *scratch = malloc(n * sizeof *scratch);
        if (!scratch) {
            free(rows);
            return loom_fail_memory(err);
        }
        merge_sort(rows, scratch, n, trace->view.submit_s);
        free(scratch);
    }
    *out = rows;
    return 0;
}

int loom_trace_arrivals(uint32_t **out, size_t *n, const struct loom_trace *trace,
                        struct loom_error *err)
{
    uint32_t *rows = NULL;
    int rc = loom_trace_order(&rows, trace, err);
    if (rc)
        return rc;
    *n = 0;
    for (size_t i = 0; i < trace->view.n; i++)
        if (trace->view.submit_s[rows[i]] != -1)
            rows[(*n)++] = rows[i];
    *out = rows;
    return 0;
}

size_t loom_trace_unsubmitted(const struct loom_trace *trace)
{
    size_t count = 0;
    for (size_t row = 0; row < trace->view.n; row++)
        count += trace->view.submit_s[row] == -1;
    return count;
}

/* ---- subsets --------------------------------------------------------------------------------- */

/* Return whether a column is repeated and still all one value; give back what looking at it took.
 */
static bool stays_repeated(struct loom_trace *trace, enum loom_column column)
{
    struct place place = table_place_of(trace, (int)column);
    const char *memory = memory_at(place);
    size_t size = place.item_size;
    if (!trace->repeated[column] || trace->view.n == 0 ||
        memcmp(memory, memory + size, (trace->view.n - 1) * size) != 0)
        return false;
    int64_t value;
    memcpy(&value, memory, size);
    loom_trace_set_column(trace, column, &value);
    return true;
}

void loom_trace_keep(struct loom_trace *trace, const uint8_t *keep)
{
    size_t kept = 0;
    for (size_t row = 0; row < trace->view.n; row++)
        kept += keep[row] != 0;
    if (kept == trace->view.n)
        return;
#define X(name, type, what)                                      \
    if (!stays_repeated(trace, LOOM_COLUMN_##name))              \
        for (size_t row = 0, to = 0; row < trace->view.n; row++) \
            if (keep[row])                                       \
                trace->columns.name[to++] = trace->columns.name[row];
    LOOM_COLUMNS(X)
#undef X
    trace->view.n = kept;
}

static int copy_rows(struct loom_trace *to, const struct loom_trace *from, const uint8_t *keep,
                     uint8_t wanted, struct loom_error *err)
{
    int rc = 0;
    for (size_t row = 0; row < from->view.n && !rc; row++)
        if (keep[row] == wanted) {
            struct loom_job job = loom_trace_job(from, row);
            rc = loom_trace_append(to, &job, err);
        }
    return rc;
}

static int copy_header(struct loom_trace *to, const struct loom_trace *from, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < from->n_directives && !rc; i++) {
        const char *text = from->directives[i].text;
        rc = loom_trace_add_line(to, text, strlen(text), err);
    }
    for (int kind = 0; kind < LOOM_NAME_KINDS; kind++)
        for (size_t i = 0; i < from->names[kind].n && !rc; i++) {
            const struct loom_named *entry = &from->names[kind].entries[i];
            rc =
                loom_trace_set_name(to, (enum loom_name_kind)kind, entry->number, entry->name, err);
        }
    return rc;
}

int loom_trace_subset(struct loom_trace **out, const struct loom_trace *trace, const uint8_t *keep,
                      uint8_t wanted, struct loom_error *err)
{
    struct loom_trace *subset = NULL;
    int rc = loom_trace_create(&subset, err);
    if (!rc)
        rc = copy_header(subset, trace, err);
    if (!rc)
        rc = copy_rows(subset, trace, keep, wanted, err);
    if (rc) {
        loom_trace_destroy(subset);
        return rc;
    }
    *out = subset;
    return 0;
}

int loom_trace_derive(struct loom_trace **out, const struct loom_trace *from,
                      struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    int rc = loom_trace_create(&trace, err);
    if (!rc)
        rc = copy_header(trace, from, err);
    if (rc) {
        loom_trace_destroy(trace);
        return rc;
    }
    trace->columns = from->columns;
    for (int column = 0; column < LOOM_COLUMN_COUNT; column++)
        trace->shared[column] = true;
    trace->capacity = from->capacity;
    trace->report = from->report;
    trace->view.n = from->view.n;
    point_view_at_columns(trace);
    *out = trace;
    return 0;
}
