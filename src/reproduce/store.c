/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured claims in a database. */
#include "reproduce/store.h"

#include <sqlite3.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STORE_ID = 0x4c4f5250, STORE_SCHEMA = 1 };

struct loom_claim_store {
    sqlite3 *db;
    char *path;
};

static int store_fail(const struct loom_claim_store *store, const char *doing,
                      struct loom_error *err)
{
    int code = sqlite3_errcode(store->db) == SQLITE_NOTADB ? LOOM_EDATA : LOOM_EIO;
    return loom_fail_at(err, code, store->path, 0, 0, "cannot %s the database: %s", doing,
                        sqlite3_errmsg(store->db));
}

static int store_exec(const struct loom_claim_store *store, const char *sql, const char *doing,
                      struct loom_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? store_fail(store, doing, err) : 0;
}

/* Read a number that SQLite keeps in the header of the file. */
static int read_pragma(int *out, const struct loom_claim_store *store, const char *sql,
                       struct loom_error *err)
{
    sqlite3_stmt *statement = NULL;
    int step = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (!step)
        step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        *out = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return step == SQLITE_ROW ? 0 : store_fail(store, "read", err);
}

static int prepare_tables(const struct loom_claim_store *store, struct loom_error *err)
{
    char sql[512];
    int id = 0, schema = 0, tables = 0;
    int rc = read_pragma(&id, store, "PRAGMA application_id", err);
    if (!rc)
        rc = read_pragma(&schema, store, "PRAGMA user_version", err);
    if (!rc)
        rc = read_pragma(&tables, store, "SELECT count(*) FROM sqlite_master", err);
    if (rc)
        return rc;
    if (tables && (id != STORE_ID || schema != STORE_SCHEMA))
        return loom_fail_at(err, LOOM_EDATA, store->path, 0, 0,
                            "is no database of 'reproduce' of this version; name a new file");
    snprintf(sql, sizeof sql,
             "PRAGMA application_id = %d; PRAGMA user_version = %d; CREATE TABLE IF NOT EXISTS "
             "claims(hash TEXT PRIMARY KEY, item, what, value REAL, low REAL, high REAL, n, "
             "seconds);",
             STORE_ID, STORE_SCHEMA);
    return store_exec(store, sql, "write", err);
}

int loom_claim_store_open(struct loom_claim_store **out, const char *path, struct loom_error *err)
{
    struct loom_claim_store *store = calloc(1, sizeof *store);
    *out = NULL;
    if (!store || !(store->path = strdup(path))) {
        free(store);
        return loom_fail_memory(err);
    }
    int rc = sqlite3_open(path, &store->db) ? store_fail(store, "open", err) : 0;
    if (!rc)
        rc = prepare_tables(store, err);
    if (rc)
        loom_claim_store_close(store);
    else
        *out = store;
    return rc;
}

void loom_claim_store_close(struct loom_claim_store *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}

static void hash_text(char text[17], uint64_t hash)
{
    snprintf(text, 17, "%016" PRIx64, hash);
}

/* Prepare a query of the claim of this hash. The caller must finalize it. */
static int prepare_query(sqlite3_stmt **out, const struct loom_claim_store *store, const char *sql,
                         uint64_t hash, struct loom_error *err)
{
    char text[17];
    hash_text(text, hash);
    if (!sqlite3_prepare_v2(store->db, sql, -1, out, NULL) &&
        !sqlite3_bind_text(*out, 1, text, -1, SQLITE_TRANSIENT))
        return 0;
    sqlite3_finalize(*out);
    return store_fail(store, "read", err);
}

int loom_claim_store_find(struct loom_measured *out, bool *found, struct loom_claim_store *store,
                          uint64_t hash, struct loom_error *err)
{
    static const char sql[] = "SELECT value, low, high, n FROM claims WHERE hash = ?";
    sqlite3_stmt *statement = NULL;
    int rc = prepare_query(&statement, store, sql, hash, err);
    if (rc)
        return rc;
    int step = sqlite3_step(statement);
    *found = step == SQLITE_ROW;
    if (*found)
        *out = (struct loom_measured){
            .value = sqlite3_column_double(statement, 0),
            .has_interval = sqlite3_column_type(statement, 1) != SQLITE_NULL,
            .low = sqlite3_column_double(statement, 1),
            .high = sqlite3_column_double(statement, 2),
            .n = (size_t)sqlite3_column_int64(statement, 3),
        };
    rc = *found || step == SQLITE_DONE ? 0 : store_fail(store, "read", err);
    sqlite3_finalize(statement);
    return rc;
}

int loom_claim_store_seconds(double *out, struct loom_claim_store *store, uint64_t hash,
                             struct loom_error *err)
{
    sqlite3_stmt *statement = NULL;
    int rc =
        prepare_query(&statement, store, "SELECT seconds FROM claims WHERE hash = ?", hash, err);
    *out = 0;
    if (!rc && sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_double(statement, 0);
    if (!rc)
        sqlite3_finalize(statement);
    return rc;
}

int loom_claim_store_add(struct loom_claim_store *store, uint64_t hash, const char *item,
                         const char *what, const struct loom_measured *measured, double seconds,
                         struct loom_error *err)
{
    static const char sql[] = "INSERT OR REPLACE INTO claims VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
    sqlite3_stmt *statement = NULL;
    char text[17];
    hash_text(text, hash);
    int bad = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) ||
              sqlite3_bind_text(statement, 1, text, -1, SQLITE_TRANSIENT) ||
              sqlite3_bind_text(statement, 2, item, -1, SQLITE_TRANSIENT) ||
              sqlite3_bind_text(statement, 3, what, -1, SQLITE_TRANSIENT) ||
              sqlite3_bind_double(statement, 4, measured->value) ||
              (measured->has_interval && (sqlite3_bind_double(statement, 5, measured->low) ||
                                          sqlite3_bind_double(statement, 6, measured->high))) ||
              sqlite3_bind_int64(statement, 7, (sqlite3_int64)measured->n) ||
              sqlite3_bind_double(statement, 8, seconds);
    if (!bad)
        bad = sqlite3_step(statement) != SQLITE_DONE;
    int rc = bad ? store_fail(store, "write", err) : 0;
    sqlite3_finalize(statement);
    return rc;
}
