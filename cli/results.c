/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of an experiment: sentences and one table, JSON, CSV, a page and figures. */
#include "results.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const saturated_ways[] = {"keep", "drop", NULL};
static const char *const methods[] = {"auto", "t", "bootstrap", "bootstrap-t", NULL};

const struct loom_param analysis_params[] = {
    {.name = "metric",
     .letter = 'm',
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "KEY",
     .help = "metrics to compare, the first in the table"},
    {.name = "compare",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FACTOR",
     .help = "compare cells that differ in FACTOR"},
    {.name = "saturated",
     .type = LOOM_PARAM_CHOICE,
     .choices = saturated_ways,
     .value = "keep",
     .metavar = "WHAT",
     .help = "drop: leave out replications with a saturated run, for all policies"},
    {.name = "interval",
     .type = LOOM_PARAM_CHOICE,
     .choices = methods,
     .value = "auto",
     .metavar = "METHOD",
     .help = "auto: t below 10 replications, else bootstrap-t; of differences the wider of both"},
    {.name = "level",
     .type = LOOM_PARAM_REAL,
     .min = 0.5,
     .max = 0.9999,
     .value = "0.95",
     .metavar = "SHARE",
     .help = "confidence level of intervals"},
    {.name = NULL},
};

/* ---- analyses -------------------------------------------------------------------------------- */

struct shown {
    struct loom_analysis **analyses;
    size_t n;
};

static int analyse(struct shown *out, const struct loom_run_results *results,
                   const struct invocation *call, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_analysis_options options = {
        .compare = loom_params_text(params, "compare"),
        .drop_saturated = loom_params_choice(params, "saturated") == 1,
        .interval = {.method = (enum loom_interval_method)loom_params_choice(params, "interval"),
                     .level = loom_params_real(params, "level")},
    };
    size_t n = loom_params_count(params, "metric");
    const char **metrics = calloc(n + 1, sizeof *metrics);
    if (!metrics)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        metrics[i] = loom_params_item(params, "metric", i);
    int rc = loom_analyses_create(&out->analyses, &out->n, results, metrics, n, &options, err);
    free(metrics);
    return rc;
}

/* ---- terminal -------------------------------------------------------------------------------- */

static int write_answer(struct loom_output *out, const struct loom_analysis *analysis,
                        const struct loom_table *table, struct loom_error *err)
{
    char sentence[1000];
    int rc = 0;
    for (size_t i = 0; !rc && loom_analysis_caution(analysis, i, sentence, sizeof sentence); i++)
        rc = loom_output_printf(out, err, "Caution: %s.\n", sentence);
    for (size_t g = 0; g < analysis->n && !rc; g++)
        rc = loom_output_printf(out, err, "%s.\n",
                                loom_analysis_sentence(analysis, g, sentence, sizeof sentence));
    if (!rc)
        rc = loom_output_printf(out, err, "\n");
    return rc ? rc : loom_table_write(table, out, err);
}

static int print_answer(const struct loom_analysis *analysis, const struct invocation *call,
                        struct loom_error *err)
{
    struct loom_table *table = NULL;
    struct loom_output *out = NULL;
    int rc = loom_analysis_table(&table, analysis, err);
    if (rc)
        return rc;
    loom_table_limit(table, terminal_width());
    loom_table_wide(table, loom_params_flag(call->params, "wide"));
    rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = write_answer(out, analysis, table, err);
    loom_table_destroy(table);
    return end_output(out, rc, NULL, err);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int write_results_csv(const struct loom_run_results *results, const struct invocation *call,
                             struct loom_error *err)
{
    struct loom_output *out = NULL;
    if (!loom_params_given(call->params, "csv"))
        return 0;
    int rc = loom_output_create(&out, loom_params_text(call->params, "csv"), err);
    if (!rc)
        rc = loom_results_csv(out, results, err);
    return end_output(out, rc, call, err);
}

static int write_results_report(const struct shown *shown, const struct loom_run_results *results,
                                const struct invocation *call, struct loom_pool *pool,
                                struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_analyses_page page = {.title = loom_results_origin(results, "name"),
                                      .command = call->line,
                                      .analyses = shown->analyses,
                                      .n = shown->n};
    struct loom_report *report = NULL;
    int rc = loom_report_analyses(&report, shown->analyses, shown->n, pool, err);
    if (!rc)
        loom_report_join(report, call->outputs);
    if (!rc && loom_params_given(params, "html"))
        rc = loom_report_analyses_html(report, loom_params_text(params, "html"), &page, err);
    return end_report(report, rc, call, err);
}

int show_results(const struct loom_run_results *results, const struct invocation *call,
                 struct loom_pool *pool, struct loom_error *err)
{
    bool csv = loom_params_given(call->params, "csv");
    bool json = loom_params_flag(call->params, "json");
    struct shown shown = {0};
    int rc = write_results_csv(results, call, err);
    if (!rc && csv && !json && !wants_report(call))
        return 0;
    if (!rc)
        rc = analyse(&shown, results, call, err);
    if (!rc && wants_report(call))
        rc = write_results_report(&shown, results, call, pool, err);
    if (!rc && json)
        rc = print_fields(call, loom_analyses_json(shown.analyses, shown.n), false, err);
    else if (!rc && !wants_report(call))
        rc = print_answer(shown.analyses[0], call, err);
    loom_analyses_destroy(shown.analyses, shown.n);
    return rc;
}
