/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of jobs and clusters of a grid, as tables and as JSON. */
#include "report/outcomes.h"
#include "report/time_unit.h"

#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <string.h>

/* ---- classes of jobs ------------------------------------------------------------------------- */

const struct loom_metric *loom_class_metric(size_t field)
{
    return loom_metric_of(loom_class_field_key(field));
}

static json_t *class_json(const struct loom_sim_classes *classes, size_t at,
                          const struct loom_trace *names)
{
    const struct loom_sim_class *class = &classes->classes[at];
    char text[80];
    loom_sim_class_text(classes, at, names, text, sizeof text);
    json_t *object = json_pack("{s:o, s:I, s:o}", "class", loom_json_text(text), "from",
                               (json_int_t) class->from, "to",
                               class->to == INT64_MAX ? json_null() : json_integer(class->to));
    int failed = 0;
    for (size_t i = 0; i < LOOM_CLASS_FIELDS; i++)
        failed |= json_object_set_new(object, loom_class_field_key(i),
                                      loom_json_number(loom_class_value(class, i)));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

struct json_t *loom_classes_json(const struct loom_sim_classes *classes,
                                 const struct loom_trace *names)
{
    json_t *list = json_array();
    int failed = !list;
    for (size_t i = 0; !failed && i < classes->count; i++)
        failed = json_array_append_new(list, class_json(classes, i, names));
    if (!failed)
        return json_pack("{s:s, s:o, s:o}", "by", loom_class_kind_name(classes->kind), "fairness",
                         loom_json_number(classes->fairness), "list", list);
    json_decref(list);
    return NULL;
}

/* ---- clusters -------------------------------------------------------------------------------- */

static json_t *share_json(const struct loom_cluster_share *share)
{
    json_t *object = json_object();
    int failed = 0;
#define X(field) \
    failed |= json_object_set_new(object, #field, loom_json_number((double)share->field));
    LOOM_SHARE_FIELDS(X)
#undef X
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *counts_json(const struct loom_sim_counts *counts)
{
    json_t *object = json_object();
    int failed = 0;
#define X(name, what) failed |= json_object_set_new(object, #name, json_integer(counts->name));
    LOOM_SIM_COUNTS(X)
#undef X
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* Where the local jobs came from; null if there are none. */
static json_t *background_json(const struct loom_cluster_outcome *cluster)
{
    char hash[24];
    if (cluster->model)
        return json_pack("{s:o}", "model", loom_json_text(cluster->model));
    if (!cluster->log)
        return json_null();
    snprintf(hash, sizeof hash, "%016" PRIx64, cluster->hash);
    return json_pack("{s:o, s:s, s:I, s:I}", "file", loom_json_text(cluster->log), "hash", hash,
                     "shift_s", (json_int_t)cluster->shift_s, "left_out",
                     (json_int_t)cluster->left_out);
}

static json_t *cluster_json(const struct loom_cluster_outcome *cluster)
{
    const struct loom_cluster_metrics *metrics = &cluster->metrics;
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "name",
                     loom_json_text(cluster->name), "procs", (json_int_t)cluster->procs,
                     "scheduler", loom_json_text(cluster->scheduler), "background",
                     background_json(cluster), "utilization",
                     loom_json_number(metrics->utilization), "utilization_submitting",
                     loom_json_number(metrics->utilization_submitting), "load",
                     loom_json_number(metrics->load), "covers", loom_json_number(metrics->covers),
                     "queue_max", (json_int_t)metrics->queue_max, "local",
                     share_json(&metrics->local), "local_submitting",
                     share_json(&metrics->local_submitting), "grid", share_json(&metrics->grid),
                     "local_counts", counts_json(&cluster->counts));
}

struct json_t *loom_clusters_json(const struct loom_grid_outcome *grid)
{
    json_t *list = json_array();
    int failed = !list;
    for (size_t i = 0; i < grid->n && !failed; i++)
        failed = json_array_append_new(list, cluster_json(&grid->clusters[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static bool is_time(const struct loom_metric *metric)
{
    return strcmp(metric->unit, "s") == 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int add_field(struct loom_table *table, const struct loom_sim_class *class, size_t field,
                     const struct loom_time_unit *unit, struct loom_error *err)
{
    const struct loom_metric *metric = loom_class_metric(field);
    double value = loom_class_value(class, field);
    return is_time(metric) ? loom_time_unit_cell(table, value, unit, err)
                           : loom_metric_cell(table, metric, value, err);
}

static int add_run_classes(struct loom_table *table, const struct loom_outcome *outcome, bool named,
                           const struct loom_trace *names, const struct loom_time_unit *unit,
                           struct loom_error *err)
{
    const struct loom_sim_classes *classes = outcome->classes;
    char text[80];
    int rc = 0;
    for (size_t i = 0; !rc && i < classes->count; i++) {
        if (named)
            rc = loom_table_cell(table, err, "%s", outcome->policy);
        if (!rc && named)
            rc = loom_metric_cell(table, loom_metric_of("load_offered"), outcome->load_shown, err);
        if (!rc)
            rc = loom_table_cell(table, err, "%s",
                                 loom_sim_class_text(classes, i, names, text, sizeof text));
        for (size_t f = 0; f < LOOM_CLASS_FIELDS && !rc; f++)
            rc = add_field(table, &classes->classes[i], f, unit, err);
    }
    return rc;
}

static int fill_classes(struct loom_table *table, const struct loom_outcome *const *outcomes,
                        size_t n, const struct loom_trace *names, struct loom_error *err)
{
    struct loom_time_unit unit = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; outcomes[i]->classes && c < outcomes[i]->classes->count; c++)
            loom_time_unit_see(&unit, outcomes[i]->classes->classes[c].wait_mean_s);
    loom_time_unit_choose(&unit);
    int rc = n == 1 ? 0 : loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc && n > 1)
        rc = loom_table_column(table, "load", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, loom_class_kind_name(outcomes[0]->classes->kind), LOOM_LEFT,
                               err);
    for (size_t f = 0; f < LOOM_CLASS_FIELDS && !rc; f++) {
        const struct loom_metric *metric = loom_class_metric(f);
        bool rate = strcmp(metric->unit, "jobs/day") == 0;
        rc = is_time(metric) ? loom_time_unit_column(table, metric->label, &unit, err)
                             : loom_table_column(table,
                                                 f == 0 ? "jobs"
                                                 : rate ? metric->unit
                                                        : metric->label,
                                                 LOOM_RIGHT, err);
    }
    for (size_t i = 0; !rc && i < n; i++)
        if (outcomes[i]->classes)
            rc = add_run_classes(table, outcomes[i], n > 1, names, &unit, err);
    return rc;
}

int loom_classes_table(struct loom_table **out, const struct loom_outcome *const *outcomes,
                       size_t n, const struct loom_trace *names, struct loom_error *err)
{
    *out = NULL;
    if (n == 0 || !outcomes[0]->classes)
        return 0;
    int rc = loom_table_create(out, err);
    if (!rc)
        rc = fill_classes(*out, outcomes, n, names, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}

static int add_share(struct loom_table *table, const struct loom_cluster_share *share,
                     const struct loom_time_unit *unit, struct loom_error *err)
{
    int rc = loom_metric_cell(table, loom_metric_of("jobs"), (double)share->jobs, err);
    if (!rc)
        rc = loom_time_unit_cell(table, share->wait_mean_s, unit, err);
    return rc ? rc
              : loom_metric_cell(table, loom_metric_of("slowdown_ratio"), share->slowdown_ratio,
                                 err);
}

static int add_cluster(struct loom_table *table, const struct loom_cluster_outcome *cluster,
                       const struct loom_time_unit *unit, struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", cluster->name);
    if (!rc)
        rc = loom_metric_cell(table, loom_metric_of("procs"), (double)cluster->procs, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", cluster->scheduler);
    if (!rc)
        rc = loom_metric_cell(table, loom_metric_of("grid_utilization_submitting"),
                              cluster->metrics.utilization_submitting, err);
    if (!rc)
        rc = add_share(table, &cluster->metrics.local_submitting, unit, err);
    return rc ? rc : add_share(table, &cluster->metrics.grid, unit, err);
}

static int fill_clusters(struct loom_table *table, const struct loom_grid_outcome *grid,
                         struct loom_error *err)
{
    static const struct {
        const char *title;
        enum loom_align align;
        int priority;
    } columns[] = {
        {"cluster", LOOM_LEFT, LOOM_KEEP},
        {"processors", LOOM_RIGHT, 20},
        {"scheduler", LOOM_LEFT, 30},
        {"utilization", LOOM_RIGHT, LOOM_KEEP},
        {"local jobs", LOOM_RIGHT, 40},
        {"local: mean wait", LOOM_RIGHT, LOOM_KEEP}, /* with its unit, as the other */
        {"local: response / runtime", LOOM_RIGHT, 10},
        {"grid jobs", LOOM_RIGHT, 50},
        {"grid: mean wait", LOOM_RIGHT, LOOM_KEEP},
        {"grid: response / runtime", LOOM_RIGHT, 10},
    };
    struct loom_time_unit unit = {0};
    for (size_t i = 0; i < grid->n; i++) {
        loom_time_unit_see(&unit, grid->clusters[i].metrics.local_submitting.wait_mean_s);
        loom_time_unit_see(&unit, grid->clusters[i].metrics.grid.wait_mean_s);
    }
    loom_time_unit_choose(&unit);
    int rc = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !rc; i++) {
        rc = strstr(columns[i].title, "mean wait")
                 ? loom_time_unit_column(table, columns[i].title, &unit, err)
                 : loom_table_column(table, columns[i].title, columns[i].align, err);
        loom_table_priority(table, columns[i].priority);
    }
    for (size_t i = 0; i < grid->n && !rc; i++)
        rc = add_cluster(table, &grid->clusters[i], &unit, err);
    return rc;
}

int loom_clusters_table(struct loom_table **out, const struct loom_outcome *outcome,
                        struct loom_error *err)
{
    *out = NULL;
    if (!outcome->grid)
        return 0;
    int rc = loom_table_create(out, err);
    if (!rc)
        rc = fill_clusters(*out, outcome->grid, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}
