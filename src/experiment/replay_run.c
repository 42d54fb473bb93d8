/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a replay: its scenario, its errors, and values that are fitted to the first half. */
#include "experiment/replay.h"

#include "experiment/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 80 };

/* ---- one run --------------------------------------------------------------------------------- */

static void assume(struct loom_scenario *scenario, const struct loom_replay_facts *facts,
                   unsigned assumptions)
{
    static const struct loom_request_change exact = {.how = LOOM_REQUESTS_EXACT};
    if (assumptions & LOOM_ASSUME_EXACT)
        scenario->requests = &exact;
    if (assumptions & LOOM_ASSUME_DOWNTIME)
        scenario->downtime = &facts->downtime;
    if (assumptions & LOOM_ASSUME_INITIAL)
        scenario->trace = facts->primed;
    if (assumptions & LOOM_ASSUME_QUEUES)
        scenario->split = &facts->queues;
    if (assumptions & LOOM_ASSUME_PARTITIONS)
        scenario->split = &facts->partitions;
    if (assumptions & LOOM_ASSUME_PEAKS)
        scenario->limits = &facts->limits;
    if (assumptions & LOOM_ASSUME_URGENT)
        scenario->urgent = facts->urgent;
}

/* A scenario of a run; limits is room for its limits of users. */
static struct loom_scenario scenario_of(const struct loom_replay_study *study,
                                        const struct loom_replay_run *run,
                                        struct loom_user_limits *limits)
{
    const struct loom_replay_options *options = study->options;
    struct loom_scenario scenario = loom_scenario();
    scenario.trace = study->played;
    scenario.machine = (struct loom_machine_size){study->report->procs, LOOM_SIZE_PEAK};
    scenario.policy = run->policy;
    scenario.schedulers = options->schedulers;
    scenario.overrun = options->overrun;
    scenario.keep = LOOM_KEEP_RUN;
    scenario.progress = options->progress;
    scenario.downtime = options->downtime;
    scenario.limits = options->limits;
    scenario.split = options->split;
    if (run->assumptions)
        assume(&scenario, &study->facts, run->assumptions);
    *limits = (struct loom_user_limits){.jobs = run->user_jobs, .procs = run->user_procs};
    if (run->user_jobs > 0 || run->user_procs > 0)
        scenario.limits = limits;
    if (run->procs > 0)
        scenario.machine.procs = run->procs;
    return scenario;
}

/* Compare the jobs submitted in [from_s, to_s). */
static int compare_within(struct loom_replay_errors *out, const struct loom_replayed *waits,
                          int64_t from_s, int64_t to_s, int64_t *room, struct loom_error *err)
{
    const int64_t *submit_s = loom_trace_jobs(waits->trace)->submit_s;
    for (size_t row = 0; row < waits->n; row++)
        room[row] = submit_s[row] >= from_s && submit_s[row] < to_s ? waits->simulated_s[row] : -1;
    return loom_replay_compare(out, waits->logged_s, room, waits->n, err);
}

/* Return the misfit of a run in the first half of the log, a sum of: the larger |log ratio| of mean
 * waits in its two halves, so that a fit on average alone is not preferred; (1 - rank correlation)
 * / 2; and 0.02 for each assumption, so that one that explains nothing is not made. */
static double misfit(const struct loom_replay_run *run)
{
    const double each = 0.02;
    return fmax(fabs(run->log_ratios[0]), fabs(run->log_ratios[1])) +
           loom_replay_disorder(&run->first) + each * __builtin_popcount(run->assumptions);
}

