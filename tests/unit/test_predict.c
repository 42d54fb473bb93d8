/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictors: worked examples, and what a log teaches. */
#include "predict_jobs.h"

#include <stdlib.h>
#include <string.h>

/* ---- simple predictors ----------------------------------------------------------------------- */

/* The request until two jobs of the user have ended; then their mean, in whole seconds. */
static void test_recent2(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("recent2");
    struct loom_job_view jobs[6], foreign = view_of(0, 7, 100, 1);
    foreign.origin = 1;
    for (uint32_t i = 0; i < 6; i++)
        jobs[i] = view_of(i, i == 3 ? 8 : 7, 100, 1);
    assert_true(predicted(predictor, &jobs[0]) == 100);
    ended(predictor, &jobs[0], 10);
    assert_true(predicted(predictor, &jobs[1]) == 100);
    ended(predictor, &jobs[1], 21);
    assert_true(predicted(predictor, &jobs[2]) == 15);
    assert_true(predicted(predictor, &jobs[3]) == 100); /* another user */
    assert_true(predicted(predictor, &foreign) == 100); /* of another origin */
    ended(predictor, &jobs[2], 1000);
    assert_true(predicted(predictor, &jobs[4]) == 100); /* at most the request */
    assert_int_equal(loom_predictor_reset(predictor, NULL), 0);
    jobs[5].number = 0;
    assert_true(predicted(predictor, &jobs[5]) == 100); /* all is forgotten */
    loom_predictor_destroy(predictor);
}

/* Without a requested time, the mean runtime so far takes its place. */
static void test_unknown_requests(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("requested");
    struct loom_job_view a = view_of(0, 1, -1, 1), b = view_of(1, 1, -1, 1),
                         c = view_of(2, 1, -1, 1);
    assert_true(predicted(predictor, &a) == 3600);
    assert_true(predicted(predictor, &b) == 3600);
    ended(predictor, &a, 10);
    ended(predictor, &b, 30);
    assert_true(predicted(predictor, &c) == 20);
    loom_predictor_destroy(predictor);
}

/* The mean runtime is no bound of what a predictor knows: seven jobs of one user ran 100 s and two
 * of another 10,000 s. */
static void test_no_bound_by_the_mean(void **state)
{
    static const char *const texts[] = {"recent2", "ibl:k=2", "minh2010:template=user,k1=2"};
    (void)state;
    for (size_t p = 0; p < COUNT(texts); p++) {
        struct loom_predictor *predictor = predictor_of(texts[p]);
        for (uint32_t i = 0; i < 9; i++) {
            struct loom_job_view job = view_of(i, i < 7 ? 1 : 2, -1, 1);
            predicted(predictor, &job);
            ended(predictor, &job, i < 7 ? 100 : 10000);
        }
        struct loom_job_view next = view_of(9, 2, -1, 1);
        assert_true(near(predicted(predictor, &next), 10000));
        loom_predictor_destroy(predictor);
    }
}

static void test_clairvoyant(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("clairvoyant");
    struct loom_job_view job = view_of(0, 1, 50, 1);
    struct loom_prediction prediction;
    assert_int_equal(loom_predictor_predict(&prediction, predictor, &job, 42, NULL), 0);
    assert_true(prediction.run_s == 42);
    assert_int_equal(loom_predictor_predict(&prediction, predictor, &job, 0, NULL), 0);
    assert_true(prediction.run_s == 1);
    loom_predictor_destroy(predictor);
}

/* ---- ibl and online -------------------------------------------------------------------------- */

/* Distances 0 and sqrt(1/2) over weights 1 of user and request: with bandwidth h, weights 1 and
 * exp(-1/2 / h^2). */
static void check_kernel_average(double bandwidth)
{
    char text[200];
    snprintf(text, sizeof text,
             "ibl:k=2,bandwidth=%g,w-user=1,w-group=0,w-queue=0,w-executable=0,w-procs=0,"
             "w-request=1,w-memory=0",
             bandwidth);
    struct loom_predictor *predictor = predictor_of(text);
    struct loom_job_view a = view_of(0, 1, 400, 1), b = view_of(1, 2, 400, 1);
    struct loom_job_view c = view_of(2, 1, 400, 1);
    predicted(predictor, &a);
    predicted(predictor, &b);
    ended(predictor, &a, 100);
    ended(predictor, &b, 300);
    double w = exp(-0.5 / (bandwidth * bandwidth));
    assert_true(near(predicted(predictor, &c), (100 + w * 300) / (1 + w)));
    loom_predictor_destroy(predictor);
}

