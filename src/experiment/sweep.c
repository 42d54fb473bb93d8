/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many scenarios side by side. Each thread has a runner, so memory is taken by as many runs as
 * there are threads; which thread makes which run has no part in the results.
 */
#include <workloom/experiment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
