/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run as an object: what a scenario may say, that its run is a simulation like any other, and
 * that nothing it points at is changed.
 */
#include "scenarios.h"

/* ---- what a scenario may say ----------------------------------------------------------------- */

static void test_defaults(void **state)
{
    const struct loom_scenario scenario = loom_scenario();
    (void)state;
    assert_string_equal(scenario.policy, "easy");
    assert_int_equal(scenario.by, LOOM_NO_CLASSES);
    assert_int_equal(scenario.load_by, LOOM_LOAD_ARRIVALS);
    assert_int_equal(scenario.overrun, LOOM_OVERRUN_RAISE);
    assert_int_equal(scenario.compat, LOOM_COMPAT_NONE);
    assert_int_equal(scenario.seed, 1);
    assert_int_equal(scenario.replication, 0);
    assert_true(scenario.load == 0);
    assert_null(scenario.trace);
    assert_null(scenario.users);
    assert_null(scenario.system);
}

static void test_sources(void **state)
{
    struct loom_trace *trace = user_log(50);
    struct loom_model *model = published("lublin2003");
    struct loom_scenario scenario = loom_scenario();
    (void)state;
    assert_fails(&scenario, LOOM_EUSAGE, "0 are set");
    scenario.trace = trace;
    scenario.model = model;
    assert_fails(&scenario, LOOM_EUSAGE, "2 are set");
    scenario.model = NULL;
    assert_int_equal(loom_scenario_check(&scenario, NULL), 0);
    loom_model_destroy(model);
    loom_trace_destroy(trace);
}

static void test_numbers_out_of_range(void **state)
{
    static const double loads[] = {-0.1, LOOM_LOAD_MOST + 0.1, (double)NAN, (double)INFINITY};
    static const int classes[] = {-2, LOOM_CLASS_KINDS};
    struct loom_trace *trace = user_log(50);
    (void)state;
    for (size_t i = 0; i < COUNT(loads); i++) {
        struct loom_scenario scenario = scenario_of(trace);
        scenario.load = loads[i];
        assert_fails(&scenario, LOOM_ERANGE, "load must be 0 to");
    }
    for (size_t i = 0; i < COUNT(classes); i++) {
        struct loom_scenario scenario = scenario_of(trace);
        scenario.by = classes[i];
        assert_fails(&scenario, LOOM_ERANGE, "by must be");
    }
    struct loom_scenario scenario = scenario_of(trace);
    scenario.load = 0.5;
    scenario.load_by = (enum loom_load_way)LOOM_LOAD_WAYS;
    assert_fails(&scenario, LOOM_ERANGE, "load_by must be");
    loom_trace_destroy(trace);
}

static void test_unknown_names(void **state)
{
    struct loom_trace *trace = user_log(50);
    struct loom_scenario scenario = scenario_of(trace);
    const struct loom_feedback_options users = {.behaviour = "stoic"};
    (void)state;
    scenario.policy = "fifo";
    assert_fails(&scenario, LOOM_EUSAGE, "fifo");
    scenario.policy = "easy:order=sideways";
    assert_fails(&scenario, LOOM_EUSAGE, "sideways");
    scenario.policy = NULL;
    assert_fails(&scenario, LOOM_EUSAGE, "no scheduler is given");
    scenario.policy = "easy";
    scenario.users = &users;
    assert_fails(&scenario, LOOM_EUSAGE, "stoic");
    loom_trace_destroy(trace);
}

static void test_explained_job(void **state)
{
    struct loom_trace *trace = user_log(50);
    struct loom_scenario scenario = scenario_of(trace);
    const struct loom_feedback_options users = {.behaviour = "fluid"};
    (void)state;
    scenario.explain = "five";
    assert_fails(&scenario, LOOM_EUSAGE, "'five' is not the number of a job");
    scenario.explain = "5x";
    assert_fails(&scenario, LOOM_EUSAGE, "'5x' is not the number of a job");
    scenario.explain = "51";
    assert_fails(&scenario, LOOM_EDATA, "none of the 50 jobs to simulate has the number 51");
    append(trace, loom_trace_job(trace, 4));
    scenario.explain = "5";
    assert_fails(&scenario, LOOM_EDATA, "2 jobs have the number 5");
    scenario.users = &users;
    assert_fails(&scenario, LOOM_EUSAGE, "explain excludes users");
    loom_trace_destroy(trace);
}

