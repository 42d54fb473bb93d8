/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GWF: fields, names, Unix times, what is left out, bad lines, and exact round trips. */
#include "support.h"
#include "trace/formats/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct loom_format_ops loom_format_gwf;

static struct scratch scratch;

static int set_up(void **state)
{
    *state = &scratch;
    return scratch_open(&scratch, "log.gwf");
}

static int read_bytes(struct loom_trace **out, const char *text, size_t size, bool skip_bad_lines,
                      struct loom_error *err)
{
    const struct loom_read_options options = {.format = "gwf", .skip_bad_lines = skip_bad_lines};
    store(scratch.file, text, size);
    return loom_trace_read(out, scratch.file, &options, err);
}

static struct loom_trace *read_text(const char *text)
{
    const struct loom_read_options options = {.format = "gwf"};
    store_text(scratch.file, text);
    return must_read(scratch.file, &options);
}

#define TAIL13 "-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1"

static const struct loom_job sample = {
    .number = 4,
    .submit_s = 100,
    .wait_s = 5,
    .run_s = 60,
    .alloc_procs = 8,
    .cpu_s = 55.25,
    .used_mem_kib = 1024.5,
    .req_procs = 16,
    .request_s = 3600,
    .req_mem_kib = 2048,
    .status = 1,
    .user = 21,
    .group = 22,
    .executable = 23,
    .queue = 24,
    .partition = 25,
    .preceding = -1,
    .think_s = -1,
};

static void test_fields(void **state)
{
    static const char *const texts[] = {
        "4\t100\t5\t60\t8\t55.25\t1024.5\t16\t3600\t2048\t1\t21\t22\t23\t24\t25\t" TAIL13 "\n",
        "4 100 5 60 8 55.25 1024.5 16 3600 2048 1 21 22 23 24 25\n",
        "  4  100\t5 60  8 55.25 1024.5 16 3600 2048 1 21 22 23 24 25 S1 \r\n",
        "\n# x\n4 \t 100 \t 5 \t 60 \t 8 55.25 1024.5 16 3600 2048 1 21 22 23 24 25",
    };
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct loom_trace *trace = read_text(texts[i]);
        assert_int_equal(loom_trace_count(trace), 1);
        assert_row(trace, 0, sample);
        assert_int_equal(loom_trace_report(trace)->rounded, 0);
        loom_trace_destroy(trace);
    }
}

static void test_few_fields(void **state)
{
    struct loom_trace *trace = read_text("4 100 5 60 8 55.25 1024.5 16 3600 2048 1\n");
    struct loom_job expected = sample;
    (void)state;

    expected.user = expected.group = expected.executable = expected.queue = expected.partition = -1;
    assert_row(trace, 0, expected);
    loom_trace_destroy(trace);
}

/* With 28 tabs, fields may be empty and hold blanks. */
static void test_tabs(void **state)
{
    struct loom_trace *trace =
        read_text("4\t100\t\t60\t8\t-1\t-1\t-1\t-1\t-1\t1\tanna b\t\t\t\t\t" TAIL13 "\n");
    struct loom_job expected = loom_job_unknown();
    (void)state;

    expected.number = 4;
    expected.submit_s = 100;
    expected.run_s = 60;
    expected.alloc_procs = 8;
    expected.status = 1;
    expected.user = 1;
    assert_row(trace, 0, expected);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 1), "anna b");
    loom_trace_destroy(trace);
}

static void test_names(void **state)
{
    struct loom_trace *trace = read_text("1 0 0 1 1 -1 -1 1 -1 -1 1 U7 3 app1 -1 P\n"
                                         "2 1 0 1 1 -1 -1 1 -1 -1 0 U9 4 12 Q -1\n"
                                         "3 2 0 1 1 -1 -1 1 -1 -1 5 U7 5 app1 2 P\n");
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    static const int32_t users[] = {1, 2, 1}, groups[] = {3, 4, 5}, executables[] = {1, 2, 1},
                         queues[] = {-1, 1, 2}, partitions[] = {1, -1, 1}, statuses[] = {1, 0, 5};
    (void)state;

    assert_int_equal(jobs->n, 3);
    assert_memory_equal(jobs->user, users, sizeof users);
    assert_memory_equal(jobs->group, groups, sizeof groups);
    assert_memory_equal(jobs->executable, executables, sizeof executables);
    assert_memory_equal(jobs->queue, queues, sizeof queues);
    assert_memory_equal(jobs->partition, partitions, sizeof partitions);
    assert_memory_equal(jobs->status, statuses, sizeof statuses);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 2), "U9");
    assert_string_equal(loom_trace_name(trace, LOOM_EXECUTABLE, 2), "12");
    loom_trace_destroy(trace);
}

