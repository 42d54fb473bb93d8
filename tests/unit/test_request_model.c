/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times: places, shares and bundles worked out by hand, and documents.
 * What is drawn is tested in test_requests.c.
 */
#include "models/requests/bundles.h"
#include "models/requests/sampler.h"
#include "request_log.h"

#include <jansson.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* Heads at 60 and 3600. For a job of 100 s, which is in class 1, the places are: 0 below 60, 1 the
 * head 60, 2 above it but not enough, 3 enough but below 3600, 4 the head 3600, 5 above it. */
static void places_in_order(void **state)
{
    (void)state;
    int64_t heads[] = {60, 3600};
    struct loom_request_model model = {.heads = 2, .head_s = heads};
    static const struct {
        int64_t run_s, request_s;
        size_t class, place;
    } cases[] = {
        {100, 59, 1, 0},    {100, 60, 1, 1},   {100, 61, 1, 2},    {100, 99, 1, 2},
        {100, 100, 1, 3},   {100, 3599, 1, 3}, {100, 3600, 1, 4},  {100, 9999, 1, 5},
        {60, 59, 0, 0},     {60, 60, 0, 2},    {60, 61, 0, 3},     {0, 1, 0, 1},
        {3601, 3600, 2, 3}, {61, 60, 1, 1},    {5000, 4000, 2, 4}, {5000, 5000, 2, 5},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(loom_request_model_run_class(&model, cases[i].run_s), cases[i].class);
        assert_int_equal(loom_request_model_place(&model, cases[i].run_s, cases[i].request_s),
                         cases[i].place);
    }
}

/* On a machine 256 times as large, 100 processors are less than one of the log's, but not serial.
 */
