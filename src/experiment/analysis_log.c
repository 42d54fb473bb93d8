/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variants of a log beside the log itself, where an experiment has both. */
#include "experiment/analysis.h"

#include <math.h>
#include <string.h>

double loom_results_log_value(const struct loom_run_results *results, size_t cell, const char *key)
{
    const char *factor;
    for (size_t i = 0; i < loom_results_cells(results); i++) {
        bool same = i != cell && loom_results_cell(results, i)->replications == 1;
        for (size_t f = 0; same && (factor = loom_results_factor(results, f)); f++)
            same = strcmp(factor, "source") == 0 || !loom_results_differ(results, cell, i, factor);
        const double *values = same ? loom_results_values(results, i, key) : NULL;
        if (same)
            return values ? values[0] : (double)NAN;
    }
    return NAN;
}

/* Chance puts the log beyond all of 20 variants like it in 2 of 21 cases, and hardly by a tenth of
 * their mean as well. */
bool loom_results_far_from_log(struct loom_log_distance *out,
                               const struct loom_run_results *results, size_t cell, const char *key)
{
    enum { LEAST = 10 };
    static const double TENTH = 0.1;
    const double *values = loom_results_values(results, cell, key);
    *out = (struct loom_log_distance){.log = loom_results_log_value(results, cell, key),
                                      .low = INFINITY,
                                      .high = -INFINITY};
    double sum = 0;
    for (int64_t r = 0; values && r < loom_results_replications(results); r++)
        if (!isnan(values[r])) {
            out->n++;
            sum += values[r];
            out->low = fmin(out->low, values[r]);
            out->high = fmax(out->high, values[r]);
        }
    double mean = sum / (double)out->n;
    return out->n >= LEAST && (out->log < out->low || out->log > out->high) &&
           fabs(out->log - mean) > TENTH * fabs(mean);
}
