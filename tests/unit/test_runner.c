/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that runs use again changes no result, and random numbers depend on seed and
 * replication. */
#include "scenarios.h"

/* ---- memory used again ----------------------------------------------------------------------- */

/* Some scenario, which may fail: few of each choice, so that neighbours often have jobs in common.
 */
static struct loom_scenario any_scenario(const struct stock *stock, struct loom_stream *stream)
{
    static const char *const policies[] = {"fcfs", "easy", "conservative"};
    static const double loads[] = {0, 0, 0.3, 0.6};
    struct loom_scenario scenario = loom_scenario();
    uint64_t source = loom_stream_below(stream, 8);
    scenario.model = source == 0 ? stock->model : NULL;
    scenario.generate.jobs = 150;
    scenario.resampler = source == 1 ? stock->resampler : NULL;
    if (source > 1)
        scenario.trace = source == 2 ? stock->other : stock->log;
    scenario.policy = policies[loom_stream_below(stream, COUNT(policies))];
    scenario.load = loads[loom_stream_below(stream, COUNT(loads))];
    scenario.load_by = loom_stream_below(stream, 4) ? LOOM_LOAD_ARRIVALS : LOOM_LOAD_RUNTIMES;
    if (loom_stream_below(stream, 8) == 0)
        scenario.select = stock->ann;
    if (loom_stream_below(stream, 8) == 0)
        scenario.measure = stock->ann;
    if (loom_stream_below(stream, 3) == 0)
        scenario.requests = loom_stream_below(stream, 2) ? &stock->exact : &stock->uniform;
    if (loom_stream_below(stream, 6) == 0)
        scenario.rearrange = &stock->shuffled;
    if (loom_stream_below(stream, 4) == 0)
        scenario.users = loom_stream_below(stream, 2) ? &stock->fluid : &stock->drawn;
    if (loom_stream_below(stream, 4) == 0)
        scenario.system = loom_stream_below(stream, 2) ? stock->machine : stock->grid.system;
    if (loom_stream_below(stream, 6) == 0)
        scenario.trim.warm_up_jobs = loom_stream_below(stream, 2) ? 10 : 1000;
    scenario.by = loom_stream_below(stream, 3) ? LOOM_NO_CLASSES
                                               : (int)loom_stream_below(stream, LOOM_CLASS_KINDS);
    scenario.keep = (unsigned)loom_stream_below(stream, 6) ? 0 : LOOM_KEEP_RUN | LOOM_KEEP_STARTS;
    if (loom_stream_below(stream, 12) == 0)
        scenario.explain = loom_stream_below(stream, 2) ? "17" : "log=17";
    scenario.seed = 1 + loom_stream_below(stream, 2);
    scenario.replication = loom_stream_below(stream, 2);
    return scenario;
}

static void test_runner_changes_nothing(void **state)
{
    struct stock stock;
    struct loom_stream stream;
    struct loom_runner *runner = NULL;
    size_t succeeded = 0, failed = 0;
    (void)state;
    open_stock(&stock);
    loom_stream_init(&stream, 5, 0, "scenarios");
    assert_int_equal(loom_runner_create(&runner, NULL), 0);
    for (int round = 0; round < 400; round++) {
        const struct loom_scenario scenario = any_scenario(&stock, &stream);
        struct loom_outcome *alone = NULL, *again = NULL;
        struct loom_error err = {0}, err_again = {0};
        int rc = loom_scenario_run(&alone, &scenario, NULL, &err);
        assert_int_equal(loom_scenario_run(&again, &scenario, runner, &err_again), rc);
        assert_string_equal(err_again.message, err.message);
        if (rc) {
            assert_null(alone);
            assert_null(again);
            failed++;
        } else {
            assert_same_outcome(again, alone);
            succeeded++;
        }
        loom_outcome_destroy(alone);
        loom_outcome_destroy(again);
    }
    assert_true(succeeded > 200 && failed > 20);
    loom_runner_destroy(runner);
    loom_runner_destroy(NULL);
    close_stock(&stock);
}

/* The same jobs twice in a row, with a failure and with a kept run in between. */
static void test_runner_after_a_failure(void **state)
{
    struct loom_trace *trace = user_log(300);
    struct loom_runner *runner = NULL;
    struct loom_scenario good = scenario_of(trace), bad = good, kept = good;
    (void)state;
    good.load = 0.5;
    bad.load = 0.5;
    bad.explain = "4711";
    kept.load = 0.5;
    kept.keep |= LOOM_KEEP_RUN;
    assert_int_equal(loom_runner_create(&runner, NULL), 0);
    struct loom_outcome *first = must_succeed(&good, runner);
    assert_fails_with(&bad, runner, LOOM_EDATA, "4711");
    struct loom_outcome *second = must_succeed(&good, runner);
    struct loom_outcome *third = must_succeed(&kept, runner);
    struct loom_outcome *fourth = must_succeed(&good, runner);
    assert_same_outcome(second, first);
    assert_same_outcome(third, first);
    assert_same_outcome(fourth, first);
    assert_non_null(loom_outcome_sim(third));
    assert_null(loom_outcome_sim(fourth));
    loom_outcome_destroy(first);
    loom_outcome_destroy(second);
    loom_outcome_destroy(third);
    loom_outcome_destroy(fourth);
    loom_runner_destroy(runner);
    loom_trace_destroy(trace);
}

