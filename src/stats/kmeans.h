/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmeans.h - clusters of points in several dimensions. */
#ifndef LOOM_STATS_KMEANS_H
#define LOOM_STATS_KMEANS_H

#include <workloom/base.h>

struct loom_kmeans {
    size_t clusters, dimensions;
    double *centres;  /* cluster by cluster */
    uint32_t *labels; /* by point: the nearest centre, the first of several */
    double within;    /* sum of the squared distances from points to their centres */
    double total;     /* and to the mean of all */
};

/* Put n points of some dimensions, point by point in x, into clusters: the best of five runs of
 * Lloyd's algorithm from centres drawn by k-means++. The caller must free *out with
 * loom_kmeans_free. LOOM_EDATA for fewer points than clusters. */
int loom_kmeans(struct loom_kmeans *out, const double *x, size_t n, size_t dimensions,
                size_t clusters, uint64_t seed, struct loom_error *err);
void loom_kmeans_free(struct loom_kmeans *kmeans);

/* Return the index of the centre nearest to a point. */
size_t loom_kmeans_nearest(const struct loom_kmeans *kmeans, const double *point,
                           double *distance2);

/* Return the ratio of Calinski and Harabasz: variance between clusters over variance within, each
 * by its degrees of freedom; larger is better. INFINITY where nothing varies within. */
double loom_kmeans_ratio(const struct loom_kmeans *kmeans, size_t n);

#endif
