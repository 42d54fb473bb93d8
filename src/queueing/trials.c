/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run the replications of all trials in parallel, then combine them in order. */
#include "queueing/model.h"
#include "queueing/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct loom_queueing_options loom_queueing_options(void)
{
    return (struct loom_queueing_options){.jobs = 1000000,
                                          .replications = 1,
                                          .confidence = 0.95,
                                          .seed = 1};
}

static int check_trials_options(const struct loom_queueing_trial *trial, struct loom_error *err)
{
    const struct loom_queueing_options *options = &trial->options;
    if (options->users == 0 && options->jobs == 0)
        return loom_fail_field(err, LOOM_ERANGE, "jobs",
                               "jobs must be above 0, else it never ends");
    if (options->users > 0 && options->jobs == 0 && trial->model.lambda == 0)
        return loom_fail_field(err, LOOM_ERANGE, "lambda",
                               "lambda is 0: no open users arrive, and the run never ends");
    if (options->replications == 0)
        return loom_fail_field(err, LOOM_ERANGE, "replications", "replications must be at least 1");
    if (!(options->confidence > 0 && options->confidence < 1))
        return loom_fail_field(err, LOOM_ERANGE, "confidence",
                               "confidence must be between 0 and 1, not %g", options->confidence);
    return 0;
}

static int trial_prepare(struct loom_queueing_trial *trial, struct loom_error *err)
{
    int rc = loom_queueing_check(&trial->model, err);
    if (!rc && trial->simulate)
        rc = check_trials_options(trial, err);
    if (!rc && trial->solve)
        rc = loom_mixed_solve(&trial->solved, &trial->model, err);
    if (!rc && trial->solve)
        loom_queueing_set_exact(trial->exact, &trial->model, &trial->solved);
    return rc;
}

/* ---- replications ---------------------------------------------------------------------------- */

struct task {
    struct loom_queueing_trial *trial;
    uint64_t replication;
    struct loom_replication made;
};

static int simulate_trial(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct task *task = (struct task *)context + index;
    (void)worker;
    return loom_queueing_replicate(&task->made, &task->trial->model, &task->trial->options,
                                   task->replication, err);
}

static void add_runtimes(struct loom_queueing_runtimes *to,
                         const struct loom_queueing_runtimes *more)
{
    to->width = more->width;
    for (size_t i = 0; i < LOOM_QUEUEING_BINS; i++) {
        to->continued[i] += more->continued[i];
        to->last[i] += more->last[i];
    }
}

/* Return the share of submitted work that was not served; response minus wait is service time.
 * */
static double unserved_of(const struct loom_sums *batches, size_t n, unsigned servers)
{
    double work = 0, served = 0;
    for (size_t b = 0; b < n; b++) {
        work += batches[b].of[LOOM_SUM_RESPONSE] - batches[b].of[LOOM_SUM_WAIT];
        served += servers * batches[b].of[LOOM_SUM_BUSY];
    }
    return work > served ? 1 - served / work : 0;
}

/* Combine the replications of a trial: pool their batches. */
static int conclude(struct loom_queueing_trial *trial, const struct task *tasks,
                    struct loom_error *err)
{
    struct loom_queueing_result *result = &trial->result;
    size_t n = trial->options.replications, batches = 0;
    struct loom_sums *all = calloc(n * LOOM_BATCHES, sizeof *all);
    if (!all)
        return loom_fail_memory(err);
    *result = (struct loom_queueing_result){0};
    for (size_t i = 0; i < n; i++) {
        const struct loom_replication *made = &tasks[i].made;
        memcpy(all + batches, made->batches.of, made->batches.n * sizeof *all);
        batches += made->batches.n;
        result->jobs += made->jobs;
        result->warm_up += made->batches.warm_up;
        add_runtimes(&result->runtimes, &made->runtimes);
    }
    result->batches = (unsigned)batches;
    loom_job_cells_estimate(result->metrics, all, batches, trial->options.confidence);
    result->unserved = unserved_of(all, batches, trial->model.servers);
    free(all);
    return 0;
}

static size_t count_tasks(const struct loom_queueing_trial *trial)
{
    return trial->simulate ? trial->options.replications : 0;
}

static int simulate_all(struct loom_queueing_trial *trials, size_t n, size_t n_tasks,
                        struct loom_pool *pool, struct loom_error *err)
{
    struct task *tasks = calloc(n_tasks + 1, sizeof *tasks), *next = tasks;
    if (!tasks)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count_tasks(&trials[i]); k++)
            *next++ = (struct task){.trial = &trials[i], .replication = k};
    int rc = loom_pool_for(pool, n_tasks, simulate_trial, tasks, err);
    next = tasks;
    for (size_t i = 0; i < n && !rc; i++)
        if (trials[i].simulate) {
            rc = conclude(&trials[i], next, err);
            next += count_tasks(&trials[i]);
        }
    free(tasks);
    return rc;
}

int loom_queueing_run(struct loom_queueing_trial *trials, size_t n, struct loom_pool *pool,
                      struct loom_error *err)
{
    size_t n_tasks = 0;
    for (size_t i = 0; i < n; i++) {
        int rc = trial_prepare(&trials[i], err);
        if (rc)
            return rc;
        if (count_tasks(&trials[i]) > 1000000 - n_tasks)
            return loom_fail_field(err, LOOM_ERANGE, "replications",
                                   "replications of all cells are more than 1,000,000");
        n_tasks += count_tasks(&trials[i]);
    }
    return simulate_all(trials, n, n_tasks, pool, err);
}

int loom_queueing_simulate(struct loom_queueing_result *out,
                           const struct loom_queueing_model *model,
                           const struct loom_queueing_options *options, struct loom_pool *pool,
                           struct loom_error *err)
{
    struct loom_queueing_trial trial = {.model = *model, .options = *options, .simulate = true};
    int rc = loom_queueing_run(&trial, 1, pool, err);
    if (!rc)
        *out = trial.result;
    return rc;
}
