/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The job table: rows, order, subsets, summary, problems, and which format a file is taken for. */
#include "support.h"
#include "trace/column.h"
#include "trace/formats/format.h"
#include "trace/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct loom_trace *with_submits(const int64_t *submits, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = submits[i];
        append(trace, job);
    }
    return trace;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void test_unknown_job(void **state)
{
    (void)state;
    struct loom_job job = loom_job_unknown();
#define X(name, type, what) assert_true(job.name == -1);
    LOOM_COLUMNS(X)
#undef X
}

/* The job of row i, a different number in each column. */
static struct loom_job numbered_job(int i)
{
    struct loom_job job;
    int next = i * LOOM_COLUMN_COUNT;
#define X(name, type, what) job.name = (type)next++;
    LOOM_COLUMNS(X)
#undef X
    return job;
}

static void test_rows_come_back(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 1000; i++)
        append(trace, numbered_job(i));
    assert_int_equal(loom_trace_count(trace), 1000);
    for (int i = 0; i < 1000; i++)
        assert_row(trace, (size_t)i, numbered_job(i));
    loom_trace_destroy(trace);
    loom_trace_destroy(NULL);
}

static void test_columns(void **state)
{
    struct loom_job job = loom_job_unknown(), expected = loom_job_unknown();
    (void)state;

    assert_int_equal(loom_column_set(&job, LOOM_COLUMN_run_s, "12.5", 4), LOOM_NUMBER_ROUNDED);
    assert_int_equal(loom_column_set(&job, LOOM_COLUMN_req_procs, "64", 2), LOOM_NUMBER_OK);
    assert_int_equal(loom_column_set(&job, LOOM_COLUMN_cpu_s, "12.5", 4), LOOM_NUMBER_OK);
    assert_int_equal(loom_column_set(&job, LOOM_COLUMN_status, "2147483648", 10),
                     LOOM_NUMBER_RANGE);
    assert_int_equal(loom_column_set(&job, LOOM_COLUMN_think_s, "x", 1), LOOM_NUMBER_BAD);
    expected.run_s = 13;
    expected.req_procs = 64;
    expected.cpu_s = 12.5;
    assert_same_job(job, expected);
    char text[LOOM_NUMBER_PRINT];
    assert_int_equal(loom_column_print(text, &job, LOOM_COLUMN_run_s), 2);
    assert_string_equal(text, "13");
    assert_int_equal(loom_column_print(text, &job, LOOM_COLUMN_cpu_s), 4);
    assert_string_equal(text, "12.5");
    assert_int_equal(loom_column_print(text, &job, LOOM_COLUMN_status), 2);
    assert_string_equal(text, "-1");
    assert_string_equal(loom_column_table[LOOM_COLUMN_request_s].name, "request_s");
    assert_string_equal(loom_column_table[LOOM_COLUMN_request_s].what, "requested time");
    assert_int_equal(loom_column_kind(LOOM_COLUMN_status), -1);
    assert_int_equal(loom_column_kind(LOOM_COLUMN_user), LOOM_USER);
    assert_int_equal(loom_column_kind(LOOM_COLUMN_partition), LOOM_PARTITION);
    assert_int_equal(loom_column_kind(LOOM_COLUMN_preceding), -1);
}

static void test_procs_of_a_job(void **state)
{
    (void)state;
    static const struct {
        int32_t requested, allocated, wanted;
    } cases[] = {{4, 8, 4}, {-1, 8, 8}, {0, 8, 8}, {-1, -1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_jobs jobs = {.n = 1,
                                 .req_procs = &cases[i].requested,
                                 .alloc_procs = &cases[i].allocated};
        assert_int_equal(loom_job_procs(&jobs, 0), cases[i].wanted);
    }
}

static void test_max_procs_without_header(void **state)
{
    (void)state;
    struct loom_trace *trace = with_submits((int64_t[]){0}, 1);
    assert_int_equal(loom_trace_max_procs(trace), 0);
    struct loom_job job = loom_job_unknown();
    job.req_procs = 12;
    job.alloc_procs = 9;
    append(trace, job);
    assert_int_equal(loom_trace_max_procs(trace), 12);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "10", NULL), 0);
    assert_int_equal(loom_trace_max_procs(trace), 10);
    loom_trace_destroy(trace);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void check_order(const int64_t *submits, size_t n)
{
    struct loom_trace *trace = with_submits(submits, n);
    uint32_t *order = NULL;
    assert_int_equal(loom_trace_order(&order, trace, NULL), 0);
    uint8_t *seen = calloc(n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        assert_false(seen[order[i]]);
        seen[order[i]] = 1;
        if (i == 0)
            continue;
        uint32_t a = order[i - 1], b = order[i];
        assert_true(submits[a] < submits[b] || (submits[a] == submits[b] && a < b));
    }
    free(seen);
    free(order);
    loom_trace_destroy(trace);
}

