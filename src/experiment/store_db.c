/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The database file: opening it, what is wrong with it, and its tables. */
#include "experiment/store_db.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tables[] =
    "CREATE TABLE plan(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE cells(cell INTEGER PRIMARY KEY, place INTEGER, hash TEXT UNIQUE, trace TEXT, "
    "source TEXT, scheduler TEXT, load REAL, seed INTEGER, replications INTEGER);"
    "CREATE TABLE settings(cell INTEGER, key TEXT, value TEXT, PRIMARY KEY(cell, key)) "
    "WITHOUT ROWID;"
    "CREATE TABLE runs(run INTEGER PRIMARY KEY, hash TEXT UNIQUE, cell INTEGER, replication "
    "INTEGER, status TEXT, message TEXT, seconds REAL, host TEXT, UNIQUE(cell, replication));"
    "CREATE TABLE metrics(run INTEGER, key TEXT, value REAL, PRIMARY KEY(run, key)) WITHOUT ROWID;"
    "CREATE TABLE classes(run INTEGER, lowest INTEGER, class TEXT, jobs REAL, wait_mean_s REAL, "
    "wait_median_s REAL, bounded_slowdown_mean REAL, throughput_jobs_per_day REAL, PRIMARY "
    "KEY(run, lowest)) WITHOUT ROWID;"
    "CREATE TABLE provenance(id INTEGER PRIMARY KEY, time TEXT, version TEXT, build TEXT, command "
    "TEXT, host TEXT);"
    "CREATE TABLE inputs(path TEXT, hash TEXT, PRIMARY KEY(path, hash)) WITHOUT ROWID;";

enum { WAIT_MS = 60000 }; /* for another process that writes */

/* ---- errors ---------------------------------------------------------------------------------- */

/* What a person can do about it. */
static const char *remedy(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return "the disk is full; make room and run the same command again";
    case SQLITE_IOERR:
        return "the disk is full, over its quota or failing; run the same command again later";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "it is read-only; change its permissions or name another file";
    case SQLITE_CANTOPEN:
        return "it cannot be opened or created; is the directory there and writable?";
    case SQLITE_NOTADB:
        return "it is no experiment database; name another file";
    case SQLITE_CORRUPT:
        return "it is damaged";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process holds it; try again";
    default:
        return NULL;
    }
}

int loom_db_fail(struct loom_store *store, const char *doing, struct loom_error *err)
{
    int code = sqlite3_extended_errcode(store->db);
    const char *known = remedy(code);
    if ((code & 0xff) == SQLITE_NOMEM)
        return loom_fail_memory(err);
    if ((code & 0xff) == SQLITE_NOTADB)
        return loom_fail_at(err, LOOM_EDATA, store->path, 0, 0, "%s", known);
    if (known)
        return loom_fail_at(err, LOOM_EIO, store->path, 0, 0, "cannot %s the database: %s", doing,
                            known);
    return loom_fail_at(err, LOOM_EIO, store->path, 0, 0, "cannot %s the database: %s", doing,
                        sqlite3_errmsg(store->db));
}

/* ---- statements ------------------------------------------------------------------------------ */

int loom_db_exec(struct loom_store *store, const char *sql, struct loom_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : loom_db_fail(store, "write", err);
}

int loom_db_prepare(sqlite3_stmt **out, struct loom_store *store, const char *sql,
                    struct loom_error *err)
{
    *out = NULL;
    return sqlite3_prepare_v2(store->db, sql, -1, out, NULL) == SQLITE_OK
               ? 0
               : loom_db_fail(store, "read", err);
}

int loom_db_step(struct loom_store *store, sqlite3_stmt *statement, struct loom_error *err)
{
    int step = sqlite3_step(statement);
    int rc = step == SQLITE_DONE || step == SQLITE_ROW ? 0 : loom_db_fail(store, "write", err);
    sqlite3_reset(statement);
    return rc;
}

int loom_db_begin(struct loom_store *store, struct loom_error *err)
{
    return loom_db_exec(store, "BEGIN IMMEDIATE", err);
}