static void test_unix_times_and_fractions(void **state)
{
    struct loom_trace *trace = read_text("# Processors: 400\n"
                                         "1 1103885282.4 0.5 10.2 1 -1 -1 1 -1 -1 1\n"
                                         "2 1103885280 0 10 1 -1 -1 1 -1 -1 1\n");
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    (void)state;

    assert_int_equal(jobs->submit_s[0], 2);
    assert_int_equal(jobs->submit_s[1], 0);
    assert_int_equal(jobs->wait_s[0], 1);
    assert_int_equal(jobs->run_s[0], 10);
    assert_int_equal(loom_trace_report(trace)->rounded, 3);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1103885280);
    assert_int_equal(loom_trace_machine(trace)->max_procs, 400);
    loom_trace_destroy(trace);
}

static void test_left_out(void **state)
{
    struct loom_trace *trace = read_text(
        "1 0 0 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 site1 site2 BoT 17 -1 -1 -1 -1 -1 -1 -1 vo1 -1\n"
        "2 0 0 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 site1 -1 UNITARY 0 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
        "3 0 0 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1 unitary\n");
    (void)state;

    assert_int_equal(loom_trace_count(trace), 3);
    assert_string_equal(loom_trace_directive(trace, "Note"),
                        "left out on reading GWF: OrigSiteID (2 jobs), LastRunSiteID (1 job), "
                        "JobStructure (1 job), JobStructureParams (1 job), VOID (1 job)");
    loom_trace_destroy(trace);
}

static void test_header(void **state)
{
    struct loom_trace *trace =
        read_text("# GWA-T-0\r\n#\r\n#MaxProcs: 12\r\n# Acknowledge: all\r\n");
    const struct loom_directive *lines;
    (void)state;

    assert_int_equal(loom_trace_count(trace), 0);
    assert_int_equal(loom_trace_directives(trace, &lines), 4);
    assert_string_equal(lines[0].text, " GWA-T-0");
    assert_string_equal(lines[1].text, "");
    assert_string_equal(lines[3].value, "all");
    assert_int_equal(loom_trace_machine(trace)->max_procs, 12);
    loom_trace_destroy(trace);
    trace = read_text("");
    assert_int_equal(loom_trace_count(trace), 0);
    assert_int_equal(loom_trace_directives(trace, &lines), 0);
    loom_trace_destroy(trace);
}

