/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - figures, HTML pages, JSON and CSV of logs, comparisons and simulations.
 *
 * A report has the figures of a trace and its features, of several traces, or of runs. Figures are
 * drawn by gnuplot, which must be on the PATH; its input is numbers and fixed text, never text from
 * a log. A figure without data is left out, with the reason. If gnuplot fails on a figure, the page
 * has the reason in its place and the other figures are drawn. Without gnuplot no report is
 * written.
 *
 * Reports do not depend on the time of day or the number of threads.
 */
#ifndef WORKLOOM_REPORT_H
#define WORKLOOM_REPORT_H

#include <workloom/experiment.h>
#include <workloom/experiment_queueing.h>
#include <workloom/experiment_ranking.h>
#include <workloom/experiment_replay.h>
#include <workloom/queueing.h>
#include <workloom/sim_grid.h>
#include <workloom/sim_results.h>

#ifdef __cplusplus
extern "C" {
#endif

struct loom_report;
struct json_t; /* Jansson's */

/* Create a report of a trace in *out, with the data of all figures. Trace, features and pool (may
 * be NULL) are borrowed for the life of the report. The caller must destroy it. Fails with
 * LOOM_ENOMEM.
 */
LOOM_API int loom_report_create(struct loom_report **out, const struct loom_trace *trace,
                                const struct loom_features *features, struct loom_pool *pool,
                                struct loom_error *err);

/* What a report of a trace shows. Zeros are the defaults. */
struct loom_report_options {
    const char *only; /* one figure or table by name; NULL: all */
    uint64_t seed;    /* of figures with random numbers */
    size_t rounds;    /* of randomised figures; 0: 1000, fewer in long logs */
};

/* Create a report as loom_report_create does, with options (NULL: defaults). Fails with LOOM_EUSAGE
 * if there is no figure or table of that name. */
LOOM_API int loom_report_create_with(struct loom_report **out, const struct loom_trace *trace,
                                     const struct loom_features *features,
                                     const struct loom_report_options *options,
                                     struct loom_pool *pool, struct loom_error *err);

/* Destroy a report; NULL is allowed. */
LOOM_API void loom_report_destroy(struct loom_report *report);

/* A figure of a report. */
struct loom_figure {
    const char *name;    /* base name of its files: "runtime-cdf" */
    const char *section; /* of the page: "jobs" */
    const char *title;
    const char *caption; /* full sentences */
    const char *reason;  /* why it is left out; NULL if it is not */
    const char *failure; /* why gnuplot failed on it; NULL if it did not, or has not run yet */
    bool table;          /* a table, which is not drawn */
};

/* Store the figure or table of a report of a trace at an index in *out, without reasons. Returns
 * false past the last. Its texts are static. */
LOOM_API bool loom_figure_at(size_t index, struct loom_figure *out);

/* Store the figure at an index, in the order of the report, in *out. Returns false past the last.
 * Its texts are valid as long as the report. */
LOOM_API bool loom_report_figure(const struct loom_report *report, size_t index,
                                 struct loom_figure *out);

/* Draw all figures into a directory, which is created if needed: for each NAME.FORMAT ("svg", "pdf"
 * or "png"), its data NAME.csv, one table with one header line, and its script NAME.gp, which has
 * the data inside and which `gnuplot NAME.gp` in that directory draws again. A figure on which
 * gnuplot fails has data and script but no image. Fails with LOOM_EUSAGE for another format,
 * LOOM_EIO if gnuplot is missing or a file cannot be written. */
LOOM_API int loom_report_figures(struct loom_report *report, const char *directory,
                                 const char *format, struct loom_error *err);

/* Write the report as one self-contained HTML file without scripts; path "-" is stdout. command is
 * the command line and select a description of the measured jobs, both for the page; either may be
 * NULL. Fails with LOOM_EIO if gnuplot is missing or the file cannot be written. */
LOOM_API int loom_report_html(struct loom_report *report, const char *path, const char *command,
                              const char *select, struct loom_error *err);

struct json_t; /* Jansson's */

/* Create a JSON object of the data of a figure or table: table, title, caption, and rows, one
 * object per row; or rows null, and the reason. Returns a new reference, which the caller must
 * release (json_decref), or NULL if there is no such table or memory is out. */
LOOM_API struct json_t *loom_report_table_json(const struct loom_report *report, const char *name);

/* Write the data of a figure or table as comma-separated values with one header line. Fails with
 * LOOM_EUSAGE if there is no such table, LOOM_EDATA if the log has no data for it, LOOM_EIO if the
 * output cannot be written. */
LOOM_API int loom_report_table_csv(struct loom_output *out, const struct loom_report *report,
                                   const char *name, struct loom_error *err);

/* ---- comparison ------------------------------------------------------------------------------ */

/* A trace in figures that show several. The label is shown in keys of figures and must be fixed
 * text, not text from a log. */
struct loom_side {
    const char *label;
    const struct loom_trace *trace;
    const struct loom_features *features;
};

/* Create a report in *out whose figures show n traces together; the first is the reference. The
 * trace of the reference and the pool are borrowed for the life of the report, the rest for the
 * call. The caller must destroy it. Fails with LOOM_EDATA if n is 0. */
LOOM_API int loom_report_contrast(struct loom_report **out, const struct loom_side *sides, size_t n,
                                  struct loom_pool *pool, struct loom_error *err);

/* A trace or model compared with the reference, and its scorecard. */
struct loom_contestant {
    const char *label;
    const struct loom_scorecard *card;
};

/* What a page of comparison shows besides figures. Borrowed for the call. */
struct loom_contrast_page {
    const char *command, *select;        /* as for loom_report_html */
    struct loom_blocks blocks;           /* how the reference was resampled */
    struct loom_definitions definitions; /* of the features; zeros: the dictionary's */
    const struct loom_trace *reference;
    const struct loom_trace *const *traces; /* compared with it; NULL for models */
    size_t n_traces;
    bool other_lengths; /* some are much shorter or longer (loom_comparison_same_length) */
    struct loom_scorecard *const *cards;       /* one per trace if there are several, or NULL */
    const struct loom_contestant *contestants; /* best first */
    size_t n;
    const struct loom_ranking *ranking; /* of models, or NULL */
    double load;                        /* of their workloads; 0: that which each model generates */
};

/* Write a report of loom_report_contrast as one HTML file, as loom_report_html does. Also fails
 * with LOOM_EDATA if the page has no contestants. */
LOOM_API int loom_report_contrast_html(struct loom_report *report, const char *path,
                                       const struct loom_contrast_page *page,
                                       struct loom_error *err);

/* ---- simulations ----------------------------------------------------------------------------- */

/* Meaning of the colours of a Gantt chart: the user of a job, why it started (the run must have
 * kept LOOM_KEEP_STARTS), or, on a grid, whether it is a local job. */
enum loom_gantt_colours { LOOM_GANTT_BY_USER, LOOM_GANTT_BY_WHY, LOOM_GANTT_BY_HOME };

/* Create a report in *out of one run, of several policies at one load, or of policies at several
 * loads (all runs then have a changed load). Runs of one policy are adjacent, by load. The outcomes
 * must have kept LOOM_KEEP_SERIES and LOOM_KEEP_CURVES. trace has the names of the log and its
 * users; it and the pool are borrowed for the life of the report, the rest for the call. gantt is a
 * chart of a single run that was kept, or NULL. The caller must destroy the report. Fails with
 * LOOM_ENOMEM. */
LOOM_API int loom_report_runs(struct loom_report **out, const struct loom_trace *trace,
                              const struct loom_outcome *const *outcomes, size_t n,
                              const struct loom_gantt *gantt, enum loom_gantt_colours colours,
                              struct loom_pool *pool, struct loom_error *err);

/* What a page of runs shows besides their results. Borrowed for the call. */
struct loom_runs_page {
    const char *command;
    const struct loom_outcome *const *outcomes; /* of the report */
    size_t n;
    const struct loom_gantt *gantt; /* NULL if there is none */
    const char *window;  /* its limits as text; NULL: as time since the first submission */
    const char *select;  /* description of the selected jobs, or NULL */
    int64_t left_out;    /* jobs of the log that were not selected */
    const char *caution; /* sentence on how far a replay is from the log; or NULL */
};

/* Write the page of a report of loom_report_runs as one HTML file, as loom_report_html does:
 * results, tables of classes, clusters and users, and all figures. */
LOOM_API int loom_report_runs_html(struct loom_report *report, const char *path,
                                   const struct loom_runs_page *page, struct loom_error *err);

/* ---- replays --------------------------------------------------------------------------------- */

/* Create the figures of a replay of a trace, both borrowed until the report is destroyed. The
 * caller must destroy *out. Fails as loom_report_create does. */
LOOM_API int loom_report_replay(struct loom_report **out, const struct loom_trace *trace,
                                const struct loom_replay_report *replay, struct loom_pool *pool,
                                struct loom_error *err);
/* Write the page of a report of loom_report_replay as one HTML file, as loom_report_html does. */
LOOM_API int loom_report_replay_html(struct loom_report *report, const char *path,
                                     const struct loom_replay_report *replay, const char *command,
                                     struct loom_error *err);

/* ---- queueing models ------------------------------------------------------------------------- */

/* Create a report in *out of a study whose trials were run: metrics against the axis and each other
 * (Zakay 2017, chapter 6, figures 3 to 7), and runtimes after which users go on or leave (figure
 * 8). The study is borrowed for the call, the pool (may be NULL) for the life of the report. The
 * caller must destroy the report. Fails with LOOM_ENOMEM. */
LOOM_API int loom_report_queueing(struct loom_report **out, const struct loom_queueing_study *study,
                                  struct loom_pool *pool, struct loom_error *err);

/* Write the page of a report of loom_report_queueing as one HTML file, as loom_report_html does. */
LOOM_API int loom_report_queueing_html(struct loom_report *report, const char *path,
                                       const struct loom_queueing_study *study, const char *command,
                                       struct loom_error *err);

/* Create a JSON object of a study: of a single trial its model and metrics with intervals, else
 * `axis` and `cells`, an array of such objects. Returns a new reference, which the caller must
 * release (json_decref), or NULL when out of memory. */
LOOM_API struct json_t *loom_queueing_json(const struct loom_queueing_study *study);

/* Write a study as comma-separated values: one row per trial, with its parameters, one column per
 * metric and one for the half-width of each interval. Fails with LOOM_EIO if the output cannot be
 * written. */
LOOM_API int loom_queueing_csv(struct loom_output *out, const struct loom_queueing_study *study,
                               struct loom_error *err);

/* Models fitted to a log, with what they predict for n numbers of users. */
struct loom_queueing_fitted_log {
    const struct loom_queueing_fit *fit;
    const struct loom_queueing_prediction *predictions;
    size_t n;
};

/* Create a report in *out of fitted models: throughputs against the number of users, and the share
 * of batches that another one follows against the response. Borrows as loom_report_queueing. The
 * caller must destroy the report. Fails with LOOM_ENOMEM. */
LOOM_API int loom_report_queueing_fit(struct loom_report **out,
                                      const struct loom_queueing_fitted_log *of,
                                      struct loom_pool *pool, struct loom_error *err);

/* Write the page of a report of loom_report_queueing_fit as one HTML file, as loom_report_html
 * does. */
LOOM_API int loom_report_queueing_fit_html(struct loom_report *report, const char *path,
                                           const struct loom_queueing_fitted_log *of,
                                           const struct loom_trace *trace, const char *command,
                                           struct loom_error *err);

/* Create a JSON object of fitted models and their predictions. Returns a new reference, which the
 * caller must release (json_decref), or NULL when out of memory. */
LOOM_API struct json_t *loom_queueing_fit_json(const struct loom_queueing_fitted_log *of);

/* Write fitted models as comma-separated values: one row for each number of users and model, with
 * its parameters and what it predicts. Times are in seconds. Fails with LOOM_EIO if the output
 * cannot be written. */
LOOM_API int loom_queueing_fit_csv(struct loom_output *out,
                                   const struct loom_queueing_fitted_log *of,
                                   struct loom_error *err);

/* ---- outcomes as data ------------------------------------------------------------------------ */

/* Create a JSON object of an outcome: metrics, classes, clusters and series. names is the trace
 * with the names of users and queues, or NULL. Returns a new reference, which the caller must
 * release (json_decref), or NULL when out of memory. */
LOOM_API struct json_t *loom_outcome_json(const struct loom_outcome *outcome,
                                          const struct loom_trace *names);
/* Write n outcomes as comma-separated values: a header line and one row per run, with the columns
 * trace, source, scheduler, load (empty if unchanged), replication, and one per metric. trace and
 * source are the values of these columns. Fails with LOOM_EIO if the output cannot be written. */
LOOM_API int loom_outcomes_csv(struct loom_output *out, const struct loom_outcome *const *outcomes,
                               size_t n, const char *trace, const char *source,
                               struct loom_error *err);

/* Receives one sentence, borrowed for the call. */
typedef void loom_note_fn(void *context, const char *sentence);
/* Call note() with each sentence that qualifies the outcomes: changes of load, gaps in the log,
 * local jobs that do not cover the run, saturated runs. */
LOOM_API void loom_outcome_notes(const struct loom_outcome *const *outcomes, size_t n,
                                 loom_note_fn *note, void *context);

/* Format into buf, and return buf, one sentence on n runs of several policies: which is better and
 * by how much, in throughput if users react to service, else in mean wait. Empty for one policy. */
LOOM_API const char *loom_outcome_lead(char *buf, size_t size,
                                       const struct loom_outcome *const *outcomes, size_t n);

/* ---- why a job waited ------------------------------------------------------------------------ */

/* A finished run and the explainer of one of its jobs, borrowed for the call. Every job of the run
 * must have a row in the trace or in the local jobs of its cluster. */
struct loom_explained {
    const struct loom_trace *trace; /* jobs of the machine or grid, with the waits of the log */
    /* Factor by which interarrival times of the trace were multiplied before; 0: none. */
    double arrival_factor;
    /* Of a job on one machine, or of a cluster's local job; NULL with grid_explainer. */
    const struct loom_explainer *explainer;
    const struct loom_sim *sim; /* one machine; NULL with grid */

    const struct loom_grid *grid;        /* NULL: one machine */
    const struct loom_cluster *clusters; /* with grid: as in the options of its run */
    size_t cluster;                      /* with grid and explainer: where the local job ran */
    const struct loom_grid_explainer *grid_explainer; /* of a grid job; else NULL */
};

/* Write an explanation of the wait of a job as text: its times, the queue at its submission,
 * changes of its reservation, jobs that overtook it, and the reason of its start; for a grid job
 * also why it was sent to its cluster. Lists are cut at 20 lines. Jobs are given by their numbers
 * in the log, local jobs of a cluster as "CLUSTER=NUMBER". Fails with LOOM_ENOMEM, or LOOM_EIO if
 * the output cannot be written. */
LOOM_API int loom_explain_text(struct loom_output *out, const struct loom_explained *what,
                               struct loom_error *err);

/* Create a JSON object of an explanation, with complete lists (docs/SEMANTICS.md has its keys).
 * Returns a new reference, which the caller must release, or NULL when out of memory. */
LOOM_API struct json_t *loom_explain_json(const struct loom_explained *what);

/* Write the explanation of the job that the scenario of the outcome named, as loom_explain_text
 * does. Fails with LOOM_EUSAGE if it named none. */
LOOM_API int loom_outcome_explain(struct loom_output *out, const struct loom_outcome *outcome,
                                  struct loom_error *err);
/* Create the JSON object of that explanation, as loom_explain_json does. Returns NULL if the
 * scenario named no job. */
LOOM_API struct json_t *loom_outcome_explain_json(const struct loom_outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
