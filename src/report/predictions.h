/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predictions.h - evaluations of predictors in tables, documents and figures. */
#ifndef LOOM_REPORT_PREDICTIONS_H
#define LOOM_REPORT_PREDICTIONS_H

#include "report/report.h"

#include <workloom/report_predict.h>

/* ---- fields of errors (prediction_data.c) ---------------------------------------------------- */

enum loom_error_unit { LOOM_ERROR_COUNT, LOOM_ERROR_SHARE, LOOM_ERROR_TIME, LOOM_ERROR_NUMBER };

/* A field of struct loom_prediction_errors. */
struct loom_error_field {
    const char *key;   /* in documents */
    const char *label; /* in tables */
    enum loom_error_unit unit;
    int priority;   /* of its column (loom_table_priority) */
    bool intervals; /* of predictors that give intervals only */
};

/* Return the field at an index; NULL past the last. Static. */
const struct loom_error_field *loom_error_field_at(size_t index);
/* Return the value of the field at an index. */
double loom_error_value(const struct loom_prediction_errors *errors, size_t index);

/* Return whether some predictor gives intervals. */
bool loom_predictions_have_intervals(const struct loom_predictions *predictions);

/* ---- classes of all predictors --------------------------------------------------------------- */

/* Create the classes of every predictor: an array of n, the same classes in each, which the caller
 * must free with loom_all_classes_free. LOOM_ENOMEM. */
int loom_all_classes(struct loom_prediction_classes ***out,
                     const struct loom_predictions *predictions, enum loom_predicted_by by,
                     struct loom_error *err);
void loom_all_classes_free(struct loom_prediction_classes **classes, size_t n);

/* ---- figures (fig_predict.c, fig_predicted_log.c) -------------------------------------------- */

/* Groups of figures; each ends with a NULL name. */
extern const struct loom_figure_ops loom_figures_prediction[], loom_figures_uncertainty[],
    loom_figures_predicted_log[];

#endif
