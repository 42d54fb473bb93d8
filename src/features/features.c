/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The feature dictionary: the list of families, and their results put together in the order of the
 * list.
 */
#include "base/progress.h"
#include "features/definitions.h"
#include "features/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All families, in the order of the dictionary. A new one is one more line here. */
#define FAMILIES(X) \
    X(jobs)         \
    X(arrival)      \
    X(cycle)        \
    X(runtime)      \
    X(clusters)     \
    X(size)         \
    X(estimate)     \
    X(tail)         \
    X(interactive)  \
    X(bags)         \
    X(session)      \
    X(user)         \
    X(locality)     \
    X(similarity)   \
    X(usage)        \
    X(service)

#define X(name) extern const struct loom_family_ops loom_family_##name;
FAMILIES(X)
#undef X

static const struct loom_family_ops *const families[] = {
#define X(name) &loom_family_##name,
    FAMILIES(X)
#undef X
};

enum { N_FAMILIES = sizeof families / sizeof *families };

size_t loom_feature_families(void)
{
    return N_FAMILIES;
}

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
    struct loom_clusters *clusters; /* to keep */
    const struct loom_definitions *definitions;
};

struct loom_features {
    struct loom_feature *features;
    size_t n;
    struct loom_clusters clusters; /* of runtimes; a count of 0 if there are none */
    struct loom_definitions definitions;
};

static struct loom_feature *find_feature(struct loom_feature *features, size_t n, const char *key)
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
    struct loom_feature *feature = find_feature(results->features, results->n, key);
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

void loom_put_note(struct loom_results *results, const char *key, const char *note)
{
    struct loom_feature *feature = find_feature(results->features, results->n, key);
    if (feature && feature->known)
        feature->note = note;
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

const struct loom_definitions *loom_results_definitions(const struct loom_results *results)
{
    return results->definitions;
}

void loom_keep_clusters(struct loom_results *results, struct loom_clusters *clusters)
{
    loom_clusters_free(results->clusters);
    *results->clusters = *clusters;
    *clusters = (struct loom_clusters){0};
}

const struct loom_clusters *loom_features_clusters(const struct loom_features *features)
{
    return features->clusters.count > 0 ? &features->clusters : NULL;
}

/* ---- all families ---------------------------------------------------------------------------- */

struct analysis {
    const struct loom_workload *jobs;
    struct loom_progress *progress;
    bool without_costly;
    struct loom_results results[N_FAMILIES];
};

/* Families are started in their order but for the costly one, whose clustering must not be left to
 * the end, where all other threads would wait for it. */
static size_t family_of_task(size_t task)
{
    size_t costly = 0;
    while (!families[costly]->costly)
        costly++;
    return task == 0 ? costly : task <= costly ? task - 1 : task;
}

static int compute_family(void *context, size_t task, unsigned worker, struct loom_error *err)
{
    struct analysis *analysis = context;
    size_t index = family_of_task(task);
    struct loom_results *results = &analysis->results[index];
    (void)worker;
    if (analysis->jobs->n == 0 && !families[index]->with_no_jobs) {
        loom_put_rest_missing(results, "there are no jobs");
        return 0;
    }
    if (analysis->without_costly && (families[index]->costly || families[index]->unscored)) {
        loom_put_rest_missing(results, "it was left out");
        return 0;
    }
    int rc = families[index]->compute(analysis->jobs, results, err);
    loom_put_rest_missing(results, "it was not computed");
    loom_progress_add(analysis->progress, 1);
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

static int compute_all(struct loom_features *features, struct analysis *analysis,
                       struct loom_pool *pool, struct loom_error *err)
{
    struct loom_feature *next = features->features;
    for (size_t f = 0; f < N_FAMILIES; f++) {
        analysis->results[f].features = next;
        analysis->results[f].clusters = &features->clusters;
        analysis->results[f].definitions = &features->definitions;
        for (const struct loom_feature_info *info = families[f]->keys; info->key; info++)
            next++;
        analysis->results[f].n = (size_t)(next - analysis->results[f].features);
    }
    return loom_pool_for(pool, N_FAMILIES, compute_family, analysis, err);
}

static int create(struct loom_features **out, const struct loom_trace *trace,
                  const struct loom_definitions *definitions, struct analysis *analysis,
                  struct loom_pool *pool, struct loom_error *err)
{
    struct loom_features *features = calloc(1, sizeof *features);
    if (!features)
        return loom_fail_memory(err);
    struct loom_arranged arranged = {0};
    int rc = loom_definitions_fill(&features->definitions, definitions, err);
    if (!rc)
        rc = make_list(features, err);
    if (!rc)
        rc = loom_arrange(&arranged, trace, err);
    analysis->jobs = &arranged.jobs;
    if (!rc)
        rc = compute_all(features, analysis, pool, err);
    loom_arranged_free(&arranged);
    if (rc) {
        loom_features_destroy(features);
        return rc;
    }
    *out = features;
    return 0;
}

int loom_features_create(struct loom_features **out, const struct loom_trace *trace,
                         struct loom_pool *pool, struct loom_progress *progress,
                         struct loom_error *err)
{
    return loom_features_create_by(out, trace, NULL, pool, progress, err);
}

int loom_features_create_by(struct loom_features **out, const struct loom_trace *trace,
                            const struct loom_definitions *definitions, struct loom_pool *pool,
                            struct loom_progress *progress, struct loom_error *err)
{
    struct analysis analysis = {.progress = progress};
    return create(out, trace, definitions, &analysis, pool, err);
}

int loom_features_cheap(struct loom_features **out, const struct loom_trace *trace,
                        const struct loom_definitions *definitions, struct loom_error *err)
{
    struct analysis analysis = {.without_costly = true};
    return create(out, trace, definitions, &analysis, NULL, err);
}

const struct loom_definitions *loom_features_definitions(const struct loom_features *features)
{
    return &features->definitions;
}

void loom_features_destroy(struct loom_features *features)
{
    if (!features)
        return;
    loom_clusters_free(&features->clusters);
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
    return find_feature(features->features, features->n, key);
}