/* Compare the halves of the log, and the halves of the first one. */
static int compare_halves(struct loom_replay_run *run, const struct loom_replayed *waits,
                          const struct loom_replay_report *report, struct loom_error *err)
{
    struct loom_replay_errors part;
    int64_t *room = malloc((waits->n + 1) * sizeof *room);
    if (!room)
        return loom_fail_memory(err);
    int rc = compare_within(&run->first, waits, 0, report->middle_s, room, err);
    if (!rc)
        rc = compare_within(&run->second, waits, report->middle_s, INT64_MAX, room, err);
    for (int i = 0; i < 2 && !rc; i++) {
        rc = compare_within(&part, waits, i ? report->quarter_s : 0,
                            i ? report->middle_s : report->quarter_s, room, err);
        run->log_ratios[i] = loom_replay_log_ratio(&part);
    }
    free(room);
    run->misfit = misfit(run);
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
    const int64_t *wait_s = loom_trace_jobs(waits->trace)->wait_s;
    for (size_t row = 0; row < waits->n; row++) {
        report->no_wait += waits->simulated_s[row] >= 0 && wait_s[row] < 0;
        report->not_simulated += waits->simulated_s[row] < 0 && waits->logged_s[row] >= 0;
    }
}

/* Keep classes and series of the first run. */
static int take_detail(struct loom_replay_report *report, const struct loom_sim *log,
                       const struct loom_replayed *waits, const struct loom_outcome *outcome,
                       struct loom_error *err)
{
    struct loom_sim_metrics metrics;
    int rc = 0;
    count_compared(report, waits);
    report->utilization_simulated = loom_outcome_value(outcome, "utilization");
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS && !rc; kind++)
        rc = loom_replay_classes_create(&report->by[kind], waits, (enum loom_replay_kind)kind, err);
    if (!rc)
        rc = loom_sim_series_create(&report->simulated, loom_run_sim(outcome->run), err);
    if (!rc)
        rc = loom_sim_series_create(&report->logged, log, err);
    if (!rc)
        rc = loom_sim_metrics(&metrics, log, err);
    if (!rc)
        report->utilization_logged = metrics.utilization;
    return rc;
}

/* A log with unseen jobs, which come first. */
struct changed {
    struct loom_trace *trace;
    uint8_t *urgent;
};

static int take_weeks(struct loom_scenario *scenario, struct changed *changed,
                      const struct loom_replay_study *study, const struct loom_replay_run *run,
                      struct loom_error *err)
{
    size_t n = loom_trace_count(study->options->trace);
    int rc = loom_capacity_trace(&changed->trace, &scenario->machine.procs, study->played,
                                 &study->facts.use, run->exceeded, err);
    size_t all = rc ? n : loom_trace_count(changed->trace);
    if (!rc && !(changed->urgent = calloc(all + 1, 1)))
        rc = loom_fail_memory(err);
    if (rc)
        return rc;
    if (scenario->urgent)
        memcpy(changed->urgent, scenario->urgent, n);
    memset(changed->urgent + n, 1, all - n);
    scenario->trace = changed->trace;
    scenario->urgent = changed->urgent;
    return 0;
}

/* Simulate a run with the values it has, and compare. */
int loom_replay_simulate(const struct loom_replay_study *study, struct loom_replay_run *run,
                         enum loom_replay_detail detail, struct loom_error *err)
{
    struct loom_user_limits limits;
    struct loom_scenario scenario = scenario_of(study, run, &limits);
    struct loom_outcome *outcome = NULL;
    struct changed changed = {0};
    struct loom_replayed waits = {.trace = study->options->trace,
                                  .n = loom_trace_count(study->options->trace),
                                  .logged_s = study->logged_s,
                                  .first_s = study->first_s};
    waits.simulated_s = malloc((waits.n + 1) * sizeof *waits.simulated_s);
    int rc = waits.simulated_s ? 0 : loom_fail_memory(err);
    if (!rc && run->assumptions & LOOM_ASSUME_WEEKS)
        rc = take_weeks(&scenario, &changed, study, run, err);
    if (!rc)
        rc = loom_scenario_run(&outcome, &scenario, NULL, err);
    if (!rc) {
        take_simulated(waits.simulated_s, waits.n, loom_run_sim(outcome->run));
        rc = loom_replay_compare(&run->all, waits.logged_s, waits.simulated_s, waits.n, err);
    }
    if (!rc && detail >= LOOM_REPLAY_HALVES)
        rc = compare_halves(run, &waits, study->report, err);
    if (!rc && detail >= LOOM_REPLAY_FULL)
        rc = take_detail(study->report, study->log, &waits, outcome, err);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(changed.trace);
    free(changed.urgent);
    free(waits.simulated_s);
    return rc;
}

