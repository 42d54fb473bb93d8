/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of an experiment as comma-separated values: one row a run that was done, in the order of
 * the plan; trace, source, scheduler, load, replication, one column a setting, one a metric. The
 * view `results` of the database has the same columns.
 */
#include "report/figure.h"

#include <workloom/report_results.h>

#include <math.h>
#include <string.h>

enum { OWN_FACTORS = 4 }; /* trace, source, scheduler, load */

/* A setting with the name of a metric has "_set" behind it. */
static void put_header(struct loom_csv *to, const struct loom_run_results *results)
{
    static const char first[] = "trace,source,scheduler,load,replication";
    const struct loom_metric *metric;
    const char *factor;
    loom_csv_put(to, first, sizeof first - 1);
    for (size_t i = OWN_FACTORS; (factor = loom_results_factor(results, i)); i++) {
        loom_csv_put(to, ",", 1);
        loom_csv_text(to, factor);
        if (loom_metric_find(factor))
            loom_csv_put(to, "_set", 4);
    }
    for (size_t m = 0; (metric = loom_results_metric(results, m)); m++) {
        loom_csv_put(to, ",", 1);
        loom_csv_text(to, metric->key);
    }
    loom_csv_put(to, "\n", 1);
}

static bool was_done(const struct loom_run_results *results, size_t cell, int64_t replication)
{
    const struct loom_metric *metric;
    for (size_t m = 0; (metric = loom_results_metric(results, m)); m++)
        if (!isnan(loom_results_values(results, cell, metric->key)[replication]))
            return true;
    return false;
}

static void put_row(struct loom_csv *to, const struct loom_run_results *results, size_t cell,
                    int64_t replication)
{
    const struct loom_metric *metric;
    const char *factor;
    char value[512];
    for (size_t i = 0; (factor = loom_results_factor(results, i)); i++) {
        if (i == OWN_FACTORS) {
            loom_csv_number(to, (double)replication);
            loom_csv_put(to, ",", 1);
        }
        loom_csv_text(to, loom_results_value(results, cell, factor, value, sizeof value));
        loom_csv_put(to, ",", 1);
    }
    if (!loom_results_factor(results, OWN_FACTORS)) {
        loom_csv_number(to, (double)replication);
        loom_csv_put(to, ",", 1);
    }
    for (size_t m = 0; (metric = loom_results_metric(results, m)); m++) {
        loom_csv_put(to, ",", m > 0);
        loom_csv_number(to, loom_results_values(results, cell, metric->key)[replication]);
    }
    loom_csv_put(to, "\n", 1);
}

int loom_results_csv(struct loom_output *out, const struct loom_run_results *results,
                     struct loom_error *err)
{
    struct loom_csv to = {.out = out, .err = err};
    put_header(&to, results);
    for (size_t cell = 0; cell < loom_results_cells(results); cell++)
        for (int64_t r = 0; r < loom_results_replications(results) && !to.rc; r++)
            if (was_done(results, cell, r))
                put_row(&to, results, cell, r);
    return to.rc;
}
