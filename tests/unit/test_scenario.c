/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run as an object: what a scenario may say, that its run is a simulation like any other, that
 * nothing it points at is changed, and that memory used again changes no result.
 */
#include "scenarios.h"

#include <workloom/report.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

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

static struct loom_model *published(const char *name)
{
    const struct loom_model_info *info;
    struct loom_params *params = NULL;
    struct loom_model *model = NULL;
    struct loom_error err = {0};
    if (loom_model_parse(&info, &params, name, &err) ||
        loom_model_published(&model, name, params, &err))
        fail_msg("%s", err.message);
    loom_params_destroy(params);
    return model;
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
    assert_fails(&scenario, LOOM_EUSAGE, "which scheduler");
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
    assert_fails(&scenario, LOOM_EUSAGE, "cannot be explained");
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
    assert_fails(&scenario, LOOM_EUSAGE, "not for a grid");
    scenario.users = NULL;
    scenario.compat = LOOM_COMPAT_PYSS;
    assert_fails(&scenario, LOOM_EUSAGE, "compat is for one machine");
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

static struct loom_params *selection(const char *name, const char *value)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    assert_int_equal(loom_params_set(params, name, value, NULL), 0);
    return params;
}

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

static struct loom_trace *copy_of(const struct loom_trace *trace)
{
    uint8_t *none = calloc(loom_trace_count(trace) + 1, 1);
    struct loom_trace *copy = NULL;
    assert_non_null(none);
    assert_int_equal(loom_trace_subset(&copy, trace, none, 0, NULL), 0);
    free(none);
    return copy;
}

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

/* The steps are those of the library, in the order of the header. */
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
    other.replication = 2;
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

/* ---- memory used again ----------------------------------------------------------------------- */

/* Everything that several scenarios point at. */
struct stock {
    struct loom_trace *log, *other;
    struct loom_model *model;
    struct loom_resampler *resampler;
    struct loom_params *ann;
    struct loom_system *machine;
    struct test_grid grid;
    struct loom_user_rule pools;
    struct loom_population_rule population;
    struct loom_feedback_options fluid, drawn;
    struct loom_request_change exact, uniform;
    struct loom_rearrangement shuffled;
};

static void open_stock(struct stock *stock)
{
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_error err = {0};
    *stock = (struct stock){.log = user_log(300), .other = user_log(250)};
    stock->model = published("lublin2003");
    rule.pools.long_term_s = rule.pools.edge_s = 0;
    if (loom_resampler_create(&stock->resampler, (const struct loom_trace *const[]){stock->log}, 1,
                              &rule, &err))
        fail_msg("%s", err.message);
    stock->ann = selection("users", "ann");
    assert_int_equal(loom_system_create(&stock->machine, 40, NULL), 0);
    open_grid(&stock->grid, stock->other);
    stock->pools = loom_user_rule();
    stock->pools.long_term_s = stock->pools.edge_s = 0;
    stock->population = loom_population_rule();
    stock->fluid = (struct loom_feedback_options){.behaviour = "fluid"};
    stock->drawn = (struct loom_feedback_options){.behaviour = "adjusted",
                                                  .population = &stock->population,
                                                  .pools = &stock->pools};
    stock->exact = (struct loom_request_change){.how = LOOM_REQUESTS_EXACT};
    stock->uniform = (struct loom_request_change){.how = LOOM_REQUESTS_UNIFORM, .factor = 2};
    stock->shuffled = (struct loom_rearrangement){.shuffle = LOOM_SHUFFLE_SEPARATE};
}

static void close_stock(struct stock *stock)
{
    loom_params_destroy(stock->ann);
    close_grid(&stock->grid);
    loom_system_destroy(stock->machine);
    loom_resampler_destroy(stock->resampler);
    loom_model_destroy(stock->model);
    loom_trace_destroy(stock->other);
    loom_trace_destroy(stock->log);
}

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
    kept.keep = LOOM_KEEP_RUN;
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

/* ---- kept runs ------------------------------------------------------------------------------- */

static void test_not_kept(void **state)
{
    struct loom_trace *trace = user_log(50), *schedule = (void *)state;
    struct loom_gantt *gantt = (void *)state;
    struct loom_error err;
    struct loom_scenario scenario = scenario_of(trace);
    size_t n = 99;
    scenario.keep = LOOM_KEEP_STARTS; /* of no use without the run */
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_null(loom_outcome_sim(outcome));
    assert_null(loom_outcome_trace(outcome));
    assert_null(loom_outcome_series(outcome));
    assert_null(loom_outcome_classes(outcome));
    assert_null(loom_outcome_outstanding(outcome, &n));
    assert_int_equal(n, 0);
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, &err), LOOM_EUSAGE);
    assert_null(schedule);
    schedule = (void *)state;
    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 0, &err), LOOM_EUSAGE);
    assert_null(schedule);
    assert_int_equal(loom_outcome_gantt(&gantt, outcome, (struct loom_sim_window){0, 10}, &err),
                     LOOM_EUSAGE);
    assert_null(gantt);
    assert_int_equal(loom_outcome_explain(NULL, outcome, &err), LOOM_EUSAGE);
    assert_null(loom_outcome_explain_json(outcome));
    loom_outcome_destroy(outcome);
    loom_outcome_destroy(NULL);
    loom_trace_destroy(trace);
}

