/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An outcome as a JSON object: every metric at its path in the dictionary, then what is no single
 * number: classes, clusters, distributions and series.
 */
#include "report/outcomes.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- metrics --------------------------------------------------------------------------------- */

/* The object at a key, made if there is none. */
static json_t *open_object(json_t *in, const char *key, size_t length)
{
    json_t *object = json_object_getn(in, key, length);
    if (object)
        return object;
    object = json_object();
    return json_object_setn_new(in, key, length, object) ? NULL : object;
}

static int outcome_json_put(json_t *object, const char *path, json_t *value)
{
    for (const char *dot = strchr(path, '.'); dot && object; dot = strchr(path, '.')) {
        object = open_object(object, path, (size_t)(dot - path));
        path = dot + 1;
    }
    return json_object_set_new(object, path, value);
}

static json_t *value_json(const struct loom_metric *metric, double value)
{
    bool verdict = strcmp(metric->unit, "yes/no") == 0;
    return verdict && !isnan(value) ? json_boolean(value > 0) : loom_json_number(value);
}

/* Medians among percentiles, and fairness among users, stand there too. */
static const char *second_path(const struct loom_metric *metric)
{
    return strcmp(metric->key, "wait_median_s") == 0 ? "percentiles.wait_s.50"
           : strcmp(metric->key, "fairness") == 0    ? "users.fairness"
                                                     : NULL;
}

static int put_metrics(json_t *object, const struct loom_outcome *outcome)
{
    const struct loom_metric *metric;
    int failed = 0;
    for (size_t i = 0; (metric = loom_metric_at(i)) && !failed; i++) {
        const char *again = second_path(metric);
        double value = loom_outcome_metric(outcome, metric);
        if (!loom_outcome_has(outcome, metric->group))
            continue;
        failed = outcome_json_put(object, metric->path, value_json(metric, value));
        if (!failed && again)
            failed = outcome_json_put(object, again, value_json(metric, value));
    }
    return failed;
}

/* ---- over time ------------------------------------------------------------------------------- */

