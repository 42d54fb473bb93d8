/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - a characterised log to look at: figures, and one HTML file that has them all.
 *
 * A report is made from a trace and its features. Figures are drawn by gnuplot, which must be on
 * the PATH; what it reads is made of numbers and of words of our own, never of text from the log. A
 * figure that the log has no data for is left out and says why.
 *
 * Nothing in a report depends on the time of day or the number of threads.
 */
#ifndef WORKLOOM_REPORT_H
#define WORKLOOM_REPORT_H

#include <workloom/experiment.h>
#include <workloom/sim_grid.h>
#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

struct loom_report;

/* Compute the data of all figures. Trace, features and pool (may be NULL) are borrowed for the life
 * of the report, which the caller must destroy. */
LOOM_API int loom_report_create(struct loom_report **out, const struct loom_trace *trace,
                                const struct loom_features *features, struct loom_pool *pool,
                                struct loom_error *err);

/* Free report, which may be NULL. */
LOOM_API void loom_report_destroy(struct loom_report *report);

/* A figure of a report. */
struct loom_figure {
    const char *name;    /* "runtime-cdf": a word for files */
    const char *section; /* "jobs": where the report shows it */
    const char *title;
    const char *caption; /* what is to be seen, as full sentences */
    const char *reason;  /* why it is left out; NULL if it is not */
};

/* Describe a figure by index, in the order of the report; its texts are borrowed. Returns false
 * past the last. */
LOOM_API bool loom_report_figure(const struct loom_report *report, size_t index,
                                 struct loom_figure *out);

/* Draw all figures into a directory, which is made if need be: for each NAME.FORMAT ("svg", "pdf"
 * or "png"), its data NAME.tsv, and NAME.gp: `gnuplot NAME.gp` in that directory draws it anew. All
 * files appear at the end. LOOM_EUSAGE for another format, LOOM_EIO if gnuplot fails or a file
 * cannot be written. */
LOOM_API int loom_report_figures(struct loom_report *report, const char *directory,
                                 const char *format, struct loom_error *err);

/* Write the report as one HTML file that needs no other file, no network and no script; "-" is
 * stdout. command is the command line that made it, select the words for which jobs were measured;
 * both may be NULL. LOOM_EIO if gnuplot fails or the file cannot be written. */
LOOM_API int loom_report_html(struct loom_report *report, const char *path, const char *command,
                              const char *select, struct loom_error *err);

/* ---- comparison ------------------------------------------------------------------------------ */

/* A trace in figures that show several; label is what the keys of figures call it: words of our
 * own, never of a log. */
struct loom_side {
    const char *label;
    const struct loom_trace *trace;
    const struct loom_features *features;
};

/* Create a report whose figures lay n traces over each other; the first is the reference. The
 * reference is borrowed for the life of the report, all else for the call only. The caller must
 * destroy *out; loom_report_figures draws it as any other. LOOM_EDATA if n is 0. */
LOOM_API int loom_report_contrast(struct loom_report **out, const struct loom_side *sides, size_t n,
                                  struct loom_pool *pool, struct loom_error *err);

/* What a page of comparison shows beside figures: scorecards of one or several contestants. */
struct loom_contestant {
    const char *label;
    const struct loom_scorecard *card;
};

struct loom_contrast_page {
    const char *command, *select;
    struct loom_blocks blocks; /* how the reference was resampled */
    const struct loom_trace *reference;
    const struct loom_trace *const *traces; /* what it is compared with, or NULL for models */
    size_t n_traces;
    bool other_lengths; /* some last much shorter or longer (loom_comparison_same_length) */
    struct loom_scorecard *const *cards;       /* of each of several traces, or NULL */
    const struct loom_contestant *contestants; /* best first */
    size_t n;
    const struct loom_ranking *ranking; /* of models, or NULL */
    double load; /* that their workloads were made at; 0: what the models have by themselves */
};

/* Write a report of loom_report_contrast as one HTML file, as loom_report_html does. */
LOOM_API int loom_report_contrast_html(struct loom_report *report, const char *path,
                                       const struct loom_contrast_page *page,
                                       struct loom_error *err);

/* ---- simulations ----------------------------------------------------------------------------- */

/* A run to show. */
struct loom_shown_run {
    const char *policy;
    const struct loom_load_change *load; /* NULL if the log's own */
    double load_offered; /* of the jobs that came; not what was asked for where users react */
    const struct loom_grid_metrics *grid; /* NULL if it was one machine */
    double jobs_per_day; /* in the time of submissions; looked at where a page has people */
    const struct loom_sim_outcome *outcome;
};

/* A Gantt chart to show, of the run in sim, which took its jobs from trace. */
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

/* Create a report of one run, of several policies at one load, or of policies at several loads
 * (then all runs have one). Runs of one policy stand together, by load. gantt may be NULL. Trace
 * and pool are borrowed for the life of the report, which the caller must destroy; the rest for the
 * call only. LOOM_EDATA if n is 0. */
LOOM_API int loom_report_runs(struct loom_report **out, const struct loom_trace *trace,
                              const struct loom_shown_run *runs, size_t n,
                              const struct loom_shown_gantt *gantt, struct loom_pool *pool,
                              struct loom_error *err);

/* What a page of runs shows beside figures. */
struct loom_runs_page {
    const char *command;
    const struct loom_shown_run *runs;
    size_t n;
    const struct loom_gantt *gantt; /* NULL if there is none */
    const char *window;             /* its ends, where they were given as dates; or NULL */
    const char *select;             /* the options that selected jobs; or NULL */
    int64_t jobs, left_out;         /* of the log, selected and not */
    const char *people;             /* who submits, where that is not just the log; or NULL */
    const char *grid;               /* name of the grid that grid jobs ran on; or NULL */
    const char *grid_words;         /* its clusters and their local jobs, as sentences; or NULL */
    double grid_utilization;        /* by all jobs, with a grid */
};

/* Write a report of loom_report_runs as one HTML file, as loom_report_html does. */
LOOM_API int loom_report_runs_html(struct loom_report *report, const char *path,
                                   const struct loom_runs_page *page, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
