/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of predictions by class and over time, and the calibration of intervals: logs of a few
 * jobs whose errors are worked out in the comments. */
#include "support.h"

#include <workloom/predict_classes.h>

#include <math.h>
#include <stdlib.h>

enum { DAY_S = 86400 };

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* A log of jobs (submit, runtime, request, processors, user). */
struct row {
    int64_t submit_s, run_s, request_s;
    int32_t procs, user;
};

static struct loom_trace *log_of(const struct row *rows, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = rows[i].submit_s;
        job.wait_s = 0;
        job.run_s = rows[i].run_s;
        job.request_s = rows[i].request_s;
        job.alloc_procs = rows[i].procs;
        job.user = rows[i].user;
        append(trace, job);
    }
    return trace;
}

/* The requested time is the prediction: errors are request - runtime. */
static struct loom_evaluation evaluated(const struct loom_trace *trace, double train)
{
    struct loom_predictor *predictor = NULL;
    struct loom_evaluation evaluation;
    assert_int_equal(loom_predictor_create(&predictor, "requested", NULL), 0);
    assert_int_equal(loom_evaluate(&evaluation, predictor, trace, train, NULL), 0);
    loom_predictor_destroy(predictor);
    return evaluation;
}

static struct loom_prediction_classes *classes_of(const struct loom_evaluation *evaluation,
                                                  const struct loom_trace *trace,
                                                  enum loom_predicted_by by)
{
    struct loom_prediction_classes *classes = NULL;
    assert_int_equal(loom_prediction_classes_create(&classes, evaluation, trace, by, NULL), 0);
    assert_int_equal(loom_prediction_classes_by(classes), by);
    return classes;
}

static void check_class(const struct loom_prediction_classes *classes, size_t index,
                        const char *text, int64_t jobs, double mae_s, double share)
{
    const struct loom_prediction_class *class = loom_prediction_classes_at(classes, index);
    char buf[80];
    assert_non_null(class);
    assert_string_equal(loom_prediction_class_text(classes, index, NULL, buf, sizeof buf), text);
    assert_int_equal(class->errors.jobs, jobs);
    assert_true(near(class->errors.mae_s, mae_s));
    assert_true(near(class->error_share, share));
}

static const struct row five[] = {
    {0, 10, 20, 1, 3},                 /* error 10 */
    {3600, 11, 61, 3, 3},              /* 50 */
    {7200, 600, 700, 4, 5},            /* 100 */
    {DAY_S + 10, 86400, 86400, 4, -1}, /* 0 */
    {DAY_S + 20, 86401, 86441, 5, 5},  /* 40 */
};

/* All errors together: 200. */
static void test_classes(void **state)
{
    (void)state;
    struct loom_trace *trace = log_of(five, COUNT(five));
    struct loom_evaluation evaluation = evaluated(trace, 0);
    assert_int_equal(evaluation.n, 5);
    assert_int_equal(evaluation.users_unknown, 1);
    assert_int_equal(evaluation.memory_unknown, 5);
    assert_int_equal(evaluation.queues_unknown, 5);
    assert_int_equal(evaluation.executables_unknown, 5);
    assert_int_equal(evaluation.groups_unknown, 5);
    assert_int_equal(evaluation.requests_unknown, 0);

    struct loom_prediction_classes *by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_SIZE);
    check_class(by, 0, "1", 1, 10, 0.05);
    check_class(by, 1, "3-4", 3, 50, 0.75);
    check_class(by, 2, "5-8", 1, 40, 0.2);
    assert_null(loom_prediction_classes_at(by, 3));
    assert_int_equal(loom_prediction_classes_at(by, 1)->from, 3);
    assert_int_equal(loom_prediction_classes_at(by, 1)->to, 4);
    loom_prediction_classes_destroy(by);

    by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_RUNTIME);
    check_class(by, 0, "up to 10 s", 1, 10, 0.05);
    check_class(by, 1, "up to 1 min", 1, 50, 0.25);
    check_class(by, 2, "up to 10 min", 1, 100, 0.5);
    check_class(by, 3, "up to 1 day", 1, 0, 0);
    check_class(by, 4, "over 1 day", 1, 40, 0.2);
    assert_int_equal(loom_prediction_classes_at(by, 4)->to, INT64_MAX);
    loom_prediction_classes_destroy(by);

    by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_USER);
    check_class(by, 0, "unknown", 1, 0, 0);
    check_class(by, 1, "3", 2, 30, 0.3);
    check_class(by, 2, "5", 2, 70, 0.7);
    loom_prediction_classes_destroy(by);

    by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_REQUEST);
    check_class(by, 0, "up to 1 min", 1, 10, 0.05);
    check_class(by, 1, "up to 10 min", 1, 50, 0.25);
    check_class(by, 2, "up to 1 h", 1, 100, 0.5);
    loom_prediction_classes_destroy(by);
    loom_evaluation_free(&evaluation);
    loom_trace_destroy(trace);
}

