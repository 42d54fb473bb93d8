/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing shapes: the function RandomlyGenerate of algorithm 1, and algorithm 2. Algorithm 2 as
 * printed goes through all jobs of the log for each job it makes; here its multisets are at hand,
 * and drawing from one takes the same time whatever its size.
 */
#include "base/draw.h"
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

static double jobs_at(const struct loom_minh_cell *cell, size_t size, enum loom_minh_place place)
{
    int64_t in_bags = place == LOOM_MINH_ANYWHERE ? 0 : cell->in_bags[size];
    return (double)(place == LOOM_MINH_IN_BAG ? in_bags : cell->jobs[size] - in_bags);
}

/* Pr(c, l) of the cells [first, end) into row, which stays NULL if they have no jobs. */
static int make_row(gsl_ran_discrete_t **row, const struct loom_minh_shapes *shapes, size_t first,
                    size_t end, enum loom_minh_place place, struct loom_error *err)
{
    double *weights = calloc(end - first + 1, sizeof *weights), sum = 0;
    if (!weights)
        return loom_fail_memory(err);
    for (size_t i = first; i < end; i++) {
        for (size_t s = 0; s < shapes->cells[i].n; s++)
            weights[i - first] += jobs_at(&shapes->cells[i], s, place);
        sum += weights[i - first];
    }
    if (sum > 0)
        *row = die_of(weights, end - first, err);
    free(weights);
    return sum > 0 && !*row ? LOOM_ENOMEM : 0;
}

static int make_rows(struct loom_minh_dice *dice, enum loom_minh_place place,
                     struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    struct loom_minh_table *table = &dice->table[place];
    table->row = calloc(shapes->n_kinds + 1, sizeof *table->row);
    int rc = table->row ? 0 : loom_fail_memory(err);
    for (size_t k = 0, first = 0, end; k < shapes->n_kinds && !rc; k++, first = end) {
        for (end = first; end < shapes->n_cells && shapes->cells[end].kind == (int64_t)k + 1; end++)
            ;
        dice->first[k] = first;
        rc = make_row(&table->row[k], shapes, first, end, place, err);
    }
    if (!rc)
        rc = make_row(&table->row[shapes->n_kinds], shapes, 0, shapes->n_cells, place, err);
    return rc;
}

static int make_sizes(struct loom_minh_dice *dice, enum loom_minh_place place,
                      struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    struct loom_minh_table *table = &dice->table[place];
    table->size = calloc(shapes->n_cells, sizeof *table->size);
    int rc = table->size ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < shapes->n_cells && !rc; i++) {
        const struct loom_minh_cell *cell = &shapes->cells[i];
        double *weights = malloc(cell->n * sizeof *weights), sum = 0;
        for (size_t s = 0; weights && s < cell->n; s++)
            sum += weights[s] = jobs_at(cell, s, place);
        if (weights && sum > 0)
            table->size[i] = die_of(weights, cell->n, err);
        if (!weights || (sum > 0 && !table->size[i]))
            rc = loom_fail_memory(err);
        free(weights);
    }
    return rc;
}

static int make_procs(struct loom_minh_dice *dice, const struct loom_weave *weave,
                      struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    dice->first = calloc(shapes->n_kinds, sizeof *dice->first);
    dice->procs = calloc(shapes->n_cells, sizeof *dice->procs);
    if (!dice->first || !dice->procs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < shapes->n_cells; i++) {
        dice->procs[i] = malloc(shapes->cells[i].n * sizeof **dice->procs);
        if (!dice->procs[i])
            return loom_fail_memory(err);
        for (size_t s = 0; s < shapes->cells[i].n; s++)
            dice->procs[i][s] = loom_weave_size(weave, shapes->cells[i].procs[s]);
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
        rc = make_procs(dice, weave, err);
    for (int place = shapes->split ? 0 : LOOM_MINH_ANYWHERE; place < LOOM_MINH_PLACES; place++) {
        if (!rc)
            rc = make_rows(dice, (enum loom_minh_place)place, err);
        if (!rc)
            rc = make_sizes(dice, (enum loom_minh_place)place, err);
    }
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

static void free_table(struct loom_minh_table *table, const struct loom_minh_shapes *shapes)
{
    free_dice(table->row, shapes->n_kinds + 1);
    free_dice(table->size, shapes->n_cells);
    free(table->row);
    free(table->size);
}

void loom_minh_dice_free(struct loom_minh_dice *dice)
{
    if (!dice->shapes)
        return;
    free_dice(dice->kind, LOOM_MINH_PLACES);
    for (int place = 0; place < LOOM_MINH_PLACES; place++)
        free_table(&dice->table[place], dice->shapes);
    for (size_t i = 0; dice->procs && i < dice->shapes->n_cells; i++)
        free(dice->procs[i]);
    free(dice->first);
    free(dice->procs);
    dice->shapes = NULL;
}

/* ---- throwing them --------------------------------------------------------------------------- */

size_t loom_minh_draw_kind(struct loom_minh_dice *dice, enum loom_minh_place place)
{
    return loom_draw_discrete(&dice->stream, dice->kind[place]);
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

/* The label by the table, then algorithm 2. A kind that no job of that place was labelled with goes
 * by all of its jobs, or by all there are; and so does every kind, without correlation. */
int32_t loom_minh_draw_procs(struct loom_minh_dice *dice, size_t kind, enum loom_minh_place place)
{
    size_t row = dice->tied ? kind : dice->shapes->n_kinds;
    const struct loom_minh_table *table = &dice->table[place];
    if (!table->row || !table->row[row])
        table = &dice->table[LOOM_MINH_ANYWHERE];
    if (!table->row[row])
        row = dice->shapes->n_kinds;
    size_t first = row < dice->shapes->n_kinds ? dice->first[row] : 0;
    size_t cell = first + loom_draw_discrete(&dice->stream, table->row[row]);
    return dice->procs[cell][loom_draw_discrete(&dice->stream, table->size[cell])];
}
