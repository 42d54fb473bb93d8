/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - a report from the inside: its figures, and the parts that its HTML is made of. */
#ifndef LOOM_REPORT_REPORT_H
#define LOOM_REPORT_REPORT_H

#include "report/figure.h"
#include "report/tool.h"

#include <workloom/report.h>

/* What the figures show where it is not a log alone: one of these. */
struct loom_report_source {
    const struct loom_contrast *contrast;
    const struct loom_runs *runs;
    const struct loom_queueing_study *study;
    const struct loom_queueing_fitted_log *fitted; /* queueing models of a log */
    const struct loom_analyses *analyses;          /* of experiments */
    const struct loom_predictions *predictions;
    const struct loom_replay_report *replay;
};

struct loom_report {
    const struct loom_trace *trace;
    const struct loom_features *features;
    struct loom_pool *pool;
    struct loom_output_set *set;  /* of the files; NULL: each appears when it is written */
    struct loom_subject subject;  /* while figures get their data */
    struct loom_report_source of; /* likewise */
    struct loom_drawing *drawings;
    size_t n;
    const struct loom_image_format *drawn; /* what the images are, NULL if there are none */
};

/* See that all figures are drawn in a format. */
int loom_report_draw(struct loom_report *report, const struct loom_image_format *format,
                     struct loom_error *err);

/* ---- parts of the page ----------------------------------------------------------------------- */

/* Text of any origin, safe as content and inside quotes; what is no UTF-8, and control characters,
 * are replaced by U+FFFD. */
void loom_html_text(FILE *out, const char *text);
/* A number as people write it: few digits, thin spaces between thousands. */
void loom_html_number(FILE *out, double value);
/* A time in the unit that suits it, as "4.73 h". */
void loom_html_duration(FILE *out, double seconds);

/* A cell of a table in a class of our own; label is the heading of its column, which stands before
 * the text where there is no room for columns. */
void loom_html_cell(FILE *out, const char *class, const char *label, const char *text);

/* A unit of time, for all numbers of a row or column. */
struct loom_html_unit {
    const char *name;
    double length_s;
};
/* The unit in which a time is best read. */
struct loom_html_unit loom_html_unit(double seconds);

/* Take the empty groups out of an image of gnuplot's svg terminal, which only depend on what the
 * process drew before. Returns the new size. */
size_t loom_svg_tidy(char *image);
/* An image by gnuplot's svg terminal as an element of a page: ids are made unique by the figure's
 * name. false if it is no such image. */
bool loom_svg_inline(FILE *out, const struct loom_drawing *drawing);

/* What a page calls a trace: the name of its file and, if known, the computer. */
void loom_page_name(FILE *out, const struct loom_trace *trace);
/* What --select is called in a sentence. */
const char *loom_page_selection(const char *select);
/* Write the page up to the text of its title, and from there to <body>; style comes after the style
 * of all pages. */
void loom_page_head(FILE *out);
void loom_page_body(FILE *out, const char *style);
/* Open an element that folds a table of many rows, counted as "features"; few rows are not folded.
 * Returns whether it is, for loom_page_unfold behind the table. */
bool loom_page_fold(FILE *out, size_t rows, const char *what);
void loom_page_unfold(FILE *out, bool folded);
/* A table as it is, folded if it is long. */
void loom_page_table(FILE *out, const struct loom_table *table);
/* From </main> on; command may be NULL. */
void loom_page_end(FILE *out, const char *command);
/* The figures of a section, and which are left out. */
void loom_page_figures(FILE *out, const struct loom_report *report, const char *section);
void loom_page_absent(FILE *out, const struct loom_report *report, const char *section);
/* The tables of a section (cells.c), long ones folded. */
void loom_page_tables(FILE *out, const struct loom_report *report, const char *section);
/* The section "log": the file, and what its header says. */
void loom_page_log(FILE *out, const struct loom_trace *trace);

/* A table in a section of its own. */
struct loom_shown_table {
    const char *id, *title, *intro;
    struct loom_table *table;
};
/* Write the section; many rows are folded. */
void loom_page_table_section(FILE *out, const struct loom_shown_table *shown);

/* Draw the figures, let a function write the page, and store it. */
typedef void loom_page_fn(FILE *out, const struct loom_report *report, const void *context);
int loom_page_write(struct loom_report *report, const char *path, loom_page_fn *write,
                    const void *context, struct loom_error *err);

/* The workload in plain words, as items of a list. */
void loom_summary_write(FILE *out, const struct loom_features *features);
/* A share as "12 %", between words of our own. Neither 0 nor 100 % is said of what only rounds to
 * it. */
void loom_html_percent(FILE *out, const char *before, double share, const char *after);
/* The number of features whose key starts with the prefix, and their rows of a table. */
size_t loom_feature_count(const struct loom_features *features, const char *prefix);
void loom_feature_rows(FILE *out, const struct loom_features *features, const char *prefix);

extern const char loom_page_style[];

/* ---- what the papers print (printed.c) ------------------------------------------------------- */

struct loom_printed {
    const char *key, *log;
    double value;
};

/* Ends with a NULL key; all values of a key stand together. */
extern const struct loom_printed loom_printed[];
/* Cell of a feature's place among the values printed for its key; empty where there are none. */
void loom_printed_place(FILE *out, const struct loom_feature *feature);

#endif