static void test_kernel_average(void **state)
{
    (void)state;
    check_kernel_average(1);
    check_kernel_average(0.5);
}

/* Jobs whose runtime is a straight line in the requested time are predicted exactly. */
static void test_local_regression(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("ibl:k=10,induction=regression");
    for (uint32_t i = 0; i < 10; i++) {
        struct loom_job_view job = view_of(i, 1, 1000 + 100 * (int64_t)i, 1);
        predicted(predictor, &job);
        ended(predictor, &job, 100 + 10 * (int64_t)i);
    }
    struct loom_job_view asked = view_of(10, 1, 1450, 1);
    assert_true(fabs(predicted(predictor, &asked) - 145) < 0.1);
    loom_predictor_destroy(predictor);
}

/* A user who alternates between two kinds of job with their own requested times is known after a
 * few; a new user gets what others with that request took. */
static void test_online_contexts(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("online");
    uint32_t number = 0;
    for (int i = 0; i < 40; i++) {
        struct loom_job_view small = view_of(number++, 1, 600, 1);
        predicted(predictor, &small);
        ended(predictor, &small, 30);
        struct loom_job_view large = view_of(number++, 1, 7200, 8);
        predicted(predictor, &large);
        ended(predictor, &large, 7000);
    }
    struct loom_job_view small = view_of(number++, 1, 600, 1),
                         large = view_of(number++, 1, 7200, 8);
    struct loom_job_view newcomer = view_of(number++, 2, 600, 1);
    assert_true(predicted(predictor, &small) == 30);
    assert_true(predicted(predictor, &large) == 7000);
    assert_true(predicted(predictor, &newcomer) == 30);
    loom_predictor_destroy(predictor);
}

/* What is known of one origin says nothing of another, of the same user or requested time. */
static void test_online_origins(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("online");
    struct loom_job_view foreign = view_of(0, 1, 600, 1);
    foreign.origin = 1;
    for (uint32_t i = 0; i < 20; i++) {
        struct loom_job_view job = view_of(i, 1, 600, 1);
        predicted(predictor, &job);
        ended(predictor, &job, 30);
    }
    struct loom_job_view own = view_of(20, 1, 600, 1);
    assert_true(predicted(predictor, &own) == 30);
    assert_true(predicted(predictor, &foreign) == 600);
    loom_predictor_destroy(predictor);
}

/* Jobs that differ in requested memory alone are distinguished, also for a new user. */
static void test_online_memory(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("online");
    for (uint32_t i = 0; i < 60; i++) {
        struct loom_job_view job = view_of(i, 1, 3600, 1);
        job.req_mem_kib = i % 3 ? 500.5 : 500.25;
        predicted(predictor, &job);
        ended(predictor, &job, i % 3 ? 3000 : 20);
    }
    struct loom_job_view lean = view_of(60, 1, 3600, 1), newcomer = view_of(61, 2, 3600, 1);
    struct loom_job_view heavy = view_of(62, 1, 3600, 1);
    lean.req_mem_kib = newcomer.req_mem_kib = 500.25;
    heavy.req_mem_kib = 500.5;
    assert_true(predicted(predictor, &lean) == 20);
    assert_true(predicted(predictor, &newcomer) == 20);
    assert_true(predicted(predictor, &heavy) == 3000);
    loom_predictor_destroy(predictor);
}

/* Of a requested time never seen before, a user's jobs on one processor and on several take the
 * shares that such jobs took before. */
static void test_online_serial_and_parallel(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("online");
    for (uint32_t i = 0; i < 60; i++) {
        struct loom_job_view job = view_of(i, 1, 1000 * (1 + i % 2), i % 3 ? 4 : 1);
        predicted(predictor, &job);
        ended(predictor, &job, job.request_s * (i % 3 ? 8 : 1) / 10);
    }
    struct loom_job_view serial = view_of(60, 1, 5000, 1), parallel = view_of(61, 1, 5000, 32);
    assert_true(predicted(predictor, &serial) == 500);
    assert_true(predicted(predictor, &parallel) == 4000);
    loom_predictor_destroy(predictor);
}

/* The median of the last twelve runtimes, weights 0.9 for each job that ended later, computed anew.
 */
