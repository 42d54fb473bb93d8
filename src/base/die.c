/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dice for loom_draw_discrete: Walker's tables, the same to the bit as those of
 * gsl_ran_discrete_preproc, which goes on with what it did not get when memory is out.
 *
 * Of n sides, those below the mean share give what they lack of it to one above, their alias. A
 * side that was above may so come below it, and have its turn.
 */
#include "base/draw.h"

#include <stdlib.h>

static gsl_ran_discrete_t *new_die(size_t n)
{
    gsl_ran_discrete_t *die = calloc(1, sizeof *die);
    if (!die)
        return NULL;
    die->K = n;
    die->A = malloc(n * sizeof *die->A);
    die->F = malloc(n * sizeof *die->F);
    if (die->A && die->F)
        return die;
    gsl_ran_discrete_free(die);
    return NULL;
}

/* The sides that are not settled: those below the mean on a stack from the front of one array,
 * those from it on on a stack from its back. */
struct sides {
    double *share;
    size_t *stack;
    size_t n, small, big;
};

static void push(struct sides *sides, size_t side, bool small)
{
    sides->stack[small ? sides->small++ : sides->n - ++sides->big] = side;
}

static void stand_alone(gsl_ran_discrete_t *die, size_t side)
{
    die->A[side] = side;
    die->F[side] = 1;
}

/* Fill a side below the mean up from one above it. */
static void alias_fill(gsl_ran_discrete_t *die, struct sides *sides, double mean)
{
    size_t small = sides->stack[--sides->small];
    if (sides->big == 0) {
        stand_alone(die, small);
        return;
    }
    size_t big = sides->stack[sides->n - sides->big--];
    die->A[small] = big;
    die->F[small] = (double)die->K * sides->share[small];
    sides->share[big] -= mean - sides->share[small];
    if (sides->share[big] < mean)
        push(sides, big, true);
    else if (sides->share[big] > mean)
        push(sides, big, false);
    else
        stand_alone(die, big);
}

static void make_tables(gsl_ran_discrete_t *die, struct sides *sides, const double *weights)
{
    double sum = 0, mean = 1.0 / (double)die->K;
    for (size_t k = 0; k < die->K; k++)
        sum += weights[k];
    for (size_t k = 0; k < die->K; k++) {
        sides->share[k] = weights[k] / sum;
        push(sides, k, sides->share[k] < mean);
    }
    while (sides->small > 0)
        alias_fill(die, sides, mean);
    while (sides->big > 0)
        stand_alone(die, sides->stack[sides->n - sides->big--]);
    for (size_t k = 0; k < die->K; k++) { /* Knuth's form */
        die->F[k] += (double)k;
        die->F[k] /= (double)die->K;
    }
}

gsl_ran_discrete_t *loom_die_create(size_t n, const double *weights)
{
    gsl_ran_discrete_t *die = new_die(n);
    struct sides sides = {malloc(n * sizeof *sides.share), malloc(n * sizeof *sides.stack), n, 0,
                          0};
    bool made = die && sides.share && sides.stack;
    if (made)
        make_tables(die, &sides, weights);
    free(sides.share);
    free(sides.stack);
    if (!made)
        loom_die_destroy(die);
    return made ? die : NULL;
}

void loom_die_destroy(gsl_ran_discrete_t *die)
{
    if (die)
        gsl_ran_discrete_free(die);
}

/* A side that is all its own is its own alias too: no cut is that high. */
static struct loom_half_side half_side(const gsl_ran_discrete_t *die, size_t k)
{
    double own = (die->F[k] * (double)die->K - (double)k) * 0x1p32;
    return own < 0x1p32 - 1
               ? (struct loom_half_side){own > 0 ? (uint32_t)own : 0, (uint32_t)die->A[k]}
               : (struct loom_half_side){UINT32_MAX, (uint32_t)k};
}

struct loom_half_die loom_half_die_create(size_t n, const double *weights)
{
    struct loom_half_die half = {n, malloc(n * sizeof *half.sides)};
    gsl_ran_discrete_t *die = half.sides ? loom_die_create(n, weights) : NULL;
    for (size_t k = 0; die && k < n; k++)
        half.sides[k] = half_side(die, k);
    if (!die) {
        free(half.sides);
        half.sides = NULL;
    }
    loom_die_destroy(die);
    return half;
}
