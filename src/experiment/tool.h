/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what experiment has for the command beyond the public interface. */
#ifndef LOOM_EXPERIMENT_TOOL_H
#define LOOM_EXPERIMENT_TOOL_H

#include "experiment/params.h"
#include "experiment/store.h"

#include <workloom/experiment_plan.h>
#include <workloom/experiment_results.h>

/* Return how a cell of a loaded plan is stored, NULL past the last. Valid as long as the plan. */
const struct loom_store_cell *loom_plan_stored(const struct loom_plan *plan, size_t cell);

/* Return a loaded plan as YAML, with the words that were set. Valid as long as the plan. */
const char *loom_plan_text(const struct loom_plan *plan);

/* Which jobs of a log a plan selects: ran, completed or all, and other keys. */
struct loom_plan_log {
    const char *path, *select;
    int64_t jobs, left_out;
    struct loom_machine_size machine; /* of the whole log */
};

/* Return the selection of a log that a loaded plan reads, NULL past the last. Valid as long as the
 * plan. */
const struct loom_plan_log *loom_plan_log(const struct loom_plan *plan, size_t index);

/* Split a "[CLUSTER=]VALUE" of a parameter: *cluster is the number of clusters if it names none.
 * LOOM_EUSAGE for an unknown cluster, or one without local jobs. */
int loom_platform_scope(size_t *cluster, const char **value, const struct loom_platform *platform,
                        const char *param, const char *text, struct loom_error *err);

/* Check that there is a metric of this key; LOOM_EUSAGE with the nearest one, and the field at
 * fault. */
int loom_metric_check(const char *key, const char *field, struct loom_error *err);

/* Runs of an experiment, in which several classes of jobs are counted once. */
struct loom_results_tally {
    size_t cells, runs, saturated;
};

/* Count the cells of an experiment and their runs that have a value of a metric. */
struct loom_results_tally loom_results_count(const struct loom_run_results *results,
                                             const char *metric);

/* Copy what is known of how results were made (loom_results_origin); the list ends with a NULL key,
 * values may be NULL. Once, before they are shown. */
int loom_results_set_origin(struct loom_run_results *results,
                            const struct loom_results_setting *origin, struct loom_error *err);

#endif
