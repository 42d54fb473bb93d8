/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study: which runs there are, which are done, and what becomes of their results. */
#include "experiment/study.h"

#include "experiment/outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double loom_study_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

size_t loom_study_tasks(const struct loom_study *study)
{
    int64_t most = 1;
    for (size_t i = 0; i < study->plan->n_cells; i++)
        if (study->plan->cells[i].replications > most)
            most = study->plan->cells[i].replications;
    return (size_t)most * study->n_workloads;
}

static bool needs_run(const struct loom_study *study, size_t cell, size_t replication)
{
    return (int64_t)replication < study->plan->cells[cell].replications &&
           !(study->done && study->done[replication * study->plan->n_cells + cell]);
}

/* Shards take turns at the replications of each workload. */
static bool in_shard(const struct loom_study *study, size_t workload, size_t replication)
{
    const struct loom_study_options *options = study->options;
    return options->shards <= 1 ||
           (int64_t)((workload + replication) % (size_t)options->shards) == options->shard - 1;
}

bool loom_study_wanted(const struct loom_study *study, size_t task)
{
    size_t workload = task % study->n_workloads, replication = task / study->n_workloads;
    for (size_t k = study->first[workload]; k < study->first[workload + 1]; k++)
        if (needs_run(study, study->order[k], replication))
            return in_shard(study, workload, replication);
    return false;
}

bool loom_study_stopping(const struct loom_study *study)
{
    return study->options->stop && *study->options->stop;
}

size_t loom_study_largest(const struct loom_study *study)
{
    size_t most = 0;
    for (size_t i = 0; i < study->n_workloads; i++) {
        size_t n = study->first[i + 1] - study->first[i];
        most = n > most ? n : most;
    }
    return most;
}

/* ---- one run --------------------------------------------------------------------------------- */

static int copy_classes(struct loom_study_result *out, const struct loom_outcome *outcome,
                        struct loom_error *err)
{
    const struct loom_sim_classes *classes = outcome ? outcome->classes : NULL;
    if (!classes || classes->count == 0)
        return 0;
    out->classes = calloc(classes->count, sizeof *out->classes);
    if (!out->classes)
        return loom_fail_memory(err);
    for (; out->n_classes < classes->count; out->n_classes++) {
        struct loom_store_class *to = &out->classes[out->n_classes];
        const struct loom_sim_class *from = &classes->classes[out->n_classes];
        to->lowest = from->from;
        memcpy(to->name, outcome->class_names[out->n_classes], sizeof to->name);
        for (size_t i = 0; i < LOOM_CLASS_FIELDS; i++)
            to->values[i] = loom_class_value(from, i);
    }
    return 0;
}

void loom_study_release(struct loom_study_result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(results[i].classes);
        results[i].classes = NULL;
        results[i].n_classes = 0;
    }
}

static int run_one(struct loom_study_result *out, const struct loom_study *study, size_t cell,
                   size_t replication, struct loom_runner *runner, struct loom_error *err)
{
    struct loom_scenario scenario;
    struct loom_outcome *outcome = NULL;
    struct loom_error why = {0};
    double began_s = loom_study_now_s();
    loom_plan_scenario(study->plan, cell, (int64_t)replication, &scenario);
    int rc = loom_scenario_run(&outcome, &scenario, runner, &why);
    memset(out, 0, sizeof *out);
    out->cell = cell;
    out->replication = (int64_t)replication;
    out->failed = rc != 0;
    if (rc) {
        char text[LOOM_ERROR_TEXT];
        snprintf(out->message, sizeof out->message, "%.255s",
                 loom_error_text(&why, text, sizeof text));
    }
    for (size_t i = 0; i < study->n_keys; i++)
        out->values[i] = rc ? (double)NAN : loom_outcome_metric(outcome, loom_metric_at(i));
    memcpy(out->host, study->host, sizeof out->host);
    out->seconds = loom_study_now_s() - began_s;
    int copied = copy_classes(out, outcome, err);
    loom_outcome_destroy(outcome);
    return rc == LOOM_ENOMEM ? loom_fail_memory(err) : copied;
}

