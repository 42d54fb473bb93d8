/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queueing models against what is known exactly: closed forms against textbooks, bounds of
 * stability, operational laws, and simulated means.
 */
#include "support.h"

#include <workloom/queueing.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* To a share of b, or of 1 where b is less. */
static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

#define NEAR(a, b, tolerance) assert_true(is_near(a, b, tolerance))

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Gross and Harris, Fundamentals of Queueing Theory: the clinic with 3 doctors, 6 patients an hour
 * and 20 minutes each; 5 machines that run for 30 hours, and 2 men who repair one in 3. */
static void test_textbook(void **state)
{
    struct loom_station at;
    (void)state;
    assert_int_equal(loom_queueing_mmc(&at, 6, 1 / 3.0, 3, NULL), 0);
    NEAR(at.queue, 8 / 9.0, 1e-12);
    NEAR(at.in_system, 26 / 9.0, 1e-12);
    NEAR(at.response * 60, 28 + 8 / 9.0, 1e-12);
    assert_int_equal(loom_queueing_repairman(&at, 5, 30, 3, 2, NULL), 0);
    NEAR(at.in_system, 0.465, 5e-4);
    assert_int_equal(loom_queueing_mm1(&at, 0.8, 1, NULL), 0);
    NEAR(at.response, 5, 1e-12);
    NEAR(at.queue, 3.2, 1e-12);
    assert_int_equal(loom_queueing_mg1(&at, 0.8, 1, 0, NULL), 0); /* M/D/1: half the wait */
    NEAR(at.wait, 2, 1e-12);
}

/* Erlang's C for 5 servers and 4 erlangs is 0.55411. */
static void test_erlang(void **state)
{
    struct loom_station one, many;
    (void)state;
    assert_int_equal(loom_queueing_mmc(&many, 4, 1, 5, NULL), 0);
    NEAR(many.wait, 0.55411, 1e-5);
    assert_int_equal(loom_queueing_mmc(&many, 0.7, 1, 1, NULL), 0);
    assert_int_equal(loom_queueing_mg1(&one, 0.7, 1, 1, NULL), 0);
    NEAR(many.wait, one.wait, 1e-12);
    assert_int_equal(loom_queueing_mm1(&one, 0.7, 1, NULL), 0);
    NEAR(many.response, one.response, 1e-12);
}

/* Machine repairman: MVA without open jobs; 10,000 users pass the range of doubles. */
static void test_repairman(void **state)
{
    static const uint64_t users[] = {1, 2, 7, 40, 10000};
    (void)state;
    for (size_t i = 0; i < COUNT(users); i++)
        for (unsigned think = 0; think < 10; think += 3) {
            struct loom_queueing_model model = loom_queueing_model();
            struct loom_mixed mixed;
            struct loom_station at;
            model.closed = users[i];
            model.think.mean = think;
            assert_int_equal(loom_mixed_solve(&mixed, &model, NULL), 0);
            assert_int_equal(loom_queueing_repairman(&at, users[i], think, 1, 1, NULL), 0);
            NEAR(at.throughput, mixed.throughput, 1e-9);
            NEAR(at.response, mixed.response_closed, 1e-9);
        }
}

static void test_refusals(void **state)
{
    struct loom_station at;
    struct loom_error err;
    (void)state;
    assert_int_equal(loom_queueing_mm1(&at, 1, 1, &err), LOOM_ERANGE);
    assert_string_equal(err.field, "lambda");
    assert_non_null(strstr(err.message, "service rate 1"));
    assert_int_equal(loom_queueing_mmc(&at, 3, 1, 3, &err), LOOM_ERANGE);
    assert_int_equal(loom_queueing_mmc(&at, 1, 1, 0, &err), LOOM_ERANGE);
    assert_int_equal(loom_queueing_mm1(&at, NAN, 1, &err), LOOM_ERANGE);
    assert_int_equal(loom_queueing_mm1(&at, 0.5, INFINITY, &err), LOOM_ERANGE);
    assert_int_equal(loom_queueing_mg1(&at, 0.5, 1, -1, &err), LOOM_ERANGE);
    assert_int_equal(loom_queueing_repairman(&at, 0, 1, 1, 1, &err), LOOM_ERANGE);
    assert_int_equal(loom_queueing_repairman(&at, 1, -1, 1, 1, &err), LOOM_ERANGE);
}

