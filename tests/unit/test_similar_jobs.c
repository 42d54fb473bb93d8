/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The predictor minh2010: worked examples, its choices, and its search against a plain one. */
#include "job_rows.h"
#include "predict_jobs.h"

#include "predict/experience.h"

#include <stdlib.h>
#include <string.h>

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

/* A job whose requested time is the pivot is big. */
static void test_pivot(void **state)
{
    (void)state;
    struct loom_predictor *predictor =
        predictor_of("minh2010:template=user,pivot=1000,beta1=0.5,beta2=1,alpha2=0,k2=1");
    struct loom_job_view past = view_of(0, 1, 1000, 1), below = view_of(1, 1, 999, 1),
                         at = view_of(2, 1, 1000, 1);
    predicted(predictor, &past);
    ended(predictor, &past, 900);
    assert_true(near(predicted(predictor, &below), 0.5 * 999));
    assert_true(near(predicted(predictor, &at), 900));
    loom_predictor_destroy(predictor);
}

/* With n in place of n - 1: mean 150, deviation 50. */
static void test_deviation(void **state)
{
    (void)state;
    struct loom_predictor *predictor =
        predictor_of("minh2010:template=user,pivot=1000,k1=2,alpha1=0.5,beta1=1,deviation=n");
    struct loom_job_view a = view_of(0, 1, 400, 1), b = view_of(1, 1, 400, 1);
    struct loom_job_view c = view_of(2, 1, 400, 1);
    predicted(predictor, &a);
    predicted(predictor, &b);
    ended(predictor, &a, 200);
    ended(predictor, &b, 100);
    assert_true(near(predicted(predictor, &c), 175));
    loom_predictor_destroy(predictor);
}

/* a is the least of all in every attribute, so a vector of zeros, and ran 10 s; b (1 in processors,
 * 0.5 in the requested time) 20 s; c (1 in both) 40 s. Checks what is predicted for a job like a,
 * and for one like b. */
static void check_zeros(const char *text, double like_a_s, double like_b_s)
{
    struct loom_predictor *predictor = predictor_of(text);
    struct loom_job_view a = view_of(0, 1, 100, 1), b = view_of(1, 1, 200, 9);
    struct loom_job_view c = view_of(2, 1, 300, 9);
    struct loom_job_view like_a = view_of(3, 1, 100, 1), like_b = view_of(4, 1, 200, 9);
    predicted(predictor, &a);
    predicted(predictor, &b);
    predicted(predictor, &c);
    ended(predictor, &a, 10);
    ended(predictor, &b, 20);
    ended(predictor, &c, 40);
    assert_true(near(predicted(predictor, &like_a), like_a_s));
    assert_true(near(predicted(predictor, &like_b), like_b_s));
    loom_predictor_destroy(predictor);
}

/* Equally similar jobs are taken most recent first. To a job like a, only a is similar; or none, so
 * that c is the most recent; or all. To one like b, b is the most similar and c the next, unless a
 * is fully similar as well. */
static void test_zeros(void **state)
{
    (void)state;
    check_zeros("minh2010:template=user,pivot=0,k2=1,beta2=1", 10, 20);
    check_zeros("minh2010:template=user,pivot=0,k2=1,beta2=1,zeros=never", 40, 20);
    check_zeros("minh2010:template=user,pivot=0,k2=2,alpha2=0,beta2=1", 25, 30);
    check_zeros("minh2010:template=user,pivot=0,k2=2,alpha2=0,beta2=1,zeros=always", 30, 15);
}

/* What is said of the third of four jobs of a log. */
static double predicted_third(const char *text)
{
    static const struct row rows[] = {
        {0, 10, 1, 200, 1, 1, 1},
        {1, 20, 2, 100, 1, 1, 1},
        {100, 50, 2, 200, 1, 1, 1},
        {200, 50, 10, 100, 1, 1, 1},
    };
    struct loom_trace *trace = log_of(rows, COUNT(rows));
    struct loom_predictor *predictor = predictor_of(text);
    struct loom_evaluation evaluation;
    assert_int_equal(loom_evaluate(&evaluation, predictor, trace, 0, NULL), 0);
    double said_s = evaluation.jobs[2].prediction.run_s;
    loom_evaluation_free(&evaluation);
    loom_predictor_destroy(predictor);
    loom_trace_destroy(trace);
    return said_s;
}

