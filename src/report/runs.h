/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runs.h - simulations in figures: one run, several policies at one load, or policies over loads.
 * Runs of one policy stand together, by load. Each figure has a block of data for each policy, in
 * their order, so that a policy has the same line in all of them.
 */
#ifndef LOOM_REPORT_RUNS_H
#define LOOM_REPORT_RUNS_H

#include "experiment/run.h"
#include "report/outcomes.h"
#include "report/report.h"

enum { LOOM_RUNS_SHOWN = 7 }; /* as many policies have a line of their own */

/* A Gantt chart to draw, of the run in sim, which took its jobs from trace. */
struct loom_shown_gantt {
    const struct loom_gantt *gantt;
    const struct loom_sim *sim;
    const struct loom_trace *trace;
    const struct loom_start_log *starts; /* coloured by why jobs started; NULL: by user */
    /* Of a grid, which took its own jobs from trace; NULL: one machine. Then sim and starts are not
     * looked at. */
    const struct loom_grid *grid;
    const struct loom_cluster *clusters;                /* names and local jobs */
    const struct loom_start_log *const *cluster_starts; /* by cluster: why jobs started; or NULL */
    bool by_home;                                       /* else: coloured by who sent the job */
};

/* loom_report_runs, with a chart as it is. gantt may be NULL. */
int loom_report_runs_with(struct loom_report **out, const struct loom_trace *trace,
                          const struct loom_outcome *const *outcomes, size_t n,
                          const struct loom_shown_gantt *gantt, struct loom_pool *pool,
                          struct loom_error *err);

enum { LOOM_SHEET_TABLES = 4 };

/* What a page of runs says beside figures (runs_html.c). */
struct loom_runs_sheet {
    const char *command;
    const struct loom_outcome *const *runs;
    size_t n;
    const struct loom_gantt *gantt; /* NULL if there is none */
    const char *window;             /* its ends, where they were given as dates; or NULL */
    const char *select;             /* how jobs were selected; or NULL */
    int64_t jobs, left_out;         /* of the log, selected and not */
    const char *caution;            /* how near a replay of the log is to it; or NULL */
    const char *people;             /* who submits, where that is not just the log; or NULL */
    const char *grid;               /* name of the platform; or NULL */
    const char *grid_words;         /* its clusters and their local jobs, as sentences; or NULL */
    double grid_utilization;        /* by all jobs, with a grid */
    struct loom_shown_table tables[LOOM_SHEET_TABLES];
    size_t n_tables;
    char words[4][2000];
};

/* Collect it. The sheet must be closed, even after a failure. */
int loom_runs_sheet_open(struct loom_runs_sheet *out, const struct loom_report *report,
                         const struct loom_runs_page *page, struct loom_error *err);
/* Write the page of a sheet (loom_page_fn). */
void loom_runs_page_write(FILE *out, const struct loom_report *report, const void *sheet);
void loom_runs_sheet_close(struct loom_runs_sheet *sheet);

struct loom_runs {
    const struct loom_outcome *const *of;
    size_t n;
    size_t n_policies, n_loads;
    const struct loom_shown_gantt *gantt; /* NULL: none */
};

struct loom_runs loom_runs_of(const struct loom_outcome *const *of, size_t n);
/* Return the number of the first run behind the runs of the policy of run `at`, which stand
 * together. */
size_t loom_runs_end(const struct loom_runs *runs, size_t at);
/* Let the script know what the dictionary calls a metric, `metric`, with the unit that people read,
 * and what to multiply values with, `scale`. Whose it is ("local jobs: mean wait") has no room on
 * an axis and is in the title. Returns the metric. */
const struct loom_metric *loom_metric_set(struct loom_sheet *sheet, const char *key);
/* Format a text, such as a policy, without what gnuplot would take for markup. Returns buf. */
const char *loom_plain_label(const char *text, char *buf, size_t size);

/* Write all results of one run, and several runs in a table (runs_results.c). */
void loom_runs_results(FILE *out, const struct loom_outcome *outcome);
void loom_runs_table(FILE *out, const struct loom_runs_sheet *page);

/* The unit for the mean waits of all runs, so that a table has one in its heading. */
struct loom_html_unit loom_runs_wait_unit(const struct loom_runs *runs);

/* In words, and as a table: where the machine, or grid, saturates, and how policies compare at each
 * of several loads (runs_loads.c). */
void loom_runs_loads(FILE *out, const struct loom_runs *runs, const char *machine);

/* Groups of figures; each ends with a NULL name. */
extern const struct loom_figure_ops loom_figures_service[], loom_figures_time[],
    loom_figures_load[], loom_figures_grid_load[], loom_figures_gantt[], loom_figures_grid_gantt[];

/* A time axis from 0 in the unit that suits its length, "days". Settings have its name, `unit`, its
 * length, `unit_s`, and the number of runs, `runs`; LOOM_UNIT_X makes the axis of it. */
struct loom_unit {
    const char *name;
    double length_s;
};
struct loom_unit loom_unit_set(struct loom_sheet *sheet, int64_t length_s, size_t n_runs);
#define LOOM_UNIT_X(since) "set xlabel unit . ' " since "'\n"

#endif
