/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every predictor must keep, and the one to copy (template.c, which is no part of the library
 * and compiled here): bounds, knowledge of the past alone, odd logs, and the same again after a
 * reset. */
#include "predict/template.c"
#include "support.h"

#include "predict/evaluate.h"
#include "predict/predictors.h"

#include <math.h>
#include <string.h>

enum { JOBS = 600 };

/* ---- predictors ------------------------------------------------------------------------------ */

/* Create the predictor at an index: of the list, and behind it the template. NULL past it.
 */
static struct loom_predictor *predictor_at(size_t index)
{
    struct loom_predictor *predictor = NULL;
    if (loom_predictor_at(index)) {
        assert_int_equal(loom_predictor_create(&predictor, loom_predictor_at(index)->name, NULL),
                         0);
        return predictor;
    }
    if (index > 0 && !loom_predictor_at(index - 1))
        return NULL;
    const struct loom_param *const lists[] = {params, NULL};
    struct loom_params *made = NULL;
    assert_int_equal(loom_params_create(&made, lists, NULL), 0);
    assert_int_equal(loom_predictor_create_with(&predictor, &loom_predictor_template, made, NULL),
                     0);
    return predictor;
}

static bool knows_runtime(const struct loom_predictor *predictor)
{
    return strcmp(loom_predictor_info(predictor)->name, "clairvoyant") == 0;
}

/* ---- logs ------------------------------------------------------------------------------------ */

static int64_t draw(struct loom_stream *stream, uint64_t below)
{
    return (int64_t)loom_stream_below(stream, below);
}

/* Jobs of a few users who repeat themselves; some attributes are unknown in some jobs. */
static struct loom_trace *usual_log(uint64_t seed)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    int64_t now_s = 0;
    loom_stream_init(&stream, seed, 0, "predictors");
    for (int64_t i = 0; i < JOBS; i++) {
        struct loom_job job = loom_job_unknown();
        now_s += draw(&stream, 100);
        job.number = i + 1;
        job.submit_s = now_s;
        job.wait_s = draw(&stream, 300);
        job.user = (int32_t)draw(&stream, 8) - 1;
        job.group = job.user / 2;
        job.queue = (int32_t)draw(&stream, 3) - 1;
        job.executable = (int32_t)draw(&stream, 4) - 1;
        job.alloc_procs = 1 << draw(&stream, 5);
        job.run_s = draw(&stream, 3) * 200 + draw(&stream, 50);
        job.request_s = draw(&stream, 10) == 0 ? -1 : 60 * (1 + draw(&stream, 20));
        job.req_mem_kib = draw(&stream, 4) == 0 ? -1 : (double)(1024 * draw(&stream, 5));
        append(trace, job);
    }
    return trace;
}

/* A log of jobs that are alike but for what a case changes. */
typedef void change_fn(struct loom_job *job, int64_t index);

static struct loom_trace *changed_log(size_t n, change_fn *change)
{
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 0; i < (int64_t)n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = 100 * i;
        job.wait_s = 10;
        job.run_s = 50 + i % 7;
        job.alloc_procs = 1;
        job.user = (int32_t)(i % 3);
        job.request_s = 100;
        change(&job, i);
        append(trace, job);
    }
    return trace;
}

static void same_submit(struct loom_job *job, int64_t index)
{
    (void)index;
    job->submit_s = 7;
}

static void no_runtime(struct loom_job *job, int64_t index)
{
    (void)index;
    job->run_s = 0;
}

static void huge_request(struct loom_job *job, int64_t index)
{
    job->request_s = index % 2 ? (int64_t)1 << 62 : INT64_MAX;
}

static void huge_everything(struct loom_job *job, int64_t index)
{
    job->submit_s = index < 10 ? index : INT64_MAX - 1;
    job->wait_s = INT64_MAX - 3;
    job->run_s = INT64_MAX - index;
    job->request_s = INT64_MAX;
    job->alloc_procs = INT32_MAX;
    job->req_mem_kib = 1e300;
    job->user = job->group = job->queue = job->executable = INT32_MAX;
}

static void huge_runtime(struct loom_job *job, int64_t index)
{
    job->run_s = INT64_MAX - index;
    job->request_s = -1;
    job->submit_s = 0;
    job->wait_s = -1;
}

static void nothing_known(struct loom_job *job, int64_t index)
{
    (void)index;
    job->wait_s = job->request_s = -1;
    job->user = -1;
}

/* ---- what all keep --------------------------------------------------------------------------- */

