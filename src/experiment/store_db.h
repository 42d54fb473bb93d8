/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_db.h - an open database, for the files that read, write and merge it. */
#ifndef LOOM_EXPERIMENT_STORE_DB_H
#define LOOM_EXPERIMENT_STORE_DB_H

#include "base/arena.h"
#include "experiment/store.h"

#include <pthread.h>
#include <sqlite3.h>

struct loom_store {
    sqlite3 *db;
    char *path;
    pthread_mutex_t lock; /* around transactions */
    sqlite3_stmt *add_run, *add_metric, *add_class;
    int64_t *ids; /* cells.cell of each cell of the plan */
    size_t n_cells;
    struct loom_store_cell *cells; /* of a reader; texts are in arena */
    struct loom_store_setting *plan, *origin, *inputs;
    size_t n_plan, n_origin, n_inputs;
    struct loom_arena arena;
};

/* Fail with what SQLite says of the last call; "doing" is what could not be done. */
int loom_db_fail(struct loom_store *store, const char *doing, struct loom_error *err);
/* Run statements without parameters. */
int loom_db_exec(struct loom_store *store, const char *sql, struct loom_error *err);
/* Prepare a statement; *out is NULL on failure. */
int loom_db_prepare(sqlite3_stmt **out, struct loom_store *store, const char *sql,
                    struct loom_error *err);
/* Step a statement without result and reset it. */
int loom_db_step(struct loom_store *store, sqlite3_stmt *statement, struct loom_error *err);
/* Open the file, with a store that is closed by loom_store_close. flags of sqlite3_open_v2. */
int loom_db_open(struct loom_store **out, const char *path, int flags, struct loom_error *err);
/* Check application id, schema and version; LOOM_EDATA. An empty file is *fresh, if that is not
 * NULL. */
int loom_db_check(struct loom_store *store, bool *fresh, struct loom_error *err);
/* Create all tables. */
int loom_db_tables(struct loom_store *store, struct loom_error *err);
/* Begin and end a transaction; on rc != 0 it is rolled back, and rc returned. */
int loom_db_begin(struct loom_store *store, struct loom_error *err);
int loom_db_end(struct loom_store *store, int rc, struct loom_error *err);

/* Make the views anew, for the settings and metrics that the database has (store_view.c). */
int loom_store_view(struct loom_store *store, struct loom_error *err);

/* Fail because a cell of the database, by its hash, is not in the plan: name what differs
 * (store_other.c). */
int loom_store_fail_other(struct loom_store *store, const struct loom_store_plan *plan,
                          const char *hash, struct loom_error *err);

#endif
