/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_report.h - simulate --html, --figures and --gantt: simulations to look at. */
#ifndef WORKLOOM_CLI_SIMULATE_REPORT_H
#define WORKLOOM_CLI_SIMULATE_REPORT_H

#include "simulate.h"

extern const struct loom_param figure_params[]; /* html, figures, format, gantt, gantt-by */

/* Whether the options fit each other, before the log is read. */
int check_figures(const struct invocation *call, struct loom_error *err);
/* Before the run: whether jobs' starts must be watched. */
bool wants_starts(const struct invocation *call);
/* After the run: the chart of the window that --gantt names, NULL if it names none. */
int open_gantt(struct loom_gantt **out, const struct simulation *of, struct loom_error *err);

/* The page and the figures that were asked for. Only a single run may have a chart. */
int write_simulations(const struct simulation *of, size_t n, struct loom_error *err);

#endif
