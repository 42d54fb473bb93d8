/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results by class of jobs from the database of an experiment: each class of a cell is a cell. */
#include "experiment/results.h"

#include "base/vec.h"
#include "experiment/store.h"

#include <stdlib.h>
#include <string.h>

enum { N_METRICS = LOOM_CLASS_FIELDS + 1 }; /* saturated is the last */

/* A class of a cell of the database. */
struct class_cell {
    size_t cell;
    int64_t lowest;
    char name[LOOM_CLASS_TEXT];
};

/* Values of a class in one run. */
struct class_values {
    size_t at; /* in the list of classes */
    int64_t replication;
    double values[N_METRICS];
};

struct class_list {
    size_t cell; /* being read */
    struct class_cell *classes;
    size_t n_classes, classes_capacity;
    struct class_values *values;
    size_t n_values, values_capacity;
};

/* ---- reading --------------------------------------------------------------------------------- */

static int add_class(void *context, const struct loom_store_class *class, int64_t replication,
                     double saturated, struct loom_error *err)
{
    struct class_list *list = context;
    const struct class_cell *last =
        list->n_classes > 0 ? &list->classes[list->n_classes - 1] : NULL;
    if (!last || last->cell != list->cell || last->lowest != class->lowest) {
        if (loom_grow(&list->classes, list->n_classes, &list->classes_capacity))
            return loom_fail_memory(err);
        struct class_cell *to = &list->classes[list->n_classes++];
        *to = (struct class_cell){.cell = list->cell, .lowest = class->lowest};
        memcpy(to->name, class->name, sizeof to->name);
    }
    if (loom_grow(&list->values, list->n_values, &list->values_capacity))
        return loom_fail_memory(err);
    struct class_values *to = &list->values[list->n_values++];
    to->at = list->n_classes - 1;
    to->replication = replication;
    memcpy(to->values, class->values, sizeof class->values);
    to->values[LOOM_CLASS_FIELDS] = saturated;
    return 0;
}

static int read_list(struct class_list *list, struct loom_store *store, const char *path,
                     struct loom_error *err)
{
    int rc = 0;
    for (list->cell = 0; list->cell < loom_store_cells(store) && !rc; list->cell++)
        rc = loom_store_classes(store, list->cell, add_class, list, err);
    if (!rc && list->n_classes == 0)
        rc = loom_fail_at(err, LOOM_EDATA, path, 0, 0,
                          "no run has classes of jobs: add by (size, runtime, user, queue or bag) "
                          "to the plan");
    return rc;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Fill a cell; settings has room for the settings of the cell in the database, which are borrowed.
 * "by" becomes the factor: "size" of "3-4". */
static void fill_cell(struct loom_results_cell *to, struct loom_results_setting *settings,
                      const struct loom_store_cell *from, const struct class_cell *class)
{
    for (size_t i = 0; i < from->n_settings; i++) {
        bool by = strcmp(from->settings[i].key, "by") == 0;
        settings[i].key = by ? from->settings[i].value : from->settings[i].key;
        settings[i].value = by ? class->name : from->settings[i].value;
    }
    *to = (struct loom_results_cell){.trace = from->trace,
                                     .source = from->source,
                                     .scheduler = from->scheduler,
                                     .load = from->load,
                                     .replications = from->replications,
                                     .settings = settings,
                                     .n_settings = from->n_settings};
}

/* Note which cells have the same runs. */
static int name_run_cells(struct loom_run_results *results, const struct class_list *list,
                          struct loom_error *err)
{
    results->run_cells = calloc(list->n_classes + 1, sizeof *results->run_cells);
    if (!results->run_cells)
        return loom_fail_memory(err);
    for (size_t i = 0; i < list->n_classes; i++)
        results->run_cells[i] = list->classes[i].cell;
    return 0;
}

static int create_results(struct loom_run_results **out, const struct class_list *list,
                          struct loom_store *store, struct loom_error *err)
{
    const char *keys[N_METRICS];
    size_t n_settings = 0, used = 0;
    int64_t replications = 0;
    for (size_t i = 0; i < LOOM_CLASS_FIELDS; i++)
        keys[i] = loom_class_field_key(i);
    keys[LOOM_CLASS_FIELDS] = "saturated";
    for (size_t i = 0; i < list->n_classes; i++)
        n_settings += loom_store_cell(store, list->classes[i].cell)->n_settings;
    struct loom_results_cell *cells = calloc(list->n_classes + 1, sizeof *cells);
    struct loom_results_setting *settings = calloc(n_settings + 1, sizeof *settings);
    int rc = cells && settings ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < list->n_classes && !rc; i++) {
        const struct loom_store_cell *from = loom_store_cell(store, list->classes[i].cell);
        fill_cell(&cells[i], settings + used, from, &list->classes[i]);
        used += from->n_settings;
        if (from->replications > replications)
            replications = from->replications;
    }
    if (!rc)
        rc = loom_results_create(out, cells, list->n_classes, replications, keys, N_METRICS, err);
    free(settings);
    free(cells);
    return rc ? rc : name_run_cells(*out, list, err);
}

