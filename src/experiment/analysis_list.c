/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several metrics of the same results, and which they are where none is named. */
#include "experiment/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, MANY = 20 };

/* List the metrics that the plan names and results have; list is a copy of its words, which is cut
 * up. Returns their number, and sets *named to the number of words. */
static size_t planned_metrics(const char **keys, size_t *named, char *list,
                              const struct loom_run_results *results)
{
    size_t n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(list, " ", &rest); word && n < MOST;
         word = strtok_r(NULL, " ", &rest)) {
        ++*named;
        const struct loom_metric *metric = loom_metric_find(word);
        if (metric && loom_results_have(results, metric->key))
            keys[n++] = metric->key;
    }
    return n;
}

static size_t usual_metrics(const char **keys, const struct loom_run_results *results)
{
    static const char *const usual[] = {
        "bounded_slowdown_mean", "wait_mean_s", "response_mean_s", "slowdown_ratio", "wait_p90_s",
        "utilization",           "queue_mean",  "fairness"};
    const struct loom_metric *metric;
    size_t n = 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (loom_results_have(results, usual[i]))
            keys[n++] = usual[i];
    for (size_t i = 0; n == 0 && (metric = loom_results_metric(results, i)); i++)
        if (loom_results_have(results, metric->key))
            keys[n++] = metric->key;
    return n;
}

static int choose_metrics(const char **keys, size_t *n, const struct loom_run_results *results,
                          struct loom_error *err)
{
    const char *planned = loom_results_origin(results, "metrics");
    char *list = strdup(planned ? planned : "");
    size_t named = 0;
    if (!list)
        return loom_fail_memory(err);
    *n = planned_metrics(keys, &named, list, results);
    if (*n == 0 || named > MANY) /* none are named, or all that runs have */
        *n = usual_metrics(keys, results);
    free(list);
    return *n > 0 ? 0 : loom_fail(err, LOOM_EDATA, "there are no results yet");
}

int loom_analyses_create(struct loom_analysis ***out, size_t *n,
                         const struct loom_run_results *results, const char *const *metrics,
                         size_t n_metrics, const struct loom_analysis_options *options,
                         struct loom_error *err)
{
    const char *keys[MOST];
    size_t count = 0;
    int rc = n_metrics > 0 ? 0 : choose_metrics(keys, &count, results, err);
    if (rc)
        return rc;
    if (n_metrics == 0)
        metrics = keys, n_metrics = count;
    struct loom_analysis **all = calloc(n_metrics, sizeof *all);
    rc = all ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n_metrics && !rc; i++) {
        struct loom_analysis_options one = *options;
        one.metric = metrics[i];
        rc = loom_analysis_create(&all[i], results, &one, err);
    }
    if (rc) {
        loom_analyses_destroy(all, n_metrics);
        return rc;
    }
    *out = all;
    *n = n_metrics;
    return 0;
}

void loom_analyses_destroy(struct loom_analysis **analyses, size_t n)
{
    for (size_t i = 0; i < n && analyses; i++)
        loom_analysis_destroy(analyses[i]);
    free(analyses);
}
