/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The feature dictionary: the list of families, the jobs as they want them, and their results put
 * together in the order of the list.
 */
#include "features/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct loom_family_ops loom_family_jobs, loom_family_arrival, loom_family_cycle,
    loom_family_runtime, loom_family_size, loom_family_estimate, loom_family_tail,
    loom_family_interactive, loom_family_bags, loom_family_session, loom_family_user,
    loom_family_locality, loom_family_similarity;

static const struct loom_family_ops *const families[] = {
    &loom_family_jobs,       &loom_family_arrival,  &loom_family_cycle, &loom_family_runtime,
    &loom_family_size,       &loom_family_estimate, &loom_family_tail,  &loom_family_interactive,
    &loom_family_bags,       &loom_family_session,  &loom_family_user,  &loom_family_locality,
    &loom_family_similarity,
};

enum { N_FAMILIES = sizeof families / sizeof *families };

const struct loom_feature_info *loom_feature_info_at(size_t index)
{
    for (size_t f = 0; f < N_FAMILIES; f++)
        for (const struct loom_feature_info *info = families[f]->keys; info->key; info++)
            if (index-- == 0)
                return info;
    return NULL;
}

/* ---- results --------------------------------------------------------------------------------- */

/* One family's share of the features. */
struct loom_results {
    struct loom_feature *features;
    size_t n;
};

struct loom_features {
    struct loom_feature *features;
    size_t n;
};

static struct loom_feature *find(struct loom_feature *features, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(features[i].info->key, key) == 0)
            return &features[i];
    return NULL;
}

/* A key that was not declared is a mistake in a family; its test finds it, users must not suffer.
 */
static void set(struct loom_results *results, const char *key, struct loom_feature value)
{
    struct loom_feature *feature = find(results->features, results->n, key);
    if (!feature)
        return;
    value.info = feature->info;
    *feature = value;
}

void loom_put(struct loom_results *results, const char *key, double value)
{
    if (isfinite(value))
        set(results, key, (struct loom_feature){.known = true, .value = value});
    else
        loom_put_missing(results, key, "the result is not a finite number");
}

void loom_put_missing(struct loom_results *results, const char *key, const char *reason)
{
    set(results, key, (struct loom_feature){.reason = reason});
}

void loom_put_rest_missing(struct loom_results *results, const char *reason)
{
    for (size_t i = 0; i < results->n; i++)
        if (!results->features[i].known && !results->features[i].reason)
            results->features[i].reason = reason;
}

/* ---- the jobs in order ----------------------------------------------------------------------- */

/* Columns of the trace in the order of rows. A trace that is in order already is used as it is. */
struct ordered {
    struct loom_workload jobs;
    int32_t *procs;
    void *copies[8];
    size_t n_copies;
    struct loom_zone *zone;
};

static const int64_t *order_int64(struct ordered *o, const uint32_t *rows, const int64_t *column)
{
    int64_t *copy = malloc((o->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < o->jobs.n; i++)
        copy[i] = column[rows[i]];
    o->copies[o->n_copies++] = copy;
    return copy;
}

static const int32_t *order_int32(struct ordered *o, const uint32_t *rows, const int32_t *column)
{
    int32_t *copy = malloc((o->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < o->jobs.n; i++)
        copy[i] = column[rows[i]];
    o->copies[o->n_copies++] = copy;
    return copy;
}

static int take_ordered(struct ordered *o, const struct loom_jobs *columns, const uint32_t *rows,
                        struct loom_error *err)
{
    struct loom_workload *jobs = &o->jobs;
    jobs->submit_s = order_int64(o, rows, columns->submit_s);
    jobs->run_s = order_int64(o, rows, columns->run_s);
    jobs->wait_s = order_int64(o, rows, columns->wait_s);
    jobs->estimate_s = order_int64(o, rows, columns->req_time_s);
    jobs->user = order_int32(o, rows, columns->user);
    jobs->group = order_int32(o, rows, columns->group);
    jobs->executable = order_int32(o, rows, columns->executable);
    jobs->queue = order_int32(o, rows, columns->queue);
    for (size_t i = 0; i < o->n_copies; i++)
        if (!o->copies[i])
            return loom_fail_memory(err);
    return 0;
}

static void take_as_they_are(struct loom_workload *jobs, const struct loom_jobs *columns)
{
    jobs->submit_s = columns->submit_s;
    jobs->run_s = columns->run_s;
    jobs->wait_s = columns->wait_s;
    jobs->estimate_s = columns->req_time_s;
    jobs->user = columns->user;
    jobs->group = columns->group;
    jobs->executable = columns->executable;
    jobs->queue = columns->queue;
}

static bool in_order(const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i] != i)
            return false;
    return true;
}