static void check_bounds(const struct loom_evaluation *evaluation, const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < evaluation->n; i++) {
        const struct loom_prediction *said = &evaluation->jobs[i].prediction;
        int64_t request_s = jobs->request_s[evaluation->jobs[i].row];
        assert_true(said->run_s >= 1 && said->run_s <= 0x1p48); /* NAN is neither */
        assert_true(request_s <= 0 || said->run_s <= (double)request_s);
        assert_true(isnan(said->low_s) == isnan(said->high_s));
        if (!isnan(said->low_s))
            assert_true(said->low_s >= 0 && said->low_s <= said->run_s &&
                        said->run_s <= said->high_s && said->high_s <= 0x1p48);
    }
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_predictions(const struct loom_evaluation *a, const struct loom_evaluation *b,
                             size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct loom_prediction *x = &a->jobs[i].prediction, *y = &b->jobs[i].prediction;
        if (!same_number(x->run_s, y->run_s) || !same_number(x->low_s, y->low_s) ||
            !same_number(x->high_s, y->high_s))
            return false;
    }
    return true;
}

static void check_odd(size_t n, change_fn *change)
{
    struct loom_trace *trace = changed_log(n, change);
    struct loom_predictor *predictor;
    for (size_t i = 0; (predictor = predictor_at(i)); i++) {
        struct loom_evaluation evaluation;
        assert_int_equal(loom_evaluate(&evaluation, predictor, trace, 0, NULL), 0);
        assert_int_equal(evaluation.n, n);
        check_bounds(&evaluation, trace);
        assert_true(isfinite(evaluation.errors.mae_s));
        loom_evaluation_free(&evaluation);
        loom_predictor_destroy(predictor);
    }
    loom_trace_destroy(trace);
}

static void test_odd_logs(void **state)
{
    (void)state;
    check_odd(50, same_submit);
    check_odd(50, no_runtime);
    check_odd(50, huge_request);
    check_odd(50, huge_everything);
    check_odd(50, huge_runtime);
    check_odd(50, nothing_known);
    check_odd(2, same_submit);
}

static void test_too_few_jobs(void **state)
{
    (void)state;
    struct loom_predictor *predictor;
    for (size_t i = 0; (predictor = predictor_at(i)); i++) {
        for (size_t n = 0; n <= 1; n++) {
            struct loom_trace *trace = changed_log(n, same_submit);
            struct loom_evaluation evaluation;
            struct loom_error err = {0};
            assert_int_equal(loom_evaluate(&evaluation, predictor, trace, 0, &err), LOOM_EDATA);
            assert_non_null(strstr(err.message, "prediction needs two"));
            assert_null(evaluation.jobs);
            loom_trace_destroy(trace);
        }
        loom_predictor_destroy(predictor);
    }
}

/* Same predictions again, though the predictor had learned the log before. */
static void test_bounds_and_reset(void **state)
{
    (void)state;
    struct loom_trace *trace = usual_log(1);
    struct loom_predictor *predictor;
    for (size_t i = 0; (predictor = predictor_at(i)); i++) {
        struct loom_evaluation first, again;
        assert_int_equal(loom_evaluate(&first, predictor, trace, 0.25, NULL), 0);
        assert_int_equal(loom_evaluate(&again, predictor, trace, 0.25, NULL), 0);
        check_bounds(&first, trace);
        assert_int_equal(first.history, JOBS / 4);
        assert_int_equal(first.n, JOBS - JOBS / 4);
        assert_true(same_predictions(&first, &again, first.n));
        loom_evaluation_free(&first);
        loom_evaluation_free(&again);
        loom_predictor_destroy(predictor);
    }
    loom_trace_destroy(trace);
}

/* The runtimes of jobs that have not ended when a job is submitted, and all that comes after it,
 * make no difference to its prediction. */
static void test_only_the_past_counts(void **state)
{
    (void)state;
    struct loom_trace *log = usual_log(2), *other = empty_trace();
    const struct loom_jobs *jobs = loom_trace_jobs(log);
    enum { CUT = 400 };
    int64_t now_s = jobs->submit_s[CUT];
    for (size_t i = 0; i < JOBS; i++) {
        struct loom_job job = loom_trace_job(log, i);
        if (job.submit_s + job.wait_s + job.run_s > now_s)
            job.run_s += 5000;
        if (i > CUT) {
            job.request_s = 7;
            job.alloc_procs = 1000;
            job.req_mem_kib = 1e9;
        }
        append(other, job);
    }
    struct loom_predictor *predictor;
    for (size_t i = 0; (predictor = predictor_at(i)); i++) {
        struct loom_evaluation a, b;
        assert_int_equal(loom_evaluate(&a, predictor, log, 0, NULL), 0);
        assert_int_equal(loom_evaluate(&b, predictor, other, 0, NULL), 0);
        assert_int_equal(same_predictions(&a, &b, CUT + 1), !knows_runtime(predictor));
        assert_false(same_predictions(&a, &b, JOBS));
        loom_evaluation_free(&a);
        loom_evaluation_free(&b);
        loom_predictor_destroy(predictor);
    }
    loom_trace_destroy(log);
    loom_trace_destroy(other);
}

