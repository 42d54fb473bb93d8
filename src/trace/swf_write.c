/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing SWF: the header lines as they are, then a line a job, in columns as wide as the archive's
 * own files have them. Blocks of jobs are formatted by the threads of the pool and written in
 * order.
 */
#include "trace/swf_write.h"

#include "trace/number.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_JOBS = 4096, FIELDS = LOOM_COLUMN_COUNT, LONGEST_LINE = FIELDS * LOOM_NUMBER_PRINT };

static const int widths[FIELDS] = {5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};

/* Blanks are put by eights, which is enough for any column; those too many are written over by what
 * comes next, or lie in the slack of a block. */
enum { MOST_BLANKS = 8, SLACK = MOST_BLANKS };

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

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

/* Most fields of most logs are unknown. */
static char *put_unknown(char *at, int width)
{
    memcpy(at, "      -1" + MOST_BLANKS - width, MOST_BLANKS);
    return at + width;
}

static int count_digits(uint64_t number)
{
    int digits = 1;
    for (; number >= 10000; number /= 10000)
        digits += 4;
    return digits + (number >= 10) + (number >= 100) + (number >= 1000);
}

static char *put_int(char *at, int64_t value, int width)
{
    if (value == -1 && width >= 2)
        return put_unknown(at, width);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int length = count_digits(rest) + (value < 0);
    at = put_blanks(at, width - length);
    *at = '-'; /* written over where there is none */
    char *end = at + length, *digit = end;
    for (; rest >= 100; rest /= 100) {
        digit -= 2;
        memcpy(digit, digit_pairs + 2 * (rest % 100), 2);
    }
    if (rest >= 10)
        memcpy(digit - 2, digit_pairs + 2 * rest, 2);
    else
        digit[-1] = (char)('0' + rest);
    return end;
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
    const char *pair = digit_pairs + 2 * (whole % 100);
    *end++ = '.';
    *end++ = pair[0];
    if (pair[1] != '0')
        *end++ = pair[1];
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

static char *put_job(char *at, const struct loom_jobs *jobs, size_t row)
{
    int field = 0;
#define X(name, type, what)                                          \
    at = PUT(jobs->name[row])(at, jobs->name[row], widths[field++]); \
    *at++ = ' ';
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
};

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
    for (size_t row = first; row < last; row++)
        at = put_job(at, w->jobs, row);
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
