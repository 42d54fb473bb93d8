/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing SWF: the header lines as they are, then a line a job, in columns as wide as the archive's
 * own files have them. Blocks of jobs are formatted by the threads of the pool and written in
 * order.
 */
#include "trace/formats/swf/write.h"

#include "base/pool.h"
#include "trace/formats/swf/digits.h"
#include "trace/formats/swf/stamp.h"
#include "trace/number.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_JOBS = 2048, FIELDS = LOOM_COLUMN_COUNT, LONGEST_LINE = FIELDS * LOOM_NUMBER_PRINT };

static const int widths[FIELDS] = {5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};

/* What is put is put by fixed sizes, which are enough for any; what is too much is written over by
 * what comes next, or lies in the slack of a block. */
enum { MOST_BLANKS = 8, MOST_UNKNOWN = 96, SLACK = MOST_UNKNOWN };

static char *put_blanks(char *at, int n)
{
    memcpy(at, "        ", MOST_BLANKS);
    return n > 0 ? at + n : at;
}

/* Up to LOOM_NUMBER_PRINT digits. */
static char *put_padded(char *at, const char *digits, size_t length, int width)
{
    at = put_blanks(at, width - (int)length);
    memcpy(at, digits, length);
    return at + length;
}

/* A number below 10^8: its leading zeros become blanks, and those before the field go. */
static char *put_short(char *at, uint32_t number, int width)
{
    uint64_t text = loom_eight_text(number);
    int digits = 8 - __builtin_ctzll(text & UINT64_C(0x1010101010101010)) / 8;
    int length = width > digits ? width : digits;
    loom_store_eight(at, text >> 8 * (8 - length));
    return at + length;
}

/* The last eight digits of a longer number, and what comes before. */
static char *put_long(char *at, uint64_t number, int width)
{
    if (number < LOOM_EIGHT_DIGITS)
        return put_short(at, (uint32_t)number, width > 0 ? width : 0);
    at = put_long(at, number / LOOM_EIGHT_DIGITS, width - 8);
    loom_store_eight(at, loom_eight_digits((uint32_t)(number % LOOM_EIGHT_DIGITS)));
    return at + 8;
}

static char *put_negative(char *at, int64_t value, int width)
{
    char digits[LOOM_NUMBER_PRINT] = "-";
    char *end = put_long(digits + 1, 0 - (uint64_t)value, 0);
    return put_padded(at, digits, (size_t)(end - digits), width);
}

/* A field of blanks that ends in one or two given characters. */
static inline char *put_ending(char *at, uint64_t blanks_and_ending, int width)
{
    loom_store_eight(at, blanks_and_ending >> 8 * (8 - width));
    return at + width;
}

static inline char *put_int(char *at, int64_t value, int width)
{
    static const uint64_t zero = UINT64_C(0x3020202020202020); /* "       0" */
    if ((uint64_t)value < 10 && width > 0)
        return put_ending(at, zero + ((uint64_t)value << 56), width);
    if (value == -1 && width > 1)
        return put_ending(at, LOOM_EIGHT_UNKNOWN, width);
    return value < 0 ? put_negative(at, value, width) : put_long(at, (uint64_t)value, width);
}

/* Hundredths, which most fractions in logs are, without the search for the fewest digits. Returns
 * the length, or 0 if the value is something else. */
static size_t print_hundredths(char *digits, double value)
{
    double hundredths = value * 100;
    if (!(hundredths > 0 && hundredths < 0x1p49))
        return 0;
    int64_t whole = (int64_t)(hundredths + 0.5);
    if ((double)whole / 100 != value)
        return 0;
    char *end = put_int(digits, whole / 100, 0);
    *end++ = '.';
    *end++ = (char)('0' + whole % 100 / 10);
    if (whole % 10 != 0)
        *end++ = (char)('0' + whole % 10);
    return (size_t)(end - digits);
}

static char *put_real(char *at, double value, int width)
{
    if (value >= -0x1p53 && value <= 0x1p53 && value == (double)(int64_t)value)
        return put_int(at, (int64_t)value, width);
    char digits[LOOM_NUMBER_PRINT];
    size_t length = print_hundredths(digits, value);
    if (length == 0)
        length = loom_number_print_real(digits, value);
    return put_padded(at, digits, length, width);
}

static char *put_int32(char *at, int32_t value, int width)
{
    return put_int(at, value, width);
}

#define PUT(value) _Generic((value), int64_t : put_int, int32_t : put_int32, double : put_real)

/* ---- lines ----------------------------------------------------------------------------------- */

/* Most fields of most logs are unknown in all jobs. Runs of them are put as one text, which belongs
 * to the first field of the run; the others of it have none. */
struct field {
    bool known; /* in some job of the block */
    size_t length;
    char text[MOST_UNKNOWN];
};

static bool known_int64(const int64_t *values, size_t n)
{
    int64_t all = -1;
    for (size_t i = 0; i < n; i++)
        all &= values[i];
    return all != -1;
}

static bool known_int32(const int32_t *values, size_t n)
{
    int32_t all = -1;
    for (size_t i = 0; i < n; i++)
        all &= values[i];
    return all != -1;
}

static bool known_real(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] != -1)
            return true;
    return false;
}

#define IS_KNOWN(column) \
    _Generic((column), const int64_t *: known_int64, const int32_t *: known_int32, const double *: known_real)