/* ---- fitting a value ------------------------------------------------------------------------- */

/* The values to choose from, ascending: about 1.2 times each other. Returns their number. */
static size_t list_values(int64_t *values, int64_t least, int64_t most)
{
    size_t n = 0;
    for (int64_t value = least; value <= most && n < MOST_VALUES;
         value = value + (value / 6 > 1 ? value / 6 : 1))
        values[n++] = value;
    return n;
}

/* Sizes of the machine: half of it, and on in steps of 1/50, up to what was in use at once where
 * that is more (jobs that share processors), but not past twice the machine. */
static size_t list_sizes(int64_t *values, int64_t procs, int64_t peak)
{
    size_t n = 0;
    int64_t most = peak > 2 * procs ? 2 * procs : peak, last = 0;
    for (int64_t fiftieth = 25; fiftieth < 50 || procs * fiftieth / 50 <= most; fiftieth++) {
        int64_t size = procs * fiftieth / 50;
        if (size > last && size != procs && n < MOST_VALUES)
            values[n++] = last = size;
    }
    return n;
}

/* Shares of the time in which the use of a week may be exceeded, in thousandths, descending. */
static size_t list_shares(int64_t *values)
{
    static const int64_t shares[] = {500, 400, 300, 250, 200, 150, 100, 70,
                                     50,  30,  20,  10,  5,   2,   1};
    const size_t n = sizeof shares / sizeof *shares;
    memcpy(values, shares, sizeof shares);
    return n;
}

static size_t values_of(int64_t *values, const struct loom_replay_study *study, unsigned flag)
{
    enum { MOST_JOBS = 200 };
    int64_t procs = study->report->procs;
    return flag == LOOM_ASSUME_SIZE        ? list_sizes(values, procs, study->report->peak_procs)
           : flag == LOOM_ASSUME_WEEKS     ? list_shares(values)
           : flag == LOOM_ASSUME_USER_JOBS ? list_values(values, 1, MOST_JOBS)
                                           : list_values(values, 1, procs);
}

static int64_t *value_field(struct loom_replay_run *run, unsigned flag)
{
    return flag == LOOM_ASSUME_SIZE        ? &run->procs
           : flag == LOOM_ASSUME_WEEKS     ? &run->exceeded
           : flag == LOOM_ASSUME_USER_JOBS ? &run->user_jobs
                                           : &run->user_procs;
}

/* Find the value that explains the first half best. The mean wait falls as the
 * value rises, apart from noise, so the sign of the error shows where to look. */
int loom_replay_fit(const struct loom_replay_study *study, struct loom_replay_run *run,
                    struct loom_error *err)
{
    int64_t values[MOST_VALUES];
    size_t low = 0, high = values_of(values, study, run->fitted);
    struct loom_replay_run best = *run;
    bool any = false;
    int rc = 0;
    while (low < high && !rc) {
        size_t middle = (low + high) / 2;
        struct loom_replay_run tried = *run;
        *value_field(&tried, run->fitted) = values[middle];
        rc = loom_replay_simulate(study, &tried, LOOM_REPLAY_HALVES, err);
        if (rc)
            break;
        if (!any || tried.misfit < best.misfit)
            best = tried;
        any = true;
        if (loom_replay_log_ratio(&tried.first) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!rc && !any) /* nothing to choose from: as without a value */
        return loom_replay_simulate(study, run, LOOM_REPLAY_HALVES, err);
    *run = best;
    return rc;
}
