/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing shapes: the function RandomlyGenerate of algorithm 1, and algorithm 2. Algorithm 2 as
 * printed goes through all jobs of the log for each job it makes; here its multisets are at hand,
 * and drawing from one takes the same time whatever its size.
 */
#include "models/minh.h"

#include <math.h>
#include <stdlib.h>

/* ---- making them ready ----------------------------------------------------------------------- */

static gsl_ran_discrete_t *die_of(const double *weights, size_t n, struct loom_error *err)
{
    gsl_ran_discrete_t *die = gsl_ran_discrete_preproc(n, weights);
    if (!die)
        loom_fail_memory(err);
    return die;
}

double loom_minh_weight(const struct loom_minh_kind *kind, enum loom_minh_place place)
{
    (void)place;
    return kind->weight;
}

static int make_kinds(struct loom_minh_dice *dice, loom_minh_weight_fn *weight,
                      struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    for (int place = 0; place < LOOM_MINH_PLACES; place++) {
        double weights[LOOM_MINH_KINDS], sum = 0;
        for (size_t k = 0; k < shapes->n_kinds; k++)
            sum += weights[k] = weight(&shapes->kinds[k], (enum loom_minh_place)place);
        for (size_t k = 0; k < shapes->n_kinds && !(sum > 0); k++)
            weights[k] = shapes->kinds[k].weight; /* a log without such jobs */
        dice->kind[place] = die_of(weights, shapes->n_kinds, err);
        if (!dice->kind[place])
            return LOOM_ENOMEM;
    }
    return 0;
}

static double jobs_of(const struct loom_minh_cell *cell)
{
    double jobs = 0;
    for (size_t i = 0; i < cell->n; i++)
        jobs += (double)cell->jobs[i];
    return jobs;
}

/* Pr(c, l) of the cells [first, end). */
static gsl_ran_discrete_t *row_of(const struct loom_minh_shapes *shapes, size_t first, size_t end,
                                  struct loom_error *err)
{
    double *weights = malloc((end - first + 1) * sizeof *weights);
    if (!weights) {
        loom_fail_memory(err);
        return NULL;
    }
    for (size_t i = first; i < end; i++)
        weights[i - first] = jobs_of(&shapes->cells[i]);
    gsl_ran_discrete_t *row = die_of(weights, end - first, err);
    free(weights);
    return row;
}

/* A kind that no job was labelled with has no row of its own and takes that of all jobs. */
static int make_rows(struct loom_minh_dice *dice, struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    dice->row = calloc(shapes->n_kinds + 1, sizeof *dice->row);
    dice->first = calloc(shapes->n_kinds + 1, sizeof *dice->first);
    if (!dice->row || !dice->first)
        return loom_fail_memory(err);
    for (size_t k = 0, first = 0, end; k < shapes->n_kinds; k++, first = end) {
        for (end = first; end < shapes->n_cells && shapes->cells[end].kind == (int64_t)k + 1; end++)
            ;
        dice->first[k] = first;
        if (end > first && !(dice->row[k] = row_of(shapes, first, end, err)))
            return LOOM_ENOMEM;
    }
    dice->row[shapes->n_kinds] = row_of(shapes, 0, shapes->n_cells, err);
    return dice->row[shapes->n_kinds] ? 0 : LOOM_ENOMEM;
}

static int make_sizes(struct loom_minh_dice *dice, const struct loom_weave *weave,
                      struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    dice->size = calloc(shapes->n_cells, sizeof *dice->size);
    dice->procs = calloc(shapes->n_cells, sizeof *dice->procs);
    if (!dice->size || !dice->procs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < shapes->n_cells; i++) {
        const struct loom_minh_cell *cell = &shapes->cells[i];
        double *weights = malloc(cell->n * sizeof *weights);
        dice->procs[i] = malloc(cell->n * sizeof **dice->procs);
        for (size_t s = 0; weights && dice->procs[i] && s < cell->n; s++) {
            weights[s] = (double)cell->jobs[s];
            dice->procs[i][s] = loom_weave_size(weave, cell->procs[s]);
        }
        if (weights && dice->procs[i])
            dice->size[i] = gsl_ran_discrete_preproc(cell->n, weights);
        free(weights);
        if (!dice->size[i])
            return loom_fail_memory(err);
    }
    return 0;
}

int loom_minh_dice_init(struct loom_minh_dice *dice, const struct loom_minh_shapes *shapes,
                        loom_minh_weight_fn *weight, const struct loom_weave *weave,
                        const char *purpose, struct loom_error *err)
{
    *dice = (struct loom_minh_dice){.shapes = shapes, .tied = !(weave->without & LOOM_CORRELATION)};
    loom_weave_stream(&dice->stream, weave, purpose);
    int rc = make_kinds(dice, weight, err);
    if (!rc)
        rc = make_rows(dice, err);
    if (!rc)
        rc = make_sizes(dice, weave, err);
    if (rc)
        loom_minh_dice_free(dice);
    return rc;
}

static void free_dice(gsl_ran_discrete_t **dice, size_t n)
{
    for (size_t i = 0; dice && i < n; i++)
        if (dice[i])
            gsl_ran_discrete_free(dice[i]);
}

void loom_minh_dice_free(struct loom_minh_dice *dice)
{
    if (!dice->shapes)
        return;
    free_dice(dice->kind, LOOM_MINH_PLACES);
    free_dice(dice->row, dice->shapes->n_kinds + 1);
    free_dice(dice->size, dice->shapes->n_cells);
    for (size_t i = 0; dice->procs && i < dice->shapes->n_cells; i++)
        free(dice->procs[i]);
    free(dice->row);
    free(dice->first);
    free(dice->size);
    free(dice->procs);
    dice->shapes = NULL;
}

/* ---- throwing them --------------------------------------------------------------------------- */

size_t loom_minh_draw_kind(struct loom_minh_dice *dice, enum loom_minh_place place)
{
    return gsl_ran_discrete(&dice->stream.gsl, dice->kind[place]);
}

double loom_minh_draw_normal(struct loom_minh_dice *dice)
{
    return gsl_ran_gaussian_ziggurat(&dice->stream.gsl, 1);
}

int64_t loom_minh_run(const struct loom_minh_dice *dice, size_t kind, double z)
{
    const struct loom_minh_kind *k = &dice->shapes->kinds[kind];
    return loom_whole_seconds(expm1(k->mean + k->sd * z), 0);
}

/* The label by the table, then algorithm 2. Without correlation both go by all jobs. */
int32_t loom_minh_draw_procs(struct loom_minh_dice *dice, size_t kind)
{
    size_t row = dice->tied && dice->row[kind] ? kind : dice->shapes->n_kinds;
    size_t first = row < dice->shapes->n_kinds ? dice->first[row] : 0;
    size_t cell = first + gsl_ran_discrete(&dice->stream.gsl, dice->row[row]);
    return dice->procs[cell][gsl_ran_discrete(&dice->stream.gsl, dice->size[cell])];
}
