/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - what measures work with: logs, and results that several claims share. */
#ifndef LOOM_REPRODUCE_BENCH_H
#define LOOM_REPRODUCE_BENCH_H

#include "reproduce/item.h"
#include "reproduce/logs.h"

#include <workloom/experiment_results.h>
#include <workloom/features.h>
#include <workloom/trace.h>

struct loom_bench;
struct loom_model;
struct json_t; /* Jansson's */

/* Create a bench with the logs of a directory. The caller must destroy it. Fails as
 * loom_log_files_create does. */
int loom_bench_create(struct loom_bench **out, const struct loom_reproduce_options *options,
                      struct loom_error *err);
void loom_bench_destroy(struct loom_bench *bench);

const struct loom_reproduce_options *loom_bench_options(const struct loom_bench *bench);

/* Return the hash of the program (identity.h), 0 without a database. */
uint64_t loom_bench_program(const struct loom_bench *bench);

/* Choose the log of a claim: its own, or the one that may stand in for it. *path is NULL if neither
 * is at hand; *substitute says whether it is another. */
void loom_bench_choose(const struct loom_bench *bench, const struct loom_claim *claim,
                       const char **path, bool *substitute);
/* Return the path of the log of a claim, NULL if there is none. */
const char *loom_bench_path(const struct loom_bench *bench, const struct loom_claim *claim);

/* Store the log of a claim after the selection in claim->with, borrowed from the bench. */
int loom_bench_jobs(const struct loom_trace **out, struct loom_bench *bench,
                    const struct loom_claim *claim, struct loom_error *err);
/* Return the definitions of features in claim->with. */
struct loom_definitions loom_claim_definitions(const struct loom_claim *claim);
/* Store the features of these jobs, borrowed from the bench; by the definitions in claim->with. */
int loom_bench_features(const struct loom_features **out, struct loom_bench *bench,
                        const struct loom_claim *claim, struct loom_error *err);
/* Store the results of the claim's trial on its log, borrowed from the bench. */
int loom_bench_trial(const struct loom_run_results **out, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err);

/* Store the rows of a table of these jobs ('analyze --table'), borrowed from the bench. LOOM_EDATA
 * with the reason if the log cannot give it. */
int loom_bench_table(struct json_t **rows, struct loom_bench *bench, const struct loom_claim *claim,
                     const char *name, struct loom_error *err);

/* Draw the workload of a replication; the caller must destroy *out. */
typedef int loom_draw_fn(struct loom_trace **out, void *context, uint64_t replication,
                         struct loom_pool *pool, struct loom_error *err);
/* Store the features of the workloads of all replications of a claim, borrowed from the bench. They
 * are drawn once for all claims with the same log, measure, words and number of replications. */
int loom_bench_drawn(struct loom_features *const **out, size_t *n, struct loom_bench *bench,
                     const struct loom_claim *claim, loom_draw_fn *draw, void *context,
                     struct loom_error *err);
/* Return whether loom_bench_drawn has them already, so that nothing will be drawn. */
bool loom_bench_has_drawn(const struct loom_bench *bench, const struct loom_claim *claim);

/* Return the number of replications of a claim with `quick`, without, and as the options ask for.
 */
int loom_claim_quick(const struct loom_claim *claim);
size_t loom_claim_full(const struct loom_claim *claim);
int loom_bench_replications(const struct loom_bench *bench, const struct loom_claim *claim);

/* Find a word of claim->with: copy the value of "key=value" to buf. False if it is not there. */
bool loom_with(const struct loom_claim *claim, const char *key, char *buf, size_t size);

/* Fit the model that claim->with names to the log of the claim, or create it with its published
 * parameters for a claim without a log. The caller must destroy *out. */
int loom_claim_model(struct loom_model **out, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err);
/* Store the value of a feature. LOOM_EDATA with the reason if it is unknown. */
int loom_feature_value(double *out, const struct loom_features *features, const char *key,
                       struct loom_error *err);
/* Subtract `other` from the value, or divide by it, as claim->minus and claim->over ask for;
 * otherwise do nothing. LOOM_EDATA if it is 0 and divides. */
int loom_relate(struct loom_measured *out, const struct loom_claim *claim, double other,
                struct loom_error *err);

/* Fit a model, "NAME:PARAMETERS", to the jobs of a claim, or take the published one if the claim
 * has no log. The caller must destroy *out. */
int loom_claim_model_named(struct loom_model **out, struct loom_bench *bench,
                           const struct loom_claim *claim, const char *name,
                           struct loom_error *err);
/* Return whether a cell of a trial fits conditions ("scheduler=easy; load=0.9"). */
enum { LOOM_FACTOR_SIZE = 4200 };
bool loom_cell_fits(const struct loom_run_results *results, size_t cell, const char *conditions);
/* Store the values of a metric in a cell of a trial ("scheduler=easy; load=0.9"), by replication,
 * NAN where there is none. A cell with one run has it for all replications. The caller must free
 * them. LOOM_EUSAGE if there is no such cell or metric. */
int loom_trial_values(double **out, size_t *n, const struct loom_run_results *results,
                      const char *words, const char *metric, struct loom_error *err);
/* Compute a statistic of the values of n >= 1 runs in ascending order, with its interval where they
 * differ: "above", the share above 1 (`ratio`) or 0, and "median". "spread" and "max" have none
 * here; loom_measure_spread gives those of fewer runs than the text has their lower end.
 * LOOM_EUSAGE if there is no such statistic. */
int loom_runs_statistic(struct loom_measured *out, const double *sorted, size_t n,
                        const char *statistic, bool ratio, struct loom_error *err);
/* Fill in the mean of n values with its interval. */
int loom_measured_mean(struct loom_measured *out, const double *values, size_t n,
                       struct loom_error *err);

#endif