static void set_row(struct loom_run_results *results, size_t class,
                    const struct class_values *values)
{
    for (size_t m = 0; m < N_METRICS; m++)
        loom_results_set(results, class, m, values->replication, values->values[m]);
}

/* Set the counts of the classes from `first` on, all of one cell, that a run has no jobs of; run
 * has the values of another of its classes. */
static void set_absent(struct loom_run_results *results, const struct class_list *list,
                       size_t first, const struct class_values *run)
{
    struct class_values none = *run;
    for (size_t m = 0; m < LOOM_CLASS_FIELDS; m++)
        none.values[m] = loom_class_field_of_none(m);
    for (size_t i = first;
         i < list->n_classes && list->classes[i].cell == list->classes[first].cell; i++)
        set_row(results, i, &none);
}

/* Users that are drawn are others in each replication: none of them is absent from a run. */
static bool may_be_absent(const struct loom_store_cell *cell)
{
    for (size_t i = 0; i < cell->n_settings; i++)
        if (strcmp(cell->settings[i].key, "by") == 0)
            return strcmp(cell->settings[i].value, "user") != 0;
    return true;
}

/* A class that a run has no jobs of has no row: all classes of the cell are set to none for each of
 * its runs first. */
static int set_values(struct loom_run_results *results, const struct class_list *list,
                      struct loom_store *store, struct loom_error *err)
{
    int64_t *last = calloc((size_t)results->replications + 1, sizeof *last);
    if (!last)
        return loom_fail_memory(err);
    for (size_t i = 0, first = 0; i < list->n_values; i++) {
        const struct class_values *values = &list->values[i];
        size_t cell = list->classes[values->at].cell;
        if (cell != list->classes[first].cell)
            first = values->at;
        if (last[values->replication] == (int64_t)cell + 1)
            continue;
        last[values->replication] = (int64_t)cell + 1;
        if (may_be_absent(loom_store_cell(store, cell)))
            set_absent(results, list, first, values);
    }
    for (size_t i = 0; i < list->n_values; i++)
        set_row(results, list->values[i].at, &list->values[i]);
    results->n_shown = LOOM_CLASS_FIELDS;
    free(last);
    return 0;
}

int loom_results_read_classes(struct loom_run_results **out, const char *path,
                              struct loom_error *err)
{
    struct loom_store *store = NULL;
    struct loom_run_results *results = NULL;
    struct class_list list = {0};
    int rc = loom_store_open(&store, path, err);
    if (!rc)
        rc = read_list(&list, store, path, err);
    if (!rc)
        rc = create_results(&results, &list, store, err);
    if (!rc)
        rc = set_values(results, &list, store, err);
    if (!rc)
        rc = loom_results_read_origin(results, store, err);
    free(list.classes);
    free(list.values);
    loom_store_close(store);
    if (rc)
        loom_results_destroy(results);
    else
        *out = results;
    return rc;
}