/* Shares of the time by queue length, up to the last that was seen. */
static json_t *shares_json(const struct loom_sim_rates *rates)
{
    json_t *list = json_array();
    size_t n = LOOM_QUEUE_BINS;
    int failed = !list;
    while (n > 0 && rates->queue_share[n - 1] <= 0)
        n--;
    for (size_t bin = 0; bin < n && !failed; bin++) {
        json_int_t to = bin == 0 ? 0 : (json_int_t)1 << (bin - 1);
        failed = json_array_append_new(list, json_pack("{s:I, s:I, s:o}", "from",
                                                       bin < 2 ? to : to / 2 + 1, "to", to, "share",
                                                       loom_json_number(rates->queue_share[bin])));
    }
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *series_json(const struct loom_sim_series *series)
{
    json_t *utilization = json_array(), *mean = json_array(), *most = json_array();
    int failed = 0;
    for (size_t i = 0; i < series->count && !failed; i++) {
        const struct loom_sim_level *level = &series->levels[i];
        failed |= json_array_append_new(utilization, loom_json_number(level->utilization));
        failed |= json_array_append_new(mean, loom_json_number(level->queue_mean));
        failed |= json_array_append_new(most, json_integer(level->queue_max));
    }
    json_t *object = json_pack("{s:I, s:I, s:o, s:o, s:o}", "from_s", (json_int_t)series->from_s,
                               "step_s", (json_int_t)series->step_s, "utilization", utilization,
                               "queue_mean", mean, "queue_max", most);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *weeks_json(const struct loom_outcome *outcome)
{
    json_t *list = json_array();
    int failed = !list;
    for (size_t w = 0; w < outcome->n_weeks && !failed; w++)
        failed = json_array_append_new(list, json_integer(outcome->outstanding[w]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static int put_series(json_t *object, const struct loom_outcome *outcome)
{
    int failed =
        outcome_json_put(object, "queue_length.distribution", shares_json(&outcome->rates));
    if (!failed && outcome->series)
        failed = json_object_set_new(object, "outstanding_weekly", weeks_json(outcome)) ||
                 json_object_set_new(object, "over_time", series_json(outcome->series));
    return failed;
}

/* ---- users and grid -------------------------------------------------------------------------- */

static int put_submitters(json_t *object, const struct loom_outcome *outcome)
{
    const struct loom_users_outcome *users = outcome->submitters;
    json_t *people = json_object_get(object, "people");
    return json_object_set_new(people, "population",
                               json_string(users->resampled ? "resampled" : "log")) ||
           json_object_set_new(people, "feedback",
                               users->behaviour ? loom_json_text(users->behaviour) : json_null()) ||
           json_object_set_new(people, "seed", json_integer((json_int_t)outcome->seed)) ||
           json_object_set_new(people, "replication",
                               json_integer((json_int_t)outcome->replication)) ||
           json_object_set_new(people, "jobs_without_user",
                               json_integer((json_int_t)users->without_user)) ||
           json_object_set_new(people, "jobs_without_wait",
                               json_integer((json_int_t)users->without_wait));
}

static int put_grid(json_t *object, const struct loom_outcome *outcome)
{
    json_t *grid = json_object_get(object, "grid");
    return json_object_set_new(grid, "dispatch", loom_json_text(outcome->grid->dispatch)) ||
           json_object_set_new(grid, "seed", json_integer((json_int_t)outcome->seed)) ||
           json_object_set_new(grid, "replication",
                               json_integer((json_int_t)outcome->replication)) ||
           json_object_set_new(object, "clusters", loom_clusters_json(outcome->grid));
}

static json_t *load_json(const struct loom_load_change *change)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:I}", "asked", loom_json_number(change->asked),
                     "by", loom_load_way_name(change->way), "before",
                     loom_json_number(change->before), "after", loom_json_number(change->after),
                     "factor", loom_json_number(change->factor), "left_out",
                     (json_int_t)change->left_out);
}

static int put_prediction(json_t *object, const struct loom_prediction_outcome *predicted)
{
    json_t *prediction = json_object_get(object, "prediction");
    return json_object_set_new(prediction, "predictor", loom_json_text(predicted->predictor)) ||
           json_object_set_new(prediction, "correction",
                               json_string(loom_correction_name(predicted->correction)));
}

static json_t *requests_json(const struct loom_request_change *change)
{
    char how[LOOM_REQUEST_RULE_TEXT];
    bool random = loom_request_rule_random(change->how);
    return json_pack("{s:s, s:o, s:o, s:I}", "estimates",
                     loom_request_rule_text(how, sizeof how, change->how, change->factor), "seed",
                     random ? json_integer((json_int_t)change->seed) : json_null(), "replication",
                     random ? json_integer((json_int_t)change->replication) : json_null(),
                     "changed", (json_int_t)change->changed);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int outcome_json_fill(json_t *object, const struct loom_outcome *outcome,
                             const struct loom_trace *names)
{
    const struct loom_load_change *load = loom_outcome_load(outcome);
    int failed = json_object_set_new(object, "scheduler", loom_json_text(outcome->policy));
    if (!failed && load)
        failed = json_object_set_new(object, "load", load_json(load));
    if (!failed && loom_outcome_requests(outcome))
        failed = json_object_set_new(object, "requests", requests_json(&outcome->requests));
    if (!failed)
        failed = put_metrics(object, outcome) || put_series(object, outcome);
    if (!failed && outcome->submitters)
        failed = put_submitters(object, outcome);
    if (!failed && outcome->predicted)
        failed = put_prediction(object, outcome->predicted);
    if (!failed && outcome->grid)
        failed = put_grid(object, outcome);
    if (!failed && outcome->classes)
        failed = json_object_set_new(object, "classes", loom_classes_json(outcome->classes, names));
    return failed;
}

struct json_t *loom_outcome_json(const struct loom_outcome *outcome, const struct loom_trace *names)
{
    json_t *object = json_object();
    if (!outcome_json_fill(object, outcome, names))
        return object;
    json_decref(object);
    return NULL;
}
