/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grow trees from their roots (Minh 2012, 4.3, 4.4), all in one array: scale by scale, two
 * coefficients replace each one. A zero coefficient has no arrivals; its descendants are zero too.
 */
#include "base/draw.h"
#include "base/search.h"
#include "models/arrivals/cascade.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

/* ---- parents --------------------------------------------------------------------------------- */

/* List the parents that are not zero: only these have children that are not. */
static void list_parents(struct loom_forest *forest, size_t parents)
{
    size_t n = 0;
    for (size_t k = 0; k < parents; k++)
        if (forest->rates[k] > 0) {
            forest->index[n] = (uint32_t)k;
            forest->parent[n++] = forest->rates[k];
        }
    forest->parents = n;
}

static bool is_zero_before(const struct loom_forest *forest, size_t i)
{
    size_t next = i > 0 ? forest->index[i - 1] + 1 : 0;
    return forest->index[i] > next;
}

static bool is_zero_after(const struct loom_forest *forest, size_t i, size_t parents)
{
    size_t next = i + 1 < forest->parents ? forest->index[i + 1] : parents;
    return forest->index[i] + 1 < next;
}

/* ---- zeros ----------------------------------------------------------------------------------- */

/* Picks `wanted` of the parents that are offered, one after the other, each in proportion to its
 * weight, but all of them once no more are left than are wanted. Of equal weights this is selection
 * sampling, which picks every set of that size alike. u is uniform. */
struct picker {
    double wanted; /* still */
    double left;   /* not yet offered */
    double weight; /* of these */
};

/* Zeros that are to lie apart are below parents between two zeros only where no others are left. */
enum { OPEN, CLOSED, OPENNESS };
struct pickers {
    struct picker of[OPENNESS];
};

static bool cascade_pick(struct picker *picker, double weight, double u)
{
    bool picked = picker->wanted >= picker->left || u * picker->weight < picker->wanted * weight;
    picker->wanted -= picked;
    picker->left--;
    picker->weight -= weight;
    return picked;
}

/* Weights of the parents. Nearly always the preference is what is fitted, 1/2, and a power would
 * take longer. */
static void weigh_parents(struct loom_forest *forest, double unit)
{
    const double *parent = forest->parent, preference = forest->zeros->preference;
    double *weights = forest->weights;
    for (size_t i = 0; i < forest->parents && preference == 0.5; i++)
        weights[i] = 1 / sqrt(1 + parent[i] * unit);
    for (size_t i = 0; i < forest->parents && preference != 0.5; i++)
        weights[i] = preference > 0 ? pow(1 + parent[i] * unit, -preference) : 1;
}

/* Jobs below a coefficient of 1 at this scale. */
static double jobs_per_unit(const struct loom_cascade *cascade, size_t scale)
{
    return (double)cascade->interval_s * exp2((double)(cascade->depth + 1 - scale) / 2);
}

static bool has_zeros(const struct loom_forest *forest)
{
    return forest->zeros && forest->zeros->share;
}

/* Whether any parent is as good as another for a zero below it, as printed: then neither weights
 * nor neighbours are looked at. */
static bool has_plain_zeros(const struct loom_forest *forest)
{
    return !has_zeros(forest) || (!(forest->zeros->preference > 0) && !forest->zeros->apart);
}

/* Whether both neighbours of a parent are zero. At the borders the parent is its own neighbour. */
static bool is_closed(const struct loom_forest *forest, size_t i, size_t parents)
{
    bool before = is_zero_before(forest, i), after = is_zero_after(forest, i, parents);
    return forest->zeros->apart && before && after;
}

/* So many zeros are due at the scale; a fraction waits for the next growth. */
static double take_due(struct loom_forest *forest, size_t scale, size_t parents)
{
    double *carry = &forest->carry[scale - 1];
    *carry += 2 * (double)parents * forest->zeros->share[scale - 1];
    double due = floor(*carry);
    *carry -= due;
    return due;
}