/* By the jobs so far, processors and requested time of the third job are (1, 1), the first two's
 * (0, 1) and (1, 0): equally similar, and the second is more recent. By the whole log the third is
 * (1/9, 1), and nearly parallel to the first. A simulation does not know the whole log. */
static void test_range(void **state)
{
    (void)state;
    static const char of_log[] = "minh2010:template=user,pivot=0,k2=1,beta2=1,range=log";
    assert_true(predicted_third("minh2010:template=user,pivot=0,k2=1,beta2=1") == 20);
    assert_true(predicted_third(of_log) == 10);
    struct loom_error err;
    struct loom_prediction said;
    struct loom_predictor *predictor = predictor_of(of_log);
    struct loom_job_view job = view_of(0, 1, 100, 1);
    assert_int_equal(loom_predictor_predict(&said, predictor, &job, -1, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "range=log"));
    loom_predictor_destroy(predictor);
}

/* ---- the experience base against a plain search ---------------------------------------------- */

enum { JOBS = 3000, WINDOW = 400, NEAR = 7 };

struct made {
    struct loom_job_view view;
    int64_t run_s;
    bool ended;
};

/* Least and greatest values of processors, requested time and memory. */
struct ranges {
    double least[3], greatest[3];
};

static double numeric(const struct loom_job_view *view, int k)
{
    return k == 0 ? view->procs : k == 1 ? (double)view->request_s : view->req_mem_kib;
}

/* The ranges over jobs 0 to now. */
static struct ranges ranges_of(const struct made *jobs, uint32_t now)
{
    struct ranges ranges = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i <= now; i++)
        for (int k = 0; k < 3; k++) {
            double value = numeric(&jobs[i].view, k);
            if (value >= 0) {
                ranges.least[k] = fmin(ranges.least[k], value);
                ranges.greatest[k] = fmax(ranges.greatest[k], value);
            }
        }
    return ranges;
}

static double scaled(const struct loom_job_view *view, const struct ranges *ranges, int k)
{
    double value = numeric(view, k), range = ranges->greatest[k] - ranges->least[k];
    return range > 0 && value >= 0 ? (value - ranges->least[k]) / range : 0;
}

