/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_table.h - `workloom analyze --by` and `--table`: the data of one figure or table. */
#ifndef WORKLOOM_CLI_ANALYZE_TABLE_H
#define WORKLOOM_CLI_ANALYZE_TABLE_H

#include "command.h"

extern const struct loom_param analysis_table_params[]; /* by, table, csv, rounds */

/* The table that --by or --table asks for; NULL if none. */
const char *table_of(const struct invocation *call);
/* Is what --table and --csv ask for possible? Asked before the work starts. */
int check_table(const struct invocation *call, struct loom_error *err);
/* What --table, --rounds and --seed ask for. */
struct loom_report_options report_options_of(const struct invocation *call);
/* Show the table that --table names. */
int print_analysis_table(const struct invocation *call, const struct loom_trace *trace,
                         int64_t left_out, const struct loom_features *features,
                         struct loom_pool *pool, struct loom_error *err);

#endif