static void test_order(void **state)
{
    (void)state;
    check_order((int64_t[]){0}, 0);
    check_order((int64_t[]){5}, 1);
    check_order((int64_t[]){1, 2, 3, 3, 4}, 5);
    check_order((int64_t[]){5, 4, 3, 2, 1}, 5);
    check_order((int64_t[]){INT64_MAX, INT64_MIN, 0}, 3);
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "order");
    for (size_t n = 2; n < 300; n += 7) {
        int64_t submits[300];
        for (size_t i = 0; i < n; i++)
            submits[i] = (int64_t)loom_stream_below(&stream, n);
        check_order(submits, n);
    }
}

/* ---- subsets --------------------------------------------------------------------------------- */

static void test_keep_and_subset(void **state)
{
    (void)state;
    struct loom_trace *trace = with_submits((int64_t[]){10, 20, 30, 40}, 4);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "16", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 3, "ann", NULL), 0);
    const uint8_t keep[] = {1, 0, 1, 0};
    struct loom_trace *rest = NULL;
    assert_int_equal(loom_trace_subset(&rest, trace, keep, 0, NULL), 0);
    assert_int_equal(loom_trace_count(rest), 2);
    assert_int_equal(loom_trace_jobs(rest)->submit_s[0], 20);
    assert_int_equal(loom_trace_jobs(rest)->submit_s[1], 40);
    assert_int_equal(loom_trace_machine(rest)->max_procs, 16);
    assert_string_equal(loom_trace_name(rest, LOOM_USER, 3), "ann");
    loom_trace_keep(trace, keep);
    assert_int_equal(loom_trace_count(trace), 2);
    assert_int_equal(loom_trace_jobs(trace)->submit_s[0], 10);
    assert_int_equal(loom_trace_jobs(trace)->submit_s[1], 30);
    assert_int_equal(loom_trace_jobs(trace)->number[1], 3);
    loom_trace_destroy(rest);
    loom_trace_destroy(trace);
}

/* ---- summary and problems -------------------------------------------------------------------- */

static void test_summary(void **state)
{
    (void)state;
    struct loom_trace *trace = with_submits((int64_t[]){100, 40, 70}, 3);
    struct loom_job job = loom_job_unknown();
    job.submit_s = 60;
    job.user = 5;
    job.cpu_s = 1.5;
    append(trace, job);
    job.user = 2000000000; /* far too large for a bit each */
    append(trace, job);
    job.user = 5;
    append(trace, job);
    struct loom_summary summary;
    assert_int_equal(loom_summarize(&summary, trace, NULL), 0);
    assert_int_equal(summary.jobs, 6);
    assert_int_equal(summary.numbers[LOOM_USER], 2);
    assert_int_equal(summary.numbers[LOOM_GROUP], 0);
    assert_int_equal(summary.first_submit_s, 40);
    assert_int_equal(summary.span_s, 60);
    assert_string_equal(summary.columns[5].name, "cpu_s");
    assert_int_equal(summary.columns[5].known, 3);
    assert_true(summary.columns[5].min == 1.5 && summary.columns[5].max == 1.5);
    assert_int_equal(summary.columns[11].known, 3);
    assert_true(summary.columns[11].min == 5 && summary.columns[11].max == 2e9);
    loom_trace_destroy(trace);
}

static void test_summary_of_nothing(void **state)
{
    (void)state;
    struct loom_trace *trace = with_submits(NULL, 0);
    struct loom_summary summary;
    assert_int_equal(loom_summarize(&summary, trace, NULL), 0);
    assert_int_equal(summary.jobs, 0);
    assert_int_equal(summary.span_s, 0);
    struct loom_trace *wide = with_submits((int64_t[]){INT64_MIN, INT64_MAX}, 2);
    assert_int_equal(loom_summarize(&summary, wide, NULL), 0);
    assert_true(summary.span_s == INT64_MAX);
    loom_trace_destroy(wide);
    loom_trace_destroy(trace);
}

