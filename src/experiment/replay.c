/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replays: each run is a scenario on the jobs of the log, whose waits are compared with the logged
 * ones. Runs are independent tasks of a pool; the first one also has classes and series.
 */
#include "experiment/replay.h"

#include "base/sort.h"
#include "sim/results/logged.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the log --------------------------------------------------------------------------------- */

/* What all runs share. */
struct study {
    const struct loom_replay_options *options;
    struct loom_replay_report *report;
    int64_t *logged_s; /* by row; -1: unknown */
    int64_t first_s;   /* first submission */
};

static void take_waits(struct study *study)
{
    const struct loom_jobs *jobs = loom_trace_jobs(study->options->trace);
    study->first_s = INT64_MAX;
    for (size_t row = 0; row < jobs->n; row++) {
        int64_t wait_s = jobs->wait_s[row], submit_s = jobs->submit_s[row];
        study->report->negative_waits += wait_s < -1;
        study->logged_s[row] = submit_s >= 0 && wait_s >= 0 ? wait_s : -1;
        if (submit_s >= 0 && submit_s < study->first_s)
            study->first_s = submit_s;
    }
}

/* Find the median submission of the jobs with waits. Fails if there are none. */
static int find_middle(struct study *study, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(study->options->trace);
    int64_t *submits = malloc((jobs->n + 1) * sizeof *submits);
    size_t n = 0;
    if (!submits)
        return loom_fail_memory(err);
    for (size_t row = 0; row < jobs->n; row++)
        if (study->logged_s[row] >= 0)
            submits[n++] = jobs->submit_s[row];
    loom_sort_int64(submits, n);
    study->report->middle_s = n > 0 ? submits[n / 2] : 0;
    free(submits);
    if (n > 0)
        return 0;
    return study->report->negative_waits > 0
               ? loom_fail(err, LOOM_EDATA,
                           "all known waits of this log are negative, so there is nothing to "
                           "compare a simulation with")
               : loom_fail(err, LOOM_EDATA,
                           "no job of this log has a wait, so there is nothing to compare a "
                           "simulation with");
}

static int open_study(struct study *study, struct loom_error *err)
{
    const struct loom_trace *trace = study->options->trace;
    study->logged_s = malloc((loom_trace_count(trace) + 1) * sizeof *study->logged_s);
    if (!study->logged_s)
        return loom_fail_memory(err);
    take_waits(study);
    int rc = find_middle(study, err);
    return rc ? rc : loom_trace_peak_procs(&study->report->peak_procs, trace, err);
}

/* ---- one run --------------------------------------------------------------------------------- */

static struct loom_scenario scenario_of(const struct study *study,
                                        const struct loom_replay_run *run)
{
    const struct loom_replay_options *options = study->options;
    struct loom_scenario scenario = loom_scenario();
    scenario.trace = options->trace;
    scenario.machine = options->machine;
    scenario.policy = run->policy;
    scenario.schedulers = options->schedulers;
    scenario.overrun = options->overrun;
    scenario.keep = LOOM_KEEP_RUN;
    scenario.progress = options->progress;
    return scenario;
}

/* Compare the jobs of one half, or of all with NULL for simulated_s' room. */
static int compare_half(struct loom_replay_errors *out, const struct loom_replayed *waits,
                        int64_t middle_s, bool second, int64_t *room, struct loom_error *err)
{
    const int64_t *submit_s = loom_trace_jobs(waits->trace)->submit_s;
    for (size_t row = 0; row < waits->n; row++)
        room[row] = (submit_s[row] >= middle_s) == second ? waits->simulated_s[row] : -1;
    return loom_replay_compare(out, waits->logged_s, room, waits->n, err);
}

static int compare_run(struct loom_replay_run *run, const struct loom_replayed *waits,
                       int64_t middle_s, struct loom_error *err)
{
    int64_t *room = malloc((waits->n + 1) * sizeof *room);
    if (!room)
        return loom_fail_memory(err);
    int rc = loom_replay_compare(&run->all, waits->logged_s, waits->simulated_s, waits->n, err);
    if (!rc)
        rc = compare_half(&run->first, waits, middle_s, false, room, err);
    if (!rc)
        rc = compare_half(&run->second, waits, middle_s, true, room, err);
    free(room);
    return rc;
}

static void take_simulated(int64_t *simulated_s, size_t n, const struct loom_sim *sim)
{
    size_t n_jobs;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n_jobs);
    for (size_t row = 0; row < n; row++)
        simulated_s[row] = -1;
    for (size_t i = 0; i < n_jobs; i++)
        if (jobs[i].row < n)
            simulated_s[jobs[i].row] = loom_sim_job_wait(&jobs[i]);
}

