/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sacct reader: whole logs, written to a scratch file and read through the public interface. */
#include "sacct_log.h"

static void test_whole_record(void **state)
{
    static const char log[] = HEADER
        "77|77|c1|ann|grp|acc|short|2020-01-01T00:01:00|2020-01-01T00:03:30|2020-01-01T01:03:30|"
        "01:00:00|03:30:00|COMPLETED|2|4|4|4Gn|2000K|02:00:00|x|solve\n"
        "78|78|c1|bob|grp|acc|long|2020-01-01T00:00:00|2020-01-01T00:00:00|2020-01-01T00:00:09|"
        "00:00:09|00:07.500|FAILED|1|3|2|2147483748Mn||Partition_Limit||solve\n";
    struct loom_trace *trace = read_log(state, log, NULL);

    assert_int_equal(loom_trace_count(trace), 2);
    assert_string_equal(loom_trace_report(trace)->format, "sacct");
    assert_row(trace, 0,
               (struct loom_job){77, 60, 150, 3600, 4, 3150, 2000, 4, 7200, 2097152, 1, 1, 1, 1, 1,
                                 1, -1, -1});
    assert_row(trace, 1,
               (struct loom_job){78, 0, 0, 9, 3, 2.5, -1, 2, -1, 102400, 0, 2, 1, 1, 2, 1, -1, -1});
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 2), "bob");
    assert_string_equal(loom_trace_name(trace, LOOM_GROUP, 1), "grp");
    assert_string_equal(loom_trace_name(trace, LOOM_QUEUE, 2), "long");
    assert_string_equal(loom_trace_name(trace, LOOM_EXECUTABLE, 1), "solve");
    assert_string_equal(loom_trace_name(trace, LOOM_PARTITION, 1), "c1");
    loom_trace_destroy(trace);
}

static void test_header_of_trace(void **state)
{
    static const char log[] = "JobID|Submit|Cluster\n"
                              "2|2020-01-01T00:00:10|c1\n"
                              "1|2020-01-01T00:00:00|c1\n"
                              "1.batch|2020-01-01T00:00:00|c1\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    const struct loom_machine *machine = loom_trace_machine(trace);

    assert_int_equal(loom_trace_job(trace, 0).submit_s, 10);
    assert_int_equal(loom_trace_job(trace, 1).submit_s, 0);
    assert_int_equal(machine->unix_start_s, 1577836800);
    assert_int_equal(machine->time_zone_s, 0);
    assert_int_equal(machine->max_jobs, 2);
    assert_int_equal(machine->max_records, 2);
    assert_int_equal(machine->max_procs, -1);
    assert_string_equal(loom_trace_directive(trace, "Version"), "2.2");
    assert_string_equal(loom_trace_directive(trace, "Computer"), "c1");
    assert_non_null(strstr(loom_trace_directive(trace, "Note"), "site's clock"));
    assert_int_equal(loom_trace_report(trace)->skipped_steps, 1);
    loom_trace_destroy(trace);
}

static void test_unix_times_have_no_zone(void **state)
{
    static const char log[] = "JobID|Submit|Start\n1|1577836800|1577836805\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1577836800);
    assert_int_equal(loom_trace_machine(trace)->time_zone_s, INT64_MIN);
    assert_int_equal(loom_trace_job(trace, 0).wait_s, 5);
    assert_null(strstr(loom_trace_directive(trace, "Note"), "clock"));
    loom_trace_destroy(trace);
}