static int64_t problem_count(const struct loom_problems *problems, const char *code)
{
    for (size_t i = 0; i < loom_problems_count(problems); i++)
        if (strcmp(loom_problems_at(problems, i)->code, code) == 0)
            return loom_problems_at(problems, i)->count;
    return 0;
}

static void test_problems(void **state)
{
    (void)state;
    static const char text[] = "; MaxProcs: 8\n; UnixStartTime: 0\n; TimeZone: 0\n; MaxRecords: 9\n"
                               "1 90000 -1 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n"
                               "2 90010 5 -1 -1 -1 -1 4 20 -1 5 1 1 -1 1 -1 -1 -1\n"
                               "2 90005 5 30 4 -1 -1 16 20 -1 265 -1 1 -1 1 -1 -1 -1\n"
                               "4 90020 5 0 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n";
    char path[] = "/tmp/loom-problems-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    struct loom_trace *trace = NULL;
    struct loom_problems *problems = NULL;
    assert_int_equal(loom_trace_read(&trace, path, NULL, NULL), 0);
    assert_int_equal(loom_problems_create(&problems, trace, NULL), 0);
    static const struct {
        const char *code;
        int64_t count;
    } wanted[] = {
        {"unsorted", 1},     {"no-runtime", 1},   {"zero-runtime", 1},    {"no-procs", 1},
        {"no-wait", 1},      {"no-estimate", 1},  {"no-user", 1},         {"past-estimate", 1},
        {"too-wide", 1},     {"odd-status", 1},   {"repeated-number", 1}, {"late-start", 1},
        {"record-count", 1}, {"no-max-procs", 0}, {"no-time-zone", 0},    {"negative-submit", 0},
        {"bad-lines", 0},    {"rounded", 0},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (problem_count(problems, wanted[i].code) != wanted[i].count)
            fail_msg("%s: %d", wanted[i].code, (int)problem_count(problems, wanted[i].code));
    assert_int_equal(loom_problems_count(problems), 13);
    loom_problems_destroy(problems);
    loom_trace_destroy(trace);
    unlink(path);
}

static void test_scattered_job_numbers(void **state)
{
    (void)state;
    static const int64_t numbers[] = {INT64_MAX, 3, INT64_MIN, 3, INT64_MAX};
    struct loom_trace *trace = with_submits((int64_t[]){0, 0, 0, 0, 0}, 5);
    for (size_t i = 0; i < 5; i++)
        trace->columns.number[i] = numbers[i];
    struct loom_problems *problems = NULL;
    assert_int_equal(loom_problems_create(&problems, trace, NULL), 0);
    assert_int_equal(problem_count(problems, "repeated-number"), 2);
    loom_problems_destroy(problems);
    loom_trace_destroy(trace);
}

/* ---- formats --------------------------------------------------------------------------------- */

static void test_format_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *format;
    } cases[] = {
        {"a.swf", "1 0 5 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n", "swf"},
        {"a.txt", "; Version: 2.2\n", "swf"},
        {"a.txt", "1 0 5 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n", "swf"},
        {"a.txt", "JobID|Submit|State\n1|2003-01-01T00:00:00|COMPLETED\n", "sacct"},
        {"a.dat", "submit,runtime,procs\n0,10,1\n", "csv"},
        {"a.csv", "submit,runtime,procs\n0,10,1\n", "csv"},
        {"a.swf", "{\"nb_res\": 4, \"jobs\": [], \"profiles\": {}}\n", "batsim"},
        {"empty.swf", "", "swf"},
    };
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, ""), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", scratch.directory, cases[i].name);
        store_text(path, cases[i].text);
        struct loom_trace *trace = NULL;
        struct loom_error err = {0};
        if (loom_trace_read(&trace, path, NULL, &err))
            fail_msg("%s: %s", cases[i].text, err.message);
        assert_string_equal(loom_trace_report(trace)->format, cases[i].format);
        assert_string_equal(loom_trace_report(trace)->file, path);
        assert_int_equal(loom_trace_report(trace)->bytes, strlen(cases[i].text));
        loom_trace_destroy(trace);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