static void test_errors(void **state)
{
#define ONES "1 1 1 1 1 1 1 1 1 1 "
    static const struct {
        const char *text;
        int64_t line;
        int column;
        const char *message;
    } cases[] = {
        {"# x\n" ONES "\n", 2, 11, "10 fields where GWF has 29, and at least 11"},
        {ONES ONES ONES "\n", 1, 30, "more than the 29 fields of GWF"},
        {"1\n", 1, 2, "1 field where GWF has 29, and at least 11"},
        {ONES "1\n1 x 1 1 1 1 1 1 1 1 1\n", 2, 2, "SubmitTime 'x' is not a number"},
        {"job-1 1 1 1 1 1 1 1 1 1 1\n", 1, 1, "JobID 'job-1' is not a number"},
        {"1 1 1 1 2147483648 1 1 1 1 1 1\n", 1, 5, "NProcs '2147483648' is out of range"},
        {"1 1 1 9223372036854775808 1 1 1 1 1 1 1\n", 1, 4,
         "RunTime '9223372036854775808' is out of range"},
        {"1 1 1 1 1 1 1e999 1 1 1 1\n", 1, 7, "UsedMemory '1e999' is out of range"},
        {"wf, job , 1, 2, 3\n", 1, 7, "6 fields where GWF has 29, and at least 11"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err = {0};
        struct loom_trace *trace = NULL;
        assert_int_equal(read_bytes(&trace, cases[i].text, strlen(cases[i].text), false, &err),
                         LOOM_EFORMAT);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
        assert_string_equal(err.file, scratch.file);
        assert_null(trace);
    }
}

static void test_skip_bad_lines(void **state)
{
    static const char text[] = "1 0 0 1 1 -1 -1 1 -1 -1 1 5\n"
                               "2 0 x 1 1 -1 -1 1 -1 -1 1 anna\n" /* must not turn users to names */
                               "3 0 \0 1 1 -1 -1 1 -1 -1 1 5\n"
                               "4 0 0 1 1 -1 -1 1 -1 -1 1 6\n";
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    (void)state;

    assert_int_equal(read_bytes(&trace, text, sizeof text - 1, false, &err), LOOM_EFORMAT);
    assert_int_equal(read_bytes(&trace, text, sizeof text - 1, true, &err), 0);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(jobs->n, 2);
    assert_int_equal(jobs->number[1], 4);
    assert_int_equal(jobs->user[0], 5);
    assert_int_equal(jobs->user[1], 6);
    assert_int_equal(loom_trace_report(trace)->bad_lines, 2);
    assert_int_equal(loom_trace_report(trace)->first_bad.line, 2);
    assert_int_equal(loom_trace_report(trace)->first_bad.column, 3);
    loom_trace_destroy(trace);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void test_round_trip(void **state)
{
    struct loom_error err = {0};
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    size_t lost = 0;
    int32_t user;
    (void)state;

    loom_stream_init(&stream, 1, 0, "test-gwf");
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "400", &err), 0);
    assert_int_equal(loom_trace_intern(&user, trace, LOOM_USER, "U 12", 4, &err), 0);
    assert_int_equal(loom_trace_declare_names(trace, &err), 0);
    append(trace, loom_job_unknown());
    for (int i = 1; i < 3000; i++)
        append(trace, any_job(&stream));
    struct loom_trace *back = write_and_read(trace, scratch.file, "gwf");
    assert_int_equal(loom_trace_count(back), loom_trace_count(trace));
    for (size_t row = 0; row < loom_trace_count(trace); row++) {
        struct loom_job job = loom_trace_job(trace, row);
        lost += job.preceding != -1 || job.think_s != -1;
        job.preceding = job.think_s = -1;
        assert_row(back, row, job);
    }
    assert_int_equal(loom_trace_machine(back)->max_procs, 400);
    assert_string_equal(loom_trace_name(back, LOOM_USER, user), "U 12");
    const struct loom_directive *lines;
    const size_t n = loom_trace_directives(back, &lines);
    assert_int_equal(n, 3);
    char note[128];
    snprintf(note, sizeof note,
             " Note: left out on writing GWF: preceding job and think time (%zu jobs)", lost);
    assert_string_equal(lines[2].text, note);

    /* Written once more, it is the same file. */
    struct loom_trace *again = write_and_read(back, scratch.file, "gwf");
    assert_int_equal(loom_trace_directives(again, &lines), n);
    assert_int_equal(loom_trace_report(again)->bytes, loom_trace_report(back)->bytes);
    assert_true(loom_trace_report(again)->hash == loom_trace_report(back)->hash);
    loom_trace_destroy(again);
    loom_trace_destroy(back);
    loom_trace_destroy(trace);
}

static void test_written_line(void **state)
{
    static const char expected[] =
        "4\t100\t5\t60\t8\t55.25\t1024.5\t16\t3600\t2048\t1\t21\t22\t23\t24\t25\t" TAIL13 "\n";
    struct loom_trace *trace = empty_trace();
    (void)state;

    append(trace, sample);
    must_write(trace, scratch.file);
    loom_trace_destroy(trace);
    char *text = load(scratch.file), *line = strchr(text, '\n');
    assert_non_null(line);
    assert_memory_equal(text, "# Grid Workloads Format, 29 fields: JobID SubmitTime ", 53);
    assert_string_equal(line + 1, expected);
    free(text);
}

static void test_probe(void **state)
{
    static const struct {
        const char *head;
        int sure;
    } cases[] = {
        {"# Grid Workload Format\n", 50},
        {"#\n# from http://gwa.ewi.tudelft.nl/\n1 0 0 1 1 -1 -1 1 -1 -1 1\n", 95},
        {"# GWF\nnumber,submit_s\n1,2\n", 0}, /* converted to something else */
        {"1 0 0 1 1 -1 -1 1 -1 -1 1\n", 0},
        {"# x\n1\t0\t0\t1\t1\t-1\t-1\t1\t-1\t-1\t1\tU1\tG1\t-1\tQ\t-1\t" TAIL13 "\n", 90},
        {"a\t0\t0\t1\t1\t-1\t-1\t1\t-1\t-1\t1\tU1\tG1\t-1\tQ\t-1\t" TAIL13 "\n", 0},
        {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", 0},
        {"# x\nsubmit,run\n", 0},
        {"", 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(loom_format_gwf.probe(cases[i].head, strlen(cases[i].head)),
                         cases[i].sure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_few_fields),
        cmocka_unit_test(test_tabs),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_unix_times_and_fractions),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_skip_bad_lines),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_written_line),
        cmocka_unit_test(test_probe),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}