/* The same load by other times between jobs or by other runtimes is not the same. */
static void test_runner_with_another_way_to_a_load(void **state)
{
    struct loom_trace *trace = user_log(300);
    struct loom_runner *runner = NULL;
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    scenario.load = 0.5;
    assert_int_equal(loom_runner_create(&runner, NULL), 0);
    for (int turn = 0; turn < 3; turn++) {
        scenario.load_by = turn == 1 ? LOOM_LOAD_RUNTIMES : LOOM_LOAD_ARRIVALS;
        struct loom_outcome *again = must_succeed(&scenario, runner);
        struct loom_outcome *alone = must_succeed(&scenario, NULL);
        assert_same_outcome(again, alone);
        loom_outcome_destroy(again);
        loom_outcome_destroy(alone);
    }
    loom_runner_destroy(runner);
    loom_trace_destroy(trace);
}

/* ---- random jobs ----------------------------------------------------------------------------- */

/* Other jobs for each seed and replication, the same for the same. */
static void assert_drawn(struct loom_scenario scenario, const char *key)
{
    struct loom_outcome *first = must_succeed(&scenario, NULL);
    struct loom_outcome *same = must_succeed(&scenario, NULL);
    scenario.replication = 1;
    struct loom_outcome *other = must_succeed(&scenario, NULL);
    scenario.replication = 0;
    scenario.seed = 2;
    struct loom_outcome *seeded = must_succeed(&scenario, NULL);
    assert_same_outcome(same, first);
    assert_true(differ(first, other, key));
    assert_true(differ(first, seeded, key));
    assert_true(differ(other, seeded, key));
    assert_int_equal(loom_outcome_replication(other), 1);
    assert_int_equal(loom_outcome_seed(seeded), 2);
    loom_outcome_destroy(first);
    loom_outcome_destroy(same);
    loom_outcome_destroy(other);
    loom_outcome_destroy(seeded);
}

static void test_drawn_jobs(void **state)
{
    struct stock stock;
    struct loom_scenario scenario = loom_scenario();
    (void)state;
    open_stock(&stock);
    scenario.model = stock.model;
    scenario.generate.jobs = 200;
    assert_drawn(scenario, "load_offered");
    scenario.generate.seed = scenario.generate.replication = 9; /* not looked at */
    assert_drawn(scenario, "load_offered");
    scenario = loom_scenario();
    scenario.resampler = stock.resampler;
    assert_drawn(scenario, "wait_mean_s");
    scenario = scenario_of(stock.log);
    scenario.users = &stock.drawn;
    assert_drawn(scenario, "users_throughput_jobs_per_day");
    scenario = scenario_of(stock.log);
    scenario.policy = "conservative";
    scenario.requests = &stock.uniform;
    scenario.load = 0.9;
    assert_drawn(scenario, "wait_mean_s");
    close_stock(&stock);
}

/* Local jobs of models and a random choice of clusters. */
static void test_drawn_on_a_grid(void **state)
{
    struct stock stock;
    (void)state;
    open_stock(&stock);
    struct loom_scenario scenario = scenario_of(stock.log);
    scenario.system = stock.grid.system;
    assert_drawn(scenario, "local_wait_mean_s");
    assert_drawn(scenario, "grid_procs_left");
    scenario.load = 0.4;
    assert_drawn(scenario, "local_wait_mean_s");

    /* Without a model only the choice of clusters is random. */
    stock.grid.clusters[1].model = NULL;
    stock.grid.clusters[1].load = 0;
    assert_drawn(scenario, "grid_wait_cluster_mean_s");
    struct loom_outcome *first = must_succeed(&scenario, NULL);
    scenario.seed = 3;
    struct loom_outcome *second = must_succeed(&scenario, NULL);
    assert_false(differ(first, second, "grid_procs_left"));
    loom_outcome_destroy(first);
    loom_outcome_destroy(second);
    close_stock(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runner_changes_nothing),
        cmocka_unit_test(test_runner_after_a_failure),
        cmocka_unit_test(test_runner_with_another_way_to_a_load),
        cmocka_unit_test(test_drawn_jobs),
        cmocka_unit_test(test_drawn_on_a_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
