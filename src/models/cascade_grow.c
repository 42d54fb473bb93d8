/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees grown from their roots (thesis 4.3, 4.4), all of one growth side by side: scale by scale,
 * every coefficient becomes two in its place. A coefficient is zero where nothing arrives, and
 * stays so below.
 */
#include "base/draw.h"
#include "models/cascade.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>

/* ---- zeros ----------------------------------------------------------------------------------- */

/* Picks `wanted` of the parents that are offered, one after the other, each in proportion to its
 * weight, but all of them once no more are left than are wanted. Of equal weights this is selection
 * sampling, which picks every set of that size alike. u is uniform. */
struct picker {
    double wanted; /* still */
    double left;   /* not yet offered */
    double weight; /* of these */
};

static bool pick(struct picker *picker, double weight, double u)
{
    bool picked = picker->wanted >= picker->left || u * picker->weight < picker->wanted * weight;
    picker->wanted -= picked;
    picker->left--;
    picker->weight -= weight;
    return picked;
}

static double weight_of(const struct loom_zeros *zeros, double jobs)
{
    return zeros->preference > 0 ? pow(1 + jobs, -zeros->preference) : 1;
}

/* Jobs below a coefficient of 1 at this scale. */
static double jobs_per_unit(const struct loom_cascade *cascade, size_t scale)
{
    return (double)cascade->interval_s * exp2((double)(cascade->depth + 1 - scale) / 2);
}

static struct picker start_picking(struct loom_forest *forest, size_t scale, size_t parents)
{
    struct picker picker = {.wanted = 0};
    if (!forest->zeros || !forest->zeros->share)
        return picker;
    double unit = jobs_per_unit(forest->cascade, scale);
    for (size_t k = 0; k < parents; k++)
        if (forest->rates[k] > 0) {
            picker.weight += weight_of(forest->zeros, forest->rates[k] * unit);
            picker.left++;
        }
    picker.wanted =
        2 * (double)parents * forest->zeros->share[scale - 1] + forest->carry[scale - 1];
    return picker;
}

/* A fraction of a zero waits for the next growth. Whole ones are left only where every parent has a
 * zero below it: these are placed at the next scale. */
static void stop_picking(struct loom_forest *forest, size_t scale, double left)
{
    forest->carry[scale - 1] = fmax(-1, fmin(left, 1));
    if (left > 1 && scale < forest->cascade->depth)
        forest->carry[scale] += 2 * (left - 1);
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Normal as in eq. 4.9. A negative draw is drawn again, which would raise the mean: all are scaled
 * to keep it. */
static void grow_roots(struct loom_forest *forest)
{
    const struct loom_cascade *cascade = forest->cascade;
    for (int64_t k = 0; k < cascade->roots; k++) {
        double c;
        do
            c = cascade->root_mean +
                gsl_ran_gaussian_ziggurat(&forest->roots.gsl, cascade->root_sd);
        while (!(c > 0));
        forest->rates[k] = c * forest->root_scale;
    }
}

/* The multiplier of a parent: 1 or -1 where it is picked for a zero, by a bit of the draw that its
 * uniform number does not use. */
static inline double draw_multiplier(struct loom_forest *forest, size_t scale,
                                     struct picker *picker, double jobs)
{
    if (picker->wanted > 0) {
        uint64_t bits = loom_draw_u64(&forest->places);
        if (pick(picker, weight_of(forest->zeros, jobs), loom_bits_uniform(bits)))
            return bits & 1 ? 1 : -1;
    }
    return loom_multiplier_draw(&forest->multiplier[scale - 1], &forest->multipliers);
}

/* From the last parent to the first, since the children of one lie at or behind its own place. */
static void grow_scale(struct loom_forest *forest, size_t scale)
{
    size_t parents = (size_t)forest->cascade->roots << (scale - 1);
    double *rates = forest->rates, unit = jobs_per_unit(forest->cascade, scale);
    struct picker picker = start_picking(forest, scale, parents);
    for (size_t k = parents; k-- > 0;) {
        double c = rates[k], a = c > 0 ? draw_multiplier(forest, scale, &picker, c * unit) : 0;
        loom_haar_split(rates + 2 * k, c, a * c);
    }
    if (forest->zeros && forest->zeros->share)
        stop_picking(forest, scale, picker.wanted);
}

static void add_base(struct loom_forest *forest)
{
    double base = forest->zeros->base / (double)forest->cascade->interval_s;
    for (size_t i = 0; i < forest->n; i++)
        if (forest->rates[i] > 0)
            forest->rates[i] += base;
}

void loom_forest_grow(struct loom_forest *forest)
{
    grow_roots(forest);
    for (size_t scale = 1; scale <= forest->cascade->depth; scale++)
        grow_scale(forest, scale);
    if (forest->zeros && forest->zeros->base > 0)
        add_base(forest);
}

/* ---- life ------------------------------------------------------------------------------------ */

int loom_forest_create(struct loom_forest *out, const struct loom_cascade *cascade,
                       const struct loom_zeros *zeros, const struct loom_weave *weave,
                       struct loom_error *err)
{
    *out = (struct loom_forest){.cascade = cascade,
                                .zeros = zeros,
                                .n = (size_t)cascade->roots << cascade->depth,
                                .root_scale = 1};
    out->rates = malloc(out->n * sizeof *out->rates);
    out->carry = calloc(cascade->depth, sizeof *out->carry);
    out->multiplier = malloc(cascade->depth * sizeof *out->multiplier);
    if (!out->rates || !out->carry || !out->multiplier) {
        loom_forest_free(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < cascade->depth; i++)
        loom_multiplier_init(&out->multiplier[i], cascade->beta[i]);
    if (cascade->root_sd > 0) {
        double from_zero = cascade->root_mean / cascade->root_sd;
        double raised =
            from_zero + gsl_ran_ugaussian_pdf(from_zero) / gsl_cdf_ugaussian_P(from_zero);
        out->root_scale = from_zero / raised;
    }
    loom_weave_stream(&out->roots, weave, "cascade roots");
    loom_weave_stream(&out->multipliers, weave, "cascade multipliers");
    loom_weave_stream(&out->places, weave, "cascade zeros");
    return 0;
}

void loom_forest_free(struct loom_forest *forest)
{
    free(forest->rates);
    free(forest->carry);
    free(forest->multiplier);
    forest->rates = forest->carry = NULL;
    forest->multiplier = NULL;
}
