/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_predict.h - how good predictors of runtimes are on a log, as data, pages and figures.
 */
#ifndef WORKLOOM_REPORT_PREDICT_H
#define WORKLOOM_REPORT_PREDICT_H

#include <workloom/predict_classes.h>
#include <workloom/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A predictor and its evaluation. */
struct loom_evaluated {
    const char *text; /* that it was created from: "minh2010:k1=5" */
    const struct loom_predictor *predictor;
    const struct loom_evaluation *evaluation;
};

enum { LOOM_NOT_CLASSIFIED = -1 };

/* Predictors that were evaluated on the same jobs. All of it is borrowed. */
struct loom_predictions {
    const struct loom_trace *trace;
    const struct loom_evaluated *of;
    size_t n;           /* at least 1 */
    double train;       /* first part of the jobs that was history only */
    int by;             /* enum loom_predicted_by, or LOOM_NOT_CLASSIFIED */
    const char *select; /* how jobs were selected: "completed"; NULL: unknown */
};

/* Create a JSON object: `file`, `hash`, `select`, `train`, `history`, counts of what is unknown,
 * and `predictors`, a list of name, text, params, errors and, if they are classified, `classes`.
 * Returns a new reference, which the caller must release (json_decref), or NULL when out of memory.
 */
LOOM_API struct json_t *loom_predictions_json(const struct loom_predictions *predictions);

/* Write comma-separated values: a header line and one row per predictor or, if jobs are classified,
 * per class and predictor. Fails with LOOM_EIO if the output cannot be written, LOOM_ENOMEM. */
LOOM_API int loom_predictions_csv(struct loom_output *out,
                                  const struct loom_predictions *predictions,
                                  struct loom_error *err);

/* Create a report in *out: errors of all jobs, by class and over time, and whether stated
 * uncertainties hold; ratios of runtimes to requested times and the distribution of runtimes (Minh
 * 2012, figures 8.1 and 8.2). Predictions are borrowed for the call, their trace and the pool (may
 * be NULL) for the life of the report. The caller must destroy it. Fails with LOOM_ENOMEM. */
LOOM_API int loom_report_predictions(struct loom_report **out,
                                     const struct loom_predictions *predictions,
                                     struct loom_pool *pool, struct loom_error *err);

/* Write the page of a report of loom_report_predictions as one HTML file, as loom_report_html does.
 * command is the one that wrote it, or NULL. */
LOOM_API int loom_report_predictions_html(struct loom_report *report, const char *path,
                                          const struct loom_predictions *predictions,
                                          const char *command, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