/* Over 24 h periods are hours; of four months they are days or weeks, from a midnight on. */
static void test_periods(void **state)
{
    (void)state;
    struct loom_trace *trace = log_of(five, COUNT(five));
    struct loom_evaluation evaluation = evaluated(trace, 0);
    struct loom_prediction_classes *by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_TIME);
    check_class(by, 0, "hour 1", 1, 10, 0.05);
    check_class(by, 1, "hour 2", 1, 50, 0.25);
    check_class(by, 2, "hour 3", 1, 100, 0.5);
    check_class(by, 3, "hour 25", 2, 20, 0.2);
    assert_null(loom_prediction_classes_at(by, 4));
    loom_prediction_classes_destroy(by);
    loom_evaluation_free(&evaluation);
    loom_trace_destroy(trace);

    static const struct row months[] = {{DAY_S / 2, 5, 6, 1, 1},
                                        {6 * DAY_S, 5, 8, 1, 1},
                                        {7 * DAY_S, 5, 9, 1, 1},
                                        {120 * DAY_S, 5, 7, 1, 1}};
    trace = log_of(months, COUNT(months));
    assert_int_equal(loom_trace_set_directive(trace, "UnixStartTime", "1046476800", NULL), 0);
    evaluation = evaluated(trace, 0);
    by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_TIME);
    check_class(by, 0, "2003-03-01", 2, 2, 0.4); /* a week from the first midnight on */
    check_class(by, 1, "2003-03-08", 1, 4, 0.4);
    check_class(by, 2, "2003-06-28", 1, 2, 0.2);
    assert_int_equal(loom_prediction_classes_at(by, 0)->from, 0);
    assert_int_equal(loom_prediction_classes_at(by, 0)->to, 7 * DAY_S - 1);
    loom_prediction_classes_destroy(by);
    loom_evaluation_free(&evaluation);
    loom_trace_destroy(trace);
}

/* There are never many periods, however long the log. */
static void test_long_logs(void **state)
{
    (void)state;
    for (int64_t last_s = 1; last_s > 0 && last_s < INT64_MAX / 3; last_s *= 3) {
        struct row rows[200];
        for (int64_t i = 0; i < 200; i++)
            rows[i] = (struct row){last_s / 199 * i, 5, 6, 1, 1};
        struct loom_trace *trace = log_of(rows, COUNT(rows));
        struct loom_evaluation evaluation = evaluated(trace, 0);
        struct loom_prediction_classes *by = classes_of(&evaluation, trace, LOOM_PREDICTED_BY_TIME);
        int64_t jobs = 0;
        size_t n = 0;
        for (; loom_prediction_classes_at(by, n); n++)
            jobs += loom_prediction_classes_at(by, n)->errors.jobs;
        assert_int_equal(jobs, 200);
        assert_in_range(n, 1, 60);
        loom_prediction_classes_destroy(by);
        loom_evaluation_free(&evaluation);
        loom_trace_destroy(trace);
    }
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* 40 jobs of runtime 100, predicted as 100 in [100 - w, 100 + w]; by fours the widths grow, and of
 * each four the last has a runtime beyond its interval by 5. */
static void test_calibration(void **state)
{
    (void)state;
    enum { N = 40 };
    struct row rows[N];
    struct loom_predicted_job jobs[N + 1];
    for (int i = 0; i < N; i++) {
        int w = 10 * (1 + (N - 1 - i) / 4); /* the widest first */
        bool outside = i % 4 == 3;
        rows[i] = (struct row){i, outside ? 100 + w + 5 : 100, 1000, 1, 1};
        jobs[i] = (struct loom_predicted_job){(uint32_t)i, {100, 100 - w, 100 + w}};
    }
    jobs[N] = (struct loom_predicted_job){0, {100, NAN, NAN}};
    struct loom_trace *trace = log_of(rows, N);
    struct loom_evaluation evaluation = {.jobs = jobs, .n = N + 1};
    struct loom_calibration calibration;
    assert_int_equal(loom_calibration(&calibration, &evaluation, trace, NULL), 0);
    assert_int_equal(calibration.n, 10);
    for (int b = 0; b < 10; b++) {
        int w = 10 * (b + 1);
        assert_int_equal(calibration.bins[b].jobs, 4);
        assert_true(near(calibration.bins[b].width_s, 2 * w));
        assert_true(near(calibration.bins[b].covered_fraction, 0.75));
        assert_true(near(calibration.bins[b].error_s, (w + 5) / 4.0));
    }
    /* Mean width 110; the score adds 10 * 5 for a quarter of the jobs. */
    struct loom_prediction_errors errors =
        loom_evaluation_errors(&evaluation, trace, 0, N + 1, NULL, NULL);
    assert_int_equal(errors.intervals, N);
    assert_true(near(errors.covered_fraction, 0.75));
    assert_true(near(errors.above_fraction, 0.25));
    assert_true(near(errors.below_fraction, 0));
    assert_true(near(errors.width_s, 110));
    assert_true(near(errors.interval_score_s, 110 + 12.5));
    evaluation.n = 9;
    assert_int_equal(loom_calibration(&calibration, &evaluation, trace, NULL), 0);
    assert_int_equal(calibration.n, 0);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_long_logs),
        cmocka_unit_test(test_calibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
