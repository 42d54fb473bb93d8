/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing models fitted to a log that is made by hand, and beside TBUOS. */
#include "support.h"

#include <workloom/experiment_queueing.h>

#include <math.h>
#include <string.h>

enum { DAY = 86400, WEEK = 7 * DAY };

static void add(struct loom_trace *trace, int32_t user, int64_t submit_s, int64_t wait_s,
                int64_t run_s, int32_t procs)
{
    struct loom_job job = loom_job_unknown();
    job.number = (int64_t)loom_trace_count(trace) + 1;
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = job.request_s = run_s;
    job.alloc_procs = job.req_procs = procs;
    job.user = user;
    job.status = 1;
    append(trace, job);
}

/* Users 1 and 2 submit a job a day for 20 weeks, user 1 two at once; user 9 comes in week 10 and
 * submits four jobs, an hour after the end of each. */
static struct loom_trace *new_log(void)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "10", NULL), 0);
    for (int64_t day = 0; day < 140; day++) {
        add(trace, 1, day * DAY, 600, 3600, 5);
        add(trace, 1, day * DAY, 600, 3600, 5);
        add(trace, 2, day * DAY + 10, 1200, 3600, 5);
        if (day == 70)
            for (int64_t k = 0; k < 4; k++)
                add(trace, 9, day * DAY + k * 7200, 0, 3600, 5);
    }
    return trace;
}

static void test_fit(void **state)
{
    struct loom_trace *trace = new_log();
    struct loom_queueing_fit fit;
    struct loom_error err = {0};
    (void)state;
    if (loom_queueing_fit(&fit, trace, 0, NULL, &err))
        fail_msg("%s", err.message);
    assert_int_equal(fit.long_term, 2);
    assert_int_equal(fit.temporary, 1);
    assert_int_equal(fit.users, 2);
    assert_true(fabs(fit.service_s - 1800) < 1e-9); /* half of the machine for an hour */
    /* 280 and 140 jobs in 20 weeks each */
    assert_true(fabs(fit.cycle_s - 2.0 * 20 * WEEK / 420) < 1e-6);
    /* 600 s for two jobs, and 1200 s for one: 140 times each */
    assert_true(fabs(fit.wait_s - 1800 / 3.0) < 1e-9);
    assert_true(fabs(fit.response_s - (600 + 600 + 1200 + 3 * 3600) / 3.0) < 1e-9);
    assert_true(fabs(fit.think_s - (fit.cycle_s - 600 - 1800)) < 1e-9);
    assert_true(fabs(fit.jobs_per_user - 4) < 1e-12);
    assert_true(fabs(fit.repeat - 0.75) < 1e-12);
    assert_true(fabs(fit.user_think_s - 3600) < 1e-9);
    assert_true(fabs(fit.lambda - 4 * fit.user_lambda) < 1e-15);
    /* both models load the machine alike */
    struct loom_queueing_model mixed = loom_queueing_fit_mixed(&fit, 2);
    struct loom_queueing_model reopen = loom_queueing_fit_reopen(&fit, 2);
    struct loom_mixed a, b;
    assert_int_equal(mixed.closed, 4);
    assert_int_equal(loom_mixed_solve(&a, &mixed, NULL), 0);
    assert_int_equal(loom_mixed_solve(&b, &reopen, NULL), 0);
    assert_true(fabs(a.throughput - b.throughput) < 1e-12);
    loom_trace_destroy(trace);
}

/* On a machine with room for all, TBUOS submits as many jobs as the model predicts. */
static void test_predict(void **state)
{
    struct loom_trace *trace = new_log();
    struct loom_queueing_fit fit;
    struct loom_user_rule rule = loom_user_rule();
    struct loom_queueing_prediction at[2] = {{.load_factor = 1}, {.load_factor = 2}};
    struct loom_queueing_comparison how = {.scenario = loom_scenario(),
                                           .behaviour = "adjusted",
                                           .rule = &rule,
                                           .replications = 4,
                                           .confidence = 0.95};
    struct loom_error err = {0};
    (void)state;
    how.scenario.trace = trace;
    assert_int_equal(loom_queueing_fit(&fit, trace, 0, NULL, NULL), 0);
    if (loom_queueing_predict(at, 2, &fit, &how, NULL, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < 2; i++) {
        assert_true(at[i].stable);
        double error = at[i].throughput / at[i].simulated_throughput.mean - 1;
        if (fabs(error) > 0.1)
            fail_msg("%g: %g, simulated %g", at[i].load_factor, at[i].throughput * DAY,
                     at[i].simulated_throughput.mean * DAY);
        assert_true(at[i].utilization < 0.5);
    }
    how.replications = 0;
    assert_int_equal(loom_queueing_predict(at, 2, &fit, &how, NULL, &err), LOOM_ERANGE);
    loom_trace_destroy(trace);
}

static void test_refused(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_queueing_fit fit;
    struct loom_error err = {0};
    (void)state;
    assert_int_equal(loom_queueing_fit(&fit, trace, 4, NULL, &err), LOOM_EDATA);
    add(trace, -1, 0, 0, 10, 1);
    assert_int_equal(loom_queueing_fit(&fit, trace, 4, NULL, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "user"));
    add(trace, 1, 0, 0, 10, 1);
    assert_int_equal(loom_queueing_fit(&fit, trace, 4, NULL, &err), LOOM_EDATA);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_predict),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
