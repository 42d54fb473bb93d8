/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenarios.h - logs and grids for scenarios, and outcomes compared metric by metric. */
#ifndef LOOM_TESTS_SCENARIOS_H
#define LOOM_TESTS_SCENARIOS_H

#include "support.h"

#include <workloom/experiment.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_PROCS = 32, LOG_USERS = 6 };

/* n jobs over five weeks of six users on 32 processors: requested times known and often too high,
 * every 50th runtime unknown. */
static inline struct loom_trace *user_log(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 11, 0, "log of scenarios");
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "32", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "MaxRecords", "7", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 3, "ann", NULL), 0);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = (int64_t)(i * 35 * 86400 / n);
        job.run_s = i % 50 == 49 ? -1 : (int64_t)exp(loom_stream_uniform(&stream) * 11);
        job.request_s = 600 * (1 + (int64_t)loom_stream_below(&stream, 60));
        job.req_procs = 1 << loom_stream_below(&stream, 6);
        job.user = 1 + (int32_t)loom_stream_below(&stream, LOG_USERS);
        job.queue = 1 + (int32_t)loom_stream_below(&stream, 2);
        job.wait_s = (int64_t)loom_stream_below(&stream, 1000);
        append(trace, job);
    }
    return trace;
}

/* A scenario of defaults with the jobs of a trace. */
static inline struct loom_scenario scenario_of(const struct loom_trace *trace)
{
    struct loom_scenario scenario = loom_scenario();
    scenario.trace = trace;
    return scenario;
}

/* The caller must destroy it. runner may be NULL. */
static inline struct loom_outcome *must_succeed(const struct loom_scenario *scenario,
                                                struct loom_runner *runner)
{
    struct loom_outcome *outcome = NULL;
    struct loom_error err = {0};
    if (loom_scenario_run(&outcome, scenario, runner, &err))
        fail_msg("%s", err.message);
    assert_non_null(outcome);
    return outcome;
}

/* It fails with this code and a message that has these words, and leaves no outcome. */
static inline void assert_fails_with(const struct loom_scenario *scenario,
                                     struct loom_runner *runner, int code, const char *words)
{
    struct loom_outcome *outcome = (void *)&code;
    struct loom_error err = {0};
    assert_int_equal(loom_scenario_run(&outcome, scenario, runner, &err), code);
    assert_null(outcome);
    assert_int_equal(err.code, code);
    if (!strstr(err.message, words))
        fail_msg("'%s' has no '%s'", err.message, words);
    assert_int_equal(loom_scenario_run(&outcome, scenario, runner, NULL), code);
    assert_null(outcome);
}

static inline void assert_fails(const struct loom_scenario *scenario, int code, const char *words)
{
    assert_fails_with(scenario, NULL, code, words);
}

static inline bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* To the last bit. */
static inline void assert_same_outcome(const struct loom_outcome *got,
                                       const struct loom_outcome *wanted)
{
    const struct loom_metric *metric;
    assert_string_equal(loom_outcome_policy(got), loom_outcome_policy(wanted));
    assert_int_equal(loom_outcome_procs(got), loom_outcome_procs(wanted));
    for (size_t i = 0; (metric = loom_metric_at(i)); i++) {
        double a = loom_outcome_metric(got, metric), b = loom_outcome_metric(wanted, metric);
        assert_int_equal(loom_outcome_has(got, metric->group),
                         loom_outcome_has(wanted, metric->group));
        if (!same_number(a, b))
            fail_msg("%s: %.17g, not %.17g", metric->key, a, b);
    }
    assert_true(same_number(loom_outcome_load_offered(got), loom_outcome_load_offered(wanted)));
}

static inline bool differ(const struct loom_outcome *a, const struct loom_outcome *b,
                          const char *key)
{
    return !same_number(loom_outcome_value(a, key), loom_outcome_value(b, key));
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* Three clusters: local jobs of a log, of a model, and none. */
struct test_grid {
    struct scratch scratch;
    struct loom_platform_cluster clusters[3];
    struct loom_platform platform;
    struct loom_system *system;
};

static inline void open_grid(struct test_grid *grid, const struct loom_trace *local)
{
    struct loom_error err = {0};
    assert_int_equal(scratch_open(&grid->scratch, "local.swf"), 0);
    must_write(local, grid->scratch.file);
    grid->clusters[0] = (struct loom_platform_cluster){.name = "log",
                                                       .procs = LOG_PROCS,
                                                       .background = grid->scratch.file,
                                                       .load = 0.3};
    grid->clusters[1] = (struct loom_platform_cluster){.name = "model",
                                                       .procs = 64,
                                                       .scheduler = "conservative",
                                                       .model = "lublin2003",
                                                       .load = 0.3};
    grid->clusters[2] = (struct loom_platform_cluster){.name = "idle", .procs = 16};
    grid->platform = (struct loom_platform){.name = "three",
                                            .dispatch = "choose=random",
                                            .clusters = grid->clusters,
                                            .n_clusters = 3};
    if (loom_system_create_grid(&grid->system, &grid->platform, NULL, &err))
        fail_msg("%s", err.message);
}

static inline void close_grid(struct test_grid *grid)
{
    loom_system_destroy(grid->system);
    assert_int_equal(scratch_close(&grid->scratch), 0);
}

/* ---- what scenarios point at ----------------------------------------------------------------- */

/* A selection with one parameter set. The caller must destroy it. */
static inline struct loom_params *selection(const char *name, const char *value)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    assert_int_equal(loom_params_set(params, name, value, NULL), 0);
    return params;
}

/* The caller must destroy it. */
static inline struct loom_trace *copy_of(const struct loom_trace *trace)
{
    uint8_t *none = calloc(loom_trace_count(trace) + 1, 1);
    struct loom_trace *copy = NULL;
    assert_non_null(none);
    assert_int_equal(loom_trace_subset(&copy, trace, none, 0, NULL), 0);
    free(none);
    return copy;
}

/* A model with its published parameters. The caller must destroy it. */
static inline struct loom_model *published(const char *name)
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

static inline void open_stock(struct stock *stock)
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

static inline void close_stock(struct stock *stock)
{
    loom_params_destroy(stock->ann);
    close_grid(&stock->grid);
    loom_system_destroy(stock->machine);
    loom_resampler_destroy(stock->resampler);
    loom_model_destroy(stock->model);
    loom_trace_destroy(stock->other);
    loom_trace_destroy(stock->log);
}

#endif
