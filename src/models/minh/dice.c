/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing shapes: the function RandomlyGenerate of algorithm 1, and algorithm 2. Algorithm 2 as
 * printed goes through all jobs of the log for each job it makes. Its steps together draw one of
 * the jobs of a kind (docs/methods/models-minh.md), and the kind before them by its weight: so all
 * are one draw, of a pair of kind and size.
 */
#include "base/draw.h"
#include "models/minh/minh.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>

double loom_minh_weight(const struct loom_minh_kind *kind, enum loom_minh_place place)
{
    (void)place;
    return kind->weight;
}

/* ---- sizes of a kind ------------------------------------------------------------------------- */

/* Shapes with their weights: sides of a die in the making. */
struct sides {
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

/* Whose sizes: 0 for those of all kinds, or all bands; else from 1. */
struct whose {
    int64_t kind, band;
};

static bool is_of(const struct loom_minh_cell *cell, struct whose whose)
{
    return (!whose.kind || cell->kind == whose.kind) && (!whose.band || cell->band == whose.band);
}

/* Add the sizes that jobs have in a place, which count as sizes of kind `as`. Returns the sum of
 * their weights. */
static double add_sizes(struct sides *sides, const struct loom_minh_shapes *shapes,
                        struct whose whose, enum loom_minh_place place, size_t as,
                        const struct loom_weave *weave)
{
    double sum = 0;
    for (size_t i = 0; i < shapes->n_cells; i++) {
        const struct loom_minh_cell *cell = &shapes->cells[i];
        for (size_t s = 0; s < cell->n && is_of(cell, whose); s++) {
            double weight = jobs_at(cell, s, place);
            if (!(weight > 0))
                continue;
            sides->shapes[sides->n] =
                (struct loom_minh_shape){(uint32_t)as, loom_weave_size(weave, cell->procs[s])};
            sides->weights[sides->n++] = weight;
            sum += weight;
        }
    }
    return sum;
}

/* The sizes of a kind, or of one of its bands. What no job of that place was labelled with goes by
 * all of its jobs, or by those of all bands, or by all there are; and so does every kind, without
 * correlation. */
static void add_kind(struct sides *sides, const struct loom_minh_dice *dice, size_t kind,
                     int64_t band, enum loom_minh_place place, double weight,
                     const struct loom_weave *weave)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    struct whose whose = {dice->tied ? (int64_t)kind + 1 : 0, dice->tied ? band : 0};
    size_t first = sides->n;
    double sum = 0;
    if (shapes->split && dice->tied)
        sum = add_sizes(sides, shapes, whose, place, kind, weave);
    if (!(sum > 0))
        sum = add_sizes(sides, shapes, whose, LOOM_MINH_ANYWHERE, kind, weave);
    whose.band = 0;
    if (!(sum > 0))
        sum = add_sizes(sides, shapes, whose, LOOM_MINH_ANYWHERE, kind, weave);
    whose.kind = 0;
    if (!(sum > 0))
        sum = add_sizes(sides, shapes, whose, LOOM_MINH_ANYWHERE, kind, weave);
    for (size_t i = first; i < sides->n; i++)
        sides->weights[i] *= weight / sum;
}

/* ---- making them ready ----------------------------------------------------------------------- */

/* A die takes the sides that were collected. */
static int make_die(struct loom_minh_die *out, struct sides *sides, struct loom_error *err)
{
    struct loom_half_die die = loom_half_die_create(sides->n, sides->weights);
    *out = (struct loom_minh_die){sides->n, malloc((sides->n + 1) * sizeof *out->sides)};
    bool made = die.sides && out->sides;
    for (size_t i = 0; made && i < sides->n; i++)
        out->sides[i] =
            (struct loom_minh_side){die.sides[i].cut,
                                    {sides->shapes[i], sides->shapes[die.sides[i].other]}};
    free(die.sides);
    sides->n = 0;
    return made ? 0 : loom_fail_memory(err);
}

static int make_place(struct loom_minh_dice *dice, struct sides *sides, enum loom_minh_place place,
                      loom_minh_weight_fn *weight, const struct loom_weave *weave,
                      struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    double weights[LOOM_MINH_KINDS], sum = 0;
    int rc = 0;
    for (size_t k = 0; k < shapes->n_kinds; k++)
        sum += weights[k] = weight(&shapes->kinds[k], place);
    for (size_t k = 0; k < shapes->n_kinds && !(sum > 0); k++)
        weights[k] = shapes->kinds[k].weight; /* a log without such jobs */
    for (size_t k = 0; k < shapes->n_kinds; k++)
        add_kind(sides, dice, k, 0, place, weights[k], weave);
    rc = make_die(&dice->any[place], sides, err);
    for (size_t k = 0; k < shapes->n_kinds && !rc; k++) {
        add_kind(sides, dice, k, 0, place, 1, weave);
        rc = make_die(&dice->of_kind[place][k], sides, err);
        for (size_t b = 0; b < LOOM_MINH_BANDS && shapes->split && !rc; b++) {
            add_kind(sides, dice, k, (int64_t)b + 1, place, 1, weave);
            rc = make_die(&dice->of_band[place][k][b], sides, err);
        }
    }
    return rc;
}

