/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure.h - what a figure is: a name, words for people, a function that writes its data, and a
 * gnuplot script that draws them. Without a script it is a table. Figures stand in the fig_*.c
 * files, one file for each group, and all of them in the list in figures.c.
 *
 * Data are blocks of rows, one block for each series. They are kept in two forms (sheet.c): as
 * gnuplot's blocks, which the script finds under the name `data`, picks with `index`, and names by
 * columnheader(2); and as one CSV table, whose first column is the series. Columns are named as
 * keys of JSON documents are, with units (`wait_s`); times are in seconds and shares from 0 to 1,
 * and what an axis has in other units the script computes.
 *
 * The script may use the line styles of the house and wide(i, n), the width of line i of n
 * (gnuplot.c). It is a constant: what varies with the log is data and settings.
 */
#ifndef LOOM_REPORT_FIGURE_H
#define LOOM_REPORT_FIGURE_H

#include "features/family.h"
#include "features/observed.h"
#include "report/cells.h"

#include <stdio.h>
#include <workloom/stats.h>
#include <workloom/users.h>

/* ---- what figures show ----------------------------------------------------------------------- */

/* Ascending. */
struct loom_sorted {
    double *x;
    size_t n;
};

struct loom_subject {
    struct loom_workload jobs; /* by (submit, row) */
    const struct loom_features *features;
    struct loom_definitions definitions;  /* that features and figures are measured by */
    uint64_t seed;                        /* of what is drawn at random */
    size_t rounds;                        /* of randomised figures; 0: 1000, fewer in long logs */
    const struct loom_clusters *clusters; /* the kinds of runtimes (features/family.h), or NULL */
    struct loom_sorted runtimes;          /* s, where known */
    struct loom_users *users;             /* NULL if there are no jobs */
    struct loom_bags *bags;               /* NULL if no bag has two jobs */
    bool clock_known;                     /* the log says when it starts */
    double by_clock[7][24];               /* jobs by local day, from Monday, and hour */
    struct loom_observed observed;        /* of a report on one log alone */
    struct loom_arranged arranged;        /* what jobs borrows from */
};

int loom_subject_create(struct loom_subject *out, const struct loom_trace *trace,
                        const struct loom_features *features, struct loom_pool *pool,
                        struct loom_error *err);
void loom_subject_free(struct loom_subject *subject);

/* ---- comma-separated values, field by field (RFC 4180; sheet.c) ------------------------------ */

/* Text that goes to an output, or to a stream, piece by piece; the first failure of an output ends
 * it. Failures of a stream show when it is closed. */
struct loom_csv {
    struct loom_output *out;
    FILE *stream; /* used if out is NULL */
    struct loom_error *err;
    int rc;
};

/* Write text as it is. */
void loom_csv_put(struct loom_csv *to, const char *text, size_t length);
/* Write a field, quoted if it has a separator, a quote or a line end in it. */
void loom_csv_text(struct loom_csv *to, const char *text);
/* Write a number; the field of a value that is not finite is empty, as JSON has null. */
void loom_csv_number(struct loom_csv *to, double value);

/* ---- where their data go (sheet.c) ----------------------------------------------------------- */

enum { LOOM_SETTINGS_SIZE = 280, LOOM_REASON_SIZE = 256, LOOM_SERIES_SIZE = 120 };

struct loom_sheet {
    FILE *blocks; /* for gnuplot */
    FILE *table;  /* CSV */
    size_t n_blocks;
    size_t rows; /* of the table, below its header */
    char series[LOOM_SERIES_SIZE];
    bool has_header, has_series;
    bool marks;                        /* the block at hand is not in the table */
    char settings[LOOM_SETTINGS_SIZE]; /* lines of the script that go before the figure's own */
    const char *reason;                /* set by a figure that has nothing to show */
};

/* Leave the figure out. Returns 0, so that a figure can end with it. */
int loom_sheet_skip(struct loom_sheet *sheet, const char *reason);
/* Start a block. series is its label, or NULL in a figure that has one block by nature; names of
 * columns are separated by commas and taken from the first block, as all blocks of a figure have
 * the same: later ones may have NULL. Both are words of our own, and a series has neither tabs nor
 * line ends. */