/* One record each, with the job's wait, runtime, processors and status. T is 2020-01-01T00:00. */
static void test_started_or_not(void **state)
{
#define T "2020-01-01T00:00:"
    static const struct {
        const char *fields; /* start, end, elapsed, state, node list */
        int wait_s, run_s, procs, status;
    } cases[] = {
        {T "05|" T "15|00:00:10|COMPLETED|n1", 5, 10, 4, 1},
        {T "05|" T "15|00:00:10|TIMEOUT|n1", 5, 10, 4, 0},
        {T "05|" T "15|00:00:10|PREEMPTED|n1", 5, 10, 4, 0},
        {T "05|" T "15|00:00:10|CANCELLED by 1|n1", 5, 10, 4, 5},
        /* suspended for 4 s: Elapsed counts, not the end */
        {T "05|" T "15|00:00:06|COMPLETED|n1", 5, 6, 4, 1},
        {T "05|" T "15||COMPLETED|n1", 5, 10, 4, 1},
        /* within one second */
        {T "05|" T "05|00:00:00|COMPLETED|n1", 5, 0, 4, 1},
        {T "05|" T "05|00:00:00|FAILED|", 5, 0, 4, 0},
        {T "05|" T "05|00:00:00|CANCELLED by 1|n1", 5, 0, 4, 5},
        /* removed from the queue */
        {T "05|" T "05|00:00:00|CANCELLED by 1|None assigned", 5, -1, -1, 5},
        {T "05|" T "05|00:00:00|CANCELLED|", 5, -1, -1, 5},
        {"Unknown|" T "08|00:00:00|CANCELLED|", 8, -1, -1, 5},
        {"None|" T "08|00:00:00|CANCELLED by 1|None assigned", 8, -1, -1, 5},
        {"None|" T "08|00:00:00|DEADLINE|None assigned", 8, -1, -1, 0},
        {"None|Unknown|00:00:00|CANCELLED|", -1, -1, -1, 5},
        {T "05|" T "05|00:00:00|FAILED|None assigned", 5, -1, -1, 0},
        /* not over */
        {"Unknown|Unknown|00:00:00|PENDING|None assigned", -1, -1, -1, -1},
        {T "05|Unknown|00:00:30|RUNNING|n1", 5, -1, 4, -1},
        {T "05|Unknown|00:00:30|SUSPENDED|n1", 5, -1, 4, -1},
        {T "05|Unknown|00:00:30||n1", 5, -1, 4, -1},
        {T "05|" T "15|00:00:10||n1", 5, 10, 4, -1},
        /* started before the submit */
        {"2019-12-31T23:59:59|" T "15|00:00:16|COMPLETED|n1", -1, 16, 4, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char log[512];
        snprintf(log, sizeof log,
                 "JobID|Submit|NCPUS|Start|End|Elapsed|State|NodeList\n1|" T "00|4|%s\n",
                 cases[i].fields);
        struct loom_trace *trace = read_log(state, log, NULL);
        struct loom_job job = loom_trace_job(trace, 0);
        loom_trace_destroy(trace);
        if (job.wait_s != cases[i].wait_s || job.run_s != cases[i].run_s ||
            job.alloc_procs != cases[i].procs || job.status != cases[i].status)
            fail_msg("'%s': wait %d, run %d, procs %d, status %d", cases[i].fields, (int)job.wait_s,
                     (int)job.run_s, (int)job.alloc_procs, (int)job.status);
        /* An older Slurm shows what was asked for as NCPUS. */
        assert_int_equal(job.req_procs, job.alloc_procs < 0 ? 4 : -1);
    }
#undef T
}

/* Columns that stand in for others. */
static void test_other_columns(void **state)
{
    static const char log[] =
        "JobIDRaw|UID|Account|Submit|End|ElapsedRaw|AllocCPUS|ReqTRES|AllocTRES|TimelimitRaw|"
        "State\n"
        "9|1001|acc|2020-01-01T00:00:00|2020-01-01T00:01:00|40||cpu=8,mem=16G,node=2|"
        "billing=8,cpu=6,mem=16G,node=2|90|COMPLETED\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    struct loom_job want = {9, 0, 20, 40, 6, -1, -1, 8, 5400, 2097152, 1, 1, 1, -1, -1, -1, -1, -1};
    assert_row(trace, 0, want);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 1), "1001");
    assert_string_equal(loom_trace_name(trace, LOOM_GROUP, 1), "acc");
    loom_trace_destroy(trace);
}

static int64_t jobs_dropped(const struct loom_trace *trace, const char *name)
{
    const struct loom_read_report *report = loom_trace_report(trace);
    for (size_t i = 0; i < report->n_dropped; i++)
        if (strcmp(report->dropped[i].name, name) == 0)
            return report->dropped[i].jobs;
    return 0;
}

/* Columns without a place are counted by the jobs that have a value in them, not by steps; the
 * account has the group's place only where there is no group. */
