/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Standard Workload Format, version 2.2: 18 numbers a line, -1 for unknown, header lines that
 * start with ';'. This file reads it; swf/write.c writes it.
 *
 * All threads of the pool read. Each takes the next chunk of lines and stores its jobs behind the
 * most that the chunks before it can hold, so that the table is the same for any number of threads.
 * Lines that are no jobs (remarks and blank lines after the header, skipped bad lines) leave gaps,
 * which are closed at the end. A column with one value throughout a chunk is put into the table at
 * the end, and takes no memory there if all chunks have that value.
 *
 * Each number is read from left to right. Whole numbers of up to 15 digits, which nearly all are,
 * are read here; the rest by the rules for all formats (number.h).
 */
#include "base/pages.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/formats/format.h"
#include "trace/formats/swf/write.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS = LOOM_COLUMN_COUNT,
    SHORTEST_LINE = 2 * FIELDS, /* a digit and a blank or newline each */
    MOST_DIGITS = 15,           /* of a number that fits int64_t and double without loss */
};

/* What every number goes through; word_length is for the few that are read by other rules. */
#define INLINE static inline __attribute__((always_inline))

static const char *const field_names[FIELDS] = {
#define X(name, type, what) what,
    LOOM_COLUMNS(X)
#undef X
};

/* A remark found among the jobs, to be added to the header in order. */
struct remark {
    char *text;
    size_t length;
};

/* Result of one chunk. A column that does not vary is not in the table yet: all its values are the
 * first job's. */
struct part {
    size_t first_row, jobs;
    struct loom_job first;
    bool varies[FIELDS];
    struct remark *remarks;
    size_t n_remarks, remarks_capacity;
    int64_t bad_lines, rounded;
    struct loom_error first_bad; /* the first line skipped, or the one that ended the reading */
};

struct reading {
    struct loom_reader *reader;
    struct part *parts; /* by index of chunk */
    size_t n_parts;
    char **buffers;            /* one per thread, for text that is not in memory */
    atomic_size_t failed_part; /* lowest part that failed: later ones need not be read */
};

/* A line of a chunk, by its first byte. */
struct line {
    const char *file, *line;
    int64_t number;
};

/* ---- numbers --------------------------------------------------------------------------------- */

static inline bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

__attribute__((cold)) static size_t word_length(const char *word)
{
    size_t length = 0;
    while (!is_blank(word[length]))
        length++;
    return length;
}

/* Append the digits at `at` to *value, but none from `limit` on. Return the end of them. */
INLINE const char *read_digits(int64_t *value, const char *at, const char *limit)
{
    for (; at < limit && *at >= '0' && *at <= '9'; at++)
        *value = 10 * *value + (*at - '0');
    return at;
}

/* Read the word at *at into a column of a type, and move *at behind it. */
INLINE enum loom_number read_int64(int64_t *out, const char **at)
{
    const char *word = *at, *first = word + (*word == '-');
    int64_t value = 0;
    *at = read_digits(&value, first, first + MOST_DIGITS);
    *out = *word == '-' ? -value : value;
    if (*at > first && is_blank(**at))
        return LOOM_NUMBER_OK;
    *at += word_length(*at);
    return loom_number_whole(out, word, (size_t)(*at - word), INT64_MIN, INT64_MAX);
}

INLINE enum loom_number read_int32(int32_t *out, const char **at)
{
    int64_t number = 0;
    enum loom_number result = read_int64(&number, at);
    *out = (int32_t)number;
    return result >= 0 && *out != number ? LOOM_NUMBER_RANGE : result;
}

/* With a point among them, up to MOST_DIGITS digits are divided by a power of ten, which gives the
 * nearest number, as both are exact. */
INLINE enum loom_number read_real(double *out, const char **at)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *word = *at, *first = word + (*word == '-');
    int64_t value = 0;
    *at = read_digits(&value, first, first + MOST_DIGITS);
    bool digits = *at > first;
    size_t decimals = 0;
    if (**at == '.') {
        const char *point = *at;
        *at = read_digits(&value, point + 1, first + MOST_DIGITS + 1);
        decimals = (size_t)(*at - point - 1);
    }
    *out = (double)(*word == '-' ? -value : value) / powers[decimals];
    if (digits && is_blank(**at))
        return LOOM_NUMBER_OK;
    *at += word_length(*at);
    return loom_number_real(out, word, (size_t)(*at - word));
}

