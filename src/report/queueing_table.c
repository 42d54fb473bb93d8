/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies of queueing models as tables for people. */
#include "base/table.h"
#include "report/queueing.h"
#include "report/tool.h"

#include <stdio.h>

enum { CELL = 64 };

/* Five digits: the precision of a mean of simulations, and enough to distinguish exact values. */
static const char *number_text(double value, char *buf)
{
    if (isnan(value))
        snprintf(buf, CELL, "-");
    else
        snprintf(buf, CELL, "%.5g", value);
    return buf;
}

static const char *estimate_text(const struct loom_estimate *estimate, char *buf)
{
    if (isnan(estimate->half_width))
        return number_text(estimate->mean, buf);
    snprintf(buf, CELL, "%.5g ± %.2g", estimate->mean, estimate->half_width);
    return buf;
}

/* ---- one trial ------------------------------------------------------------------------------- */

static int add_queueing_table_row(struct loom_table *table, const struct loom_queueing_trial *trial,
                                  size_t metric, struct loom_error *err)
{
    char text[CELL];
    int rc = loom_table_cell(table, err, "%s", loom_queueing_metric_at(metric)->label);
    if (!rc && trial->solve)
        rc = loom_table_cell(table, err, "%s", number_text(trial->exact[metric], text));
    if (!rc && trial->simulate)
        rc = loom_table_cell(table, err, "%s", estimate_text(&trial->result.metrics[metric], text));
    return rc;
}

static int add_word(struct loom_table *table, const struct loom_queueing_trial *trial,
                    const char *label, const char *text, struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", label);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", text);
    return !rc && trial->simulate ? loom_table_cell(table, err, "%s", "") : rc;
}

/* Operational analysis of the mixed model. */
static int add_bounds(struct loom_table *table, const struct loom_queueing_trial *trial,
                      struct loom_error *err)
{
    const struct loom_mixed *solved = &trial->solved;
    char text[2 * CELL];
    int rc = add_word(table, trial, "phase", loom_mixed_phase_name(solved->phase), err);
    if (!rc)
        rc = add_word(table, trial, "full utilization from closed users",
                      number_text(solved->users_for_full, text), err);
    snprintf(text, sizeof text, "%.5g to %.5g", solved->throughput_min, solved->throughput_max);
    if (!rc)
        rc = add_word(table, trial, "bounds of the throughput", text, err);
    return rc ? rc
              : add_word(table, trial, "least response of closed users",
                         number_text(solved->response_closed_min, text), err);
}

static int fill_one(struct loom_table *table, const struct loom_queueing_study *study,
                    struct loom_error *err)
{
    const struct loom_queueing_trial *trial = &study->trials[0];
    char title[40];
    snprintf(title, sizeof title, "simulated (%g %%)", 100 * trial->options.confidence);
    int rc = loom_table_column(table, "metric", LOOM_LEFT, err);
    if (!rc && trial->solve)
        rc = loom_table_column(table, "exact", LOOM_RIGHT, err);
    if (!rc && trial->simulate)
        rc = loom_table_column(table, title, LOOM_RIGHT, err);
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS && !rc; m++)
        if (loom_trial_shows(study, trial, m) && !isnan(loom_trial_value(study, trial, m)))
            rc = add_queueing_table_row(table, trial, m, err);
    return !rc && trial->solve && study->exact_first ? add_bounds(table, trial, err) : rc;
}

/* ---- several --------------------------------------------------------------------------------- */

/* Where there is no room, columns of low priority go first; the mixed model is about its classes.
 */
static int priority_of(const struct loom_queueing_study *study, size_t metric)
{
    static const size_t first[] = {LOOM_QUEUEING_RUNTIME_CONTINUE, LOOM_QUEUEING_RUNTIME_LAST,
                                   LOOM_QUEUEING_LENGTH, LOOM_QUEUEING_WAIT};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i] == metric)
            return (int)(2 + i);
    return study->exact_first && metric == LOOM_QUEUEING_RESPONSE ? 6 : 20;
}

static int add_titles(struct loom_table *table, const struct loom_queueing_study *study,
                      struct loom_error *err)
{
    int rc = study->curves > 1 ? loom_table_column(table, "curve", LOOM_LEFT, err) : 0;
    if (!rc && study->has_axis)
        rc = loom_table_column(table, study->axis.name, LOOM_RIGHT, err);
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS && !rc; m++) {
        if (!loom_study_shows(study, m))
            continue;
        rc = loom_table_column(table, loom_queueing_metric_at(m)->label, LOOM_RIGHT, err);
        loom_table_priority(table, priority_of(study, m));
    }
    if (!rc && study->exact_first && study->trials[0].solve)
        rc = loom_table_column(table, "phase", LOOM_LEFT, err);
    return rc;
}

static int add_trial(struct loom_table *table, const struct loom_queueing_study *study,
                     size_t index, struct loom_error *err)
{
    const struct loom_queueing_trial *trial = &study->trials[index];
    char text[CELL];
    int rc = study->curves > 1
                 ? loom_table_cell(table, err, "%s", study->labels[index / study->points])
                 : 0;
    if (!rc && study->has_axis)
        rc = loom_table_cell(table, err, "%.6g", study->axis.values[index % study->points]);
    for (size_t m = 0; m < LOOM_QUEUEING_METRICS && !rc; m++) {
        if (!loom_study_shows(study, m))
            continue;
        rc = loom_table_cell(table, err, "%s",
                             loom_trial_exact(study, trial)
                                 ? number_text(trial->exact[m], text)
                                 : estimate_text(&trial->result.metrics[m], text));
    }
    if (!rc && study->exact_first && study->trials[0].solve)
        rc = loom_table_cell(table, err, "%s",
                             trial->solve ? loom_mixed_phase_name(trial->solved.phase) : "-");
    return rc;
}

static int fill_many(struct loom_table *table, const struct loom_queueing_study *study,
                     struct loom_error *err)
{
    int rc = add_titles(table, study, err);
    for (size_t i = 0; i < study->curves * study->points && !rc; i++)
        rc = add_trial(table, study, i, err);
    return rc;
}

int loom_queueing_table(struct loom_table **out, const struct loom_queueing_study *study, bool wide,
                        struct loom_error *err)
{
    bool one = study->curves == 1 && !study->has_axis;
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = one ? fill_one(table, study, err) : fill_many(table, study, err);
    if (rc) {
        loom_table_destroy(table);
        return rc;
    }
    loom_table_wide(table, wide);
    *out = table;
    return 0;
}
