/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis.h - the parts of an analysis: groups of cells (analysis_groups.c), their statistics
 * (analysis.c). */
#ifndef LOOM_EXPERIMENT_ANALYSIS_H
#define LOOM_EXPERIMENT_ANALYSIS_H

#include <workloom/experiment_results.h>

/* Return whether any run has a metric (results.c). */
bool loom_results_have(const struct loom_run_results *results, const char *key);
/* Return the factor to compare where none is asked for. */
const char *loom_compare_default(const struct loom_run_results *results);
/* Put the cells into groups that differ in analysis->compare alone. */
int loom_groups_create(struct loom_analysis *analysis, struct loom_error *err);

/* Return the value of the log itself beside its variants in a cell: of a cell without randomness
 * that differs in the source alone. NAN if there is none (analysis_log.c). */
double loom_results_log_value(const struct loom_run_results *results, size_t cell, const char *key);

/* The log beside its variants, of a metric. */
struct loom_log_distance {
    double log, low, high; /* low, high: least and greatest of the variants */
    size_t n;              /* variants */
};

/* Compute the distance, and return whether it is more than chance: the log is beyond all of at
 * least 10 variants, and a tenth of their mean away from it. */
bool loom_results_far_from_log(struct loom_log_distance *out,
                               const struct loom_run_results *results, size_t cell,
                               const char *key);

#endif
