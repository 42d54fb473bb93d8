/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom experiment run --dry-run: what a plan comes to, without its results. */
#include "experiment.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static const double TRIAL_S = 10;

/* Settings as "load_factor 1.2, machine 128". Returns buf. */
static const char *settings_text(const struct loom_store_cell *cell, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < cell->n_settings && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s %s", i ? ", " : "",
                                 cell->settings[i].key, cell->settings[i].value);
    return buf;
}

static int add_cell_row(struct loom_table *table, const struct loom_store_cell *cell,
                        struct loom_error *err)
{
    char settings[200];
    int rc = loom_table_cell(table, err, "%s", cell->trace);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cell->source);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cell->scheduler);
    if (!rc)
        rc = number_cell(table, cell->load, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", settings_text(cell, settings, sizeof settings));
    return rc ? rc : count_cell(table, cell->replications, err);
}

static int print_cells(const struct invocation *call, const struct loom_plan *plan,
                       struct loom_error *err)
{
    static const struct table_column columns[] = {{"trace", LOOM_LEFT, 20},
                                                  {"source", LOOM_LEFT, 30},
                                                  {"scheduler", LOOM_LEFT, LOOM_KEEP},
                                                  {"load", LOOM_RIGHT, LOOM_KEEP},
                                                  {"settings", LOOM_LEFT, 10},
                                                  {"runs", LOOM_RIGHT, LOOM_KEEP}};
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < loom_plan_cells(plan) && !rc; i++)
        rc = add_cell_row(table, loom_plan_stored(plan, i), err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static int print_estimate_json(const struct invocation *call, const struct loom_plan *plan,
                               const struct loom_study_estimate *estimate, struct loom_error *err)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < loom_plan_cells(plan); i++) {
        const struct loom_store_cell *cell = loom_plan_stored(plan, i);
        json_t *object =
            json_pack("{s:o, s:o, s:o, s:o, s:I}", "trace", text_json(cell->trace), "source",
                      text_json(cell->source), "scheduler", text_json(cell->scheduler), "load",
                      loom_json_number(cell->load), "runs", (json_int_t)cell->replications);
        for (size_t k = 0; k < cell->n_settings && object; k++)
            json_object_set_new(object, cell->settings[k].key, text_json(cell->settings[k].value));
        json_array_append_new(cells, object);
    }
    json_t *rest =
        json_pack("{s:o, s:I, s:o, s:I, s:I, s:I}", "cells", cells, "runs",
                  (json_int_t)loom_plan_runs(plan), "seconds", loom_json_number(estimate->seconds),
                  "bytes", (json_int_t)estimate->bytes, "trials", (json_int_t)estimate->trials,
                  "failed", (json_int_t)estimate->failed);
    return print_fields(call, rest, !rest, err);
}

int print_estimate(const struct invocation *call, const struct loom_plan *plan,
                   struct loom_pool *pool, struct loom_error *err)
{
    struct loom_study_estimate estimate;
    unsigned threads = loom_pool_threads(pool);
    size_t cells = loom_plan_cells(plan);
    int64_t runs = loom_plan_runs(plan);
    char took[LOOM_HUMAN];
    int rc = loom_study_estimate(&estimate, plan, TRIAL_S, threads, err);
    if (rc)
        return rc;
    if (loom_params_flag(call->params, "json"))
        return print_estimate_json(call, plan, &estimate, err);
    rc = print_cells(call, plan, err);
    if (!rc)
        say(call,
            "%zu cell%s, %" PRId64 " run%s: about %s with --threads %u, and %" PRId64
            " MB of memory, by %" PRId64 " trial run%s",
            cells, cells == 1 ? "" : "s", runs, runs == 1 ? "" : "s",
            loom_human_seconds(estimate.seconds, took, sizeof took), threads,
            estimate.bytes / 1000000, estimate.trials, estimate.trials == 1 ? "" : "s");
    if (!rc && estimate.failed > 0)
        warn("%" PRId64 " of the trial runs failed", estimate.failed);
    return rc;
}
