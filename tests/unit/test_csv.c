/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV: quoting, column names, times, names, missing and bad values, and exact round trips. */
#include "support.h"
#include "trace/column.h"
#include "trace/formats/format.h"

#include <stdlib.h>
#include <string.h>

extern const struct loom_format_ops loom_format_csv;

static struct scratch scratch;

static int set_up(void **state)
{
    *state = &scratch;
    return scratch_open(&scratch, "log.csv");
}

static int read_bytes(struct loom_trace **out, const char *text, size_t size,
                      struct loom_read_options options, struct loom_error *err)
{
    store(scratch.file, text, size);
    options.format = "csv";
    return loom_trace_read(out, scratch.file, &options, err);
}

static struct loom_trace *read_text(const char *text)
{
    const struct loom_read_options options = {.format = "csv"};
    store_text(scratch.file, text);
    return must_read(scratch.file, &options);
}

/* A job with just these, and -1 in all others. */
static struct loom_job timed_job(int64_t number, int64_t submit_s, int64_t wait_s, int64_t run_s)
{
    struct loom_job job = loom_job_unknown();
    job.number = number;
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = run_s;
    return job;
}

/* ---- names of columns ------------------------------------------------------------------------ */

static void test_aliases(void **state)
{
    /* One line of header, one job, and the field that the job must have got. */
    static const struct {
        const char *name;
        enum loom_column column;
    } cases[] = {
        {"number", LOOM_COLUMN_number},
        {"Job Number", LOOM_COLUMN_number},
        {"job_id", LOOM_COLUMN_number},
        {"JobID", LOOM_COLUMN_number},
        {"wait_s", LOOM_COLUMN_wait_s},
        {"Wait Time", LOOM_COLUMN_wait_s},
        {"run_s", LOOM_COLUMN_run_s},
        {"RUNTIME", LOOM_COLUMN_run_s},
        {"run-time", LOOM_COLUMN_run_s},
        {"duration", LOOM_COLUMN_run_s},
        {"elapsed", LOOM_COLUMN_run_s},
        {"alloc_procs", LOOM_COLUMN_alloc_procs},
        {"Number of Allocated Processors", LOOM_COLUMN_alloc_procs},
        {"procs", LOOM_COLUMN_alloc_procs},
        {"CPUs", LOOM_COLUMN_alloc_procs},
        {"ncpus", LOOM_COLUMN_alloc_procs},
        {"cores", LOOM_COLUMN_alloc_procs},
        {"nodes", LOOM_COLUMN_alloc_procs},
        {"cpu_s", LOOM_COLUMN_cpu_s},
        {"CPU-S", LOOM_COLUMN_cpu_s},
        {"Average CPU Time Used", LOOM_COLUMN_cpu_s},
        {"used_mem_kib", LOOM_COLUMN_used_mem_kib},
        {"Used Memory", LOOM_COLUMN_used_mem_kib},
        {"Requested Number of Processors", LOOM_COLUMN_req_procs},
        {"req_procs", LOOM_COLUMN_req_procs},
        {"ReqCPUS", LOOM_COLUMN_req_procs},
        {"request_s", LOOM_COLUMN_request_s},
        {"walltime", LOOM_COLUMN_request_s},
        {"estimate", LOOM_COLUMN_request_s},
        {"requested_time", LOOM_COLUMN_request_s},
        {"req_mem_kib", LOOM_COLUMN_req_mem_kib},
        {"Requested Memory", LOOM_COLUMN_req_mem_kib},
        {"state", LOOM_COLUMN_status},
        {"uid", LOOM_COLUMN_user},
        {"user_name", LOOM_COLUMN_user},
        {"Group ID", LOOM_COLUMN_group},
        {"Executable (Application) Number", LOOM_COLUMN_executable},
        {"queue", LOOM_COLUMN_queue},
        {"Partition Number", LOOM_COLUMN_partition},
        {"Preceding Job Number", LOOM_COLUMN_preceding},
        {"Think Time from Preceding Job", LOOM_COLUMN_think_s},
        {"think_s", LOOM_COLUMN_think_s},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "Submit Time,%s,something else\n100,5,x\n", cases[i].name);
        struct loom_trace *trace = read_text(text);
        struct loom_job expected = timed_job(1, 100, -1, -1);
        assert_int_equal(loom_column_set(&expected, cases[i].column, "5", 1), LOOM_NUMBER_OK);
        assert_int_equal(loom_trace_count(trace), 1);
        assert_row(trace, 0, expected);
        loom_trace_destroy(trace);
    }
}

