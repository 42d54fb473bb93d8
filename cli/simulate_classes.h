/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_classes.h - the part of simulate's results that is told by percentiles and classes. */
#ifndef WORKLOOM_CLI_SIMULATE_CLASSES_H
#define WORKLOOM_CLI_SIMULATE_CLASSES_H

#include "command.h"

extern const struct loom_param class_params[]; /* by, warm-up, cool-down, measure-users */

/* Whether --warm-up and --cool-down can be read and, as far as can be told before the run, leave
 * something to measure. trace is NULL before it is read. */
int check_trim(const struct loom_trace *trace, const struct invocation *call,
               struct loom_error *err);
/* Leave out of the measures what --warm-up, --cool-down and --measure-users say. */
int apply_trim(struct loom_sim *sim, const struct invocation *call, const struct loom_trace *trace,
               struct loom_error *err);
struct simulation;
/* The classes that --by asks for, to be kept in of->classes; nothing where it was not given. */
int keep_classes(struct simulation *of, struct loom_error *err);
/* Kept classes as a table, of one run or of several; the caller must destroy it. */
int class_table(struct loom_table **out, const struct simulation *runs, size_t n,
                struct loom_error *err);
/* The same to stdout after an empty line; nothing where there are none. */
int print_classes(const struct simulation *runs, size_t n, struct loom_error *err);
/* Rows of how many users there are, what they got of the machine, and how fair that is. */
int add_user_rows(struct loom_table *table, const struct simulation *of, struct loom_error *err);
struct json_t *metrics_percentiles_json(const struct loom_sim_metrics *metrics);
struct json_t *weeks_json(const struct loom_sim *sim);
/* What each user got, and how fair that is. */
struct json_t *users_json(const struct loom_sim *sim, const struct loom_trace *trace);
/* Add "classes", with --by. */
int add_classes_json(struct json_t *document, const struct simulation *of, struct loom_error *err);

#endif