int loom_db_end(struct loom_store *store, int rc, struct loom_error *err)
{
    if (!rc)
        rc = loom_db_exec(store, "COMMIT", err);
    if (rc)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

int loom_db_tables(struct loom_store *store, struct loom_error *err)
{
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             LOOM_STORE_ID, LOOM_STORE_SCHEMA);
    int rc = loom_db_exec(store, tables, err);
    return rc ? rc : loom_db_exec(store, sql, err);
}

/* ---- opening --------------------------------------------------------------------------------- */

static int read_pragma(int64_t *out, struct loom_store *store, const char *sql,
                       struct loom_error *err)
{
    sqlite3_stmt *statement;
    int rc = loom_db_prepare(&statement, store, sql, err);
    if (!rc && sqlite3_step(statement) != SQLITE_ROW)
        rc = loom_db_fail(store, "read", err);
    if (!rc)
        *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return rc;
}

/* Results of two versions do not mix. */
static int check_version(struct loom_store *store, struct loom_error *err)
{
    sqlite3_stmt *last;
    int rc =
        loom_db_prepare(&last, store, "SELECT version FROM provenance ORDER BY id LIMIT 1", err);
    if (!rc && sqlite3_step(last) == SQLITE_ROW) {
        const char *version = (const char *)sqlite3_column_text(last, 0);
        if (version && strcmp(version, loom_version()) != 0)
            rc = loom_fail_at(err, LOOM_EDATA, store->path, 0, 0,
                              "the database is of workloom %s, this is %s, and results may differ; "
                              "name another file",
                              version, loom_version());
    }
    sqlite3_finalize(last);
    return rc;
}

int loom_db_check(struct loom_store *store, bool *fresh, struct loom_error *err)
{
    int64_t id, schema, count;
    int rc = read_pragma(&count, store, "SELECT count(*) FROM sqlite_schema", err);
    if (!rc)
        rc = read_pragma(&id, store, "PRAGMA application_id", err);
    if (!rc)
        rc = read_pragma(&schema, store, "PRAGMA user_version", err);
    if (fresh)
        *fresh = !rc && count == 0;
    if (rc || (fresh && *fresh))
        return rc;
    if (id != LOOM_STORE_ID)
        return loom_fail_at(err, LOOM_EDATA, store->path, 0, 0,
                            "it is no experiment database; name another file");
    if (schema != LOOM_STORE_SCHEMA)
        return loom_fail_at(err, LOOM_EDATA, store->path, 0, 0,
                            "its tables are of schema %d, this version has %d; name another file",
                            (int)schema, LOOM_STORE_SCHEMA);
    return fresh ? check_version(store, err) : 0;
}

static int open_file(struct loom_store *store, const char *path, int flags, struct loom_error *err)
{
    store->path = strdup(path);
    if (!store->path)
        return loom_fail_memory(err);
    if (!(flags & SQLITE_OPEN_CREATE) && access(path, F_OK) != 0)
        return loom_fail_at(err, LOOM_EIO, path, 0, 0, "there is no such database");
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        return store->db ? loom_db_fail(store, "open", err) : loom_fail_memory(err);
    sqlite3_busy_timeout(store->db, WAIT_MS);
    return 0;
}

int loom_db_open(struct loom_store **out, const char *path, int flags, struct loom_error *err)
{
    struct loom_store *store = *out = calloc(1, sizeof *store);
    if (!store)
        return loom_fail_memory(err);
    pthread_mutex_init(&store->lock, NULL);
    int rc = open_file(store, path, flags, err);
    if (rc) {
        loom_store_close(store);
        *out = NULL;
    }
    return rc;
}

void loom_store_close(struct loom_store *store)
{
    if (!store)
        return;
    sqlite3_finalize(store->add_run);
    sqlite3_finalize(store->add_metric);
    sqlite3_finalize(store->add_class);
    sqlite3_close(store->db);
    pthread_mutex_destroy(&store->lock);
    loom_arena_free(&store->arena);
    free(store->cells);
    free(store->plan);
    free(store->origin);
    free(store->inputs);
    free(store->ids);
    free(store->path);
    free(store);
}
