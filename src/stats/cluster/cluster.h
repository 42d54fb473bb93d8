/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster.h - the parts of model-based clustering: a sample seen at several resolutions, mixtures
 * of normals, where EM starts and how it climbs.
 *
 * A level is a sample in ascending order, cut into bins. A bin stands for `weight` values around x
 * with variance `spread` inside the bin. At the finest level each different value is a bin of its
 * own, and everything is exact. At a coarser level all values of a bin share their
 * responsibilities, which makes a component's log-density at the bin
 *
 *     log p - log(2 pi s^2) / 2 - ((x - m)^2 + spread) / (2 s^2)
 *
 * and the sum of weights times logs of summed densities a lower bound of the log-likelihood (by
 * Jensen's inequality: EM with restricted responsibilities, as in Verbeek, Nunnink and Vlassis
 * 2006). EM at any level climbs that bound, and splitting bins only raises it, so what a coarse
 * level has gained is never lost on the way to the exact one.
 */
#ifndef LOOM_STATS_CLUSTER_CLUSTER_H
#define LOOM_STATS_CLUSTER_CLUSTER_H

#include <workloom/stats.h>

/* ---- cluster/level.c ------------------------------------------------------------------------- */

struct loom_level {
    size_t n;
    double *x, *weight;
    double *spread;    /* NULL where all are 0 */
    double spread_max; /* the largest of them */
    double width;      /* no bin is wider; 0 where each different value is a bin */
    double total;      /* sum of weights */
    double variance;   /* of the whole sample, about its mean; the same at all levels */
    double log_unit;   /* log of the unit that values are in, the divisor of densities */
};

/* Fill a zeroed level from a sorted sample: exactly, or from the exact level with about `bins`
 * bins. What is left behind by a failure is for loom_level_free. */
int loom_level_exact(struct loom_level *level, const double *sorted, size_t n, double log_unit,
                     struct loom_error *err);
int loom_level_coarse(struct loom_level *level, const struct loom_level *exact, size_t bins,
                      struct loom_error *err);
void loom_level_free(struct loom_level *level);

/* A mixture of normals. */
struct loom_normals {
    size_t count;
    enum loom_variance variance;
    double *weights, *means, *variances; /* count each, one block of memory in this order */
    double log_likelihood;               /* NAN if the mixture has degenerated */
    bool converged;
};

/* ---- cluster/start.c ------------------------------------------------------------------------- */

/* The most clusters a caller may ask for. */
enum { LOOM_CLUSTERS_MAX = 100 };

/* Model-based hierarchical clustering: neighbours are merged until one cluster is left, always the
 * two that cost least by the criterion of the model. cuts[g] for g < most - 1 is the first bin
 * right of the boundary that separates the clusters when there are g + 2 of them but not when there
 * are g + 1, so that the first g entries cut the level into g + 1 clusters. most <= level->n. */
int loom_cluster_hierarchy(size_t *cuts, const struct loom_level *level,
                           enum loom_variance variance, size_t most, struct loom_error *err);
/* MCLUST's start for one-dimensional data: groups between quantiles, which are made more until
 * count + 1 of them differ; then those too many with the narrowest gaps are left out. edges has
 * room for twice LOOM_CLUSTER_QUANTILES(count), and its first count + 1 entries are the result.
 * False if the values are so few that no such quantiles were found. */
#define LOOM_CLUSTER_QUANTILES(count) (8 * (count) + 64)
bool loom_cluster_quantiles(double *edges, const double *sorted, size_t n, size_t count);

/* The mixture whose component k holds the bins [cuts[k - 1], cuts[k]). cuts has out->count - 1
 * entries in ascending order. False if it is degenerate. */
bool loom_cluster_from_cuts(struct loom_normals *out, const struct loom_level *level,
                            const size_t *cuts);

/* `from` with component k, which may be any, in two halves that together have its mean and, where
 * variances vary, its variance. out has room for one component more. */
void loom_cluster_split(struct loom_normals *out, const struct loom_normals *from, size_t k);

/* ---- cluster/em.c ---------------------------------------------------------------------------- */

struct loom_cluster_em; /* the scratch memory of one thread */

/* For mixtures of at most count components. NULL when memory is out. */
struct loom_cluster_em *loom_cluster_em_create(size_t count);
void loom_cluster_em_destroy(struct loom_cluster_em *em);

/* EM from a start until MCLUST's rule is met, for `steps` steps at most. False if a component
 * degenerates; the mixture is then as it was when all components were last as wide as a bin, up to
 * where the level resolved it, and may go on from there at a finer one. */
bool loom_cluster_em_run(struct loom_cluster_em *em, struct loom_normals *mixture,
                         const struct loom_level *level, int steps);
/* Accelerated EM from a mixture that has been run, until a step gains next to nothing. The mixture
 * is as it was at the last step before a component degenerates, if one does. */
void loom_cluster_em_polish(struct loom_cluster_em *em, struct loom_normals *mixture,
                            const struct loom_level *level);
/* Make room for count components. 0, or -1 when memory is out. */
int loom_normals_init(struct loom_normals *mixture, size_t count, enum loom_variance variance);
/* Give a mixture another size, up to the one it was made for, or model. The parameters are lost. */
void loom_normals_shape(struct loom_normals *mixture, size_t count, enum loom_variance variance);
void loom_normals_copy(struct loom_normals *to, const struct loom_normals *from);
void loom_normals_free(struct loom_normals *mixture);
/* The component that is most likely to have made x. */
size_t loom_normals_label(const struct loom_normals *mixture, double x);

/* MCLUST's floors: a component has degenerated when its share of the sample (in values) or its
 * variance (here as a share of the sample's, so that units don't matter) is not above them. */
#define LOOM_CLUSTER_MIN_SHARE 1.4901161193847656e-8     /* square root of the next */
#define LOOM_CLUSTER_MIN_VARIANCE 2.2204460492503131e-16 /* DBL_EPSILON */

/* ---- cluster/search.c ------------------------------------------------------------------------ */

enum {
    LOOM_CLUSTER_LEVELS = 3, /* of which the last is exact */
    LOOM_CLUSTER_MODELS = 2,
    LOOM_CLUSTER_STARTS = 7, /* three partitions, and splits */
};

/* All that is tried for one number of clusters and one model. */
struct loom_cluster_tries {
    struct loom_normals starts[LOOM_CLUSTER_STARTS]; /* weights NULL: not tried */
    bool begun;                /* the quantiles make a mixture at the coarsest level */
    struct loom_normals *best; /* NULL if all degenerated */
};

/* A sample and what is looked for in it. */
struct loom_cluster_study {
    double *sorted;
    size_t n;
    struct loom_level levels[LOOM_CLUSTER_LEVELS]; /* from coarse to exact */
    size_t n_levels;
    size_t most; /* the largest number of clusters to fit */
    bool wanted[LOOM_CLUSTER_MODELS];
    bool mclust;                      /* start from quantiles alone and stop where MCLUST stops */
    struct loom_cluster_tries *tries; /* [number of clusters - 1][model], zeroed */
};

/* Fill in the tries of the wanted models for all numbers of clusters up to the largest. What is
 * left behind by a failure is for loom_cluster_tries_free. */
int loom_cluster_search(struct loom_cluster_study *study, struct loom_pool *pool,
                        struct loom_error *err);
void loom_cluster_tries_free(struct loom_cluster_tries *tries);

#endif
