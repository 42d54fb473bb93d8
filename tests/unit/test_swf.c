/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Standard Workload Format: values, bad lines with their place, any number of threads,
 * rewriting. */
#include "support.h"

#include "trace/column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;
static char copy[96];

static int set_up(void **state)
{
    *state = &scratch;
    int rc = scratch_open(&scratch, "log.swf");
    snprintf(copy, sizeof copy, "%s/copy.swf", scratch.directory);
    return rc;
}

static int read_text(struct loom_trace **trace, const char *text, size_t size, bool skip,
                     struct loom_pool *pool, struct loom_error *err)
{
    store(scratch.file, text, size);
    struct loom_read_options options = {.format = "swf", .skip_bad_lines = skip, .pool = pool};
    *trace = NULL;
    return loom_trace_read(trace, scratch.file, &options, err);
}

static struct loom_trace *good_text(const char *text)
{
    const struct loom_read_options options = {.format = "swf"};
    store_text(scratch.file, text);
    return must_read(scratch.file, &options);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void test_one_line(void **state)
{
    (void)state;
    struct loom_trace *trace = good_text(
        "   12   342343      5    553   40 552.21    7   41  43200   9  1   4   6  3 2  8 11 99\n");
    assert_int_equal(loom_trace_count(trace), 1);
    struct loom_job job = loom_trace_job(trace, 0);
    assert_int_equal(job.number, 12);
    assert_int_equal(job.submit_s, 342343);
    assert_int_equal(job.wait_s, 5);
    assert_int_equal(job.run_s, 553);
    assert_int_equal(job.alloc_procs, 40);
    assert_true(job.cpu_s == 552.21);
    assert_true(job.used_mem_kib == 7);
    assert_int_equal(job.req_procs, 41);
    assert_int_equal(job.request_s, 43200);
    assert_true(job.req_mem_kib == 9);
    assert_int_equal(job.status, 1);
    assert_int_equal(job.user, 4);
    assert_int_equal(job.group, 6);
    assert_int_equal(job.executable, 3);
    assert_int_equal(job.queue, 2);
    assert_int_equal(job.partition, 8);
    assert_int_equal(job.preceding, 11);
    assert_int_equal(job.think_s, 99);
    loom_trace_destroy(trace);
}

/* One number as the submit time, with 17 unknowns around it. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"0", 0},
        {"7", 7},
        {"-0", 0},
        {"-1", -1},
        {"-7", -7},
        {"+7", 7},
        {"1234567", 1234567},
        {"12345678", 12345678},
        {"123456789", 123456789},
        {"00000012", 12},
        {"000000000012", 12},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"2.4", 2},
        {"2.5", 3},
        {"-2.5", -3},
        {"1e3", 1000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[200];
        snprintf(line, sizeof line, "1 %s -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
                 cases[i].text);
        struct loom_trace *trace = good_text(line);
        if (loom_trace_jobs(trace)->submit_s[0] != cases[i].value)
            fail_msg("%s", cases[i].text);
        loom_trace_destroy(trace);
    }
}

static void test_layouts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", /* no newline at the end */
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\r\n",
        "\t1\t2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18   \t\n",
        "\n\n  \n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n\n",
        "; x\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n; y\n",
        "  ; x\r\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct loom_trace *trace = good_text(texts[i]);
        assert_int_equal(loom_trace_count(trace), 1);
        struct loom_job job = loom_trace_job(trace, 0);
        int k = 1;
#define X(name, type, what) assert_true(job.name == k++);
        LOOM_COLUMNS(X)
#undef X
        loom_trace_destroy(trace);
    }
}

static void test_no_jobs(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "; only a header\n", ";", "\n\n\n\n\n\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct loom_trace *trace = good_text(texts[i]);
        assert_int_equal(loom_trace_count(trace), 0);
        loom_trace_destroy(trace);
    }
}