/* Without requested times, `requested` predicts the mean runtime of the jobs that have ended, 3,600
 * s before the first. The first job waits for 100 s and ends at 150, so nothing is known at 60; the
 * second ends at 70. The third is submitted as the first ends, and both are known: (50 + 10) / 2,
 * which is just what it runs, so it is no underestimate. */
static void test_known_at_submission(void **state)
{
    static const struct {
        int64_t submit_s, wait_s, run_s;
        double said_s;
    } rows[] = {{0, 100, 50, 3600}, {60, 0, 10, 3600}, {150, 0, 30, 30}};
    struct loom_trace *trace = empty_trace();
    struct loom_predictor *predictor;
    struct loom_evaluation evaluation;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = rows[i].submit_s;
        job.wait_s = rows[i].wait_s;
        job.run_s = rows[i].run_s;
        job.alloc_procs = 1;
        append(trace, job);
    }
    assert_int_equal(loom_predictor_create(&predictor, "requested", NULL), 0);
    assert_int_equal(loom_evaluate(&evaluation, predictor, trace, 0, NULL), 0);
    assert_int_equal(evaluation.n, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_true(evaluation.jobs[i].prediction.run_s == rows[i].said_s);
    assert_true(evaluation.errors.underestimated_fraction == 0);
    loom_evaluation_free(&evaluation);
    loom_predictor_destroy(predictor);
    loom_trace_destroy(trace);
}

/* ---- the predictor to copy ------------------------------------------------------------------- */

static struct loom_job_view job_of(uint32_t number, uint32_t origin, int32_t user)
{
    return (struct loom_job_view){.request_s = 1000,
                                  .req_mem_kib = -1,
                                  .procs = 1,
                                  .user = user,
                                  .group = -1,
                                  .executable = -1,
                                  .queue = -1,
                                  .origin = origin,
                                  .number = number};
}

static double say(struct loom_predictor *predictor, struct loom_job_view job)
{
    struct loom_prediction prediction;
    assert_int_equal(loom_predictor_predict(&prediction, predictor, &job, -1, NULL), 0);
    return prediction.run_s;
}

static void end(struct loom_predictor *predictor, struct loom_job_view job, int64_t run_s)
{
    assert_int_equal(loom_predictor_learn(predictor, &job, run_s, NULL), 0);
}

/* The longest of the last two; the request before the first, and for an unknown user. */
static void test_template(void **state)
{
    (void)state;
    size_t last = 0;
    while (loom_predictor_at(last))
        last++;
    struct loom_predictor *predictor = predictor_at(last);
    assert_string_equal(loom_predictor_info(predictor)->name, "template");
    assert_true(say(predictor, job_of(0, 0, 1)) == 1000);
    end(predictor, job_of(0, 0, 1), 30);
    assert_true(say(predictor, job_of(1, 0, 1)) == 30);
    end(predictor, job_of(1, 0, 1), 20);
    assert_true(say(predictor, job_of(2, 0, 1)) == 30);
    end(predictor, job_of(2, 0, 1), 10);
    assert_true(say(predictor, job_of(3, 0, 1)) == 20);
    assert_true(say(predictor, job_of(4, 0, 2)) == 1000);
    assert_true(say(predictor, job_of(0, 1, 1)) == 1000); /* of another origin */
    end(predictor, job_of(3, 0, 1), 5000);
    assert_true(say(predictor, job_of(5, 0, 1)) == 1000); /* at most the request */
    end(predictor, job_of(4, 0, -1), 5);
    assert_true(say(predictor, job_of(6, 0, -1)) == 1000);
    assert_null(predictor_at(last + 1));
    loom_predictor_destroy(predictor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_logs),
        cmocka_unit_test(test_too_few_jobs),
        cmocka_unit_test(test_bounds_and_reset),
        cmocka_unit_test(test_only_the_past_counts),
        cmocka_unit_test(test_known_at_submission),
        cmocka_unit_test(test_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