int loom_study_work(struct loom_study_result *results, size_t *n, const struct loom_study *study,
                    size_t task, struct loom_runner *runner, struct loom_error *err)
{
    size_t workload = task % study->n_workloads, replication = task / study->n_workloads;
    int rc = 0;
    *n = 0;
    for (size_t k = study->first[workload]; k < study->first[workload + 1] && !rc; k++) {
        if (!needs_run(study, study->order[k], replication) || loom_study_stopping(study))
            continue;
        rc = run_one(&results[*n], study, study->order[k], replication, runner, err);
        *n += !rc;
    }
    return rc;
}

/* ---- results --------------------------------------------------------------------------------- */

static void count_results(struct loom_study *study, const struct loom_study_result *results,
                          size_t n)
{
    struct loom_study_progress *progress = &study->report.progress;
    pthread_mutex_lock(&study->lock);
    for (size_t i = 0; i < n; i++) {
        progress->done += !results[i].failed;
        progress->failed += results[i].failed;
    }
    progress->seconds = loom_study_now_s() - study->began_s;
    if (study->options->progress)
        study->options->progress(study->options->context, progress);
    pthread_mutex_unlock(&study->lock);
}

int loom_study_write(struct loom_study *study, const struct loom_study_result *results, size_t n,
                     struct loom_error *err)
{
    struct loom_store_run *runs = calloc(n + 1, sizeof *runs);
    char(*hashes)[LOOM_HASH_TEXT] = calloc(n + 1, sizeof *hashes);
    int rc = runs && hashes ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct loom_study_result *result = &results[i];
        loom_plan_run_hash(hashes[i], &study->plan->cells[result->cell], result->replication);
        runs[i] = (struct loom_store_run){
            .hash = hashes[i],
            .cell = result->cell,
            .replication = result->replication,
            .message = result->failed ? result->message : NULL,
            .seconds = result->seconds,
            .host = result->host,
            .n = study->n_keys,
            .keys = study->keys,
            .values = result->values,
            .classes = result->classes,
            .n_classes = result->n_classes,
        };
    }
    if (!rc && n > 0)
        rc = loom_store_add(study->store, runs, n, err);
    free(runs);
    free(hashes);
    if (!rc && n > 0)
        count_results(study, results, n);
    return rc;
}

/* ---- the order of runs ----------------------------------------------------------------------- */

static bool same_jobs(const struct loom_scenario *a, const struct loom_scenario *b)
{
    return a->system == b->system && a->load == b->load && a->load_by == b->load_by &&
           a->users == b->users;
}

/* Put the cells of a workload behind each other, those with the same jobs side by side. */
static size_t order_workload(struct loom_study *study, size_t workload, size_t at, bool *placed)
{
    const struct loom_plan_cell *cells = study->plan->cells;
    for (size_t i = 0; i < study->plan->n_cells; i++)
        for (size_t k = i; cells[i].workload == workload && k < study->plan->n_cells; k++)
            if (cells[k].workload == workload && !placed[k] &&
                (k == i || same_jobs(&cells[i].scenario, &cells[k].scenario))) {
                placed[k] = true;
                study->order[at++] = k;
            }
    return at;
}

static int order_cells(struct loom_study *study, struct loom_error *err)
{
    const struct loom_plan *plan = study->plan;
    for (size_t i = 0; i < plan->n_cells; i++)
        if (plan->cells[i].workload >= study->n_workloads)
            study->n_workloads = plan->cells[i].workload + 1;
    bool *placed = calloc(plan->n_cells + 1, sizeof *placed);
    study->order = calloc(plan->n_cells + 1, sizeof *study->order);
    study->first = calloc(study->n_workloads + 1, sizeof *study->first);
    int rc = placed && study->order && study->first ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < study->n_workloads && !rc; i++)
        study->first[i + 1] = order_workload(study, i, study->first[i], placed);
    free(placed);
    return rc;
}

/* ---- opening --------------------------------------------------------------------------------- */

int loom_study_open(struct loom_study *study, const struct loom_plan *plan,
                    const struct loom_study_options *options, struct loom_error *err)
{
    const struct loom_metric *metric;
    *study = (struct loom_study){.plan = plan, .options = options};
    pthread_mutex_init(&study->lock, NULL);
    gethostname(study->host, sizeof study->host - 1);
    while ((metric = loom_metric_at(study->n_keys))) /* at most LOOM_STUDY_METRICS: metrics.c */
        study->keys[study->n_keys++] = metric->key;
    study->began_s = loom_study_now_s();
    return order_cells(study, err);
}