static void test_header_and_remarks_in_order(void **state)
{
    (void)state;
    struct loom_trace *trace = good_text("; MaxProcs: 8\n;\n"
                                         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n"
                                         "; in between\n"
                                         "2 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n"
                                         ";at the end\r\n");
    const struct loom_directive *lines;
    assert_int_equal(loom_trace_directives(trace, &lines), 4);
    assert_string_equal(lines[0].text, " MaxProcs: 8");
    assert_string_equal(lines[1].text, "");
    assert_string_equal(lines[2].text, " in between");
    assert_string_equal(lines[3].text, "at the end");
    assert_int_equal(loom_trace_count(trace), 2);
    assert_int_equal(loom_trace_jobs(trace)->number[1], 2);
    loom_trace_destroy(trace);
}

static void test_rounding_is_counted(void **state)
{
    (void)state;
    struct loom_trace *trace = good_text("1 2.5 3 4.25 5 6.5 7 8 9 10 11 12 13 14 15 16 17 18\n"
                                         "1 2.0 3 4 5 6.5 7 8 9 10 11 12 13 14 15 16 17 18\n");
    assert_int_equal(loom_trace_report(trace)->rounded, 2);
    assert_true(loom_trace_jobs(trace)->cpu_s[0] == 6.5);
    loom_trace_destroy(trace);
}

/* ---- bad lines ------------------------------------------------------------------------------- */

#define GOOD "1 0 5 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n"

static void test_bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
        int column;
    } cases[] = {
        {"2 1 5 ten 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1",
         "field 4 (runtime): 'ten' is not a number", 7},
        {"2 1 5 1", "the line has 4 fields where SWF has 18", 0},
        {"2", "the line has 1 field where SWF has 18", 0},
        {"2 1 5 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1 7",
         "the line has 19 fields where SWF has 18", 0},
        {"2 99999999999999999999 5 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1",
         "field 2 (submit time): '99999999999999999999' is out of range", 3},
        {"2 1 5 10 4000000000 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1",
         "field 5 (allocated processors): '4000000000' is out of range", 10},
        {"2 1 5 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -",
         "field 18 (think time from preceding job): '-' is not a number", 43},
        {"2 1 5 10 4 nan -1 4 20 -1 1 1 1 -1 1 -1 -1 -1",
         "field 6 (average CPU time used): 'nan' is not a number", 12},
        {"2 1 \x01\xff 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1",
         "field 3 (wait time): '\?\?' is not a number", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        struct loom_trace *trace;
        struct loom_error err;
        int size = snprintf(text, sizeof text, GOOD "%s\n" GOOD, cases[i].line);
        assert_int_equal(read_text(&trace, text, (size_t)size, false, NULL, &err), LOOM_EFORMAT);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.file, scratch.file);
        assert_int_equal(err.line, 2);
        assert_int_equal(err.column, cases[i].column);
        assert_int_equal(read_text(&trace, text, (size_t)size, true, NULL, &err), 0);
        assert_int_equal(loom_trace_count(trace), 2);
        assert_int_equal(loom_trace_report(trace)->bad_lines, 1);
        assert_int_equal(loom_trace_report(trace)->first_bad.line, 2);
        assert_string_equal(loom_trace_report(trace)->first_bad.message, cases[i].message);
        loom_trace_destroy(trace);
    }
}

