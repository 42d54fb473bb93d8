/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window in which a log is complete, on logs cut out of one history: a job every ten minutes
 * for 60 days, most for half an hour, one in eight for five hours, one in 48 for three days, all
 * after a wait of ten minutes.
 */
#include "support.h"

#include "trace/use.h"

#include <stdlib.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, LENGTH = 60 * DAY };

static void add(struct loom_trace *trace, int64_t submit_s, int64_t wait_s, int64_t run_s)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = run_s;
    job.alloc_procs = 4;
    assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
}

/* Add the jobs of the history whose submission, or end, is from from_s to to_s. */
static void add_history(struct loom_trace *trace, bool by_end, int64_t from_s, int64_t to_s)
{
    for (int64_t i = 0; i < LENGTH / (10 * MINUTE); i++) {
        int64_t submit_s = i * 10 * MINUTE;
        int64_t run_s = i % 48 == 0 ? 3 * DAY : i % 8 == 0 ? 5 * HOUR : 30 * MINUTE;
        int64_t at_s = by_end ? submit_s + 10 * MINUTE + run_s : submit_s;
        if (at_s >= from_s && at_s <= to_s)
            add(trace, submit_s, 10 * MINUTE, run_s);
    }
}

static struct loom_trace_window window_of(const struct loom_trace *trace)
{
    struct loom_trace_window window;
    assert_int_equal(loom_trace_window_complete(&window, trace, NULL), 0);
    return window;
}

static void expect_near(int64_t value_s, int64_t wanted_s, int64_t error_s)
{
    assert_in_range(value_s, wanted_s - error_s, wanted_s + error_s);
}

/* Jobs that ended in days 20 to 40: submissions begin three days earlier, one in 48. The end is
 * where half of the use is left, which is mostly by jobs of three days. */
static void test_complete_by_end(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    add_history(trace, true, 20 * DAY, 40 * DAY);
    struct loom_trace_window window = window_of(trace);
    assert_true(window.by_ends);
    expect_near(window.from_s, 20 * DAY, HOUR);
    expect_near(window.to_s, 39 * DAY, DAY + HOUR);
    assert_true(window.before > 0 && window.running_from > 0);
    assert_int_equal(window.jobs + window.before + window.after, loom_trace_count(trace));
    assert_true(loom_trace_window_matters(&window, trace));
    loom_trace_destroy(trace);
}

/* Jobs submitted in days 20 to 40: all but what passes until the machine is half full. */
static void test_complete_by_submission(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    add_history(trace, false, 20 * DAY, 40 * DAY);
    struct loom_trace_window window = window_of(trace);
    expect_near(window.from_s, 20 * DAY, 24 * HOUR);
    assert_int_equal(window.to_s, 40 * DAY);
    assert_false(loom_trace_window_matters(&window, trace));
    assert_int_equal(window.running_from > 0, 1);
    loom_trace_destroy(trace);
}

/* One record a month before all others, and one a month after, are heads and tails. */
static void test_lone_records(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    add_history(trace, false, 20 * DAY, 40 * DAY);
    struct loom_trace_window alone = window_of(trace);
    add(trace, -10 * DAY, 0, MINUTE);
    add(trace, 70 * DAY, 0, MINUTE);
    struct loom_trace_window window = window_of(trace);
    assert_int_equal(window.from_s, alone.from_s);
    assert_int_equal(window.to_s, alone.to_s);
    assert_int_equal(window.after, 1);
    assert_true(loom_trace_window_matters(&window, trace));
    add(trace, INT64_MAX, 0, MINUTE);
    add(trace, INT64_MIN, INT64_MAX, INT64_MAX);
    window = window_of(trace);
    assert_int_equal(window.from_s, alone.from_s);
    assert_int_equal(window.to_s, alone.to_s);
    loom_trace_destroy(trace);
}

static void test_without_waits(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    for (int64_t at_s = 0; at_s <= 10 * DAY; at_s += HOUR)
        add(trace, at_s, -1, HOUR);
    struct loom_trace_window window = window_of(trace);
    assert_false(window.by_ends);
    assert_int_equal(window.from_s, 0);
    assert_int_equal(window.to_s, 10 * DAY);
    assert_int_equal(window.running_from + window.running_to, 0);
    loom_trace_destroy(trace);
}

/* Three jobs of which none ends before the last is submitted: nothing can be trimmed. */
static void test_few_jobs(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_trace_window window = window_of(trace);
    assert_int_equal(window.jobs + window.from_s + window.to_s, 0);
    assert_false(loom_trace_window_matters(&window, trace));
    add(trace, -1, 0, 1);
    assert_int_equal(window_of(trace).jobs, 0);
    add(trace, 100, 0, DAY);
    window = window_of(trace);
    assert_int_equal(window.from_s, 100);
    assert_int_equal(window.to_s, 100);
    assert_int_equal(window.jobs, 1);
    add(trace, 200, 0, DAY);
    add(trace, 300, 0, DAY);
    window = window_of(trace);
    assert_int_equal(window.from_s, 100);
    assert_int_equal(window.to_s, 300);
    assert_int_equal(window.jobs, 3);
    loom_trace_destroy(trace);
}

/* Processors in use step by step, with changes sorted by packed keys, or by comparison where they
 * are further apart than 2^31 s. Jobs of one second join: an end and a start are one step. */
static void test_use(void **state)
{
    static const int64_t far_s[] = {0, INT64_C(1) << 40};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct loom_trace *trace = NULL;
        struct loom_use use;
        assert_int_equal(loom_trace_create(&trace, NULL), 0);
        add(trace, 100 + far_s[i], 0, 50);
        add(trace, 40, 10, 30); /* 50 to 80 */
        add(trace, 60, 0, 20);  /* 60 to 80 */
        add(trace, 80, 0, 5);   /* 80 to 85 */
        add(trace, 90, 0, 0);   /* runs for no time */
        assert_int_equal(loom_use_create(&use, loom_trace_jobs(trace), INT64_MAX, NULL), 0);
        const int64_t wanted_s[] = {50, 60, 80, 85, 100 + far_s[i], 150 + far_s[i]};
        static const int64_t levels[] = {1, 2, 1, 0, 1, 0};
        assert_int_equal(use.n, 6);
        for (size_t k = 0; k < use.n; k++) {
            assert_int_equal(use.steps[k].at_s, wanted_s[k]);
            assert_int_equal(use.steps[k].procs, levels[k] * use.steps[0].procs);
        }
        free(use.steps);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_by_end), cmocka_unit_test(test_complete_by_submission),
        cmocka_unit_test(test_lone_records),    cmocka_unit_test(test_without_waits),
        cmocka_unit_test(test_few_jobs),        cmocka_unit_test(test_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
