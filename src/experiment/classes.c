/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a class of jobs: the same keys in tables, JSON and databases. */
#include "experiment/outcome.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const struct {
    const char *key; /* in the dictionary, which has the label */
    size_t offset;
    bool whole;
    double of_none;
} fields[LOOM_CLASS_FIELDS] = {
    {"jobs", offsetof(struct loom_sim_class, jobs), true, 0},
    {"wait_mean_s", offsetof(struct loom_sim_class, wait_mean_s), false, NAN},
    {"wait_median_s", offsetof(struct loom_sim_class, wait_median_s), false, NAN},
    {"bounded_slowdown_mean", offsetof(struct loom_sim_class, bounded_slowdown_mean), false, NAN},
    {"throughput_jobs_per_day", offsetof(struct loom_sim_class, throughput_jobs_per_day), false, 0},
};

const char *loom_class_field_key(size_t field)
{
    return fields[field].key;
}

double loom_class_field_of_none(size_t field)
{
    return fields[field].of_none;
}

double loom_class_value(const struct loom_sim_class *class, size_t field)
{
    const void *at = (const char *)class + fields[field].offset;
    return fields[field].whole ? (double)*(const int64_t *)at : *(const double *)at;
}

int loom_outcome_name_classes(struct loom_outcome *outcome, const struct loom_trace *trace,
                              struct loom_error *err)
{
    const struct loom_sim_classes *classes = outcome->classes;
    outcome->class_names = calloc(classes->count + 1, sizeof *outcome->class_names);
    if (!outcome->class_names)
        return loom_fail_memory(err);
    for (size_t i = 0; i < classes->count; i++)
        loom_sim_class_text(classes, i, trace, outcome->class_names[i], LOOM_CLASS_TEXT);
    return 0;
}
