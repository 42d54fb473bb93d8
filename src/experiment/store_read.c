/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading results, also while another process writes them. */
#include "base/vec.h"
#include "experiment/store_db.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- opening --------------------------------------------------------------------------------- */

static char *keep_text(struct loom_store *store, sqlite3_stmt *from, int column)
{
    const char *text = (const char *)sqlite3_column_text(from, column);
    return text ? loom_arena_text(&store->arena, text, strlen(text)) : NULL;
}

/* Read rows of two texts. */
static int read_pairs(struct loom_store_setting **out, size_t *n, struct loom_store *store,
                      const char *sql, struct loom_error *err)
{
    sqlite3_stmt *rows;
    size_t capacity = 0;
    int step, rc = loom_db_prepare(&rows, store, sql, err);
    while (!rc && (step = sqlite3_step(rows)) != SQLITE_DONE) {
        if (step != SQLITE_ROW)
            rc = loom_db_fail(store, "read", err);
        else if (loom_grow(out, *n, &capacity))
            rc = loom_fail_memory(err);
        else
            (*out)[(*n)++] =
                (struct loom_store_setting){keep_text(store, rows, 0), keep_text(store, rows, 1)};
    }
    sqlite3_finalize(rows);
    return rc;
}

static int read_settings(struct loom_store *store, struct loom_store_cell *cell,
                         struct loom_error *err)
{
    char sql[128];
    struct loom_store_setting *read = NULL, *kept = NULL;
    snprintf(sql, sizeof sql,
             "SELECT key, value FROM settings WHERE cell = %" PRId64 " ORDER BY key", cell->id);
    int rc = read_pairs(&read, &cell->n_settings, store, sql, err);
    if (!rc && cell->n_settings > 0 &&
        !(kept = loom_arena_alloc(&store->arena, cell->n_settings * sizeof *kept)))
        rc = loom_fail_memory(err);
    if (kept)
        memcpy(kept, read, cell->n_settings * sizeof *kept);
    cell->settings = kept;
    free(read);
    return rc;
}

static struct loom_store_cell cell_of(struct loom_store *store, sqlite3_stmt *row)
{
    bool changed = sqlite3_column_type(row, 5) != SQLITE_NULL;
    return (struct loom_store_cell){
        .id = sqlite3_column_int64(row, 0),
        .hash = keep_text(store, row, 1),
        .trace = keep_text(store, row, 2),
        .source = keep_text(store, row, 3),
        .scheduler = keep_text(store, row, 4),
        .load = changed ? sqlite3_column_double(row, 5) : (double)NAN,
        .seed = (uint64_t)sqlite3_column_int64(row, 6),
        .replications = sqlite3_column_int64(row, 7),
    };
}

static int read_cells(struct loom_store *store, struct loom_error *err)
{
    sqlite3_stmt *rows;
    size_t capacity = 0;
    int step, rc = loom_db_prepare(&rows, store,
                                   "SELECT cell, hash, trace, source, scheduler, load, seed, "
                                   "replications FROM cells ORDER BY place",
                                   err);
    while (!rc && (step = sqlite3_step(rows)) != SQLITE_DONE) {
        if (step != SQLITE_ROW)
            rc = loom_db_fail(store, "read", err);
        else if (loom_grow(&store->cells, store->n_cells, &capacity))
            rc = loom_fail_memory(err);
        else
            store->cells[store->n_cells++] = cell_of(store, rows);
    }
    sqlite3_finalize(rows);
    for (size_t i = 0; i < store->n_cells && !rc; i++)
        rc = read_settings(store, &store->cells[i], err);
    return rc;
}

static int read_origin(struct loom_store *store, struct loom_error *err)
{
    static const char *const keys[] = {"time", "version", "build", "command", "host"};
    char sql[512];
    size_t used = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used,
                                 "%sSELECT '%s', %s FROM provenance WHERE id = 1",
                                 i ? " UNION ALL " : "", keys[i], keys[i]);
    return read_pairs(&store->origin, &store->n_origin, store, sql, err);
}

static int read_store(struct loom_store *store, struct loom_error *err)
{
    int rc = loom_db_check(store, NULL, err);
    if (!rc)
        rc = read_pairs(&store->plan, &store->n_plan, store, "SELECT key, value FROM plan", err);
    if (!rc)
        rc = read_origin(store, err);
    if (!rc)
        rc = read_pairs(&store->inputs, &store->n_inputs, store,
                        "SELECT path, hash FROM inputs ORDER BY path, hash", err);
    return rc ? rc : read_cells(store, err);
}

/* Return whether the files of WAL cannot be made beside the database: its directory is not
 * writable. */
