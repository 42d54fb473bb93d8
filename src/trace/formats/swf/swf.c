/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Standard Workload Format, version 2.2: 18 numbers a line, -1 for unknown, header lines that
 * start with ';'. This file reads it; swf/write.c writes it.
 *
 * Reading is done by all threads of the pool. Each takes the next chunk of lines and puts its jobs
 * behind the most that the chunks before it can hold, so that the table comes out the same for any
 * number of threads. Lines that are no jobs (remarks and blank lines after the header, bad lines
 * being skipped) leave gaps, which are closed at the end. Most logs leave some fields unknown: what
 * has one value throughout a chunk is put into the table at the end, and takes no memory there if
 * it has the same value in all chunks.
 */
#include "base/pages.h"
#include "base/progress.h"
#include "trace/formats/format.h"
#include "trace/formats/swf/lines.h"
#include "trace/formats/swf/write.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one thread works with. */
struct worker {
    char *buffer;
    struct loom_swf_scratch scratch;
};

struct reading {
    struct loom_reader *reader;
    struct loom_columns columns;
    struct loom_swf_part *parts;
    size_t n_parts;
    struct worker *workers;
    atomic_size_t failed_part; /* lowest part that failed: later ones need not be read */
};

/* ---- chunks ---------------------------------------------------------------------------------- */

static void note_failure(struct reading *r, size_t part)
{
    size_t lowest = atomic_load(&r->failed_part);
    while (part < lowest && !atomic_compare_exchange_weak(&r->failed_part, &lowest, part))
        ;
}

/* One thread's share: chunks until there are no more. A failing part's error is kept with it, so
 * that the first one in the file is reported, whichever thread came across it. */
