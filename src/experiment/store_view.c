/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views `results`, one row a run, and `class_results`, one row a class of jobs of a run. */
#include "experiment/store_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns that every view begins with. */
static bool is_fixed(const char *name)
{
    static const char *const fixed[] = {"trace", "source", "scheduler", "load", "replication"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(fixed[i], name) == 0)
            return true;
    return false;
}

/* Names are words of ours: letters, digits and '_'. */
static int put_settings(FILE *sql, struct loom_store *store, struct loom_error *err)
{
    sqlite3_stmt *keys;
    int step,
        rc = loom_db_prepare(&keys, store, "SELECT DISTINCT key FROM settings ORDER BY key", err);
    while (!rc && (step = sqlite3_step(keys)) != SQLITE_DONE) {
        const char *key = (const char *)sqlite3_column_text(keys, 0);
        if (step != SQLITE_ROW || !key) {
            rc = loom_db_fail(store, "read", err);
            break;
        }
        const char *tail = loom_metric_find(key) || is_fixed(key) ? "_set" : "";
        fprintf(sql,
                ", (SELECT value FROM settings WHERE cell = c.cell AND key = '%s') AS \"%s%s\"",
                key, key, tail);
    }
    sqlite3_finalize(keys);
    return rc;
}

static int put_metrics(FILE *sql, struct loom_store *store, struct loom_error *err)
{
    sqlite3_stmt *plan;
    int rc = loom_db_prepare(&plan, store, "SELECT value FROM plan WHERE key = 'metrics'", err);
    if (!rc && sqlite3_step(plan) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(plan, 0);
        char *list = strdup(text ? text : ""), *rest = list, *key;
        if (!list)
            rc = loom_fail_memory(err);
        while (!rc && (key = strsep(&rest, " ")))
            if (*key)
                fprintf(sql, ", (SELECT value FROM metrics WHERE run = r.run AND key = '%s') AS %s",
                        key, key);
        free(list);
    }
    sqlite3_finalize(plan);
    return rc;
}

/* Write the start of a view: its columns up to the settings. */
static int put_start(FILE *sql, const char *view, struct loom_store *store, struct loom_error *err)
{
    fprintf(sql,
            "DROP VIEW IF EXISTS %s; CREATE VIEW %s AS SELECT c.trace AS trace, c.source AS "
            "source, c.scheduler AS scheduler, c.load AS load, r.replication AS replication",
            view, view);
    return put_settings(sql, store, err);
}

static int put_views(FILE *sql, struct loom_store *store, struct loom_error *err)
{
    int rc = put_start(sql, "results", store, err);
    if (!rc)
        rc = put_metrics(sql, store, err);
    fputs(" FROM runs AS r JOIN cells AS c ON c.cell = r.cell WHERE r.status = 'done' ORDER BY "
          "c.place, r.replication;",
          sql);
    if (!rc)
        rc = put_start(sql, "class_results", store, err);
    fputs(", k.class AS class", sql);
    for (size_t i = 0; i < LOOM_CLASS_FIELDS; i++)
        fprintf(sql, ", k.%s AS %s", loom_class_field_key(i), loom_class_field_key(i));
    fputs(" FROM runs AS r JOIN cells AS c ON c.cell = r.cell JOIN classes AS k ON k.run = r.run "
          "WHERE r.status = 'done' ORDER BY c.place, r.replication, k.lowest;",
          sql);
    return rc;
}

int loom_store_view(struct loom_store *store, struct loom_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return loom_fail_memory(err);
    int rc = put_views(sql, store, err);
    if (fclose(sql) != 0 && !rc)
        rc = loom_fail_memory(err);
    if (!rc)
        rc = loom_db_exec(store, text, err);
    free(text);
    return rc;
}
