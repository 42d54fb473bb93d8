/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a scenario to an outcome, with the memory of the runner: jobs and users stay prepared for as
 * long as the next scenario wants the same, and the simulator is run again. Many scenarios run side
 * by side, with a runner for each thread; which thread makes which run has no part in the results.
 */
#include "experiment/run.h"

#include <workloom/experiment.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loom_run_destroy(struct loom_run *run)
{
    if (!run)
        return;
    if (run->grid)
        loom_grid_run_destroy(run->grid);
    if (run->users)
        loom_feedback_destroy(run->users);
    if (run->starts)
        loom_start_log_destroy(run->starts);
    if (run->explainer)
        loom_explainer_destroy(run->explainer);
    if (run->forecast)
        loom_wait_forecast_destroy(run->forecast);
    loom_sim_destroy(run->sim);
    loom_jobs_free(&run->jobs);
    free(run->explained);
    free(run);
}

struct loom_sim *loom_run_sim(const struct loom_run *run)
{
    return run->grid ? loom_grid_jobs(run->grid->grid) : run->sim;
}

int loom_find_job(uint32_t *row, const struct loom_trace *trace, const char *number,
                  struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const char *file = loom_trace_report(trace)->file;
    char *end = NULL;
    int64_t wanted = *number >= '0' && *number <= '9' ? strtoll(number, &end, 10) : -1;
    size_t n_found = 0;
    if (wanted < 0 || *end)
        return loom_fail(err, LOOM_EUSAGE, "'%s' is not the number of a job", number);
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->number[i] == wanted) {
            *row = (uint32_t)i;
            n_found++;
        }
    if (n_found == 0)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "none of the %zu jobs to simulate has the number %" PRId64, jobs->n,
                            wanted);
    if (n_found > 1)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "%zu jobs have the number %" PRId64 ", so it names none of them",
                            n_found, wanted);
    return 0;
}

/* ---- the runner ------------------------------------------------------------------------------ */

struct loom_runner {
    struct loom_run *run;          /* NULL before the first, and when an outcome has taken it */
    struct loom_scenario prepared; /* whose jobs and users run has; void without it */
};

int loom_runner_create(struct loom_runner **out, struct loom_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : loom_fail_memory(err);
}

void loom_runner_destroy(struct loom_runner *runner)
{
    if (runner)
        loom_run_destroy(runner->run);
    free(runner);
}

/* Would both have the same jobs, before the load is changed? */
static bool same_source(const struct loom_scenario *a, const struct loom_scenario *b)
{
    bool drawn = a->model || a->resampler || a->requests || a->rearrange;
    return a->trace == b->trace && a->model == b->model && a->resampler == b->resampler &&
           memcmp(&a->generate, &b->generate, sizeof a->generate) == 0 && a->select == b->select &&
           a->requests == b->requests && a->rearrange == b->rearrange && a->seed == b->seed &&
           (!drawn || a->replication == b->replication);
}

/* Would both do the same to these jobs and have, before they submit anything, the same users? */
static bool same_changes(const struct loom_scenario *a, const struct loom_scenario *b)
{
    return a->load == b->load && a->load_by == b->load_by && a->system == b->system &&
           a->machine.procs == b->machine.procs && a->machine.source == b->machine.source &&
           a->users == b->users;
}

static int open_users(struct loom_run *run, const struct loom_scenario *scenario,
                      struct loom_error *err)
{
    struct loom_feedback_options options = *scenario->users;
    options.seed = scenario->seed;
    return loom_feedback_create(&run->users, run->jobs.jobs, &options, err);
}

static int change_load(struct loom_run *run, const struct loom_scenario *scenario,
                       struct loom_error *err)
{
    int rc = loom_jobs_derive(&run->jobs, err);
    return rc ? rc
              : loom_load_change(&run->jobs.load, run->jobs.scaled, run->jobs.load.procs,
                                 scenario->load, scenario->load_by, err);
}