static void test_nul_byte(void **state)
{
    (void)state;
    static const char text[] = GOOD "2 1 5 \0 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n";
    struct loom_trace *trace;
    struct loom_error err;
    assert_int_equal(read_text(&trace, text, sizeof text - 1, false, NULL, &err), LOOM_EFORMAT);
    assert_string_equal(err.message, "field 4 (runtime) holds a NUL byte");
    assert_int_equal(err.line, 2);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* A log of several chunks, with remarks, blank and bad lines strewn in; the caller must free it. */
static char *make_log(size_t lines, bool with_bad, size_t *size)
{
    char *text = malloc(lines * 140), *at = text;
    for (size_t i = 0; i < lines; i++) {
        if (i % 1999 == 1998)
            at += sprintf(at, "; remark %zu\n", i);
        else if (i % 997 == 5)
            at += sprintf(at, "\n");
        else if (with_bad && i % 3001 == 3000)
            at += sprintf(at, "bad line %zu\n", i);
        else
            at += sprintf(at, "%zu %zu 5 %zu 4 %zu.%02zu -1 4 20 -1 1 %zu 1 -1 1 -1 -1 -1\n", i,
                          3 * i, i % 7919, i % 17, i % 100, i % 41);
    }
    *size = (size_t)(at - text);
    return text;
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    size_t size;
    char *text = make_log(20000, true, &size);
    struct loom_trace *alone;
    struct loom_error err;
    assert_int_equal(read_text(&alone, text, size, true, NULL, &err), 0);
    assert_int_equal(loom_trace_report(alone)->bad_lines, 6);
    assert_int_equal(loom_trace_report(alone)->first_bad.line, 3001);
    for (unsigned threads = 1; threads <= 5; threads++) {
        struct loom_pool *pool = NULL;
        struct loom_trace *trace;
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        assert_int_equal(read_text(&trace, text, size, true, pool, &err), 0);
        assert_same_jobs(trace, alone);
        assert_int_equal(loom_trace_report(trace)->bad_lines, 6);
        assert_int_equal(loom_trace_report(trace)->first_bad.line, 3001);
        const struct loom_directive *a, *b;
        size_t n = loom_trace_directives(alone, &a);
        assert_int_equal(loom_trace_directives(trace, &b), n);
        for (size_t i = 0; i < n; i++)
            assert_string_equal(a[i].text, b[i].text);
        loom_trace_destroy(trace);
        /* The first bad line of the file is the one reported, whichever thread sees which. */
        assert_int_equal(read_text(&trace, text, size, false, pool, &err), LOOM_EFORMAT);
        assert_int_equal(err.line, 3001);
        loom_pool_destroy(pool);
    }
    loom_trace_destroy(alone);
    free(text);
}

/* ---- columns of one value -------------------------------------------------------------------- */

enum { MANY = 150000 }; /* enough for a column of one value to be worth a special place */

/* The queue changes once, the user in the last line only, and most fields are unknown throughout.
 */
static struct loom_trace *read_many(struct loom_pool *pool)
{
    char *text = malloc((size_t)MANY * 80), *at = text;
    struct loom_trace *trace;
    for (int i = 0; i < MANY; i++)
        at += sprintf(at, "%d 7 -1 4 5 -1 -1 8 9 0.5 -1 %d -1 -1 %d -1 -1 -1\n", i,
                      i + 1 < MANY ? 3 : 4, i < MANY / 3);
    assert_int_equal(read_text(&trace, text, (size_t)(at - text), false, pool, NULL), 0);
    free(text);
    return trace;
}

static void check_many(const struct loom_trace *trace)
{
    assert_int_equal(loom_trace_count(trace), MANY);
    for (int i = 0; i < MANY; i++) {
        struct loom_job job = loom_trace_job(trace, (size_t)i), wanted = loom_job_unknown();
        wanted.number = i;
        wanted.submit_s = 7;
        wanted.run_s = 4;
        wanted.alloc_procs = 5;
        wanted.req_procs = 8;
        wanted.request_s = 9;
        wanted.req_mem_kib = 0.5;
        wanted.user = i + 1 < MANY ? 3 : 4;
        wanted.queue = i < MANY / 3;
#define X(name, type, what) assert_true(job.name == wanted.name);
        LOOM_COLUMNS(X)
#undef X
    }
}

static void test_columns_of_one_value(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct loom_pool *pool = NULL;
        struct loom_summary summary;
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        struct loom_trace *trace = read_many(pool);
        check_many(trace);
        assert_int_equal(loom_summarize(&summary, trace, NULL), 0);
        assert_int_equal(summary.numbers[LOOM_USER], 2);
        assert_int_equal(summary.numbers[LOOM_QUEUE], 2);
        assert_int_equal(summary.numbers[LOOM_GROUP], 0);
        assert_int_equal(summary.columns[1].known, MANY);
        assert_int_equal(summary.columns[2].known, 0);
        loom_trace_destroy(trace);
        loom_pool_destroy(pool);
    }
}

