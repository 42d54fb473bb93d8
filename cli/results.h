/* SPDX-License-Identifier: GPL-3.0-or-later */
/* results.h - results of many runs on the terminal, as data and as a page: what `experiment report`
 * and `simulate --replications` have in common. */
#ifndef WORKLOOM_CLI_RESULTS_H
#define WORKLOOM_CLI_RESULTS_H

#include "command.h"

/* metric, compare, saturated, interval, level */
extern const struct loom_param analysis_params[];

/* Print the answer and its table, or JSON, and write what --csv, --html and --figures name. */
int show_results(const struct loom_run_results *results, const struct invocation *call,
                 struct loom_pool *pool, struct loom_error *err);

#endif
