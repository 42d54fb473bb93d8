/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing results: the plan and its cells once, then runs, each set of them whole or not at all. */
#include "experiment/store_db.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the plan -------------------------------------------------------------------------------- */

static int put_plan(struct loom_store *store, const char *key, const char *value,
                    struct loom_error *err)
{
    sqlite3_stmt *put;
    int rc = loom_db_prepare(&put, store,
                             "INSERT INTO plan(key, value) VALUES(?1, ?2) ON CONFLICT(key) "
                             "DO UPDATE SET value = excluded.value",
                             err);
    if (rc)
        return rc;
    sqlite3_bind_text(put, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, value, -1, SQLITE_STATIC);
    rc = loom_db_step(store, put, err);
    sqlite3_finalize(put);
    return rc;
}

static int put_words(struct loom_store *store, const struct loom_store_plan *plan,
                     struct loom_error *err)
{
    char seed[24], replications[24];
    snprintf(seed, sizeof seed, "%" PRIu64, plan->seed);
    snprintf(replications, sizeof replications, "%" PRId64, plan->replications);
    int rc = put_plan(store, "name", plan->name, err);
    if (!rc)
        rc = put_plan(store, "text", plan->text, err);
    if (!rc)
        rc = put_plan(store, "seed", seed, err);
    if (!rc)
        rc = put_plan(store, "replications", replications, err);
    return rc ? rc : put_plan(store, "metrics", plan->metrics, err);
}

static int put_settings(struct loom_store *store, int64_t id, const struct loom_store_cell *cell,
                        struct loom_error *err)
{
    sqlite3_stmt *put;
    int rc =
        loom_db_prepare(&put, store,
                        "INSERT OR REPLACE INTO settings(cell, key, value) VALUES(?, ?, ?)", err);
    for (size_t i = 0; i < cell->n_settings && !rc; i++) {
        sqlite3_bind_int64(put, 1, id);
        sqlite3_bind_text(put, 2, cell->settings[i].key, -1, SQLITE_STATIC);
        sqlite3_bind_text(put, 3, cell->settings[i].value, -1, SQLITE_STATIC);
        rc = loom_db_step(store, put, err);
    }
    sqlite3_finalize(put);
    return rc;
}

static int put_cell(struct loom_store *store, sqlite3_stmt *put, size_t place,
                    const struct loom_store_cell *cell, struct loom_error *err)
{
    sqlite3_bind_int64(put, 1, (int64_t)place + 1);
    sqlite3_bind_text(put, 2, cell->hash, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 3, cell->trace, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 4, cell->source, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 5, cell->scheduler, -1, SQLITE_STATIC);
    if (isnan(cell->load))
        sqlite3_bind_null(put, 6);
    else
        sqlite3_bind_double(put, 6, cell->load);
    sqlite3_bind_int64(put, 7, (int64_t)cell->seed);
    sqlite3_bind_int64(put, 8, cell->replications);
    if (sqlite3_step(put) != SQLITE_ROW)
        return loom_db_fail(store, "write", err);
    store->ids[place] = sqlite3_column_int64(put, 0);
    sqlite3_reset(put);
    return put_settings(store, store->ids[place], cell, err);
}

static int put_cells(struct loom_store *store, const struct loom_store_plan *plan,
                     struct loom_error *err)
{
    sqlite3_stmt *put;
    int rc = loom_db_prepare(
        &put, store,
        "INSERT INTO cells(place, hash, trace, source, scheduler, load, seed, replications) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(hash) DO UPDATE SET place = excluded.place, "
        "trace = excluded.trace, replications = max(replications, excluded.replications) "
        "RETURNING cell",
        err);
    for (size_t i = 0; i < plan->n_cells && !rc; i++)
        rc = put_cell(store, put, i, &plan->cells[i], err);
    sqlite3_finalize(put);
    return rc;
}

static bool has_cell(const struct loom_store_plan *plan, const char *hash)
{
    for (size_t i = 0; i < plan->n_cells; i++)
        if (strcmp(plan->cells[i].hash, hash) == 0)
            return true;
    return false;
}