/* Change the load of the jobs and make the users, in place of the ones of an earlier run. */
static int change(struct loom_run *run, const struct loom_scenario *scenario, bool grid,
                  struct loom_error *err)
{
    if (run->users)
        loom_feedback_destroy(run->users);
    run->users = NULL;
    loom_jobs_restore(&run->jobs);
    /* The machine: of the system, of the scenario, or of the trace's header (0). A size that nobody
     * states is not guessed here, where nothing could say so. */
    run->machine = (struct loom_machine_size){0, LOOM_SIZE_HEADER};
    if (scenario->system && !grid)
        run->machine.procs = loom_system_procs(scenario->system);
    else if (!grid && scenario->machine.source != LOOM_SIZE_WIDEST)
        run->machine = scenario->machine;
    run->jobs.load.procs = run->machine.procs;
    int rc = !grid && scenario->load > 0 ? change_load(run, scenario, err) : 0;
    return rc || !scenario->users ? rc : open_users(run, scenario, err);
}

/* Make a run with the simulator of the last one. */
static int renew(struct loom_runner *runner, const struct loom_scenario *scenario,
                 struct loom_error *err)
{
    struct loom_sim *sim = NULL;
    if (runner->run) {
        sim = runner->run->sim;
        runner->run->sim = NULL;
        loom_run_destroy(runner->run);
    }
    struct loom_run *run = runner->run = calloc(1, sizeof *run);
    if (!run) {
        loom_sim_destroy(sim);
        return loom_fail_memory(err);
    }
    run->sim = sim;
    return loom_jobs_prepare(&run->jobs, scenario, err);
}

static int prepare_run(struct loom_runner *runner, const struct loom_scenario *scenario,
                       struct loom_error *err)
{
    bool grid = scenario->system && loom_system_platform(scenario->system);
    bool source = runner->run && same_source(&runner->prepared, scenario);
    if (source && !grid && same_changes(&runner->prepared, scenario))
        return 0;
    runner->prepared = *scenario;
    int rc = source ? 0 : renew(runner, scenario, err);
    return rc ? rc : change(runner->run, scenario, grid, err);
}

/* ---- one machine ----------------------------------------------------------------------------- */

static int open_explainer(struct loom_run *run, const struct loom_scenario *scenario,
                          struct loom_error *err)
{
    uint32_t row;
    int rc = loom_find_job(&row, run->jobs.jobs, scenario->explain, err);
    return rc ? rc : loom_explainer_create(&run->explainer, row, err);
}

/* Fill in the observers that a scenario wants, of which options has room for three. */
static int watch(struct loom_observer *observers, struct loom_sim_options *options,
                 struct loom_run *run, const struct loom_scenario *scenario, struct loom_error *err)
{
    size_t *n = &options->n_observers;
    int rc = scenario->explain ? open_explainer(run, scenario, err) : 0;
    if (!rc && scenario->keep & LOOM_KEEP_STARTS)
        rc = loom_start_log_create(&run->starts, err);
    if (!rc && run->explainer)
        observers[(*n)++] = loom_explainer_observer(run->explainer);
    if (!rc && run->starts)
        observers[(*n)++] = loom_start_log_observer(run->starts);
    if (!rc && scenario->predict_waits)
        rc = loom_wait_forecast_create(&run->forecast, options, err);
    if (!rc && run->forecast)
        observers[(*n)++] = loom_wait_forecast_observer(run->forecast);
    return rc;
}

/* The parts of a split machine: which one each job is for. */
static int find_parts(struct loom_parts *out, const struct loom_split *split,
                      const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const int32_t *numbers = split->by == LOOM_QUEUE ? jobs->queue : jobs->partition;
    uint32_t *of = malloc((jobs->n + 1) * sizeof *of);
    int64_t *procs = malloc((split->n + 1) * sizeof *procs);
    *out = (struct loom_parts){split->n, procs, of};
    if (!of || !procs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < split->n; i++)
        procs[i] = split->shares[i].procs;
    for (size_t row = 0; row < jobs->n; row++) {
        uint32_t at = 0;
        while (at < split->n && split->shares[at].number != numbers[row])
            at++;
        if (at == split->n)
            return loom_fail_field(err, LOOM_EDATA, "split",
                                   "%s %" PRId32 " has no processors in split",
                                   split->by == LOOM_QUEUE ? "queue" : "partition", numbers[row]);
        of[row] = at;
    }
    return 0;
}

