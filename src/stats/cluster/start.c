/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster/start.c - where EM starts: partitions of a sorted sample into intervals.
 *
 * Hierarchical clustering merges, step by step, the two clusters whose merger costs the
 * classification likelihood least (Fraley 1998). With n_k values and a sum of squares W_k about the
 * mean in cluster k, the equal-variance criterion is sum W_k, which is Ward's; the varying one is
 * sum n_k log((W_k + W / n) / n_k), where MCLUST's term W / n (W: of all values together) keeps
 * clusters of one value from costing minus infinity. On a line, the best merger under Ward's
 * criterion always is one of neighbours: were i < k < j with i, j the cheapest pair, then
 * sqrt(n_i) d_ik and sqrt(n_j) d_kj would both exceed sqrt(n_i n_j / (n_i + n_j)) (d_ik + d_kj),
 * which adds up to a contradiction. The varying criterion is held to neighbours as well.
 *
 * MCLUST itself starts one-dimensional data from quantiles, not from its hierarchical clustering;
 * both are offered here.
 */
#include "stats/cluster/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- hierarchical clustering ----------------------------------------------------------------- */

struct cluster {
    double weight, mean, squares; /* squares: about the mean */
    double cost;                  /* of a merger with the next; INFINITY for the last */
    size_t first;                 /* bin */
};

struct hierarchy {
    struct cluster *clusters;
    size_t n;
    enum loom_variance variance;
    double floor; /* W / n */
};

static struct cluster merged(const struct cluster *a, const struct cluster *b)
{
    double weight = a->weight + b->weight;
    double apart = b->mean - a->mean;
    return (struct cluster){
        .weight = weight,
        .mean = a->mean + apart * (b->weight / weight),
        .squares = a->squares + b->squares + apart * apart * a->weight * (b->weight / weight),
        .first = a->first,
    };
}

static double criterion(const struct hierarchy *tree, const struct cluster *cluster)
{
    if (tree->variance == LOOM_VARIANCE_EQUAL)
        return cluster->squares;
    return cluster->weight * log((cluster->squares + tree->floor) / cluster->weight);
}

static void set_cost(struct hierarchy *tree, size_t i)
{
    struct cluster *a = &tree->clusters[i];
    if (i + 1 >= tree->n) {
        a->cost = INFINITY;
        return;
    }
    const struct cluster *b = a + 1;
    struct cluster both = merged(a, b);
    a->cost = criterion(tree, &both) - criterion(tree, a) - criterion(tree, b);
}

static void plant(struct hierarchy *tree, const struct loom_level *level)
{
    for (size_t i = 0; i < level->n; i++)
        tree->clusters[i] = (struct cluster){
            .weight = level->weight[i],
            .mean = level->x[i],
            .squares = level->spread ? level->weight[i] * level->spread[i] : 0,
            .first = i,
        };
    for (size_t i = 0; i < tree->n; i++)
        set_cost(tree, i);
}

static size_t cheapest(const struct hierarchy *tree)
{
    size_t best = 0;
    for (size_t i = 1; i + 1 < tree->n; i++)
        if (tree->clusters[i].cost < tree->clusters[best].cost)
            best = i;
    return best;
}

/* Merge i and i + 1; returns the first bin of what was i + 1. */
static size_t merge(struct hierarchy *tree, size_t i)
{
    struct cluster *a = &tree->clusters[i];
    size_t cut = a[1].first;
    *a = merged(a, a + 1);
    memmove(a + 1, a + 2, (tree->n - i - 2) * sizeof *a);
    tree->n--;
    set_cost(tree, i);
    if (i > 0)
        set_cost(tree, i - 1);
    return cut;
}

/* A level that is clustered has a bounded number of bins, so each merger may look at all of them.
 */
int loom_cluster_hierarchy(size_t *cuts, const struct loom_level *level,
                           enum loom_variance variance, size_t most, struct loom_error *err)
{
    struct hierarchy tree = {.n = level->n, .variance = variance, .floor = level->variance};
    tree.clusters = malloc(level->n * sizeof *tree.clusters);
    if (!tree.clusters)
        return loom_fail_memory(err);
    plant(&tree, level);
    while (tree.n > 1) {
        size_t cut = merge(&tree, cheapest(&tree));
        if (tree.n < most)
            cuts[tree.n - 1] = cut;
    }
    free(tree.clusters);
    return 0;
}

