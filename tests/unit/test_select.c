/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection: every condition alone and together, on ten jobs, and what is refused. */
#include "trace/tool.h"

#include <workloom/trace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { JOBS = 10, MAX_OPTIONS = 4 };

struct option {
    const char *name, *value;
};

/* Row 6 is out of order. The log begins at midnight of 2001-09-09 UTC, which is 01:00 in its zone.
 */
static const struct {
    int64_t submit_s, run_s;
    int32_t alloc, requested, status, user, queue;
} table[JOBS] = {
    {0, 100, 1, 1, 1, 1, 0},     {10, 0, 2, -1, 1, 2, 1},     {20, -1, 4, 4, 5, 3, 1},
    {30, 50, 0, 8, 0, 4, 2},     {40, 60, -1, -1, 1, 5, 2},   {3600, 10, 16, 8, 1, 3, 0},
    {50, 10, 8, 16, 0, 7, -1},   {7200, 5, 32, 32, 1, 12, 1}, {7200, 5, 3, 3, 1, -1, 1},
    {90000, 5, 64, 64, 1, 1, 3},
};

static struct loom_trace *make_trace(void)
{
    struct loom_trace *trace = NULL;
    assert_int_equal(loom_trace_create(&trace, NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "999993600", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "TimeZone", "3600", NULL), 0);
    for (size_t i = 0; i < JOBS; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = table[i].submit_s;
        job.run_s = table[i].run_s;
        job.alloc_procs = table[i].alloc;
        job.req_procs = table[i].requested;
        job.status = table[i].status;
        job.user = table[i].user;
        job.queue = table[i].queue;
        assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
    }
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 3, "anna", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 12, "jean-luc", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_QUEUE, 1, "express", NULL), 0);
    return trace;
}

static int run_select(uint8_t *keep, const struct loom_param *const *lists,
                      const struct option *options, struct loom_error *err)
{
    struct loom_trace *trace = make_trace();
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, err), 0);
    for (size_t i = 0; i < MAX_OPTIONS && options[i].name; i++)
        assert_int_equal(loom_params_set(params, options[i].name, options[i].value, err), 0);
    int rc = loom_select(keep, trace, params, err);
    loom_params_destroy(params);
    loom_trace_destroy(trace);
    return rc;
}

static const struct loom_param *const plain[] = {loom_select_params, NULL};

