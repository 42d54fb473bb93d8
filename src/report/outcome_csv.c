/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes as comma-separated values: one header line, one row a run, one column a metric of the
 * dictionary, so that data frames read them without arguments. Metrics that no run has are left
 * out; a value that is not there is an empty field.
 */
#include "report/figure.h"
#include "report/outcomes.h"

#include <math.h>
#include <string.h>

static bool any_has(const struct loom_outcome *const *outcomes, size_t n,
                    enum loom_metric_group group)
{
    for (size_t i = 0; i < n; i++)
        if (loom_outcome_has(outcomes[i], group))
            return true;
    return false;
}

/* What identifies a run, before its metrics. */
static void put_run(struct loom_csv *to, const struct loom_outcome *outcome, const char *trace,
                    const char *source)
{
    loom_csv_text(to, trace);
    loom_csv_put(to, ",", 1);
    loom_csv_text(to, source);
    loom_csv_put(to, ",", 1);
    loom_csv_text(to, outcome->policy);
    loom_csv_put(to, ",", 1);
    loom_csv_number(to, outcome->load.asked > 0 ? outcome->load.asked : NAN);
    loom_csv_put(to, ",", 1);
    loom_csv_number(to, (double)outcome->replication);
    loom_csv_put(to, ",", 1);
    loom_csv_number(to, (double)outcome->seed);
}

int loom_outcomes_csv(struct loom_output *out, const struct loom_outcome *const *outcomes, size_t n,
                      const char *trace, const char *source, struct loom_error *err)
{
    static const char first[] = "trace,source,scheduler,load,replication,seed";
    struct loom_csv to = {.out = out, .err = err};
    const struct loom_metric *metric;
    bool shown[LOOM_METRIC_GROUPS];
    for (size_t group = 0; group < LOOM_METRIC_GROUPS; group++)
        shown[group] = any_has(outcomes, n, (enum loom_metric_group)group);
    loom_csv_put(&to, first, sizeof first - 1);
    for (size_t m = 0; (metric = loom_metric_at(m)); m++)
        if (shown[metric->group]) {
            loom_csv_put(&to, ",", 1);
            loom_csv_put(&to, metric->key, strlen(metric->key));
        }
    loom_csv_put(&to, "\n", 1);
    for (size_t i = 0; i < n; i++) {
        put_run(&to, outcomes[i], trace, source);
        for (size_t m = 0; (metric = loom_metric_at(m)); m++)
            if (shown[metric->group]) {
                loom_csv_put(&to, ",", 1);
                loom_csv_number(&to, loom_outcome_metric(outcomes[i], metric));
            }
        loom_csv_put(&to, "\n", 1);
    }
    return to.rc;
}
