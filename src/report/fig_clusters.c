/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Representative jobs (survey 3.2): jobs as points of runtime, processors, requested time and
 * memory, put into clusters, each shown by the job nearest to its centre.
 *
 * Attributes are ln(x + 1), standardised to mean 0 and variance 1; those that nine tenths of the
 * jobs know take part, and jobs that know all of them. Clusters are found by k-means, from 2 to 10
 * of them: as many as have the largest ratio of Calinski and Harabasz. The text does not name a
 * method. Centres are found from at most 5,000 jobs, evenly spaced over the log, and all jobs are
 * given to the nearest one.
 */
#include "report/figure.h"
#include "stats/kmeans.h"

#include <math.h>
#include <stdlib.h>

enum { ATTRIBUTES = 4, FEWEST = 50, MOST_POINTS = 5000, LEAST_CLUSTERS = 2, MOST_CLUSTERS = 10 };

/* Jobs as points, in rows of the trace. */
struct points {
    const struct loom_jobs *jobs;
    bool used[ATTRIBUTES];
    size_t dimensions, n;
    uint32_t *row;
    double *x; /* n x dimensions, standardised */
};

static double clusters_value_of(const struct loom_jobs *jobs, size_t row, int attribute)
{
    const double values[ATTRIBUTES] = {(double)jobs->run_s[row], (double)loom_job_procs(jobs, row),
                                       (double)jobs->request_s[row], jobs->used_mem_kib[row]};
    double value = values[attribute];
    return attribute == 0 ? (value >= 0 ? value : NAN) : value > 0 ? value : NAN;
}

static void choose_attributes(struct points *points)
{
    for (int a = 0; a < ATTRIBUTES; a++) {
        size_t known = 0;
        for (size_t row = 0; row < points->jobs->n; row++)
            known += isnan(clusters_value_of(points->jobs, row, a)) ? 0 : 1;
        points->used[a] = known > 0 && known * 10 >= points->jobs->n * 9;
        points->dimensions += points->used[a] ? 1 : 0;
    }
}

static void take_points(struct points *points)
{
    for (size_t row = 0; row < points->jobs->n; row++) {
        double *point = points->x + points->n * points->dimensions;
        size_t d = 0;
        bool known = true;
        for (int a = 0; a < ATTRIBUTES; a++)
            if (points->used[a]) {
                point[d] = log(clusters_value_of(points->jobs, row, a) + 1);
                known &= !isnan(point[d++]);
            }
        if (known)
            points->row[points->n++] = (uint32_t)row;
    }
}