/* Room for all sizes of all kinds. */
static int open_sides(struct sides *sides, const struct loom_minh_shapes *shapes,
                      struct loom_error *err)
{
    size_t sizes = 0;
    for (size_t i = 0; i < shapes->n_cells; i++)
        sizes += shapes->cells[i].n;
    size_t most = sizes * shapes->n_kinds + 1;
    *sides = (struct sides){malloc(most * sizeof *sides->shapes),
                            malloc(most * sizeof *sides->weights), 0};
    return sides->shapes && sides->weights ? 0 : loom_fail_memory(err);
}

int loom_minh_dice_init(struct loom_minh_dice *dice, const struct loom_minh_shapes *shapes,
                        loom_minh_weight_fn *weight, const struct loom_weave *weave,
                        const char *purpose, struct loom_error *err)
{
    *dice = (struct loom_minh_dice){.shapes = shapes, .tied = !(weave->without & LOOM_CORRELATION)};
    loom_weave_stream(&dice->stream, weave, purpose);
    loom_ziggurat_init(&dice->ziggurat);
    for (size_t k = 0; k < shapes->n_kinds; k++)
        dice->log_height[k] = log(shapes->kinds[k].weight / shapes->kinds[k].sd);
    loom_minh_cut(dice, INT64_MAX);
    struct sides sides;
    int rc = open_sides(&sides, shapes, err);
    for (int place = 0; place < LOOM_MINH_PLACES && !rc; place++)
        rc = make_place(dice, &sides, (enum loom_minh_place)place, weight, weave, err);
    free(sides.shapes);
    free(sides.weights);
    if (!rc && shapes->split)
        rc = loom_minh_stretches_find(dice, err);
    if (rc)
        loom_minh_dice_free(dice);
    return rc;
}

void loom_minh_dice_free(struct loom_minh_dice *dice)
{
    if (!dice->shapes)
        return;
    for (int place = 0; place < LOOM_MINH_PLACES; place++) {
        free(dice->any[place].sides);
        for (size_t k = 0; k < LOOM_MINH_KINDS; k++) {
            free(dice->of_kind[place][k].sides);
            for (size_t b = 0; b < LOOM_MINH_BANDS; b++)
                free(dice->of_band[place][k][b].sides);
        }
    }
    loom_minh_stretches_free(&dice->stretches);
    dice->shapes = NULL;
}

/* ---- throwing them --------------------------------------------------------------------------- */

/* As loom_half_die_at(). */
static inline struct loom_minh_shape side_at(const struct loom_minh_die *die, uint32_t bits)
{
    uint64_t product = (uint64_t)bits * die->n;
    const struct loom_minh_side *side = &die->sides[product >> 32];
    return side->shapes[(uint32_t)product >= side->cut];
}

static struct loom_minh_shape throw(struct loom_minh_dice * dice, const struct loom_minh_die *die)
{
    return side_at(die, (uint32_t)(loom_draw_u64(&dice->stream) >> 32));
}

struct loom_minh_shape loom_minh_draw_shape(struct loom_minh_dice *dice, enum loom_minh_place place)
{
    return throw(dice, &dice->any[place]);
}

void loom_minh_draw_shapes(struct loom_minh_shape *out, uint32_t *bits,
                           const enum loom_minh_place *places, size_t n,
                           struct loom_minh_dice *dice)
{
    uint64_t drawn[LOOM_MINH_DECK];
    loom_draw_many(drawn, n, &dice->stream);
    for (size_t i = 0; i < n; i++) {
        out[i] = side_at(&dice->any[places[i]], (uint32_t)(drawn[i] >> 32));
        bits[i] = (uint32_t)drawn[i];
    }
}

int32_t loom_minh_draw_procs(struct loom_minh_dice *dice, size_t kind, enum loom_minh_place place)
{
    return throw(dice, &dice->of_kind[place][kind]).procs;
}

size_t loom_minh_kind_of(const struct loom_minh_dice *dice, double log_run)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    size_t best = 0;
    double most = -INFINITY;
    for (size_t k = 0; k < shapes->n_kinds; k++) {
        double z = (log_run - shapes->kinds[k].mean) / shapes->kinds[k].sd;
        double height = dice->log_height[k] - 0.5 * z * z;
        if (height > most) {
            most = height;
            best = k;
        }
    }
    return best;
}