static void test_machine(void **state)
{
    struct loom_system *system = (void *)state;
    struct loom_error err;
    assert_int_equal(loom_system_create(&system, 0, &err), LOOM_ERANGE);
    assert_null(system);
    assert_int_equal(loom_system_create(&system, (int64_t)INT32_MAX + 1, &err), LOOM_ERANGE);
    assert_int_equal(loom_system_create(&system, 7, &err), 0);
    assert_int_equal(loom_system_procs(system), 7);
    assert_null(loom_system_platform(system));
    assert_null(loom_system_local(system, 0));
    assert_int_equal(loom_system_left_out(system, 0), 0);
    loom_system_destroy(system);
    loom_system_destroy(NULL);
}

/* A log that does not say how large its machine is. */
static void test_no_machine(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_job job = loom_job_unknown();
    struct loom_system *system = NULL;
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    job.number = job.run_s = job.req_procs = 1;
    job.submit_s = 0;
    append(trace, job);
    assert_fails(&scenario, LOOM_EDATA, "set procs");
    assert_int_equal(loom_system_create(&system, 2, NULL), 0);
    scenario.system = system;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_int_equal(loom_outcome_procs(outcome), 2);
    loom_outcome_destroy(outcome);
    loom_system_destroy(system);
    loom_trace_destroy(trace);
}

static void test_grid_excludes(void **state)
{
    struct loom_trace *trace = user_log(200);
    struct test_grid grid;
    const struct loom_feedback_options users = {.behaviour = "fluid"};
    (void)state;
    open_grid(&grid, trace);
    struct loom_scenario scenario = scenario_of(trace);
    scenario.system = grid.system;
    scenario.users = &users;
    assert_fails(&scenario, LOOM_EUSAGE, "users excludes a grid");
    scenario.users = NULL;
    scenario.compat = LOOM_COMPAT_PYSS;
    assert_fails(&scenario, LOOM_EUSAGE, "compat excludes a grid");
    scenario.compat = LOOM_COMPAT_NONE;
    scenario.load_by = LOOM_LOAD_SIZE;
    assert_int_equal(loom_scenario_check(&scenario, NULL), 0); /* no load is asked for */
    scenario.load = 0.5;
    assert_fails(&scenario, LOOM_EUSAGE, "load_by size");
    scenario.load = 0;
    scenario.explain = "idle=3";
    assert_fails(&scenario, LOOM_EUSAGE, "cluster idle has no local jobs");
    scenario.explain = "log=4711";
    assert_fails(&scenario, LOOM_EDATA, "has the number 4711");
    scenario.explain = "moon=1";
    assert_fails(&scenario, LOOM_EUSAGE, "'moon=1' is not the number of a job");
    close_grid(&grid);
    loom_trace_destroy(trace);
}

/* ---- which jobs ------------------------------------------------------------------------------ */

