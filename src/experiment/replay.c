/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replays: each run is a scenario on the jobs of the log, whose waits are compared with the logged
 * ones (replay_run.c, replay_search.c).
 */
#include "experiment/replay.h"

#include "base/sort.h"
#include "sim/results/logged.h"
#include "trace/table.h"

#include <stdlib.h>

/* ---- assumptions ----------------------------------------------------------------------------- */

static const struct {
    const char *name, *meaning;
} named[LOOM_ASSUMPTIONS] = {
    {"exact", "estimates are the runtimes"},
    {"downtime", "the machine stands still where the log shows an outage"},
    {"initial", "unseen jobs hold processors when the log begins"},
    {"queues", "each queue has processors of its own, its peak in the first half"},
    {"partitions", "each partition has processors of its own, its peak in the first half"},
    {"peaks",
     "no user has more jobs or processors at once than the same user had in the first half"},
    {"user-jobs", "no user has more jobs at once than this number, fitted to the first half"},
    {"user-procs",
     "no user has more processors at once than this number, fitted to the first half"},
    {"size",
     "the machine has this number of processors and not the log's, fitted to the first half"},
    {"jumpers", "jobs that jumped the queue in the log come first"},
    {"weeks",
     "each week has the processors in use while jobs waited, exceeded for this share of that time, "
     "fitted to the first half"},
};

const char *loom_assumption_name(size_t index)
{
    return index < LOOM_ASSUMPTIONS ? named[index].name : NULL;
}

const char *loom_assumption_meaning(size_t index)
{
    return index < LOOM_ASSUMPTIONS ? named[index].meaning : NULL;
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Take the waits of the jobs that are compared: those submitted in the window, if one is asked for.
 */
static int take_waits(struct loom_replay_study *study, struct loom_error *err)
{
    struct loom_trace_window *window = &study->report->window;
    const struct loom_jobs *jobs = loom_trace_jobs(study->options->trace);
    int rc = study->options->complete
                 ? loom_trace_window_complete(window, study->options->trace, err)
                 : 0;
    study->first_s = INT64_MAX;
    for (size_t row = 0; row < jobs->n && !rc; row++) {
        int64_t wait_s = jobs->wait_s[row], submit_s = jobs->submit_s[row];
        bool within = window->jobs == 0 || (submit_s >= window->from_s && submit_s <= window->to_s);
        study->report->negative_waits += wait_s < -1;
        study->logged_s[row] = submit_s >= 0 && wait_s >= 0 ? wait_s : -1;
        if (study->logged_s[row] >= 0 && !within) {
            study->logged_s[row] = -1;
            study->report->outside++;
        }
        study->waited |= study->logged_s[row] > 0;
        if (submit_s >= 0 && submit_s < study->first_s)
            study->first_s = submit_s;
    }
    return rc;
}

/* Find the median submission of the jobs with waits. Fails if there are none. */
static int find_middle(struct loom_replay_study *study, struct loom_error *err)
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
    study->report->quarter_s = n > 0 ? submits[n / 4] : 0;
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

static int find_procs(struct loom_replay_study *study, struct loom_error *err)
{
    struct loom_machine_size size = study->options->machine;
    int rc = size.procs > 0 ? 0 : loom_trace_machine_size(&size, study->options->trace, err);
    study->report->procs = size.procs;
    study->report->size_source = size.source;
    if (!rc && size.procs <= 0)
        rc = loom_fail_field(err, LOOM_EDATA, "procs",
                             "the log does not say how many processors its machine has, and no job "
                             "has wait, runtime and processors; set procs");
    return rc;
}

/* Return how long a job that executed from start_s to end_s stood still: the downtimes that lie
 * within. One that it starts or ends in contradicts the log, and has no part. */
static int64_t standstill(const struct loom_downtimes *downtime, int64_t start_s, int64_t end_s)
{
    int64_t stood_s = 0;
    for (size_t i = 0; i < downtime->n && downtime->list[i].to_s < end_s; i++)
        if (start_s < downtime->list[i].from_s)
            stood_s += downtime->list[i].to_s - downtime->list[i].from_s;
    return stood_s;
}

/* A logged runtime is the time from start to end, with the downtimes of the replay in it. The
 * simulation adds these again, so they are taken off. */
static int remove_standstill(struct loom_replay_study *study, struct loom_error *err)
{
    const struct loom_trace *trace = study->options->trace;
    const struct loom_downtimes *downtime = study->options->downtime;
    uint8_t *none = calloc(loom_trace_count(trace) + 1, 1);
    int rc = none ? loom_trace_subset(&study->changed, trace, none, 0, err) : loom_fail_memory(err);
    free(none);
    if (!rc)
        rc = loom_trace_own(study->changed, LOOM_COLUMN_run_s, err);
    if (rc)
        return rc;
    const struct loom_jobs *jobs = loom_trace_jobs(study->changed);
    int64_t *run_s = study->changed->columns.run_s;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t start_s, end_s;
        if (jobs->submit_s[i] >= 0 && jobs->wait_s[i] >= 0 && run_s[i] > 0 &&
            !__builtin_add_overflow(jobs->submit_s[i], jobs->wait_s[i], &start_s) &&
            !__builtin_add_overflow(start_s, run_s[i], &end_s))
            run_s[i] -= standstill(downtime, start_s, end_s);
    }
    study->played = study->changed;
    return 0;
}

