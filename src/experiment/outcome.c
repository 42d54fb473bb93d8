/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run leaves behind, for whoever asks. */
#include "experiment/run.h"
#include "trace/table.h"

#include <stdlib.h>

void loom_outcome_destroy(struct loom_outcome *outcome)
{
    if (!outcome)
        return;
    loom_run_destroy(outcome->run);
    loom_sim_classes_destroy(outcome->classes);
    free(outcome->class_names);
    loom_sim_series_destroy(outcome->series);
    if (outcome->grid)
        loom_grid_outcome_destroy(outcome->grid);
    if (outcome->submitters)
        free(outcome->submitters->behaviour);
    free(outcome->submitters);
    if (outcome->predicted)
        free(outcome->predicted->predictor);
    free(outcome->predicted);
    free(outcome->within);
    free(outcome->waits);
    free(outcome->outstanding);
    free(outcome->curves);
    free(outcome->policy);
    free(outcome);
}

bool loom_outcome_saturated(const struct loom_outcome *outcome)
{
    const struct loom_sim_metrics *metrics = &outcome->metrics;
    return metrics->saturated > 0 && !metrics->filling && !metrics->undecided;
}

bool loom_outcome_has(const struct loom_outcome *outcome, enum loom_metric_group group)
{
    return group == LOOM_METRICS_USERS        ? outcome->submitters != NULL
           : group == LOOM_METRICS_GRID       ? outcome->grid != NULL
           : group == LOOM_METRICS_PREDICTION ? outcome->predicted != NULL
           : group == LOOM_METRICS_WITHIN     ? outcome->within != NULL
           : group == LOOM_METRICS_WAITS      ? outcome->waits != NULL
                                              : true;
}

const char *loom_outcome_policy(const struct loom_outcome *outcome)
{
    return outcome->policy;
}

int64_t loom_outcome_procs(const struct loom_outcome *outcome)
{
    return outcome->procs;
}

const struct loom_load_change *loom_outcome_load(const struct loom_outcome *outcome)
{
    return outcome->load.asked > 0 ? &outcome->load : NULL;
}

const struct loom_request_change *loom_outcome_requests(const struct loom_outcome *outcome)
{
    return outcome->requests.how != LOOM_REQUESTS_REQUESTED ? &outcome->requests : NULL;
}

int64_t loom_outcome_predicted_start(const struct loom_outcome *outcome, uint32_t job)
{
    bool known = outcome->run && outcome->run->forecast;
    return known ? loom_wait_forecast_start(outcome->run->forecast, job) : -1;
}

const char *loom_outcome_predictor(const struct loom_outcome *outcome)
{
    return outcome->predicted ? outcome->predicted->predictor : NULL;
}

double loom_outcome_load_offered(const struct loom_outcome *outcome)
{
    return outcome->load_shown;
}

uint64_t loom_outcome_seed(const struct loom_outcome *outcome)
{
    return outcome->seed;
}

uint64_t loom_outcome_replication(const struct loom_outcome *outcome)
{
    return outcome->replication;
}

const struct loom_sim_classes *loom_outcome_classes(const struct loom_outcome *outcome)
{
    return outcome->classes;
}

const struct loom_sim_series *loom_outcome_series(const struct loom_outcome *outcome)
{
    return outcome->series;
}

const int64_t *loom_outcome_outstanding(const struct loom_outcome *outcome, size_t *n)
{
    *n = outcome->n_weeks;
    return outcome->outstanding;
}

/* ---- of a kept run --------------------------------------------------------------------------- */

const struct loom_sim *loom_outcome_sim(const struct loom_outcome *outcome)
{
    return outcome->run ? loom_run_sim(outcome->run) : NULL;
}

const struct loom_trace *loom_outcome_trace(const struct loom_outcome *outcome)
{
    return outcome->run ? outcome->run->jobs.jobs : NULL;
}

static int need_run(const struct loom_outcome *outcome, struct loom_error *err)
{
    return outcome->run
               ? 0
               : loom_fail(err, LOOM_EUSAGE, "the scenario did not keep its run (LOOM_KEEP_RUN)");
}

/* Note the machine in the header, and how many jobs there are. */
static int finish_schedule(struct loom_trace *trace, int64_t procs, struct loom_error *err)
{
    int rc = loom_trace_set_directive_number(trace, "MaxProcs", procs, err);
    if (!rc && loom_trace_machine(trace)->max_records >= 0)
        rc = loom_trace_set_directive_number(trace, "MaxRecords", (int64_t)loom_trace_count(trace),
                                             err);
    return rc;
}

static int take_schedule(struct loom_trace **out, struct loom_trace *trace, int rc)
{
    if (rc)
        loom_trace_destroy(trace);
    *out = rc ? NULL : trace;
    return rc;
}

/* Users submit at other times than the log, and a population other jobs: their schedule is a trace
 * of its own. */
int loom_outcome_schedule(struct loom_trace **out, const struct loom_outcome *outcome,
                          struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    const struct loom_run *run = outcome->run;
    int rc = need_run(outcome, err);
    if (!rc && run->users)
        rc = loom_feedback_schedule(&trace, run->users, run->sim, err);
    else if (!rc)
        rc = loom_trace_derive(&trace, run->jobs.jobs, err);
    if (!rc && run->grid)
        rc = loom_grid_schedule(run->grid->grid, trace, err);
    else if (!rc && !run->users)
        rc = loom_sim_schedule(run->sim, trace, err);
    if (!rc)
        rc = finish_schedule(trace, outcome->procs, err);
    return take_schedule(out, trace, rc);
}

int loom_outcome_local_schedule(struct loom_trace **out, const struct loom_outcome *outcome,
                                size_t cluster, struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    const struct loom_grid_run *run = outcome->run ? outcome->run->grid : NULL;
    const struct loom_cluster *site =
        run && cluster < outcome->grid->n ? &run->clusters[cluster] : NULL;
    *out = NULL;
    if (!site || !site->background)
        return loom_fail(err, LOOM_EUSAGE, "there is no cluster %zu with local jobs", cluster);
    int rc = loom_trace_derive(&trace, site->background, err);
    if (!rc)
        rc = loom_grid_schedule_local(run->grid, cluster, trace, err);
    if (!rc)
        rc = finish_schedule(trace, site->procs, err);
    return take_schedule(out, trace, rc);
}

int loom_outcome_gantt(struct loom_gantt **out, const struct loom_outcome *outcome,
                       struct loom_sim_window window, struct loom_error *err)
{
    *out = NULL;
    int rc = need_run(outcome, err);
    if (rc)
        return rc;
    return outcome->run->grid ? loom_grid_gantt_create(out, outcome->run->grid->grid, window, err)
                              : loom_gantt_create(out, outcome->run->sim, window, err);
}
