/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scheduling response of a workload (Minh 2012, 5.2.5): mean wait and slowdown, which is mean
 * response over mean runtime, under FCFS and EASY as functions of the load.
 *
 * Minh changes the size of the system; here times between jobs are scaled, as sizes cannot
 * shrink below the widest job.
 */
#include <workloom/experiment_response.h>

#include <math.h>

static const char *const policies[LOOM_RESPONSE_POLICIES] = {"fcfs", "easy"};
static const double loads[LOOM_RESPONSE_LOADS] = {0.5, 0.6, 0.7, 0.8};

/* Waits that differ by a minute are the same to a user. */
static const double LEAST_WAIT_S = 60;

struct loom_response_cell loom_response_cell(size_t index)
{
    return (struct loom_response_cell){policies[index / LOOM_RESPONSE_LOADS],
                                       loads[index % LOOM_RESPONSE_LOADS]};
}

static int measure_cell(struct loom_response *out, size_t index, const struct loom_trace *trace,
                        struct loom_runner *runner, struct loom_error *err)
{
    struct loom_scenario scenario = loom_scenario();
    struct loom_outcome *outcome = NULL;
    struct loom_response_cell cell = loom_response_cell(index);
    scenario.trace = trace;
    scenario.policy = cell.policy;
    scenario.load = cell.load;
    scenario.load_by = LOOM_LOAD_ARRIVALS;
    int rc = loom_scenario_run(&outcome, &scenario, runner, err);
    if (rc)
        return rc;
    out->wait_s[index] = loom_outcome_value(outcome, "wait_mean_s");
    out->slowdown[index] = loom_outcome_value(outcome, "slowdown_ratio");
    loom_outcome_destroy(outcome);
    if (!isfinite(out->wait_s[index]) || !isfinite(out->slowdown[index]))
        return loom_fail(err, LOOM_EDATA, "the jobs have no mean wait or slowdown under %s",
                         cell.policy);
    return 0;
}

int loom_response_measure(struct loom_response *out, const struct loom_trace *trace,
                          struct loom_error *err)
{
    struct loom_runner *runner = NULL;
    int rc = loom_runner_create(&runner, err);
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS && !rc; i++)
        rc = measure_cell(out, i, trace, runner, err);
    loom_runner_destroy(runner);
    return rc;
}

static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? fmin(a / b, b / a) : a == b;
}

double loom_response_closeness(const struct loom_response *log, const struct loom_response *model)
{
    double sum = 0;
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS; i++)
        sum += ratio(log->wait_s[i] + LEAST_WAIT_S, model->wait_s[i] + LEAST_WAIT_S) +
               ratio(log->slowdown[i], model->slowdown[i]);
    return sum / (2 * LOOM_RESPONSE_CELLS);
}