static void test_selection(void **state)
{
    struct loom_trace *trace = user_log(200);
    struct loom_params *ann = selection("users", "ann"), *nobody = selection("users", "99");
    struct loom_scenario scenario = scenario_of(trace);
    int64_t jobs_of_ann = 0;
    (void)state;
    for (size_t row = 0; row < 200; row++) {
        struct loom_job job = loom_trace_job(trace, row);
        jobs_of_ann += job.user == 3 && job.run_s >= 0;
    }
    scenario.select = ann;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_true(loom_outcome_value(outcome, "jobs") == (double)jobs_of_ann);
    assert_true(loom_outcome_value(outcome, "users") == 1);
    loom_outcome_destroy(outcome);

    scenario.select = NULL;
    scenario.measure = ann;
    outcome = must_succeed(&scenario, NULL);
    assert_true(loom_outcome_value(outcome, "jobs") == 196);
    assert_true(loom_outcome_value(outcome, "measured") == (double)jobs_of_ann);
    loom_outcome_destroy(outcome);

    scenario.measure = nobody;
    assert_fails(&scenario, LOOM_ERANGE, "left to measure");
    scenario.select = nobody;
    assert_fails(&scenario, LOOM_EDATA, "the selection leaves no jobs");
    loom_params_destroy(ann);
    loom_params_destroy(nobody);
    loom_trace_destroy(trace);
}

static void test_trim(void **state)
{
    static const struct loom_sim_trim nothing_left[] = {
        {.warm_up_jobs = 200},
        {.warm_up_jobs = 100, .cool_down_jobs = 100},
        {.warm_up_s = 36 * 86400},
        {.cool_down_s = 36 * 86400},
        {.warm_up_s = 20 * 86400, .cool_down_s = 20 * 86400},
        {.warm_up_jobs = INT64_MAX, .cool_down_jobs = INT64_MAX},
        {.warm_up_s = INT64_MAX, .cool_down_s = INT64_MAX},
    };
    static const struct loom_sim_trim negative[] = {{.warm_up_jobs = -1},
                                                    {.warm_up_s = INT64_MIN},
                                                    {.cool_down_jobs = -1},
                                                    {.cool_down_s = -1}};
    struct loom_trace *trace = user_log(200);
    struct loom_runner *runner = NULL;
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    assert_int_equal(loom_runner_create(&runner, NULL), 0);
    for (size_t i = 0; i < COUNT(nothing_left); i++) {
        scenario.trim = nothing_left[i];
        assert_fails(&scenario, LOOM_ERANGE,
                     "leave none of the 200 jobs, submitted within 34.8 days");
        /* Neither do jobs that are prepared. */
        scenario.trim = (struct loom_sim_trim){0};
        loom_outcome_destroy(must_succeed(&scenario, runner));
        scenario.trim = nothing_left[i];
        assert_fails_with(&scenario, runner, LOOM_ERANGE, "leave none of the 200 jobs, submitted");
    }
    for (size_t i = 0; i < COUNT(negative); i++) {
        scenario.trim = negative[i];
        assert_fails(&scenario, LOOM_ERANGE, "cannot be negative");
    }
    scenario.trim = (struct loom_sim_trim){.warm_up_jobs = 20, .cool_down_jobs = 30};
    struct loom_outcome *outcome = must_succeed(&scenario, runner);
    assert_true(loom_outcome_value(outcome, "jobs") == 196);
    assert_true(loom_outcome_value(outcome, "measured") == 146);
    loom_outcome_destroy(outcome);
    loom_runner_destroy(runner);
    loom_trace_destroy(trace);
}

/* On a grid it is the jobs at the load asked for that must be long enough. */
static void test_grid_trim(void **state)
{
    struct loom_trace *trace = user_log(200);
    struct test_grid grid;
    (void)state;
    open_grid(&grid, trace);
    struct loom_scenario scenario = scenario_of(trace);
    scenario.system = grid.system;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    double load = loom_outcome_value(outcome, "grid_load");
    loom_outcome_destroy(outcome);
    scenario.trim.warm_up_s = 60 * 86400;
    assert_fails(&scenario, LOOM_ERANGE, "leave none of the 200 jobs");
    scenario.load = load / 3;
    outcome = must_succeed(&scenario, NULL);
    assert_true(loom_outcome_value(outcome, "measured") < loom_outcome_value(outcome, "jobs"));
    loom_outcome_destroy(outcome);
    scenario.load = load * 3;
    scenario.trim.warm_up_s = 20 * 86400;
    assert_fails(&scenario, LOOM_ERANGE, "leave none of the 200 jobs");
    close_grid(&grid);
    loom_trace_destroy(trace);
}

