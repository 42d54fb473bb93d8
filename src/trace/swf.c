/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Standard Workload Format, version 2.2: 18 numbers a line, -1 for unknown, header lines that
 * start with ';'. This file reads it; swf_write.c writes it.
 *
 * Reading is done by all threads of the pool. Each takes the next chunk of lines and puts its jobs
 * behind the most that the chunks before it can hold, so that the table comes out the same for any
 * number of threads. Lines that are no jobs (remarks and blank lines after the header, bad lines
 * being skipped) leave gaps, which are closed at the end.
 */
#include "base/vec.h"
#include "trace/edges.h"
#include "trace/format.h"
#include "trace/number.h"
#include "trace/swf_write.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = LOOM_COLUMN_COUNT, SHORTEST_LINE = 2 * FIELDS };

/* ---- one line -------------------------------------------------------------------------------- */

/* A remark found among the jobs, to be added to the header in order. */
struct remark {
    char *text;
    size_t length;
};

/* What came out of one chunk. */
struct part {
    size_t first_row, jobs;
    struct remark *remarks;
    size_t n_remarks, remarks_capacity;
    int64_t bad_lines, rounded;
    struct loom_error first_bad;
};

/* What one thread works with. */
struct worker {
    char *buffer;
    struct loom_edges edges;
};

struct reading {
    struct loom_reader *reader;
    struct loom_columns columns;
    struct part *parts;
    size_t n_parts;
    struct worker *workers;
    atomic_size_t failed_part; /* lowest part that failed: later ones need not be read */
};

static const char *const field_names[FIELDS] = {
#define X(name, type, what) what,
    LOOM_COLUMNS(X)
#undef X
};

/* At most 8 digits, or -1: nearly every field of a log. The 8 bytes that end with the word are
 * taken as one number and added up pairwise. */
