/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_fit.h - `workloom analyze --fit`: which distribution describes a column of the jobs best.
 */
#ifndef WORKLOOM_CLI_ANALYZE_FIT_H
#define WORKLOOM_CLI_ANALYZE_FIT_H

#include "command.h"

extern const struct loom_param fit_params[]; /* fit, seed */

/* Rank the distributions for the column that --fit names, as text or JSON. */
int print_fits(const struct invocation *call, const struct loom_trace *trace, int64_t left_out,
               struct loom_pool *pool, struct loom_error *err);

#endif