static void assert_selects(const struct loom_param *const *lists, const struct option *options,
                           const char *expected)
{
    struct loom_error err = {0};
    uint8_t keep[JOBS];
    char got[JOBS + 1] = "";
    memset(keep, 7, sizeof keep);
    if (run_select(keep, lists, options, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < JOBS; i++)
        got[i] = (char)('0' + keep[i]);
    if (strcmp(got, expected) != 0)
        fail_msg("--%s %s selects %s, not %s", options[0].name ? options[0].name : "",
                 options[0].value, got, expected);
}

static void test_conditions(void **state)
{
    (void)state;
    static const struct {
        struct option options[MAX_OPTIONS];
        const char *expected;
    } cases[] = {
        {{{NULL, NULL}}, "1111111111"},
        {{{"select", "all"}}, "1111111111"},
        {{{"select", "ran"}}, "1100011111"},
        {{{"select", "completed"}}, "1100110111"},
        {{{"users", "1"}}, "1000000001"},
        {{{"users", "3-5"}}, "0011110000"},
        {{{"users", "anna"}}, "0010010000"},
        {{{"users", "jean-luc,2"}}, "0100000100"},
        {{{"users", "2"}, {"users", "12"}}, "0100000100"},
        {{{"users", "!3"}}, "1101101111"},
        {{{"users", "!3,1"}}, "0101101110"},
        {{{"users", "1-5,!anna"}}, "1101100001"},
        {{{"users", "1-5"}, {"users", "!2-3"}}, "1001100001"},
        {{{"users", "99"}}, "0000000000"},
        {{{"queues", "express"}}, "0110000110"},
        {{{"queues", "0,3"}}, "1000010001"},
        {{{"queues", "!1"}}, "1001111001"},
        {{{"procs", "4:8"}}, "0011010000"},
        {{{"procs", "16:"}}, "0000001101"},
        {{{"procs", ":2"}}, "1100000000"},
        {{{"job-procs", "8"}}, "0001010000"},
        {{{"job-procs", "4:8"}}, "0011010000"},
        {{{"procs", ":"}}, "1111011111"},
        {{{"from-time", "3600"}}, "0000010111"},
        {{{"to-time", "3600"}}, "1111101000"},
        {{{"from-time", "10"}, {"to-time", "50"}}, "0111100000"},
        {{{"from-time", "2001-09-09T02:00"}}, "0000010111"},
        {{{"from-time", "2001-09-09T03:00:00"}, {"to-time", "2001-09-10"}}, "0000000110"},
        {{{"first", "1"}}, "1000000000"},
        {{{"first", "6"}}, "1111101000"},
        {{{"first", "8"}}, "1111111100"},
        {{{"first", "100"}}, "1111111111"},
        {{{"first", "2"}, {"users", "3,7"}}, "0010001000"},
        {{{"first", "1"}, {"select", "ran"}, {"procs", "8:"}}, "0000001000"},
        {{{"select", "completed"}, {"users", "!1"}, {"queues", "1"}, {"procs", "3:"}},
         "0000000110"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_selects(plain, cases[i].options, cases[i].expected);
}

static void test_other_default(void **state)
{
    (void)state;
    static const char *const choices[] = {"ran", "completed", "all", NULL};
    static const struct loom_param own[] = {
        {.name = "select", .type = LOOM_PARAM_CHOICE, .value = "ran", .choices = choices},
        {.name = NULL},
    };
    const struct loom_param *const lists[] = {own, loom_select_params + 1, NULL};
    assert_selects(lists, (const struct option[]){{NULL, NULL}}, "1100011111");
    assert_selects(lists, (const struct option[]){{"users", "3"}, {NULL, NULL}}, "0000010000");
}

/* Where "procs" is the machine, jobs are selected by "job-procs". */
static void test_procs_of_the_machine(void **state)
{
    (void)state;
    static const struct loom_param own[] = {
        {.name = "select", .type = LOOM_PARAM_TEXT, .value = "all"},
        {.name = "procs", .type = LOOM_PARAM_INT, .min = 1, .max = 100},
        {.name = NULL},
    };
    const struct loom_param *const lists[] = {own, loom_select_params + 2, NULL};
    assert_selects(lists, (const struct option[]){{"procs", "4"}, {NULL, NULL}}, "1111111111");
    assert_selects(lists,
                   (const struct option[]){{"procs", "4"}, {"job-procs", "4:8"}, {NULL, NULL}},
                   "0011010000");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        struct option options[MAX_OPTIONS];
        const char *message;
    } cases[] = {
        {{{"users", "ana"}}, "there is no user 'ana'; did you mean 'anna'?"},
        {{{"users", "1,jean-lux"}}, "there is no user 'jean-lux'; did you mean 'jean-luc'?"},
        {{{"users", "zebulon"}},
         "there is no user 'zebulon'; give its number or one of the log's names"},
        {{{"queues", "!expres"}}, "there is no queue 'expres'; did you mean 'express'?"},
        {{{"users", ""}}, "the list of users '' has an empty item"},
        {{{"users", ",3"}}, "the list of users ',3' has an empty item"},
        {{{"users", "3,"}}, "the list of users '3,' has an empty item"},
        {{{"queues", "!"}}, "the list of queues '!' has an empty item"},
        {{{"users", "7-3"}}, "the range 7-3 of users is empty; give the smaller first"},
        {{{"users", "2147483648"}}, "user 2147483648 is beyond the largest number, 2147483647"},
        {{{"users", "1-99999999999999999999"}},
         "user 99999999999999999999 is beyond the largest number, 2147483647"},
        {{{"procs", "x"}},
         "job-procs wants the processors of jobs as MIN:MAX, such as 1:64 or 32:, not 'x'"},
        {{{"procs", "1:2:3"}},
         "job-procs wants the processors of jobs as MIN:MAX, such as 1:64 or 32:, not '1:2:3'"},
        {{{"procs", "-1:4"}},
         "job-procs wants the processors of jobs as MIN:MAX, such as 1:64 or 32:, not '-1:4'"},
        {{{"procs", "9:8"}}, "job-procs 9:8 is empty; give the smaller number first"},
        {{{"procs", "8"}},
         "procs 8: jobs of so many processors are job-procs 8, a machine of so many is "
         "MaxProcs 8"},
        {{{"procs", "4:"}, {"job-procs", ":8"}},
         "procs and job-procs select the same way; give one of them"},
        {{{"from-time", "5"}, {"to-time", "5"}}, "from-time 5 is not before to-time 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err = {0};
        uint8_t keep[JOBS];
        int rc = run_select(keep, plain, cases[i].options, &err);
        assert_int_equal(rc, LOOM_EUSAGE);
        assert_int_equal(err.code, LOOM_EUSAGE);
        assert_string_equal(err.message, cases[i].message);
    }
}

static void test_names_of_a_log_without_any(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    struct loom_params *params = NULL;
    assert_int_equal(loom_trace_create(&trace, &err), 0);
    assert_int_equal(loom_params_create(&params, plain, &err), 0);
    uint8_t keep = 9;
    assert_int_equal(loom_select(&keep, trace, params, &err), 0);
    assert_int_equal(keep, 9);
    assert_int_equal(loom_params_set(params, "users", "anna", &err), 0);
    assert_int_equal(loom_select(&keep, trace, params, &err), LOOM_EUSAGE);
    assert_string_equal(err.message,
                        "there is no user 'anna'; give its number, as this log has no such names");
    loom_params_destroy(params);
    loom_trace_destroy(trace);
}

static void test_selects_all(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool all;
    } cases[] = {
        {"select", "all", true},
        {"select", "ran", false},
        {"users", "3", false},
        {"first", "2", false},
    };
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_params *params = NULL;
        assert_int_equal(loom_params_create(&params, lists, NULL), 0);
        assert_true(loom_selects_all(params));
        assert_int_equal(loom_params_set(params, cases[i].name, cases[i].value, NULL), 0);
        assert_int_equal(loom_selects_all(params), cases[i].all);
        loom_params_destroy(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selects_all),   cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_other_default), cmocka_unit_test(test_procs_of_the_machine),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_names_of_a_log_without_any),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