/* What Batsim writes of a simulation, out_jobs.csv, is a schedule. */
static void test_batsim_results(void **state)
{
    static const char text[] =
        "job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,"
        "starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch\n"
        "7,w0,10.000000,4,100.000000,1,15.000000,60.000000,75.000000,5.000000,65.0,1.083333\n"
        "8,w0,11.000000,2,20.000000,0,75.000000,20.000000,95.000000,64.000000,84.0,4.200000\n";
    struct loom_job first = timed_job(7, 10, 5, 60), second = timed_job(8, 11, 64, 20);
    (void)state;

    first.req_procs = 4;
    first.request_s = 100;
    first.status = 1;
    second.req_procs = 2;
    second.request_s = 20;
    second.status = 0;
    struct loom_trace *trace = read_text(text);
    assert_int_equal(loom_trace_count(trace), 2);
    assert_row(trace, 0, first);
    assert_row(trace, 1, second);
    loom_trace_destroy(trace);
}

static void test_submit_aliases_and_separators(void **state)
{
    static const char *const names[] = {"submit_s", "submit", "submit_time", "ARRIVAL",
                                        "Submission Time"};
    static const char separators[] = {',', ';', '\t', '|'};
    const struct loom_job expected = timed_job(1, 7, 2, -1);
    (void)state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t j = 0; j < sizeof separators; j++) {
            char text[128];
            snprintf(text, sizeof text, "%s%cwait\n7%c2\n", names[i], separators[j], separators[j]);
            struct loom_trace *trace = read_text(text);
            assert_row(trace, 0, expected);
            loom_trace_destroy(trace);
        }
}

/* The better name counts, wherever it stands. */
static void test_better_name(void **state)
{
    struct loom_trace *trace = read_text("nodes,procs,submit,uid,user\n2,16,0,1001,5\n");
    struct loom_job expected = timed_job(1, 0, -1, -1);
    (void)state;

    expected.alloc_procs = 16;
    expected.user = 5;
    assert_row(trace, 0, expected);
    loom_trace_destroy(trace);
}

static void test_given_columns(void **state)
{
    static const struct {
        const char *columns, *text;
    } cases[] = {
        {"job_id,submit,runtime", "4,10,20\n"},
        {"job_id,submit,runtime", "4|10|20\n"},
        {"job_id,submit,runtime", "a,submit,b\n4,10,20\n"}, /* in place of a header line */
        {"job_id,submit,_,runtime", "4;10;1,1,1,1,1;20\n"},
    };
    const struct loom_job expected = timed_job(4, 10, -1, 20);
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_read_options options = {.columns = cases[i].columns};
        assert_int_equal(read_bytes(&trace, cases[i].text, strlen(cases[i].text), options, &err),
                         0);
        assert_int_equal(loom_trace_count(trace), 1);
        assert_row(trace, 0, expected);
        loom_trace_destroy(trace);
    }
    struct loom_read_options options = {.columns = "job_id,runtime"};
    assert_int_equal(read_bytes(&trace, "1,2\n", 4, options, &err), LOOM_EFORMAT);
    assert_non_null(strstr(err.message, "no column for submit times"));
}

/* ---- records --------------------------------------------------------------------------------- */