static void test_kept_series(void **state)
{
    struct loom_trace *trace = user_log(200);
    struct loom_scenario scenario = scenario_of(trace);
    size_t n;
    (void)state;
    scenario.keep = LOOM_KEEP_SERIES;
    scenario.by = LOOM_CLASS_USER;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_true(loom_outcome_series(outcome)->count > 10);
    assert_non_null(loom_outcome_outstanding(outcome, &n));
    assert_int_equal(n, 5);
    assert_int_equal(loom_outcome_classes(outcome)->count, LOG_USERS);
    assert_true(loom_outcome_classes(outcome)->fairness == loom_outcome_value(outcome, "fairness"));
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

/* A schedule is a trace of its own: the outcome's stays as it was, and a second one is the same. */
static void test_schedule(void **state)
{
    struct loom_trace *trace = user_log(200), *schedule = NULL, *again = NULL;
    struct loom_scenario scenario = scenario_of(trace);
    size_t n;
    (void)state;
    scenario.load = 0.8;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    struct loom_trace *before = copy_of(loom_outcome_trace(outcome));
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
    assert_same_jobs(loom_outcome_trace(outcome), before);
    assert_same_header(loom_outcome_trace(outcome), before);

    const struct loom_sim_job *jobs = loom_sim_jobs(loom_outcome_sim(outcome), &n);
    assert_int_equal(n, 196);
    assert_int_equal(loom_trace_count(schedule), 200);
    for (size_t i = 0; i < n; i++) {
        struct loom_job wanted = loom_trace_job(before, jobs[i].row);
        wanted.wait_s = loom_sim_job_wait(&jobs[i]);
        assert_row(schedule, jobs[i].row, wanted);
    }
    for (size_t row = 49; row < 200; row += 50)
        assert_int_equal(loom_trace_job(schedule, row).wait_s, -1);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "32");
    assert_string_equal(loom_trace_directive(schedule, "MaxRecords"), "200");
    assert_string_equal(loom_trace_directive(before, "MaxRecords"), "7");
    assert_int_equal(loom_outcome_schedule(&again, outcome, NULL), 0);
    assert_same_jobs(again, schedule);
    loom_trace_destroy(schedule);
    loom_trace_destroy(again);
    loom_trace_destroy(before);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

/* Users submit at times of their own, and others than those of the log. */
static void test_schedule_of_users(void **state)
{
    struct stock stock;
    struct loom_trace *schedule = NULL;
    (void)state;
    open_stock(&stock);
    for (int drawn = 0; drawn < 2; drawn++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        scenario.users = drawn ? &stock.drawn : &stock.fluid;
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_true(loom_outcome_has(outcome, LOOM_METRICS_USERS));
        assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
        size_t known = 0;
        for (size_t row = 0; row < loom_trace_count(schedule); row++)
            known += loom_trace_job(schedule, row).wait_s >= 0;
        assert_true((double)known == loom_outcome_value(outcome, "jobs"));
        loom_trace_destroy(schedule);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
}

static void test_gantt(void **state)
{
    struct stock stock;
    struct loom_gantt *gantt = NULL;
    (void)state;
    open_stock(&stock);
    for (int on_grid = 0; on_grid < 2; on_grid++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        scenario.system = on_grid ? stock.grid.system : NULL;
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        const struct loom_sim_window week = {0, 7 * 86400}, none = {5, 5};
        assert_int_equal(loom_outcome_gantt(&gantt, outcome, week, NULL), 0);
        assert_non_null(gantt);
        loom_gantt_destroy(gantt);
        assert_int_not_equal(loom_outcome_gantt(&gantt, outcome, none, NULL), 0);
        assert_null(gantt);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
}

/* On one machine, of a grid's queue, and of a cluster's own job. */
static void test_explanations(void **state)
{
    static const char *const jobs[] = {"17", "17", "log=17"};
    struct stock stock;
    (void)state;
    open_stock(&stock);
    for (size_t i = 0; i < COUNT(jobs); i++) {
        struct loom_scenario scenario = scenario_of(stock.log);
        struct loom_output *out = NULL;
        char path[128];
        scenario.explain = jobs[i];
        scenario.system = i ? stock.grid.system : NULL;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_non_null(loom_outcome_sim(outcome)); /* the run is kept for it */
        json_t *json = loom_outcome_explain_json(outcome);
        assert_non_null(json);
        json_decref(json);
        snprintf(path, sizeof path, "%s/why", stock.grid.scratch.directory);
        assert_int_equal(loom_output_create(&out, path, NULL), 0);
        assert_int_equal(loom_outcome_explain(out, outcome, NULL), 0);
        assert_int_equal(loom_output_commit(out, NULL), 0);
        loom_output_destroy(out);
        char *text = load(path);
        assert_non_null(strstr(text, jobs[i]));
        free(text);
        loom_outcome_destroy(outcome);
    }
    close_stock(&stock);
}

/* ---- the local jobs of a grid ---------------------------------------------------------------- */

static void test_local_schedules(void **state)
{
    struct stock stock;
    struct loom_trace *schedule = NULL;
    struct loom_error err;
    (void)state;
    open_stock(&stock);
    struct loom_scenario scenario = scenario_of(stock.log);
    scenario.system = stock.grid.system;
    scenario.keep = LOOM_KEEP_RUN;
    const struct loom_trace *local = loom_system_local(stock.grid.system, 0);
    struct loom_trace *before = copy_of(local);
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 0, NULL), 0);
    assert_int_equal(loom_trace_count(schedule), loom_trace_count(local));
    size_t waits = 0;
    for (size_t row = 0; row < loom_trace_count(schedule); row++)
        waits += loom_trace_job(schedule, row).wait_s >= 0;
    assert_int_equal(waits, 245);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "32");
    assert_string_equal(loom_trace_directive(schedule, "MaxRecords"), "250");
    assert_true(loom_grid_made(schedule));
    loom_trace_destroy(schedule);
    assert_same_jobs(local, before);
    assert_same_header(local, before);

    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 1, NULL), 0);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "64");
    loom_trace_destroy(schedule);
    for (size_t cluster = 2; cluster < 5; cluster++) {
        schedule = (void *)&stock;
        assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, cluster, &err),
                         LOOM_EUSAGE);
        assert_null(schedule);
    }
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
    assert_string_equal(loom_trace_directive(schedule, "MaxProcs"), "112");
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(before);
    close_stock(&stock);
}

