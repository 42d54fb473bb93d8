/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runs.h - simulations in figures: one run, several policies at one load, or policies over loads.
 * Runs of one policy stand together, by load. Each figure has a block of data for each policy, in
 * their order, so that a policy has the same line in all of them.
 */
#ifndef LOOM_REPORT_RUNS_H
#define LOOM_REPORT_RUNS_H

#include "report/report.h"

enum { LOOM_RUNS_SHOWN = 7 }; /* as many policies have a line of their own */

struct loom_runs {
    const struct loom_shown_run *of;
    size_t n;
    size_t n_policies, n_loads;
    const struct loom_shown_gantt *gantt; /* NULL: none */
};

struct loom_runs loom_runs_of(const struct loom_shown_run *of, size_t n);
/* Runs of one policy stand together: the number of the first behind those of run `at`. */
size_t loom_runs_end(const struct loom_runs *runs, size_t at);
/* What figures call a run: its policy, without what gnuplot would take for markup. Returns buf. */
const char *loom_runs_label(const struct loom_shown_run *run, char *buf, size_t size);

/* Any text, in the same manner. */
const char *loom_plain_label(const char *text, char *buf, size_t size);

/* The unit for the mean waits of all runs, so that a table has one in its heading. */
struct loom_html_unit loom_runs_wait_unit(const struct loom_runs *runs);

/* By more than running jobs alone: the queue grows. */
bool loom_run_saturated(const struct loom_shown_run *run);
/* In words, and as a table: where the machine, or grid, saturates, and how policies compare at each
 * of several loads (runs_loads.c). */
void loom_runs_loads(FILE *out, const struct loom_runs *runs, const char *machine);

/* Groups of figures; each ends with a NULL name. */
extern const struct loom_figure_ops loom_figures_service[], loom_figures_time[],
    loom_figures_load[], loom_figures_grid_load[], loom_figures_gantt[], loom_figures_grid_gantt[];

/* A time axis from 0 in the unit that suits its length, "days". Settings tell the script which, and
 * how many runs there are; LOOM_UNIT_X makes the axis of it. */
struct loom_unit {
    const char *name;
    double length_s;
};
struct loom_unit loom_unit_set(struct loom_sheet *sheet, int64_t length_s, size_t n_runs);
#define LOOM_UNIT_X(since) "set xlabel unit . ' " since "'\n"

#endif