static void test_format_not_found(void **state)
{
    (void)state;
    char path[] = "/tmp/loom-formats-XXXXXX";
    close(mkstemp(path));
    struct loom_trace *trace = NULL;
    struct loom_error err;
    assert_int_equal(loom_trace_read(&trace, path, NULL, &err), LOOM_EFORMAT);
    assert_string_equal(err.message, "the file is empty");
    store_text(path, "what is this?\n");
    assert_int_equal(loom_trace_read(&trace, path, NULL, &err), LOOM_EFORMAT);
    assert_string_equal(err.message,
                        "unknown format of this file; see 'workloom list formats' and name it");
    assert_string_equal(err.field, "read.format");
    struct loom_read_options options = {.format = "sfw"};
    assert_int_equal(loom_trace_read(&trace, path, &options, &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "there is no format 'sfw'; did you mean 'swf'?");
    unlink(path);
    assert_int_equal(loom_trace_read(&trace, path, NULL, &err), LOOM_EIO);
    assert_string_equal(err.file, path);
    assert_null(trace);
}

static void test_format_cannot_be_written(void **state)
{
    (void)state;
    struct loom_trace *trace = with_submits((int64_t[]){0}, 1);
    struct loom_error err;
    assert_int_equal(loom_trace_write(trace, "/tmp/x.sacct", NULL, &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "format 'sacct' can be read but not written");
    assert_int_equal(access("/tmp/x.sacct", F_OK), -1);
    loom_trace_destroy(trace);
}

/* Only what has no name of its own is SWF without being asked for. */
static void test_name_must_tell_the_format(void **state)
{
    (void)state;
    static const char known[] =
        "the suffix names no format to write; end the name in one of .swf, .gwf, .csv, .tsv, "
        ".json, with .gz behind to pack it, or name the format";
    static const char *const names[] = {"new", "new.dat",     "new.gz",
                                        "swf", "new.swf.bak", "x.y/new"};
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "new.txt"), 0);
    struct loom_trace *trace = with_submits((int64_t[]){0}, 1);
    struct loom_error err;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(loom_trace_write(trace, names[i], NULL, &err), LOOM_EUSAGE);
        assert_string_equal(err.message, known);
        assert_string_equal(err.file, names[i]);
        assert_int_equal(loom_trace_writable(names[i], NULL, &err), LOOM_EUSAGE);
    }
    struct loom_write_options options = {.format = "swf"};
    assert_int_equal(loom_trace_writable(scratch.file, &options, &err), 0);
    assert_int_equal(access(scratch.file, F_OK), -1);
    assert_int_equal(loom_trace_write(trace, scratch.file, &options, &err), 0);
    assert_int_equal(loom_trace_write(trace, "/dev/null", NULL, &err), 0);
    loom_trace_destroy(trace);
    assert_int_equal(scratch_close(&scratch), 0);
}

static void test_every_format_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; loom_formats[i]; i++) {
        const struct loom_format_ops *format = loom_formats[i];
        assert_ptr_equal(loom_format_at(i), &format->info);
        assert_true(format->info.name && *format->info.name);
        assert_true(format->info.summary && *format->info.summary);
        assert_non_null(format->info.suffixes);
        assert_int_equal(format->info.can_read, format->read != NULL);
        assert_int_equal(format->info.can_write, format->write != NULL);
        if (format->probe) {
            assert_int_equal(format->probe("", 0), 0);
            assert_int_equal(format->probe("\0\0\0", 3), 0);
        }
    }
}

static void test_lines(void **state)
{
    (void)state;
    static const char text[] = "one\r\n\ntwo\nlast";
    struct loom_lines lines = {.next = text, .end = text + sizeof text - 1};
    static const char *const wanted[] = {"one", "", "two", "last"};
    const char *line;
    size_t length;
    for (int i = 0; i < 4; i++) {
        assert_true(loom_lines_next(&lines, &line, &length));
        assert_int_equal(length, strlen(wanted[i]));
        assert_memory_equal(line, wanted[i], length);
        assert_int_equal(lines.number, i + 1);
    }
    assert_false(loom_lines_next(&lines, &line, &length));
}

/* ---- the size of the machine ----------------------------------------------------------------- */

static void add_use(struct loom_trace *trace, int64_t submit_s, int64_t wait_s, int64_t run_s,
                    int32_t procs)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = run_s;
    job.alloc_procs = procs;
    append(trace, job);
}

static void expect_size(const struct loom_trace *trace, int64_t procs, enum loom_size_source source)
{
    struct loom_machine_size size;
    assert_int_equal(loom_trace_machine_size(&size, trace, NULL), 0);
    assert_int_equal(size.procs, procs);
    assert_int_equal(size.source, source);
}

