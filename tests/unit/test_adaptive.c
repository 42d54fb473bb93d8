/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The adaptive policy: with one rule for all states it is that rule, and it changes with the week.
 */
#include "modeling.h"

#include <workloom/experiment.h>

enum { WEEK_S = 7 * 86400 };

/* Wide jobs are short, so that the correlation is negative in every week. */
static struct loom_trace *negative_log(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 4, 0, "negative correlation");
    for (int i = 0; i < 4000; i++) {
        struct loom_job job = loom_job_unknown();
        int32_t size = (int32_t)loom_stream_below(&stream, 6);
        job.number = i + 1;
        job.submit_s = 700 * i + (int64_t)loom_stream_below(&stream, 700);
        job.req_procs = 1 << size;
        job.run_s = 100 + (int64_t)(loom_stream_uniform(&stream) * 40000) / job.req_procs;
        job.request_s = 2 * job.run_s;
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "32", NULL), 0);
    return trace;
}

static struct loom_trace *schedule_of(const struct loom_trace *log, const char *policy)
{
    struct loom_scenario scenario = loom_scenario();
    struct loom_outcome *outcome = NULL;
    struct loom_trace *schedule = NULL;
    struct loom_error err = {0};
    scenario.trace = log;
    scenario.policy = policy;
    scenario.keep = LOOM_KEEP_RUN;
    if (loom_scenario_run(&outcome, &scenario, NULL, &err) ||
        loom_outcome_schedule(&schedule, outcome, &err))
        fail_msg("%s: %s", policy, err.message);
    loom_outcome_destroy(outcome);
    return schedule;
}

/* Jobs that wait otherwise, of those submitted from one time to another. */
static size_t differ(const struct loom_trace *a, const struct loom_trace *b, int64_t from_s,
                     int64_t to_s)
{
    size_t n = 0;
    assert_int_equal(loom_trace_count(a), loom_trace_count(b));
    for (size_t i = 0; i < loom_trace_count(a); i++) {
        struct loom_job x = loom_trace_job(a, i), y = loom_trace_job(b, i);
        n += x.submit_s >= from_s && x.submit_s < to_s && x.wait_s != y.wait_s;
    }
    return n;
}

static void one_rule_is_that_policy(void **state)
{
    (void)state;
    static const struct {
        const char *adaptive, *policy;
    } cases[] = {
        {"adaptive:overload-positive=easy,overload-negative=easy,underload-positive=easy,"
         "underload-negative=easy",
         "easy"},
        {"adaptive:overload-positive=fcfs,overload-negative=fcfs,underload-positive=fcfs,"
         "underload-negative=fcfs",
         "fcfs"},
        {"adaptive:overload=0,overload-positive=fcfs,overload-negative=fcfs", "fcfs"},
        {"adaptive:overload=1e9,underload-positive=easy,underload-negative=easy", "easy"},
    };
    struct loom_trace *log = negative_log();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *a = schedule_of(log, cases[i].adaptive);
        struct loom_trace *b = schedule_of(log, cases[i].policy);
        assert_int_equal(differ(a, b, 0, INT64_MAX), 0);
        loom_trace_destroy(a);
        loom_trace_destroy(b);
    }
    loom_trace_destroy(log);
}

/* Before a week is over, the correlation counts as positive; from then on it is negative. */
static void rules_change_with_the_prediction(void **state)
{
    (void)state;
    struct loom_trace *log = negative_log();
    struct loom_trace *easy = schedule_of(log, "easy"), *fcfs = schedule_of(log, "fcfs");
    struct loom_trace *both =
        schedule_of(log, "adaptive:overload-positive=easy,underload-positive=easy,"
                         "overload-negative=fcfs,underload-negative=fcfs");
    assert_int_equal(differ(both, easy, 0, WEEK_S - 4 * 86400), 0);
    assert_true(differ(both, fcfs, 0, WEEK_S - 4 * 86400) > 0);
    assert_true(differ(both, easy, WEEK_S, INT64_MAX) > 100);
    loom_trace_destroy(both);
    loom_trace_destroy(easy);
    loom_trace_destroy(fcfs);
    loom_trace_destroy(log);
}

/* A wide job that waits long gets its reservation under selective, which easy gives to the first
 * job only: that jobs that have waited long are held back less shows in the longest wait. */
static void selective_bounds_waits(void **state)
{
    (void)state;
    struct loom_trace *log = negative_log();
    struct loom_trace *a = schedule_of(log, "adaptive:overload-negative=selective,"
                                            "underload-negative=selective");
    struct loom_trace *b = schedule_of(log, "selective");
    double waits[2] = {0};
    for (size_t i = 0; i < loom_trace_count(a); i++) {
        waits[0] += (double)loom_trace_job(a, i).wait_s;
        waits[1] += (double)loom_trace_job(b, i).wait_s;
    }
    assert_near(waits[0] / waits[1], 1, 0.2);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rule_is_that_policy),
        cmocka_unit_test(rules_change_with_the_prediction),
        cmocka_unit_test(selective_bounds_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