static void test_dropped_columns(void **state)
{
    static const char log[] =
        "JobID|Submit|Eligible|Group|Account|QOS|NCPUS|NodeList|ReqTRES|AllocTRES|State\n"
        "1|2020-01-01T00:00:00|2020-01-01T00:00:00|g|acc|normal|4|n1|cpu=4,gres/gpu=2|cpu=4|"
        "COMPLETED\n"
        "1.batch|||||||n1|||COMPLETED\n"
        "2|2020-01-01T00:00:01|2020-01-01T00:00:01|g|acc||4|n[1-2]|cpu=4|"
        "cpu=4,gres/gpu:a100=1,gres/gpu=1|COMPLETED\n"
        "3|2020-01-01T00:00:02||g||normal|4||cpu=4|cpu=4|COMPLETED\n";
    static const char no_group[] = "JobID|Submit|Account|NCPUS|State\n"
                                   "1|2020-01-01T00:00:00|acc|4|COMPLETED\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    assert_int_equal(loom_trace_count(trace), 3);
    assert_int_equal(jobs_dropped(trace, "Eligible"), 2);
    assert_int_equal(jobs_dropped(trace, "Account"), 2);
    assert_int_equal(jobs_dropped(trace, "QOS"), 2);
    assert_int_equal(jobs_dropped(trace, "NodeList"), 2);
    assert_int_equal(jobs_dropped(trace, "GPUs"), 2);
    assert_int_equal(jobs_dropped(trace, "Group"), 0);
    loom_trace_destroy(trace);
    trace = read_log(state, no_group, NULL);
    assert_int_equal(jobs_dropped(trace, "Account"), 0);
    loom_trace_destroy(trace);
}

static void test_run_from_cpu_time(void **state)
{
    static const char log[] = "JobID|Submit|Start|NCPUS|CPUTimeRAW|State\n"
                              "9|2020-01-01T00:00:00|2020-01-01T00:01:00|4|400|COMPLETED\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    assert_int_equal(loom_trace_job(trace, 0).run_s, 100);
    loom_trace_destroy(trace);
}

static void test_requested_memory(void **state)
{
    static const struct {
        const char *fields; /* nodes, cpus, ReqMem */
        double kib;
    } cases[] = {
        {"2|8|4Gn", 1048576},
        {"2|8|4Gc", 4194304},
        {"2|8|4G", 524288},
        {"1|8|62.50Gn", 8192000},
        {"2|8|2147486648Mn", 3072000},
        {"|8|4Gn", -1},
        {"2||4Gn", -1},
        {"2||4Gc", 4194304},
        {"2||4G", -1},
        {"2|8|", -1},
        {"2|8|0n", -1},
        {"1K|2048|4Mn", 2048},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char log[256];
        snprintf(log, sizeof log, "JobID|Submit|NNodes|ReqCPUS|ReqMem\n1|2020-01-01T00:00:00|%s\n",
                 cases[i].fields);
        struct loom_trace *trace = read_log(state, log, NULL);
        double kib = loom_trace_job(trace, 0).req_mem_kib;
        loom_trace_destroy(trace);
        if (kib != cases[i].kib)
            fail_msg("'%s': %.17g", cases[i].fields, kib);
    }
}