/* Three jobs of 10 processors overlap for a third of the time: 30, where the widest job has 10.
 * What is in use for ten seconds of 300,000 does not count, nor does a record with a thousand times
 * too many processors; a job of 50 for a second does, being less than twice as wide. Waits decide.
 */
static void test_machine_size(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    expect_size(trace, 0, LOOM_SIZE_UNKNOWN);
    add_use(trace, 0, -1, 100, 7);
    expect_size(trace, 7, LOOM_SIZE_WIDEST);
    add_use(trace, 0, 0, 300000, 10);
    add_use(trace, 0, 100000, 200000, 10);
    add_use(trace, 50, 199950, 100000, 10);
    add_use(trace, 300000, 0, 1000, 10); /* begins when the others end */
    expect_size(trace, 30, LOOM_SIZE_PEAK);
    add_use(trace, 250000, 0, 10, 10);
    expect_size(trace, 30, LOOM_SIZE_PEAK);
    add_use(trace, 250000, 0, 10, 10000);
    expect_size(trace, 30, LOOM_SIZE_PEAK);
    add_use(trace, 400000, 0, 1, 50);
    expect_size(trace, 50, LOOM_SIZE_PEAK);
    add_use(trace, INT64_MAX - 5, 0, INT64_MAX, 1000);
    expect_size(trace, 50, LOOM_SIZE_PEAK);
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "64", NULL), 0);
    expect_size(trace, 64, LOOM_SIZE_HEADER);
    loom_trace_destroy(trace);
}

/* A job that asked for 12 and was given 16 uses 16; one of which only the request is known, that.
 */
static void test_machine_size_is_of_allocated(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_job job = loom_job_unknown();
    job.submit_s = job.wait_s = 0;
    job.run_s = 1000;
    job.req_procs = 12;
    job.alloc_procs = 16;
    append(trace, job);
    expect_size(trace, 16, LOOM_SIZE_PEAK);
    job.alloc_procs = -1;
    append(trace, job);
    expect_size(trace, 28, LOOM_SIZE_PEAK);
    loom_trace_destroy(trace);
}

/* A size found from waits and runtimes is stated in the header, from where the jobs that are left
 * have it too; the widest job is no size of a machine. */
static void test_settled_machine(void **state)
{
    (void)state;
    struct loom_machine_size size;
    char text[160];
    struct loom_trace *trace = empty_trace();
    add_use(trace, 0, -1, 100, 7);
    assert_int_equal(loom_trace_settle_machine(&size, trace, NULL), 0);
    assert_false(loom_size_usable(&size));
    assert_int_equal(loom_trace_machine(trace)->max_procs, -1);
    add_use(trace, 0, 0, 1000, 1200);
    assert_int_equal(loom_trace_settle_machine(&size, trace, NULL), 0);
    assert_true(loom_size_usable(&size));
    assert_int_equal(size.source, LOOM_SIZE_PEAK);
    assert_int_equal(loom_trace_machine(trace)->max_procs, 1200);
    assert_string_equal(loom_size_note(&size, text, sizeof text),
                        "the log does not name the size of its machine: taken as 1,200 processors, "
                        "the most in use at once");
    loom_trace_destroy(trace);
}

/* A job of 640 processors for a tenth of the time of 1,000 jobs that make at most 20 at once is a
 * wrong record; of ten jobs, it is the machine. */
static void test_size_with_a_wrong_record(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 9; i++)
        add_use(trace, i * 100, 0, 200, 10);
    add_use(trace, 0, 0, 10000, 640);
    expect_size(trace, 660, LOOM_SIZE_PEAK);
    for (int i = 9; i < 1000; i++)
        add_use(trace, i * 100, 0, 200, 10);
    expect_size(trace, 20, LOOM_SIZE_PEAK);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_with_a_wrong_record),
        cmocka_unit_test(test_unknown_job),
        cmocka_unit_test(test_rows_come_back),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_procs_of_a_job),
        cmocka_unit_test(test_max_procs_without_header),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_keep_and_subset),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_summary_of_nothing),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_scattered_job_numbers),
        cmocka_unit_test(test_format_is_found),
        cmocka_unit_test(test_format_not_found),
        cmocka_unit_test(test_format_cannot_be_written),
        cmocka_unit_test(test_name_must_tell_the_format),
        cmocka_unit_test(test_every_format_is_complete),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_machine_size),
        cmocka_unit_test(test_machine_size_is_of_allocated),
        cmocka_unit_test(test_settled_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
