/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shapes of the slots in the two methods that have one for each (Lublin and Feitelson, section
 * 7.3).
 *
 * Expected interarrival: the mean gap exp(alpha(t) beta) is the longer the fewer jobs a slot shall
 * have. Expected time slots: it is in proportion to the expected jump E(t), which depends on the
 * shape in turn, with its mean over the slots kept, each by its weight. The paper goes round until
 * nothing changes, which takes a hundred rounds and more. A slot's shape meets the others in one
 * number only, C of alpha(t) beta = log E(t) + C, so that Newton's method for all of them at once
 * needs no more than how E(t) grows with each, and is there after a few steps.
 */
#include "models/arrivals/gamma_daily.h"
#include "stats/log_gamma.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

void loom_daily_shapes_by_weight(double *shapes, const double *weights, double shape, double scale)
{
    for (int t = 0; t < LOOM_SLOTS; t++)
        shapes[t] = fmax(shape + log(1 / weights[t]) / scale, 1e-3);
}

/* Gaps of k to k + 1 slots, by their logarithms, with the points where to take their density. */
enum { POINTS = 4 };
struct leap {
    double from, to;
    double x[POINTS], log_x[POINTS]; /* over the scale */
};

static void set_leaps(struct leap *leaps, const struct loom_daily_jumps *day)
{
    static const double at[] = {-0.86113631159405258, -0.33998104358485626, 0.33998104358485626,
                                0.86113631159405258}; /* Gauss and Legendre's */
    double from = 0;
    for (int k = 0; k < LOOM_SLOTS; k++) {
        double to = fmin(log((k + 1) * (double)LOOM_SLOT_S * day->rate), day->limit);
        leaps[k] = (struct leap){.from = from, .to = fmax(from, to)};
        for (int i = 0; i < POINTS; i++) {
            leaps[k].x[i] = (from + (leaps[k].to - from) * (1 + at[i]) / 2) / day->scale;
            leaps[k].log_x[i] = log(leaps[k].x[i]);
        }
        from = leaps[k].to;
    }
}

/* The chance of such a gap. Where its ends are near each other, four points give it better than a
 * difference of two cdfs does, and much sooner. */
static double chance_of(const struct leap *leap, double shape, double scale, double log_gamma)
{
    static const double weights[] = {0.34785484513745386, 0.65214515486254614, 0.65214515486254614,
                                     0.34785484513745386};
    if (leap->to > 1.1 * leap->from)
        return gsl_cdf_gamma_P(leap->to, shape, scale) - gsl_cdf_gamma_P(leap->from, shape, scale);
    double sum = 0;
    for (int i = 0; i < POINTS && leap->to > leap->from; i++)
        sum += weights[i] * exp((shape - 1) * leap->log_x[i] - leap->x[i] - log_gamma);
    return sum * (leap->to - leap->from) / 2 / scale;
}

/* The logarithm of the expected jump E(t), in slots, from slot t to the next job, if the slots it
 * can end in are taken as often as jobs shall come in them. A gap of k to k + 1 slots counts as k +
 * 1/2. */
static double log_jump(const struct loom_daily_jumps *day, const struct leap *leaps, int t,
                       double shape)
{
    double jumps = 0, chances = 0, log_gamma = loom_log_gamma(shape);
    for (int k = 0; k < LOOM_SLOTS; k++) {
        double chance =
            day->weights[(t + k) % LOOM_SLOTS] * chance_of(&leaps[k], shape, day->scale, log_gamma);
        jumps += chance * (k + 0.5);
        chances += chance;
    }
    return log(jumps / chances);
}

/* log of the mean gap over the slots, each by its weight: what the shapes are to keep. */
static double log_gap(const struct loom_daily_jumps *day, const double *shapes)
{
    double sum = 0;
    for (int t = 0; t < LOOM_SLOTS; t++)
        sum += day->weights[t] / LOOM_SLOTS * exp(shapes[t] * day->scale);
    return log(sum);
}

/* The search at one slot: log E(t), how it grows with the shape, and how far the shape moved. */
struct place {
    double jump, growth, by;
};

/* At the shape that a slot now has. Its growth is that from the shape before, if that was far
 * far enough away. */
static struct place look(const struct loom_daily_jumps *day, const struct leap *leaps, int t,
                         double shape, const struct place *before)
{
    static const double APART = 1e-4;
    struct place now = {.jump = log_jump(day, leaps, t, shape), .growth = before->growth};
    if (isnan(before->growth))
        now.growth = (log_jump(day, leaps, t, shape + APART) - now.jump) / APART;
    else if (fabs(before->by) > APART)
        now.growth = (now.jump - before->jump) / before->by;
    return now;
}

/* One step towards shapes with alpha(t) beta = log E(t) + C and the wanted mean gap. Returns how
 * far they moved; infinity where going round would not end either. */
static double gamma_daily_shapes_step(const struct loom_daily_jumps *day, const struct leap *leaps,
                                      double *shapes, struct place *places, double wanted)
{
    double now = log_gap(day, shapes), sum_lack = 0, sum = 0, moved = 0;
    for (int t = 0; t < LOOM_SLOTS; t++) {
        struct place *place = &places[t];
        *place = look(day, leaps, t, shapes[t], place);
        if (!(place->growth < day->scale))
            return INFINITY;
        double pull =
            day->weights[t] * exp(shapes[t] * day->scale - now) / (day->scale - place->growth);
        sum_lack += pull * (place->jump - shapes[t] * day->scale);
        sum += pull;
    }
    double c = ((wanted - now) * LOOM_SLOTS / day->scale - sum_lack) / sum;
    for (int t = 0; t < LOOM_SLOTS; t++) {
        struct place *place = &places[t];
        place->by = (place->jump - shapes[t] * day->scale + c) / (day->scale - place->growth);
        moved = fmax(moved, fabs(place->by));
        shapes[t] += place->by;
        if (!(shapes[t] > 0))
            return INFINITY;
    }
    return moved;
}

int loom_daily_shapes_by_jumps(double *shapes, const struct loom_daily_jumps *day, double shape,
                               struct loom_error *err)
{
    enum { STEPS = 50 };
    static const double LITTLE = 1e-8;
    struct place places[LOOM_SLOTS];
    struct leap leaps[LOOM_SLOTS];
    double moved = INFINITY;
    set_leaps(leaps, day);
    for (int t = 0; t < LOOM_SLOTS; t++)
        places[t] = (struct place){.growth = NAN};
    for (int i = 0; i < STEPS && moved > LITTLE; i++) {
        moved = gamma_daily_shapes_step(day, leaps, shapes, places, shape * day->scale);
        if (!isfinite(moved))
            break;
    }
    if (!(moved <= LITTLE))
        return loom_fail(err, LOOM_EDATA,
                         "the expected-slots method does not converge for these parameters; take "
                         "the slot-weight method");
    return 0;
}