/* ---- operational analysis ---------------------------------------------------------------------
 */

/* Phases and bounds of operational analysis. */
static void test_phases(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_mixed at;
    (void)state;
    model.lambda = 0.5;
    for (uint64_t users = 1; users <= 200; users++) {
        model.closed = users;
        assert_int_equal(loom_mixed_solve(&at, &model, NULL), 0);
        NEAR(at.users_for_full, 1 + 0.5 * 5, 1e-12);
        assert_int_equal(at.phase, (double)users >= 3.5 ? LOOM_PHASE_FULL : LOOM_PHASE_PARTIAL);
        assert_true(at.throughput <= at.throughput_max + 1e-12);
        assert_true(at.throughput >= at.throughput_min - 1e-12);
        assert_true(at.response_closed >= at.response_closed_min - 1e-9);
        /* R = N / (X - lambda) - Z */
        NEAR(at.response_closed, (double)users / (at.throughput - 0.5) - 5, 1e-9);
    }
    NEAR(at.response_closed, 200 / 0.5 - 5, 1e-9); /* N / (mu - lambda) - Z */
    assert_string_equal(loom_mixed_phase_name(at.phase), "full");
}

/* Batch users keep the server busy, and share what open users leave. */
static void test_batch_users(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_mixed at;
    (void)state;
    model.think.mean = 0;
    model.lambda = 0.4;
    for (unsigned servers = 1; servers <= 4; servers++) {
        model.servers = servers;
        model.closed = 6;
        assert_int_equal(loom_mixed_solve(&at, &model, NULL), 0);
        NEAR(at.throughput, servers, 1e-12);
        NEAR(at.utilization, 1, 1e-12);
        NEAR(at.response_closed, 6 / (servers - 0.4), 1e-12);
    }
}

/* ---- rules and words ------------------------------------------------------------------------- */

static void test_rules(void **state)
{
    static const struct {
        const char *text;
        double response, p;
    } good[] = {
        {"never", 3, 0},
        {"constant:0.25", 3, 0.25},
        {"exponential", 2, 0.1353352832366127},
        {"exponential:0.5", 2, 0.36787944117144233},
        {"shmueli", 2, 0.8 / 2},
        {"shmueli:1", 20, 0.4},
    };
    static const char *const bad[] = {"constant",       "constant:1", "constant:-0.1",
                                      "constant:x",     "never:1",    "exponential:0",
                                      "shmueli:1:2",    "shmuel",     "constant:",
                                      "exponential:-1", "",           "constant:0.5x"};
    struct loom_repeat rule, again;
    char text[40];
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_int_equal(loom_repeat_parse(&rule, good[i].text, NULL), 0);
        NEAR(loom_repeat_probability(&rule, good[i].response), good[i].p, 1e-12);
        assert_string_equal(loom_repeat_text(&rule, text, sizeof text), good[i].text);
        assert_int_equal(loom_repeat_parse(&again, text, NULL), 0);
        assert_true(again.value == rule.value && again.rule == rule.rule);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(loom_repeat_parse(&rule, bad[i], NULL), LOOM_EUSAGE);
}

static void test_think(void **state)
{
    static const char *const bad[] = {"x", "-1", "linear:1", "break:1:2", "linear:1:2:3",
                                      "",  "nan"};
    struct loom_think think;
    char text[80];
    (void)state;
    assert_int_equal(loom_think_parse(&think, "linear:5:0.5", NULL), 0);
    NEAR(loom_think_mean(&think, 4), 7, 1e-12);
    assert_string_equal(loom_think_text(&think, text, sizeof text), "linear:5:0.5");
    assert_int_equal(loom_think_parse(&think, "break:1:10:60", NULL), 0);
    NEAR(loom_think_mean(&think, 10), 1, 1e-12);
    NEAR(loom_think_mean(&think, 10.5), 60, 1e-12);
    assert_string_equal(loom_think_text(&think, text, sizeof text), "break:1:10:60");
    assert_int_equal(loom_think_parse(&think, "2.5", NULL), 0);
    assert_string_equal(loom_think_text(&think, text, sizeof text), "2.5");
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(loom_think_parse(&think, bad[i], NULL), LOOM_EUSAGE);
}