static void standardise(struct points *points)
{
    size_t dimensions = points->dimensions;
    for (size_t d = 0; d < dimensions; d++) {
        double n = 0, mean = 0, squares = 0;
        for (size_t i = 0; i < points->n; i++) {
            double off = points->x[i * dimensions + d] - mean;
            mean += off / ++n;
            squares += off * (points->x[i * dimensions + d] - mean);
        }
        double sd = sqrt(squares / n);
        for (size_t i = 0; i < points->n; i++)
            points->x[i * dimensions + d] =
                sd > 1e-9 ? (points->x[i * dimensions + d] - mean) / sd : 0;
    }
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* The best number of clusters of a sample of the points. */
static int find_clusters(struct loom_kmeans *best, const struct points *points, uint64_t seed,
                         struct loom_error *err)
{
    size_t n = points->n < MOST_POINTS ? points->n : MOST_POINTS, dimensions = points->dimensions;
    double *sample = malloc(n * dimensions * sizeof *sample), best_ratio = -1;
    int rc = sample ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        for (size_t d = 0; d < dimensions; d++)
            sample[i * dimensions + d] = points->x[i * points->n / n * dimensions + d];
    for (size_t k = LEAST_CLUSTERS; k <= MOST_CLUSTERS && !rc; k++) {
        struct loom_kmeans kmeans;
        rc = loom_kmeans(&kmeans, sample, n, dimensions, k, seed, err);
        if (rc)
            break;
        double ratio = loom_kmeans_ratio(&kmeans, n);
        if (ratio > best_ratio) {
            loom_kmeans_free(best);
            *best = kmeans;
            best_ratio = ratio;
        } else {
            loom_kmeans_free(&kmeans);
        }
    }
    free(sample);
    return rc;
}

/* A cluster over all points. */
struct cluster {
    size_t jobs;
    double nearest2; /* of its job that is nearest to the centre, which represents it */
    uint32_t row;
    double work_s;
};

static int most_jobs(const void *left, const void *right)
{
    const struct cluster *a = left, *b = right;
    if (a->jobs != b->jobs)
        return a->jobs > b->jobs ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void write_clusters(struct loom_sheet *sheet, const struct points *points,
                           const struct loom_kmeans *kmeans)
{
    struct cluster clusters[MOST_CLUSTERS] = {{0}};
    double all_s = 0;
    for (size_t i = 0; i < points->n; i++) {
        double far2, work_s;
        struct cluster *cluster =
            &clusters[loom_kmeans_nearest(kmeans, points->x + i * points->dimensions, &far2)];
        if (cluster->jobs++ == 0 || far2 < cluster->nearest2) {
            cluster->nearest2 = far2;
            cluster->row = points->row[i];
        }
        work_s = clusters_value_of(points->jobs, points->row[i], 0) *
                 clusters_value_of(points->jobs, points->row[i], 1);
        cluster->work_s += isnan(work_s) ? 0 : work_s;
        all_s += isnan(work_s) ? 0 : work_s;
    }
    qsort(clusters, kmeans->clusters, sizeof *clusters, most_jobs);
    loom_sheet_block(sheet, NULL,
                     "jobs,share_jobs,share_work,job,runtime_s,procs,request_s,used_mem_kib");
    for (size_t c = 0; c < kmeans->clusters && clusters[c].jobs > 0; c++) {
        size_t row = clusters[c].row;
        loom_sheet_record(sheet,
                          (const double[]){(double)clusters[c].jobs,
                                           (double)clusters[c].jobs / (double)points->n,
                                           all_s > 0 ? clusters[c].work_s / all_s : NAN,
                                           (double)points->jobs->number[row],
                                           clusters_value_of(points->jobs, row, 0),
                                           clusters_value_of(points->jobs, row, 1),
                                           clusters_value_of(points->jobs, row, 2),
                                           clusters_value_of(points->jobs, row, 3)},
                          8);
    }
}

static int representatives(struct loom_sheet *sheet, const struct loom_subject *subject,
                           struct loom_error *err)
{
    struct points points = {.jobs = loom_trace_jobs(subject->jobs.trace)};
    struct loom_kmeans kmeans = {0};
    choose_attributes(&points);
    if (points.dimensions < 2)
        return loom_sheet_skip(sheet, "fewer than two attributes are known of nine tenths of the "
                                      "jobs");
    points.row = malloc((points.jobs->n + 1) * sizeof *points.row);
    points.x = malloc((points.jobs->n + 1) * points.dimensions * sizeof *points.x);
    int rc = points.row && points.x ? 0 : loom_fail_memory(err);
    if (!rc)
        take_points(&points);
    if (!rc && points.n < FEWEST)
        loom_sheet_skip(sheet, "fewer than 50 jobs know all attributes");
    if (!rc && !sheet->reason) {
        standardise(&points);
        rc = find_clusters(&kmeans, &points, subject->seed, err);
    }
    if (!rc && !sheet->reason)
        write_clusters(sheet, &points, &kmeans);
    loom_kmeans_free(&kmeans);
    free(points.row);
    free(points.x);
    return rc;
}

const struct loom_figure_ops loom_figures_clusters[] = {
    {.name = "job-clusters",
     .section = "jobs",
     .title = "Representative jobs",
     .caption =
         "Jobs in clusters by the logarithms of runtime, processors, requested time and memory, as "
         "far as they are known (k-means; as many clusters as the ratio of Calinski and Harabasz "
         "chooses), with the job of the log that is nearest to the centre of each.",
     .data = representatives},
    {.name = NULL},
};
