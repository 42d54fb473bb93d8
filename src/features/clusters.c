/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of runtimes, and the lengths of their repetitions.
 *
 * Kinds are the clusters of model-based clustering (Minh 2012, 3.3.1): a mixture of normal
 * distributions, their number chosen by BIC. What is clustered is ln(runtime + 1), so that jobs of
 * 0 s, which the logs have, keep their place in the sequence of labels. Lengths of repetitions of
 * equal labels (Minh 2012, 2.3.2) are fitted with a Zipf distribution on 1, 2, 3, ... by maximum
 * likelihood (Minh 2012, eq. 3.1).
 *
 * Where there are no more different runtimes than clusters are tried, a mixture with one component
 * on each of them has a likelihood without bound, so that BIC has no maximum to choose. The search
 * would pass over that mixture as degenerate and settle for fewer clusters than there are. Such a
 * log has no number of clusters, and neither has one where only a single cluster can be fitted.
 */
#include "features/measure.h"
#include "features/tally.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

/* ---- locality -------------------------------------------------------------------------------- */

/* Each length of repetition with how often it occurs. */
static int tally_runs(struct loom_tally *lengths, const uint32_t *labels, size_t n,
                      struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc;) {
        size_t first = i;
        while (i < n && labels[i] == labels[first])
            i++;
        rc = loom_tally_add(lengths, (int64_t)(i - first), 1, err);
    }
    return rc;
}

static int put_alpha(struct loom_results *results, const struct loom_tally *lengths,
                     struct loom_error *err)
{
    if (lengths->n == 1 && lengths->entries[0].value == 1) {
        loom_put_missing(results, "locality.runlength.alpha",
                         "no kind of runtime follows itself, so the exponent has no bound");
        return 0;
    }
    double *values = malloc(2 * lengths->n * sizeof *values), *counts = values + lengths->n;
    if (!values)
        return loom_fail_memory(err);
    for (size_t i = 0; i < lengths->n; i++) {
        values[i] = (double)lengths->entries[i].value;
        counts[i] = (double)lengths->entries[i].count;
    }
    struct loom_fit fit;
    int rc = loom_dist_fit(&fit, "zipf", values, counts, lengths->n, err);
    free(values);
    return loom_put_outcome(results, "locality.runlength.alpha", rc, rc ? 0 : fit.dist.params[0],
                            "no Zipf distribution fits the lengths of repetitions");
}

static int put_locality(struct loom_results *results, const uint32_t *labels, size_t n,
                        struct loom_error *err)
{
    struct loom_tally lengths = {0};
    int rc = tally_runs(&lengths, labels, n, err);
    if (!rc) {
        size_t runs = 0;
        for (size_t i = 0; i < lengths.n; i++)
            runs += lengths.entries[i].count;
        loom_put(results, "locality.runlength.mean", (double)n / (double)runs);
        rc = put_alpha(results, &lengths, err);
    }
    loom_tally_free(&lengths);
    return rc;
}

/* ---- clusters -------------------------------------------------------------------------------- */

enum { MOST_CLUSTERS = 20 };

/* More different runtimes than clusters are tried. */
static bool enough_different(const double *runtimes, size_t n)
{
    double seen[MOST_CLUSTERS];
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < different && seen[k] != runtimes[i])
            k++;
        if (k == MOST_CLUSTERS)
            return true;
        if (k == different)
            seen[different++] = runtimes[i];
    }
    return false;
}

/* Some mixture of more than one cluster did not degenerate, so that there was a choice. */
static bool had_choice(const struct loom_clusters *clusters)
{
    for (size_t i = 2; i < 2 * clusters->max_clusters; i++)
        if (!isnan(clusters->bic_table[i]))
            return true;
    return false;
}

/* Takes the logarithm of the runtimes in place. */
static int put_clusters(struct loom_results *results, double *runtimes, size_t n,
                        struct loom_error *err)
{
    if (!enough_different(runtimes, n)) {
        loom_put_rest_missing(results, "there are at most 20 different runtimes: too few to "
                                       "choose the number of clusters by BIC");
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        runtimes[i] = log1p(runtimes[i]);
    struct loom_clusters clusters = {0};
    struct loom_cluster_options options = {.max_clusters = MOST_CLUSTERS, .mclust = true};
    int rc = loom_cluster(&clusters, runtimes, n, &options, err);
    if (rc) {
        loom_put_rest_missing(results, "no mixture of normal distributions fits the runtimes");
        return rc == LOOM_ENOMEM ? rc : 0;
    }
    if (had_choice(&clusters)) {
        loom_put(results, "runtime.clusters", (double)clusters.count);
        if (clusters.count == MOST_CLUSTERS)
            loom_put_note(results, "runtime.clusters",
                          "the most that are tried: BIC may prefer more");
        rc = put_locality(results, clusters.labels, n, err);
        loom_keep_clusters(results, &clusters);
    } else {
        loom_put_rest_missing(results, "all mixtures of more than one cluster degenerate, so there "
                                       "is no choice by BIC");
    }
    loom_clusters_free(&clusters);
    return rc;
}

static int clusters_compute(const struct loom_workload *jobs, struct loom_results *results,
                            struct loom_error *err)
{
    double *runtimes = NULL;
    size_t n = 0;
    int rc = loom_known_runtimes(&runtimes, &n, jobs, 0, err);
    bool differ = false;
    for (size_t i = 1; i < n && !differ; i++)
        differ = runtimes[i] != runtimes[0];
    if (!rc && differ)
        rc = put_clusters(results, runtimes, n, err);
    free(runtimes);
    loom_put_rest_missing(results, n == 0 ? "no job has a runtime"
                                          : "all runtimes are equal: there is nothing to cluster");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"runtime.clusters", "clusters",
     "number of normal clusters of the logarithm of runtimes, chosen by BIC", "Minh 2012, 3.3.1"},
    {"locality.runlength.alpha", "",
     "Zipf exponent of the lengths of repetitions of runtimes of the same cluster: the smaller, "
     "the "
     "more locality",
     "Minh 2012, 3.3.3"},
    {"locality.runlength.mean", "jobs",
     "mean length of repetitions of runtimes of the same cluster; the fewer clusters, the longer, "
     "so "
     "that only traces of about as many (runtime.clusters) compare by it",
     "Minh 2012, 2.3.2, 3.3.3"},
    {0},
};

const struct loom_family_ops loom_family_clusters = {
    .name = "clusters",
    .keys = keys,
    .costly = true,
    .compute = clusters_compute,
};