static void test_quoting(void **state)
{
    struct loom_trace *trace = read_text("\"submit\",\"user\",queue\r\n"
                                         "\"10\",\"O\"\"Hara, \"\"Pat\"\"\",\"a\r\nb\"\r\n"
                                         "\r\n"
                                         " 20 , \"plain\" , 5\" disk \r\n"
                                         "30,\"\",x");
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    (void)state;

    assert_int_equal(jobs->n, 3);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, jobs->user[0]), "O\"Hara, \"Pat\"");
    /* The header keeps names, and a header line is one line: line ends in a name become blanks. */
    assert_string_equal(loom_trace_name(trace, LOOM_QUEUE, jobs->queue[0]), "a  b");
    assert_int_equal(jobs->submit_s[1], 20);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, jobs->user[1]), "plain");
    assert_string_equal(loom_trace_name(trace, LOOM_QUEUE, jobs->queue[1]), "5\" disk");
    assert_int_equal(jobs->submit_s[2], 30);
    assert_int_equal(jobs->user[2], -1);
    loom_trace_destroy(trace);
}

static void test_comments_and_mark(void **state)
{
    struct loom_trace *trace = read_text("\xef\xbb\xbf# MaxProcs: 64\r\n"
                                         "# Note: a, submit, b\r\n"
                                         "submit,wait\r\n1,2\r\n");
    const struct loom_directive *lines;
    const struct loom_job expected = timed_job(1, 1, 2, -1);
    (void)state;

    assert_int_equal(loom_trace_machine(trace)->max_procs, 64);
    assert_int_equal(loom_trace_directives(trace, &lines), 2);
    assert_string_equal(lines[0].text, " MaxProcs: 64");
    assert_string_equal(lines[1].text, " Note: a, submit, b");
    assert_row(trace, 0, expected);
    loom_trace_destroy(trace);
}

/* As NumPy's savetxt writes it. */
static void test_names_in_comment(void **state)
{
    struct loom_trace *trace = read_text("# MaxProcs: 64\n# submit wait, submit, wait\n0,1,2\n");
    const struct loom_directive *lines;
    const struct loom_job expected = timed_job(1, 1, 2, -1);
    (void)state;

    assert_int_equal(loom_trace_directives(trace, &lines), 1);
    assert_int_equal(loom_trace_count(trace), 1);
    assert_row(trace, 0, expected);
    loom_trace_destroy(trace);
}

static void test_errors(void **state)
{
    static const struct {
        const char *text;
        int64_t line;
        int column;
        const char *message;
    } cases[] = {
        {"", 1, 0, "there is no header line"},
        {"\n\n", 1, 0, "there is no header line"},
        {"# MaxProcs: 3\n", 2, 0, "there is no header line"},
        {"a,b,c\n1,2,3\n", 1, 0, "there is no column for submit times"},
        {"\"submit,run\n1,2\n", 1, 0, "there is no header line"},
        {"submit,run\n1,2\n3\n", 3, 2, "1 field where there should be 2"},
        {"submit,run\n1,2,3\n", 2, 3, "3 fields where there should be 2"},
        {"submit,run\n1,2\n1,x\n", 3, 2, "runtime 'x' is not a number"},
        {"submit,run\n1,99999999999999999999\n", 2, 2,
         "runtime '99999999999999999999' is out of range"},
        {"submit,procs\n1,2147483648\n", 2, 2, "allocated processors '2147483648' is out of range"},
        {"submit,used_mem_kib\n1,1e999\n", 2, 2, "used memory '1e999' is out of range"},
        {"submit,start\n1,noon\n", 2, 2, "start time 'noon' is neither a number of seconds"},
        {"submit\n2024-13-01T00:00\n", 2, 1, "submit time '2024-13-01T00:00' is neither"},
        {"submit\n2023-02-29 10:00:00\n", 2, 1, "submit time '2023-02-29 10:00:00' is neither"},
        {"submit\n2024-01-01T10:00:00.\n", 2, 1, "submit time"},
        {"submit\n2024-01-01T10:00:00+1\n", 2, 1, "submit time"},
        {"submit,status\n1,sleeping\n", 2, 2, "status 'sleeping' is not a number"},
        {"submit,start\n2024-01-01T00:00,77\n", 2, 0, "some times of this job are timestamps"},
        {"submit,start\n-9000000000000000000,9000000000000000000\n", 2, 0,
         "the times of this job are too far apart"},
        /* Embedded newlines count as lines; the place is where the field begins. */
        {"submit,user,run\n1,\"a\nb\",3\n4,\"c\n\nd\",x\n", 6, 3, "runtime 'x' is not a number"},
        {"submit,user\n1,\"a\nb\"\n2,\"c\n3,d\n", 4, 2, "the quote that opens this field"},
        {"submit,user\n1,\"a\"b\n", 2, 2, "something follows the closing quote"},
        {"submit,run\r1,2\r3,4\r", 1, 0, "there is no header line"},
        {"submit,run\n1,2\r3,4\r", 2, 2, "there is a carriage return in this field"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err = {0};
        struct loom_trace *trace = NULL;
        assert_int_equal(read_bytes(&trace, cases[i].text, strlen(cases[i].text),
                                    (struct loom_read_options){0}, &err),
                         LOOM_EFORMAT);
        if (!strstr(err.message, cases[i].message) || err.line != cases[i].line ||
            err.column != cases[i].column)
            fail_msg("case %zu: %lld:%d: %s", i, (long long)err.line, err.column, err.message);
        assert_string_equal(err.file, scratch.file);
        assert_null(trace);
    }
}

static void test_nul_bytes(void **state)
{
    static const char in_value[] = "submit,run\n1,2\n3,\0004\n";
    static const char in_header[] = "# a\0b\nsubmit,run\n1,2\n";
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    (void)state;

    assert_int_equal(read_bytes(&trace, in_value, sizeof in_value - 1,
                                (struct loom_read_options){0}, &err),
                     LOOM_EFORMAT);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 2);
    assert_string_equal(err.message, "there is a NUL byte in this field");
    assert_int_equal(read_bytes(&trace, in_header, sizeof in_header - 1,
                                (struct loom_read_options){0}, &err),
                     LOOM_EFORMAT);
    assert_int_equal(err.line, 1);
}