static void count_compared(struct loom_replay_report *report, const struct loom_replayed *waits)
{
    for (size_t row = 0; row < waits->n; row++) {
        report->no_wait += waits->simulated_s[row] >= 0 && waits->logged_s[row] < 0;
        report->not_simulated += waits->simulated_s[row] < 0 && waits->logged_s[row] >= 0;
    }
}

/* Keep classes and series of the first run. */
static int detail(struct loom_replay_report *report, const struct loom_replayed *waits,
                  const struct loom_outcome *outcome, struct loom_error *err)
{
    struct loom_sim *log = NULL;
    struct loom_sim_metrics metrics;
    int rc = 0;
    count_compared(report, waits);
    report->procs = loom_outcome_procs(outcome);
    report->utilization_simulated = loom_outcome_value(outcome, "utilization");
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS && !rc; kind++)
        rc = loom_replay_classes_create(&report->by[kind], waits, (enum loom_replay_kind)kind, err);
    if (!rc)
        rc = loom_sim_series_create(&report->simulated, loom_outcome_sim(outcome), err);
    if (!rc)
        rc = loom_sim_of_log(&log, waits->trace, report->procs, err);
    if (!rc)
        rc = loom_sim_series_create(&report->logged, log, err);
    if (!rc)
        rc = loom_sim_metrics(&metrics, log, err);
    if (!rc)
        report->utilization_logged = metrics.utilization;
    loom_sim_destroy(log);
    return rc;
}

static int run_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct study *study = context;
    struct loom_replay_run *run = &study->report->runs[index];
    const struct loom_scenario scenario = scenario_of(study, run);
    struct loom_outcome *outcome = NULL;
    struct loom_replayed waits = {.trace = study->options->trace,
                                  .n = loom_trace_count(study->options->trace),
                                  .logged_s = study->logged_s,
                                  .first_s = study->first_s};
    (void)worker;
    waits.simulated_s = malloc((waits.n + 1) * sizeof *waits.simulated_s);
    int rc = waits.simulated_s ? loom_scenario_run(&outcome, &scenario, NULL, err)
                               : loom_fail_memory(err);
    if (!rc) {
        take_simulated(waits.simulated_s, waits.n, loom_outcome_sim(outcome));
        rc = compare_run(run, &waits, study->report->middle_s, err);
    }
    if (!rc && index == 0)
        rc = detail(study->report, &waits, outcome, err);
    loom_outcome_destroy(outcome);
    free(waits.simulated_s);
    return rc;
}

/* ---- all runs -------------------------------------------------------------------------------- */

static int add_run(struct loom_replay_report *report, const char *policy, unsigned assumptions,
                   struct loom_error *err)
{
    struct loom_replay_run *larger =
        realloc(report->runs, (report->n_runs + 1) * sizeof *report->runs);
    if (!larger)
        return loom_fail_memory(err);
    report->runs = larger;
    larger[report->n_runs] =
        (struct loom_replay_run){.policy = strdup(policy), .assumptions = assumptions};
    return larger[report->n_runs++].policy ? 0 : loom_fail_memory(err);
}

static int list_runs(struct study *study, struct loom_error *err)
{
    const struct loom_replay_options *options = study->options;
    int rc = 0;
    for (size_t i = 0; i < options->n_policies && !rc; i++)
        rc = add_run(study->report, options->policies[i], 0, err);
    return rc;
}

int loom_replay_run(struct loom_replay_report **out, const struct loom_replay_options *options,
                    struct loom_error *err)
{
    struct study study = {.options = options, .report = calloc(1, sizeof *study.report)};
    *out = NULL;
    if (!study.report)
        return loom_fail_memory(err);
    study.report->size_source = options->machine.source;
    int rc = open_study(&study, err);
    if (!rc)
        rc = list_runs(&study, err);
    if (!rc)
        rc = loom_pool_for(options->pool, study.report->n_runs, run_one, &study, err);
    free(study.logged_s);
    if (rc)
        loom_replay_report_destroy(study.report);
    else
        *out = study.report;
    return rc;
}

void loom_replay_report_destroy(struct loom_replay_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->n_runs; i++)
        free(report->runs[i].policy);
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++)
        free(report->by[kind]);
    loom_sim_series_destroy(report->logged);
    loom_sim_series_destroy(report->simulated);
    free(report->runs);
    free(report->outages);
    free(report);
}
