/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a plan will take, and how much memory, from trial runs of its first replication. */
#include "experiment/study.h"

#include <stdlib.h>
#include <sys/resource.h>

static int64_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)usage.ru_maxrss * 1024;
}

/* Run cells of replication 0 until the time is used up; seconds[i] is 0 of those not tried. */
static int try_cells(struct loom_study_estimate *out, double *seconds,
                     const struct loom_study *study, double budget_s, struct loom_error *err)
{
    struct loom_runner *runner = NULL;
    double began_s = loom_study_now_s();
    int rc = loom_runner_create(&runner, err);
    for (size_t k = 0; k < study->plan->n_cells && !rc; k++) {
        struct loom_scenario scenario;
        struct loom_outcome *outcome = NULL;
        size_t cell = study->order[k];
        double from_s = loom_study_now_s();
        if (from_s - began_s > budget_s || loom_study_stopping(study))
            break;
        loom_plan_scenario(study->plan, cell, 0, &scenario);
        int failed = loom_scenario_run(&outcome, &scenario, runner, err);
        loom_outcome_destroy(outcome);
        seconds[cell] = loom_study_now_s() - from_s;
        out->trials++;
        out->failed += failed != 0;
        rc = failed == LOOM_ENOMEM ? failed : 0;
    }
    loom_runner_destroy(runner);
    return rc;
}

/* Cells that were not tried take as long as those that were, on average. */
static void sum_estimates(struct loom_study_estimate *out, const double *seconds,
                          const struct loom_plan *plan)
{
    double tried_s = 0;
    for (size_t i = 0; i < plan->n_cells; i++)
        tried_s += seconds[i];
    double mean_s = out->trials > 0 ? tried_s / (double)out->trials : 0;
    for (size_t i = 0; i < plan->n_cells; i++)
        out->seconds +=
            (double)plan->cells[i].replications * (seconds[i] > 0 ? seconds[i] : mean_s);
}

int loom_study_estimate(struct loom_study_estimate *out, const struct loom_plan *plan,
                        double budget_s, unsigned threads, struct loom_error *err)
{
    const struct loom_study_options options = {0};
    struct loom_study study;
    int64_t before = peak_bytes();
    *out = (struct loom_study_estimate){0};
    double *seconds = calloc(plan->n_cells + 1, sizeof *seconds);
    int rc = loom_study_open(&study, plan, &options, err);
    if (!rc && !seconds)
        rc = loom_fail_memory(err);
    if (!rc)
        rc = try_cells(out, seconds, &study, budget_s, err);
    if (!rc) {
        sum_estimates(out, seconds, plan);
        out->bytes = before + (int64_t)threads * (peak_bytes() - before);
        out->seconds /= threads;
    }
    loom_study_close(&study);
    free(seconds);
    return rc;
}
