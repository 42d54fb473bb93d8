/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - a characterised log to look at: figures, and one HTML file that has them all.
 *
 * A report is made from a trace and its features. Figures are drawn by gnuplot, which must be on
 * the PATH; what it reads is made of numbers and of words of our own, never of text from the log. A
 * figure that the log has no data for is left out and says why. So does one that gnuplot fails on:
 * the page has the reason in its place, and the other figures are drawn. Without gnuplot there is
 * no report.
 *
 * Nothing in a report depends on the time of day or the number of threads.
 */
#ifndef WORKLOOM_REPORT_H
#define WORKLOOM_REPORT_H

#include <workloom/experiment.h>
#include <workloom/experiment_ranking.h>
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
    const char *failure; /* why gnuplot could not draw it; NULL if it did, or was not asked yet */
};

/* Describe a figure by index, in the order of the report; its texts are borrowed. Returns false
 * past the last. */
LOOM_API bool loom_report_figure(const struct loom_report *report, size_t index,
                                 struct loom_figure *out);

/* Draw all figures into a directory, which is made if need be: for each NAME.FORMAT ("svg", "pdf"
 * or "png"), NAME.csv, its data as one table with one header line, and NAME.gp, which has the data
 * inside: `gnuplot NAME.gp` in that directory draws it anew. A figure that gnuplot fails on has its
 * data and script, and no image. */
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

/* What the colours of a Gantt chart mean: the user of a job, why it started (the run must have kept
 * LOOM_KEEP_STARTS), or on a grid whether it is a local job. */
enum loom_gantt_colours { LOOM_GANTT_BY_USER, LOOM_GANTT_BY_WHY, LOOM_GANTT_BY_HOME };

/* Create a report of one run, of several policies at one load, or of policies at several loads
 * (then all runs have one). Runs of one policy stand together, by load. The outcomes must have kept
 * LOOM_KEEP_SERIES and LOOM_KEEP_CURVES. trace has the log's name and users; it and the pool are
 * borrowed for the life of the report, the rest for the call only. gantt may be NULL; else there is
 * one run, which was kept. The caller must destroy the report. */
LOOM_API int loom_report_runs(struct loom_report **out, const struct loom_trace *trace,
                              const struct loom_outcome *const *outcomes, size_t n,
                              const struct loom_gantt *gantt, enum loom_gantt_colours colours,
                              struct loom_pool *pool, struct loom_error *err);

/* What a page of runs says beside their results. */
struct loom_runs_page {
    const char *command;
    const struct loom_outcome *const *outcomes; /* as the report was made of */
    size_t n;
    const struct loom_gantt *gantt; /* NULL if there is none */
    const char *window;             /* its ends in words; NULL: by the time from the beginning */
    const char *select;             /* how jobs were selected, in words; or NULL */
    int64_t left_out;               /* jobs of the log, by that */
};

/* Write the page of a report of runs: their results, tables of classes, clusters and users, and all
 * figures. Fails if it cannot be written or memory is out. */
LOOM_API int loom_report_runs_html(struct loom_report *report, const char *path,
                                   const struct loom_runs_page *page, struct loom_error *err);

/* ---- outcomes as text ------------------------------------------------------------------------ */

struct json_t; /* Jansson's */

/* Make a JSON object of an outcome: all its metrics, classes, clusters and series. names is the
 * trace that has the names of users and queues, or NULL. The caller must release it; NULL when
 * memory is out. */
LOOM_API struct json_t *loom_outcome_json(const struct loom_outcome *outcome,
                                          const struct loom_trace *names);
/* Write outcomes as comma-separated values: one header line, one row a run, columns trace, source,
 * scheduler, load (empty if it was not changed), replication, then one a metric. */
LOOM_API int loom_outcomes_csv(struct loom_output *out, const struct loom_outcome *const *outcomes,
                               size_t n, const char *trace, const char *source,
                               struct loom_error *err);

/* Hand each sentence that qualifies the outcomes to note(): how the load was changed, gaps in the
 * log, local jobs that do not cover the run, which runs are saturated. */
typedef void loom_note_fn(void *context, const char *sentence);
LOOM_API void loom_outcome_notes(const struct loom_outcome *const *outcomes, size_t n,
                                 loom_note_fn *note, void *context);

/* ---- why a job waited ------------------------------------------------------------------------ */

/* A finished run and the explainer that observed one of its jobs, all borrowed for the call. Every
 * job of the run must have a row in the trace or in the local jobs of its cluster. */
struct loom_explained {
    const struct loom_trace *trace; /* jobs of the machine or grid, with the waits of the log */
    /* Factor by which interarrival times of the trace were changed beforehand; 0: none. */
    double arrival_factor;
    /* Of a job on one machine, or of a cluster's local job; NULL with grid_explainer. */
    const struct loom_explainer *explainer;
    const struct loom_sim *sim; /* one machine; NULL with grid */

    const struct loom_grid *grid;        /* NULL: one machine */
    const struct loom_cluster *clusters; /* with grid: as in the options of its run */
    size_t cluster;                      /* with grid and explainer: where the local job ran */
    const struct loom_grid_explainer *grid_explainer; /* of a grid job; NULL else */
};

/* Write why the job waited, as text: its times, the queue at its submission, changes of its
 * reservation, jobs that overtook it, and what let it start; of a grid job also why it was sent to
 * its cluster. Long lists are cut at 20 lines. Jobs are called by their numbers in the log, local
 * jobs of a cluster "CLUSTER=NUMBER". Fails when memory is out or the output cannot be written. */
LOOM_API int loom_explain_text(struct loom_output *out, const struct loom_explained *what,
                               struct loom_error *err);

/* Make a JSON object of the same, with complete lists (docs/SEMANTICS.md has its keys). The caller
 * must release it; NULL when memory is out. */
LOOM_API struct json_t *loom_explain_json(const struct loom_explained *what);

/* The same for an outcome whose scenario named a job to explain. */
LOOM_API int loom_outcome_explain(struct loom_output *out, const struct loom_outcome *outcome,
                                  struct loom_error *err);
LOOM_API struct json_t *loom_outcome_explain_json(const struct loom_outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
