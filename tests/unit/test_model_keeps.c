/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a log has and every model keeps: how jobs end, by runtime, and which jobs have a requested
 * time. And what models write that logs have: runs that follow each other, days of two parts.
 */
#include "modeling.h"
#include "models/room.h"

#include <math.h>
#include <workloom/stats.h>

enum { LOG_JOBS = 4000, MADE = 40000 };

/* A job every 900 s. Of those up to 600 s, six in ten fail, and of the others one in ten. Requested
 * times are known of the first of two hundred jobs in three. */
static struct loom_trace *make_log(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "a log with failures");
    for (int i = 0; i < LOG_JOBS; i++) {
        struct loom_job job = loom_job_unknown();
        bool is_short = loom_stream_below(&stream, 2) == 0;
        double u = loom_stream_uniform(&stream);
        job.number = i + 1;
        job.submit_s = 900 * i;
        job.run_s = (int64_t)exp(is_short ? 6 * loom_stream_uniform(&stream)
                                          : 7 + 3 * loom_stream_uniform(&stream));
        job.req_procs = 1 << loom_stream_below(&stream, 5);
        job.status = u < (is_short ? 0.6 : 0.1) ? LOOM_STATUS_FAILED : LOOM_STATUS_COMPLETED;
        job.request_s = i / 200 % 3 == 0 ? 86400 : -1;
        job.user = i % 20;
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

struct shares {
    double failed, failed_short, failed_long, known;
};

static struct shares shares_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double failed[2] = {0}, all[2] = {0}, known = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        bool is_long = jobs->run_s[i] > 600;
        all[is_long]++;
        failed[is_long] += jobs->status[i] == LOOM_STATUS_FAILED;
        known += jobs->request_s[i] > 0;
    }
    double n = (double)jobs->n;
    return (struct shares){(failed[0] + failed[1]) / n, failed[0] / all[0], failed[1] / all[1],
                           known / n};
}

static void jobs_end_as_in_the_log(void **state)
{
    (void)state;
    static const char *const names[] = {"uniform", "jann97", "lublin2003", "bootstrap", "minh2009"};
    struct loom_trace *log = make_log();
    struct shares wanted = shares_of(log);
    struct loom_generate_options options = {.seed = 3, .jobs = MADE};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_model *model = must_set(must_fit(names[i], log, NULL), NULL, 0);
        struct loom_trace *made = must_generate(model, &options);
        struct shares got = shares_of(made);
        assert_near(got.failed, wanted.failed, 0.015);
        if (i > 0) /* of uniform ones, nearly all are long */
            assert_true(got.failed_short > 3 * got.failed_long);
        assert_near(got.known, wanted.known, 0.06);
        loom_trace_destroy(made);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

static void completed_logs_stay_completed(void **state)
{
    (void)state;
    struct loom_trace *log = make_log(), *plain = empty_trace();
    for (size_t i = 0; i < LOG_JOBS; i++) {
        struct loom_job job = loom_trace_job(log, i);
        job.status = -1;
        append(plain, job);
    }
    struct loom_model *model = must_fit("uniform", plain, NULL);
    struct loom_trace *made = must_generate(model, &(struct loom_generate_options){.seed = 3});
    assert_int_equal(model->status.classes, 0);
    for (size_t i = 0; i < loom_trace_count(made); i++)
        assert_int_equal(loom_trace_job(made, i).status, LOOM_STATUS_COMPLETED);
    loom_trace_destroy(made);
    loom_model_destroy(model);
    loom_trace_destroy(plain);
    loom_trace_destroy(log);
}

/* A run is submitted when the one before it ends, and says which that was. */
static void reruns_name_the_run_before(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_trace *made =
        must_generate(model, &(struct loom_generate_options){.seed = 3, .jobs = 5000});
    size_t follow = 0;
    for (size_t i = 0; i < loom_trace_count(made); i++) {
        struct loom_job job = loom_trace_job(made, i);
        if (job.preceding < 0)
            continue;
        struct loom_job before = loom_trace_job(made, (size_t)job.preceding - 1);
        follow++;
        assert_int_equal(before.executable, job.executable);
        assert_int_equal(before.number, job.preceding);
        assert_int_equal(before.submit_s + before.run_s, job.submit_s);
        assert_int_equal(job.think_s, 0);
    }
    assert_in_range(follow, 1500, 3500);
    loom_trace_destroy(made);
    loom_model_destroy(model);
}

static double night_share(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double night = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t hour = jobs->submit_s[i] / 3600 % 24; /* time 0 is a midnight */
        night += hour < 8 || hour >= 20;
    }
    return night / (double)jobs->n;
}

/* Illustrative parameters have no jobs at night; a fit has as many as the log. */
static void days_have_two_parts(void **state)
{
    (void)state;
    struct loom_generate_options options = {.seed = 3, .jobs = 20000};
    struct loom_model *model = must_publish("downey97", NULL);
    struct loom_trace *made = must_generate(model, &options);
    assert_near(night_share(made), 0, 1e-4);
    const struct loom_jobs *jobs = loom_trace_jobs(made);
    assert_near((double)jobs->submit_s[jobs->n - 1] / (double)jobs->n, 900, 30);
    options.load = 0.5;
    struct loom_trace *dense = must_generate(model, &options);
    assert_near(night_share(dense), 0, 1e-4);
    static const char *const third[] = {"arrivals.night=0.5"};
    struct loom_model *other = must_set(must_publish("downey97", NULL), third, 1);
    options.load = 0;
    struct loom_trace *log = must_generate(other, &options);
    assert_near(night_share(log), 1.0 / 3, 0.01);
    struct loom_model *fitted = must_fit("downey97", log, NULL);
    assert_near(number_in(fitted, "arrivals.night"), 0.5, 0.02);
    loom_trace_destroy(made);
    loom_trace_destroy(dense);
    loom_trace_destroy(log);
    loom_model_destroy(model);
    loom_model_destroy(other);
    loom_model_destroy(fitted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_end_as_in_the_log),
        cmocka_unit_test(completed_logs_stay_completed),
        cmocka_unit_test(reruns_name_the_run_before),
        cmocka_unit_test(days_have_two_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