/* ---- a run is a simulation ------------------------------------------------------------------- */

static void test_like_the_simulator(void **state)
{
    static const char *const policies[] = {"fcfs", "easy", "conservative", "easy:order=sjf"};
    struct loom_trace *trace = user_log(600);
    (void)state;
    for (size_t i = 0; i < COUNT(policies); i++) {
        struct loom_scenario scenario = scenario_of(trace);
        const struct loom_sim_options options = {.scheduler = policies[i]};
        struct loom_sim *sim = NULL;
        struct loom_sim_metrics wanted;
        scenario.policy = policies[i];
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_int_equal(loom_sim_create(&sim, NULL), 0);
        assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
        assert_int_equal(loom_sim_metrics(&wanted, sim, NULL), 0);
#define SAME(key, value) assert_true(same_number(loom_outcome_value(outcome, key), (double)(value)))
        SAME("jobs", wanted.jobs);
        SAME("measured", wanted.measured);
        SAME("wait_mean_s", wanted.wait_mean_s);
        SAME("wait_median_s", wanted.wait_median_s);
        SAME("wait_p99_s", wanted.wait_percentile_s[3]);
        SAME("response_mean_s", wanted.response_mean_s);
        SAME("slowdown_mean", wanted.slowdown_mean);
        SAME("bounded_slowdown_mean", wanted.bounded_slowdown_mean);
        SAME("bounded_slowdown_p90", wanted.bounded_slowdown_percentile[1]);
        SAME("slowdown_ratio", wanted.slowdown_ratio);
        SAME("utilization", wanted.utilization);
        SAME("throughput_jobs_per_day", wanted.throughput_jobs_per_day);
        SAME("makespan_s", wanted.makespan_s);
        SAME("queue_mean", wanted.queue_mean);
        SAME("queue_max", wanted.queue_max);
        SAME("load_offered", wanted.load_offered);
        SAME("saturated", wanted.saturated < 0 ? (double)NAN : wanted.saturated);
        SAME("procs", LOG_PROCS);
        SAME("dropped_no_runtime", 12);
        SAME("estimates_raised", loom_sim_counts(sim)->estimates_raised);
        loom_sim_destroy(sim);
        loom_outcome_destroy(outcome);
    }
    loom_trace_destroy(trace);
}

static void test_loads(void **state)
{
    static const enum loom_load_way ways[] = {LOOM_LOAD_ARRIVALS, LOOM_LOAD_RUNTIMES,
                                              LOOM_LOAD_SIZE};
    struct loom_trace *trace = user_log(400);
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_null(loom_outcome_load(outcome));
    double before = loom_load_offered(trace, LOG_PROCS);
    assert_true(same_number(loom_outcome_load_offered(outcome),
                            loom_outcome_value(outcome, "load_offered")));
    loom_outcome_destroy(outcome);
    for (size_t i = 0; i < COUNT(ways); i++) {
        scenario.load = ways[i] == LOOM_LOAD_SIZE ? 0.8 * before : 0.9;
        scenario.load_by = ways[i];
        outcome = must_succeed(&scenario, NULL);
        const struct loom_load_change *load = loom_outcome_load(outcome);
        assert_non_null(load);
        assert_true(load->asked == scenario.load && load->before == before);
        assert_true(fabs(load->after / load->asked - 1) < 0.05);
        assert_true(loom_outcome_load_offered(outcome) == load->after);
        assert_int_equal(load->way, ways[i]);
        assert_int_equal(load->procs, loom_outcome_procs(outcome));
        assert_int_equal(loom_outcome_procs(outcome) != LOG_PROCS, ways[i] == LOOM_LOAD_SIZE);
        loom_outcome_destroy(outcome);
    }
    loom_trace_destroy(trace);
}