/* Simulate a split machine. */
static int run_split(struct loom_run *run, const struct loom_split *split,
                     struct loom_sim_options *options, struct loom_error *err)
{
    struct loom_parts parts = {0};
    int rc = find_parts(&parts, split, run->jobs.jobs, err);
    options->parts = &parts;
    if (!rc)
        rc = loom_sim_run_trace(run->sim, options, run->jobs.jobs, err);
    free((void *)parts.procs);
    free((void *)parts.of);
    return rc;
}

static int simulate(struct loom_run *run, const struct loom_scenario *scenario,
                    struct loom_error *err)
{
    if (scenario->system && loom_system_platform(scenario->system))
        return loom_grid_run_scenario(run, scenario, err);
    struct loom_observer observers[3];
    struct loom_sim_options options = {
        .scheduler = scenario->policy,
        .schedulers = scenario->schedulers,
        .procs = run->jobs.load.procs,
        .overrun = scenario->overrun,
        .compat = scenario->compat,
        .estimator = scenario->estimator,
        .downtime = scenario->downtime,
        .limits = scenario->limits,
        .urgent = scenario->urgent,
        .observers = observers,
        .progress = scenario->progress,
    };
    int rc = loom_measure_check(scenario, run->jobs.jobs, err);
    if (!rc && (scenario->explain || scenario->keep & LOOM_KEEP_STARTS || scenario->predict_waits))
        rc = watch(observers, &options, run, scenario, err);
    if (!rc && !run->sim)
        rc = loom_sim_create(&run->sim, err);
    if (rc)
        return rc;
    return run->users
               ? loom_sim_run_feedback(run->sim, &options, run->users, scenario->replication, err)
           : scenario->split ? run_split(run, scenario->split, &options, err)
                             : loom_sim_run_trace(run->sim, &options, run->jobs.jobs, err);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A predictor begins each run without knowledge, and is the estimator of that run. */
static int simulate_predicted(struct loom_run *run, const struct loom_scenario *scenario,
                              struct loom_error *err)
{
    struct loom_predictor *predictor;
    struct loom_scenario predicted = *scenario;
    int rc = loom_predictor_create(&predictor, scenario->predictor, err);
    if (rc)
        return rc;
    const struct loom_estimator estimator =
        loom_predictor_estimator(predictor, scenario->correction);
    predicted.estimator = &estimator;
    rc = simulate(run, &predicted, err);
    run->predicted = loom_predictor_errors(predictor);
    run->requests_unknown = loom_predictor_requests_unknown(predictor);
    loom_predictor_destroy(predictor);
    return rc;
}

/* The jobs of a grid may serve the next run, the grid does not. Returns 0. */
static int forget_grid(struct loom_run *run)
{
    loom_grid_run_destroy(run->grid);
    run->grid = NULL;
    return 0;
}

static int run_with(struct loom_outcome **out, struct loom_runner *runner,
                    const struct loom_scenario *scenario, bool last, struct loom_error *err)
{
    bool keep = scenario->keep & LOOM_KEEP_RUN || scenario->explain;
    int rc = prepare_run(runner, scenario, err);
    if (!rc && scenario->explain && !(runner->run->explained = strdup(scenario->explain)))
        rc = loom_fail_memory(err);
    if (!rc)
        rc = scenario->predictor ? simulate_predicted(runner->run, scenario, err)
                                 : simulate(runner->run, scenario, err);
    if (!rc && last)
        loom_sim_shrink(loom_run_sim(runner->run)); /* measuring takes memory too */
    if (!rc)
        rc = loom_measure(out, runner->run, scenario, err);
    if (rc) {
        loom_outcome_destroy(*out);
        *out = NULL;
    }
    if (!rc && keep)
        (*out)->run = runner->run;
    else if (rc || runner->run->explainer || runner->run->starts || runner->run->forecast)
        loom_run_destroy(runner->run);
    else
        return runner->run->grid ? forget_grid(runner->run) : 0;
    runner->run = NULL;
    return rc;
}

int loom_scenario_run(struct loom_outcome **out, const struct loom_scenario *scenario,
                      struct loom_runner *runner, struct loom_error *err)
{
    struct loom_runner once = {0};
    *out = NULL;
    int rc = loom_scenario_check(scenario, err);
    if (!rc)
        rc = run_with(out, runner ? runner : &once, scenario, !runner, err);
    loom_run_destroy(once.run);
    return rc;
}

/* ---- many scenarios -------------------------------------------------------------------------- */

struct sweep {
    const struct loom_scenario *scenarios;
    struct loom_outcome **outcomes;
    struct loom_runner **runners; /* by worker */
};

/* Prefix an error with the run that failed; file, line and field stay. Returns rc. */
static int name_run(int rc, const struct loom_scenario *scenario, struct loom_error *err)
{
    char text[sizeof err->message], at[40] = "";
    if (!rc || rc == LOOM_ENOMEM || !err)
        return rc;
    memcpy(text, err->message, sizeof text);
    if (scenario->load > 0)
        snprintf(at, sizeof at, " at a load of %g", scenario->load);
    snprintf(err->message, sizeof err->message, "%.60s%s: %.600s",
             scenario->policy ? scenario->policy : "no policy", at, text);
    return rc;
}

static int run_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct sweep *sweep = context;
    struct loom_scenario scenario = sweep->scenarios[index];
    scenario.pool = NULL; /* it is busy with the sweep */
    int rc = sweep->runners[worker] ? 0 : loom_runner_create(&sweep->runners[worker], err);
    if (!rc)
        rc = loom_scenario_run(&sweep->outcomes[index], &scenario, sweep->runners[worker], err);
    return name_run(rc, &scenario, err);
}