/* Where queues have processors of their own, unseen jobs are of no queue, and the machine has no
 * size to vary. */
static void exclude(struct loom_replay_study *study)
{
    unsigned whole = LOOM_ASSUME_INITIAL | LOOM_ASSUME_SIZE | LOOM_ASSUME_WEEKS;
    if (!study->options->split)
        return;
    study->report->excluded = study->options->assumptions & study->facts.known & whole;
    study->facts.known &= ~whole;
}

/* The report has the outages; the facts keep the use of them. */
static void copy_facts(struct loom_replay_report *report, struct loom_replay_facts *facts)
{
    report->outages = facts->outages;
    report->n_outages = facts->downtime.n;
    facts->outages = NULL;
    report->limited_users = (int64_t)facts->limits.n_own;
    report->urgent_jobs = (int64_t)facts->n_urgent;
    report->known = facts->known;
}

static int open_study(struct loom_replay_study *study, struct loom_error *err)
{
    const struct loom_trace *trace = study->options->trace;
    study->logged_s = malloc((loom_trace_count(trace) + 1) * sizeof *study->logged_s);
    int rc = study->logged_s ? take_waits(study, err) : loom_fail_memory(err);
    if (!rc)
        rc = find_middle(study, err);
    if (!rc)
        rc = loom_trace_peak_procs(&study->report->peak_procs, trace, err);
    if (!rc)
        rc = find_procs(study, err);
    if (!rc)
        rc = loom_sim_of_log(&study->log, trace, study->report->procs, err);
    if (!rc && study->options->downtime && study->options->downtime->n > 0)
        rc = remove_standstill(study, err);
    if (!rc)
        rc = loom_replay_facts_find(&study->facts, study->played, study->log,
                                    study->report->middle_s, err);
    if (!rc) {
        exclude(study);
        copy_facts(study->report, &study->facts);
    }
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static size_t find_best(const struct loom_replay_report *report)
{
    size_t best = 0;
    for (size_t i = 1; i < report->n_runs; i++)
        if (report->runs[i].misfit < report->runs[best].misfit)
            best = i;
    return best;
}

int loom_replay_run(struct loom_replay_report **out, const struct loom_replay_options *options,
                    struct loom_error *err)
{
    struct loom_replay_study study = {.options = options,
                                      .played = options->trace,
                                      .report = calloc(1, sizeof *study.report)};
    *out = NULL;
    if (!study.report)
        return loom_fail_memory(err);
    int rc = open_study(&study, err);
    if (!rc)
        rc = loom_replay_run_asked(&study, err);
    if (!rc && options->search)
        rc = loom_replay_search(&study, err);
    if (!rc)
        study.report->chosen = find_best(study.report);
    free(study.logged_s);
    loom_sim_destroy(study.log);
    loom_replay_facts_free(&study.facts);
    loom_trace_destroy(study.changed);
    if (rc)
        loom_replay_report_destroy(study.report);
    else
        *out = study.report;
    return rc;
}

/* What runs that are only measured share, and their errors. */
struct measuring {
    struct loom_replay_study study;
    struct loom_replay_errors *errors; /* by policy */
};

static int measure_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct measuring *measuring = context;
    struct loom_replay_run run = {.policy = (char *)measuring->study.options->policies[index]};
    (void)worker;
    int rc = loom_replay_simulate(&measuring->study, &run, LOOM_REPLAY_TOTAL, err);
    measuring->errors[index] = run.all;
    return rc;
}

int loom_replay_measure(struct loom_replay_errors *out, size_t *policy,
                        const struct loom_replay_options *options, struct loom_error *err)
{
    struct loom_replay_report report = {0};
    struct measuring measuring = {
        .study = {.options = options, .played = options->trace, .report = &report}};
    struct loom_replay_study *study = &measuring.study;
    size_t rows = loom_trace_count(options->trace), nearest = 0;
    study->logged_s = malloc((rows + 1) * sizeof *study->logged_s);
    measuring.errors = calloc(options->n_policies + 1, sizeof *measuring.errors);
    int rc = study->logged_s && measuring.errors ? take_waits(study, err) : loom_fail_memory(err);
    if (!rc && study->waited)
        rc = find_procs(study, err);
    if (!rc && study->waited && options->downtime && options->downtime->n > 0)
        rc = remove_standstill(study, err);
    if (!rc && study->waited)
        rc = loom_pool_for(options->pool, options->n_policies, measure_one, &measuring, err);
    for (size_t i = 1; i < options->n_policies && !rc; i++)
        if (loom_replay_distance(&measuring.errors[i]) <
            loom_replay_distance(&measuring.errors[nearest]))
            nearest = i;
    if (!rc) {
        *out = measuring.errors[nearest];
        *policy = nearest;
    }
    loom_trace_destroy(study->changed);
    free(study->logged_s);
    free(measuring.errors);
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