static void sizes_by_machine(void **state)
{
    (void)state;
    int32_t from[] = {1, 2, 3};
    struct loom_request_model model = {.procs = 4, .sizes = 3, .size_from = from};
    struct loom_generation generation = {.procs = 1024};
    struct loom_request_sampler sampler = {.model = &model, .generation = &generation};
    static const struct {
        int32_t procs;
        size_t class;
    } cases[] = {{1, 0}, {2, 1}, {100, 1}, {600, 1}, {640, 2}, {1024, 2}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(loom_request_job(&sampler, cases[i].procs, 1).row, cases[i].class);
}

/* Fifty jobs are enough, those that ended at once among them. */
static void jobs_of_no_time_count(void **state)
{
    (void)state;
    struct log log = log_create(50);
    for (size_t i = 0; i < 50; i++) {
        log.submit_s[i] = (int64_t)i;
        log.procs[i] = 4;
        log.run_s[i] = i < 10 ? 0 : 50;
        log.request_s[i] = 60;
    }
    struct loom_request_model model = fitted(&log);
    assert_int_equal(model.jobs[0][loom_request_model_place(&model, 50, 60)], 50);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* A class of sizes has at least a twentieth of the jobs, rounded up: of 81 jobs five. */
static void size_classes_have_a_twentieth(void **state)
{
    (void)state;
    static const struct {
        size_t jobs, serial, classes;
    } cases[] = {{80, 3, 1}, {80, 4, 2}, {81, 4, 1}, {81, 5, 2}, {100, 5, 2}, {101, 5, 1}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct log log = log_create(cases[c].jobs);
        for (size_t i = 0; i < cases[c].jobs; i++) {
            log.submit_s[i] = (int64_t)i;
            log.procs[i] = i < cases[c].serial ? 1 : 8;
            log.run_s[i] = 50;
            log.request_s[i] = 60;
        }
        struct loom_request_model model = fitted(&log);
        assert_int_equal(model.sizes, cases[c].classes);
        loom_request_model_clear(&model);
        log_free(&log);
    }
}

/* Nobody ever asked for more than a minute: longer jobs ask for what they take, in whole hours. */
static void long_jobs_ask_for_hours(void **state)
{
    (void)state;
    struct log log = log_create(60);
    for (size_t i = 0; i < 60; i++) {
        log.procs[i] = 4;
        log.run_s[i] = 50;
        log.request_s[i] = 60;
    }
    struct loom_request_model model = fitted(&log);
    struct loom_generation generation = {.procs = 64};
    struct loom_request_sampler sampler;
    struct loom_stream stream;
    static const int64_t cases[][2] = {{61, 3600}, {3600, 3600}, {3601, 7200}, {7200, 7200}};
    loom_stream_init(&stream, 1, 0, "test_estimates");
    assert_int_equal(loom_request_sampler_init(&sampler, &model, &generation, NULL), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_request_job job = loom_request_job(&sampler, 4, cases[i][0]);
        assert_int_equal(loom_request_draw_value(&sampler, job, 3, &stream).s, cases[i][1]);
    }
    loom_request_sampler_free(&sampler);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Sixty jobs of one size without users: 40 of 50 s ask for 60, 15 of 100 s for 3600, and 5 of 100 s
 * for 60, which is not enough. The heads are 60 and 3600. In class 1 (above 60 s) the shares of all
 * sizes are (5, 15) / 20 leaning on one job at 3600 = (5, 16) / 21, and leaning on 20 such jobs
 * again (5 + 20 x 5/21, 15 + 20 x 16/21) / 40. */
static void shares_by_hand(void **state)
{
    (void)state;
    struct log log = log_create(60);
    for (size_t i = 0; i < 60; i++) {
        log.submit_s[i] = (int64_t)i;
        log.procs[i] = 4;
        log.run_s[i] = i < 40 ? 50 : 100;
        log.request_s[i] = i < 40 || i >= 55 ? 60 : 3600;
    }
    struct loom_request_model model = fitted(&log);
    assert_int_equal(model.heads, 2);
    assert_int_equal(model.head_s[0], 60);
    assert_int_equal(model.head_s[1], 3600);
    assert_int_equal(model.tails, 0);
    assert_int_equal(model.sizes, 1);
    const double *shares = model.shares[1];
    assert_near(shares[1], (5 + 20 * 5.0 / 21) / 40, 1e-12);
    assert_near(shares[4], (15 + 20 * 16.0 / 21) / 40, 1e-12);
    assert_near(shares[0] + shares[2] + shares[3] + shares[5], 0, 1e-12);
    /* Nobody is above an hour: what is enough then is in the last segment, which is empty. */
    assert_near(model.shares[2][5], 1, 1e-12);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Six thousand jobs ask for as many different times, of which the model has room for 2,020. A tenth
 * of the range has 200 tail values on average, with a deviation of 11: to four of them. */
static void equally_popular_values_are_kept_evenly(void **state)
{
    (void)state;
    enum { N = 6000, TENTHS = 10, STEP_S = 7 };
    struct log log = log_create(N);
    for (size_t i = 0; i < N; i++) {
        log.submit_s[i] = 3600 * (int64_t)i;
        log.procs[i] = 4;
        log.run_s[i] = 5;
        log.request_s[i] = STEP_S * (1 + (int64_t)(i * 1009 % N));
    }
    struct loom_request_model model = fitted(&log);
    size_t kept[TENTHS] = {0};
    assert_int_equal(model.heads, 20);
    assert_int_equal(model.tails, 2000);
    for (size_t i = 0; i < model.tails; i++)
        kept[(model.tail_s[i] - 1) * TENTHS / (N * STEP_S)]++;
    for (size_t i = 0; i < TENTHS; i++)
        assert_in_range(kept[i], 200 - 46, 200 + 46);
    loom_request_model_clear(&model);
    log_free(&log);
}

static void too_little_is_said(void **state)
{
    (void)state;
    struct log log = log_create(100);
    struct loom_training training = {.jobs = &log.jobs, .procs = 64};
    struct loom_request_model model;
    struct loom_error err = {0};
    for (size_t i = 0; i < 49; i++) {
        log.procs[i] = 1;
        log.run_s[i] = log.request_s[i] = 10;
    }
    assert_int_equal(loom_request_model_fit(&model, &training, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "the log has 49"));
    assert_null(model.head_s);
    log_free(&log);
}

/* ---- bundles --------------------------------------------------------------------------------- */

/* Jobs of one user, ten seconds apart: bundles end where the size changes, and the last has two
 * requests. A request counts for all its jobs if it is enough for them, and else for those it
 * fails. */
static void bundles_by_hand(void **state)
{
    (void)state;
    enum { N = 10 };
    static const int32_t procs[N] = {4, 4, 4, 4, 4, 1, 1, 1, 2, 2};
    static const int64_t run_s[N] = {10, 700, 20, 30, 800, 5, 600, 7, 900, 10};
    static const struct loom_bundle wanted[] = {{4, 800, 600, 2},
                                                {1, 600, 600, 3},
                                                {2, 900, 600, 1},
                                                {2, 10, 1200, 1}};
    struct log log = log_create(N);
    uint32_t jobs[N];
    const uint32_t first[] = {0, N};
    for (uint32_t i = 0; i < N; i++) {
        jobs[i] = i;
        log.submit_s[i] = 10 * i;
        log.run_s[i] = run_s[i];
        log.request_s[i] = i + 1 < N ? 600 : 1200;
        log.user[i] = 0;
    }
    struct loom_users users = {.n = N, .count = 1, .first = first, .job = jobs};
    struct loom_request_log asked = {.jobs = {.n = N,
                                              .submit_s = log.submit_s,
                                              .run_s = log.run_s,
                                              .procs = procs,
                                              .user = log.user},
                                     .request_s = log.request_s,
                                     .known = jobs,
                                     .n = N,
                                     .users = &users};
    struct loom_bundles bundles;
    assert_int_equal(loom_bundles_find(&bundles, &asked, NULL), 0);
    assert_int_equal(bundles.n, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_int_equal(bundles.items[i].procs, wanted[i].procs);
        assert_int_equal(bundles.items[i].longest_s, wanted[i].longest_s);
        assert_int_equal(bundles.items[i].request_s, wanted[i].request_s);
        assert_int_equal(bundles.items[i].jobs, wanted[i].jobs);
    }
    assert_int_equal(bundles.several, 3);
    assert_int_equal(bundles.whole, 2);
    free(bundles.items);
    log_free(&log);
}

/* ---- the document ---------------------------------------------------------------------------- */

static void reloads_exactly(void **state)
{
    (void)state;
    struct log log = people(3000, 5);
    struct loom_request_model model = fitted(&log), read = {0};
    struct loom_error err = {0};
    json_t *document = loom_codec_save(loom_request_model_describe, &model, &err);
    assert_non_null(document);
    assert_int_equal(loom_codec_load(loom_request_model_describe, &read, document, "estimates",
                                     1000, &err),
                     0);
    json_t *again = loom_codec_save(loom_request_model_describe, &read, &err);
    assert_non_null(again);
    assert_true(json_equal(document, again));
    loom_request_model_clear(&read);
    json_decref(again);

    json_t *sizes = json_object_get(document, "size_classes");
    json_t *runs = json_object_get(json_array_get(sizes, 0), "run_classes");
    json_t *jobs = json_object_get(json_array_get(runs, 0), "jobs");
    json_array_append_new(jobs, json_integer(0));
    assert_int_not_equal(loom_codec_load(loom_request_model_describe, &read, document, "estimates",
                                         1000, &err),
                         0);
    assert_non_null(strstr(err.message, "estimates.size_classes"));
    loom_request_model_clear(&read);
    json_decref(document);
    loom_request_model_clear(&model);
    log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_in_order),
        cmocka_unit_test(shares_by_hand),
        cmocka_unit_test(too_little_is_said),
        cmocka_unit_test(bundles_by_hand),
        cmocka_unit_test(reloads_exactly),
        cmocka_unit_test(sizes_by_machine),
        cmocka_unit_test(equally_popular_values_are_kept_evenly),
        cmocka_unit_test(jobs_of_no_time_count),
        cmocka_unit_test(size_classes_have_a_twentieth),
        cmocka_unit_test(long_jobs_ask_for_hours),
    };
    return cmocka_run_group_tests_name("request_model", tests, NULL, NULL);
}
