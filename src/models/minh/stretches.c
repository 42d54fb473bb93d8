/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which kind and band a run time is of, for all run times at once.
 *
 * The kind is the most likely one. Two kinds are equally likely at two run times at most, since the
 * logarithms of their densities are parabolas: between one such time and the next, and between the
 * edges of bands, all run times are of one kind and band. So these stretches are found once, and a
 * run time is looked up among their ends.
 */
#include "models/minh/minh.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdlib.h>

/* Run times at which another stretch may begin or end. Around one that is not whole, all whole ones
 * next to it are on their own, and rounding does not matter. */
enum {
    AROUND = 3,
    PAIRS = LOOM_MINH_KINDS * (LOOM_MINH_KINDS - 1) / 2,
    MOST_MARKS = 2 * PAIRS * AROUND + LOOM_MINH_KINDS * LOOM_MINH_EDGES + 1,
};

static const int64_t LONGEST_S = INT64_C(1) << 53; /* of loom_whole_seconds() */

struct marks {
    size_t n;
    int64_t run_s[MOST_MARKS];
};

static void mark_around(struct marks *marks, double log_run)
{
    double run_s = floor(expm1(log_run));
    if (!(run_s >= -1 && run_s < (double)LONGEST_S))
        return;
    for (int64_t i = 0; i < AROUND; i++)
        marks->run_s[marks->n++] = (int64_t)run_s - 1 + i;
}

static void mark_equal(struct marks *marks, const struct loom_minh_dice *dice, size_t i, size_t k)
{
    const struct loom_minh_kind *one = &dice->shapes->kinds[i], *other = &dice->shapes->kinds[k];
    double p = 1 / (one->sd * one->sd), q = 1 / (other->sd * other->sd), roots[2];
    double constant = (q * other->mean * other->mean - p * one->mean * one->mean) / 2;
    int n = gsl_poly_solve_quadratic((q - p) / 2, p * one->mean - q * other->mean,
                                     constant + dice->log_height[i] - dice->log_height[k],
                                     &roots[0], &roots[1]);
    for (int root = 0; root < n; root++)
        mark_around(marks, roots[root]);
}

static int minh_stretches_by_time(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void mark_all(struct marks *marks, const struct loom_minh_dice *dice)
{
    const struct loom_minh_shapes *shapes = dice->shapes;
    for (size_t i = 0; i < shapes->n_kinds; i++)
        for (size_t k = 0; k < i; k++)
            mark_equal(marks, dice, i, k);
    for (size_t i = 0; i < shapes->n_kinds * LOOM_MINH_EDGES && shapes->edges_s; i++)
        marks->run_s[marks->n++] = shapes->edges_s[i];
    marks->run_s[marks->n++] = LONGEST_S;
    qsort(marks->run_s, marks->n, sizeof *marks->run_s, minh_stretches_by_time);
}

static struct loom_minh_stretch stretch_of(const struct loom_minh_dice *dice, int64_t run_s)
{
    size_t kind = loom_minh_kind_of(dice, log1p(fmax(0, (double)run_s)));
    return (struct loom_minh_stretch){(uint8_t)kind,
                                      (uint8_t)loom_minh_band(dice->shapes, kind, run_s)};
}

static bool same(struct loom_minh_stretch a, struct loom_minh_stretch b)
{
    return a.kind == b.kind && a.band == b.band;
}

/* A mark is the last run time of what is before it. Stretches that are the same are one. */
int loom_minh_stretches_find(struct loom_minh_dice *dice, struct loom_error *err)
{
    struct loom_minh_stretches *out = &dice->stretches;
    struct marks marks = {0};
    size_t n = 0;
    mark_all(&marks, dice);
    out->of = malloc(marks.n * sizeof *out->of);
    for (size_t i = 0; out->of && i < marks.n; i++) {
        struct loom_minh_stretch stretch = stretch_of(dice, marks.run_s[i]);
        n -= n > 0 && same(out->of[n - 1], stretch);
        out->of[n] = stretch;
        marks.run_s[n++] = marks.run_s[i];
    }
    if (!out->of || loom_guide_init(&out->ends, marks.run_s, n - 1))
        return loom_fail_memory(err);
    return 0;
}

void loom_minh_stretches_free(struct loom_minh_stretches *stretches)
{
    loom_guide_free(&stretches->ends);
    free(stretches->of);
    stretches->of = NULL;
}
