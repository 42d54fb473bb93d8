/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the view `results`, for CSV and JSON. */
#include "experiment/store_db.h"
#include "trace/number.h"

#include <stdlib.h>

/* A row on its way out. */
struct row {
    const char **values;
    bool *is_text;
    char (*numbers)[LOOM_NUMBER_PRINT + 1];
    size_t n;
};

static void read_row(struct row *row, sqlite3_stmt *rows)
{
    for (size_t i = 0; i < row->n; i++) {
        int type = sqlite3_column_type(rows, (int)i);
        row->is_text[i] = type == SQLITE_TEXT;
        row->values[i] =
            type == SQLITE_NULL ? NULL : (const char *)sqlite3_column_text(rows, (int)i);
        if (type == SQLITE_FLOAT) {
            row->numbers[i][loom_number_print_real(row->numbers[i],
                                                   sqlite3_column_double(rows, (int)i))] = 0;
            row->values[i] = row->numbers[i];
        }
    }
}

static int visit_rows(struct row *row, sqlite3_stmt *rows, struct loom_store *store,
                      loom_store_visit *visit, void *context, struct loom_error *err)
{
    int step, rc;
    for (size_t i = 0; i < row->n; i++) {
        row->values[i] = sqlite3_column_name(rows, (int)i);
        row->is_text[i] = true;
    }
    rc = visit(context, -1, row->n, row->values, row->is_text, err);
    for (int64_t at = 0; !rc && (step = sqlite3_step(rows)) != SQLITE_DONE; at++) {
        if (step != SQLITE_ROW)
            return loom_db_fail(store, "read", err);
        read_row(row, rows);
        rc = visit(context, at, row->n, row->values, row->is_text, err);
    }
    return rc;
}

int loom_store_results(struct loom_store *store, loom_store_visit *visit, void *context,
                       struct loom_error *err)
{
    sqlite3_stmt *rows;
    int rc = loom_db_prepare(&rows, store, "SELECT * FROM results", err);
    size_t n = rc ? 0 : (size_t)sqlite3_column_count(rows);
    struct row row = {calloc(n + 1, sizeof *row.values), calloc(n + 1, sizeof *row.is_text),
                      calloc(n + 1, sizeof *row.numbers), n};
    if (!rc && (!row.values || !row.is_text || !row.numbers))
        rc = loom_fail_memory(err);
    if (!rc)
        rc = visit_rows(&row, rows, store, visit, context, err);
    free(row.values);
    free(row.is_text);
    free(row.numbers);
    sqlite3_finalize(rows);
    return rc;
}
