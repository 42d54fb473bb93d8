/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results from the database of an experiment. */
#include "experiment/results.h"
#include "experiment/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ----------------------------------------------------------------------------------- */

static int take_cell(struct loom_results_cell *to, struct loom_store *store, size_t index,
                     struct loom_error *err)
{
    const struct loom_store_cell *from = loom_store_cell(store, index);
    struct loom_results_setting *settings = calloc(from->n_settings + 1, sizeof *settings);
    struct loom_store_counts counts = {0};
    if (!settings)
        return loom_fail_memory(err);
    for (size_t i = 0; i < from->n_settings; i++)
        settings[i] = (struct loom_results_setting){from->settings[i].key, from->settings[i].value};
    *to = (struct loom_results_cell){.trace = from->trace,
                                     .source = from->source,
                                     .scheduler = from->scheduler,
                                     .load = from->load,
                                     .replications = from->replications,
                                     .settings = settings,
                                     .n_settings = from->n_settings};
    int rc = loom_store_count(&counts, store, index, err);
    to->failed = counts.failed;
    return rc;
}

/* Metrics to read: the metrics of the plan, which are shown, and others that are asked for. */
struct keys {
    const char **of;
    size_t n, shown;
};

static void add_key(struct keys *keys, const char *key)
{
    for (size_t i = 0; i < keys->n; i++)
        if (strcmp(keys->of[i], key) == 0)
            return;
    keys->of[keys->n++] = key;
}

/* Always read: saturated, on which it depends which runs count, and what cautions need. */
static int list_keys(struct keys *out, struct loom_store *store, const char *const *more, size_t n,
                     struct loom_error *err)
{
    static const char *const always[] = {"saturated", "load_offered",      "wait_mean_s",
                                         "jobs",      "rejected_too_wide", "estimates_missing"};
    enum { N_ALWAYS = sizeof always / sizeof *always };
    const struct loom_metric **planned = NULL;
    size_t n_planned = 0;
    int rc = loom_store_metrics(&planned, &n_planned, store, err);
    out->of = rc ? NULL : calloc(n_planned + n + N_ALWAYS, sizeof *out->of);
    if (!rc && !out->of)
        rc = loom_fail_memory(err);
    for (size_t i = 0; i < n_planned && !rc; i++)
        add_key(out, planned[i]->key);
    out->shown = out->n;
    for (size_t i = 0; i < N_ALWAYS && !rc; i++)
        add_key(out, always[i]);
    for (size_t i = 0; i < n && !rc; i++)
        if (loom_metric_find(more[i])) /* others are refused where they are used */
            add_key(out, more[i]);
    free(planned);
    return rc;
}

static int make_results(struct loom_run_results **out, struct loom_store *store,
                        struct loom_results_cell *cells, const struct keys *keys,
                        struct loom_error *err)
{
    size_t n = loom_store_cells(store);
    int64_t replications = 0;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = take_cell(&cells[i], store, i, err);
        if (cells[i].replications > replications)
            replications = cells[i].replications;
    }
    if (!rc)
        rc = loom_results_create(out, cells, n, replications, keys->of, keys->n, err);
    if (!rc)
        (*out)->n_shown = keys->shown;
    return rc;
}

/* ---- values ---------------------------------------------------------------------------------- */

static int read_metric(struct loom_run_results *results, struct loom_store *store, size_t cell,
                       size_t metric, struct loom_error *err)
{
    double *values = NULL;
    int64_t *replications = NULL;
    size_t n = 0;
    int rc = loom_store_values(&values, &replications, &n, store, cell,
                               results->metrics[metric]->key, err);
    for (size_t i = 0; i < n && !rc; i++)
        loom_results_set(results, cell, metric, replications[i], values[i]);
    free(values);
    free(replications);
    return rc;
}

/* ---- how it was made ------------------------------------------------------------------------- */

/* All inputs in one line: "log.swf 0123456789abcdef, ...". */
static void list_inputs(char *buf, size_t size, const struct loom_store *store)
{
    struct loom_store_setting input;
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; loom_store_input(store, i, &input) && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s %s", i > 0 ? ", " : "", input.key,
                                 input.value);
}

int loom_results_read_origin(struct loom_run_results *results, struct loom_store *store,
                             struct loom_error *err)
{
    char inputs[2000];
    list_inputs(inputs, sizeof inputs, store);
    const struct loom_results_setting origin[] = {
        {"command", loom_store_origin(store, "command")},
        {"version", loom_store_origin(store, "version")},
        {"build", loom_store_origin(store, "build")},
        {"name", loom_store_plan(store, "name")},
        {"text", loom_store_plan(store, "text")},
        {"seed", loom_store_plan(store, "seed")},
        {"metrics", loom_store_plan(store, "metrics")},
        {"inputs", inputs},
        {NULL, NULL},
    };
    return loom_results_set_origin(results, origin, err);
}

static int read_results(struct loom_run_results **out, struct loom_store *store,
                        const struct keys *keys, struct loom_error *err)
{
    size_t n = loom_store_cells(store);
    struct loom_results_cell *cells = calloc(n + 1, sizeof *cells);
    int rc = cells ? make_results(out, store, cells, keys, err) : loom_fail_memory(err);
    for (size_t i = 0; i < n && cells; i++)
        free((struct loom_results_setting *)cells[i].settings);
    free(cells);
    for (size_t i = 0; i < n && !rc; i++)
        for (size_t m = 0; m < (*out)->n_metrics && !rc; m++)
            rc = read_metric(*out, store, i, m, err);
    return rc ? rc : loom_results_read_origin(*out, store, err);
}

int loom_results_read_with(struct loom_run_results **out, const char *path,
                           const char *const *metrics, size_t n_metrics, struct loom_error *err)
{
    struct loom_store *store = NULL;
    struct loom_run_results *results = NULL;
    struct keys keys = {0};
    int rc = loom_store_open(&store, path, err);
    if (!rc)
        rc = list_keys(&keys, store, metrics, n_metrics, err);
    if (!rc)
        rc = read_results(&results, store, &keys, err);
    free(keys.of);
    loom_store_close(store);
    if (rc)
        loom_results_destroy(results);
    else
        *out = results;
    return rc;
}

int loom_results_read(struct loom_run_results **out, const char *path, struct loom_error *err)
{
    return loom_results_read_with(out, path, NULL, 0, err);
}