static int take_procs(struct ordered *o, const struct loom_jobs *columns, const uint32_t *rows,
                      struct loom_error *err)
{
    o->procs = malloc((o->jobs.n + 1) * sizeof *o->procs);
    if (!o->procs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < o->jobs.n; i++)
        o->procs[i] = loom_job_procs(columns, rows[i]);
    o->jobs.procs = o->procs;
    return 0;
}

static int arrange(struct ordered *o, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *columns = loom_trace_jobs(trace);
    uint32_t *rows = NULL;
    o->jobs.trace = trace;
    o->jobs.n = columns->n;
    int64_t stated = loom_trace_machine(trace)->max_procs;
    o->jobs.max_procs = stated > 0 ? stated : 0;
    int rc = loom_trace_order(&rows, trace, err);
    if (!rc)
        rc = take_procs(o, columns, rows, err);
    if (!rc && in_order(rows, columns->n))
        take_as_they_are(&o->jobs, columns);
    else if (!rc)
        rc = take_ordered(o, columns, rows, err);
    free(rows);
    if (!rc)
        rc = loom_zone_create(&o->zone, trace, NULL, err);
    if (rc)
        return rc;
    o->jobs.zone = o->zone;
    if (columns->n > 0 && __builtin_sub_overflow(o->jobs.submit_s[columns->n - 1],
                                                 o->jobs.submit_s[0], &o->jobs.span_s))
        return loom_fail(err, LOOM_EDATA,
                         "the submit times are too far apart to measure; clean the log first");
    return 0;
}

static void release(struct ordered *o)
{
    free(o->procs);
    for (size_t i = 0; i < o->n_copies; i++)
        free(o->copies[i]);
    loom_zone_destroy(o->zone);
}

/* ---- all families ---------------------------------------------------------------------------- */

struct analysis {
    const struct loom_workload *jobs;
    struct loom_results results[N_FAMILIES];
};

static int compute_family(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct analysis *analysis = context;
    struct loom_results *results = &analysis->results[index];
    (void)worker;
    if (analysis->jobs->n == 0 && !families[index]->with_no_jobs) {
        loom_put_rest_missing(results, "there are no jobs");
        return 0;
    }
    int rc = families[index]->compute(analysis->jobs, results, err);
    loom_put_rest_missing(results, "it was not computed");
    return rc;
}

static int make_list(struct loom_features *features, struct loom_error *err)
{
    while (loom_feature_info_at(features->n))
        features->n++;
    features->features = calloc(features->n, sizeof *features->features);
    if (!features->features)
        return loom_fail_memory(err);
    for (size_t i = 0; i < features->n; i++)
        features->features[i].info = loom_feature_info_at(i);
    return 0;
}

static int compute_all(struct loom_features *features, const struct loom_workload *jobs,
                       struct loom_pool *pool, struct loom_error *err)
{
    struct analysis analysis = {.jobs = jobs};
    struct loom_feature *next = features->features;
    for (size_t f = 0; f < N_FAMILIES; f++) {
        analysis.results[f].features = next;
        for (const struct loom_feature_info *info = families[f]->keys; info->key; info++)
            next++;
        analysis.results[f].n = (size_t)(next - analysis.results[f].features);
    }
    return loom_pool_for(pool, N_FAMILIES, compute_family, &analysis, err);
}

int loom_features_create(struct loom_features **out, const struct loom_trace *trace,
                         struct loom_pool *pool, struct loom_error *err)
{
    struct loom_features *features = calloc(1, sizeof *features);
    if (!features)
        return loom_fail_memory(err);
    struct ordered ordered = {0};
    int rc = make_list(features, err);
    if (!rc)
        rc = arrange(&ordered, trace, err);
    if (!rc)
        rc = compute_all(features, &ordered.jobs, pool, err);
    release(&ordered);
    if (rc) {
        loom_features_destroy(features);
        return rc;
    }
    *out = features;
    return 0;
}

void loom_features_destroy(struct loom_features *features)
{
    if (!features)
        return;
    free(features->features);
    free(features);
}

size_t loom_features_count(const struct loom_features *features)
{
    return features->n;
}

const struct loom_feature *loom_features_at(const struct loom_features *features, size_t index)
{
    return index < features->n ? &features->features[index] : NULL;
}

const struct loom_feature *loom_features_find(const struct loom_features *features, const char *key)
{
    return find(features->features, features->n, key);
}