/* ---- nothing is changed ---------------------------------------------------------------------- */

static void test_trace_is_not_changed(void **state)
{
    struct loom_trace *trace = user_log(300), *copy = copy_of(trace);
    struct loom_params *ann = selection("users", "ann");
    const struct loom_request_change requests = {.how = LOOM_REQUESTS_UNIFORM, .factor = 3};
    const struct loom_rearrangement shuffled = {.shuffle = LOOM_SHUFFLE_JOINT};
    const struct loom_feedback_options fluid = {.behaviour = "fluid"};
    (void)state;
    for (unsigned changes = 0; changes < 48; changes++) {
        struct loom_scenario scenario = scenario_of(trace);
        struct loom_trace *schedule = NULL;
        scenario.select = changes & 1 ? ann : NULL;
        scenario.requests = changes & 2 ? &requests : NULL;
        scenario.rearrange = changes & 4 ? &shuffled : NULL;
        scenario.users = changes & 8 ? &fluid : NULL;
        scenario.load = changes / 16 ? 0.2 : 0;
        scenario.load_by = changes / 16 == 1 ? LOOM_LOAD_ARRIVALS : LOOM_LOAD_RUNTIMES;
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_int_equal(loom_outcome_requests(outcome) != NULL, (changes & 2) != 0);
        assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
        loom_trace_destroy(schedule);
        loom_outcome_destroy(outcome);
        assert_same_jobs(trace, copy);
        assert_same_header(trace, copy);
    }
    assert_int_equal(requests.changed, 0);
    loom_params_destroy(ann);
    loom_trace_destroy(copy);
    loom_trace_destroy(trace);
}

/* The steps are the library's, in the order of the header. */
static void test_changes_in_order(void **state)
{
    struct loom_trace *trace = user_log(300), *made = NULL;
    struct loom_params *wide = selection("procs", "4:");
    const struct loom_request_change requests = {.how = LOOM_REQUESTS_UNIFORM, .factor = 3};
    const struct loom_rearrangement shuffled = {.shuffle = LOOM_SHUFFLE_RUNTIME};
    struct loom_scenario scenario = scenario_of(trace);
    (void)state;
    scenario.select = wide;
    scenario.requests = &requests;
    scenario.rearrange = &shuffled;
    scenario.load = 0.4;
    scenario.seed = 7;
    scenario.replication = 2;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);

    uint8_t *keep = malloc(300);
    struct loom_request_change other = requests;
    struct loom_rearrangement how = shuffled;
    struct loom_load_change load;
    assert_non_null(keep);
    assert_int_equal(loom_select(keep, trace, wide, NULL), 0);
    assert_int_equal(loom_trace_subset(&made, trace, keep, 1, NULL), 0);
    other.seed = how.seed = 7;
    other.replication = how.replication = 2;
    assert_int_equal(loom_trace_change_requests(made, &other, NULL, NULL), 0);
    assert_int_equal(loom_trace_rearrange(made, &how, NULL), 0);
    assert_int_equal(loom_load_change(&load, made, 0, 0.4, LOOM_LOAD_ARRIVALS, NULL), 0);
    assert_same_jobs(loom_outcome_trace(outcome), made);
    assert_same_header(loom_outcome_trace(outcome), made);
    assert_int_equal(loom_outcome_requests(outcome)->changed, other.changed);
    assert_int_equal(loom_outcome_requests(outcome)->seed, 7);
    assert_true(loom_outcome_load(outcome)->factor == load.factor);
    free(keep);
    loom_trace_destroy(made);
    loom_outcome_destroy(outcome);
    loom_params_destroy(wide);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_numbers_out_of_range),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_explained_job),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_no_machine),
        cmocka_unit_test(test_grid_excludes),
        cmocka_unit_test(test_selection),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_grid_trim),
        cmocka_unit_test(test_like_the_simulator),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_trace_is_not_changed),
        cmocka_unit_test(test_changes_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
