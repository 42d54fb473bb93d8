/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figures.h - figures of items, for the page.
 *
 * An item has the figures that its entry names (item.h): of its logs as 'analyze' draws them, of
 * logs beside a model or variant as 'compare' does, or of a metric of its trial. Items that are
 * figures also have points: what was measured, beside what the text prints.
 */
#ifndef LOOM_REPRODUCE_FIGURES_H
#define LOOM_REPRODUCE_FIGURES_H

#include "reproduce/bench.h"
#include "reproduce/reproduction.h"

#include "report/report.h"

/* Add the figures of all items to a reproduction whose claims are measured, and draw them. Fails
 * with LOOM_EIO if gnuplot is missing. A figure that its log does not allow is left out. */
int loom_figures_make(struct loom_reproduction *all, struct loom_bench *bench,
                      struct loom_error *err);
void loom_figures_free(struct loom_figures *figures);

/* Write the figures of an item as elements of a page. */
void loom_figures_write(FILE *out, const struct loom_reproduction *all, size_t item);

/* ---- for the files that make them ------------------------------------------------------------ */

/* Write the data of a figure. LOOM_EDATA leaves it out. */
typedef int loom_figure_data_fn(struct loom_sheet *sheet, const void *context,
                                struct loom_error *err);
/* Add a figure of an item with its data. The script, and texts that are not copied, must be static;
 * title and caption are copied. */
int loom_figures_add(struct loom_reproduction *all, size_t item, const struct loom_figure_ops *like,
                     loom_figure_data_fn *data, const void *context, struct loom_error *err);
/* Add a figure of a report; its data move. */
int loom_figures_take(struct loom_reproduction *all, size_t item, struct loom_report *report,
                      const char *name, const char *title, struct loom_error *err);

/* Add points: what was measured of an item's claims (fig_claims.c). */
int loom_figures_of_claims(struct loom_reproduction *all, size_t item, struct loom_error *err);
/* Add curves of the trials of an item (fig_trial.c). */
int loom_figures_of_trials(struct loom_reproduction *all, size_t item, struct loom_bench *bench,
                           struct loom_error *err);
/* Add figures of the logs of an item, alone or beside what was drawn (fig_logs.c). */
int loom_figures_of_logs(struct loom_reproduction *all, size_t item, struct loom_bench *bench,
                         struct loom_error *err);

#endif
