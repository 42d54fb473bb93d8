/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of runtimes, labels of sizes, and the table of both (2010 paper VI-A, VI-B and algorithm
 * 1's first loop; Minh 2012, 5.1.1 to 5.1.3).
 *
 * Runtimes are clustered as ln(runtime + 1), defined for 0 s, by a mixture of 1 to 20 normals as
 * MCLUST fits it. Sizes are grouped by popularity: the label of a size is round(log2(jobs)) + 1.
 *
 * The table is kept as counts. With n(c, l) jobs of label c and kind l, Pr(c, l) = n(c, l) / n(l),
 * and algorithm 2 draws one of the n(c, l) jobs: cells hold their sizes with how often each occurs,
 * which is the same multiset. Where shapes are split, there are cells for each band of runtimes.
 */
#include "base/search.h"
#include "base/sort.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t loom_minh_label(int64_t jobs)
{
    return llround(log2((double)jobs)) + 1;
}

/* ---- kinds of runtimes ---------------------------------------------------------------------- */

int loom_minh_cluster(struct loom_clusters *out, const int64_t *run_s, size_t n,
                      struct loom_pool *pool, struct loom_error *err)
{
    double *logs = malloc((n + 1) * sizeof *logs);
    if (!logs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        logs[i] = log1p((double)run_s[i]);
    struct loom_cluster_options options = {.max_clusters = LOOM_MINH_KINDS,
                                           .mclust = true,
                                           .pool = pool};
    int rc = loom_cluster(out, logs, n, &options, err);
    free(logs);
    return rc;
}

/* p_k, mu_k and Sigma_k come from the mixture, a_k from the jobs labelled k. */
static int take_kinds(struct loom_minh_shapes *shapes, const struct loom_clusters *clusters,
                      const uint8_t *in_bag, struct loom_error *err)
{
    shapes->kinds = calloc(clusters->count, sizeof *shapes->kinds);
    if (!shapes->kinds)
        return loom_fail_memory(err);
    shapes->n_kinds = clusters->count;
    int64_t total[LOOM_MINH_KINDS] = {0}, single[LOOM_MINH_KINDS] = {0};
    for (size_t i = 0; i < clusters->n; i++) {
        total[clusters->labels[i]]++;
        single[clusters->labels[i]] += !in_bag || !in_bag[i];
    }
    for (size_t k = 0; k < clusters->count; k++)
        shapes->kinds[k] =
            (struct loom_minh_kind){.weight = clusters->weights[k],
                                    .mean = clusters->means[k],
                                    .sd = clusters->sds[k],
                                    .single = total[k] ? (double)single[k] / (double)total[k] : 1};
    return 0;
}

/* ---- labels of sizes ------------------------------------------------------------------------- */

/* The distinct sizes, ascending, each with its label. */
struct sizes {
    size_t n;
    int32_t *procs;
    int64_t *label;
};

static void sizes_free(struct sizes *sizes)
{
    free(sizes->procs);
    free(sizes->label);
}

static int label_sizes(struct sizes *out, const struct loom_shapes *jobs, struct loom_error *err)
{
    int64_t *sorted = malloc((jobs->n + 1) * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        sorted[i] = jobs->procs[i];
    size_t different = loom_sort_int64(sorted, jobs->n);
    *out = (struct sizes){.procs = malloc((different + 1) * sizeof *out->procs),
                          .label = malloc((different + 1) * sizeof *out->label)};
    int rc = out->procs && out->label ? 0 : loom_fail_memory(err);
    for (size_t i = 0, end; i < jobs->n && !rc; i = end) {
        for (end = i; end < jobs->n && sorted[end] == sorted[i]; end++)
            ;
        out->procs[out->n] = (int32_t)sorted[i];
        out->label[out->n++] = loom_minh_label((int64_t)(end - i));
    }
    free(sorted);
    if (rc)
        sizes_free(out);
    return rc;
}

static size_t minh_shapes_place_of(const struct sizes *sizes, int32_t procs)
{
    size_t low = 1, high = sizes->n;
    LOOM_BISECT(low, high, middle, sizes->procs[middle] <= procs);
    return low - 1;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Numbers of jobs of one kind and band, by size. */
struct counts {
    const int64_t *jobs, *in_bags;
};

static int open_cell(struct loom_minh_cell *cell, size_t n, bool split)
{
    cell->procs = malloc(n * sizeof *cell->procs);
    if (!split)
        cell->jobs = malloc(n * sizeof *cell->jobs);
    for (int place = 0; place < 2 && split; place++)
        cell->by_place[place] = malloc(n * sizeof *cell->by_place[place]);
    bool counts = split ? cell->by_place[0] && cell->by_place[1] : cell->jobs != NULL;
    return cell->procs && counts ? 0 : -1;
}

static void add_size(struct loom_minh_cell *cell, int32_t procs, int64_t jobs, int64_t in_bags)
{
    size_t s = cell->n++;
    cell->procs[s] = procs;
    if (cell->jobs) {
        cell->jobs[s] = jobs;
    } else {
        cell->by_place[LOOM_MINH_SINGLE][s] = (double)(jobs - in_bags);
        cell->by_place[LOOM_MINH_IN_BAG][s] = (double)in_bags;
    }
}

/* row: kind * LOOM_MINH_BANDS + band. */
static int add_cell(struct loom_minh_shapes *shapes, size_t row, int64_t label,
                    const struct sizes *sizes, struct counts counts, struct loom_error *err)
{
    size_t n = 0;
    for (size_t s = 0; s < sizes->n; s++)
        n += sizes->label[s] == label && counts.jobs[s] > 0;
    if (n == 0)
        return 0;
    struct loom_minh_cell *cell = &shapes->cells[shapes->n_cells++];
    *cell = (struct loom_minh_cell){.kind = (int64_t)(row / LOOM_MINH_BANDS) + 1,
                                    .band = (int64_t)(row % LOOM_MINH_BANDS) + 1,
                                    .label = label};
    if (open_cell(cell, n, shapes->split))
        return loom_fail_memory(err);
    for (size_t s = 0; s < sizes->n; s++)
        if (sizes->label[s] == label && counts.jobs[s] > 0)
            add_size(cell, sizes->procs[s], counts.jobs[s], counts.in_bags[s]);
    return 0;
}

static int64_t largest_label(const struct sizes *sizes)
{
    int64_t most = 0;
    for (size_t s = 0; s < sizes->n; s++)
        most = sizes->label[s] > most ? sizes->label[s] : most;
    return most;
}

static int fill_cells(struct loom_minh_shapes *shapes, const struct sizes *sizes,
                      struct counts counts, struct loom_error *err)
{
    int64_t most = largest_label(sizes);
    size_t rows = shapes->n_kinds * LOOM_MINH_BANDS;
    shapes->cells = calloc(rows * (size_t)most, sizeof *shapes->cells);
    int rc = shapes->cells ? 0 : loom_fail_memory(err);
    for (size_t row = 0; row < rows; row++) {
        struct counts own = {counts.jobs + row * sizes->n, counts.in_bags + row * sizes->n};
        for (int64_t label = 1; label <= most && !rc; label++)
            rc = add_cell(shapes, row, label, sizes, own, err);
    }
    return rc;
}

/* Set the edges of the bands of each kind: quartiles of its runtimes. */
static int find_bands(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                      const uint32_t *kind_of, struct loom_error *err)
{
    int64_t *runs = malloc((jobs->n + 1) * sizeof *runs);
    shapes->edges_s = calloc(shapes->n_kinds * LOOM_MINH_EDGES + 1, sizeof *shapes->edges_s);
    int rc = runs && shapes->edges_s ? 0 : loom_fail_memory(err);
    for (size_t kind = 0; kind < shapes->n_kinds && !rc; kind++) {
        size_t n = 0;
        for (size_t i = 0; i < jobs->n; i++)
            if (kind_of[i] == kind)
                runs[n++] = jobs->run_s[i];
        loom_sort_int64(runs, n);
        for (size_t i = 0; i < LOOM_MINH_EDGES && n > 0; i++)
            shapes->edges_s[kind * LOOM_MINH_EDGES + i] = runs[(i + 1) * n / LOOM_MINH_BANDS];
    }
    free(runs);
    return rc;
}

int loom_minh_cells_count(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                          const uint32_t *kind_of, const uint8_t *in_bag, struct loom_error *err)
{
    struct sizes sizes = {0};
    int rc = label_sizes(&sizes, jobs, err);
    if (rc)
        return rc;
    size_t n = shapes->n_kinds * LOOM_MINH_BANDS * sizes.n;
    int64_t *all = calloc(2 * n + 1, sizeof *all), *in_bags = all ? all + n : NULL;
    rc = all ? 0 : loom_fail_memory(err);
    if (!rc && shapes->split)
        rc = find_bands(shapes, jobs, kind_of, err);
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        size_t band = loom_minh_band(shapes, kind_of[i], jobs->run_s[i]);
        size_t row = kind_of[i] * LOOM_MINH_BANDS + band;
        size_t place = row * sizes.n + minh_shapes_place_of(&sizes, jobs->procs[i]);
        all[place]++;
        in_bags[place] += in_bag && in_bag[i];
    }
    if (!rc)
        rc = fill_cells(shapes, &sizes, (struct counts){all, in_bags}, err);
    free(all);
    sizes_free(&sizes);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int loom_minh_shapes_fit(struct loom_minh_shapes *out, uint32_t **kind_of,
                         const struct loom_shapes *jobs, const uint8_t *in_bag,
                         struct loom_pool *pool, struct loom_error *err)
{
    struct loom_clusters clusters = {0};
    int rc = loom_minh_cluster(&clusters, jobs->run_s, jobs->n, pool, err);
    if (rc)
        return rc;
    rc = take_kinds(out, &clusters, in_bag, err);
    if (!rc)
        rc = loom_minh_cells_count(out, jobs, clusters.labels, in_bag, err);
    out->bags = in_bag != NULL;
    *kind_of = clusters.labels;
    clusters.labels = NULL;
    loom_clusters_free(&clusters);
    return rc;
}

void loom_minh_shapes_free(struct loom_minh_shapes *shapes)
{
    for (size_t i = 0; shapes->cells && i < shapes->n_cells; i++) {
        free(shapes->cells[i].procs);
        free(shapes->cells[i].jobs);
        free(shapes->cells[i].by_place[0]);
        free(shapes->cells[i].by_place[1]);
    }
    free(shapes->cells);
    free(shapes->edges_s);
    free(shapes->kinds);
    *shapes = (struct loom_minh_shapes){0};
}

/* ---- as a document --------------------------------------------------------------------------- */

static void describe_kind(struct loom_minh_kind *kind, bool bags, struct loom_codec *codec)
{
    loom_codec_real(codec, "weight", &kind->weight, 0, 1);
    loom_codec_real(codec, "mean", &kind->mean, -1e3, 1e3);
    loom_codec_real(codec, "sd", &kind->sd, 0, 1e3);
    if (bags)
        loom_codec_real(codec, "single", &kind->single, 0, 1);
}

/* The edges of one kind's bands. */
static void describe_bands(struct loom_minh_shapes *shapes, size_t kind, struct loom_codec *codec)
{
    int64_t *own = shapes->edges_s + kind * LOOM_MINH_EDGES;
    int64_t *edges = loom_codec_reading(codec) ? NULL : own;
    size_t n = LOOM_MINH_EDGES;
    loom_codec_int64s(codec, "bands_s", &edges, &n, n, n, 0, INT64_MAX / 2);
    if (!loom_codec_reading(codec))
        return;
    for (size_t i = 0; i < n && !loom_codec_failed(codec); i++) {
        own[i] = edges[i];
        if (i > 0 && own[i] < own[i - 1])
            loom_codec_refuse(codec, "bands_s", "must not fall");
    }
    free(edges);
}

static void describe_kinds(struct loom_minh_shapes *shapes, struct loom_codec *codec)
{
    size_t n = shapes->n_kinds;
    loom_codec_list(codec, "runtimes", &n, 1, LOOM_MINH_KINDS);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        shapes->kinds = calloc(n, sizeof *shapes->kinds);
        if (shapes->split)
            shapes->edges_s = calloc(n * LOOM_MINH_EDGES, sizeof *shapes->edges_s);
        if (!shapes->kinds || (shapes->split && !shapes->edges_s))
            loom_codec_refuse(codec, "", "needs more memory than there is");
        shapes->n_kinds = n;
    }
    double weight = 0;
    for (size_t k = 0; k < n && !loom_codec_failed(codec); k++) {
        loom_codec_item(codec, k);
        describe_kind(&shapes->kinds[k], shapes->bags, codec);
        if (shapes->split)
            describe_bands(shapes, k, codec);
        loom_codec_close(codec);
        weight += shapes->kinds[k].weight;
    }
    if (!(weight > 0))
        loom_codec_refuse(codec, "", "must have weights of which one at least is above 0");
    loom_codec_close(codec);
}

/* Cells are in order of kinds. */
static void describe_cell(struct loom_minh_shapes *shapes, size_t i, struct loom_codec *codec)
{
    static const double MOST = (double)(INT64_MAX / 2);
    struct loom_minh_cell *cell = &shapes->cells[i];
    int64_t before = i > 0 ? shapes->cells[i - 1].kind : 1;
    loom_codec_int(codec, "runtime", &cell->kind, before, (int64_t)shapes->n_kinds);
    cell->band = loom_codec_reading(codec) ? 1 : cell->band;
    if (shapes->split)
        loom_codec_int(codec, "band", &cell->band, 1, LOOM_MINH_BANDS);
    loom_codec_int(codec, "label", &cell->label, 1, 64);
    loom_codec_all_procs(codec, "procs", &cell->procs, &cell->n, 1, UINT32_MAX);
    size_t n = cell->n;
    if (shapes->split) {
        loom_codec_reals(codec, "single", &cell->by_place[LOOM_MINH_SINGLE], &n, n, n, 0, MOST);
        loom_codec_reals(codec, "in_bags", &cell->by_place[LOOM_MINH_IN_BAG], &n, n, n, 0, MOST);
    } else {
        loom_codec_int64s(codec, "jobs", &cell->jobs, &n, n, n, 1, INT64_MAX / 2);
    }
}

static double cell_jobs(const struct loom_minh_cell *cell)
{
    double sum = 0;
    for (size_t s = 0; s < cell->n; s++)
        sum += cell->jobs ? (double)cell->jobs[s] : cell->by_place[0][s] + cell->by_place[1][s];
    return sum;
}

static void describe_cells(struct loom_minh_shapes *shapes, struct loom_codec *codec)
{
    size_t n = shapes->n_cells;
    loom_codec_list(codec, "sizes", &n, 1, LOOM_MINH_KINDS * LOOM_MINH_BANDS * 64);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        shapes->cells = calloc(n, sizeof *shapes->cells);
        if (!shapes->cells)
            loom_codec_refuse(codec, "", "needs more memory than there is");
        shapes->n_cells = n;
    }
    double jobs = 0;
    for (size_t i = 0; i < n && !loom_codec_failed(codec); i++) {
        loom_codec_item(codec, i);
        describe_cell(shapes, i, codec);
        loom_codec_close(codec);
        if (!loom_codec_failed(codec))
            jobs += cell_jobs(&shapes->cells[i]);
    }
    if (!(jobs > 0))
        loom_codec_refuse(codec, "", "must have jobs");
    loom_codec_close(codec);
}

void loom_minh_shapes_describe(struct loom_minh_shapes *shapes, struct loom_codec *codec)
{
    describe_kinds(shapes, codec);
    describe_cells(shapes, codec);
}