static int read_chunks(void *context, size_t index, unsigned worker_index, struct loom_error *err)
{
    struct reading *r = context;
    struct worker *worker = &r->workers[worker_index];
    struct loom_input *input = r->reader->input;
    bool skip_bad = r->reader->options->skip_bad_lines;
    struct loom_chunk chunk;
    int more;
    (void)index;
    while ((more = loom_input_next(input, &chunk, worker->buffer, err)) > 0) {
        struct loom_swf_part *part = &r->parts[chunk.index];
        if (chunk.index > atomic_load(&r->failed_part))
            break;
        part->first_row = chunk.first_slot;
        if (loom_swf_read_lines(&worker->scratch, &r->columns, &chunk, part, skip_bad,
                                loom_input_name(input), &part->first_bad))
            note_failure(r, chunk.index);
        loom_input_done(input, &chunk);
        loom_progress_add(r->reader->options->progress, chunk.size);
    }
    return more < 0 ? more : 0;
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* The leading lines that are blank or start with ';', as far as the head of the file goes. */
static int read_header(struct reading *r, struct loom_error *err)
{
    const char *head;
    size_t size;
    loom_input_head(r->reader->input, &head, &size);
    const char *line = head, *end = head + size, *newline;
    int64_t lines = 0;
    for (; line < end && (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1) {
        const char *start = line;
        while (start < newline && (*start == ' ' || *start == '\t' || *start == '\r'))
            start++;
        if (start < newline && *start != ';')
            break;
        size_t length = (size_t)(newline - start);
        while (length > 0 && start[length - 1] == '\r')
            length--;
        int rc =
            length == 0 ? 0 : loom_trace_add_line(r->reader->trace, start + 1, length - 1, err);
        if (rc)
            return rc;
        lines++;
    }
    loom_input_begin(r->reader->input, (size_t)(line - head), lines, LOOM_SWF_SHORTEST_LINE);
    return 0;
}

static int prepare(struct reading *r, unsigned threads, struct loom_error *err)
{
    uint64_t bytes = loom_input_remaining(r->reader->input);
    /* Text in memory is given back as columns fill; but with large pages, those of a small log are
     * all there with its first job. */
    r->reader->trace->small_pages = loom_input_in_memory(r->reader->input) && bytes < UINT64_C(64)
                                                                                          << 20;
    int rc =
        loom_trace_reserve(r->reader->trace, (size_t)(bytes / LOOM_SWF_SHORTEST_LINE + 1), err);
    if (rc)
        return rc;
    r->columns = r->reader->trace->columns;
    /* Two chunks in a row hold more than LOOM_CHUNK_BYTES, or they would be one. */
    r->n_parts = (size_t)(2 * (bytes / LOOM_CHUNK_BYTES) + 2);
    r->parts = calloc(r->n_parts, sizeof *r->parts);
    r->workers = calloc(threads, sizeof *r->workers);
    if (!r->parts || !r->workers)
        return loom_fail_memory(err);
    for (unsigned i = 0; i < threads; i++) {
        struct worker *worker = &r->workers[i];
        rc = loom_swf_scratch_init(&worker->scratch, err);
        if (rc)
            return rc;
        worker->buffer = malloc(LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN);
        if (!worker->buffer)
            return loom_fail_memory(err);
    }
    return 0;
}

static void clean_up(struct reading *r, unsigned threads)
{
    for (unsigned i = 0; r->workers && i < threads; i++) {
        free(r->workers[i].buffer);
        loom_swf_scratch_free(&r->workers[i].scratch);
    }
    for (size_t i = 0; r->parts && i < r->n_parts; i++)
        loom_swf_part_free(&r->parts[i]);
    free(r->workers);
    free(r->parts);
}

static const void *first_value(const struct loom_swf_part *part, enum loom_column column)
{
    return (const char *)&part->first + loom_column_table[column].offset;
}

/* The one value that all jobs have in this column, or NULL if they differ. */
static const void *common_value(const struct reading *r, enum loom_column column, size_t item_size)
{
    const void *value = NULL;
    for (size_t i = 0; i < r->n_parts; i++) {
        const struct loom_swf_part *part = &r->parts[i];
        if (part->jobs == 0)
            continue;
        if (!value)
            value = first_value(part, column);
        if (part->varies[column] || memcmp(first_value(part, column), value, item_size) != 0)
            return NULL;
    }
    return value;
}

/* Move each part's values down over the gaps before it, and put in those that were left out. */
static void join_values(const struct reading *r, enum loom_column column, char *values,
                        size_t item_size)
{
    char *to = values;
    for (size_t i = 0; i < r->n_parts; i++) {
        const struct loom_swf_part *part = &r->parts[i];
        const char *from = values + item_size * part->first_row;
        if (!part->varies[column])
            loom_fill(to, first_value(part, column), item_size, part->jobs);
        else if (to != from)
            memmove(to, from, item_size * part->jobs);
        to += item_size * part->jobs;
    }
}

/* The columns of all parts, one after the other. Where all values are the same, the memory that was
 * reserved for them has not been touched, and is given back. */
static void join_columns(struct reading *r, size_t rows)
{
    struct loom_trace *trace = r->reader->trace;
#define X(name, type, what)                                 \
    if (!common_value(r, LOOM_COLUMN_##name, sizeof(type))) \
        join_values(r, LOOM_COLUMN_##name, (char *)r->columns.name, sizeof(type));
    LOOM_COLUMNS(X)
#undef X
    loom_trace_set_count(trace, rows);
    loom_trace_trim(trace);
#define X(name, type, what)                                                    \
    {                                                                          \
        const void *value = common_value(r, LOOM_COLUMN_##name, sizeof(type)); \
        if (value)                                                             \
            loom_trace_set_column(trace, LOOM_COLUMN_##name, value);           \
    }
    LOOM_COLUMNS(X)
#undef X
}

/* Put the parts together: join columns, add remarks to the header, add up what went wrong. */
static int join_parts(struct reading *r, struct loom_error *err)
{
    struct loom_trace *trace = r->reader->trace;
    struct loom_read_report *report = &trace->report;
    size_t rows = 0;
    int rc = 0;
    for (size_t i = 0; i < r->n_parts && !rc; i++) {
        const struct loom_swf_part *part = &r->parts[i];
        rows += part->jobs;
        report->rounded += part->rounded;
        if (part->bad_lines && report->bad_lines == 0)
            report->first_bad = part->first_bad;
        report->bad_lines += part->bad_lines;
        for (size_t k = 0; k < part->n_remarks && !rc; k++)
            rc = loom_trace_add_line(trace, part->remarks[k].text, part->remarks[k].length, err);
    }
    join_columns(r, rows);
    return rc;
}

static int read_jobs(struct reading *r, unsigned threads, struct loom_error *err)
{
    int rc = prepare(r, threads, err);
    if (rc)
        return rc;
    struct loom_error later;
    rc = loom_pool_for(r->reader->options->pool, threads, read_chunks, r, &later);
    size_t failed = atomic_load(&r->failed_part);
    if (failed < r->n_parts) {
        if (err)
            *err = r->parts[failed].first_bad;
        return r->parts[failed].first_bad.code;
    }
    if (rc) {
        if (err)
            *err = later;
        return rc;
    }
    return join_parts(r, err);
}

static int read_swf(struct loom_reader *reader, struct loom_error *err)
{
    struct reading r = {.reader = reader};
    atomic_init(&r.failed_part, SIZE_MAX);
    unsigned threads = reader->options->pool ? loom_pool_threads(reader->options->pool) : 1;
    int rc = read_header(&r, err);
    if (!rc)
        rc = read_jobs(&r, threads, err);
    clean_up(&r, threads);
    return rc;
}

/* ---- probing --------------------------------------------------------------------------------- */

/* SWF is 18 numbers on the first line that is no remark; a remark alone is a good sign. */
static int probe_swf(const char *head, size_t size)
{
    struct loom_lines lines = {.next = head, .end = head + size};
    const char *line;
    size_t length;
    int seen_remark = 0;
    while (loom_lines_next(&lines, &line, &length)) {
        size_t words = 0;
        bool numeric = true, inside = false;
        size_t start = 0;
        while (start < length && (line[start] == ' ' || line[start] == '\t'))
            start++;
        if (start == length)
            continue;
        if (line[start] == ';') {
            seen_remark = 1;
            continue;
        }
        for (size_t i = start; i < length; i++) {
            bool blank = line[i] == ' ' || line[i] == '\t';
            words += !blank && !inside;
            inside = !blank;
            numeric = numeric && (blank || strchr("+-.0123456789eE", line[i]));
        }
        return seen_remark ? 90 : numeric && words == LOOM_SWF_FIELDS ? 80 : 0;
    }
    return seen_remark ? 60 : 0;
}

const struct loom_format_ops loom_format_swf = {
    .info =
        {
            .name = "swf",
            .summary = "Standard Workload Format 2.2, the Parallel Workloads Archive's",
            .suffixes = "swf",
            .can_read = true,
            .can_write = true,
        },
    .probe = probe_swf,
    .read = read_swf,
    .write = loom_swf_write,
};
