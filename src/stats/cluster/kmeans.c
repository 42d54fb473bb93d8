/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lloyd's algorithm with the starts of k-means++ (Arthur and Vassilvitskii 2007). */
#include "stats/kmeans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, MOST_STEPS = 100 };

static double distance2(const double *a, const double *b, size_t dimensions)
{
    double sum = 0;
    for (size_t d = 0; d < dimensions; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

size_t loom_kmeans_nearest(const struct loom_kmeans *kmeans, const double *point, double *nearest2)
{
    size_t nearest = 0;
    *nearest2 = INFINITY;
    for (size_t c = 0; c < kmeans->clusters; c++) {
        double far = distance2(point, kmeans->centres + c * kmeans->dimensions, kmeans->dimensions);
        if (far < *nearest2) {
            *nearest2 = far;
            nearest = c;
        }
    }
    return nearest;
}

double loom_kmeans_ratio(const struct loom_kmeans *kmeans, size_t n)
{
    double k = (double)kmeans->clusters;
    double between = (kmeans->total - kmeans->within) / (k - 1);
    return kmeans->within > 0 ? between / (kmeans->within / ((double)n - k)) : INFINITY;
}

/* ---- one run --------------------------------------------------------------------------------- */

struct points {
    const double *x;
    size_t n;
    double *far2; /* from the nearest centre so far */
    double *sums; /* by cluster and dimension */
    size_t *counts;
};

/* Each new centre is a point, drawn by its squared distance from the centres there are. */
static void draw_centres(struct loom_kmeans *run, const struct points *points,
                         struct loom_stream *stream)
{
    size_t dimensions = run->dimensions;
    size_t chosen = (size_t)loom_stream_below(stream, points->n);
    for (size_t i = 0; i < points->n; i++)
        points->far2[i] = INFINITY;
    for (size_t c = 0; c < run->clusters; c++) {
        double *centre = run->centres + c * dimensions, sum = 0;
        memcpy(centre, points->x + chosen * dimensions, dimensions * sizeof *centre);
        for (size_t i = 0; i < points->n; i++) {
            double far = distance2(points->x + i * dimensions, centre, dimensions);
            points->far2[i] = fmin(points->far2[i], far);
            sum += points->far2[i];
        }
        double at = loom_stream_uniform(stream) * sum;
        for (chosen = 0; chosen + 1 < points->n && at >= points->far2[chosen]; chosen++)
            at -= points->far2[chosen];
    }
}

/* Give each point to its nearest centre. Returns whether a point changed. */
static bool assign(struct loom_kmeans *run, const struct points *points)
{
    bool changed = false;
    run->within = 0;
    for (size_t i = 0; i < points->n; i++) {
        double far2;
        uint32_t label = (uint32_t)loom_kmeans_nearest(run, points->x + i * run->dimensions, &far2);
        changed |= label != run->labels[i];
        run->labels[i] = label;
        run->within += far2;
    }
    return changed;
}

/* Centres that lost all points stay where they are. */
static void move_centres(struct loom_kmeans *run, const struct points *points)
{
    size_t dimensions = run->dimensions;
    memset(points->sums, 0, run->clusters * dimensions * sizeof *points->sums);
    memset(points->counts, 0, run->clusters * sizeof *points->counts);
    for (size_t i = 0; i < points->n; i++) {
        points->counts[run->labels[i]]++;
        for (size_t d = 0; d < dimensions; d++)
            points->sums[run->labels[i] * dimensions + d] += points->x[i * dimensions + d];
    }
    for (size_t c = 0; c < run->clusters; c++)
        for (size_t d = 0; points->counts[c] > 0 && d < dimensions; d++)
            run->centres[c * dimensions + d] =
                points->sums[c * dimensions + d] / (double)points->counts[c];
}

static void run_once(struct loom_kmeans *run, const struct points *points,
                     struct loom_stream *stream)
{
    draw_centres(run, points, stream);
    memset(run->labels, 0xff, points->n * sizeof *run->labels);
    for (int step = 0; step < MOST_STEPS && assign(run, points); step++)
        move_centres(run, points);
}

/* ---- all runs -------------------------------------------------------------------------------- */

static double total_of(const struct points *points, size_t dimensions)
{
    double total = 0;
    for (size_t d = 0; d < dimensions; d++) {
        double mean = 0;
        for (size_t i = 0; i < points->n; i++)
            mean += points->x[i * dimensions + d] / (double)points->n;
        for (size_t i = 0; i < points->n; i++)
            total +=
                (points->x[i * dimensions + d] - mean) * (points->x[i * dimensions + d] - mean);
    }
    return total;
}

static int kmeans_reserve(struct loom_kmeans *run, size_t n)
{
    run->centres = malloc(run->clusters * run->dimensions * sizeof *run->centres);
    run->labels = malloc(n * sizeof *run->labels);
    return run->centres && run->labels ? 0 : LOOM_ENOMEM;
}

static void swap(struct loom_kmeans *a, struct loom_kmeans *b)
{
    struct loom_kmeans kept = *a;
    *a = *b;
    *b = kept;
}

int loom_kmeans(struct loom_kmeans *out, const double *x, size_t n, size_t dimensions,
                size_t clusters, uint64_t seed, struct loom_error *err)
{
    *out = (struct loom_kmeans){.clusters = clusters, .dimensions = dimensions};
    if (n < clusters || clusters < 1)
        return loom_fail(err, LOOM_EDATA, "there are fewer points than clusters");
    struct loom_kmeans run = *out;
    struct points points = {.x = x,
                            .n = n,
                            .far2 = malloc(n * sizeof(double)),
                            .sums = malloc(clusters * dimensions * sizeof(double)),
                            .counts = malloc(clusters * sizeof(size_t))};
    int rc = points.far2 && points.sums && points.counts ? 0 : LOOM_ENOMEM;
    if (!rc)
        rc = kmeans_reserve(out, n);
    if (!rc)
        rc = kmeans_reserve(&run, n);
    for (uint64_t i = 0; i < RUNS && !rc; i++) {
        struct loom_stream stream;
        loom_stream_init(&stream, seed, i, "k-means");
        run_once(&run, &points, &stream);
        if (i == 0 || run.within < out->within)
            swap(out, &run);
    }
    if (!rc)
        out->total = total_of(&points, dimensions);
    loom_kmeans_free(&run);
    free(points.far2);
    free(points.sums);
    free(points.counts);
    if (rc)
        loom_kmeans_free(out);
    return rc ? loom_fail_memory(err) : 0;
}

void loom_kmeans_free(struct loom_kmeans *kmeans)
{
    free(kmeans->centres);
    free(kmeans->labels);
    *kmeans = (struct loom_kmeans){0};
}