static void check_numbers(struct loom_trace *trace, const int64_t *want, size_t n)
{
    assert_int_equal(loom_trace_count(trace), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(loom_trace_job(trace, i).number, want[i]);
    loom_trace_destroy(trace);
}

#define S "|2020-01-01T00:00:00|2020-01-01T00:00:01|COMPLETED\n"
#define P "|2020-01-01T00:00:00|Unknown|PENDING\n"

static void test_numbers_without_raw_ids(void **state)
{
    static const char log[] = "JobID|Submit|Start|State\n"
                              "5" S "7_1" S "7_2" S "7_[3-4,6%2]" P "8+0" S "8+1" S "5" S;
    static const int64_t want[] = {5,          7000000001, 7000000002, 7000000003, 7000000004,
                                   7000000006, 8,          9,          5};
    check_numbers(read_log(state, log, NULL), want, COUNT(want));
}

static void test_numbers_with_raw_ids(void **state)
{
    static const char log[] =
        "JobID|JobIDRaw|Submit|Start|State\n"
        "7_1|11" S "7_2|7" S "7_[3-4]|7" P "7_[9]|7" P "7_5|7" P "8+1|9" S "6|n/a" S;
    static const int64_t want[] = {11, 7, 7000000003, 7000000004, 7, 7000000005, 9, 6};
    check_numbers(read_log(state, log, NULL), want, COUNT(want));
}

static void test_range_jobs(void **state)
{
    static const char log[] = "JobID|User|Submit|Start|End|Elapsed|NCPUS|State\n"
                              "7_[1-2,9]|ann|2020-01-01T00:00:00|2020-01-01T00:00:30|"
                              "2020-01-01T00:00:30|00:00:00|4|CANCELLED by 1\n"
                              "8_[1,22...]|bob|2020-01-01T00:00:10|Unknown|Unknown|00:00:00|1|"
                              "PENDING\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    assert_int_equal(loom_trace_count(trace), 4);
    for (size_t i = 0; i < 3; i++) {
        struct loom_job job = loom_trace_job(trace, i);
        assert_int_equal(job.submit_s, 0);
        assert_int_equal(job.wait_s, 30);
        assert_int_equal(job.run_s, -1);
        assert_int_equal(job.alloc_procs, -1);
        assert_int_equal(job.req_procs, 4);
        assert_int_equal(job.status, 5);
        assert_int_equal(job.user, 1);
    }
    assert_int_equal(loom_trace_job(trace, 3).number, 8000000001);
    assert_int_equal(loom_trace_job(trace, 3).submit_s, 10);
    assert_int_equal(loom_trace_job(trace, 3).wait_s, -1);
    loom_trace_destroy(trace);
}

static void test_too_many_range_jobs(void **state)
{
    must_fail(state,
              "JobID|Submit\n1_[0-999999]|2020-01-01T00:00:00\n"
              "2_[0-999999999]|2020-01-01T00:00:00\n",
              NULL, LOOM_EFORMAT, 3, 4, "more than 2000000 jobs");
}

static void test_steps(void **state)
{
    static const char log[] = "JobID|Submit|Start|MaxRSS\n"
                              "1|2020-01-01T00:00:00|2020-01-01T00:00:00|\n"
                              "1.batch|2020-01-01T00:00:00|2020-01-01T00:00:00|10K\n"
                              "1.extern|2020-01-01T00:00:00|2020-01-01T00:00:00|\n"
                              "1.0|2020-01-01T00:00:00|2020-01-01T00:00:00|300K\n"
                              "1.1|2020-01-01T00:00:00|2020-01-01T00:00:00|20K\n"
                              "2_3|2020-01-01T00:00:00|2020-01-01T00:00:00|7K\n"
                              "1.2|2020-01-01T00:00:00|2020-01-01T00:00:00|500K\n"
                              "2_3.batch|2020-01-01T00:00:00|2020-01-01T00:00:00|9K\n"
                              "12|2020-01-01T00:00:00|2020-01-01T00:00:00|\n"
                              "1.2|2020-01-01T00:00:00|2020-01-01T00:00:00|400K\n"
                              "12.0|2020-01-01T00:00:00|2020-01-01T00:00:00|odd\n";
    struct loom_trace *trace = read_log(state, log, NULL);
    assert_int_equal(loom_trace_count(trace), 3);
    assert_int_equal(loom_trace_report(trace)->skipped_steps, 8);
    assert_true(loom_trace_job(trace, 0).used_mem_kib == 300);
    assert_true(loom_trace_job(trace, 1).used_mem_kib == 7);
    assert_true(loom_trace_job(trace, 2).used_mem_kib == -1);
    loom_trace_destroy(trace);
}

/* ---- header line and columns ----------------------------------------------------------------- */

static void test_forms_of_columns(void **state)
{
    static const struct loom_read_options named = {
        .format = "sacct", .columns = "jobid, USER%20 ,nonsense,submit,ncpus,jobname"};
    static const struct {
        const char *text;
        const struct loom_read_options *options;
        const char *job_name;
    } cases[] = {
        {"JobID|User|Extra|Submit|NCPUS|JobName\n3|ann|x|2020-01-01T00:00:00|4|run\n", NULL, "run"},
        {"jobid|user|extra|SUBMIT|ncpus|jobname\n3|ann|x|2020-01-01T00:00:00|4|run\n", NULL, "run"},
        /* --parsable */
        {"JobID|User|X|Submit|NCPUS|JobName|\n3|ann|x|2020-01-01T00:00:00|4|run|\n", NULL, "run"},
        {"3|ann|x|2020-01-01T00:00:00|4|run|\n", &named, "run"},
        /* carriage returns, empty lines, no last newline */
        {"\r\n\nJobID|User|X|Submit|NCPUS|JobName\r\n\r\n3|ann|x|2020-01-01T00:00:00|4|run\r\n",
         NULL, "run"},
        {"3|ann|x|2020-01-01T00:00:00|4|run", &named, "run"},
        {"JobID|User|Extra|Submit|NCPUS|JobName\n3|ann|x|2020-01-01T00:00:00|4|run\n", &named,
         "run"},
        /* joined dumps */
        {"JobID|User|X|Submit|NCPUS|JobName\n3|ann|x|2020-01-01T00:00:00|4|run\n"
         "JobID|User|X|Submit|NCPUS|JobName\n",
         NULL, "run"},
        /* bars in the name */
        {"JobID|User|X|Submit|NCPUS|JobName\n3|ann|x|2020-01-01T00:00:00|4|a|b||c\n", NULL,
         "a|b||c"},
        {"JobID|User|X|Submit|NCPUS|JobName|\n3|ann|x|2020-01-01T00:00:00|4|a|b|\n", NULL, "a|b"},
        {"3|ann|x|2020-01-01T00:00:00|4|a|b\n", &named, "a|b"},
        /* a column named twice: the first counts */
        {"JobID|User|JobID|Submit|NCPUS|JobName\n3|ann|9|2020-01-01T00:00:00|4|run\n", NULL, "run"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *trace = read_log(state, cases[i].text, cases[i].options);
        struct loom_job job = loom_trace_job(trace, 0);
        assert_int_equal(loom_trace_count(trace), 1);
        assert_int_equal(job.number, 3);
        assert_int_equal(job.alloc_procs, 4);
        assert_int_equal(job.user, 1);
        assert_string_equal(loom_trace_name(trace, LOOM_USER, 1), "ann");
        assert_string_equal(loom_trace_name(trace, LOOM_EXECUTABLE, 1), cases[i].job_name);
        loom_trace_destroy(trace);
    }
}

/* Without a header line, records show whether each ends in a bar: a bad one shows nothing, and once
 * this is known, a last bar is the name's. */
static void test_last_bar_without_header(void **state)
{
    static const struct loom_read_options options = {.format = "sacct",
                                                     .columns = "jobid,submit,jobname",
                                                     .skip_bad_lines = true};
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"oops\n1|2020-01-01T00:00:00|a|\n", "a"},
        {"1|2020-01-01T00:00:00|a\n2|2020-01-01T00:00:00|b|\n", "b|"},
        {"1|2020-01-01T00:00:00|a|\n2|2020-01-01T00:00:00|b|c|\n", "b|c"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *trace = read_log(state, cases[i].text, &options);
        size_t last = loom_trace_count(trace) - 1;
        int32_t number = loom_trace_job(trace, last).executable;
        assert_string_equal(loom_trace_name(trace, LOOM_EXECUTABLE, number), cases[i].name);
        loom_trace_destroy(trace);
    }
}

static void test_bad_columns(void **state)
{
    static const struct loom_read_options plain = {.format = "sacct"};
    static const struct loom_read_options no_id = {.format = "sacct", .columns = "user,submit"};
    static const struct loom_read_options no_submit = {.format = "sacct", .columns = "jobid,user"};
    static const struct loom_read_options two = {.format = "sacct", .columns = "jobid,submit"};
    static const struct loom_read_options none = {.format = "sacct", .columns = ""};

    must_fail(state, "3|ann|x|2020-01-01T00:00:00\n", &plain, LOOM_EFORMAT, 1, 0,
              "no header line: give columns");
    must_fail(state, "3|ann|x|2020-01-01T00:00:00\n", NULL, LOOM_EFORMAT, 1, 0,
              "no header line: give columns");
    must_fail(state, "\nJobID|User\n", &plain, LOOM_EFORMAT, 2, 0, "no Submit");
    must_fail(state, "1|2\n", &no_id, LOOM_EUSAGE, 0, 0, "neither JobID nor JobIDRaw");
    must_fail(state, "1|2\n", &no_submit, LOOM_EUSAGE, 0, 0, "no Submit");
    must_fail(state, "1|2\n", &none, LOOM_EUSAGE, 0, 0, "neither JobID nor JobIDRaw");
    must_fail(state, "JobID|User|Submit\n", &two, LOOM_EUSAGE, 1, 0,
              "columns has 2 names, but the header line 3");
    must_fail(state, "", &plain, LOOM_EFORMAT, 0, 0, "nothing in it");
    must_fail(state, "\n\n", &plain, LOOM_EFORMAT, 0, 0, "nothing in it");
}

static void test_no_jobs(void **state)
{
    struct loom_trace *trace = read_log(state, "JobID|Submit\n", NULL);
    assert_int_equal(loom_trace_count(trace), 0);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, -1);
    loom_trace_destroy(trace);
}

