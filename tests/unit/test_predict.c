/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictors: worked examples, brute force for the experience base, and what a log teaches. */
#include "support.h"

#include "predict/experience.h"

#include <workloom/predict.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct loom_predictor *predictor_of(const char *text)
{
    struct loom_predictor *predictor = NULL;
    assert_int_equal(loom_predictor_create(&predictor, text, NULL), 0);
    return predictor;
}

static struct loom_job_view view_of(uint32_t number, int32_t user, int64_t request_s, int32_t procs)
{
    return (struct loom_job_view){.submit_s = number,
                                  .request_s = request_s,
                                  .req_mem_kib = -1,
                                  .procs = procs,
                                  .user = user,
                                  .group = -1,
                                  .executable = -1,
                                  .queue = -1,
                                  .number = number};
}

static double predicted(struct loom_predictor *predictor, const struct loom_job_view *job)
{
    struct loom_prediction prediction;
    assert_int_equal(loom_predictor_predict(&prediction, predictor, job, -1, NULL), 0);
    return prediction.run_s;
}

static void ended(struct loom_predictor *predictor, const struct loom_job_view *job, int64_t run_s)
{
    assert_int_equal(loom_predictor_started(predictor, job, job->submit_s, NULL), 0);
    assert_int_equal(loom_predictor_learn(predictor, job, run_s, NULL), 0);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* ---- simple predictors ----------------------------------------------------------------------- */

/* The request until two jobs of the user have ended; then their mean, in whole seconds. */
static void test_recent2(void **state)
{
    (void)state;
    struct loom_predictor *predictor = predictor_of("recent2");
    struct loom_job_view jobs[6];
    for (uint32_t i = 0; i < 6; i++)
        jobs[i] = view_of(i, i == 3 ? 8 : 7, 100, 1);
    assert_true(predicted(predictor, &jobs[0]) == 100);
    ended(predictor, &jobs[0], 10);
    assert_true(predicted(predictor, &jobs[1]) == 100);
    ended(predictor, &jobs[1], 21);
    assert_true(predicted(predictor, &jobs[2]) == 15);
    assert_true(predicted(predictor, &jobs[3]) == 100); /* another user */
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

/* ---- minh2010 -------------------------------------------------------------------------------- */

/* The six jobs of thesis section 8.3.3: user, group and executable are one number. */
static const struct six {
    int32_t who, procs;
    int64_t request_s;
    double memory;
    int64_t submit_s, run_s;
} six[] = {
    {1, 10, 500, 10, 1, 450}, {2, 4, 110, 2, 3, 100}, {1, 11, 520, 10, 480, 500},
    {2, 5, 50, 3, 490, 40},   {2, 4, 90, 2, 550, 30}, {1, 11, 500, 12, 560, 480},
};

/* Predict the last of the first n jobs; all start when submitted. */
static double predict_six(const char *text, uint32_t n)
{
    struct loom_predictor *predictor = predictor_of(text);
    bool done[6] = {false};
    double said = NAN;
    for (uint32_t i = 0; i < n; i++) {
        struct loom_job_view job = view_of(i, six[i].who, six[i].request_s, six[i].procs);
        job.group = job.executable = six[i].who;
        job.req_mem_kib = six[i].memory;
        job.submit_s = six[i].submit_s;
        for (uint32_t k = 0; k < i; k++)
            if (!done[k] && six[k].submit_s + six[k].run_s <= six[i].submit_s) {
                struct loom_job_view past = view_of(k, six[k].who, six[k].request_s, six[k].procs);
                past.group = past.executable = six[k].who;
                past.req_mem_kib = six[k].memory;
                ended(predictor, &past, six[k].run_s);
                done[k] = true;
            }
        said = predicted(predictor, &job);
    }
    loom_predictor_destroy(predictor);
    return said;
}

/* J6: among the last three jobs none of its user has ended, and the empty template finds J4; with
 * five, J1 is found. */
static void test_example_of_the_thesis(void **state)
{
    (void)state;
    assert_true(predict_six("minh2010:template=user,pivot=0,n2=3,k2=1,beta2=1", 6) == 40);
    assert_true(predict_six("minh2010:template=user,pivot=0,n2=5,k2=1,beta2=1", 6) == 450);
    /* N counts submitted jobs: with two, J4 is the only one that has ended. */
    assert_true(predict_six("minh2010:template=user,pivot=0,n2=2,k2=1,beta2=1", 6) == 40);
}

/* J5: the text says that J4 is found with N = 3 and J2 with N = 5. By its equations J2 is found
 * with both: it is among the last three, and its similarity is 1, as processors and memory of J2
 * and J5 are the least of all jobs, and so 0 by eq. 8.4. J2 ran 100 s, of which the request
 * leaves 90. */
static void test_j5_of_the_thesis(void **state)
{
    (void)state;
    assert_true(predict_six("minh2010:template=user,pivot=0,n2=3,k2=1,beta2=1", 5) == 90);
    assert_true(predict_six("minh2010:template=user,pivot=0,n2=5,k2=1,beta2=1", 5) == 90);
    /* J4 is found only where it is the only one. */
    assert_true(predict_six("minh2010:template=user,pivot=0,n2=1,k2=1,beta2=1", 5) == 40);
}

/* Two neighbours, 100 and 200: mean 150, deviation (n - 1) 70.71; half of that added, at most 0.9
 * of the request. */
static void test_mean_and_deviations(void **state)
{
    (void)state;
    struct loom_predictor *predictor =
        predictor_of("minh2010:template=user,pivot=1000,k1=2,alpha1=0.5,beta1=0.9,k2=1,alpha2=0,"
                     "beta2=0.5");
    struct loom_job_view a = view_of(0, 1, 400, 1), b = view_of(1, 1, 400, 1);
    struct loom_job_view c = view_of(2, 1, 400, 1), d = view_of(3, 1, 180, 1);
    struct loom_job_view e = view_of(4, 1, 2000, 1);
    predicted(predictor, &a);
    predicted(predictor, &b);
    ended(predictor, &b, 100);
    ended(predictor, &a, 200);
    assert_true(near(predicted(predictor, &c), 150 + 0.5 * sqrt(5000)));
    assert_true(near(predicted(predictor, &d), 0.9 * 180));
    /* The big group takes the most recently submitted of equals: b. */
    assert_true(near(predicted(predictor, &e), 100));
    loom_predictor_destroy(predictor);
}

/* ---- the experience base against a plain search ---------------------------------------------- */

enum { JOBS = 3000, WINDOW = 400, NEAR = 7 };

struct made {
    struct loom_job_view view;
    int64_t run_s;
    bool ended;
};

static double scaled(double value, double least, double greatest)
{
    return greatest > least && value >= 0 ? (value - least) / (greatest - least) : 0;
}

/* The similarity of eq. 8.5 with ranges over jobs 0 to now. */
static double plain_likeness(const struct made *jobs, uint32_t now, uint32_t other)
{
    double range[3][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    double a[3], b[3], ab = 0, aa = 0, bb = 0;
    for (uint32_t i = 0; i <= now; i++) {
        const double values[] = {jobs[i].view.procs, (double)jobs[i].view.request_s,
                                 jobs[i].view.req_mem_kib};
        for (int k = 0; k < 3; k++)
            if (values[k] >= 0) {
                range[k][0] = fmin(range[k][0], values[k]);
                range[k][1] = fmax(range[k][1], values[k]);
            }
    }
    const struct loom_job_view *x = &jobs[now].view, *y = &jobs[other].view;
    const double of_x[] = {x->procs, (double)x->request_s, x->req_mem_kib};
    const double of_y[] = {y->procs, (double)y->request_s, y->req_mem_kib};
    for (int k = 0; k < 3; k++) {
        a[k] = scaled(of_x[k], range[k][0], range[k][1]);
        b[k] = scaled(of_y[k], range[k][0], range[k][1]);
        ab += a[k] * b[k];
        aa += a[k] * a[k];
        bb += b[k] * b[k];
    }
    return aa > 0 && bb > 0 ? ab / (sqrt(aa) * sqrt(bb)) : aa == bb;
}

static double cosine(const void *how, const struct loom_past_kind *job,
                     const struct loom_past_kind *kind)
{
    double ab = 0;
    (void)how;
    for (int k = 0; k < 3; k++)
        ab += job->scaled[k] * kind->scaled[k];
    return job->length > 0 && kind->length > 0 ? ab / (job->length * kind->length)
                                               : job->length == kind->length;
}

static struct made draw_job(uint32_t number, struct loom_stream *stream)
{
    struct made made = {.view = view_of(number, (int32_t)loom_stream_below(stream, 5),
                                        60 * (1 + (int64_t)loom_stream_below(stream, 6)),
                                        1 << loom_stream_below(stream, 4))};
    made.view.queue = (int32_t)loom_stream_below(stream, 2) - 1;
    made.view.req_mem_kib = (double)loom_stream_below(stream, 3) - 1;
    made.run_s = (int64_t)loom_stream_below(stream, 1000);
    return made;
}

/* The likeness of the k-th nearest and all that are nearer must agree; ties go by recency. */
static void check_search(struct loom_experience *base, const struct made *jobs, uint32_t now)
{
    struct loom_neighbour found[NEAR];
    size_t n =
        loom_experience_nearest(found, NEAR, base, &jobs[now].view, WINDOW, false, cosine, NULL);
    uint32_t first = now > WINDOW ? now - WINDOW : 0, taken[NEAR];
    size_t wanted = 0;
    for (; wanted < NEAR; wanted++) {
        double best = -1;
        for (uint32_t i = now; i-- > first;) {
            bool used = !jobs[i].ended || jobs[i].view.user != jobs[now].view.user ||
                        jobs[i].view.queue != jobs[now].view.queue;
            for (size_t k = 0; k < wanted; k++)
                used = used || taken[k] == i;
            double likeness = used ? -1 : plain_likeness(jobs, now, i);
            if (likeness > best + 1e-12) {
                best = likeness;
                taken[wanted] = i;
            }
        }
        if (best < 0)
            break;
        assert_true(wanted < n);
        assert_true(fabs(found[wanted].likeness - best) < 1e-9);
    }
    assert_int_equal(n, wanted);
    for (size_t k = 0; k < n; k++)
        assert_int_equal(found[k].run_s, jobs[found[k].sequence].run_s);
}

static void test_nearest_jobs(void **state)
{
    (void)state;
    static struct made jobs[JOBS];
    struct loom_experience base = {.template = 1u << LOOM_BY_USER | 1u << LOOM_BY_QUEUE,
                                   .most = WINDOW};
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "test");
    for (uint32_t i = 0; i < JOBS; i++) {
        jobs[i] = draw_job(i, &stream);
        for (uint32_t k = i > 600 ? i - 600 : 0; k < i; k++)
            if (!jobs[k].ended && loom_stream_below(&stream, 40) == 0) {
                jobs[k].ended = true;
                assert_int_equal(loom_experience_end(&base, &jobs[k].view, jobs[k].run_s, NULL), 0);
            }
        assert_int_equal(loom_experience_submit(&base, &jobs[i].view, NULL), 0);
        if (i % 23 == 0)
            check_search(&base, jobs, i);
    }
    loom_experience_free(&base);
}

/* ---- ibl and online -------------------------------------------------------------------------- */

/* Distances 0 and sqrt(1/2) over weights 1 of user and request, bandwidth 1: weights 1 and
 * exp(-1/2). */
static void test_kernel_average(void **state)
{
    (void)state;
    struct loom_predictor *predictor =
        predictor_of("ibl:k=2,bandwidth=1,w-user=1,w-group=0,w-queue=0,w-executable=0,w-procs=0,"
                     "w-request=1,w-memory=0");
    struct loom_job_view a = view_of(0, 1, 400, 1), b = view_of(1, 2, 400, 1);
    struct loom_job_view c = view_of(2, 1, 400, 1);
    predicted(predictor, &a);
    predicted(predictor, &b);
    ended(predictor, &a, 100);
    ended(predictor, &b, 300);
    double w = exp(-0.5);
    assert_true(near(predicted(predictor, &c), (100 + w * 300) / (1 + w)));
    loom_predictor_destroy(predictor);
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
        cmocka_unit_test(test_recent2),          cmocka_unit_test(test_unknown_requests),
        cmocka_unit_test(test_clairvoyant),      cmocka_unit_test(test_example_of_the_thesis),
        cmocka_unit_test(test_j5_of_the_thesis), cmocka_unit_test(test_mean_and_deviations),
        cmocka_unit_test(test_nearest_jobs),     cmocka_unit_test(test_kernel_average),
        cmocka_unit_test(test_local_regression), cmocka_unit_test(test_online_contexts),
        cmocka_unit_test(test_online_median),    cmocka_unit_test(test_online_weights),
        cmocka_unit_test(test_online_estimates), cmocka_unit_test(test_online_interval),
        cmocka_unit_test(test_corrections),      cmocka_unit_test(test_wrong_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
