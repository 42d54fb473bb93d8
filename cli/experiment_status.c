/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom experiment status: how far an experiment is, also while it runs. */
#include "experiment.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>

enum { MOST_FAILURES = 10 };

static int add_status_row(struct loom_table *table, struct loom_store *store, size_t i,
                          struct loom_error *err)
{
    const struct loom_store_cell *cell = loom_store_cell(store, i);
    struct loom_store_counts counts;
    int rc = loom_store_count(&counts, store, i, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cell->trace);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cell->source);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cell->scheduler);
    if (!rc)
        rc = number_cell(table, cell->load, err);
    if (!rc)
        rc = count_cell(table, counts.done, err);
    if (!rc)
        rc = count_cell(table, counts.failed, err);
    if (!rc)
        rc = count_cell(table, counts.planned - counts.done - counts.failed, err);
    return rc ? rc
              : seconds_cell(table,
                             counts.done > 0 ? counts.seconds / (double)counts.done : (double)NAN,
                             err);
}

static int print_cells(const struct invocation *call, struct loom_store *store,
                       struct loom_error *err)
{
    static const struct table_column columns[] = {{"trace", LOOM_LEFT, 20},
                                                  {"source", LOOM_LEFT, 30},
                                                  {"scheduler", LOOM_LEFT, LOOM_KEEP},
                                                  {"load", LOOM_RIGHT, LOOM_KEEP},
                                                  {"done", LOOM_RIGHT, LOOM_KEEP},
                                                  {"failed", LOOM_RIGHT, LOOM_KEEP},
                                                  {"left", LOOM_RIGHT, LOOM_KEEP},
                                                  {"time a run", LOOM_RIGHT, 10}};
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < loom_store_cells(store) && !rc; i++)
        rc = add_status_row(table, store, i, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

extern const struct command command_experiment_run;

int find_failure(struct loom_store_failure *out, bool *found, struct loom_store *store,
                 size_t index, struct loom_error *err)
{
    int rc = loom_store_failure(out, found, store, index, err);
    if (!rc && *found)
        name_stored_options(out->message, sizeof out->message, &command_experiment_run);
    return rc;
}

static int say_failures(struct loom_store *store, struct loom_error *err)
{
    struct loom_store_failure failure;
    bool found = true;
    int rc = 0;
    for (size_t i = 0; i < MOST_FAILURES && !rc && found; i++) {
        rc = find_failure(&failure, &found, store, i, err);
        if (!rc && found)
            warn("replication %" PRId64 " of %s failed: %s", failure.replication,
                 loom_store_cell(store, failure.cell)->scheduler, failure.message);
    }
    return rc;
}

static json_t *status_cell_json(struct loom_store *store, size_t i, struct loom_error *err)
{
    const struct loom_store_cell *cell = loom_store_cell(store, i);
    struct loom_store_counts counts;
    if (loom_store_count(&counts, store, i, err))
        return NULL;
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "trace", text_json(cell->trace),
                     "source", text_json(cell->source), "scheduler", text_json(cell->scheduler),
                     "load", loom_json_number(cell->load), "planned", (json_int_t)counts.planned,
                     "done", (json_int_t)counts.done, "failed", (json_int_t)counts.failed,
                     "seconds", loom_json_number(counts.seconds));
}

static json_t *failures_json(struct loom_store *store, struct loom_error *err)
{
    json_t *list = json_array();
    struct loom_store_failure failure;
    bool found = true;
    for (size_t i = 0; found && !find_failure(&failure, &found, store, i, err) && found; i++)
        json_array_append_new(list, json_pack("{s:I, s:I, s:o}", "cell", (json_int_t)failure.cell,
                                              "replication", (json_int_t)failure.replication,
                                              "message", text_json(failure.message)));
    return list;
}

static int print_status_json(const struct invocation *call, struct loom_store *store,
                             const struct loom_store_counts *counts, struct loom_error *err)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < loom_store_cells(store); i++)
        json_array_append_new(cells, status_cell_json(store, i, err));
    json_t *rest = json_pack("{s:I, s:I, s:I, s:I, s:o, s:o}", "runs", (json_int_t)counts->planned,
                             "done", (json_int_t)counts->done, "failed", (json_int_t)counts->failed,
                             "left", (json_int_t)(counts->planned - counts->done - counts->failed),
                             "cells", cells, "failures", failures_json(store, err));
    return print_fields(call, rest, !rest, err);
}

static int show_status(const struct invocation *call, struct loom_store *store,
                       struct loom_error *err)
{
    struct loom_store_counts counts;
    int rc = loom_store_count(&counts, store, SIZE_MAX, err);
    if (rc)
        return rc;
    if (loom_params_flag(call->params, "json"))
        return print_status_json(call, store, &counts, err);
    int64_t left = counts.planned - counts.done - counts.failed;
    rc = print_cells(call, store, err);
    if (!rc)
        say(call, "%" PRId64 " of %" PRId64 " runs done, %" PRId64 " failed, %" PRId64 " left",
            counts.done, counts.planned, counts.failed, left);
    return rc ? rc : say_failures(store, err);
}

static int run_status(const struct invocation *call, struct loom_error *err)
{
    struct loom_store *store = NULL;
    int rc = loom_store_open(&store, call->operands[0], err);
    if (!rc)
        rc = show_status(call, store, err);
    loom_store_close(store);
    return rc;
}

static const struct loom_param *const params[] = {table_params, common_params, NULL};

const struct command command_experiment_status = {
    .name = "experiment status",
    .group = GROUP_SIMULATION,
    .summary = "how far an experiment is",
    .operands = "DB",
    .params = params,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_status,
};