static void offer_by_weight(struct pickers *pickers, struct loom_forest *forest, size_t scale,
                            size_t parents)
{
    weigh_parents(forest, jobs_per_unit(forest->cascade, scale));
    double weight = 0, closed_weight = 0;
    size_t closed_parents = 0;
    for (size_t i = 0; i < forest->parents; i++) {
        bool closed = is_closed(forest, i, parents);
        weight += closed ? 0 : forest->weights[i];
        closed_weight += closed ? forest->weights[i] : 0;
        closed_parents += closed;
    }
    pickers->of[OPEN].left = (double)(forest->parents - closed_parents);
    pickers->of[OPEN].weight = weight;
    pickers->of[CLOSED].left = (double)closed_parents;
    pickers->of[CLOSED].weight = closed_weight;
}

static struct pickers start_picking(struct loom_forest *forest, size_t scale, size_t parents)
{
    struct pickers pickers = {0};
    if (!has_zeros(forest))
        return pickers;
    double due = take_due(forest, scale, parents);
    if (has_plain_zeros(forest))
        pickers.of[OPEN].left = pickers.of[OPEN].weight = (double)forest->parents;
    else
        offer_by_weight(&pickers, forest, scale, parents);
    pickers.of[OPEN].wanted = fmin(due, pickers.of[OPEN].left);
    pickers.of[CLOSED].wanted = due - pickers.of[OPEN].wanted;
    return pickers;
}

static double still_wanted(const struct pickers *pickers)
{
    return pickers->of[OPEN].wanted + pickers->of[CLOSED].wanted;
}

/* Zeros are left only where every parent has one below it: all but one are placed at the next
 * scale. */
static void stop_picking(struct loom_forest *forest, size_t scale, double left)
{
    forest->carry[scale - 1] += fmin(left, 1);
    if (left > 1 && scale < forest->cascade->depth)
        forest->carry[scale] += 2 * (left - 1);
}

/* On which side a zero has to be: 1 is the right one, -1 the left one, 0 either. A log begins with
 * a job, and so do the intervals that it is cut into: the first one of all is no zero. Zeros that
 * are to lie apart turn away from a neighbour that is zero; children of the right one are known. */
