/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h - the results of an experiment in an SQLite database (WAL).
 *
 * Schema, version LOOM_STORE_SCHEMA (PRAGMA user_version); application_id is LOOM_STORE_ID.
 *
 *   plan(key TEXT PRIMARY KEY, value)
 *       One row each: name, text (the plan as YAML or as options), seed, replications, metrics
 *       (keys, blanks between).
 *   cells(cell INTEGER PRIMARY KEY, place, hash TEXT UNIQUE, trace, source, scheduler, load REAL,
 *         seed, replications)
 *       One row a combination. place is its position in the plan; load is NULL where it is not
 *       changed; replications is 1 where nothing is random.
 *   settings(cell, key, value)
 *       Further words of the cell: machine, behaviour, estimates, ... (cell, key) is unique.
 *   runs(run INTEGER PRIMARY KEY, hash TEXT UNIQUE, cell, replication, status, message, seconds,
 *        host)
 *       One row a finished run. status is 'done' or 'failed'; replications count from 0; (cell,
 *       replication) is unique.
 *   metrics(run, key TEXT, value REAL)
 *       One row a number of the metric dictionary that the run has. (run, key) is unique.
 *   classes(run, lowest, class, and a column for each metric of a class)
 *       One row a class of jobs of a run, in cells with the word by. (run, lowest) is unique.
 *   provenance(id INTEGER PRIMARY KEY, time, version, build, command, host)
 *       One row a call.
 *   inputs(path TEXT, hash TEXT)
 *       Files that were read, XXH3-64. (path, hash) is unique.
 *
 *   view results: trace, source, scheduler, load, replication, then one column a key of settings,
 *       then one column a metric; done runs only, in the order of the plan. A setting with the name
 *       of a metric has "_set" behind it.
 *   view class_results: the same columns but for the metrics, then class and its metrics.
 *
 * A run is written whole in one transaction. Runs that have not finished have no row, so a process
 * that is killed leaves nothing to repair. Writing functions may be called by several threads.
 */
#ifndef LOOM_EXPERIMENT_STORE_H
#define LOOM_EXPERIMENT_STORE_H

#include "experiment/outcome.h"

enum { LOOM_STORE_SCHEMA = 2, LOOM_STORE_ID = 0x4c4f4f4d, LOOM_HASH_TEXT = 33 };

struct loom_store;

struct loom_store_setting {
    const char *key, *value;
};

/* A combination of everything but the replication. */
struct loom_store_cell {
    const char *hash;
    const char *trace, *source, *scheduler;
    double load; /* NAN: not changed */
    uint64_t seed;
    int64_t replications; /* planned */
    const struct loom_store_setting *settings;
    size_t n_settings;
    int64_t id; /* cells.cell; set by reading, ignored when written */
};

/* What a database is made of. */
struct loom_store_plan {
    const char *name; /* may be NULL */
    const char *text;
    uint64_t seed;
    int64_t replications;
    const char *metrics; /* keys with blanks between; "": all that runs have */
    const struct loom_store_cell *cells;
    size_t n_cells;
};

/* How this process came to write into it. */
struct loom_store_origin {
    const char *command;
    const struct loom_store_setting *inputs; /* key: path, value: hash */
    size_t n_inputs;
};

/* Results of a class of jobs in a run. Plain bytes, for MPI. */
struct loom_store_class {
    int64_t lowest; /* limit of the class; classes are ordered by it */
    char name[LOOM_CLASS_TEXT];
    double values[LOOM_CLASS_FIELDS]; /* of loom_class_field_key */
};

struct loom_store_run {
    const char *hash;
    size_t cell; /* its index in the plan's cells */
    int64_t replication;
    const char *message; /* why it failed; NULL: it did not */
    double seconds;
    const char *host;
    size_t n; /* metrics */
    const char *const *keys;
    const double *values; /* those that are NAN are left out */
    const struct loom_store_class *classes;
    size_t n_classes;
};

/* ---- writing (store.c) ----------------------------------------------------------------------- */

/* Open a database for writing, or create it, and put the plan into it. A plan may extend the one in
 * the database: it must have all of its cells. The caller must close it. Fails with LOOM_EIO if the
 * file cannot be written, LOOM_EUSAGE for another plan, LOOM_EDATA for another version or a file
 * that is no such database; nothing is changed then. */
