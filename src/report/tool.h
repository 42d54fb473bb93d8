/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what report has for the command beyond the public interface. */
#ifndef LOOM_REPORT_TOOL_H
#define LOOM_REPORT_TOOL_H

#include "report/replay.h"

#include <workloom/report.h>
#include <workloom/report_predict.h>
#include <workloom/report_results.h>

struct loom_output_set;
struct loom_table;

/* Let all files that are made of the report, from now on, appear with the others of a set, which is
 * borrowed for the life of the report. Otherwise a page appears when it is written, and so do all
 * figures of a directory. */
void loom_report_join(struct loom_report *report, struct loom_output_set *set);

/* Create the data of a figure or table of a report as a table for people, which the caller must
 * destroy. Fails as loom_report_table_csv. */
int loom_report_table(struct loom_table **out, const struct loom_report *report, const char *name,
                      struct loom_error *err);

/* Create tables for people; the caller must destroy them. *out is NULL where there is nothing to
 * show. The first has one run as rows, or several as a row each; wide shows every metric. */
int loom_outcomes_table(struct loom_table **out, const struct loom_outcome *const *outcomes,
                        size_t n, bool wide, struct loom_error *err);
/* Classes of jobs, with the names of `names`, which may be NULL. */
int loom_classes_table(struct loom_table **out, const struct loom_outcome *const *outcomes,
                       size_t n, const struct loom_trace *names, struct loom_error *err);
/* The clusters of a grid. */
int loom_clusters_table(struct loom_table **out, const struct loom_outcome *outcome,
                        struct loom_error *err);
/* Jobs left out or changed, by reason. */
int loom_counts_table(struct loom_table **out, const struct loom_outcome *const *outcomes, size_t n,
                      struct loom_error *err);
/* The results of a study: of one trial exact and simulated metrics as rows, of several a row each.
 * wide shows every metric. */
int loom_queueing_table(struct loom_table **out, const struct loom_queueing_study *study, bool wide,
                        struct loom_error *err);
/* Models fitted to a log: their parameters, and their predictions beside TBUOS. */
int loom_queueing_fit_table(struct loom_table **out, const struct loom_queueing_fit *fit,
                            struct loom_error *err);
int loom_queueing_predictions_table(struct loom_table **out,
                                    const struct loom_queueing_fitted_log *of,
                                    struct loom_error *err);
/* Predictors: one row each; and one row a class and predictor, classes together. */
int loom_predictions_table(struct loom_table **out, const struct loom_predictions *predictions,
                           struct loom_error *err);
int loom_predicted_classes_table(struct loom_table **out,
                                 const struct loom_predictions *predictions,
                                 enum loom_predicted_by by, struct loom_error *err);
/* An analysis: one row a cell, best first in each group. */
int loom_analysis_table(struct loom_table **out, const struct loom_analysis *analysis,
                        struct loom_error *err);

/* Write the largest share of the work to buf, by a kind of class (0: user, 1: group, 2: queue, 3:
 * partition, 4: size, 5: runtime, 6: hour, which needs zone): "user 17: 30 % of the work with 4 %
 * of the jobs". Over the window in which the log is complete; empty where there are not two classes
 * or no work is known. */
int loom_service_shares(char *buf, size_t size, const struct loom_trace *trace,
                        const struct loom_zone *zone, size_t kind, struct loom_error *err);

#endif