static bool is_locked(struct loom_store *store)
{
    int code = sqlite3_exec(store->db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) & 0xff;
    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

/* Store whether a database has a log of changes: it is being written, or was when a writer died. */
static int find_changes(bool *found, const char *path, struct loom_error *err)
{
    char *name = NULL;
    if (asprintf(&name, "%s-wal", path) < 0)
        return loom_fail_memory(err);
    *found = access(name, F_OK) == 0;
    free(name);
    return 0;
}

/* Open a database that nobody writes as it is, without other files. */
static int reopen_as_is(struct loom_store *store, const char *path, struct loom_error *err)
{
    char *uri = NULL;
    if (asprintf(&uri, "file:%s?immutable=1", path) < 0)
        return loom_fail_memory(err);
    sqlite3_close(store->db);
    store->db = NULL;
    int code = sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    free(uri);
    return code == SQLITE_OK ? 0 : loom_db_fail(store, "open", err);
}

/* Reading a database in WAL mode makes two files beside it. The last connection that may write
 * removes them when it closes, and one that only reads does not: so this one may write, and does
 * not. Where the file or its directory is not writable and nobody else writes, it is read as it is.
 */
static int open_for_reading(struct loom_store **out, const char *path, struct loom_error *err)
{
    bool written = false;
    int rc = loom_db_open(out, path, SQLITE_OPEN_READWRITE, err);
    if (!rc)
        rc = find_changes(&written, path, err);
    if (rc)
        return rc;
    bool read_only = sqlite3_db_readonly((*out)->db, "main") == 1;
    if ((read_only && !written) || is_locked(*out))
        return reopen_as_is(*out, path, err);
    return loom_db_exec(*out, "PRAGMA query_only = 1", err);
}

int loom_store_open(struct loom_store **out, const char *path, struct loom_error *err)
{
    *out = NULL;
    int rc = open_for_reading(out, path, err);
    if (!rc)
        rc = read_store(*out, err);
    if (rc) {
        loom_store_close(*out);
        *out = NULL;
    }
    return rc;
}

/* ---- what is kept in memory ------------------------------------------------------------------ */

size_t loom_store_cells(const struct loom_store *store)
{
    return store->n_cells;
}

const struct loom_store_cell *loom_store_cell(const struct loom_store *store, size_t cell)
{
    return cell < store->n_cells ? &store->cells[cell] : NULL;
}

static const char *find_setting(const struct loom_store_setting *list, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].key && strcmp(list[i].key, key) == 0)
            return list[i].value;
    return NULL;
}

const char *loom_store_setting(const struct loom_store_cell *cell, const char *key)
{
    return find_setting(cell->settings, cell->n_settings, key);
}

const char *loom_store_plan(const struct loom_store *store, const char *key)
{
    return find_setting(store->plan, store->n_plan, key);
}

const char *loom_store_origin(const struct loom_store *store, const char *key)
{
    return find_setting(store->origin, store->n_origin, key);
}

bool loom_store_input(const struct loom_store *store, size_t index, struct loom_store_setting *out)
{
    if (index >= store->n_inputs)
        return false;
    *out = store->inputs[index];
    return true;
}

int loom_store_metrics(const struct loom_metric ***out, size_t *n, struct loom_store *store,
                       struct loom_error *err)
{
    const char *text = loom_store_plan(store, "metrics");
    char *list = strdup(text ? text : ""), *rest = list, *key;
    size_t capacity = 0;
    int rc = list ? 0 : loom_fail_memory(err);
    *out = NULL;
    *n = 0;
    while (!rc && (key = strsep(&rest, " "))) {
        const struct loom_metric *metric = loom_metric_find(key);
        if (metric && loom_grow(out, *n, &capacity))
            rc = loom_fail_memory(err);
        else if (metric)
            (*out)[(*n)++] = metric;
    }
    free(list);
    return rc;
}

/* ---- runs ------------------------------------------------------------------------------------ */

int loom_store_count(struct loom_store_counts *out, struct loom_store *store, size_t cell,
                     struct loom_error *err)
{
    sqlite3_stmt *count;
    *out = (struct loom_store_counts){0};
    for (size_t i = 0; i < store->n_cells; i++)
        if (cell == SIZE_MAX || cell == i)
            out->planned += store->cells[i].replications;
    int rc = loom_db_prepare(&count, store,
                             "SELECT count(*) FILTER (WHERE status = 'done'), count(*) FILTER "
                             "(WHERE status = 'failed'), total(seconds) FILTER (WHERE status = "
                             "'done') FROM runs WHERE ?1 IS NULL OR cell = ?1",
                             err);
    if (!rc && cell != SIZE_MAX)
        sqlite3_bind_int64(count, 1, store->cells[cell].id);
    if (!rc && sqlite3_step(count) != SQLITE_ROW)
        rc = loom_db_fail(store, "read", err);
    if (!rc) {
        out->done = sqlite3_column_int64(count, 0);
        out->failed = sqlite3_column_int64(count, 1);
        out->seconds = sqlite3_column_double(count, 2);
    }
    sqlite3_finalize(count);
    return rc;
}

