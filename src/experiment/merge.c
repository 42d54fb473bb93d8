/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Databases of parts of a plan, shards or runs of other days, as one. The result is written beside
 * its name and renamed when it is complete.
 */
#include "base/error.h"
#include "experiment/store_db.h"

#include <workloom/experiment_plan.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what goes together ---------------------------------------------------------------------- */

static int count_rows(int64_t *out, struct loom_store *store, const char *sql,
                      struct loom_error *err)
{
    sqlite3_stmt *count;
    int rc = loom_db_prepare(&count, store, sql, err);
    if (!rc && sqlite3_step(count) != SQLITE_ROW)
        rc = loom_db_fail(store, "read", err);
    if (!rc)
        *out = sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    return rc;
}

/* Parts of one plan have the same cells; a plan that was extended has all cells of the other. */
static int check_cells(struct loom_store *store, const char *from, const char *first,
                       struct loom_error *err)
{
    int64_t mine, theirs, versions = 0;
    int rc =
        count_rows(&versions, store,
                   "SELECT count(*) FROM part.provenance WHERE version <> (SELECT version FROM "
                   "provenance ORDER BY id LIMIT 1)",
                   err);
    if (!rc && versions > 0)
        return loom_fail_at(err, LOOM_EDATA, from, 0, 0,
                            "it was written by another version of workloom than %s, and results "
                            "may differ",
                            first);
    if (!rc)
        rc = count_rows(&mine, store,
                        "SELECT count(*) FROM cells WHERE hash NOT IN (SELECT hash FROM "
                        "part.cells)",
                        err);
    if (!rc)
        rc =
            count_rows(&theirs, store,
                       "SELECT count(*) FROM part.cells WHERE hash NOT IN (SELECT hash FROM cells)",
                       err);
    if (!rc && mine > 0 && theirs > 0)
        rc = loom_fail_at(err, LOOM_EUSAGE, from, 0, 0,
                          "it is of another plan than %s: each has cells that the other has not",
                          first);
    return rc;
}

/* The same run gives the same numbers everywhere, or one of the databases is wrong. */
static int check_values(struct loom_store *store, const char *from, struct loom_error *err)
{
    int64_t other;
    int rc =
        count_rows(&other, store,
                   "SELECT count(*) FROM runs AS a JOIN part.runs AS b ON a.hash = b.hash JOIN "
                   "metrics AS m ON m.run = a.run JOIN part.metrics AS n ON n.run = b.run AND "
                   "n.key = m.key WHERE a.status = 'done' AND b.status = 'done' AND m.value <> "
                   "n.value",
                   err);
    if (!rc && other > 0)
        rc = loom_fail_at(err, LOOM_EDATA, from, 0, 0,
                          "%" PRId64 " results differ from other databases' results of the same "
                          "runs",
                          other);
    return rc;
}

/* ---- copying --------------------------------------------------------------------------------- */

static const char copy_cells[] =
    "INSERT INTO cells(place, hash, trace, source, scheduler, load, seed, replications) SELECT "
    "place, hash, trace, source, scheduler, load, seed, replications FROM part.cells WHERE true "
    "ORDER BY place ON CONFLICT(hash) DO UPDATE SET replications = max(replications, "
    "excluded.replications);"
    "INSERT OR IGNORE INTO settings SELECT c.cell, s.key, s.value FROM part.settings AS s JOIN "
    "part.cells AS p ON p.cell = s.cell JOIN cells AS c ON c.hash = p.hash;"
    "INSERT OR IGNORE INTO plan SELECT key, value FROM part.plan;"
    "INSERT OR IGNORE INTO inputs SELECT path, hash FROM part.inputs;"
    "INSERT INTO provenance(time, version, build, command, host) SELECT time, version, build, "
    "command, host FROM part.provenance ORDER BY id;";

/* Places and words of the larger plan. */
static const char take_plan[] =
    "UPDATE plan SET value = (SELECT value FROM part.plan AS p WHERE p.key = plan.key);"
    "UPDATE cells SET place = (SELECT place FROM part.cells AS p WHERE p.hash = cells.hash);";

/* A done run stands in place of a failed one. */
static const char copy_runs[] =
    "DELETE FROM runs WHERE status = 'failed' AND hash IN (SELECT hash FROM part.runs WHERE status "
    "= 'done');"
    "INSERT OR IGNORE INTO runs(hash, cell, replication, status, message, seconds, host) SELECT "
    "r.hash, c.cell, r.replication, r.status, r.message, r.seconds, r.host FROM part.runs AS r "
    "JOIN "
    "part.cells AS p ON p.cell = r.cell JOIN cells AS c ON c.hash = p.hash ORDER BY r.run;"
    "INSERT OR IGNORE INTO metrics SELECT a.run, m.key, m.value FROM part.runs AS r JOIN "
    "part.metrics AS m ON m.run = r.run JOIN runs AS a ON a.hash = r.hash WHERE a.status = 'done' "
    "ORDER BY a.run, m.key;"
    "INSERT OR IGNORE INTO classes SELECT a.run, k.lowest, k.class, k.jobs, k.wait_mean_s, "
    "k.wait_median_s, k.bounded_slowdown_mean, k.throughput_jobs_per_day FROM part.runs AS r JOIN "
    "part.classes AS k ON k.run = r.run JOIN runs AS a ON a.hash = r.hash WHERE a.status = 'done' "
    "ORDER BY a.run, k.lowest;";

