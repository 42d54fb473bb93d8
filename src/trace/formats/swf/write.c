/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing SWF: the header lines as they are, then a line a job, in columns as wide as the archive's
 * own files have them. Blocks of jobs are formatted by the threads of the pool and written in
 * order.
 */
#include "trace/formats/swf/write.h"

#include "base/pool.h"
#include "trace/number.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_JOBS = 2048, FIELDS = LOOM_COLUMN_COUNT, LONGEST_LINE = FIELDS * LOOM_NUMBER_PRINT };

static const int widths[FIELDS] = {5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};

/* ---- fields ---------------------------------------------------------------------------------- */

/* Write digits at the right end of a field that is at least `width` wide; return the end. */
static char *put_padded(char *at, const char *digits, size_t length, int width)
{
    for (; (size_t)width > length; width--)
        *at++ = ' ';
    memcpy(at, digits, length);
    return at + length;
}

static char *put_int(char *at, int64_t value, int width)
{
    char digits[LOOM_NUMBER_PRINT];
    return put_padded(at, digits, loom_number_print_int(digits, value), width);
}

static char *put_int32(char *at, int32_t value, int width)
{
    return put_int(at, value, width);
}

static char *put_real(char *at, double value, int width)
{
    char digits[LOOM_NUMBER_PRINT];
    return put_padded(at, digits, loom_number_print_real(digits, value), width);
}

#define PUT(value) _Generic((value), int64_t : put_int, int32_t : put_int32, double : put_real)

static char *put_job(char *at, const struct loom_jobs *jobs, size_t row)
{
    int i = 0;
#define X(name, type, what)                                      \
    at = PUT(jobs->name[row])(at, jobs->name[row], widths[i++]); \
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
    if (!block->text && !(block->text = malloc((size_t)BLOCK_JOBS * LONGEST_LINE)))
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