static inline bool read_short(const char *word, size_t length, int64_t *out)
{
    if (length == 2 && word[0] == '-' && word[1] == '1') {
        *out = -1;
        return true;
    }
    if (length > 8)
        return false;
    uint64_t digits;
    memcpy(&digits, word + length - 8, sizeof digits);
    digits = (digits ^ 0x3030303030303030u) & (~(uint64_t)0 << (64 - 8 * length));
    if (((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u)
        return false;
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & 0x000000ff000000ffu) * 0x000f424000000064u +
              ((digits >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
             32;
    *out = (int64_t)(uint32_t)digits;
    return true;
}

static enum loom_number read_int64(int64_t *out, const char *word, size_t length)
{
    return loom_number_whole(out, word, length, INT64_MIN, INT64_MAX);
}

static enum loom_number read_int32(int32_t *out, const char *word, size_t length)
{
    int64_t number = 0;
    enum loom_number result = loom_number_whole(&number, word, length, INT32_MIN, INT32_MAX);
    *out = (int32_t)number;
    return result;
}

#define READ_WORD(at) \
    _Generic(*(at), int64_t : read_int64, int32_t : read_int32, double : loom_number_real)

/* The fields of one line into row. Returns -1, or the index of a field that is not a number. */
static int read_fields(const struct loom_columns *columns, size_t row, const char *text,
                       const uint32_t *words, int64_t *rounded, enum loom_number *problem)
{
    int field = 0;
    int64_t number;
#define X(name, type, what)                                                         \
    {                                                                               \
        const char *word = text + words[2 * field];                                 \
        size_t length = words[2 * field + 1] - words[2 * field];                    \
        if (__builtin_expect(read_short(word, length, &number), 1)) {               \
            columns->name[row] = (type)number;                                      \
        } else {                                                                    \
            *problem = READ_WORD(columns->name)(&columns->name[row], word, length); \
            if (*problem < 0)                                                       \
                return field;                                                       \
            *rounded += *problem == LOOM_NUMBER_ROUNDED;                            \
        }                                                                           \
        field++;                                                                    \
    }
    LOOM_COLUMNS(X)
#undef X
    return -1;
}

/* ---- bad lines and remarks ------------------------------------------------------------------- */

/* A bad line: remembered and skipped if the options say so, else the end of reading. */
static int reject(const struct reading *r, struct part *part, const struct loom_error *bad,
                  struct loom_error *err)
{
    if (!r->reader->options->skip_bad_lines) {
        if (err)
            *err = *bad;
        return bad->code;
    }
    if (part->bad_lines++ == 0)
        part->first_bad = *bad;
    return 0;
}

/* A word as it can be shown in a message. */
static const char *shown(char *buf, size_t size, const char *word, size_t length)
{
    size_t n = length < size - 4 ? length : size - 4;
    for (size_t i = 0; i < n; i++)
        buf[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    memcpy(buf + n, length > n ? "..." : "", length > n ? 4 : 1);
    return buf;
}

static int reject_field(const struct reading *r, struct part *part, int64_t line, int field,
                        const char *line_text, const char *word, size_t length,
                        enum loom_number problem, struct loom_error *err)
{
    char text[40];
    struct loom_error bad;
    const char *file = loom_source_name(r->reader->source);
    int column = (int)(word - line_text) + 1;
    if (memchr(word, '\0', length))
        loom_fail_at(&bad, LOOM_EFORMAT, file, line, column,
                     "field %d (%s) holds a NUL byte; the file may be damaged", field + 1,
                     field_names[field]);
    else
        loom_fail_at(&bad, LOOM_EFORMAT, file, line, column,
                     "field %d (%s): '%s' %s; mend the line, or use --skip-bad-lines", field + 1,
                     field_names[field], shown(text, sizeof text, word, length),
                     loom_number_problem(problem));
    return reject(r, part, &bad, err);
}

static int reject_count(const struct reading *r, struct part *part, int64_t line, size_t words,
                        struct loom_error *err)
{
    struct loom_error bad;
    loom_fail_at(&bad, LOOM_EFORMAT, loom_source_name(r->reader->source), line, 0,
                 "the line has %zu field%s where SWF has %d; mend it, or use --skip-bad-lines",
                 words, words == 1 ? "" : "s", FIELDS);
    return reject(r, part, &bad, err);
}

static int keep_remark(struct part *part, const char *text, size_t length, struct loom_error *err)
{
    if (loom_grow(&part->remarks, part->n_remarks, &part->remarks_capacity))
        return loom_fail_memory(err);
    char *copy = malloc(length ? length : 1);
    if (!copy)
        return loom_fail_memory(err);
    memcpy(copy, text, length);
    part->remarks[part->n_remarks++] = (struct remark){.text = copy, .length = length};
    return 0;
}

/* The text of a remark: what follows the ';', without trailing carriage returns. */
static size_t remark_length(const char *start, const char *newline)
{
    while (newline > start && newline[-1] == '\r')
        newline--;
    return (size_t)(newline - start);
}

/* ---- one chunk ------------------------------------------------------------------------------- */

static int read_line(const struct reading *r, struct part *part, const struct loom_chunk *chunk,
                     int64_t line, uint32_t line_start, uint32_t newline, const uint32_t *words,
                     size_t n_words, struct loom_error *err)
{
    const char *text = chunk->text;
    if (n_words == 0)
        return 0;
    if (text[words[0]] == ';') {
        const char *start = text + words[0] + 1;
        return keep_remark(part, start, remark_length(start, text + newline), err);
    }
    if (n_words != FIELDS)
        return reject_count(r, part, line, n_words, err);
    enum loom_number problem = LOOM_NUMBER_OK;
    int bad = read_fields(&r->columns, part->first_row + part->jobs, text, words, &part->rounded,
                          &problem);
    if (bad < 0) {
        part->jobs++;
        return 0;
    }
    const uint32_t *word = words + 2 * bad;
    return reject_field(r, part, line, bad, text + line_start, text + word[0], word[1] - word[0],
                        problem, err);
}

static int read_chunk(const struct reading *r, struct part *part, struct worker *worker,
                      const struct loom_chunk *chunk, struct loom_error *err)
{
    loom_find_edges(&worker->edges, chunk->text, chunk->size);
    const uint32_t *word = worker->edges.words;
    const uint32_t *end = word + worker->edges.n_words;
    uint32_t line_start = 0;
    part->first_row = chunk->first_slot;
    for (size_t i = 0; i < worker->edges.n_newlines; i++) {
        uint32_t newline = worker->edges.newlines[i];
        const uint32_t *next = word + 2 * FIELDS;
        bool as_expected = next <= end && next[-1] <= newline && (next == end || *next > newline);
        if (!as_expected)
            for (next = word; next < end && *next < newline; next += 2)
                ;
        int rc = read_line(r, part, chunk, chunk->first_line + (int64_t)i, line_start, newline,
                           word, (size_t)(next - word) / 2, err);
        if (rc)
            return rc;
        word = next;
        line_start = newline + 1;
    }
    return 0;
}

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
    struct loom_source *source = r->reader->source;
    struct loom_chunk chunk;
    int more;
    (void)index;
    while ((more = loom_source_next(source, &chunk, worker->buffer, err)) > 0) {
        struct part *part = &r->parts[chunk.index];
        if (chunk.index > atomic_load(&r->failed_part))
            break;
        if (read_chunk(r, part, worker, &chunk, &part->first_bad))
            note_failure(r, chunk.index);
        loom_source_done(source, &chunk);
    }
    return more < 0 ? more : 0;
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* The leading lines that are blank or start with ';', as far as the head of the file goes. */
static int read_header(struct reading *r, struct loom_error *err)
{
    const char *head;
    size_t size;
    loom_source_head(r->reader->source, &head, &size);
    const char *line = head, *end = head + size, *newline;
    int64_t lines = 0;
    for (; line < end && (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1) {
        const char *start = line;
        while (start < newline && (*start == ' ' || *start == '\t' || *start == '\r'))
            start++;
        if (start < newline && *start != ';')
            break;
        int rc = start == newline ? 0
                                  : loom_trace_add_line(r->reader->trace, start + 1,
                                                        remark_length(start + 1, newline), err);
        if (rc)
            return rc;
        lines++;
    }
    loom_source_begin(r->reader->source, (size_t)(line - head), lines, SHORTEST_LINE);
    return 0;
}

static void *allocate_zeroed(size_t n, size_t size)
{
    return calloc(n ? n : 1, size);
}

static int prepare(struct reading *r, unsigned threads, struct loom_error *err)
{
    uint64_t bytes = loom_source_remaining(r->reader->source);
    int rc = loom_trace_reserve(r->reader->trace, (size_t)(bytes / SHORTEST_LINE + 1), err);
    if (rc)
        return rc;
    r->columns = r->reader->trace->columns;
    /* Two chunks in a row hold more than LOOM_CHUNK_BYTES, or they would be one. */
    r->n_parts = (size_t)(2 * (bytes / LOOM_CHUNK_BYTES) + 2);
    r->parts = allocate_zeroed(r->n_parts, sizeof *r->parts);
    r->workers = allocate_zeroed(threads, sizeof *r->workers);
    if (!r->parts || !r->workers)
        return loom_fail_memory(err);
    size_t words = LOOM_CHUNK_BYTES + 2 * LOOM_SOURCE_MARGIN;
    for (unsigned i = 0; i < threads; i++) {
        struct worker *worker = &r->workers[i];
        worker->buffer = malloc(words);
        worker->edges.words = malloc(words * sizeof(uint32_t));
        worker->edges.newlines = malloc(words * sizeof(uint32_t));
        if (!worker->buffer || !worker->edges.words || !worker->edges.newlines)
            return loom_fail_memory(err);
    }
    return 0;
}

static void clean_up(struct reading *r, unsigned threads)
{
    for (unsigned i = 0; r->workers && i < threads; i++) {
        free(r->workers[i].buffer);
        free(r->workers[i].edges.words);
        free(r->workers[i].edges.newlines);
    }
    for (size_t i = 0; r->parts && i < r->n_parts; i++) {
        for (size_t k = 0; k < r->parts[i].n_remarks; k++)
            free(r->parts[i].remarks[k].text);
        free(r->parts[i].remarks);
    }
    free(r->workers);
    free(r->parts);
}

/* Move the jobs of a part down over the gaps before it. */
static void move_rows(struct loom_columns *columns, size_t to, size_t from, size_t n)
{
    if (to == from || n == 0)
        return;
#define X(name, type, what) memmove(columns->name + to, columns->name + from, n * sizeof(type));
    LOOM_COLUMNS(X)
#undef X
}

/* Put the parts together: close gaps, add remarks to the header, add up what went wrong. */
static int join_parts(struct reading *r, struct loom_error *err)
{
    struct loom_trace *trace = r->reader->trace;
    struct loom_read_report *report = &trace->report;
    size_t rows = 0;
    int rc = 0;
    for (size_t i = 0; i < r->n_parts && !rc; i++) {
        const struct part *part = &r->parts[i];
        move_rows(&r->columns, rows, part->first_row, part->jobs);
        rows += part->jobs;
        report->rounded += part->rounded;
        if (part->bad_lines && report->bad_lines == 0)
            report->first_bad = part->first_bad;
        report->bad_lines += part->bad_lines;
        for (size_t k = 0; k < part->n_remarks && !rc; k++)
            rc = loom_trace_add_line(trace, part->remarks[k].text, part->remarks[k].length, err);
    }
    loom_trace_set_count(trace, rows);
    loom_trace_trim(trace);
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
        return seen_remark ? 90 : numeric && words == FIELDS ? 80 : 0;
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
