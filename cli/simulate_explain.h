/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_explain.h - `workloom simulate --explain`: why one job of a simulation waited. */
#ifndef WORKLOOM_CLI_SIMULATE_EXPLAIN_H
#define WORKLOOM_CLI_SIMULATE_EXPLAIN_H

#include "command.h"

extern const struct loom_param explain_params[]; /* explain */

/* An explainer for the job that --explain names, NULL if it names none. */
int open_explainer(struct loom_explainer **out, const struct invocation *call,
                   const struct loom_trace *trace, struct loom_error *err);

/* After the run: for people, on stdout. */
int print_explanation(const struct invocation *call, const struct loom_trace *trace,
                      const struct loom_sim *sim, const struct loom_explainer *explainer,
                      struct loom_error *err);
/* For programs; NULL when memory is out. */
struct json_t *explanation_json(const struct invocation *call, const struct loom_trace *trace,
                                const struct loom_sim *sim, const struct loom_explainer *explainer);

#endif
