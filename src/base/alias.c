/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Alias tables for loom_draw_discrete (Walker 1977), the same to the bit as the tables of
 * gsl_ran_discrete_preproc, which does not check whether memory is out.
 *
 * Each of n entries has probability 1/n. An entry whose index has less gives the rest to an index
 * that has more, its alias, which thereby may come to have less than 1/n itself.
 */
#include "base/draw.h"

#include <stdlib.h>

static gsl_ran_discrete_t *alias_allocate(size_t n)
{
    gsl_ran_discrete_t *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->K = n;
    table->A = malloc(n * sizeof *table->A);
    table->F = malloc(n * sizeof *table->F);
    if (table->A && table->F)
        return table;
    loom_alias_destroy(table);
    return NULL;
}

/* Indices that are not settled, in one array: a stack of those below 1/n from its front, and a
 * stack of the others from its back. */
struct unsettled {
    double *share;
    size_t *stack;
    size_t n, small, big;
};

static void push(struct unsettled *left, size_t index, bool small)
{
    left->stack[small ? left->small++ : left->n - ++left->big] = index;
}

static void settle_alone(gsl_ran_discrete_t *table, size_t index)
{
    table->A[index] = index;
    table->F[index] = 1;
}

/* Settle an index below 1/n: fill its entry up from one above. */
static void settle_small(gsl_ran_discrete_t *table, struct unsettled *left, double mean)
{
    size_t small = left->stack[--left->small];
    if (left->big == 0) {
        settle_alone(table, small);
        return;
    }
    size_t big = left->stack[left->n - left->big--];
    table->A[small] = big;
    table->F[small] = (double)table->K * left->share[small];
    left->share[big] -= mean - left->share[small];
    if (left->share[big] < mean)
        push(left, big, true);
    else if (left->share[big] > mean)
        push(left, big, false);
    else
        settle_alone(table, big);
}

static void alias_fill(gsl_ran_discrete_t *table, struct unsettled *left, const double *weights)
{
    double sum = 0, mean = 1.0 / (double)table->K;
    for (size_t k = 0; k < table->K; k++)
        sum += weights[k];
    for (size_t k = 0; k < table->K; k++) {
        left->share[k] = weights[k] / sum;
        push(left, k, left->share[k] < mean);
    }
    while (left->small > 0)
        settle_small(table, left, mean);
    while (left->big > 0)
        settle_alone(table, left->stack[left->n - left->big--]);
    for (size_t k = 0; k < table->K; k++) { /* Knuth's form */
        table->F[k] += (double)k;
        table->F[k] /= (double)table->K;
    }
}

gsl_ran_discrete_t *loom_alias_create(size_t n, const double *weights)
{
    gsl_ran_discrete_t *table = alias_allocate(n);
    struct unsettled left = {.share = malloc(n * sizeof *left.share),
                             .stack = malloc(n * sizeof *left.stack),
                             .n = n};
    bool made = table && left.share && left.stack;
    if (made)
        alias_fill(table, &left, weights);
    free(left.share);
    free(left.stack);
    if (!made)
        loom_alias_destroy(table);
    return made ? table : NULL;
}

void loom_alias_destroy(gsl_ran_discrete_t *table)
{
    if (table)
        gsl_ran_discrete_free(table);
}
