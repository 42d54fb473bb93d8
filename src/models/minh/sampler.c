/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draw shapes: the function RandomlyGenerate of algorithm 1, and algorithm 2. Algorithm 2 as
 * printed scans all jobs of the log for each job generated. Its steps amount to drawing a kind by
 * weight, and one of the jobs of that kind (docs/methods/models-minh.md), so a single draw of a
 * pair of kind and size replaces them.
 */
#include "base/draw.h"
#include "models/minh/minh.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double loom_minh_weight(const struct loom_minh_kind *kind, enum loom_minh_place place)
{
    (void)place;
    return kind->weight;
}

/* ---- sizes of a kind ------------------------------------------------------------------------- */

/* Weighted shapes, the input of a sampling table. */
struct weighted {
    struct loom_minh_shape *shapes;
    double *weights;
    size_t n;
};

static double jobs_at(const struct loom_minh_cell *cell, size_t size, enum loom_minh_place place)
{
    if (cell->jobs)
        return (double)cell->jobs[size];
    if (place != LOOM_MINH_ANYWHERE)
        return cell->by_place[place][size];
    return cell->by_place[LOOM_MINH_SINGLE][size] + cell->by_place[LOOM_MINH_IN_BAG][size];
}

/* Cells to include: 0 for all kinds, or all bands; else from 1. */
struct cell_filter {
    int64_t kind, band;
};

static bool passes(const struct loom_minh_cell *cell, struct cell_filter filter)
{
    return (!filter.kind || cell->kind == filter.kind) &&
           (!filter.band || cell->band == filter.band);
}

/* Add the sizes of the selected cells as sizes of kind `as`. Return the sum of their weights. */
static double add_sizes(struct weighted *list, const struct loom_minh_shapes *shapes,
                        struct cell_filter filter, enum loom_minh_place place, size_t as,
                        const struct loom_generation *generation)
{
    double sum = 0;
    for (size_t i = 0; i < shapes->n_cells; i++) {
        const struct loom_minh_cell *cell = &shapes->cells[i];
        for (size_t s = 0; s < cell->n && passes(cell, filter); s++) {
            double weight = jobs_at(cell, s, place);
            if (!(weight > 0))
                continue;
            list->shapes[list->n] =
                (struct loom_minh_shape){(uint32_t)as,
                                         loom_generation_size(generation, cell->procs[s])};
            list->weights[list->n++] = weight;
            sum += weight;
        }
    }
    return sum;
}

/* Add the sizes of a kind, or of one of its bands. An empty selection falls back to both places,
 * then to all bands, then to all jobs; without correlation every kind uses all jobs. */
static void add_kind(struct weighted *list, const struct loom_minh_sampler *sampler, size_t kind,
                     int64_t band, enum loom_minh_place place, double weight,
                     const struct loom_generation *generation)
{
    const struct loom_minh_shapes *shapes = sampler->shapes;
    struct cell_filter filter = {sampler->tied ? (int64_t)kind + 1 : 0, sampler->tied ? band : 0};
    size_t first = list->n;
    double sum = 0;
    if (shapes->split && sampler->tied)
        sum = add_sizes(list, shapes, filter, place, kind, generation);
    if (!(sum > 0))
        sum = add_sizes(list, shapes, filter, LOOM_MINH_ANYWHERE, kind, generation);
    filter.band = 0;
    if (!(sum > 0))
        sum = add_sizes(list, shapes, filter, LOOM_MINH_ANYWHERE, kind, generation);
    filter.kind = 0;
    if (!(sum > 0))
        sum = add_sizes(list, shapes, filter, LOOM_MINH_ANYWHERE, kind, generation);
    for (size_t i = first; i < list->n; i++)
        list->weights[i] *= weight / sum;
}

/* ---- making them ready ----------------------------------------------------------------------- */

/* Make a table of the collected shapes, and empty the list. */
static int make_table(struct loom_minh_shape_table *out, struct weighted *list,
                      struct loom_error *err)
{
    out->alias = loom_alias_create(list->n, list->weights);
    out->shapes = malloc((list->n + 1) * sizeof *out->shapes);
    if (!out->alias || !out->shapes)
        return loom_fail_memory(err);
    memcpy(out->shapes, list->shapes, list->n * sizeof *out->shapes);
    list->n = 0;
    return 0;
}