void loom_sheet_block(struct loom_sheet *sheet, const char *series, const char *columns);
/* Start a block for the script alone: labels and lines that the table gives in another way. */
void loom_sheet_marks(struct loom_sheet *sheet);
/* Add a line to the settings: what the script must know beside the data, so that these are tables
 * and nothing else. */
void loom_sheet_set(struct loom_sheet *sheet, const char *format, ...) LOOM_PRINTF(2, 3);
/* Add a row of n fields to the block: numbers, or text without tabs and line ends. */
void loom_sheet_fields(struct loom_sheet *sheet, const char *const *fields, size_t n);
/* Add a point without numbers, for the script alone: gnuplot leaves it out, but counts the block.
 */
void loom_sheet_gap(struct loom_sheet *sheet);
/* Add a row of numbers; one with a number that is not finite is left out. */
void loom_sheet_row(struct loom_sheet *sheet, double x, double y);
void loom_sheet_row3(struct loom_sheet *sheet, double x, double y, double z);
/* Add a row of up to LOOM_RECORD_NUMBERS numbers; one that is not finite is an empty cell. */
enum { LOOM_RECORD_NUMBERS = 12 };
void loom_sheet_record(struct loom_sheet *sheet, const double *values, size_t n);
/* Add a row of up to 8 numbers and, unless it is NULL, a text behind them. */
void loom_sheet_labelled(struct loom_sheet *sheet, const double *values, size_t n,
                         const char *label);

/* ---- curves (curve.c) ------------------------------------------------------------------------ */

enum { LOOM_CURVE_POINTS = 400 };

/* Write a block with the empirical distribution of a sorted sample from `least` on, thinned to what
 * the eye can tell apart on a logarithmic axis. Columns are x, as named, and `share`, P(X <= x), or
 * for survival `share_above`, P(X > x). */
void loom_curve_cdf(struct loom_sheet *sheet, const char *series, const char *x,
                    const double *sorted, size_t n, double least, bool survival);
/* Write a block of how many of n whole numbers above 0 have each value, in bins that grow with the
 * value, as counts per whole number; and a block of what the Zipf distribution fitted to them
 * expects, whose name with the exponent is the setting `fitted`. */
int loom_curve_zipf(struct loom_sheet *sheet, const char *columns, double *values, size_t n,
                    struct loom_error *err);
/* Write a block of points, and a block with the two ends of the line through them, whose name with
 * the estimate is the setting `fitted`. */
void loom_curve_line(struct loom_sheet *sheet, const char *columns, const struct loom_hurst *hurst);

/* Write a block with the autocorrelation of a series of counts, of n intervals of interval_s, at
 * lags of up to LOOM_ACF_DAYS days. Skips the figure if the series is not longer than a day. */
enum { LOOM_ACF_DAYS = 15 };
int loom_curve_acf(struct loom_sheet *sheet, const char *series, const double *counts, size_t n,
                   int64_t interval_s, struct loom_error *err);

/* ---- figures --------------------------------------------------------------------------------- */

struct loom_contrast;
struct loom_runs;
struct loom_queueing_study;
struct loom_queueing_fitted_log;
struct loom_analyses;
struct loom_predictions;
struct loom_replay_report;

struct loom_figure_ops {
    const char *name, *section, *title, *caption;
    /* LOOM_EDATA leaves the figure out, with the message as the reason. */
    int (*data)(struct loom_sheet *sheet, const struct loom_subject *subject,
                struct loom_error *err);
    /* The same for a figure of several traces, in place of data (contrast.h). */
    int (*overlay)(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                   const struct loom_figure_ops *ops, struct loom_error *err);
    /* The distribution that an overlay shows, the metric of results, or the classes of predictions,
     * where it is about one. */
    const char *of;
    /* The same for a figure of simulations (runs.h). */
    int (*outcomes)(struct loom_sheet *sheet, const struct loom_runs *runs, struct loom_error *err);
    /* The same for a figure of queueing models. */
    int (*study)(struct loom_sheet *sheet, const struct loom_queueing_study *study,
                 struct loom_error *err);
    /* The same for a figure of queueing models fitted to a log. */
    int (*fitted)(struct loom_sheet *sheet, const struct loom_queueing_fitted_log *of,
                  struct loom_error *err);
    /* The same for a figure of results of experiments (analyses.h). */
    int (*results)(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                   const struct loom_figure_ops *ops, struct loom_error *err);
    /* The same for a figure of predictions (predictions.h). */
    int (*predictions)(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                       const struct loom_figure_ops *ops, struct loom_error *err);
    /* The same for a figure of a replay. */
    int (*replay)(struct loom_sheet *sheet, const struct loom_replay_report *replay,
                  struct loom_error *err);
    const char *script; /* NULL: a table, which is not drawn */
    double height;      /* as a part of the width; 0 is the usual */
    double width;       /* in the usual ones; 0 is one, more takes a row of the page for itself */
};

