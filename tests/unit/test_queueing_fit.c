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
    /* four jobs of user 9 from the first submission of the log to the last */
    assert_true(fabs(fit.lambda - 4 / (139.0 * DAY + 10 + 1)) < 1e-15);
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

/* User 1: work of 1 h by 10 processors a day for 20 weeks; user 2, in 13 weeks, twice as much in a
 * job: S counts each by how often TBUOS submits it. */
static void test_service_by_round(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_queueing_fit fit;
    (void)state;
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "10", NULL), 0);
    for (int64_t day = 0; day < 140; day++) {
        add(trace, 1, day * DAY, 0, 3600, 10);
        if (day < 91)
            add(trace, 2, day * DAY + 7200, 0, 7200, 10);
    }
    assert_int_equal(loom_queueing_fit(&fit, trace, 0, NULL, NULL), 0);
    assert_int_equal(fit.long_term, 2);
    /* both submit a job a day in their rounds of 20 and 13 weeks */
    assert_true(fabs(fit.service_s - 5400) < 1e-9);
    assert_true(fabs(fit.cycle_s - DAY) < 1e-9);
    assert_true(fabs(fit.think_s - (DAY - 5400)) < 1e-9);
    assert_true(fit.lambda == 0);
    loom_trace_destroy(trace);
}

/* ---- sessions -------------------------------------------------------------------------------- */

enum { MINUTE = 60 };

/* A machine of 10 processors. Each day user 1 submits a job of one processor and 10 min, which
 * waits for a minute; 5 min after its end on even days another one; and user 2 two jobs that
 * overlap, of 20 and 40 min. */
static struct loom_trace *new_sessions(void)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "10", NULL), 0);
    for (int64_t day = 0; day < 140; day++) {
        add(trace, 1, day * DAY, MINUTE, 10 * MINUTE, 1);
        if (day % 2 == 0)
            add(trace, 1, day * DAY + 16 * MINUTE, MINUTE, 10 * MINUTE, 1);
        add(trace, 2, day * DAY + 7200, 0, 20 * MINUTE, 5);
        add(trace, 2, day * DAY + 7200 + MINUTE, 2 * MINUTE, 40 * MINUTE, 5);
    }
    return trace;
}

static void test_sessions(void **state)
{
    struct loom_trace *trace = new_sessions();
    struct loom_queueing_fit fit;
    (void)state;
    assert_int_equal(loom_queueing_fit(&fit, trace, 0, NULL, NULL), 0);
    const struct loom_queueing_sessions *of = &fit.sessions;
    assert_int_equal(of->sessions, 280);
    assert_int_equal(of->batches, 350); /* two jobs of user 2 are one */
    assert_int_equal(of->jobs, 490);
    double log_s = 139.0 * DAY + 7200 + MINUTE + 1;
    assert_true(fabs(of->lambda - 280 / log_s) < 1e-15);
    /* 210 batches of 1 processor for 10 min, 140 of 5 for 20 and for 40 min */
    double s = (210 * 1.0 + 140 * 30.0) * MINUTE / 350;
    assert_true(fabs(of->service_s - s) < 1e-9);
    /* 16 min to the next batch, less a minute of waiting and one of service */
    assert_true(fabs(of->think_s - 14 * MINUTE) < 1e-9);
    assert_true(fabs(of->rules[0].repeat.value - 70.0 / 350) < 1e-12);
    /* the response is 2 min for 210 batches and 2 + 30 min for 140; 70 go on */
    const double shares[] = {70.0 / 210, 0};
    assert_int_equal(of->n_bins, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(fabs(of->bins[i].share - shares[i]) < 1e-12);
        assert_true(fabs(of->bins[i].response_s - (i == 0 ? 2 : 32) * MINUTE) < 1e-9);
        assert_int_equal(of->bins[i].batches, i == 0 ? 210 : 140);
    }
    /* each rule expects 70 further batches */
    for (size_t i = 0; i < LOOM_QUEUEING_RULE_FITS; i++) {
        const struct loom_repeat *rule = &of->rules[i].repeat;
        double expected = 210 * loom_repeat_probability(rule, 2 * MINUTE) +
                          140 * loom_repeat_probability(rule, 32 * MINUTE);
        assert_true(fabs(expected - 70) < 1e-6);
    }
    /* the share of long ones is off by p, and of short ones by 1/3 - p */
    double off = sqrt((210 * pow(1.0 / 3 - 0.2, 2) + 140 * pow(0.2, 2)) / 350);
    assert_true(fabs(of->rules[0].misfit - off) < 1e-12);
    assert_true(of->rules[1].misfit < of->rules[2].misfit);
    assert_true(of->rules[2].misfit < of->rules[0].misfit);
    /* as users see it: 11 min, and 42 min of the second job of user 2 */
    const struct loom_repeat seen = {LOOM_REPEAT_SHMUELI, of->shmueli_per_minute};
    assert_true(fabs(210 * loom_repeat_probability(&seen, 11) +
                     140 * loom_repeat_probability(&seen, 42) - 70) < 1e-6);
    loom_trace_destroy(trace);
}