static void test_skip_bad_lines(void **state)
{
    static const char text[] = "submit,run,user\n"
                               "1,2,7\n"
                               "oops,2,anna\n" /* must not turn the column to names */
                               "3,4,\"5\n"     /* never closed */
                               "5,6,8\n"
                               "7,8\n"
                               "9,10,9\n";
    const struct loom_read_options options = {.skip_bad_lines = true};
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    (void)state;

    assert_int_equal(read_bytes(&trace, text, sizeof text - 1, options, &err), 0);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const struct loom_read_report *report = loom_trace_report(trace);
    assert_int_equal(jobs->n, 3);
    for (size_t row = 0; row < 3; row++) {
        struct loom_job expected =
            timed_job((int64_t)row + 1, (int64_t)row * 4 + 1, -1, (int64_t)row * 4 + 2);
        expected.user = (int32_t)row + 7;
        assert_row(trace, row, expected);
    }
    assert_int_equal(report->bad_lines, 3);
    assert_int_equal(report->first_bad.line, 3);
    assert_int_equal(report->first_bad.column, 1);
    loom_trace_destroy(trace);
}

static void test_header_only(void **state)
{
    static const char *const texts[] = {"submit,run\n", "submit,run", "submit\r\n\r\n"};
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct loom_trace *trace = read_text(texts[i]);
        assert_int_equal(loom_trace_count(trace), 0);
        assert_int_equal(loom_trace_machine(trace)->unix_start_s, -1);
        loom_trace_destroy(trace);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static void test_missing_and_fractions(void **state)
{
    struct loom_trace *trace = read_text("id,submit,run,cpu_s,user,status\n"
                                         "9,10.4,,0.25,NA,COMPLETED\n"
                                         "-,NA,NaN,null,-,cancelled\n"
                                         "7,1e1,2.5,-,-1,Timeout\n");
    struct loom_job expected = timed_job(9, 10, -1, -1);
    (void)state;

    assert_int_equal(loom_trace_count(trace), 3);
    expected.cpu_s = 0.25;
    expected.status = LOOM_STATUS_COMPLETED;
    assert_row(trace, 0, expected);
    expected = loom_job_unknown();
    expected.status = LOOM_STATUS_CANCELLED;
    assert_row(trace, 1, expected);
    expected = timed_job(7, 10, -1, 3);
    expected.status = LOOM_STATUS_FAILED;
    assert_row(trace, 2, expected);
    assert_int_equal(loom_trace_report(trace)->rounded, 2);
    loom_trace_destroy(trace);
}

static void test_names_or_numbers(void **state)
{
    struct loom_trace *trace = read_text("submit,user,group,queue\n"
                                         "0,7,07,12\n"
                                         "1,-1,3.0,7\n"
                                         "2,anna,8,99999999999\n"
                                         "3,7,9,12\n"
                                         "4,,10,7\n");
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    static const int32_t users[] = {1, -1, 2, 1, -1}, groups[] = {7, 3, 8, 9, 10},
                         queues[] = {1, 2, 3, 1, 2};
    (void)state;

    assert_int_equal(jobs->n, 5);
    assert_memory_equal(jobs->user, users, sizeof users);
    assert_memory_equal(jobs->group, groups, sizeof groups);
    assert_memory_equal(jobs->queue, queues, sizeof queues);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 1), "7");
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 2), "anna");
    assert_null(loom_trace_name(trace, LOOM_GROUP, 7));
    assert_string_equal(loom_trace_name(trace, LOOM_QUEUE, 3), "99999999999");
    loom_trace_destroy(trace);
}

