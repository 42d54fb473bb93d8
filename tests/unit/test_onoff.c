/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On-off users: means against sums and samples, self-similarity against its formula, a steady
 * start, and the parameters found again in what was generated.
 */
#include "modeling.h"
#include "models/arrivals/onoff.h"
#include "samples.h"
#include "stats/counts.h"

#include <gsl/gsl_randist.h>
#include <string.h>
#include <workloom/users.h>

extern const struct loom_model_ops loom_model_onoff;

static struct loom_generation generate(const struct loom_onoff *onoff, double days,
                                       unsigned without, double rate, uint64_t replication)
{
    struct loom_generation asked = {.seed = 2,
                                    .replication = replication,
                                    .jobs = SIZE_MAX,
                                    .horizon_s = (int64_t)(days * 86400),
                                    .rate = rate,
                                    .without = without};
    struct loom_error err = {0};
    if (loom_model_onoff.generate(onoff, &asked, &err))
        fail_msg("%s", err.message);
    while (asked.draft.n && asked.draft.submit_s[asked.draft.n - 1] >= asked.horizon_s)
        asked.draft.n--;
    return asked;
}

/* ---- jobs of a period ------------------------------------------------------------------------ */

static double draw(const struct loom_periods *on, bool exponential, struct loom_stream *stream)
{
    if (exponential)
        return gsl_ran_exponential(&stream->gsl, on->mean_s);
    return gsl_ran_pareto(&stream->gsl, on->alpha, on->mean_s * (on->alpha - 1) / on->alpha);
}

/* With a tail index of 3 there is a variance to judge a sample by. */
static void knows_how_many_jobs_to_expect(void **state)
{
    (void)state;
    enum { N = 200000 };
    static const double paces_s[] = {1, 7, 60, 400, 1000, 5000};
    static const struct loom_periods on = {.alpha = 3, .mean_s = 600};
    for (int exponential = 0; exponential < 2; exponential++)
        for (size_t i = 0; i < COUNT(paces_s); i++) {
            struct loom_stream stream;
            loom_stream_init(&stream, 6, i, "periods");
            double sum = 0, squares = 0;
            for (size_t k = 0; k < N; k++) {
                double jobs = fmax(1, round(draw(&on, exponential, &stream) / paces_s[i]));
                sum += jobs;
                squares += jobs * jobs;
            }
            double mean = sum / N, se = sqrt((squares / N - mean * mean) / N);
            double expected = loom_onoff_jobs(&on, paces_s[i], exponential);
            if (fabs(mean - expected) > 4 * se + 1e-3)
                fail_msg("pace %g: %g jobs for %g", paces_s[i], mean, expected);
        }
}

static void finds_the_pace_for_a_number_of_jobs(void **state)
{
    (void)state;
    static const double jobs[] = {1.01, 1.5, 2, 8.5, 28, 1000};
    static const double alphas[] = {1.1, 1.5, 1.9};
    for (size_t a = 0; a < COUNT(alphas); a++)
        for (size_t i = 0; i < COUNT(jobs); i++)
            for (int exponential = 0; exponential < 2; exponential++) {
                struct loom_periods on = {.alpha = alphas[a], .mean_s = 2000};
                double pace_s = loom_onoff_pace(&on, jobs[i], exponential);
                assert_close(loom_onoff_jobs(&on, pace_s, exponential), jobs[i], 1e-6);
            }
}

/* ---- the sum of users ------------------------------------------------------------------------ */

static double hurst_of(const struct loom_generation *generated, int64_t interval_s)
{
    double *counts;
    size_t n;
    assert_int_equal(loom_counts_create(&counts, &n, generated->draft.submit_s, generated->draft.n,
                                        interval_s, NULL),
                     0);
    struct loom_hurst hurst;
    assert_int_equal(loom_hurst_wavelet(&hurst, counts, n, NULL), 0);
    double h = hurst.h;
    loom_hurst_free(&hurst);
    free(counts);
    return h;
}

/* H = (3 - alpha) / 2 for the smaller index, whichever kind of period has it, over times that are
 * long to the periods. It is a limit, which comes late where an index is near 2. */
static void is_as_self_similar_as_its_tails(void **state)
{
    (void)state;
    static const double cases[][2] = {{1.4, 1.4}, {1.2, 1.9}, {1.9, 1.2}, {1.6, 1.9}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_onoff onoff = {.users = 20,
                                   .on = {cases[i][0], 100},
                                   .off = {cases[i][1], 200},
                                   .jobs_per_on = 10};
        double h = 0, wanted = (3 - fmin(cases[i][0], cases[i][1])) / 2;
        enum { REPLICATIONS = 5 };
        for (uint64_t r = 0; r < REPLICATIONS; r++) {
            struct loom_generation generated = generate(&onoff, 40, 0, 1, r);
            h += hurst_of(&generated, 2000) / REPLICATIONS;
            loom_draft_free(&generated.draft);
        }
        if (fabs(h - wanted) > 0.08)
            fail_msg("on %g, off %g: H = %g for %g", cases[i][0], cases[i][1], h, wanted);
        struct loom_generation generated = generate(&onoff, 40, LOOM_LRD, 1, 0);
        assert_true(fabs(hurst_of(&generated, 2000) - 0.5) < 0.12);
        loom_draft_free(&generated.draft);
    }
}