static void test_too_many_columns(void **state)
{
    static const struct loom_read_options plain = {.format = "sacct"};
    char log[4096] = "JobID|Submit";
    for (size_t at = strlen(log), i = 0; i < 1023; i++)
        memcpy(log + at + 2 * i, "|x", 2);
    must_fail(state, log, &plain, LOOM_ERANGE, 0, 0, "more than 1024 columns");
}

/* ---- a real log ------------------------------------------------------------------------------ */

static size_t row_of(const struct loom_trace *trace, int64_t number)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->number[i] == number)
            return i;
    }
    fail_msg("no job %lld", (long long)number);
    return 0;
}

static int64_t count_status(const struct loom_jobs *jobs, int32_t status)
{
    int64_t count = 0;
    for (size_t i = 0; i < jobs->n; i++)
        count += jobs->status[i] == status;
    return count;
}

static void test_real_log(void **state)
{
    static const struct loom_read_options options = {
        .format = "sacct",
        .columns = "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,"
                   "eligible,start,end,elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,"
                   "alloctres,timelimit,nodelist,jobname"};
    const char *folder = getenv("WORKLOOM_TRACES");
    char path[4096];
    (void)state;

    snprintf(path, sizeof path, "%s/sacct-xdmod-pozidriv.txt.gz",
             folder ? folder : "../shared/traces");
    if (access(path, R_OK) != 0) {
        print_message("# no %s: skipped\n", path);
        skip();
    }
    struct loom_trace *trace = must_read(path, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(jobs->n, 11704);
    assert_int_equal(count_status(jobs, 1), 10134);
    assert_int_equal(count_status(jobs, 0), 1007 + 86 + 9);
    assert_int_equal(count_status(jobs, 5), 468);
    assert_int_equal(loom_trace_report(trace)->skipped_steps, 0);

    size_t row = row_of(trace, 977669); /* 12 processors, 48000 MiB on one node */
    assert_int_equal(jobs->wait_s[row], 9 * 3600 + 19 * 60 + 56);
    assert_int_equal(jobs->run_s[row], 7 * 86400 + 20 * 3600 + 39 * 60 + 39);
    assert_int_equal(jobs->alloc_procs[row], 12);
    assert_int_equal(jobs->request_s[row], 125 * 86400);
    assert_true(jobs->req_mem_kib[row] == 4096000);
    assert_int_equal(jobs->submit_s[row] + loom_trace_machine(trace)->unix_start_s, 1482356614);
    row = row_of(trace, 990246); /* cancelled while waiting, without a limit of its own */
    assert_int_equal(jobs->wait_s[row], 7 * 3600 + 10 * 60 + 27);
    assert_int_equal(jobs->run_s[row], -1);
    assert_int_equal(jobs->alloc_procs[row], -1);
    assert_int_equal(jobs->req_procs[row], 12);
    assert_int_equal(jobs->request_s[row], -1);
    assert_int_equal(jobs->status[row], 5);
    row = row_of(trace, 999638); /* 2800 MiB for each of 40 processors */
    assert_true(jobs->req_mem_kib[row] == 2867200);
    assert_int_equal(jobs->alloc_procs[row], 40);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole_record, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_header_of_trace, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_unix_times_have_no_zone, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_started_or_not, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_other_columns, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_run_from_cpu_time, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_requested_memory, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_numbers_without_raw_ids, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_numbers_with_raw_ids, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_range_jobs, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_too_many_range_jobs, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_steps, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_forms_of_columns, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_last_bar_without_header, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_bad_columns, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_no_jobs, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_too_many_columns, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_dropped_columns, set_up, close_scratch),
        cmocka_unit_test(test_real_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