static void test_derived_times(void **state)
{
    static const struct {
        const char *text;
        int64_t wait_s, run_s;
    } cases[] = {
        {"submit,start\n10,15\n", 5, -1},
        {"submit,start,end\n10,15,45\n", 5, 30},
        {"submit,wait,end\n10,5,45\n", 5, 30},
        {"submit,run,end\n10,30,45\n", 5, 30},
        {"submit,start,end,wait,run\n10,15,45,1,2\n", 1, 2}, /* what is given counts */
        {"submit,start,end\n10,NA,45\n", -1, -1},
        {"submit,start,end\n10,-1,-1\n", -1, -1},
        {"submit,start,end\n1500000000,0,0\n", -1, -1},
        {"submit,start,end\n1500000000,1500000060,0\n", 60, -1},
        {"submit,start,end\n2024-02-28T23:59:50,2024-02-29 00:00:20,2024-03-01T00:00:20\n", 30,
         86400},
        {"submit,start,end\n2024-02-28T23:59:50,NA,\n", -1, -1},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = read_text(cases[i].text);
        struct loom_job job = loom_trace_job(trace, 0);
        assert_int_equal(job.wait_s, cases[i].wait_s);
        assert_int_equal(job.run_s, cases[i].run_s);
        loom_trace_destroy(trace);
    }
}

static void test_unix_times(void **state)
{
    static const struct {
        const char *text;
        int64_t start_s, first_s, second_s;
    } cases[] = {
        {"submit\n100000001\n100000006\n", 100000001, 0, 5},
        {"submit\n1500000005.2\n1500000000\n", 1500000000, 5, 0},
        {"submit\n100000000\n100000006\n", -1, 100000000, 100000006},
        {"submit\n1500000000\nNA\n", 1500000000, 0, -1},
        {"submit\n0\n1500000000\n", -1, 0, 1500000000},
        {"submit\n2020-01-01T00:00:10Z\n2020-01-01 00:00\n", 1577836800, 10, 0},
        {"submit\n2020-01-01T01:00:10+01:00\n2019-12-31T19:00-05\n", 1577836800, 10, 0},
        {"submit\n2020-01-01T05:30:10.499+0530\n2019-12-31T23:59:59.5\n", 1577836800, 10, 0},
        {"submit\n1971-01-01T00:00\n1971-01-02T00:00\n", 31536000, 0, 86400},
        {"# UnixStartTime: 1500000000\nsubmit\n200000000\n200000001\n", 1500000000, 200000000,
         200000001},
        {"# UnixStartTime: 1500000000\nsubmit\n1500000007\n1500000009\n", 1500000000, 7, 9},
        {"# UnixStartTime: -1\nsubmit\n1500000007\n1500000009\n", -1, 1500000007, 1500000009},
        {"# UnixStartTime: 0\nsubmit\n2020-01-01T00:00\n2020-01-01T00:01\n", 1577836800, 0, 60},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = read_text(cases[i].text);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        assert_int_equal(jobs->n, 2);
        assert_int_equal(jobs->submit_s[0], cases[i].first_s);
        assert_int_equal(jobs->submit_s[1], cases[i].second_s);
        assert_int_equal(loom_trace_machine(trace)->unix_start_s, cases[i].start_s);
        loom_trace_destroy(trace);
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static void test_round_trip(void **state)
{
    struct loom_error err = {0};
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    int32_t user;
    (void)state;

    loom_stream_init(&stream, 1, 0, "test-csv");
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "1664 (72, 1368)", &err), 0);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "1041377305", &err), 0);
    assert_int_equal(loom_trace_intern(&user, trace, LOOM_USER, "anna, b", 7, &err), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_QUEUE, 12, "long queue", &err), 0);
    assert_int_equal(loom_trace_declare_names(trace, &err), 0);
    append(trace, loom_job_unknown());
    for (int i = 1; i < 3000; i++)
        append(trace, any_job(&stream));
    struct loom_trace *back = write_and_read(trace, scratch.file, "csv");
    assert_same_jobs(back, trace);
    assert_same_header(back, trace);
    assert_int_equal(loom_trace_machine(back)->max_procs, 1664);
    assert_int_equal(loom_trace_machine(back)->unix_start_s, 1041377305);
    assert_string_equal(loom_trace_name(back, LOOM_USER, user), "anna, b");
    assert_string_equal(loom_trace_name(back, LOOM_QUEUE, 12), "long queue");
    assert_int_equal(loom_trace_report(back)->rounded, 0);
    loom_trace_destroy(back);
    loom_trace_destroy(trace);
}

