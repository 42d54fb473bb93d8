/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scheduling response of workloads, models scored by it, and logs held out. */
#include "modeling.h"

#include <math.h>
#include <string.h>
#include <workloom/experiment_ranking.h>

static struct loom_trace *lublin_log(void)
{
    struct loom_model *model = must_publish("lublin2003", NULL);
    struct loom_trace *log =
        must_generate(model, &(struct loom_generate_options){.seed = 9, .jobs = 3000, .procs = 64});
    loom_model_destroy(model);
    return log;
}

/* Cells against scenarios run one by one: FCFS waits longer than EASY, and more at higher load. */
static void cells_are_scenarios(void **state)
{
    (void)state;
    struct loom_trace *log = lublin_log();
    struct loom_response response;
    struct loom_error err = {0};
    assert_int_equal(loom_response_measure(&response, log, &err), 0);
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS; i++) {
        struct loom_response_cell cell = loom_response_cell(i);
        struct loom_scenario scenario = loom_scenario();
        struct loom_outcome *outcome = NULL;
        scenario.trace = log;
        scenario.policy = cell.policy;
        scenario.load = cell.load;
        scenario.load_by = LOOM_LOAD_ARRIVALS;
        assert_int_equal(loom_scenario_run(&outcome, &scenario, NULL, &err), 0);
        assert_near(loom_outcome_value(outcome, "wait_mean_s"), response.wait_s[i], 0);
        assert_near(loom_outcome_value(outcome, "slowdown_ratio"), response.slowdown[i], 0);
        assert_near(loom_outcome_load_offered(outcome), cell.load, 0.01);
        loom_outcome_destroy(outcome);
        if (i % LOOM_RESPONSE_LOADS > 0)
            assert_true(response.wait_s[i] > response.wait_s[i - 1]);
        if (i >= LOOM_RESPONSE_LOADS)
            assert_true(response.wait_s[i] < response.wait_s[i - LOOM_RESPONSE_LOADS]);
    }
    loom_trace_destroy(log);
}

/* By hand: all waits 60 s for 0 s are 1/2 with the minute, all slowdowns 4 for 2 are 1/2; a single
 * wait of 540 s for 0 s is 0.1 in one of sixteen. */
static void closeness_by_hand(void **state)
{
    (void)state;
    struct loom_response a = {{0}, {0}}, b = {{0}, {0}};
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS; i++)
        a.slowdown[i] = b.slowdown[i] = 2;
    assert_near(loom_response_closeness(&a, &b), 1, 1e-12);
    b.wait_s[3] = 540;
    assert_near(loom_response_closeness(&a, &b), (15 + 0.1) / 16, 1e-12);
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS; i++) {
        b.wait_s[i] = 60;
        b.slowdown[i] = 4;
    }
    assert_near(loom_response_closeness(&a, &b), 0.5, 1e-12);
    assert_near(loom_response_closeness(&b, &a), 0.5, 1e-12);
}

static void parts_are_held_out_by_time(void **state)
{
    (void)state;
    struct loom_trace *log = empty_trace(), *fit = NULL, *rest = NULL;
    struct loom_error err = {0};
    for (int i = 0; i < 10; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = i < 8 ? i * 10 : 100 * (i - 7); /* 0 to 70, 100, 200 */
        append(log, job);
    }
    assert_int_equal(loom_hold_out(&fit, &rest, log, 0.5, &err), 0);
    assert_int_equal(loom_trace_count(fit), 8);
    assert_int_equal(loom_trace_count(rest), 2);
    assert_int_equal(loom_trace_job(rest, 0).number, 9);
    loom_trace_destroy(fit);
    loom_trace_destroy(rest);
    assert_int_equal(loom_hold_out(&fit, &rest, log, 0.1, &err), LOOM_EDATA);
    assert_string_equal(err.field, "hold_out");
    assert_null(fit);
    loom_trace_destroy(log);
}

/* A model fitted to the first part knows nothing of the second, of which all runtimes are others.
 */
static void rankings_use_both(void **state)
{
    (void)state;
    struct loom_trace *log = lublin_log(), *fit = NULL, *rest = NULL;
    struct loom_error err = {0};
    struct loom_reference *reference = NULL;
    struct loom_params *params = NULL;
    struct loom_candidate candidate = {.label = "uniform"};
    assert_int_equal(loom_model_parse(&candidate.info, &params, "uniform", &err), 0);
    candidate.params = params;
    assert_int_equal(loom_hold_out(&fit, &rest, log, 0.5, &err), 0);
    struct loom_reference_options measured = {.resamples = 5, .seed = 1};
    assert_int_equal(loom_reference_create(&reference, rest, &measured, NULL, NULL, &err), 0);
    struct loom_ranking_options options = {
        .candidates = &candidate, .n = 1, .replications = 2, .seed = 1, .fit_to = fit};
    struct loom_ranking_entry with, without;
    for (int response = 0; response < 2; response++) {
        struct loom_ranking *ranking = NULL;
        options.response = response;
        assert_int_equal(loom_ranking_create(&ranking, reference, rest, &options, NULL, NULL, &err),
                         0);
        assert_true(loom_ranking_at(ranking, 0, response ? &with : &without));
        assert_true((loom_ranking_response(ranking, NULL) != NULL) == (bool)response);
        struct loom_trace *made = NULL;
        assert_int_equal(loom_ranking_generate(&made, ranking, 0, 0, NULL, &err), 0);
        assert_int_equal(loom_trace_count(made), loom_trace_count(rest));
        loom_trace_destroy(made);
        loom_ranking_destroy(ranking);
    }
    assert_false(without.has_response);
    assert_true(with.has_response);
    assert_in_range((int)(1000 * with.response_score.mean), 1, 999);
    double low = fmin(without.overall.mean, with.response_score.mean);
    double high = fmax(without.overall.mean, with.response_score.mean);
    assert_true(with.overall.mean > low && with.overall.mean < high);
    loom_reference_destroy(reference);
    loom_params_destroy(params);
    loom_trace_destroy(fit);
    loom_trace_destroy(rest);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_scenarios),
        cmocka_unit_test(closeness_by_hand),
        cmocka_unit_test(parts_are_held_out_by_time),
        cmocka_unit_test(rankings_use_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