static int make_place(struct loom_minh_sampler *sampler, struct weighted *list,
                      enum loom_minh_place place, loom_minh_weight_fn *weight,
                      const struct loom_generation *generation, struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = sampler->shapes;
    double weights[LOOM_MINH_KINDS], sum = 0;
    int rc = 0;
    for (size_t k = 0; k < shapes->n_kinds; k++)
        sum += weights[k] = weight(&shapes->kinds[k], place);
    for (size_t k = 0; k < shapes->n_kinds && !(sum > 0); k++)
        weights[k] = shapes->kinds[k].weight; /* a log without such jobs */
    for (size_t k = 0; k < shapes->n_kinds; k++)
        add_kind(list, sampler, k, 0, place, weights[k], generation);
    rc = make_table(&sampler->any[place], list, err);
    for (size_t k = 0; k < shapes->n_kinds && !rc; k++) {
        add_kind(list, sampler, k, 0, place, 1, generation);
        rc = make_table(&sampler->of_kind[place][k], list, err);
        for (size_t b = 0; b < LOOM_MINH_BANDS && shapes->split && !rc; b++) {
            add_kind(list, sampler, k, (int64_t)b + 1, place, 1, generation);
            rc = make_table(&sampler->of_band[place][k][b], list, err);
        }
    }
    return rc;
}

/* Allocate a list for all sizes of all kinds. */
static int open_list(struct weighted *list, const struct loom_minh_shapes *shapes,
                     struct loom_error *err)
{
    size_t sizes = 0;
    for (size_t i = 0; i < shapes->n_cells; i++)
        sizes += shapes->cells[i].n;
    size_t most = sizes * shapes->n_kinds + 1;
    *list = (struct weighted){malloc(most * sizeof *list->shapes),
                              malloc(most * sizeof *list->weights), 0};
    return list->shapes && list->weights ? 0 : loom_fail_memory(err);
}

int loom_minh_sampler_init(struct loom_minh_sampler *sampler, const struct loom_minh_shapes *shapes,
                           loom_minh_weight_fn *weight, const struct loom_generation *generation,
                           const char *purpose, struct loom_error *err)
{
    *sampler = (struct loom_minh_sampler){.shapes = shapes,
                                          .tied = !(generation->without & LOOM_CORRELATION)};
    loom_generation_stream(&sampler->stream, generation, purpose);
    loom_ziggurat_init(&sampler->ziggurat);
    for (size_t k = 0; k < shapes->n_kinds; k++)
        sampler->log_height[k] = log(shapes->kinds[k].weight / shapes->kinds[k].sd);
    loom_minh_cut(sampler, INT64_MAX);
    struct weighted list;
    int rc = open_list(&list, shapes, err);
    for (int place = 0; place < LOOM_MINH_PLACES && !rc; place++)
        rc = make_place(sampler, &list, (enum loom_minh_place)place, weight, generation, err);
    free(list.shapes);
    free(list.weights);
    if (rc)
        loom_minh_sampler_free(sampler);
    return rc;
}

static void free_table(struct loom_minh_shape_table *table)
{
    loom_alias_destroy(table->alias);
    free(table->shapes);
}

void loom_minh_sampler_free(struct loom_minh_sampler *sampler)
{
    if (!sampler->shapes)
        return;
    for (size_t place = 0; place < LOOM_MINH_PLACES; place++) {
        free_table(&sampler->any[place]);
        for (size_t k = 0; k < LOOM_MINH_KINDS; k++) {
            free_table(&sampler->of_kind[place][k]);
            for (size_t b = 0; b < LOOM_MINH_BANDS; b++)
                free_table(&sampler->of_band[place][k][b]);
        }
    }
    sampler->shapes = NULL;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static struct loom_minh_shape shape_at(const struct loom_minh_shape_table *table, uint32_t bits)
{
    return table->shapes[loom_alias_at(table->alias, loom_half_uniform(bits))];
}

struct loom_minh_shape loom_minh_draw_shape(struct loom_minh_sampler *sampler,
                                            enum loom_minh_place place)
{
    return shape_at(&sampler->any[place], (uint32_t)(loom_draw_u64(&sampler->stream) >> 32));
}

void loom_minh_draw_shapes(struct loom_minh_bag *bags, size_t n, struct loom_minh_sampler *sampler)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = loom_draw_u64(&sampler->stream);
        bags[i].shape = shape_at(&sampler->any[bags[i].place], (uint32_t)(bits >> 32));
        bags[i].bits = (uint32_t)bits;
    }
}

int32_t loom_minh_draw_procs(struct loom_minh_sampler *sampler, size_t kind,
                             enum loom_minh_place place)
{
    uint32_t bits = (uint32_t)(loom_draw_u64(&sampler->stream) >> 32);
    return shape_at(&sampler->of_kind[place][kind], bits).procs;
}

size_t loom_minh_kind_of(const struct loom_minh_sampler *sampler, double log_run)
{
    const struct loom_minh_shapes *shapes = sampler->shapes;
    size_t best = 0;
    double most = -INFINITY;
    for (size_t k = 0; k < shapes->n_kinds; k++) {
        double z = (log_run - shapes->kinds[k].mean) / shapes->kinds[k].sd;
        double height = sampler->log_height[k] - 0.5 * z * z;
        if (height > most) {
            most = height;
            best = k;
        }
    }
    return best;
}

