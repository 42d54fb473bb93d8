/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_results.h - results of experiments as data, pages and figures.
 *
 * All of them are made of analyses (experiment_results.h), one a metric; the first is the one that
 * the page is about.
 */
#ifndef WORKLOOM_REPORT_RESULTS_H
#define WORKLOOM_REPORT_RESULTS_H

#include <workloom/experiment_results.h>
#include <workloom/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Write results as comma-separated values: a header line and one row per run, with the columns
 * trace, source, scheduler, load (empty if unchanged), replication, one per setting, and one per
 * metric. Fails with LOOM_EIO if the output cannot be written. */
LOOM_API int loom_results_csv(struct loom_output *out, const struct loom_run_results *results,
                              struct loom_error *err);

/* Create a JSON object of n analyses of the same results: `sentences`, `cells` with means, half
 * widths, intervals and quantiles, and `differences` of pairs (docs/EXPERIMENTS.md has its keys).
 * Returns a new reference, which the caller must release, or NULL when out of memory. */
LOOM_API struct json_t *loom_analyses_json(struct loom_analysis *const *analyses, size_t n);

/* Create a report in *out whose figures show n >= 1 analyses of the same results. Pool (may be
 * NULL) is borrowed for the life of the report, the rest for the call. The caller must destroy it.
 * Fails with LOOM_EDATA if n is 0, LOOM_ENOMEM. */
LOOM_API int loom_report_analyses(struct loom_report **out, struct loom_analysis *const *analyses,
                                  size_t n, struct loom_pool *pool, struct loom_error *err);

/* What a page of results shows besides figures. Borrowed for the call. */
struct loom_analyses_page {
    const char *title;   /* NULL: "Experiment" */
    const char *command; /* that wrote the page; NULL: unknown */
    struct loom_analysis *const *analyses;
    size_t n;
};

/* Write a report of loom_report_analyses as one HTML file, as loom_report_html does: the answer in
 * words, the table behind it, figures, tables of other metrics, and how to repeat it. */
LOOM_API int loom_report_analyses_html(struct loom_report *report, const char *path,
                                       const struct loom_analyses_page *page,
                                       struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