/* The similarity of eq. 8.5. */
static double plain_likeness(const struct loom_job_view *x, const struct loom_job_view *y,
                             const struct ranges *ranges)
{
    double ab = 0, aa = 0, bb = 0;
    for (int k = 0; k < 3; k++) {
        double a = scaled(x, ranges, k), b = scaled(y, ranges, k);
        ab += a * b;
        aa += a * a;
        bb += b * b;
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

static bool is_candidate(const struct loom_experience *base, const struct made *jobs, uint32_t now,
                         uint32_t other)
{
    const struct loom_job_view *a = &jobs[now].view, *b = &jobs[other].view;
    return jobs[other].ended &&
           (base->template == 0 || (a->user == b->user && a->queue == b->queue));
}

/* The likeness of the k-th nearest and all that are nearer must agree; ties go by recency. */
static void check_search(struct loom_experience *base, const struct made *jobs, uint32_t now)
{
    struct loom_neighbour found[NEAR];
    size_t n = loom_experience_nearest(found, NEAR, base, &jobs[now].view, WINDOW, cosine, NULL);
    const struct ranges ranges = ranges_of(jobs, now);
    uint32_t first = now > WINDOW ? now - WINDOW : 0, taken[NEAR];
    size_t wanted = 0;
    for (; wanted < NEAR; wanted++) {
        double best = -1;
        for (uint32_t i = now; i-- > first;) {
            bool used = !is_candidate(base, jobs, now, i);
            for (size_t k = 0; k < wanted; k++)
                used = used || taken[k] == i;
            double likeness = used ? -1 : plain_likeness(&jobs[now].view, &jobs[i].view, &ranges);
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

/* A base by user and queue, one with the empty template, and one whose kinds differ by user, which
 * must make no difference. */
static void test_nearest_jobs(void **state)
{
    (void)state;
    static struct made jobs[JOBS];
    struct loom_experience bases[] = {
        {.template = 1u << LOOM_BY_USER | 1u << LOOM_BY_QUEUE, .most = WINDOW},
        {.most = WINDOW},
        {.distinguished = 1u << LOOM_BY_USER, .most = WINDOW},
    };
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "test");
    for (uint32_t i = 0; i < JOBS; i++) {
        jobs[i] = draw_job(i, &stream);
        for (uint32_t k = i > 600 ? i - 600 : 0; k < i; k++)
            if (!jobs[k].ended && loom_stream_below(&stream, 40) == 0) {
                jobs[k].ended = true;
                for (size_t b = 0; b < COUNT(bases); b++)
                    assert_int_equal(loom_experience_end(&bases[b], &jobs[k].view, jobs[k].run_s,
                                                         NULL),
                                     0);
            }
        for (size_t b = 0; b < COUNT(bases); b++) {
            assert_int_equal(loom_experience_submit(&bases[b], &jobs[i].view, NULL), 0);
            if (i % 23 == 0)
                check_search(&bases[b], jobs, i);
        }
    }
    assert_true(bases[1].n_kinds < bases[2].n_kinds);
    for (size_t b = 0; b < COUNT(bases); b++)
        loom_experience_free(&bases[b]);
}

static void submit(struct loom_experience *base, const struct loom_job_view *job)
{
    assert_int_equal(loom_experience_submit(base, job, NULL), 0);
}

static void end(struct loom_experience *base, const struct loom_job_view *job, int64_t run_s)
{
    assert_int_equal(loom_experience_end(base, job, run_s, NULL), 0);
}

/* Check the runtimes that a search for ten jobs finds in the whole window, in order. */
static void check_found(struct loom_experience *base, const struct loom_job_view *job,
                        const int64_t *run_s, size_t n)
{
    struct loom_neighbour found[10];
    assert_int_equal(loom_experience_nearest(found, 10, base, job, base->most, cosine, NULL), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i].run_s, run_s[i]);
}

/* Of four jobs that are alike, the first two end after the third was submitted: both are among the
 * last three before the fourth, and the second alone before a fifth. */
static void test_window(void **state)
{
    static const int64_t both[] = {20, 10};
    struct loom_experience base = {.most = 3};
    struct loom_job_view jobs[5];
    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        jobs[i] = view_of(i, 1, 100, 1);
    for (uint32_t i = 0; i < 3; i++)
        submit(&base, &jobs[i]);
    end(&base, &jobs[0], 10);
    end(&base, &jobs[1], 20);
    submit(&base, &jobs[3]);
    check_found(&base, &jobs[3], both, 2);
    submit(&base, &jobs[4]);
    check_found(&base, &jobs[4], both, 1);
    loom_experience_free(&base);
}

/* Users of different origins are different, even with the same number. */
static void test_origins(void **state)
{
    static const int64_t own[] = {10}, foreign[] = {20};
    struct loom_experience base = {.template = 1u << LOOM_BY_USER, .most = 10};
    struct loom_job_view a = view_of(0, 1, 100, 1), b = view_of(0, 1, 100, 1);
    struct loom_job_view like_a = view_of(1, 1, 100, 1), like_b = view_of(1, 1, 100, 1);
    (void)state;
    b.origin = like_b.origin = 1;
    submit(&base, &a);
    end(&base, &a, 10);
    submit(&base, &b);
    check_found(&base, &b, NULL, 0);
    end(&base, &b, 20);
    submit(&base, &like_a);
    check_found(&base, &like_a, own, 1);
    submit(&base, &like_b);
    check_found(&base, &like_b, foreign, 1);
    loom_experience_free(&base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_of_the_thesis),
        cmocka_unit_test(test_j5_of_the_thesis),
        cmocka_unit_test(test_mean_and_deviations),
        cmocka_unit_test(test_pivot),
        cmocka_unit_test(test_deviation),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_nearest_jobs),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_origins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
