/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyses.h - analyses of results in tables, pages and figures. */
#ifndef LOOM_REPORT_ANALYSES_H
#define LOOM_REPORT_ANALYSES_H

#include "report/report.h"

#include <workloom/report_results.h>

/* What figures are made of. */
struct loom_analyses {
    struct loom_analysis *const *of;
    size_t n;
};

/* Return the result of a cell of the results; NULL if there is none. */
const struct loom_cell_result *loom_analysis_cell(const struct loom_analysis *analysis,
                                                  size_t cell);

/* ---- figures (fig_results.c, fig_spread.c) --------------------------------------------------- */

enum { LOOM_LABEL = 61 };

/* Return the factor along the axis of loads: "load", or "load_factor"; NULL if neither varies. */
const char *loom_load_axis(const struct loom_run_results *results);
/* Write the label of a cell: the compared factor, and others that vary, without the one named.
 * gnuplot takes nothing of it for markup. Returns buf. */
const char *loom_cell_label(const struct loom_analysis *analysis, size_t cell, const char *without,
                            char *buf, size_t size);
/* Return whether a figure has something to show: its metric was analysed, loads vary, ... */
bool loom_analyses_want(const struct loom_analyses *analyses, const struct loom_figure_ops *ops);
/* Return the analysis that a figure is about: of its metric, or the first; NULL if there is none.
 */
const struct loom_analysis *loom_analysis_of(const struct loom_analyses *analyses,
                                             const struct loom_figure_ops *ops);

/* Groups of figures; each ends with a NULL name. */
extern const struct loom_figure_ops loom_figures_answer[], loom_figures_against[],
    loom_figures_spread[];

#endif