static int64_t faded_median(const int64_t *runs_s, int n)
{
    int first = n > 12 ? n - 12 : 0;
    int64_t found = INT64_MAX;
    double total = 0;
    for (int i = first; i < n; i++)
        total += pow(0.9, n - 1 - i);
    for (int i = first; i < n; i++) {
        double sum = 0;
        for (int k = first; k < n; k++)
            sum += runs_s[k] <= runs_s[i] ? pow(0.9, n - 1 - k) : 0;
        if (sum >= 0.5 * total && runs_s[i] < found)
            found = runs_s[i];
    }
    return found;
}

/* Jobs that agree in everything: all contexts remember the same, and what is kept from job to job
 * stays what it is when computed anew. Some runtimes are equal. */
static void test_online_median(void **state)
{
    (void)state;
    enum { N = 5000 };
    static int64_t runs_s[N];
    struct loom_predictor *predictor = predictor_of("online");
    struct loom_stream stream;
    loom_stream_init(&stream, 6, 0, "test");
    for (int i = 0; i < N; i++) {
        struct loom_job_view job = view_of((uint32_t)i, 1, 65536, 4);
        runs_s[i] = 1 + (int64_t)loom_stream_below(&stream, i % 2 ? 65536 : 8);
        double expected = i > 0 ? (double)faded_median(runs_s, i) : 65536;
        assert_true(predicted(predictor, &job) == expected);
        ended(predictor, &job, runs_s[i]);
    }
    loom_predictor_destroy(predictor);
}

/* A context that predicts well decides against one that does not: the user's jobs of one size are
 * all alike, of the same request they are not. */
static void test_online_weights(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("online");
    struct loom_stream stream;
    uint32_t number = 0;
    loom_stream_init(&stream, 7, 0, "test");
    for (int i = 0; i < 200; i++) {
        int32_t user = (int32_t)loom_stream_below(&stream, 3),
                procs = 1 << loom_stream_below(&stream, 4);
        struct loom_job_view job = view_of(number++, user, 10000, procs);
        double said_s = predicted(predictor, &job);
        if (i > 150)
            assert_true(said_s == 1000 * procs + 100 * user);
        ended(predictor, &job, 1000 * procs + 100 * user);
    }
    loom_predictor_destroy(predictor);
}

/* As an estimator it gives the same predictions, without intervals. */
static void test_online_estimates(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("online"), *estimating = predictor_of("online");
    struct loom_estimator estimator =
        loom_predictor_estimator(estimating, LOOM_CORRECTION_REQUESTED);
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "test");
    for (uint32_t i = 0; i < 3000; i++) {
        struct loom_job_view job = view_of(i, (int32_t)loom_stream_below(&stream, 9), 3600, 1);
        int64_t run_s = (int64_t)loom_stream_below(&stream, 3600);
        assert_int_equal(estimator.estimate(estimator.self, &job),
                         (int64_t)predicted(predictor, &job));
        ended(predictor, &job, run_s);
        assert_int_equal(estimator.learn(estimator.self, &job, run_s, NULL), 0);
    }
    struct loom_prediction said;
    struct loom_job_view next = view_of(3000, 1, 3600, 1);
    assert_int_equal(loom_predictor_predict(&said, estimating, &next, -1, NULL), 0);
    assert_true(isnan(said.low_s) && isnan(said.high_s));
    loom_predictor_destroy(predictor);
    loom_predictor_destroy(estimating);
}

/* Runtimes drawn independently: eight of ten fall into the interval. */
static void test_online_interval(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct loom_predictor *predictor = predictor_of("online");
    struct loom_stream stream;
    int inside = 0;
    loom_stream_init(&stream, 5, 0, "test");
    for (uint32_t i = 0; i < N; i++) {
        struct loom_job_view job = view_of(i, (int32_t)loom_stream_below(&stream, 20), 100000, 1);
        int64_t run_s = (int64_t)(-1000 * log(1 - loom_stream_uniform(&stream)));
        struct loom_prediction said;
        assert_int_equal(loom_predictor_predict(&said, predictor, &job, -1, NULL), 0);
        inside += said.low_s <= (double)run_s && (double)run_s <= said.high_s;
        ended(predictor, &job, run_s);
    }
    assert_true(inside > 0.78 * N && inside < 0.82 * N);
    loom_predictor_destroy(predictor);
}

/* ---- as an estimator ------------------------------------------------------------------------- */