/* Parts of scripts: a logarithmic axis of seconds with ticks that people read. */
#define LOOM_TIME_TICS                                                                        \
    "('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600, '1 h' 3600, '10 h' 36000, '4 d' 345600, " \
    "'40 d' 3456000, '1 y' 31557600)\n"
#define LOOM_TIME_X "set logscale x\nset xtics " LOOM_TIME_TICS
#define LOOM_TIME_Y "set logscale y\nset ytics " LOOM_TIME_TICS
/* Survival functions and frequencies. */
#define LOOM_LOG_Y "set logscale y\nset format y '10^{%T}'\n"
#define LOOM_LOG_X "set logscale x\nset format x '10^{%T}'\n"

/* One group each; ends with a NULL name. */
extern const struct loom_figure_ops loom_figures_observed[], loom_figures_arrivals[],
    loom_figures_scales[], loom_figures_jobs[], loom_figures_bags[], loom_figures_users[],
    loom_figures_tails[], loom_figures_think[], loom_figures_sessions[], loom_figures_similarity[],
    loom_figures_bag_series[], loom_figures_moments[], loom_figures_growth[],
    loom_figures_machine[], loom_figures_applications[], loom_figures_clusters[],
    loom_figures_mixed[], loom_figures_reopen[], loom_figures_quotients[], loom_figures_runtimes[],
    loom_figures_queueing_fit[], loom_figures_replay[];

/* A figure with its data, and drawn, where it has been. */
struct loom_drawing {
    const struct loom_figure_ops *ops;
    char *data; /* gnuplot's blocks; NULL if the figure is left out */
    size_t data_size;
    char *table; /* CSV; NULL with data */
    size_t table_size;
    struct loom_cells cells;           /* of what is a table, for the page; else empty */
    char settings[LOOM_SETTINGS_SIZE]; /* as in its sheet */
    char reason[LOOM_REASON_SIZE];     /* why it is left out */
    char failure[LOOM_REASON_SIZE];    /* why gnuplot failed to draw it, in any format */
    char *image;                       /* NULL if not drawn */
    size_t image_size;
};

/* ---- text in memory (text.c) ----------------------------------------------------------------- */

struct loom_text;

/* A stream to write text to; NULL when memory is out. */
FILE *loom_text_open(struct loom_text **text);
/* End it and take the text, with a NUL behind it; the caller must free it. NULL when memory ran out
 * at any time. */
char *loom_text_close(FILE *out, struct loom_text *text, size_t *size);

/* ---- gnuplot (gnuplot.c) --------------------------------------------------------------------- */

struct loom_image_format {
    const char *name;     /* "svg" */
    const char *terminal; /* gnuplot's */
    double width;
    const char *unit; /* of the width */
    const char *options;
};

const struct loom_image_format *loom_image_format_find(const char *name);
/* Return the script that draws a figure into the file NAME.FORMAT, with the data inside; the caller
 * must free it. NULL when memory is out. */
char *loom_gnuplot_script(const struct loom_drawing *drawing,
                          const struct loom_image_format *format);
/* Draw all figures that have data; images are kept in the drawings. A figure that gnuplot fails on
 * keeps the failure in place of an image, which is no error; one is if gnuplot cannot be run or
 * memory is out. */
int loom_gnuplot_draw(struct loom_drawing *drawings, size_t n,
                      const struct loom_image_format *format, struct loom_pool *pool,
                      struct loom_error *err);

#endif