/* The share of times between jobs that are shorter than this. */
static double shorter_than(const struct loom_draft *draft, int64_t limit_s)
{
    double n = 0;
    for (size_t i = 1; i < draft->n; i++)
        n += draft->submit_s[i] - draft->submit_s[i - 1] < limit_s;
    return n / (double)draft->n;
}

/* One user with one job a period. Heavy-tailed times off, of 60 s on average, are at least 10 s;
 * without lrd they are exponential, of the same mean, and 1 - exp(-1/6) of them are shorter. Some
 * are cut where intervals of 900 s come in another order. */
static void periods_without_lrd_are_exponential(void **state)
{
    (void)state;
    struct loom_onoff onoff = {.users = 1, .on = {1.2, 0.1}, .off = {1.2, 60}, .jobs_per_on = 1};
    struct loom_generation heavy = generate(&onoff, 30, 0, 1, 0);
    struct loom_generation light = generate(&onoff, 30, LOOM_LRD, 1, 0);
    double n = (double)light.draft.n, p = -expm1(-1 / 6.0);
    assert_true(shorter_than(&heavy.draft, 10) == 0);
    assert_near(shorter_than(&light.draft, 10), p, 0.02);
    assert_near(n, 30 * 86400 / 60.1, 4 * sqrt(n));
    loom_draft_free(&heavy.draft);
    loom_draft_free(&light.draft);
}

/* It has been going on for ever: there is no more at the start than later, and the rate is what the
 * parameters say. Judged by the spread over replications. */
static void starts_in_the_middle_of_things(void **state)
{
    (void)state;
    enum { REPLICATIONS = 40, PARTS = 3 };
    struct loom_onoff onoff = {.users = 50,
                               .on = {1.8, 3000},
                               .off = {1.8, 30000},
                               .jobs_per_on = 5};
    double days = 9, expected = 50 * 5 / 33000.0 * days * 86400 / PARTS;
    double sum[PARTS] = {0}, squares[PARTS] = {0};
    for (uint64_t r = 0; r < REPLICATIONS; r++) {
        struct loom_generation generated = generate(&onoff, days, 0, 1, r);
        double jobs[PARTS] = {0};
        for (size_t i = 0; i < generated.draft.n; i++)
            jobs[generated.draft.submit_s[i] / (generated.horizon_s / PARTS)]++;
        for (int part = 0; part < PARTS; part++) {
            sum[part] += jobs[part];
            squares[part] += jobs[part] * jobs[part];
        }
        loom_draft_free(&generated.draft);
    }
    for (int part = 0; part < PARTS; part++) {
        double mean = sum[part] / REPLICATIONS;
        double se = sqrt((squares[part] / REPLICATIONS - mean * mean) / REPLICATIONS);
        if (fabs(mean - expected) > 4 * se)
            fail_msg("part %d: %g jobs for %g, standard error %g", part, mean, expected, se);
    }
}

/* Of twenty thousand users, three a second submit, in the first minute as in the next and in each
 * of its seconds, also where periods are exponential: four standard errors of a Poisson number. All
 * of it is one interval, so that no order of intervals hides what comes first. */
static void nobody_waits_for_the_start(void **state)
{
    (void)state;
    static const unsigned without[] = {0, LOOM_LRD};
    struct loom_onoff onoff = {.users = 20000,
                               .on = {1.8, 3000},
                               .off = {1.8, 30000},
                               .jobs_per_on = 5};
    double expected = 60 * 20000 * 5 / 33000.0;
    for (size_t k = 0; k < COUNT(without); k++) {
        double jobs[3] = {0};
        struct loom_generation generated = generate(&onoff, 0.01, without[k], 1, 0);
        for (size_t i = 0; i < generated.draft.n && generated.draft.submit_s[i] < 180; i++)
            jobs[generated.draft.submit_s[i] / 60]++;
        for (int minute = 0; minute < 3; minute++)
            assert_near(jobs[minute], expected, 4 * sqrt(expected));
        assert_true(generated.draft.submit_s[20] > 0);
        loom_draft_free(&generated.draft);
    }
}