void loom_study_close(struct loom_study *study)
{
    loom_store_close(study->store);
    pthread_mutex_destroy(&study->lock);
    free(study->order);
    free(study->first);
    free(study->done);
}

static int create_store(struct loom_study *study, struct loom_error *err)
{
    const struct loom_plan *plan = study->plan;
    struct loom_store_cell *cells = calloc(plan->n_cells + 1, sizeof *cells);
    if (!cells)
        return loom_fail_memory(err);
    for (size_t i = 0; i < plan->n_cells; i++)
        cells[i] = plan->cells[i].stored;
    const struct loom_store_plan stored = {
        .name = loom_params_text(plan->cells[0].params, "name"),
        .text = plan->text,
        .seed = plan->seed,
        .replications = plan->replications,
        .metrics = plan->metrics,
        .cells = cells,
        .n_cells = plan->n_cells,
    };
    const struct loom_store_origin origin = {study->options->command, plan->inputs, plan->n_inputs};
    int rc = loom_store_create(&study->store, study->options->db, &stored, &origin, err);
    free(cells);
    return rc;
}

/* What the database has of one replication. */
static int find_done(struct loom_study *study, size_t replication, struct loom_error *err)
{
    size_t n = study->plan->n_cells;
    char(*texts)[LOOM_HASH_TEXT] = calloc(n + 1, sizeof *texts);
    const char **hashes = calloc(n + 1, sizeof *hashes);
    bool *done = calloc(n + 1, sizeof *done);
    int rc = texts && hashes && done ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++) {
        loom_plan_run_hash(texts[i], &study->plan->cells[i], (int64_t)replication);
        hashes[i] = texts[i];
    }
    if (!rc)
        rc = loom_store_done(study->store, done, hashes, n, study->options->retry_failed, err);
    for (size_t i = 0; i < n && !rc; i++) {
        bool planned = (int64_t)replication < study->plan->cells[i].replications;
        study->done[replication * n + i] = done[i];
        study->report.progress.skipped += planned && done[i];
    }
    free(texts);
    free(hashes);
    free(done);
    return rc;
}

static void count_wanted(struct loom_study *study)
{
    for (size_t task = 0; task < loom_study_tasks(study); task++) {
        size_t workload = task % study->n_workloads, replication = task / study->n_workloads;
        if (!in_shard(study, workload, replication))
            continue;
        for (size_t k = study->first[workload]; k < study->first[workload + 1]; k++)
            study->report.progress.runs += needs_run(study, study->order[k], replication);
    }
}

int loom_study_open_store(struct loom_study *study, struct loom_error *err)
{
    size_t replications = loom_study_tasks(study) / study->n_workloads;
    study->done = calloc(replications * study->plan->n_cells + 1, 1);
    int rc = study->done ? create_store(study, err) : loom_fail_memory(err);
    for (size_t i = 0; i < replications && !rc; i++)
        rc = find_done(study, i, err);
    if (!rc)
        count_wanted(study);
    return rc;
}

/* ---- all ------------------------------------------------------------------------------------- */

int loom_study_rounds(struct loom_study *study, loom_study_round *round, struct loom_error *err)
{
    const struct loom_study_options *options = study->options;
    size_t n = loom_study_tasks(study), step = n;
    if (options->enough)
        step = (size_t)(options->round > 0 ? options->round : 10) * study->n_workloads;
    int rc = 0;
    for (size_t from = 0; from < n && !rc && !study->report.enough; from += step) {
        size_t to = n - from < step ? n : from + step;
        rc = round(study, from, to, err);
        study->report.stopped = loom_study_stopping(study);
        if (rc || study->report.stopped)
            break;
        if (options->enough)
            study->report.enough =
                options->enough(options->context, options->db, (int64_t)(to / study->n_workloads));
    }
    return rc;
}

int loom_study_run(struct loom_study_report *report, const struct loom_plan *plan,
                   const struct loom_study_options *options, struct loom_error *err)
{
    struct loom_study study;
    int rc = loom_study_open(&study, plan, options, err);
    if (!rc && loom_study_is_parallel())
        rc = loom_study_mpi(&study, err);
    else if (!rc)
        rc = loom_study_open_store(&study, err);
    if (!rc && !loom_study_is_parallel())
        rc = loom_study_rounds(&study, loom_study_threads, err);
    *report = study.report;
    loom_study_close(&study);
    return rc;
}
