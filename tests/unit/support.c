/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several unit tests need. */
#include "support.h"

#include <float.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ----------------------------------------------------------------------------------- */

int scratch_open(struct scratch *scratch, const char *file_name)
{
    snprintf(scratch->directory, sizeof scratch->directory, "/tmp/loom-test-XXXXXX");
    if (!mkdtemp(scratch->directory))
        return -1;
    snprintf(scratch->file, sizeof scratch->file, "%s/%s", scratch->directory, file_name);
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

int scratch_close(struct scratch *scratch)
{
    return nftw(scratch->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int close_scratch(void **state)
{
    return scratch_close(*state);
}

void store(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void store_text(const char *path, const char *text)
{
    store(path, text, strlen(text));
}

char *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    return text;
}

char *load_in(const char *directory, const char *name, const char *suffix)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.%s", directory, name, suffix);
    return load(path);
}

void need_gnuplot(void)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        skip();
}

char *bare(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    return copy;
}

/* ---- traces ---------------------------------------------------------------------------------- */

struct loom_trace *empty_trace(void)
{
    struct loom_trace *trace = NULL;
    assert_int_equal(loom_trace_create(&trace, NULL), 0);
    return trace;
}

void append(struct loom_trace *trace, struct loom_job job)
{
    assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
}

void append_refused(struct loom_trace *trace, int64_t procs, struct loom_stream *stream)
{
    size_t n = loom_trace_count(trace);
    for (size_t row = 0; row < n; row++) {
        struct loom_job job = loom_trace_job(trace, row);
        uint64_t kind = loom_stream_below(stream, 3);
        job.number = (int64_t)(n + row);
        job.submit_s += (int64_t)loom_stream_below(stream, 2 * (uint64_t)job.run_s + 1);
        job.run_s = kind == 0 ? -1 : job.run_s;
        job.req_procs = job.alloc_procs = kind == 1 ? -1 : (int32_t)procs + (kind == 2);
        append(trace, job);
    }
}

struct loom_trace *must_read(const char *path, const struct loom_read_options *options)
{
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    if (loom_trace_read(&trace, path, options, &err))
        fail_msg("line %d, column %d: %s", (int)err.line, err.column, err.message);
    return trace;
}

void must_write(const struct loom_trace *trace, const char *path)
{
    struct loom_error err = {0};
    if (loom_trace_write(trace, path, NULL, &err))
        fail_msg("%s", err.message);
}

struct loom_trace *write_and_read(const struct loom_trace *trace, const char *path,
                                  const char *format)
{
    must_write(trace, path);
    struct loom_trace *back = must_read(path, NULL);
    assert_string_equal(loom_trace_report(back)->format, format);
    return back;
}

/* ---- any job --------------------------------------------------------------------------------- */

static int64_t any_whole(struct loom_stream *stream, int bits)
{
    int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
    switch (loom_stream_below(stream, 6)) {
    case 0:
        return -1;
    case 1:
        return loom_stream_below(stream, 2) ? most : -most - 1;
    default: {
        int64_t number = (int64_t)(loom_stream_u64(stream) >> (65 - bits)) >>
                         loom_stream_below(stream, (uint64_t)bits - 1);
        return loom_stream_below(stream, 2) ? number : -number;
    }
    }
}

static double any_real(struct loom_stream *stream)
{
    const uint64_t bits = loom_stream_u64(stream);
    double value;
    switch (loom_stream_below(stream, 6)) {
    case 0:
        return -1;
    case 1:
        return (double)any_whole(stream, 64);
    case 2:
        return loom_stream_below(stream, 2) ? DBL_MAX : DBL_TRUE_MIN;
    case 3:
        memcpy(&value, &bits, sizeof value);
        return isfinite(value) ? value : 0;
    default:
        return ldexp(loom_stream_uniform(stream) - 0.5, (int)loom_stream_below(stream, 200) - 100);
    }
}

struct loom_job any_job(struct loom_stream *stream)
{
    struct loom_job job;
#define X(name, type, what)                         \
    job.name = _Generic((type)0, double             \
                        : any_real(stream), default \
                        : (type)any_whole(stream, sizeof(type) * 8));
    LOOM_COLUMNS(X)
#undef X
    return job;
}

/* ---- comparing ------------------------------------------------------------------------------- */

void assert_same_job(struct loom_job got, struct loom_job wanted)
{
#define X(name, type, what)                                                           \
    if (memcmp(&got.name, &wanted.name, sizeof got.name) != 0)                        \
        fail_msg("job %lld: %s is %.17g, not %.17g", (long long)wanted.number, #name, \
                 (double)got.name, (double)wanted.name);
    LOOM_COLUMNS(X)
#undef X
}

void assert_row(const struct loom_trace *trace, size_t row, struct loom_job wanted)
{
    assert_true(row < loom_trace_count(trace));
    assert_same_job(loom_trace_job(trace, row), wanted);
}

void assert_same_jobs(const struct loom_trace *got, const struct loom_trace *wanted)
{
    assert_int_equal(loom_trace_count(got), loom_trace_count(wanted));
    for (size_t row = 0; row < loom_trace_count(got); row++)
        assert_row(got, row, loom_trace_job(wanted, row));
}

void assert_same_header(const struct loom_trace *got, const struct loom_trace *wanted)
{
    const struct loom_directive *left, *right;
    size_t n = loom_trace_directives(got, &left);
    assert_int_equal(n, loom_trace_directives(wanted, &right));
    for (size_t i = 0; i < n; i++)
        assert_string_equal(left[i].text, right[i].text);
}

struct loom_trace *real_log(const char *name)
{
    const char *folder = getenv("WORKLOOM_TRACES");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.swf.gz", folder ? folder : "", name);
    struct loom_trace *trace;
    return loom_trace_read(&trace, path, NULL, NULL) ? NULL : trace;
}

struct loom_trace *completed_jobs(const char *name)
{
    struct loom_trace *trace = real_log(name);
    if (!trace)
        return NULL;
    size_t n = loom_trace_count(trace);
    uint8_t *keep = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        keep[i] = loom_trace_job(trace, i).status == LOOM_STATUS_COMPLETED;
    loom_trace_keep(trace, keep);
    free(keep);
    return trace;
}