static void plan_fields(struct field *fields, const struct loom_jobs *jobs, size_t from, size_t to)
{
    int i = 0;
    struct field *run = NULL;
#define X(name, type, what) fields[i++].known = IS_KNOWN(jobs->name)(jobs->name + from, to - from);
    LOOM_COLUMNS(X)
#undef X
    for (i = 0; i < FIELDS; i++) {
        run = fields[i].known ? NULL : run ? run : &fields[i];
        fields[i].length = 0;
        if (!run)
            continue;
        char *end = put_int(run->text + run->length, -1, widths[i]);
        *end++ = ' ';
        run->length = (size_t)(end - run->text);
    }
}

static inline char *put_text(char *at, const struct field *field)
{
    enum { SHORT = 32 };
    if (field->length <= SHORT)
        memcpy(at, field->text, SHORT);
    else
        memcpy(at, field->text, MOST_UNKNOWN);
    return at + field->length;
}

static char *put_job(char *at, const struct loom_jobs *jobs, const struct field *fields, size_t row)
{
    int i = 0;
#define X(name, type, what)                                        \
    if (fields[i].known) {                                         \
        at = PUT(jobs->name[row])(at, jobs->name[row], widths[i]); \
        *at++ = ' ';                                               \
    } else if (fields[i].length > 0) {                             \
        at = put_text(at, &fields[i]);                             \
    }                                                              \
    i++;
    LOOM_COLUMNS(X)
#undef X
    at[-1] = '\n';
    return at;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

struct block {
    char *text;
    size_t size;
};

struct writing {
    const struct loom_jobs *jobs;
    struct loom_output *out;
    struct block *blocks; /* `window` of them, used in turn */
    size_t window;
    struct field fields[FIELDS]; /* of any jobs */
    struct loom_stamp_texts texts;
};

/* Jobs that look alike together. A job of another length ends a row, and the next begins with it:
 * where rows are short again and again, what is left is faster put line by line. Returns the first
 * job that is left. */
static size_t put_alike(char **at, const struct writing *w, const struct loom_stamp_plan *plan,
                        size_t from, size_t to)
{
    enum { FEW = 8, MOST_SHORT = 4 };
    for (int short_rows = 0; to - from >= FEW && short_rows < MOST_SHORT;) {
        char *next = put_job(*at, w->jobs, w->fields, from);
        size_t n = loom_stamp_lines(*at, next, w->jobs, from, to, widths, &w->texts, plan);
        *at += n * (size_t)(next - *at);
        from += n;
        short_rows += n < FEW;
    }
    return from;
}

static char *put_jobs(char *at, const struct writing *w, const struct loom_stamp_plan *plan,
                      size_t from, size_t to)
{
    from = put_alike(&at, w, plan, from, to);
    if (from == to)
        return at;
    struct field fields[FIELDS] = {{0}};
    plan_fields(fields, w->jobs, from, to);
    for (; from < to; from++)
        at = put_job(at, w->jobs, fields, from);
    return at;
}

static int format_block(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct writing *w = context;
    struct block *block = &w->blocks[index % w->window];
    (void)worker;
    if (!block->text && !(block->text = malloc((size_t)BLOCK_JOBS * LONGEST_LINE + SLACK)))
        return loom_fail_memory(err);
    size_t first = index * BLOCK_JOBS;
    size_t last = w->jobs->n - first < BLOCK_JOBS ? w->jobs->n : first + BLOCK_JOBS;
    char *at = block->text;
    struct loom_stamp_plan plan;
    loom_stamp_plan(&plan, w->jobs, first, last);
    for (size_t from = first, to; from < last; from = to) {
        to = last - from < LOOM_STAMP_JOBS ? last : from + LOOM_STAMP_JOBS;
        at = put_jobs(at, w, &plan, from, to);
    }
    block->size = (size_t)(at - block->text);
    return 0;
}

static int write_block(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct writing *w = context;
    const struct block *block = &w->blocks[index % w->window];
    (void)worker;
    return loom_output_write(w->out, block->text, block->size, err);
}

static int write_jobs(const struct loom_jobs *jobs, struct loom_output *out, struct loom_pool *pool,
                      struct loom_error *err)
{
    size_t threads = pool ? loom_pool_threads(pool) : 1;
    struct writing w = {.jobs = jobs, .out = out, .window = 2 * threads};
    w.blocks = calloc(w.window, sizeof *w.blocks);
    if (!w.blocks)
        return loom_fail_memory(err);
    for (int i = 0; i < FIELDS; i++)
        w.fields[i].known = true;
    loom_stamp_texts_init(&w.texts);
    size_t n = (jobs->n + BLOCK_JOBS - 1) / BLOCK_JOBS;
    int rc = loom_pool_ordered(pool, n, w.window, format_block, write_block, &w, err);
    for (size_t i = 0; i < w.window; i++)
        free(w.blocks[i].text);
    free(w.blocks);
    return rc;
}

int loom_swf_write(const struct loom_trace *trace, struct loom_output *out,
                   const struct loom_write_options *options, struct loom_error *err)
{
    const struct loom_directive *lines;
    size_t n = loom_trace_directives(trace, &lines);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_output_printf(out, err, ";%s\n", lines[i].text);
    if (rc)
        return rc;
    return write_jobs(loom_trace_jobs(trace), out, options->pool, err);
}
