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

#endif