/* A value is found if the log was made by the rule: users go on with Shmueli's probability. */
static void test_rule_recovered(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_queueing_fit fit;
    int64_t at_s = 0, jobs = 0;
    const struct loom_repeat rule = {LOOM_REPEAT_SHMUELI, 1};
    uint64_t x = 1;
    (void)state;
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "1", NULL), 0);
    for (; jobs < 20000; jobs++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        int64_t minutes = (int64_t)((x >> 33) % 120);
        double drawn = (double)((x >> 11) % 1000003) / 1000003;
        add(trace, 1, at_s, 0, minutes * 60, 1);
        bool again = drawn < loom_repeat_probability(&rule, (double)minutes);
        at_s += minutes * 60 + (again ? 300 : 7200);
    }
    assert_int_equal(loom_queueing_fit(&fit, trace, 0, NULL, NULL), 0);
    double per_minute = fit.sessions.rules[2].repeat.value * 60;
    if (fabs(per_minute - 1) > 0.05)
        fail_msg("SCALE %g", per_minute);
    assert_true(fabs(fit.sessions.shmueli_per_minute - per_minute) < 1e-6);
    assert_true(fit.sessions.rules[2].misfit < 0.03);
    assert_true(fit.sessions.rules[0].misfit > 0.1);
    loom_trace_destroy(trace);
}

/* No SCALE of Shmueli's rule has more than 80 % go on. */
static void test_no_value(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_queueing_fit fit;
    struct loom_queueing_prediction at = {.load_factor = 1};
    struct loom_user_rule rule = loom_user_rule();
    struct loom_queueing_comparison how = {.scenario = loom_scenario(),
                                           .behaviour = "adjusted",
                                           .rule = &rule,
                                           .replications = 1,
                                           .confidence = 0.95};
    (void)state;
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "4", NULL), 0);
    for (int64_t k = 0; k < 9 * 100; k++)
        add(trace, 1, k / 9 * DAY + k % 9 * 600, 0, 300, 1);
    assert_int_equal(loom_queueing_fit(&fit, trace, 0, NULL, NULL), 0);
    assert_true(fabs(fit.sessions.rules[0].repeat.value - 8.0 / 9) < 1e-12);
    assert_true(isnan(fit.sessions.rules[2].repeat.value));
    how.scenario.trace = trace;
    assert_int_equal(loom_queueing_predict(&at, 1, &fit, &how, NULL, NULL), 0);
    assert_int_equal(at.models[3].verdict, LOOM_UNFITTED);
    assert_true(isnan(at.models[3].throughput));
    assert_int_equal(at.models[2].verdict, LOOM_PREDICTED);
    loom_trace_destroy(trace);
}

/* ---- predictions ----------------------------------------------------------------------------- */

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
        for (size_t m = 0; m < LOOM_QUEUEING_FITTED; m++) {
            const struct loom_queueing_predicted *by = &at[i].models[m];
            if (m > 1) { /* no session has two batches */
                assert_int_equal(by->verdict, LOOM_UNFITTED);
                continue;
            }
            assert_int_equal(by->verdict, LOOM_PREDICTED);
            double error = by->throughput / at[i].simulated_throughput.mean - 1;
            if (fabs(error) > 0.1)
                fail_msg("%s, %g: %g, simulated %g", loom_queueing_fitted_name(m),
                         at[i].load_factor, by->throughput * DAY,
                         at[i].simulated_throughput.mean * DAY);
            assert_true(by->utilization < 0.5);
        }
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
        cmocka_unit_test(test_fit),      cmocka_unit_test(test_service_by_round),
        cmocka_unit_test(test_sessions), cmocka_unit_test(test_rule_recovered),
        cmocka_unit_test(test_no_value), cmocka_unit_test(test_predict),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
