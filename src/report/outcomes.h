/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * outcomes.h - outcomes of runs as tables and as JSON. What they are called comes from the metric
 * dictionary.
 */
#ifndef LOOM_REPORT_OUTCOMES_H
#define LOOM_REPORT_OUTCOMES_H

#include "base/human.h"
#include "base/json.h"
#include "base/table.h"
#include "experiment/outcome.h"
#include "report/tool.h"

/* Format a value for a person, by the unit of its metric: "2.4 h", "81 %", "1,234", "yes". Returns
 * buf. */
const char *loom_metric_text(const struct loom_metric *metric, double value, char *buf,
                             size_t size);
/* Add such a cell. */
int loom_metric_cell(struct loom_table *table, const struct loom_metric *metric, double value,
                     struct loom_error *err);
/* Return the metric of a key that is known to be there. */
const struct loom_metric *loom_metric_of(const char *key);

/* "yes", "no", "undecided" (the interval of the growth contains the threshold), "filling"
 * (saturated, but by running jobs alone), or "-" for no verdict. */
const char *loom_verdict_text(const struct loom_outcome *outcome);

/* ---- tables of several runs ------------------------------------------------------------------ */

/* A column: a metric, by key, and how soon it goes where there is no room (loom_table_priority). */
struct loom_run_column {
    const char *key, *title;
    int priority;
};

/* Return a column that a run has, and the number to go on with in *next; NULL past the last. Begin
 * with *next = 0. */
const struct loom_run_column *loom_run_column(const struct loom_outcome *outcome, size_t *next);
double loom_run_column_value(const struct loom_outcome *outcome,
                             const struct loom_run_column *column);
/* Is the load of some run beside the one asked for, by whole processors and whole seconds? */
bool loom_runs_missed_load(const struct loom_outcome *const *outcomes, size_t n);

/* ---- parts of a JSON document; NULL when memory is out --------------------------------------- */

struct json_t *loom_classes_json(const struct loom_sim_classes *classes,
                                 const struct loom_trace *names);
struct json_t *loom_clusters_json(const struct loom_grid_outcome *grid);

/* ---- fields of a class of jobs --------------------------------------------------------------- */

/* Return a metric that a class has, in the order of its columns. */
const struct loom_metric *loom_class_metric(size_t field);

#endif