static int read_values(double **values, int64_t **replications, size_t *n, sqlite3_stmt *rows,
                       struct loom_store *store, struct loom_error *err)
{
    size_t room = 0, same_room = 0;
    int step;
    while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
        if (loom_grow(values, *n, &room) || loom_grow(replications, *n, &same_room))
            return loom_fail_memory(err);
        (*replications)[*n] = sqlite3_column_int64(rows, 0);
        (*values)[(*n)++] = sqlite3_column_type(rows, 1) == SQLITE_NULL
                                ? (double)NAN
                                : sqlite3_column_double(rows, 1);
    }
    return step == SQLITE_DONE ? 0 : loom_db_fail(store, "read", err);
}

int loom_store_values(double **values, int64_t **replications, size_t *n, struct loom_store *store,
                      size_t cell, const char *metric, struct loom_error *err)
{
    sqlite3_stmt *rows;
    *values = NULL;
    *replications = NULL;
    *n = 0;
    int rc = loom_db_prepare(&rows, store,
                             "SELECT r.replication, m.value FROM runs AS r LEFT JOIN metrics AS m "
                             "ON m.run = r.run AND m.key = ?2 WHERE r.cell = ?1 AND r.status = "
                             "'done' ORDER BY r.replication",
                             err);
    if (!rc) {
        sqlite3_bind_int64(rows, 1, store->cells[cell].id);
        sqlite3_bind_text(rows, 2, metric, -1, SQLITE_STATIC);
        rc = read_values(values, replications, n, rows, store, err);
    }
    sqlite3_finalize(rows);
    if (rc) {
        free(*values);
        free(*replications);
        *values = NULL;
        *replications = NULL;
        *n = 0;
    }
    return rc;
}

static int visit_classes(struct loom_store *store, sqlite3_stmt *rows,
                         loom_store_visit_class *visit, void *context, struct loom_error *err)
{
    int step, rc = 0;
    while (!rc && (step = sqlite3_step(rows)) != SQLITE_DONE) {
        if (step != SQLITE_ROW)
            return loom_db_fail(store, "read", err);
        struct loom_store_class class = {.lowest = sqlite3_column_int64(rows, 0)};
        bool known = sqlite3_column_type(rows, 3) != SQLITE_NULL;
        const char *name = (const char *)sqlite3_column_text(rows, 1);
        snprintf(class.name, sizeof class.name, "%s", name ? name : "");
        for (int i = 0; i < LOOM_CLASS_FIELDS; i++)
            class.values[i] = sqlite3_column_type(rows, 4 + i) == SQLITE_NULL
                                  ? (double)NAN
                                  : sqlite3_column_double(rows, 4 + i);
        rc = visit(context, &class, sqlite3_column_int64(rows, 2),
                   known ? sqlite3_column_double(rows, 3) : (double)NAN, err);
    }
    return rc;
}

int loom_store_classes(struct loom_store *store, size_t cell, loom_store_visit_class *visit,
                       void *context, struct loom_error *err)
{
    sqlite3_stmt *rows;
    int rc = loom_db_prepare(
        &rows, store,
        "SELECT k.lowest, k.class, r.replication, m.value, k.jobs, k.wait_mean_s, "
        "k.wait_median_s, k.bounded_slowdown_mean, k.throughput_jobs_per_day FROM runs AS r JOIN "
        "classes AS k ON k.run = r.run LEFT JOIN metrics AS m ON m.run = r.run AND m.key = "
        "'saturated' WHERE r.cell = ?1 AND r.status = 'done' ORDER BY k.lowest, r.replication",
        err);
    if (!rc) {
        sqlite3_bind_int64(rows, 1, store->cells[cell].id);
        rc = visit_classes(store, rows, visit, context, err);
    }
    sqlite3_finalize(rows);
    return rc;
}

int loom_store_failure(struct loom_store_failure *out, bool *found, struct loom_store *store,
                       size_t index, struct loom_error *err)
{
    sqlite3_stmt *rows;
    int rc = loom_db_prepare(&rows, store,
                             "SELECT cell, replication, message FROM runs JOIN cells USING(cell) "
                             "WHERE status = 'failed' ORDER BY place, replication LIMIT 1 OFFSET ?",
                             err);
    *found = false;
    if (rc)
        return rc;
    sqlite3_bind_int64(rows, 1, (int64_t)index);
    int step = sqlite3_step(rows);
    if (step == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(rows, 0);
        const char *message = (const char *)sqlite3_column_text(rows, 2);
        *found = true;
        for (out->cell = 0; store->cells[out->cell].id != id;)
            out->cell++;
        out->replication = sqlite3_column_int64(rows, 1);
        snprintf(out->message, sizeof out->message, "%s", message ? message : "");
    } else if (step != SQLITE_DONE) {
        rc = loom_db_fail(store, "read", err);
    }
    sqlite3_finalize(rows);
    return rc;
}