static int side_of(const struct loom_forest *forest, size_t i, size_t parents)
{
    size_t k = forest->index[i];
    if (k == 0 && forest->growths == 0)
        return 1;
    if (!forest->zeros->apart)
        return 0;
    bool right = k + 1 < parents && !(forest->rates[2 * (k + 1)] > 0);
    return (int)is_zero_before(forest, i) - (int)right;
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Mean over deviation, and deviation, of a standard normal variate x given that x > -from_zero,
 * taken from there. */
static double positive_ratio(double from_zero, double *sd)
{
    double hazard = gsl_ran_ugaussian_pdf(from_zero) / gsl_cdf_ugaussian_P(from_zero);
    double mean = from_zero + hazard;
    *sd = sqrt(1 - hazard * mean);
    return mean / *sd;
}

/* Roots are normal (eq. 4.9), given that they are positive: they follow the normal variate
 * which then has the mean and the deviation asked for. There is one if the mean is the larger of
 * the two; the limit is exponential. */
static struct loom_root_law root_law(double mean, double sd)
{
    enum { STEPS = 60 };
    double low = -6, high = 40, part;
    if (!(sd > 0) || mean / sd >= high)
        return (struct loom_root_law){mean, sd};
    LOOM_HALVE(STEPS, low, high, from_zero, (low + high) / 2,
               positive_ratio(from_zero, &part) < mean / sd);
    double scale = mean / (positive_ratio(high, &part) * part);
    return (struct loom_root_law){high * scale, scale};
}

static void grow_roots(struct loom_forest *forest)
{
    const struct loom_root_law *law = &forest->root_law;
    for (int64_t k = 0; k < forest->cascade->roots; k++)
        forest->rates[k] =
            law->sd > 0 ? law->mean + gsl_ran_gaussian_tail(&forest->roots.gsl, -law->mean, law->sd)
                        : law->mean;
}

/* The multiplier of a parent: 1 or -1 where it is picked for a zero, by a bit of the draw that its
 * uniform number does not use. */
static double draw_multiplier(struct loom_forest *forest, size_t scale, size_t i,
                              struct pickers *pickers, bool plain)
{
    size_t parents = (size_t)forest->cascade->roots << (scale - 1);
    if (still_wanted(pickers) > 0) {
        uint64_t bits = loom_draw_u64(&forest->places);
        bool closed = !plain && is_closed(forest, i, parents);
        if (cascade_pick(&pickers->of[closed ? CLOSED : OPEN], plain ? 1 : forest->weights[i],
                         loom_bits_uniform(bits))) {
            int side = side_of(forest, i, parents);
            return side ? side : bits & 1 ? 1 : -1;
        }
    }
    return loom_multiplier_draw(&forest->multiplier[scale - 1], &forest->multipliers);
}

/* From the last parent to the first, as zeros that lie apart have it. */
static void split_parents(struct loom_forest *forest, size_t scale, struct pickers *pickers,
                          bool plain)
{
    for (size_t i = forest->parents; i-- > 0;) {
        double c = forest->parent[i], a = draw_multiplier(forest, scale, i, pickers, plain);
        loom_haar_split(forest->rates + 2 * (size_t)forest->index[i], c, a * c);
    }
}

static void grow_scale(struct loom_forest *forest, size_t scale)
{
    size_t parents = (size_t)forest->cascade->roots << (scale - 1);
    list_parents(forest, parents);
    struct pickers pickers = start_picking(forest, scale, parents);
    memset(forest->rates, 0, 2 * parents * sizeof *forest->rates);
    split_parents(forest, scale, &pickers, has_plain_zeros(forest));
    if (has_zeros(forest))
        stop_picking(forest, scale, still_wanted(&pickers));
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
    forest->growths++;
}

/* ---- life ------------------------------------------------------------------------------------ */

int loom_forest_create(struct loom_forest *out, const struct loom_cascade *cascade,
                       const struct loom_zeros *zeros, const struct loom_generation *generation,
                       struct loom_error *err)
{
    *out = (struct loom_forest){.cascade = cascade,
                                .zeros = zeros,
                                .n = (size_t)cascade->roots << cascade->depth,
                                .root_law = root_law(cascade->root_mean, cascade->root_sd)};
    out->rates = malloc(out->n * sizeof *out->rates);
    out->index = malloc((out->n / 2 + 1) * sizeof *out->index);
    out->parent = malloc((out->n / 2 + 1) * sizeof *out->parent);
    out->weights = malloc((out->n / 2 + 1) * sizeof *out->weights);
    out->carry = calloc(cascade->depth, sizeof *out->carry);
    out->multiplier = malloc(cascade->depth * sizeof *out->multiplier);
    if (!out->rates || !out->index || !out->parent || !out->weights || !out->carry ||
        !out->multiplier) {
        loom_forest_free(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < cascade->depth; i++)
        loom_multiplier_init(&out->multiplier[i], cascade->beta[i]);
    loom_generation_stream(&out->roots, generation, "cascade roots");
    loom_generation_stream(&out->multipliers, generation, "cascade multipliers");
    loom_generation_stream(&out->places, generation, "cascade zeros");
    for (size_t i = 0; i < cascade->depth; i++)
        out->carry[i] = loom_draw_uniform(&out->places);
    return 0;
}

void loom_forest_free(struct loom_forest *forest)
{
    free(forest->rates);
    free(forest->index);
    free(forest->parent);
    free(forest->weights);
    free(forest->carry);
    free(forest->multiplier);
    forest->rates = forest->parent = forest->weights = forest->carry = NULL;
    forest->index = NULL;
    forest->multiplier = NULL;
}