/* Large submits of a log without a known start stay as they are. */
static void test_round_trip_unknown_start(void **state)
{
    struct loom_trace *trace = empty_trace();
    const struct loom_job job = timed_job(1, 1500000000, 1, 2);
    (void)state;

    append(trace, job);
    struct loom_trace *back = write_and_read(trace, scratch.file, "csv");
    assert_row(back, 0, job);
    assert_int_equal(loom_trace_machine(back)->unix_start_s, -1);
    loom_trace_destroy(back);
    loom_trace_destroy(trace);
}

static void test_written_text(void **state)
{
    static const char expected[] =
        "# MaxProcs: 8\n"
        "number,submit_s,wait_s,run_s,alloc_procs,cpu_s,used_mem_kib,req_procs,request_s,"
        "req_mem_kib,status,user,group,executable,queue,partition,preceding,think_s\n"
        "3,10,1,2,-1,0.1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1\n";
    struct loom_trace *trace = empty_trace();
    struct loom_job job = timed_job(3, 10, 1, 2);
    (void)state;

    job.cpu_s = 0.1;
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "8", NULL), 0);
    append(trace, job);
    must_write(trace, scratch.file);
    loom_trace_destroy(trace);
    char *text = load(scratch.file);
    assert_string_equal(text, expected);
    free(text);
}

static void test_probe(void **state)
{
    static const struct {
        const char *head;
        bool is;
    } cases[] = {
        {"id,submit,run\n1,2,3\n", true},
        {"# MaxProcs: 3\nid;submit;run", true},
        {"", false},
        {"submit\n1\n", false},
        {"; Version: 2.2\n1 2 3\n", false},
        {"a,b,c\n", false},
        {"{\"nb_res\": 4}", false},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int sure = loom_format_csv.probe(cases[i].head, strlen(cases[i].head));
        assert_int_equal(sure, cases[i].is ? 60 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_batsim_results),
        cmocka_unit_test(test_submit_aliases_and_separators),
        cmocka_unit_test(test_better_name),
        cmocka_unit_test(test_given_columns),
        cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_comments_and_mark),
        cmocka_unit_test(test_names_in_comment),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_skip_bad_lines),
        cmocka_unit_test(test_header_only),
        cmocka_unit_test(test_missing_and_fractions),
        cmocka_unit_test(test_names_or_numbers),
        cmocka_unit_test(test_derived_times),
        cmocka_unit_test(test_unix_times),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_round_trip_unknown_start),
        cmocka_unit_test(test_written_text),
        cmocka_unit_test(test_probe),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}
