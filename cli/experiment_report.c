/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom experiment report: what an experiment shows, and how sure that is. */
#include "experiment.h"
#include "results.h"

#include <stdlib.h>

static const struct loom_param report_params[] = {
    {.name = "classes",
     .type = LOOM_PARAM_FLAG,
     .help = "results by class of jobs, of a plan with by"},
    {.name = "csv",
     .type = LOOM_PARAM_TEXT,
     .value = "-",
     .metavar = "FILE",
     .help = "write one row a run, one column a metric; stdout without FILE"},
    REPORT_PARAMS("a page", "table"),
    {.name = NULL},
};

/* The metrics of the plan and of --metric. */
static int read_results(struct loom_run_results **out, const struct invocation *call,
                        struct loom_error *err)
{
    if (loom_params_flag(call->params, "classes"))
        return loom_results_read_classes(out, call->operands[0], err);
    size_t n = loom_params_count(call->params, "metric");
    const char **metrics = calloc(n + 1, sizeof *metrics);
    if (!metrics)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        metrics[i] = loom_params_item(call->params, "metric", i);
    int rc = loom_results_read_with(out, call->operands[0], metrics, n, err);
    free(metrics);
    return rc;
}

static int run_report(const struct invocation *call, struct loom_error *err)
{
    struct loom_run_results *results = NULL;
    struct loom_pool *pool = NULL;
    int rc = check_report_outputs(call, err);
    if (!rc)
        rc = make_pool(&pool, call, err);
    if (!rc)
        rc = read_results(&results, call, err);
    if (!rc)
        rc = show_results(results, call, pool, err);
    loom_results_destroy(results);
    loom_pool_destroy(pool);
    return rc;
}

static const char *const about[] = {
    "The sentence on top names the best of each group of cells that differ in one factor alone, "
    "and "
    "by how much it beats the next, with an interval over paired replications. \"no difference "
    "shown\" means that the interval holds 0; the interval is widened for the number of pairs "
    "compared (Holm), and is of the difference in per cent where it has one.",
    "The interval of a mean is its Monte Carlo error and shrinks with the number of replications; "
    "the spread \"runs: 5 to 95 %\" is what one more replication may bring and does not.",
    "A database that is being written can be reported at any time.",
    NULL,
};

static const struct example examples[] = {
    {"workloom experiment report study.db", "Which policy, by how much, how sure."},
    {"workloom experiment report study.db --metric wait_mean_s --html study.html",
     "Waits, as a page with figures."},
    {"workloom experiment report study.db --csv runs.csv", "All runs, for pandas or R."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {analysis_params, report_params, table_params,
                                                  common_params, NULL};

const struct command command_experiment_report = {
    .name = "experiment report",
    .group = GROUP_SIMULATION,
    .summary = "which is best, by how much, how sure",
    .operands = "DB",
    .about = about,
    .params = params,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_report,
};