/* ---- quantiles ------------------------------------------------------------------------------- */

/* The different ones of `points` evenly spaced quantiles. */
static size_t spaced_quantiles(double *edges, const double *sorted, size_t n, size_t points)
{
    size_t used = 0;
    for (size_t i = 0; i < points; i++) {
        double q = loom_quantile(sorted, n, (double)i / (double)(points - 1));
        if (used == 0 || q > edges[used - 1])
            edges[used++] = q;
    }
    return used;
}

/* Leave out the `excess` edges that have the narrowest gaps to their right. gaps is scratch. */
static void drop_closest(double *edges, double *gaps, size_t used, size_t excess)
{
    for (size_t i = 0; i + 1 < used; i++)
        gaps[i] = edges[i + 1] - edges[i];
    gaps[used - 1] = 0;
    for (; excess > 0; excess--) {
        size_t narrowest = 0;
        for (size_t i = 1; i + 1 < used; i++)
            if (gaps[i] < gaps[narrowest])
                narrowest = i;
        gaps[narrowest] = INFINITY;
    }
    size_t kept = 0;
    for (size_t i = 0; i < used; i++)
        if (gaps[i] < INFINITY)
            edges[kept++] = edges[i];
}

bool loom_cluster_quantiles(double *edges, const double *sorted, size_t n, size_t count)
{
    const size_t most = LOOM_CLUSTER_QUANTILES(count);
    size_t used = 0;
    for (size_t points = count + 1; used < count + 1; points++) {
        if (points > most)
            return false;
        used = spaced_quantiles(edges, sorted, n, points);
    }
    drop_closest(edges, edges + most, used, used - count - 1);
    return true;
}

/* ---- a mixture from a partition -------------------------------------------------------------- */

static struct cluster cluster_start_gather(const struct loom_level *level, size_t from, size_t to)
{
    struct cluster sum = {.first = from};
    for (size_t i = from; i < to; i++)
        sum.weight += level->weight[i];
    for (size_t i = from; i < to; i++)
        sum.mean += level->x[i] * (level->weight[i] / sum.weight);
    for (size_t i = from; i < to; i++) {
        double off = level->x[i] - sum.mean;
        sum.squares += level->weight[i] * (off * off + (level->spread ? level->spread[i] : 0));
    }
    return sum;
}

bool loom_cluster_from_cuts(struct loom_normals *out, const struct loom_level *level,
                            const size_t *cuts)
{
    double squares = 0;
    for (size_t k = 0; k < out->count; k++) {
        size_t from = k > 0 ? cuts[k - 1] : 0;
        size_t to = k + 1 < out->count ? cuts[k] : level->n;
        if (from >= to)
            return false;
        struct cluster group = cluster_start_gather(level, from, to);
        out->weights[k] = group.weight / level->total;
        out->means[k] = group.mean;
        out->variances[k] = group.squares / group.weight;
        squares += group.squares;
    }
    double floor = LOOM_CLUSTER_MIN_VARIANCE * level->variance;
    bool sound = true;
    for (size_t k = 0; k < out->count; k++) {
        if (out->variance == LOOM_VARIANCE_EQUAL)
            out->variances[k] = squares / level->total;
        sound = sound && out->variances[k] > floor;
    }
    return sound;
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* Halves whose means are 0.8 deviations off on both sides, with what is left of the variance. */
void loom_cluster_split(struct loom_normals *out, const struct loom_normals *from, size_t k)
{
    const double off = 0.8;
    size_t last = from->count;
    loom_normals_shape(out, last + 1, from->variance);
    memcpy(out->weights, from->weights, last * sizeof *out->weights);
    memcpy(out->means, from->means, last * sizeof *out->means);
    memcpy(out->variances, from->variances, last * sizeof *out->variances);
    double sd = sqrt(from->variances[k]);
    out->weights[k] = out->weights[last] = from->weights[k] / 2;
    out->means[k] = from->means[k] - off * sd;
    out->means[last] = from->means[k] + off * sd;
    out->variances[last] = from->variances[k];
    if (from->variance == LOOM_VARIANCE_VARYING)
        out->variances[k] = out->variances[last] = from->variances[k] * (1 - off * off);
}
