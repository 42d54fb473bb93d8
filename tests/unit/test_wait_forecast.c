/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts predicted at submission: schedules worked by hand, and what must hold of any. */
#include "job_rows.h"

#include <workloom/experiment.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROCS = 4, RANDOM_JOBS = 120 };

/* A run with a forecast, and the forecast. */
struct forecast_run {
    struct loom_trace *trace;
    struct loom_sim *sim;
    struct loom_wait_forecast *forecast;
    const struct loom_sim_job *jobs;
    size_t n;
};

static void run(struct forecast_run *of, const char *policy, struct loom_trace *trace,
                int64_t procs)
{
    struct loom_error err = {0};
    struct loom_sim_options options = {.scheduler = policy, .procs = procs, .n_observers = 1};
    of->trace = trace;
    assert_int_equal(loom_wait_forecast_create(&of->forecast, &options, &err), 0);
    const struct loom_observer observer = loom_wait_forecast_observer(of->forecast);
    options.observers = &observer;
    assert_int_equal(loom_sim_create(&of->sim, &err), 0);
    assert_int_equal(loom_sim_run_trace(of->sim, &options, trace, &err), 0);
    of->jobs = loom_sim_jobs(of->sim, &of->n);
}

static void assert_near(double value, double wanted, double tolerance)
{
    assert_true(fabs(value - wanted) <= tolerance);
}

static void finish(struct forecast_run *of)
{
    loom_wait_forecast_destroy(of->forecast);
    loom_sim_destroy(of->sim);
    loom_trace_destroy(of->trace);
}

/* Four processors; requested times are too long.
 *
 *     job  submit  processors  runtime  requested
 *      0      0        3          50       100
 *      1     10        4          20        20
 *      2     20        1          10        10
 *      3     25        1          30        90
 *
 * fcfs: job 0 is expected to end at 100, so job 1 is predicted at 100 and jobs 2 and 3, behind it,
 * at 120. Job 0 ends at 50, so they start at 50 and 70.
 *
 * easy: job 2 fits beside job 0 and ends by 100, the shadow time: it starts at 20. Job 3 would end
 * at 120 if it started at 30, and job 1 leaves nothing over: it is predicted at 120, behind job 1.
 * Job 1 starts at 50, job 3 at 70. Conservative backfilling reserves the same times. */
static const struct row by_hand[] = {
    {0, 50, 3, 100, 1, 1, 1},
    {10, 20, 4, 20, 1, 1, 1},
    {20, 10, 1, 10, 1, 1, 1},
    {25, 30, 1, 90, 1, 1, 1},
};

static void check_by_hand(const char *policy, const int64_t *predicted_s, const int64_t *start_s)
{
    struct forecast_run of;
    run(&of, policy, log_of(by_hand, 4), PROCS);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(loom_wait_forecast_start(of.forecast, i), predicted_s[i]);
        assert_int_equal(of.jobs[i].start_s, start_s[i]);
    }
    assert_int_equal(loom_wait_forecast_start(of.forecast, 4), -1);
    finish(&of);
}

static void test_by_hand(void **state)
{
    (void)state;
    check_by_hand("fcfs", (const int64_t[]){0, 100, 120, 120}, (const int64_t[]){0, 50, 70, 70});
    check_by_hand("easy", (const int64_t[]){0, 100, 20, 120}, (const int64_t[]){0, 50, 20, 70});
    check_by_hand("easy-sjbf", (const int64_t[]){0, 100, 20, 120},
                  (const int64_t[]){0, 50, 20, 70});
    check_by_hand("conservative", (const int64_t[]){0, 100, 20, 120},
                  (const int64_t[]){0, 50, 20, 70});
}

/* Under easy two jobs wait: predicted 90 and 95 s, in fact 40 and 45 s. */
static void test_errors(void **state)
{
    struct forecast_run of;
    (void)state;
    run(&of, "easy", log_of(by_hand, 4), PROCS);
    struct loom_wait_errors errors = loom_wait_forecast_errors(of.forecast, of.sim);
    assert_int_equal(errors.at_once, 2);
    assert_int_equal(errors.jobs, 2);
    assert_near(errors.mae_s, 50, 1e-12);
    assert_near(errors.bias_s, 50, 1e-12);
    assert_near(errors.late_fraction, 0, 0);
    assert_near(errors.near_fraction, 0, 0);
    assert_near(errors.ratio, 85.0 / 185, 1e-12);
    struct loom_error err = {0};
    const struct loom_sim_trim trim = {.warm_up_jobs = 2}; /* leaves jobs 2 and 3 */
    assert_int_equal(loom_sim_trim(of.sim, &trim, &err), 0);
    errors = loom_wait_forecast_errors(of.forecast, of.sim);
    assert_int_equal(errors.at_once, 1);
    assert_int_equal(errors.jobs, 1);
    assert_near(errors.ratio, 45.0 / 95, 1e-12);
    finish(&of);
}