static int run_all(struct sweep *sweep, size_t n, struct loom_pool *pool, struct loom_error *err)
{
    size_t threads = pool ? loom_pool_threads(pool) : 1;
    sweep->runners = calloc(threads, sizeof *sweep->runners);
    if (!sweep->runners)
        return loom_fail_memory(err);
    int rc = loom_pool_for(pool, n, run_one, sweep, err);
    for (size_t i = 0; i < threads; i++)
        loom_runner_destroy(sweep->runners[i]);
    free(sweep->runners);
    return rc;
}

/* An estimator learns, and is for one run at a time. */
static int check_estimators(const struct loom_scenario *scenarios, size_t n, struct loom_error *err)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i && scenarios[i].estimator; k++)
            if (scenarios[k].estimator == scenarios[i].estimator)
                return loom_fail_field(
                    err, LOOM_EUSAGE, "estimator",
                    "scenarios %zu and %zu have one estimator; give each its own", k, i);
    return 0;
}

int loom_sweep_run(struct loom_outcome **outcomes, const struct loom_scenario *scenarios, size_t n,
                   struct loom_pool *pool, struct loom_error *err)
{
    struct sweep sweep = {.scenarios = scenarios, .outcomes = outcomes};
    memset(outcomes, 0, n * sizeof *outcomes);
    if (n == 1)
        return loom_scenario_run(outcomes, scenarios, NULL, err);
    for (size_t i = 0; i < n; i++)
        if (scenarios[i].keep & LOOM_KEEP_RUN || scenarios[i].explain)
            return loom_fail(err, LOOM_EUSAGE, "only a single scenario can keep its run");
    int rc = check_estimators(scenarios, n, err);
    if (!rc)
        rc = run_all(&sweep, n, pool, err);
    for (size_t i = 0; i < n && rc; i++) {
        loom_outcome_destroy(outcomes[i]);
        outcomes[i] = NULL;
    }
    return rc;
}