/* A plan may be extended: all that is there must be in it. */
static int check_plan(struct loom_store *store, const struct loom_store_plan *plan,
                      struct loom_error *err)
{
    sqlite3_stmt *all;
    int step, rc = loom_db_prepare(&all, store, "SELECT hash FROM cells ORDER BY place", err);
    while (!rc && (step = sqlite3_step(all)) != SQLITE_DONE) {
        if (step != SQLITE_ROW)
            rc = loom_db_fail(store, "read", err);
        else if (!has_cell(plan, (const char *)sqlite3_column_text(all, 0)))
            rc = loom_store_fail_other(store, plan, (const char *)sqlite3_column_text(all, 0), err);
    }
    sqlite3_finalize(all);
    return rc;
}

/* ---- provenance ------------------------------------------------------------------------------ */

static int put_call(struct loom_store *store, const struct loom_store_origin *origin,
                    struct loom_error *err)
{
    char host[256] = "", now[32];
    time_t seconds = time(NULL);
    struct tm utc;
    sqlite3_stmt *put;
    gethostname(host, sizeof host - 1);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    int rc = loom_db_prepare(&put, store,
                             "INSERT INTO provenance(time, version, build, command, host) "
                             "VALUES(?, ?, ?, ?, ?)",
                             err);
    if (rc)
        return rc;
    sqlite3_bind_text(put, 1, now, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, loom_version(), -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 3, loom_build_features(), -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 4, origin->command, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 5, host, -1, SQLITE_STATIC);
    rc = loom_db_step(store, put, err);
    sqlite3_finalize(put);
    return rc;
}

