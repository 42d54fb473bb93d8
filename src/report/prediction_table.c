/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluations of predictors as tables for people: one row a predictor, or a class and a predictor.
 * All times of a column have one unit. */
#include "base/human.h"
#include "report/predictions.h"
#include "report/time_unit.h"
#include "report/tool.h"

#include <math.h>

enum { MOST_FIELDS = 16 };

/* A table while it is filled. */
struct filling {
    struct loom_table *table;
    const struct loom_predictions *predictions;
    struct loom_prediction_classes **classes; /* by predictor; NULL: all jobs */
    bool intervals;                           /* some predictor gives them */
    struct loom_time_unit units[MOST_FIELDS];
};

static bool prediction_table_is_shown(const struct filling *filling,
                                      const struct loom_error_field *field)
{
    return filling->intervals || !field->intervals;
}

static void see_prediction(struct filling *filling, const struct loom_prediction_errors *errors)
{
    for (size_t i = 0; loom_error_field_at(i); i++)
        if (loom_error_field_at(i)->unit == LOOM_ERROR_TIME)
            loom_time_unit_see(&filling->units[i], fabs(loom_error_value(errors, i)));
}

static void choose_units(struct filling *filling)
{
    const struct loom_predictions *predictions = filling->predictions;
    for (size_t p = 0; p < predictions->n; p++) {
        if (!filling->classes)
            see_prediction(filling, &predictions->of[p].evaluation->errors);
        const struct loom_prediction_class *class;
        for (size_t c = 0;
             filling->classes && (class = loom_prediction_classes_at(filling->classes[p], c)); c++)
            see_prediction(filling, &class->errors);
    }
    for (size_t i = 0; loom_error_field_at(i); i++)
        loom_time_unit_choose(&filling->units[i]);
}

static int add_columns(struct filling *filling, struct loom_error *err)
{
    struct loom_table *table = filling->table;
    const struct loom_error_field *field;
    int rc = filling->classes ? loom_table_column(table,
                                                  loom_predicted_by_name(loom_prediction_classes_by(
                                                      filling->classes[0])),
                                                  LOOM_LEFT, err)
                              : 0;
    if (!rc && (!filling->classes || filling->predictions->n > 1))
        rc = loom_table_column(table, "predictor", LOOM_LEFT, err);
    for (size_t i = 0; (field = loom_error_field_at(i)) && !rc; i++) {
        if (!prediction_table_is_shown(filling, field))
            continue;
        rc = field->unit == LOOM_ERROR_TIME
                 ? loom_time_unit_column(table, field->label, &filling->units[i], err)
                 : loom_table_column(table, field->label, LOOM_RIGHT, err);
        if (!rc)
            loom_table_priority(table, field->priority);
    }
    if (!rc && filling->classes) {
        rc = loom_table_column(table, "share of errors", LOOM_RIGHT, err);
        if (!rc)
            loom_table_priority(table, 7);
    }
    return rc;
}

static int add_share(struct loom_table *table, double share, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_human_share(share, text, sizeof text));
}

static int add_errors(struct filling *filling, const struct loom_prediction_errors *errors,
                      struct loom_error *err)
{
    const struct loom_error_field *field;
    char text[LOOM_HUMAN];
    int rc = 0;
    for (size_t i = 0; (field = loom_error_field_at(i)) && !rc; i++) {
        double value = loom_error_value(errors, i);
        if (!prediction_table_is_shown(filling, field))
            continue;
        if (field->unit == LOOM_ERROR_TIME)
            rc = loom_time_unit_cell(filling->table, value, &filling->units[i], err);
        else if (field->unit == LOOM_ERROR_SHARE)
            rc = add_share(filling->table, value, err);
        else
            rc = loom_table_cell(filling->table, err, "%s",
                                 field->unit == LOOM_ERROR_COUNT
                                     ? loom_human_count((int64_t)value, text, sizeof text)
                                     : loom_human_number(value, text, sizeof text));
    }
    return rc;
}

static int add_class(struct filling *filling, size_t p, size_t index, struct loom_error *err)
{
    const struct loom_prediction_classes *classes = filling->classes[p];
    const struct loom_prediction_class *class = loom_prediction_classes_at(classes, index);
    const struct loom_predictions *predictions = filling->predictions;
    char text[120];
    int rc = loom_table_cell(filling->table, err, "%s",
                             p > 0 ? ""
                                   : loom_prediction_class_text(classes, index, predictions->trace,
                                                                text, sizeof text));
    if (!rc && predictions->n > 1)
        rc = loom_table_cell(filling->table, err, "%s", predictions->of[p].text);
    if (!rc)
        rc = add_errors(filling, &class->errors, err);
    return rc ? rc : add_share(filling->table, class->error_share, err);
}

static int add_rows(struct filling *filling, struct loom_error *err)
{
    const struct loom_predictions *predictions = filling->predictions;
    int rc = 0;
    for (size_t p = 0; p < predictions->n && !filling->classes && !rc; p++) {
        rc = loom_table_cell(filling->table, err, "%s", predictions->of[p].text);
        if (!rc)
            rc = add_errors(filling, &predictions->of[p].evaluation->errors, err);
    }
    for (size_t c = 0;
         filling->classes && !rc && loom_prediction_classes_at(filling->classes[0], c); c++)
        for (size_t p = 0; p < predictions->n && !rc; p++)
            rc = add_class(filling, p, c, err);
    return rc;
}

static int prediction_table_fill(struct loom_table **out, struct filling *filling,
                                 struct loom_error *err)
{
    int rc = loom_table_create(&filling->table, err);
    if (!rc) {
        filling->intervals = loom_predictions_have_intervals(filling->predictions);
        choose_units(filling);
        rc = add_columns(filling, err);
    }
    if (!rc)
        rc = add_rows(filling, err);
    if (rc)
        loom_table_destroy(filling->table);
    else
        *out = filling->table;
    return rc;
}

int loom_predictions_table(struct loom_table **out, const struct loom_predictions *predictions,
                           struct loom_error *err)
{
    struct filling filling = {.predictions = predictions};
    *out = NULL;
    return prediction_table_fill(out, &filling, err);
}

int loom_predicted_classes_table(struct loom_table **out,
                                 const struct loom_predictions *predictions,
                                 enum loom_predicted_by by, struct loom_error *err)
{
    struct filling filling = {.predictions = predictions};
    *out = NULL;
    int rc = loom_all_classes(&filling.classes, predictions, by, err);
    if (!rc)
        rc = prediction_table_fill(out, &filling, err);
    loom_all_classes_free(filling.classes, predictions->n);
    return rc;
}
