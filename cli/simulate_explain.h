/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_explain.h - `workloom simulate --explain`: why one job of a simulation waited. */
#ifndef WORKLOOM_CLI_SIMULATE_EXPLAIN_H
#define WORKLOOM_CLI_SIMULATE_EXPLAIN_H

#include "simulate.h"

extern const struct loom_param explain_params[]; /* explain */

/* Whether --explain names a job, before the log is read; of clusters check_grid knows. */
int check_explain(const struct invocation *call, struct loom_error *err);
/* An explainer for the job that --explain names, if it names one; a grid must be open. */
int open_explainer(struct simulation *of, struct loom_error *err);
bool has_explanation(const struct simulation *of);

/* After the run: for people, on stdout. */
int print_explanation(const struct simulation *of, struct loom_error *err);
/* For programs; NULL when memory is out. */
struct json_t *explanation_json(const struct simulation *of);

#endif
