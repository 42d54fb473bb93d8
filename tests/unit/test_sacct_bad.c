/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sacct reader: lines and values that are wrong. */
#include "sacct_log.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bad_lines, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_bad_values, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_nul_byte, set_up, close_scratch),
        cmocka_unit_test_setup_teardown(test_skip_bad_lines, set_up, close_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