void loom_minh_size_by_run(struct loom_minh_bag *bags, size_t n,
                           const struct loom_minh_sampler *sampler)
{
    for (size_t i = 0; i < n; i++) {
        size_t kind = loom_minh_kind_of(sampler, log1p((double)bags[i].run_s));
        size_t band = loom_minh_band(sampler->shapes, kind, bags[i].run_s);
        bags[i].shape.procs =
            shape_at(&sampler->of_band[bags[i].place][kind][band], bags[i].bits).procs;
    }
}

double loom_minh_draw_normal(struct loom_minh_sampler *sampler)
{
    return loom_ziggurat_draw(&sampler->ziggurat, &sampler->stream);
}

int64_t loom_minh_run(const struct loom_minh_sampler *sampler, size_t kind, double z)
{
    const struct loom_minh_normal *k = &sampler->drawn[kind];
    return loom_whole_seconds(exp(k->mean + k->sd * z) - 1, 0);
}

/* ---- runtimes that are cut ------------------------------------------------------------------ */

/* The kinds of a log are fitted to runtimes that the log's limits have cut already; a second cut
 * would make them narrower. So a kind is drawn from the normal distribution whose part below the
 * cut has the kind's mean and deviation. With the cut at b deviations and h = phi(b) / Phi(b), the
 * mean is h deviations below the mean of the whole, and the variance 1 - b h - h^2 of it. */
static double left_by_cut(double b, double *below)
{
    double h = M_2_SQRTPI * M_SQRT1_2 * exp(-0.5 * b * b) / erfc(-b * M_SQRT1_2);
    *below = h;
    return sqrt(1 - b * h - h * h);
}

/* Return the distance of the cut from the mean below it, in deviations below it, minus the wanted
 * one. */
static double too_far(double b, void *context)
{
    double below, left = left_by_cut(b, &below);
    return (b + below) / left - *(const double *)context;
}

/* Find the normal distribution before the cut. Beyond MOST deviations a cut has no effect; below
 * LEAST nearly all numbers would be rejected. */
static struct loom_minh_normal before_cut(const struct loom_minh_kind *kind, double log_longest)
{
    static const double LEAST = -1, MOST = 7;
    double far = (log_longest - kind->mean) / kind->sd, b = MOST, below;
    if (!(far < MOST))
        return (struct loom_minh_normal){kind->mean, kind->sd};
    loom_root(&b, too_far, &far, LEAST, MOST, 1e-10);
    double sd = kind->sd / left_by_cut(b, &below);
    return (struct loom_minh_normal){log_longest - b * sd, sd};
}

void loom_minh_cut(struct loom_minh_sampler *sampler, int64_t longest_s)
{
    double log_longest = longest_s < INT64_MAX ? log1p((double)longest_s) : INFINITY;
    sampler->longest_s = longest_s;
    for (size_t k = 0; k < sampler->shapes->n_kinds; k++)
        sampler->drawn[k] = before_cut(&sampler->shapes->kinds[k], log_longest);
}

/* Runtimes above the cut are rejected. The centre given a first runtime is weighted by the
 * probability that a runtime around it is below the cut, which normalizes each further one: so
 * every runtime has the distribution of the first. */
enum { TRIES = 100 };

/* Draw the centre given a first runtime z deviations from the mean. */
static double draw_centre(struct loom_minh_sampler *sampler, double alike, double z)
{
    return alike > 0 ? sqrt(alike) * z + sqrt(1 - alike) * loom_minh_draw_normal(sampler) : 0;
}

int64_t loom_minh_draw_first(struct loom_minh_sampler *sampler, size_t kind, double alike,
                             double *centre)
{
    for (int i = 0; i < TRIES; i++) {
        double z = loom_minh_draw_normal(sampler);
        int64_t run_s = loom_minh_run(sampler, kind, z);
        if (run_s > sampler->longest_s)
            continue;
        *centre = draw_centre(sampler, alike, z);
        return run_s;
    }
    *centre = 0;
    return sampler->longest_s;
}

void loom_minh_draw_firsts(struct loom_minh_bag *bags, size_t n, struct loom_minh_sampler *sampler)
{
    double z[LOOM_MINH_BATCH];
    loom_ziggurat_draw_many(z, n, &sampler->ziggurat, &sampler->stream);
    for (size_t i = 0; i < n; i++) {
        struct loom_minh_bag *bag = &bags[i];
        bag->run_s = loom_minh_run(sampler, bag->shape.kind, z[i]);
        if (bag->run_s > sampler->longest_s)
            bag->run_s = loom_minh_draw_first(sampler, bag->shape.kind, bag->alike, &bag->centre);
        else
            bag->centre = draw_centre(sampler, bag->alike, z[i]);
    }
}

int64_t loom_minh_draw_next(struct loom_minh_sampler *sampler, size_t kind, double alike,
                            double centre)
{
    for (int i = 0; i < TRIES; i++) {
        double own = sqrt(1 - alike) * loom_minh_draw_normal(sampler);
        int64_t run_s = loom_minh_run(sampler, kind, sqrt(alike) * centre + own);
        if (run_s <= sampler->longest_s)
            return run_s;
    }
    return sampler->longest_s;
}