static void scales_by_the_number_of_users(void **state)
{
    (void)state;
    struct loom_onoff onoff = {.users = 7,
                               .on = {1.9, 3000},
                               .off = {1.9, 9000},
                               .jobs_per_on = 10};
    struct loom_generation once = generate(&onoff, 200, 0, 1, 0);
    struct loom_generation more = generate(&onoff, 200, 0, 2.5, 0);
    assert_true(fabs((double)more.draft.n / (double)once.draft.n / 2.5 - 1) < 0.1);
    int32_t users = 0;
    for (size_t i = 0; i < more.draft.n; i++)
        users = more.draft.user[i] > users ? more.draft.user[i] : users;
    assert_int_equal(users, 18); /* 17.5, and all periods longer by 18 / 17.5 */
    loom_draft_free(&once.draft);
    loom_draft_free(&more.draft);
}

/* ---- fitting --------------------------------------------------------------------------------- */

static struct loom_onoff refit(const struct loom_draft *draft)
{
    struct loom_workload jobs = {.n = draft->n,
                                 .submit_s = draft->submit_s,
                                 .run_s = draft->run_s,
                                 .wait_s = draft->run_s,
                                 .user = draft->user};
    jobs.span_s = draft->submit_s[draft->n - 1] - draft->submit_s[0];
    struct loom_training training = {.jobs = &jobs, .procs = 1};
    struct loom_onoff onoff = {0};
    struct loom_error err = {0};
    if (loom_model_onoff.fit(&onoff, &training, &err))
        fail_msg("%s", err.message);
    return onoff;
}

/* Paces far below an hour and absences far above it, so that sessions are the on periods. The
 * standard error of a tail index is alpha over the root of the number of periods, times 2 for the
 * cut-off that has to be found as well. */
static void finds_its_own_parameters_again(void **state)
{
    (void)state;
    struct loom_onoff onoff = {.users = 40,
                               .on = {1.6, 9000},
                               .off = {1.5, 60000},
                               .jobs_per_on = 30};
    struct loom_generation generated = generate(&onoff, 1500, 0, 1, 0);
    struct loom_onoff again = refit(&generated.draft);
    double periods = (double)generated.draft.n / onoff.jobs_per_on;
    assert_true(fabs(again.on.alpha - 1.6) < 3 * 2 * 1.6 / sqrt(periods));
    assert_true(fabs(again.off.alpha - 1.5) < 3 * 2 * 1.5 / sqrt(periods));
    assert_true(fabs(again.on.mean_s / onoff.on.mean_s - 1) < 0.15);
    assert_true(fabs(again.off.mean_s / onoff.off.mean_s - 1) < 0.15);
    assert_true(fabs(again.jobs_per_on / onoff.jobs_per_on - 1) < 0.1);
    assert_true(again.users >= 37 && again.users <= 43);
    loom_draft_free(&generated.draft);
}

/* At a tail index of 1.25 a quarter of the mean is due to absences above 200 days, which no log of
 * 200 days shows, and other long ones it shows less often than they are: the sample mean is
 * expected to be 266,000 s. Means over workloads are judged by their spread, and by 3 % for where
 * the tail is found to begin, which is half of what one workload varies by. */
static void finds_absences_longer_than_the_log(void **state)
{
    (void)state;
    enum { WORKLOADS = 12 };
    struct loom_onoff onoff = {.users = 100,
                               .on = {1.9, 3000},
                               .off = {1.25, 400000},
                               .jobs_per_on = 10};
    double sum[3] = {0}, squares[3] = {0};
    static const double expected[3] = {1.25, 400000, 100};
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        struct loom_generation generated = generate(&onoff, 200, 0, 1, r);
        struct loom_onoff again = refit(&generated.draft);
        double found[3] = {again.off.alpha, again.off.mean_s, (double)again.users};
        for (int i = 0; i < 3; i++) {
            sum[i] += found[i];
            squares[i] += found[i] * found[i];
        }
        loom_draft_free(&generated.draft);
    }
    for (int i = 0; i < 3; i++) {
        double mean = sum[i] / WORKLOADS;
        double se = sqrt((squares[i] / WORKLOADS - mean * mean) / (WORKLOADS - 1));
        if (fabs(mean - expected[i]) > 3 * se + 0.03 * expected[i] || se > 0.03 * expected[i])
            fail_msg("%g for %g, standard error %g", mean, expected[i], se);
    }
}

/* As fitted to real logs: few jobs in a period and many periods of one job, of which a log does not
 * give the length, and absences as long as it. What is found is right on average: within three
 * standard errors of the mean of the workloads, and within the error of a single one. */
