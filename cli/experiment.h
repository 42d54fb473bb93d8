/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - `workloom experiment`: plans from files and options (experiment_plan.c), and a
 * command for each thing to do with them (experiment_run.c, _status.c, _report.c, _merge.c,
 * _submit.c).
 */
#ifndef WORKLOOM_CLI_EXPERIMENT_H
#define WORKLOOM_CLI_EXPERIMENT_H

#include "command.h"

/* The lists of loom_plan_params, for the options of a command; keep in step with it. */
#define PLAN_PARAMS                                                               \
    loom_plan_whole_params, loom_plan_source_params, loom_plan_read_params,       \
        loom_select_params + 2, loom_amount_params, loom_without_params,          \
        loom_resample_length_params, loom_resample_user_params, loom_rare_params, \
        loom_resample_change_params, loom_preset_params, loom_feedback_params,    \
        loom_plan_estimate_params, loom_rearrange_params, loom_platform_params,   \
        loom_plan_policy_params, loom_prediction_params, loom_constraint_params,  \
        loom_plan_load_params, loom_trim_params, loom_class_params
enum { PLAN_LISTS = 21 };
#define PLAN_HEADINGS                                                                    \
    [0] = "Experiment", [1] = "Jobs", [4] = "+Jobs of models", [6] = "+Resampled users", \
    [10] = "+Users who react", [12] = "+Changes to jobs", [14] = "+Grid",                \
    [15] = "Policy and machine", [17] = "Constraints", [18] = "Load", [19] = "Results"

/* Make the plan of a call: the file that it names, if it does, and its options. The caller must
 * destroy it. */
int take_plan(struct loom_plan **out, const struct invocation *call, struct loom_pool *pool,
              struct loom_error *err);

/* Return the database of a call: --db, "plan.db" of plan.yaml, or "study.db". The caller must free
 * it; NULL when memory is out. */
char *experiment_database(const struct invocation *call);

/* As loom_store_failure, with options of 'experiment run' in place of fields (experiment_status.c).
 */
int find_failure(struct loom_store_failure *out, bool *found, struct loom_store *store,
                 size_t index, struct loom_error *err);

/* Print cells, runs and an estimate of time and memory (experiment_dry.c). */
int print_estimate(const struct invocation *call, const struct loom_plan *plan,
                   struct loom_pool *pool, struct loom_error *err);

#endif