static void test_service(void **state)
{
    struct loom_dist dist;
    (void)state;
    assert_int_equal(loom_queueing_service_parse(&dist, "gamma:0.5:2", NULL), 0);
    NEAR(loom_dist_mean(&dist), 1, 1e-12);
    assert_int_equal(loom_queueing_service_parse(&dist, "normal:1:1", NULL), LOOM_ERANGE);
    assert_int_equal(loom_queueing_service_parse(&dist, "pareto:1:0.5", NULL), LOOM_ERANGE);
    assert_int_equal(loom_queueing_service_parse(&dist, "gama:1:1", NULL), LOOM_EUSAGE);
    assert_int_equal(loom_queueing_service_parse(&dist, "gamma:1:", NULL), LOOM_EUSAGE);
}

/* ---- stability ------------------------------------------------------------------------------- */

static void test_bounds(void **state)
{
    static const struct {
        const char *rule;
        double lambda, service;
        unsigned servers;
        const char *bound; /* NULL: stable */
    } cases[] = {
        {"never", 0.99, 1, 1, NULL},
        {"never", 1, 1, 1, "mu = 1"},
        {"never", 1.2, 1, 2, NULL},
        {"never", 2, 1, 2, "mu = 2"},
        {"constant:0.5", 0.49, 1, 1, NULL},
        {"constant:0.5", 0.5, 1, 1, "(1 - p) mu = 0.5"},
        {"constant:0.5", 0.8, 1, 1, "(1 - p) mu = 0.5"},
        {"exponential", 0.999, 1, 1, NULL},
        {"exponential", 1, 1, 1, "mu = 1"},
        {"shmueli", 0.49, 2, 1, NULL},
        {"shmueli", 0.5, 2, 1, "mu = 0.5"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_queueing_model model = loom_queueing_model();
        struct loom_error err = {0};
        loom_repeat_parse(&model.repeat, cases[i].rule, NULL);
        model.lambda = cases[i].lambda;
        model.service = cases[i].service;
        model.servers = cases[i].servers;
        int rc = loom_queueing_check(&model, &err);
        assert_int_equal(rc, cases[i].bound ? LOOM_ERANGE : 0);
        if (cases[i].bound) {
            assert_non_null(strstr(err.message, cases[i].bound));
            assert_string_equal(err.field, "lambda");
        }
    }
}

static void test_meaningless(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_queueing_options options = loom_queueing_options();
    struct loom_queueing_result result;
    (void)state;
    assert_int_equal(loom_queueing_check(&model, NULL), LOOM_ERANGE); /* nobody */
    model.closed = 1;
    assert_int_equal(loom_queueing_check(&model, NULL), 0);
    model.servers = 0;
    assert_int_equal(loom_queueing_check(&model, NULL), LOOM_ERANGE);
    model.servers = 1;
    model.think.mean = NAN;
    assert_int_equal(loom_queueing_check(&model, NULL), LOOM_ERANGE);
    model.think.mean = 1;
    options.jobs = 0;
    assert_int_equal(loom_queueing_simulate(&result, &model, &options, NULL, NULL), LOOM_ERANGE);
    options.users = 100; /* none will ever arrive */
    assert_int_equal(loom_queueing_simulate(&result, &model, &options, NULL, NULL), LOOM_ERANGE);
    model.repeat.rule = LOOM_REPEAT_SHMUELI;
    struct loom_mixed mixed;
    assert_int_equal(loom_mixed_solve(&mixed, &model, NULL), LOOM_EUSAGE);
}

/* ---- simulation ------------------------------------------------------------------------------ */

static struct loom_queueing_result simulate(const struct loom_queueing_model *model, uint64_t users,
                                            uint64_t jobs)
{
    struct loom_queueing_options options = loom_queueing_options();
    struct loom_queueing_result result;
    struct loom_error err = {0};
    options.users = users;
    options.jobs = jobs;
    options.confidence = 0.9999;
    if (loom_queueing_simulate(&result, model, &options, NULL, &err))
        fail_msg("%s", err.message);
    return result;
}

static void assert_within(const struct loom_queueing_result *result, size_t metric, double exact)
{
    const struct loom_estimate *at = &result->metrics[metric];
    if (fabs(at->mean - exact) > at->half_width + 1e-9)
        fail_msg("%s is %g +- %g, not %g", loom_queueing_metric_at(metric)->key, at->mean,
                 at->half_width, exact);
    if (at->half_width > 0.1 * exact)
        fail_msg("%s: +- %g is no test of %g", loom_queueing_metric_at(metric)->key, at->half_width,
                 exact);
}

/* Jackson: X = lambda / (1 - p), R = 1 / (mu - X), whatever the think time. */
static void test_jackson(void **state)
{
    static const struct {
        double lambda, p, think;
    } cases[] = {{0.5, 0, 1}, {0.5, 0.36, 1}, {0.5, 0.36, 20}, {0.2, 0.7, 0}, {0.05, 0.9, 3}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_queueing_model model = loom_queueing_model();
        double p = cases[i].p, x = cases[i].lambda / (1 - p), r = 1 / (1 - x);
        double exact[LOOM_QUEUEING_METRICS];
        model.lambda = cases[i].lambda;
        model.repeat = (struct loom_repeat){LOOM_REPEAT_CONSTANT, p};
        model.think.mean = cases[i].think;
        struct loom_queueing_result got = simulate(&model, 400000, 0);
        assert_within(&got, LOOM_QUEUEING_THROUGHPUT, x);
        assert_within(&got, LOOM_QUEUEING_UTILIZATION, x);
        assert_within(&got, LOOM_QUEUEING_RESPONSE, r);
        assert_within(&got, LOOM_QUEUEING_WAIT, r - 1);
        assert_within(&got, LOOM_QUEUEING_LENGTH, x * (r - 1));
        assert_within(&got, LOOM_QUEUEING_JOBS_PER_USER, 1 / (1 - p));
        assert_within(&got, LOOM_QUEUEING_USER_THROUGHPUT, 1 / (r + p * cases[i].think));
        assert_int_equal(loom_queueing_exact(exact, &model, NULL), 0);
        NEAR(exact[LOOM_QUEUEING_RESPONSE], r, 1e-12);
        NEAR(exact[LOOM_QUEUEING_USER_THROUGHPUT], 1 / (r + p * cases[i].think), 1e-12);
        NEAR(exact[LOOM_QUEUEING_LENGTH], x * (r - 1), 1e-12);
    }
}

/* Other service times, and several servers. */
static void test_other_services(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_station at;
    (void)state;
    model.lambda = 0.6;
    model.service = 1;
    assert_int_equal(loom_queueing_service_parse(&model.service_dist, "gamma:0.5:7", NULL), 0);
    struct loom_queueing_result got = simulate(&model, 0, 2000000);
    assert_int_equal(loom_queueing_mg1(&at, 0.6, 1, 2, NULL), 0); /* squared variation 1 / 0.5 */
    assert_within(&got, LOOM_QUEUEING_WAIT, at.wait);
    model = loom_queueing_model();
    model.lambda = 4;
    model.servers = 5;
    got = simulate(&model, 0, 2000000);
    assert_int_equal(loom_queueing_mmc(&at, 4, 1, 5, NULL), 0);
    assert_within(&got, LOOM_QUEUEING_WAIT, at.wait);
    assert_within(&got, LOOM_QUEUEING_UTILIZATION, 0.8);
}

/* With p falling with the response, any rate below mu is stable: the means of a long run equal the
 * means of its second half, and the throughput stays below mu. */
static void test_stable(void **state)
{
    static const char *const rules[] = {"exponential", "shmueli", "exponential:0.1"};
    static const double lambdas[] = {0.3, 0.9, 0.99};
    (void)state;
    for (size_t r = 0; r < COUNT(rules); r++)
        for (size_t l = 0; l < COUNT(lambdas); l++) {
            struct loom_queueing_model model = loom_queueing_model();
            loom_repeat_parse(&model.repeat, rules[r], NULL);
            model.lambda = lambdas[l];
            model.think.mean = 1;
            struct loom_queueing_result once = simulate(&model, 400000, 0);
            struct loom_queueing_result long_run = simulate(&model, 1600000, 0);
            double more = long_run.metrics[LOOM_QUEUEING_RESPONSE].mean;
            double less = once.metrics[LOOM_QUEUEING_RESPONSE].mean;
            double slack = long_run.metrics[LOOM_QUEUEING_RESPONSE].half_width +
                           once.metrics[LOOM_QUEUEING_RESPONSE].half_width;
            assert_true(fabs(more - less) <= slack);
            assert_true(more < 2000);
            assert_true(long_run.metrics[LOOM_QUEUEING_THROUGHPUT].mean < 1.005);
            assert_true(long_run.metrics[LOOM_QUEUEING_JOBS_PER_USER].mean >= 1);
        }
}

/* Closed users beside users who repeat: constant p loads the queue as single jobs of their rate. */
static void test_together(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_mixed at;
    (void)state;
    model.lambda = 0.2;
    model.closed = 4;
    model.repeat = (struct loom_repeat){LOOM_REPEAT_CONSTANT, 0.5};
    assert_int_equal(loom_mixed_solve(&at, &model, NULL), 0);
    struct loom_queueing_result got = simulate(&model, 0, 2000000);
    assert_within(&got, LOOM_QUEUEING_THROUGHPUT, at.throughput);
    assert_within(&got, LOOM_QUEUEING_CLOSED_THROUGHPUT, at.throughput_closed);
    assert_within(&got, LOOM_QUEUEING_CLOSED_RESPONSE, at.response_closed);
    assert_within(&got, LOOM_QUEUEING_OPEN_RESPONSE, at.response_open);
    assert_within(&got, LOOM_QUEUEING_JOBS_PER_USER, 2);
}

/* Think times that grow with the response: N = X (R + Z + F R), from the law of response times. */
static void test_linear_think(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    (void)state;
    model.closed = 8;
    assert_int_equal(loom_think_parse(&model.think, "linear:5:2", NULL), 0);
    struct loom_queueing_result got = simulate(&model, 0, 1000000);
    double x = got.metrics[LOOM_QUEUEING_THROUGHPUT].mean;
    double r = got.metrics[LOOM_QUEUEING_RESPONSE].mean;
    NEAR(x * (5 + 3 * r), 8, 0.005);
    model.think = (struct loom_think){.mean = 5};
    struct loom_mixed plain;
    assert_int_equal(loom_mixed_solve(&plain, &model, NULL), 0);
    assert_true(x < plain.throughput - 0.02); /* they load the queue less */
}

/* ---- studies --------------------------------------------------------------------------------- */

static void test_axes(void **state)
{
    static const char *const bad[] = {"lambda", "q=1:2:1", "N=0.5",  "lambda=0.1:0.9",
                                      "p=1",    "N=5:1",   "lambda="};
    struct loom_queueing_axis axis;
    (void)state;
    assert_int_equal(loom_queueing_axis_parse(&axis, "N=1:60", NULL), 0);
    assert_int_equal(axis.n, 60);
    assert_true(axis.values[59] == 60);
    assert_int_equal(loom_queueing_axis_parse(&axis, "lambda=0.1:0.95:0.05", NULL), 0);
    assert_int_equal(axis.n, 18);
    NEAR(axis.values[17], 0.95, 1e-12);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(loom_queueing_axis_parse(&axis, bad[i], NULL), LOOM_EUSAGE);
}

static struct loom_queueing_study new_study(void)
{
    struct loom_queueing_trial base = {.model = loom_queueing_model(),
                                       .options = loom_queueing_options(),
                                       .simulate = true};
    static struct loom_queueing_axis axes[2];
    const struct loom_repeat rules[] = {{LOOM_REPEAT_EXPONENTIAL, 1}, {LOOM_REPEAT_SHMUELI, 10}};
    struct loom_queueing_study study;
    base.options.jobs = 20000;
    base.options.replications = 3;
    assert_int_equal(loom_queueing_axis_parse(&axes[0], "lambda=0.2:0.8:0.2", NULL), 0);
    assert_int_equal(loom_queueing_axis_parse(&axes[1], "N=0,3", NULL), 0);
    assert_int_equal(loom_queueing_study_create(&study, &base, axes, 2, rules, 2, NULL), 0);
    return study;
}

static void test_study(void **state)
{
    struct loom_queueing_study study = new_study();
    (void)state;
    assert_int_equal(study.curves, 4);
    assert_int_equal(study.points, 4);
    assert_string_equal(study.labels[3], "shmueli, N = 3");
    assert_int_equal(study.trials[13].model.closed, 3);
    assert_int_equal(study.trials[13].model.repeat.rule, LOOM_REPEAT_SHMUELI);
    NEAR(study.trials[13].model.lambda, 0.4, 1e-12);
    loom_queueing_study_free(&study);
}

/* The same bytes for any number of threads. */
static void test_threads(void **state)
{
    struct loom_queueing_study one = new_study(), many = new_study();
    struct loom_pool *pool = NULL;
    (void)state;
    assert_int_equal(loom_pool_create(&pool, 4, NULL), 0);
    assert_int_equal(loom_queueing_run(one.trials, 16, NULL, NULL), 0);
    assert_int_equal(loom_queueing_run(many.trials, 16, pool, NULL), 0);
    for (size_t i = 0; i < 16; i++)
        assert_memory_equal(&one.trials[i].result, &many.trials[i].result,
                            sizeof one.trials[i].result);
    assert_int_equal(one.trials[0].result.jobs, 60000);
    assert_int_equal(one.trials[0].result.batches, 90);
    one.trials[7].model.lambda = 1;
    struct loom_error err;
    assert_int_equal(loom_queueing_run(one.trials, 16, pool, &err), LOOM_ERANGE);
    loom_pool_destroy(pool);
    loom_queueing_study_free(&one);
    loom_queueing_study_free(&many);
}

/* Users who hardly ever leave fill the queue for a long time: a short run says so, a long one of a
 * quiet model has nothing to say. */
static void test_unserved(void **state)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_queueing_options options = loom_queueing_options();
    struct loom_queueing_result result;
    (void)state;
    model.lambda = 0.5;
    model.repeat = (struct loom_repeat){LOOM_REPEAT_SHMUELI, 1e-6};
    options.jobs = 100000;
    assert_int_equal(loom_queueing_simulate(&result, &model, &options, NULL, NULL), 0);
    double offered = result.metrics[LOOM_QUEUEING_THROUGHPUT].mean;
    assert_true(offered > 1.1); /* more than the server can do */
    assert_true(fabs(result.unserved - (1 - 1 / offered)) < 0.02);
    model.repeat = (struct loom_repeat){LOOM_REPEAT_SHMUELI, 10};
    assert_int_equal(loom_queueing_simulate(&result, &model, &options, NULL, NULL), 0);
    assert_true(result.unserved < 0.001);
    model.closed = LOOM_QUEUEING_CLOSED_MOST + 1;
    assert_int_equal(loom_queueing_check(&model, NULL), LOOM_ERANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textbook),       cmocka_unit_test(test_erlang),
        cmocka_unit_test(test_repairman),      cmocka_unit_test(test_refusals),

        cmocka_unit_test(test_phases),         cmocka_unit_test(test_batch_users),
        cmocka_unit_test(test_rules),          cmocka_unit_test(test_think),
        cmocka_unit_test(test_service),        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_meaningless),    cmocka_unit_test(test_jackson),
        cmocka_unit_test(test_other_services), cmocka_unit_test(test_stable),
        cmocka_unit_test(test_together),       cmocka_unit_test(test_linear_think),
        cmocka_unit_test(test_axes),           cmocka_unit_test(test_study),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_unserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