/* A job that comes later and is backfilled delays one that was predicted: job 1 is expected to
 * start at 100 beside nothing, but job 2, submitted later and predicted too short, is in its way.
 */
static void test_late(void **state)
{
    static const struct row rows[] = {
        {0, 100, 4, 100, 1, 1, 1},
        {10, 50, 2, 50, 1, 1, 1},
        {20, 10, 4, 10, 1, 1, 1},
    };
    struct forecast_run of;
    (void)state;
    run(&of, "fcfs:order=sjf", log_of(rows, 3), PROCS);
    assert_int_equal(loom_wait_forecast_start(of.forecast, 1), 100);
    assert_int_equal(of.jobs[1].start_s, 110); /* the shorter job 2 goes first */
    struct loom_wait_errors errors = loom_wait_forecast_errors(of.forecast, of.sim);
    assert_near(errors.late_fraction, 0.5, 0);
    assert_near(errors.bias_s, -5, 1e-12);
    finish(&of);
}

/* ---- what must hold of any workload ---------------------------------------------------------- */

static struct loom_trace *random_log(uint64_t replication, bool exact, bool together)
{
    struct loom_stream stream;
    struct loom_trace *trace = empty_trace();
    int64_t now_s = 0;
    loom_stream_init(&stream, 1, replication, "wait forecast");
    for (int i = 0; i < RANDOM_JOBS; i++) {
        int64_t run_s = (int64_t)loom_stream_below(&stream, 40); /* some of no length */
        int64_t request_s = run_s + (exact ? 0 : (int64_t)loom_stream_below(&stream, 60));
        now_s += together ? 0 : (int64_t)loom_stream_below(&stream, 12);
        append_row(trace, (struct row){now_s, run_s, 1 + (int32_t)loom_stream_below(&stream, PROCS),
                                       request_s > 0 ? request_s : 1,
                                       (int32_t)loom_stream_below(&stream, 3), 1, 1});
    }
    return trace;
}

static void check_starts(const struct forecast_run *of, bool equal)
{
    int64_t waited = 0;
    for (uint32_t i = 0; i < of->n; i++) {
        int64_t predicted_s = loom_wait_forecast_start(of->forecast, i);
        assert_true(predicted_s >= of->jobs[i].submit_s);
        assert_true(of->jobs[i].start_s <= predicted_s);
        if (equal && of->jobs[i].run_s > 0) /* a runtime of 0 has an estimate of 1 s */
            waited += of->jobs[i].start_s != predicted_s;
    }
    assert_int_equal(waited, 0);
}

/* With exact estimates, nothing that comes later changes a start under fcfs and conservative. Jobs
 * of no length have an estimate of 1 s, so runtimes are at least 1 here. */
static struct loom_trace *exact_log(uint64_t replication, bool together)
{
    struct loom_trace *trace = random_log(replication, true, together);
    struct loom_trace *out = empty_trace();
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < jobs->n; i++)
        append_row(out, (struct row){jobs->submit_s[i], jobs->run_s[i] + 1, jobs->req_procs[i],
                                     jobs->run_s[i] + 1, jobs->user[i], 1, 1});
    loom_trace_destroy(trace);
    return out;
}

static void test_exact(void **state)
{
    static const char *const policies[] = {"fcfs", "conservative"};
    struct forecast_run of;
    (void)state;
    for (uint64_t i = 0; i < 20; i++)
        for (size_t p = 0; p < 2; p++) {
            run(&of, policies[p], exact_log(i, false), PROCS);
            check_starts(&of, true);
            finish(&of);
        }
}

/* With requested times that are upper bounds, none starts later than predicted. */
static void test_never_later(void **state)
{
    static const char *const policies[] = {"fcfs", "conservative"};
    struct forecast_run of;
    (void)state;
    for (uint64_t i = 0; i < 20; i++)
        for (size_t p = 0; p < 2; p++) {
            run(&of, policies[p], random_log(i, false, false), PROCS);
            check_starts(&of, false);
            finish(&of);
        }
}