/* They can be written to, and can grow. */
static void test_columns_of_one_value_change(void **state)
{
    (void)state;
    struct loom_trace *trace = read_many(NULL);
    struct loom_job job = loom_job_unknown();
    uint8_t *keep = malloc(MANY + 1);
    job.think_s = 12;
    append(trace, job);
    assert_int_equal(loom_trace_job(trace, MANY).think_s, 12);
    assert_int_equal(loom_trace_job(trace, MANY - 1).think_s, -1);
    memset(keep, 1, MANY + 1);
    keep[0] = 0;
    loom_trace_keep(trace, keep);
    assert_int_equal(loom_trace_job(trace, MANY - 1).think_s, 12);
    assert_int_equal(loom_trace_job(trace, 0).submit_s, 7);
    loom_trace_destroy(trace);

    trace = read_many(NULL);
    loom_trace_keep(trace, keep);
    assert_int_equal(loom_trace_count(trace), MANY - 1);
    assert_int_equal(loom_trace_job(trace, MANY - 2).submit_s, 7);
    assert_int_equal(loom_trace_job(trace, MANY - 2).think_s, -1);
    loom_trace_destroy(trace);
    free(keep);
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static void check_rewritten(const struct loom_trace *trace, const char *to, struct loom_pool *pool)
{
    struct loom_trace *again = NULL;
    struct loom_write_options options = {.pool = pool};
    assert_int_equal(loom_trace_write(trace, to, &options, NULL), 0);
    assert_int_equal(loom_trace_read(&again, to, NULL, NULL), 0);
    assert_same_jobs(again, trace);
    assert_same_header(again, trace);
    loom_trace_destroy(again);
}

static void test_rewriting(void **state)
{
    (void)state;
    size_t size;
    char packed[sizeof copy + 3];
    char *text = make_log(20000, false, &size);
    struct loom_trace *trace;
    assert_int_equal(read_text(&trace, text, size, false, NULL, NULL), 0);
    snprintf(packed, sizeof packed, "%s.gz", copy);
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct loom_pool *pool = NULL;
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        check_rewritten(trace, copy, pool);
        check_rewritten(trace, packed, pool);
        loom_pool_destroy(pool);
    }
    loom_trace_destroy(trace);
    free(text);
}

static void test_extreme_values_survive(void **state)
{
    (void)state;
    static const int64_t wholes[] = {INT64_MIN, INT64_MAX, 0, -1, 99, 100, 12345678901234567};
    static const double reals[] = {0.1, -0.0, 1e300, 5e-324, 123456.75, 0x1p53 + 2, -2.5};
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 7; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = job.run_s = wholes[i];
        job.user = i % 2 ? INT32_MIN : INT32_MAX;
        job.cpu_s = reals[i] + 0.0; /* -0 is written as 0 */
        job.used_mem_kib = -reals[i] + 0.0;
        append(trace, job);
    }
    check_rewritten(trace, copy, NULL);
    loom_trace_destroy(trace);
}

static void test_written_as_the_archive_does(void **state)
{
    (void)state;
    struct loom_trace *trace = good_text("; Version: 2.2\n"
                                         "12 342343 5 553 40 552.21 -1 40 43200 -1 1 4 1 -1 -1 1 "
                                         "-1 -1\n");
    assert_int_equal(loom_trace_write(trace, copy, NULL, NULL), 0);
    char *text = load(copy);
    assert_string_equal(text, "; Version: 2.2\n"
                              "   12   342343      5    553   40 552.21    -1   40  43200    -1  1 "
                              "  4   1  -1 -1  1 -1 -1\n");
    free(text);
    loom_trace_destroy(trace);
}

/* How the values of a column come about: mostly of one length, and one in `odd` of any. */
struct habit {
    uint64_t low, high, odd;
    bool fractions;
};