static void test_corrections(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("recent2");
    struct loom_estimator estimator =
        loom_predictor_estimator(predictor, LOOM_CORRECTION_INCREMENTAL);
    struct loom_job_view jobs[3];
    for (uint32_t i = 0; i < 3; i++)
        jobs[i] = view_of(i, 1, 4000, 1);
    for (int i = 0; i < 2; i++) {
        estimator.estimate(estimator.self, &jobs[i]);
        assert_int_equal(estimator.learn(estimator.self, &jobs[i], 100, NULL), 0);
    }
    assert_int_equal(estimator.estimate(estimator.self, &jobs[2]), 100);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 100), 160);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 160), 400);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 1900), 3700);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 3700), 4000);
    estimator = loom_predictor_estimator(predictor, LOOM_CORRECTION_REQUESTED);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 100), 4000);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 4000), 8000);
    estimator = loom_predictor_estimator(predictor, LOOM_CORRECTION_DOUBLE);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 100), 200);
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], 3000), 4000);
    struct loom_prediction_errors errors = loom_predictor_errors(predictor);
    assert_int_equal(errors.jobs, 2);
    assert_true(errors.mae_s == 3900);
    loom_predictor_destroy(predictor);
}

/* Each increment is added to the first prediction; the next one takes over where it has run out. */
static void test_increments(void **state)
{
    static const int64_t steps_s[] = {60,    300,   900,   1800,   3600,  7200,
                                      18000, 36000, 72000, 180000, 360000};
    enum { FIRST = 100, REQUEST = 1000000 };
    struct loom_predictor *predictor = predictor_of("recent2");
    struct loom_estimator estimator =
        loom_predictor_estimator(predictor, LOOM_CORRECTION_INCREMENTAL);
    struct loom_job_view jobs[3];
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        jobs[i] = view_of(i, 1, REQUEST, 1);
    for (int i = 0; i < 2; i++) {
        estimator.estimate(estimator.self, &jobs[i]);
        assert_int_equal(estimator.learn(estimator.self, &jobs[i], FIRST, NULL), 0);
    }
    int64_t ran_s = estimator.estimate(estimator.self, &jobs[2]);
    assert_int_equal(ran_s, FIRST);
    for (size_t i = 0; i < COUNT(steps_s); i++) {
        ran_s = estimator.correct(estimator.self, &jobs[2], ran_s);
        assert_int_equal(ran_s, FIRST + steps_s[i]);
    }
    assert_int_equal(estimator.correct(estimator.self, &jobs[2], ran_s), REQUEST);
    loom_predictor_destroy(predictor);
}

static void test_wrong_texts(void **state)
{
    (void)state;
    struct loom_predictor *predictor = NULL;
    struct loom_error err;
    static const struct {
        const char *text;
        int code;
        const char *says;
    } cases[] = {
        {NULL, LOOM_EUSAGE, "no predictor"},
        {"recent3", LOOM_EUSAGE, "recent2"},
        {"minh2010:k1=0", LOOM_ERANGE, "k1"},
        {"minh2010:template=user+que", LOOM_EUSAGE, "template"},
        {"minh2010:template=user+", LOOM_EUSAGE, "template"},
        {"minh2010:pivot=10,pivot2=5", LOOM_ERANGE, "pivot2"},
        {"ibl:w-user=0,w-group=0,w-queue=0,w-executable=0,w-procs=0,w-request=0,w-memory=0",
         LOOM_ERANGE, "weight"},
        {"no-such-file.json", LOOM_EIO, "cannot be read"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(loom_predictor_create(&predictor, cases[i].text, &err), cases[i].code);
        assert_null(predictor);
        assert_non_null(strstr(err.message, cases[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recent2),
        cmocka_unit_test(test_unknown_requests),
        cmocka_unit_test(test_no_bound_by_the_mean),
        cmocka_unit_test(test_clairvoyant),
        cmocka_unit_test(test_kernel_average),
        cmocka_unit_test(test_local_regression),
        cmocka_unit_test(test_online_contexts),
        cmocka_unit_test(test_online_origins),
        cmocka_unit_test(test_online_memory),
        cmocka_unit_test(test_online_serial_and_parallel),
        cmocka_unit_test(test_online_median),
        cmocka_unit_test(test_online_weights),
        cmocka_unit_test(test_online_estimates),
        cmocka_unit_test(test_online_interval),
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_increments),
        cmocka_unit_test(test_wrong_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