void loom_minh_size_alike(struct loom_minh_shape *shapes, const uint32_t *bits,
                          const int64_t *run_s, const enum loom_minh_place *places, size_t n,
                          const struct loom_minh_dice *dice)
{
    for (size_t i = 0; i < n; i++) {
        struct loom_minh_stretch stretch = loom_minh_stretch_of(dice, run_s[i]);
        const struct loom_minh_die *die = &dice->of_band[places[i]][stretch.kind][stretch.band];
        shapes[i].procs = side_at(die, bits[i]).procs;
    }
}

double loom_minh_draw_normal(struct loom_minh_dice *dice)
{
    return loom_ziggurat_draw(&dice->ziggurat, &dice->stream);
}

int64_t loom_minh_run(const struct loom_minh_dice *dice, size_t kind, double z)
{
    const struct loom_minh_normal *k = &dice->drawn[kind];
    return loom_whole_seconds(exp(k->mean + k->sd * z) - 1, 0);
}

/* ---- run times that are cut ------------------------------------------------------------------ */

/* The kinds of a log are what is left of longer run times that it cut. Cut again, a kind would be
 * narrower: so it is drawn from a normal distribution that has its mean and deviation below the
 * cut. With the cut at b deviations and h = phi(b) / Phi(b), the mean is h deviations below that of
 * the whole, and the variance 1 - b h - h^2 of it. */
static double left_by_cut(double b, double *below)
{
    double h = M_2_SQRTPI * M_SQRT1_2 * exp(-0.5 * b * b) / erfc(-b * M_SQRT1_2);
    *below = h;
    return sqrt(1 - b * h - h * h);
}

/* The distance of the cut from the mean of what is below it, in deviations of that, less the wanted
 * one. */
static double too_far(double b, void *context)
{
    double below, left = left_by_cut(b, &below);
    return (b + below) / left - *(const double *)context;
}

/* Cuts above MOST cut nothing; below LEAST nearly all would have to be drawn again. */
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

void loom_minh_cut(struct loom_minh_dice *dice, int64_t longest_s)
{
    double log_longest = longest_s < INT64_MAX ? log1p((double)longest_s) : INFINITY;
    dice->longest_s = longest_s;
    for (size_t k = 0; k < dice->shapes->n_kinds; k++)
        dice->drawn[k] = before_cut(&dice->shapes->kinds[k], log_longest);
}

/* What is too long is drawn again. A centre that goes with a first run time is the likelier the
 * more of those around it are short enough, by which the chance of each further one is divided: so
 * every run time is distributed as the first. */
enum { TRIES = 100 };

/* The centre that goes with a first run time, z deviations from the mean. */
static double draw_centre(struct loom_minh_dice *dice, double alike, double z)
{
    return alike > 0 ? sqrt(alike) * z + sqrt(1 - alike) * loom_minh_draw_normal(dice) : 0;
}

int64_t loom_minh_draw_first(struct loom_minh_dice *dice, size_t kind, double alike, double *centre)
{
    for (int i = 0; i < TRIES; i++) {
        double z = loom_minh_draw_normal(dice);
        int64_t run_s = loom_minh_run(dice, kind, z);
        if (run_s > dice->longest_s)
            continue;
        *centre = draw_centre(dice, alike, z);
        return run_s;
    }
    *centre = 0;
    return dice->longest_s;
}

void loom_minh_draw_firsts(int64_t *run_s, double *centres, const struct loom_minh_shape *shapes,
                           const double *alike, size_t n, struct loom_minh_dice *dice)
{
    double z[LOOM_MINH_DECK];
    loom_ziggurat_draw_many(z, n, &dice->ziggurat, &dice->stream);
    for (size_t i = 0; i < n; i++)
        run_s[i] = loom_minh_run(dice, shapes[i].kind, z[i]);
    for (size_t i = 0; i < n; i++)
        if (run_s[i] > dice->longest_s)
            run_s[i] = loom_minh_draw_first(dice, shapes[i].kind, alike[i], &centres[i]);
        else
            centres[i] = draw_centre(dice, alike[i], z[i]);
}

int64_t loom_minh_draw_next(struct loom_minh_dice *dice, size_t kind, double alike, double centre)
{
    for (int i = 0; i < TRIES; i++) {
        double own = sqrt(1 - alike) * loom_minh_draw_normal(dice);
        int64_t run_s = loom_minh_run(dice, kind, sqrt(alike) * centre + own);
        if (run_s <= dice->longest_s)
            return run_s;
    }
    return dice->longest_s;
}