static int put_inputs(struct loom_store *store, const struct loom_store_origin *origin,
                      struct loom_error *err)
{
    sqlite3_stmt *put;
    int rc =
        loom_db_prepare(&put, store, "INSERT OR IGNORE INTO inputs(path, hash) VALUES(?, ?)", err);
    for (size_t i = 0; i < origin->n_inputs && !rc; i++) {
        sqlite3_bind_text(put, 1, origin->inputs[i].key, -1, SQLITE_STATIC);
        sqlite3_bind_text(put, 2, origin->inputs[i].value, -1, SQLITE_STATIC);
        rc = loom_db_step(store, put, err);
    }
    sqlite3_finalize(put);
    return rc;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int put_all(struct loom_store *store, const struct loom_store_plan *plan,
                   const struct loom_store_origin *origin, bool fresh, struct loom_error *err)
{
    int rc = fresh ? loom_db_tables(store, err) : check_plan(store, plan, err);
    if (!rc)
        rc = put_words(store, plan, err);
    if (!rc)
        rc = put_cells(store, plan, err);
    if (!rc)
        rc = put_call(store, origin, err);
    if (!rc)
        rc = put_inputs(store, origin, err);
    return rc ? rc : loom_store_view(store, err);
}

static int prepare_adding(struct loom_store *store, struct loom_error *err)
{
    int rc = loom_db_prepare(
        &store->add_run, store,
        "INSERT INTO runs(hash, cell, replication, status, message, seconds, host) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(hash) DO UPDATE SET status = "
        "excluded.status, message = excluded.message, seconds = excluded.seconds, host = "
        "excluded.host WHERE status = 'failed' RETURNING run",
        err);
    if (!rc)
        rc =
            loom_db_prepare(&store->add_metric, store,
                            "INSERT OR REPLACE INTO metrics(run, key, value) VALUES(?, ?, ?)", err);
    if (!rc)
        rc = loom_db_prepare(&store->add_class, store,
                             "INSERT OR REPLACE INTO classes(run, lowest, class, jobs, "
                             "wait_mean_s, wait_median_s, bounded_slowdown_mean, "
                             "throughput_jobs_per_day) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                             err);
    return rc;
}

static int open_and_fill(struct loom_store *store, const struct loom_store_plan *plan,
                         const struct loom_store_origin *origin, struct loom_error *err)
{
    bool fresh = false;
    store->n_cells = plan->n_cells;
    store->ids = calloc(plan->n_cells + 1, sizeof *store->ids);
    if (!store->ids)
        return loom_fail_memory(err);
    int rc = loom_db_check(store, &fresh, err);
    if (!rc)
        rc = loom_db_exec(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", err);
    if (!rc)
        rc = loom_db_begin(store, err);
    if (!rc) /* two processes may have begun with an empty file */
        rc = loom_db_check(store, &fresh, err);
    if (!rc)
        rc = loom_db_end(store, put_all(store, plan, origin, fresh, err), err);
    return rc ? rc : prepare_adding(store, err);
}

int loom_store_create(struct loom_store **out, const char *path, const struct loom_store_plan *plan,
                      const struct loom_store_origin *origin, struct loom_error *err)
{
    bool there = access(path, F_OK) == 0;
    int rc = loom_db_open(out, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (!rc)
        rc = open_and_fill(*out, plan, origin, err);
    if (rc) {
        loom_store_close(*out);
        *out = NULL;
        if (!there)
            unlink(path);
    }
    return rc;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int add_metrics(struct loom_store *store, int64_t id, const struct loom_store_run *run,
                       struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < run->n && !rc; i++) {
        if (isnan(run->values[i]))
            continue;
        sqlite3_bind_int64(store->add_metric, 1, id);
        sqlite3_bind_text(store->add_metric, 2, run->keys[i], -1, SQLITE_STATIC);
        sqlite3_bind_double(store->add_metric, 3, run->values[i]);
        rc = loom_db_step(store, store->add_metric, err);
    }
    return rc;
}

static int add_classes(struct loom_store *store, int64_t id, const struct loom_store_run *run,
                       struct loom_error *err)
{
    sqlite3_stmt *add = store->add_class;
    int rc = 0;
    for (size_t i = 0; i < run->n_classes && !rc; i++) {
        const struct loom_store_class *class = &run->classes[i];
        sqlite3_bind_int64(add, 1, id);
        sqlite3_bind_int64(add, 2, class->lowest);
        sqlite3_bind_text(add, 3, class->name, -1, SQLITE_STATIC);
        for (int k = 0; k < LOOM_CLASS_FIELDS; k++) /* SQLite stores NAN as NULL */
            sqlite3_bind_double(add, 4 + k, class->values[k]);
        rc = loom_db_step(store, add, err);
    }
    return rc;
}

static int store_run(struct loom_store *store, const struct loom_store_run *run,
                     struct loom_error *err)
{
    sqlite3_stmt *add = store->add_run;
    sqlite3_bind_text(add, 1, run->hash, -1, SQLITE_STATIC);
    sqlite3_bind_int64(add, 2, store->ids[run->cell]);
    sqlite3_bind_int64(add, 3, run->replication);
    sqlite3_bind_text(add, 4, run->message ? "failed" : "done", -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 5, run->message, -1, SQLITE_STATIC);
    sqlite3_bind_double(add, 6, run->seconds);
    sqlite3_bind_text(add, 7, run->host, -1, SQLITE_STATIC);
    int step = sqlite3_step(add);
    int64_t id = step == SQLITE_ROW ? sqlite3_column_int64(add, 0) : 0;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        return loom_db_fail(store, "write", err);
    if (sqlite3_reset(add) != SQLITE_OK)
        return loom_db_fail(store, "write", err);
    if (step != SQLITE_ROW || run->message)
        return 0;
    int rc = add_metrics(store, id, run, err);
    return rc ? rc : add_classes(store, id, run, err);
}

int loom_store_add(struct loom_store *store, const struct loom_store_run *runs, size_t n,
                   struct loom_error *err)
{
    pthread_mutex_lock(&store->lock);
    int rc = loom_db_begin(store, err);
    if (!rc) {
        for (size_t i = 0; i < n && !rc; i++)
            rc = store_run(store, &runs[i], err);
        rc = loom_db_end(store, rc, err);
    }
    pthread_mutex_unlock(&store->lock);
    return rc;
}

int loom_store_done(struct loom_store *store, bool *done, const char *const *hashes, size_t n,
                    bool retry_failed, struct loom_error *err)
{
    sqlite3_stmt *find;
    pthread_mutex_lock(&store->lock);
    int rc = loom_db_prepare(&find, store, "SELECT status = 'done' FROM runs WHERE hash = ?", err);
    for (size_t i = 0; i < n && !rc; i++) {
        sqlite3_bind_text(find, 1, hashes[i], -1, SQLITE_STATIC);
        int step = sqlite3_step(find);
        done[i] = step == SQLITE_ROW && (sqlite3_column_int(find, 0) || !retry_failed);
        if (step != SQLITE_ROW && step != SQLITE_DONE)
            rc = loom_db_fail(store, "read", err);
        sqlite3_reset(find);
    }
    sqlite3_finalize(find);
    pthread_mutex_unlock(&store->lock);
    return rc;
}