#define READ_WORD(at) \
    _Generic(*(at), int64_t : read_int64, int32_t : read_int32, double : read_real)

/* ---- lines ----------------------------------------------------------------------------------- */

/* Return the next byte of the line that is no blank, or its newline. */
INLINE const char *skip_blanks(const char *at)
{
    while (is_blank(*at) && *at != '\n')
        at++;
    return at;
}

static size_t count_words(const struct line *line)
{
    size_t words = 0;
    for (const char *at = skip_blanks(line->line); *at != '\n'; words++)
        at = skip_blanks(at + word_length(at));
    return words;
}

/* State in *bad why a line is no job. A wrong number of fields comes first; word is the first one
 * that is no number, of a field from 0. */
static void explain_line(struct loom_error *bad, const struct line *line, const char *word,
                         int field, enum loom_number problem)
{
    char text[LOOM_SHOWN];
    size_t words = count_words(line);
    if (words != FIELDS) {
        loom_fail_at(bad, LOOM_EFORMAT, line->file, line->number, 0,
                     "the line has %zu field%s where SWF has %d", words, words == 1 ? "" : "s",
                     FIELDS);
        return;
    }
    size_t length = word_length(word);
    int column = (int)(word - line->line) + 1;
    if (memchr(word, '\0', length))
        loom_fail_at(bad, LOOM_EFORMAT, line->file, line->number, column,
                     "field %d (%s) holds a NUL byte", field + 1, field_names[field]);
    else
        loom_fail_at(bad, LOOM_EFORMAT, line->file, line->number, column, "field %d (%s): '%s' %s",
                     field + 1, field_names[field], loom_shown(text, word, length),
                     loom_number_problem(problem));
}

/* Read the numbers of a line into *job and count in *rounded those that lost a fraction. Return the
 * newline, or NULL and fill *bad if the line is not 18 numbers. */
static inline const char *read_job(struct loom_job *job, int64_t *rounded, struct loom_error *bad,
                                   const struct line *line)
{
    const char *at = line->line;
    int64_t lost = 0;
    int field = 0;
#define X(name, type, what)                                  \
    {                                                        \
        const char *word = at = skip_blanks(at);             \
        enum loom_number result = LOOM_NUMBER_BAD;           \
        if (*at != '\n')                                     \
            result = READ_WORD(&job->name)(&job->name, &at); \
        if (result < 0) {                                    \
            explain_line(bad, line, word, field, result);    \
            return NULL;                                     \
        }                                                    \
        lost += result == LOOM_NUMBER_ROUNDED;               \
        field++;                                             \
    }
    LOOM_COLUMNS(X)
#undef X
    at = skip_blanks(at);
    if (*at != '\n') {
        explain_line(bad, line, at, field, LOOM_NUMBER_BAD);
        return NULL;
    }
    *rounded += lost;
    return at;
}

static int keep_remark(struct part *part, const char *text, const char *newline,
                       struct loom_error *err)
{
    while (newline > text && newline[-1] == '\r')
        newline--;
    size_t length = (size_t)(newline - text);
    if (loom_grow(&part->remarks, part->n_remarks, &part->remarks_capacity))
        return loom_fail_memory(err);
    char *copy = malloc(length ? length : 1);
    if (!copy)
        return loom_fail_memory(err);
    memcpy(copy, text, length);
    part->remarks[part->n_remarks++] = (struct remark){.text = copy, .length = length};
    return 0;
}

/* Store a job in the next row of a part. Columns that vary get all values so far when the first one
 * differs. */