static void finds_what_real_logs_have(void **state)
{
    (void)state;
    enum { WORKLOADS = 16, FOUND = 6 };
    static const struct loom_onoff cases[] = {
        {.users = 116, .on = {1.9, 1700}, .off = {1.3, 320000}, .jobs_per_on = 2.77},
        {.users = 60, .on = {1.5, 2400}, .off = {1.6, 100000}, .jobs_per_on = 8.6},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        const struct loom_onoff *onoff = &cases[c];
        const double expected[FOUND] = {(double)onoff->users, onoff->on.alpha,
                                        onoff->on.mean_s,     onoff->off.alpha,
                                        onoff->off.mean_s,    onoff->jobs_per_on};
        double sum[FOUND] = {0}, squares[FOUND] = {0};
        for (uint64_t r = 0; r < WORKLOADS; r++) {
            struct loom_generation generated = generate(onoff, 330, 0, 1, r);
            struct loom_onoff again = refit(&generated.draft);
            const double found[FOUND] = {(double)again.users, again.on.alpha,   again.on.mean_s,
                                         again.off.alpha,     again.off.mean_s, again.jobs_per_on};
            for (int i = 0; i < FOUND; i++) {
                sum[i] += found[i];
                squares[i] += found[i] * found[i];
            }
            loom_draft_free(&generated.draft);
        }
        for (int i = 0; i < FOUND; i++) {
            double mean = sum[i] / WORKLOADS, off_by = fabs(mean - expected[i]);
            double sd = sqrt((squares[i] - sum[i] * mean) / (WORKLOADS - 1));
            if (off_by > sd || off_by > 3 * sd / sqrt(WORKLOADS) + 0.005 * expected[i])
                fail_msg("case %zu, parameter %d: %g for %g, with an error of %g", c, i, mean,
                         expected[i], sd);
        }
    }
}

static void wants_to_know_its_users(void **state)
{
    (void)state;
    enum { N = 100 };
    int64_t submit_s[N], unknown_s[N];
    int32_t user[N];
    for (int i = 0; i < N; i++) {
        submit_s[i] = i * 10000;
        unknown_s[i] = -1;
        user[i] = -1;
    }
    struct loom_workload jobs = {.n = N,
                                 .submit_s = submit_s,
                                 .run_s = unknown_s,
                                 .wait_s = unknown_s,
                                 .user = user,
                                 .span_s = (N - 1) * 10000};
    struct loom_training training = {.jobs = &jobs, .procs = 1};
    struct loom_onoff onoff = {0};
    struct loom_error err = {0};
    assert_int_equal(loom_model_onoff.fit(&onoff, &training, &err), LOOM_EDATA);
    assert_string_equal(
        err.message,
        "onoff needs at least 20 returns of known users to be fitted to, and there are 0; "
        "mmwm makes bursty arrivals, and asks for no users");
}

/* Users who are away for times without a mean (tail index 0.8), and on for light-tailed ones. */
static struct loom_trace *log_without_mean(void)
{
    enum { USERS = 60, VISITS = 60 };
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 11, 0, "absences without a mean");
    for (int32_t user = 0; user < USERS; user++) {
        double clock_s = 1000 * loom_stream_uniform(&stream);
        for (int visit = 0; visit < VISITS && clock_s < 3e8; visit++) {
            double length_s = 300 - 900 * log(1 - loom_stream_uniform(&stream));
            for (int k = 0; k < 3; k++) {
                struct loom_job job = loom_job_unknown();
                job.submit_s = (int64_t)(clock_s + k * length_s / 3);
                job.user = user;
                append(trace, job);
            }
            clock_s += length_s + 4000 * pow(1 - loom_stream_uniform(&stream), -1 / 0.8);
        }
    }
    return trace;
}

static void bounds_are_reported(void **state)
{
    (void)state;
    struct loom_trace *log = log_without_mean();
    struct loom_model *model = must_fit("onoff", log, NULL);
    const char *remark = loom_model_remark(model, 0);
    assert_near(number_in(model, "off.alpha"), 1.2, 1e-9);
    assert_true(number_in(model, "on.alpha") > 2);
    assert_non_null(remark);
    assert_non_null(strstr(remark, "off.alpha is at its bound, 1.2"));
    assert_non_null(strstr(remark, "no mean"));
    assert_null(strstr(remark, "on.alpha is"));
    assert_null(loom_model_remark(model, 1));
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_reported),
        cmocka_unit_test(knows_how_many_jobs_to_expect),
        cmocka_unit_test(finds_the_pace_for_a_number_of_jobs),
        cmocka_unit_test(is_as_self_similar_as_its_tails),
        cmocka_unit_test(periods_without_lrd_are_exponential),
        cmocka_unit_test(starts_in_the_middle_of_things),
        cmocka_unit_test(nobody_waits_for_the_start),
        cmocka_unit_test(scales_by_the_number_of_users),
        cmocka_unit_test(finds_its_own_parameters_again),
        cmocka_unit_test(finds_absences_longer_than_the_log),
        cmocka_unit_test(finds_what_real_logs_have),
        cmocka_unit_test(wants_to_know_its_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