/* A shift that puts the first of two weeks' jobs before time 0. */
static void test_left_out(void **state)
{
    struct loom_trace *trace = user_log(100), *schedule = NULL;
    struct test_grid grid;
    struct loom_system *system = NULL;
    struct loom_error err = {0};
    (void)state;
    open_grid(&grid, trace);
    grid.clusters[0].has_shift = true;
    grid.clusters[0].load = 0;
    grid.clusters[0].shift_s = -7 * 86400;
    assert_int_equal(loom_system_create_grid(&system, &grid.platform, NULL, NULL), 0);
    assert_int_equal(loom_system_left_out(system, 0), 20);
    assert_int_equal(loom_trace_count(loom_system_local(system, 0)), 80);
    assert_int_equal(loom_system_procs(system), 112);
    struct loom_scenario scenario = scenario_of(trace);
    scenario.system = system;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_int_equal(loom_outcome_local_schedule(&schedule, outcome, 0, NULL), 0);
    assert_int_equal(loom_trace_count(schedule), 80);
    assert_string_equal(loom_trace_directive(schedule, "MaxRecords"), "80");
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    loom_system_destroy(system);

    grid.clusters[0].shift_s = -100 * 86400;
    assert_int_equal(loom_system_create_grid(&system, &grid.platform, NULL, &err), LOOM_EDATA);
    assert_null(system);
    assert_non_null(strstr(err.message, "local jobs of cluster log"));
    grid.clusters[0].background = "/nowhere/at-all.swf";
    assert_int_equal(loom_system_create_grid(&system, &grid.platform, NULL, &err), LOOM_EIO);
    assert_null(system);
    assert_non_null(strstr(err.message, "local jobs of cluster log"));
    close_grid(&grid);
    loom_trace_destroy(trace);
}

/* The load of a grid is over the processors that local jobs leave. */
static void test_grid_load(void **state)
{
    struct stock stock;
    (void)state;
    open_stock(&stock);
    struct loom_scenario scenario = scenario_of(stock.log);
    scenario.system = stock.grid.system;
    scenario.load = 0.5;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    const struct loom_load_change *load = loom_outcome_load(outcome);
    assert_true(load->asked == 0.5);
    assert_true(fabs(load->after - 0.5) < 0.05);
    assert_true(fabs(loom_outcome_value(outcome, "grid_load") / load->after - 1) < 1e-9);
    loom_outcome_destroy(outcome);
    stock.grid.clusters[1].model = "mmwm"; /* nothing was published */
    assert_fails(&scenario, LOOM_EUSAGE, "cluster model: ");
    close_stock(&stock);
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
        cmocka_unit_test(test_runner_changes_nothing),
        cmocka_unit_test(test_runner_after_a_failure),
        cmocka_unit_test(test_drawn_jobs),
        cmocka_unit_test(test_drawn_on_a_grid),
        cmocka_unit_test(test_not_kept),
        cmocka_unit_test(test_kept_series),
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_schedule_of_users),
        cmocka_unit_test(test_gantt),
        cmocka_unit_test(test_explanations),
        cmocka_unit_test(test_local_schedules),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_grid_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