static inline void store_job(const struct loom_columns *columns, struct part *part,
                             const struct loom_job *job)
{
    size_t row = part->first_row + part->jobs;
    if (part->jobs++ == 0)
        part->first = *job;
#define X(name, type, what)                                                         \
    if (!part->varies[LOOM_COLUMN_##name] &&                                        \
        memcmp(&job->name, &part->first.name, sizeof(type)) != 0) {                 \
        part->varies[LOOM_COLUMN_##name] = true;                                    \
        loom_fill(columns->name + part->first_row, &part->first.name, sizeof(type), \
                  row - part->first_row);                                           \
    }                                                                               \
    if (part->varies[LOOM_COLUMN_##name])                                           \
        columns->name[row] = job->name;
    LOOM_COLUMNS(X)
#undef X
}

/* Read the lines of a chunk into the rows from part->first_row on. A bad line is counted under
 * skip_bad_lines, else it ends the reading. */
static int read_lines(const struct loom_reader *reader, const struct loom_chunk *chunk,
                      struct part *part, struct loom_error *err)
{
    const struct loom_columns *columns = &reader->trace->columns;
    const char *end = chunk->text + chunk->size;
    struct line line = {loom_input_name(reader->input), chunk->text, chunk->first_line};
    struct loom_job job;
    struct loom_error bad;
    int rc = 0;
    for (const char *newline; line.line < end && !rc; line.line = newline + 1, line.number++) {
        const char *start = skip_blanks(line.line);
        if (*start != ';' && *start != '\n' &&
            (newline = read_job(&job, &part->rounded, &bad, &line))) {
            store_job(columns, part, &job);
            continue;
        }
        newline = rawmemchr(start, '\n');
        if (*start == ';') {
            rc = keep_remark(part, start + 1, newline, err);
        } else if (*start != '\n' && reader->options->skip_bad_lines) {
            if (part->bad_lines++ == 0)
                part->first_bad = bad;
        } else if (*start != '\n') {
            *err = bad;
            err->skippable = true;
            rc = bad.code;
        }
    }
    return rc;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static void note_failure(struct reading *r, size_t part)
{
    size_t lowest = atomic_load(&r->failed_part);
    while (part < lowest && !atomic_compare_exchange_weak(&r->failed_part, &lowest, part))
        ;
}

/* Read chunks until there are no more: the task of one thread. The error of a failed part is kept
 * with it, so that the first one in the file is reported whichever thread found it. */
static int read_chunks(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct reading *r = context;
    struct loom_input *input = r->reader->input;
    struct loom_chunk chunk;
    int more;
    (void)index;
    while ((more = loom_input_next(input, &chunk, r->buffers[worker], err)) > 0) {
        struct part *part = &r->parts[chunk.index];
        if (chunk.index > atomic_load(&r->failed_part))
            break;
        part->first_row = chunk.first_slot;
        if (read_lines(r->reader, &chunk, part, &part->first_bad))
            note_failure(r, chunk.index);
        loom_input_done(input, &chunk);
        loom_progress_add(r->reader->options->progress, chunk.size);
    }
    return more < 0 ? more : 0;
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* Add the leading lines that are blank or start with ';' to the header, as far as the head of the
 * file goes. */
static int read_header(const struct loom_reader *reader, struct loom_error *err)
{
    const char *head;
    size_t size;
    loom_input_head(reader->input, &head, &size);
    const char *line = head, *end = head + size, *newline;
    int64_t lines = 0;
    for (; line < end && (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1) {
        const char *start = skip_blanks(line);
        if (start < newline && *start != ';')
            break;
        size_t length = (size_t)(newline - start);
        while (length > 0 && start[length - 1] == '\r')
            length--;
        int rc = length == 0 ? 0 : loom_trace_add_line(reader->trace, start + 1, length - 1, err);
        if (rc)
            return rc;
        lines++;
    }
    loom_input_begin(reader->input, (size_t)(line - head), lines, SHORTEST_LINE);
    return 0;
}

/* Allocate columns for as many jobs as the text can hold, parts and buffers. */
static int reserve_reading(struct reading *r, unsigned threads, struct loom_error *err)
{
    struct loom_trace *trace = r->reader->trace;
    uint64_t bytes = loom_input_remaining(r->reader->input);
    /* Text in memory is given back as columns fill; but with large pages, a small log's are
     * all there with its first job. */
    trace->small_pages = loom_input_in_memory(r->reader->input) && bytes < UINT64_C(64) << 20;
    int rc = loom_trace_reserve(trace, (size_t)(bytes / SHORTEST_LINE + 1), err);
    if (rc)
        return rc;
    /* Two chunks in a row hold more than LOOM_CHUNK_BYTES, or they would be one. */
    r->n_parts = (size_t)(2 * (bytes / LOOM_CHUNK_BYTES) + 2);
    r->parts = calloc(r->n_parts, sizeof *r->parts);
    r->buffers = calloc(threads, sizeof *r->buffers);
    bool failed = !r->parts || !r->buffers;
    for (unsigned i = 0; i < threads && !failed; i++)
        failed = !(r->buffers[i] = malloc(LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN));
    return failed ? loom_fail_memory(err) : 0;
}

static void free_reading(struct reading *r, unsigned threads)
{
    for (unsigned i = 0; r->buffers && i < threads; i++)
        free(r->buffers[i]);
    for (size_t i = 0; r->parts && i < r->n_parts; i++) {
        for (size_t k = 0; k < r->parts[i].n_remarks; k++)
            free(r->parts[i].remarks[k].text);
        free(r->parts[i].remarks);
    }
    free(r->buffers);
    free(r->parts);
}

/* Return the value of a column in the first job of a part. */
static const void *first_value(const struct part *part, enum loom_column column)
{
    return (const char *)&part->first + loom_column_table[column].offset;
}

/* Return the one value that a column has in all parts, or NULL. */
static const void *common_value(const struct reading *r, enum loom_column column, size_t size)
{
    const void *value = NULL;
    for (size_t i = 0; i < r->n_parts; i++) {
        const struct part *part = &r->parts[i];
        if (part->jobs == 0)
            continue;
        if (!value)
            value = first_value(part, column);
        if (part->varies[column] || memcmp(value, first_value(part, column), size) != 0)
            return NULL;
    }
    return value;
}

/* Move the values of a column down over the gaps between parts, and fill in those of parts in which
 * it does not vary. */
static void join_column(const struct reading *r, enum loom_column column, char *values, size_t size)
{
    for (size_t i = 0, rows = 0; i < r->n_parts; rows += r->parts[i++].jobs) {
        const struct part *part = &r->parts[i];
        char *to = values + rows * size;
        if (!part->varies[column])
            loom_fill(to, first_value(part, column), size, part->jobs);
        else if (rows < part->first_row)
            memmove(to, values + part->first_row * size, part->jobs * size);
    }
}

/* Join the columns of all parts. Memory of a column with one value was never touched, and is given
 * back. */
static void join_columns(const struct reading *r, size_t rows)
{
    struct loom_trace *trace = r->reader->trace;
    const void *values[FIELDS];
#define X(name, type, what)                                                         \
    values[LOOM_COLUMN_##name] = common_value(r, LOOM_COLUMN_##name, sizeof(type)); \
    if (!values[LOOM_COLUMN_##name])                                                \
        join_column(r, LOOM_COLUMN_##name, (char *)trace->columns.name, sizeof(type));
    LOOM_COLUMNS(X)
#undef X
    trace->view.n = rows;
    loom_trace_trim(trace);
    for (int column = 0; column < FIELDS; column++)
        if (values[column])
            loom_trace_set_column(trace, (enum loom_column)column, values[column]);
}

/* Join the parts: columns, remarks of the header, what was lost. */
static int join_parts(const struct reading *r, struct loom_error *err)
{
    struct loom_trace *trace = r->reader->trace;
    struct loom_read_report *report = &trace->report;
    size_t rows = 0;
    int rc = 0;
    for (size_t i = 0; i < r->n_parts && !rc; i++) {
        const struct part *part = &r->parts[i];
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

static int swf_read(struct loom_reader *reader, struct loom_error *err)
{
    struct reading r = {.reader = reader};
    atomic_init(&r.failed_part, SIZE_MAX);
    unsigned threads = reader->options->pool ? loom_pool_threads(reader->options->pool) : 1;
    int rc = read_header(reader, err);
    if (!rc)
        rc = reserve_reading(&r, threads, err);
    if (!rc)
        rc = loom_pool_for(reader->options->pool, threads, read_chunks, &r, err);
    size_t failed = atomic_load(&r.failed_part);
    if (failed < r.n_parts) { /* a bad line comes before any failure behind it */
        rc = r.parts[failed].first_bad.code;
        if (err)
            *err = r.parts[failed].first_bad;
    }
    if (!rc)
        rc = join_parts(&r, err);
    free_reading(&r, threads);
    return rc;
}

/* ---- probing --------------------------------------------------------------------------------- */

/* SWF is 18 numbers on the first line that is no remark; a remark alone is a good sign. */
static int swf_probe(const char *head, size_t size)
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
    .probe = swf_probe,
    .read = swf_read,
    .write = loom_swf_write,
};
