/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study: one trial varied by axes and rules. */
#include <workloom/queueing.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIALS = 10000 };

/* Differences of the curves; n_rules and n_values are at least 1. */
struct variation {
    const struct loom_queueing_axis *points, *curves; /* NULL: none */
    const struct loom_repeat *rules;
    size_t n_rules, n_values;
};

static void label_curve(char *label, const struct variation *by, size_t rule, size_t value)
{
    char text[40] = "";
    if (by->n_rules > 1)
        loom_repeat_text(&by->rules[rule], text, sizeof text);
    size_t used = (size_t)snprintf(label, LOOM_QUEUEING_LABEL, "%s", text);
    if (by->curves)
        snprintf(label + used, LOOM_QUEUEING_LABEL - used, "%s%s = %.10g", used > 0 ? ", " : "",
                 by->curves->name, by->curves->values[value]);
}

static void fill_curve(struct loom_queueing_study *study, const struct loom_queueing_trial *base,
                       const struct variation *by, size_t curve)
{
    size_t rule = curve / by->n_values, value = curve % by->n_values;
    label_curve(study->labels[curve], by, rule, value);
    for (size_t p = 0; p < study->points; p++) {
        struct loom_queueing_trial *trial = &study->trials[curve * study->points + p];
        *trial = *base;
        if (by->rules)
            trial->model.repeat = by->rules[rule];
        if (by->curves)
            loom_queueing_axis_set(by->curves, by->curves->values[value], &trial->model);
        if (by->points)
            loom_queueing_axis_set(by->points, by->points->values[p], &trial->model);
    }
}

static int check_axes(const struct loom_queueing_axis *axes, size_t n, struct loom_error *err)
{
    if (n > 2)
        return loom_fail_field(err, LOOM_EUSAGE, "sweep", "sweep takes at most two parameters");
    if (n == 2 && strcmp(axes[0].name, axes[1].name) == 0)
        return loom_fail_field(err, LOOM_EUSAGE, "sweep", "sweep names %s twice", axes[0].name);
    if (n == 2 && strncmp(axes[0].name, "think", 5) == 0 && strncmp(axes[1].name, "think", 5) == 0)
        return loom_fail_field(err, LOOM_EUSAGE, "sweep",
                               "sweep names both think and think-rate, which is 1/think");
    return 0;
}

int loom_queueing_study_create(struct loom_queueing_study *out,
                               const struct loom_queueing_trial *base,
                               const struct loom_queueing_axis *axes, size_t n_axes,
                               const struct loom_repeat *rules, size_t n_rules,
                               struct loom_error *err)
{
    int rc = check_axes(axes, n_axes, err);
    if (rc)
        return rc;
    const struct variation by = {.points = n_axes > 0 ? &axes[0] : NULL,
                                 .curves = n_axes > 1 ? &axes[1] : NULL,
                                 .rules = n_rules > 0 ? rules : NULL,
                                 .n_rules = n_rules > 0 ? n_rules : 1,
                                 .n_values = n_axes > 1 ? axes[1].n : 1};
    struct loom_queueing_study study = {.curves = by.n_rules * by.n_values,
                                        .points = n_axes > 0 ? axes[0].n : 1,
                                        .has_axis = n_axes > 0};
    if (study.curves * study.points > MOST_TRIALS)
        return loom_fail_field(err, LOOM_ERANGE, "sweep", "sweep has more than %d cells",
                               MOST_TRIALS);
    if (by.points)
        study.axis = *by.points;
    study.trials = calloc(study.curves * study.points, sizeof *study.trials);
    study.labels = calloc(study.curves, sizeof *study.labels);
    for (size_t c = 0; c < study.curves && study.trials && study.labels; c++)
        fill_curve(&study, base, &by, c);
    *out = study;
    if (study.trials && study.labels)
        return 0;
    loom_queueing_study_free(out);
    return loom_fail_memory(err);
}

void loom_queueing_study_free(struct loom_queueing_study *study)
{
    free(study->trials);
    free(study->labels);
    *study = (struct loom_queueing_study){0};
}