static int copy_part(struct loom_store *to, const char *from, const char *first, bool empty,
                     struct loom_error *err)
{
    int64_t before = 0, after = 0;
    int rc = empty ? 0 : check_cells(to, from, first, err);
    if (!rc && !empty)
        rc = check_values(to, from, err);
    if (!rc)
        rc = count_rows(&before, to, "SELECT count(*) FROM cells", err);
    if (!rc)
        rc = loom_db_exec(to, copy_cells, err);
    if (!rc)
        rc = count_rows(&after, to, "SELECT count(*) FROM cells", err);
    if (!rc && after > before && !empty)
        rc = loom_db_exec(to, take_plan, err);
    return rc ? rc : loom_db_exec(to, copy_runs, err);
}

static int attach(struct loom_store *to, const char *from, struct loom_error *err)
{
    sqlite3_stmt *attach;
    int rc = loom_db_prepare(&attach, to, "ATTACH ? AS part", err);
    if (rc)
        return rc;
    sqlite3_bind_text(attach, 1, from, -1, SQLITE_STATIC);
    rc = loom_db_step(to, attach, err);
    sqlite3_finalize(attach);
    return rc;
}

static int add_part(struct loom_store *to, const char *const *from, size_t i,
                    struct loom_error *err)
{
    struct loom_store *part = NULL;
    int rc = loom_store_open(&part, from[i], err); /* is it one, and of this version? */
    loom_store_close(part);
    if (!rc)
        rc = attach(to, from[i], err);
    if (rc)
        return rc;
    rc = loom_db_begin(to, err);
    if (!rc)
        rc = loom_db_end(to, copy_part(to, from[i], from[0], i == 0, err), err);
    sqlite3_exec(to->db, "DETACH part", NULL, NULL, NULL);
    return rc;
}

static int merge_parts(struct loom_store *to, const char *const *from, size_t n,
                       struct loom_error *err)
{
    int rc = loom_db_exec(to, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL;", err);
    if (!rc)
        rc = loom_db_tables(to, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_part(to, from, i, err);
    return rc ? rc : loom_store_view(to, err);
}

/* A log beside a database belongs to it alone: it must not meet the new one. */
static int clear_place(const char *to, struct loom_error *err)
{
    static const char *const tails[] = {"-wal", "-shm"};
    char name[4200];
    struct stat found;
    snprintf(name, sizeof name, "%s-wal", to);
    if (stat(name, &found) == 0 && found.st_size > 0)
        return loom_fail_at(err, LOOM_EUSAGE, to, 0, 0,
                            "it is in use, or a process that wrote it was killed; name another "
                            "file");
    for (size_t i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s%s", to, tails[i]);
        unlink(name);
    }
    return 0;
}

/* Refuse to put the result in the place of a database that has runs which it lacks, or of a file
 * that is none. */
static int check_replaced(struct loom_store *store, const char *to, struct loom_error *err)
{
    int64_t lost = 0;
    struct stat found;
    if (stat(to, &found) != 0 || found.st_size == 0)
        return 0;
    struct loom_store *replaced = NULL;
    int rc = loom_store_open(&replaced, to, err); /* is it one, and of this version? */
    loom_store_close(replaced);
    if (!rc)
        rc = attach(store, to, err);
    if (!rc)
        rc = count_rows(&lost, store,
                        "SELECT count(*) FROM part.runs WHERE status = 'done' AND hash NOT IN "
                        "(SELECT hash FROM runs WHERE status = 'done')",
                        err);
    if (!rc && lost > 0)
        rc = loom_fail_at(err, LOOM_EUSAGE, to, 0, 0,
                          "it exists and has %" PRId64
                          " results that the merged databases lack; name another file",
                          lost);
    return rc;
}

int loom_study_merge(const char *to, const char *const *from, size_t n, struct loom_error *err)
{
    struct loom_store *store = NULL;
    char *beside = NULL;
    if (asprintf(&beside, "%s.%ld.part", to, (long)getpid()) < 0)
        return loom_fail_memory(err);
    unlink(beside);
    int rc = clear_place(to, err);
    if (!rc)
        rc = loom_db_open(&store, beside, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (!rc)
        rc = merge_parts(store, from, n, err);
    if (!rc)
        rc = check_replaced(store, to, err);
    loom_store_close(store);
    if (!rc && rename(beside, to) != 0)
        rc = loom_fail_errno(err, errno, "rename", to);
    if (rc)
        unlink(beside);
    free(beside);
    return rc;
}
