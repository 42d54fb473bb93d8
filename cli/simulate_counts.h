/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_counts.h - what simulate did to jobs that could not run as the log has them. */
#ifndef WORKLOOM_CLI_SIMULATE_COUNTS_H
#define WORKLOOM_CLI_SIMULATE_COUNTS_H

#include "simulate.h"

/* Jobs that could not run at all. */
int64_t jobs_refused(const struct loom_sim_counts *counts);
/* A row for each reason that has jobs. */
int add_count_rows(struct loom_table *table, const struct loom_sim_counts *counts,
                   struct loom_error *err);
/* All reasons, as an object; NULL when memory is out. */
struct json_t *counts_json(const struct loom_sim_counts *counts);

/* Of several runs, whose outcomes were kept: once if they are alike, else run by run. NULL if
 * nothing was done to any job; the caller must destroy it. */
int run_counts_table(struct loom_table **out, const struct simulation *runs, size_t n,
                     struct loom_error *err);
/* The same, to stdout after an empty line. */
int print_run_counts(const struct simulation *runs, size_t n, struct loom_error *err);
/* "made 2 runs of 54044 jobs", with what was left out. */
void say_runs(const struct simulation *runs, size_t n);

#endif
