/* SPDX-License-Identifier: GPL-3.0-or-later */
/* results.h - results from the inside. */
#ifndef LOOM_EXPERIMENT_RESULTS_INSIDE_H
#define LOOM_EXPERIMENT_RESULTS_INSIDE_H

#include "experiment/tool.h"

struct loom_run_results {
    struct loom_results_cell *cells;
    size_t n;
    int64_t replications;
    const struct loom_metric **metrics;
    size_t n_metrics;
    size_t n_shown;    /* of them: the plan's, for tables of all runs */
    double *values;    /* by cell, metric, replication */
    size_t *run_cells; /* by cell: number of the cell of its runs in the database, increasing; NULL:
                          its own */
    const char **factors;
    size_t n_factors;
    struct loom_results_setting *origin; /* copies; ends with a NULL key */
};

/* Copy how the results of a database were made (results_read.c). */
int loom_results_read_origin(struct loom_run_results *results, struct loom_store *store,
                             struct loom_error *err);

#endif
