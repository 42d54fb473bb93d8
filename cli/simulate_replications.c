/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate --replications: the same runs on several variants of a random workload, with intervals:
 * an experiment without a database. */
#include "simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct loom_param replication_params[] = {
    {.name = "replications",
     .letter = 'n',
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 10000,
     .value = "1",
     .metavar = "N",
     .help = "N variants of what is random, with intervals"},
    {.name = NULL},
};

/* ---- results --------------------------------------------------------------------------------- */

static struct loom_results_cell cell_of(const struct simulation *of, const char *trace,
                                        const struct loom_outcome *outcome)
{
    const struct loom_load_change *change = loom_outcome_load(outcome);
    return (struct loom_results_cell){.trace = trace,
                                      .source = source_of(of),
                                      .scheduler = loom_outcome_policy(outcome),
                                      .load = change ? change->asked : (double)NAN,
                                      .replications =
                                          loom_params_int(of->call->params, "replications")};
}

/* Keys of metrics that any run has. Returns their number; keys has room for all. */
static size_t list_metrics(const char **keys, const struct simulation *of)
{
    const struct loom_metric *metric;
    size_t n = 0;
    for (size_t i = 0; (metric = loom_metric_at(i)); i++)
        for (size_t k = 0; k < of->n; k++)
            if (loom_outcome_has(of->outcomes[k], metric->group)) {
                keys[n++] = metric->key;
                break;
            }
    return n;
}

static int make_results(struct loom_run_results **out, const struct simulation *of,
                        struct loom_error *err)
{
    const char *trace = loom_trace_report(of->trace)->file;
    size_t each = (size_t)loom_params_int(of->call->params, "replications"), n_cells = of->n / each,
           n_metrics = 0;
    while (loom_metric_at(n_metrics))
        n_metrics++;
    const char **keys = calloc(n_metrics, sizeof *keys);
    struct loom_results_cell *cells = calloc(n_cells, sizeof *cells);
    int rc = keys && cells ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n_cells && !rc; i++)
        cells[i] = cell_of(of, trace, of->outcomes[i * each]);
    if (!rc)
        rc = loom_results_create(out, cells, n_cells, (int64_t)each, keys, list_metrics(keys, of),
                                 err);
    for (size_t i = 0; i < of->n && !rc; i++)
        loom_results_add(*out, i / each, (int64_t)(i % each), of->outcomes[i]);
    free(cells);
    free(keys);
    return rc;
}

/* The log and, where one is loaded, the document of the model, with their hashes. */
static void describe_inputs(char *buf, size_t size, const struct simulation *of)
{
    const struct loom_read_report *report = loom_trace_report(of->trace);
    uint64_t document = of->model ? loom_model_hash(of->model) : 0;
    int used = snprintf(buf, size, "%.500s %016" PRIx64, report->file, report->hash);
    if (document)
        snprintf(buf + used, size - (size_t)used, ", %.500s %016" PRIx64,
                 loom_params_text(of->call->params, "model"), document);
}

static int set_origin(struct loom_run_results *results, const struct simulation *of,
                      struct loom_error *err)
{
    const struct loom_read_report *report = loom_trace_report(of->trace);
    char inputs[1200], name[600];
    describe_inputs(inputs, sizeof inputs, of);
    snprintf(name, sizeof name, "Simulations of %.500s", report->file);
    return loom_results_set_origin(results,
                                   (const struct loom_results_setting[]){
                                       {"command", of->call->line},
                                       {"name", name},
                                       {"seed", loom_params_text(of->call->params, "seed")},
                                       {"version", loom_version()},
                                       {"inputs", inputs},
                                       {NULL, NULL},
                                   },
                                   err);
}

int report_replications(const struct simulation *of, struct loom_error *err)
{
    struct loom_run_results *results = NULL;
    char caution[CAUTION_SIZE] = "";
    int rc = make_results(&results, of, err);
    if (!rc)
        rc = set_origin(results, of, err);
    if (!rc)
        rc = show_results(results, of->call, of->pool, err);
    if (!rc && of->n > 1)
        say_log(of);
    if (!rc && of->model)
        say_model_load(of);
    if (!rc && !loom_params_flag(of->call->params, "quiet"))
        rc = caution_of(caution, sizeof caution, of, err);
    if (!rc)
        say_sentence((void *)of->call, caution);
    loom_results_destroy(results);
    return rc;
}