static struct habit make_habit(struct loom_stream *stream, bool real)
{
    uint64_t low = 1;
    for (uint64_t digits = loom_stream_below(stream, real ? 15 : 17); digits > 0; digits--)
        low *= 10;
    static const uint64_t odd[] = {2, 30, 400, UINT64_MAX};
    return (struct habit){.low = loom_stream_below(stream, 2) ? low : 0,
                          .high = loom_stream_below(stream, 3) ? 10 * low : low + 1,
                          .odd = odd[loom_stream_below(stream, 4)],
                          .fractions = real && loom_stream_below(stream, 4) == 0};
}

static int64_t make_value(const struct habit *habit, int64_t most, struct loom_stream *stream)
{
    if (loom_stream_below(stream, habit->odd) == 0)
        return (int64_t)(loom_stream_u64(stream) >> 1 >> loom_stream_below(stream, 64)) % most -
               (int64_t)loom_stream_below(stream, 2) * 2;
    uint64_t value = habit->low + loom_stream_below(stream, habit->high - habit->low);
    return loom_stream_below(stream, 50) ? (int64_t)(value % (uint64_t)most) : -1;
}

static struct loom_job make_job(const struct habit *habits, struct loom_stream *stream)
{
    struct loom_job job;
    for (int i = 0; i < LOOM_COLUMN_COUNT; i++) {
        const struct loom_column_info *column = &loom_column_table[i];
        int64_t most = column->type == LOOM_WHOLE_32 ? INT32_MAX
                       : column->type == LOOM_REAL   ? INT64_C(1) << 52
                                                     : INT64_MAX;
        int64_t value = make_value(&habits[i], most, stream);
        int32_t narrow = (int32_t)value;
        double real = (double)value + (habits[i].fractions ? 0.25 : 0);
        void *to = (char *)&job + column->offset;
        if (column->type == LOOM_WHOLE_64)
            memcpy(to, &value, sizeof value);
        else if (column->type == LOOM_WHOLE_32)
            memcpy(to, &narrow, sizeof narrow);
        else
            memcpy(to, &real, sizeof real);
    }
    return job;
}

/* As printf would have it. */
static char *print_line(char *at, const struct loom_job *job)
{
    static const int widths[] = {5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};
    char text[LOOM_NUMBER_PRINT];
    for (int i = 0; i < LOOM_COLUMN_COUNT; i++) {
        loom_column_print(text, job, (enum loom_column)i);
        at += sprintf(at, "%*s%c", widths[i], text, i + 1 < LOOM_COLUMN_COUNT ? ' ' : '\n');
    }
    return at;
}

/* Jobs whose lines look alike are put together, and all others one by one. */
static void test_written_alike_or_not(void **state)
{
    (void)state;
    enum { JOBS = 1000, LINE = LOOM_COLUMN_COUNT * LOOM_NUMBER_PRINT };
    char *wanted = malloc(JOBS * LINE);
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "writing");
    for (int round = 0; round < 60; round++) {
        struct loom_trace *trace = empty_trace();
        struct habit habits[LOOM_COLUMN_COUNT];
        for (int i = 0; i < LOOM_COLUMN_COUNT; i++)
            habits[i] = make_habit(&stream, loom_column_table[i].type == LOOM_REAL);
        char *at = wanted;
        for (int i = 0; i < JOBS; i++) {
            struct loom_job job = make_job(habits, &stream);
            append(trace, job);
            at = print_line(at, &job);
        }
        assert_int_equal(loom_trace_write(trace, copy, NULL, NULL), 0);
        char *text = load(copy);
        assert_string_equal(text, wanted);
        free(text);
        loom_trace_destroy(trace);
    }
    free(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_no_jobs),
        cmocka_unit_test(test_header_and_remarks_in_order),
        cmocka_unit_test(test_rounding_is_counted),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_nul_byte),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_columns_of_one_value),
        cmocka_unit_test(test_columns_of_one_value_change),
        cmocka_unit_test(test_rewriting),
        cmocka_unit_test(test_extreme_values_survive),
        cmocka_unit_test(test_written_as_the_archive_does),
        cmocka_unit_test(test_written_alike_or_not),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}
