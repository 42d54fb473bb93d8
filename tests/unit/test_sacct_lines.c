/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of sacct output that are bad, and a real log. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_up(void **state)
{
    static struct scratch scratch;
    *state = &scratch;
    return scratch_open(&scratch, "log");
}

static int tear_down(void **state)
{
    return scratch_close(*state);
}

static int read_bytes(struct loom_trace **trace, void **state, const char *text, size_t size,
                      const struct loom_read_options *options, struct loom_error *err)
{
    const struct scratch *scratch = *state;
    store(scratch->file, text, size);
    *trace = NULL;
    memset(err, 0, sizeof *err);
    return loom_trace_read(trace, scratch->file, options, err);
}

static struct loom_trace *read_log(void **state, const char *text,
                                   const struct loom_read_options *options)
{
    const struct scratch *scratch = *state;
    store_text(scratch->file, text);
    return must_read(scratch->file, options);
}

/* Reading must fail at this line and column, with this in its message. */
static void must_fail(void **state, const char *text, const struct loom_read_options *options,
                      int code, int line, int column, const char *message)
{
    struct loom_trace *trace;
    struct loom_error err;
    int rc = read_bytes(&trace, state, text, strlen(text), options, &err);
    loom_trace_destroy(trace);
    if (rc != code || err.code != code || err.line != line || err.column != column ||
        !strstr(err.message, message))
        fail_msg("returned %d at line %d, column %d: '%s', not %d at %d, %d: '%s'", rc,
                 (int)err.line, err.column, err.message, code, line, column, message);
}

#define HEADER                                                                                     \
    "JobID|JobIDRaw|Cluster|User|Group|Account|Partition|Submit|Start|End|Elapsed|TotalCPU|State|" \
    "NNodes|NCPUS|ReqCPUS|ReqMem|MaxRSS|Timelimit|Comment|JobName\n"

#define S "|2020-01-01T00:00:00|2020-01-01T00:00:01|COMPLETED\n"
#define P "|2020-01-01T00:00:00|Unknown|PENDING\n"

/* ---- bad lines ------------------------------------------------------------------------------- */

static void test_bad_lines(void **state)
{
    static const struct {
        const char *line;
        int column;
        const char *message;
    } cases[] = {
        {"2|2020-01-01T00:00:00|run|4", 28, "4 fields, not 5"},
        {"2|2020-01-01T00:00:00|a|b|4|COMPLETED", 29, "6 fields, not 5"},
        {"x|2020-01-01T00:00:00|run|4|COMPLETED", 1, "JobID 'x' is not a job id"},
        {"|2020-01-01T00:00:00|run|4|COMPLETED", 1, "no job id"},
        {"2_[x]|2020-01-01T00:00:00|run|4|COMPLETED", 4, "array range"},
        {"2|yesterday|run|4|COMPLETED", 3, "Submit 'yesterday' is not a time"},
        {"2|Unknown|run|4|COMPLETED", 3, "no submit time"},
        {"2|1577836800|run|4|COMPLETED", 3, "form of the times before it"},
        {"2|2020-01-01T00:00:00|run|four|COMPLETED", 27, "NCPUS 'four' is not a whole number"},
        {"2|2020-01-01T00:00:00|run|4|DANCING", 29, "State 'DANCING' is not a state"},
        {"2|2020-01-01T00:00:00|run|4|\x01\xff", 29, "State '?\?' is not a state"},
        {"2|2020-01-01T00:00:00|run|99999999999|COMPLETED", 1, "99999999999 processors"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char log[512];
        snprintf(log, sizeof log,
                 "JobID|Submit|JobName|NCPUS|State\n"
                 "1|2020-01-01T00:00:00|run|4|COMPLETED\n\n%s\n",
                 cases[i].line);
        must_fail(state, log, NULL, LOOM_EFORMAT, 4, cases[i].column, cases[i].message);
    }
}

static void test_bad_values(void **state)
{
    static const struct {
        const char *name, *value;
    } cases[] = {
        {"Start", "soon"},
        {"End", "2020-02-30T00:00:00"},
        {"Elapsed", "5"},
        {"ElapsedRaw", "5 s"},
        {"CPUTimeRAW", "1:2"},
        {"TotalCPU", "1-1"},
        {"NCPUS", "-4"},
        {"AllocCPUS", "0x10"},
        {"ReqCPUS", "4,5"},
        {"NNodes", "n1"},
        {"AllocNodes", "1;"},
        {"ReqNodes", "1.5"},
        {"ReqMem", "4Q"},
        {"MaxRSS", "lots"},
        {"Timelimit", "2h"},
        {"TimelimitRaw", "2h"},
        {"ReqTRES", "cpu=x"},
        {"AllocTRES", "cpu=x"},
        {"ReqTRES", "node=two"},
        {"ReqTRES", "mem=much"},
        {"TimelimitRaw", "999999999999999999"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char log[256];
        const char *equals = strchr(cases[i].value, '=');
        int column = 23 + (equals ? (int)(equals - cases[i].value) + 1 : 0);
        snprintf(log, sizeof log, "JobID|Submit|%s\n1|2020-01-01T00:00:00|%s\n", cases[i].name,
                 cases[i].value);
        must_fail(state, log, NULL, LOOM_EFORMAT, 2, column, cases[i].name);
    }
}

static void test_nul_byte(void **state)
{
    static const char log[] = "JobID|Submit|JobName\n1|2020-01-01T00:00:00|a\0b\n";
    struct loom_trace *trace;
    struct loom_error err;
    assert_int_equal(read_bytes(&trace, state, log, sizeof log - 1, NULL, &err), LOOM_EFORMAT);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 24);
    assert_non_null(strstr(err.message, "NUL"));
}

static void test_skip_bad_lines(void **state)
{
    static const struct loom_read_options skip = {.skip_bad_lines = true};
    static const char log[] = "JobID|User|Submit|Start|State\n"
                              "1|eve|1577836800|tomorrow|COMPLETED\n"
                              "6_[2-1]|eve|1577836800|Unknown|CANCELLED\n"
                              "2|ann|2020-01-01T00:00:05|2020-01-01T00:00:06|COMPLETED\n"
                              "3|eve|2020-01-01T00:00:00\n"
                              "4|bob|2020-01-01T00:00:07|2020-01-01T00:00:09|COMPLETED\n"
                              "5|bob|2020-01-01T00:00:00|2020-01-01T00:00:00|DANCING\n";
    struct loom_trace *trace = read_log(state, log, &skip);
    const struct loom_read_report *report = loom_trace_report(trace);

    assert_int_equal(report->bad_lines, 4);
    assert_int_equal(report->first_bad.line, 2);
    assert_int_equal(report->first_bad.column, 18);
    assert_non_null(strstr(report->first_bad.message, "tomorrow"));
    /* Bad lines leave nothing behind: no jobs, names, clock or start. */
    assert_int_equal(loom_trace_count(trace), 2);
    assert_int_equal(loom_trace_job(trace, 0).submit_s, 0);
    assert_int_equal(loom_trace_job(trace, 1).wait_s, 2);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1577836805);
    assert_int_equal(loom_trace_number(trace, LOOM_USER, "eve"), -1);
    assert_int_equal(loom_trace_number(trace, LOOM_USER, "bob"), 2);
    loom_trace_destroy(trace);
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
        cmocka_unit_test_setup_teardown(test_bad_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nul_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_skip_bad_lines, set_up, tear_down),
        cmocka_unit_test(test_real_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