/* With exact estimates and all jobs submitted at once, the plan is what happens, under any policy
 * that looks at no more than the jobs. */
static void test_no_later_arrivals(void **state)
{
    static const char *const policies[] = {"fcfs",           "fcfs:order=sjf", "easy",
                                           "easy:order=sjf", "easy-sjbf",      "lookahead",
                                           "conservative"};
    struct forecast_run of;
    (void)state;
    for (uint64_t i = 0; i < 5; i++)
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
            run(&of, policies[p], exact_log(i, true), PROCS);
            check_starts(&of, true);
            finish(&of);
        }
}

/* Predicting changes no schedule. */
static void test_watching(void **state)
{
    static const char *const policies[] = {"fcfs",         "easy",      "easy-sjbf",
                                           "conservative", "selective", "relaxed"};
    struct loom_error err = {0};
    (void)state;
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        struct forecast_run of;
        struct loom_sim *plain;
        const struct loom_sim_options options = {.scheduler = policies[p], .procs = PROCS};
        run(&of, policies[p], random_log(p, false, false), PROCS);
        assert_int_equal(loom_sim_create(&plain, &err), 0);
        assert_int_equal(loom_sim_run_trace(plain, &options, of.trace, &err), 0);
        for (uint32_t i = 0; i < of.n; i++)
            assert_int_equal(of.jobs[i].start_s, loom_sim_jobs(plain, NULL)[i].start_s);
        loom_sim_destroy(plain);
        finish(&of);
    }
}

/* ---- in a scenario --------------------------------------------------------------------------- */

static void test_outcome(void **state)
{
    struct loom_error err = {0};
    struct loom_trace *trace = log_of(by_hand, 4);
    struct loom_scenario scenario = loom_scenario();
    struct loom_outcome *outcome;
    (void)state;
    scenario.trace = trace;
    scenario.machine = (struct loom_machine_size){PROCS, LOOM_SIZE_HEADER};
    scenario.predict_waits = true;
    scenario.keep = LOOM_KEEP_RUN;
    assert_int_equal(loom_scenario_run(&outcome, &scenario, NULL, &err), 0);
    assert_true(loom_outcome_has(outcome, LOOM_METRICS_WAITS));
    assert_near(loom_outcome_value(outcome, "wait_prediction_mae_s"), 50, 1e-12);
    assert_int_equal(loom_outcome_predicted_start(outcome, 3), 120);
    loom_outcome_destroy(outcome);
    scenario.predict_waits = false;
    assert_int_equal(loom_scenario_run(&outcome, &scenario, NULL, &err), 0);
    assert_false(loom_outcome_has(outcome, LOOM_METRICS_WAITS));
    assert_true(isnan(loom_outcome_value(outcome, "wait_prediction_mae_s")));
    assert_int_equal(loom_outcome_predicted_start(outcome, 3), -1);
    loom_outcome_destroy(outcome);
    /* A predictor's estimates are what the plan is made of. */
    scenario.predict_waits = true;
    scenario.predictor = "clairvoyant";
    assert_int_equal(loom_scenario_run(&outcome, &scenario, NULL, &err), 0);
    assert_near(loom_outcome_value(outcome, "wait_prediction_mae_s"), 0, 0);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

static void test_refused(void **state)
{
    struct loom_error err = {0};
    struct loom_wait_forecast *forecast;
    struct loom_scenario scenario = loom_scenario();
    struct loom_sim_options options = {.scheduler = "none", .procs = PROCS};
    (void)state;
    assert_int_equal(loom_wait_forecast_create(&forecast, &options, &err), LOOM_EUSAGE);
    options = (struct loom_sim_options){.scheduler = "easy", .compat = LOOM_COMPAT_PYSS};
    assert_int_equal(loom_wait_forecast_create(&forecast, &options, &err), LOOM_EUSAGE);
    scenario.trace = log_of(by_hand, 4);
    scenario.predict_waits = true;
    scenario.compat = LOOM_COMPAT_PYSS;
    assert_int_equal(loom_scenario_check(&scenario, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "predict_waits excludes compat"));
    loom_trace_destroy((struct loom_trace *)scenario.trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_errors),
        cmocka_unit_test(test_late),        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_never_later), cmocka_unit_test(test_no_later_arrivals),
        cmocka_unit_test(test_watching),    cmocka_unit_test(test_outcome),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