int loom_store_create(struct loom_store **out, const char *path, const struct loom_store_plan *plan,
                      const struct loom_store_origin *origin, struct loom_error *err);
/* Write runs in one transaction; a run that is there already and done is left as it is. Fails with
 * LOOM_EIO (disk full, ...): none of these runs is written then. */
int loom_store_add(struct loom_store *store, const struct loom_store_run *runs, size_t n,
                   struct loom_error *err);
/* Store in done[i] whether replication `replication` of cell i needs no run: it is done, or it
 * failed and failed ones are not tried again. */
int loom_store_done(struct loom_store *store, bool *done, const char *const *hashes, size_t n,
                    bool retry_failed, struct loom_error *err);

/* ---- reading (store_read.c) ------------------------------------------------------------------ */

/* Open a database for reading only, also while another process writes it. The caller must close it.
 * Fails with LOOM_EIO if it cannot be read, LOOM_EDATA if it is no such database. */
int loom_store_open(struct loom_store **out, const char *path, struct loom_error *err);
/* Close a database; NULL is allowed. */
void loom_store_close(struct loom_store *store);

/* Return the number of cells. Cells are numbered from 0 in the order of the plan. */
size_t loom_store_cells(const struct loom_store *store);
/* Return a cell, valid until the store is closed; NULL past the last. */
const struct loom_store_cell *loom_store_cell(const struct loom_store *store, size_t cell);
/* Return the value of a setting of a cell ("machine"), NULL if it has none. */
const char *loom_store_setting(const struct loom_store_cell *cell, const char *key);

/* Return a value of the table plan ("text", "seed", "metrics"), NULL if there is none. Valid until
 * the store is closed. */
const char *loom_store_plan(const struct loom_store *store, const char *key);
/* Return the command, version or host of the first call that wrote ("command", "version", "build",
 * "host", "time"), NULL if there is none. */
const char *loom_store_origin(const struct loom_store *store, const char *key);
/* Return an input at an index: its path and hash; false past the last. */
bool loom_store_input(const struct loom_store *store, size_t index, struct loom_store_setting *out);

/* Runs of a cell. */
struct loom_store_counts {
    int64_t planned, done, failed;
    double seconds; /* of all done runs */
};
/* Count the runs of a cell, or of all cells for SIZE_MAX. */
int loom_store_count(struct loom_store_counts *out, struct loom_store *store, size_t cell,
                     struct loom_error *err);

/* Read a metric of all done runs of a cell: values[i] is the value at replication replications[i],
 * ascending, NAN where the run does not have it. Two cells of the same source are paired where
 * replications are equal. The caller must free both arrays, which are NULL if *n is 0. */
int loom_store_values(double **values, int64_t **replications, size_t *n, struct loom_store *store,
                      size_t cell, const char *metric, struct loom_error *err);
/* Call visit for each class of each done run of a cell, by class, then replication. saturated is
 * NAN if the run does not have that metric. */
typedef int loom_store_visit_class(void *context, const struct loom_store_class *class,
                                   int64_t replication, double saturated, struct loom_error *err);
int loom_store_classes(struct loom_store *store, size_t cell, loom_store_visit_class *visit,
                       void *context, struct loom_error *err);
/* Store the keys of metrics that the view `results` shows, in its order; an array that the caller
 * must free, of entries of the metric dictionary. */
int loom_store_metrics(const struct loom_metric ***out, size_t *n, struct loom_store *store,
                       struct loom_error *err);

/* One failed run. */
struct loom_store_failure {
    size_t cell;
    int64_t replication;
    char message[512];
};
/* Store the failed run at an index, in the order of the plan; *found is false past the last. */
int loom_store_failure(struct loom_store_failure *out, bool *found, struct loom_store *store,
                       size_t index, struct loom_error *err);

/* Call visit for each row of the view `results`, first with the names of the columns (row -1). A
 * value is NULL where there is none. The text of a number is the shortest that reads back equal. */
typedef int loom_store_visit(void *context, int64_t row, size_t n, const char *const *values,
                             const bool *is_text, struct loom_error *err);
int loom_store_results(struct loom_store *store, loom_store_visit *visit, void *context,
                       struct loom_error *err);

#endif
